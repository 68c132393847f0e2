/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "test_mb_sym_rig.h"

#include <stdatomic.h>

#include <rte_launch.h>
#include <rte_lcore.h>

/* One session on several lcores, each with a queue pair of its own; and a queue pair that one lcore
 * fills and another one empties. */

#define NB_OPS    16u
#define NB_ROUNDS 4000u
#define LEN       200u

struct lane {
	uint16_t qp;
	struct rte_crypto_op *ops[NB_OPS];
	uint8_t plain[NB_OPS][LEN], cipher[NB_OPS][LEN];
	uint8_t aad[NB_OPS][16], tag[NB_OPS][16], want_tag[NB_OPS][16];
	uint32_t nb_wrong;
};

static struct lane lanes[3];

/* What was written before a launch and what a lcore has written are seen, and TSan knows why: it
 * does not look into EAL. */
static atomic_uint launched, ended;

static void
launch(int (*fn)(void *), struct lane *lane, unsigned int lcore)
{
	atomic_fetch_add(&launched, 1);
	assert_int_equal(rte_eal_remote_launch(fn, lane, lcore), 0);
}

static void
wait_all(void)
{
	rte_eal_mp_wait_lcore();
	assert_int_equal(atomic_load(&ended), atomic_load(&launched));
}

static int
up(void **state)
{
	(void)state;
	sym_up(4);
	return 0;
}

static int
down(void **state)
{
	(void)state;
	sym_down();
	return 0;
}

static void
spec_make(struct sym_spec *spec)
{
	memset(spec, 0, sizeof(*spec));
	spec->alg = sym_alg_named("aes-gcm");
	spec->key_bytes = 32;
	spec->iv_bytes = 12;
	spec->aad_bytes = 16;
	spec->tag_bytes = 16;
	spec->is_forward = true;
	sym_random(spec->key, sizeof(spec->key));
}

static void
lane_make(struct lane *lane, uint16_t qp, const struct sym_spec *spec, void *session)
{
	lane->qp = qp;
	lane->nb_wrong = 0;
	for (uint32_t i = 0; i < NB_OPS; i++) {
		struct rte_crypto_op *op = sym_op(session);

		sym_random(lane->plain[i], LEN);
		sym_random(lane->aad[i], 16);
		sym_random(sym_op_iv(op), 12);
		sym_reference(spec, sym_op_iv(op), lane->aad[i], lane->plain[i], LEN,
			      lane->cipher[i], lane->want_tag[i]);
		op->sym->m_src = sym_chain(lane->plain[i], LEN, SYM_ONE);
		op->sym->aead.data.length = LEN;
		op->sym->aead.aad.data = lane->aad[i];
		op->sym->aead.digest.data = lane->tag[i];
		lane->ops[i] = op;
	}
}

static void
lane_free(struct lane *lane)
{
	for (uint32_t i = 0; i < NB_OPS; i++)
		sym_op_free(lane->ops[i]);
}

/* Look at an op that came back, and make it as it was. */
static void
op_check(struct lane *lane, uint32_t i)
{
	uint8_t *data = rte_pktmbuf_mtod(lane->ops[i]->sym->m_src, uint8_t *);

	lane->nb_wrong += lane->ops[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS ||
			  memcmp(data, lane->cipher[i], LEN) != 0 ||
			  memcmp(lane->tag[i], lane->want_tag[i], 16) != 0;
	memcpy(data, lane->plain[i], LEN);
	memset(lane->tag[i], 0, 16);
	lane->ops[i]->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
}

static int
lane_run(void *arg)
{
	struct rte_crypto_op *back[NB_OPS];
	struct lane *lane = arg;

	(void)atomic_load(&launched);
	for (uint32_t round = 0; round < NB_ROUNDS; round++) {
		uint16_t n = 0;

		if (rte_cryptodev_enqueue_burst(sym_dev(), lane->qp, lane->ops, NB_OPS) != NB_OPS)
			lane->nb_wrong++;
		while (n < NB_OPS)
			n = (uint16_t)(n + rte_cryptodev_dequeue_burst(sym_dev(), lane->qp,
								       &back[n],
								       (uint16_t)(NB_OPS - n)));
		for (uint32_t i = 0; i < NB_OPS; i++)
			op_check(lane, i);
	}
	atomic_fetch_add(&ended, 1);
	return 0;
}

static void
one_session_serves_many_lcores(void **state)
{
	struct rte_crypto_sym_xform x;
	struct sym_spec spec;
	unsigned int lcore;
	uint16_t nb = 0;
	void *session;

	(void)state;
	spec_make(&spec);
	sym_xform(&spec, &x);
	session = sym_session(&x);
	for (lcore = rte_get_next_lcore(rte_lcore_id(), 1, 0);
	     lcore < RTE_MAX_LCORE && nb < RTE_DIM(lanes);
	     lcore = rte_get_next_lcore(lcore, 1, 0)) {
		lane_make(&lanes[nb], nb, &spec, session);
		launch(lane_run, &lanes[nb], lcore);
		nb++;
	}
	assert_true(nb >= 2);
	wait_all();
	for (uint16_t i = 0; i < nb; i++) {
		assert_int_equal(lanes[i].nb_wrong, 0);
		lane_free(&lanes[i]);
	}
	sym_session_free(session);
}

static _Atomic uint32_t nb_seen;

static int
fill(void *arg)
{
	struct lane *lane = arg;

	(void)atomic_load(&launched);
	for (uint32_t n = 0; n < NB_ROUNDS * 4;) {
		struct rte_crypto_op *op = lane->ops[n % NB_OPS];

		if (n - atomic_load(&nb_seen) >= NB_OPS) {
			rte_pause();
			continue;
		}
		n += rte_cryptodev_enqueue_burst(sym_dev(), lane->qp, &op, 1);
	}
	atomic_fetch_add(&ended, 1);
	return 0;
}

static void
one_lcore_fills_and_another_one_empties(void **state)
{
	unsigned int lcore = rte_get_next_lcore(rte_lcore_id(), 1, 1);
	struct lane *lane = &lanes[0];
	struct rte_crypto_sym_xform x;
	struct sym_spec spec;
	uint32_t n = 0;
	void *session;

	(void)state;
	spec_make(&spec);
	sym_xform(&spec, &x);
	session = sym_session(&x);
	lane_make(lane, 3, &spec, session);
	atomic_store(&nb_seen, 0);
	launch(fill, lane, lcore);
	while (n < NB_ROUNDS * 4) {
		struct rte_crypto_op *op;

		if (rte_cryptodev_dequeue_burst(sym_dev(), lane->qp, &op, 1) == 0) {
			rte_pause();
			continue;
		}
		assert_ptr_equal(op, lane->ops[n % NB_OPS]);
		op_check(lane, n % NB_OPS);
		atomic_store(&nb_seen, ++n);
	}
	wait_all();
	assert_int_equal(lane->nb_wrong, 0);
	lane_free(lane);
	sym_session_free(session);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_session_serves_many_lcores),
		cmocka_unit_test(one_lcore_fills_and_another_one_empties),
	};

	sym_eal("mb_sym_threads");
	return cmocka_run_group_tests_name("mb_sym_threads", tests, up, down);
}
