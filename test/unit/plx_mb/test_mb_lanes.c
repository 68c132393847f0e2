/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_rsa_key.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/ec.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_version.h>

#include "mb_asym_priv.h"
#include "mb_fake_calls.h"
#include "plx_mb.h"

/*
 * How ops are put together: which share a call, when a call is made that is not full, and that a
 * lane that went wrong costs nobody anything. The calls are fakes that count.
 */

#define NB 24u

static struct rsa_key key_2048, key_3072;
static const struct rte_crypto_rsa_padding pkcs1 = { .type = RTE_CRYPTO_RSA_PADDING_PKCS1_5 };
static uint8_t messages[NB][32];
static uint8_t sigs[NB][512];

static void *
session_of(const struct rsa_key *k)
{
	struct rte_crypto_asym_xform x;
	void *session;

	rsa_xform(k, RSA_CRT, &pkcs1, &x);
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	return session;
}

static struct rte_crypto_op *
sign_op(void *session, unsigned int i)
{
	struct rte_crypto_op *op = rig_asym_op(session);

	assert_int_equal(RAND_bytes(messages[i], 32), 1);
	memset(sigs[i], 0, sizeof(sigs[i]));
	op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	op->asym->rsa.message = rig_param(messages[i], 32);
	op->asym->rsa.sign.data = sigs[i];
	rsa_op_padding(op, &pkcs1);
	return op;
}

static void
expect_signed(const struct rsa_key *k, const struct rte_crypto_op *op, unsigned int i)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(k->pkey, NULL);

	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(EVP_PKEY_verify_init(ctx), 1);
	assert_int_equal(EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING), 1);
	assert_int_equal(EVP_PKEY_verify(ctx, sigs[i], k->bytes, messages[i], 32), 1);
	EVP_PKEY_CTX_free(ctx);
}

/* nb signatures in one burst, all right. */
static void
sign_burst(const struct rsa_key *k, void *session, unsigned int nb)
{
	struct rte_crypto_op *ops[NB];

	for (unsigned int i = 0; i < nb; i++)
		ops[i] = sign_op(session, i);
	assert_true(rig_run(0, ops, nb));
	for (unsigned int i = 0; i < nb; i++) {
		expect_signed(k, ops[i], i);
		rig_op_free(ops[i]);
	}
}

static void
ops_of_two_keys_share_a_call(void **state)
{
	struct rsa_key other;
	struct rte_crypto_op *ops[8];
	void *a, *b;

	(void)state;
	rsa_key_make(&other, 2048);
	a = session_of(&key_2048);
	b = session_of(&other);
	for (unsigned int i = 0; i < 8; i++)
		ops[i] = sign_op(i % 2 == 0 ? a : b, i);
	fake_reset();
	assert_true(rig_run(0, ops, 8));
	/* the power and its check */
	assert_int_equal(fake_log.nb_calls, 2);
	assert_int_equal(fake_log.nb_lanes, 16);
	for (unsigned int i = 0; i < 8; i++) {
		expect_signed(i % 2 == 0 ? &key_2048 : &other, ops[i], i);
		rig_op_free(ops[i]);
	}
	rig_asym_session_free(a);
	rig_asym_session_free(b);
	rsa_key_free(&other);
}

static void
ops_of_two_sizes_do_not(void **state)
{
	void *a = session_of(&key_2048), *b = session_of(&key_3072);
	struct rte_crypto_op *ops[16];

	(void)state;
	for (unsigned int i = 0; i < 16; i++)
		ops[i] = sign_op(i % 2 == 0 ? a : b, i);
	fake_reset();
	assert_true(rig_run(0, ops, 16));
	assert_int_equal(fake_log.nb_calls, 4);
	for (unsigned int i = 0; i < 16; i++) {
		expect_signed(i % 2 == 0 ? &key_2048 : &key_3072, ops[i], i);
		rig_op_free(ops[i]);
	}
	rig_asym_session_free(a);
	rig_asym_session_free(b);
}

static void
one_op_alone_goes_the_single_way(void **state)
{
	void *session = session_of(&key_2048);

	(void)state;
	fake_reset();
	sign_burst(&key_2048, session, 1);
	assert_int_equal(fake_log.nb_calls, 0);
	rig_asym_session_free(session);
}

/* When a call of eight turns out to take longer than eight ops, ops go one at a time. */
static void
a_call_that_is_not_worth_it_is_not_made(void **state)
{
	void *session = session_of(&key_2048);

	(void)state;
	fake_reset();
	fake_log.is_slow = true;
	sign_burst(&key_2048, session,
		   8); /* a full call is always made: the first shows the cost */
	assert_true(fake_log.nb_calls > 0);
	sign_burst(&key_2048, session, 1);
	fake_log.nb_calls = 0;
	sign_burst(&key_2048, session, 5);
	assert_int_equal(fake_log.nb_calls, 0);
	rig_asym_session_free(session);
}

