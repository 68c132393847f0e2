/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/x509.h>

#include "keystore_priv.h"

/*
 * Do the numbers of a key belong together? A key that is wrong in one number signs wrong, and an
 * RSA signature from a wrong CRT number tells the primes to who sees it. Primality is not asked: it
 * takes seconds, and who chose the key knows the primes anyway.
 *
 * Then the public half as OpenSSL writes it. It is the only time an EVP_PKEY is made of a stored
 * key, and it holds public numbers only. BIGNUMs of secrets are cleared by OpenSSL when they are
 * freed.
 */

struct rsa_numbers {
	BN_CTX *ctx;
	BIGNUM *part[KEY_NB_PARTS];
	BIGNUM *p1; /* p - 1 */
	BIGNUM *q1;
	BIGNUM *t;
};

static void
rsa_numbers_free(struct rsa_numbers *r)
{
	int i;

	for (i = 0; i < KEY_NB_PARTS; i++)
		BN_clear_free(r->part[i]);
	BN_clear_free(r->p1);
	BN_clear_free(r->q1);
	BN_clear_free(r->t);
	BN_CTX_free(r->ctx);
}

static bool
rsa_numbers_make(const struct key_material *m, struct rsa_numbers *r)
{
	int i;

	r->ctx = BN_CTX_secure_new();
	r->p1 = BN_secure_new();
	r->q1 = BN_secure_new();
	r->t = BN_secure_new();
	if (r->ctx == NULL || r->p1 == NULL || r->q1 == NULL || r->t == NULL)
		return false;

	for (i = KEY_PART_N; i <= KEY_PART_QINV; i++) {
		r->part[i] = BN_secure_new();
		if (r->part[i] == NULL ||
		    BN_bin2bn(m->part[i].data, (int)m->part[i].len, r->part[i]) == NULL)
			return false;
		BN_set_flags(r->part[i], BN_FLG_CONSTTIME);
	}
	return BN_sub(r->p1, r->part[KEY_PART_P], BN_value_one()) == 1 &&
	       BN_sub(r->q1, r->part[KEY_PART_Q], BN_value_one()) == 1;
}

/* Is a * b = 1 modulo m? 1, 0, or -1 when there is no memory. */
static int
is_inverse(struct rsa_numbers *r, const BIGNUM *a, const BIGNUM *b, const BIGNUM *mod)
{
	if (BN_mod_mul(r->t, a, b, mod, r->ctx) != 1)
		return -1;
	return BN_is_one(r->t);
}

/* RFC 8017 3.2: what the numbers of a private key have to be to each other. */
static int
rsa_numbers_agree(struct rsa_numbers *r)
{
	BIGNUM **n = r->part;
	int ret;

	if (BN_is_one(n[KEY_PART_P]) || BN_is_one(n[KEY_PART_Q]) || !BN_is_odd(n[KEY_PART_P]) ||
	    !BN_is_odd(n[KEY_PART_Q]) || BN_cmp(n[KEY_PART_D], n[KEY_PART_N]) >= 0)
		return 0;
	if (BN_mul(r->t, n[KEY_PART_P], n[KEY_PART_Q], r->ctx) != 1)
		return -1;
	if (BN_cmp(r->t, n[KEY_PART_N]) != 0)
		return 0;

	ret = is_inverse(r, n[KEY_PART_E], n[KEY_PART_DP], r->p1);
	if (ret == 1)
		ret = is_inverse(r, n[KEY_PART_E], n[KEY_PART_DQ], r->q1);
	if (ret == 1)
		ret = is_inverse(r, n[KEY_PART_E], n[KEY_PART_D], r->p1);
	if (ret == 1)
		ret = is_inverse(r, n[KEY_PART_E], n[KEY_PART_D], r->q1);
	if (ret == 1)
		ret = is_inverse(r, n[KEY_PART_Q], n[KEY_PART_QINV], n[KEY_PART_P]);
	return ret;
}

static int
rsa_check_private(const struct key_material *m, struct plx_err *err)
{
	struct rsa_numbers r = { 0 };
	int ret;

	ret = rsa_numbers_make(m, &r) ? rsa_numbers_agree(&r) : -1;
	rsa_numbers_free(&r);
	if (ret < 0)
		return plx_err_set(err, -ENOMEM, "no memory to check an RSA key");
	if (ret == 0)
		return plx_err_set(
			err, -EINVAL,
			"the numbers of the RSA private key do not belong together; the file is "
			"damaged or was made by a faulty program");
	return 0;
}

