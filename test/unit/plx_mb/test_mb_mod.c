/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_rig.h"

#include <string.h>

#include <openssl/rand.h>
#include <rte_common.h>
#include <rte_eal.h>

/* Modular exponentiation and inversion, and Diffie-Hellman, on crypto_plx_mb. */

static const int sizes[] = { 1, 8, 60, 128, 255, 256, 448, 512, 1024 };

struct numbers {
	uint8_t modulus[1024], base[1024], exponent[1024], want[1024], got[1024];
	size_t len;
};

static void
random_odd(uint8_t *to, size_t len)
{
	assert_int_equal(RAND_bytes(to, (int)len), 1);
	to[0] |= 0x80;
	to[len - 1] |= 1;
}

static void
numbers_make(struct numbers *t, size_t len)
{
	t->len = len;
	random_odd(t->modulus, len);
	assert_int_equal(RAND_bytes(t->base, (int)len), 1);
	assert_int_equal(RAND_bytes(t->exponent, (int)len), 1);
	t->base[len - 1] |= 3;
}

static void
want_power(struct numbers *t)
{
	BIGNUM *n = BN_bin2bn(t->modulus, (int)t->len, NULL),
	       *b = BN_bin2bn(t->base, (int)t->len, NULL),
	       *e = BN_bin2bn(t->exponent, (int)t->len, NULL), *r = BN_new();
	BN_CTX *ctx = BN_CTX_new();

	assert_int_equal(BN_mod_exp(r, b, e, n, ctx), 1);
	BN_bn2binpad(r, t->want, (int)t->len);
	BN_free(n);
	BN_free(b);
	BN_free(e);
	BN_free(r);
	BN_CTX_free(ctx);
}

static int
power_op(struct numbers *t)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_MODEX };
	struct rte_crypto_op *op;
	void *session;
	int status;

	x.modex.modulus = rig_param(t->modulus, t->len);
	x.modex.exponent = rig_param(t->exponent, t->len);
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	op = rig_asym_op(session);
	op->asym->modex.base = rig_param(t->base, t->len);
	op->asym->modex.result.data = t->got;
	status = rig_do(op);
	if (status == RTE_CRYPTO_OP_STATUS_SUCCESS)
		assert_int_equal(op->asym->modex.result.length, t->len);
	rig_op_free(op);
	rig_asym_session_free(session);
	return status;
}

static void
powers_are_right(void **state)
{
	static struct numbers t;

	(void)state;
	for (size_t i = 0; i < RTE_DIM(sizes); i++) {
		numbers_make(&t, (size_t)sizes[i]);
		want_power(&t);
		assert_int_equal(power_op(&t), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_memory_equal(t.got, t.want, t.len);
		t.modulus[t.len - 1] &= 0xfe; /* an even modulus */
		want_power(&t);
		assert_int_equal(power_op(&t), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_memory_equal(t.got, t.want, t.len);
	}
}

static void
inverses_are_right_and_missing_ones_are_errors(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_MODINV };
	uint8_t seven[] = { 7 }, three[] = { 3 }, out[8], nine[] = { 9 };
	struct rte_crypto_op *op;
	void *session;

	(void)state;
	x.modinv.modulus = rig_param(seven, 1);
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	op = rig_asym_op(session);
	op->asym->modinv.base = rig_param(three, 1);
	op->asym->modinv.result.data = out;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op->asym->modinv.result.length, 1);
	assert_int_equal(out[0], 5);
	op->asym->modinv.base = rig_param(seven, 1);
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_ERROR);
	op->asym->modinv.base = rig_param(three, 0);
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op->asym->modinv.base = rig_param(three, 1);
	op->asym->modinv.result.data = NULL;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_ERROR);
	rig_op_free(op);
	rig_asym_session_free(session);
	x.modinv.modulus = rig_param(nine, 1);
	session = rig_asym_session(&x, NULL);
	op = rig_asym_op(session);
	op->asym->modinv.base = rig_param(three, 1);
	op->asym->modinv.result.data = out;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_ERROR);
	rig_op_free(op);
	rig_asym_session_free(session);
}

static void
moduli_that_are_none_are_refused(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_MODEX };
	uint8_t zero[] = { 0 }, one[] = { 1 }, seven[] = { 7 };
	static uint8_t big[1025] = { 1 };

	(void)state;
	x.modex.exponent = rig_param(seven, 1);
	x.modex.modulus = rig_param(zero, 1);
	assert_null(rig_asym_session(&x, NULL));
	x.modex.modulus = rig_param(one, 1);
	assert_null(rig_asym_session(&x, NULL));
	x.modex.modulus = rig_param(NULL, 4);
	assert_null(rig_asym_session(&x, NULL));
	x.modex.modulus = rig_param(big, sizeof(big));
	assert_null(rig_asym_session(&x, NULL));
	x.modex.modulus = rig_param(seven, 1);
	x.modex.exponent = rig_param(seven, 0);
	assert_null(rig_asym_session(&x, NULL));
}

/* Two sides with the device's own keys come to one secret, which is OpenSSL's. */
static void
diffie_hellman_agrees(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_DH };
	BIGNUM *p = BN_get_rfc3526_prime_2048(NULL);
	uint8_t prime[256], g[] = { 2 }, priv[2][256], pub[2][256], secret[2][256], bad[256];
	struct rte_crypto_dh_op_param *d;
	struct rte_crypto_op *op;
	void *session;

	(void)state;
	BN_bn2binpad(p, prime, sizeof(prime));
	x.dh.p = rig_param(prime, sizeof(prime));
	x.dh.g = rig_param(g, 1);
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	op = rig_asym_op(session);
	d = &op->asym->dh;
	for (int i = 0; i < 2; i++) {
		d->ke_type = RTE_CRYPTO_ASYM_KE_PRIV_KEY_GENERATE;
		d->priv_key.data = priv[i];
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		d->ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE;
		d->pub_key.data = pub[i];
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(d->pub_key.length, 256);
		d->ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_VERIFY;
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	}
	d->ke_type = RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE;
	for (int i = 0; i < 2; i++) {
		d->priv_key = rig_param(priv[i], 256);
		d->pub_key = rig_param(pub[1 - i], 256);
		d->shared_secret.data = secret[i];
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(d->shared_secret.length, 256);
	}
	assert_memory_equal(secret[0], secret[1], 256);
	/* 0, 1, p - 1 and more are no public keys */
	memset(bad, 0, sizeof(bad));
	d->pub_key = rig_param(bad, 256);
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	bad[255] = 1;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	memcpy(bad, prime, sizeof(bad));
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	bad[255] -= 1;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	rig_op_free(op);
	rig_asym_session_free(session);
	BN_free(p);
}

static int
setup(void **state)
{
	(void)state;
	rig_up(NULL, 1);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	rig_down();
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(powers_are_right),
		cmocka_unit_test(inverses_are_right_and_missing_ones_are_errors),
		cmocka_unit_test(moduli_that_are_none_are_refused),
		cmocka_unit_test(diffie_hellman_agrees),
	};
	int ret;

	rig_eal("mb_mod");
	ret = cmocka_run_group_tests(tests, setup, teardown);
	rte_eal_cleanup();
	return ret;
}
