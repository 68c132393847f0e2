/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef MB_CALLS_H
#define MB_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "plx_compiler.h"
#include "plx_err.h"

/*
 * What is called of crypto_mb (Intel's multi-buffer library, libcrypto_mb.so.11). The library is
 * looked for when a device is made and is no part of the build: without it, or on a CPU without
 * AVX512-IFMA, OpenSSL does the same work one op at a time.
 *
 * Each call takes eight of everything. A lane whose pointers are NULL is left out. The answer has
 * four bits a lane, lane 0 lowest, 0 meaning that the lane is right. Numbers are arrays of 64-bit
 * words, lowest first; byte strings are big-endian but for X25519, which is little-endian
 * (RFC 7748 5). All of it is constant-time in what is secret, says the library's documentation.
 */

#define MB_LANES 8u /* ops in one call */

static inline bool
mb_lane_is_right(uint32_t status, unsigned int lane)
{
	return (status >> (4 * lane) & 0xf) == 0;
}

typedef const uint8_t *const *mb_bytes_in;
typedef uint8_t *const *mb_bytes_out;
typedef const uint64_t *const *mb_words_in;
typedef uint64_t *const *mb_words_out;

/* What there is for each of P-256, P-384 and P-521. */
struct mb_curve_calls {
	uint32_t (*public_key)(mb_words_out x, mb_words_out y, mb_words_out z, mb_words_in scalar,
			       uint8_t *scratch);
	uint32_t (*ecdh)(mb_bytes_out shared_x, mb_words_in scalar, mb_words_in x, mb_words_in y,
			 mb_words_in z, uint8_t *scratch);
	uint32_t (*sign)(mb_bytes_out r, mb_bytes_out s, mb_bytes_in digest, mb_words_in nonce,
			 mb_words_in key, uint8_t *scratch);
	uint32_t (*verify)(mb_bytes_in r, mb_bytes_in s, mb_bytes_in digest, mb_words_in x,
			   mb_words_in y, mb_words_in z, uint8_t *scratch);
};

enum mb_curve {
	MB_P256 = 0,
	MB_P384,
	MB_P521,
	MB_NB_CURVES,
	MB_CURVE_SM2 = MB_NB_CURVES, /* has calls of its own */
	MB_NB_GROUPS,
};

#define MB_POWER_SIZES 4u /* moduli of 1024, 2048, 3072 and 4096 bits */

struct mb_calls {
	const void *(*rsa_public_method)(int bits);
	const void *(*rsa_private_method)(int bits);
	int (*rsa_method_size)(const void *method); /* bytes of scratch */
	uint32_t (*rsa_public)(mb_bytes_in from, mb_bytes_out to, mb_words_in n, int bits,
			       const void *method, uint8_t *scratch);
	uint32_t (*rsa_private_crt)(mb_bytes_in from, mb_bytes_out to, mb_words_in p, mb_words_in q,
				    mb_words_in dp, mb_words_in dq, mb_words_in qinv, int bits,
				    const void *method, uint8_t *scratch);
	struct mb_curve_calls curves[MB_NB_CURVES];
	int (*power_scratch)(int modulus_bits); /* bytes of scratch */
	uint32_t (*power[MB_POWER_SIZES])(mb_words_out result, mb_words_in base,
					  mb_words_in exponent, int exponent_bits,
					  mb_words_in modulus, int modulus_bits, uint8_t *scratch,
					  int scratch_bytes);
	uint32_t (*sm2_sign)(mb_bytes_out r, mb_bytes_out s, mb_bytes_in id, const int *id_bytes,
			     mb_bytes_in message, const int *message_bytes, mb_words_in nonce,
			     mb_words_in key, mb_words_in x, mb_words_in y, mb_words_in z,
			     uint8_t *scratch);
	uint32_t (*sm2_verify)(mb_bytes_in r, mb_bytes_in s, mb_bytes_in id, const int *id_bytes,
			       mb_bytes_in message, const int *message_bytes, mb_words_in x,
			       mb_words_in y, mb_words_in z, uint8_t *scratch);
	uint32_t (*x25519_public)(mb_bytes_out public_key, mb_bytes_in scalar);
	uint32_t (*x25519)(mb_bytes_out shared, mb_bytes_in scalar, mb_bytes_in public_key);
};

/*
 * Find the library. which is "auto" (the system's, the file in the
 * environment's PLX_CRYPTO_MB, the build's option crypto_mb, or none), "off", or a
 * file. *out is NULL when ops are done without it. A file that is named and cannot be used is an
 * error, -ENOENT or -ENOTSUP.
 */
int mb_calls_find(const char *which, const struct mb_calls **out, struct plx_err *err)
	PLX_MUST_CHECK;

/* What does asymmetric ops, for a log line. */
const char *mb_calls_name(const struct mb_calls *calls);

#endif
