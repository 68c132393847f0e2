/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "mb_rsa_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/rsa.h>
#include <rte_cryptodev.h>
#include <rte_eal.h>
#include <rte_version.h>
#include <valgrind/memcheck.h>

#include "mb_asym_priv.h"
#include "plx_mb.h"
#include "under_memcheck.h"

/*
 * What the driver itself does with secrets: private keys on their way into calls of eight, results
 * on their way out, and the padding of a decrypted message. The calls of eight are stubs that only
 * pass secrets on, since OpenSSL's big numbers, of which the other tests' fakes are made, are not
 * meant to be clean in this way. The driver's sources are compiled once more, as they are shipped.
 */

#define NB         MB_LANES
#define IN_SESSION (RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0))
#define RSA_BYTES  256u

#define REQUIRE(cond)                                                                              \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #cond);           \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static unsigned int nb_calls;
static uint8_t decrypted[NB][RSA_BYTES]; /* what the private call gives */
static uint8_t went_in[NB][RSA_BYTES];

static void
secret(void *p, size_t len)
{
	VALGRIND_MAKE_MEM_UNDEFINED(p, len);
}

static const void *
stub_method(int bits)
{
	(void)bits;
	return &nb_calls;
}

static int
stub_method_size(const void *method)
{
	(void)method;
	return 64;
}

/* NOLINTBEGIN(readability-function-size,readability-non-const-parameter): as the library has them
 */
static uint32_t
stub_private(mb_bytes_in from, mb_bytes_out to, mb_words_in p, mb_words_in q, mb_words_in dp,
	     mb_words_in dq, mb_words_in qinv, int bits, const void *method, uint8_t *scratch)
{
	(void)p;
	(void)q;
	(void)dp;
	(void)dq;
	(void)qinv;
	(void)bits;
	(void)method;
	(void)scratch;
	nb_calls++;
	for (size_t i = 0; i < NB; i++) {
		memcpy(went_in[i], from[i], RSA_BYTES);
		memcpy(to[i], decrypted[i], RSA_BYTES);
		secret(to[i], RSA_BYTES);
	}
	return 0;
}

/* The check of the private call's result: what went in. */
static uint32_t
stub_public(mb_bytes_in from, mb_bytes_out to, mb_words_in n, int bits, const void *method,
	    uint8_t *scratch)
{
	(void)from;
	(void)n;
	(void)bits;
	(void)method;
	(void)scratch;
	for (size_t i = 0; i < NB; i++) {
		memcpy(to[i], went_in[i], RSA_BYTES);
		secret(to[i], RSA_BYTES);
	}
	return 0;
}

static void
mix(uint8_t *to, const void *secret_bytes, size_t len)
{
	const uint8_t *s = secret_bytes;

	for (size_t i = 0; i < len; i++)
		to[i] = (uint8_t)(s[i] ^ 0x5a);
}

#define CURVE_STUBS(bits, bytes)                                                                   \
	static uint32_t stub_sign_##bits(mb_bytes_out r, mb_bytes_out s, mb_bytes_in digest,       \
					 mb_words_in nonce, mb_words_in key, uint8_t *scratch)     \
	{                                                                                          \
		(void)digest;                                                                      \
		(void)scratch;                                                                     \
		nb_calls++;                                                                        \
		for (size_t i = 0; i < NB; i++) {                                                  \
			mix(r[i], nonce[i], bytes);                                                \
			mix(s[i], key[i], bytes);                                                  \
		}                                                                                  \
		return 0;                                                                          \
	}                                                                                          \
	static uint32_t stub_ecdh_##bits(mb_bytes_out to, mb_words_in key, mb_words_in x,          \
					 mb_words_in y, mb_words_in z, uint8_t *scratch)           \
	{                                                                                          \
		(void)x;                                                                           \
		(void)y;                                                                           \
		(void)z;                                                                           \
		(void)scratch;                                                                     \
		nb_calls++;                                                                        \
		for (size_t i = 0; i < NB; i++)                                                    \
			mix(to[i], key[i], bytes);                                                 \
		return 0;                                                                          \
	}                                                                                          \
	static uint32_t stub_key_##bits(mb_words_out x, mb_words_out y, mb_words_out z,            \
					mb_words_in key, uint8_t *scratch)                         \
	{                                                                                          \
		(void)z;                                                                           \
		(void)scratch;                                                                     \
		nb_calls++;                                                                        \
		for (size_t i = 0; i < NB; i++) {                                                  \
			memcpy(x[i], key[i], ((bytes) + 7) / 8 * 8);                               \
			memcpy(y[i], key[i], ((bytes) + 7) / 8 * 8);                               \
		}                                                                                  \
		return 0;                                                                          \
	}