/* The first single op of a key has much to prepare. What it took must not send all that follow into
 * calls with one lane in use, or with two for ever. */
static void
a_slow_first_op_is_forgotten(void **state)
{
	const struct mb_qp *qp =
		rte_cryptodev_pmd_get_named_dev("crypto_plx_mb0")->data->queue_pairs[0];
	uint64_t *one = &qp->asym->one_cycles[MB_RSA_PRIVATE_2048];
	uint64_t *eight = &qp->asym->eight_cycles[MB_RSA_PRIVATE_2048];
	void *session = session_of(&key_2048);

	(void)state;
	*one = UINT64_MAX / 2;
	*eight = 1000;
	fake_reset();
	sign_burst(&key_2048, session, 1);
	assert_int_equal(fake_log.nb_calls, 0);
	assert_true(*one < UINT64_MAX / 2);
	*one = UINT64_MAX / 2;
	for (int i = 0; i < 70; i++)
		sign_burst(&key_2048, session, 2);
	assert_true(*one < UINT64_MAX / 2);
	rig_asym_session_free(session);
}

static void
a_wrong_lane_is_done_again_and_nothing_wrong_gets_out(void **state)
{
	void *session = session_of(&key_2048);

	(void)state;
	for (int lane = 0; lane < 8; lane++) {
		fake_reset();
		fake_log.corrupt_lane = lane;
		sign_burst(&key_2048, session, 8);
		assert_int_equal(fake_log.nb_calls, 2);
		fake_reset();
		fake_log.refuse_lane = lane;
		sign_burst(&key_2048, session, 8);
		assert_int_equal(fake_log.nb_calls, 2);
	}
	rig_asym_session_free(session);
}

/* A wrong CRT result gives the key away; it must not lie about. */
static void
a_wrong_lane_leaves_nothing_behind(void **state)
{
	static const uint8_t zeros[512];
	const struct mb_qp *qp =
		rte_cryptodev_pmd_get_named_dev("crypto_plx_mb0")->data->queue_pairs[0];
	void *session = session_of(&key_2048);

	(void)state;
	fake_reset();
	fake_log.corrupt_lane = 3;
	fake_log.refuse_lane = 5;
	sign_burst(&key_2048, session, 8);
	assert_int_equal(fake_log.most_lanes, 8);
	for (unsigned int i = 0; i < MB_LANES; i++)
		assert_memory_equal(qp->asym->out[i], zeros, sizeof(zeros));
	rig_asym_session_free(session);
}

static void
a_bad_op_among_eight_harms_nobody(void **state)
{
	void *session = session_of(&key_2048);
	struct rte_crypto_op *ops[8];

	(void)state;
	for (unsigned int bad = 0; bad < 8; bad++) {
		for (unsigned int i = 0; i < 8; i++)
			ops[i] = sign_op(session, i);
		/* too long for the padding, which is seen in the call only */
		ops[bad]->asym->rsa.message.length = 250;
		fake_reset();
		assert_true(rig_run(0, ops, 8));
		for (unsigned int i = 0; i < 8; i++) {
			if (i == bad)
				assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
			else
				expect_signed(&key_2048, ops[i], i);
			rig_op_free(ops[i]);
		}
		assert_int_equal(fake_log.most_lanes, 7);
	}
	rig_asym_session_free(session);
}

static void
nonces_are_never_the_same(void **state)
{
	EVP_PKEY *pkey = EVP_EC_gen("P-256");
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECDSA };
	struct rte_crypto_op *ops[8];
	uint8_t r[8][32], s[8][32], digest[32] = { 7 };
	struct rig_num d;
	void *session;

	(void)state;
	rig_num_get(pkey, "priv", &d);
	x.ec.curve_id = RTE_CRYPTO_EC_GROUP_SECP256R1;
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
	x.ec.pkey = RIG_PARAM(d);
#endif
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	fake_reset();
	for (unsigned int round = 0; round < 16; round++) {
		for (unsigned int i = 0; i < 8; i++) {
			ops[i] = rig_asym_op(session);
			ops[i]->asym->ecdsa.op_type = RTE_CRYPTO_ASYM_OP_SIGN;
			ops[i]->asym->ecdsa.message = rig_param(digest, 32);
			ops[i]->asym->ecdsa.r.data = r[i];
			ops[i]->asym->ecdsa.s.data = s[i];
#if RTE_VERSION < RTE_VERSION_NUM(23, 11, 0, 0)
			ops[i]->asym->ecdsa.pkey = RIG_PARAM(d);
#endif
		}
		assert_true(rig_run(0, ops, 8));
		for (unsigned int i = 0; i < 8; i++) {
			assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
			rig_op_free(ops[i]);
		}
	}
	assert_int_equal(fake_log.nb_nonces, 128);
	for (unsigned int i = 0; i < 128; i++)
		for (unsigned int j = 0; j < i; j++)
			assert_true(fake_log.nonces[i] != fake_log.nonces[j]);
	rig_asym_session_free(session);
	EVP_PKEY_free(pkey);
}

