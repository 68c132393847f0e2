/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <string.h>

#include <openssl/crypto.h>

/*
 * Up to eight SM2 signatures in one call, made or verified (GB/T 32918.2), each over a message that
 * the call hashes with SM3 after the value Z of its id and key. What a lane cannot take is left to
 * the single op, which gives the right answer or the right error; a long message is too, since the
 * others would wait for it.
 *
 * crypto_mb 2021.12.1 cannot hash messages or ids of several lengths in one call (it reads where it
 * must not): an op whose lengths are not those of the first one goes alone. It reads the ids and
 * messages of lanes that are left out as well: those get the numbers of another lane, and what
 * comes of it is not looked at.
 */

#if PLX_PMD_HAS_SM2

#define MESSAGE_BYTES_MAX 4096u

enum word_of {
	WORD_KEY = 0,
	WORD_NONCE,
	WORD_X,
	WORD_Y,
};

#define BYTES 32u

struct lanes {
	const uint64_t *words[4][MB_LANES];
	const uint8_t *id[MB_LANES], *message[MB_LANES], *r[MB_LANES], *s[MB_LANES];
	int id_bytes[MB_LANES], message_bytes[MB_LANES];
	bool is_ours[MB_LANES];
	size_t id_length, message_length; /* of all lanes; 0: there is none yet */
};

static void
word_put(struct mb_asym_qp *a, struct lanes *l, unsigned int lane, enum word_of which,
	 const uint8_t *bytes, size_t len)
{
	mb_words_from_bytes(a->words[lane][which], BYTES / 8, bytes, len);
	l->words[which][lane] = a->words[lane][which];
}

/* What signing and verifying have in common; the session's point is on the curve. */
static bool
fill(struct mb_asym_qp *a, struct lanes *l, const struct rte_crypto_op *op, unsigned int lane)
{
	const struct rte_crypto_sm2_op_param *p = &op->asym->sm2;
	const struct mb_ec *ec = &mb_asym_sess_of(op)->ec;

	if (!mb_sm2_is_sane(ec, op) || p->message.length > MESSAGE_BYTES_MAX)
		return false;
	if (l->id_length == 0) {
		l->id_length = p->id.length;
		l->message_length = p->message.length;
	}
	if (p->id.length != l->id_length || p->message.length != l->message_length)
		return false;
	l->id[lane] = p->id.data;
	l->id_bytes[lane] = (int)p->id.length;
	l->message[lane] = p->message.data;
	l->message_bytes[lane] = (int)p->message.length;
	word_put(a, l, lane, WORD_X, ec->x, ec->x_bytes);
	word_put(a, l, lane, WORD_Y, ec->y, ec->y_bytes);
	return true;
}

static bool
secrets_fill(struct mb_asym_qp *a, struct lanes *l, const struct mb_ec *ec, unsigned int lane)
{
	uint8_t key[MB_EC_BYTES] = { 0 }, nonce[MB_EC_BYTES];
	bool ok;

	ok = ec->key_bytes <= BYTES && mb_ec_nonce_make(a, ec, nonce);
	if (ok) {
		memcpy(key + BYTES - ec->key_bytes, ec->key, ec->key_bytes);
		ok = mb_ec_is_scalar(a, ec, key);
	}
	if (ok) {
		word_put(a, l, lane, WORD_KEY, key, BYTES);
		word_put(a, l, lane, WORD_NONCE, nonce, BYTES);
	}
	OPENSSL_cleanse(key, sizeof(key));
	OPENSSL_cleanse(nonce, sizeof(nonce));
	return ok;
}

/* The lanes that are left out. False: all of them are. */
static bool
lanes_complete(struct lanes *l)
{
	unsigned int from = 0, i, w;

	while (from < MB_LANES && !l->is_ours[from])
		from++;
	if (from == MB_LANES)
		return false;
	for (i = 0; i < MB_LANES; i++) {
		if (l->is_ours[i])
			continue;
		for (w = WORD_KEY; w <= WORD_Y; w++)
			l->words[w][i] = l->words[w][from];
		l->id[i] = l->id[from];
		l->id_bytes[i] = l->id_bytes[from];
		l->message[i] = l->message[from];
		l->message_bytes[i] = l->message_bytes[from];
		l->r[i] = l->r[from];
		l->s[i] = l->s[from];
	}
	return true;
}

void
mb_sm2_sign_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb, enum mb_kind kind)
{
	struct mb_asym_qp *a = qp->asym;
	uint8_t *r[MB_LANES], *s[MB_LANES];
	struct lanes l = { 0 };
	uint32_t status = 0;
	unsigned int i;

	(void)kind;
	for (i = 0; i < MB_LANES; i++) {
		r[i] = a->out[i];
		s[i] = a->out[i] + MB_EC_BYTES;
	}
	for (i = 0; i < nb; i++)
		l.is_ours[i] = fill(a, &l, ops[i], i) &&
			       secrets_fill(a, &l, &mb_asym_sess_of(ops[i])->ec, i);
	if (lanes_complete(&l))
		status = qp->dev->calls->sm2_sign(
			r, s, l.id, l.id_bytes, l.message, l.message_bytes, l.words[WORD_NONCE],
			l.words[WORD_KEY], l.words[WORD_X], l.words[WORD_Y], NULL, a->scratch);
	for (i = 0; i < nb; i++) {
		struct rte_crypto_sm2_op_param *p = &ops[i]->asym->sm2;

		if (!l.is_ours[i] || !mb_lane_is_right(status, i)) {
			mb_sm2_one(qp, ops[i]);
			continue;
		}
		memcpy(p->r.data, r[i], BYTES);
		memcpy(p->s.data, s[i], BYTES);
		p->r.length = p->s.length = BYTES;
		mb_set(ops[i], RTE_CRYPTO_OP_STATUS_SUCCESS);
	}
	OPENSSL_cleanse(a->words, sizeof(a->words));
	mb_results_wipe(a, 2 * (size_t)MB_EC_BYTES);
}

void
mb_sm2_verify_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
		    enum mb_kind kind)
{
	struct mb_asym_qp *a = qp->asym;
	struct lanes l = { 0 };
	uint32_t status = 0;
	unsigned int i;

	(void)kind;
	for (i = 0; i < nb; i++) {
		const struct rte_crypto_sm2_op_param *p = &ops[i]->asym->sm2;
		const struct mb_ec *ec = &mb_asym_sess_of(ops[i])->ec;
		uint8_t *to = a->out[i];

		l.r[i] = to;
		l.s[i] = to + MB_EC_BYTES;
		l.is_ours[i] = fill(a, &l, ops[i], i) && mb_param_put(&p->r, to, BYTES) &&
			       mb_param_put(&p->s, to + MB_EC_BYTES, BYTES) &&
			       mb_ec_is_scalar(a, ec, to) &&
			       mb_ec_is_scalar(a, ec, to + MB_EC_BYTES);
	}
	if (lanes_complete(&l))
		status = qp->dev->calls->sm2_verify(l.r, l.s, l.id, l.id_bytes, l.message,
						    l.message_bytes, l.words[WORD_X],
						    l.words[WORD_Y], NULL, a->scratch);
	for (i = 0; i < nb; i++) {
		/* that a signature is wrong is said by the single op alone */
		if (l.is_ours[i] && mb_lane_is_right(status, i))
			mb_set(ops[i], RTE_CRYPTO_OP_STATUS_SUCCESS);
		else
			mb_sm2_one(qp, ops[i]);
	}
}

#endif
