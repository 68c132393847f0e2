/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
/*
 * Everything at once for PLX_SOAK_SECONDS (10 when not set): one sender a class, each checking
 * every op, while control adds and removes engines, blocks, removes and adds devices, changes
 * modes, policies and weights, and the first device refuses, fails, reorders and stalls. At the end
 * each op must have come back exactly once.
 */
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <rte_cycles.h>
#include <rte_lcore.h>

#include "plx_fault.h"
#include "rig.h"

#define NB_SENDERS 3

static const char *const vdevs[] = {
	"crypto_plx_fault0,inner=crypto_openssl,inner_args=max_nb_queue_pairs=16",
	"crypto_aesni_mb0,max_nb_queue_pairs=16", "crypto_openssl0,max_nb_queue_pairs=16", NULL
};
static const char *const devices[] = { "crypto_plx_fault0", "crypto_aesni_mb0", "crypto_openssl0",
				       NULL };

struct sender {
	struct rig rig; /* its own numbers; pools, session and group are those of the main rig */
	struct plx_port *port;
	pthread_t thread;
	_Atomic bool *stop;
	bool is_stuck;
};

static void *
send_run(void *arg)
{
	struct sender *s = arg;
	uint32_t round = 0;

	/* an lcore id of its own, so that the pools' caches are its own too */
	rte_thread_register();
	while (!*s->stop && !s->is_stuck) {
		uint32_t depth = 16u << (round++ % 6);

		s->is_stuck = !rig_run(&s->rig, s->port, 2000, 16 + round % 1500, depth);
	}
	rte_thread_unregister();
	return NULL;
}

static unsigned int
dice(uint64_t *seed, unsigned int sides)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (unsigned int)(*seed >> 20) % sides;
}

/* The ids of the engines on lcores. */
static uint32_t
list_engines(struct rig *r, uint32_t *ids)
{
	struct plx_engine_info info;
	uint32_t pos = 0, nb = 0;

	while (plx_engines_next(r->es, &pos, &info))
		if (!info.is_inline)
			ids[nb++] = info.id;
	return nb;
}

static void
turn_engines(struct rig *r, uint64_t *seed, uint32_t *nb_done)
{
	uint32_t ids[PLX_ENGINES_MAX], nb = list_engines(r, ids), id;
	struct plx_err err = { "" };
	int ret;

	if (nb < 4 && (nb < 2 || dice(seed, 2) == 0))
		ret = plx_engines_engine_add(r->es, PLX_ENGINE_ANY_LCORE, &id, &err);
	else
		ret = plx_engines_engine_remove(r->es, ids[dice(seed, nb)], 2000000, &err);
	if (ret < 0)
		fail_msg("engine: %s", err.text);
	(*nb_done)++;
}

static void
turn_settings(struct rig *r, uint64_t *seed, uint32_t *nb_done)
{
	struct plx_engines_params p;
	struct plx_err err = { "" };

	plx_engines_get(r->es, &p);
	p.mode = 1 + dice(seed, 3);
	p.policy = 1 + dice(seed, 4);
	p.burst = 1u << dice(seed, 9);
	p.batch_wait_us = dice(seed, 2) * 50;
	p.idle_us = dice(seed, 2) * 100;
	p.weights[PLX_CLASS_BULK] = 1 + dice(seed, 256);
	p.shadow = dice(seed, 2) != 0;
	p.help_ops = dice(seed, 2) * (1 + dice(seed, 100));
	if (plx_engines_set(r->es, &p, &err) < 0)
		fail_msg("set: %s", err.text);
	(*nb_done)++;
}

/* One device out and in again, or blocked for a while; the others carry on. */
static void
turn_devices(struct rig *r, uint64_t *seed, uint32_t *nb_done)
{
	struct plx_device *dev = plx_devices_find(r->devs, devices[dice(seed, 3)]);
	struct plx_err err = { "" };
	int ret;

	if (dice(seed, 2) == 0) {
		ret = plx_engines_device_remove(r->es, dev, 2000000, &err);
		if (ret == 0 && atomic_load(&dev->health) == PLX_HEALTH_STOPPED)
			ret = plx_device_revive(dev, &err);
		if (ret == 0)
			ret = plx_engines_device_add(r->es, dev, &err);
	} else {
		ret = plx_engines_device_block(r->es, dev, true, &err);
		if (ret == 0) {
			rte_delay_us_sleep(3000);
			ret = plx_engines_device_block(r->es, dev, false, &err);
		}
	}
	if (ret < 0)
		fail_msg("device %s: %s", dev->name, err.text);
	(*nb_done)++;
}

