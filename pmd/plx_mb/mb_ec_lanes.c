/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <string.h>

#include <openssl/crypto.h>
#include <openssl/err.h>

/*
 * Up to eight ops on one curve in one call. What a lane cannot take (a digest longer than the
 * order, a point that is not on the curve, a key out of range) is left to the single op, which
 * gives the right answer or the right error; so is a lane the library was not content with.
 */

enum word_of {
	WORD_KEY = 0,
	WORD_NONCE,
	WORD_X,
	WORD_Y,
};

struct lanes {
	const uint64_t *words[4][MB_LANES];
	const uint8_t *bytes_in[3][MB_LANES];
	uint8_t *bytes_out[2][MB_LANES];
};

static size_t
nb_words(const struct mb_ec *ec)
{
	return (ec->bytes + 7) / 8;
}

static void
word_put(struct mb_asym_qp *a, struct lanes *l, const struct mb_ec *ec, unsigned int lane,
	 enum word_of which, const uint8_t *bytes)
{
	mb_words_from_bytes(a->words[lane][which], nb_words(ec), bytes, ec->bytes);
	l->words[which][lane] = a->words[lane][which];
}

/* Uniform over 1 to the order less 1, from the DRBG for private values; SP 800-90A, and FIPS 186-5
 * A.3.2 (rejection). */
bool
mb_ec_nonce_make(struct mb_asym_qp *a, const struct mb_ec *ec, uint8_t *bytes)
{
	const BIGNUM *order = EC_GROUP_get0_order(a->groups[ec->curve]);
	bool ok = false;
	BIGNUM *k;

	BN_CTX_start(a->bn);
	k = BN_CTX_get(a->bn);
	if (k != NULL) {
		BN_set_flags(k, BN_FLG_CONSTTIME);
		do {
			ok = BN_priv_rand_range_ex(k, order, 0, a->bn) == 1;
		} while (ok && BN_is_zero(k));
		ok = ok && BN_bn2binpad(k, bytes, (int)ec->bytes) >= 0;
		BN_clear(k);
	}
	BN_CTX_end(a->bn);
	return ok;
}

static void
lanes_wipe(struct mb_asym_qp *a)
{
	OPENSSL_cleanse(a->words, sizeof(a->words));
	mb_results_wipe(a, 2 * (size_t)MB_EC_BYTES);
}

/* FIPS 186-5 6.4.1: the digest as a number of the order's length. */
static bool
digest_put(const struct mb_ec *ec, const rte_crypto_param *message, uint8_t *to)
{
	size_t most = ec->curve == MB_P521 ? ec->bytes - 1 : ec->bytes;

	if (message->length > most)
		return false;
	memset(to, 0, ec->bytes - message->length);
	memcpy(to + ec->bytes - message->length, message->data, message->length);
	return true;
}

static bool
sign_lane(struct mb_asym_qp *a, struct lanes *l, const struct mb_asym_sess *sess,
	  struct rte_crypto_op *op, unsigned int lane)
{
	const struct mb_ec *ec = &sess->ec;
	uint8_t key[MB_EC_BYTES], nonce[MB_EC_BYTES];
	rte_crypto_param pkey;
	bool ok;

	mb_ec_ecdsa_key(sess, op, &pkey);
	ok = mb_ec_number(ec, op, &pkey, key) && mb_ec_is_scalar(a, ec, key) &&
	     digest_put(ec, &op->asym->ecdsa.message, a->in[lane]) &&
	     mb_ec_nonce_make(a, ec, nonce);
	if (ok) {
		word_put(a, l, ec, lane, WORD_KEY, key);
		word_put(a, l, ec, lane, WORD_NONCE, nonce);
		l->bytes_in[0][lane] = a->in[lane];
		l->bytes_out[0][lane] = a->out[lane];
		l->bytes_out[1][lane] = a->out[lane] + MB_EC_BYTES;
	}
	OPENSSL_cleanse(key, sizeof(key));
	OPENSSL_cleanse(nonce, sizeof(nonce));
	return ok;
}

void
mb_ecdsa_sign_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
		    enum mb_kind kind)
{
	enum mb_curve curve = (enum mb_curve)(kind - MB_ECDSA_SIGN);
	struct mb_asym_qp *a = qp->asym;
	struct lanes l = { 0 };
	bool ready[MB_LANES];
	uint32_t status;
	unsigned int i;

