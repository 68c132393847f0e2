/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/rand.h>

/*
 * Single ops on P-256, P-384 and P-521 by OpenSSL. A queue pair has one EC_KEY a curve, which takes
 * the key of each op in turn. Nonces are OpenSSL's: from its DRBG, mixed with key and message. The
 * k of an op is not looked at, since who gives the same one twice gives the key away; but for known
 * answers, with the device argument ecdsa_k=op.
 */

static void
end(struct rte_crypto_op *op, bool ok, enum rte_crypto_op_status otherwise)
{
	mb_set(op, ok ? RTE_CRYPTO_OP_STATUS_SUCCESS : otherwise);
	if (!ok)
		ERR_clear_error();
}

static bool
give(const BIGNUM *bn, rte_crypto_param *p, uint32_t bytes)
{
	if (BN_bn2binpad(bn, p->data, (int)bytes) < 0)
		return false;
	p->length = bytes;
	return true;
}

/* A secret scalar of 1 to the order less 1. */
static bool
scalar_take(const struct mb_asym_qp *a, const struct mb_ec *ec, const uint8_t *bytes, BIGNUM *out)
{
	BN_set_flags(out, BN_FLG_CONSTTIME);
	return mb_ec_is_scalar(a, ec, bytes) && BN_bin2bn(bytes, (int)ec->bytes, out) != NULL;
}

/* k^-1 and the x of k G for the op's own k; false when it is no nonce. */
static bool
nonce_take(struct mb_asym_qp *a, const struct mb_ec *ec, struct rte_crypto_op *op, BIGNUM **kinv,
	   BIGNUM **r)
{
	const EC_GROUP *group = a->groups[ec->curve];
	EC_POINT *point = EC_POINT_new(group);
	uint8_t bytes[MB_EC_BYTES];
	BIGNUM *k;
	bool ok;

	BN_CTX_start(a->bn);
	k = BN_CTX_get(a->bn);
	*kinv = BN_secure_new();
	*r = BN_new();
	ok = point != NULL && k != NULL && *kinv != NULL && *r != NULL &&
	     mb_ec_number(ec, op, &op->asym->ecdsa.k, bytes) && scalar_take(a, ec, bytes, k) &&
	     EC_POINT_mul(group, point, k, NULL, NULL, a->bn) == 1 &&
	     EC_POINT_get_affine_coordinates(group, point, *r, NULL, a->bn) == 1 &&
	     BN_nnmod(*r, *r, EC_GROUP_get0_order(group), a->bn) == 1 &&
	     BN_mod_inverse(*kinv, k, EC_GROUP_get0_order(group), a->bn) != NULL;
	if (k != NULL)
		BN_clear(k);
	BN_CTX_end(a->bn);
	OPENSSL_cleanse(bytes, sizeof(bytes));
	EC_POINT_clear_free(point);
	return ok;
}

static ECDSA_SIG *
sign(struct mb_qp *qp, const struct mb_ec *ec, struct rte_crypto_op *op, EC_KEY *key)
{
	const rte_crypto_param *message = &op->asym->ecdsa.message;
	BIGNUM *kinv = NULL, *r = NULL;
	ECDSA_SIG *sig = NULL;

	if (!qp->dev->takes_nonces || op->asym->ecdsa.k.length == 0)
		return ECDSA_do_sign(message->data, (int)message->length, key);
	if (nonce_take(qp->asym, ec, op, &kinv, &r))
		sig = ECDSA_do_sign_ex(message->data, (int)message->length, kinv, r, key);
	BN_clear_free(kinv);
	BN_free(r);
	return sig;
}

