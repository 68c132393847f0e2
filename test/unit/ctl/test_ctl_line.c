/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ctl_fixture.h"

/* A line as words: blanks, quotes, backslashes, comments, pairs, and what is refused. */

/* The words joined by '|'; a pair is marked with a leading '@'. */
static void
expect_words(const char *line, const char *words)
{
	struct plx_err err = { { 0 } };
	struct ctl_words got;
	char joined[512] = "";
	size_t used = 0;

	if (ctl_line_split(line, false, &got, &err) != 0)
		fail_msg("%s: %s", line, err.text);
	for (int i = 0; i < got.nb; i++)
		used += (size_t)snprintf(joined + used, sizeof(joined) - used, "%s%s%s",
					 i > 0 ? "|" : "", got.is_pair[i] ? "@" : "", got.word[i]);
	assert_string_equal(joined, words);
}

static void
expect_refused(const char *line, const char *words)
{
	struct plx_err err = { { 0 } };
	struct ctl_words got;

	assert_int_equal(ctl_line_split(line, false, &got, &err), -EINVAL);
	if (strstr(err.text, words) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", words, err.text);
}

static void
blanks_part_words(void **state)
{
	(void)state;
	expect_words("show engines", "show|engines");
	expect_words("  show \t engines  \r\n", "show|engines");
	expect_words("", "");
	expect_words("   ", "");
}

static void
a_hash_begins_a_comment_at_the_start_of_a_word(void **state)
{
	(void)state;
	expect_words("# all", "");
	expect_words("show # engines", "show");
	expect_words("a#b '#c' \\#d", "a#b|#c|#d");
}

static void
quotes_and_backslashes_are_a_shells(void **state)
{
	(void)state;
	expect_words("a 'b c' \"d e\" f\\ g", "a|b c|d e|f g");
	expect_words("'' \"\" x''y", "||xy");
	expect_words("'a\\b\"' \"a'b\\\"c\\\\d\\e\"", "a\\b\"|a'b\"c\\d\\e");
	expect_words("\\\\ \\' \\\"", "\\|'|\"");
}

static void
pairs_are_unquoted_keys_with_a_value(void **state)
{
	(void)state;
	expect_words("key=value k-1_x=\"a b\" key=", "@key=value|@k-1_x=a b|@key=");
	expect_words("a=b=c", "@a=b=c");
	expect_words("'key'=v k\\ey=v \"key=v\" key\\=v", "key=v|key=v|key=v|key=v");
	expect_words("''key=v k\"e\"y=v key''=v", "key=v|key=v|key=v");
	expect_words("=v 1k=v K=v ./a=b engine.burst=3 -k=v",
		     "=v|1k=v|K=v|./a=b|engine.burst=3|-k=v");
}

static void
what_is_not_closed_is_refused(void **state)
{
	(void)state;
	expect_refused("show 'engines", "a ' quote is not closed");
	expect_refused("show \"engines", "a \" quote is not closed");
	expect_refused("show \"engines\\\"", "a \" quote is not closed");
	expect_refused("show engines\\", "nothing stands behind");
}

static void
bytes_that_are_no_text_are_refused(void **state)
{
	(void)state;
	expect_refused("show \033[2J", "no text");
	expect_refused("show \xff", "no text");
	expect_refused("show\nengines", "no text");
	expect_refused("show \xe2\x80\x8b", "no text");
	expect_words("show \xc3\xa4", "show|\xc3\xa4");
}

static void
the_longest_line_is_taken_and_a_longer_one_refused(void **state)
{
	char line[PLX_CTL_LINE_MAX + 2];
	struct ctl_words got;

	(void)state;
	memset(line, 'x', sizeof(line));
	line[PLX_CTL_LINE_MAX] = '\0';
	assert_int_equal(ctl_line_split(line, false, &got, NULL), 0);
	assert_int_equal(strlen(got.word[0]), PLX_CTL_LINE_MAX);
	line[PLX_CTL_LINE_MAX] = 'x';
	line[PLX_CTL_LINE_MAX + 1] = '\0';
	expect_refused(line, "longer than 4096 bytes");
}

static void
there_is_an_end_to_the_number_of_words(void **state)
{
	char line[PLX_CTL_LINE_MAX + 1];
	struct ctl_words got;

	(void)state;
	memset(line, 0, sizeof(line));
	for (int i = 0; i < CTL_WORDS_MAX; i++)
		fx_put(line + 2 * i, "x ");
	assert_int_equal(ctl_line_split(line, false, &got, NULL), 0);
	assert_int_equal(got.nb, CTL_WORDS_MAX);
	fx_put(line + 2 * CTL_WORDS_MAX, "y");
	expect_refused(line, "more than 40 words");
}

/* Single letters and blanks: the most words and zero bytes a line can make. */
static void
the_fullest_line_fits(void **state)
{
	char line[PLX_CTL_LINE_MAX + 1];
	struct ctl_words got;

	(void)state;
	memset(line, 'x', sizeof(line));
	for (int i = 1; i < CTL_WORDS_MAX; i++)
		line[2 * i - 1] = ' ';
	line[PLX_CTL_LINE_MAX] = '\0';
	assert_int_equal(ctl_line_split(line, false, &got, NULL), 0);
	assert_int_equal(got.nb, CTL_WORDS_MAX);
}

static void
a_line_being_typed_may_be_open(void **state)
{
	struct ctl_words got;

	(void)state;
	assert_int_equal(ctl_line_split("show 'en g", true, &got, NULL), 0);
	assert_int_equal(got.nb, 2);
	assert_string_equal(got.word[1], "en g");
	assert_true(got.is_open);
	assert_int_equal(got.last_start, 5);
	assert_int_equal(ctl_line_split("show ", true, &got, NULL), 0);
	assert_false(got.is_open);
	assert_int_equal(ctl_line_split("show\\", true, &got, NULL), 0);
	assert_true(got.is_open);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blanks_part_words),
		cmocka_unit_test(a_hash_begins_a_comment_at_the_start_of_a_word),
		cmocka_unit_test(quotes_and_backslashes_are_a_shells),
		cmocka_unit_test(pairs_are_unquoted_keys_with_a_value),
		cmocka_unit_test(what_is_not_closed_is_refused),
		cmocka_unit_test(bytes_that_are_no_text_are_refused),
		cmocka_unit_test(the_longest_line_is_taken_and_a_longer_one_refused),
		cmocka_unit_test(there_is_an_end_to_the_number_of_words),
		cmocka_unit_test(the_fullest_line_fits),
		cmocka_unit_test(a_line_being_typed_may_be_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
