/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "test_mb_sym_rig.h"

#include <rte_version.h>

/* Algorithms as the table has them, as DPDK's transforms, and as OpenSSL answers them. */

static const struct plx_alg more_algs[] = {
	{
		.name = "aes-ecb",
		.kind = PLX_ALG_KIND_CIPHER,
		.rte_type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.rte_algo = RTE_CRYPTO_CIPHER_AES_ECB,
		.key = { .min = 16, .max = 32, .step = 8 },
		.block_bytes = 16,
		.nb_keys = 1,
		.openssl_name = "AES-%u-ECB",
	},
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
	{
		.name = "hmac-sm3",
		.kind = PLX_ALG_KIND_MAC,
		.rte_type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.rte_algo = RTE_CRYPTO_AUTH_SM3_HMAC,
		.key = { .min = 1, .max = UINT16_MAX, .step = 1 },
		.tag = { .min = 16, .max = 32, .step = 1 },
		.block_bytes = 1,
		.nb_keys = 1,
		.tag_default_bytes = 32,
		.openssl_name = "SM3",
	},
#endif
};

const struct plx_alg *
sym_alg(size_t i)
{
	const struct plx_alg *table;
	size_t nb, nb_sym = 0;

	table = plx_alg_table(&nb);
	while (nb_sym < nb && table[nb_sym].kind <= PLX_ALG_KIND_MAC)
		nb_sym++;
	if (i < nb_sym)
		return &table[i];
	return i - nb_sym < RTE_DIM(more_algs) ? &more_algs[i - nb_sym] : NULL;
}

const struct plx_alg *
sym_alg_named(const char *name)
{
	const struct plx_alg *alg;

	for (size_t i = 0; (alg = sym_alg(i)) != NULL; i++)
		if (strcmp(alg->name, name) == 0)
			return alg;
	fail_msg("no algorithm %s", name);
	return NULL;
}

void
sym_xform(const struct sym_spec *spec, struct rte_crypto_sym_xform *x)
{
	bool is_forward = spec->is_forward;

	memset(x, 0, sizeof(*x));
	x->type = (enum rte_crypto_sym_xform_type)spec->alg->rte_type;
	if (spec->alg->kind == PLX_ALG_KIND_CIPHER) {
		x->cipher.op =
			is_forward ? RTE_CRYPTO_CIPHER_OP_ENCRYPT : RTE_CRYPTO_CIPHER_OP_DECRYPT;
		x->cipher.algo = (enum rte_crypto_cipher_algorithm)spec->alg->rte_algo;
		x->cipher.key.data = spec->key;
		x->cipher.key.length = spec->key_bytes;
		x->cipher.iv.offset = SYM_IV_OFFSET;
		x->cipher.iv.length = spec->iv_bytes;
		x->cipher.dataunit_len = spec->unit_bytes;
	} else if (spec->alg->kind == PLX_ALG_KIND_AEAD) {
		x->aead.op = is_forward ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT;
		x->aead.algo = (enum rte_crypto_aead_algorithm)spec->alg->rte_algo;
		x->aead.key.data = spec->key;
		x->aead.key.length = spec->key_bytes;
		x->aead.iv.offset = SYM_IV_OFFSET;
		x->aead.iv.length = spec->iv_bytes;
		x->aead.digest_length = spec->tag_bytes;
		x->aead.aad_length = spec->aad_bytes;
	} else {
		x->auth.op = is_forward ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY;
		x->auth.algo = (enum rte_crypto_auth_algorithm)spec->alg->rte_algo;
		x->auth.key.data = spec->key;
		x->auth.key.length = spec->key_bytes;
		x->auth.iv.offset = SYM_IV2;
		x->auth.iv.length = spec->iv_bytes;
		x->auth.digest_length = spec->tag_bytes;
	}
}

/* XTS in data units: IV and data of unit i. */
static void
units_reference(const struct sym_spec *spec, struct reference_in *in, uint8_t *cipher)
{
	const uint8_t *msg = in->msg;
	size_t len = in->msg_len;
	uint8_t iv[16];

	memcpy(iv, in->iv, sizeof(iv));
	in->iv = iv;
	in->msg_len = spec->unit_bytes;
	for (size_t at = 0; at < len; at += spec->unit_bytes) {
		in->msg = msg + at;
		assert_true(reference_run(in, cipher + at, NULL));
		for (int i = 0; i < 16 && ++iv[i] == 0; i++)
			;
	}
}

/* NOLINTBEGIN(readability-function-size): what goes in and what comes out */
void
sym_reference(const struct sym_spec *spec, const uint8_t *iv, const uint8_t *aad,
	      const uint8_t *msg, size_t len, uint8_t *cipher, uint8_t *tag)
{
	uint8_t counter[16] = { 0 }, full[64];
	struct reference_in in = {
		.spec = { spec->alg, spec->key_bytes },
		.key = spec->key,
		.iv = iv,
		.iv_len = spec->iv_bytes,
		.aad = aad,
		.aad_len = spec->aad_bytes,
		.msg = msg,
		.msg_len = len,
		.tag_len = spec->tag_bytes,
	};

	if (spec->alg->kind == PLX_ALG_KIND_CIPHER && spec->iv_bytes == 12) { /* RFC 3686 4 */
		memcpy(counter, iv, 12);
		counter[15] = 1;
		in.iv = counter;
		in.iv_len = sizeof(counter);
	}
	if (spec->unit_bytes != 0) {
		units_reference(spec, &in, cipher);
		return;
	}
	if (spec->alg->kind == PLX_ALG_KIND_HASH)
		in.tag_len = spec->alg->tag.max; /* cut below */
	assert_true(reference_run(&in, cipher, full));
	if (tag != NULL)
		memcpy(tag, full, spec->tag_bytes);
}
/* NOLINTEND(readability-function-size) */
