/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <errno.h>
#include <stdlib.h>

#include <openssl/err.h>

/*
 * Modular exponentiation, inversion, and Diffie-Hellman over a prime. With an odd modulus the time
 * does not depend on exponent or base (OpenSSL's constant-time functions); with an even one it
 * does, and no secret belongs there.
 */

static BIGNUM *
number(const rte_crypto_param *p)
{
	if (!mb_param_ok(p, MB_MOD_BYTES))
		return NULL;
	return BN_bin2bn(p->data, (int)p->length, NULL);
}

static int
mont_create(struct mb_mod *mod)
{
	BN_CTX *ctx = BN_CTX_new();
	int ret = -ENOMEM;

	mod->mont = BN_MONT_CTX_new();
	if (ctx != NULL && mod->mont != NULL && BN_MONT_CTX_set(mod->mont, mod->modulus, ctx) == 1)
		ret = 0;
	BN_CTX_free(ctx);
	return ret;
}

/* What a call of eight takes, when there is one for this modulus. */
static int
words_create(struct mb_mod *mod)
{
	uint8_t bytes[MB_POWER_BYTES];
	size_t nb = mod->bytes / 8;
	int bits;

	mod->size = MB_POWER_SIZES;
	if (mod->mont == NULL || mod->exponent == NULL)
		return 0;
	bits = BN_num_bits(mod->exponent);
	if (bits > BN_num_bits(mod->modulus))
		return 0;
	mod->size = mb_power_size(BN_num_bits(mod->modulus));
	if (mod->size == MB_POWER_SIZES)
		return 0;
	mod->words = calloc(2 * nb, sizeof(*mod->words));
	if (mod->words == NULL)
		return -ENOMEM;
	BN_bn2binpad(mod->modulus, bytes, (int)mod->bytes);
	mb_words_from_bytes(mod->words, nb, bytes, mod->bytes);
	BN_bn2binpad(mod->exponent, bytes, (int)mod->bytes);
	mb_words_from_bytes(mod->words + nb, nb, bytes, mod->bytes);
	OPENSSL_cleanse(bytes, sizeof(bytes));
	mod->exponent_words = RTE_MAX(((size_t)bits + 63) / 64, (size_t)1);
	return 0;
}

int
mb_mod_create(const rte_crypto_param *modulus, const rte_crypto_param *exponent, struct mb_mod *mod)
{
	mod->modulus = number(modulus);
	if (mod->modulus == NULL || BN_is_zero(mod->modulus) || BN_is_one(mod->modulus))
		return -EINVAL;
	mod->bytes = (uint32_t)BN_num_bytes(mod->modulus);
	if (exponent != NULL) {
		mod->exponent = number(exponent);
		if (mod->exponent == NULL)
			return -EINVAL;
		/* OpenSSL refuses the flag where it has no such code */
		if (BN_is_odd(mod->modulus))
			BN_set_flags(mod->exponent, BN_FLG_CONSTTIME);
	}
	if (BN_is_odd(mod->modulus) && mont_create(mod) < 0)
		return -ENOMEM;
	return words_create(mod);
}

void
mb_mod_free(struct mb_mod *mod)
{
	if (mod->words != NULL)
		OPENSSL_cleanse(mod->words, 2 * (size_t)mod->bytes);
	free(mod->words);
	BN_free(mod->modulus);
	BN_clear_free(mod->exponent);
	BN_MONT_CTX_free(mod->mont);
}

static bool
power(const struct mb_mod *mod, BIGNUM *r, const BIGNUM *base, const BIGNUM *exponent, BN_CTX *ctx)
{
	if (mod->mont == NULL)
		return BN_mod_exp(r, base, exponent, mod->modulus, ctx) == 1;
	return BN_mod_exp_mont_consttime(r, base, exponent, mod->modulus, ctx, mod->mont) == 1;
}

/* As long as the modulus; without zeros on the left where the op's flag says so. */
static bool
give(const struct mb_mod *mod, const BIGNUM *r, rte_crypto_param *out, bool is_short)
{
	int len = is_short ? BN_num_bytes(r) : (int)mod->bytes;

	if (out->data == NULL || BN_bn2binpad(r, out->data, len) < 0)
		return false;
	out->length = (size_t)len;
	return true;
}

static void
end(struct rte_crypto_op *op, bool ok, enum rte_crypto_op_status otherwise)
{
	if (!ok)
		ERR_clear_error();
	mb_set(op, ok ? RTE_CRYPTO_OP_STATUS_SUCCESS : otherwise);
}

