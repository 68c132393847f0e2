/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <errno.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

/*
 * SM2 (GB/T 32918.2 signatures, GB/T 32918.4 encryption), in DPDK from 23.07 on. A session has the
 * private key, the public key, or both. The nonce is OpenSSL's and never the op's k.
 *
 * The message of a signature is hashed with SM3 after the value Z of id and public key when the op
 * names SM3 as its hash; with no hash the message is the digest e itself, 32 bytes.
 */

#if PLX_PMD_HAS_SM2

#define BYTES 32u

static bool
point_put(const struct mb_ec *ec, uint8_t *to)
{
	if (ec->x_bytes == 0 || ec->x_bytes > BYTES || ec->y_bytes == 0 || ec->y_bytes > BYTES)
		return false;
	memset(to, 0, 1 + 2 * (size_t)BYTES);
	to[0] = 4; /* uncompressed, SEC 1 2.3.3 */
	memcpy(to + 1 + BYTES - ec->x_bytes, ec->x, ec->x_bytes);
	memcpy(to + 1 + 2 * BYTES - ec->y_bytes, ec->y, ec->y_bytes);
	return true;
}

/* The public key of a private one, when the application did not say. */
static bool
point_make(struct mb_ec *ec, const BIGNUM *d)
{
	EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_sm2);
	EC_POINT *q = group != NULL ? EC_POINT_new(group) : NULL;
	BIGNUM *x = BN_new(), *y = BN_new();
	bool ok;

	ok = q != NULL && x != NULL && y != NULL &&
	     EC_POINT_mul(group, q, d, NULL, NULL, NULL) == 1 &&
	     EC_POINT_get_affine_coordinates(group, q, x, y, NULL) == 1 &&
	     BN_bn2binpad(x, ec->x, BYTES) >= 0 && BN_bn2binpad(y, ec->y, BYTES) >= 0;
	ec->x_bytes = ec->y_bytes = BYTES;
	BN_free(x);
	BN_free(y);
	EC_POINT_free(q);
	EC_GROUP_free(group);
	return ok;
}

static EVP_PKEY *
pkey_make(struct mb_ec *ec)
{
	OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "SM2", NULL);
	uint8_t point[1 + 2 * BYTES];
	OSSL_PARAM *params = NULL;
	EVP_PKEY *pkey = NULL;
	BIGNUM *d = NULL;
	bool ok = bld != NULL && ctx != NULL;

	if (ok && ec->key_bytes > 0) {
		d = BN_secure_new();
		ok = d != NULL && BN_bin2bn(ec->key, (int)ec->key_bytes, d) != NULL &&
		     (ec->x_bytes > 0 || point_make(ec, d)) &&
		     OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_PRIV_KEY, d) == 1;
	}
	ok = ok && point_put(ec, point) &&
	     OSSL_PARAM_BLD_push_utf8_string(bld, OSSL_PKEY_PARAM_GROUP_NAME, "SM2", 0) == 1 &&
	     OSSL_PARAM_BLD_push_octet_string(bld, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point)) ==
		     1;
	if (ok)
		params = OSSL_PARAM_BLD_to_param(bld);
	if (params == NULL || EVP_PKEY_fromdata_init(ctx) != 1 ||
	    EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_KEYPAIR, params) != 1)
		pkey = NULL;
	OSSL_PARAM_free(params);
	OSSL_PARAM_BLD_free(bld);
	EVP_PKEY_CTX_free(ctx);
	BN_clear_free(d);
	return pkey;
}

int
mb_sm2_configure(int curve_id, struct mb_ec *ec)
{
	if (curve_id != RTE_CRYPTO_EC_GROUP_SM2)
		return -ENOTSUP;
	ec->bytes = BYTES;
	ec->curve = MB_CURVE_SM2;
	ec->pkey = pkey_make(ec);
	if (ec->pkey == NULL) {
		ERR_clear_error();
		return -EINVAL;
	}
	ec->has_private = ec->key_bytes > 0;
	return 0;
}

