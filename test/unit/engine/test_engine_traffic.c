/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
/*
 * Traffic through ports: the modes and policies, changes while ops are under way, and the contract
 * of a burst call. Devices are the stock software drivers, which do no wrong here.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_cycles.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>

#include "rig.h"

static const char *const vdevs[] = { "crypto_openssl0,max_nb_queue_pairs=16",
				     "crypto_aesni_mb0,max_nb_queue_pairs=16", "crypto_null0",
				     NULL };
static const char *const devices[] = { "crypto_aesni_mb0", "crypto_openssl0", NULL };

static void
open_rig(struct rig *r, enum plx_mode mode, enum plx_policy policy, uint32_t nb_engines)
{
	struct plx_engines_params p;
	struct plx_err err = { "" };
	uint32_t id;

	plx_engines_params_default(&p);
	p.mode = mode;
	p.policy = policy;
	p.idle_us = 100;
	rig_open(r, &p, devices);
	for (uint32_t i = 0; i < nb_engines; i++)
		if (plx_engines_engine_add(r->es, PLX_ENGINE_ANY_LCORE, &id, &err) < 0)
			fail_msg("%s", err.text);
	assert_int_equal(plx_engines_start(r->es, &err), 0);
}

static void
run_and_check(struct rig *r, struct plx_port *port, uint64_t nb, uint32_t len, uint32_t depth)
{
	uint64_t right = r->nb_right;

	assert_true(rig_run(r, port, nb, len, depth));
	assert_int_equal(r->nb_right - right, nb);
	assert_int_equal(r->nb_wrong, 0);
	assert_int_equal(r->nb_back, r->nb_made);
}

static void
inline_port_returns_each_op_once_with_right_bytes(void **state)
{
	struct rig r;
	struct plx_port *port;

	(void)state;
	open_rig(&r, PLX_MODE_INLINE, PLX_POLICY_ROUND_ROBIN, 0);
	port = rig_port(&r, 0);
	for (uint32_t len = 1; len <= 2048; len = len * 3 + 1)
		run_and_check(&r, port, 2000, len, 100);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

static void
pipeline_port_returns_each_op_once_under_each_policy(void **state)
{
	(void)state;
	for (int policy = PLX_POLICY_ROUND_ROBIN; policy <= PLX_POLICY_SIZE; policy++) {
		struct rig r;
		struct plx_port *port;

		open_rig(&r, PLX_MODE_PIPELINE, (enum plx_policy)policy, 3);
		port = rig_port(&r, 0);
		run_and_check(&r, port, 20000, 64, 700);
		run_and_check(&r, port, 2000, 2000, 700);
		assert_int_equal(plx_port_destroy(port), 0);
		rig_close(&r);
	}
}

static enum plx_mode
mode_now(struct rig *r)
{
	struct plx_port_info info;
	uint32_t pos = 0;

	assert_true(plx_ports_next(r->es, &pos, &info));
	return info.mode_now;
}

/* Load as asked for, until the port works the given way; false after 10 s. */
static bool
becomes(struct rig *r, struct plx_port *port, enum plx_mode mode, uint32_t len, uint32_t pause_us)
{
	for (uint64_t start = rte_get_timer_cycles();
	     rte_get_timer_cycles() - start < 10 * rte_get_timer_hz();) {
		run_and_check(r, port, 32, len, 900);
		if (pause_us != 0)
			rte_delay_us_sleep(pause_us);
		if (mode_now(r) == mode)
			return true;
	}
	return false;
}

