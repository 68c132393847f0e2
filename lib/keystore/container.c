/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_keystore.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <openssl/rand.h>

#include "keystore_priv.h"

/*
 * The keystore itself and its containers. A container is a name, a policy and a count; keys point
 * to their container, not the other way, since the keystore finds them by name and by slot. A
 * policy is asked twice: when a key comes in (size, algorithm) and when a session is asked for
 * (operation, algorithm).
 */

#define ALL_OPS                                                                                    \
	((uint32_t)(PLX_OP_ENCRYPT | PLX_OP_DECRYPT | PLX_OP_DIGEST | PLX_OP_MAC | PLX_OP_SIGN |   \
		    PLX_OP_VERIFY | PLX_OP_DERIVE | PLX_OP_RANDOM))

RTE_LOG_REGISTER(keystore_logtype, plx.keystore, INFO);

static bool
is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool
keystore_name_ok(const char *name)
{
	size_t len;

	if (name == NULL || !is_alnum(name[0]))
		return false;

	for (len = 1; name[len] != '\0'; len++) {
		if (!is_alnum(name[len]) && strchr("._-", name[len]) == NULL)
			return false;
		if (len >= PLX_KEY_NAME_MAX - 1)
			return false;
	}
	return true;
}

/* plx_secret_alloc() with a sentence. */
int
keystore_secret_alloc(size_t len, void **out, struct plx_err *err)
{
	struct rlimit limit = { 0 };
	int ret;

	ret = plx_secret_alloc(len, out);
	if (ret != -EPERM)
		return ret == 0 ? 0
				: plx_err_set(err, ret, "no memory for a key of %zu bytes", len);

	getrlimit(RLIMIT_MEMLOCK, &limit);
	return plx_err_set(
		err, -EPERM,
		"memory for keys cannot be locked: the process may lock %llu KiB; raise it with "
		"ulimit -l, or LimitMEMLOCK= of the service",
		(unsigned long long)limit.rlim_cur / 1024);
}

static struct container *
container_find(struct plx_keystore *ks, const char *name)
{
	uint32_t i;

	for (i = 0; i < ks->nb_containers; i++) {
		if (ks->containers[i] != NULL && strcmp(ks->containers[i]->name, name) == 0)
			return ks->containers[i];
	}
	return NULL;
}

/* NULL with a sentence: the caller returns -ENOENT. */
struct container *
keystore_container_get(struct plx_keystore *ks, const char *name, struct plx_err *err)
{
	struct container *c = name == NULL ? NULL : container_find(ks, name);

	if (c == NULL)
		plx_err_set(
			err, -ENOENT,
			"there is no container \"%.64s\"; make it first, or list those there are",
			name == NULL ? "" : name);
	return c;
}

static void
container_free(struct container *c)
{
	if (c == NULL)
		return;
	free((void *)(uintptr_t)c->policy.algs);
	free(c);
}

