/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "mb_fake_calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <rte_cycles.h>

#define LANES ((int)MB_LANES)

struct fake_log fake_log;

static const int nids[] = { NID_X9_62_prime256v1, NID_secp384r1, NID_secp521r1 };
static const int sizes[] = { 32, 48, 66 };

void
fake_reset(void)
{
	memset(&fake_log, 0, sizeof(fake_log));
	fake_log.corrupt_lane = fake_log.refuse_lane = -1;
}

static BIGNUM *
words(const uint64_t *w, size_t nb)
{
	return BN_lebin2bn((const uint8_t *)w, (int)(nb * sizeof(*w)), NULL);
}

static uint32_t
lane_status(int lane, uint32_t status)
{
	return status << (4 * lane);
}

/* Of the call: counts the lanes, waits when it is to be slow. */
static void
call_begin(const void *const *lanes)
{
	unsigned int nb = 0;

	for (int i = 0; i < LANES; i++)
		nb += lanes[i] != NULL;
	fake_log.nb_calls++;
	fake_log.nb_lanes += nb;
	if (nb > fake_log.most_lanes)
		fake_log.most_lanes = nb;
	if (fake_log.is_slow)
		rte_delay_us_block(20000);
}

static void
spoil(int lane, uint8_t *result)
{
	if (lane == fake_log.corrupt_lane)
		result[3] ^= 0x10;
}

static uint32_t
lane_end(int lane, bool ok)
{
	return lane_status(lane, !ok || lane == fake_log.refuse_lane ? 1 : 0);
}

static const void *
rsa_method(int bits)
{
	return (const void *)(uintptr_t)bits;
}

static int
rsa_method_size(const void *method)
{
	return (int)(uintptr_t)method;
}

static bool
rsa_power(const uint8_t *from, uint8_t *to, int bits, const BIGNUM *n, const BIGNUM *e, BN_CTX *ctx)
{
	BIGNUM *x = BN_bin2bn(from, bits / 8, NULL), *r = BN_new();
	bool ok = BN_cmp(x, n) < 0 && BN_mod_exp(r, x, e, n, ctx) == 1 &&
		  BN_bn2binpad(r, to, bits / 8) >= 0;

	BN_free(x);
	BN_free(r);
	return ok;
}

static uint32_t
rsa_public(mb_bytes_in from, mb_bytes_out to, mb_words_in n, int bits, const void *method,
	   uint8_t *scratch)
{
	BN_CTX *ctx = BN_CTX_new();
	BIGNUM *e = BN_new();
	uint32_t status = 0;

	assert_ptr_equal(method, rsa_method(bits));
	memset(scratch, 0xa5, (size_t)bits);
	call_begin((const void *const *)from);
	BN_set_word(e, 65537);
	for (int i = 0; i < LANES; i++) {
		BIGNUM *bn_n;

		if (from[i] == NULL || to[i] == NULL || n[i] == NULL) {
			status |= lane_status(i, 2);
			continue;
		}
		bn_n = words(n[i], (size_t)bits / 64);
		status |= lane_end(i, rsa_power(from[i], to[i], bits, bn_n, e, ctx));
		BN_free(bn_n);
	}
	BN_free(e);
	BN_CTX_free(ctx);
	return status;
}

/* p, q and so on of a lane; the exponent is found again from them. */
static bool
crt_lane(const uint8_t *from, uint8_t *to, const uint64_t *const parts[5], int bits, BN_CTX *ctx)
{
	size_t half = (size_t)bits / 128;
	BIGNUM *p = words(parts[0], half), *q = words(parts[1], half), *dp = words(parts[2], half),
	       *dq = words(parts[3], half), *qi = words(parts[4], half);
	BIGNUM *x = BN_bin2bn(from, bits / 8, NULL), *m1 = BN_new(), *m2 = BN_new();
	bool ok;

	ok = BN_mod_exp(m1, x, dp, p, ctx) && BN_mod_exp(m2, x, dq, q, ctx) &&
	     BN_mod_sub(m1, m1, m2, p, ctx) && BN_mod_mul(m1, m1, qi, p, ctx) &&
	     BN_mul(m1, m1, q, ctx) && BN_add(m1, m1, m2) && BN_bn2binpad(m1, to, bits / 8) >= 0;
	BN_free(p);
	BN_free(q);
	BN_free(dp);
	BN_free(dq);
	BN_free(qi);
	BN_free(x);
	BN_free(m1);
	BN_free(m2);
	return ok;
}

