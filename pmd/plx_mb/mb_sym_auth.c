/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <string.h>

#include <rte_common.h>

#include "mb_sym_priv.h"

/*
 * Digests and MACs. SHA-1 and SHA-2 begin with a copy of a state that the session holds: the start,
 * or for an HMAC the state behind the padded key, so an op never sees the key. An HMAC of SHA-3 or
 * SM3 hashes its padded keys, a block each, for each op: OpenSSL copies such states only into
 * memory that it allocates.
 */

/* The next piece of len bytes from p on, which both move; returns its bytes, 0 at the end. */
static inline uint32_t
piece_next(struct mb_place *p, uint32_t *len, const uint8_t **at)
{
	uint32_t n = RTE_MIN(RTE_MIN(*len, MB_SYM_STEP), p->left);

	*at = p->at;
	if (n > 0)
		mb_place_skip(p, n);
	*len -= n;
	return n;
}

static bool
sha_feed(const struct mb_sha *sha, union mb_sha_state *state, struct mb_place p, uint32_t len)
{
	const uint8_t *at;
	uint32_t n;

	while ((n = piece_next(&p, &len, &at)) > 0) {
		if (sha->update(state, at, n) != 1)
			return false;
	}
	return true;
}

static bool
sha_run(const struct mb_sym_auth *a, struct mb_sym_ctx *ctx, struct mb_place p, uint32_t len)
{
	const struct mb_sha *sha = a->sha;

	memcpy(&ctx->state, &a->inner, sha->state_bytes);
	if (!sha_feed(sha, &ctx->state, p, len) || sha->final(ctx->tag, &ctx->state) != 1)
		return false;
	if (a->mode == MB_AUTH_SHA)
		return true;
	memcpy(&ctx->state, &a->outer, sha->state_bytes);
	return sha->update(&ctx->state, ctx->tag, sha->digest_bytes) == 1 &&
	       sha->final(ctx->tag, &ctx->state) == 1;
}

static bool
md_feed(const struct mb_prov_md *md, void *ctx, struct mb_place p, uint32_t len)
{
	const uint8_t *at;
	uint32_t n;

	while ((n = piece_next(&p, &len, &at)) > 0) {
		if (md->update(ctx, at, n) != 1)
			return false;
	}
	return true;
}

static bool
md_final(const struct mb_prov_md *md, struct mb_sym_ctx *ctx)
{
	size_t len;

	return md->final(ctx->md, ctx->tag, &len, sizeof(ctx->tag)) == 1;
}

static bool
md_run(const struct mb_sym_auth *a, struct mb_sym_ctx *ctx, struct mb_place p, uint32_t len)
{
	const struct mb_prov_md *md = &a->md;
	bool is_hmac = a->mode == MB_AUTH_MD_HMAC;

	if (md->init(ctx->md, NULL) != 1 ||
	    (is_hmac && md->update(ctx->md, a->inner_pad, a->pad_bytes) != 1) ||
	    !md_feed(md, ctx->md, p, len) || !md_final(md, ctx))
		return false;
	return !is_hmac || (md->init(ctx->md, NULL) == 1 &&
			    md->update(ctx->md, a->outer_pad, a->pad_bytes) == 1 &&
			    md->update(ctx->md, ctx->tag, a->full_bytes) == 1 && md_final(md, ctx));
}

static bool
cmac_run(struct mb_sym_ctx *ctx, struct mb_place p, uint32_t len)
{
	const uint8_t *at;
	size_t tag_len;
	uint32_t n;

	if (CMAC_Init(ctx->cmac, NULL, 0, NULL, NULL) != 1) /* the same key anew */
		return false;
	while ((n = piece_next(&p, &len, &at)) > 0) {
		if (CMAC_Update(ctx->cmac, at, n) != 1)
			return false;
	}
	return CMAC_Final(ctx->cmac, ctx->tag, &tag_len) == 1;
}

/* GCM of nothing, with the message as AAD (SP 800-38D 3). */
static bool
gmac_run(const struct mb_sym_auth *a, struct mb_sym_ctx *ctx, const uint8_t *iv, struct mb_place p,
	 uint32_t len)
{
	const struct mb_prov_cipher *prov = &a->prov;
	const uint8_t *at;
	size_t out_len;
	uint32_t n;

	if (prov->encrypt_init(ctx->gmac, NULL, 0, iv, a->iv_bytes, NULL) != 1)
		return false;
	while ((n = piece_next(&p, &len, &at)) > 0) {
		if (prov->update(ctx->gmac, NULL, &out_len, n, at, n) != 1)
			return false;
	}
	if (prov->final(ctx->gmac, ctx->tag, &out_len, sizeof(ctx->tag)) != 1)
		return false;
	ctx->tag_param[0].data = ctx->tag;
	return prov->get_params(ctx->gmac, ctx->tag_param) == 1;
}

bool
mb_sym_auth_run(const struct mb_sym_auth *a, struct mb_sym_ctx *ctx, const uint8_t *iv,
		struct mb_place p, uint32_t len)
{
	switch (a->mode) {
	case MB_AUTH_SHA:
	case MB_AUTH_SHA_HMAC:
		return sha_run(a, ctx, p, len);
	case MB_AUTH_MD:
	case MB_AUTH_MD_HMAC:
		return md_run(a, ctx, p, len);
	case MB_AUTH_CMAC:
		return cmac_run(ctx, p, len);
	case MB_AUTH_GMAC:
		return gmac_run(a, ctx, iv, p, len);
	default:
		return false;
	}
}
