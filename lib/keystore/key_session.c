/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_keystore.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_crypto.h>

#include "keystore_priv.h"

/*
 * Sessions by key and shape. A session is kept after its last user went, since building one is the
 * slow part of using a key; it goes when its key goes, or when the devices have no room for a new
 * one. The session's field `front` points to our entry.
 */

#define IV_OFFSET_MIN                                                                              \
	(sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op)) /* before it is the op   \
									   */

static void
session_free(struct plx_keystore *ks, struct key_session *e)
{
	TAILQ_REMOVE(&ks->sessions, e, link);
	if (!e->is_orphan)
		LIST_REMOVE(e, by_key);
	plx_session_destroy(ks->devs, e->s);
	free(e);
}

/* The key goes: its idle sessions with it, those in use with their last user. */
void
keystore_sessions_orphan(struct plx_keystore *ks, struct key *key)
{
	struct key_session *e;

	while ((e = LIST_FIRST(&key->sessions)) != NULL) {
		LIST_REMOVE(e, by_key);
		e->key = NULL;
		e->is_orphan = true;
		if (e->nb_users == 0)
			session_free(ks, e);
	}
}

bool
keystore_sessions_busy(const struct plx_keystore *ks, const struct container *c)
{
	const struct key_session *e;

	TAILQ_FOREACH(e, &ks->sessions, link) {
		if (e->nb_users != 0 && e->key != NULL && e->key->container == c)
			return true;
	}
	return false;
}

void
keystore_sessions_destroy(struct plx_keystore *ks)
{
	struct key_session *e;

	while ((e = TAILQ_FIRST(&ks->sessions)) != NULL)
		session_free(ks, e); /* NOLINT: it takes the new head for what was freed */
}

/* Make room in the devices' pools. */
static bool
sessions_evict(struct plx_keystore *ks)
{
	struct key_session *e, *next;
	bool any = false;

	for (e = TAILQ_FIRST(&ks->sessions); e != NULL; e = next) {
		next = TAILQ_NEXT(e, link);
		if (e->nb_users == 0) {
			session_free(ks, e);
			any = true;
		}
	}
	return any;
}

static bool
shape_equal(const struct key_shape *a, const struct key_shape *b)
{
	return a->alg == b->alg && a->op == b->op && a->key_bytes == b->key_bytes &&
	       a->iv_offset == b->iv_offset && a->iv_bytes == b->iv_bytes &&
	       a->tag_bytes == b->tag_bytes && a->aad_bytes == b->aad_bytes;
}

static struct key_session *
session_find(struct plx_keystore *ks, struct key *key, const struct key_shape *shape)
{
	struct key_session *e;

	LIST_FOREACH(e, key == NULL ? &ks->keyless : &key->sessions, by_key) {
		if (shape_equal(&e->shape, shape))
			return e;
	}
	return NULL;
}

struct size_rule {
	const char *what;
	const struct plx_alg_range *range;
	uint16_t fallback; /* when the use says nothing */
};

static int
shape_size(const struct plx_alg *alg, const struct size_rule *rule, uint16_t given, uint16_t *out,
	   struct plx_err *err)
{
	uint16_t bytes = given == 0 ? rule->fallback : given;

	if (!plx_alg_range_has(rule->range, bytes))
		return plx_err_set(err, -EINVAL,
				   "%s takes no %s of %u bytes, but %u to %u in steps of %u",
				   alg->name, rule->what, bytes, rule->range->min, rule->range->max,
				   rule->range->step);
	*out = bytes;
	return 0;
}

/* Sizes of the use, with the row's defaults where it says nothing. */
static int
shape_make(const struct plx_key_use *use, uint16_t key_bytes, struct key_shape *shape,
	   struct plx_err *err)
{
	const struct plx_alg *alg = use->spec->alg;
	const struct size_rule iv = { "IV", &alg->iv, alg->iv_default_bytes };
	const struct size_rule tag = { "tag", &alg->tag, alg->tag_default_bytes };
	struct key_shape s = { .alg = alg, .op = use->op, .key_bytes = key_bytes };
	int ret;

	ret = shape_size(alg, &iv, use->iv_bytes, &s.iv_bytes, err);
	if (ret == 0)
		ret = shape_size(alg, &tag, use->tag_bytes, &s.tag_bytes, err);
	if (ret < 0)
		return ret;
	if (use->aad_bytes > alg->aad_max_bytes)
		return plx_err_set(err, -EINVAL, "%s takes no more than %u bytes of AAD, not %u",
				   alg->name, alg->aad_max_bytes, use->aad_bytes);
	s.aad_bytes = use->aad_bytes;

	if (s.iv_bytes != 0) {
		if (use->iv_offset < IV_OFFSET_MIN)
			return plx_err_set(
				err, -EINVAL,
				"the IV of %s cannot begin at byte %u, within the operation; %zu "
				"is the first after it",
				alg->name, use->iv_offset, IV_OFFSET_MIN);
		s.iv_offset = use->iv_offset;
	}
	*shape = s;
	return 0;
}

static bool
op_is_private(const struct plx_alg *alg, enum plx_op op)
{
	return alg->kind == PLX_ALG_KIND_ASYM &&
	       (op == PLX_OP_SIGN || op == PLX_OP_DECRYPT || op == PLX_OP_DERIVE);
}

