/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdio.h>

#include "device_priv.h"

/*
 * Does a device's capability array hold an asymmetric transform? The array speaks of the transform
 * type, the operations and the modulus; RSA's form of private key is a feature flag, its paddings
 * are known by driver.
 */

#define OP_BIT(op) (1u << (op))

static const struct rte_cryptodev_asymmetric_xform_capability *
entry_find(const struct device *d, int type)
{
	const struct rte_cryptodev_capabilities *cap;
	struct rte_cryptodev_info info;

	rte_cryptodev_info_get(d->pub.dev_id, &info);
	for (cap = info.capabilities; cap != NULL && cap->op != RTE_CRYPTO_OP_TYPE_UNDEFINED;
	     cap++) {
		if (cap->op == RTE_CRYPTO_OP_TYPE_ASYMMETRIC &&
		    (int)cap->asym.xform_capa.xform_type == type)
			return &cap->asym.xform_capa;
	}
	return NULL;
}

/* Bytes of a big-endian number without the zeros in front. */
static uint32_t
number_bytes(const rte_crypto_param *number)
{
	size_t i = 0;

	if (number->data == NULL)
		return 0;
	while (i < number->length && number->data[i] == 0)
		i++;
	return (uint32_t)(number->length - i);
}

static bool
has_modulus(int type)
{
	return type == RTE_CRYPTO_ASYM_XFORM_RSA || type == RTE_CRYPTO_ASYM_XFORM_DH ||
	       type == RTE_CRYPTO_ASYM_XFORM_DSA || type == RTE_CRYPTO_ASYM_XFORM_MODEX ||
	       type == RTE_CRYPTO_ASYM_XFORM_MODINV;
}

/* 0 stands for no limit at either end. */
static int
modulus_check(const struct rte_cryptodev_asymmetric_xform_capability *cap, const char *name,
	      uint32_t bytes, struct plx_err *err)
{
	struct rte_crypto_param_range range = cap->modlen;

	if (range.max == 0) {
		if (bytes >= range.min)
			return 0;
		return plx_err_set(err, -ENOTSUP,
				   "%s: modulus of %u bytes; it takes %u bytes or more", name,
				   bytes, range.min);
	}
	if (bytes < range.min || bytes > range.max ||
	    (range.increment > 1 && (bytes - range.min) % range.increment != 0)) {
		char text[64];

		return plx_err_set(err, -ENOTSUP, "%s: modulus of %u bytes; it takes %s", name,
				   bytes, device_range_text(&range, text, sizeof(text)));
	}
	return 0;
}

static int
padding_check(const struct device *d, int padding, struct plx_err *err)
{
	static const char *const names[] = {
		[RTE_CRYPTO_RSA_PADDING_NONE] = "none",
		[RTE_CRYPTO_RSA_PADDING_PKCS1_5] = "PKCS#1 v1.5",
		[RTE_CRYPTO_RSA_PADDING_OAEP] = "OAEP",
		[RTE_CRYPTO_RSA_PADDING_PSS] = "PSS",
	};

	if (padding < 0)
		return 0;
	if ((size_t)padding >= PLX_ARRAY_SIZE(names))
		return plx_err_set(err, -ENOTSUP, "rsa: padding number %d is not known", padding);
	if ((d->quirk->rsa_paddings & OP_BIT(padding)) != 0)
		return 0;
	return plx_err_set(err, -ENOTSUP, "rsa: padding %s; it takes none and PKCS#1 v1.5",
			   names[padding]);
}

static int
rsa_key_check(const struct device *d, const struct rte_crypto_rsa_xform *rsa, struct plx_err *err)
{
	const uint64_t both =
		RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_EXP | RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_QT;
	uint64_t takes = d->pub.feature_flags & both;
	bool is_public;

	if (rsa->key_type == RTE_RSA_KEY_TYPE_QT)
		is_public = rsa->qt.p.length == 0;
	else
		is_public = rsa->d.length == 0;
	/* a driver that sets neither flag says nothing */
	if (is_public || takes == 0)
		return 0;
	if (rsa->key_type == RTE_RSA_KEY_TYPE_QT &&
	    (takes & RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_QT) == 0)
		return plx_err_set(err, -ENOTSUP,
				   "rsa: private key as five CRT numbers; it takes the exponent d");
	if (rsa->key_type == RTE_RSA_KEY_TYPE_EXP &&
	    (takes & RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_EXP) == 0)
		return plx_err_set(err, -ENOTSUP,
				   "rsa: private key as exponent d; it takes the five CRT numbers");
	return 0;
}

