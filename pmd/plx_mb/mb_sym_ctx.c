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

static bool
size_set(const struct mb_prov_cipher *prov, void *ctx, const char *what, size_t bytes)
{
	const OSSL_PARAM params[] = {
		OSSL_PARAM_construct_size_t(what, &bytes),
		OSSL_PARAM_construct_end(),
	};

	return prov->set_params(ctx, params) == 1;
}

/* CCM: how long its tags will be (SP 800-38C: part of what is authenticated). */
static bool
tag_size_set(const struct mb_prov_cipher *prov, void *ctx, size_t bytes)
{
	const OSSL_PARAM params[] = {
		OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, bytes),
		OSSL_PARAM_construct_end(),
	};

	return prov->set_params(ctx, params) == 1;
}

static bool
cipher_make(struct mb_sym_ctx *ctx, const struct mb_sym_cipher *c)
{
	const struct mb_prov_cipher *prov = &c->prov;

	if (c->xts != NULL)
		return true;
	ctx->cipher = prov->newctx(prov->provctx);
	if (ctx->cipher == NULL)
		return false;
	if (c->tag_bytes > 0) {
		ctx->tag_param[0] = OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG,
								      ctx->tag, c->tag_bytes);
		if (!size_set(prov, ctx->cipher, OSSL_CIPHER_PARAM_AEAD_IVLEN, c->iv_bytes))
			return false;
	}
	if (c->mode == MB_MODE_CCM && !tag_size_set(prov, ctx->cipher, c->tag_bytes))
		return false;
	if (c->ecb.evp != NULL) {
		ctx->gcm = mb_sym_gcm_create(c);
		if (ctx->gcm == NULL)
			return false;
	}
	return c->init(ctx->cipher, c->key, c->key_bytes, NULL, 0, NULL) == 1;
}

static bool
gmac_make(struct mb_sym_ctx *ctx, const struct mb_sym_auth *a)
{
	const struct mb_prov_cipher *prov = &a->prov;

	ctx->tag_param[0] = OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, ctx->tag,
							      a->digest_bytes);
	ctx->gmac = prov->newctx(prov->provctx);
	return ctx->gmac != NULL &&
	       size_set(prov, ctx->gmac, OSSL_CIPHER_PARAM_AEAD_IVLEN, a->iv_bytes) &&
	       prov->encrypt_init(ctx->gmac, a->key, a->key_bytes, NULL, 0, NULL) == 1;
}

static bool
auth_make(struct mb_sym_ctx *ctx, const struct mb_sym_auth *a)
{
	switch (a->mode) {
	case MB_AUTH_MD:
	case MB_AUTH_MD_HMAC:
		ctx->md = a->md.newctx(a->md.provctx);
		return ctx->md != NULL;
	case MB_AUTH_CMAC:
		ctx->cmac = CMAC_CTX_new();
		return ctx->cmac != NULL &&
		       CMAC_Init(ctx->cmac, a->key, a->key_bytes, a->prov.evp, NULL) == 1;
	case MB_AUTH_GMAC:
		return gmac_make(ctx, a);
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
	mb_sym_ctx_free(core, ctx);
	return NULL;
}

void
mb_sym_ctx_free(const struct mb_sym_core *core, struct mb_sym_ctx *ctx)
{
	if (ctx == NULL)
		return;
	if (ctx->cipher != NULL)
		core->cipher.prov.freectx(ctx->cipher);
	if (ctx->gmac != NULL)
		core->auth.prov.freectx(ctx->gmac);
	if (ctx->md != NULL)
		core->auth.md.freectx(ctx->md);
	mb_sym_gcm_free(ctx->gcm);
	CMAC_CTX_free(ctx->cmac);
	if (ctx->has_own_bounce)
		free(ctx->bounce);
	plx_wipe(ctx, sizeof(*ctx));
	free(ctx);
}
