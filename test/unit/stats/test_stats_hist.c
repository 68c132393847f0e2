/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plx_hist.h"

#define NB_SAMPLES 19997               /* no multiple of 1000: ranks have to be rounded */
#define RANGE_END  (UINT64_C(1) << 45) /* the first value past the slots of its own */

static struct plx_hist *
hist_new(void)
{
	struct plx_hist *h = calloc(1, sizeof(*h));

	assert_non_null(h);
	return h;
}

static uint64_t
random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void
slots_cover_all_values_without_gap(void **state)
{
	(void)state;
	assert_true(plx_hist_slot_lower(0) == 0);
	for (uint32_t slot = 0; slot < PLX_HIST_SLOTS; slot++) {
		uint64_t lower = plx_hist_slot_lower(slot), upper = plx_hist_slot_upper(slot);

		assert_true(lower <= upper);
		assert_int_equal(plx_hist_slot(lower), slot);
		assert_int_equal(plx_hist_slot(upper), slot);
		if (slot + 1 < PLX_HIST_SLOTS) {
			assert_true(plx_hist_slot_lower(slot + 1) == upper + 1);
			/* the promise of the header: at most 1/32 above */
			assert_true(upper - lower <= lower / PLX_HIST_SUB);
		}
	}
	assert_int_equal(plx_hist_slot(RANGE_END - 1), PLX_HIST_SLOTS - 1);
	assert_int_equal(plx_hist_slot(RANGE_END), PLX_HIST_SLOTS - 1);
	assert_int_equal(plx_hist_slot(UINT64_MAX), PLX_HIST_SLOTS - 1);
	assert_true(plx_hist_slot_upper(PLX_HIST_SLOTS - 1) == UINT64_MAX);
}

static int
compare_u64(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x < y ? -1 : x > y;
}

/* Shapes of latency: even, a few octaves wide, a long tail, all one value. */
static uint64_t
sample_of(int shape, uint64_t *seed)
{
	uint64_t r = random_next(seed);

	switch (shape) {
	case 0:
		return r % 1000000;
	case 1:
		return r >> (20 + random_next(seed) % 44);
	case 2:
		return 2000 + r % 100 + (r % 1000 == 0 ? r >> 30 : 0);
	case 3:
		return r % 40;
	default:
		return 123456789;
	}
}

/* The record of the same rank in the sorted list: the histogram may be above it by 1/32, never
 * below. */
static void
quantiles_are_within_a_32nd_of_an_exact_sort(void **state)
{
	static const uint32_t per_milles[] = { 0, 1, 10, 500, 900, 990, 999, 1000 };
	uint64_t *sorted = calloc(NB_SAMPLES, sizeof(*sorted));
	uint64_t seed = 88172645463325252;

	(void)state;
	assert_non_null(sorted);
	for (int shape = 0; shape < 5; shape++) {
		struct plx_hist *h = hist_new();

		for (size_t i = 0; i < NB_SAMPLES; i++) {
			sorted[i] = sample_of(shape, &seed);
			plx_hist_record(h, sorted[i], 1);
		}
		qsort(sorted, NB_SAMPLES, sizeof(*sorted), compare_u64);
		for (size_t k = 0; k < PLX_ARRAY_SIZE(per_milles); k++) {
			uint64_t rank = ((uint64_t)NB_SAMPLES * per_milles[k] + 999) / 1000;
			uint64_t exact = sorted[rank == 0 ? 0 : rank - 1];
			uint64_t told = plx_hist_quantile(h, per_milles[k]);

			assert_true(told >= exact);
			assert_true(told - exact <= exact / PLX_HIST_SUB);
		}
		/* the largest is exact */
		assert_true(plx_hist_quantile(h, 1000) == sorted[NB_SAMPLES - 1]);
		free(h);
	}
	free(sorted);
}

