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
#include <rte_log.h>

#include "plx_pmd.h"

/* Arguments: what is taken, what follows from what, and the sentence for what is refused. */

/* What the driver logs while fn runs, by the stream of EAL's log. */
static char logged[16384];

static int
probe_logged(const char *args)
{
	FILE *old = rte_log_get_stream(), *mem;
	char *text = NULL;
	size_t len = 0;
	int ret;

	mem = open_memstream(&text, &len);
	assert_non_null(mem);
	rte_openlog_stream(mem);
	rte_log_set_level_pattern("pmd.crypto.pollux", RTE_LOG_NOTICE);
	ret = rte_vdev_init(RIG_NAME, args);
	rte_log_set_level_pattern("pmd.crypto.pollux", RTE_LOG_ERR);
	rte_openlog_stream(old);
	fclose(mem);
	snprintf(logged, sizeof(logged), "%s", text);
	free(text);
	return ret;
}

static void
refuses(const char *args, const char *words)
{
	uint8_t nb_before = rte_cryptodev_count();
	int ret = probe_logged(args);

	if (ret >= 0)
		fail_msg("'%s' was taken", args);
	if (strstr(logged, words) == NULL)
		fail_msg("'%s': '%s' is not in: %s", args, words, logged);
	assert_int_equal(rte_cryptodev_count(), nb_before);
}

static void
takes(const char *args, const char *settings)
{
	char text[PLX_POLLUX_TEXT_MAX];
	int id;

	if (rte_vdev_init(RIG_NAME, args) != 0)
		fail_msg("'%s' was refused", args);
	id = rte_cryptodev_get_dev_id(RIG_NAME);
	assert_true(id >= 0);
	assert_int_equal(plx_pollux_get((uint8_t)id, text, sizeof(text)), 0);
	if (strstr(text, settings) == NULL)
		fail_msg("'%s': '%s' is not in %s", args, settings, text);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
}

static void
bad_values_are_refused_with_value_and_range(void **state)
{
	(void)state;
	refuses("burst=300", "burst: \"300\" is not taken; give 1..256");
	refuses("engines=65", "engines: \"65\" is not taken; give 0..64");
	refuses("mode=fast", "mode: \"fast\" is not taken; give pipeline, inline, auto");
	refuses("policy=random", "policy: \"random\" is not taken; give round-robin");
	refuses("class=low", "class: \"low\" is not taken; give high, normal, bulk");
	refuses("weight-high=0", "weight-high: \"0\" is not taken; give 1..256");
	refuses("batch_wait=2s", "batch-wait: \"2s\" is not taken; give 0us..1s");
	refuses("deadline=soon", "deadline: \"soon\" is not taken; give 0us..10m");
	refuses("stall=50us", "stall: \"50us\" is not taken; give 100us..10m");
	refuses("idle=2m", "idle: \"2m\" is not taken; give 0us..1m");
	refuses("lane-slots=100", "lane-slots: \"100\" is not taken; give 64..65536, a power");
	refuses("max_nb_queue_pairs=0", "max-nb-queue-pairs: \"0\" is not taken; give 1..128");
	refuses("max_nb_queue_pairs=129", "give 1..128");
	refuses("socket_id=99", "socket-id: \"99\" is not taken");
	refuses("descriptors=1000", "descriptors: \"1000\" is not taken; give 64..32768");
	refuses("sessions=3", "sessions: \"3\" is not taken; give 16..1048576");
}

static void
unknown_and_broken_arguments_are_refused(void **state)
{
	(void)state;
	refuses("brust=32", "no argument 'brust' (besides device); did you mean burst?");
	refuses("a_name_that_is_far_too_long_for_any_argument_of_this_driver_and_more=1",
		"no argument has a name as long as");
	refuses("pollux.burst=3", "no argument 'pollux.burst'");
	refuses("burst", "argument 'burst' is not of the form key=value");
	refuses("device=[crypto_openssl", "'[' without ']'");
}

