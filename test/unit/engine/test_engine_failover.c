/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
/*
 * What goes wrong with devices, and that a front sees nothing of it, or the right error: refusals,
 * failures, stalls and losses made by crypto_plx_fault, and the two defects of the stock OpenSSL
 * driver.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>

#include "plx_fault.h"
#include "rig.h"

static const char *const vdevs[] = { "crypto_plx_fault0,inner=crypto_openssl",
				     "crypto_aesni_mb0,max_nb_queue_pairs=8",
				     "crypto_openssl0,max_nb_queue_pairs=8", NULL };

static void
open_rig(struct rig *r, enum plx_mode mode, const char *first, const char *second)
{
	const char *devices[] = { first, second, NULL };
	struct plx_engines_params p;
	struct plx_err err = { "" };
	uint32_t id;

	plx_engines_params_default(&p);
	p.mode = mode;
	p.stall_us = 2000;
	p.lost_us = 300000;
	p.lane_slots = 4096;
	rig_open(r, &p, devices);
	if (plx_engines_engine_add(r->es, PLX_ENGINE_ANY_LCORE, &id, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(plx_engines_start(r->es, &err), 0);
}

static struct plx_device *
faulty(struct rig *r)
{
	struct plx_device *dev = plx_devices_find(r->devs, "crypto_plx_fault0");

	assert_non_null(dev);
	return dev;
}

static void
fault(struct rig *r, const char *spec)
{
	struct plx_err err = { "" };

	if (plx_fault_set(faulty(r)->dev_id, spec, &err) < 0)
		fail_msg("%s", err.text);
}

static uint64_t
injected(struct rig *r, enum plx_fault_kind kind)
{
	struct plx_fault_stats s = { .size = sizeof(s) };

	assert_int_equal(plx_fault_stats(faulty(r)->dev_id, &s), 0);
	return s.nb_injected[kind];
}

static void
close_rig(struct rig *r, struct plx_port *port)
{
	fault(r, "off");
	assert_int_equal(plx_port_destroy(port), 0);
	rig_close(r);
}

static void
stock_driver_in_place_op_is_encrypted_once_when_its_queue_is_full(void **state)
{
	struct rte_crypto_op *ops[64];
	struct plx_engine_stats s;
	struct plx_port *port;
	uint32_t taken = 0;
	struct rig r;
	uint16_t n, k;

	(void)state;
	open_rig(&r, PLX_MODE_INLINE, "crypto_openssl0", NULL);
	port = rig_port(&r, 0);
	/* as many as it has descriptors or more, and nothing taken back meanwhile */
	do {
		for (k = 0; k < RTE_DIM(ops); k++)
			ops[k] = rig_op(&r, 64, false);
		n = plx_port_enqueue_burst(port, ops, RTE_DIM(ops));
		taken += n;
	} while (n == RTE_DIM(ops));
	assert_true(taken >= 2048);
	/* offered again until taken, as an application would */
	while (n < RTE_DIM(ops)) {
		struct rte_crypto_op *back[8];
		uint16_t got = plx_port_dequeue_burst(port, back, RTE_DIM(back));

		for (k = 0; k < got; k++)
			rig_take(&r, back[k]);
		n = (uint16_t)(n +
			       plx_port_enqueue_burst(port, &ops[n], (uint16_t)(RTE_DIM(ops) - n)));
	}
	assert_true(rig_drain(&r, port));
	assert_int_equal(r.nb_right, r.nb_made);
	rig_stats(&r, &s);
	assert_int_equal(s.nb_touched, 0);
	close_rig(&r, port);
}

/* The stock driver's defect itself, without an engine: the test above means something only while
 * this holds. */