static void
a_summary_agrees_with_the_quantiles(void **state)
{
	struct plx_hist *h = hist_new();
	struct plx_hist_summary sum;
	uint64_t seed = 42;

	(void)state;
	for (size_t i = 0; i < NB_SAMPLES; i++)
		plx_hist_record(h, sample_of(1, &seed), 1);
	plx_hist_record(h, 7, 3);
	plx_hist_summarize(h, &sum);
	assert_true(sum.count == NB_SAMPLES + 3);
	assert_true(sum.p50 == plx_hist_quantile(h, 500));
	assert_true(sum.p90 == plx_hist_quantile(h, 900));
	assert_true(sum.p99 == plx_hist_quantile(h, 990));
	assert_true(sum.p999 == plx_hist_quantile(h, 999));
	assert_true(sum.max == h->max);
	assert_true(sum.min <= 7);
	free(h);
}

static void
nothing_recorded_is_all_zero(void **state)
{
	static const struct plx_hist_summary zero;
	struct plx_hist *h = hist_new();
	struct plx_hist_summary sum;

	(void)state;
	memset(&sum, 0xff, sizeof(sum));
	plx_hist_summarize(h, &sum);
	assert_memory_equal(&sum, &zero, sizeof(sum));
	assert_true(plx_hist_quantile(h, 500) == 0);
	free(h);
}

static void
one_record_is_told_exactly(void **state)
{
	static const uint64_t values[] = { 0,         1,         31,        32,
					   33,        1000,      123456789, RANGE_END - 1,
					   RANGE_END, UINT64_MAX };

	(void)state;
	for (size_t i = 0; i < PLX_ARRAY_SIZE(values); i++) {
		struct plx_hist *h = hist_new();
		struct plx_hist_summary sum;

		plx_hist_record(h, values[i], 1);
		plx_hist_summarize(h, &sum);
		assert_true(sum.count == 1);
		assert_true(sum.p50 == values[i]);
		assert_true(sum.p50 == sum.max && sum.p999 == sum.max);
		assert_true(sum.min <= values[i]);
		free(h);
	}
}

static void
times_counts_a_whole_batch(void **state)
{
	struct plx_hist *a = hist_new(), *b = hist_new();

	(void)state;
	plx_hist_record(a, 5000, 32);
	for (int i = 0; i < 32; i++)
		plx_hist_record(b, 5000, 1);
	assert_memory_equal(a, b, sizeof(*a));
	free(a);
	free(b);
}

static void
huge_counts_do_not_overflow_the_rank(void **state)
{
	struct plx_hist *h = hist_new();

	(void)state;
	plx_hist_record(h, 10, UINT64_C(1) << 62);
	plx_hist_record(h, 20, UINT64_C(1) << 62);
	assert_true(plx_hist_quantile(h, 500) == 10);
	assert_true(plx_hist_quantile(h, 501) == 20);
	assert_true(plx_hist_quantile(h, 5000) == 20);
	free(h);
}

static void
adding_is_the_same_as_recording_both(void **state)
{
	struct plx_hist *a = hist_new(), *b = hist_new(), *both = hist_new();
	uint64_t seed = 7;

	(void)state;
	for (size_t i = 0; i < 1000; i++) {
		uint64_t value = sample_of(1, &seed);

		plx_hist_record(i % 3 == 0 ? a : b, value, 1);
		plx_hist_record(both, value, 1);
	}
	plx_hist_add(a, b);
	assert_memory_equal(a, both, sizeof(*a));
	free(a);
	free(b);
	free(both);
}

static void
subtracting_leaves_what_came_since(void **state)
{
	struct plx_hist *now = hist_new(), *then = hist_new();
	struct plx_hist_summary sum;

	(void)state;
	plx_hist_record(now, 1000000, 5);
	plx_hist_add(then, now);
	plx_hist_record(now, 100, 2);
	plx_hist_subtract(now, then);
	plx_hist_summarize(now, &sum);
	assert_true(sum.count == 2);
	assert_true(sum.p50 >= 100 && sum.p50 <= 103);
	/* the old maximum is not reported for what came since, nor kept */
	assert_true(sum.max >= 100 && sum.max <= 103);
	assert_true(now->max >= 100 && now->max <= 103);
	free(now);
	free(then);
}