static void
cores_are_read_and_checked(void **state)
{
	(void)state;
	refuses("cores=a", "cores=a: give CPUs from 0 to 1023");
	refuses("cores=1-", "cores=1-: give CPUs");
	refuses("cores=3-1", "cores=3-1: give CPUs");
	refuses("cores=[0,]", "cores=0,: give CPUs");
	refuses("cores=[0,,1]", "cores=0,,1: give CPUs");
	refuses("cores=-1", "cores=-1: give CPUs");
	refuses("cores=9999", "cores=9999: give CPUs");
	refuses("cores=1000", "CPU 1000 is not one this process may run on");
	refuses("cores=0,service=on", "leave one out");
	takes("device=crypto_openssl,cores=0", "mode=pipeline");
	takes("device=crypto_openssl,cores=[0,0-0],engines=1", "mode=pipeline");
}

static void
what_is_not_given_follows_from_what_is(void **state)
{
	(void)state;
	takes("device=crypto_openssl", "mode=inline");
	takes("device=crypto_openssl", "policy=session");
	takes("device=crypto_openssl,engines=2", "mode=pipeline");
	takes("device=crypto_openssl,mode=auto", "mode=auto");
	takes("device=crypto_openssl,mode=pipeline", "mode=pipeline");
	takes("device=crypto_openssl,engines=0", "mode=inline");
	refuses("engines=0,mode=pipeline", "give 1 to 64 engines, or mode=inline");
	takes("device=crypto_openssl,batch-wait=5us,weight_bulk=7", "batch-wait=5us");
	takes("device=crypto_openssl,size_split=2k,lost=5ms,shadow=on", "lost=5ms");
}

static void
devices_are_found_or_refused(void **state)
{
	(void)state;
	refuses("device=crypto_no_such", "no driver 'crypto_no_such' is loaded");
	refuses("device=nothing", "device 'nothing': no cryptodev and no PCI function");
	refuses("device=0000:99:00.1", "device '0000:99:00.1': no cryptodev and no PCI function");
	refuses("device=", "device=");
	refuses("device=crypto_pollux0", "crypto_pollux0 cannot be behind itself");
	refuses("device=[crypto_openssl,name=other]", "name=other");
	refuses("device=crypto_plx_fault", "did not make a device");
	takes("device=crypto_openssl,device=crypto_aesni_mb", "mode=inline");
	takes("device=[crypto_plx_fault,inner=crypto_openssl,inner_args=[socket_id=0],fail=1%]",
	      "mode=inline");
	/* the default is what the drivers there allow */
	takes("", "mode=inline");
}

static void
an_existing_cryptodev_can_be_behind_unless_it_is_started(void **state)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = 1 };
	int other;

	(void)state;
	assert_int_equal(rte_vdev_init("crypto_openssl7", "max_nb_queue_pairs=12"), 0);
	other = rte_cryptodev_get_dev_id("crypto_openssl7");
	assert_true(other >= 0);
	takes("device=crypto_openssl7", "mode=inline");
	/* given back, stopped */
	assert_int_equal(rte_cryptodev_configure((uint8_t)other, &config), 0);
	assert_int_equal(rte_cryptodev_start((uint8_t)other), 0);
	refuses("device=crypto_openssl7", "crypto_openssl7 is in use: somebody has started it");
	refuses("device=[crypto_openssl7,max_nb_queue_pairs=3]",
		"crypto_openssl7 is there already and takes no arguments");
	rte_cryptodev_stop((uint8_t)other);
	assert_int_equal(rte_vdev_uninit("crypto_openssl7"), 0);
}

static void
seventeen_devices_are_one_too_many(void **state)
{
	char args[1024] = "";

	(void)state;
	for (int i = 0; i < 17; i++)
		strcat(args, i == 0 ? "device=crypto_null" : ",device=crypto_null");
	refuses(args, "more than 16 device= are given");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_values_are_refused_with_value_and_range),
		cmocka_unit_test(unknown_and_broken_arguments_are_refused),
		cmocka_unit_test(cores_are_read_and_checked),
		cmocka_unit_test(what_is_not_given_follows_from_what_is),
		cmocka_unit_test(devices_are_found_or_refused),
		cmocka_unit_test(an_existing_cryptodev_can_be_behind_unless_it_is_started),
		cmocka_unit_test(seventeen_devices_are_one_too_many),
	};

	return cmocka_run_group_tests_name("pollux_args", tests, rig_eal, NULL);
}
