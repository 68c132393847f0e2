/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <errno.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/err.h>

#include "plx_ct.h"
#include "plx_mb.h"

/*
 * Elliptic curves: sessions, where an op has its numbers, and its kind. Keys are in each op up to
 * DPDK 22.11 and in the session from 23.11 on; nobody else in the driver knows. A point that came
 * in an op is checked to be on the curve before anything secret meets it (NIST SP 800-56A 5.6.2.3;
 * the cofactor of these curves is 1).
 */

static const struct {
	int id;
	enum mb_curve curve;
	uint32_t bytes;
} curves[] = {
	{ RTE_CRYPTO_EC_GROUP_SECP256R1, MB_P256, 32 },
	{ RTE_CRYPTO_EC_GROUP_SECP384R1, MB_P384, 48 },
	{ RTE_CRYPTO_EC_GROUP_SECP521R1, MB_P521, 66 },
};

#if PLX_PMD_EC_KEY_IN_SESSION
static int
keep(const rte_crypto_param *p, uint8_t *to, uint32_t *nb)
{
	*nb = 0;
	if (p->data == NULL || p->length == 0)
		return 0;
	if (p->length > MB_EC_BYTES)
		return -EINVAL;
	memcpy(to, p->data, p->length);
	*nb = (uint32_t)p->length;
	return 0;
}

/* The same, but that a number of impossible length is none. */
static int
keep_sane(const rte_crypto_param *p, uint8_t *to, uint32_t *nb)
{
	return p->length > MB_EC_BYTES ? 0 : keep(p, to, nb);
}

/* Only what this kind of session has: programs leave the rest of a transform as they found it. */
static int
keys_keep(enum rte_crypto_asym_xform_type type, const struct rte_crypto_ec_xform *xform,
	  struct mb_ec *ec)
{
	if (type == RTE_CRYPTO_ASYM_XFORM_ECPM || type == RTE_CRYPTO_ASYM_XFORM_ECFPM)
		return 0;
	/* a session that only makes or checks keys has none of them, and says so in no way that
	 * counts */
	if (type == RTE_CRYPTO_ASYM_XFORM_ECDH)
		return keep_sane(&xform->pkey, ec->key, &ec->key_bytes) |
		       keep_sane(&xform->q.x, ec->x, &ec->x_bytes) |
		       keep_sane(&xform->q.y, ec->y, &ec->y_bytes);
	if (keep(&xform->pkey, ec->key, &ec->key_bytes) < 0 ||
	    keep(&xform->q.x, ec->x, &ec->x_bytes) < 0)
		return -EINVAL;
#if PLX_PMD_HAS_EDDSA
	if (type == RTE_CRYPTO_ASYM_XFORM_EDDSA)
		return 0; /* its public key is one string */
#endif
	return keep(&xform->q.y, ec->y, &ec->y_bytes);
}
#endif

int
mb_ec_configure(enum rte_crypto_asym_xform_type type, const struct rte_crypto_ec_xform *xform,
		struct mb_ec *ec)
{
	int id = (int)xform->curve_id;
	size_t i;

	ec->curve = MB_NB_GROUPS;
#if PLX_PMD_EC_KEY_IN_SESSION
	if (keys_keep(type, xform, ec) < 0)
		return -EINVAL;
#endif
#if PLX_PMD_HAS_EDDSA
	if (type == RTE_CRYPTO_ASYM_XFORM_EDDSA)
		return mb_eddsa_configure(id, ec);
#endif
#if PLX_PMD_HAS_SM2
	if (type == RTE_CRYPTO_ASYM_XFORM_SM2)
		return mb_sm2_configure(id, ec);
#endif
	if (id == PLX_MB_CURVE_X25519 && type != RTE_CRYPTO_ASYM_XFORM_ECDSA) {
		ec->is_x25519 = true;
		ec->bytes = 32;
		return 0;
	}
	for (i = 0; i < RTE_DIM(curves); i++) {
		if (curves[i].id != id)
			continue;
		ec->curve = curves[i].curve;
		ec->bytes = curves[i].bytes;
		return 0;
	}
	return -ENOTSUP;
}

