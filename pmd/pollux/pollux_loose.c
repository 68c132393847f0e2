/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_malloc.h>

#include "plx_secret.h"

/*
 * Symmetric operations without a session. A queue pair keeps the sessions of the transforms it has
 * seen last: equal transforms share one, the one not used for longest makes room. Making one is
 * control's work and takes its lock, without waiting for it: an op comes in later then. What the
 * program had in the session field, its transform, is remembered by the op's address until the op
 * leaves.
 *
 * A transform is compared as a string of bytes: its fields and its keys, one behind the other, in
 * secret memory and in a time that does not depend on the bytes.
 */

#define ENTRIES  32
#define TEXT_MAX 1024 /* of a chain: fields and keys */

struct entry {
	struct plx_session *sess; /* NULL: unused */
	uint8_t *text;
	size_t text_bytes;
	uint32_t nb_in; /* ops that use it */
	uint64_t used;  /* turn of the last use */
};

struct slot {
	const struct rte_crypto_op *op; /* NULL: free */
	struct rte_crypto_sym_xform *xform;
};

struct pollux_loose {
	struct plx_session nobody; /* no device has it: ops end as INVALID_SESSION */
	struct entry entries[ENTRIES];
	struct entry none; /* of nobody */
	uint64_t turn;
	uint8_t *text; /* of the op at hand */
	uint32_t mask;
	struct slot slots[]; /* open addressing, at most half full */
};

/* The fields of a transform that make a difference. */
struct fields {
	uint32_t type, algo, op;
	uint32_t key_bytes, iv_offset, iv_bytes, digest_bytes, aad_bytes, data_unit_bytes;
};

static int
fields_of(const struct rte_crypto_sym_xform *x, struct fields *f, const uint8_t **key)
{
	memset(f, 0, sizeof(*f));
	f->type = x->type;
	switch (x->type) {
	case RTE_CRYPTO_SYM_XFORM_CIPHER:
		f->algo = x->cipher.algo;
		f->op = x->cipher.op;
		f->key_bytes = x->cipher.key.length;
		f->iv_offset = x->cipher.iv.offset;
		f->iv_bytes = x->cipher.iv.length;
		f->data_unit_bytes = x->cipher.dataunit_len;
		*key = x->cipher.key.data;
		return 0;
	case RTE_CRYPTO_SYM_XFORM_AUTH:
		f->algo = x->auth.algo;
		f->op = x->auth.op;
		f->key_bytes = x->auth.key.length;
		f->iv_offset = x->auth.iv.offset;
		f->iv_bytes = x->auth.iv.length;
		f->digest_bytes = x->auth.digest_length;
		*key = x->auth.key.data;
		return 0;
	case RTE_CRYPTO_SYM_XFORM_AEAD:
		f->algo = x->aead.algo;
		f->op = x->aead.op;
		f->key_bytes = x->aead.key.length;
		f->iv_offset = x->aead.iv.offset;
		f->iv_bytes = x->aead.iv.length;
		f->digest_bytes = x->aead.digest_length;
		f->aad_bytes = x->aead.aad_length;
		*key = x->aead.key.data;
		return 0;
	case RTE_CRYPTO_SYM_XFORM_NOT_SPECIFIED:
	default:
		return -EINVAL;
	}
}

/* The chain as bytes; 0: it is none that a session could be made from. */
static size_t
text_write(const struct rte_crypto_sym_xform *x, uint8_t *text)
{
	size_t at = 0, nb = 0;

	for (; x != NULL; x = x->next) {
		const uint8_t *key = NULL;
		struct fields f;

		if (++nb > POLLUX_CHAIN_MAX || fields_of(x, &f, &key) < 0 ||
		    (f.key_bytes != 0 && key == NULL) || at + sizeof(f) + f.key_bytes > TEXT_MAX)
			return 0;
		memcpy(text + at, &f, sizeof(f));
		at += sizeof(f);
		if (f.key_bytes != 0)
			memcpy(text + at, key, f.key_bytes);
		at += f.key_bytes;
	}
	return at;
}

