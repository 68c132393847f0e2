/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_fake_calls.h"
#include "mb_rig.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <rte_common.h>
#include <rte_eal.h>

/* Ed25519 and SM2 on crypto_plx_mb, for DPDK that has them. */

/* RFC 8032 7.1, TEST 2 */
static uint8_t ed_secret[] = { 0x4c, 0xcd, 0x08, 0x9b, 0x28, 0xff, 0x96, 0xda, 0x9d, 0xb6, 0xc3,
			       0x46, 0xec, 0x11, 0x4e, 0x0f, 0x5b, 0x8a, 0x31, 0x9f, 0x35, 0xab,
			       0xa6, 0x24, 0xda, 0x8c, 0xf6, 0xed, 0x4f, 0xb8, 0xa6, 0xfb };
static uint8_t ed_public[] = { 0x3d, 0x40, 0x17, 0xc3, 0xe8, 0x43, 0x89, 0x5a, 0x92, 0xb7, 0x0a,
			       0xa7, 0x4d, 0x1b, 0x7e, 0xbc, 0x9c, 0x98, 0x2c, 0xcf, 0x2e, 0xc4,
			       0x96, 0x8c, 0xc0, 0xcd, 0x55, 0xf1, 0x2a, 0xf4, 0x66, 0x0c };
static uint8_t ed_message[] = { 0x72 };
static const uint8_t ed_signature[] = {
	0x92, 0xa0, 0x09, 0xa9, 0xf0, 0xd4, 0xca, 0xb8, 0x72, 0x0e, 0x82, 0x0b, 0x5f,
	0x64, 0x25, 0x40, 0xa2, 0xb2, 0x7b, 0x54, 0x16, 0x50, 0x3f, 0x8f, 0xb3, 0x76,
	0x22, 0x23, 0xeb, 0xdb, 0x69, 0xda, 0x08, 0x5a, 0xc1, 0xe4, 0x3e, 0x15, 0x99,
	0x6e, 0x45, 0x8f, 0x36, 0x13, 0xd0, 0xf1, 0x1d, 0x8c, 0x38, 0x7b, 0x2e, 0xae,
	0xb4, 0x30, 0x2a, 0xee, 0xb0, 0x0d, 0x29, 0x16, 0x12, 0xbb, 0x0c, 0x00,
};

static void
ed25519_is_the_rfcs(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_EDDSA };
	struct rte_crypto_eddsa_op_param *p;
	struct rte_crypto_op *op;
	uint8_t sig[64];
	void *both, *public;

	(void)state;
	x.ec.curve_id = RTE_CRYPTO_EC_GROUP_ED25519;
	x.ec.pkey = rig_param(ed_secret, 32);
	x.ec.q.x = rig_param(ed_public, 32);
	both = rig_asym_session(&x, NULL);
	assert_non_null(both);
	x.ec.pkey.length = 0;
	public = rig_asym_session(&x, NULL);
	assert_non_null(public);
	op = rig_asym_op(both);
	p = &op->asym->eddsa;
	p->op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	p->instance = RTE_CRYPTO_EDCURVE_25519;
	p->message = rig_param(ed_message, 1);
	p->sign.data = sig;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(p->sign.length, 64);
	assert_memory_equal(sig, ed_signature, 64);
	op->asym->session = public;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS); /* cannot sign */
	p->op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	sig[40] ^= 1;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	p->sign.length = 63;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	p->instance = RTE_CRYPTO_EDCURVE_448;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	rig_op_free(op);
	rig_asym_session_free(both);
	rig_asym_session_free(public);
	x.ec.curve_id = RTE_CRYPTO_EC_GROUP_ED448;
	assert_null(rig_asym_session(&x, NULL));
	x.ec.curve_id = RTE_CRYPTO_EC_GROUP_ED25519;
	x.ec.q.x.length = 31;
	assert_null(rig_asym_session(&x, NULL));
}

/* Sixteen ops of two sessions, one of them over an empty message, are what OpenSSL makes of each.
 */