static const rte_crypto_param *
modulus_of(const struct rte_crypto_asym_xform *xform)
{
	switch ((int)xform->xform_type) {
	case RTE_CRYPTO_ASYM_XFORM_RSA:
		return &xform->rsa.n;
	case RTE_CRYPTO_ASYM_XFORM_MODEX:
		return &xform->modex.modulus;
	case RTE_CRYPTO_ASYM_XFORM_MODINV:
		return &xform->modinv.modulus;
	case RTE_CRYPTO_ASYM_XFORM_DH:
		return &xform->dh.p;
	case RTE_CRYPTO_ASYM_XFORM_DSA:
		return &xform->dsa.p;
	default:
		return NULL;
	}
}

static int
feature_check(const struct device *d, struct plx_err *err)
{
	if ((d->pub.feature_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) == 0)
		return plx_err_set(err, -ENOTSUP, "it does no asymmetric operations");
	return 0;
}

int
device_cap_asym(const struct device *d, const struct rte_crypto_asym_xform *xform,
		struct plx_err *err)
{
	const struct rte_cryptodev_asymmetric_xform_capability *cap;
	const char *name = device_asym_name(xform->xform_type);
	const rte_crypto_param *modulus = modulus_of(xform);
	int ret = feature_check(d, err);

	if (ret < 0)
		return ret;
	cap = entry_find(d, (int)xform->xform_type);
	if (cap == NULL)
		return plx_err_set(err, -ENOTSUP, "%s: not among its algorithms", name);
	if (modulus != NULL) {
		ret = modulus_check(cap, name, number_bytes(modulus), err);
		if (ret < 0)
			return ret;
	}
	if (xform->xform_type != RTE_CRYPTO_ASYM_XFORM_RSA)
		return 0;
	ret = padding_check(d, device_asym_padding(xform), err);
	return ret < 0 ? ret : rsa_key_check(d, &xform->rsa, err);
}

/* The bit in op_types, or none where the type has no such operation. */
static uint32_t
op_bit(int type, enum plx_op op)
{
	bool is_exchange = type == RTE_CRYPTO_ASYM_XFORM_DH || type == RTE_CRYPTO_ASYM_XFORM_ECDH;

	if (is_exchange)
		return op == PLX_OP_DERIVE ? OP_BIT(RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE) : 0;
	switch ((int)op) {
	case PLX_OP_ENCRYPT:
		return OP_BIT(RTE_CRYPTO_ASYM_OP_ENCRYPT);
	case PLX_OP_DECRYPT:
		return OP_BIT(RTE_CRYPTO_ASYM_OP_DECRYPT);
	case PLX_OP_SIGN:
		return OP_BIT(RTE_CRYPTO_ASYM_OP_SIGN);
	case PLX_OP_VERIFY:
		return OP_BIT(RTE_CRYPTO_ASYM_OP_VERIFY);
	default:
		return 0;
	}
}

/* An algorithm of the table; the caller has checked that the algorithm has the operation. */
int
device_cap_asym_spec(const struct device *d, const struct plx_alg_spec *spec, enum plx_op op,
		     struct plx_err *err)
{
	const struct rte_cryptodev_asymmetric_xform_capability *cap;
	int type = spec->alg->rte_type;
	int ret;

	if (type == PLX_ALG_RTE_NONE)
		return plx_err_set(err, -ENOTSUP,
				   "%s: this DPDK version has no number for it, so no device can",
				   spec->alg->name);
	ret = feature_check(d, err);
	if (ret < 0)
		return ret;
	cap = entry_find(d, type);
	if (cap == NULL)
		return plx_err_set(err, -ENOTSUP, "%s: not among its algorithms", spec->alg->name);
	/* an empty set says nothing */
	if (cap->op_types != 0 && (cap->op_types & op_bit(type, op)) == 0)
		return plx_err_set(err, -ENOTSUP, "%s: %s is not among its operations",
				   spec->alg->name, plx_op_name(op));
	if (has_modulus(type)) {
		ret = modulus_check(cap, spec->alg->name, spec->key_bytes, err);
		if (ret < 0)
			return ret;
	}
	if (type == RTE_CRYPTO_ASYM_XFORM_RSA)
		return padding_check(d, spec->alg->rte_algo, err);
	return 0;
}
