/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_SUPPORT_REFERENCE_H
#define TEST_SUPPORT_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plx_alg.h"

/* The right answer of OpenSSL's own library for any symmetric row of the table. */

struct reference_in {
	struct plx_alg_spec spec;
	const uint8_t *key; /* spec.key_bytes of them */
	const uint8_t *iv;
	size_t iv_len;
	const uint8_t *aad;
	size_t aad_len;
	const uint8_t *msg;
	size_t msg_len;
	size_t tag_len; /* AEAD and MAC: bytes of tag wanted */
};

/* Encrypt (cipher has room for msg_len bytes), or digest or MAC (tag only). False when OpenSSL
 * cannot. */
bool reference_run(const struct reference_in *in, uint8_t *cipher, uint8_t *tag);

#endif