	for (i = 0; i < nb; i++)
		ready[i] = (!qp->dev->takes_nonces || ops[i]->asym->ecdsa.k.length == 0) &&
			   sign_lane(a, &l, mb_asym_sess_of(ops[i]), ops[i], i);
	status = qp->dev->calls->curves[curve].sign(l.bytes_out[0], l.bytes_out[1], l.bytes_in[0],
						    l.words[WORD_NONCE], l.words[WORD_KEY],
						    a->scratch);
	for (i = 0; i < nb; i++) {
		struct rte_crypto_ecdsa_op_param *p = &ops[i]->asym->ecdsa;
		const struct mb_ec *ec = &mb_asym_sess_of(ops[i])->ec;

		if (!ready[i] || !mb_lane_is_right(status, i)) {
			mb_ecdsa_sign_one(qp, ops[i]);
			continue;
		}
		memcpy(p->r.data, l.bytes_out[0][i], ec->bytes);
		memcpy(p->s.data, l.bytes_out[1][i], ec->bytes);
		p->r.length = p->s.length = ec->bytes;
		mb_set(ops[i], RTE_CRYPTO_OP_STATUS_SUCCESS);
	}
	lanes_wipe(a);
}

/* Puts the point of an op into x and y of the lane. */
static bool
point_lane(struct mb_qp *qp, struct lanes *l, const struct mb_ec *ec, struct rte_crypto_op *op,
	   const struct rte_crypto_ec_point *q, unsigned int lane)
{
	uint8_t x[MB_EC_BYTES], y[MB_EC_BYTES];
	struct mb_asym_qp *a = qp->asym;
	EC_POINT *point;
	bool ok;

	if (!mb_ec_number(ec, op, &q->x, x) || !mb_ec_number(ec, op, &q->y, y))
		return false;
	point = EC_POINT_new(a->groups[ec->curve]);
	ok = point != NULL && mb_ec_on_curve(qp, ec, x, y, point);
	EC_POINT_free(point);
	if (!ok)
		return false;
	word_put(a, l, ec, lane, WORD_X, x);
	word_put(a, l, ec, lane, WORD_Y, y);
	return true;
}

static bool
verify_lane(struct mb_qp *qp, struct lanes *l, const struct mb_asym_sess *sess,
	    struct rte_crypto_op *op, unsigned int lane)
{
	const struct rte_crypto_ecdsa_op_param *p = &op->asym->ecdsa;
	const struct mb_ec *ec = &sess->ec;
	struct mb_asym_qp *a = qp->asym;
	struct rte_crypto_ec_point q;
	uint8_t *r = a->out[lane], *s = a->out[lane] + MB_EC_BYTES;

	mb_ec_ecdsa_point(sess, op, &q);
	if (!mb_param_ok(&p->r, ec->bytes) || !mb_param_ok(&p->s, ec->bytes) ||
	    !mb_param_put(&p->r, r, ec->bytes) || !mb_param_put(&p->s, s, ec->bytes) ||
	    !mb_ec_is_scalar(a, ec, r) || !mb_ec_is_scalar(a, ec, s) ||
	    !digest_put(ec, &p->message, a->in[lane]) || !point_lane(qp, l, ec, op, &q, lane))
		return false;
	l->bytes_in[0][lane] = r;
	l->bytes_in[1][lane] = s;
	l->bytes_in[2][lane] = a->in[lane];
	return true;
}

void
mb_ecdsa_verify_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
		      enum mb_kind kind)
{
	enum mb_curve curve = (enum mb_curve)(kind - MB_ECDSA_VERIFY);
	struct lanes l = { 0 };
	bool ready[MB_LANES];
	uint32_t status;
	unsigned int i;

	for (i = 0; i < nb; i++)
		ready[i] = verify_lane(qp, &l, mb_asym_sess_of(ops[i]), ops[i], i);
	status = qp->dev->calls->curves[curve].verify(l.bytes_in[0], l.bytes_in[1], l.bytes_in[2],
						      l.words[WORD_X], l.words[WORD_Y], NULL,
						      qp->asym->scratch);
	for (i = 0; i < nb; i++) {
		/* that a signature is wrong is said by the single op alone */
		if (ready[i] && mb_lane_is_right(status, i))
			mb_set(ops[i], RTE_CRYPTO_OP_STATUS_SUCCESS);
		else
			mb_ecdsa_verify_one(qp, ops[i]);
	}
}

