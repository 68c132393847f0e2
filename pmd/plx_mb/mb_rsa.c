/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/sha.h>

/*
 * RSA sessions and single RSA ops. A session is made from the parts of the key the transform has;
 * the private exponent is computed when only the five CRT parts are there, since OpenSSL falls back
 * on it when a CRT result turns out wrong (it checks each with the public exponent before it gives
 * it out). Padding is around the power and not in it, so that single ops and calls of eight differ
 * in the power alone.
 */

#define F4 65537u

static BIGNUM *
bn_from(const rte_crypto_param *p)
{
	if (!mb_param_ok(p, MB_RSA_BYTES))
		return NULL;
	return BN_bin2bn(p->data, (int)p->length, NULL);
}

/* d = e^-1 mod lcm(p-1, q-1), FIPS 186-5 A.1.1 */
static BIGNUM *
private_exponent(const BIGNUM *e, const BIGNUM *p, const BIGNUM *q, BN_CTX *ctx)
{
	BIGNUM *p1 = BN_dup(p), *q1 = BN_dup(q), *gcd = BN_new(), *lcm = BN_new(), *d = NULL;

	if (p1 == NULL || q1 == NULL || gcd == NULL || lcm == NULL)
		goto out;
	BN_set_flags(p1, BN_FLG_CONSTTIME);
	BN_set_flags(q1, BN_FLG_CONSTTIME);
	BN_set_flags(lcm, BN_FLG_CONSTTIME);
	if (!BN_sub_word(p1, 1) || !BN_sub_word(q1, 1) || !BN_gcd(gcd, p1, q1, ctx) ||
	    !BN_mul(lcm, p1, q1, ctx) || !BN_div(lcm, NULL, lcm, gcd, ctx))
		goto out;
	d = BN_mod_inverse(NULL, e, lcm, ctx);
out:
	BN_clear_free(p1);
	BN_clear_free(q1);
	BN_clear_free(gcd);
	BN_clear_free(lcm);
	return d;
}

static bool
is_product(const BIGNUM *n, const BIGNUM *p, const BIGNUM *q, BN_CTX *ctx)
{
	BIGNUM *product = BN_new();
	bool is = product != NULL && BN_mul(product, p, q, ctx) && BN_cmp(product, n) == 0;

	BN_clear_free(product);
	return is;
}

/* The five parts go to rsa, or are freed. */
static int
set_crt(RSA *rsa, const struct rte_crypto_rsa_priv_key_qt *qt)
{
	BIGNUM *p = bn_from(&qt->p), *q = bn_from(&qt->q), *dp = bn_from(&qt->dP),
	       *dq = bn_from(&qt->dQ), *qi = bn_from(&qt->qInv), *d = NULL;
	BN_CTX *ctx = BN_CTX_new();
	int ret = -EINVAL;

	if (p == NULL || q == NULL || dp == NULL || dq == NULL || qi == NULL || ctx == NULL ||
	    !BN_is_odd(p) || !BN_is_odd(q) || !is_product(RSA_get0_n(rsa), p, q, ctx))
		goto err_free;
	d = private_exponent(RSA_get0_e(rsa), p, q, ctx);
	if (d == NULL || !RSA_set0_key(rsa, NULL, NULL, d))
		goto err_free;
	d = NULL;
	if (!RSA_set0_factors(rsa, p, q))
		goto err_free;
	p = q = NULL;
	if (!RSA_set0_crt_params(rsa, dp, dq, qi))
		goto err_free;
	dp = dq = qi = NULL;
	ret = 0;

err_free:
	BN_clear_free(p);
	BN_clear_free(q);
	BN_clear_free(dp);
	BN_clear_free(dq);
	BN_clear_free(qi);
	BN_clear_free(d);
	BN_CTX_free(ctx);
	return ret;
}

static int
set_private(struct mb_rsa *rsa, const struct rte_crypto_rsa_xform *xform)
{
	BIGNUM *d;

	if (xform->key_type == RTE_RSA_KEY_TYPE_QT) {
		if (xform->qt.p.length == 0)
			return 0;
		rsa->has_private = rsa->has_crt = true;
		return set_crt(rsa->rsa, &xform->qt);
	}
	if (xform->key_type != RTE_RSA_KEY_TYPE_EXP)
		return -EINVAL;
	if (xform->d.length == 0)
		return 0;
	d = bn_from(&xform->d);
	if (d == NULL || BN_cmp(d, RSA_get0_n(rsa->rsa)) >= 0 ||
	    !RSA_set0_key(rsa->rsa, NULL, NULL, d)) {
		BN_clear_free(d);
		return -EINVAL;
	}
	rsa->has_private = true;
	return 0;
}

static bool
words_put(uint64_t **at, size_t nb_words, const BIGNUM *bn, uint64_t **out)
{
	*out = *at;
	*at += nb_words;
	return BN_bn2lebinpad(bn, (uint8_t *)*out, (int)(nb_words * sizeof(**out))) >= 0;
}

