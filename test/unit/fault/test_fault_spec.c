/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "fault_rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The words of plx_fault_set() and plx_fault_get(). */

static int
open_rig(void **state)
{
	static struct rig r;

	rig_open(&r, "crypto_openssl", "", 1, 64);
	*state = &r;
	return 0;
}

static int
close_rig(void **state)
{
	rig_close(*state);
	return 0;
}

static void
get_says_off_when_nothing_is_set(void **state)
{
	const struct rig *r = *state;
	char text[64];

	assert_int_equal(plx_fault_get(r->dev_id, text, sizeof(text)), 0);
	assert_string_equal(text, "off");
	assert_int_equal(plx_fault_get(r->dev_id, text, 3), -ENOSPC);
}

static void
every_form_reads_back(void **state)
{
	static const struct {
		const char *set;
		const char *get;
	} forms[] = {
		{ "refuse=5%", "refuse=5%" },
		{ "refuse=0.05:limit=7", "refuse=0.05:limit=7" },
		{ "refuse=1/20", "refuse=1/20" },
		{ "refuse=always:while=/tmp/a", "refuse=always:while=/tmp/a" },
		{ "bad_status=0.000001%", "bad_status=0.000001%" },
		{ "touch=100%:limit=1:while=x", "touch=100%:limit=1:while=x" },
		{ "fail=1%", "fail=1%:error" },
		{ "fail=1%:auth", "fail=1%:auth" },
		{ "fail=1%:invalid:limit=2", "fail=1%:invalid:limit=2" },
		{ "corrupt=.5", "corrupt=.5" },
		{ "delay=1/2", "delay=1/2:100us" },
		{ "delay=1/2:5000us", "delay=1/2:5ms" },
		{ "reorder=always", "reorder=always:8" },
		{ "reorder=always:64", "reorder=always:64" },
		{ "stall=1/100000:20ms", "stall=1/100000:20ms" },
		{ "vanish=1/5:limit=1", "vanish=1/5:limit=1" },
		{ "foreign=1/9", "foreign=1/9:unknown" },
		{ "foreign=1/9:twice", "foreign=1/9:twice" },
		{ "refuse=0%,fail=0", "off" },
		{ "refuse=1%,fail=off,delay=2%:1s,", "refuse=1%,delay=2%:1s" },
		{ "seed=0x1234", "off" },
	};
	const struct rig *r = *state;
	char text[2048];

	for (size_t i = 0; i < PLX_ARRAY_SIZE(forms); i++) {
		rig_set(r, "off");
		rig_set(r, forms[i].set);
		assert_int_equal(plx_fault_get(r->dev_id, text, sizeof(text)), 0);
		assert_string_equal(text, forms[i].get);
		/* and what is shown can be set */
		rig_set(r, text);
	}
}

static void
set_leaves_alone_what_it_does_not_name(void **state)
{
	const struct rig *r = *state;
	char text[2048];

	rig_set(r, "refuse=5%,stall=1/9:1ms");
	rig_set(r, "refuse=off,fail=2%");
	assert_int_equal(plx_fault_get(r->dev_id, text, sizeof(text)), 0);
	assert_string_equal(text, "fail=2%:error,stall=1/9:1ms");
	rig_set(r, "off");
	assert_int_equal(plx_fault_get(r->dev_id, text, sizeof(text)), 0);
	assert_string_equal(text, "off");
}

