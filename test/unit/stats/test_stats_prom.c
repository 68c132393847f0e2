/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plx_prom.h"

static struct plx_prom *
page_new(void)
{
	struct plx_prom *p = NULL;

	assert_int_equal(plx_prom_create(&p), 0);
	return p;
}

static void
expect_page(struct plx_prom *p, const char *expected)
{
	char *text = NULL;
	size_t len = 0;

	assert_int_equal(plx_prom_finish(p, &text, &len), 0);
	assert_string_equal(text, expected);
	assert_int_equal(strlen(text), len);
	free(text);
}

static void
expect_failure(struct plx_prom *p, int code)
{
	char *text = NULL;

	assert_int_equal(plx_prom_finish(p, &text, NULL), code);
	assert_null(text);
}

static void
an_empty_page_is_an_empty_text(void **state)
{
	(void)state;
	expect_page(page_new(), "");
	plx_prom_destroy(page_new());
	plx_prom_destroy(NULL);
}

static void
counters_and_gauges_are_written_with_help_and_type(void **state)
{
	const struct plx_prom_label labels[] = { { "engine", "e0" },
						 { "device", "crypto_openssl0" } };
	struct plx_prom *p = page_new();

	(void)state;
	plx_prom_family(p, "plx_ops_total", PLX_PROM_COUNTER, "Operations completed.");
	plx_prom_counter(p, labels, 2, 12345678901234567890u);
	plx_prom_counter(p, NULL, 0, 0);
	plx_prom_family(p, "plx_busy_ratio", PLX_PROM_GAUGE, "Busy polls.");
	plx_prom_gauge(p, labels, 1, 0.25);
	plx_prom_gauge(p, labels, 1, -3);
	plx_prom_gauge(p, labels, 1, 0.1);
	expect_page(p,
		    "# HELP plx_ops_total Operations completed.\n"
		    "# TYPE plx_ops_total counter\n"
		    "plx_ops_total{engine=\"e0\",device=\"crypto_openssl0\"} 12345678901234567890\n"
		    "plx_ops_total 0\n"
		    "# HELP plx_busy_ratio Busy polls.\n"
		    "# TYPE plx_busy_ratio gauge\n"
		    "plx_busy_ratio{engine=\"e0\"} 0.25\n"
		    "plx_busy_ratio{engine=\"e0\"} -3\n"
		    "plx_busy_ratio{engine=\"e0\"} 0.1\n");
}

static void
special_numbers_have_their_words(void **state)
{
	struct plx_prom *p = page_new();

	(void)state;
	plx_prom_family(p, "x", PLX_PROM_GAUGE, "");
	plx_prom_gauge(p, NULL, 0, (double)NAN);
	plx_prom_gauge(p, NULL, 0, (double)INFINITY);
	plx_prom_gauge(p, NULL, 0, -(double)INFINITY);
	plx_prom_gauge(p, NULL, 0, 1e300);
	plx_prom_gauge(p, NULL, 0, 1.0 / 3.0);
	expect_page(p, "# HELP x \n# TYPE x gauge\nx NaN\nx +Inf\nx -Inf\nx 1e+300\n"
		       "x 0.3333333333333333\n");
}

static void
labels_and_help_are_escaped(void **state)
{
	const struct plx_prom_label label = { "name", "a\\b\"c\nd" };
	struct plx_prom *p = page_new();

	(void)state;
	plx_prom_family(p, "x", PLX_PROM_GAUGE, "say \"hi\" \\ and\nagain");
	plx_prom_gauge(p, &label, 1, 1);
	expect_page(p, "# HELP x say \"hi\" \\\\ and\\nagain\n# TYPE x gauge\n"
		       "x{name=\"a\\\\b\\\"c\\nd\"} 1\n");
}

static void
a_label_cannot_pretend_to_be_a_family(void **state)
{
	const struct plx_prom_label label = { "name", "\n# TYPE y gauge\n" };
	struct plx_prom *p = page_new();

	(void)state;
	plx_prom_family(p, "x", PLX_PROM_GAUGE, "# TYPE y gauge");
	plx_prom_gauge(p, &label, 1, 1);
	plx_prom_family(p, "y", PLX_PROM_GAUGE, "why");
	expect_page(p, "# HELP x # TYPE y gauge\n# TYPE x gauge\n"
		       "x{name=\"\\n# TYPE y gauge\\n\"} 1\n"
		       "# HELP y why\n# TYPE y gauge\n");
}