/* The names of the policy, as the table spells them. */
static int
policy_copy_algs(const char *const *algs, struct plx_container_policy *out, struct plx_err *err)
{
	const struct plx_alg *row;
	const char **copy;
	size_t nb = 0, i;

	while (algs[nb] != NULL)
		nb++;
	if (nb == 0)
		return plx_err_set(
			err, -EINVAL,
			"the policy's list of algorithms is empty: no key could be kept; name one "
			"or leave the list out");

	copy = calloc(nb + 1, sizeof(*copy));
	if (copy == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for a policy of %zu algorithms", nb);

	for (i = 0; i < nb; i++) {
		row = plx_alg_find(algs[i]);
		if (row == NULL) {
			free(copy);
			return plx_err_set(
				err, -EINVAL,
				"the policy names algorithm \"%.64s\", which is no family of the "
				"algorithm table (such as aes-gcm, without the key size)",
				algs[i]);
		}
		copy[i] = row->name;
	}
	out->algs = copy;
	return 0;
}

static int
policy_copy(const struct plx_container_policy *policy, struct plx_container_policy *out,
	    struct plx_err *err)
{
	struct plx_container_policy p = { 0 };
	size_t len = sizeof(p);

	if (policy != NULL) {
		if (policy->size != 0 && policy->size < len)
			len = policy->size;
		memcpy(&p, policy, len);
	}
	p.size = sizeof(p);

	if ((p.ops & ~ALL_OPS) != 0)
		return plx_err_set(
			err, -EINVAL,
			"the policy's operations 0x%x hold bits that stand for none; 0x%x is all",
			p.ops, ALL_OPS);
	if (p.max_key_bits != 0 && p.min_key_bits > p.max_key_bits)
		return plx_err_set(
			err, -EINVAL,
			"the policy's least key size, %u bits, is above its greatest, %u bits",
			p.min_key_bits, p.max_key_bits);
	if (p.max_keys == 0)
		p.max_keys = KEY_MAX_KEYS_UNSAID;

	*out = p;
	out->algs = NULL;
	return p.algs == NULL ? 0 : policy_copy_algs(p.algs, out, err);
}

static bool
policy_lists(const struct plx_container_policy *policy, const struct plx_alg *alg)
{
	size_t i;

	if (policy->algs == NULL)
		return true;
	for (i = 0; policy->algs[i] != NULL; i++) {
		if (strcmp(policy->algs[i], alg->name) == 0)
			return true;
	}
	return false;
}

int
keystore_container_admits(const struct container *c, const struct key *key, struct plx_err *err)
{
	const struct plx_container_policy *p = &c->policy;
	const struct plx_alg *rows;
	char alg[32];
	size_t nb, i;

	keystore_bind_name(&key->bind, alg, sizeof(alg));
	if (key->bind.bits < p->min_key_bits)
		return plx_err_set(
			err, -EACCES,
			"container %s: rule min_key_bits: the key has %u bits, %u is the least",
			c->name, key->bind.bits, p->min_key_bits);
	if (p->max_key_bits != 0 && key->bind.bits > p->max_key_bits)
		return plx_err_set(
			err, -EACCES,
			"container %s: rule max_key_bits: the key has %u bits, %u is the most",
			c->name, key->bind.bits, p->max_key_bits);

	rows = plx_alg_table(&nb);
	for (i = 0; i < nb; i++) {
		if (keystore_bind_serves(&key->bind, &rows[i]) && policy_lists(p, &rows[i]))
			return 0;
	}
	return plx_err_set(
		err, -EACCES,
		"container %s: rule algs: no algorithm the container allows can use a key of %s",
		c->name, alg);
}

int
keystore_container_allows(const struct container *c, const struct plx_alg *alg, enum plx_op op,
			  struct plx_err *err)
{
	const struct plx_container_policy *p = &c->policy;

	if (p->ops != 0 && (p->ops & (uint32_t)op) == 0)
		return plx_err_set(
			err, -EACCES,
			"container %s: rule ops: %s is not an operation the container allows",
			c->name, plx_op_name(op));
	if (!policy_lists(p, alg))
		return plx_err_set(
			err, -EACCES,
			"container %s: rule algs: %s is not an algorithm the container allows",
			c->name, alg->name);
	return 0;
}

int
plx_keystore_create(struct plx_devices *devs, struct plx_keystore **out, struct plx_err *err)
{
	struct plx_keystore *ks;
	void *finger_key;
	uint32_t i;
	int ret;

	ks = calloc(1, sizeof(*ks));
	if (ks == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for a keystore");
	ks->devs = devs;
	TAILQ_INIT(&ks->sessions);
	LIST_INIT(&ks->keyless);
	for (i = 0; i < KEY_NAME_BUCKETS; i++)
		LIST_INIT(&ks->by_name[i]);

	ret = keystore_secret_alloc(KEY_FINGER_BYTES, &finger_key, err);
	if (ret < 0)
		goto err_free_ks;
	ks->finger_key = finger_key;
	if (RAND_priv_bytes(ks->finger_key, KEY_FINGER_BYTES) != 1) {
		ret = plx_err_set(err, -ENOMEM, "the random generator gives no bytes");
		goto err_free_finger;
	}

	*out = ks;
	return 0;

err_free_finger:
	plx_secret_free(ks->finger_key);
err_free_ks:
	free(ks);
	return ret;
}

static void
container_empty(struct plx_keystore *ks, const struct container *c)
{
	uint32_t i;

	for (i = 0; i < ks->nb_slots && c->nb_keys != 0; i++) {
		if (ks->slots[i].key != NULL && ks->slots[i].key->container == c)
			keystore_key_remove(ks, ks->slots[i].key);
	}
}

void
plx_keystore_destroy(struct plx_keystore *ks)
{
	uint32_t i;

	if (ks == NULL)
		return;

	keystore_sessions_destroy(ks);
	for (i = 0; i < ks->nb_containers; i++) {
		if (ks->containers[i] == NULL)
			continue;
		container_empty(ks, ks->containers[i]);
		container_free(ks->containers[i]);
	}
	free(ks->containers);
	free(ks->slots);
	plx_secret_free(ks->finger_key);
	free(ks);
}

/* A free entry of the table of containers, which grows when there is none. */
static int
container_entry(struct plx_keystore *ks, struct container ***out)
{
	struct container **grown;
	uint32_t i;

	for (i = 0; i < ks->nb_containers; i++) {
		if (ks->containers[i] == NULL) {
			*out = &ks->containers[i];
			return 0;
		}
	}
	grown = realloc(ks->containers, (ks->nb_containers + 1) * sizeof(struct container *));
	if (grown == NULL)
		return -ENOMEM;
	ks->containers = grown;
	ks->containers[ks->nb_containers] = NULL;
	*out = &ks->containers[ks->nb_containers++];
	return 0;
}

int
plx_container_create(struct plx_keystore *ks, const char *name,
		     const struct plx_container_policy *policy, struct plx_err *err)
{
	struct container **entry;
	struct container *c;
	int ret;

	if (!keystore_name_ok(name))
		return plx_err_set(err, -EINVAL, KEYSTORE_NAME_RULE, "container",
				   name == NULL ? "" : name, PLX_KEY_NAME_MAX - 1);
	if (container_find(ks, name) != NULL)
		return plx_err_set(err, -EEXIST,
				   "container %s is there already; remove it or take another name",
				   name);

	c = calloc(1, sizeof(*c));
	if (c == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for container %s", name);
	snprintf(c->name, sizeof(c->name), "%s", name);

	ret = policy_copy(policy, &c->policy, err);
	if (ret < 0)
		goto err_free;
	ret = container_entry(ks, &entry);
	if (ret < 0) {
		plx_err_set(err, ret, "no memory for container %s", name);
		goto err_free;
	}
	*entry = c;
	return 0;

err_free:
	container_free(c);
	return ret;
}

int
plx_container_remove(struct plx_keystore *ks, const char *name, struct plx_err *err)
{
	struct container *c = keystore_container_get(ks, name, err);
	uint32_t i;

	if (c == NULL)
		return -ENOENT;
	if (keystore_sessions_busy(ks, c))
		return plx_err_set(
			err, -EBUSY,
			"container %s has a key in use; stop what uses it, then remove the container",
			name);

	container_empty(ks, c);
	for (i = 0; i < ks->nb_containers; i++) {
		if (ks->containers[i] == c)
			ks->containers[i] = NULL;
	}
	container_free(c);
	return 0;
}

const char *
plx_container_next(struct plx_keystore *ks, uint32_t *pos, struct plx_container_policy *policy,
		   uint32_t *nb_keys)
{
	const struct container *c;

	while (*pos < ks->nb_containers) {
		c = ks->containers[(*pos)++];
		if (c == NULL)
			continue;
		if (policy != NULL)
			*policy = c->policy;
		if (nb_keys != NULL)
			*nb_keys = c->nb_keys;
		return c->name;
	}
	return NULL;
}
