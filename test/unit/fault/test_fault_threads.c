/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "fault_rig.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>
#include <rte_lcore.h>

/* Two threads on a queue pair each, and a third that changes the faults. */

#define NB_THREADS 2
#define SHARE      (RIG_OPS / NB_THREADS)
#define ROUNDS     40

struct lane {
	struct rig *r;
	uint16_t qp;
	uint64_t nb_sent;
	uint64_t nb_failed;
	const char *trouble; /* the first thing that went wrong; asserts are for the main thread */
	_Atomic bool is_done;
};

static bool
lane_round(struct lane *lane)
{
	uint32_t first = lane->qp * SHARE;
	struct rig *r = lane->r;

	for (uint32_t i = first; i < first + SHARE; i++)
		rig_reset(r, i);
	if (!rig_run(r, lane->qp, first, SHARE)) {
		lane->trouble = "operations are missing";
		return false;
	}
	for (uint32_t i = first; i < first + SHARE; i++) {
		bool is_failed = r->ops[i]->status == RTE_CRYPTO_OP_STATUS_ERROR;

		if (r->nb_back[i] != 1)
			lane->trouble = "an operation came back more than once";
		if (rig_look(r, i) != (is_failed ? RIG_UNTOUCHED : RIG_RIGHT))
			lane->trouble = "wrong bytes";
		lane->nb_failed += is_failed;
	}
	lane->nb_sent += SHARE;
	return lane->trouble == NULL;
}

static void *
lane_main(void *arg)
{
	struct lane *lane = arg;

	if (rte_thread_register() < 0)
		lane->trouble = "the thread could not be registered";
	for (int round = 0; lane->trouble == NULL && round < ROUNDS; round++)
		lane_round(lane);
	rte_thread_unregister();
	lane->is_done = true;
	return NULL;
}

/* Faults that lose nothing, set again and again while traffic runs. */
static void
faults_change(struct rig *r, const struct lane *lanes)
{
	static const char *const specs[] = {
		"refuse=5%,fail=1%,delay=2%:10us,reorder=10%",
		"off",
		"refuse=1/3,stall=1/3000:100us",
		"fail=always",
		"refuse=off,fail=1/7:limit=50,delay=1/5:20us,reorder=always:16",
		"seed=5,fail=10%:while=/nowhere/at/all",
	};
	size_t k = 0;

	while (!lanes[0].is_done || !lanes[1].is_done) {
		rig_set(r, specs[k++ % PLX_ARRAY_SIZE(specs)]);
		usleep(300);
	}
}

static void
queue_pairs_are_independent_while_faults_change(void **state)
{
	static struct rig r;

	(void)state;
	for (size_t i = 0; i < PLX_ARRAY_SIZE(rig_inner); i++) {
		struct plx_fault_stats stats = { .size = sizeof(stats) };
		struct lane lanes[NB_THREADS] = { { .r = &r, .qp = 0 }, { .r = &r, .qp = 1 } };
		pthread_t threads[NB_THREADS];

		rig_open(&r, rig_inner[i], "", NB_THREADS, 128);
		for (int k = 0; k < NB_THREADS; k++)
			assert_int_equal(pthread_create(&threads[k], NULL, lane_main, &lanes[k]),
					 0);
		faults_change(&r, lanes);
		for (int k = 0; k < NB_THREADS; k++)
			assert_int_equal(pthread_join(threads[k], NULL), 0);
		for (int k = 0; k < NB_THREADS; k++) {
			if (lanes[k].trouble != NULL)
				fail_msg("queue pair %d: %s", k, lanes[k].trouble);
		}
		assert_int_equal(plx_fault_stats(r.dev_id, &stats), 0);
		assert_int_equal(stats.nb_enqueued, lanes[0].nb_sent + lanes[1].nb_sent);
		assert_int_equal(stats.nb_dequeued, stats.nb_enqueued);
		assert_int_equal(stats.nb_injected[PLX_FAULT_FAIL],
				 lanes[0].nb_failed + lanes[1].nb_failed);
		assert_int_equal(stats.nb_unexpected, 0);
		rig_close(&r);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queue_pairs_are_independent_while_faults_change),
	};

	return cmocka_run_group_tests_name("fault_threads", tests, rig_eal, NULL);
}
