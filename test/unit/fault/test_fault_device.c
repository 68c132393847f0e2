/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "fault_rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <rte_bus_vdev.h>
#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_log.h>
#include <rte_memzone.h>

/* The device as such: its arguments, what it offers, how it comes and goes. */

/* What rte_vdev_init() answers and logs. */
static int
init_logged(const char *args, char *text, size_t size)
{
	char *buf = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&buf, &len);
	int ret;

	assert_non_null(f);
	rte_openlog_stream(f);
	rte_log_set_level_pattern("pmd.crypto.plx_fault", RTE_LOG_ERR);
	ret = rte_vdev_init(RIG_NAME, args);
	rte_openlog_stream(NULL);
	fclose(f);
	snprintf(text, size, "%s", buf);
	free(buf);
	return ret;
}

static void
bad_arguments_are_named(void **state)
{
	static const struct {
		const char *args;
		int ret;
		const char *says;
	} bad[] = {
		{ "", -EINVAL, "inner= is missing; name a driver" },
		{ "refuse=5%", -EINVAL, "inner= is missing" },
		{ "inner=", -EINVAL, "inner=: want 1..63 bytes" },
		{ "inner=crypto_nothing", -ENODEV, "no driver 'crypto_nothing' is loaded" },
		{ "inner=crypto_opensslx", -ENODEV, "no driver 'crypto_opensslx' is loaded" },
		{ "inner=net_null", -EINVAL, "'net_null' is not a crypto driver" },
		{ "inner=crypto_openssl,refuse=200%", -EINVAL, "refuse=200%: want off" },
		{ "inner=crypto_openssl,refuze=1%", -EINVAL, "no argument 'refuze'; there are" },
		{ "inner=crypto_openssl,max_sessions=0", -EINVAL,
		  "max_sessions=0: want a whole number 1.." },
		{ "inner=crypto_openssl,max_nb_queue_pairs=x", -EINVAL,
		  "max_nb_queue_pairs=x: want" },
		{ "inner=crypto_openssl,socket_id=99", -EINVAL, "socket_id=99: want" },
		{ "inner=crypto_openssl,stall", -EINVAL, "argument 'stall' is not of the form" },
		{ "inner=crypto_openssl,inner_args=[nonsense=1]", -EINVAL, NULL },
		{ "inner=crypto_openssl,inner_args=[name=other]", -EINVAL,
		  "name=other: an inner device has" },
		{ "inner=crypto_scheduler", -ENOTSUP, "has no capabilities" },
	};
	uint8_t nb_before = rte_cryptodev_count();
	char text[4096];

	(void)state;
	for (size_t i = 0; i < PLX_ARRAY_SIZE(bad); i++) {
		int ret = init_logged(bad[i].args, text, sizeof(text));

		if (bad[i].says == NULL) {
			/* crypto_openssl itself takes arguments it does not know */
			if (ret == 0)
				assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
		} else {
			if (ret != bad[i].ret || strstr(text, bad[i].says) == NULL)
				fail_msg("'%s' gave %d: %s", bad[i].args, ret, text);
		}
		assert_int_equal(rte_cryptodev_count(), nb_before);
	}
	assert_int_equal(rte_vdev_init(RIG_NAME, "inner=crypto_openssl"), 0);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
}

static void
an_overlong_name_is_refused(void **state)
{
	uint8_t nb_before = rte_cryptodev_count();

	(void)state;
	assert_true(rte_vdev_init("crypto_plx_fault_with_a_name_of_more_than_fifty_seven_bytes",
				  "inner=crypto_openssl") < 0);
	assert_int_equal(rte_cryptodev_count(), nb_before);
}

static void
it_offers_what_the_inner_device_offers(void **state)
{
	struct rte_cryptodev_info ours;
	struct rte_cryptodev_info plain;
	uint64_t without = RTE_CRYPTODEV_FF_SECURITY | RTE_CRYPTODEV_FF_SYM_CPU_CRYPTO;

	(void)state;
	for (size_t i = 0; i < PLX_ARRAY_SIZE(rig_inner); i++) {
		char args[64];
		char name[64];

		snprintf(args, sizeof(args), "inner=%s,max_nb_queue_pairs=3,max_sessions=100",
			 rig_inner[i]);
		snprintf(name, sizeof(name), "%s_plain", rig_inner[i]);
		assert_int_equal(rte_vdev_init(RIG_NAME, args), 0);
		assert_int_equal(rte_vdev_init(name, ""), 0);
		rte_cryptodev_info_get((uint8_t)rte_cryptodev_get_dev_id(RIG_NAME), &ours);
		rte_cryptodev_info_get((uint8_t)rte_cryptodev_get_dev_id(name), &plain);
		assert_string_equal(ours.driver_name, PLX_FAULT_DRIVER);
		assert_ptr_equal(ours.capabilities, plain.capabilities);
		assert_int_equal(ours.feature_flags, plain.feature_flags & ~without);
		assert_int_equal(ours.max_nb_queue_pairs, 3);
		assert_int_equal(ours.sym.max_nb_sessions, 100);
		assert_int_equal(rte_vdev_uninit(name), 0);
		assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
	}
}

static void
arguments_for_the_inner_driver_reach_it(void **state)
{
	struct rte_cryptodev_info info;

	(void)state;
	assert_int_equal(
		rte_vdev_init(RIG_NAME,
			      "inner=crypto_openssl,inner_args=[max_nb_queue_pairs=2,socket_id=0]"),
		0);
	rte_cryptodev_info_get((uint8_t)rte_cryptodev_get_dev_id(RIG_NAME ".inner"), &info);
	assert_int_equal(info.max_nb_queue_pairs, 2);
	rte_cryptodev_info_get((uint8_t)rte_cryptodev_get_dev_id(RIG_NAME), &info);
	assert_int_equal(info.max_nb_queue_pairs, 2);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
}