static void
ed25519_bursts_are_openssls(void **state)
{
	static uint8_t keys[2][32], messages[16][40], sigs[16][64];
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_EDDSA };
	struct rte_crypto_op *ops[16];
	EVP_PKEY *pkeys[2];
	void *sessions[2];

	(void)state;
	x.ec.curve_id = RTE_CRYPTO_EC_GROUP_ED25519;
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(RAND_bytes(keys[i], 32), 1);
		pkeys[i] = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, keys[i], 32);
		assert_non_null(pkeys[i]);
		x.ec.pkey = rig_param(keys[i], 32);
		x.ec.q.x = rig_param(ed_public, 32); /* another's: of no effect */
		sessions[i] = rig_asym_session(&x, NULL);
		assert_non_null(sessions[i]);
	}
	for (size_t i = 0; i < 16; i++) {
		struct rte_crypto_eddsa_op_param *p;

		assert_int_equal(RAND_bytes(messages[i], 40), 1);
		ops[i] = rig_asym_op(sessions[i % 2]);
		p = &ops[i]->asym->eddsa;
		p->op_type = RTE_CRYPTO_ASYM_OP_SIGN;
		p->instance = RTE_CRYPTO_EDCURVE_25519;
		p->message = rig_param(messages[i], 25 + i);
		p->sign.data = sigs[i];
	}
	ops[3]->asym->eddsa.message = (rte_crypto_param){ .data = NULL };
	assert_true(rig_run(0, ops, 16));
	for (size_t i = 0; i < 16; i++) {
		EVP_MD_CTX *ctx = EVP_MD_CTX_new();
		uint8_t want[64];
		size_t len = sizeof(want);

		assert_int_equal(EVP_DigestSignInit(ctx, NULL, NULL, NULL, pkeys[i % 2]), 1);
		assert_int_equal(EVP_DigestSign(ctx, want, &len, messages[i], i == 3 ? 0 : 25 + i),
				 1);
		assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(ops[i]->asym->eddsa.sign.length, 64);
		assert_memory_equal(sigs[i], want, 64);
		EVP_MD_CTX_free(ctx);
		rig_op_free(ops[i]);
	}
	for (size_t i = 0; i < 2; i++) {
		rig_asym_session_free(sessions[i]);
		EVP_PKEY_free(pkeys[i]);
	}
}

struct sm2 {
	EVP_PKEY *pkey;
	struct rig_num d, x, y;
	void *session;
};

static void
sm2_make(struct sm2 *t)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_SM2 };

	t->pkey = EVP_PKEY_Q_keygen(NULL, NULL, "SM2");
	assert_non_null(t->pkey);
	rig_num_get(t->pkey, OSSL_PKEY_PARAM_PRIV_KEY, &t->d);
	rig_num_get(t->pkey, OSSL_PKEY_PARAM_EC_PUB_X, &t->x);
	rig_num_get(t->pkey, OSSL_PKEY_PARAM_EC_PUB_Y, &t->y);
	x.ec.curve_id = RTE_CRYPTO_EC_GROUP_SM2;
	x.ec.pkey = RIG_PARAM(t->d);
	t->session = rig_asym_session(&x, NULL); /* the public key is made of the private one */
	assert_non_null(t->session);
}

static void
sm2_free(struct sm2 *t)
{
	rig_asym_session_free(t->session);
	EVP_PKEY_free(t->pkey);
}

static bool
evp_verifies(const struct sm2 *t, const uint8_t *id, size_t id_len, const uint8_t *msg, size_t len,
	     const uint8_t *r, const uint8_t *s)
{
	EVP_PKEY_CTX *pctx = EVP_PKEY_CTX_new(t->pkey, NULL);
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	ECDSA_SIG *sig = ECDSA_SIG_new();
	uint8_t *der = NULL;
	int der_len;
	bool ok;

	ECDSA_SIG_set0(sig, BN_bin2bn(r, 32, NULL), BN_bin2bn(s, 32, NULL));
	der_len = i2d_ECDSA_SIG(sig, &der);
	assert_int_equal(EVP_PKEY_CTX_set1_id(pctx, id, (int)id_len), 1);
	EVP_MD_CTX_set_pkey_ctx(ctx, pctx);
	assert_int_equal(EVP_DigestVerifyInit(ctx, NULL, EVP_sm3(), NULL, t->pkey), 1);
	ok = EVP_DigestVerify(ctx, der, (size_t)der_len, msg, len) == 1;
	OPENSSL_free(der);
	ECDSA_SIG_free(sig);
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_CTX_free(pctx);
	return ok;
}

