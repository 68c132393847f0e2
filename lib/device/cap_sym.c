/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device_priv.h"

/*
 * Does a device's capability array hold a symmetric transform? DPDK's own check answers yes or no;
 * this one reads the same array and says which size does not match and what it would take.
 *
 * A device may list an algorithm more than once, with other sizes; any entry will do, and the
 * sentence is about the last one.
 */

/* One transform, reduced to what a capability speaks about. */
struct need {
	enum rte_crypto_sym_xform_type type;
	int algo;
	const char *name;
	uint32_t key_bytes;
	uint32_t iv_bytes;
	uint32_t digest_bytes;
	uint32_t aad_bytes;
	uint32_t data_unit_bytes;
};

/* As DPDK reads a range: no increment means any size from min to max. */
bool
device_range_has(const struct rte_crypto_param_range *range, uint32_t value)
{
	if (value < range->min || value > range->max)
		return false;
	return range->increment == 0 || (value - range->min) % range->increment == 0;
}

/* "12", "16, 24 or 32", "1 to 64", "4 to 64 in steps of 4". */
const char *
device_range_text(const struct rte_crypto_param_range *range, char *buf, size_t len)
{
	unsigned int min = range->min;
	unsigned int max = range->max;
	unsigned int step = range->increment;

	if (min >= max)
		snprintf(buf, len, "%u", min);
	else if (step <= 1)
		snprintf(buf, len, "%u to %u", min, max);
	else if (max - min == step)
		snprintf(buf, len, "%u or %u", min, max);
	else if (max - min == 2 * step)
		snprintf(buf, len, "%u, %u or %u", min, min + step, max);
	else
		snprintf(buf, len, "%u to %u in steps of %u", min, max, step);
	return buf;
}

static int
size_check(const struct need *need, const char *field, uint32_t bytes,
	   const struct rte_crypto_param_range *range, struct plx_err *err)
{
	char text[64];

	if (device_range_has(range, bytes))
		return 0;
	if (range->max == 0)
		return plx_err_set(err, -ENOTSUP, "%s: %s of %u bytes; it takes none", need->name,
				   field, bytes);
	return plx_err_set(err, -ENOTSUP, "%s: %s of %u bytes; it takes %s", need->name, field,
			   bytes, device_range_text(range, text, sizeof(text)));
}

static int
data_unit_check(const struct need *need, uint32_t set, struct plx_err *err)
{
	uint32_t bit = 0;

	if (need->data_unit_bytes == 0)
		return 0;
	if (need->data_unit_bytes == 512)
		bit = RTE_CRYPTO_CIPHER_DATA_UNIT_LEN_512_BYTES;
	else if (need->data_unit_bytes == 4096)
		bit = RTE_CRYPTO_CIPHER_DATA_UNIT_LEN_4096_BYTES;
	else if (need->data_unit_bytes == 1024 * 1024)
		bit = RTE_CRYPTO_CIPHER_DATA_UNIT_LEN_1_MEGABYTES;
	if ((set & bit) != 0)
		return 0;
	return plx_err_set(err, -ENOTSUP,
			   "%s: data units of %u bytes; it cuts no such units, give one in each op",
			   need->name, need->data_unit_bytes);
}

static int
cipher_check(const struct need *need, const struct rte_cryptodev_symmetric_capability *cap,
	     struct plx_err *err)
{
	int ret = size_check(need, "key", need->key_bytes, &cap->cipher.key_size, err);

	if (ret == 0)
		ret = size_check(need, "IV", need->iv_bytes, &cap->cipher.iv_size, err);
	if (ret == 0)
		ret = data_unit_check(need, cap->cipher.dataunit_set, err);
	return ret;
}

static int
auth_check(const struct need *need, const struct rte_cryptodev_symmetric_capability *cap,
	   struct plx_err *err)
{
	int ret = size_check(need, "key", need->key_bytes, &cap->auth.key_size, err);

	if (ret == 0)
		ret = size_check(need, "digest", need->digest_bytes, &cap->auth.digest_size, err);
	if (ret == 0)
		ret = size_check(need, "IV", need->iv_bytes, &cap->auth.iv_size, err);
	return ret;
}

static int
aead_check(const struct need *need, const struct rte_cryptodev_symmetric_capability *cap,
	   struct plx_err *err)
{
	int ret = size_check(need, "key", need->key_bytes, &cap->aead.key_size, err);

