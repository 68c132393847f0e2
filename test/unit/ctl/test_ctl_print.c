/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl_fixture.h"

/* Answers as tables, lines and JSON; and that nothing in them reaches a terminal as a command to
 * it. */

static char *
printed(json_t *answer, bool as_json)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	assert_int_equal(plx_ctl_print(f, answer, as_json), 0);
	assert_int_equal(fclose(f), 0);
	json_decref(answer);
	return text;
}

/* Takes the answer. */
static void
expect(json_t *answer, const char *text)
{
	char *got;

	assert_non_null(answer);
	got = printed(answer, false);
	assert_string_equal(got, text);
	free(got);
}

static json_t *
parse(const char *json)
{
	json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);

	assert_non_null(value);
	return value;
}

static void
an_array_of_objects_is_a_table(void **state)
{
	(void)state;
	expect(parse("[{\"name\":\"a\",\"ops\":5},{\"name\":\"long name\",\"ops\":12345}]"),
	       "name         ops\n"
	       "a              5\n"
	       "long name  12345\n");
}

static void
columns_come_as_they_are_first_seen(void **state)
{
	(void)state;
	expect(parse("[{\"b\":1},{\"a\":\"x\",\"b\":22},{\"c\":\"y\"}]"), " b  a  c\n"
									  " 1  -  -\n"
									  "22  x  -\n"
									  " -  -  y\n");
}

static void
a_column_with_text_in_it_is_to_the_left(void **state)
{
	(void)state;
	expect(parse("[{\"v\":1,\"w\":2},{\"v\":\"none\",\"w\":null}]"), "v     w\n"
									 "1     2\n"
									 "none  -\n");
}

static void
widths_are_characters_not_bytes(void **state)
{
	(void)state;
	expect(parse("[{\"n\":\"\\u00e4\\u00e4\",\"m\":1},{\"n\":\"abc\",\"m\":2}]"),
	       "n    m\n"
	       "\xc3\xa4\xc3\xa4   1\n"
	       "abc  2\n");
}

static void
values_have_one_form_each(void **state)
{
	(void)state;
	expect(parse("[{\"a\":true,\"b\":false,\"c\":null,\"d\":\"\",\"e\":[1,\"x\"],\"f\":[],"
		     "\"g\":{\"k\":[1]},\"h\":[[1]]}]"),
	       "a    b   c  d  e    f  g          h\n"
	       "yes  no  -  -  1,x  -  {\"k\":[1]}  [[1]]\n");
	expect(json_real(1.0), "1\n");
	expect(json_real(0.25), "0.25\n");
	expect(json_real(1234567.8912), "1234567.891\n");
	expect(json_real(-0.5), "-0.5\n");
	expect(json_real(1e300), "1e+300\n");
	expect(json_real(0.00001234), "1.23e-05\n");
	expect(json_real(0), "0\n");
	expect(json_integer(-9223372036854775807LL), "-9223372036854775807\n");
	expect(json_true(), "yes\n");
	expect(json_null(), "-\n");
}

static void
an_object_is_aligned_lines(void **state)
{
	(void)state;
	expect(parse("{\"mode\":\"auto\",\"engines\":2,\"list\":[1,2]}"), "mode:    auto\n"
									  "engines: 2\n"
									  "list:    1,2\n");
}

static void
objects_and_tables_inside_are_indented(void **state)
{
	(void)state;
	expect(parse("{\"a\":{\"b\":1,\"c\":{\"d\":2}},\"t\":[{\"x\":1},{\"x\":22}]}"), "a:\n"
											"  b: 1\n"
											"  c:\n"
											"    d: 2\n"
											"t:\n"
											"   x\n"
											"   1\n"
											"  22\n");
}

static void
deep_objects_end_as_json(void **state)
{
	char *text = printed(parse("{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}"), false);

	(void)state;
	assert_non_null(strstr(text, "        a: {\"a\":1}\n"));
	free(text);
}

