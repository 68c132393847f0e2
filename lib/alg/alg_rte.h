/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef ALG_RTE_H
#define ALG_RTE_H

#include <rte_crypto_asym.h>
#include <rte_crypto_sym.h>
#include <rte_version.h>

#include "plx_alg.h"

/*
 * Cryptodev numbers that not every supported DPDK line has; enumerators cannot be tested for,
 * versions can. This is the only place that looks at the version. 22.11 has no SM2 and no EdDSA
 * (they came with 23.11 and 24.11), and no line so far has X25519.
 */

#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
#define ALG_RTE_SM2       RTE_CRYPTO_ASYM_XFORM_SM2
#define ALG_RTE_CURVE_SM2 RTE_CRYPTO_EC_GROUP_SM2
#else
#define ALG_RTE_SM2       PLX_ALG_RTE_NONE
#define ALG_RTE_CURVE_SM2 PLX_ALG_RTE_NONE
#endif

#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define ALG_RTE_EDDSA         RTE_CRYPTO_ASYM_XFORM_EDDSA
#define ALG_RTE_CURVE_ED25519 RTE_CRYPTO_EC_GROUP_ED25519
#else
#define ALG_RTE_EDDSA         PLX_ALG_RTE_NONE
#define ALG_RTE_CURVE_ED25519 PLX_ALG_RTE_NONE
#endif

#endif
