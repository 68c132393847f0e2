/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * What the devices behind can do, together, as one capability table. An algorithm that several have
 * becomes one row as long as that row says no more than they do: ranges of sizes are joined when
 * they differ in one dimension only and their union is a range again. Else there are two rows, that
 * of the earlier device first, since DPDK's look-up finds the first one. For asymmetric algorithms
 * the earlier device's kinds of operation count, since an operation goes to the first device that
 * has the session, whatever its kind.
 *
 * A table that a program was given lives as long as the device, also when another takes its place.
 */

#define NB_DIMS 4 /* key, digest, AAD, IV */

/* Features of operations, which every device that may get one has to have... */
#define FLAGS_ALL                                                                                  \
	(RTE_CRYPTODEV_FF_OOP_LB_IN_LB_OUT | RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED |                   \
	 RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA | RTE_CRYPTODEV_FF_CIPHER_MULTIPLE_DATA_UNITS |    \
	 RTE_CRYPTODEV_FF_CIPHER_WRAPPED_KEY | RTE_CRYPTODEV_FF_HW_ACCELERATED)
/* ... but chained buffers, which are kept away from devices that do not take them. */
#define FLAGS_SGL                                                                                  \
	(RTE_CRYPTODEV_FF_IN_PLACE_SGL | RTE_CRYPTODEV_FF_OOP_SGL_IN_LB_OUT |                      \
	 RTE_CRYPTODEV_FF_OOP_SGL_IN_SGL_OUT | RTE_CRYPTODEV_FF_OOP_LB_IN_SGL_OUT)
/* One device is enough: sessions decide. */
#define FLAGS_ANY                                                                                  \
	(RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO |                  \
	 RTE_CRYPTODEV_FF_SYM_OPERATION_CHAINING | RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_EXP |          \
	 RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_QT | RTE_CRYPTODEV_FF_CPU_SSE |                          \
	 RTE_CRYPTODEV_FF_CPU_AVX | RTE_CRYPTODEV_FF_CPU_AVX2 | RTE_CRYPTODEV_FF_CPU_AVX512 |      \
	 RTE_CRYPTODEV_FF_CPU_AESNI | RTE_CRYPTODEV_FF_CPU_NEON | RTE_CRYPTODEV_FF_CPU_ARM_CE)

static bool
range_has(const struct rte_crypto_param_range *r, uint32_t value)
{
	if (value < r->min || value > r->max)
		return false;
	return r->increment == 0 || (value - r->min) % r->increment == 0;
}

static bool
range_same(const struct rte_crypto_param_range *a, const struct rte_crypto_param_range *b)
{
	return a->min == b->min && a->max == b->max &&
	       (a->increment == b->increment || a->min == a->max);
}

/* Is each size of a one of b? */
static bool
range_within(const struct rte_crypto_param_range *a, const struct rte_crypto_param_range *b)
{
	uint32_t step = a->increment != 0 ? a->increment : 1;

	for (uint32_t v = a->min; v <= a->max; v += step)
		if (!range_has(b, v))
			return false;
	return true;
}

static uint16_t
gap(uint16_t a, uint16_t b)
{
	return a > b ? (uint16_t)(a - b) : (uint16_t)(b - a);
}

/* The union, when it is a range. Its step is that of one of the two or the gap between them. */
static bool
range_join(const struct rte_crypto_param_range *a, const struct rte_crypto_param_range *b,
	   struct rte_crypto_param_range *out)
{
	const uint16_t steps[] = { a->increment, b->increment, gap(a->min, b->min),
				   gap(a->max, b->min), gap(b->max, a->min) };

	for (size_t i = 0; i < RTE_DIM(steps); i++) {
		struct rte_crypto_param_range r = {
			.min = (uint16_t)RTE_MIN(a->min, b->min),
			.max = (uint16_t)RTE_MAX(a->max, b->max),
			.increment = steps[i],
		};
		bool exact = r.increment != 0;

		for (uint32_t v = r.min; exact && v <= r.max; v += r.increment)
			exact = range_has(a, v) || range_has(b, v);
		if (exact && range_within(a, &r) && range_within(b, &r)) {
			*out = r;
			return true;
		}
	}
	return false;
}