static void
a_new_largest_value_stays_exact_after_subtracting(void **state)
{
	struct plx_hist *now = hist_new(), *then = hist_new();
	struct plx_hist_summary sum;

	(void)state;
	plx_hist_record(now, 100, 5);
	plx_hist_add(then, now);
	plx_hist_record(now, 1000003, 1);
	plx_hist_subtract(now, then);
	plx_hist_summarize(now, &sum);
	assert_true(sum.count == 1);
	assert_true(sum.max == 1000003);
	free(now);
	free(then);
}

static void
subtracting_more_than_there_is_ends_at_zero(void **state)
{
	struct plx_hist *now = hist_new(), *then = hist_new();
	struct plx_hist_summary sum;

	(void)state;
	plx_hist_record(now, 100, 1);
	plx_hist_record(then, 100, 9);
	plx_hist_subtract(now, then);
	plx_hist_summarize(now, &sum);
	assert_true(sum.count == 0 && sum.max == 0);
	free(now);
	free(then);
}

static void
reset_empties_it(void **state)
{
	struct plx_hist *h = hist_new(), *fresh = hist_new();

	(void)state;
	plx_hist_record(h, 0, 1);
	plx_hist_record(h, UINT64_MAX, 1);
	plx_hist_reset(h);
	assert_memory_equal(h, fresh, sizeof(*h));
	free(h);
	free(fresh);
}

struct race {
	struct plx_hist hist;
	atomic_bool is_over;
};

static void *
race_write(void *arg)
{
	struct race *race = arg;
	uint64_t seed = 3;

	for (int i = 0; i < 300000; i++)
		plx_hist_record(&race->hist, 100 + random_next(&seed) % 900, 1);
	atomic_store(&race->is_over, true);
	return NULL;
}

/* Meant for a run under the thread sanitizer; the figures must be sane all the while. */
static void
a_reader_beside_the_writer_sees_sane_figures(void **state)
{
	struct race *race = calloc(1, sizeof(*race));
	struct plx_hist *copy = hist_new();
	struct plx_hist_summary sum;
	uint64_t last_count = 0;
	pthread_t writer;

	(void)state;
	assert_non_null(race);
	assert_int_equal(pthread_create(&writer, NULL, race_write, race), 0);
	while (!atomic_load(&race->is_over)) {
		plx_hist_summarize(&race->hist, &sum);
		assert_true(sum.count >= last_count);
		last_count = sum.count;
		if (sum.count == 0)
			continue;
		assert_true(sum.min >= 96 && sum.max <= 1023);
		assert_true(sum.min <= sum.p50 && sum.p50 <= sum.p90 && sum.p90 <= sum.p99);
		assert_true(sum.p99 <= sum.p999 && sum.p999 <= sum.max);
		plx_hist_reset(copy);
		plx_hist_add(copy, &race->hist);
		assert_true(plx_hist_quantile(copy, 1000) <= 1023);
	}
	pthread_join(writer, NULL);
	plx_hist_summarize(&race->hist, &sum);
	assert_true(sum.count == 300000);
	assert_true(sum.max == 999);
	free(copy);
	free(race);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_cover_all_values_without_gap),
		cmocka_unit_test(quantiles_are_within_a_32nd_of_an_exact_sort),
		cmocka_unit_test(a_summary_agrees_with_the_quantiles),
		cmocka_unit_test(nothing_recorded_is_all_zero),
		cmocka_unit_test(one_record_is_told_exactly),
		cmocka_unit_test(times_counts_a_whole_batch),
		cmocka_unit_test(huge_counts_do_not_overflow_the_rank),
		cmocka_unit_test(adding_is_the_same_as_recording_both),
		cmocka_unit_test(subtracting_leaves_what_came_since),
		cmocka_unit_test(a_new_largest_value_stays_exact_after_subtracting),
		cmocka_unit_test(subtracting_more_than_there_is_ends_at_zero),
		cmocka_unit_test(reset_empties_it),
		cmocka_unit_test(a_reader_beside_the_writer_sees_sane_figures),
	};

	return cmocka_run_group_tests_name("stats_hist", tests, NULL, NULL);
}