/* A DER signature and its two numbers. */
static bool
sig_take_apart(const uint8_t *der, size_t len, struct rte_crypto_sm2_op_param *p)
{
	ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &der, (long)len);
	bool ok = sig != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(sig), p->r.data, BYTES) >= 0 &&
		  BN_bn2binpad(ECDSA_SIG_get0_s(sig), p->s.data, BYTES) >= 0;

	ECDSA_SIG_free(sig);
	if (ok)
		p->r.length = p->s.length = BYTES;
	return ok;
}

static int
sig_put_together(const struct rte_crypto_sm2_op_param *p, uint8_t **der)
{
	BIGNUM *r = BN_bin2bn(p->r.data, (int)p->r.length, NULL);
	BIGNUM *s = BN_bin2bn(p->s.data, (int)p->s.length, NULL);
	ECDSA_SIG *sig = ECDSA_SIG_new();
	int len = -1;

	if (r != NULL && s != NULL && sig != NULL && ECDSA_SIG_set0(sig, r, s)) {
		r = s = NULL;
		len = i2d_ECDSA_SIG(sig, der);
	}
	BN_free(r);
	BN_free(s);
	ECDSA_SIG_free(sig);
	return len;
}

/* Over a message with its id. */
static bool
digest_sign(const struct mb_ec *ec, struct rte_crypto_sm2_op_param *p, bool is_sign)
{
	EVP_PKEY_CTX *pctx = EVP_PKEY_CTX_new(ec->pkey, NULL);
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	uint8_t der[80], *sig = NULL;
	size_t len = sizeof(der);
	bool ok = false;
	int n;

	if (pctx == NULL || ctx == NULL ||
	    (p->id.length > 0 && EVP_PKEY_CTX_set1_id(pctx, p->id.data, (int)p->id.length) != 1))
		goto out;
	EVP_MD_CTX_set_pkey_ctx(ctx, pctx);
	if (is_sign) {
		ok = EVP_DigestSignInit(ctx, NULL, EVP_sm3(), NULL, ec->pkey) == 1 &&
		     EVP_DigestSign(ctx, der, &len, p->message.data, p->message.length) == 1 &&
		     sig_take_apart(der, len, p);
	} else {
		n = sig_put_together(p, &sig);
		ok = n > 0 && EVP_DigestVerifyInit(ctx, NULL, EVP_sm3(), NULL, ec->pkey) == 1 &&
		     EVP_DigestVerify(ctx, sig, (size_t)n, p->message.data, p->message.length) == 1;
		OPENSSL_free(sig);
	}
out:
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_CTX_free(pctx);
	return ok;
}

/* Over the digest e. */
static bool
plain_sign(const struct mb_ec *ec, struct rte_crypto_sm2_op_param *p, bool is_sign)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(ec->pkey, NULL);
	uint8_t der[80], *sig = NULL;
	size_t len = sizeof(der);
	bool ok = false;
	int n;

	if (ctx != NULL && is_sign) {
		ok = EVP_PKEY_sign_init(ctx) == 1 &&
		     EVP_PKEY_sign(ctx, der, &len, p->message.data, p->message.length) == 1 &&
		     sig_take_apart(der, len, p);
	} else if (ctx != NULL) {
		n = sig_put_together(p, &sig);
		ok = n > 0 && EVP_PKEY_verify_init(ctx) == 1 &&
		     EVP_PKEY_verify(ctx, sig, (size_t)n, p->message.data, p->message.length) == 1;
		OPENSSL_free(sig);
	}
	EVP_PKEY_CTX_free(ctx);
	return ok;
}