/* The sizes of a symmetric row, NULL in dimensions it has not. */
static void
dims_of(struct rte_cryptodev_symmetric_capability *sym,
	struct rte_crypto_param_range *dims[NB_DIMS])
{
	memset(dims, 0, NB_DIMS * sizeof(*dims));
	switch (sym->xform_type) {
	case RTE_CRYPTO_SYM_XFORM_CIPHER:
		dims[0] = &sym->cipher.key_size;
		dims[3] = &sym->cipher.iv_size;
		break;
	case RTE_CRYPTO_SYM_XFORM_AUTH:
		dims[0] = &sym->auth.key_size;
		dims[1] = &sym->auth.digest_size;
		dims[2] = &sym->auth.aad_size;
		dims[3] = &sym->auth.iv_size;
		break;
	case RTE_CRYPTO_SYM_XFORM_AEAD:
		dims[0] = &sym->aead.key_size;
		dims[1] = &sym->aead.digest_size;
		dims[2] = &sym->aead.aad_size;
		dims[3] = &sym->aead.iv_size;
		break;
	case RTE_CRYPTO_SYM_XFORM_NOT_SPECIFIED:
	default:
		break;
	}
}

static bool
same_algorithm(const struct rte_cryptodev_symmetric_capability *a,
	       const struct rte_cryptodev_symmetric_capability *b)
{
	if (a->xform_type != b->xform_type)
		return false;
	switch (a->xform_type) {
	case RTE_CRYPTO_SYM_XFORM_CIPHER:
		return a->cipher.algo == b->cipher.algo;
	case RTE_CRYPTO_SYM_XFORM_AUTH:
		return a->auth.algo == b->auth.algo;
	case RTE_CRYPTO_SYM_XFORM_AEAD:
		return a->aead.algo == b->aead.algo;
	case RTE_CRYPTO_SYM_XFORM_NOT_SPECIFIED:
	default:
		return false;
	}
}

/* Does row a say all that b says? */
static bool
sym_covers(struct rte_cryptodev_symmetric_capability *a,
	   struct rte_cryptodev_symmetric_capability *b)
{
	struct rte_crypto_param_range *da[NB_DIMS], *db[NB_DIMS];

	if (!same_algorithm(a, b))
		return false;
	dims_of(a, da);
	dims_of(b, db);
	for (uint32_t i = 0; i < NB_DIMS; i++)
		if (da[i] != NULL && !range_within(db[i], da[i]))
			return false;
	return true;
}

/* Take b into row a, if the row then says no more than the two did. */
static bool
sym_merge(struct rte_cryptodev_symmetric_capability *a,
	  struct rte_cryptodev_symmetric_capability *b)
{
	struct rte_crypto_param_range *da[NB_DIMS], *db[NB_DIMS];
	bool covers = true, is_covered = true;
	uint32_t nb_other = 0, other = 0;

	if (!same_algorithm(a, b) || (a->xform_type == RTE_CRYPTO_SYM_XFORM_CIPHER &&
				      a->cipher.dataunit_set != b->cipher.dataunit_set))
		return false;
	dims_of(a, da);
	dims_of(b, db);
	for (uint32_t i = 0; i < NB_DIMS; i++) {
		if (da[i] == NULL || range_same(da[i], db[i]))
			continue;
		nb_other++;
		other = i;
		covers = covers && range_within(db[i], da[i]);
		is_covered = is_covered && range_within(da[i], db[i]);
	}
	if (nb_other == 0 || covers)
		return true;
	if (is_covered) {
		*a = *b;
		return true;
	}
	return nb_other == 1 && range_join(da[other], db[other], da[other]);
}

static bool
asym_merge(const struct rte_cryptodev_asymmetric_xform_capability *a,
	   const struct rte_cryptodev_asymmetric_xform_capability *b)
{
	if (a->xform_type != b->xform_type)
		return false;
	/* lengths beyond the first row's run on the second device alone */
	return range_within(&b->modlen, &a->modlen);
}