static void
stock_driver_alone_encrypts_a_refused_op_twice(void **state)
{
	struct rte_crypto_op *ops[4096], *back[64];
	struct plx_device *dev;
	uint32_t done = 0, i;
	struct rig r;
	uint16_t n;

	(void)state;
	open_rig(&r, PLX_MODE_INLINE, "crypto_openssl0", NULL);
	dev = plx_devices_find(r.devs, "crypto_openssl0");
	for (i = 0; i < RTE_DIM(ops); i++) {
		ops[i] = rig_op(&r, 64, false);
		ops[i]->sym->session = plx_session_on(r.sess, dev->sess_dom, dev->qp_sess_base + 7);
	}
	while (done < RTE_DIM(ops)) {
		done += rte_cryptodev_enqueue_burst(dev->dev_id, 7, &ops[done],
						    (uint16_t)(RTE_DIM(ops) - done));
		n = rte_cryptodev_dequeue_burst(dev->dev_id, 7, back, RTE_DIM(back));
		for (i = 0; i < n; i++) {
			plx_session_attach(back[i], r.sess);
			rig_take(&r, back[i]);
		}
	}
	while ((n = rte_cryptodev_dequeue_burst(dev->dev_id, 7, back, RTE_DIM(back))) != 0) {
		for (i = 0; i < n; i++) {
			plx_session_attach(back[i], r.sess);
			rig_take(&r, back[i]);
		}
	}
	assert_int_equal(r.nb_back, r.nb_made);
	assert_true(r.nb_wrong > 0);
	rig_close(&r);
}

static void
stock_driver_failing_op_does_not_hang_those_behind_it(void **state)
{
	struct rte_crypto_sym_xform x = { .type = RTE_CRYPTO_SYM_XFORM_CIPHER };
	static const uint8_t key[16] = { 1 };
	struct rte_crypto_op *ops[32], *back[32];
	struct plx_session *cbc;
	struct plx_port *port;
	uint16_t n = 0;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_INLINE, "crypto_openssl0", NULL);
	port = rig_port(&r, 0);
	x.cipher.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT;
	x.cipher.algo = RTE_CRYPTO_CIPHER_AES_CBC;
	x.cipher.key.data = key;
	x.cipher.key.length = sizeof(key);
	x.cipher.iv.offset = RIG_IV_OFFSET;
	x.cipher.iv.length = RIG_IV_BYTES;
	assert_int_equal(plx_session_create_sym(r.devs, &x, &cbc, NULL), 0);

	/* twice: the length is looked at before the device sees the op, and then it is not */
	for (int pass = 0; pass < 2; pass++) {
		uint16_t back_nb = 0;

		if (pass == 1)
			cbc->block_bytes = 1;
		for (n = 0; n < RTE_DIM(ops); n++)
			ops[n] = rig_op(&r, 33, false);
		plx_session_attach(ops[7], cbc);
		assert_int_equal(plx_port_enqueue_burst(port, ops, RTE_DIM(ops)), RTE_DIM(ops));
		for (int tries = 0; back_nb < RTE_DIM(ops) && tries < 1000; tries++)
			back_nb = (uint16_t)(back_nb + plx_port_dequeue_burst(
							       port, &back[back_nb],
							       (uint16_t)(RTE_DIM(ops) - back_nb)));
		assert_int_equal(back_nb, RTE_DIM(ops));
		for (n = 0; n < RTE_DIM(ops); n++) {
			if (back[n] == ops[7]) {
				assert_int_not_equal(back[n]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
				assert_ptr_equal(back[n]->sym->session, cbc);
				plx_session_attach(back[n], r.sess);
			}
			rig_take(&r, back[n]);
		}
		assert_int_equal(r.nb_right, 31u * (unsigned int)(pass + 1));
	}
	plx_session_destroy(r.devs, cbc);
	close_rig(&r, port);
}

/* Ops through a primary with one fault; what came back right or with an error must add up. */
static void
run_with(struct rig *r, struct plx_port **port, enum plx_mode mode, const char *spec, uint64_t nb)
{
	open_rig(r, mode, "crypto_plx_fault0", "crypto_aesni_mb0");
	*port = rig_port(r, 0);
	fault(r, spec);
	assert_true(rig_run(r, *port, nb, 64, 500));
	assert_int_equal(r->nb_back, nb);
	assert_int_equal(r->nb_wrong, 0);
}