/* Does the key fit the algorithm and the operation? */
static int
key_fits(const struct key *key, const struct plx_key_use *use, struct plx_err *err)
{
	const struct plx_alg_spec *spec = use->spec;
	char name[32];

	keystore_bind_name(&key->bind, name, sizeof(name));
	if (!keystore_bind_serves(&key->bind, spec->alg))
		return plx_err_set(err, -EINVAL, "key %s/%s is for %s and cannot be used with %s",
				   key->container->name, key->name, name, spec->alg->name);
	if (spec->key_bytes != 0 && plx_alg_key_bits(spec) != key->bind.bits &&
	    key->bind.curve == NULL)
		return plx_err_set(err, -EINVAL, "key %s/%s has %u bits, asked for are %u",
				   key->container->name, key->name, key->bind.bits,
				   plx_alg_key_bits(spec));
	if (!key->is_private && op_is_private(spec->alg, use->op))
		return plx_err_set(err, -EINVAL, "key %s/%s is a public key and cannot %s",
				   key->container->name, key->name, plx_op_name(use->op));
	return 0;
}

static int
use_check(const struct plx_key_use *use, struct plx_err *err)
{
	const struct plx_alg *alg = use->spec == NULL ? NULL : use->spec->alg;

	if (use->size < sizeof(*use))
		return plx_err_set(err, -EINVAL,
				   "the use of a key is %zu bytes of %zu: set its size", use->size,
				   sizeof(*use));
	if (alg == NULL)
		return plx_err_set(err, -EINVAL, "the use of a key names no algorithm");
	if ((alg->ops & (uint32_t)use->op) == 0)
		return plx_err_set(err, -EINVAL, "%s does not %s", alg->name, plx_op_name(use->op));
	if (alg->kind == PLX_ALG_KIND_RANDOM)
		return plx_err_set(err, -ENOTSUP, "random bytes need no session and no device");
	if (alg->rte_type == PLX_ALG_RTE_NONE)
		return plx_err_set(
			err, -ENOTSUP,
			"no device can %s with %s: this release of DPDK does not know it",
			plx_op_name(use->op), alg->name);
	return 0;
}

/* NULL with a sentence and the code in *ret. */
static struct key_session *
session_new(struct plx_keystore *ks, struct key *key, const struct key_shape *shape, int *ret,
	    struct plx_err *err)
{
	size_t n_bytes =
		key != NULL && key->bind.type == KEY_TYPE_RSA ? key->part[KEY_PART_N].len : 0;
	struct key_session *e;

	e = calloc(1, sizeof(*e) + n_bytes);
	if (e == NULL) {
		*ret = plx_err_set(err, -ENOMEM, "no memory for a session");
		return NULL;
	}
	*ret = keystore_session_build(ks, key, shape, &e->s, err);
	if (*ret == -ENOSPC && sessions_evict(ks))
		*ret = keystore_session_build(ks, key, shape, &e->s, err);
	if (*ret < 0) {
		free(e);
		return NULL;
	}

	e->key = key;
	e->shape = *shape;
	e->n_bytes = n_bytes;
	if (n_bytes != 0)
		memcpy(e->n, key->part[KEY_PART_N].data, n_bytes);
	e->s->front = e;
	TAILQ_INSERT_TAIL(&ks->sessions, e, link);
	LIST_INSERT_HEAD(key == NULL ? &ks->keyless : &key->sessions, e, by_key);
	return e;
}

/* Key, policy and shape of a use. */
static int
use_resolve(struct plx_keystore *ks, plx_key_handle handle, const struct plx_key_use *use,
	    struct key **key, struct key_shape *shape, struct plx_err *err)
{
	const struct plx_alg *alg;
	uint16_t key_bytes = 0;
	int ret;

	ret = use_check(use, err);
	if (ret < 0)
		return ret;
	alg = use->spec->alg;
	*key = NULL;
	if (alg->kind == PLX_ALG_KIND_HASH) {
		if (handle != PLX_KEY_HANDLE_NONE)
			return plx_err_set(err, -EINVAL, "%s has no key; give none", alg->name);
		return shape_make(use, 0, shape, err);
	}

	*key = keystore_key_by_handle(ks, handle, err);
	if (*key == NULL)
		return -ESTALE;
	ret = keystore_container_allows((*key)->container, alg, use->op, err);
	if (ret == 0)
		ret = key_fits(*key, use, err);
	if (ret < 0)
		return ret;
	if ((*key)->bind.type == KEY_TYPE_SECRET)
		key_bytes = (uint16_t)(*key)->part[KEY_PART_SECRET].len;
	else if ((*key)->bind.type == KEY_TYPE_RSA)
		key_bytes = (uint16_t)(*key)->part[KEY_PART_N].len;
	else
		key_bytes = alg->key.min;
	return shape_make(use, key_bytes, shape, err);
}

int
plx_key_session_get(struct plx_keystore *ks, plx_key_handle handle, const struct plx_key_use *use,
		    struct plx_session **out, struct plx_err *err)
{
	struct key_session *e;
	struct key_shape shape;
	struct key *key;
	int ret;

	ret = use_resolve(ks, handle, use, &key, &shape, err);
	if (ret < 0)
		return ret;

	e = session_find(ks, key, &shape);
	if (e == NULL)
		e = session_new(ks, key, &shape, &ret, err);
	if (e == NULL)
		return ret;
	e->nb_users++;
	if (key != NULL)
		key->nb_uses++;
	*out = e->s;
	return 0;
}

void
plx_key_session_put(struct plx_keystore *ks, struct plx_session *s)
{
	struct key_session *e;

	if (s == NULL)
		return;
	e = s->front;
	e->nb_users--;
	if (e->nb_users == 0 && e->is_orphan)
		session_free(ks, e);
}
