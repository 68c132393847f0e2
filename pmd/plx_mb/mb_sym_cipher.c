/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <string.h>

#include <rte_common.h>

#include "mb_sym_priv.h"

#include "plx_secret.h"

/*
 * Ciphers. The provider's function neither keeps back a part of a block nor pads, so a context
 * needs nothing but its IV for an op. A call goes on from where the one before ended, which is how
 * data in pieces is done; a block that lies in two pieces takes the way over a buffer of its own.
 */

static uint32_t
unit_of(const struct mb_sym_cipher *c)
{
	return c->mode == MB_MODE_BLOCKS ? MB_SYM_BLOCK : 1;
}

static bool
xts_len_ok(const struct mb_sym_cipher *c, const struct mb_place *src, const struct mb_place *dst,
	   uint32_t len)
{
	uint32_t unit = c->unit_bytes != 0 ? c->unit_bytes : len;

	if (len < PLX_XTS_BYTES_MIN || unit > PLX_XTS_BYTES_MAX || len % unit != 0)
		return false;
	return unit <= MB_SYM_BOUNCE || (mb_place_has(src, len) && mb_place_has(dst, len));
}

bool
mb_sym_cipher_len_ok(const struct mb_sym_cipher *c, const struct mb_place *src,
		     const struct mb_place *dst, uint32_t len)
{
	if (c->mode == MB_MODE_XTS)
		return xts_len_ok(c, src, dst, len);
	if (c->mode == MB_MODE_BLOCKS)
		return len > 0 && len % MB_SYM_BLOCK == 0;
	return true;
}

/* Block counters of 16 bytes are taken as they are; behind a nonce of 12 bytes the counter begins
 * at 1 (RFC 3686 4). */
static bool
iv_set(const struct mb_sym_cipher *c, void *ctx, const uint8_t *iv)
{
	uint8_t block[MB_SYM_BLOCK] = { 0 };

	if (c->iv_bytes == 0)
		return true;
	if (c->iv_bytes < MB_SYM_BLOCK) {
		memcpy(block, iv, c->iv_bytes);
		block[MB_SYM_BLOCK - 1] = 1;
		iv = block;
	}
	return c->init(ctx, NULL, 0, iv, MB_SYM_BLOCK, NULL) == 1;
}

/* Less than a block up to the end of a piece: the block is put together elsewhere. */
static bool
straddling_block(const struct mb_sym_cipher *c, void *ctx, struct mb_place *src,
		 struct mb_place *dst)
{
	uint8_t block[MB_SYM_BLOCK];
	size_t out_len;
	bool ok;

	mb_place_get(src, block, sizeof(block));
	ok = c->prov.cipher(ctx, block, &out_len, sizeof(block), block, sizeof(block)) == 1;
	mb_place_put(dst, block, sizeof(block));
	plx_wipe(block, sizeof(block));
	return ok;
}

bool
mb_sym_cipher_run(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, const uint8_t *iv,
		  struct mb_place src, struct mb_place dst, uint32_t len)
{
	uint32_t unit = unit_of(c);
	size_t out_len;

	if (c->mode == MB_MODE_XTS)
		return mb_sym_xts_run(c, ctx, iv, src, dst, len);
	if (unlikely(!iv_set(c, ctx->cipher, iv)))
		return false;
	while (len > 0) {
		uint32_t n = RTE_MIN(RTE_MIN(len, MB_SYM_STEP), RTE_MIN(src.left, dst.left));

		n -= n % unit;
		if (unlikely(n == 0)) {
			if (!straddling_block(c, ctx->cipher, &src, &dst))
				return false;
			len -= MB_SYM_BLOCK;
			continue;
		}
		if (c->prov.cipher(ctx->cipher, dst.at, &out_len, n, src.at, n) != 1)
			return false;
		mb_place_skip(&src, n);
		mb_place_skip(&dst, n);
		len -= n;
	}
	return true;
}