static void
refused_ops_run_on_the_next_device(void **state)
{
	struct plx_engine_stats s;
	struct plx_port *port;
	struct rig r;

	(void)state;
	for (int mode = PLX_MODE_PIPELINE; mode <= PLX_MODE_INLINE; mode++) {
		run_with(&r, &port, (enum plx_mode)mode, "refuse=5%", 20000);
		rig_stats(&r, &s);
		assert_int_equal(r.nb_right, 20000);
		assert_true(injected(&r, PLX_FAULT_REFUSE) > 0);
		assert_true(s.nb_refused >= injected(&r, PLX_FAULT_REFUSE));
		assert_int_equal(s.nb_fallback[PLX_FALLBACK_REFUSED], s.nb_refused);
		close_rig(&r, port);
	}
}

static void
op_refused_and_yet_done_is_never_offered_again(void **state)
{
	struct plx_engine_stats s;
	struct plx_port *port;
	struct rig r;

	(void)state;
	run_with(&r, &port, PLX_MODE_INLINE, "touch=1%", 20000);
	rig_stats(&r, &s);
	assert_true(s.nb_touched > 0);
	assert_int_equal(s.nb_touched, injected(&r, PLX_FAULT_TOUCH));
	assert_int_equal(r.nb_status[RTE_CRYPTO_OP_STATUS_ERROR], s.nb_touched);
	assert_int_equal(r.nb_right, 20000 - s.nb_touched);
	close_rig(&r, port);
}

static void
op_refused_with_an_error_status_ends_and_the_rest_goes_on(void **state)
{
	struct plx_engine_stats s;
	struct plx_port *port;
	struct rig r;

	(void)state;
	run_with(&r, &port, PLX_MODE_PIPELINE, "bad_status=1%", 20000);
	rig_stats(&r, &s);
	assert_true(injected(&r, PLX_FAULT_BAD_STATUS) > 0);
	assert_int_equal(s.nb_failed, injected(&r, PLX_FAULT_BAD_STATUS));
	assert_int_equal(r.nb_right, 20000 - s.nb_failed);
	close_rig(&r, port);
}

static void
failure_of_a_device_is_the_ops_own_status(void **state)
{
	struct plx_port *port;
	struct rig r;

	(void)state;
	run_with(&r, &port, PLX_MODE_INLINE, "fail=1%:invalid", 20000);
	assert_true(r.nb_status[RTE_CRYPTO_OP_STATUS_INVALID_ARGS] > 0);
	assert_int_equal(r.nb_status[RTE_CRYPTO_OP_STATUS_INVALID_ARGS],
			 injected(&r, PLX_FAULT_FAIL));
	assert_int_equal(r.nb_right + injected(&r, PLX_FAULT_FAIL), 20000);
	close_rig(&r, port);
}

static void
ops_out_of_order_and_twice_find_their_lane_once(void **state)
{
	struct plx_engine_stats s;
	struct plx_port *port;
	struct rig r;

	(void)state;
	run_with(&r, &port, PLX_MODE_PIPELINE, "reorder=10%:16,foreign=1/500:twice", 20000);
	rig_stats(&r, &s);
	assert_int_equal(r.nb_right, 20000);
	assert_true(s.nb_misordered > 0);
	assert_int_equal(s.nb_foreign, injected(&r, PLX_FAULT_FOREIGN));
	close_rig(&r, port);
}

static void
op_a_device_was_never_given_is_dropped(void **state)
{
	struct plx_engine_stats s;
	struct plx_port *port;
	struct rig r;

	(void)state;
	run_with(&r, &port, PLX_MODE_INLINE, "foreign=1/500:unknown", 20000);
	rig_stats(&r, &s);
	assert_int_equal(r.nb_right, 20000);
	assert_true(s.nb_foreign > 0);
	close_rig(&r, port);
}