static void
auto_goes_to_the_pipeline_under_load_and_back_when_it_is_light(void **state)
{
	struct rte_crypto_op *ops[32];
	struct plx_port *port;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_AUTO, PLX_POLICY_ROUND_ROBIN, 2);
	port = rig_port(&r, 0);
	run_and_check(&r, port, 100, 64, 8);
	assert_int_equal(mode_now(&r), PLX_MODE_INLINE);

	/* the same ops again and again: nothing but crypto work on this core */
	for (uint32_t i = 0; i < RTE_DIM(ops); i++)
		ops[i] = rig_op(&r, 2000, false);
	for (uint64_t start = rte_get_timer_cycles(); mode_now(&r) == PLX_MODE_INLINE;) {
		uint16_t n = plx_port_enqueue_burst(port, ops, RTE_DIM(ops));

		while (n > 0)
			n = (uint16_t)(n - plx_port_dequeue_burst(port, ops, n));
		assert_true(rte_get_timer_cycles() - start < 10 * rte_get_timer_hz());
	}
	/* encrypted many times over: these bytes are not to be looked at */
	for (uint32_t i = 0; i < RTE_DIM(ops); i++) {
		ops[i]->status = RTE_CRYPTO_OP_STATUS_ERROR;
		rig_take(&r, ops[i]);
	}
	assert_true(becomes(&r, port, PLX_MODE_INLINE, 64, 1000));
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