static void
control_run(struct rig *r, uint32_t seconds)
{
	uint64_t end = rte_get_timer_cycles() + seconds * rte_get_timer_hz(),
		 seed = 88172645463325252u;
	uint32_t nb_engines = 0, nb_settings = 0, nb_devices = 0;

	while (rte_get_timer_cycles() < end) {
		switch (dice(&seed, 3)) {
		case 0:
			turn_engines(r, &seed, &nb_engines);
			break;
		case 1:
			turn_settings(r, &seed, &nb_settings);
			break;
		default:
			turn_devices(r, &seed, &nb_devices);
			break;
		}
		plx_engines_tick(r->es);
		rte_delay_us_sleep(5000);
	}
	print_message("%u changes of engines, %u of settings, %u of devices\n", nb_engines,
		      nb_settings, nb_devices);
	assert_true(nb_engines > 0 && nb_settings > 0 && nb_devices > 0);
}

static void
senders_start(struct rig *r, struct sender *senders, _Atomic bool *stop)
{
	for (int i = 0; i < NB_SENDERS; i++) {
		struct plx_port_params p = { .size = sizeof(p),
					     .cls = (enum plx_class)i,
					     .socket_id = -1 };
		struct plx_err err = { "" };

		if (plx_port_create(r->es, &p, &senders[i].port, &err) < 0)
			fail_msg("%s", err.text);
		rig_share(&senders[i].rig, r);
		senders[i].stop = stop;
		senders[i].is_stuck = false;
		assert_int_equal(pthread_create(&senders[i].thread, NULL, send_run, &senders[i]),
				 0);
	}
}

static void
everything_changes_and_each_op_ends_exactly_once(void **state)
{
	const char *text = getenv("PLX_SOAK_SECONDS");
	uint32_t seconds = text != NULL ? (uint32_t)strtoul(text, NULL, 10) : 10;
	struct sender senders[NB_SENDERS];
	struct plx_err err = { "" };
	_Atomic bool stop = false;
	struct plx_fault_stats fs = { .size = sizeof(fs) };
	struct rig r;
	uint32_t id;

	(void)state;
	rig_open(&r, NULL, devices);
	assert_int_equal(plx_engines_engine_add(r.es, PLX_ENGINE_ANY_LCORE, &id, &err), 0);
	assert_int_equal(plx_engines_start(r.es, &err), 0);
	assert_int_equal(plx_fault_set(plx_devices_find(r.devs, devices[0])->dev_id,
				       "refuse=2%,fail=1%:error,reorder=1%:8,stall=1/100000:15ms",
				       &err),
			 0);
	senders_start(&r, senders, &stop);
	control_run(&r, seconds);
	stop = true;
	for (int i = 0; i < NB_SENDERS; i++) {
		struct rig *s = &senders[i].rig;

		/* the group's housekeeping goes on while senders drain */
		while (pthread_tryjoin_np(senders[i].thread, NULL) != 0) {
			plx_engines_tick(r.es);
			rte_delay_us_sleep(1000);
		}
		print_message("class %s: %" PRIu64 " ops, %" PRIu64 " right, %" PRIu64
			      " failed, %" PRIu64 " not processed, %" PRIu64 " wrong\n",
			      plx_class_name((enum plx_class)i), s->nb_made, s->nb_right,
			      s->nb_status[RTE_CRYPTO_OP_STATUS_ERROR], s->nb_untouched,
			      s->nb_wrong);
		assert_false(senders[i].is_stuck);
		assert_int_equal(s->nb_wrong, 0);
		assert_int_equal(s->nb_back, s->nb_made);
		assert_int_equal(s->nb_right + s->nb_status[RTE_CRYPTO_OP_STATUS_ERROR] +
					 s->nb_untouched,
				 s->nb_made);
		assert_true(s->nb_right > s->nb_made * 9 / 10);
		assert_int_equal(plx_port_destroy(senders[i].port), 0);
		rig_unshare(s);
	}
	assert_int_equal(plx_fault_set(plx_devices_find(r.devs, devices[0])->dev_id, "off", &err),
			 0);
	assert_int_equal(plx_fault_stats(plx_devices_find(r.devs, devices[0])->dev_id, &fs), 0);
	assert_true(fs.nb_injected[PLX_FAULT_REFUSE] > 0 && fs.nb_injected[PLX_FAULT_FAIL] > 0);
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_changes_and_each_op_ends_exactly_once),
	};

	rig_eal(6, vdevs);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
