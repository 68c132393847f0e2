/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <stdlib.h>

#include <openssl/modes.h>
#include <rte_common.h>

#include "mb_sym_priv.h"

/*
 * AES-GCM of short messages. A provider's GCM gives out its tag by name only: it compares a list of
 * names, which together with the layers before it takes more time than 64 bytes of data do. Here
 * OpenSSL's GCM functions (openssl/modes.h) run over a provider's ECB and CTR instead: the same AES
 * and the same GHASH, constant-time where those are, in two thirds of the time at 64 bytes. From
 * some KiB on the provider's GCM wins, since it has code that does AES and GHASH at once.
 *
 * The nonce has 12 bytes: then the counter begins at 1, and CTR's carry out of its last 32 bits,
 * which GCM does not have (SP 800-38D 6.2), never comes.
 */

struct mb_sym_gcm {
	GCM128_CONTEXT *gcm;
	const struct mb_prov_cipher *ecb_prov, *ctr_prov; /* the session's */
	void *ecb, *ctr;
	bool *is_wrong; /* a provider refused; a callback cannot say so in another way */
	bool is_wrong_room;
};

/* Callbacks; their key is the struct. */
static void
block_encrypt(const unsigned char in[16], unsigned char out[16], const void *key)
{
	const struct mb_sym_gcm *g = key;
	size_t len;

	if (unlikely(g->ecb_prov->cipher(g->ecb, out, &len, MB_SYM_BLOCK, in, MB_SYM_BLOCK) != 1))
		*g->is_wrong = true;
}

static void
blocks_crypt(const unsigned char *in, unsigned char *out, size_t blocks, const void *key,
	     const unsigned char counter[16])
{
	const struct mb_sym_gcm *g = key;
	size_t bytes = blocks * MB_SYM_BLOCK;
	size_t len;

	if (unlikely(g->ctr_prov->encrypt_init(g->ctr, NULL, 0, counter, MB_SYM_BLOCK, NULL) != 1 ||
		     g->ctr_prov->cipher(g->ctr, out, &len, bytes, in, bytes) != 1))
		*g->is_wrong = true;
}

struct mb_sym_gcm *
mb_sym_gcm_create(const struct mb_sym_cipher *c)
{
	struct mb_sym_gcm *g = calloc(1, sizeof(*g));

	if (g == NULL)
		return NULL;
	g->is_wrong = &g->is_wrong_room;
	g->ecb_prov = &c->ecb;
	g->ctr_prov = &c->ctr;
	g->ecb = c->ecb.newctx(c->ecb.provctx);
	g->ctr = c->ctr.newctx(c->ctr.provctx);
	if (g->ecb == NULL || g->ctr == NULL ||
	    c->ecb.encrypt_init(g->ecb, c->key, c->key_bytes, NULL, 0, NULL) != 1 ||
	    c->ctr.encrypt_init(g->ctr, c->key, c->key_bytes, NULL, 0, NULL) != 1)
		goto err_free_gcm;
	g->gcm = CRYPTO_gcm128_new(g, block_encrypt);
	if (g->gcm != NULL && !g->is_wrong_room)
		return g;

err_free_gcm:
	mb_sym_gcm_free(g);
	return NULL;
}

void
mb_sym_gcm_free(struct mb_sym_gcm *g)
{
	if (g == NULL)
		return;
	if (g->ecb != NULL)
		g->ecb_prov->freectx(g->ecb);
	if (g->ctr != NULL)
		g->ctr_prov->freectx(g->ctr);
	CRYPTO_gcm128_release(g->gcm);
	free(g);
}

static inline bool
data_feed(const struct mb_sym_cipher *c, GCM128_CONTEXT *gcm, struct mb_place src,
	  struct mb_place dst, uint32_t len)
{
	while (len > 0) {
		uint32_t n = RTE_MIN(len, RTE_MIN(src.left, dst.left));
		int ret =
			c->is_encrypt
				? CRYPTO_gcm128_encrypt_ctr32(gcm, src.at, dst.at, n, blocks_crypt)
				: CRYPTO_gcm128_decrypt_ctr32(gcm, src.at, dst.at, n, blocks_crypt);

		if (unlikely(ret != 0))
			return false;
		mb_place_skip(&src, n);
		mb_place_skip(&dst, n);
		len -= n;
	}
	return true;
}

enum rte_crypto_op_status
mb_sym_gcm_run(const struct mb_sym_cipher *c, struct mb_sym_gcm *g, const struct mb_sym_job *job,
	       const struct mb_place *src, const struct mb_place *dst)
{
	bool is_right = true;

	CRYPTO_gcm128_setiv(g->gcm, job->iv, c->iv_bytes);
	if (unlikely((c->aad_bytes > 0 && CRYPTO_gcm128_aad(g->gcm, job->aad, c->aad_bytes) != 0) ||
		     !data_feed(c, g->gcm, *src, *dst, job->cipher_len)))
		return RTE_CRYPTO_OP_STATUS_ERROR;
	if (c->is_encrypt)
		CRYPTO_gcm128_tag(g->gcm, job->digest, c->tag_bytes);
	else /* compares in constant time */
		is_right = CRYPTO_gcm128_finish(g->gcm, job->digest, c->tag_bytes) == 0;
	if (unlikely(g->is_wrong_room)) {
		g->is_wrong_room = false;
		return RTE_CRYPTO_OP_STATUS_ERROR;
	}
	return is_right ? RTE_CRYPTO_OP_STATUS_SUCCESS : RTE_CRYPTO_OP_STATUS_AUTH_FAILED;
}
