/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "plx_err.h"

static void
set_writes_the_sentence_and_returns_the_code(void **state)
{
	struct plx_err err;

	(void)state;
	assert_int_equal(plx_err_set(&err, -ERANGE, "burst %d: 1 to %d", 99, 64), -ERANGE);
	assert_string_equal(err.text, "burst 99: 1 to 64");
}

static void
nobody_who_wants_a_sentence_is_fine(void **state)
{
	(void)state;
	assert_int_equal(plx_err_set(NULL, -ENOMEM, "x"), -ENOMEM);
	plx_err_prefix(NULL, "x");
}

static void
prefix_puts_the_place_before_it(void **state)
{
	struct plx_err err;

	(void)state;
	assert_int_equal(plx_err_set(&err, -EINVAL, "no such key"), -EINVAL);
	plx_err_prefix(&err, "%s:%d", "pollux.conf", 12);
	assert_string_equal(err.text, "pollux.conf:12: no such key");
}

static void
the_old_sentence_may_be_part_of_the_new(void **state)
{
	struct plx_err err;

	(void)state;
	assert_int_equal(plx_err_set(&err, -EIO, "refused"), -EIO);
	assert_int_equal(plx_err_set(&err, -EIO, "device 0: %s", err.text), -EIO);
	assert_string_equal(err.text, "device 0: refused");
	plx_err_prefix(&err, "%s again", err.text);
	assert_string_equal(err.text, "device 0: refused again: device 0: refused");
}

static void
long_sentences_are_cut_and_terminated(void **state)
{
	char huge[2 * PLX_ERR_TEXT_MAX];
	struct plx_err err;

	(void)state;
	memset(huge, 'x', sizeof(huge) - 1);
	huge[sizeof(huge) - 1] = '\0';

	assert_int_equal(plx_err_set(&err, -EIO, "%s", huge), -EIO);
	assert_int_equal(strlen(err.text), PLX_ERR_TEXT_MAX - 1);
	plx_err_prefix(&err, "place");
	assert_int_equal(strlen(err.text), PLX_ERR_TEXT_MAX - 1);
	assert_memory_equal(err.text, "place: xxx", 10);
	plx_err_prefix(&err, "%s", huge);
	assert_int_equal(strlen(err.text), PLX_ERR_TEXT_MAX - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(set_writes_the_sentence_and_returns_the_code),
		cmocka_unit_test(nobody_who_wants_a_sentence_is_fine),
		cmocka_unit_test(prefix_puts_the_place_before_it),
		cmocka_unit_test(the_old_sentence_may_be_part_of_the_new),
		cmocka_unit_test(long_sentences_are_cut_and_terminated),
	};

	return cmocka_run_group_tests_name("base_err", tests, NULL, NULL);
}