void
mb_ecdsa_sign_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	const struct mb_asym_sess *sess = mb_asym_sess_of(op);
	struct rte_crypto_ecdsa_op_param *p = &op->asym->ecdsa;
	const struct mb_ec *ec = &sess->ec;
	struct mb_asym_qp *a = qp->asym;
	EC_KEY *key = a->keys[ec->curve];
	uint8_t bytes[MB_EC_BYTES];
	rte_crypto_param pkey;
	ECDSA_SIG *sig = NULL;
	BIGNUM *d;
	bool ok;

	mb_ec_ecdsa_key(sess, op, &pkey);
	if (!mb_ec_number(ec, op, &pkey, bytes))
		return;
	BN_CTX_start(a->bn);
	d = BN_CTX_get(a->bn);
	ok = d != NULL && scalar_take(a, ec, bytes, d) && EC_KEY_set_private_key(key, d) == 1;
	if (d != NULL)
		BN_clear(d);
	BN_CTX_end(a->bn);
	OPENSSL_cleanse(bytes, sizeof(bytes));
	if (!ok) {
		end(op, false, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		return;
	}
	sig = sign(qp, ec, op, key);
	ok = sig != NULL && give(ECDSA_SIG_get0_r(sig), &p->r, ec->bytes) &&
	     give(ECDSA_SIG_get0_s(sig), &p->s, ec->bytes);
	ECDSA_SIG_free(sig);
	EC_KEY_set_private_key(key, NULL); /* wipes it; the answer is 0 all the same */
	end(op, ok, RTE_CRYPTO_OP_STATUS_ERROR);
}

static ECDSA_SIG *
sig_from(const struct rte_crypto_ecdsa_op_param *p)
{
	BIGNUM *r = BN_bin2bn(p->r.data, (int)p->r.length, NULL);
	BIGNUM *s = BN_bin2bn(p->s.data, (int)p->s.length, NULL);
	ECDSA_SIG *sig = ECDSA_SIG_new();

	if (r == NULL || s == NULL || sig == NULL || !ECDSA_SIG_set0(sig, r, s)) {
		BN_free(r);
		BN_free(s);
		ECDSA_SIG_free(sig);
		return NULL;
	}
	return sig;
}