static int
rsa_check(const struct key_material *m, struct plx_err *err)
{
	const struct key_view *n = &m->part[KEY_PART_N];
	const struct key_view *e = &m->part[KEY_PART_E];
	const struct plx_alg *row = plx_alg_find("rsa-pkcs1");

	if (!plx_alg_range_has(&row->key, (uint32_t)n->len))
		return plx_err_set(
			err, -EINVAL,
			"the RSA key has a modulus of %zu bytes; %u to %u bits in steps of %u are "
			"taken",
			n->len, row->key.min * 8u, row->key.max * 8u, row->key.step * 8u);
	if ((n->data[n->len - 1] & 1) == 0)
		return plx_err_set(err, -EINVAL, "the RSA key's modulus is even");
	if (e->len > 8 || (e->data[e->len - 1] & 1) == 0 || (e->len == 1 && e->data[0] < 3))
		return plx_err_set(
			err, -EINVAL,
			"the RSA key's public exponent is not odd, from 3 and of at most 64 bits");
	return m->is_private ? rsa_check_private(m, err) : 0;
}

/* 0 or -EINVAL, -ENOMEM. A curve key gets its public half, written to point, which outlives the
 * material. */
int
keystore_asym_check(struct key_material *m, uint8_t point[KEY_POINT_MAX_BYTES], struct plx_err *err)
{
	int ret;

	ERR_set_mark();
	ret = m->type == KEY_TYPE_RSA ? rsa_check(m, err) : keystore_curve_complete(m, point, err);
	ERR_pop_to_mark();
	return ret;
}

static EVP_PKEY *
pkey_from_params(const char *type, OSSL_PARAM_BLD *build)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
	OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
	EVP_PKEY *pkey = NULL;

	if (ctx == NULL || params == NULL || EVP_PKEY_fromdata_init(ctx) != 1 ||
	    EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_PUBLIC_KEY, params) != 1)
		pkey = NULL;
	OSSL_PARAM_free(params);
	EVP_PKEY_CTX_free(ctx);
	return pkey;
}

static EVP_PKEY *
rsa_public(const struct key_material *m)
{
	const struct key_view *n = &m->part[KEY_PART_N];
	const struct key_view *e = &m->part[KEY_PART_E];
	BIGNUM *bn_n = BN_bin2bn(n->data, (int)n->len, NULL);
	BIGNUM *bn_e = BN_bin2bn(e->data, (int)e->len, NULL);
	OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
	EVP_PKEY *pkey = NULL;

	if (bn_n != NULL && bn_e != NULL && build != NULL &&
	    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, bn_n) == 1 &&
	    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, bn_e) == 1)
		pkey = pkey_from_params(m->is_pss_only ? "RSA-PSS" : "RSA", build);
	OSSL_PARAM_BLD_free(build);
	BN_free(bn_n);
	BN_free(bn_e);
	return pkey;
}

static EVP_PKEY *
ec_public(const struct key_material *m)
{
	const struct key_view *point = &m->part[KEY_PART_PUBLIC];
	const char *type = strcmp(m->curve->group, "SM2") == 0 ? "SM2" : "EC";
	OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
	EVP_PKEY *pkey = NULL;

	if (build != NULL &&
	    OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, m->curve->group,
					    0) == 1 &&
	    OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point->data,
					     point->len) == 1)
		pkey = pkey_from_params(type, build);
	OSSL_PARAM_BLD_free(build);
	return pkey;
}

/* DER of the SubjectPublicKeyInfo, malloc'ed. */
int
keystore_asym_spki(const struct key_material *m, uint8_t **der, size_t *len, struct plx_err *err)
{
	const struct key_view *public = &m->part[KEY_PART_PUBLIC];
	unsigned char *bytes = NULL;
	uint8_t *copy = NULL;
	EVP_PKEY *pkey;
	int nb;

	ERR_set_mark();
	if (m->type == KEY_TYPE_RSA)
		pkey = rsa_public(m);
	else if (m->type == KEY_TYPE_EC)
		pkey = ec_public(m);
	else
		pkey = EVP_PKEY_new_raw_public_key_ex(NULL, m->curve->group, NULL, public->data,
						      public->len);
	nb = pkey == NULL ? -1 : i2d_PUBKEY(pkey, &bytes);
	EVP_PKEY_free(pkey);
	if (nb > 0)
		copy = malloc((size_t)nb);
	if (copy != NULL)
		memcpy(copy, bytes, (size_t)nb);
	OPENSSL_free(bytes);
	ERR_pop_to_mark();

	if (copy == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for the public half of a key");
	*der = copy;
	*len = (size_t)nb;
	return 0;
}
