/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "fault_rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <rte_bus_vdev.h>

#include "alloc_fail.h"

/* Each allocation of the driver fails once: the answer is -ENOMEM and nothing stays behind. */

static void
probe_bears_a_failing_allocation(void **state)
{
	uint8_t nb_before = rte_cryptodev_count();
	uint64_t n;

	(void)state;
	for (n = 1;; n++) {
		int ret;

		alloc_fail_at(n);
		ret = rte_vdev_init(RIG_NAME,
				    "inner=crypto_openssl,inner_args=[socket_id=0],fail=1%");
		if (!alloc_fail_stop()) {
			assert_int_equal(ret, 0);
			break;
		}
		assert_int_equal(ret, -ENOMEM);
		assert_int_equal(rte_cryptodev_count(), nb_before);
	}
	assert_true(n > 3);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
	assert_int_equal(rte_cryptodev_count(), nb_before);
}

static void
queue_pair_setup_bears_a_failing_allocation(void **state)
{
	struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 128 };
	static struct rig r;
	uint64_t n;

	(void)state;
	rig_open(&r, "crypto_openssl", "", 2, 64);
	rte_cryptodev_stop(r.dev_id);
	for (n = 1;; n++) {
		int ret;

		alloc_fail_at(n);
		ret = rte_cryptodev_queue_pair_setup(r.dev_id, 1, &conf, 0);
		if (!alloc_fail_stop()) {
			assert_int_equal(ret, 0);
			break;
		}
		assert_int_equal(ret, -ENOMEM);
		assert_int_equal(rte_cryptodev_get_qp_status(r.dev_id, 1), 0);
	}
	assert_true(n > 4);
	assert_int_equal(rte_cryptodev_start(r.dev_id), 0);
	assert_true(rig_run(&r, 0, 0, 100));
	assert_true(rig_run(&r, 1, 100, 100));
	rig_close(&r);
}

static void
set_bears_a_failing_allocation(void **state)
{
	struct plx_err err = { "" };
	static struct rig r;
	char text[256];
	uint64_t n;

	(void)state;
	rig_open(&r, "crypto_openssl", "refuse=5%", 1, 64);
	for (n = 1;; n++) {
		int ret;

		alloc_fail_at(n);
		ret = plx_fault_set(r.dev_id, "refuse=off,fail=1%", &err);
		if (!alloc_fail_stop()) {
			assert_int_equal(ret, 0);
			break;
		}
		assert_int_equal(ret, -ENOMEM);
		assert_true(strlen(err.text) > 0);
		assert_int_equal(plx_fault_get(r.dev_id, text, sizeof(text)), 0);
		assert_string_equal(text, "refuse=5%");
	}
	assert_true(n > 1);
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(probe_bears_a_failing_allocation),
		cmocka_unit_test(queue_pair_setup_bears_a_failing_allocation),
		cmocka_unit_test(set_bears_a_failing_allocation),
	};

	return cmocka_run_group_tests_name("fault_alloc", tests, rig_eal, NULL);
}