/* NOLINTBEGIN(readability-function-size): the library's call has that many */
static uint32_t
rsa_private_crt(mb_bytes_in from, mb_bytes_out to, mb_words_in p, mb_words_in q, mb_words_in dp,
		mb_words_in dq, mb_words_in qinv, int bits, const void *method, uint8_t *scratch)
{
	BN_CTX *ctx = BN_CTX_new();
	uint32_t status = 0;

	assert_ptr_equal(method, rsa_method(bits));
	memset(scratch, 0x5a, (size_t)bits);
	call_begin((const void *const *)from);
	for (int i = 0; i < LANES; i++) {
		const uint64_t *parts[5] = { p[i], q[i], dp[i], dq[i], qinv[i] };

		if (from[i] == NULL || p[i] == NULL) {
			status |= lane_status(i, 2);
			continue;
		}
		status |= lane_end(i, crt_lane(from[i], to[i], parts, bits, ctx));
		spoil(i, to[i]);
	}
	BN_CTX_free(ctx);
	return status;
}
/* NOLINTEND(readability-function-size) */

static EC_KEY *
key_of(int c, const uint64_t *d, const uint64_t *x, const uint64_t *y)
{
	size_t nb = ((size_t)sizes[c] + 7) / 8;
	EC_KEY *key = EC_KEY_new_by_curve_name(nids[c]);

	if (d != NULL) {
		BIGNUM *bn = words(d, nb);

		assert_int_equal(EC_KEY_set_private_key(key, bn), 1);
		BN_free(bn);
	}
	if (x != NULL) {
		BIGNUM *bx = words(x, nb), *by = words(y, nb);

		assert_int_equal(EC_KEY_set_public_key_affine_coordinates(key, bx, by), 1);
		BN_free(bx);
		BN_free(by);
	}
	return key;
}

static void
point_out(int c, const BIGNUM *k, const EC_POINT *from, BIGNUM *x, BIGNUM *y)
{
	EC_GROUP *group = EC_GROUP_new_by_curve_name(nids[c]);
	EC_POINT *r = EC_POINT_new(group);

	assert_int_equal(from == NULL ? EC_POINT_mul(group, r, k, NULL, NULL, NULL)
				      : EC_POINT_mul(group, r, NULL, from, k, NULL),
			 1);
	assert_int_equal(EC_POINT_get_affine_coordinates(group, r, x, y, NULL), 1);
	EC_POINT_free(r);
	EC_GROUP_free(group);
}

static uint32_t
ec_public(int c, mb_words_out x, mb_words_out y, mb_words_out z, mb_words_in scalar)
{
	uint32_t status = 0;
	int nb = (sizes[c] + 7) / 8 * 8;

	assert_null(z);
	call_begin((const void *const *)scalar);
	for (int i = 0; i < LANES; i++) {
		BIGNUM *k, *bx = BN_new(), *by = BN_new();

		if (scalar[i] == NULL) {
			status |= lane_status(i, 2);
		} else {
			k = words(scalar[i], (size_t)nb / 8);
			point_out(c, k, NULL, bx, by);
			BN_bn2lebinpad(bx, (uint8_t *)x[i], nb);
			BN_bn2lebinpad(by, (uint8_t *)y[i], nb);
			BN_free(k);
			status |= lane_end(i, true);
		}
		BN_free(bx);
		BN_free(by);
	}
	return status;
}

static uint32_t
ec_ecdh(int c, mb_bytes_out shared, mb_words_in scalar, mb_words_in x, mb_words_in y, mb_words_in z)
{
	uint32_t status = 0;

	assert_null(z);
	call_begin((const void *const *)scalar);
	for (int i = 0; i < LANES; i++) {
		BIGNUM *k, *bx, *by;
		EC_KEY *key;

		if (scalar[i] == NULL || x[i] == NULL) {
			status |= lane_status(i, 2);
			continue;
		}
		key = key_of(c, NULL, x[i], y[i]);
		k = words(scalar[i], ((size_t)sizes[c] + 7) / 8);
		bx = BN_new();
		by = BN_new();
		point_out(c, k, EC_KEY_get0_public_key(key), bx, by);
		BN_bn2binpad(bx, shared[i], sizes[c]);
		BN_free(k);
		BN_free(bx);
		BN_free(by);
		EC_KEY_free(key);
		status |= lane_end(i, true);
	}
	return status;
}

