/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_rig.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <rte_cycles.h>
#include <rte_lcore.h>
#include <rte_service.h>

/* Two queue pairs on two threads while control changes engines, modes and devices; one queue pair
 * with a thread that enqueues and one that dequeues; engines on a service lcore. */

struct sender {
	struct stream stream;
	pthread_t thread;
	_Atomic bool *stop;
	bool is_stuck;
};

static void *
send_run(void *arg)
{
	struct sender *s = arg;
	uint32_t round = 0;

	while (!*s->stop && !s->is_stuck)
		s->is_stuck = !stream_run(&s->stream, 500, 8u << (round++ % 6));
	return NULL;
}

static void
change(uint8_t dev_id, uint32_t round)
{
	static const char *const modes[] = { "mode=pipeline", "mode=auto", "mode=inline" };
	struct plx_pollux_stats stats = { .size = sizeof(stats) };
	const char *gone = round % 2 == 0 ? "crypto_openssl" : "crypto_aesni_mb";
	struct rte_cryptodev_info info;
	struct plx_err err = { "" };
	uint32_t id;
	int ret;

	ret = plx_pollux_engine_add(dev_id, PLX_POLLUX_ANY_CPU, &id, &err);
	if (ret == 0)
		ret = plx_pollux_set(dev_id, modes[round % 3], &err);
	if (ret == 0)
		ret = plx_pollux_device_remove(dev_id, gone, &err);
	if (ret == 0)
		ret = plx_pollux_device_add(dev_id, gone, &err);
	if (ret == 0)
		ret = plx_pollux_engine_remove(dev_id, id, &err);
	if (ret < 0)
		fail_msg("round %u: %s", round, err.text);
	rte_cryptodev_info_get(dev_id, &info);
	assert_int_equal(plx_pollux_stats(dev_id, &stats), 0);
	assert_true(stats.nb_dequeued <= stats.nb_enqueued);
}

static void
two_queue_pairs_on_two_threads_while_everything_changes(void **state)
{
	static struct sender senders[2];
	_Atomic bool stop = false;
	struct rig r;

	(void)state;
	rig_open(&r, "device=crypto_openssl,device=crypto_aesni_mb,engines=1", 2, 512);
	for (uint16_t i = 0; i < 2; i++) {
		stream_open(&senders[i].stream, &r, i, i == 0 ? RIG_IN_PLACE : RIG_MIXED);
		senders[i].stop = &stop;
		assert_int_equal(pthread_create(&senders[i].thread, NULL, send_run, &senders[i]),
				 0);
	}
	for (uint32_t round = 0; round < 30; round++) {
		change(r.dev_id, round);
		rte_delay_us_sleep(2000);
	}
	stop = true;
	for (int i = 0; i < 2; i++) {
		struct stream *s = &senders[i].stream;

		assert_int_equal(pthread_join(senders[i].thread, NULL), 0);
		assert_false(senders[i].is_stuck);
		print_message("queue pair %d: %lu operations\n", i, (unsigned long)s->next);
		assert_true(s->next >= 500);
		assert_int_equal(s->nb_wrong, 0);
		assert_int_equal(s->nb_right, s->next);
		stream_close(s);
	}
	rig_close(&r);
}

/* A port has one user; the driver keeps the two apart. */
struct pair {
	struct rig rig;
	struct rte_crypto_op *ops[STREAM_OPS];
	uint16_t nb;
};

static void *
dequeue_run(void *arg)
{
	struct pair *p = arg;
	struct rte_crypto_op *back[32];
	uint32_t got = 0;

	while (got < p->nb) {
		uint16_t n = rte_cryptodev_dequeue_burst(p->rig.dev_id, 0, back, 32);

		got += n;
		if (n == 0)
			sched_yield();
	}
	return NULL;
}

static void
one_thread_enqueues_and_another_dequeues(void **state)
{
	static const char *const setups[] = { "device=crypto_aesni_mb",
					      "device=crypto_aesni_mb,engines=1" };
	static struct stream s;
	static struct pair p;

	(void)state;
	for (int round = 0; round < 20; round++) {
		pthread_t thread;
		uint16_t sent = 0;

		if (round % 10 == 0) {
			rig_open(&p.rig, setups[round / 10], 1, 256);
			stream_open(&s, &p.rig, 0, RIG_MIXED);
		}
		p.nb = stream_make(&s, p.ops, STREAM_OPS);
		assert_int_equal(pthread_create(&thread, NULL, dequeue_run, &p), 0);
		while (sent < p.nb) {
			uint16_t want = (uint16_t)RTE_MIN(p.nb - sent, 16);
			uint16_t n =
				rte_cryptodev_enqueue_burst(p.rig.dev_id, 0, &p.ops[sent], want);

			sent = (uint16_t)(sent + n);
			if (n == 0)
				sched_yield();
		}
		assert_int_equal(pthread_join(thread, NULL), 0);
		stream_take(&s, p.ops, p.nb);
		assert_int_equal(s.nb_wrong, 0);
		assert_int_equal(s.nb_right, s.next);
		if (round % 10 == 9) {
			stream_close(&s);
			rig_close(&p.rig);
		}
	}
}

static void
engines_run_on_a_service_lcore(void **state)
{
	struct plx_err err = { "" };
	static struct stream s;
	struct rig r;
	uint32_t id;

	(void)state;
	assert_int_equal(rte_service_lcore_add(2), 0);
	assert_int_equal(rte_service_lcore_start(2), 0);
	rig_open(&r, "device=crypto_aesni_mb,service=on,engines=2", 1, 256);
	stream_open(&s, &r, 0, RIG_IN_PLACE);
	assert_true(stream_run(&s, 3000, 100));
	if (plx_pollux_engine_add(r.dev_id, PLX_POLLUX_ANY_CPU, &id, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(rte_service_get_count(), 3);
	assert_true(stream_run(&s, 3000, 100));
	assert_int_equal(plx_pollux_engine_add(r.dev_id, 0, &id, &err), -EINVAL);
	assert_int_equal(plx_pollux_engine_remove(r.dev_id, 0, &err), 0);
	assert_true(stream_run(&s, 3000, 100));
	rte_cryptodev_stop(r.dev_id);
	assert_int_equal(rte_cryptodev_start(r.dev_id), 0);
	assert_true(stream_run(&s, 3000, 100));
	stream_assert_right(&s);
	stream_close(&s);
	rig_close(&r);
	assert_int_equal(rte_service_get_count(), 0);
	assert_int_equal(rte_service_lcore_stop(2), 0);
	assert_int_equal(rte_service_lcore_del(2), 0);
}

static void
a_service_without_lcores_is_said_at_the_start(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, "device=crypto_aesni_mb,mode=inline,engines=0,service=on", 1, 256);
	rte_cryptodev_stop(r.dev_id);
	assert_int_equal(plx_pollux_set(r.dev_id, "mode=auto", NULL), 0);
	assert_int_equal(rte_cryptodev_start(r.dev_id), 0);
	assert_int_equal(
		plx_pollux_engine_add(r.dev_id, PLX_POLLUX_ANY_CPU, &(uint32_t){ 0 }, NULL),
		-ENODEV);
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_queue_pairs_on_two_threads_while_everything_changes),
		cmocka_unit_test(one_thread_enqueues_and_another_dequeues),
		cmocka_unit_test(engines_run_on_a_service_lcore),
		cmocka_unit_test(a_service_without_lcores_is_said_at_the_start),
	};

	return cmocka_run_group_tests_name("pollux_threads", tests, rig_eal, NULL);
}
