/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <rte_bus_vdev.h>
#include <rte_cycles.h>

/* Changes while traffic runs: engines, modes, devices; and devices that are lost. */

#define FAULTY "[crypto_plx_fault,inner=crypto_openssl,inner_args=max_nb_queue_pairs=24]"

static void
set(const struct rig *r, const char *spec)
{
	struct plx_err err = { "" };

	if (plx_pollux_set(r->dev_id, spec, &err) < 0)
		fail_msg("%s: %s", spec, err.text);
}

static uint8_t
fault_id(void)
{
	int id = rte_cryptodev_get_dev_id(RIG_NAME ".0.inner");

	assert_true(id >= 0);
	return (uint8_t)id;
}

static void
fault(const char *spec)
{
	struct plx_err err = { "" };

	if (plx_fault_set(fault_id(), spec, &err) < 0)
		fail_msg("%s: %s", spec, err.text);
}

/* Wait until the faulty device has so many operations. */
static void
fault_holds(uint64_t nb)
{
	struct plx_fault_stats stats = { .size = sizeof(stats) };
	uint64_t until = rte_get_timer_cycles() + 20 * rte_get_timer_hz();

	do {
		assert_int_equal(plx_fault_stats(fault_id(), &stats), 0);
		assert_true(rte_get_timer_cycles() < until);
		rte_delay_us_sleep(50);
	} while (stats.nb_enqueued - stats.nb_dequeued < nb);
}

/* Ops that stay inside while something changes. */
static void
put(struct stream *s, uint16_t nb)
{
	struct rte_crypto_op *ops[STREAM_OPS];
	uint16_t made = stream_make(s, ops, nb), n = 0;

	assert_int_equal(made, nb);
	for (uint64_t tries = 0; n < nb && tries < 10000000; tries++) {
		n = (uint16_t)(n + rte_cryptodev_enqueue_burst(s->rig->dev_id, s->qp, &ops[n],
							       (uint16_t)(nb - n)));
		if (n < nb)
			(void)stream_fetch(s, 32);
	}
	assert_int_equal(n, nb);
}

static void
engines_come_and_go_while_operations_run(void **state)
{
	struct plx_err err = { "" };
	static struct stream s;
	uint32_t id, last = 0;
	struct rig r;

	(void)state;
	rig_open(&r, "device=crypto_aesni_mb,engines=1", 1, 512);
	stream_open(&s, &r, 0, RIG_IN_PLACE);
	for (int i = 0; i < 20; i++) {
		put(&s, 100);
		if (plx_pollux_engine_add(r.dev_id, i % 2 == 0 ? PLX_POLLUX_ANY_CPU : 0, &id,
					  &err) < 0)
			fail_msg("%s", err.text);
		put(&s, 100);
		if (plx_pollux_engine_remove(r.dev_id, last, &err) < 0)
			fail_msg("%s", err.text);
		last = id;
		put(&s, 100);
		assert_true(stream_drain(&s));
	}
	stream_assert_right(&s);
	assert_int_equal(plx_pollux_engine_remove(r.dev_id, last, &err), -EBUSY);
	assert_int_equal(plx_pollux_engine_remove(r.dev_id, 12345, &err), -ENOENT);
	assert_int_equal(plx_pollux_engine_add(r.dev_id, 1000, &id, &err), -EINVAL);
	assert_int_equal(plx_pollux_engine_add(99, 0, &id, &err), -ENODEV);
	stream_close(&s);
	rig_close(&r);
}

