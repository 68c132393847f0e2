/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_rsa_key.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/rsa.h>
#include <rte_version.h>

void
rsa_key_take(struct rsa_key *k, EVP_PKEY *pkey)
{
	k->pkey = pkey;
	k->bytes = (size_t)EVP_PKEY_get_size(pkey);
	rig_num_get(pkey, OSSL_PKEY_PARAM_RSA_N, &k->n);
	rig_num_get(pkey, OSSL_PKEY_PARAM_RSA_E, &k->e);
	rig_num_get(pkey, OSSL_PKEY_PARAM_RSA_D, &k->d);
	rig_num_get(pkey, OSSL_PKEY_PARAM_RSA_FACTOR1, &k->p);
	rig_num_get(pkey, OSSL_PKEY_PARAM_RSA_FACTOR2, &k->q);
	rig_num_get(pkey, OSSL_PKEY_PARAM_RSA_EXPONENT1, &k->dp);
	rig_num_get(pkey, OSSL_PKEY_PARAM_RSA_EXPONENT2, &k->dq);
	rig_num_get(pkey, OSSL_PKEY_PARAM_RSA_COEFFICIENT1, &k->qi);
}

void
rsa_key_make(struct rsa_key *k, unsigned int bits)
{
	EVP_PKEY *pkey = EVP_RSA_gen(bits);

	assert_non_null(pkey);
	rsa_key_take(k, pkey);
}

void
rsa_key_free(struct rsa_key *k)
{
	EVP_PKEY_free(k->pkey);
	k->pkey = NULL;
}

void
rsa_xform(const struct rsa_key *k, enum rsa_parts parts,
	  const struct rte_crypto_rsa_padding *padding, struct rte_crypto_asym_xform *out)
{
	memset(out, 0, sizeof(*out));
	out->xform_type = RTE_CRYPTO_ASYM_XFORM_RSA;
	out->rsa.n = RIG_PARAM(k->n);
	out->rsa.e = RIG_PARAM(k->e);
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
	out->rsa.padding = *padding;
#else
	(void)padding;
#endif
	out->rsa.key_type = parts == RSA_CRT ? RTE_RSA_KEY_TYPE_QT : RTE_RSA_KEY_TYPE_EXP;
	if (parts == RSA_EXPONENT)
		out->rsa.d = RIG_PARAM(k->d);
	if (parts != RSA_CRT)
		return;
	out->rsa.qt.p = RIG_PARAM(k->p);
	out->rsa.qt.q = RIG_PARAM(k->q);
	out->rsa.qt.dP = RIG_PARAM(k->dp);
	out->rsa.qt.dQ = RIG_PARAM(k->dq);
	out->rsa.qt.qInv = RIG_PARAM(k->qi);
}

void
rsa_op_padding(struct rte_crypto_op *op, const struct rte_crypto_rsa_padding *padding)
{
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
	(void)op;
	(void)padding;
#else
	op->asym->rsa.padding = *padding;
#endif
}