/* One op of a slow kind and one of a quick kind behind it: each dequeue does one kind. */
static void
a_kind_that_waits_holds_up_no_other(void **state)
{
	void *a = session_of(&key_3072), *b = session_of(&key_2048);
	struct rte_crypto_op *ops[2], *back[4];
	unsigned int n = 0;

	(void)state;
	ops[0] = sign_op(a, 0);
	ops[1] = sign_op(b, 1);
	assert_int_equal(rte_cryptodev_enqueue_burst(rig_dev(), 0, ops, 2), 2);
	while (n < 2) {
		unsigned int got = rte_cryptodev_dequeue_burst(rig_dev(), 0, &back[n], 4);

		assert_true(got <= 1);
		n += got;
	}
	expect_signed(&key_3072, ops[0], 0);
	expect_signed(&key_2048, ops[1], 1);
	rig_op_free(ops[0]);
	rig_op_free(ops[1]);
	rig_asym_session_free(a);
	rig_asym_session_free(b);
}

static void
a_full_queue_takes_no_more_and_touches_nothing(void **state)
{
	void *session = session_of(&key_2048);
	struct rte_crypto_op *ops[RIG_DESC + 4], *back[RIG_DESC];
	struct rte_cryptodev_stats stats;
	unsigned int n = 0, i;

	(void)state;
	rte_cryptodev_stats_reset(rig_dev());
	for (i = 0; i < RTE_DIM(ops); i++)
		ops[i] = sign_op(session, i % NB);
	assert_int_equal(rte_cryptodev_enqueue_burst(rig_dev(), 0, ops, (uint16_t)RTE_DIM(ops)),
			 RIG_DESC);
	assert_int_equal(rte_cryptodev_enqueue_burst(rig_dev(), 0, &ops[RIG_DESC], 4), 0);
	for (i = RIG_DESC; i < RTE_DIM(ops); i++)
		assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	while (n < RIG_DESC)
		n += rte_cryptodev_dequeue_burst(rig_dev(), 0, &back[n], (uint16_t)(RIG_DESC - n));
	assert_true(rig_run(0, &ops[RIG_DESC], 4));
	assert_int_equal(rte_cryptodev_stats_get(rig_dev(), &stats), 0);
	assert_int_equal(stats.enqueued_count, RTE_DIM(ops));
	assert_int_equal(stats.dequeued_count, RTE_DIM(ops));
	assert_int_equal(stats.enqueue_err_count, 8);
	assert_int_equal(stats.dequeue_err_count, 0);
	for (i = 0; i < RTE_DIM(ops); i++) {
		assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		rig_op_free(ops[i]);
	}
	rig_asym_session_free(session);
}

/* With max_wait_us a call waits for more ops, and no longer than that. */
static void
ops_wait_for_company_as_long_as_they_are_told(void **state)
{
	struct rte_crypto_op *ops[3], *back[3];
	void *session = session_of(&key_2048);
	unsigned int n;

	(void)state;
	fake_reset();
	for (unsigned int i = 0; i < 3; i++)
		ops[i] = sign_op(session, i);
	assert_int_equal(rte_cryptodev_enqueue_burst(rig_dev(), 0, ops, 2), 2);
	assert_int_equal(rte_cryptodev_dequeue_burst(rig_dev(), 0, back, 3), 0);
	assert_int_equal(rte_cryptodev_enqueue_burst(rig_dev(), 0, &ops[2], 1), 1);
	assert_int_equal(rte_cryptodev_dequeue_burst(rig_dev(), 0, back, 3), 0);
	rte_delay_us_sleep(1010000);
	n = rte_cryptodev_dequeue_burst(rig_dev(), 0, back, 3);
	assert_int_equal(n, 3);
	assert_int_equal(fake_log.most_lanes, 3);
	for (unsigned int i = 0; i < 3; i++) {
		expect_signed(&key_2048, ops[i], i);
		rig_op_free(ops[i]);
	}
	rig_asym_session_free(session);
}

/* By crypto_mb: bursts that fill a call, part of one, and several. */
static void
signatures_of_the_library_are_right(void **state)
{
	static const unsigned int bursts[] = { 8, 3, 5, NB };
	const struct rsa_key *keys[] = { &key_2048, &key_3072 };

	(void)state;
	for (size_t i = 0; i < RTE_DIM(keys); i++) {
		void *session = session_of(keys[i]);

		for (size_t j = 0; j < RTE_DIM(bursts); j++)
			sign_burst(keys[i], session, bursts[j]);
		rig_asym_session_free(session);
	}
}

