/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "fault_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <rte_mbuf.h>

/* A device that stands still, and one that is gone; stop and start. */

static void
each_inner(void (*check)(struct rig *r), const char *args, uint16_t nb_qps)
{
	static struct rig r;

	for (size_t i = 0; i < PLX_ARRAY_SIZE(rig_inner); i++) {
		rig_open(&r, rig_inner[i], args, nb_qps, 64);
		check(&r);
		rig_close(&r);
	}
}

static void
check_stall(struct rig *r)
{
	uint64_t begin;
	uint32_t got = 0;

	/* the fifth starts it; four are in */
	begin = rig_now_us();
	assert_int_equal(rig_put(r, 0, 0, 16), 4);
	while (rig_put(r, 0, 4, 1) == 0)
		got += rig_get(r, 0, 16, NULL);
	assert_true(rig_now_us() - begin >= 30000);
	/* the dequeue in the same moment may have been the first to see the end */
	assert_true(got == 0 || got == 4);
	got += rig_get_all(r, 0, 5 - got, NULL);
	assert_int_equal(got, 5);
	assert_true(rig_run(r, 0, 5, 1000));
	for (uint32_t i = 0; i < 1005; i++) {
		assert_int_equal(r->nb_back[i], 1);
		assert_int_equal(rig_look(r, i), RIG_RIGHT);
	}
	assert_int_equal(rig_injected(r, PLX_FAULT_STALL), 1);
}

static void
stall_takes_and_gives_nothing_for_its_time(void **state)
{
	(void)state;
	each_inner(check_stall, "stall=1/5:30ms:limit=1", 1);
}

static void
check_stall_off(struct rig *r)
{
	assert_int_equal(rig_put(r, 0, 0, 4), 0);
	assert_int_equal(rig_put(r, 1, 4, 4), 0);
	rig_set(r, "stall=off");
	assert_true(rig_run(r, 0, 0, 4));
	assert_true(rig_run(r, 1, 4, 4));
}

static void
stall_ends_when_it_is_turned_off(void **state)
{
	(void)state;
	each_inner(check_stall_off, "stall=always:10m", 2);
}

/* Ops and their buffers, to see that nobody writes to them. */
struct snapshot {
	struct rte_crypto_op op;
	struct rte_crypto_sym_op sym;
	uint8_t bytes[RIG_BYTES];
};

static void
snapshot_take(const struct rig *r, uint32_t i, struct snapshot *s)
{
	memset(s, 0, sizeof(*s));
	memcpy(&s->op, r->ops[i], sizeof(s->op));
	memcpy(&s->sym, r->ops[i]->sym, sizeof(s->sym));
	memcpy(s->bytes, rte_pktmbuf_mtod(r->ops[i]->sym->m_src, const uint8_t *), RIG_BYTES);
}

static void
check_vanish(struct rig *r)
{
	static struct snapshot before[40];
	static struct snapshot after[40];
	struct plx_fault_stats stats = { .size = sizeof(stats) };

	/* 20 operations are in on queue pair 0 and 20 on 1 when it goes */
	assert_int_equal(rig_put(r, 1, 20, 20), 20);
	rig_set(r, "vanish=1/21");
	assert_int_equal(rig_put(r, 0, 0, 30), 20);
	for (int k = 0; k < 1000; k++) {
		assert_int_equal(rig_put(r, 0, 40, 8), 0);
		assert_int_equal(rig_put(r, 1, 40, 8), 0);
		assert_int_equal(rig_get(r, 0, 8, NULL), 0);
		assert_int_equal(rig_get(r, 1, 8, NULL), 0);
	}
	assert_int_equal(rig_injected(r, PLX_FAULT_VANISH), 1);
	/* turned off it is still gone */
	rig_set(r, "off");
	assert_int_equal(rig_get(r, 0, 8, NULL), 0);

	rte_cryptodev_stop(r->dev_id);
	for (uint32_t i = 0; i < 40; i++) {
		enum rig_bytes bytes = rig_look(r, i);

		assert_ptr_equal(r->ops[i]->sym->session, r->session);
		assert_true(bytes == RIG_UNTOUCHED || bytes == RIG_RIGHT);
		/* what is in the buffers now is nobody's business */
		memset(rte_pktmbuf_mtod(r->ops[i]->sym->m_src, uint8_t *), 0x5a, RIG_BYTES);
		snapshot_take(r, i, &before[i]);
	}
	assert_int_equal(plx_fault_stats(r->dev_id, &stats), 0);
	assert_int_equal(stats.nb_enqueued, 40);
	assert_int_equal(stats.nb_dequeued, 0);
	assert_int_equal(stats.nb_dropped, 40);

	/* it works again, gives back nothing old and touches nothing old */
	assert_int_equal(rte_cryptodev_start(r->dev_id), 0);
	assert_int_equal(rig_get(r, 0, 64, NULL), 0);
	assert_true(rig_run(r, 0, 100, 500));
	assert_true(rig_run(r, 1, 600, 500));
	for (uint32_t i = 0; i < 40; i++) {
		snapshot_take(r, i, &after[i]);
		assert_memory_equal(&before[i], &after[i], sizeof(before[i]));
		assert_int_equal(r->nb_back[i], 0);
	}
	for (uint32_t i = 100; i < 1100; i++)
		assert_int_equal(rig_look(r, i), RIG_RIGHT);
	assert_int_equal(plx_fault_stats(r->dev_id, &stats), 0);
	assert_int_equal(stats.nb_unexpected, 0);
}