/* What calls of eight take. Keys they have no code for go without. */
static int
words_create(struct mb_rsa *rsa)
{
	size_t whole = rsa->bits / 64, half = whole / 2;
	const RSA *r = rsa->rsa;
	uint64_t *at;
	bool ok;

	if (rsa->bits != 2048 && rsa->bits != 3072 && rsa->bits != 4096)
		return 0;
	rsa->block_bytes = (whole + 5 * half) * sizeof(uint64_t);
	at = calloc(1, rsa->block_bytes);
	if (at == NULL)
		return -ENOMEM;
	ok = words_put(&at, whole, RSA_get0_n(r), &rsa->n);
	if (ok && rsa->has_crt) {
		ok = words_put(&at, half, RSA_get0_p(r), &rsa->p) &&
		     words_put(&at, half, RSA_get0_q(r), &rsa->q) &&
		     words_put(&at, half, RSA_get0_dmp1(r), &rsa->dp) &&
		     words_put(&at, half, RSA_get0_dmq1(r), &rsa->dq) &&
		     words_put(&at, half, RSA_get0_iqmp(r), &rsa->qinv);
		/* factors of unequal length: OpenSSL can, the library cannot */
		if (!ok)
			rsa->p = NULL;
		return 0;
	}
	return ok ? 0 : -EINVAL;
}

/* draft-irtf-cfrg-rsa-guidance: the key of implicit rejection is the hash of d, as long as n. */
static int
rejection_key(struct mb_rsa *rsa)
{
	uint8_t d[MB_RSA_BYTES];
	int ret = 0;

	if (!rsa->has_private)
		return 0;
	if (BN_bn2binpad(RSA_get0_d(rsa->rsa), d, (int)rsa->bytes) < 0)
		ret = -EINVAL;
	else
		SHA256(d, rsa->bytes, rsa->rejection_key);
	OPENSSL_cleanse(d, sizeof(d));
	return ret;
}

#if PLX_PMD_RSA_PADDING_IN_SESSION
static int
padding_keep(struct mb_rsa *rsa, const struct rte_crypto_rsa_padding *padding)
{
	rsa->padding = *padding;
	rsa->padding.oaep_label.data = NULL;
	if (padding->oaep_label.length == 0)
		return 0;
	if (!mb_param_ok(&padding->oaep_label, sizeof(rsa->label)))
		return -EINVAL;
	memcpy(rsa->label, padding->oaep_label.data, padding->oaep_label.length);
	rsa->padding.oaep_label.data = rsa->label;
	return 0;
}
#endif

static int
rsa_fill(struct mb_rsa *rsa, const struct rte_crypto_rsa_xform *xform)
{
	BIGNUM *n = bn_from(&xform->n), *e = bn_from(&xform->e);
	int ret;

	rsa->rsa = RSA_new();
	if (n == NULL || e == NULL || rsa->rsa == NULL || !RSA_set0_key(rsa->rsa, n, e, NULL)) {
		BN_free(n);
		BN_free(e);
		return -EINVAL;
	}
	rsa->bits = (uint32_t)BN_num_bits(n);
	rsa->bytes = (rsa->bits + 7) / 8;
	rsa->is_f4 = BN_is_word(e, F4);
	if (rsa->bits < MB_RSA_BITS_MIN || rsa->bits > MB_RSA_BITS_MAX || !BN_is_odd(n) ||
	    !BN_is_odd(e) || BN_is_one(e) || BN_cmp(e, n) >= 0)
		return -EINVAL;
	if (BN_bn2binpad(n, rsa->n_bytes, (int)rsa->bytes) < 0)
		return -EINVAL;
	ret = set_private(rsa, xform);
	if (ret == 0)
		ret = words_create(rsa);
	if (ret == 0)
		ret = rejection_key(rsa);
#if PLX_PMD_RSA_PADDING_IN_SESSION
	if (ret == 0)
		ret = padding_keep(rsa, &xform->padding);
#endif
	return ret;
}

int
mb_rsa_create(const struct rte_crypto_rsa_xform *xform, struct mb_rsa **out)
{
	struct mb_rsa *rsa = calloc(1, sizeof(*rsa));
	int ret;

	if (rsa == NULL)
		return -ENOMEM;
	ret = rsa_fill(rsa, xform);
	ERR_clear_error();
	if (ret < 0) {
		mb_rsa_free(rsa);
		return ret;
	}
	*out = rsa;
	return 0;
}

void
mb_rsa_free(struct mb_rsa *rsa)
{
	if (rsa == NULL)
		return;
	for (size_t i = 0; i < RTE_DIM(rsa->private_of); i++)
		RSA_free(rsa->private_of[i]);
	RSA_free(rsa->rsa);
	if (rsa->n != NULL)
		OPENSSL_cleanse(rsa->n, rsa->block_bytes);
	free(rsa->n);
	OPENSSL_cleanse(rsa, sizeof(*rsa));
	free(rsa);
}

static bool
give(const BIGNUM *from, BIGNUM **out)
{
	*out = BN_dup(from);
	return *out != NULL;
}

