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

#include "plx_units.h"

typedef int (*parse_fn)(const char *text, uint64_t *out);

struct good {
	const char *text;
	uint64_t value;
};

static void
expect_good(parse_fn parse, const struct good *cases, size_t nb)
{
	for (size_t i = 0; i < nb; i++) {
		uint64_t value = 0xbad;

		print_message("reads '%s'\n", cases[i].text);
		assert_int_equal(parse(cases[i].text, &value), 0);
		assert_true(value == cases[i].value);
	}
}

static void
expect_bad(parse_fn parse, const char *const *texts, size_t nb, int code)
{
	for (size_t i = 0; i < nb; i++) {
		uint64_t value = 0xbad;

		print_message("refuses '%s'\n", texts[i] == NULL ? "(null)" : texts[i]);
		assert_int_equal(parse(texts[i], &value), code);
		assert_true(value == 0xbad);
	}
}

static void
whole_numbers_are_read(void **state)
{
	static const struct good cases[] = {
		{ "0", 0 },
		{ "007", 7 },
		{ "18446744073709551615", UINT64_MAX },
		{ "0x1f", 31 },
		{ "0XFFFFFFFFFFFFFFFF", UINT64_MAX },
	};

	(void)state;
	expect_good(plx_parse_u64, cases, PLX_ARRAY_SIZE(cases));
}

static void
what_is_no_whole_number_is_refused(void **state)
{
	static const char *const bad[] = { NULL,  "",    " 1",  "1 ", "-1",   "+1",  "1.5", "0x",
					   "0xg", "12k", "1e3", "k",  "0x-1", "1_0", "abc" };
	static const char *const big[] = { "18446744073709551616", "0x10000000000000000",
					   "99999999999999999999999999" };

	(void)state;
	expect_bad(plx_parse_u64, bad, PLX_ARRAY_SIZE(bad), -EINVAL);
	expect_bad(plx_parse_u64, big, PLX_ARRAY_SIZE(big), -ERANGE);
}

static void
sizes_are_read_with_each_suffix(void **state)
{
	static const struct good cases[] = {
		{ "1500", 1500 },
		{ "64k", 65536 },
		{ "64K", 65536 },
		{ "64kB", 65536 },
		{ "64KiB", 65536 },
		{ "0x10k", 16384 },
		{ "2m", 2097152 },
		{ "2MiB", 2097152 },
		{ "1g", UINT64_C(1) << 30 },
		{ "1GB", 1 << 30 },
		{ "17179869183g", UINT64_C(17179869183) << 30 },
		{ "512B", 512 },
	};

	(void)state;
	expect_good(plx_parse_size, cases, PLX_ARRAY_SIZE(cases));
}

static void
bad_sizes_are_refused(void **state)
{
	static const char *const bad[] = { "", "k", "64 k", "64kk", "64t", "-1k", "1.5m", "64us" };
	static const char *const big[] = { "17179869184g", "18446744073709551615k" };

	(void)state;
	expect_bad(plx_parse_size, bad, PLX_ARRAY_SIZE(bad), -EINVAL);
	expect_bad(plx_parse_size, big, PLX_ARRAY_SIZE(big), -ERANGE);
}

static void
durations_are_read_with_each_suffix(void **state)
{
	static const struct good cases[] = {
		{ "0", 0 },        { "50", 50 },        { "50us", 50 }, { "3ms", 3000 },
		{ "2s", 2000000 }, { "5m", 300000000 }, { "10US", 10 },
	};

	(void)state;
	expect_good(plx_parse_duration_us, cases, PLX_ARRAY_SIZE(cases));
}

static void
bad_durations_are_refused(void **state)
{
	static const char *const bad[] = { "", "us", "5 s", "5h", "1.5s", "-5s", "5ss" };
	static const char *const big[] = { "18446744073709551615ms", "307445734562m" };

	(void)state;
	expect_bad(plx_parse_duration_us, bad, PLX_ARRAY_SIZE(bad), -EINVAL);
	expect_bad(plx_parse_duration_us, big, PLX_ARRAY_SIZE(big), -ERANGE);
}

