/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "mb_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/rand.h>
#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_eal.h>
#include <rte_version.h>

#include "mb_asym_priv.h"
#include "mb_fake_calls.h"
#include "plx_mb.h"

/*
 * ECDSA, ECDH, point multiplication and X25519 on crypto_plx_mb against OpenSSL's EVP. Each test
 * runs twice: one op at a time, and with calls of eight.
 */

#define NB         20u
#define IN_SESSION (RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0))

static const struct curve {
	enum rte_crypto_curve_id id;
	const char *name;
	size_t bytes;
} curves[] = {
	{ RTE_CRYPTO_EC_GROUP_SECP256R1, "P-256", 32 },
	{ RTE_CRYPTO_EC_GROUP_SECP384R1, "P-384", 48 },
	{ RTE_CRYPTO_EC_GROUP_SECP521R1, "P-521", 66 },
};

struct ec_key {
	EVP_PKEY *pkey;
	struct rig_num d, x, y;
};

static void
key_make(struct ec_key *k, const struct curve *c)
{
	k->pkey = EVP_EC_gen(c->name);
	assert_non_null(k->pkey);
	rig_num_get(k->pkey, OSSL_PKEY_PARAM_PRIV_KEY, &k->d);
	rig_num_get(k->pkey, OSSL_PKEY_PARAM_EC_PUB_X, &k->x);
	rig_num_get(k->pkey, OSSL_PKEY_PARAM_EC_PUB_Y, &k->y);
}

static void *
session_make(enum rte_crypto_asym_xform_type type, enum rte_crypto_curve_id id,
	     const struct ec_key *k)
{
	struct rte_crypto_asym_xform x = { .xform_type = type };
	void *session;

	x.ec.curve_id = id;
#if IN_SESSION
	if (k != NULL) {
		x.ec.pkey = RIG_PARAM(k->d);
		x.ec.q.x = RIG_PARAM(k->x);
		x.ec.q.y = RIG_PARAM(k->y);
	}
#else
	(void)k;
#endif
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	return session;
}

static void
ecdsa_keys(struct rte_crypto_op *op, const struct ec_key *k)
{
#if IN_SESSION
	(void)op;
	(void)k;
#else
	op->asym->ecdsa.pkey = RIG_PARAM(k->d);
	op->asym->ecdsa.q.x = RIG_PARAM(k->x);
	op->asym->ecdsa.q.y = RIG_PARAM(k->y);
#endif
}

static bool
evp_verifies(const struct ec_key *k, const uint8_t *digest, size_t len, const uint8_t *r,
	     const uint8_t *s, size_t bytes)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(k->pkey, NULL);
	ECDSA_SIG *sig = ECDSA_SIG_new();
	uint8_t *der = NULL;
	int der_len;
	bool ok;

	ECDSA_SIG_set0(sig, BN_bin2bn(r, (int)bytes, NULL), BN_bin2bn(s, (int)bytes, NULL));
	der_len = i2d_ECDSA_SIG(sig, &der);
	assert_int_equal(EVP_PKEY_verify_init(ctx), 1);
	ok = EVP_PKEY_verify(ctx, der, (size_t)der_len, digest, len) == 1;
	OPENSSL_free(der);
	ECDSA_SIG_free(sig);
	EVP_PKEY_CTX_free(ctx);
	return ok;
}

struct signing {
	struct ec_key key;
	void *session;
	uint8_t digest[80], r[80], s[80];
	size_t len;
};

static void
signing_make(struct signing *t, const struct curve *c, size_t len)
{
	key_make(&t->key, c);
	t->session = session_make(RTE_CRYPTO_ASYM_XFORM_ECDSA, c->id, &t->key);
	t->len = len;
	assert_int_equal(RAND_bytes(t->digest, (int)len), 1);
}

static struct rte_crypto_op *
signing_op(struct signing *t, enum rte_crypto_asym_op_type type, size_t bytes)
{
	struct rte_crypto_op *op = rig_asym_op(t->session);

	ecdsa_keys(op, &t->key);
	op->asym->ecdsa.op_type = type;
	op->asym->ecdsa.message = rig_param(t->digest, t->len);
	op->asym->ecdsa.r = rig_param(t->r, bytes);
	op->asym->ecdsa.s = rig_param(t->s, bytes);
	return op;
}

