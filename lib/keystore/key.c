/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_keystore.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/rand.h>

#include "keystore_priv.h"

/*
 * Slots and handles. A handle is a generation (high half) and a slot's number plus one (low half).
 * Each slot begins at a random generation and goes one up when its key is deleted, so a handle of a
 * deleted key, of another keystore or out of thin air finds nothing. A slot whose generations are
 * used up is never filled again.
 */

static plx_key_handle
handle_make(uint32_t slot, uint32_t generation)
{
	return (uint64_t)generation << 32 | (slot + 1);
}

static uint32_t
name_bucket(const char *container, const char *name)
{
	uint32_t hash = 2166136261u; /* FNV-1a */

	for (; *container != '\0'; container++)
		hash = (hash ^ (uint8_t)*container) * 16777619u;
	hash = (hash ^ '/') * 16777619u;
	for (; *name != '\0'; name++)
		hash = (hash ^ (uint8_t)*name) * 16777619u;
	return hash % KEY_NAME_BUCKETS;
}

static struct key *
key_by_name(struct plx_keystore *ks, const struct container *c, const char *name)
{
	struct key *key;

	LIST_FOREACH(key, &ks->by_name[name_bucket(c->name, name)], by_name) {
		if (key->container == c && strcmp(key->name, name) == 0)
			return key;
	}
	return NULL;
}

/* May a key of this name come into this container? Asked before a file is read or a key is made. */
int
keystore_key_place(struct plx_keystore *ks, const char *container, const char *name,
		   struct container **out, struct plx_err *err)
{
	struct container *c = keystore_container_get(ks, container, err);

	if (c == NULL)
		return -ENOENT;
	if (!keystore_name_ok(name))
		return plx_err_set(err, -EINVAL, KEYSTORE_NAME_RULE, "key",
				   name == NULL ? "" : name, PLX_KEY_NAME_MAX - 1);
	if (key_by_name(ks, c, name) != NULL)
		return plx_err_set(
			err, -EEXIST,
			"container %s has a key %s already; delete it or take another name",
			c->name, name);
	if (c->nb_keys >= c->policy.max_keys)
		return plx_err_set(err, -ENOSPC,
				   "container %s: rule max_keys: it holds %u keys, %u is the most",
				   c->name, c->nb_keys, c->policy.max_keys);
	*out = c;
	return 0;
}

static int
slot_find(struct plx_keystore *ks, uint32_t *out)
{
	uint32_t nb = ks->nb_slots == 0 ? 16 : ks->nb_slots * 2;
	struct key_slot *grown;
	uint32_t i;

	for (i = ks->free_hint; i < ks->nb_slots; i++) {
		if (ks->slots[i].key == NULL &&
		    ks->slots[i].generation != ks->slots[i].last_generation) {
			*out = i;
			ks->free_hint = i + 1;
			return 0;
		}
	}

	grown = realloc(ks->slots, nb * sizeof(*grown));
	if (grown == NULL)
		return -ENOMEM;
	ks->slots = grown;
	for (i = ks->nb_slots; i < nb; i++) {
		grown[i].key = NULL;
		if (RAND_bytes((unsigned char *)&grown[i].generation,
			       sizeof(grown[i].generation)) != 1)
			return -ENOMEM;
		grown[i].last_generation = grown[i].generation - 1;
	}
	*out = ks->nb_slots;
	ks->free_hint = ks->nb_slots + 1;
	ks->nb_slots = nb;
	return 0;
}

/* Owns the key on success only. */
int
keystore_key_insert(struct plx_keystore *ks, struct container *c, const char *name, struct key *key,
		    plx_key_handle *handle, struct plx_err *err)
{
	uint32_t slot;
	int ret;

	ret = keystore_container_admits(c, key, err);
	if (ret < 0)
		return ret;
	ret = slot_find(ks, &slot);
	if (ret < 0)
		return plx_err_set(err, ret, "no memory for one key more");

	snprintf(key->name, sizeof(key->name), "%s", name);
	key->container = c;
	key->handle = handle_make(slot, ks->slots[slot].generation);
	ks->slots[slot].key = key;
	LIST_INSERT_HEAD(&ks->by_name[name_bucket(c->name, name)], key, by_name);
	c->nb_keys++;
	if (handle != NULL)
		*handle = key->handle;
	return 0;
}