static void
vanish_keeps_what_it_holds_until_stop_and_then_lets_go(void **state)
{
	(void)state;
	each_inner(check_vanish, "", 2);
}

static void
check_vanish_now(struct rig *r)
{
	assert_int_equal(rig_put(r, 0, 0, 10), 10);
	/* does not wait for another operation */
	rig_set(r, "vanish=always");
	assert_int_equal(rig_get(r, 0, 10, NULL), 0);
	usleep(1000);
	assert_int_equal(rig_get(r, 0, 10, NULL), 0);
	assert_int_equal(rig_injected(r, PLX_FAULT_VANISH), 1);
	rte_cryptodev_stop(r->dev_id);
	/* still set: gone again at once; with a limit it is not */
	assert_int_equal(rte_cryptodev_start(r->dev_id), 0);
	assert_int_equal(rig_put(r, 0, 10, 10), 0);
	assert_int_equal(rig_injected(r, PLX_FAULT_VANISH), 2);
	rte_cryptodev_stop(r->dev_id);
	rig_set(r, "vanish=off");
	assert_int_equal(rte_cryptodev_start(r->dev_id), 0);
	assert_true(rig_run(r, 0, 10, 10));
}

static void
vanish_always_is_at_once(void **state)
{
	(void)state;
	each_inner(check_vanish_now, "", 1);
}

static void
check_stop(struct rig *r)
{
	struct plx_fault_stats stats = { .size = sizeof(stats) };

	/* delayed, failed and ordinary ones are held when it is stopped */
	assert_int_equal(rig_put(r, 0, 0, 30), 30);
	assert_int_equal(rig_get(r, 0, 30, NULL), 0);
	rte_cryptodev_stop(r->dev_id);
	for (uint32_t i = 0; i < 30; i++)
		assert_ptr_equal(r->ops[i]->sym->session, r->session);
	assert_int_equal(plx_fault_stats(r->dev_id, &stats), 0);
	assert_int_equal(stats.nb_dropped, 30);
	rig_set(r, "off");
	/* configured anew, as a revived device is */
	rig_start(r, 32);
	assert_int_equal(rig_put(r, 0, 30, 64), 31);
	assert_int_equal(rig_get_all(r, 0, 31, NULL), 31);
}

static void
stop_lets_go_of_what_is_held(void **state)
{
	(void)state;
	each_inner(check_stop, "delay=1/1:10s,fail=1/3", 1);
}

static void
stop_lets_go_of_what_the_inner_device_keeps(void **state)
{
	static struct rig r;

	(void)state;
	rig_open(&r, "crypto_plx_fault", "inner_args=[inner=crypto_aesni_mb,vanish=1/11:limit=1]",
		 1, 64);
	assert_int_equal(rig_put(&r, 0, 0, 30), 10);
	assert_int_equal(rig_get(&r, 0, 30, NULL), 0);
	/* waits for it a while, then gives up */
	rte_cryptodev_stop(r.dev_id);
	for (uint32_t i = 0; i < 10; i++)
		assert_ptr_equal(r.ops[i]->sym->session, r.session);
	assert_int_equal(rte_cryptodev_start(r.dev_id), 0);
	assert_true(rig_run(&r, 0, 10, 100));
	rig_close(&r);
}

static void
basic_statistics_can_be_reset(void **state)
{
	struct rte_cryptodev_stats stats;
	static struct rig r;

	(void)state;
	rig_open(&r, "crypto_openssl", "refuse=1/10,fail=1/5", 2, 64);
	assert_true(rig_run(&r, 1, 0, 100));
	assert_int_equal(rte_cryptodev_stats_get(r.dev_id, &stats), 0);
	assert_int_equal(stats.enqueued_count, 100);
	assert_int_equal(stats.dequeued_count, 100);
	assert_int_equal(stats.dequeue_err_count, 20);
	assert_true(stats.enqueue_err_count >= 10);
	rte_cryptodev_stats_reset(r.dev_id);
	assert_true(rig_run(&r, 0, 0, 10));
	assert_int_equal(rte_cryptodev_stats_get(r.dev_id, &stats), 0);
	assert_int_equal(stats.enqueued_count, 10);
	assert_int_equal(stats.dequeued_count, 10);
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stall_takes_and_gives_nothing_for_its_time),
		cmocka_unit_test(stall_ends_when_it_is_turned_off),
		cmocka_unit_test(vanish_keeps_what_it_holds_until_stop_and_then_lets_go),
		cmocka_unit_test(vanish_always_is_at_once),
		cmocka_unit_test(stop_lets_go_of_what_is_held),
		cmocka_unit_test(stop_lets_go_of_what_the_inner_device_keeps),
		cmocka_unit_test(basic_statistics_can_be_reset),
	};

	return cmocka_run_group_tests_name("fault_down", tests, rig_eal, NULL);
}