static void
full_lane_takes_a_prefix_and_leaves_the_rest_untouched(void **state)
{
	struct rte_crypto_op *ops[64];
	struct plx_port *port;
	uint32_t taken = 0;
	struct rig r;
	uint16_t n;

	(void)state;
	open_rig(&r, PLX_MODE_PIPELINE, PLX_POLICY_ROUND_ROBIN, 1);
	port = rig_port(&r, 0);
	plx_engines_stop(r.es);
	do {
		for (uint32_t i = 0; i < RTE_DIM(ops); i++)
			ops[i] = rig_op(&r, 64, false);
		n = plx_port_enqueue_burst(port, ops, RTE_DIM(ops));
		taken += n;
	} while (n == RTE_DIM(ops));
	assert_int_equal(taken, 1024);
	for (uint32_t i = n; i < RTE_DIM(ops); i++) {
		assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
		rig_take(&r, ops[i]);
	}
	assert_int_equal(r.nb_untouched, RTE_DIM(ops) - n);
	assert_int_equal(plx_engines_start(r.es, NULL), 0);
	assert_true(rig_drain(&r, port));
	assert_int_equal(r.nb_right, taken);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

static void
modes_change_under_way_without_losing_an_op(void **state)
{
	static const enum plx_mode modes[] = { PLX_MODE_PIPELINE, PLX_MODE_INLINE, PLX_MODE_AUTO };
	struct plx_engines_params p;
	struct plx_port *port;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_INLINE, PLX_POLICY_ROUND_ROBIN, 2);
	port = rig_port(&r, 0);
	for (uint32_t i = 0; i < 60; i++) {
		struct rte_crypto_op *ops[16];

		for (uint32_t k = 0; k < RTE_DIM(ops); k++)
			ops[k] = rig_op(&r, 64, false);
		for (uint16_t done = 0; done < RTE_DIM(ops);) {
			uint16_t left = (uint16_t)(RTE_DIM(ops) - done);

			done = (uint16_t)(done + plx_port_enqueue_burst(port, &ops[done], left));
			if (done < RTE_DIM(ops))
				assert_true(rig_drain(&r, port));
		}
		plx_engines_get(r.es, &p);
		p.mode = modes[i % RTE_DIM(modes)];
		p.policy = 1 + i % 4;
		assert_int_equal(plx_engines_set(r.es, &p, NULL), 0);
	}
	assert_true(rig_drain(&r, port));
	assert_int_equal(r.nb_right, 60 * 16);
	assert_int_equal(r.nb_wrong, 0);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

static void
engines_come_and_go_under_way_without_losing_an_op(void **state)
{
	struct plx_err err = { "" };
	struct plx_port *port;
	struct rig r;
	uint32_t id, last = 0;

	(void)state;
	open_rig(&r, PLX_MODE_PIPELINE, PLX_POLICY_LEAST_LOADED, 1);
	port = rig_port(&r, 0);
	for (uint32_t i = 0; i < 20; i++) {
		struct rte_crypto_op *ops[200];
		uint16_t n;

		for (uint32_t k = 0; k < RTE_DIM(ops); k++)
			ops[k] = rig_op(&r, 64, false);
		n = plx_port_enqueue_burst(port, ops, RTE_DIM(ops));
		if (plx_engines_engine_add(r.es, PLX_ENGINE_ANY_LCORE, &id, &err) < 0)
			fail_msg("%s", err.text);
		n = (uint16_t)(n +
			       plx_port_enqueue_burst(port, &ops[n], (uint16_t)(RTE_DIM(ops) - n)));
		assert_int_equal(n, RTE_DIM(ops));
		if (plx_engines_engine_remove(r.es, last, 1000000, &err) < 0)
			fail_msg("%s", err.text);
		last = id;
		assert_true(rig_drain(&r, port));
	}
	assert_int_equal(r.nb_right, 20 * 200);
	assert_int_equal(r.nb_wrong, 0);
	assert_int_equal(plx_engines_engine_remove(r.es, last, 1000, &err), -EBUSY);
	assert_int_equal(plx_engines_engine_remove(r.es, 999, 1000, &err), -ENOENT);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

static void
lanes_nobody_fetches_from_are_bounded(void **state)
{
	struct plx_err err = { "" };
	struct plx_port *port;
	struct rig r;
	uint32_t first, id;
	int ret = 0, i;

	(void)state;
	open_rig(&r, PLX_MODE_PIPELINE, PLX_POLICY_LEAST_LOADED, 0);
	assert_int_equal(plx_engines_engine_add(r.es, PLX_ENGINE_ANY_LCORE, &first, &err), 0);
	port = rig_port(&r, 0);
	for (i = 0; i < 100; i++) {
		struct rte_crypto_op *op = rig_op(&r, 64, false);

		ret = plx_engines_engine_add(r.es, PLX_ENGINE_ANY_LCORE, &id, &err);
		assert_int_equal(plx_port_enqueue_burst(port, &op, 1), 1);
		if (ret < 0)
			break;
		/* one op each, and never fetched */
		ret = plx_engines_engine_remove(r.es, first, 1000000, &err);
		first = id;
		if (ret < 0)
			break;
	}
	assert_int_equal(ret, -EBUSY);
	assert_non_null(strstr(err.text, "has not fetched"));
	assert_true(rig_drain(&r, port));
	assert_int_equal(r.nb_right, r.nb_made);
	assert_int_equal(plx_engines_engine_add(r.es, PLX_ENGINE_ANY_LCORE, &id, &err), 0);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

static void
last_engine_stays_for_a_port_in_pipeline_mode(void **state)
{
	struct plx_engines_params p;
	struct plx_err err = { "" };
	struct plx_engine_info info;
	struct plx_port *port;
	uint32_t pos = 0;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_AUTO, PLX_POLICY_ROUND_ROBIN, 1);
	port = rig_port(&r, 0);
	assert_true(plx_engines_next(r.es, &pos, &info));
	plx_engines_get(r.es, &p);
	p.mode = PLX_MODE_PIPELINE;
	assert_int_equal(plx_engines_set(r.es, &p, &err), 0);
	assert_int_equal(plx_engines_engine_remove(r.es, info.id, 1000000, &err), -EBUSY);
	run_and_check(&r, port, 100, 64, 10);
	/* and the other way round: no engine, then no pipeline */
	p.mode = PLX_MODE_INLINE;
	assert_int_equal(plx_engines_set(r.es, &p, &err), 0);
	assert_int_equal(plx_engines_engine_remove(r.es, info.id, 1000000, &err), 0);
	p.mode = PLX_MODE_PIPELINE;
	assert_int_equal(plx_engines_set(r.es, &p, &err), -EINVAL);
	assert_non_null(strstr(err.text, "needs an engine"));
	run_and_check(&r, port, 100, 64, 10);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

static void
session_no_device_has_comes_back_as_invalid_session(void **state)
{
	struct rte_crypto_op *op;
	struct plx_session none;
	struct plx_port *port;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_INLINE, PLX_POLICY_ROUND_ROBIN, 0);
	port = rig_port(&r, 0);
	memset(&none, 0, sizeof(none));
	none.op_type = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
	op = rig_op(&r, 64, false);
	plx_session_attach(op, &none);
	assert_int_equal(plx_port_enqueue_burst(port, &op, 1), 1);
	assert_int_equal(plx_port_dequeue_burst(port, &op, 1), 1);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	assert_ptr_equal(op->sym->session, &none);
	plx_session_attach(op, r.sess);
	rig_take(&r, op);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

/* crypto_aesni_mb is first in the set, and breaks chains: they run on crypto_openssl, a lone one
 * comes back. */
static void
chained_data_goes_to_a_device_that_can(void **state)
{
	struct rte_crypto_op *op;
	struct rte_mbuf *tail;
	struct plx_engine_stats s;
	struct plx_port *port;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_INLINE, PLX_POLICY_ROUND_ROBIN, 0);
	port = rig_port(&r, 0);
	op = rig_op(&r, 512, false);
	/* the second half of its data into a second mbuf */
	tail = rte_pktmbuf_alloc(r.mbufs);
	memcpy(rte_pktmbuf_append(tail, 256), rte_pktmbuf_mtod_offset(op->sym->m_src, void *, 256),
	       256);
	rte_pktmbuf_trim(op->sym->m_src, 256);
	assert_int_equal(rte_pktmbuf_chain(op->sym->m_src, tail), 0);
	assert_int_equal(plx_port_enqueue_burst(port, &op, 1), 1);
	assert_int_equal(plx_port_dequeue_burst(port, &op, 1), 1);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	rig_stats(&r, &s);
	assert_int_equal(s.nb_fallback[PLX_FALLBACK_CAPABILITY], 1);
	assert_int_equal(rte_pktmbuf_linearize(op->sym->m_src), 0);
	rig_take(&r, op);
	assert_int_equal(r.nb_right, 1);

	op = rig_op(&r, 64, false);
	rte_pktmbuf_free(op->sym->m_src);
	op->sym->m_src = NULL;
	assert_int_equal(plx_port_enqueue_burst(port, &op, 1), 1);
	assert_int_equal(plx_port_dequeue_burst(port, &op, 1), 1);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	rig_take(&r, op);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

static void
expired_op_comes_back_not_processed_and_as_it_was(void **state)
{
	struct plx_engines_params p;
	struct plx_engine_stats s;
	struct plx_port *port;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_PIPELINE, PLX_POLICY_ROUND_ROBIN, 1);
	port = rig_port(&r, 0);
	plx_engines_get(r.es, &p);
	p.deadline_us = 1000;
	assert_int_equal(plx_engines_set(r.es, &p, NULL), 0);
	plx_engines_stop(r.es);
	for (int i = 0; i < 100; i++) {
		struct rte_crypto_op *op = rig_op(&r, 64, false);

		assert_int_equal(plx_port_enqueue_burst(port, &op, 1), 1);
	}
	rte_delay_ms(5);
	assert_int_equal(plx_engines_start(r.es, NULL), 0);
	assert_true(rig_drain(&r, port));
	assert_int_equal(r.nb_untouched, 100);
	rig_stats(&r, &s);
	assert_int_equal(s.nb_expired, 100);
	assert_int_equal(s.nb_submitted, 0);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

static void
bad_params_are_refused_with_field_value_and_range(void **state)
{
	struct plx_engines_params p;
	struct plx_engines *es = NULL;
	struct plx_err err;

	(void)state;
	plx_engines_params_default(&p);
	p.burst = 257;
	assert_int_equal(plx_engines_create(NULL, &p, &es, &err), -EINVAL);
	assert_non_null(strstr(err.text, "burst is 257; it takes 1 to 256"));
	plx_engines_params_default(&p);
	p.lane_slots = 1000;
	assert_int_equal(plx_engines_create(NULL, &p, &es, &err), -EINVAL);
	assert_non_null(strstr(err.text, "1000"));
	plx_engines_params_default(&p);
	p.mode = 17;
	assert_int_equal(plx_engines_create(NULL, &p, &es, &err), -EINVAL);
	assert_null(es);
}

static void
counts_stay_when_their_engine_is_gone(void **state)
{
	struct plx_engine_stats sum = { 0 };
	struct plx_hist *latency = test_calloc(1, sizeof(*latency));
	struct plx_port *port;
	struct plx_err err = { "" };
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_PIPELINE, PLX_POLICY_ROUND_ROBIN, 2);
	port = rig_port(&r, PLX_MODE_INLINE);
	run_and_check(&r, port, 100, 64, 10);
	assert_int_equal(plx_port_destroy(port), 0);
	port = rig_port(&r, PLX_MODE_PIPELINE);
	run_and_check(&r, port, 200, 64, 10);
	assert_int_equal(plx_engines_engine_remove(r.es, 0, 1000000, &err), 0);

	assert_int_equal(plx_engines_stats(r.es, PLX_ENGINE_ANY, &sum), 0);
	assert_int_equal(sum.nb_success, 300);
	assert_int_equal(plx_engines_stats(r.es, PLX_ENGINE_GONE, &sum), 0);
	assert_in_range(sum.nb_success, 101, 299);
	assert_int_equal(plx_engines_latency(r.es, PLX_ENGINE_ANY, latency), 0);
	assert_true(plx_hist_quantile(latency, 500) > 0);
	assert_int_equal(plx_engines_stats(r.es, 0, &sum), -ENOENT);
	plx_engines_clear_stats(r.es);
	assert_int_equal(plx_engines_stats(r.es, PLX_ENGINE_ANY, &sum), 0);
	assert_int_equal(sum.nb_success, 0);

	assert_int_equal(plx_port_destroy(port), 0);
	test_free(latency);
	rig_close(&r);
}

/* Runs an engine in a thread: the whole loop, or step by step as a service would. */
struct thread_runner {
	struct plx_engine_work work;
	pthread_t thread;
	_Atomic bool is_told;
	bool by_steps;
	uint32_t nb_starts;
	int refusal;
};

static void *
runner_run(void *arg)
{
	struct thread_runner *t = arg;

	if (!t->by_steps)
		t->work.loop(t->work.engine);
	while (t->by_steps && !t->is_told)
		if (!t->work.step(t->work.engine))
			sched_yield();
	return NULL;
}

static int
runner_start(void *ctx, const struct plx_engine_work *work, struct plx_err *err)
{
	struct thread_runner *t = ctx;

	if (t->refusal != 0)
		return plx_err_set(err, t->refusal, "this runner does not run");
	t->work = *work;
	t->is_told = false;
	t->nb_starts++;
	return -pthread_create(&t->thread, NULL, runner_run, t);
}

static void
runner_stop(void *ctx)
{
	struct thread_runner *t = ctx;

	t->is_told = true;
	assert_int_equal(pthread_join(t->thread, NULL), 0);
}

static void
runners_run_engines_as_lcores_do(void **state)
{
	struct thread_runner threads[2] = { { .by_steps = false }, { .by_steps = true } };
	struct plx_engine_runner runner = { sizeof(runner), -1, runner_start, runner_stop, NULL };
	struct plx_engine_info info;
	struct plx_err err = { "" };
	struct plx_port *port;
	uint32_t id[2], pos = 0;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_PIPELINE, PLX_POLICY_ROUND_ROBIN, 0);
	for (int i = 0; i < 2; i++) {
		runner.ctx = &threads[i];
		if (plx_engines_engine_add_runner(r.es, &runner, &id[i], &err) < 0)
			fail_msg("%s", err.text);
	}
	port = rig_port(&r, 0);
	run_and_check(&r, port, 5000, 64, 500);
	while (plx_engines_next(r.es, &pos, &info)) {
		assert_true(info.is_running);
		assert_int_equal(info.lcore_id, PLX_ENGINE_ANY_LCORE);
		assert_true(info.stats.nb_success > 0);
	}
	/* either can go, and a stopped group starts again */
	assert_int_equal(plx_engines_engine_remove(r.es, id[0], 1000000, &err), 0);
	run_and_check(&r, port, 1000, 64, 500);
	plx_engines_stop(r.es);
	assert_int_equal(plx_engines_start(r.es, &err), 0);
	run_and_check(&r, port, 1000, 64, 500);
	assert_int_equal(threads[0].nb_starts, 1);
	assert_int_equal(threads[1].nb_starts, 2);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

static void
runner_that_refuses_adds_no_engine(void **state)
{
	struct thread_runner t = { .refusal = -EPERM };
	struct plx_engine_runner runner = { sizeof(runner), -1, runner_start, runner_stop, &t };
	struct plx_engine_info info;
	struct plx_err err = { "" };
	uint32_t id, pos = 0;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_INLINE, PLX_POLICY_ROUND_ROBIN, 0);
	assert_int_equal(plx_engines_engine_add_runner(r.es, &runner, &id, &err), -EPERM);
	assert_string_equal(err.text, "this runner does not run");
	runner.stop = NULL;
	assert_int_equal(plx_engines_engine_add_runner(r.es, &runner, &id, &err), -EINVAL);
	runner.size = 1;
	assert_int_equal(plx_engines_engine_add_runner(r.es, &runner, &id, &err), -EINVAL);
	assert_false(plx_engines_next(r.es, &pos, &info));
	rig_close(&r);
}

static void
ops_of_a_stopped_group_end_by_help_and_a_lane_is_as_long_as_its_port_asks(void **state)
{
	struct plx_port_params p = { .size = sizeof(p), .cls = PLX_CLASS_HIGH, .socket_id = -1 };
	struct plx_port *port = NULL;
	struct plx_err err = { "" };
	struct rig r;
	uint32_t taken = 0;

	(void)state;
	open_rig(&r, PLX_MODE_PIPELINE, PLX_POLICY_ROUND_ROBIN, 1);
	p.lane_slots = 100;
	assert_int_equal(plx_port_create(r.es, &p, &port, &err), -EINVAL);
	assert_non_null(strstr(err.text, "100"));
	p.lane_slots = 128;
	assert_int_equal(plx_port_create(r.es, &p, &port, &err), 0);
	plx_engines_stop(r.es);
	for (;;) {
		struct rte_crypto_op *op = rig_op(&r, 64, false);

		if (plx_port_enqueue_burst(port, &op, 1) == 0) {
			rig_take(&r, op);
			break;
		}
		taken++;
	}
	assert_int_equal(taken, 128);
	for (int i = 0; i < 1000 && plx_port_outstanding(port) != 0; i++) {
		struct rte_crypto_op *ops[32];
		uint16_t n;

		plx_engines_help(r.es);
		n = plx_port_dequeue_burst(port, ops, RTE_DIM(ops));
		while (n > 0)
			rig_take(&r, ops[--n]);
	}
	assert_int_equal(r.nb_right, 128);
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runners_run_engines_as_lcores_do),
		cmocka_unit_test(runner_that_refuses_adds_no_engine),
		cmocka_unit_test(
			ops_of_a_stopped_group_end_by_help_and_a_lane_is_as_long_as_its_port_asks),
		cmocka_unit_test(bad_params_are_refused_with_field_value_and_range),
		cmocka_unit_test(inline_port_returns_each_op_once_with_right_bytes),
		cmocka_unit_test(pipeline_port_returns_each_op_once_under_each_policy),
		cmocka_unit_test(auto_goes_to_the_pipeline_under_load_and_back_when_it_is_light),
		cmocka_unit_test(full_lane_takes_a_prefix_and_leaves_the_rest_untouched),
		cmocka_unit_test(modes_change_under_way_without_losing_an_op),
		cmocka_unit_test(engines_come_and_go_under_way_without_losing_an_op),
		cmocka_unit_test(lanes_nobody_fetches_from_are_bounded),
		cmocka_unit_test(last_engine_stays_for_a_port_in_pipeline_mode),
		cmocka_unit_test(session_no_device_has_comes_back_as_invalid_session),
		cmocka_unit_test(counts_stay_when_their_engine_is_gone),
		cmocka_unit_test(chained_data_goes_to_a_device_that_can),
		cmocka_unit_test(expired_op_comes_back_not_processed_and_as_it_was),
	};

	rig_eal(6, vdevs);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
