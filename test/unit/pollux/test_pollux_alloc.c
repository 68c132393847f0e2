/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <rte_bus_vdev.h>

#include "alloc_fail.h"

/* Each allocation of the driver and of the libraries in it fails once: the answer is an error and
 * nothing stays behind. */

static void
probe_bears_a_failing_allocation(void **state)
{
	uint8_t nb_before = rte_cryptodev_count();
	uint64_t n;

	(void)state;
	for (n = 1;; n++) {
		int ret;

		alloc_fail_at(n);
		ret = rte_vdev_init(RIG_NAME, "device=crypto_openssl,device=crypto_aesni_mb,"
					      "engines=2,shadow=on,queue-pairs=4");
		if (!alloc_fail_stop()) {
			assert_int_equal(ret, 0);
			break;
		}
		assert_true(ret < 0);
		assert_int_equal(rte_cryptodev_count(), nb_before);
	}
	assert_true(n > 20);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
	assert_int_equal(rte_cryptodev_count(), nb_before);
}

static void
start_bears_a_failing_allocation(void **state)
{
	static struct stream s;
	struct rig r;
	uint64_t n;

	(void)state;
	rig_open(&r, "device=crypto_openssl,engines=1,mode=auto", 2, 128);
	rte_cryptodev_stop(r.dev_id);
	for (n = 1;; n++) {
		int ret;

		alloc_fail_at(n);
		ret = rte_cryptodev_start(r.dev_id);
		if (!alloc_fail_stop()) {
			assert_int_equal(ret, 0);
			break;
		}
		if (ret == 0)
			rte_cryptodev_stop(r.dev_id);
	}
	assert_true(n > 4);
	stream_open(&s, &r, 0, RIG_MIXED);
	assert_true(stream_run(&s, 1000, 100));
	assert_int_equal(s.nb_right, s.next);
	stream_close(&s);
	rig_close(&r);
}

static void
sessions_and_operations_without_one_bear_a_failing_allocation(void **state)
{
	struct rte_crypto_op *op, *back;
	static struct stream s;
	struct rig r;
	uint64_t n;

	(void)state;
	rig_open(&r, "device=crypto_openssl", 1, 128);
	stream_open(&s, &r, 0, RIG_SESSIONLESS);
	for (n = 1;; n++) {
		bool failed;

		assert_int_equal(stream_make(&s, &op, 1), 1);
		alloc_fail_at(n);
		if (rte_cryptodev_enqueue_burst(r.dev_id, 0, &op, 1) == 0) {
			assert_true(alloc_fail_stop());
			stream_unmake(&s, &op, 1);
			continue;
		}
		failed = alloc_fail_stop();
		while (rte_cryptodev_dequeue_burst(r.dev_id, 0, &back, 1) == 0)
			;
		assert_int_equal(op->status, failed ? RTE_CRYPTO_OP_STATUS_INVALID_SESSION
						    : RTE_CRYPTO_OP_STATUS_SUCCESS);
		stream_take(&s, &op, 1);
		if (!failed)
			break;
	}
	assert_true(n > 2);
	assert_int_equal(s.nb_wrong, 0);
	stream_close(&s);
	rig_close(&r);
}

static void
changes_bear_a_failing_allocation(void **state)
{
	struct plx_err err = { "" };
	static struct stream s;
	struct rig r;
	uint32_t id;
	int ret;

	(void)state;
	rig_open(&r, "device=crypto_openssl,engines=1,mode=auto", 1, 128);
	stream_open(&s, &r, 0, RIG_IN_PLACE);
	for (uint64_t n = 1;; n++) {
		alloc_fail_at(n);
		ret = plx_pollux_engine_add(r.dev_id, PLX_POLLUX_ANY_CPU, &id, &err);
		if (!alloc_fail_stop())
			break;
		assert_true(ret < 0 && err.text[0] != '\0');
	}
	assert_int_equal(ret, 0);
	for (uint64_t n = 1;; n++) {
		alloc_fail_at(n);
		ret = plx_pollux_device_add(r.dev_id, "crypto_openssl,max_nb_queue_pairs=8", &err);
		if (!alloc_fail_stop())
			break;
		assert_true(ret < 0 && err.text[0] != '\0');
	}
	assert_int_equal(ret, 0);
	for (uint64_t n = 1;; n++) {
		alloc_fail_at(n);
		ret = plx_pollux_set(r.dev_id, "burst=8,shadow=on", &err);
		if (!alloc_fail_stop())
			break;
		assert_true(ret < 0 && err.text[0] != '\0');
	}
	assert_int_equal(ret, 0);
	assert_true(stream_run(&s, 1000, 100));
	assert_int_equal(s.nb_right, s.next);
	stream_close(&s);
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(probe_bears_a_failing_allocation),
		cmocka_unit_test(start_bears_a_failing_allocation),
		cmocka_unit_test(sessions_and_operations_without_one_bear_a_failing_allocation),
		cmocka_unit_test(changes_bear_a_failing_allocation),
	};

	return cmocka_run_group_tests_name("pollux_alloc", tests, rig_eal, NULL);
}
