/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_fake_calls.h"
#include "mb_rig.h"

#include <string.h>

#include <openssl/rand.h>
#include <rte_common.h>
#include <rte_eal.h>

/* Modular exponentiation and inversion, and Diffie-Hellman, on crypto_plx_mb. */

/* Bytes of a modulus: those there is a call of eight for, and others. */
static const size_t call_sizes[] = { 128, 256, 384, 512 };
static const size_t other_sizes[] = { 1, 8, 60, 255, 448, 1024 };

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
power_check(struct numbers *t)
{
	want_power(t);
	assert_int_equal(power_op(t), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_memory_equal(t->got, t->want, t->len);
}

static void
powers_are_right(void **state)
{
	static struct numbers t;

	(void)state;
	for (size_t i = 0; i < RTE_DIM(call_sizes); i++) {
		numbers_make(&t, call_sizes[i]);
		t.base[0] &= 0x7f;
		power_check(&t);
	}
}

/* By an odd modulus and by an even one. */
static void
powers_without_a_call_are_right(void **state)
{
	static struct numbers t;

	(void)state;
	for (size_t i = 0; i < RTE_DIM(other_sizes); i++) {
		numbers_make(&t, other_sizes[i]);
		power_check(&t);
		t.modulus[t.len - 1] &= 0xfe;
		power_check(&t);
	}
	numbers_make(&t, 256);
	t.modulus[255] &= 0xfe;
	power_check(&t);
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

/* Eight sessions of one size with exponents of their own in one burst; a base of 0, one that is the
 * modulus and one above it. */
static void
powers_of_eight_keys_share_a_call(void **state)
{
	static struct numbers t[8];
	struct rte_crypto_op *ops[8];
	void *sessions[8];

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_MODEX };

		numbers_make(&t[i], 256);
		t[i].base[0] &= 0x7f;
		/* from 255 bytes down to one */
		memset(t[i].exponent, 0, 1 + i * 36);
		if (i == 3)
			memset(t[i].base, 0, 256);
		if (i == 5)
			memcpy(t[i].base, t[i].modulus, 256);
		if (i == 6)
			memset(t[i].base, 0xff, 256);
		want_power(&t[i]);
		x.modex.modulus = rig_param(t[i].modulus, 256);
		x.modex.exponent = rig_param(t[i].exponent, 256);
		sessions[i] = rig_asym_session(&x, NULL);
		assert_non_null(sessions[i]);
		ops[i] = rig_asym_op(sessions[i]);
		ops[i]->asym->modex.base = rig_param(t[i].base, 256);
		ops[i]->asym->modex.result.data = t[i].got;
	}
	fake_reset();
	assert_true(rig_run(0, ops, 8));
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_memory_equal(t[i].got, t[i].want, 256);
	}
	/* two of them were left to the single op; the call is as long as the longest exponent */
	if (fake_log.nb_calls != 0) {
		assert_int_equal(fake_log.nb_lanes, 6);
		assert_int_equal(fake_log.exponent_bits, 2048);
	}
	/* and no longer than that */
	fake_reset();
	for (size_t i = 0; i < 8; i++)
		ops[i]->asym->session = sessions[7];
	assert_true(rig_run(0, ops, 8));
	if (fake_log.nb_calls != 0)
		assert_int_equal(fake_log.exponent_bits, 64);
	for (size_t i = 0; i < 8; i++) {
		rig_op_free(ops[i]);
		rig_asym_session_free(sessions[i]);
	}
}

/* What the call gave wrong, or said it did, is done again. */
static void
a_lane_that_failed_is_done_again(void **state)
{
	static struct numbers t;

	(void)state;
	for (int lane = 0; lane < 8; lane++) {
		fake_reset();
		fake_log.refuse_lane = lane;
		numbers_make(&t, 128);
		t.base[0] &= 0x7f;
		want_power(&t);
		assert_int_equal(power_op(&t), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_memory_equal(t.got, t.want, t.len);
		assert_int_equal(fake_log.nb_calls, 1);
		assert_int_equal(fake_log.nb_lanes, 8);
	}
	fake_log.refuse_lane = -1;
}

/* An odd modulus with a factor: the power is 0, which the library may give as the modulus. */
static void
a_power_that_is_zero_is_zero(void **state)
{
	static struct numbers t;
	BIGNUM *m = BN_new();

	(void)state;
	memset(&t, 0, sizeof(t));
	t.len = 256;
	/* 3^1292 has 2048 bits: a power of 3 is 0 from the exponent 1292 on */
	assert_true(BN_set_word(m, 1));
	for (int i = 0; i < 1292; i++)
		assert_true(BN_mul_word(m, 3));
	assert_int_equal(BN_num_bits(m), 2048);
	BN_bn2binpad(m, t.modulus, 256);
	t.base[255] = 3;
	t.exponent[254] = 0x10;
	want_power(&t);
	assert_int_equal(power_op(&t), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_memory_equal(t.got, t.want, 256);
	BN_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(powers_are_right),
		cmocka_unit_test(powers_of_eight_keys_share_a_call),
		cmocka_unit_test(a_power_that_is_zero_is_zero),
		cmocka_unit_test(inverses_are_right_and_missing_ones_are_errors),
		cmocka_unit_test(moduli_that_are_none_are_refused),
		cmocka_unit_test(diffie_hellman_agrees),
	};
	const struct CMUnitTest others[] = {
		cmocka_unit_test(powers_without_a_call_are_right),
	};
	const struct CMUnitTest fakes[] = {
		cmocka_unit_test(a_lane_that_failed_is_done_again),
	};
	int ret;

	rig_eal("mb_mod");
	ret = cmocka_run_group_tests_name("one at a time", tests, rig_setup_one, rig_teardown);
	ret += cmocka_run_group_tests_name("without a call", others, rig_setup_one, rig_teardown);
	rig_fill_calls(true);
	ret += cmocka_run_group_tests_name("eight at a time", tests, rig_setup_eight,
					   rig_teardown_eight);
	ret += cmocka_run_group_tests_name("eight at a time, some wrong", fakes, rig_setup_eight,
					   rig_teardown_eight);
	if (rig_has_library())
		ret += cmocka_run_group_tests_name("by crypto_mb", tests, rig_setup_library,
						   rig_teardown);
	rte_eal_cleanup();
	return ret;
}