/* The cipher is the ASN.1 of GB/T 35276, as OpenSSL writes it. Its room is what length says. */
static bool
crypt(const struct mb_ec *ec, struct rte_crypto_sm2_op_param *p, bool is_encrypt)
{
	const rte_crypto_param *from = is_encrypt ? &p->message : &p->cipher;
	rte_crypto_param *to = is_encrypt ? &p->cipher : &p->message;
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(ec->pkey, NULL);
	uint8_t out[MB_RSA_BYTES];
	size_t len = sizeof(out);
	bool ok;

	if (is_encrypt)
		ok = ctx != NULL && EVP_PKEY_encrypt_init(ctx) == 1 &&
		     EVP_PKEY_encrypt(ctx, out, &len, from->data, from->length) == 1;
	else
		ok = ctx != NULL && EVP_PKEY_decrypt_init(ctx) == 1 &&
		     EVP_PKEY_decrypt(ctx, out, &len, from->data, from->length) == 1;
	EVP_PKEY_CTX_free(ctx);
	if (ok) {
		memcpy(to->data, out, len);
		to->length = len;
	}
	OPENSSL_cleanse(out, sizeof(out));
	return ok;
}

bool
mb_sm2_is_sane(const struct mb_ec *ec, const struct rte_crypto_op *op)
{
	const struct rte_crypto_sm2_op_param *p = &op->asym->sm2;

	switch ((int)p->op_type) {
	case RTE_CRYPTO_ASYM_OP_SIGN:
		return ec->has_private && mb_param_ok(&p->message, UINT32_MAX) &&
		       p->r.data != NULL && p->s.data != NULL && p->id.length < 8192 &&
		       (p->id.data != NULL || p->id.length == 0);
	case RTE_CRYPTO_ASYM_OP_VERIFY:
		return mb_param_ok(&p->message, UINT32_MAX) && mb_param_ok(&p->r, BYTES) &&
		       mb_param_ok(&p->s, BYTES) && p->id.length < 8192 &&
		       (p->id.data != NULL || p->id.length == 0);
	case RTE_CRYPTO_ASYM_OP_ENCRYPT:
		return mb_param_ok(&p->message, MB_RSA_BYTES - 128) && p->cipher.data != NULL;
	case RTE_CRYPTO_ASYM_OP_DECRYPT:
		return ec->has_private && mb_param_ok(&p->cipher, MB_RSA_BYTES) &&
		       p->message.data != NULL;
	default:
		return false;
	}
}

enum mb_kind
mb_sm2_kind(struct rte_crypto_op *op)
{
	const struct rte_crypto_sm2_op_param *p = &op->asym->sm2;

	/* the call hashes, and wants an id */
	if (p->hash != RTE_CRYPTO_AUTH_SM3 || p->id.length == 0)
		return MB_SM2_OTHER;
	if (p->op_type == RTE_CRYPTO_ASYM_OP_SIGN)
		return MB_SM2_SIGN;
	return p->op_type == RTE_CRYPTO_ASYM_OP_VERIFY ? MB_SM2_VERIFY : MB_SM2_OTHER;
}

void
mb_sm2_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	struct rte_crypto_sm2_op_param *p = &op->asym->sm2;
	const struct mb_ec *ec = &mb_asym_sess_of(op)->ec;
	bool is_sign = p->op_type == RTE_CRYPTO_ASYM_OP_SIGN, ok;

	(void)qp;
	if (!mb_sm2_is_sane(ec, op)) {
		mb_set(op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		return;
	}
	if (p->op_type == RTE_CRYPTO_ASYM_OP_ENCRYPT || p->op_type == RTE_CRYPTO_ASYM_OP_DECRYPT)
		ok = crypt(ec, p, p->op_type == RTE_CRYPTO_ASYM_OP_ENCRYPT);
	else if (p->hash == RTE_CRYPTO_AUTH_SM3)
		ok = digest_sign(ec, p, is_sign);
	else
		ok = p->message.length == BYTES && plain_sign(ec, p, is_sign);
	if (!ok)
		ERR_clear_error();
	mb_set(op, ok                                        ? RTE_CRYPTO_OP_STATUS_SUCCESS
		   : p->op_type == RTE_CRYPTO_ASYM_OP_VERIFY ? RTE_CRYPTO_OP_STATUS_AUTH_FAILED
							     : RTE_CRYPTO_OP_STATUS_ERROR);
}

#endif