static void
signing_free(struct signing *t)
{
	rig_asym_session_free(t->session);
	EVP_PKEY_free(t->key.pkey);
}

/* Digests shorter than the order, as long, and longer. */
static void
signatures_verify_and_wrong_ones_do_not(void **state)
{
	static const size_t lens[] = { 20, 32, 48, 64, 65, 66, 80, 1 };
	static struct signing t[NB];
	struct rte_crypto_op *ops[NB];
	unsigned int i;

	(void)state;
	for (size_t j = 0; j < RTE_DIM(curves); j++) {
		const struct curve *c = &curves[j];

		for (i = 0; i < NB; i++) {
			signing_make(&t[i], c, lens[i % RTE_DIM(lens)]);
			ops[i] = signing_op(&t[i], RTE_CRYPTO_ASYM_OP_SIGN, 0);
		}
		assert_true(rig_run(0, ops, NB));
		for (i = 0; i < NB; i++) {
			assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
			assert_int_equal(ops[i]->asym->ecdsa.r.length, c->bytes);
			assert_int_equal(ops[i]->asym->ecdsa.s.length, c->bytes);
			assert_true(evp_verifies(&t[i].key, t[i].digest, t[i].len, t[i].r, t[i].s,
						 c->bytes));
			rig_op_free(ops[i]);
			ops[i] = signing_op(&t[i], RTE_CRYPTO_ASYM_OP_VERIFY, c->bytes);
			/* each third is wrong in one of three ways */
			if (i % 9 == 0)
				t[i].r[c->bytes - 1] ^= 1;
			if (i % 9 == 3)
				t[i].s[c->bytes - 1] ^= 1;
			if (i % 9 == 6)
				t[i].digest[0] ^= 1;
		}
		assert_true(rig_run(0, ops, NB));
		for (i = 0; i < NB; i++) {
			assert_int_equal(ops[i]->status, i % 3 == 0
								 ? RTE_CRYPTO_OP_STATUS_AUTH_FAILED
								 : RTE_CRYPTO_OP_STATUS_SUCCESS);
			rig_op_free(ops[i]);
			signing_free(&t[i]);
		}
	}
}

static void
two_signatures_of_one_message_differ(void **state)
{
	const struct curve *c = &curves[0];
	struct signing t;
	uint8_t first[32];
	struct rte_crypto_op *op;
	uint8_t k[32] = { 1 };

	(void)state;
	signing_make(&t, c, 32);
	op = signing_op(&t, RTE_CRYPTO_ASYM_OP_SIGN, 0);
	op->asym->ecdsa.k = rig_param(k, sizeof(k)); /* asked for the same nonce twice */
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	memcpy(first, t.r, sizeof(first));
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_memory_not_equal(first, t.r, sizeof(first));
	rig_op_free(op);
	signing_free(&t);
}

/* The queue pair's EC_KEY, which took the key for the op. */
static void
a_private_key_goes_with_its_op(void **state)
{
	const struct mb_qp *qp =
		rte_cryptodev_pmd_get_named_dev("crypto_plx_mb0")->data->queue_pairs[0];

	(void)state;
	for (size_t i = 0; i < RTE_DIM(curves); i++) {
		struct signing t;
		struct rte_crypto_op *op;

		signing_make(&t, &curves[i], 32);
		op = signing_op(&t, RTE_CRYPTO_ASYM_OP_SIGN, 0);
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_null(EC_KEY_get0_private_key(qp->asym->keys[i]));
		rig_op_free(op);
		signing_free(&t);
	}
}