static void
stalled_device_is_passed_by_and_comes_back(void **state)
{
	struct plx_engine_stats s;
	struct plx_port *port;
	struct rig r;

	(void)state;
	run_with(&r, &port, PLX_MODE_PIPELINE, "stall=1/5000:20ms", 40000);
	rig_stats(&r, &s);
	assert_int_equal(r.nb_right, 40000);
	assert_true(injected(&r, PLX_FAULT_STALL) > 0);
	assert_true(s.nb_fallback[PLX_FALLBACK_STALLED] > 0);
	assert_int_equal(s.nb_lost, 0);
	assert_int_equal(atomic_load(&faulty(&r)->health), PLX_HEALTH_UP);
	close_rig(&r, port);
}

static void
device_is_not_blamed_for_a_caller_that_sleeps(void **state)
{
	struct plx_port *port;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_INLINE, "crypto_plx_fault0", "crypto_aesni_mb0");
	port = rig_port(&r, 0);
	rig_tick_start(&r);
	fault(&r, "delay=always:400ms");
	for (int i = 0; i < 8; i++) {
		struct rte_crypto_op *op = rig_op(&r, 64, false);

		assert_int_equal(plx_port_enqueue_burst(port, &op, 1), 1);
	}
	/* longer than the stall and loss times together, and nothing is there at the first poll */
	rte_delay_us_sleep(390000);
	assert_true(rig_drain(&r, port));
	rig_tick_stop(&r);
	assert_int_equal(r.nb_right, 8);
	assert_int_equal(atomic_load(&faulty(&r)->nb_lost), 0);
	close_rig(&r, port);
}

/* Revive the lost device for the next test. */
static void
revive(struct rig *r)
{
	struct plx_device *dev = faulty(r);
	struct plx_err err = { "" };

	if (plx_engines_device_remove(r->es, dev, 1000000, &err) < 0 ||
	    plx_device_revive(dev, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(atomic_load(&dev->health), PLX_HEALTH_UP);
}

static void
lost_device_is_noticed_by_a_caller_that_polls_rarely(void **state)
{
	struct plx_engines_params p;
	struct rte_crypto_op *op;
	struct plx_port *port;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_INLINE, "crypto_plx_fault0", "crypto_aesni_mb0");
	plx_engines_get(r.es, &p);
	p.lost_us = 10000;
	assert_int_equal(plx_engines_set(r.es, &p, NULL), 0);
	port = rig_port(&r, 0);
	rig_tick_start(&r);
	fault(&r, "vanish=always");
	op = rig_op(&r, 64, true);
	assert_int_equal(plx_port_enqueue_burst(port, &op, 1), 1);
	for (int i = 0; i < 4000 && plx_port_dequeue_burst(port, &op, 1) == 0; i++)
		rte_delay_us_sleep(5000);
	assert_int_equal(plx_port_outstanding(port), 0);
	rig_take(&r, op);
	assert_int_equal(r.nb_right, 1);
	rig_tick_stop(&r);
	fault(&r, "off");
	revive(&r);
	close_rig(&r, port);
}

static void
device_that_only_refuses_is_given_up_in_time(void **state)
{
	struct plx_engines_params p;
	struct plx_port *port;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_PIPELINE, "crypto_plx_fault0", NULL);
	plx_engines_get(r.es, &p);
	p.lost_us = 10000;
	assert_int_equal(plx_engines_set(r.es, &p, NULL), 0);
	port = rig_port(&r, 0);
	rig_tick_start(&r);
	fault(&r, "refuse=always");
	assert_true(rig_run(&r, port, 100, 64, 50));
	rig_tick_stop(&r);
	assert_int_equal(r.nb_untouched, 100);
	assert_int_equal(atomic_load(&faulty(&r)->nb_lost), 1);
	fault(&r, "off");
	revive(&r);
	close_rig(&r, port);
}