static void
sm2_signatures_verify_and_wrong_ones_do_not(void **state)
{
	uint8_t id[] = "1234567812345678", msg[] = "what is signed", r[32], s[32];
	struct rte_crypto_sm2_op_param *p;
	struct rte_crypto_op *op;
	struct sm2 t;

	(void)state;
	sm2_make(&t);
	op = rig_asym_op(t.session);
	p = &op->asym->sm2;
	p->op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	p->hash = RTE_CRYPTO_AUTH_SM3;
	p->id = rig_param(id, 16);
	p->message = rig_param(msg, sizeof(msg));
	p->r.data = r;
	p->s.data = s;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_true(evp_verifies(&t, id, 16, msg, sizeof(msg), r, s));
	p->op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	id[3] ^= 1;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	id[3] ^= 1;
	s[31] ^= 1;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	p->r.length = 33;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	rig_op_free(op);
	sm2_free(&t);
}

static void
sm2_decrypts_what_it_encrypted_and_nothing_else(void **state)
{
	uint8_t msg[] = "a secret of some length", cipher[256], back[256];
	struct rte_crypto_sm2_op_param *p;
	struct rte_crypto_op *op;
	struct sm2 t;
	size_t len = sizeof(back);
	EVP_PKEY_CTX *ctx;

	(void)state;
	sm2_make(&t);
	ctx = EVP_PKEY_CTX_new(t.pkey, NULL);
	op = rig_asym_op(t.session);
	p = &op->asym->sm2;
	p->op_type = RTE_CRYPTO_ASYM_OP_ENCRYPT;
	p->message = rig_param(msg, sizeof(msg));
	p->cipher.data = cipher;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(EVP_PKEY_decrypt_init(ctx), 1);
	assert_int_equal(EVP_PKEY_decrypt(ctx, back, &len, cipher, p->cipher.length), 1);
	assert_int_equal(len, sizeof(msg));
	assert_memory_equal(back, msg, len);
	memset(back, 0, sizeof(back));
	p->op_type = RTE_CRYPTO_ASYM_OP_DECRYPT;
	p->message = rig_param(back, 0);
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(p->message.length, sizeof(msg));
	assert_memory_equal(back, msg, sizeof(msg));
	cipher[p->cipher.length - 1] ^= 1;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_ERROR);
	p->cipher.length = 3;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_ERROR);
	EVP_PKEY_CTX_free(ctx);
	rig_op_free(op);
	sm2_free(&t);
}

/* Eight ops of two keys with random ids and messages, signed; then verified, four of them wrong in
 * some way. An op of other lengths than the first one, or a long one, goes alone. */
static void
sm2_burst_check(const size_t *id_lengths, const size_t *lengths, unsigned int nb_shared)
{
	static uint8_t messages[8][5000], ids[8][64], r[8][32], s[8][32];
	struct rte_crypto_op *ops[8];
	struct sm2 t[2];

	sm2_make(&t[0]);
	sm2_make(&t[1]);
	for (size_t i = 0; i < 8; i++) {
		struct rte_crypto_sm2_op_param *p;

		assert_int_equal(RAND_bytes(messages[i], sizeof(messages[i])), 1);
		assert_int_equal(RAND_bytes(ids[i], sizeof(ids[i])), 1);
		ops[i] = rig_asym_op(t[i % 2].session);
		p = &ops[i]->asym->sm2;
		p->op_type = RTE_CRYPTO_ASYM_OP_SIGN;
		p->hash = RTE_CRYPTO_AUTH_SM3;
		p->id = rig_param(ids[i], id_lengths[i]);
		p->message = rig_param(messages[i], lengths[i]);
		p->r.data = r[i];
		p->s.data = s[i];
	}
	fake_reset();
	assert_true(rig_run(0, ops, 8));
	assert_true(fake_log.nb_calls == 0 || fake_log.nb_shared == nb_shared);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_true(evp_verifies(&t[i % 2], ids[i], id_lengths[i], messages[i], lengths[i],
					 r[i], s[i]));
		ops[i]->asym->sm2.op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
	}
	messages[1][lengths[1] - 1] ^= 1;
	ids[2][0] ^= 1;
	memset(r[4], 0xff, 32); /* above the order */
	memset(s[5], 0, 32);
	assert_true(rig_run(0, ops, 8));
	for (size_t i = 0; i < 8; i++) {
		bool is_wrong = i == 1 || i == 2 || i == 4 || i == 5;

		assert_int_equal(ops[i]->status, is_wrong ? RTE_CRYPTO_OP_STATUS_AUTH_FAILED
							  : RTE_CRYPTO_OP_STATUS_SUCCESS);
		rig_op_free(ops[i]);
	}
	sm2_free(&t[0]);
	sm2_free(&t[1]);
}