void
mb_ecdsa_verify_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	const struct mb_asym_sess *sess = mb_asym_sess_of(op);
	struct rte_crypto_ecdsa_op_param *p = &op->asym->ecdsa;
	const struct mb_ec *ec = &sess->ec;
	struct mb_asym_qp *a = qp->asym;
	uint8_t x[MB_EC_BYTES], y[MB_EC_BYTES];
	struct rte_crypto_ec_point q;
	EC_POINT *point;
	ECDSA_SIG *sig;
	bool ok;

	mb_ec_ecdsa_point(sess, op, &q);
	if (!mb_ec_number(ec, op, &q.x, x) || !mb_ec_number(ec, op, &q.y, y))
		return;
	/* numbers longer than the order are no signature, and not worth reading */
	if (!mb_param_ok(&p->r, ec->bytes) || !mb_param_ok(&p->s, ec->bytes)) {
		mb_set(op, RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
		return;
	}
	point = EC_POINT_new(a->groups[ec->curve]);
	if (point == NULL || !mb_ec_on_curve(qp, ec, x, y, point) ||
	    EC_KEY_set_public_key(a->keys[ec->curve], point) != 1) {
		EC_POINT_free(point);
		end(op, false, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		return;
	}
	EC_POINT_free(point);
	sig = sig_from(p);
	ok = sig != NULL &&
	     ECDSA_do_verify(p->message.data, (int)p->message.length, sig, a->keys[ec->curve]) == 1;
	ECDSA_SIG_free(sig);
	end(op, ok, RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
}

/* scalar times point, or times the generator when there is none. y may be NULL. */
static bool
multiply(struct mb_asym_qp *a, const struct mb_ec *ec, const uint8_t *scalar, const EC_POINT *point,
	 rte_crypto_param *x, rte_crypto_param *y)
{
	const EC_GROUP *group = a->groups[ec->curve];
	EC_POINT *r = EC_POINT_new(group);
	BIGNUM *k, *bx, *by;
	bool ok;

	BN_CTX_start(a->bn);
	k = BN_CTX_get(a->bn);
	bx = BN_CTX_get(a->bn);
	by = BN_CTX_get(a->bn);
	ok = r != NULL && by != NULL && scalar_take(a, ec, scalar, k);
	if (ok && point == NULL)
		ok = EC_POINT_mul(group, r, k, NULL, NULL, a->bn) == 1;
	else if (ok)
		ok = EC_POINT_mul(group, r, NULL, point, k, a->bn) == 1;
	/* fails for the point at infinity */
	ok = ok && EC_POINT_get_affine_coordinates(group, r, bx, by, a->bn) == 1 &&
	     give(bx, x, ec->bytes) && (y == NULL || give(by, y, ec->bytes));
	if (by != NULL) {
		BN_clear(k);
		BN_clear(bx);
		BN_clear(by);
	}
	BN_CTX_end(a->bn);
	EC_POINT_clear_free(r);
	return ok;
}

static void
point_op(struct mb_qp *qp, struct rte_crypto_op *op, const rte_crypto_param *scalar,
	 const struct rte_crypto_ec_point *from, struct rte_crypto_ec_point *to)
{
	const struct mb_ec *ec = &mb_asym_sess_of(op)->ec;
	uint8_t k[MB_EC_BYTES], x[MB_EC_BYTES], y[MB_EC_BYTES];
	struct mb_asym_qp *a = qp->asym;
	EC_POINT *point;
	bool ok;

	if (!mb_ec_number(ec, op, &from->x, x) || !mb_ec_number(ec, op, &from->y, y) ||
	    !mb_ec_number(ec, op, scalar, k))
		return;
	point = EC_POINT_new(a->groups[ec->curve]);
	ok = point != NULL && mb_ec_on_curve(qp, ec, x, y, point) &&
	     multiply(a, ec, k, point, &to->x, to->y.data != NULL ? &to->y : NULL);
	OPENSSL_cleanse(k, sizeof(k));
	EC_POINT_free(point);
	end(op, ok, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
}

void
mb_ecdh_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	const struct mb_asym_sess *sess = mb_asym_sess_of(op);
	struct rte_crypto_ec_point from;
	rte_crypto_param key;

	mb_ec_ecdh_key(sess, op, &key);
	mb_ec_ecdh_point(sess, op, &from);
	point_op(qp, op, &key, &from, &op->asym->ecdh.shared_secret);
}

void
mb_ec_point_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	struct rte_crypto_ecpm_op_param *p = &op->asym->ecpm;

	if (mb_asym_sess_of(op)->type == RTE_CRYPTO_ASYM_XFORM_ECDH)
		mb_ecdh_one(qp, op);
	else
		point_op(qp, op, &p->scalar, &p->p, &p->r);
}

void
mb_ec_public_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	const struct mb_asym_sess *sess = mb_asym_sess_of(op);
	struct rte_crypto_ec_point *to;
	uint8_t k[MB_EC_BYTES];
	rte_crypto_param key;
	bool ok;

	to = mb_ec_public_of(sess, op, &key);
	if (!mb_ec_number(&sess->ec, op, &key, k))
		return;
	ok = multiply(qp->asym, &sess->ec, k, NULL, &to->x, &to->y);
	OPENSSL_cleanse(k, sizeof(k));
	end(op, ok, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
}

static bool
scalar_make(struct mb_asym_qp *a, const struct mb_ec *ec, rte_crypto_param *out)
{
	BIGNUM *k = BN_secure_new();
	bool ok = k != NULL;

	if (ec->is_x25519) {
		BN_clear_free(k);
		ok = RAND_priv_bytes(out->data, (int)ec->bytes) == 1;
		out->length = ec->bytes;
		return ok;
	}
	do {
		ok = ok && BN_priv_rand_range(k, EC_GROUP_get0_order(a->groups[ec->curve])) == 1;
	} while (ok && BN_is_zero(k));
	ok = ok && give(k, out, ec->bytes);
	BN_clear_free(k);
	return ok;
}

void
mb_ec_check_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	const struct mb_ec *ec = &mb_asym_sess_of(op)->ec;
	struct rte_crypto_ecdh_op_param *p = &op->asym->ecdh;
	uint8_t x[MB_EC_BYTES], y[MB_EC_BYTES];
	EC_POINT *point;
	bool ok;

	if (p->ke_type == RTE_CRYPTO_ASYM_KE_PRIV_KEY_GENERATE) {
		end(op, scalar_make(qp->asym, ec, &p->priv_key), RTE_CRYPTO_OP_STATUS_ERROR);
		return;
	}
	if (!mb_ec_number(ec, op, &p->pub_key.x, x))
		return;
	if (ec->is_x25519) { /* RFC 7748 5: each string of 32 bytes is one */
		end(op, p->pub_key.x.length == ec->bytes, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		return;
	}
	if (!mb_ec_number(ec, op, &p->pub_key.y, y))
		return;
	point = EC_POINT_new(qp->asym->groups[ec->curve]);
	ok = point != NULL && mb_ec_on_curve(qp, ec, x, y, point);
	EC_POINT_free(point);
	end(op, ok, RTE_CRYPTO_OP_STATUS_ERROR);
}