static void
stalled_device_does_not_hold_up_ops_that_do_not_need_it(void **state)
{
	struct rte_crypto_op *op;
	struct plx_device *mb;
	struct plx_session only;
	struct plx_port *port;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_PIPELINE, "crypto_plx_fault0", "crypto_aesni_mb0");
	port = rig_port(&r, 0);
	mb = plx_devices_find(r.devs, "crypto_aesni_mb0");
	/* a session that the faulty device alone can run */
	memcpy(&only, r.sess, sizeof(only));
	atomic_store(&only.dom_sess[mb->sess_dom], NULL);
	fault(&r, "stall=1/1:200ms:limit=1");
	for (int i = 0; i < 2; i++) {
		op = rig_op(&r, 64, true);
		plx_session_attach(op, &only);
		assert_int_equal(plx_port_enqueue_burst(port, &op, 1), 1);
		rte_delay_us_sleep(20000);
	}
	/* these come back while the two are still out */
	for (int i = 0; i < 1000; i++) {
		op = rig_op(&r, 64, false);
		assert_int_equal(plx_port_enqueue_burst(port, &op, 1), 1);
	}
	for (uint32_t back = 0; back < 1002;) {
		if (plx_port_dequeue_burst(port, &op, 1) == 0)
			continue;
		back++;
		if (op->sym->session == &only) {
			assert_true(back > 1000);
			plx_session_attach(op, r.sess);
		}
		rig_take(&r, op);
	}
	assert_int_equal(r.nb_right, 1002);
	close_rig(&r, port);
}

static void
ops_of_a_lost_device_run_elsewhere_with_the_right_bytes(void **state)
{
	struct plx_engine_stats s;
	struct plx_port *port;
	struct rig r;

	(void)state;
	for (int mode = PLX_MODE_PIPELINE; mode <= PLX_MODE_INLINE; mode++) {
		open_rig(&r, (enum plx_mode)mode, "crypto_plx_fault0", "crypto_aesni_mb0");
		port = rig_port(&r, 0);
		rig_tick_start(&r);
		assert_true(rig_run(&r, port, 2000, 64, 200));
		fault(&r, "vanish=1/1000");
		/* a quarter of them out of place, the rest in place: those need the copy */
		assert_true(rig_run(&r, port, 10000, 1500, 200));
		rig_tick_stop(&r);
		rig_stats(&r, &s);
		assert_int_equal(r.nb_right, 12000);
		assert_int_equal(r.nb_wrong, 0);
		assert_true(s.nb_replayed > 0);
		assert_int_equal(s.nb_lost, 0);
		assert_true(s.nb_fallback[PLX_FALLBACK_DOWN] > 0);
		assert_int_equal(atomic_load(&faulty(&r)->health), PLX_HEALTH_STOPPED);
		assert_int_equal(atomic_load(&faulty(&r)->nb_lost), 1);
		fault(&r, "off");
		revive(&r);
		close_rig(&r, port);
	}
}

static void
ops_of_a_lost_device_without_another_come_back_with_an_error(void **state)
{
	struct plx_engine_stats s;
	struct plx_port *port;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_PIPELINE, "crypto_plx_fault0", NULL);
	port = rig_port(&r, 0);
	rig_tick_start(&r);
	fault(&r, "vanish=1/1000");
	assert_true(rig_run(&r, port, 3000, 64, 200));
	rig_tick_stop(&r);
	rig_stats(&r, &s);
	assert_int_equal(r.nb_back, 3000);
	assert_int_equal(r.nb_wrong, 0);
	assert_true(r.nb_right > 0 && r.nb_right < 3000);
	assert_true(s.nb_lost > 0);
	assert_int_equal(r.nb_right + r.nb_untouched + r.nb_status[RTE_CRYPTO_OP_STATUS_ERROR],
			 3000);
	fault(&r, "off");
	revive(&r);
	close_rig(&r, port);
}

