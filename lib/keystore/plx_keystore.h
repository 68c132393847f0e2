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
 * control functions: one thread at a time (the caller's lock), never a data lcore. Two keystores
 * know nothing of each other.
 *
 * What a driver keeps of a session's key is the driver's: crypto_openssl keeps it in ordinary
 * memory.
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

/* What a container allows; zero-initialized means everything. Sizes and algorithms are asked when a
 * key comes in, operations and algorithms when a session is asked for. */
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
	char alg[32];     /* "aes-256-gcm", "rsa-2048-pss" when tied to one algorithm; "aes-256",
			   * "rsa-2048",     "ec-p256" when not */
	uint32_t bits;    /* as names say it: 256 for the 64 bytes of aes-256-xts */
	bool is_private;  /* or secret; false for a public key */
	bool was_exposed; /* private or secret, and every user could read the file it came from */
	char fingerprint[65]; /* SHA-256, hex: of the SubjectPublicKeyInfo, or for secrets a keyed
			       * digest under the keystore's own random key: it tells equality and
			       * no more */
	uint64_t nb_uses;     /* sessions asked for */
};

/* How a session for a key is to be built. A digest has no key: its handle is PLX_KEY_HANDLE_NONE.
 */
struct plx_key_use {
	size_t size;
	const struct plx_alg_spec *spec; /* algorithm; key_bytes may be 0: taken from the key */
	enum plx_op op;
	uint16_t iv_offset; /* from the start of the rte_crypto_op, behind the rte_crypto_sym_op;
			     * not read when the algorithm has no IV */
	uint16_t iv_bytes;  /* 0: the row's default */
	uint16_t tag_bytes; /* 0: the row's default */
	uint16_t aad_bytes;
};

/**
 * Make an empty keystore, which builds its sessions on the devices of @p devs.
 *
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
 * Load a key from a file: a regular file or a pipe of at most 64 KiB.
 *
 * @param alg    NULL: an asymmetric key, whatever the file says. A symmetric algorithm: the file's
 * bytes are the key. A whole name ("aes-256-gcm", "rsa-2048-pss", "ecdsa-p256") ties the key to
 * that algorithm, a first word ("aes", "aes-256", "hmac", "rsa", "ec-p256") leaves it to each that
 * fits.
 * @param path   PEM or DER of PKCS#8, RSAPrivateKey, ECPrivateKey, SubjectPublicKeyInfo,
 * RSAPublicKey: RSA 2048 to 8192, P-256, P-384, P-521, SM2, Ed25519, X25519. Of a bundle, the first
 * key.
 * @param handle The key's handle; NULL is taken.
 * @return 0; -ENOENT (container, file), -EACCES (file, or policy: the rule is named), -EINVAL (what
 * is wrong and what is taken; an encrypted key, nobody is asked for a passphrase), -EEXIST,
 * -ENOSPC, -ENOMEM, -EPERM (memory cannot be locked), -ETIMEDOUT (a silent pipe), or what the
 * system says of the file.
 * @par Thread    Control; waits up to 5 s for each next byte of a pipe.
 * @par Ownership Nothing of the file is kept but the key. The numbers of a private key are checked
 * to belong together. A file that every user can read is logged, and told by
 * plx_key_info.was_exposed.
 * @par Errors    As above; @p handle is untouched and nothing has changed.
 */
int plx_key_load(struct plx_keystore *ks, const char *container, const char *name, const char *alg,
		 const char *path, plx_key_handle *handle, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Import raw secret bytes (symmetric keys).
 *
 * @param alg As for plx_key_load(), symmetric.
 * @par Thread    Control.
 * @par Ownership @p bytes are copied; the caller wipes its own.
 * @par Errors    -ENOENT, -EACCES (policy), -EINVAL, -EEXIST, -ENOSPC, -ENOMEM, -EPERM; nothing has
 * changed.
 */
int plx_key_import(struct plx_keystore *ks, const char *container, const char *name,
		   const char *alg, const void *bytes, size_t len, plx_key_handle *handle,
		   struct plx_err *err) PLX_MUST_CHECK;

/**
 * Generate a key. @p alg as for plx_key_load(), with a size where the name leaves one open:
 * "aes-256", "aes-256-gcm", "hmac-sha256", "rsa-2048", "ecdsa-p256", "ed25519", ...
 *
 * @par Thread    Control; an RSA key takes up to seconds.
 * @par Ownership The keystore's.
 * @par Errors    As plx_key_import().
 */
int plx_key_generate(struct plx_keystore *ks, const char *container, const char *name,
		     const char *alg, plx_key_handle *handle, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Delete a key: its handle is dead at once, its sessions go when the last user puts them. Ops in
 * flight end.
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
 * The session for a key, an algorithm and an operation; built on first use, then shared and kept
 * until its key goes or the devices need the room. Policy is asked here. A private RSA key's
 * sessions for public operations hold public numbers only; ops for RSA sessions are made with
 * plx_key_op.h.
 *
 * @param handle PLX_KEY_HANDLE_NONE for a digest.
 * @return 0; -ESTALE, -EACCES (policy; says which rule), -EINVAL (key, operation or a size does not
 * fit), -ENOTSUP (no device: the sentence says what each lacks), -ENOSPC (the devices hold no more
 * sessions and none is idle), -ENOMEM, -EPERM (memory cannot be locked).
 * @par Thread    Control.
 * @par Ownership Counted: give back with plx_key_session_put() when no op uses it; NULL is taken
 * there. plx_session.front is the keystore's.
 * @par Errors    As above; @p out is untouched.
 */
int plx_key_session_get(struct plx_keystore *ks, plx_key_handle handle,
			const struct plx_key_use *use, struct plx_session **out,
			struct plx_err *err) PLX_MUST_CHECK;
void plx_key_session_put(struct plx_keystore *ks, struct plx_session *s);

#ifdef __cplusplus
}
#endif

#endif