bool
mb_ec_number(const struct mb_ec *ec, struct rte_crypto_op *op, const rte_crypto_param *p,
	     uint8_t *to)
{
	if (mb_param_ok(p, MB_MOD_BYTES) && mb_param_put(p, to, ec->bytes))
		return true;
	op->status = RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	return false;
}

/* bytes - order borrows, and bytes are not all 0. */
bool
mb_ec_is_scalar(const struct mb_asym_qp *a, const struct mb_ec *ec, const uint8_t *bytes)
{
	const uint8_t *order = a->orders[ec->curve];
	uint32_t borrow = 0, any = 0, i;
	bool ok;

	for (i = ec->bytes; i-- > 0;) {
		borrow = ((uint32_t)bytes[i] - order[i] - borrow) >> 31;
		any |= bytes[i];
	}
	ok = (borrow & ((0u - any) >> 31)) != 0;
	plx_ct_public(&ok, sizeof(ok));
	return ok;
}

#if PLX_PMD_EC_KEY_IN_SESSION

/* The numbers are only read; the structures of ops have no const. */
static rte_crypto_param
kept(const uint8_t *bytes, uint32_t nb)
{
	rte_crypto_param p = { .length = nb };

	memcpy(&p.data, &bytes, sizeof(p.data));
	return p;
}

void
mb_ec_ecdsa_key(const struct mb_asym_sess *sess, const struct rte_crypto_op *op,
		rte_crypto_param *key)
{
	(void)op;
	*key = kept(sess->ec.key, sess->ec.key_bytes);
}

void
mb_ec_ecdsa_point(const struct mb_asym_sess *sess, const struct rte_crypto_op *op,
		  struct rte_crypto_ec_point *q)
{
	(void)op;
	q->x = kept(sess->ec.x, sess->ec.x_bytes);
	q->y = kept(sess->ec.y, sess->ec.y_bytes);
}

#else

void
mb_ec_ecdsa_key(const struct mb_asym_sess *sess, const struct rte_crypto_op *op,
		rte_crypto_param *key)
{
	(void)sess;
	*key = op->asym->ecdsa.pkey;
}

void
mb_ec_ecdsa_point(const struct mb_asym_sess *sess, const struct rte_crypto_op *op,
		  struct rte_crypto_ec_point *q)
{
	(void)sess;
	*q = op->asym->ecdsa.q;
}

#endif

/* The session's, where DPDK has keys in sessions; else the op's. */
void
mb_ec_ecdh_key(const struct mb_asym_sess *sess, const struct rte_crypto_op *op,
	       rte_crypto_param *key)
{
	*key = op->asym->ecdh.priv_key;
#if PLX_PMD_EC_KEY_IN_SESSION
	if (sess->ec.key_bytes > 0)
		*key = kept(sess->ec.key, sess->ec.key_bytes);
#else
	(void)sess;
#endif
}

/* The other side's point: the session's, where DPDK has it there; else the op's. */
void
mb_ec_ecdh_point(const struct mb_asym_sess *sess, const struct rte_crypto_op *op,
		 struct rte_crypto_ec_point *q)
{
	*q = op->asym->ecdh.pub_key;
#if PLX_PMD_EC_KEY_IN_SESSION
	if (sess->ec.x_bytes > 0) {
		q->x = kept(sess->ec.x, sess->ec.x_bytes);
		q->y = kept(sess->ec.y, sess->ec.y_bytes);
	}
#else
	(void)sess;
#endif
}

struct rte_crypto_ec_point *
mb_ec_public_of(const struct mb_asym_sess *sess, struct rte_crypto_op *op, rte_crypto_param *scalar)
{
	if (sess->type == RTE_CRYPTO_ASYM_XFORM_ECFPM) {
		*scalar = op->asym->ecpm.scalar;
		return &op->asym->ecpm.r;
	}
	mb_ec_ecdh_key(sess, op, scalar);
	return &op->asym->ecdh.pub_key;
}

