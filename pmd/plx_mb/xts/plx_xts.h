/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_XTS_H
#define PLX_XTS_H

#include <stddef.h>
#include <stdint.h>

#include "plx_compiler.h"
#include "plx_err.h"

/*
 * AES-XTS (IEEE 1619, NIST SP 800-38E) with 128- and 256-bit keys, ciphertext stealing included.
 * Which code runs is chosen by the CPU when a key is set: VAES on 512-bit vectors, VAES on 256-bit
 * vectors, or OpenSSL. All of them give the same bytes, take the same time for all keys and data of
 * the same length, and read and write no byte outside the buffers. doc/xts.md tells more.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define PLX_XTS_IV_BYTES   16
#define PLX_XTS_KEY_128    32 /* bytes: two AES-128 keys */
#define PLX_XTS_KEY_256    64 /* bytes: two AES-256 keys */
#define PLX_XTS_BYTES_MIN  16
#define PLX_XTS_BYTES_MAX  (1u << 24) /* 2^20 blocks, SP 800-38E section 4 */
#define PLX_XTS_ROUNDS_MAX 14

struct xts_kernel;
struct xts_evp;

/* An expanded key. Read only after plx_xts_key_init(): any number of threads may use it at once.
 * It must not be copied or moved. */
struct plx_xts_key {
	/* in the order of use, round 0 to nb_rounds */
	uint8_t enc[PLX_XTS_ROUNDS_MAX + 1][16];
	uint8_t dec[PLX_XTS_ROUNDS_MAX + 1][16];
	uint8_t tweak[PLX_XTS_ROUNDS_MAX + 1][16];
	uint32_t nb_rounds; /* 10 or 14 */
	const struct xts_kernel *kernel;
	struct xts_evp *evp; /* of the OpenSSL path, else NULL */
} __attribute__((aligned(64)));

/* A data unit ("sector") of its own. in and out are the same or do not overlap. */
struct plx_xts_unit {
	const uint8_t *iv; /* PLX_XTS_IV_BYTES: the number of the unit, little-endian */
	const uint8_t *in;
	uint8_t *out;
	size_t len_bytes;
};

/* Consecutive sectors of one size, their numbers as dm-crypt's plain64 has them: 64 bits,
 * little-endian, zeros behind. */
struct plx_xts_sectors {
	uint64_t first; /* number of the first sector */
	uint64_t step;  /* to the next number; 8 for 4096-byte sectors counted in 512-byte units */
	size_t sector_bytes;
	size_t nb;
};

/**
 * Name of the code that runs on this CPU: "vaes-avx512", "vaes-avx2" or "openssl".
 *
 * @par Thread    Any, thread-safe.
 * @par Ownership A constant.
 * @par Errors    None.
 */
const char *plx_xts_kernel_name(void);

/**
 * Expand a key: the data key first, the tweak key behind it, as OpenSSL, DPDK and dm-crypt have it.
 *
 * @param len_bytes PLX_XTS_KEY_128 or PLX_XTS_KEY_256.
 * @return          0 or negative errno; @p key is untouched then.
 * @par Thread    Any; @p key is the caller's own until it returns. Not for a data path.
 * @par Ownership @p key is the caller's, to be given to plx_xts_key_wipe(); @p bytes are not kept.
 * @par Errors    -EINVAL: another length. -EKEYREJECTED: both halves are the same, which makes XTS
 *                weak (FIPS 140 IG C.I, SP 800-38E). -ENOMEM, -EIO: OpenSSL, on its path only.
 *                @p err, which may be NULL, has the sentence.
 */
int plx_xts_key_init(struct plx_xts_key *key, const uint8_t *bytes, size_t len_bytes,
		     struct plx_err *err) PLX_MUST_CHECK;

/**
 * Wipe a key, and free what OpenSSL keeps of it. A key of zeros, or one wiped before, is taken.
 *
 * @par Thread    Any, when nobody uses the key any more.
 * @par Ownership The memory stays the caller's.
 * @par Errors    None.
 */
void plx_xts_key_wipe(struct plx_xts_key *key);

/**
 * Encrypt one data unit.
 *
 * @param iv  PLX_XTS_IV_BYTES: the number of the unit, little-endian.
 * @param in  @p len_bytes to read; @p out is the same place, or does not overlap it.
 * @return    0 or negative errno; @p out is untouched when it is -EINVAL.
 * @par Thread    Any; one key may be in use by any number of threads.
 * @par Ownership Nothing is kept.
 * @par Errors    -EINVAL: the length is below PLX_XTS_BYTES_MIN or above PLX_XTS_BYTES_MAX.
 *                -ENOMEM, -EIO: OpenSSL, on its path only.
 */
int plx_xts_encrypt(const struct plx_xts_key *key, const uint8_t iv[PLX_XTS_IV_BYTES],
		    const uint8_t *in, uint8_t *out, size_t len_bytes) PLX_MUST_CHECK;

/**
 * Decrypt one data unit; everything else as in plx_xts_encrypt().
 *
 * @par Thread    Any; one key may be in use by any number of threads.
 * @par Ownership Nothing is kept.
 * @par Errors    Those of plx_xts_encrypt().
 */
int plx_xts_decrypt(const struct plx_xts_key *key, const uint8_t iv[PLX_XTS_IV_BYTES],
		    const uint8_t *in, uint8_t *out, size_t len_bytes) PLX_MUST_CHECK;

/**
 * Encrypt data units that share a key. Their tweaks are made together, which pays for short units.
 *
 * @return 0 or negative errno; nothing is written when it is -EINVAL.
 * @par Thread    Any; one key may be in use by any number of threads.
 * @par Ownership Nothing is kept. No unit may write what another one reads.
 * @par Errors    Those of plx_xts_encrypt(); lengths are looked at before anything is written.
 */
int plx_xts_encrypt_units(const struct plx_xts_key *key, const struct plx_xts_unit *units,
			  size_t nb) PLX_MUST_CHECK;

/**
 * Decrypt data units that share a key; everything else as in plx_xts_encrypt_units().
 *
 * @par Thread    Any; one key may be in use by any number of threads.
 * @par Ownership Nothing is kept. No unit may write what another one reads.
 * @par Errors    Those of plx_xts_encrypt_units().
 */
int plx_xts_decrypt_units(const struct plx_xts_key *key, const struct plx_xts_unit *units,
			  size_t nb) PLX_MUST_CHECK;

/**
 * Encrypt consecutive sectors from @p in, sector_bytes * nb, to @p out: the same place or disjoint.
 * Numbers wrap at 2^64.
 *
 * @return 0 or negative errno; nothing is written when it is -EINVAL.
 * @par Thread    Any; one key may be in use by any number of threads.
 * @par Ownership Nothing is kept.
 * @par Errors    Those of plx_xts_encrypt(), of sector_bytes; -EINVAL when the product overflows.
 */
int plx_xts_encrypt_sectors(const struct plx_xts_key *key, const struct plx_xts_sectors *sectors,
			    const uint8_t *in, uint8_t *out) PLX_MUST_CHECK;

/**
 * Decrypt consecutive sectors; everything else as in plx_xts_encrypt_sectors().
 *
 * @par Thread    Any; one key may be in use by any number of threads.
 * @par Ownership Nothing is kept.
 * @par Errors    Those of plx_xts_encrypt_sectors().
 */
int plx_xts_decrypt_sectors(const struct plx_xts_key *key, const struct plx_xts_sectors *sectors,
			    const uint8_t *in, uint8_t *out) PLX_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