static uint32_t
slot_first(const struct pollux_loose *l, const struct rte_crypto_op *op)
{
	return (uint32_t)(((uintptr_t)op * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & l->mask;
}

static void
slot_put(struct pollux_loose *l, const struct rte_crypto_op *op, struct rte_crypto_sym_xform *xform)
{
	uint32_t i = slot_first(l, op);

	while (l->slots[i].op != NULL)
		i = (i + 1) & l->mask;
	l->slots[i] = (struct slot){ op, xform };
}

/* Takes the op out and moves those behind it up, so that no gap is between them and their place. */
static struct rte_crypto_sym_xform *
slot_take(struct pollux_loose *l, const struct rte_crypto_op *op)
{
	uint32_t i = slot_first(l, op), hole, home;
	struct rte_crypto_sym_xform *xform;

	while (l->slots[i].op != op) {
		if (l->slots[i].op == NULL)
			return NULL;
		i = (i + 1) & l->mask;
	}
	xform = l->slots[i].xform;
	hole = i;
	for (i = (i + 1) & l->mask; l->slots[i].op != NULL; i = (i + 1) & l->mask) {
		home = slot_first(l, l->slots[i].op);
		if (((i - home) & l->mask) < ((i - hole) & l->mask))
			continue;
		l->slots[hole] = l->slots[i];
		hole = i;
	}
	l->slots[hole].op = NULL;
	return xform;
}

static int
loose_create(struct pollux_qp *qp)
{
	uint32_t nb = rte_align32pow2(2 * qp->nb_desc);
	struct pollux_loose *l;
	void *text;

	l = rte_zmalloc_socket("pollux_loose", sizeof(*l) + nb * sizeof(l->slots[0]),
			       RTE_CACHE_LINE_SIZE, qp->socket_id);
	if (l == NULL)
		return -ENOMEM;
	if (plx_secret_alloc(TEXT_MAX, &text) < 0) {
		rte_free(l);
		return -ENOMEM;
	}
	l->text = text;
	l->mask = nb - 1;
	l->nobody.op_type = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
	l->nobody.block_bytes = 1;
	l->nobody.front = (uint8_t *)&l->none + POLLUX_FRONT_LOOSE;
	qp->loose = l;
	return 0;
}

static void
entry_drop(struct pollux_dev *dev, struct entry *e)
{
	plx_session_destroy(dev->devs, e->sess);
	plx_secret_free(e->text);
	memset(e, 0, sizeof(*e));
}

static struct entry *
entry_find(struct pollux_loose *l, size_t bytes)
{
	for (uint32_t i = 0; i < ENTRIES; i++) {
		struct entry *e = &l->entries[i];

		if (e->sess != NULL && e->text_bytes == bytes &&
		    plx_ct_equal(e->text, l->text, bytes))
			return e;
	}
	return NULL;
}

/* A free one, or the one not used for longest; NULL when ops are in all of them. */
static struct entry *
entry_room(struct pollux_dev *dev, struct pollux_loose *l)
{
	struct entry *oldest = NULL;

	for (uint32_t i = 0; i < ENTRIES; i++) {
		struct entry *e = &l->entries[i];

		if (e->sess == NULL)
			return e;
		if (e->nb_in == 0 && (oldest == NULL || e->used < oldest->used))
			oldest = e;
	}
	if (oldest != NULL)
		entry_drop(dev, oldest);
	return oldest;
}

/* Under control. 0 and an entry; -EAGAIN (no room now); what else keeps it from being made. */
static int
entry_make(struct pollux_dev *dev, struct pollux_loose *l, const struct rte_crypto_sym_xform *xform,
	   size_t bytes, struct entry **out)
{
	struct entry *e = entry_room(dev, l);
	void *text;
	int ret;

	if (e == NULL)
		return -EAGAIN;
	ret = plx_secret_alloc(bytes, &text);
	if (ret < 0)
		return ret;
	ret = plx_session_create_sym(dev->devs, xform, &e->sess, NULL);
	if (ret < 0) {
		plx_secret_free(text);
		return ret;
	}
	memcpy(text, l->text, bytes);
	e->text = text;
	e->text_bytes = bytes;
	e->sess->front = (uint8_t *)e + POLLUX_FRONT_LOOSE;
	*out = e;
	return 0;
}

static int
entry_get(struct pollux_qp *qp, const struct rte_crypto_sym_xform *xform, struct entry **out)
{
	struct rte_crypto_sym_xform chain[POLLUX_CHAIN_MAX];
	struct pollux_loose *l = qp->loose;
	size_t bytes;
	int ret;

	xform = pollux_caps_clean(qp->dev, xform, chain);
	bytes = text_write(xform, l->text);
	if (bytes == 0)
		return -EINVAL;
	*out = entry_find(l, bytes);
	if (*out != NULL)
		return 0;
	if (pthread_mutex_trylock(&qp->dev->control) != 0)
		return -EAGAIN;
	ret = entry_make(qp->dev, l, xform, bytes, out);
	pthread_mutex_unlock(&qp->dev->control);
	return ret;
}

bool
pollux_loose_enter(struct pollux_qp *qp, struct rte_crypto_op *op)
{
	struct rte_crypto_sym_xform *xform = op->sym->xform;
	struct pollux_loose *l;
	struct entry *e = NULL;
	int ret;

	if (qp->loose == NULL && loose_create(qp) < 0)
		return false;
	l = qp->loose;
	ret = entry_get(qp, xform, &e);
	if (ret == -EAGAIN)
		return false;
	if (ret < 0)
		e = &l->none;
	e->nb_in++;
	e->used = ++l->turn;
	slot_put(l, op, xform);
	op->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	op->sym->session = ret < 0 ? &l->nobody : e->sess;
	return true;
}

void
pollux_loose_leave(struct pollux_qp *qp, struct rte_crypto_op *op)
{
	const struct plx_session *s = op->sym->session;
	struct entry *e = (struct entry *)((uint8_t *)s->front - POLLUX_FRONT_LOOSE);

	e->nb_in--;
	op->sym->xform = slot_take(qp->loose, op);
	op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
}

void
pollux_loose_free(struct pollux_qp *qp)
{
	struct pollux_loose *l = qp->loose;

	if (l == NULL)
		return;
	for (uint32_t i = 0; i < ENTRIES; i++)
		if (l->entries[i].sess != NULL)
			entry_drop(qp->dev, &l->entries[i]);
	plx_secret_free(l->text);
	rte_free(l);
	qp->loose = NULL;
}