static void
sm2_bursts_are_right(void **state)
{
	/* around SM3's blocks of 64 bytes, which hold 55 and a length */
	static const size_t lengths[] = { 1, 31, 32, 33, 55, 56, 63, 64, 65, 119, 128, 4096 };
	static const size_t mixed[8] = { 32, 32, 33, 32, 5000, 32, 1, 32 };
	size_t same[8], id[8];

	(void)state;
	for (size_t i = 0; i < RTE_DIM(lengths); i++) {
		for (size_t k = 0; k < 8; k++) {
			same[k] = lengths[i];
			id[k] = i == 0 ? 1 : 5 * i;
		}
		sm2_burst_check(id, same, 8);
	}
	for (size_t k = 0; k < 8; k++)
		id[k] = 16;
	id[7] = 17;
	sm2_burst_check(id, mixed, 4);
}

static void
sm2_nonces_are_never_the_same(void **state)
{
	uint8_t id[] = "1", msg[] = "again and again", r[32], s[32];
	struct rte_crypto_sm2_op_param *p;
	struct rte_crypto_op *op;
	struct sm2 t;

	(void)state;
	sm2_make(&t);
	op = rig_asym_op(t.session);
	p = &op->asym->sm2;
	p->op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	p->hash = RTE_CRYPTO_AUTH_SM3;
	p->id = rig_param(id, 1);
	p->message = rig_param(msg, sizeof(msg));
	p->r.data = r;
	p->s.data = s;
	fake_reset();
	for (int i = 0; i < 16; i++)
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(fake_log.nb_nonces, 128);
	for (unsigned int i = 0; i < 128; i++)
		for (unsigned int j = 0; j < i; j++)
			assert_true(fake_log.nonces[i] != fake_log.nonces[j]);
	rig_op_free(op);
	sm2_free(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ed25519_is_the_rfcs),
		cmocka_unit_test(ed25519_bursts_are_openssls),
		cmocka_unit_test(sm2_bursts_are_right),
		cmocka_unit_test(sm2_signatures_verify_and_wrong_ones_do_not),
	};
	const struct CMUnitTest others[] = {
		cmocka_unit_test(sm2_decrypts_what_it_encrypted_and_nothing_else),
	};
	const struct CMUnitTest fakes[] = {
		cmocka_unit_test(sm2_nonces_are_never_the_same),
	};
	int ret;

	rig_eal("mb_edwards_sm2");
	ret = cmocka_run_group_tests_name("one at a time", tests, rig_setup_one, rig_teardown);
	ret += cmocka_run_group_tests_name("without a call", others, rig_setup_one, rig_teardown);
	rig_fill_calls(true);
	ret += cmocka_run_group_tests_name("eight at a time", tests, rig_setup_eight,
					   rig_teardown_eight);
	ret += cmocka_run_group_tests_name("nonces", fakes, rig_setup_eight, rig_teardown_eight);
	if (rig_has_library())
		ret += cmocka_run_group_tests_name("by crypto_mb", tests, rig_setup_library,
						   rig_teardown);
	rte_eal_cleanup();
	return ret;
}