static bool
scalar_lane(struct mb_asym_qp *a, struct lanes *l, const struct mb_asym_sess *sess,
	    struct rte_crypto_op *op, const rte_crypto_param *scalar, unsigned int lane)
{
	uint8_t bytes[MB_EC_BYTES];
	bool ok;

	ok = mb_ec_number(&sess->ec, op, scalar, bytes) && mb_ec_is_scalar(a, &sess->ec, bytes);
	if (ok)
		word_put(a, l, &sess->ec, lane, WORD_KEY, bytes);
	OPENSSL_cleanse(bytes, sizeof(bytes));
	return ok;
}

void
mb_ecdh_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb, enum mb_kind kind)
{
	enum mb_curve curve = (enum mb_curve)(kind - MB_ECDH);
	struct mb_asym_qp *a = qp->asym;
	struct lanes l = { 0 };
	bool ready[MB_LANES];
	uint32_t status;
	unsigned int i;

	for (i = 0; i < nb; i++) {
		const struct mb_asym_sess *sess = mb_asym_sess_of(ops[i]);
		struct rte_crypto_ec_point from;
		rte_crypto_param key;

		mb_ec_ecdh_key(sess, ops[i], &key);
		mb_ec_ecdh_point(sess, ops[i], &from);
		ready[i] = point_lane(qp, &l, &sess->ec, ops[i], &from, i) &&
			   scalar_lane(a, &l, sess, ops[i], &key, i);
		if (!ready[i]) {
			l.words[WORD_X][i] = l.words[WORD_Y][i] = NULL;
			continue;
		}
		l.bytes_out[0][i] = a->out[i];
	}
	status = qp->dev->calls->curves[curve].ecdh(l.bytes_out[0], l.words[WORD_KEY],
						    l.words[WORD_X], l.words[WORD_Y], NULL,
						    a->scratch);
	for (i = 0; i < nb; i++) {
		rte_crypto_param *x = &ops[i]->asym->ecdh.shared_secret.x;

		if (!ready[i] || !mb_lane_is_right(status, i)) {
			mb_ecdh_one(qp, ops[i]);
			continue;
		}
		x->length = mb_asym_sess_of(ops[i])->ec.bytes;
		memcpy(x->data, a->out[i], x->length);
		mb_set(ops[i], RTE_CRYPTO_OP_STATUS_SUCCESS);
	}
	lanes_wipe(a);
}

static void
bytes_from_words(uint8_t *bytes, size_t len, const uint64_t *words)
{
	for (size_t i = 0; i < len; i++)
		bytes[len - 1 - i] = (uint8_t)(words[i / 8] >> (i % 8 * 8));
}

void
mb_ec_public_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb, enum mb_kind kind)
{
	enum mb_curve curve = (enum mb_curve)(kind - MB_EC_PUBLIC);
	uint64_t *x[MB_LANES] = { NULL }, *y[MB_LANES] = { NULL };
	struct rte_crypto_ec_point *to[MB_LANES];
	struct mb_asym_qp *a = qp->asym;
	struct lanes l = { 0 };
	bool ready[MB_LANES];
	uint32_t status;
	unsigned int i;

	for (i = 0; i < nb; i++) {
		const struct mb_asym_sess *sess = mb_asym_sess_of(ops[i]);
		rte_crypto_param key;

		to[i] = mb_ec_public_of(sess, ops[i], &key);
		ready[i] = scalar_lane(a, &l, sess, ops[i], &key, i);
		if (!ready[i])
			continue;
		x[i] = a->words[i][WORD_X];
		y[i] = a->words[i][WORD_Y];
	}
	status =
		qp->dev->calls->curves[curve].public_key(x, y, NULL, l.words[WORD_KEY], a->scratch);
	for (i = 0; i < nb; i++) {
		if (!ready[i] || !mb_lane_is_right(status, i)) {
			mb_ec_public_one(qp, ops[i]);
			continue;
		}
		to[i]->x.length = to[i]->y.length = mb_asym_sess_of(ops[i])->ec.bytes;
		bytes_from_words(to[i]->x.data, to[i]->x.length, x[i]);
		bytes_from_words(to[i]->y.data, to[i]->y.length, y[i]);
		mb_set(ops[i], RTE_CRYPTO_OP_STATUS_SUCCESS);
	}
	lanes_wipe(a);
}