static bool
take(struct rte_crypto_op *op, const rte_crypto_param *p, BIGNUM *to)
{
	if (to != NULL && mb_param_ok(p, MB_MOD_BYTES) &&
	    BN_bin2bn(p->data, (int)p->length, to) != NULL)
		return true;
	mb_set(op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	return false;
}

void
mb_modexp_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	const struct mb_mod *mod = &mb_asym_sess_of(op)->mod;
	struct rte_crypto_mod_op_param *p = &op->asym->modex;
	BN_CTX *ctx = qp->asym->bn;
	BIGNUM *base, *r;

	BN_CTX_start(ctx);
	base = BN_CTX_get(ctx);
	r = BN_CTX_get(ctx);
	if (take(op, &p->base, r != NULL ? base : NULL))
		end(op,
		    BN_nnmod(base, base, mod->modulus, ctx) &&
			    power(mod, r, base, mod->exponent, ctx) &&
			    give(mod, r, &p->result, false),
		    RTE_CRYPTO_OP_STATUS_ERROR);
	BN_CTX_end(ctx);
}

void
mb_modinv_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	const struct mb_mod *mod = &mb_asym_sess_of(op)->mod;
	struct rte_crypto_mod_op_param *p = &op->asym->modinv;
	BN_CTX *ctx = qp->asym->bn;
	BIGNUM *base, *r;

	BN_CTX_start(ctx);
	base = BN_CTX_get(ctx);
	r = BN_CTX_get(ctx);
	if (take(op, &p->base, r != NULL ? base : NULL)) {
		BN_set_flags(base, BN_FLG_CONSTTIME);
		end(op,
		    BN_mod_inverse(r, base, mod->modulus, ctx) != NULL &&
			    give(mod, r, &p->result, false),
		    RTE_CRYPTO_OP_STATUS_ERROR);
	}
	BN_CTX_end(ctx);
}

/* SP 800-56A 5.6.2.3.1: 2 <= y <= p - 2 */
static bool
is_public(const struct mb_mod *mod, const BIGNUM *y, BIGNUM *scratch)
{
	return BN_copy(scratch, mod->modulus) != NULL && BN_sub_word(scratch, 1) &&
	       !BN_is_zero(y) && !BN_is_one(y) && BN_cmp(y, scratch) < 0;
}

/* SP 800-56A 5.6.1.1.3 without q: 1 <= x <= p - 2 */
static bool
private_make(const struct mb_mod *mod, rte_crypto_param *out, BIGNUM *x, BIGNUM *range)
{
	if (BN_copy(range, mod->modulus) == NULL || !BN_sub_word(range, 2))
		return false;
	return BN_priv_rand_range(x, range) == 1 && BN_add_word(x, 1) == 1 &&
	       give(mod, x, out, false);
}

enum mb_kind
mb_dh_kind(const struct mb_asym_sess *sess, const struct rte_crypto_op *op)
{
	const struct rte_crypto_dh_op_param *p = &op->asym->dh;
	bool is_power = p->ke_type == RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE ||
			(p->ke_type == RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE && !sess->makes_pairs);

	return (enum mb_kind)(MB_DH + (is_power ? sess->mod.size : MB_POWER_SIZES));
}

void
mb_dh_one(struct mb_qp *qp, struct rte_crypto_op *op)
{
	const struct mb_mod *mod = &mb_asym_sess_of(op)->mod;
	struct rte_crypto_dh_op_param *p = &op->asym->dh;
	BN_CTX *ctx = qp->asym->bn;
	BIGNUM *x, *y, *r;
	bool ok = false;

	BN_CTX_start(ctx);
	x = BN_CTX_get(ctx);
	y = BN_CTX_get(ctx);
	r = BN_CTX_get(ctx);
	mb_set(op, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	if (r != NULL)
		BN_set_flags(x, BN_FLG_CONSTTIME);
	switch (r != NULL ? p->ke_type : RTE_CRYPTO_ASYM_KE_PUB_KEY_VERIFY) {
	case RTE_CRYPTO_ASYM_KE_PRIV_KEY_GENERATE:
		ok = p->priv_key.data != NULL && private_make(mod, &p->priv_key, x, y);
		break;
	case RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE:
		if (mb_asym_sess_of(op)->makes_pairs && p->priv_key.length == 0 &&
		    (p->priv_key.data == NULL || !private_make(mod, &p->priv_key, x, y)))
			break;
		ok = take(op, &p->priv_key, x) && power(mod, r, mod->exponent, x, ctx) &&
		     give(mod, r, &p->pub_key,
			  (op->asym->flags & RTE_CRYPTO_ASYM_FLAG_PUB_KEY_NO_PADDING) != 0);
		break;
	case RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE:
		ok = take(op, &p->priv_key, x) && take(op, &p->pub_key, y) &&
		     is_public(mod, y, r) && power(mod, r, y, x, ctx) && !BN_is_one(r) &&
		     give(mod, r, &p->shared_secret,
			  (op->asym->flags & RTE_CRYPTO_ASYM_FLAG_SHARED_KEY_NO_PADDING) != 0);
		break;
	case RTE_CRYPTO_ASYM_KE_PUB_KEY_VERIFY:
		ok = r != NULL && take(op, &p->pub_key, y) && is_public(mod, y, r);
		break;
	default:
		break;
	}
	if (r != NULL) {
		BN_clear(x);
		BN_clear(r);
	}
	BN_CTX_end(ctx);
	end(op, ok, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
}