/* s = k^-1 (e + d r) */
static void
sign_lane(int c, uint8_t *r, uint8_t *s, const uint8_t *digest, const uint64_t *nonce,
	  const uint64_t *d)
{
	size_t nb = ((size_t)sizes[c] + 7) / 8;
	EC_GROUP *group = EC_GROUP_new_by_curve_name(nids[c]);
	const BIGNUM *order = EC_GROUP_get0_order(group);
	BIGNUM *k = words(nonce, nb), *bn_d = words(d, nb), *x = BN_new(), *y = BN_new(),
	       *e = BN_bin2bn(digest, sizes[c], NULL);
	BN_CTX *ctx = BN_CTX_new();

	assert_false(BN_is_zero(k));
	assert_true(BN_cmp(k, order) < 0);
	fake_log.nonces[fake_log.nb_nonces++ % 256] = nonce[0];
	point_out(c, k, NULL, x, y);
	BN_nnmod(x, x, order, ctx);
	BN_bn2binpad(x, r, sizes[c]);
	BN_mod_mul(x, x, bn_d, order, ctx);
	BN_mod_add(x, x, e, order, ctx);
	assert_non_null(BN_mod_inverse(k, k, order, ctx));
	BN_mod_mul(x, x, k, order, ctx);
	BN_bn2binpad(x, s, sizes[c]);
	BN_free(k);
	BN_free(bn_d);
	BN_free(x);
	BN_free(y);
	BN_free(e);
	BN_CTX_free(ctx);
	EC_GROUP_free(group);
}

static uint32_t
ec_sign(int c, mb_bytes_out r, mb_bytes_out s, mb_bytes_in digest, mb_words_in nonce,
	mb_words_in key)
{
	uint32_t status = 0;

	call_begin((const void *const *)digest);
	for (int i = 0; i < LANES; i++) {
		if (digest[i] == NULL || nonce[i] == NULL || key[i] == NULL) {
			status |= lane_status(i, 2);
			continue;
		}
		sign_lane(c, r[i], s[i], digest[i], nonce[i], key[i]);
		status |= lane_end(i, true);
	}
	return status;
}

/* NOLINTBEGIN(readability-function-size): the library's call has that many */
static uint32_t
ec_verify(int c, mb_bytes_in r, mb_bytes_in s, mb_bytes_in digest, mb_words_in x, mb_words_in y,
	  mb_words_in z)
{
	uint32_t status = 0;

	assert_null(z);
	call_begin((const void *const *)digest);
	for (int i = 0; i < LANES; i++) {
		ECDSA_SIG *sig;
		EC_KEY *key;
		bool ok;

		if (digest[i] == NULL || x[i] == NULL) {
			status |= lane_status(i, 2);
			continue;
		}
		sig = ECDSA_SIG_new();
		key = key_of(c, NULL, x[i], y[i]);
		ECDSA_SIG_set0(sig, BN_bin2bn(r[i], sizes[c], NULL),
			       BN_bin2bn(s[i], sizes[c], NULL));
		ok = ECDSA_do_verify(digest[i], sizes[c], sig, key) == 1;
		ECDSA_SIG_free(sig);
		EC_KEY_free(key);
		status |= ok ? lane_end(i, true) : lane_status(i, 8);
	}
	return status;
}
/* NOLINTEND(readability-function-size) */

