/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_rig.h"

#include <errno.h>
#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_common.h>
#include <rte_eal.h>

#include "mb_calls.h"

/* Arguments of crypto_plx_mb, its life, and looking for the multi-buffer library. */

static void
bad_arguments_are_refused(void **state)
{
	static const char *const bad[] = {
		"max_nb_queue_pairs=0",
		"max_nb_queue_pairs=257",
		"max_nb_queue_pairs=many",
		"max_wait_us=1000001",
		"max_wait_us=-1",
		"crypto_mb=",
		"crypto_mb=/no/such/file",
		"ecdsa_k=mine",
		"socket_id=4096",
		"colour=blue",
		"max_wait_us",
	};

	(void)state;
	for (size_t i = 0; i < RTE_DIM(bad); i++) {
		assert_true(rte_vdev_init("crypto_plx_mb7", bad[i]) < 0);
		assert_true(rte_cryptodev_get_dev_id("crypto_plx_mb7") < 0);
	}
}

static void
good_arguments_are_taken(void **state)
{
	struct rte_cryptodev_info info;

	(void)state;
	assert_int_equal(rte_vdev_init("crypto_plx_mb7",
				       "max_nb_queue_pairs=256,max_wait_us=50,crypto_mb=off,"
				       "ecdsa_k=internal,socket_id=0"),
			 0);
	rte_cryptodev_info_get((uint8_t)rte_cryptodev_get_dev_id("crypto_plx_mb7"), &info);
	assert_int_equal(info.max_nb_queue_pairs, 256);
	assert_string_equal(info.driver_name, "crypto_plx_mb");
	assert_int_equal(rte_vdev_uninit("crypto_plx_mb7"), 0);
}

static void
a_library_that_is_none_is_told_by_name(void **state)
{
	const struct mb_calls *calls;
	struct plx_err err = { "" };

	(void)state;
	assert_int_equal(mb_calls_find("/no/such/file", &calls, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/no/such/file"));
	assert_int_equal(mb_calls_find("libcrypto.so.3", &calls, &err), -ENOTSUP);
	assert_non_null(strstr(err.text, "it has no mbx_"));
	assert_int_equal(mb_calls_find("off", &calls, &err), 0);
	assert_null(calls);
	assert_int_equal(mb_calls_find("auto", &calls, &err), 0);
	printf("asymmetric ops by %s\n", mb_calls_name(calls));
}

static void
a_started_device_is_not_removed(void **state)
{
	(void)state;
	rig_up(NULL, 2);
	assert_int_not_equal(rte_vdev_uninit("crypto_plx_mb0"), 0);
	rig_down();
}

static void
queue_pairs_are_set_up_again_and_odd_ones_refused(void **state)
{
	static const uint32_t sizes[] = { 2, 3, 100, 4096, 65536 };
	struct rte_cryptodev_qp_conf qp = { .nb_descriptors = 1 };

	(void)state;
	rig_up(NULL, 2);
	rte_cryptodev_stop(rig_dev());
	assert_int_not_equal(rte_cryptodev_queue_pair_setup(rig_dev(), 0, &qp, 0), 0);
	qp.nb_descriptors = 65537;
	assert_int_not_equal(rte_cryptodev_queue_pair_setup(rig_dev(), 0, &qp, 0), 0);
	for (size_t i = 0; i < RTE_DIM(sizes); i++) {
		qp.nb_descriptors = sizes[i];
		assert_int_equal(rte_cryptodev_queue_pair_setup(rig_dev(), 1, &qp, 0), 0);
	}
	assert_int_equal(rte_cryptodev_start(rig_dev()), 0);
	rig_down();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_arguments_are_refused),
		cmocka_unit_test(good_arguments_are_taken),
		cmocka_unit_test(a_library_that_is_none_is_told_by_name),
		cmocka_unit_test(a_started_device_is_not_removed),
		cmocka_unit_test(queue_pairs_are_set_up_again_and_odd_ones_refused),
	};
	int ret;

	rig_eal("mb_probe");
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	rte_eal_cleanup();
	return ret;
}