bool
mb_ec_on_curve(struct mb_qp *qp, const struct mb_ec *ec, const uint8_t *x, const uint8_t *y,
	       EC_POINT *point)
{
	struct mb_asym_qp *a = qp->asym;
	BIGNUM *bx, *by;
	bool ok;

	BN_CTX_start(a->bn);
	bx = BN_CTX_get(a->bn);
	by = BN_CTX_get(a->bn);
	ok = by != NULL && BN_bin2bn(x, (int)ec->bytes, bx) != NULL &&
	     BN_bin2bn(y, (int)ec->bytes, by) != NULL &&
	     EC_POINT_set_affine_coordinates(a->groups[ec->curve], point, bx, by, a->bn) == 1;
	BN_CTX_end(a->bn);
	if (!ok)
		ERR_clear_error();
	return ok;
}

static enum mb_kind
refuse(struct rte_crypto_op *op)
{
	op->status = RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	return MB_NB_KINDS;
}

enum mb_kind
mb_ecdsa_kind(const struct mb_asym_sess *sess, struct rte_crypto_op *op)
{
	const struct rte_crypto_ecdsa_op_param *p = &op->asym->ecdsa;

	if (!mb_param_ok(&p->message, 512) || p->r.data == NULL || p->s.data == NULL)
		return refuse(op);
	if (p->op_type == RTE_CRYPTO_ASYM_OP_SIGN)
		return (enum mb_kind)(MB_ECDSA_SIGN + sess->ec.curve);
	if (p->op_type == RTE_CRYPTO_ASYM_OP_VERIFY)
		return (enum mb_kind)(MB_ECDSA_VERIFY + sess->ec.curve);
	return refuse(op);
}

/* Room for y as well, but on the curve that has none. */
static enum mb_kind
public_kind(const struct mb_asym_sess *sess, struct rte_crypto_op *op,
	    const struct rte_crypto_ec_point *to)
{
	if (to->x.data == NULL || (to->y.data == NULL && !sess->ec.is_x25519))
		return refuse(op);
	return sess->ec.is_x25519 ? MB_X25519_PUBLIC
				  : (enum mb_kind)(MB_EC_PUBLIC + sess->ec.curve);
}

enum mb_kind
mb_ecdh_kind(const struct mb_asym_sess *sess, struct rte_crypto_op *op)
{
	const struct rte_crypto_ecdh_op_param *p = &op->asym->ecdh;

	switch (p->ke_type) {
	case RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE:
		return public_kind(sess, op, &p->pub_key);
	case RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE:
		if (p->shared_secret.x.data == NULL)
			return refuse(op);
		if (sess->ec.is_x25519)
			return MB_X25519;
		/* the secret is x (SEC 1 3.3.1); who wants y as well gets it more slowly */
		return p->shared_secret.y.data == NULL ? (enum mb_kind)(MB_ECDH + sess->ec.curve)
						       : MB_EC_POINT;
	case RTE_CRYPTO_ASYM_KE_PRIV_KEY_GENERATE:
		return p->priv_key.data == NULL ? refuse(op) : MB_EC_CHECK;
	case RTE_CRYPTO_ASYM_KE_PUB_KEY_VERIFY:
		return MB_EC_CHECK;
	default:
		return refuse(op);
	}
}

enum mb_kind
mb_ecpm_kind(const struct mb_asym_sess *sess, struct rte_crypto_op *op)
{
	const struct rte_crypto_ecpm_op_param *p = &op->asym->ecpm;

	if (p->r.x.data == NULL || (p->r.y.data == NULL && !sess->ec.is_x25519))
		return refuse(op);
	return sess->ec.is_x25519 ? MB_X25519 : MB_EC_POINT;
}

enum mb_kind
mb_ecfpm_kind(const struct mb_asym_sess *sess, struct rte_crypto_op *op)
{
	return public_kind(sess, op, &op->asym->ecpm.r);
}
