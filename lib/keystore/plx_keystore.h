/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_KEYSTORE_H
#define PLX_KEYSTORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plx_alg.h"
#include "plx_compiler.h"
#include "plx_device.h"
#include "plx_err.h"

/*
 * Containers of named keys. Keys go in, handles come out; no function gives a private or secret key
 * back. Key bytes live in secret memory (locked, out of core dumps, wiped). All functions are
 * control functions: one thread at a time (the caller's lock), never a data lcore.
 */

#ifdef __cplusplus
extern "C" {
#endif

struct plx_keystore;

/* 64 bits: slot and generation. A handle of a deleted key is refused, also after the slot is used
 * again. */
typedef uint64_t plx_key_handle;
#define PLX_KEY_HANDLE_NONE 0

#define PLX_KEY_NAME_MAX 64 /* letters, digits, '.', '_', '-'; first a letter or digit */

/* What a container allows; zero-initialized means everything. */
struct plx_container_policy {
	size_t size;
	uint32_t ops;            /* set of enum plx_op; 0: all */
	const char *const *algs; /* family names, NULL-terminated; NULL: all */
	uint32_t min_key_bits;   /* 0: no limit */
	uint32_t max_key_bits;   /* 0: no limit */
	uint32_t max_keys;       /* 0: 1024 */
};

struct plx_key_info {
	plx_key_handle handle;
	char container[PLX_KEY_NAME_MAX];
	char name[PLX_KEY_NAME_MAX];
	char alg[32]; /* "aes-256", "rsa-2048", "ecdsa-p256", "hmac", as far as the key says */
	uint32_t bits;
	bool is_private;  /* or secret; false for a public key */
	bool was_exposed; /* private or secret, and every user could read the file it came from */
	char fingerprint[65]; /* SHA-256, hex: of the SubjectPublicKeyInfo, or for secrets a keyed
			       * digest under the keystore's own random key: it tells equality and
			       * no more */
	uint64_t nb_uses;     /* sessions asked for */
};

/* How a session for a key is to be built. */
struct plx_key_use {
	size_t size;
	const struct plx_alg_spec *spec; /* algorithm; key_bytes may be 0: taken from the key */
	enum plx_op op;
	uint16_t iv_offset; /* from the start of the rte_crypto_op */
	uint16_t iv_bytes;  /* 0: the row's default */
	uint16_t tag_bytes; /* 0: the row's default */
	uint16_t aad_bytes;
};

/**
 * @return 0 or -ENOMEM, -EPERM (memory cannot be locked; the sentence names the limit and what to
 * do).
 * @par Thread    Control.
 * @par Ownership The caller frees it with plx_keystore_destroy() before the registry @p devs.
 * @par Errors    -ENOMEM, -EPERM.
 */
int plx_keystore_create(struct plx_devices *devs, struct plx_keystore **out, struct plx_err *err)
	PLX_MUST_CHECK;

/**
 * Destroy all sessions, wipe all keys.
 *
 * @par Thread    Control; no op in flight may use a session of this keystore.
 * @par Ownership Frees @p ks; NULL is taken.
 * @par Errors    None.
 */
void plx_keystore_destroy(struct plx_keystore *ks);

/**
 * Make, or remove with all its keys, a container.
 *
 * @param policy NULL: everything is allowed.
 * @return 0; -EEXIST, -ENOENT, -EINVAL (name, policy), -EBUSY (a session of a key is in use).
 * @par Thread    Control.
 * @par Ownership @p policy is copied.
 * @par Errors    As above with a sentence.
 */
int plx_container_create(struct plx_keystore *ks, const char *name,
			 const struct plx_container_policy *policy, struct plx_err *err)
	PLX_MUST_CHECK;
int plx_container_remove(struct plx_keystore *ks, const char *name, struct plx_err *err)
	PLX_MUST_CHECK;

/**
 * The container at or after *@p pos (start with 0); *@p pos moves past it. @p policy and @p nb_keys
 * may be NULL.
 *
 * @return Its name, NULL at the end.
 * @par Thread    Control.
 * @par Ownership The keystore's, until the container is removed.
 * @par Errors    None.
 */
const char *plx_container_next(struct plx_keystore *ks, uint32_t *pos,
			       struct plx_container_policy *policy, uint32_t *nb_keys);

/**
 * Load a key from a file: PEM (PKCS#8, traditional, SubjectPublicKeyInfo), DER, or raw bytes when
 * @p alg names a symmetric algorithm. @p alg: "aes-256-gcm", "aes" , "hmac-sha256", "rsa", ...;
 * NULL: what the file says.
 *
 * @return 0; -ENOENT, -EACCES (also: policy), -EINVAL (what is wrong and what is taken), -EEXIST,
 * -ENOSPC.
 * @par Thread    Control.
 * @par Ownership Nothing of the file is kept but the key. Encrypted PEM is refused with a sentence.
 * @par Errors    As above.
 */
int plx_key_load(struct plx_keystore *ks, const char *container, const char *name, const char *alg,
		 const char *path, plx_key_handle *handle, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Import raw secret bytes (symmetric keys).
 *
 * @par Thread    Control.
 * @par Ownership @p bytes are copied; the caller wipes its own.
 * @par Errors    As plx_key_load().
 */
int plx_key_import(struct plx_keystore *ks, const char *container, const char *name,
		   const char *alg, const void *bytes, size_t len, plx_key_handle *handle,
		   struct plx_err *err) PLX_MUST_CHECK;

/**
 * Generate a key: "aes-256-gcm", "hmac-sha256", "rsa-2048", "ecdsa-p256", "ed25519", ...
 *
 * @par Thread    Control; an RSA key takes up to seconds.
 * @par Ownership The keystore's.
 * @par Errors    As plx_key_load().
 */
int plx_key_generate(struct plx_keystore *ks, const char *container, const char *name,
		     const char *alg, plx_key_handle *handle, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Delete a key: its handle is dead at once, its sessions go when the last user puts them.
 *
 * @return 0; -ENOENT.
 * @par Thread    Control.
 * @par Ownership Key bytes are wiped.
 * @par Errors    -ENOENT.
 */
int plx_key_delete(struct plx_keystore *ks, const char *container, const char *name,
		   struct plx_err *err) PLX_MUST_CHECK;

/**
 * Find a key's handle; describe a handle; list.
 *
 * @return 0; -ENOENT (find), -ESTALE (a handle whose key is gone).
 * @par Thread    Control.
 * @par Ownership @p info is the caller's.
 * @par Errors    -ENOENT, -ESTALE.
 */
int plx_key_find(struct plx_keystore *ks, const char *container, const char *name,
		 plx_key_handle *handle, struct plx_err *err) PLX_MUST_CHECK;
int plx_key_describe(struct plx_keystore *ks, plx_key_handle handle, struct plx_key_info *info,
		     struct plx_err *err) PLX_MUST_CHECK;
bool plx_key_next(struct plx_keystore *ks, uint32_t *pos, struct plx_key_info *info);

/**
 * Write the public half (PEM SubjectPublicKeyInfo) to a file; refused for secret keys.
 *
 * @return 0; -ESTALE, -EPERM (a secret key has no public half), or the file's errno.
 * @par Thread    Control.
 * @par Ownership The file is the caller's; written whole or not at all.
 * @par Errors    As above.
 */
int plx_key_export_public(struct plx_keystore *ks, plx_key_handle handle, const char *path,
			  struct plx_err *err) PLX_MUST_CHECK;

/**
 * The session for a key, an algorithm and an operation; built on first use, then shared. Policy is
 * asked here.
 *
 * @return 0; -ESTALE, -EACCES (policy; says which rule), -EINVAL (key does not fit), -ENOTSUP (no
 * device).
 * @par Thread    Control.
 * @par Ownership Counted: give back with plx_key_session_put() when no op uses it.
 * @par Errors    As above.
 */
int plx_key_session_get(struct plx_keystore *ks, plx_key_handle handle,
			const struct plx_key_use *use, struct plx_session **out,
			struct plx_err *err) PLX_MUST_CHECK;
void plx_key_session_put(struct plx_keystore *ks, struct plx_session *s);

#ifdef __cplusplus
}
#endif

#endif