/* Numbers that are no signature and points that are on no curve. */
static void
what_is_no_signature_or_no_point_is_refused(void **state)
{
	const struct curve *c = &curves[0];
	struct signing t;
	struct rte_crypto_op *op;

	(void)state;
	signing_make(&t, c, 32);
	op = signing_op(&t, RTE_CRYPTO_ASYM_OP_VERIFY, 32);
	memset(t.r, 0, 32);
	memset(t.s, 1, 32);
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	memset(t.r, 0xff, 32); /* above the order */
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	op->asym->ecdsa.r.length = 33;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	op->asym->ecdsa.r = rig_param(NULL, 32);
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op->asym->ecdsa.r = rig_param(t.r, 32);
	op->asym->ecdsa.message.length = 0;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op->asym->ecdsa.message.length = 32;
	op->asym->ecdsa.op_type = RTE_CRYPTO_ASYM_OP_DECRYPT;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
#if !IN_SESSION
	op->asym->ecdsa.op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
	t.key.x.bytes[5] ^= 1;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op->asym->ecdsa.op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	memset(t.key.d.bytes, 0, t.key.d.len);
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	memset(t.key.d.bytes, 0xff, t.key.d.len);
	op->asym->ecdsa.pkey = rig_param(t.key.d.bytes, 32);
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op->asym->ecdsa.pkey.length = 0;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
#endif
	rig_op_free(op);
	signing_free(&t);
}

static void
secret_of(const struct ec_key *mine, const struct ec_key *peer, uint8_t *out, size_t bytes)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(mine->pkey, NULL);
	size_t len = bytes;

	assert_int_equal(EVP_PKEY_derive_init(ctx), 1);
	assert_int_equal(EVP_PKEY_derive_set_peer(ctx, peer->pkey), 1);
	assert_int_equal(EVP_PKEY_derive(ctx, out, &len), 1);
	assert_int_equal(len, bytes);
	EVP_PKEY_CTX_free(ctx);
}

static void
shared_secrets_are_openssls(void **state)
{
	struct ec_key mine[NB], peer[NB];
	struct rte_crypto_op *ops[NB];
	static uint8_t out[NB][80];
	uint8_t y[80], want[80];
	unsigned int i;

	(void)state;
	for (size_t j = 0; j < RTE_DIM(curves); j++) {
		const struct curve *c = &curves[j];
		void *session = session_make(RTE_CRYPTO_ASYM_XFORM_ECDH, c->id, NULL);

		for (i = 0; i < NB; i++) {
			struct rte_crypto_ecdh_op_param *p;

			key_make(&mine[i], c);
			key_make(&peer[i], c);
			ops[i] = rig_asym_op(session);
			p = &ops[i]->asym->ecdh;
			p->ke_type = RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE;
			p->priv_key = RIG_PARAM(mine[i].d);
			p->pub_key.x = RIG_PARAM(peer[i].x);
			p->pub_key.y = RIG_PARAM(peer[i].y);
			p->shared_secret.x.data = out[i];
			if (i == 7) /* wants y as well */
				p->shared_secret.y.data = y;
		}
		peer[3].x.bytes[9] ^= 4; /* off the curve */
		assert_true(rig_run(0, ops, NB));
		for (i = 0; i < NB; i++) {
			if (i == 3) {
				assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
			} else {
				assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
				assert_int_equal(ops[i]->asym->ecdh.shared_secret.x.length,
						 c->bytes);
				secret_of(&mine[i], &peer[i], want, c->bytes);
				assert_memory_equal(out[i], want, c->bytes);
			}
			rig_op_free(ops[i]);
			EVP_PKEY_free(mine[i].pkey);
			EVP_PKEY_free(peer[i].pkey);
		}
		rig_asym_session_free(session);
	}
}

/* A public key, asked for in each of the two ways in turn. */
static struct rte_crypto_op *
public_op(void *ecdh, void *ecfpm, unsigned int i, rte_crypto_param key, uint8_t *x, uint8_t *y)
{
	struct rte_crypto_op *op = rig_asym_op(i % 2 == 0 ? ecdh : ecfpm);

	if (i % 2 == 0) {
		op->asym->ecdh.ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE;
		op->asym->ecdh.priv_key = key;
		op->asym->ecdh.pub_key.x.data = x;
		op->asym->ecdh.pub_key.y.data = y;
	} else {
		op->asym->ecpm.scalar = key;
		op->asym->ecpm.r.x.data = x;
		op->asym->ecpm.r.y.data = y;
	}
	return op;
}

