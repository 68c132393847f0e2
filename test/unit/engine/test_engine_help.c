/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
/*
 * A caller that lends a hand: when it does and when not, the order of what comes back, and that
 * everything may change meanwhile.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_cycles.h>

#include "rig.h"

#define BURST 32u
#define FIRST 4u /* ops of the first portion, before it is known what one costs */

static const char *const vdevs[] = {
	"crypto_openssl0,max_nb_queue_pairs=16",
	"crypto_aesni_mb0,max_nb_queue_pairs=16",
	"crypto_openssl1,max_nb_queue_pairs=1",
	"crypto_openssl2,max_nb_queue_pairs=2",
	"crypto_null0,max_nb_queue_pairs=16",
	"crypto_plx_fault0,inner=crypto_openssl,inner_args=max_nb_queue_pairs=16",
	NULL
};
static const char *const plain[] = { "crypto_aesni_mb0", "crypto_openssl0", NULL };

static void
open_rig(struct rig *r, const char *const *devices, uint32_t help_ops, enum plx_policy policy,
	 uint32_t nb_engines)
{
	struct plx_engines_params p;
	struct plx_err err = { "" };
	uint32_t id;

	plx_engines_params_default(&p);
	p.mode = PLX_MODE_PIPELINE;
	p.policy = policy;
	p.idle_us = 100;
	p.help_ops = help_ops;
	rig_open(r, &p, devices);
	for (uint32_t i = 0; i < nb_engines; i++)
		if (plx_engines_engine_add(r->es, PLX_ENGINE_ANY_LCORE, &id, &err) < 0)
			fail_msg("%s", err.text);
	assert_int_equal(plx_engines_start(r->es, &err), 0);
}

static uint64_t
nb_helped(struct rig *r)
{
	struct plx_port_info info;
	uint32_t pos = 0;

	assert_true(plx_ports_next(r->es, &pos, &info));
	return info.nb_helped;
}

static void
set_help(struct rig *r, uint32_t help_ops)
{
	struct plx_engines_params p;

	plx_engines_get(r->es, &p);
	p.help_ops = help_ops;
	assert_int_equal(plx_engines_set(r->es, &p, NULL), 0);
}

/* Ops in the order they were taken, and what came back of them. */
struct queue {
	struct rte_crypto_op *ops[4096];
	uint32_t nb_in;
	uint32_t nb_out;
};

static void
send(struct queue *q, struct rig *r, struct plx_port *port, uint32_t nb)
{
	for (uint32_t i = 0; i < nb; i++)
		q->ops[q->nb_in + i] = rig_op(r, 64, false);
	assert_int_equal(plx_port_enqueue_burst(port, &q->ops[q->nb_in], (uint16_t)nb), nb);
	q->nb_in += nb;
}

/* What is there now, each op the next one of those that were sent. */
static uint32_t
fetch(struct queue *q, struct rig *r, struct plx_port *port, uint16_t most)
{
	struct rte_crypto_op *ops[64];
	uint16_t n = plx_port_dequeue_burst(port, ops, most);

	for (uint16_t i = 0; i < n; i++) {
		assert_ptr_equal(ops[i], q->ops[q->nb_out++]);
		rig_take(r, ops[i]);
	}
	return n;
}

static void
fetch_all(struct queue *q, struct rig *r, struct plx_port *port, uint16_t most)
{
	uint64_t start = rte_get_timer_cycles();

	while (q->nb_out < q->nb_in) {
		(void)fetch(q, r, port, most);
		assert_true(rte_get_timer_cycles() - start < 20 * rte_get_timer_hz());
	}
	assert_int_equal(r->nb_right, q->nb_out);
	assert_int_equal(plx_port_outstanding(port), 0);
}