static void
numbers_have_a_point_in_every_locale(void **state)
{
	static const char *const commas[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8" };
	struct plx_prom *p = page_new();

	(void)state;
	for (size_t i = 0; i < PLX_ARRAY_SIZE(commas); i++) {
		if (setlocale(LC_NUMERIC, commas[i]) != NULL)
			break;
	}
	plx_prom_family(p, "x", PLX_PROM_GAUGE, "h");
	plx_prom_gauge(p, NULL, 0, 0.5);
	setlocale(LC_NUMERIC, "C");
	expect_page(p, "# HELP x h\n# TYPE x gauge\nx 0.5\n");
}

static void
histograms_are_cumulative_and_end_in_inf(void **state)
{
	static const double bounds[] = { 1e-6, 1e-5, 0.001 };
	const struct plx_prom_label label = { "class", "high" };
	struct plx_hist *h = calloc(1, sizeof(*h));
	struct plx_prom *p = page_new();

	(void)state;
	assert_non_null(h);
	/* 1 GHz: a count is a nanosecond; values below 32 have slots of their own */
	plx_hist_record(h, 10, 4);
	plx_hist_record(h, 5000, 2);
	plx_hist_record(h, 2000000, 1);
	plx_prom_family(p, "lat_seconds", PLX_PROM_HISTOGRAM, "h");
	plx_prom_histogram(p, &label, 1, h, &(struct plx_prom_buckets){ 1000000000, bounds, 3 });
	expect_page(p, "# HELP lat_seconds h\n# TYPE lat_seconds histogram\n"
		       "lat_seconds_bucket{class=\"high\",le=\"1e-06\"} 4\n"
		       "lat_seconds_bucket{class=\"high\",le=\"1e-05\"} 6\n"
		       "lat_seconds_bucket{class=\"high\",le=\"0.001\"} 6\n"
		       "lat_seconds_bucket{class=\"high\",le=\"+Inf\"} 7\n"
		       "lat_seconds_sum{class=\"high\"} 0.0020253825\n"
		       "lat_seconds_count{class=\"high\"} 7\n");
	free(h);
}

static double
sample_read(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	assert_non_null(at);
	return strtod(at + strlen(name), NULL);
}

static void
sum_and_buckets_are_within_a_32nd_of_the_truth(void **state)
{
	static const double bounds[] = { 100e-6 };
	struct plx_hist *h = calloc(1, sizeof(*h));
	struct plx_prom *p = page_new();
	double sum = 0, under = 0, under_low = 0, told;
	char *text;

	(void)state;
	assert_non_null(h);
	for (uint64_t v = 1; v < 1000000; v += 97) {
		plx_hist_record(h, v, 1);
		sum += (double)v * 1e-9;
		under += v <= 100000;
		under_low += v <= 100000 - 100000 / 32;
	}
	plx_prom_family(p, "x", PLX_PROM_HISTOGRAM, "h");
	plx_prom_histogram(p, NULL, 0, h, &(struct plx_prom_buckets){ 1000000000, bounds, 1 });
	assert_int_equal(plx_prom_finish(p, &text, NULL), 0);
	told = sample_read(text, "x_sum ");
	assert_true(told > sum * 31 / 32 && told < sum * 33 / 32);
	told = sample_read(text, "x_bucket{le=\"0.0001\"} ");
	assert_true(told <= under && told >= under_low);
	free(text);
	free(h);
}

static void
values_past_the_last_slot_count_in_inf_only(void **state)
{
	static const double bounds[] = { 1.0 };
	struct plx_hist *h = calloc(1, sizeof(*h));
	struct plx_prom *p = page_new();
	char *text;

	(void)state;
	assert_non_null(h);
	plx_hist_record(h, UINT64_MAX, 3);
	plx_prom_family(p, "x", PLX_PROM_HISTOGRAM, "h");
	plx_prom_histogram(p, NULL, 0, h, &(struct plx_prom_buckets){ 1000000000, bounds, 1 });
	assert_int_equal(plx_prom_finish(p, &text, NULL), 0);
	assert_true(sample_read(text, "x_bucket{le=\"1\"} ") < 0.5);
	assert_true(sample_read(text, "x_bucket{le=\"+Inf\"} ") > 2.5);
	free(text);
	free(h);
}

static void
misuse_is_told_at_the_end(void **state)
{
	static const double rising[] = { 1.0, 2.0 }, falling[] = { 2.0, 1.0 };
	const struct plx_prom_label bad_label = { "a-b", "x" }, le = { "le", "x" },
				    colon = { "a:b", "x" };
	static struct plx_hist h;
	struct plx_prom *p;

	(void)state;
	p = page_new();
	plx_prom_counter(p, NULL, 0, 1); /* no family yet */
	expect_failure(p, -EINVAL);

	p = page_new();
	plx_prom_family(p, "1x", PLX_PROM_GAUGE, "h");
	expect_failure(p, -EINVAL);

	p = page_new();
	plx_prom_family(p, "", PLX_PROM_GAUGE, "h");
	expect_failure(p, -EINVAL);

	p = page_new();
	plx_prom_family(p, "x", PLX_PROM_GAUGE, "h");
	plx_prom_family(p, "x", PLX_PROM_GAUGE, "h");
	plx_prom_counter(p, &bad_label, 1, 1); /* the first failure is the one told */
	expect_failure(p, -EEXIST);

	p = page_new();
	plx_prom_family(p, "x", PLX_PROM_COUNTER, "h");
	plx_prom_counter(p, &bad_label, 1, 1);
	expect_failure(p, -EINVAL);

	p = page_new();
	plx_prom_family(p, "a:x", PLX_PROM_COUNTER, "h");
	plx_prom_counter(p, &colon, 1, 1);
	expect_failure(p, -EINVAL);

	p = page_new();
	plx_prom_family(p, "x", PLX_PROM_COUNTER, "h");
	plx_prom_gauge(p, NULL, 0, 1);
	expect_failure(p, -EINVAL);

	p = page_new();
	plx_prom_family(p, "x", PLX_PROM_HISTOGRAM, "h");
	plx_prom_histogram(p, NULL, 0, &h, &(struct plx_prom_buckets){ 1000, falling, 2 });
	expect_failure(p, -EINVAL);

	p = page_new();
	plx_prom_family(p, "x", PLX_PROM_HISTOGRAM, "h");
	plx_prom_histogram(p, NULL, 0, &h, &(struct plx_prom_buckets){ 0, rising, 2 });
	expect_failure(p, -EINVAL);

	p = page_new();
	plx_prom_family(p, "x", PLX_PROM_HISTOGRAM, "h");
	plx_prom_histogram(p, &le, 1, &h, &(struct plx_prom_buckets){ 1000, rising, 2 });
	expect_failure(p, -EINVAL);
}

static void
large_pages_grow(void **state)
{
	struct plx_prom *p = page_new();
	char value[300];
	char *text;
	size_t len;

	(void)state;
	memset(value, 'v', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	plx_prom_family(p, "x_total", PLX_PROM_COUNTER, "h");
	for (uint64_t i = 0; i < 1000; i++) {
		const struct plx_prom_label label = { "l", value };

		plx_prom_counter(p, &label, 1, i);
	}
	assert_int_equal(plx_prom_finish(p, &text, &len), 0);
	assert_true(len > 300 * 1000);
	assert_int_equal(strlen(text), len);
	assert_non_null(strstr(text, "\"} 999\n"));
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_page_is_an_empty_text),
		cmocka_unit_test(counters_and_gauges_are_written_with_help_and_type),
		cmocka_unit_test(special_numbers_have_their_words),
		cmocka_unit_test(labels_and_help_are_escaped),
		cmocka_unit_test(a_label_cannot_pretend_to_be_a_family),
		cmocka_unit_test(numbers_have_a_point_in_every_locale),
		cmocka_unit_test(histograms_are_cumulative_and_end_in_inf),
		cmocka_unit_test(sum_and_buckets_are_within_a_32nd_of_the_truth),
		cmocka_unit_test(values_past_the_last_slot_count_in_inf_only),
		cmocka_unit_test(misuse_is_told_at_the_end),
		cmocka_unit_test(large_pages_grow),
	};

	return cmocka_run_group_tests_name("stats_prom", tests, NULL, NULL);
}