CURVE_STUBS(256, 32)
CURVE_STUBS(521, 66)
/* NOLINTEND(readability-function-size,readability-non-const-parameter) */

static uint32_t
stub_x25519(mb_bytes_out to, mb_bytes_in scalar, mb_bytes_in point)
{
	(void)point;
	nb_calls++;
	for (size_t i = 0; i < NB; i++)
		mix(to[i], scalar[i], 32);
	return 0;
}

static uint32_t
stub_x25519_public(mb_bytes_out to, mb_bytes_in scalar)
{
	return stub_x25519(to, scalar, scalar);
}

static int
stub_power_scratch(int bits)
{
	return bits;
}

/* NOLINTBEGIN(readability-function-size,readability-non-const-parameter): as the library has it */
static uint32_t
stub_power(mb_words_out result, mb_words_in base, mb_words_in exponent, int exponent_bits,
	   mb_words_in modulus, int bits, uint8_t *scratch, int scratch_bytes)
{
	(void)base;
	(void)modulus;
	(void)scratch;
	(void)scratch_bytes;
	nb_calls++;
	REQUIRE(exponent_bits == bits);
	for (size_t i = 0; i < NB; i++)
		memcpy(result[i], exponent[i], (size_t)bits / 8);
	return 0;
}
/* NOLINTEND(readability-function-size,readability-non-const-parameter) */

static const struct mb_calls stubs = {
	.rsa_public_method = stub_method,
	.rsa_private_method = stub_method,
	.rsa_method_size = stub_method_size,
	.rsa_public = stub_public,
	.rsa_private_crt = stub_private,
	.curves = {
		[MB_P256] = { .public_key = stub_key_256, .ecdh = stub_ecdh_256, .sign = stub_sign_256 },
		[MB_P521] = { .public_key = stub_key_521, .ecdh = stub_ecdh_521, .sign = stub_sign_521 },
	},
	.power_scratch = stub_power_scratch,
	.power = { stub_power, stub_power, stub_power, stub_power },
	.x25519_public = stub_x25519_public,
	.x25519 = stub_x25519,
};

/* Eight ops in one call, all successful. */
static void
eight(struct rte_crypto_op **ops)
{
	unsigned int before = nb_calls;

	REQUIRE(rig_run(0, ops, NB));
	REQUIRE(nb_calls == before + 1);
	for (size_t i = 0; i < NB; i++)
		REQUIRE(ops[i]->status == RTE_CRYPTO_OP_STATUS_SUCCESS);
}

static void
ops_free(struct rte_crypto_op **ops)
{
	for (size_t i = 0; i < NB; i++)
		rig_op_free(ops[i]);
}

/* 00 02, padding, 00, message; and what is wrong with the lane, if anything. */
static void
padded(uint8_t *em, size_t lane)
{
	memset(em, 0xff, RSA_BYTES);
	em[0] = 0;
	em[1] = 2;
	em[RSA_BYTES - 49] = 0;
	em[RSA_BYTES - 48] = em[RSA_BYTES - 47] = 3;
	switch (lane) {
	case 1:
		em[0] = 1;
		break;
	case 2:
		em[1] = 1;
		break;
	case 3:
		em[5] = 0; /* padding too short */
		break;
	case 4:
		em[RSA_BYTES - 49] = 1; /* no end of the padding */
		break;
	case 5:
		em[RSA_BYTES - 60] = 0; /* a longer message */
		break;
	case 6:
		em[RSA_BYTES - 48] = 4; /* another version */
		break;
	default:
		break;
	}
}