#define CURVE(c, name)                                                                             \
	static uint32_t name##_public(mb_words_out x, mb_words_out y, mb_words_out z,              \
				      mb_words_in k, uint8_t *scratch)                             \
	{                                                                                          \
		assert_non_null(scratch);                                                          \
		return ec_public(c, x, y, z, k);                                                   \
	}                                                                                          \
	static uint32_t name##_ecdh(mb_bytes_out o, mb_words_in k, mb_words_in x, mb_words_in y,   \
				    mb_words_in z, uint8_t *scratch)                               \
	{                                                                                          \
		assert_non_null(scratch);                                                          \
		return ec_ecdh(c, o, k, x, y, z);                                                  \
	}                                                                                          \
	static uint32_t name##_sign(mb_bytes_out r, mb_bytes_out s, mb_bytes_in d, mb_words_in n,  \
				    mb_words_in k, uint8_t *scratch)                               \
	{                                                                                          \
		assert_non_null(scratch);                                                          \
		return ec_sign(c, r, s, d, n, k);                                                  \
	}                                                                                          \
	static uint32_t name##_verify(mb_bytes_in r, mb_bytes_in s, mb_bytes_in d, mb_words_in x,  \
				      mb_words_in y, mb_words_in z, uint8_t *scratch)              \
	{                                                                                          \
		assert_non_null(scratch);                                                          \
		return ec_verify(c, r, s, d, x, y, z);                                             \
	}

/* NOLINTBEGIN(readability-function-size): the library's calls have that many */
CURVE(0, p256)
CURVE(1, p384)
CURVE(2, p521)
/* NOLINTEND(readability-function-size) */

static uint32_t
x25519(mb_bytes_out shared, mb_bytes_in scalar, mb_bytes_in point)
{
	uint32_t status = 0;

	call_begin((const void *const *)scalar);
	for (int i = 0; i < LANES; i++) {
		EVP_PKEY *mine, *peer;
		EVP_PKEY_CTX *ctx;
		size_t len = 32;

		if (scalar[i] == NULL || point[i] == NULL) {
			status |= lane_status(i, 2);
			continue;
		}
		mine = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, scalar[i], 32);
		peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, point[i], 32);
		ctx = EVP_PKEY_CTX_new(mine, NULL);
		EVP_PKEY_derive_init(ctx);
		EVP_PKEY_derive_set_peer(ctx, peer);
		status |= EVP_PKEY_derive(ctx, shared[i], &len) == 1 ? lane_end(i, true)
								     : lane_status(i, 4);
		EVP_PKEY_CTX_free(ctx);
		EVP_PKEY_free(mine);
		EVP_PKEY_free(peer);
	}
	return status;
}

static uint32_t
x25519_public(mb_bytes_out out, mb_bytes_in scalar)
{
	uint32_t status = 0;

	call_begin((const void *const *)scalar);
	for (int i = 0; i < LANES; i++) {
		EVP_PKEY *mine;
		size_t len = 32;

		if (scalar[i] == NULL) {
			status |= lane_status(i, 2);
			continue;
		}
		mine = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, scalar[i], 32);
		status |= lane_end(i, EVP_PKEY_get_raw_public_key(mine, out[i], &len) == 1);
		EVP_PKEY_free(mine);
	}
	return status;
}

static int
power_scratch(int bits)
{
	return 2 * bits;
}

/* NOLINTBEGIN(readability-function-size): the library's calls have that many */
static uint32_t
power(mb_words_out result, mb_words_in base, mb_words_in exponent, int exponent_bits,
      mb_words_in modulus, int bits, uint8_t *scratch, int scratch_bytes)
{
	size_t nb = (size_t)bits / 64, nb_exponent = (size_t)exponent_bits / 64;
	BN_CTX *ctx = BN_CTX_new();
	uint32_t status = 0;

	assert_in_range(exponent_bits, 64, bits);
	assert_int_equal(exponent_bits % 64, 0);
	assert_true(scratch_bytes >= power_scratch(bits));
	memset(scratch, 0x3c, (size_t)power_scratch(bits));
	call_begin((const void *const *)base);
	fake_log.exponent_bits = (unsigned int)exponent_bits;
	for (int i = 0; i < LANES; i++) {
		BIGNUM *b, *e, *m, *r = BN_new();

		if (base[i] == NULL || exponent[i] == NULL || modulus[i] == NULL ||
		    result[i] == NULL) {
			status |= lane_status(i, 2);
			BN_free(r);
			continue;
		}
		b = words(base[i], nb);
		e = words(exponent[i], nb_exponent);
		m = words(modulus[i], nb);
		assert_int_equal(BN_num_bits(m), bits);
		assert_true(BN_cmp(b, m) < 0);
		assert_int_equal(BN_mod_exp(r, b, e, m, ctx), 1);
		/* as the library's last step may leave it */
		if (BN_is_zero(r) && !BN_is_zero(b))
			BN_copy(r, m);
		BN_bn2lebinpad(r, (uint8_t *)result[i], bits / 8);
		BN_free(b);
		BN_clear_free(e);
		BN_free(m);
		BN_free(r);
		status |= lane_end(i, true);
	}
	BN_CTX_free(ctx);
	return status;
}

