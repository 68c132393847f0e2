/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <string.h>

#include <rte_common.h>

#include "mb_sym_priv.h"

#include "plx_secret.h"

/*
 * AES-XTS, data unit by data unit. A unit is done in one call, so one in several pieces goes over
 * the bounce buffer; units in one piece are given in lots, whose tweaks are made together.
 */

#define LOT 16u

/* The number of the next unit: 128 bits, little-endian (IEEE 1619 5.1). */
static void
iv_count_up(uint8_t *iv)
{
	for (uint32_t i = 0; i < PLX_XTS_IV_BYTES; i++) {
		if (++iv[i] != 0)
			return;
	}
}

static bool
units_crypt(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, const struct plx_xts_unit *units,
	    uint32_t nb)
{
	if (c->xts != NULL)
		return (c->is_encrypt ? plx_xts_encrypt_units(c->xts, units, nb)
				      : plx_xts_decrypt_units(c->xts, units, nb)) == 0;
	for (uint32_t i = 0; i < nb; i++) {
		size_t len = units[i].len_bytes;

		if (c->init(ctx->cipher, NULL, 0, units[i].iv, PLX_XTS_IV_BYTES, NULL) != 1 ||
		    c->prov.cipher(ctx->cipher, units[i].out, &len, len, units[i].in, len) != 1)
			return false;
	}
	return true;
}

/* Up to LOT units that lie in one piece, in and out; returns how many, 0 when the next one does
 * not. */
/* NOLINTBEGIN(readability-function-size): whence, whither, two sizes, and the three it fills */
static uint32_t
lot_make(const struct mb_place *src, const struct mb_place *dst, uint32_t unit, uint32_t len,
	 uint8_t *iv, struct plx_xts_unit *lot, uint8_t (*ivs)[PLX_XTS_IV_BYTES])
{
	uint32_t room = RTE_MIN(len, RTE_MIN(src->left, dst->left));
	uint32_t nb = RTE_MIN(room / unit, LOT);

	for (uint32_t i = 0; i < nb; i++) {
		memcpy(ivs[i], iv, PLX_XTS_IV_BYTES);
		iv_count_up(iv);
		lot[i] = (struct plx_xts_unit){ .iv = ivs[i],
						.in = src->at + (size_t)i * unit,
						.out = dst->at + (size_t)i * unit,
						.len_bytes = unit };
	}
	return nb;
}
/* NOLINTEND(readability-function-size) */

static bool
unit_bounce(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, uint8_t *iv,
	    struct mb_place *src, struct mb_place *dst, uint32_t len)
{
	const struct plx_xts_unit unit = { iv, ctx->bounce, ctx->bounce, len };
	bool ok;

	mb_place_get(src, ctx->bounce, len);
	ok = units_crypt(c, ctx, &unit, 1);
	if (ok)
		mb_place_put(dst, ctx->bounce, len);
	plx_wipe(ctx->bounce, len);
	iv_count_up(iv);
	return ok;
}

bool
mb_sym_xts_run(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, const uint8_t *iv,
	       struct mb_place src, struct mb_place dst, uint32_t len)
{
	uint32_t unit = c->unit_bytes != 0 ? c->unit_bytes : len;
	uint8_t ivs[LOT][PLX_XTS_IV_BYTES];
	struct plx_xts_unit lot[LOT];
	uint8_t next[PLX_XTS_IV_BYTES];

	memcpy(next, iv, sizeof(next));
	while (len > 0) {
		uint32_t nb = lot_make(&src, &dst, unit, len, next, lot, ivs);

		if (nb == 0) {
			if (!unit_bounce(c, ctx, next, &src, &dst, unit))
				return false;
			len -= unit;
			continue;
		}
		if (!units_crypt(c, ctx, lot, nb))
			return false;
		mb_place_skip(&src, nb * unit);
		mb_place_skip(&dst, nb * unit);
		len -= nb * unit;
	}
	return true;
}