static void
modes_and_policies_change_while_operations_run(void **state)
{
	static const char *const changes[] = { "mode=pipeline",   "mode=inline,burst=7",
					       "mode=auto",       "mode=pipeline,idle=0us",
					       "batch-wait=20us", "batch_wait=0us,mode=inline" };
	struct plx_err err = { "" };
	static struct stream s;
	char text[PLX_POLLUX_TEXT_MAX];
	struct rig r;

	(void)state;
	rig_open(&r, "device=crypto_aesni_mb,engines=2,mode=inline", 1, 512);
	stream_open(&s, &r, 0, RIG_IN_PLACE);
	for (size_t i = 0; i < 10 * RTE_DIM(changes); i++) {
		put(&s, 50);
		set(&r, changes[i % RTE_DIM(changes)]);
		put(&s, 50);
		(void)stream_fetch(&s, 64);
		(void)stream_fetch(&s, 64);
		if (stream_out(&s) > 400)
			assert_true(stream_drain(&s));
	}
	assert_true(stream_drain(&s));
	stream_assert_right(&s);
	/* all or nothing */
	assert_int_equal(plx_pollux_set(r.dev_id, "burst=9,stall=1us", &err), -EINVAL);
	assert_non_null(strstr(err.text, "stall"));
	assert_int_equal(plx_pollux_set(r.dev_id, "engines=3", &err), -EPERM);
	assert_int_equal(plx_pollux_set(r.dev_id, "device=crypto_openssl", &err), -ENOENT);
	assert_int_equal(plx_pollux_get(r.dev_id, text, sizeof(text)), 0);
	assert_non_null(strstr(text, "burst=7"));
	assert_int_equal(plx_pollux_get(r.dev_id, text, 10), -ENOSPC);
	stream_close(&s);
	rig_close(&r);
}