/* Of Wycheproof's x25519_test.json, 30: crypto_mb 2021.12.1 has another answer. */
static void
an_x25519_point_that_is_nearly_all_ones_goes_alone(void **state)
{
	static uint8_t point[32] = { 0xed, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
				     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
				     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
				     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f };
	static uint8_t scalar[32] = { 0xd0, 0xfc, 0xa6, 0x4c, 0xc5, 0xf3, 0xa0, 0xc8,
				      0xe7, 0x5c, 0x82, 0x4e, 0x8b, 0x09, 0xd1, 0x61,
				      0x5a, 0xa7, 0x9a, 0xeb, 0xa1, 0x39, 0xbb, 0x73,
				      0x02, 0xe2, 0xbb, 0x2f, 0xcb, 0xe5, 0x4b, 0x40 };
	static const uint8_t want[32] = { 0x7d, 0x62, 0xf1, 0x89, 0x44, 0x4c, 0x62, 0x31,
					  0xa4, 0x8a, 0xfa, 0xb1, 0x0a, 0x0a, 0xf2, 0xee,
					  0xe4, 0xa5, 0x2e, 0x43, 0x1e, 0xa0, 0x5f, 0xf7,
					  0x81, 0xd6, 0x16, 0xaf, 0x21, 0x14, 0x67, 0x2f };
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECPM };
	static uint8_t out[8][32], plain[32] = { 9, 1, 2 };
	struct rte_crypto_op *ops[8];
	void *session;

	(void)state;
	x.ec.curve_id = (enum rte_crypto_curve_id)PLX_MB_CURVE_X25519;
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	for (unsigned int i = 3; i < 32; i++)
		plain[i] = (uint8_t)(i + 7);
	for (unsigned int i = 0; i < 8; i++) {
		ops[i] = rig_asym_op(session);
		ops[i]->asym->ecpm.scalar = rig_param(scalar, 32);
		ops[i]->asym->ecpm.p.x = rig_param(i % 2 == 0 ? point : plain, 32);
		ops[i]->asym->ecpm.r.x.data = out[i];
	}
	fake_reset();
	assert_true(rig_run(0, ops, 8));
	assert_int_equal(fake_log.nb_calls, 1);
	assert_int_equal(fake_log.nb_lanes, 4);
	for (unsigned int i = 0; i < 8; i++) {
		assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		if (i % 2 == 0)
			assert_memory_equal(out[i], want, 32);
		rig_op_free(ops[i]);
	}
	rig_asym_session_free(session);
}

static int
setup_waiting(void **state)
{
	(void)state;
	fake_reset();
	rig_calls(&fake_calls);
	rig_up("max_wait_us=1000000", 1);
	return 0;
}

int
main(void)
{
	/* each has a device of its own: what it measures is forgotten with it */
#define WITH_DEVICE(test) cmocka_unit_test_setup_teardown(test, rig_setup_eight, rig_teardown)
	const struct CMUnitTest tests[] = {
		WITH_DEVICE(ops_of_two_keys_share_a_call),
		WITH_DEVICE(ops_of_two_sizes_do_not),
		WITH_DEVICE(one_op_alone_goes_the_single_way),
		WITH_DEVICE(a_call_that_is_not_worth_it_is_not_made),
		WITH_DEVICE(a_slow_first_op_is_forgotten),
		WITH_DEVICE(a_wrong_lane_is_done_again_and_nothing_wrong_gets_out),
		WITH_DEVICE(a_wrong_lane_leaves_nothing_behind),
		WITH_DEVICE(a_bad_op_among_eight_harms_nobody),
		WITH_DEVICE(an_x25519_point_that_is_nearly_all_ones_goes_alone),
		WITH_DEVICE(nonces_are_never_the_same),
		WITH_DEVICE(a_kind_that_waits_holds_up_no_other),
		WITH_DEVICE(a_full_queue_takes_no_more_and_touches_nothing),
		cmocka_unit_test_setup_teardown(ops_wait_for_company_as_long_as_they_are_told,
						setup_waiting, rig_teardown),
	};
	const struct CMUnitTest library[] = {
		cmocka_unit_test_setup_teardown(signatures_of_the_library_are_right,
						rig_setup_library, rig_teardown),
	};
	int ret;

	rig_eal("mb_lanes");
	rsa_key_make(&key_2048, 2048);
	rsa_key_make(&key_3072, 3072);
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	if (rig_has_library())
		ret += cmocka_run_group_tests_name("by crypto_mb", library, NULL, NULL);
	rsa_key_free(&key_2048);
	rsa_key_free(&key_3072);
	rte_eal_cleanup();
	return ret;
}