/* The digest of Z and message, as a number. */
static BIGNUM *
sm2_digest(const uint8_t *id, int id_bytes, const uint8_t *message, int message_bytes,
	   const uint64_t *x, const uint64_t *y)
{
	/* GB/T 32918.5: a, b and the generator of the curve */
	EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_sm2);
	BIGNUM *parts[6] = { BN_new(), BN_new(), BN_new(), BN_new(), words(x, 4), words(y, 4) };
	uint8_t bits[2] = { (uint8_t)(id_bytes * 8 >> 8), (uint8_t)(id_bytes * 8) }, bytes[32];
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	BIGNUM *e;

	assert_int_equal(EC_GROUP_get_curve(group, NULL, parts[0], parts[1], NULL), 1);
	assert_int_equal(EC_POINT_get_affine_coordinates(group, EC_GROUP_get0_generator(group),
							 parts[2], parts[3], NULL),
			 1);
	EVP_DigestInit_ex(ctx, EVP_sm3(), NULL);
	EVP_DigestUpdate(ctx, bits, 2);
	EVP_DigestUpdate(ctx, id, (size_t)id_bytes);
	for (int i = 0; i < 6; i++) {
		BN_bn2binpad(parts[i], bytes, 32);
		EVP_DigestUpdate(ctx, bytes, 32);
		BN_free(parts[i]);
	}
	EVP_DigestFinal_ex(ctx, bytes, NULL);
	EVP_DigestInit_ex(ctx, EVP_sm3(), NULL);
	EVP_DigestUpdate(ctx, bytes, 32);
	EVP_DigestUpdate(ctx, message, (size_t)message_bytes);
	EVP_DigestFinal_ex(ctx, bytes, NULL);
	e = BN_bin2bn(bytes, 32, NULL);
	EVP_MD_CTX_free(ctx);
	EC_GROUP_free(group);
	return e;
}

/* x of k G + t P, P may be NULL; modulo the order. */
static BIGNUM *
sm2_x(const EC_GROUP *group, const BIGNUM *k, const BIGNUM *t, const uint64_t *px,
      const uint64_t *py)
{
	BIGNUM *x = BN_new(), *bx = NULL, *by = NULL;
	EC_POINT *r = EC_POINT_new(group), *p = NULL;
	BN_CTX *ctx = BN_CTX_new();

	if (px != NULL) {
		p = EC_POINT_new(group);
		bx = words(px, 4);
		by = words(py, 4);
		assert_int_equal(EC_POINT_set_affine_coordinates(group, p, bx, by, ctx), 1);
	}
	assert_int_equal(EC_POINT_mul(group, r, k, p, t, ctx), 1);
	assert_int_equal(EC_POINT_get_affine_coordinates(group, r, x, NULL, ctx), 1);
	assert_int_equal(BN_nnmod(x, x, EC_GROUP_get0_order(group), ctx), 1);
	BN_free(bx);
	BN_free(by);
	EC_POINT_free(r);
	EC_POINT_free(p);
	BN_CTX_free(ctx);
	return x;
}

/* The library takes one length. */
static void
sm2_lengths_check(const int *id_bytes, mb_bytes_in message, const int *message_bytes)
{
	fake_log.nb_shared = 0;
	for (int i = 0; i < LANES; i++) {
		bool is_new = true;

		assert_int_equal(id_bytes[i], id_bytes[0]);
		assert_int_equal(message_bytes[i], message_bytes[0]);
		for (int k = 0; k < i; k++)
			is_new &= message[k] != message[i];
		fake_log.nb_shared += is_new;
	}
}

