/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <rte_common.h>

#include "mb_sym_priv.h"

#include "plx_secret.h"

/*
 * Contexts: what OpenSSL changes while it runs an op. One is made from a session's key the first
 * time a queue pair meets the session; keys are expanded then and never again.
 */

/* An AEAD, or GMAC. The sizes of IV and tag come before the key. */
static EVP_CIPHER_CTX *
aead_ctx_create(const EVP_CIPHER *evp, const uint8_t *key, int iv_bytes, int ccm_tag_bytes,
		int is_encrypt)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

	if (ctx != NULL && EVP_CipherInit_ex2(ctx, evp, NULL, NULL, is_encrypt, NULL) == 1 &&
	    EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, iv_bytes, NULL) == 1 &&
	    (ccm_tag_bytes == 0 ||
	     EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, ccm_tag_bytes, NULL) == 1) &&
	    EVP_CipherInit_ex2(ctx, NULL, key, NULL, is_encrypt, NULL) == 1)
		return ctx;
	EVP_CIPHER_CTX_free(ctx);
	return NULL;
}

static bool
cipher_make(struct mb_sym_ctx *ctx, const struct mb_sym_cipher *c)
{
	if (c->xts != NULL)
		return true;
	if (c->mode == MB_MODE_GCM || c->mode == MB_MODE_CCM) {
		ctx->tag_param[0] = OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG,
								      ctx->tag, c->tag_bytes);
		ctx->cipher =
			aead_ctx_create(c->evp, c->key, c->iv_bytes,
					c->mode == MB_MODE_CCM ? c->tag_bytes : 0, c->is_encrypt);
		return ctx->cipher != NULL;
	}
	ctx->cipher = EVP_CIPHER_CTX_new();
	return ctx->cipher != NULL &&
	       EVP_CipherInit_ex2(ctx->cipher, c->evp, c->key, NULL, c->is_encrypt, NULL) == 1;
}

/* A context that has read the block with a key and a pad; of a hash, none. */
static EVP_MD_CTX *
md_state_create(const struct mb_sym_auth *a, uint8_t pad)
{
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	uint8_t block[MB_SYM_KEY_MAX];
	bool ok = md != NULL && EVP_DigestInit_ex2(md, a->md, NULL) == 1;

	if (a->mode == MB_AUTH_MD_HMAC) {
		for (uint32_t i = 0; i < a->key_bytes; i++)
			block[i] = a->key[i] ^ pad;
		ok = ok && EVP_DigestUpdate(md, block, a->key_bytes) == 1;
		plx_wipe(block, sizeof(block));
	}
	if (ok)
		return md;
	EVP_MD_CTX_free(md);
	return NULL;
}

static bool
auth_make(struct mb_sym_ctx *ctx, const struct mb_sym_auth *a)
{
	switch (a->mode) {
	case MB_AUTH_MD:
	case MB_AUTH_MD_HMAC:
		ctx->md = EVP_MD_CTX_new();
		ctx->inner = md_state_create(a, 0x36);
		ctx->outer = md_state_create(a, 0x5c);
		return ctx->md != NULL && ctx->inner != NULL && ctx->outer != NULL;
	case MB_AUTH_CMAC:
		ctx->cmac = CMAC_CTX_new();
		return ctx->cmac != NULL &&
		       CMAC_Init(ctx->cmac, a->key, a->key_bytes, a->evp, NULL) == 1;
	case MB_AUTH_GMAC:
		ctx->tag_param[0] = OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG,
								      ctx->tag, a->digest_bytes);
		ctx->gmac = aead_ctx_create(a->evp, a->key, a->iv_bytes, 0, 1);
		return ctx->gmac != NULL;
	case MB_AUTH_SHA:
	case MB_AUTH_SHA_HMAC:
	default:
		return true;
	}
}

static bool
has_cipher(const struct mb_sym_core *core)
{
	return core->kind != MB_SYM_AUTH;
}

static bool
has_auth(const struct mb_sym_core *core)
{
	return core->kind != MB_SYM_CIPHER && core->kind != MB_SYM_AEAD;
}

/* Messages and data units in several pieces go over a buffer. */
static bool
needs_bounce(const struct mb_sym_core *core)
{
	return has_cipher(core) &&
	       (core->cipher.mode == MB_MODE_XTS || core->cipher.mode == MB_MODE_CCM);
}

struct mb_sym_ctx *
mb_sym_ctx_create(const struct mb_sym_core *core, uint8_t *bounce)
{
	void *room = NULL;
	struct mb_sym_ctx *ctx;

	if (posix_memalign(&room, RTE_CACHE_LINE_SIZE, sizeof(*ctx)) != 0)
		return NULL;
	ctx = room;
	memset(ctx, 0, sizeof(*ctx));
	ctx->tag_param[1] = OSSL_PARAM_construct_end();
	ctx->bounce = bounce;
	if (bounce == NULL && needs_bounce(core)) {
		ctx->bounce = malloc(MB_SYM_BOUNCE);
		ctx->has_own_bounce = true;
		if (ctx->bounce == NULL)
			goto err_free_ctx;
	}
	if ((has_cipher(core) && !cipher_make(ctx, &core->cipher)) ||
	    (has_auth(core) && !auth_make(ctx, &core->auth)))
		goto err_free_ctx;
	return ctx;

err_free_ctx:
	mb_sym_ctx_free(ctx);
	return NULL;
}

void
mb_sym_ctx_free(struct mb_sym_ctx *ctx)
{
	if (ctx == NULL)
		return;
	EVP_CIPHER_CTX_free(ctx->cipher);
	EVP_CIPHER_CTX_free(ctx->gmac);
	CMAC_CTX_free(ctx->cmac);
	EVP_MD_CTX_free(ctx->md);
	EVP_MD_CTX_free(ctx->inner);
	EVP_MD_CTX_free(ctx->outer);
	if (ctx->has_own_bounce)
		free(ctx->bounce);
	plx_wipe(ctx, sizeof(*ctx));
	free(ctx);
}