static void
public_keys_are_openssls(void **state)
{
	struct ec_key k[NB];
	struct rte_crypto_op *ops[NB];
	static uint8_t x[NB][80], y[NB][80];
	unsigned int i;

	(void)state;
	for (size_t j = 0; j < RTE_DIM(curves); j++) {
		const struct curve *c = &curves[j];
		void *ecdh = session_make(RTE_CRYPTO_ASYM_XFORM_ECDH, c->id, NULL);
		void *ecfpm = session_make(RTE_CRYPTO_ASYM_XFORM_ECFPM, c->id, NULL);

		for (i = 0; i < NB; i++) {
			key_make(&k[i], c);
			ops[i] = public_op(ecdh, ecfpm, i, RIG_PARAM(k[i].d), x[i], y[i]);
		}
		assert_true(rig_run(0, ops, NB));
		for (i = 0; i < NB; i++) {
			assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
			assert_memory_equal(x[i] + c->bytes - k[i].x.len, k[i].x.bytes, k[i].x.len);
			assert_memory_equal(y[i] + c->bytes - k[i].y.len, k[i].y.bytes, k[i].y.len);
			rig_op_free(ops[i]);
			EVP_PKEY_free(k[i].pkey);
		}
		rig_asym_session_free(ecdh);
		rig_asym_session_free(ecfpm);
	}
}

/* Around both ends. */
static void
a_private_key_is_1_to_the_order_less_1(void **state)
{
	static const struct {
		int from_order; /* added to the order, or to 0 */
		bool is_near_order, is_key;
	} cases[] = {
		{ 0, false, false }, { 1, false, true }, { 2, false, true }, { -2, true, true },
		{ -1, true, true },  { 0, true, false }, { 1, true, false }, { 255, true, false },
	};
	static uint8_t keys[RTE_DIM(cases)][66], x[RTE_DIM(cases)][66], y[RTE_DIM(cases)][66];
	struct rte_crypto_op *ops[RTE_DIM(cases)];

	(void)state;
	for (size_t j = 0; j < RTE_DIM(curves); j++) {
		const struct curve *c = &curves[j];
		void *session = session_make(RTE_CRYPTO_ASYM_XFORM_ECDH, c->id, NULL);
		EC_GROUP *group = EC_GROUP_new_by_curve_name(EC_curve_nist2nid(c->name));

		assert_non_null(group);
		for (size_t i = 0; i < RTE_DIM(cases); i++) {
			BIGNUM *n = cases[i].is_near_order ? BN_dup(EC_GROUP_get0_order(group))
							   : BN_new();
			int add = cases[i].from_order;

			assert_int_equal(add < 0 ? BN_sub_word(n, (BN_ULONG)-add)
						 : BN_add_word(n, (BN_ULONG)add),
					 1);
			assert_true(BN_bn2binpad(n, keys[i], (int)c->bytes) > 0);
			BN_free(n);
			ops[i] = rig_asym_op(session);
			ops[i]->asym->ecdh.ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE;
			ops[i]->asym->ecdh.priv_key = rig_param(keys[i], c->bytes);
			ops[i]->asym->ecdh.pub_key.x.data = x[i];
			ops[i]->asym->ecdh.pub_key.y.data = y[i];
		}
		assert_true(rig_run(0, ops, RTE_DIM(cases)));
		for (size_t i = 0; i < RTE_DIM(cases); i++) {
			assert_int_equal(ops[i]->status,
					 cases[i].is_key ? RTE_CRYPTO_OP_STATUS_SUCCESS
							 : RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
			rig_op_free(ops[i]);
		}
		/* -G has the generator's x */
		assert_memory_equal(x[1], x[4], c->bytes);
		EC_GROUP_free(group);
		rig_asym_session_free(session);
	}
}

/* A key of the device's own is a key, and its point passes the check. */
static void
keys_can_be_made_and_checked(void **state)
{
	uint8_t d[80], x[80], y[80];
	struct rte_crypto_ecdh_op_param *p;
	struct rte_crypto_op *op;

	(void)state;
	for (size_t j = 0; j < RTE_DIM(curves); j++) {
		void *session = session_make(RTE_CRYPTO_ASYM_XFORM_ECDH, curves[j].id, NULL);

		op = rig_asym_op(session);
		p = &op->asym->ecdh;
		p->ke_type = RTE_CRYPTO_ASYM_KE_PRIV_KEY_GENERATE;
		p->priv_key.data = d;
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(p->priv_key.length, curves[j].bytes);
		p->ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE;
		p->pub_key.x.data = x;
		p->pub_key.y.data = y;
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		p->ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_VERIFY;
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		x[10] ^= 1;
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_ERROR);
		p->pub_key.x.length = 0;
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		p->ke_type = (enum rte_crypto_asym_ke_type)55;
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		rig_op_free(op);
		rig_asym_session_free(session);
	}
}

