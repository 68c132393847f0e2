/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "fault_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

/* Faults that show when completions are given back. */

static void
each_inner(void (*check)(struct rig *r), const char *args, uint32_t nb_desc)
{
	static struct rig r;

	for (size_t i = 0; i < PLX_ARRAY_SIZE(rig_inner); i++) {
		rig_open(&r, rig_inner[i], args, 1, nb_desc);
		check(&r);
		rig_close(&r);
	}
}

static void
check_corrupt(struct rig *r)
{
	uint32_t nb_bad = 0;

	assert_true(rig_run(r, 0, 0, RIG_OPS));
	for (uint32_t i = 0; i < RIG_OPS; i++) {
		enum rig_bytes bytes = rig_look(r, i);

		assert_int_equal(r->ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_true(bytes == RIG_RIGHT || bytes == RIG_ONE_BIT);
		nb_bad += bytes == RIG_ONE_BIT;
	}
	assert_int_equal(nb_bad, RIG_OPS / 10);
	assert_int_equal(rig_injected(r, PLX_FAULT_CORRUPT), nb_bad);
}

static void
corrupt_changes_one_bit_and_says_success(void **state)
{
	(void)state;
	each_inner(check_corrupt, "corrupt=1/10", 64);
}

static void
check_delay(struct rig *r)
{
	uint64_t begin = rig_now_us();
	int64_t order[8];

	/* the fourth is delayed, and those behind it wait for it */
	assert_int_equal(rig_put(r, 0, 0, 8), 8);
	assert_int_equal(rig_get_all(r, 0, 3, order), 3);
	assert_int_equal(order[2], 2);
	assert_int_equal(rig_get_all(r, 0, 1, order), 1);
	assert_true(rig_now_us() - begin >= 20000);
	assert_int_equal(rig_get_all(r, 0, 4, order + 1), 4);
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(order[i], i + 3);
		assert_int_equal(rig_look(r, i + 3), RIG_RIGHT);
	}
	assert_int_equal(rig_injected(r, PLX_FAULT_DELAY), 1);
}

static void
delay_holds_a_completion_for_its_time(void **state)
{
	(void)state;
	each_inner(check_delay, "delay=1/4:20ms:limit=1", 64);
}

static void
check_reorder(struct rig *r)
{
	int64_t order[RIG_OPS];
	uint32_t nb_late = 0;
	uint32_t sent = 0;
	uint32_t got = 0;

	while (got < RIG_OPS) {
		sent += rig_put(r, 0, sent, (uint16_t)RTE_MIN(RIG_OPS - sent, 64u));
		got += rig_get(r, 0, 32, order + got);
	}
	for (uint32_t i = 0; i < RIG_OPS; i++) {
		assert_int_equal(r->nb_back[i], 1);
		assert_int_equal(rig_look(r, i), RIG_RIGHT);
		nb_late += order[i] != (int64_t)i;
	}
	assert_true(rig_injected(r, PLX_FAULT_REORDER) > RIG_OPS / 10);
	assert_true(nb_late > RIG_OPS / 10);
}

static void
reorder_permutes_and_loses_nothing(void **state)
{
	(void)state;
	each_inner(check_reorder, "reorder=30%:8", 128);
}

static void
check_window(struct rig *r)
{
	int64_t order[32];

	assert_int_equal(rig_put(r, 0, 0, 32), 32);
	assert_int_equal(rig_get_all(r, 0, 32, order), 32);
	/* neighbours only: always swapping carries the first one to the end, the rest move up by
	 * one */
	for (uint32_t i = 0; i < 31; i++)
		assert_int_equal(order[i], i + 1);
	assert_int_equal(order[31], 0);
}

static void
reorder_stays_in_its_window(void **state)
{
	(void)state;
	each_inner(check_window, "reorder=always:2", 64);
}

static void
check_twice(struct rig *r)
{
	int64_t order[16];

	assert_int_equal(rig_put(r, 0, 0, 6), 6);
	assert_int_equal(rig_get_all(r, 0, 8, order), 8);
	assert_int_equal(order[2], 2);
	assert_int_equal(order[3], 2);
	assert_int_equal(order[6], 5);
	assert_int_equal(order[7], 5);
	assert_int_equal(r->nb_back[2], 2);
	assert_int_equal(r->nb_back[1], 1);
	assert_int_equal(rig_injected(r, PLX_FAULT_FOREIGN), 2);
}

static void
foreign_twice_gives_a_completion_again(void **state)
{
	(void)state;
	each_inner(check_twice, "foreign=1/3:twice", 64);
}

