/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_rsa_key.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/rsa.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_launch.h>
#include <rte_lcore.h>

/*
 * One RSA session on two queue pairs and two lcores at a time, and enqueue and dequeue of one queue
 * pair on two lcores. A second each; PLX_SOAK_SECONDS sets another time for the first. Each result
 * is compared with the one signature there is for its message.
 */

#define NB 16u

static struct rsa_key key;
static const struct rte_crypto_rsa_padding pkcs1 = { .type = RTE_CRYPTO_RSA_PADDING_PKCS1_5 };
static uint8_t messages[NB][32];
static uint8_t wanted[NB][256];
static void *session;
static uint64_t deadline;
static _Atomic uint64_t nb_right, nb_wrong;
static _Atomic bool is_over;

/* What EAL's launch and wait promise, for a thread checker that does not see into EAL: each side
 * touches it before the other goes on. */
static _Atomic unsigned int edge;

struct slot {
	struct rte_crypto_op *op;
	uint8_t sig[256];
	unsigned int message;
};

static void
wanted_make(void)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key.pkey, NULL);

	assert_int_equal(EVP_PKEY_sign_init(ctx), 1);
	assert_int_equal(EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING), 1);
	for (unsigned int i = 0; i < NB; i++) {
		size_t len = sizeof(wanted[i]);

		memset(messages[i], (int)i + 1, sizeof(messages[i]));
		assert_int_equal(EVP_PKEY_sign(ctx, wanted[i], &len, messages[i], 32), 1);
	}
	EVP_PKEY_CTX_free(ctx);
}

static void
slot_begin(struct slot *s)
{
	s->op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	s->op->asym->rsa.message = rig_param(messages[s->message], 32);
	s->op->asym->rsa.sign = rig_param(s->sig, 0);
	rsa_op_padding(s->op, &pkcs1);
	memset(s->sig, 0, sizeof(s->sig));
}

static void
slot_end(const struct slot *s)
{
	if (s->op->status == RTE_CRYPTO_OP_STATUS_SUCCESS && s->op->asym->rsa.sign.length == 256 &&
	    memcmp(s->sig, wanted[s->message], 256) == 0)
		atomic_fetch_add(&nb_right, 1);
	else
		atomic_fetch_add(&nb_wrong, 1);
}

static struct slot *
slots_make(void)
{
	struct slot *slots = calloc(NB, sizeof(*slots));

	if (slots == NULL)
		abort();
	for (unsigned int i = 0; i < NB; i++) {
		slots[i].op = rig_asym_op(session);
		slots[i].message = i;
		slot_begin(&slots[i]);
	}
	return slots;
}

static void
slots_free(struct slot *slots)
{
	for (unsigned int i = 0; i < NB; i++)
		rig_op_free(slots[i].op);
	free(slots);
}

/* Sixteen ops at a time through one queue pair. */
static int
sign_on(uint16_t qp, struct slot *slots)
{
	struct rte_crypto_op *ops[NB];

	do {
		for (unsigned int i = 0; i < NB; i++)
			ops[i] = slots[i].op;
		if (!rig_run(qp, ops, NB))
			return -1;
		for (unsigned int i = 0; i < NB; i++) {
			slot_end(&slots[i]);
			slot_begin(&slots[i]);
		}
	} while (rte_rdtsc() < deadline);
	return 0;
}

static int
sign_second(void *slots)
{
	int ret;

	atomic_fetch_add(&edge, 1);
	ret = sign_on(1, slots);
	atomic_fetch_add(&edge, 1);
	return ret;
}

static void
deadline_set(const char *seconds)
{
	deadline = rte_rdtsc() + rte_get_tsc_hz() * (seconds != NULL ? (uint64_t)atoi(seconds) : 1);
	atomic_store(&nb_right, 0);
	atomic_store(&nb_wrong, 0);
	atomic_store(&is_over, false);
}

static void
one_session_serves_two_lcores(void **state)
{
	unsigned int lcore = rte_get_next_lcore((unsigned int)-1, 1, 0);
	struct slot *mine = slots_make(), *others = slots_make();

	(void)state;
	deadline_set(getenv("PLX_SOAK_SECONDS"));
	atomic_fetch_add(&edge, 1);
	assert_int_equal(rte_eal_remote_launch(sign_second, others, lcore), 0);
	assert_int_equal(sign_on(0, mine), 0);
	assert_int_equal(rte_eal_wait_lcore(lcore), 0);
	atomic_fetch_add(&edge, 1);
	printf("two lcores, one session: %lu signatures right, %lu wrong\n",
	       (unsigned long)nb_right, (unsigned long)nb_wrong);
	assert_int_equal(nb_wrong, 0);
	assert_true(nb_right >= 2 * (uint64_t)NB);
	slots_free(mine);
	slots_free(others);
}

/* The consumer's side: gives ops back through their messages' slots. */
static _Atomic(struct rte_crypto_op *) done[NB];

static int
dequeue_only(void *slots)
{
	const struct slot *s = slots;
	struct rte_crypto_op *ops[NB];
	unsigned int n, i, j;

	atomic_fetch_add(&edge, 1);
	while (!atomic_load(&is_over)) {
		n = rte_cryptodev_dequeue_burst(rig_dev(), 0, ops, NB);
		for (i = 0; i < n; i++)
			for (j = 0; j < NB; j++)
				if (s[j].op == ops[i])
					atomic_store(&done[j], ops[i]);
	}
	atomic_fetch_add(&edge, 1);
	return 0;
}

static void
enqueue_and_dequeue_may_be_on_two_lcores(void **state)
{
	unsigned int lcore = rte_get_next_lcore((unsigned int)-1, 1, 0), out = 0, i;
	struct slot *slots = slots_make();

	(void)state;
	deadline_set(NULL);
	for (i = 0; i < NB; i++)
		atomic_store(&done[i], slots[i].op);
	atomic_fetch_add(&edge, 1);
	assert_int_equal(rte_eal_remote_launch(dequeue_only, slots, lcore), 0);
	do {
		for (i = 0; i < NB; i++) {
			struct rte_crypto_op *op = atomic_exchange(&done[i], NULL);

			if (op == NULL)
				continue;
			if (out > i)
				slot_end(&slots[i]);
			slot_begin(&slots[i]);
			if (rte_cryptodev_enqueue_burst(rig_dev(), 0, &op, 1) != 1)
				atomic_store(&done[i], op);
		}
		out = NB;
	} while (rte_rdtsc() < deadline);
	for (i = 0; i < NB; i++)
		while (atomic_load(&done[i]) == NULL)
			rte_pause();
	atomic_store(&is_over, true);
	rte_eal_wait_lcore(lcore);
	atomic_fetch_add(&edge, 1);
	assert_int_equal(nb_wrong, 0);
	assert_true(nb_right >= NB);
	slots_free(slots);
}

static int
setup(void **state)
{
	struct rte_crypto_asym_xform x;

	(void)state;
	rig_up(NULL, 2);
	rsa_xform(&key, RSA_CRT, &pkcs1, &x);
	session = rig_asym_session(&x, NULL);
	return session != NULL ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	rig_asym_session_free(session);
	rig_down();
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_session_serves_two_lcores),
		cmocka_unit_test(enqueue_and_dequeue_may_be_on_two_lcores),
	};
	int ret;

	rig_eal("mb_threads");
	rsa_key_make(&key, 2048);
	wanted_make();
	ret = cmocka_run_group_tests(tests, setup, teardown);
	rsa_key_free(&key);
	rte_eal_cleanup();
	return ret;
}