/* r = e + x1, s = (1 + d)^-1 (k - r d); GB/T 32918.2 6.1 */
static uint32_t
sm2_sign(mb_bytes_out r, mb_bytes_out s, mb_bytes_in id, const int *id_bytes, mb_bytes_in message,
	 const int *message_bytes, mb_words_in nonce, mb_words_in key, mb_words_in x, mb_words_in y,
	 mb_words_in z, uint8_t *scratch)
{
	EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_sm2);
	const BIGNUM *n = EC_GROUP_get0_order(group);
	BN_CTX *ctx = BN_CTX_new();
	uint32_t status = 0;

	assert_null(z);
	assert_non_null(scratch);
	call_begin((const void *const *)r);
	sm2_lengths_check(id_bytes, message, message_bytes);
	for (int i = 0; i < LANES; i++) {
		BIGNUM *e, *k, *d, *v;

		/* the library reads them all */
		assert_true(r[i] != NULL && s[i] != NULL && id[i] != NULL && message[i] != NULL &&
			    nonce[i] != NULL && key[i] != NULL && x[i] != NULL && y[i] != NULL);
		e = sm2_digest(id[i], id_bytes[i], message[i], message_bytes[i], x[i], y[i]);
		k = words(nonce[i], 4);
		d = words(key[i], 4);
		fake_log.nonces[fake_log.nb_nonces++ % 256] = nonce[i][0];
		v = sm2_x(group, k, NULL, NULL, NULL);
		BN_mod_add(v, v, e, n, ctx);
		BN_bn2binpad(v, r[i], 32);
		BN_mod_mul(v, v, d, n, ctx);
		BN_mod_sub(v, k, v, n, ctx);
		BN_add_word(d, 1);
		assert_non_null(BN_mod_inverse(d, d, n, ctx));
		BN_mod_mul(v, v, d, n, ctx);
		BN_bn2binpad(v, s[i], 32);
		BN_free(e);
		BN_free(k);
		BN_free(d);
		BN_free(v);
		status |= lane_end(i, true);
	}
	BN_CTX_free(ctx);
	EC_GROUP_free(group);
	return status;
}

/* e + x of (s G + (r + s) P) = r; GB/T 32918.2 7.1 */
static uint32_t
sm2_verify(mb_bytes_in r, mb_bytes_in s, mb_bytes_in id, const int *id_bytes, mb_bytes_in message,
	   const int *message_bytes, mb_words_in x, mb_words_in y, mb_words_in z, uint8_t *scratch)
{
	EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_sm2);
	const BIGNUM *n = EC_GROUP_get0_order(group);
	BN_CTX *ctx = BN_CTX_new();
	uint32_t status = 0;

	assert_null(z);
	assert_non_null(scratch);
	call_begin((const void *const *)r);
	sm2_lengths_check(id_bytes, message, message_bytes);
	for (int i = 0; i < LANES; i++) {
		BIGNUM *e, *br, *bs, *t = BN_new(), *v;

		assert_true(r[i] != NULL && s[i] != NULL && id[i] != NULL && message[i] != NULL &&
			    x[i] != NULL && y[i] != NULL);
		e = sm2_digest(id[i], id_bytes[i], message[i], message_bytes[i], x[i], y[i]);
		br = BN_bin2bn(r[i], 32, NULL);
		bs = BN_bin2bn(s[i], 32, NULL);
		BN_mod_add(t, br, bs, n, ctx);
		v = sm2_x(group, bs, t, x[i], y[i]);
		BN_mod_add(v, v, e, n, ctx);
		status |= BN_cmp(v, br) == 0 ? lane_end(i, true) : lane_status(i, 8);
		BN_free(e);
		BN_free(br);
		BN_free(bs);
		BN_free(t);
		BN_free(v);
	}
	BN_CTX_free(ctx);
	EC_GROUP_free(group);
	return status;
}
/* NOLINTEND(readability-function-size) */

const struct mb_calls fake_calls = {
	.rsa_public_method = rsa_method,
	.rsa_private_method = rsa_method,
	.rsa_method_size = rsa_method_size,
	.rsa_public = rsa_public,
	.rsa_private_crt = rsa_private_crt,
	.curves = { { p256_public, p256_ecdh, p256_sign, p256_verify },
		    { p384_public, p384_ecdh, p384_sign, p384_verify },
		    { p521_public, p521_ecdh, p521_sign, p521_verify } },
	.power_scratch = power_scratch,
	.power = { power, power, power, power },
	.sm2_sign = sm2_sign,
	.sm2_verify = sm2_verify,
	.x25519_public = x25519_public,
	.x25519 = x25519,
};