static void
caller_helps_when_the_lane_is_long_and_order_is_kept(void **state)
{
	static struct queue q;
	struct plx_port *port;
	struct rig r;

	(void)state;
	memset(&q, 0, sizeof(q));
	open_rig(&r, plain, 2 * BURST, PLX_POLICY_ROUND_ROBIN, 1);
	port = rig_port(&r, 0);
	plx_engines_stop(r.es);
	send(&q, &r, port, BURST);
	send(&q, &r, port, BURST);
	assert_int_equal(nb_helped(&r), 0);
	/* 64 wait: the beginning of this burst is the caller's */
	send(&q, &r, port, BURST);
	assert_int_equal(nb_helped(&r), FIRST);
	/* one portion at a time */
	send(&q, &r, port, BURST);
	assert_int_equal(nb_helped(&r), FIRST);
	/* its work is done in here, and waits for what came before it */
	assert_int_equal(fetch(&q, &r, port, 64), 0);
	/* a portion is an engine's burst at most: the rest is for the lane */
	send(&q, &r, port, BURST + 5);
	assert_in_range(nb_helped(&r), FIRST + 1, FIRST + BURST);
	assert_int_equal(fetch(&q, &r, port, 64), 0);

	assert_int_equal(plx_engines_start(r.es, NULL), 0);
	fetch_all(&q, &r, port, 7);
	/* and again from the beginning, with the lane's own order */
	send(&q, &r, port, BURST);
	fetch_all(&q, &r, port, 64);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

/* All ops are of one session: under policy session none may overtake another, whoever does it. */
static void
order_within_a_session_holds_under_traffic(void **state)
{
	static struct queue q;
	struct plx_port *port;
	struct rig r;

	(void)state;
	open_rig(&r, plain, 1, PLX_POLICY_SESSION, 3);
	port = rig_port(&r, 0);
	for (int round = 0; round < 40; round++) {
		memset(&q, 0, sizeof(q));
		r.nb_right = 0;
		/* an engine that starts late, so that there is something to help with */
		if (round % 4 == 0)
			plx_engines_stop(r.es);
		while (q.nb_in < 900) {
			send(&q, &r, port, 1 + q.nb_in % 50);
			(void)fetch(&q, &r, port, (uint16_t)(1 + q.nb_in % 13));
		}
		if (round % 4 == 0)
			assert_int_equal(plx_engines_start(r.es, NULL), 0);
		fetch_all(&q, &r, port, 64);
	}
	assert_in_range(nb_helped(&r), 40 / 4, 40 * 950);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

static void
each_policy_returns_each_op_once_with_help(void **state)
{
	(void)state;
	for (int policy = PLX_POLICY_ROUND_ROBIN; policy <= PLX_POLICY_SIZE; policy++) {
		struct plx_port *port;
		struct rig r;

		open_rig(&r, plain, 1, (enum plx_policy)policy, 2);
		port = rig_port(&r, 0);
		assert_true(rig_run(&r, port, 20000, 64, 700));
		assert_true(rig_run(&r, port, 2000, 2000, 700));
		assert_int_equal(r.nb_right, 22000);
		assert_int_equal(plx_port_destroy(port), 0);
		rig_close(&r);
	}
}

/* The first device is not plain software, or there is no queue pair for the caller: all goes
 * through the lane. */
static void
no_help_where_it_does_not_help(void **state)
{
	static const char *const sets[][3] = { { "crypto_plx_fault0", "crypto_aesni_mb0", NULL },
					       { "crypto_openssl1", NULL } };
	struct plx_err err = { "" };

	(void)state;
	for (size_t i = 0; i < RTE_DIM(sets); i++) {
		static struct queue q;
		struct plx_port *port;
		struct rig r;

		memset(&q, 0, sizeof(q));
		open_rig(&r, sets[i], 1, PLX_POLICY_ROUND_ROBIN, 1);
		port = rig_port(&r, 0);
		plx_engines_stop(r.es);
		for (int k = 0; k < 10; k++)
			send(&q, &r, port, BURST);
		assert_int_equal(nb_helped(&r), 0);
		assert_int_equal(plx_engines_start(r.es, NULL), 0);
		while (plx_port_outstanding(port) != 0)
			assert_true(rig_drain(&r, port));
		assert_int_equal(r.nb_right, q.nb_in);
		/* that it has no queue pair there keeps nobody from adding another device */
		if (i == 1) {
			struct plx_device *dev = plx_devices_find(r.devs, "crypto_openssl0");

			if (plx_engines_device_add(r.es, dev, &err) < 0)
				fail_msg("%s", err.text);
		}
		assert_int_equal(plx_port_destroy(port), 0);
		rig_close(&r);
	}
}

/* The helping engine stands by when devices and engines come and go, and settings change. */
static void
everything_changes_while_the_caller_helps(void **state)
{
	static struct queue q;
	struct plx_err err = { "" };
	struct plx_device *dev;
	struct plx_port *port;
	struct rig r;
	uint32_t id, first;
	uint64_t helped;

	(void)state;
	memset(&q, 0, sizeof(q));
	open_rig(&r, plain, 1, PLX_POLICY_LEAST_LOADED, 0);
	assert_int_equal(plx_engines_engine_add(r.es, PLX_ENGINE_ANY_LCORE, &first, &err), 0);
	port = rig_port(&r, 0);
	plx_engines_stop(r.es);
	send(&q, &r, port, BURST);
	send(&q, &r, port, BURST);
	assert_int_equal(nb_helped(&r), FIRST);
	/* the first device goes with the caller's ops on it, and comes back as the last one */
	dev = plx_devices_find(r.devs, "crypto_aesni_mb0");
	if (plx_engines_device_remove(r.es, dev, 1000000, &err) < 0 ||
	    plx_engines_device_add(r.es, dev, &err) < 0)
		fail_msg("%s", err.text);
	/* control's wait for the device has stepped the stopped engine: its lane is empty */
	send(&q, &r, port, BURST);
	send(&q, &r, port, BURST);
	helped = nb_helped(&r);
	assert_true(helped > FIRST);
	/* off, and on again: what is under way is not touched */
	set_help(&r, 0);
	send(&q, &r, port, BURST);
	set_help(&r, 1);
	assert_int_equal(nb_helped(&r), helped);
	assert_int_equal(plx_engines_start(r.es, &err), 0);
	/* the engine goes; its lane has runs of both kinds */
	if (plx_engines_engine_add(r.es, PLX_ENGINE_ANY_LCORE, &id, &err) < 0 ||
	    plx_engines_engine_remove(r.es, first, 1000000, &err) < 0)
		fail_msg("%s", err.text);
	fetch_all(&q, &r, port, 5);
	send(&q, &r, port, BURST);
	fetch_all(&q, &r, port, 5);
	/* finished and not fetched is forgotten with the port */
	plx_engines_stop(r.es);
	send(&q, &r, port, BURST);
	send(&q, &r, port, BURST);
	assert_true(nb_helped(&r) > helped);
	assert_int_equal(plx_engines_start(r.es, &err), 0);
	assert_int_equal(plx_port_destroy(port), 0);
	while (q.nb_out < q.nb_in)
		rig_take(&r, q.ops[q.nb_out++]);
	assert_int_equal(r.nb_right, q.nb_in);
	rig_close(&r);
}

static void
send_twice(struct queue *q, struct rig *r, struct plx_port *port)
{
	plx_engines_stop(r->es);
	send(q, r, port, BURST);
	send(q, r, port, BURST);
	assert_int_equal(plx_engines_start(r->es, NULL), 0);
}

/* What one device cannot do the caller does on the next one, as an engine does; a device that was
 * blocked is used again. */
static void
the_caller_uses_devices_as_engines_do(void **state)
{
	static const char *const sets[][3] = { { "crypto_null0", "crypto_plx_fault0", NULL },
					       { "crypto_null0", "crypto_openssl0", NULL },
					       { "crypto_aesni_mb0", "crypto_openssl0", NULL } };
	struct plx_err err = { "" };

	(void)state;
	for (size_t i = 0; i < RTE_DIM(sets); i++) {
		static struct queue q;
		struct plx_device *dev;
		struct plx_port *port;
		struct rig r;
		uint64_t helped;

		memset(&q, 0, sizeof(q));
		open_rig(&r, sets[i], 1, PLX_POLICY_ROUND_ROBIN, 1);
		port = rig_port(&r, 0);
		dev = plx_devices_find(r.devs, sets[i][0]);
		send_twice(&q, &r, port);
		fetch_all(&q, &r, port, 64);
		helped = nb_helped(&r);
		assert_int_equal(helped, FIRST);
		/* blocked: nobody is helped on it, and no op fails */
		assert_int_equal(plx_engines_device_block(r.es, dev, true, &err), 0);
		send_twice(&q, &r, port);
		fetch_all(&q, &r, port, 64);
		assert_int_equal(nb_helped(&r), helped);
		assert_int_equal(plx_engines_device_block(r.es, dev, false, &err), 0);
		send_twice(&q, &r, port);
		fetch_all(&q, &r, port, 64);
		assert_true(nb_helped(&r) > helped);
		assert_int_equal(plx_port_destroy(port), 0);
		rig_close(&r);
	}
}

/* Two queue pairs: an engine's and the caller's, who gives up his for a second engine and has it
 * back when that one goes. */
static void
queue_pairs_to_help_with_are_nobodys_loss(void **state)
{
	static const char *const devices[] = { "crypto_openssl2", NULL };
	static struct queue q;
	struct plx_engines_params p;
	struct plx_err err = { "" };
	struct plx_port *port;
	uint64_t helped;
	struct rig r;
	uint32_t id;

	(void)state;
	memset(&q, 0, sizeof(q));
	open_rig(&r, devices, 1, PLX_POLICY_ROUND_ROBIN, 1);
	port = rig_port(&r, 0);
	send_twice(&q, &r, port);
	fetch_all(&q, &r, port, 64);
	helped = nb_helped(&r);
	assert_int_equal(helped, FIRST);
	if (plx_engines_engine_add(r.es, PLX_ENGINE_ANY_LCORE, &id, &err) < 0)
		fail_msg("%s", err.text);
	for (int i = 0; i < 4; i++)
		send_twice(&q, &r, port);
	while (plx_port_outstanding(port) != 0)
		assert_true(rig_drain(&r, port));
	assert_int_equal(r.nb_right, q.nb_in);
	assert_int_equal(nb_helped(&r), helped);
	/* a mode that needs one for the port is refused, and nothing is kept of the try */
	plx_engines_get(r.es, &p);
	p.mode = PLX_MODE_INLINE;
	assert_int_equal(plx_engines_set(r.es, &p, &err), -EAGAIN);
	assert_int_equal(plx_engines_engine_remove(r.es, id, 1000000, &err), 0);
	memset(&q, 0, sizeof(q));
	r.nb_right = 0;
	send_twice(&q, &r, port);
	fetch_all(&q, &r, port, 64);
	assert_true(nb_helped(&r) > helped);
	/* without help it is free */
	set_help(&r, 0);
	helped = nb_helped(&r);
	if (plx_engines_engine_add(r.es, PLX_ENGINE_ANY_LCORE, &id, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(plx_engines_engine_remove(r.es, id, 1000000, &err), 0);
	/* inline takes it, and leaves it for help */
	p.help_ops = 1;
	assert_int_equal(plx_engines_set(r.es, &p, &err), 0);
	send_twice(&q, &r, port);
	fetch_all(&q, &r, port, 64);
	assert_int_equal(nb_helped(&r), helped);
	p.mode = PLX_MODE_PIPELINE;
	assert_int_equal(plx_engines_set(r.es, &p, &err), 0);
	send_twice(&q, &r, port);
	fetch_all(&q, &r, port, 64);
	assert_true(nb_helped(&r) > helped);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

/* Inline, pipeline with help, auto, in turn: the same engine of the port's own in both parts. */
static void
modes_take_turns_with_help(void **state)
{
	static const enum plx_mode modes[] = { PLX_MODE_PIPELINE, PLX_MODE_INLINE, PLX_MODE_AUTO };
	static struct queue q;
	struct plx_engines_params p;
	struct plx_port *port;
	struct rig r;

	(void)state;
	open_rig(&r, plain, 1, PLX_POLICY_SESSION, 2);
	port = rig_port(&r, 0);
	for (uint32_t i = 0; i < 60; i++) {
		memset(&q, 0, sizeof(q));
		r.nb_right = 0;
		for (int k = 0; k < 8; k++) {
			send(&q, &r, port, BURST);
			if (k % 3 == 0)
				(void)fetch(&q, &r, port, 9);
		}
		plx_engines_get(r.es, &p);
		p.mode = modes[i % RTE_DIM(modes)];
		assert_int_equal(plx_engines_set(r.es, &p, NULL), 0);
		fetch_all(&q, &r, port, 64);
	}
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

static void
number_of_ops_has_a_range(void **state)
{
	struct plx_engines_params p;
	struct plx_engines *es = NULL;
	struct plx_err err;

	(void)state;
	plx_engines_params_default(&p);
	p.help_ops = 65537;
	assert_int_equal(plx_engines_create(NULL, &p, &es, &err), -EINVAL);
	assert_non_null(strstr(err.text, "ops to help at is 65537; it takes 0 to 65536"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(caller_helps_when_the_lane_is_long_and_order_is_kept),
		cmocka_unit_test(order_within_a_session_holds_under_traffic),
		cmocka_unit_test(each_policy_returns_each_op_once_with_help),
		cmocka_unit_test(no_help_where_it_does_not_help),
		cmocka_unit_test(the_caller_uses_devices_as_engines_do),
		cmocka_unit_test(queue_pairs_to_help_with_are_nobodys_loss),
		cmocka_unit_test(everything_changes_while_the_caller_helps),
		cmocka_unit_test(modes_take_turns_with_help),
		cmocka_unit_test(number_of_ops_has_a_range),
	};

	rig_eal(6, vdevs);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