static void
wrappers_can_be_stacked(void **state)
{
	static struct rig r;

	(void)state;
	rig_open(&r, "crypto_plx_fault", "refuse=1/7,inner_args=[inner=crypto_aesni_mb,fail=1/2]",
		 1, 64);
	assert_true(rig_run(&r, 0, 0, 500));
	for (uint32_t i = 0; i < 500; i++)
		assert_int_equal(r.ops[i]->status, i % 2 == 1 ? RTE_CRYPTO_OP_STATUS_ERROR : 0);
	rig_close(&r);
}

static void
a_started_device_is_not_removed(void **state)
{
	static struct rig r;

	(void)state;
	rig_open(&r, "crypto_openssl", "", 1, 64);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), -EBUSY);
	/* nothing has changed */
	rig_set(&r, "fail=1/2");
	assert_true(rig_run(&r, 0, 0, 100));
	assert_int_equal(rig_injected(&r, PLX_FAULT_FAIL), 50);
	rig_close(&r);
}

static void
descriptors_out_of_range_are_refused(void **state)
{
	struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 1 };
	static struct rig r;

	(void)state;
	rig_open(&r, "crypto_openssl", "", 1, 64);
	rte_cryptodev_stop(r.dev_id);
	assert_int_equal(rte_cryptodev_queue_pair_setup(r.dev_id, 0, &conf, 0), -EINVAL);
	conf.nb_descriptors = 65537;
	assert_int_equal(rte_cryptodev_queue_pair_setup(r.dev_id, 0, &conf, 0), -EINVAL);
	rig_start(&r, 4096);
	assert_true(rig_run(&r, 0, 0, RIG_OPS));
	rig_close(&r);
}

static void
zone_count(const struct rte_memzone *zone, void *arg)
{
	(void)zone;
	++*(uint32_t *)arg;
}

static void
it_comes_and_goes_without_a_trace(void **state)
{
	static struct rig r;
	uint32_t first = 0;

	(void)state;
	for (uint32_t round = 0; round < 20; round++) {
		uint32_t zones = 0;

		rig_open(&r, rig_inner[round % 2], "refuse=5%,delay=5%:10us", 3, 128);
		for (uint16_t qp = 0; qp < 3; qp++)
			assert_true(rig_run(&r, qp, qp * 100u, 100));
		rig_close(&r);
		assert_true(rte_cryptodev_get_dev_id(RIG_NAME) < 0);
		assert_true(rte_cryptodev_get_dev_id(RIG_NAME ".inner") < 0);
		rte_memzone_walk(zone_count, &zones);
		if (round == 1)
			first = zones;
		if (round > 1)
			assert_int_equal(zones, first);
	}
}

static void
hotplug_works_as_well(void **state)
{
	(void)state;
	for (int round = 0; round < 5; round++) {
		assert_int_equal(rte_eal_hotplug_add("vdev", RIG_NAME,
						     "inner=crypto_openssl,fail=1%:limit=2"),
				 0);
		assert_true(rte_cryptodev_get_dev_id(RIG_NAME) >= 0);
		assert_int_equal(rte_eal_hotplug_remove("vdev", RIG_NAME), 0);
	}
}

/* EAL start with the device on the command line, and its end, in a process of its own. */
static void
eal_makes_it_and_clears_it_away(void **state)
{
	pid_t pid = fork();
	int status = -1;

	(void)state;
	if (pid == 0) {
		execl("/proc/self/exe", "test_fault_device", "eal", (char *)NULL);
		_exit(127);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static int
eal_only(void)
{
	char prefix[64];
	char words[][96] = {
		"test",
		"--no-huge",
		"--no-pci",
		"--no-shconf",
		"-l0",
		"-m128",
		"--log-level=*:error",
		"--vdev=crypto_plx_fault0,inner=crypto_openssl,fail=1%:while=/nowhere/x",
		"--vdev=crypto_plx_fault1,inner=crypto_aesni_mb"
	};
	char *argv[PLX_ARRAY_SIZE(words) + 1];
	int argc = 0;
	char text[128];

	snprintf(prefix, sizeof(prefix), "--file-prefix=plx_fault_%d", (int)getpid());
	while (argc < (int)PLX_ARRAY_SIZE(words)) {
		argv[argc] = words[argc];
		argc++;
	}
	argv[argc++] = prefix;
	if (rte_eal_init(argc, argv) < 0)
		return 2;
	if (rte_cryptodev_count() != 4 ||
	    plx_fault_get((uint8_t)rte_cryptodev_get_dev_id(RIG_NAME), text, sizeof(text)) < 0 ||
	    strcmp(text, "fail=1%:error:while=/nowhere/x") != 0)
		return 3;
	return rte_eal_cleanup() == 0 && rte_cryptodev_count() == 0 ? 0 : 4;
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eal_makes_it_and_clears_it_away),
		cmocka_unit_test(bad_arguments_are_named),
		cmocka_unit_test(an_overlong_name_is_refused),
		cmocka_unit_test(it_offers_what_the_inner_device_offers),
		cmocka_unit_test(arguments_for_the_inner_driver_reach_it),
		cmocka_unit_test(wrappers_can_be_stacked),
		cmocka_unit_test(a_started_device_is_not_removed),
		cmocka_unit_test(descriptors_out_of_range_are_refused),
		cmocka_unit_test(it_comes_and_goes_without_a_trace),
		cmocka_unit_test(hotplug_works_as_well),
	};

	if (argc == 2 && strcmp(argv[1], "eal") == 0)
		return eal_only();
	return cmocka_run_group_tests_name("fault_device", tests, rig_eal, NULL);
}
