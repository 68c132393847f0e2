/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <string.h>

#include <openssl/crypto.h>

#include "plx_ct.h"

/*
 * Up to eight powers in one call, each with a modulus of its own of the same length. The call takes
 * the time of the longest exponent, in words as the caller gave it, whatever its value is. What a
 * lane cannot take (a base that is not below the modulus, an exponent longer than it) is left to
 * the single op; so is a result that is not below the modulus, or a secret that is 0 or 1.
 */

static const int sizes[MB_POWER_SIZES] = { 1024, 2048, 3072, 4096 };

struct lanes {
	const uint64_t *base[MB_LANES];
	const uint64_t *exponent[MB_LANES];
	const uint64_t *modulus[MB_LANES];
	uint64_t *result[MB_LANES];
	size_t exponent_words; /* of the longest */
};

unsigned int
mb_power_size(int bits)
{
	unsigned int i;

	for (i = 0; i < MB_POWER_SIZES && sizes[i] != bits; i++)
		;
	return i;
}

static size_t
nb_words(const struct mb_mod *mod)
{
	return mod->bytes / sizeof(uint64_t);
}

/* a - less < b, in constant time but for the answer; b is odd. */
static bool
is_below(const uint64_t *a, const uint64_t *b, size_t nb, uint64_t less)
{
	unsigned __int128 diff;
	uint64_t borrow = 0;
	bool below;
	size_t i;

	for (i = 0; i < nb; i++) {
		diff = (unsigned __int128)a[i] - (i == 0 ? b[0] - less : b[i]) - borrow;
		borrow = (uint64_t)(diff >> 64) & 1;
	}
	below = borrow != 0;
	plx_ct_public(&below, sizeof(below));
	return below;
}

static bool
is_zero_or_one(const uint64_t *a, size_t nb)
{
	uint64_t other = a[0] & ~(uint64_t)1;
	bool is;
	size_t i;

	for (i = 1; i < nb; i++)
		other |= a[i];
	is = other == 0;
	plx_ct_public(&is, sizeof(is));
	return is;
}

/* A number of an op as words of the modulus' length; false when it is longer. */
static bool
number_put(const struct mb_mod *mod, const rte_crypto_param *p, uint64_t *words)
{
	uint8_t bytes[MB_POWER_BYTES];
	bool ok;

	ok = mb_param_ok(p, MB_MOD_BYTES) && mb_param_put(p, bytes, mod->bytes);
	if (ok)
		mb_words_from_bytes(words, nb_words(mod), bytes, mod->bytes);
	OPENSSL_cleanse(bytes, sizeof(bytes));
	return ok;
}

static void
exponent_set(struct lanes *l, unsigned int lane, const uint64_t *words, size_t nb)
{
	l->exponent[lane] = words;
	l->exponent_words = RTE_MAX(l->exponent_words, nb);
}

static void
lane_set(struct mb_asym_qp *a, struct lanes *l, const struct mb_mod *mod, unsigned int lane,
	 const uint64_t *base)
{
	l->base[lane] = base;
	l->modulus[lane] = mod->words;
	l->result[lane] = a->powers[lane][MB_POWER_RESULT];
}

static bool
modexp_fill(struct mb_asym_qp *a, struct lanes *l, const struct rte_crypto_op *op,
	    unsigned int lane)
{
	const struct mb_mod *mod = &mb_asym_sess_of(op)->mod;
	uint64_t *base = a->powers[lane][MB_POWER_BASE];

	if (op->asym->modex.result.data == NULL || !number_put(mod, &op->asym->modex.base, base) ||
	    !is_below(base, mod->words, nb_words(mod), 0))
		return false;
	exponent_set(l, lane, mod->words + nb_words(mod), mod->exponent_words);
	lane_set(a, l, mod, lane, base);
	return true;
}

