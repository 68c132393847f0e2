/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <errno.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/evp.h>

#include "plx_mb.h"

/*
 * Ed25519 (RFC 8032), in DPDK from 24.11 on, the plain variant. A session has the private key (32
 * bytes) or the public one (x, 32 bytes), or both; OpenSSL computes the second from the first,
 * since a signature made with another's public key gives the private one away.
 *
 * One at a time: crypto_mb 2021.12.1 made other signatures than OpenSSL on an emulated CPU, and its
 * verification compares s with the order digit by digit, so that some pass that are not below it
 * (RFC 8032 5.1.7).
 */

#if PLX_PMD_HAS_EDDSA

#define KEY_BYTES 32u
#define SIG_BYTES 64u

int
mb_eddsa_configure(int curve_id, struct mb_ec *ec)
{
	if (curve_id != RTE_CRYPTO_EC_GROUP_ED25519)
		return -ENOTSUP;
	ec->bytes = KEY_BYTES;
	if (ec->key_bytes == KEY_BYTES)
		ec->pkey = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, ec->key, KEY_BYTES);
	else if (ec->key_bytes == 0 && ec->x_bytes == KEY_BYTES)
		ec->pkey = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, ec->x, KEY_BYTES);
	if (ec->pkey == NULL) {
		ERR_clear_error();
		return -EINVAL;
	}
	ec->has_private = ec->key_bytes == KEY_BYTES;
	return 0;
}

enum mb_kind
mb_eddsa_kind(struct rte_crypto_op *op)
{
	const struct rte_crypto_eddsa_op_param *p = &op->asym->eddsa;
	const struct mb_ec *ec = &mb_asym_sess_of(op)->ec;

	op->status = RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	if (p->instance != RTE_CRYPTO_EDCURVE_25519 || p->sign.data == NULL ||
	    (p->message.data == NULL && p->message.length > 0))
		return MB_NB_KINDS;
	if (p->op_type == RTE_CRYPTO_ASYM_OP_VERIFY)
		return MB_EDDSA_VERIFY;
	return p->op_type == RTE_CRYPTO_ASYM_OP_SIGN && ec->has_private ? MB_EDDSA_SIGN
									: MB_NB_KINDS;
}

void
mb_eddsa_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	struct rte_crypto_eddsa_op_param *p = &op->asym->eddsa;
	const struct mb_ec *ec = &mb_asym_sess_of(op)->ec;
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	uint8_t *sig = qp->asym->out[0]; /* the message may lie where the signature goes */
	size_t len = SIG_BYTES;
	bool ok;

	if (p->op_type == RTE_CRYPTO_ASYM_OP_SIGN) {
		ok = ctx != NULL && EVP_DigestSignInit(ctx, NULL, NULL, NULL, ec->pkey) == 1 &&
		     EVP_DigestSign(ctx, sig, &len, p->message.data, p->message.length) == 1;
		if (ok) {
			memcpy(p->sign.data, sig, len);
			p->sign.length = len;
		}
		mb_set(op, ok ? RTE_CRYPTO_OP_STATUS_SUCCESS : RTE_CRYPTO_OP_STATUS_ERROR);
	} else {
		ok = ctx != NULL && EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, ec->pkey) == 1 &&
		     EVP_DigestVerify(ctx, p->sign.data, p->sign.length, p->message.data,
				      p->message.length) == 1;
		mb_set(op, ok ? RTE_CRYPTO_OP_STATUS_SUCCESS : RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	}
	if (!ok)
		ERR_clear_error();
	EVP_MD_CTX_free(ctx);
}

#else

void
mb_eddsa_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	(void)qp;
	mb_set(op, RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
}

#endif
