/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stddef.h>

#include <rte_version.h>

#include "device_priv.h"

/*
 * The one place in this library that asks for the DPDK version: which parameters an asymmetric
 * transform carries, and how an algorithm's name is found.
 *
 *   22.11  RSA: d or the quintuple, in a union. EC: the curve alone, keys are in each op.
 *   23.11  EC: private and public key in the transform; SM2 is new. Names by function.
 *   24.11  RSA: d and the quintuple side by side, padding in the transform. EdDSA is new.
 */

static int
rsa_fields(struct rte_crypto_rsa_xform *rsa, rte_crypto_param **fields)
{
	int nb = 0;

	fields[nb++] = &rsa->n;
	fields[nb++] = &rsa->e;
#if RTE_VERSION < RTE_VERSION_NUM(24, 11, 0, 0)
	if (rsa->key_type == RTE_RSA_KEY_TYPE_EXP) {
		fields[nb++] = &rsa->d;
		return nb;
	}
#else
	fields[nb++] = &rsa->d;
	fields[nb++] = &rsa->padding.oaep_label;
#endif
	fields[nb++] = &rsa->qt.p;
	fields[nb++] = &rsa->qt.q;
	fields[nb++] = &rsa->qt.dP;
	fields[nb++] = &rsa->qt.dQ;
	fields[nb++] = &rsa->qt.qInv;
	return nb;
}

static int
ec_fields(struct rte_crypto_ec_xform *ec, rte_crypto_param **fields)
{
#if RTE_VERSION < RTE_VERSION_NUM(23, 11, 0, 0)
	(void)ec;
	(void)fields;
	return 0;
#else
	fields[0] = &ec->pkey;
	fields[1] = &ec->q.x;
	fields[2] = &ec->q.y;
	return 3;
#endif
}

/* Pointers to the parameters that carry bytes; their number, or -ENOTSUP for a type not known here.
 */
int
device_asym_fields(struct rte_crypto_asym_xform *xform,
		   rte_crypto_param *fields[DEVICE_ASYM_FIELDS_MAX])
{
	switch ((int)xform->xform_type) {
	case RTE_CRYPTO_ASYM_XFORM_RSA:
		return rsa_fields(&xform->rsa, fields);
	case RTE_CRYPTO_ASYM_XFORM_MODEX:
		fields[0] = &xform->modex.modulus;
		fields[1] = &xform->modex.exponent;
		return 2;
	case RTE_CRYPTO_ASYM_XFORM_MODINV:
		fields[0] = &xform->modinv.modulus;
		return 1;
	case RTE_CRYPTO_ASYM_XFORM_DH:
		fields[0] = &xform->dh.p;
		fields[1] = &xform->dh.g;
		return 2;
	case RTE_CRYPTO_ASYM_XFORM_DSA:
		fields[0] = &xform->dsa.p;
		fields[1] = &xform->dsa.q;
		fields[2] = &xform->dsa.g;
		fields[3] = &xform->dsa.x;
		return 4;
	case RTE_CRYPTO_ASYM_XFORM_ECDSA:
	case RTE_CRYPTO_ASYM_XFORM_ECDH:
	case RTE_CRYPTO_ASYM_XFORM_ECPM:
	case RTE_CRYPTO_ASYM_XFORM_ECFPM:
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
	case RTE_CRYPTO_ASYM_XFORM_SM2:
#endif
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
	case RTE_CRYPTO_ASYM_XFORM_EDDSA:
#endif
		return ec_fields(&xform->ec, fields);
	default:
		return -ENOTSUP;
	}
}

/* The RSA padding a transform asks for, -1 where it comes with each op. */
int
device_asym_padding(const struct rte_crypto_asym_xform *xform)
{
#if RTE_VERSION < RTE_VERSION_NUM(24, 11, 0, 0)
	(void)xform;
	return -1;
#else
	return xform->xform_type == RTE_CRYPTO_ASYM_XFORM_RSA ? (int)xform->rsa.padding.type : -1;
#endif
}

#if RTE_VERSION < RTE_VERSION_NUM(23, 11, 0, 0)

/* The tables' lengths are not exported; what lies behind the last one known here has no name. */
#define TABLE_NAME(table, algo, last)                                                              \
	((int)(algo) > 0 && (int)(algo) <= (int)(last) && (table)[algo] != NULL ? (table)[algo]    \
										: "?")

const char *
device_cipher_name(enum rte_crypto_cipher_algorithm algo)
{
	return TABLE_NAME(rte_crypto_cipher_algorithm_strings, algo, RTE_CRYPTO_CIPHER_SM4_CTR);
}

const char *
device_auth_name(enum rte_crypto_auth_algorithm algo)
{
	return TABLE_NAME(rte_crypto_auth_algorithm_strings, algo, RTE_CRYPTO_AUTH_SM3);
}

const char *
device_aead_name(enum rte_crypto_aead_algorithm algo)
{
	return TABLE_NAME(rte_crypto_aead_algorithm_strings, algo,
			  RTE_CRYPTO_AEAD_CHACHA20_POLY1305);
}

const char *
device_asym_name(enum rte_crypto_asym_xform_type type)
{
	if (type == RTE_CRYPTO_ASYM_XFORM_ECDH)
		return "ecdh"; /* left out of the table */
	return TABLE_NAME(rte_crypto_asym_xform_strings, type, RTE_CRYPTO_ASYM_XFORM_ECPM);
}

#else

static const char *
name_or_mark(const char *name)
{
	return name != NULL ? name : "?";
}

const char *
device_cipher_name(enum rte_crypto_cipher_algorithm algo)
{
	return name_or_mark(rte_cryptodev_get_cipher_algo_string(algo));
}

const char *
device_auth_name(enum rte_crypto_auth_algorithm algo)
{
	return name_or_mark(rte_cryptodev_get_auth_algo_string(algo));
}

const char *
device_aead_name(enum rte_crypto_aead_algorithm algo)
{
	return name_or_mark(rte_cryptodev_get_aead_algo_string(algo));
}

const char *
device_asym_name(enum rte_crypto_asym_xform_type type)
{
	return name_or_mark(rte_cryptodev_asym_get_xform_string(type));
}

#endif
