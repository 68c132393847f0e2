/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

/*
 * X25519 (RFC 7748), by ECDH and by point multiplication. All strings are 32 bytes as in the RFC,
 * no shorter: they are not numbers whose zeros could be left out. A result of zeros, which a point
 * of low order gives, is an error (6.1).
 */

#define BYTES 32u

/* What OpenSSL only reads; its structure has no const. */
static OSSL_PARAM
octets(const char *name, const uint8_t *bytes, size_t len)
{
	void *data;

	memcpy(&data, &bytes, sizeof(data));
	return OSSL_PARAM_construct_octet_string(name, data, len);
}

struct x_op {
	const rte_crypto_param *scalar, *point;
	rte_crypto_param *to;
	/* what these point to */
	rte_crypto_param key;
	struct rte_crypto_ec_point from;
};

static bool
is_string(const rte_crypto_param *p)
{
	return p->data != NULL && p->length == BYTES;
}

/* What the op says, ECDH or point multiplication. False sets the op's status. */
static bool
take(struct rte_crypto_op *op, struct x_op *x, bool is_public)
{
	const struct mb_asym_sess *sess = mb_asym_sess_of(op);
	struct rte_crypto_asym_op *asym = op->asym;

	*x = (struct x_op){ .scalar = &x->key, .point = &x->from.x };
	if (is_public) {
		x->to = &mb_ec_public_of(sess, op, &x->key)->x;
	} else if (sess->type == RTE_CRYPTO_ASYM_XFORM_ECPM) {
		x->key = asym->ecpm.scalar;
		x->from = asym->ecpm.p;
		x->to = &asym->ecpm.r.x;
	} else {
		mb_ec_ecdh_key(sess, op, &x->key);
		mb_ec_ecdh_point(sess, op, &x->from);
		x->to = &asym->ecdh.shared_secret.x;
	}
	if (is_string(x->scalar) && (is_public || is_string(x->point)))
		return true;
	mb_set(op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	return false;
}

static void
end(struct rte_crypto_op *op, const struct x_op *x, bool ok)
{
	if (ok)
		x->to->length = BYTES;
	else
		ERR_clear_error();
	mb_set(op, ok ? RTE_CRYPTO_OP_STATUS_SUCCESS : RTE_CRYPTO_OP_STATUS_ERROR);
}

/*
 * A key of the provider's. A private one is given a public half that is not its own: without one
 * OpenSSL would compute it, which costs more than the whole op, and a derivation does not look at
 * it.
 */
static void *
key_make(const struct mb_prov_exchange *prov, const uint8_t *private, const uint8_t *public)
{
	static const uint8_t nothing[BYTES] = { 9 };
	int selection = OSSL_KEYMGMT_SELECT_PUBLIC_KEY;
	OSSL_PARAM params[3], *p = params;
	void *key = prov->key_new(prov->provctx);

	if (private != NULL) {
		selection = OSSL_KEYMGMT_SELECT_KEYPAIR;
		*p++ = octets(OSSL_PKEY_PARAM_PRIV_KEY, private, BYTES);
	}
	*p++ = octets(OSSL_PKEY_PARAM_PUB_KEY, public != NULL ? public : nothing, BYTES);
	*p = OSSL_PARAM_construct_end();
	if (key != NULL && prov->key_import(key, selection, params) != 1) {
		prov->key_free(key);
		return NULL;
	}
	return key;
}

void
mb_x25519_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	const struct mb_prov_exchange *prov = &qp->asym->x25519;
	void *mine, *peer, *ctx;
	size_t len = BYTES;
	struct x_op x;
	bool ok;

	if (!take(op, &x, false))
		return;
	if (prov->derive == NULL) { /* no provider has it */
		end(op, &x, false);
		return;
	}
	mine = key_make(prov, x.scalar->data, NULL);
	peer = key_make(prov, NULL, x.point->data);
	ctx = prov->newctx(prov->provctx);
	ok = mine != NULL && peer != NULL && ctx != NULL && prov->init(ctx, mine, NULL) == 1 &&
	     prov->set_peer(ctx, peer) == 1 && prov->derive(ctx, x.to->data, &len, BYTES) == 1;
	if (ctx != NULL)
		prov->freectx(ctx);
	if (mine != NULL)
		prov->key_free(mine);
	if (peer != NULL)
		prov->key_free(peer);
	end(op, &x, ok);
}

void
mb_x25519_public_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	size_t len = BYTES;
	EVP_PKEY *mine;
	struct x_op x;
	bool ok;

	(void)qp;
	if (!take(op, &x, true))
		return;
	mine = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, x.scalar->data, BYTES);
	ok = mine != NULL && EVP_PKEY_get_raw_public_key(mine, x.to->data, &len) == 1;
	EVP_PKEY_free(mine);
	end(op, &x, ok);
}

/*
 * crypto_mb 2021.12.1 answers wrong for some points that are nearly all ones: the numbers just
 * below 2^255 - 19 and 2^254, for 12 of Wycheproof's 518 cases (seen on an emulated CPU). A point
 * with eight bytes of ff or 00 goes alone; of points that nobody made up, one in 10^10 has that.
 */
static bool
is_made_up(const uint8_t *point)
{
	unsigned int nb = 0;

	for (unsigned int i = 0; i < BYTES; i++)
		nb += point[i] == 0 || point[i] == 0xff;
	return nb >= 8;
}

static void
eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb, bool is_public)
{
	const uint8_t *scalars[MB_LANES] = { NULL }, *points[MB_LANES] = { NULL };
	uint8_t *to[MB_LANES] = { NULL };
	struct x_op x[MB_LANES];
	bool ready[MB_LANES];
	uint32_t status;
	unsigned int i;

	for (i = 0; i < nb; i++) {
		ready[i] = take(ops[i], &x[i], is_public);
		/* a lane with nothing in it fails */
		if (!ready[i] || (!is_public && is_made_up(x[i].point->data)))
			continue;
		scalars[i] = x[i].scalar->data;
		points[i] = x[i].point->data;
		to[i] = qp->asym->out[i];
	}
	status = is_public ? qp->dev->calls->x25519_public(to, scalars)
			   : qp->dev->calls->x25519(to, scalars, points);
	for (i = 0; i < nb; i++) {
		if (!ready[i])
			continue; /* has its status */
		if (!mb_lane_is_right(status, i)) {
			/* low order, or a lane that failed: the single op has the last word */
			if (is_public)
				mb_x25519_public_one(qp, ops[i]);
			else
				mb_x25519_one(qp, ops[i]);
			continue;
		}
		memcpy(x[i].to->data, to[i], BYTES);
		end(ops[i], &x[i], true);
	}
	mb_results_wipe(qp->asym, BYTES);
}

void
mb_x25519_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb, enum mb_kind kind)
{
	(void)kind;
	eight(qp, ops, nb, false);
}

void
mb_x25519_public_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
		       enum mb_kind kind)
{
	(void)kind;
	eight(qp, ops, nb, true);
}
