/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <openssl/err.h>
#include <rte_common.h>

#include "mb_sym_priv.h"

#include "plx_secret.h"

/*
 * AES-GCM, AES-CCM and ChaCha20-Poly1305. An op sets its IV, gives AAD and data, ends, and moves
 * its tag through one parameter whose room is the op's own digest: no control function builds a
 * list of parameters on the way. OpenSSL compares tags in constant time. What was decrypted before
 * the tag turned out wrong is wiped.
 */

static inline bool
iv_set(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, const uint8_t *iv)
{
	return c->init(ctx->cipher, NULL, 0, iv, c->iv_bytes, NULL) == 1;
}

static inline bool
tag_get(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, uint8_t *tag)
{
	ctx->tag_param[0].data = tag;
	return c->prov.get_params(ctx->cipher, ctx->tag_param) == 1;
}

static inline bool
tag_set(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, uint8_t *tag)
{
	ctx->tag_param[0].data = tag;
	return c->prov.set_params(ctx->cipher, ctx->tag_param) == 1;
}

/* out NULL: in is AAD; both NULL: in CCM, the length that is to come. */
static inline bool
feed(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, const uint8_t *in, uint8_t *out,
     size_t len)
{
	size_t out_len;

	return c->prov.update(ctx->cipher, out, &out_len, len, in, len) == 1;
}

/* AAD and data; GCM and ChaCha20-Poly1305 take both in any number of pieces. */
static inline bool
stream_feed(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, const struct mb_sym_job *job,
	    struct mb_place src, struct mb_place dst)
{
	uint32_t len = job->cipher_len;

	if (c->aad_bytes > 0 && !feed(c, ctx, job->aad, NULL, c->aad_bytes))
		return false;
	while (len > 0) {
		uint32_t n = RTE_MIN(RTE_MIN(len, MB_SYM_STEP), RTE_MIN(src.left, dst.left));

		if (!feed(c, ctx, src.at, dst.at, n))
			return false;
		mb_place_skip(&src, n);
		mb_place_skip(&dst, n);
		len -= n;
	}
	return true;
}

static enum rte_crypto_op_status
gcm_run(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, const struct mb_sym_job *job,
	const struct mb_place *src, const struct mb_place *dst)
{
	size_t len;

	if (unlikely(!iv_set(c, ctx, job->iv) || !stream_feed(c, ctx, job, *src, *dst)))
		return RTE_CRYPTO_OP_STATUS_ERROR;
	if (!c->is_encrypt && unlikely(!tag_set(c, ctx, job->digest)))
		return RTE_CRYPTO_OP_STATUS_ERROR;
	if (c->prov.final(ctx->cipher, ctx->tag, &len, sizeof(ctx->tag)) != 1)
		return RTE_CRYPTO_OP_STATUS_AUTH_FAILED;
	if (c->is_encrypt && unlikely(!tag_get(c, ctx, job->digest)))
		return RTE_CRYPTO_OP_STATUS_ERROR;
	return RTE_CRYPTO_OP_STATUS_SUCCESS;
}

/* The length, then AAD, then all data in one call (SP 800-38C A.2.1: lengths come first). */
static enum rte_crypto_op_status
ccm_call(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, const struct mb_sym_job *job,
	 const uint8_t *in, uint8_t *out)
{
	uint32_t len = job->cipher_len;

	if (!iv_set(c, ctx, job->iv + MB_SYM_CCM_SKIP) ||
	    (!c->is_encrypt && !tag_set(c, ctx, job->digest)) || !feed(c, ctx, NULL, NULL, len) ||
	    (c->aad_bytes > 0 && !feed(c, ctx, job->aad + MB_SYM_CCM_FRONT, NULL, c->aad_bytes)))
		return RTE_CRYPTO_OP_STATUS_ERROR;
	if (!feed(c, ctx, in, out, len))
		return c->is_encrypt ? RTE_CRYPTO_OP_STATUS_ERROR
				     : RTE_CRYPTO_OP_STATUS_AUTH_FAILED;
	if (c->is_encrypt && !tag_get(c, ctx, job->digest))
		return RTE_CRYPTO_OP_STATUS_ERROR;
	return RTE_CRYPTO_OP_STATUS_SUCCESS;
}

static enum rte_crypto_op_status
ccm_run(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, const struct mb_sym_job *job,
	const struct mb_place *src, const struct mb_place *dst)
{
	struct mb_place from = *src, to = *dst;
	uint32_t len = job->cipher_len;
	enum rte_crypto_op_status status;

	if (len == 0) /* OpenSSL takes no NULL here */
		return ccm_call(c, ctx, job, ctx->tag, ctx->tag);
	if (mb_place_has(src, len) && mb_place_has(dst, len))
		return ccm_call(c, ctx, job, src->at, dst->at);
	mb_place_get(&from, ctx->bounce, len);
	status = ccm_call(c, ctx, job, ctx->bounce, ctx->bounce);
	if (status == RTE_CRYPTO_OP_STATUS_SUCCESS)
		mb_place_put(&to, ctx->bounce, len);
	plx_wipe(ctx->bounce, len);
	return status;
}

/* With 15 - q bytes of nonce a length has q bytes (SP 800-38C A.1). */
static bool
ccm_len_ok(const struct mb_sym_cipher *c, const struct mb_place *src, const struct mb_place *dst,
	   uint32_t len)
{
	uint32_t q = 15u - c->iv_bytes;

	if (len > MB_SYM_STEP || (q < 4 && len >> (8 * q) != 0))
		return false;
	return len <= MB_SYM_BOUNCE || (mb_place_has(src, len) && mb_place_has(dst, len));
}

static bool
places_find(const struct mb_sym_job *job, struct mb_place *src, struct mb_place *dst)
{
	if (!mb_place_find(src, &job->src, job->cipher_off, job->cipher_len))
		return false;
	if (job->is_in_place) {
		*dst = *src;
		return true;
	}
	return mb_place_find(dst, &job->dst, job->cipher_off, job->cipher_len);
}

enum rte_crypto_op_status
mb_sym_aead_run(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, const struct mb_sym_job *job)
{
	enum rte_crypto_op_status status;
	struct mb_place src, dst;

	if (unlikely(!places_find(job, &src, &dst) || job->iv == NULL || job->digest == NULL ||
		     (c->aad_bytes > 0 && job->aad == NULL)))
		return RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	if (c->mode == MB_MODE_CCM) {
		if (!ccm_len_ok(c, &src, &dst, job->cipher_len))
			return RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
		status = ccm_run(c, ctx, job, &src, &dst);
	} else if (ctx->gcm != NULL && job->cipher_len <= MB_SYM_GCM_SHORT) {
		status = mb_sym_gcm_run(c, ctx->gcm, job, &src, &dst);
	} else {
		status = gcm_run(c, ctx, job, &src, &dst);
	}
	if (unlikely(status != RTE_CRYPTO_OP_STATUS_SUCCESS)) {
		mb_place_wipe(&dst, job->cipher_len);
		ERR_clear_error();
	}
	return status;
}