/* Decryption, and its variant for TLS. What comes out depends on the padding, and nothing else
 * does; how long it is, is told. */
static void
decrypt(const struct rsa_key *k, bool premaster)
{
	static const struct rte_crypto_rsa_padding pkcs1 = {
		.type = RTE_CRYPTO_RSA_PADDING_PKCS1_5
	};
	static uint8_t cipher[NB][RSA_BYTES], message[NB][RSA_BYTES];
	struct rte_crypto_asym_xform x;
	struct rte_crypto_op *ops[NB];
	struct mb_rsa *rsa;
	void *session;

	rsa_xform(k, RSA_CRT, &pkcs1, &x);
	session = rig_asym_session(&x, NULL);
	REQUIRE(session != NULL);
	for (size_t i = 0; i < NB; i++) {
		padded(decrypted[i], i);
		memset(cipher[i], 0, RSA_BYTES);
		cipher[i][RSA_BYTES - 1] = (uint8_t)(i + 2);
		memset(message[i], 3, 2);
		ops[i] = rig_asym_op(session);
		ops[i]->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_DECRYPT;
		ops[i]->asym->rsa.cipher = rig_param(cipher[i], RSA_BYTES);
		ops[i]->asym->rsa.message.data = message[i];
		if (premaster)
			ops[i]->asym->flags |= PLX_MB_ASYM_FLAG_TLS_PREMASTER;
		rsa_op_padding(ops[i], &pkcs1);
	}
	rsa = mb_asym_sess_of(ops[0])->rsa;
	secret(rsa->rejection_key, sizeof(rsa->rejection_key));
	eight(ops);
	for (size_t i = 0; i < NB; i++) {
		REQUIRE(!premaster || ops[i]->asym->rsa.message.length == 48);
		REQUIRE(memcheck_is_secret(message[i], ops[i]->asym->rsa.message.length));
	}
	VALGRIND_MAKE_MEM_DEFINED(rsa->rejection_key, sizeof(rsa->rejection_key));
	ops_free(ops);
	rig_asym_session_free(session);
}

/* The factors of a key made for this: to make one takes valgrind half a minute. */
static const char factor_p[] = "c25bf6042bc3fe1aa4e38b025d2717b3287f5d9bad45c27195116fe40669e683"
			       "2620928da60ceb2736fd6271a448d7964e4af1321a5ff1ecfeb6723fcc1dd86b"
			       "f83b148efe0554cb197592d99a7a5f44a393034671d476920eda6649964fbd58"
			       "ddd292896a94165a6eeecb1db2a17b13dfdfe41f66872cebfa71d5488b7a5aa9";
static const char factor_q[] = "c1d25c4a8f38ad60d0cd39a42fc886476ecfaf4022cc467e25456bc4225b5a3f"
			       "70ab396aacfc71721b403b047c1a77617f941f0a09cdf3e955dd71b09ee8302a"
			       "449c8a2501756367e54fc5c0de2fd834559e0bbb1a9385d58b8647b1a028e906"
			       "e05eaed2d29f4095b1426741a430e3a3a3744770b12bc707507bfedc3a9c3c65";

