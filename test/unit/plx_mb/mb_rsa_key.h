/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef MB_RSA_KEY_H
#define MB_RSA_KEY_H

#include "mb_rig.h"

/* An RSA key of OpenSSL's and its numbers for a transform. */
struct rsa_key {
	EVP_PKEY *pkey;
	size_t bytes;
	struct rig_num n, e, d, p, q, dp, dq, qi;
};

void rsa_key_make(struct rsa_key *k, unsigned int bits);
void rsa_key_take(struct rsa_key *k, EVP_PKEY *pkey); /* has a private part */
void rsa_key_free(struct rsa_key *k);

enum rsa_parts { RSA_CRT, RSA_EXPONENT, RSA_PUBLIC_ONLY };

/* The transform; padding matters from 24.11 on, op_padding() before. */
void rsa_xform(const struct rsa_key *k, enum rsa_parts parts,
	       const struct rte_crypto_rsa_padding *padding, struct rte_crypto_asym_xform *out);
void rsa_op_padding(struct rte_crypto_op *op, const struct rte_crypto_rsa_padding *padding);

#endif