static bool
dh_fill(struct mb_asym_qp *a, struct lanes *l, const struct rte_crypto_op *op, unsigned int lane)
{
	const struct mb_mod *mod = &mb_asym_sess_of(op)->mod;
	uint64_t *base = a->powers[lane][MB_POWER_BASE], *x = a->powers[lane][MB_POWER_EXPONENT];
	const struct rte_crypto_dh_op_param *p = &op->asym->dh;
	size_t nb = nb_words(mod);

	if (p->ke_type == RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE) {
		memcpy(base, mod->words + nb, mod->bytes);
		if (p->pub_key.data == NULL || !is_below(base, mod->words, nb, 0))
			return false;
	} else if (p->shared_secret.data == NULL || !number_put(mod, &p->pub_key, base) ||
		   !is_below(base, mod->words, nb, 1) || is_zero_or_one(base, nb)) {
		/* SP 800-56A 5.6.2.3.1: 2 <= y <= p - 2 */
		return false;
	}
	if (!number_put(mod, &p->priv_key, x))
		return false;
	exponent_set(l, lane, x, RTE_MIN((p->priv_key.length + sizeof(*x) - 1) / sizeof(*x), nb));
	lane_set(a, l, mod, lane, base);
	return true;
}

/* The result, as long as the modulus or, is_short, without zeros on the left. */
static void
give(const struct mb_mod *mod, const uint64_t *words, rte_crypto_param *out, bool is_short)
{
	size_t len = mod->bytes, i;

	while (is_short && len > 0 && (words[(len - 1) / 8] >> ((len - 1) % 8 * 8) & 0xff) == 0)
		len--;
	for (i = 0; i < len; i++)
		out->data[len - 1 - i] = (uint8_t)(words[i / 8] >> (i % 8 * 8));
	out->length = len;
}

static bool
modexp_end(struct rte_crypto_op *op, const struct mb_mod *mod, const uint64_t *result)
{
	give(mod, result, &op->asym->modex.result, false);
	return true;
}

static bool
dh_end(struct rte_crypto_op *op, const struct mb_mod *mod, const uint64_t *result)
{
	struct rte_crypto_dh_op_param *p = &op->asym->dh;

	if (p->ke_type == RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE) {
		give(mod, result, &p->pub_key,
		     (op->asym->flags & RTE_CRYPTO_ASYM_FLAG_PUB_KEY_NO_PADDING) != 0);
		return true;
	}
	if (is_zero_or_one(result, nb_words(mod)))
		return false;
	give(mod, result, &p->shared_secret,
	     (op->asym->flags & RTE_CRYPTO_ASYM_FLAG_SHARED_KEY_NO_PADDING) != 0);
	return true;
}

/* How a family of ops has its numbers, and what it does with a result. */
struct family {
	bool (*fill)(struct mb_asym_qp *a, struct lanes *l, const struct rte_crypto_op *op,
		     unsigned int lane);
	bool (*end)(struct rte_crypto_op *op, const struct mb_mod *mod, const uint64_t *result);
	void (*one)(struct mb_qp *qp, struct rte_crypto_op *op);
};

static void
power_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb, unsigned int size,
	    const struct family *f)
{
	struct mb_asym_qp *a = qp->asym;
	struct lanes l = { .exponent_words = 1 };
	uint32_t status;
	unsigned int i;

	for (i = 0; i < nb; i++)
		(void)f->fill(a, &l, ops[i], i);
	status = qp->dev->calls->power[size](l.result, l.base, l.exponent,
					     (int)l.exponent_words * 64, l.modulus, sizes[size],
					     a->scratch, (int)a->scratch_bytes);
	for (i = 0; i < nb; i++) {
		const struct mb_mod *mod = &mb_asym_sess_of(ops[i])->mod;

		if (l.result[i] != NULL && mb_lane_is_right(status, i) &&
		    is_below(l.result[i], mod->words, nb_words(mod), 0) &&
		    f->end(ops[i], mod, l.result[i]))
			mb_set(ops[i], RTE_CRYPTO_OP_STATUS_SUCCESS);
		else
			f->one(qp, ops[i]);
	}
	OPENSSL_cleanse(a->powers, sizeof(a->powers));
}

void
mb_modexp_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb, enum mb_kind kind)
{
	static const struct family modexp = { modexp_fill, modexp_end, mb_modexp_one };

	power_eight(qp, ops, nb, kind - MB_MODEXP, &modexp);
}

void
mb_dh_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb, enum mb_kind kind)
{
	static const struct family dh = { dh_fill, dh_end, mb_dh_one };

	power_eight(qp, ops, nb, kind - MB_DH, &dh);
}