static void
rsa_key_put(struct rsa_key *k)
{
	BIGNUM *n = BN_new(), *e = BN_new(), *d = BN_new(), *p = NULL, *q = NULL, *phi = BN_new();
	BN_CTX *ctx = BN_CTX_new();
	EVP_PKEY *pkey = EVP_PKEY_new();
	RSA *rsa = RSA_new();
	BIGNUM *dp = BN_new(), *dq = BN_new(), *qi = BN_new();

	REQUIRE(BN_hex2bn(&p, factor_p) > 0 && BN_hex2bn(&q, factor_q) > 0);
	REQUIRE(BN_mul(n, p, q, ctx) && BN_set_word(e, RSA_F4));
	REQUIRE(BN_sub(dp, p, BN_value_one()) && BN_sub(dq, q, BN_value_one()));
	REQUIRE(BN_mul(phi, dp, dq, ctx) && BN_mod_inverse(d, e, phi, ctx) != NULL);
	REQUIRE(BN_mod(dp, d, dp, ctx) && BN_mod(dq, d, dq, ctx));
	REQUIRE(BN_mod_inverse(qi, q, p, ctx) != NULL);
	REQUIRE(RSA_set0_key(rsa, n, e, d) && RSA_set0_factors(rsa, p, q) &&
		RSA_set0_crt_params(rsa, dp, dq, qi));
	REQUIRE(EVP_PKEY_assign_RSA(pkey, rsa) == 1);
	rsa_key_take(k, pkey);
	BN_free(phi);
	BN_CTX_free(ctx);
}

struct ec_secrets {
	struct rig_num key, x, y;
};

static void
ec_secrets_make(struct ec_secrets *k, const char *curve, size_t bytes)
{
	EVP_PKEY *pkey = EVP_EC_gen(curve);

	REQUIRE(pkey != NULL);
	rig_num_get(pkey, OSSL_PKEY_PARAM_PRIV_KEY, &k->key);
	rig_num_get(pkey, OSSL_PKEY_PARAM_EC_PUB_X, &k->x);
	rig_num_get(pkey, OSSL_PKEY_PARAM_EC_PUB_Y, &k->y);
	EVP_PKEY_free(pkey);
	/* of full length: how long a number is, the application says */
	memmove(k->key.bytes + bytes - k->key.len, k->key.bytes, k->key.len);
	memset(k->key.bytes, 0, bytes - k->key.len);
	k->key.len = bytes;
	secret(k->key.bytes, bytes);
}

static void
sign(enum rte_crypto_curve_id id, const struct ec_secrets *k, size_t bytes)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECDSA };
	static uint8_t digest[32] = { 1 }, r[NB][66], s[NB][66];
	struct rte_crypto_op *ops[NB];
	void *session;

	x.ec.curve_id = id;
#if IN_SESSION
	x.ec.pkey = RIG_PARAM(k->key);
#endif
	session = rig_asym_session(&x, NULL);
	REQUIRE(session != NULL);
	for (size_t i = 0; i < NB; i++) {
		struct rte_crypto_ecdsa_op_param *p;

		ops[i] = rig_asym_op(session);
		p = &ops[i]->asym->ecdsa;
		p->op_type = RTE_CRYPTO_ASYM_OP_SIGN;
		p->message = rig_param(digest, sizeof(digest));
		p->r.data = r[i];
		p->s.data = s[i];
#if !IN_SESSION
		p->pkey = RIG_PARAM(k->key);
#endif
	}
	eight(ops);
	for (size_t i = 0; i < NB; i++)
		REQUIRE(memcheck_is_secret(s[i], bytes));
	ops_free(ops);
	rig_asym_session_free(session);
}