static void
remove_and_add_under_way(enum plx_mode mode)
{
	static const char *const names[] = { "crypto_openssl0", "crypto_aesni_mb0" };
	struct plx_err err = { "" };
	struct plx_port *port;
	struct rig r;

	open_rig(&r, mode, names[0], names[1]);
	port = rig_port(&r, 0);
	for (int i = 0; i < 20; i++) {
		struct plx_device *dev = plx_devices_find(r.devs, names[i % 2]);
		struct rte_crypto_op *ops[256];
		uint16_t n;

		for (n = 0; n < RTE_DIM(ops); n++)
			ops[n] = rig_op(&r, 1024, false);
		assert_int_equal(plx_port_enqueue_burst(port, ops, RTE_DIM(ops)), RTE_DIM(ops));
		/* inline nobody polls while the device leaves: control does, in the caller's place
		 */
		if (plx_engines_device_remove(r.es, dev, 1000000, &err) < 0)
			fail_msg("%s", err.text);
		assert_true(rig_run(&r, port, 500, 64, 100));
		if (plx_engines_device_add(r.es, dev, &err) < 0)
			fail_msg("%s", err.text);
	}
	assert_true(rig_drain(&r, port));
	assert_int_equal(r.nb_right, r.nb_made);
	close_rig(&r, port);
}

static void
device_removed_under_way_loses_no_op(void **state)
{
	(void)state;
	remove_and_add_under_way(PLX_MODE_PIPELINE);
	remove_and_add_under_way(PLX_MODE_INLINE);
}

static void
blocked_device_takes_no_new_ops(void **state)
{
	struct plx_engine_info info;
	struct plx_err err = { "" };
	struct plx_engine_stats s;
	struct plx_port *port;
	struct rig r;
	uint32_t pos = 0;

	(void)state;
	open_rig(&r, PLX_MODE_PIPELINE, "crypto_plx_fault0", "crypto_aesni_mb0");
	port = rig_port(&r, 0);
	assert_int_equal(plx_engines_device_block(r.es, faulty(&r), true, &err), 0);
	assert_true(rig_run(&r, port, 1000, 64, 100));
	rig_stats(&r, &s);
	assert_int_equal(s.nb_fallback[PLX_FALLBACK_DOWN], 1000);
	assert_true(plx_engines_next(r.es, &pos, &info));
	assert_string_equal(info.devs[0], "crypto_plx_fault0");
	assert_int_equal(plx_engines_device_block(r.es, faulty(&r), false, &err), 0);
	assert_true(rig_run(&r, port, 1000, 64, 100));
	rig_stats(&r, &s);
	assert_int_equal(s.nb_fallback[PLX_FALLBACK_DOWN], 1000);
	assert_int_equal(r.nb_right, 2000);
	close_rig(&r, port);
}

/* p99 from enqueue to completion of nb ops, in microseconds. */
static double
p99_of(struct rig *r, struct plx_port *port, uint64_t nb)
{
	static struct plx_hist h;

	plx_engines_clear_stats(r->es);
	assert_true(rig_run(r, port, nb, 1024, 128));
	plx_hist_reset(&h);
	assert_int_equal(plx_engines_latency(r->es, PLX_ENGINE_ANY, &h), 0);
	return (double)plx_hist_quantile(&h, 990) * 1e6 / (double)rte_get_tsc_hz();
}

/* The times are shown, not judged: a machine may be busy. No op may be lost, and the counters say
 * why ops moved. */
static void
one_device_of_two_goes_under_load_and_the_rest_carries_on(void **state)
{
	double before, during, after;
	struct plx_engine_stats s;
	struct plx_port *port;
	struct rig r;

	(void)state;
	open_rig(&r, PLX_MODE_PIPELINE, "crypto_plx_fault0", "crypto_aesni_mb0");
	port = rig_port(&r, 0);
	rig_tick_start(&r);
	before = p99_of(&r, port, 20000);
	fault(&r, "vanish=1/1000");
	during = p99_of(&r, port, 20000);
	rig_stats(&r, &s);
	assert_true(s.nb_replayed > 0);
	assert_true(s.nb_fallback[PLX_FALLBACK_STALLED] + s.nb_fallback[PLX_FALLBACK_DOWN] > 0);
	assert_int_equal(s.nb_lost, 0);
	after = p99_of(&r, port, 20000);
	rig_stats(&r, &s);
	assert_int_equal(s.nb_fallback[PLX_FALLBACK_DOWN], 20000);
	rig_tick_stop(&r);
	print_message("p99 with both devices %.0f us, while one is lost %.0f us, after %.0f us\n",
		      before, during, after);
	assert_int_equal(r.nb_right, 60000);
	fault(&r, "off");
	revive(&r);
	close_rig(&r, port);
}