static void
a_point_times_a_number_is_openssls(void **state)
{
	const struct curve *c = &curves[0];
	EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
	EC_POINT *p = EC_POINT_new(group), *r = EC_POINT_new(group);
	void *session = session_make(RTE_CRYPTO_ASYM_XFORM_ECPM, c->id, NULL);
	struct rte_crypto_op *op = rig_asym_op(session);
	struct ec_key from, scalar;
	uint8_t x[32], y[32], want[65];
	BIGNUM *bx, *by, *k;

	(void)state;
	key_make(&from, c);
	key_make(&scalar, c);
	bx = BN_bin2bn(from.x.bytes, (int)from.x.len, NULL);
	by = BN_bin2bn(from.y.bytes, (int)from.y.len, NULL);
	k = BN_bin2bn(scalar.d.bytes, (int)scalar.d.len, NULL);
	assert_int_equal(EC_POINT_set_affine_coordinates(group, p, bx, by, NULL), 1);
	assert_int_equal(EC_POINT_mul(group, r, NULL, p, k, NULL), 1);
	assert_int_equal(
		EC_POINT_point2oct(group, r, POINT_CONVERSION_UNCOMPRESSED, want, 65, NULL), 65);
	op->asym->ecpm.p.x = RIG_PARAM(from.x);
	op->asym->ecpm.p.y = RIG_PARAM(from.y);
	op->asym->ecpm.scalar = RIG_PARAM(scalar.d);
	op->asym->ecpm.r.x.data = x;
	op->asym->ecpm.r.y.data = y;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_memory_equal(x, want + 1, 32);
	assert_memory_equal(y, want + 33, 32);
	op->asym->ecpm.r.y.data = NULL;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	rig_op_free(op);
	rig_asym_session_free(session);
	BN_free(bx);
	BN_free(by);
	BN_free(k);
	EVP_PKEY_free(from.pkey);
	EVP_PKEY_free(scalar.pkey);
	EC_POINT_free(p);
	EC_POINT_free(r);
	EC_GROUP_free(group);
}

/* RFC 7748 6.1 */
static uint8_t alice[] = { 0x77, 0x07, 0x6d, 0x0a, 0x73, 0x18, 0xa5, 0x7d, 0x3c, 0x16, 0xc1,
			   0x72, 0x51, 0xb2, 0x66, 0x45, 0xdf, 0x4c, 0x2f, 0x87, 0xeb, 0xc0,
			   0x99, 0x2a, 0xb1, 0x77, 0xfb, 0xa5, 0x1d, 0xb9, 0x2c, 0x2a };
static uint8_t alice_public[] = { 0x85, 0x20, 0xf0, 0x09, 0x89, 0x30, 0xa7, 0x54, 0x74, 0x8b, 0x7d,
				  0xdc, 0xb4, 0x3e, 0xf7, 0x5a, 0x0d, 0xbf, 0x3a, 0x0d, 0x26, 0x38,
				  0x1a, 0xf4, 0xeb, 0xa4, 0xa9, 0x8e, 0xaa, 0x9b, 0x4e, 0x6a };
static uint8_t bob_public[] = { 0xde, 0x9e, 0xdb, 0x7d, 0x7b, 0x7d, 0xc1, 0xb4, 0xd3, 0x5b, 0x61,
				0xc2, 0xec, 0xe4, 0x35, 0x37, 0x3f, 0x83, 0x43, 0xc8, 0x5b, 0x78,
				0x67, 0x4d, 0xad, 0xfc, 0x7e, 0x14, 0x6f, 0x88, 0x2b, 0x4f };
static const uint8_t shared[] = { 0x4a, 0x5d, 0x9d, 0x5b, 0xa4, 0xce, 0x2d, 0xe1, 0x72, 0x8e, 0x3b,
				  0xf4, 0x80, 0x35, 0x0f, 0x25, 0xe0, 0x7e, 0x21, 0xc9, 0x47, 0xd1,
				  0x9e, 0x33, 0x76, 0xf0, 0x9b, 0x3c, 0x1e, 0x16, 0x17, 0x42 };