/* A shared secret, or the public half of a key. k is NULL for X25519. */
static void
exchange(enum rte_crypto_curve_id id, const struct ec_secrets *k, size_t bytes,
	 enum rte_crypto_asym_ke_type type)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECDH };
	static uint8_t out[NB][66], y[NB][66], scalar[32], base[32];
	struct rte_crypto_op *ops[NB];
	void *session;

	secret(scalar, sizeof(scalar));
	memset(base, 0x5a, sizeof(base));
	x.ec.curve_id = id;
	session = rig_asym_session(&x, NULL);
	REQUIRE(session != NULL);
	for (size_t i = 0; i < NB; i++) {
		struct rte_crypto_ecdh_op_param *p;

		ops[i] = rig_asym_op(session);
		p = &ops[i]->asym->ecdh;
		p->ke_type = type;
		p->priv_key = k != NULL ? RIG_PARAM(k->key) : rig_param(scalar, sizeof(scalar));
		if (type == RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE) {
			p->pub_key.x.data = out[i];
			p->pub_key.y.data = y[i];
		} else {
			p->pub_key.x = k != NULL ? RIG_PARAM(k->x) : rig_param(base, sizeof(base));
			if (k != NULL)
				p->pub_key.y = RIG_PARAM(k->y);
			p->shared_secret.x.data = out[i];
		}
	}
	eight(ops);
	for (size_t i = 0; i < NB; i++)
		REQUIRE(memcheck_is_secret(out[i], bytes));
	ops_free(ops);
	rig_asym_session_free(session);
}

static void
curve(enum rte_crypto_curve_id id, const char *name, size_t bytes)
{
	struct ec_secrets *k = calloc(1, sizeof(*k));

	REQUIRE(k != NULL);
	ec_secrets_make(k, name, bytes);
	sign(id, k, bytes);
	exchange(id, k, bytes, RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE);
	exchange(id, k, bytes, RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE);
	free(k);
}

/* Diffie-Hellman over the 2048-bit prime of RFC 3526. */
static void
dh(enum rte_crypto_asym_ke_type type)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_DH };
	static uint8_t prime[256], g[] = { 2 }, key[256], peer[256], out[NB][256];
	BIGNUM *p = BN_get_rfc3526_prime_2048(NULL);
	struct rte_crypto_op *ops[NB];
	void *session;

	BN_bn2binpad(p, prime, sizeof(prime));
	BN_free(p);
	memset(key + 1, 0x33, sizeof(key) - 1);
	secret(key + 1, sizeof(key) - 1);
	memset(peer + 1, 0x5a, sizeof(peer) - 1);
	x.dh.p = rig_param(prime, sizeof(prime));
	x.dh.g = rig_param(g, 1);
	session = rig_asym_session(&x, NULL);
	REQUIRE(session != NULL);
	for (size_t i = 0; i < NB; i++) {
		struct rte_crypto_dh_op_param *d;

		ops[i] = rig_asym_op(session);
		d = &ops[i]->asym->dh;
		d->ke_type = type;
		d->priv_key = rig_param(key, sizeof(key));
		if (type == RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE) {
			d->pub_key.data = out[i];
		} else {
			d->pub_key = rig_param(peer, sizeof(peer));
			d->shared_secret.data = out[i];
		}
	}
	eight(ops);
	for (size_t i = 0; i < NB; i++)
		REQUIRE(memcheck_is_secret(out[i] + 1, sizeof(out[i]) - 1));
	ops_free(ops);
	rig_asym_session_free(session);
}

static int
run(bool leaks)
{
	static struct rsa_key key;
	enum rte_crypto_curve_id x25519 = (enum rte_crypto_curve_id)PLX_MB_CURVE_X25519;

	rig_eal("mb_memcheck");
	rig_calls(&stubs);
	rig_up("crypto_mb=off", 1);
	rsa_key_put(&key);
	decrypt(&key, false);
	decrypt(&key, true);
	curve(RTE_CRYPTO_EC_GROUP_SECP256R1, "P-256", 32);
	curve(RTE_CRYPTO_EC_GROUP_SECP521R1, "P-521", 66);
	exchange(x25519, NULL, 32, RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE);
	exchange(x25519, NULL, 32, RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE);
	dh(RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE);
	dh(RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE);
	if (leaks) {
		secret(decrypted, 1);
		memcheck_leak(decrypted[0]);
	}
	rsa_key_free(&key);
	rig_down();
	rte_eal_cleanup();
	return 0;
}

int
main(int argc, char **argv)
{
	return memcheck_main(argc, argv, run);
}