static void
what_is_written_is_read_back_exactly(void **state)
{
	static const uint64_t values[] = { 0,       1,        999,        1000,
					   1023,    1024,     1025,       65536,
					   1000000, 60000000, 90000000,   1 << 20,
					   3 << 20, 1 << 30,  UINT64_MAX, UINT64_MAX - 1023 };
	char text[24];
	uint64_t back;

	(void)state;
	for (size_t i = 0; i < PLX_ARRAY_SIZE(values); i++) {
		assert_ptr_equal(plx_format_size(values[i], text, sizeof(text)), text);
		assert_int_equal(plx_parse_size(text, &back), 0);
		assert_true(back == values[i]);
		assert_ptr_equal(plx_format_duration_us(values[i], text, sizeof(text)), text);
		assert_int_equal(plx_parse_duration_us(text, &back), 0);
		assert_true(back == values[i]);
	}
}

static void
the_largest_unit_that_fits_is_written(void **state)
{
	char text[24];

	(void)state;
	assert_string_equal(plx_format_size(65536, text, sizeof(text)), "64k");
	assert_string_equal(plx_format_size(3 << 20, text, sizeof(text)), "3m");
	assert_string_equal(plx_format_size(1500, text, sizeof(text)), "1500");
	assert_string_equal(plx_format_duration_us(50, text, sizeof(text)), "50us");
	assert_string_equal(plx_format_duration_us(1000000, text, sizeof(text)), "1s");
	assert_string_equal(plx_format_duration_us(1500, text, sizeof(text)), "1500us");
	assert_string_equal(plx_format_duration_us(120000000, text, sizeof(text)), "2m");
	assert_string_equal(plx_format_duration_us(0, text, sizeof(text)), "0us");
}

static void
hex_goes_both_ways(void **state)
{
	static const uint8_t bytes[] = { 0x00, 0x0f, 0xa5, 0xff };
	char text[2 * sizeof(bytes) + 1];
	uint8_t back[sizeof(bytes)];

	(void)state;
	plx_hex_encode(bytes, sizeof(bytes), text);
	assert_string_equal(text, "000fa5ff");
	assert_int_equal(plx_hex_decode("000FA5ff", back, sizeof(back)), 4);
	assert_memory_equal(back, bytes, sizeof(bytes));
	plx_hex_encode(bytes, 0, text);
	assert_string_equal(text, "");
	assert_int_equal(plx_hex_decode("", back, 0), 0);
}

static void
bad_hex_is_refused_and_writes_nothing(void **state)
{
	uint8_t bytes[3] = { 1, 2, 3 };

	(void)state;
	assert_int_equal(plx_hex_decode("abc", bytes, 2), -EINVAL);
	assert_int_equal(plx_hex_decode("ag", bytes, 2), -EINVAL);
	assert_int_equal(plx_hex_decode("ab cd", bytes, 2), -EINVAL);
	assert_int_equal(plx_hex_decode("0x12", bytes, 2), -EINVAL);
	assert_int_equal(plx_hex_decode("112233", bytes, 2), -ERANGE);
	assert_int_equal(bytes[0], 1);
	assert_int_equal(bytes[1], 2);
	assert_int_equal(bytes[2], 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers_are_read),
		cmocka_unit_test(what_is_no_whole_number_is_refused),
		cmocka_unit_test(sizes_are_read_with_each_suffix),
		cmocka_unit_test(bad_sizes_are_refused),
		cmocka_unit_test(durations_are_read_with_each_suffix),
		cmocka_unit_test(bad_durations_are_refused),
		cmocka_unit_test(what_is_written_is_read_back_exactly),
		cmocka_unit_test(the_largest_unit_that_fits_is_written),
		cmocka_unit_test(hex_goes_both_ways),
		cmocka_unit_test(bad_hex_is_refused_and_writes_nothing),
	};

	return cmocka_run_group_tests_name("base_units", tests, NULL, NULL);
}