	if (ret == 0)
		ret = size_check(need, "IV", need->iv_bytes, &cap->aead.iv_size, err);
	if (ret == 0)
		ret = size_check(need, "digest", need->digest_bytes, &cap->aead.digest_size, err);
	if (ret == 0)
		ret = size_check(need, "AAD", need->aad_bytes, &cap->aead.aad_size, err);
	return ret;
}

static bool
entry_is_for(const struct need *need, const struct rte_cryptodev_capabilities *cap)
{
	if (cap->op != RTE_CRYPTO_OP_TYPE_SYMMETRIC || cap->sym.xform_type != need->type)
		return false;
	switch (need->type) {
	case RTE_CRYPTO_SYM_XFORM_CIPHER:
		return (int)cap->sym.cipher.algo == need->algo;
	case RTE_CRYPTO_SYM_XFORM_AUTH:
		return (int)cap->sym.auth.algo == need->algo;
	case RTE_CRYPTO_SYM_XFORM_AEAD:
		return (int)cap->sym.aead.algo == need->algo;
	case RTE_CRYPTO_SYM_XFORM_NOT_SPECIFIED:
	default:
		return false;
	}
}

static int
entry_check(const struct need *need, const struct rte_cryptodev_capabilities *cap,
	    struct plx_err *err)
{
	if (need->type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		return cipher_check(need, &cap->sym, err);
	if (need->type == RTE_CRYPTO_SYM_XFORM_AUTH)
		return auth_check(need, &cap->sym, err);
	return aead_check(need, &cap->sym, err);
}

static int
need_check(const struct device *d, const struct need *need, struct plx_err *err)
{
	const struct rte_cryptodev_capabilities *cap;
	struct rte_cryptodev_info info;
	int ret = 1;

	rte_cryptodev_info_get(d->pub.dev_id, &info);
	for (cap = info.capabilities; cap != NULL && cap->op != RTE_CRYPTO_OP_TYPE_UNDEFINED;
	     cap++) {
		if (!entry_is_for(need, cap))
			continue;
		ret = entry_check(need, cap, err);
		if (ret == 0)
			return 0;
	}
	if (ret > 0)
		return plx_err_set(err, -ENOTSUP, "%s: not among its algorithms", need->name);
	return ret;
}

static int
need_of(const struct rte_crypto_sym_xform *x, struct need *need, struct plx_err *err)
{
	memset(need, 0, sizeof(*need));
	need->type = x->type;
	switch (x->type) {
	case RTE_CRYPTO_SYM_XFORM_CIPHER:
		need->algo = (int)x->cipher.algo;
		need->name = device_cipher_name(x->cipher.algo);
		need->key_bytes = x->cipher.key.length;
		need->iv_bytes = x->cipher.iv.length;
		need->data_unit_bytes = x->cipher.dataunit_len;
		return 0;
	case RTE_CRYPTO_SYM_XFORM_AUTH:
		need->algo = (int)x->auth.algo;
		need->name = device_auth_name(x->auth.algo);
		need->key_bytes = x->auth.key.length;
		need->iv_bytes = x->auth.iv.length;
		need->digest_bytes = x->auth.digest_length;
		return 0;
	case RTE_CRYPTO_SYM_XFORM_AEAD:
		need->algo = (int)x->aead.algo;
		need->name = device_aead_name(x->aead.algo);
		need->key_bytes = x->aead.key.length;
		need->iv_bytes = x->aead.iv.length;
		need->digest_bytes = x->aead.digest_length;
		need->aad_bytes = x->aead.aad_length;
		return 0;
	case RTE_CRYPTO_SYM_XFORM_NOT_SPECIFIED:
	default:
		return plx_err_set(err, -EINVAL,
				   "transform type %d is none; give cipher, auth or aead",
				   (int)x->type);
	}
}

int
device_cap_sym(const struct device *d, const struct rte_crypto_sym_xform *xform,
	       struct plx_err *err)
{
	struct need need;
	int ret;

	if ((d->pub.feature_flags & RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO) == 0)
		return plx_err_set(err, -ENOTSUP, "it does no symmetric operations");
	if (xform->next != NULL &&
	    (d->pub.feature_flags & RTE_CRYPTODEV_FF_SYM_OPERATION_CHAINING) == 0)
		return plx_err_set(err, -ENOTSUP,
				   "it does no chains; send cipher and digest one after the other");
	for (; xform != NULL; xform = xform->next) {
		ret = need_of(xform, &need, err);
		if (ret == 0)
			ret = need_check(d, &need, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}