static void
an_array_of_other_values_is_a_line_each(void **state)
{
	(void)state;
	expect(parse("[\"a\",2,[3,4],{\"k\":5}]"), "a\n2\n3,4\n{\"k\":5}\n");
	expect(parse("[]"), "none\n");
	expect(parse("[{}]"), "");
	expect(parse("{}"), "");
}

static void
a_string_is_itself_with_one_end(void **state)
{
	(void)state;
	expect(json_string("one\n\ttwo"), "one\n\ttwo\n");
	expect(json_string("ended\n"), "ended\n");
	expect(json_string(""), "\n");
}

static void
no_answer_is_nothing_as_text_and_null_as_json(void **state)
{
	char *text = printed(NULL, false);

	(void)state;
	assert_string_equal(text, "");
	free(text);
	text = printed(NULL, true);
	assert_string_equal(text, "null\n");
	free(text);
}

static void
json_is_one_ascii_line(void **state)
{
	char *text =
		printed(parse("{\"b\":[1,{\"a\":\"\\u00e4\\u001b\\u202e\\n\"}],\"a\":0.1}"), true);

	(void)state;
	assert_string_equal(text, "{\"b\":[1,{\"a\":\"\\u00E4\\u001B\\u202E\\n\"}],\"a\":0.1}\n");
	free(text);
}

static void
hostile_names_reach_no_terminal(void **state)
{
	static const char hostile[] = "\033[2J\033]0;x\007\r\b\x7f\xc2\x9b"
				      "31m\xe2\x80\x8b";
	json_t *values[] = {
		json_pack("[{s:s, s:[s], s:{s:s}}]", "k", hostile, "l", hostile, "m", "x", hostile),
		json_pack("{s:s, s:{s:s}, s:[s]}", "a", hostile, "b", hostile, hostile, "c",
			  hostile),
		json_pack("[s, [s], {s:s}]", hostile, hostile, hostile, hostile),
		json_string(hostile),
		json_pack("[{s:i}]", hostile, 1),
		json_pack("{s:i, s:[{s:i}]}", hostile, 1, "x", hostile, 2),
		json_pack("{s:s}", "a", "line\nfake: line"),
	};

	(void)state;
	for (size_t i = 0; i < PLX_ARRAY_SIZE(values); i++) {
		assert_non_null(values[i]);
		for (int as_json = 0; as_json < 2; as_json++) {
			char *text = printed(json_incref(values[i]), as_json != 0);

			for (const char *p = text; *p != '\0'; p++)
				assert_true((*p >= 0x20 && *p < 0x7f) || *p == '\n' ||
					    (as_json != 0 && *p == 0x7f));
			free(text);
		}
		json_decref(values[i]);
	}
	expect(json_pack("{s:s}", "a", "line\nfake: line"), "a: line\\x0afake: line\n");
}

static void
a_full_disk_is_told(void **state)
{
	json_t *answer = json_string("x");
	FILE *f = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(f);
	assert_int_equal(plx_ctl_print(f, answer, false), -EIO);
	assert_int_equal(plx_ctl_print(f, answer, true), -EIO);
	fclose(f);
	json_decref(answer);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_array_of_objects_is_a_table),
		cmocka_unit_test(columns_come_as_they_are_first_seen),
		cmocka_unit_test(a_column_with_text_in_it_is_to_the_left),
		cmocka_unit_test(widths_are_characters_not_bytes),
		cmocka_unit_test(values_have_one_form_each),
		cmocka_unit_test(an_object_is_aligned_lines),
		cmocka_unit_test(objects_and_tables_inside_are_indented),
		cmocka_unit_test(deep_objects_end_as_json),
		cmocka_unit_test(an_array_of_other_values_is_a_line_each),
		cmocka_unit_test(a_string_is_itself_with_one_end),
		cmocka_unit_test(no_answer_is_nothing_as_text_and_null_as_json),
		cmocka_unit_test(json_is_one_ascii_line),
		cmocka_unit_test(hostile_names_reach_no_terminal),
		cmocka_unit_test(a_full_disk_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