static bool
merge(struct rte_cryptodev_capabilities *row, const struct rte_cryptodev_capabilities *more)
{
	struct rte_cryptodev_capabilities copy = *more;

	if (row->op != more->op)
		return false;
	if (row->op == RTE_CRYPTO_OP_TYPE_SYMMETRIC)
		return sym_merge(&row->sym, &copy.sym);
	return asym_merge(&row->asym.xform_capa, &more->asym.xform_capa);
}

static bool
is_wanted(const struct rte_cryptodev_capabilities *cap)
{
	return cap->op == RTE_CRYPTO_OP_TYPE_SYMMETRIC || cap->op == RTE_CRYPTO_OP_TYPE_ASYMMETRIC;
}

/* Rows in the order of the devices. Returns how many. */
static size_t
table_fill(const struct pollux_dev *dev, struct rte_cryptodev_capabilities *table)
{
	size_t nb = 0;

	for (uint32_t i = 0; i < dev->nb_inners; i++) {
		const struct rte_cryptodev_capabilities *cap;
		struct rte_cryptodev_info info;
		size_t row;

		rte_cryptodev_info_get(dev->inners[i]->dev_id, &info);
		for (cap = info.capabilities;
		     cap != NULL && cap->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; cap++) {
			if (!is_wanted(cap))
				continue;
			for (row = 0; row < nb && !merge(&table[row], cap); row++)
				;
			if (row == nb)
				table[nb++] = *cap;
		}
	}
	return nb;
}

static size_t
rows_max(const struct pollux_dev *dev)
{
	size_t nb = 1; /* the end's */

	for (uint32_t i = 0; i < dev->nb_inners; i++) {
		const struct rte_cryptodev_capabilities *cap;
		struct rte_cryptodev_info info;

		rte_cryptodev_info_get(dev->inners[i]->dev_id, &info);
		for (cap = info.capabilities;
		     cap != NULL && cap->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; cap++)
			nb++;
	}
	return nb;
}

/* Can a device that takes chained buffers do what this row says? */
static bool
row_takes_chains(const struct pollux_dev *dev, const struct rte_cryptodev_capabilities *row)
{
	for (uint32_t i = 0; i < dev->nb_inners; i++) {
		const struct rte_cryptodev_capabilities *cap;
		struct rte_cryptodev_info info;

		if (dev->inners[i]->dev->chains_broken)
			continue;
		rte_cryptodev_info_get(dev->inners[i]->dev_id, &info);
		for (cap = info.capabilities;
		     cap != NULL && cap->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; cap++) {
			struct rte_cryptodev_capabilities copy = *row, have = *cap;

			if (cap->op == RTE_CRYPTO_OP_TYPE_SYMMETRIC &&
			    sym_covers(&have.sym, &copy.sym))
				return true;
		}
	}
	return false;
}

/* Chained buffers are said to be taken only when they are for every algorithm in the table. */
static bool
all_take_chains(const struct pollux_dev *dev, const struct rte_cryptodev_capabilities *table)
{
	for (; table->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; table++)
		if (table->op == RTE_CRYPTO_OP_TYPE_SYMMETRIC && !row_takes_chains(dev, table))
			return false;
	return true;
}

static uint64_t
flags_of(const struct pollux_dev *dev, const struct rte_cryptodev_capabilities *table)
{
	uint64_t any = 0, all = FLAGS_ALL, sgl = FLAGS_SGL;

	for (uint32_t i = 0; i < dev->nb_inners; i++) {
		const struct plx_device *d = dev->inners[i]->dev;

		any |= d->feature_flags;
		if ((d->feature_flags & RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO) == 0)
			continue;
		all &= d->feature_flags;
		if (!d->chains_broken)
			sgl &= d->feature_flags;
	}
	any &= FLAGS_ANY;
	if ((any & RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO) == 0)
		return any;
	if (!all_take_chains(dev, table))
		sgl = 0;
	/* operations without a session get one of ours */
	return any | all | sgl | RTE_CRYPTODEV_FF_SYM_SESSIONLESS;
}