static void
bad_words_are_named_and_change_nothing(void **state)
{
	static const struct {
		const char *set;
		const char *says;
	} bad[] = {
		{ "", "no fault is named" },
		{ "refuse", "key=value" },
		{ "=5%", "key=value" },
		{ "refus=5%", "'refus' is no fault" },
		{ "refuse=", "refuse=: want off, always" },
		{ "refuse=5%%", "refuse=5%%: want" },
		{ "refuse=101%", "refuse=101%: want" },
		{ "refuse=1.5", "refuse=1.5: want" },
		{ "refuse=-1%", "refuse=-1%: want" },
		{ "refuse=1/0", "refuse=1/0: want" },
		{ "refuse=2/7", "refuse=2/7: want" },
		{ "refuse=1e3", "refuse=1e3: want" },
		{ "refuse=0.00000000000000000000001", "want off" },
		{ "refuse=5%:7", "refuse: '7': want nothing, limit=N" },
		{ "refuse=5%:limit=0", "limit=0" },
		{ "refuse=5%:limit=x", "limit=x" },
		{ "refuse=5%:while=", "while=" },
		{ "fail=5%:bad", "fail: 'bad': want error, auth or invalid" },
		{ "delay=5%:0us", "delay: '0us'" },
		{ "delay=5%:2h", "delay: '2h'" },
		{ "stall=5%:61m", "stall: '61m'" },
		{ "reorder=5%:1", "reorder: '1': want a window of 2..64" },
		{ "reorder=5%:65", "reorder: '65'" },
		{ "foreign=5%:thrice", "foreign: 'thrice'" },
		{ "seed=abc", "seed=abc: want a whole number" },
		{ "fail=[5%", "'[' without ']'" },
		{ "stall=1%,refuse=7,fail=1%", "refuse=7" },
	};
	const struct rig *r = *state;
	char text[2048];

	rig_set(r, "off");
	rig_set(r, "corrupt=3%");
	for (size_t i = 0; i < PLX_ARRAY_SIZE(bad); i++) {
		struct plx_err err = { "" };

		assert_int_equal(plx_fault_set(r->dev_id, bad[i].set, &err), -EINVAL);
		if (strstr(err.text, bad[i].says) == NULL)
			fail_msg("'%s' gave: %s", bad[i].set, err.text);
		assert_int_equal(plx_fault_get(r->dev_id, text, sizeof(text)), 0);
		assert_string_equal(text, "corrupt=3%");
	}
	rig_set(r, "off");
}

static void
overlong_words_are_refused(void **state)
{
	const struct rig *r = *state;
	struct plx_err err = { "" };
	char text[4096];

	memset(text, 'x', sizeof(text));
	memcpy(text, "refuse=5%:while=", 16);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(plx_fault_set(r->dev_id, text, &err), -EINVAL);
	text[300] = '\0';
	assert_int_equal(plx_fault_set(r->dev_id, text, &err), -EINVAL);
	assert_non_null(strstr(err.text, "file name"));
	memcpy(text, "refuse=0.", 9);
	memset(text + 9, '1', 40);
	assert_int_equal(plx_fault_set(r->dev_id, text, &err), -EINVAL);
}

static void
devices_of_other_drivers_are_refused(void **state)
{
	struct plx_fault_stats stats = { .size = sizeof(stats) };
	const struct rig *r = *state;
	struct plx_err err = { "" };
	char text[64];
	int inner = rte_cryptodev_get_dev_id(RIG_NAME ".inner");

	assert_true(inner >= 0 && inner != r->dev_id);
	assert_int_equal(plx_fault_set((uint8_t)inner, "refuse=1%", &err), -ENODEV);
	assert_non_null(strstr(err.text, "is not a crypto_plx_fault device"));
	assert_int_equal(plx_fault_set(200, "refuse=1%", NULL), -ENODEV);
	assert_int_equal(plx_fault_get((uint8_t)inner, text, sizeof(text)), -ENODEV);
	assert_int_equal(plx_fault_stats((uint8_t)inner, &stats), -ENODEV);
	stats.size = 1;
	assert_int_equal(plx_fault_stats(r->dev_id, &stats), -EINVAL);
}

static void
every_fault_has_a_name(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < PLX_FAULT_NB; kind++)
		assert_true(strlen(plx_fault_name(kind)) > 3);
	assert_null(plx_fault_name(PLX_FAULT_NB));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(get_says_off_when_nothing_is_set, open_rig,
						close_rig),
		cmocka_unit_test_setup_teardown(every_form_reads_back, open_rig, close_rig),
		cmocka_unit_test_setup_teardown(set_leaves_alone_what_it_does_not_name, open_rig,
						close_rig),
		cmocka_unit_test_setup_teardown(bad_words_are_named_and_change_nothing, open_rig,
						close_rig),
		cmocka_unit_test_setup_teardown(overlong_words_are_refused, open_rig, close_rig),
		cmocka_unit_test_setup_teardown(devices_of_other_drivers_are_refused, open_rig,
						close_rig),
		cmocka_unit_test(every_fault_has_a_name),
	};

	return cmocka_run_group_tests_name("fault_spec", tests, rig_eal, NULL);
}
