/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef SEAL_FORMAT_H
#define SEAL_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "plx_alg.h"
#include "plx_err.h"

/* The authenticated file, doc/file-format.md: a header, then records of data and tag. */

#define SEAL_HEADER_BYTES 32
#define SEAL_NONCE_BYTES  12
#define SEAL_TAG_BYTES    16
#define SEAL_AAD_BYTES    48
#define SEAL_RECORDS_MAX  0x100000000ULL /* SP 800-38D 8.3: invocations under one key */

struct seal_header {
	uint8_t alg; /* 1: AES-GCM, 2: ChaCha20-Poly1305 */
	uint8_t key_bytes;
	uint32_t record_bytes;
	uint8_t nonce[SEAL_NONCE_BYTES];
	uint8_t bytes[SEAL_HEADER_BYTES]; /* as in the file */
};

/* A fresh header with a random nonce; -ENOTSUP for an algorithm the format has no number for. */
int seal_header_make(struct seal_header *h, const struct plx_alg_spec *spec, uint32_t record_bytes,
		     struct plx_err *err);

/* Read one back; -EBADMSG when it is none, -ENOTSUP for a later version. */
int seal_header_parse(struct seal_header *h, const uint8_t *bytes, struct plx_err *err);

/* Does the header go with what the user said? */
int seal_header_match(const struct seal_header *h, const struct plx_alg_spec *spec,
		      struct plx_err *err);

/* Nonce and associated data of one record. */
void seal_record_nonce(const struct seal_header *h, uint64_t record, uint8_t *nonce);
void seal_record_aad(const struct seal_header *h, uint64_t record, bool is_last, uint8_t *aad);

/* Records of a file with so many bytes of plaintext, and of one with so many behind the header. */
uint64_t seal_nb_records(const struct seal_header *h, uint64_t plain_bytes);
int seal_nb_records_sealed(const struct seal_header *h, uint64_t sealed_bytes, uint64_t *nb,
			   uint32_t *last_bytes, struct plx_err *err);

#endif