static void
a_device_that_joins_and_one_that_leaves_cost_no_operation(void **state)
{
	static const char *const args[] = { "device=crypto_openssl",
					    "device=crypto_openssl,engines=2" };
	struct plx_err err = { "" };
	static struct stream s;

	(void)state;
	for (size_t i = 0; i < RTE_DIM(args); i++) {
		struct rte_cryptodev_info before, after;
		struct rig r;

		rig_open(&r, args[i], 1, 512);
		stream_open(&s, &r, 0, RIG_IN_PLACE);
		rte_cryptodev_info_get(r.dev_id, &before);
		for (int k = 0; k < 5; k++) {
			const char *first = k % 2 == 0 ? "crypto_openssl" : "crypto_aesni_mb";
			const char *second = k % 2 == 0 ? "crypto_aesni_mb" : "crypto_openssl";

			put(&s, 100);
			assert_int_equal(plx_pollux_device_remove(r.dev_id, first, &err), -EBUSY);
			if (plx_pollux_device_add(r.dev_id, second, &err) < 0)
				fail_msg("%s", err.text);
			put(&s, 100);
			if (plx_pollux_device_remove(r.dev_id, first, &err) < 0)
				fail_msg("%s", err.text);
			put(&s, 100);
			assert_true(stream_drain(&s));
		}
		stream_assert_right(&s);
		/* the table of before is still there to be read */
		assert_int_equal(before.capabilities[0].op, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
		rte_cryptodev_info_get(r.dev_id, &after);
		assert_ptr_not_equal(before.capabilities, after.capabilities);
		assert_true((before.feature_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) != 0);
		assert_true((after.feature_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) == 0);
		stream_close(&s);
		rig_close(&r);
	}
}

static void
devices_that_cannot_join_are_refused(void **state)
{
	struct plx_err err = { "" };
	struct rig r;

	(void)state;
	rig_open(&r, "device=crypto_openssl", 1, 512);
	assert_int_equal(plx_pollux_device_add(r.dev_id, "crypto_no_such", &err), -ENODEV);
	assert_int_equal(plx_pollux_device_add(r.dev_id, RIG_NAME, &err), -EINVAL);
	/* the one behind, which is started */
	assert_int_equal(plx_pollux_device_add(r.dev_id, RIG_NAME ".0.inner", &err), -EBUSY);
	assert_int_equal(plx_pollux_device_remove(r.dev_id, "crypto_null", &err), -ENOENT);
	assert_int_equal(plx_pollux_device_add(r.dev_id, "crypto_openssl", &err), 0);
	assert_int_equal(plx_pollux_device_remove(r.dev_id, "crypto_openssl", &err), -ENOENT);
	assert_non_null(strstr(err.text, "2 devices of driver crypto_openssl"));
	assert_int_equal(plx_pollux_device_remove(r.dev_id, RIG_NAME ".0.inner", &err), 0);
	rig_close(&r);
}

/* The first device vanishes with operations in it; those end on the second. */
static void
a_lost_device_loses_no_operation(void **state)
{
	static const char *const engines[] = { "", ",engines=2" };
	struct plx_pollux_stats stats = { .size = sizeof(stats) };
	static struct stream s;
	char args[256];

	(void)state;
	for (size_t i = 0; i < RTE_DIM(engines); i++) {
		struct rig r;

		snprintf(args, sizeof(args),
			 "device=" FAULTY ",device=crypto_openssl,stall=2ms,lost=5ms%s",
			 engines[i]);
		rig_open(&r, args, 1, 512);
		stream_open(&s, &r, 0, RIG_IN_PLACE);
		assert_true(stream_run(&s, 1000, 100));
		fault("delay=always:500ms");
		put(&s, 60);
		fault_holds(60);
		fault("vanish=always");
		assert_true(stream_run(&s, 2000, 200));
		assert_int_equal(s.nb_wrong, 0);
		assert_int_equal(s.nb_right, s.next);
		assert_int_equal(plx_pollux_stats(r.dev_id, &stats), 0);
		assert_int_equal(stats.nb_lost, 0);
		assert_true(stats.nb_replayed >= 60);
		assert_true(stats.nb_fallback > 0);
		/* it comes back when it is told to, last in the order */
		fault("off");
		assert_int_equal(plx_pollux_device_revive(r.dev_id, RIG_NAME ".0.inner", NULL), 0);
		assert_true(stream_run(&s, 1000, 200));
		assert_int_equal(s.nb_right, s.next);
		stream_close(&s);
		rig_close(&r);
	}
}

static void
a_start_revives_what_was_lost_in_its_place(void **state)
{
	struct plx_fault_stats before = { .size = sizeof(before) }, after = before;
	static struct stream s;
	struct rig r;

	(void)state;
	rig_open(&r, "device=" FAULTY ",device=crypto_openssl,stall=2ms,lost=5ms", 1, 512);
	stream_open(&s, &r, 0, RIG_IN_PLACE);
	fault("delay=always:500ms");
	put(&s, 20);
	fault_holds(20);
	fault("vanish=always");
	assert_true(stream_run(&s, 500, 100));
	fault("off");
	rte_cryptodev_stop(r.dev_id);
	assert_int_equal(rte_cryptodev_start(r.dev_id), 0);
	assert_int_equal(plx_fault_stats(fault_id(), &before), 0);
	assert_true(stream_run(&s, 500, 100));
	assert_int_equal(plx_fault_stats(fault_id(), &after), 0);
	assert_int_equal(after.nb_dequeued - before.nb_dequeued, 500);
	assert_int_equal(s.nb_right, s.next);
	stream_close(&s);
	rig_close(&r);
}

/* Nobody else can do them: each ends all the same, those that never began as they were. */
static void
operations_of_a_lost_only_device_end(void **state)
{
	static struct stream s;
	struct rig r;

	(void)state;
	rig_open(&r, "device=" FAULTY ",stall=2ms,lost=5ms,engines=1", 1, 512);
	stream_open(&s, &r, 0, RIG_IN_PLACE);
	fault("vanish=always");
	put(&s, 100);
	assert_true(stream_drain(&s));
	assert_int_equal(s.nb_back, 100);
	assert_int_equal(s.nb_wrong, 0);
	assert_int_equal(s.nb_status[RTE_CRYPTO_OP_STATUS_NOT_PROCESSED] +
				 s.nb_status[RTE_CRYPTO_OP_STATUS_ERROR],
			 100);
	stream_close(&s);
	rig_close(&r);
}

static void
a_stop_with_a_device_that_keeps_operations_comes_to_an_end(void **state)
{
	struct rte_crypto_op *ops[100];
	static struct stream s;
	struct rig r;

	(void)state;
	rig_open(&r, "device=" FAULTY ",device=crypto_openssl,lost=10m,engines=1", 1, 512);
	stream_open(&s, &r, 0, RIG_IN_PLACE);
	fault("vanish=1/10:limit=1");
	assert_int_equal(stream_make(&s, ops, 100), 100);
	assert_int_equal(rte_cryptodev_enqueue_burst(r.dev_id, 0, ops, 100), 100);
	rte_cryptodev_stop(r.dev_id);
	stream_take(&s, ops, 100);
	assert_int_equal(s.nb_right, 100);
	fault("off");
	assert_int_equal(rte_cryptodev_start(r.dev_id), 0);
	assert_true(stream_run(&s, 500, 100));
	assert_int_equal(s.nb_right, s.next);
	stream_close(&s);
	rig_close(&r);
}

static void
a_device_that_misbehaves_costs_no_right_answer(void **state)
{
	static struct stream s;
	struct rig r;

	(void)state;
	rig_open(&r, "device=" FAULTY ",device=crypto_openssl,engines=2", 1, 512);
	stream_open(&s, &r, 0, RIG_MIXED);
	fault("refuse=5%,reorder=2%:8,foreign=1%:unknown,delay=1%:100us,stall=1/3000:3ms");
	assert_true(stream_run(&s, 20000, 300));
	assert_int_equal(s.nb_wrong, 0);
	assert_int_equal(s.nb_right, s.next);
	stream_close(&s);
	rig_close(&r);
}

static void
pipeline_without_an_engine_does_not_start(void **state)
{
	struct plx_err err = { "" };
	struct rig r;

	(void)state;
	rig_open(&r, "device=crypto_openssl,engines=1", 1, 512);
	rte_cryptodev_stop(r.dev_id);
	assert_int_equal(plx_pollux_engine_remove(r.dev_id, 0, &err), 0);
	assert_int_equal(rte_cryptodev_start(r.dev_id), -EINVAL);
	set(&r, "mode=inline");
	assert_int_equal(rte_cryptodev_start(r.dev_id), 0);
	assert_int_equal(plx_pollux_set(r.dev_id, "mode=pipeline", &err), -EINVAL);
	assert_non_null(strstr(err.text, "needs an engine"));
	rig_close(&r);
}

static void
too_few_queue_pairs_behind_are_said_at_the_start(void **state)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = 3 };
	struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 64 };
	struct rig r;

	(void)state;
	rig_open(&r, "device=crypto_openssl,queue-pairs=2", 2, 512);
	rte_cryptodev_stop(r.dev_id);
	assert_int_equal(rte_cryptodev_configure(r.dev_id, &config), 0);
	for (uint16_t qp = 0; qp < 3; qp++)
		assert_int_equal(rte_cryptodev_queue_pair_setup(r.dev_id, qp, &conf, 0), 0);
	assert_int_equal(rte_cryptodev_start(r.dev_id), -EAGAIN);
	r.nb_qps = 2;
	rig_start(&r, 512);
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(engines_come_and_go_while_operations_run),
		cmocka_unit_test(modes_and_policies_change_while_operations_run),
		cmocka_unit_test(a_device_that_joins_and_one_that_leaves_cost_no_operation),
		cmocka_unit_test(devices_that_cannot_join_are_refused),
		cmocka_unit_test(a_lost_device_loses_no_operation),
		cmocka_unit_test(a_start_revives_what_was_lost_in_its_place),
		cmocka_unit_test(operations_of_a_lost_only_device_end),
		cmocka_unit_test(a_stop_with_a_device_that_keeps_operations_comes_to_an_end),
		cmocka_unit_test(a_device_that_misbehaves_costs_no_right_answer),
		cmocka_unit_test(pipeline_without_an_engine_does_not_start),
		cmocka_unit_test(too_few_queue_pairs_behind_are_said_at_the_start),
	};

	return cmocka_run_group_tests_name("pollux_live", tests, rig_eal, NULL);
}