int
pollux_caps_update(struct pollux_dev *dev, struct plx_err *err)
{
	size_t rows = rows_max(dev);
	struct pollux_caps *caps;

	caps = calloc(1, sizeof(*caps) + rows * sizeof(caps->table[0]));
	if (caps == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for capabilities");
	(void)table_fill(dev, caps->table);
	caps->feature_flags = flags_of(dev, caps->table);
	caps->older = atomic_load_explicit(&dev->caps, memory_order_relaxed);
	/* pairs with the acquire in info_get(), which any thread may call */
	atomic_store_explicit(&dev->caps, caps, memory_order_release);
	dev->cryptodev->feature_flags = caps->feature_flags;
	return 0;
}

/* What an algorithm has, by any of its rows. */
struct fields_known {
	bool has_key;
	bool has_iv;
	bool has_digest;
	bool has_data_units;
};

static struct fields_known
fields_of(const struct pollux_caps *caps, const struct rte_cryptodev_symmetric_capability *what)
{
	const struct rte_cryptodev_capabilities *cap = caps->table;
	struct fields_known f = { .has_key = false };

	for (; cap->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; cap++) {
		struct rte_cryptodev_symmetric_capability row = cap->sym;
		struct rte_crypto_param_range *dims[NB_DIMS];

		if (cap->op != RTE_CRYPTO_OP_TYPE_SYMMETRIC || !same_algorithm(&row, what))
			continue;
		dims_of(&row, dims);
		f.has_key |= dims[0]->max != 0;
		f.has_iv |= dims[3]->max != 0;
		f.has_digest |= dims[1] != NULL && dims[1]->max != 0;
		f.has_data_units |= row.xform_type == RTE_CRYPTO_SYM_XFORM_CIPHER &&
				    row.cipher.dataunit_set != 0;
	}
	return f;
}

static void
cipher_clean(const struct pollux_caps *caps, struct rte_crypto_cipher_xform *x)
{
	const struct rte_cryptodev_symmetric_capability what = {
		.xform_type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher.algo = x->algo,
	};
	struct fields_known f = fields_of(caps, &what);

	if (!f.has_key)
		x->key.length = 0;
	if (!f.has_iv)
		x->iv.length = x->iv.offset = 0;
	/* there they decide what comes out: a device that does not cut them may not be asked to */
	if (!f.has_data_units && x->algo != RTE_CRYPTO_CIPHER_AES_XTS)
		x->dataunit_len = 0;
}

static void
auth_clean(const struct pollux_caps *caps, struct rte_crypto_auth_xform *x)
{
	const struct rte_cryptodev_symmetric_capability what = {
		.xform_type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.auth.algo = x->algo,
	};
	struct fields_known f = fields_of(caps, &what);

	if (!f.has_key)
		x->key.length = 0;
	if (!f.has_digest)
		x->digest_length = 0;
	if (!f.has_iv)
		x->iv.length = x->iv.offset = 0;
}

const struct rte_crypto_sym_xform *
pollux_caps_clean(const struct pollux_dev *dev, const struct rte_crypto_sym_xform *xform,
		  struct rte_crypto_sym_xform out[POLLUX_CHAIN_MAX])
{
	const struct pollux_caps *caps = atomic_load_explicit(&dev->caps, memory_order_acquire);
	const struct rte_crypto_sym_xform *x = xform;
	uint32_t nb = 0;

	for (; x != NULL; x = x->next) {
		if (nb == POLLUX_CHAIN_MAX)
			return xform;
		out[nb] = *x;
		out[nb].next = x->next != NULL ? &out[nb + 1] : NULL;
		if (x->type == RTE_CRYPTO_SYM_XFORM_CIPHER)
			cipher_clean(caps, &out[nb].cipher);
		else if (x->type == RTE_CRYPTO_SYM_XFORM_AUTH)
			auth_clean(caps, &out[nb].auth);
		nb++;
	}
	return nb != 0 ? out : NULL;
}

void
pollux_caps_free(struct pollux_dev *dev)
{
	struct pollux_caps *caps = atomic_load_explicit(&dev->caps, memory_order_relaxed);

	while (caps != NULL) {
		struct pollux_caps *older = caps->older;

		free(caps);
		caps = older;
	}
	atomic_store_explicit(&dev->caps, NULL, memory_order_relaxed);
}