static void
check_unknown(struct rig *r)
{
	struct plx_fault_stats stats = { .size = sizeof(stats) };
	int64_t order[16];

	assert_int_equal(rig_put(r, 0, 0, 6), 6);
	assert_int_equal(rig_get_all(r, 0, 8, order), 8);
	assert_int_equal(order[3], -1);
	assert_int_equal(order[7], -1);
	assert_int_equal(r->nb_foreign, 2);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(r->nb_back[i], 1);
	assert_int_equal(plx_fault_stats(r->dev_id, &stats), 0);
	assert_int_equal(stats.nb_enqueued, 6);
	assert_int_equal(stats.nb_dequeued, 6);
	/* one at a time, the extra one comes at the next burst */
	rig_set(r, "foreign=always");
	assert_int_equal(rig_put(r, 0, 6, 2), 2);
	assert_int_equal(rig_get_all(r, 0, 1, order), 1);
	assert_int_equal(order[0], 6);
	assert_int_equal(rig_get(r, 0, 1, order), 1);
	assert_int_equal(order[0], -1);
	assert_int_equal(rig_get_all(r, 0, 2, order), 2);
	assert_int_equal(order[0], 7);
	assert_int_equal(order[1], -1);
}

static void
foreign_unknown_gives_what_nobody_enqueued(void **state)
{
	(void)state;
	each_inner(check_unknown, "foreign=1/3", 64);
}

static void
check_mixture(struct rig *r)
{
	struct plx_fault_stats stats = { .size = sizeof(stats) };
	uint32_t nb_failed = 0;

	for (int round = 0; round < 20; round++) {
		rig_reset_all(r);
		assert_true(rig_run(r, 0, 0, RIG_OPS));
		for (uint32_t i = 0; i < RIG_OPS; i++) {
			bool is_failed = r->ops[i]->status == RTE_CRYPTO_OP_STATUS_ERROR;

			assert_int_equal(r->nb_back[i], 1);
			assert_int_equal(rig_look(r, i), is_failed ? RIG_UNTOUCHED : RIG_RIGHT);
			assert_ptr_equal(r->ops[i]->sym->session, r->session);
			nb_failed += is_failed;
		}
	}
	assert_int_equal(plx_fault_stats(r->dev_id, &stats), 0);
	assert_int_equal(stats.nb_injected[PLX_FAULT_FAIL], nb_failed);
	assert_int_equal(stats.nb_enqueued, 20 * RIG_OPS);
	assert_int_equal(stats.nb_dequeued, 20 * RIG_OPS);
	assert_int_equal(stats.nb_unexpected, 0);
	assert_true(stats.nb_injected[PLX_FAULT_REFUSE] > 0);
	assert_true(stats.nb_injected[PLX_FAULT_STALL] > 0);
	assert_true(stats.nb_injected[PLX_FAULT_DELAY] > 0);
	assert_true(stats.nb_injected[PLX_FAULT_REORDER] > 0);
}

static void
every_operation_comes_back_once_whatever_happens(void **state)
{
	(void)state;
	each_inner(check_mixture, "refuse=5%,fail=1%,delay=1%:20us,reorder=10%,stall=1/5000:200us",
		   128);
}

static void
check_while(struct rig *r)
{
	char file[64];
	char spec[128];
	FILE *f;

	snprintf(file, sizeof(file), "plx_fault_trigger_%d", (int)getpid());
	snprintf(spec, sizeof(spec), "fail=always:while=%s", file);
	unlink(file);
	rig_set(r, spec);
	assert_true(rig_run(r, 0, 0, 100));
	assert_int_equal(rig_injected(r, PLX_FAULT_FAIL), 0);
	f = fopen(file, "w");
	assert_non_null(f);
	fclose(f);
	usleep(2000);
	assert_true(rig_run(r, 0, 100, 100));
	unlink(file);
	assert_int_equal(rig_injected(r, PLX_FAULT_FAIL), 100);
	usleep(2000);
	assert_true(rig_run(r, 0, 200, 100));
	assert_int_equal(rig_injected(r, PLX_FAULT_FAIL), 100);
}

static void
while_asks_for_the_file(void **state)
{
	(void)state;
	each_inner(check_while, "", 64);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(corrupt_changes_one_bit_and_says_success),
		cmocka_unit_test(delay_holds_a_completion_for_its_time),
		cmocka_unit_test(reorder_permutes_and_loses_nothing),
		cmocka_unit_test(reorder_stays_in_its_window),
		cmocka_unit_test(foreign_twice_gives_a_completion_again),
		cmocka_unit_test(foreign_unknown_gives_what_nobody_enqueued),
		cmocka_unit_test(every_operation_comes_back_once_whatever_happens),
		cmocka_unit_test(while_asks_for_the_file),
	};

	return cmocka_run_group_tests_name("fault_complete", tests, rig_eal, NULL);
}