/* PLX_TEST_OPS of them, 400,000 when it is not set: refusals, failures and stalls together, each op
 * exactly once. */
static void
many_ops_through_a_bad_device_end_exactly_once(void **state)
{
	const char *text = getenv("PLX_TEST_OPS");
	uint64_t nb = text != NULL ? strtoull(text, NULL, 10) : 400000;
	struct plx_engine_stats s;
	struct plx_port *port;
	struct rig r;

	(void)state;
	assert_true(nb >= 100000);
	open_rig(&r, PLX_MODE_PIPELINE, "crypto_plx_fault0", "crypto_aesni_mb0");
	port = rig_port(&r, 0);
	rig_tick_start(&r);
	fault(&r, "refuse=5%,fail=1%:error,stall=1/200000:5ms");
	assert_true(rig_run(&r, port, nb, 64, 900));
	rig_tick_stop(&r);
	rig_stats(&r, &s);
	print_message("%" PRIu64 " ops: %" PRIu64 " right, %" PRIu64 " wrong, %" PRIu64
		      " failed of %" PRIu64 " made to; refused %" PRIu64 " of %" PRIu64
		      " made to, stalls %" PRIu64 ", passed a stall %" PRIu64 "\n",
		      nb, r.nb_right, r.nb_wrong, r.nb_status[RTE_CRYPTO_OP_STATUS_ERROR],
		      injected(&r, PLX_FAULT_FAIL), s.nb_refused, injected(&r, PLX_FAULT_REFUSE),
		      injected(&r, PLX_FAULT_STALL), s.nb_fallback[PLX_FALLBACK_STALLED]);
	assert_int_equal(r.nb_back, nb);
	assert_int_equal(r.nb_wrong, 0);
	assert_int_equal(r.nb_status[RTE_CRYPTO_OP_STATUS_ERROR], injected(&r, PLX_FAULT_FAIL));
	assert_int_equal(r.nb_right + r.nb_status[RTE_CRYPTO_OP_STATUS_ERROR], nb);
	assert_true(injected(&r, PLX_FAULT_STALL) > 0);
	close_rig(&r, port);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stock_driver_alone_encrypts_a_refused_op_twice),
		cmocka_unit_test(stock_driver_in_place_op_is_encrypted_once_when_its_queue_is_full),
		cmocka_unit_test(stock_driver_failing_op_does_not_hang_those_behind_it),
		cmocka_unit_test(refused_ops_run_on_the_next_device),
		cmocka_unit_test(op_refused_and_yet_done_is_never_offered_again),
		cmocka_unit_test(op_refused_with_an_error_status_ends_and_the_rest_goes_on),
		cmocka_unit_test(failure_of_a_device_is_the_ops_own_status),
		cmocka_unit_test(ops_out_of_order_and_twice_find_their_lane_once),
		cmocka_unit_test(op_a_device_was_never_given_is_dropped),
		cmocka_unit_test(stalled_device_is_passed_by_and_comes_back),
		cmocka_unit_test(device_is_not_blamed_for_a_caller_that_sleeps),
		cmocka_unit_test(lost_device_is_noticed_by_a_caller_that_polls_rarely),
		cmocka_unit_test(device_that_only_refuses_is_given_up_in_time),
		cmocka_unit_test(stalled_device_does_not_hold_up_ops_that_do_not_need_it),
		cmocka_unit_test(ops_of_a_lost_device_run_elsewhere_with_the_right_bytes),
		cmocka_unit_test(ops_of_a_lost_device_without_another_come_back_with_an_error),
		cmocka_unit_test(device_removed_under_way_loses_no_op),
		cmocka_unit_test(blocked_device_takes_no_new_ops),
		cmocka_unit_test(one_device_of_two_goes_under_load_and_the_rest_carries_on),
		cmocka_unit_test(many_ops_through_a_bad_device_end_exactly_once),
	};

	rig_eal(4, vdevs);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
