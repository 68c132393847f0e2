/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef RSA_COMPAT_H
#define RSA_COMPAT_H

#include <rte_crypto.h>
#include <rte_crypto_asym.h>
#include <rte_version.h>

/*
 * The one place of the keystore that looks at DPDK's version. Up to 23.11 an RSA op names its
 * padding and the session holds the private exponent or the five CRT numbers, in a union;
 * from 24.11 on the session names the padding and holds both. Keys of curves are in each op up
 * to 22.11, in the session later.
 */

#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define RSA_COMPAT_PADDING_IN_SESSION 1
#else
#define RSA_COMPAT_PADDING_IN_SESSION 0
#endif

#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
#define EC_COMPAT_KEY_IN_SESSION 1
#else
#define EC_COMPAT_KEY_IN_SESSION 0
#endif

static inline void
rsa_compat_xform_padding(struct rte_crypto_rsa_xform *rsa, enum rte_crypto_rsa_padding_type type)
{
#if RSA_COMPAT_PADDING_IN_SESSION
	rsa->padding.type = type;
#else
	(void)rsa;
	(void)type;
#endif
}

static inline void
rsa_compat_op_padding(struct rte_crypto_rsa_op_param *rsa, enum rte_crypto_rsa_padding_type type)
{
#if RSA_COMPAT_PADDING_IN_SESSION
	(void)rsa;
	(void)type;
#else
	rsa->padding.type = type;
#endif
}

/* Must the session hold one form of the private key only? */
static inline bool
rsa_compat_one_form(void)
{
	return !RSA_COMPAT_PADDING_IN_SESSION;
}

#endif