/* All of the key again, for one queue pair alone. */
static RSA *
rsa_copy(const struct mb_rsa *rsa)
{
	BIGNUM *n = NULL, *e = NULL, *d = NULL, *p = NULL, *q = NULL, *dp = NULL, *dq = NULL,
	       *qi = NULL;
	const RSA *r = rsa->rsa;
	RSA *copy = RSA_new();
	bool ok;

	ok = copy != NULL && give(RSA_get0_n(r), &n) && give(RSA_get0_e(r), &e) &&
	     give(RSA_get0_d(r), &d);
	if (ok && rsa->has_crt)
		ok = give(RSA_get0_p(r), &p) && give(RSA_get0_q(r), &q) &&
		     give(RSA_get0_dmp1(r), &dp) && give(RSA_get0_dmq1(r), &dq) &&
		     give(RSA_get0_iqmp(r), &qi);
	if (ok) {
		RSA_set0_key(copy, n, e, d);
		if (rsa->has_crt) {
			RSA_set0_factors(copy, p, q);
			RSA_set0_crt_params(copy, dp, dq, qi);
		}
		return copy;
	}
	BN_free(n);
	BN_free(e);
	BN_clear_free(d);
	BN_clear_free(p);
	BN_clear_free(q);
	BN_clear_free(dp);
	BN_clear_free(dq);
	BN_clear_free(qi);
	RSA_free(copy);
	return NULL;
}

static bool
has_number(struct rte_crypto_op *op, const rte_crypto_param *p, size_t max)
{
	if (mb_param_ok(p, max))
		return true;
	op->status = RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	return false;
}

static enum mb_kind
sized(const struct mb_rsa *rsa, enum mb_kind first, bool has_words)
{
	if (!has_words)
		return first + 3;
	return first + (enum mb_kind)((rsa->bits - 2048) / 1024);
}

enum mb_kind
mb_rsa_kind(const struct mb_asym_sess *sess, struct rte_crypto_op *op)
{
	const struct mb_rsa *rsa = sess->rsa;
	const struct rte_crypto_rsa_op_param *p = &op->asym->rsa;
	bool ok;

	switch ((int)p->op_type) {
	case RTE_CRYPTO_ASYM_OP_ENCRYPT:
		/* a message may be empty (RFC 8017 7.1.1, 7.2.1), a number may not */
		ok = p->message.length <= rsa->bytes &&
		     (p->message.data != NULL || p->message.length == 0) && p->cipher.data != NULL;
		break;
	case RTE_CRYPTO_ASYM_OP_DECRYPT:
		ok = has_number(op, &p->cipher, rsa->bytes) && p->message.data != NULL;
		break;
	case RTE_CRYPTO_ASYM_OP_SIGN:
		ok = has_number(op, &p->message, rsa->bytes) && p->sign.data != NULL;
		break;
	case RTE_CRYPTO_ASYM_OP_VERIFY:
		ok = has_number(op, &p->message, rsa->bytes) &&
		     has_number(op, &p->sign, rsa->bytes);
		break;
	default:
		ok = false;
	}
	if (!ok || !mb_rsa_label_ok(rsa, op)) {
		op->status = RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
		return MB_NB_KINDS;
	}
	if (p->op_type == RTE_CRYPTO_ASYM_OP_ENCRYPT || p->op_type == RTE_CRYPTO_ASYM_OP_VERIFY)
		return sized(rsa, MB_RSA_PUBLIC_2048, rsa->n != NULL && rsa->is_f4);
	if (!rsa->has_private) {
		op->status = RTE_CRYPTO_OP_STATUS_INVALID_SESSION;
		return MB_NB_KINDS;
	}
	/* without F4 the check of a result would cost as much as OpenSSL's whole op */
	return sized(rsa, MB_RSA_PRIVATE_2048, rsa->p != NULL && rsa->is_f4);
}

void
mb_rsa_private_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	struct mb_rsa *rsa = mb_asym_sess_of(op)->rsa;
	uint8_t *in = qp->asym->in[0], *out = qp->asym->out[0];
	RSA **own = &rsa->private_of[qp->slot];

	if (!mb_rsa_before_private(rsa, op, in))
		return;
	if (*own == NULL)
		*own = rsa_copy(rsa);
	if (*own == NULL || RSA_private_encrypt((int)rsa->bytes, in, out, *own, RSA_NO_PADDING) !=
				    (int)rsa->bytes) {
		ERR_clear_error();
		op->status = RTE_CRYPTO_OP_STATUS_ERROR;
		return;
	}
	mb_rsa_after_private(qp->asym, rsa, op, in, out);
}

void
mb_rsa_public_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	const struct mb_rsa *rsa = mb_asym_sess_of(op)->rsa;
	uint8_t *in = qp->asym->in[0], *out = qp->asym->out[0];

	if (!mb_rsa_before_public(rsa, op, in))
		return;
	if (RSA_public_decrypt((int)rsa->bytes, in, out, rsa->rsa, RSA_NO_PADDING) !=
	    (int)rsa->bytes) {
		ERR_clear_error();
		op->status = RTE_CRYPTO_OP_STATUS_ERROR;
		return;
	}
	mb_rsa_after_public(rsa, op, out);
	OPENSSL_cleanse(in, rsa->bytes); /* a message before its encryption */
}
