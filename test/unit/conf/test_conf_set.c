/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>

#include "conf_fixture.h"

/* One value by its dotted name: what is taken, what is refused with which sentence, and that a
 * refusal changes nothing. */

static int
with_conf(void **state)
{
	*state = fx_conf();
	return 0;
}

static int
drop_conf(void **state)
{
	plx_conf_destroy(*state);
	return 0;
}

static void
expect_set(struct plx_conf *conf, const char *name, const char *value, const char *shown)
{
	struct plx_err err = { { 0 } };

	if (plx_conf_set(conf, name, value, PLX_ORIGIN_COMMAND_LINE, &err) != 0)
		fail_msg("%s", err.text);
	assert_string_equal(fx_item(conf, name).value, shown);
	assert_string_equal(fx_item(conf, name).origin, "command line");
}

static void
expect_refused(struct plx_conf *conf, const char *name, const char *value, int code,
	       const char *sentence)
{
	struct plx_conf_item before = fx_item(conf, name), after;
	struct plx_err err = { { 0 } };

	assert_int_equal(plx_conf_set(conf, name, value, PLX_ORIGIN_COMMAND_LINE, &err), code);
	if (strstr(err.text, sentence) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", sentence, err.text);
	after = fx_item(conf, name);
	assert_string_equal(after.value, before.value);
	assert_string_equal(after.origin, before.origin);
}

static void
each_type_is_read_and_written_in_its_units(void **state)
{
	struct fx_engine *e = plx_conf_get(*state, "engine", NULL);

	expect_set(*state, "engine.shadow", "Yes", "on");
	assert_true(e->shadow);
	expect_set(*state, "engine.shadow", "0", "off");
	expect_set(*state, "engine.burst", "0x40", "64");
	assert_int_equal(e->burst, 64);
	expect_set(*state, "engine.batch-wait", "1s", "1s");
	assert_int_equal(e->wait_us, 1000000);
	expect_set(*state, "engine.batch-wait", "1500", "1500us");
	expect_set(*state, "engine.memory", "1GiB", "1g");
	assert_int_equal(e->memory, 1u << 30);
	expect_set(*state, "engine.memory", "5000", "5000");
	expect_set(*state, "engine.mode", "pipeline", "pipeline");
	assert_int_equal(e->mode, FX_PIPELINE);
	expect_set(*state, "engine.cpus", "0-3, 5", "0-3, 5");
	assert_string_equal(e->cpus, "0-3, 5");
	expect_set(*state, "engine.weight", "4294967295", "4294967295");
}

static void
the_ends_of_a_range_belong_to_it(void **state)
{
	char longest[42];

	expect_set(*state, "engine.burst", "1", "1");
	expect_set(*state, "engine.burst", "256", "256");
	expect_set(*state, "engine.memory", "4096", "4k");
	memset(longest, 'x', 40);
	longest[40] = '\0';
	expect_set(*state, "engine.cpus", longest, longest);
	memset(longest, 'y', 41);
	longest[41] = '\0';
	expect_refused(*state, "engine.cpus", longest, -EINVAL, "text of 0..40 bytes");
}

static void
values_out_of_range_are_refused_with_the_range(void **state)
{
	expect_refused(*state, "engine.burst", "0", -EINVAL, "give 1..256");
	expect_refused(*state, "engine.burst", "512", -EINVAL, "\"512\" is not taken");
	expect_refused(*state, "engine.burst", "33", -EINVAL, "a power of two");
	expect_refused(*state, "engine.burst", "", -EINVAL, "\"\" is not taken");
	expect_refused(*state, "engine.burst", "-1", -EINVAL, "give 1..256");
	expect_refused(*state, "engine.burst", "32 ", -EINVAL, "give 1..256");
	expect_refused(*state, "engine.burst", "4294967297", -EINVAL, "give 1..256");
	expect_refused(*state, "engine.batch-wait", "2s", -EINVAL, "0us..1s");
	expect_refused(*state, "engine.batch-wait", "50 us", -EINVAL, "0us..1s");
	expect_refused(*state, "engine.batch-wait", "1193h", -EINVAL, "0us..1s");
	expect_refused(*state, "engine.batch-wait", "1000001us", -EINVAL, "0us..1s");
	expect_refused(*state, "engine.weight", "4294967296", -EINVAL, "0..4294967295");
	expect_refused(*state, "engine.memory", "4095", -EINVAL, "4k..1024g");
	expect_refused(*state, "engine.memory", "1099511627777", -EINVAL, "4k..1024g");
	expect_refused(*state, "engine.memory", "99999999999g", -EINVAL, "4k..1024g");
	expect_refused(*state, "engine.mode", "auto", -EINVAL, "inline, pipeline");
	expect_refused(*state, "engine.shadow", "maybe", -EINVAL, "on, off");
	expect_refused(*state, "engine.cpus", "a\033[2Jb", -EINVAL, "a\\x1b[2Jb");
	expect_refused(*state, "engine.cpus", "\xff", -EINVAL, "\\xff");
}

static void
unknown_names_are_told_what_is_near(void **state)
{
	expect_refused(*state, "engine.brust", "1", -ENOENT, "did you mean burst?");
	expect_refused(*state, "engine.zzzzzzzz", "1", -ENOENT, "there are: shadow, burst");
	expect_refused(*state, "engin.burst", "1", -ENOENT, "did you mean engine?");
	expect_refused(*state, "zzz.burst", "1", -ENOENT, "there are: engine, container");
	expect_refused(*state, "burst", "1", -ENOENT, "SECTION.KEY");
	expect_refused(*state, "", "1", -ENOENT, "SECTION.KEY");
	expect_refused(*state, "engine.", "1", -ENOENT, "SECTION.KEY");
	expect_refused(*state, ".", "1", -ENOENT, "SECTION.KEY");
	expect_refused(*state, ".burst", "1", -ENOENT, "no section \"\"");
	expect_refused(*state, "engine.x.burst", "1", -ENOENT, "is there once and has no name");
	expect_refused(*state, "container.max-keys", "1", -ENOENT, "needs a name");
	expect_refused(*state, "en\033gine.burst", "1", -ENOENT, "en\\x1bgine");
}

static void
overlong_names_are_refused(void **state)
{
	char name[400];

	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	expect_refused(*state, name, "1", -ENOENT, "SECTION.KEY");
	memcpy(name + 300, ".burst", 7);
	expect_refused(*state, name, "1", -ENOENT, "SECTION.KEY");
	memcpy(name, "engine.", 7);
	expect_refused(*state, name, "1", -ENOENT, "SECTION.KEY");
	memcpy(name, "container.", 10);
	memcpy(name + 10 + PLX_CONF_NAME_MAX, ".max-keys", 10);
	expect_set(*state, name, "7", "7");
}

static void
set_takes_live_options_only(void **state)
{
	struct plx_err err = { { 0 } };

	assert_int_equal(plx_conf_set(*state, "engine.burst", "8", PLX_ORIGIN_SET, &err), 0);
	assert_string_equal(fx_item(*state, "engine.burst").origin, "set");
	assert_int_equal(plx_conf_set(*state, "engine.mode", "pipeline", PLX_ORIGIN_SET, &err),
			 -EPERM);
	assert_non_null(strstr(err.text, "engine.mode"));
	assert_string_equal(fx_item(*state, "engine.mode").value, "inline");
}

static void
the_command_line_makes_repeated_sections_and_set_does_not(void **state)
{
	const struct fx_container *c;
	struct plx_err err = { { 0 } };
	uint32_t pos = 0;

	assert_int_equal(plx_conf_set(*state, "container.web.max-keys", "5", PLX_ORIGIN_SET, &err),
			 -ENOENT);
	assert_non_null(strstr(err.text, "there is no [container web]"));
	expect_set(*state, "container.web.max-keys", "5", "5");
	expect_set(*state, "container.0000:3d:01.0.max-keys", "6", "6");
	c = plx_conf_get(*state, "container", "0000:3d:01.0");
	assert_non_null(c);
	assert_int_equal(c->max_keys, 6);
	assert_string_equal(fx_item(*state, "container.web.algorithms").origin, "default");
	assert_int_equal(plx_conf_set(*state, "container.web.max-keys", "9", PLX_ORIGIN_SET, &err),
			 0);
	assert_string_equal(plx_conf_next_name(*state, "container", &pos), "web");
	assert_string_equal(plx_conf_next_name(*state, "container", &pos), "0000:3d:01.0");
	assert_null(plx_conf_next_name(*state, "container", &pos));
	expect_refused(*state, "container.a b.max-keys", "5", -EINVAL,
		       "\"a b\" is no section name");
	expect_refused(*state, "container..max-keys", "5", -EINVAL, "no section name");
	expect_refused(*state, "container.new.max-keys", "0", -EINVAL, "1..1000");
	assert_null(plx_conf_get(*state, "container", "new"));
}

static void
pointers_stay_good_while_sections_are_added(void **state)
{
	struct fx_container *first;

	expect_set(*state, "container.first.max-keys", "5", "5");
	first = plx_conf_get(*state, "container", "first");
	for (int i = 0; i < 100; i++) {
		char name[64];

		snprintf(name, sizeof(name), "container.c%d.max-keys", i);
		expect_set(*state, name, "7", "7");
	}
	assert_ptr_equal(plx_conf_get(*state, "container", "first"), first);
	first->max_keys = 77;
	assert_string_equal(fx_item(*state, "container.first.max-keys").value, "77");
}

static void
there_is_an_end_to_the_number_of_sections(void **state)
{
	struct plx_err err = { { 0 } };
	char name[64];
	int i, ret = 0;

	for (i = 0; ret == 0 && i < 2000; i++) {
		snprintf(name, sizeof(name), "container.c%d.max-keys", i);
		ret = plx_conf_set(*state, name, "7", PLX_ORIGIN_COMMAND_LINE, &err);
	}
	assert_int_equal(ret, -EINVAL);
	assert_int_equal(i - 1, 1024);
	assert_non_null(strstr(err.text, "more than 1024 [container NAME]"));
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, with_conf, drop_conf)
	const struct CMUnitTest tests[] = {
		T(each_type_is_read_and_written_in_its_units),
		T(the_ends_of_a_range_belong_to_it),
		T(values_out_of_range_are_refused_with_the_range),
		T(unknown_names_are_told_what_is_near),
		T(overlong_names_are_refused),
		T(set_takes_live_options_only),
		T(the_command_line_makes_repeated_sections_and_set_does_not),
		T(pointers_stay_good_while_sections_are_added),
		T(there_is_an_end_to_the_number_of_sections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
