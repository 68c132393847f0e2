/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

/*
 * What the device says it can do with keys in pairs. DPDK's tables name no curve and no padding;
 * doc/plx_mb.md has the rest of it. Padding and hashes up to 24.11 are checked op by op.
 */

#define OP(type) (1u << RTE_CRYPTO_ASYM_OP_##type)
#define KE(type) (1u << RTE_CRYPTO_ASYM_KE_##type)
#define ALL_KE                                                                                     \
	(KE(PRIV_KEY_GENERATE) | KE(PUB_KEY_GENERATE) | KE(SHARED_SECRET_COMPUTE) |                \
	 KE(PUB_KEY_VERIFY))

#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
#define HAS_RNG .internal_rng = 1
#else
#define HAS_RNG .modlen = { 0 }
#endif

#define ASYM(xform, ...)                                                                           \
	{                                                                                          \
		.op = RTE_CRYPTO_OP_TYPE_ASYMMETRIC,                                               \
		{ .asym = { .xform_capa = { .xform_type = RTE_CRYPTO_ASYM_XFORM_##xform,           \
					    __VA_ARGS__ } } },                                     \
	}
#define MODULUS(lo, hi) .modlen = { .min = (lo), .max = (hi), .increment = 1 }

const struct rte_cryptodev_capabilities mb_asym_caps[] = {
	ASYM(RSA, .op_types = OP(SIGN) | OP(VERIFY) | OP(ENCRYPT) | OP(DECRYPT),
	     MODULUS(MB_RSA_BITS_MIN / 8, MB_RSA_BITS_MAX / 8)),
	ASYM(MODEX, .op_types = 0, MODULUS(1, MB_MOD_BYTES)),
	ASYM(MODINV, .op_types = 0, MODULUS(1, MB_MOD_BYTES)),
	ASYM(DH, .op_types = ALL_KE, MODULUS(1, MB_MOD_BYTES)),
	ASYM(ECDSA, .op_types = OP(SIGN) | OP(VERIFY), HAS_RNG),
	ASYM(ECDH, .op_types = ALL_KE, HAS_RNG),
	ASYM(ECPM, .op_types = 0, HAS_RNG),
	ASYM(ECFPM, .op_types = 0, HAS_RNG),
#if PLX_PMD_HAS_EDDSA
	ASYM(EDDSA, .op_types = OP(SIGN) | OP(VERIFY), HAS_RNG),
#endif
#if PLX_PMD_HAS_SM2
	ASYM(SM2, .op_types = OP(SIGN) | OP(VERIFY) | OP(ENCRYPT) | OP(DECRYPT),
	     .op_capa = { [RTE_CRYPTO_ASYM_OP_ENCRYPT] = 1u << RTE_CRYPTO_SM2_RNG,
			  [RTE_CRYPTO_ASYM_OP_DECRYPT] = 1u << RTE_CRYPTO_SM2_RNG,
			  [RTE_CRYPTO_ASYM_OP_SIGN] =
				  1u << RTE_CRYPTO_SM2_RNG | 1u << RTE_CRYPTO_SM2_PH,
			  [RTE_CRYPTO_ASYM_OP_VERIFY] =
				  1u << RTE_CRYPTO_SM2_RNG | 1u << RTE_CRYPTO_SM2_PH },
	     .hash_algos = RTE_BIT64(RTE_CRYPTO_AUTH_SM3)),
#endif
};

const uint32_t mb_asym_nb_caps = RTE_DIM(mb_asym_caps);