/* NULL with a sentence: the caller returns -ESTALE. */
struct key *
keystore_key_by_handle(struct plx_keystore *ks, plx_key_handle handle, struct plx_err *err)
{
	uint64_t slot = (handle & UINT32_MAX) - 1; /* 0 becomes far too large */

	if (slot < ks->nb_slots && ks->slots[slot].key != NULL &&
	    ks->slots[slot].key->handle == handle)
		return ks->slots[slot].key;
	plx_err_set(err, -ESTALE,
		    "key handle 0x%016llx names no key; find the key by its name again",
		    (unsigned long long)handle);
	return NULL;
}

void
keystore_key_remove(struct plx_keystore *ks, struct key *key)
{
	uint32_t slot = (uint32_t)(key->handle & UINT32_MAX) - 1;

	keystore_sessions_orphan(ks, key);
	ks->slots[slot].key = NULL;
	ks->slots[slot].generation++;
	if (slot < ks->free_hint)
		ks->free_hint = slot;
	LIST_REMOVE(key, by_name);
	key->container->nb_keys--;
	keystore_key_free(key);
}

/* NULL with a sentence: the caller returns -ENOENT. */
static struct key *
key_get(struct plx_keystore *ks, const char *container, const char *name, struct plx_err *err)
{
	struct container *c = keystore_container_get(ks, container, err);
	struct key *key;

	if (c == NULL)
		return NULL;
	key = name == NULL ? NULL : key_by_name(ks, c, name);
	if (key == NULL)
		plx_err_set(err, -ENOENT,
			    "container %s has no key \"%.64s\"; list the keys there are", c->name,
			    name == NULL ? "" : name);
	return key;
}

int
plx_key_find(struct plx_keystore *ks, const char *container, const char *name,
	     plx_key_handle *handle, struct plx_err *err)
{
	const struct key *key = key_get(ks, container, name, err);

	if (key == NULL)
		return -ENOENT;
	*handle = key->handle;
	return 0;
}

int
plx_key_delete(struct plx_keystore *ks, const char *container, const char *name,
	       struct plx_err *err)
{
	struct key *key = key_get(ks, container, name, err);

	if (key == NULL)
		return -ENOENT;
	keystore_key_remove(ks, key);
	return 0;
}

static void
key_tell(const struct key *key, struct plx_key_info *info)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	memset(info, 0, sizeof(*info));
	info->handle = key->handle;
	snprintf(info->container, sizeof(info->container), "%s", key->container->name);
	snprintf(info->name, sizeof(info->name), "%s", key->name);
	keystore_bind_name(&key->bind, info->alg, sizeof(info->alg));
	info->bits = key->bind.bits;
	info->is_private = key->is_private;
	info->was_exposed = key->was_exposed;
	info->nb_uses = key->nb_uses;
	for (i = 0; i < KEY_FINGER_BYTES; i++) {
		info->fingerprint[2 * i] = digits[key->finger[i] >> 4];
		info->fingerprint[2 * i + 1] = digits[key->finger[i] & 15];
	}
}

int
plx_key_describe(struct plx_keystore *ks, plx_key_handle handle, struct plx_key_info *info,
		 struct plx_err *err)
{
	const struct key *key = keystore_key_by_handle(ks, handle, err);

	if (key == NULL)
		return -ESTALE;
	key_tell(key, info);
	return 0;
}

bool
plx_key_next(struct plx_keystore *ks, uint32_t *pos, struct plx_key_info *info)
{
	while (*pos < ks->nb_slots) {
		const struct key *key = ks->slots[(*pos)++].key;

		if (key != NULL) {
			key_tell(key, info);
			return true;
		}
	}
	return false;
}
