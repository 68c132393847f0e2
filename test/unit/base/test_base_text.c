/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What is text, what a terminal is shown of the rest, and how near words are. */

static void
well_formed_utf8_is_shown(void **state)
{
	(void)state;
	assert_int_equal(plx_text_char("a", 1), 1);
	assert_int_equal(plx_text_char("~", 1), 1);
	assert_int_equal(plx_text_char("\xc3\xa4", 2), 2);
	assert_int_equal(plx_text_char("\xe2\x82\xac", 3), 3);
	assert_int_equal(plx_text_char("\xf0\x9f\x94\x91 key", 8), 4);
}

static void
control_characters_are_not_shown(void **state)
{
	static const char override[] = { '\xe2', '\x80', '\xae' }; /* right to left */
	char c;

	(void)state;
	for (c = 0; c < 0x20; c++)
		assert_int_equal(plx_text_char(&c, 1), 0);
	assert_int_equal(plx_text_char("\x7f", 1), 0);
	assert_int_equal(plx_text_char("\xc2\x9b", 2), 0); /* C1: CSI */
	assert_int_equal(plx_text_char(override, 3), 0);
	assert_int_equal(plx_text_char("\xe2\x80\x8b", 3), 0);     /* zero width space */
	assert_int_equal(plx_text_char("\xe2\x80\xa8", 3), 0);     /* line separator */
	assert_int_equal(plx_text_char("\xef\xbb\xbf", 3), 0);     /* byte order mark */
	assert_int_equal(plx_text_char("\xf3\xa0\x81\x81", 4), 0); /* tag */
}

static void
ill_formed_utf8_is_not_shown(void **state)
{
	(void)state;
	assert_int_equal(plx_text_char("", 0), 0);
	assert_int_equal(plx_text_char("\x80", 1), 0);
	assert_int_equal(plx_text_char("\xff", 1), 0);
	assert_int_equal(plx_text_char("\xc0\xaf", 2), 0);         /* overlong */
	assert_int_equal(plx_text_char("\xe0\x80\xaf", 3), 0);     /* overlong */
	assert_int_equal(plx_text_char("\xf0\x80\x80\xaf", 4), 0); /* overlong */
	assert_int_equal(plx_text_char("\xed\xa0\x80", 3), 0);     /* surrogate */
	assert_int_equal(plx_text_char("\xf4\x90\x80\x80", 4), 0); /* beyond U+10FFFF */
	assert_int_equal(plx_text_char("\xc3\xa4", 1), 0);         /* cut */
	assert_int_equal(plx_text_char("\xe2\x82", 2), 0);
	assert_int_equal(plx_text_char("\xc3\x28", 2), 0);
}

static void
plain_text_may_have_tabs_and_no_other_control(void **state)
{
	(void)state;
	assert_true(plx_text_is_plain("", 0));
	assert_true(plx_text_is_plain("a\tb\xc3\xa4", 5));
	assert_false(plx_text_is_plain("a\nb", 3));
	assert_false(plx_text_is_plain("a\0b", 3));
	assert_false(plx_text_is_plain("a\xc3", 2));
}

static void
show_escapes_and_cuts_at_whole_pieces(void **state)
{
	char buf[12];

	(void)state;
	assert_string_equal(plx_text_show("", buf, sizeof(buf)), "");
	assert_string_equal(plx_text_show("a\033b\xff", buf, sizeof(buf)), "a\\x1bb\\xff");
	assert_string_equal(plx_text_show("12345678901", buf, sizeof(buf)), "12345678901");
	assert_string_equal(plx_text_show("123456789012", buf, sizeof(buf)), "12345678...");
	assert_string_equal(plx_text_show("1234567\xc3\xa4xxxxx", buf, sizeof(buf)), "1234567...");
	assert_string_equal(plx_text_show("\n\n\n", buf, sizeof(buf)), "\\x0a\\x0a...");
}

static void
show_never_writes_beyond_its_buffer(void **state)
{
	char buf[40], text[64];

	(void)state;
	for (size_t size = 8; size < 32; size++) {
		for (size_t len = 0; len < 40; len++) {
			for (size_t i = 0; i < len; i++)
				text[i] = i % 3 == 0 ? '\xff' : 'a';
			text[len] = '\0';
			memset(buf, '#', sizeof(buf));
			plx_text_show(text, buf, size);
			assert_true(strnlen(buf, size) < size);
			assert_int_equal(buf[size], '#');
		}
	}
}

static void
distance_counts_typing_errors(void **state)
{
	char longer[100];

	(void)state;
	assert_int_equal(plx_text_distance("burst", "burst"), 0);
	assert_int_equal(plx_text_distance("", "abc"), 3);
	assert_int_equal(plx_text_distance("burst", "brust"), 1);
	assert_int_equal(plx_text_distance("burst", "burs"), 1);
	assert_int_equal(plx_text_distance("burst", "bursts"), 1);
	assert_int_equal(plx_text_distance("burst", "bursd"), 1);
	assert_int_equal(plx_text_distance("kitten", "sitting"), 3);
	memset(longer, 'a', sizeof(longer));
	longer[99] = '\0';
	assert_int_equal(plx_text_distance(longer, longer), 63);
	longer[63] = '\0';
	assert_int_equal(plx_text_distance(longer, longer), 0);
}

static void
near_words_are_offered_and_others_not(void **state)
{
	(void)state;
	assert_true(plx_text_is_near("engin", "engines"));
	assert_true(plx_text_is_near("en", "engines"));
	assert_true(plx_text_is_near("shwo", "show"));
	assert_true(plx_text_is_near("algoritms", "algorithms"));
	assert_false(plx_text_is_near("x", "y"));
	assert_false(plx_text_is_near("", "show"));
	assert_false(plx_text_is_near("key", "job"));
	assert_false(plx_text_is_near("stop", "bench"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(well_formed_utf8_is_shown),
		cmocka_unit_test(control_characters_are_not_shown),
		cmocka_unit_test(ill_formed_utf8_is_not_shown),
		cmocka_unit_test(plain_text_may_have_tabs_and_no_other_control),
		cmocka_unit_test(show_escapes_and_cuts_at_whole_pieces),
		cmocka_unit_test(show_never_writes_beyond_its_buffer),
		cmocka_unit_test(distance_counts_typing_errors),
		cmocka_unit_test(near_words_are_offered_and_others_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