static void
x25519_is_the_rfcs(void **state)
{
	const enum rte_crypto_curve_id id = (enum rte_crypto_curve_id)PLX_MB_CURVE_X25519;
	void *ecdh = session_make(RTE_CRYPTO_ASYM_XFORM_ECDH, id, NULL);
	void *ecpm = session_make(RTE_CRYPTO_ASYM_XFORM_ECPM, id, NULL);
	void *ecfpm = session_make(RTE_CRYPTO_ASYM_XFORM_ECFPM, id, NULL);
	static uint8_t out[NB][32];
	struct rte_crypto_op *ops[NB];
	uint8_t zero[32] = { 0 };
	unsigned int i;

	(void)state;
	for (i = 0; i < NB; i++) {
		ops[i] = rig_asym_op(i % 2 == 0 ? ecdh : ecpm);
		if (i % 2 == 0) {
			ops[i]->asym->ecdh.ke_type = RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE;
			ops[i]->asym->ecdh.priv_key = rig_param(alice, 32);
			ops[i]->asym->ecdh.pub_key.x = rig_param(bob_public, 32);
			ops[i]->asym->ecdh.shared_secret.x.data = out[i];
		} else {
			ops[i]->asym->ecpm.scalar = rig_param(alice, 32);
			ops[i]->asym->ecpm.p.x = rig_param(bob_public, 32);
			ops[i]->asym->ecpm.r.x.data = out[i];
		}
	}
	ops[4]->asym->ecdh.pub_key.x = rig_param(zero, 32); /* of low order */
	ops[5]->asym->ecpm.scalar.length = 31;
	assert_true(rig_run(0, ops, NB));
	for (i = 0; i < NB; i++) {
		if (i == 4) {
			assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_ERROR);
		} else if (i == 5) {
			assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		} else {
			assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
			assert_memory_equal(out[i], shared, 32);
		}
		rig_op_free(ops[i]);
	}
	for (i = 0; i < NB; i++) {
		memset(out[i], 0, 32);
		ops[i] = public_op(ecdh, ecfpm, i, rig_param(alice, 32), out[i], NULL);
	}
	assert_true(rig_run(0, ops, NB));
	for (i = 0; i < NB; i++) {
		assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_memory_equal(out[i], alice_public, 32);
		rig_op_free(ops[i]);
	}
	rig_asym_session_free(ecdh);
	rig_asym_session_free(ecpm);
	rig_asym_session_free(ecfpm);
}

static void
curves_it_has_not_are_refused(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECDSA };
	int why;

	(void)state;
	x.ec.curve_id = RTE_CRYPTO_EC_GROUP_SECP192R1;
	assert_null(rig_asym_session(&x, &why));
	x.ec.curve_id = (enum rte_crypto_curve_id)PLX_MB_CURVE_X25519; /* signs nothing */
	assert_null(rig_asym_session(&x, &why));
	x.ec.curve_id = (enum rte_crypto_curve_id)4711;
	assert_null(rig_asym_session(&x, &why));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signatures_verify_and_wrong_ones_do_not),
		cmocka_unit_test(two_signatures_of_one_message_differ),
		cmocka_unit_test(a_private_key_goes_with_its_op),
		cmocka_unit_test(what_is_no_signature_or_no_point_is_refused),
		cmocka_unit_test(shared_secrets_are_openssls),
		cmocka_unit_test(public_keys_are_openssls),
		cmocka_unit_test(a_private_key_is_1_to_the_order_less_1),
		cmocka_unit_test(keys_can_be_made_and_checked),
		cmocka_unit_test(a_point_times_a_number_is_openssls),
		cmocka_unit_test(x25519_is_the_rfcs),
		cmocka_unit_test(curves_it_has_not_are_refused),
	};
	int ret;

	rig_eal("mb_ec");
	ret = cmocka_run_group_tests_name("one at a time", tests, rig_setup_one, rig_teardown);
	ret += cmocka_run_group_tests_name("eight at a time", tests, rig_setup_eight,
					   rig_teardown_eight);
	if (rig_has_library())
		ret += cmocka_run_group_tests_name("eight at a time, by crypto_mb", tests,
						   rig_setup_library, rig_teardown);
	rte_eal_cleanup();
	return ret;
}
