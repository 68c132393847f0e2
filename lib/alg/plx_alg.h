/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_ALG_H
#define PLX_ALG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plx_compiler.h"
#include "plx_err.h"

/*
 * One table, one row an algorithm: names, sizes, the operations it has and the cryptodev numbers
 * that stand for it. Capability matching, console help, the keystore and the manual are driven by
 * it. The cryptodev enumerators come from DPDK's headers; nothing of DPDK is linked.
 */

#ifdef __cplusplus
extern "C" {
#endif

enum plx_alg_kind {
	PLX_ALG_KIND_CIPHER = 1,
	PLX_ALG_KIND_AEAD,
	PLX_ALG_KIND_HASH,
	PLX_ALG_KIND_MAC,
	PLX_ALG_KIND_ASYM,
	PLX_ALG_KIND_RANDOM,
};

/* Operations, a bit each; a container's policy and a row's abilities are sets of them. */
enum plx_op {
	PLX_OP_ENCRYPT = 1 << 0,
	PLX_OP_DECRYPT = 1 << 1,
	PLX_OP_DIGEST = 1 << 2,
	PLX_OP_MAC = 1 << 3,
	PLX_OP_SIGN = 1 << 4,
	PLX_OP_VERIFY = 1 << 5,
	PLX_OP_DERIVE = 1 << 6,
	PLX_OP_RANDOM = 1 << 7,
};

/* Inclusive range of sizes in bytes: min, min + step, ... max. step 0 means min only. */
struct plx_alg_range {
	uint16_t min;
	uint16_t max;
	uint16_t step;
};

#define PLX_ALG_RTE_NONE (-1) /* the DPDK line built with has no number for it */

struct plx_alg {
	const char *name;    /* family name: "aes-gcm", "hmac-sha256", "rsa-pkcs1", "ecdsa-p256" */
	const char *summary; /* a few words for help and manual */
	const char *source;  /* "NIST SP 800-38D", "RFC 8017 8.2", "GM/T 0002-2012" */
	enum plx_alg_kind kind;
	uint32_t ops; /* set of enum plx_op */
	/* PLX_ALG_RTE_NONE, both, when cryptodev cannot express the algorithm */
	int rte_type; /* CIPHER..AEAD: enum rte_crypto_sym_xform_type; ASYM: _asym_xform_type */
	int rte_algo; /* cipher, auth or aead algorithm number; ASYM: RSA padding, curve id or 0 */
	struct plx_alg_range key; /* bytes of key; ASYM: bytes of modulus or of the curve's field */
	struct plx_alg_range iv;  /* bytes of IV or nonce, {0,0,0} when there is none */
	struct plx_alg_range tag; /* bytes of digest, MAC or AEAD tag */
	uint16_t aad_max_bytes;   /* AEAD only; 65535 stands for "as long as the device takes" */
	uint16_t block_bytes;     /* data must be a multiple of it; 1 when any length will do */
	uint16_t iv_default_bytes; /* what job, bench and tests use */
	uint16_t tag_default_bytes;
	uint16_t nb_keys; /* keys of one size that make up the key: 2 for XTS, 1 otherwise, 0
			     keyless */
	const char *
		openssl_name; /* pattern read by plx_alg_openssl_name(): "AES-%u-GCM", "SHA2-256" */
};

/* An algorithm with its key size chosen, as a user writes it: "aes-256-gcm", "rsa-2048-pss",
 * "sha-256". */
struct plx_alg_spec {
	const struct plx_alg *alg;
	uint16_t key_bytes; /* 0 for keyless algorithms; for HMAC without a size: the digest's size
			     */
};

/**
 * The rows, in display order.
 *
 * @param nb Number of rows goes here.
 * @return   The first of @p nb rows.
 * @par Thread    Any; the table is constant.
 * @par Ownership The library's, for ever.
 * @par Errors    None.
 */
const struct plx_alg *plx_alg_table(size_t *nb);

/**
 * Find a row by family name ("aes-gcm"), spelled as plx_alg_parse() takes it ("SHA-256",
 * "sha2-256").
 *
 * @return The row, NULL when there is none.
 * @par Thread    Any.
 * @par Ownership The library's, for ever.
 * @par Errors    NULL only.
 */
const struct plx_alg *plx_alg_find(const char *name);

/**
 * Read what a user writes: a family name with the key size in bits inside ("aes-256-gcm",
 * "hmac-sha256", "rsa-2048", "rsa-3072-pss", "ecdsa-p256", "sha-256", "chacha20-poly1305"), case
 * ignored. "rsa-2048" alone means PKCS#1 v1.5.
 *
 * @return 0; -ENOENT with a sentence that offers near names; -ERANGE with the sizes allowed.
 * @par Thread    Any.
 * @par Ownership @p spec is the caller's and untouched on failure.
 * @par Errors    -ENOENT, -ERANGE.
 */
int plx_alg_parse(const char *text, struct plx_alg_spec *spec, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Write the name a user would write, the inverse of plx_alg_parse().
 *
 * @return @p buf.
 * @par Thread    Any.
 * @par Ownership @p buf is the caller's, @p len bytes; a longer name is cut.
 * @par Errors    None.
 */
const char *plx_alg_spec_name(const struct plx_alg_spec *spec, char *buf, size_t len);

/**
 * The key size in bits as names say it: 256 for a 64-byte "aes-256-xts" key.
 *
 * @return Bits; 0 for a keyless algorithm.
 * @par Thread    Any.
 * @par Ownership Nothing is kept.
 * @par Errors    None.
 */
uint32_t plx_alg_key_bits(const struct plx_alg_spec *spec);

/**
 * What OpenSSL calls it: the name to fetch of a cipher, AEAD, digest or key type ("AES-256-GCM",
 * "SHA2-256", "RSA", "X25519"), the curve of ECDSA and ECDH ("P-256"), and of a MAC the digest or
 * cipher that EVP_MAC takes as parameter ("SHA2-256" for HMAC, "AES-128-CBC" for CMAC).
 *
 * @return @p buf.
 * @par Thread    Any.
 * @par Ownership @p buf is the caller's, @p len bytes; a longer name is cut.
 * @par Errors    None.
 */
const char *plx_alg_openssl_name(const struct plx_alg_spec *spec, char *buf, size_t len);

/**
 * The name of a kind ("cipher", "aead", "hash", "mac", "asymmetric", "random").
 *
 * @par Thread    Any.
 * @par Ownership The library's, for ever.
 * @par Errors    "?".
 */
const char *plx_alg_kind_name(enum plx_alg_kind kind);

/**
 * Is @p bytes in @p range?
 *
 * @par Thread    Any.
 * @par Ownership Nothing is kept.
 * @par Errors    None.
 */
bool plx_alg_range_has(const struct plx_alg_range *range, uint32_t bytes);

/**
 * The name of one operation bit ("encrypt"), and the bit of a name (0 when unknown).
 *
 * @par Thread    Any.
 * @par Ownership The library's, for ever.
 * @par Errors    "?" and 0.
 */
const char *plx_op_name(enum plx_op op);
uint32_t plx_op_find(const char *name);

#ifdef __cplusplus
}
#endif

#endif
