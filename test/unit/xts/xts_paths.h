/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_XTS_PATHS_H
#define TEST_XTS_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/evp.h>

#include "xts_priv.h"

/*
 * What AES-XTS can run on here: each kernel that this CPU has the instructions for, and the source
 * of both vector kernels once more with its instructions made of narrower ones, so that it is
 * tested on any CPU with AVX2 and AES-NI.
 */

struct xts_path {
	const char *name; /* "vaes-avx512 (by AVX2 and AES-NI)" */
	const struct xts_kernel *kernel;
	bool is_emulated;
};

#define XTS_PATHS_MAX 5

struct xts_paths {
	struct xts_path path[XTS_PATHS_MAX];
	size_t nb;
};

extern const struct xts_kernel xts_emulated512;
extern const struct xts_kernel xts_emulated256;
bool xts_emulated_is_usable(void);

/* Say on standard output which there are, and which are not and why. */
void xts_paths_find(struct xts_paths *paths);

/* A key on a path, of bytes that differ for each seed; the bytes go to bytes[64]. */
void xts_path_key(const struct xts_path *path, struct plx_xts_key *key, uint8_t *bytes,
		  size_t len_bytes, uint64_t seed);

/* The expected bytes, from OpenSSL with one context a key. */
struct xts_oracle {
	EVP_CIPHER_CTX *enc;
	EVP_CIPHER_CTX *dec;
};

void xts_oracle_open(struct xts_oracle *o, const uint8_t *bytes, size_t len_bytes);
void xts_oracle_close(struct xts_oracle *o);
void xts_oracle_run(const struct xts_oracle *o, bool is_enc, const uint8_t *iv, const uint8_t *in,
		    uint8_t *out, size_t len_bytes);

/* Bytes that look random and are the same in each run. */
void xts_fill(uint8_t *out, size_t len_bytes, uint64_t seed);
uint64_t xts_random(uint64_t *seed);

#endif
