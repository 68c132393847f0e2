/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "engine_loop.h"

/*
 * Ops and buffers, made anew for each size; each op keeps its buffer. The payload is written here,
 * before the measurement, and by devices; who submits does not touch it.
 */

static const uint8_t load_key[32] = "key of the engine benchmark 0123";

const struct load_alg load_algs[] = {
	{ .name = "aes-256-gcm", .is_aead = true, .key_bytes = 32, .iv_bytes = 12 },
	{ .name = "aes-128-cbc", .is_aead = false, .key_bytes = 16, .iv_bytes = 16 },
};
const uint32_t load_nb_algs = PLX_ARRAY_SIZE(load_algs);

static void
load_empty(struct load *l)
{
	rte_mempool_free(l->op_pool);
	rte_mempool_free(l->buf_pool);
	l->op_pool = NULL;
	l->buf_pool = NULL;
	l->nb_free = 0;
}

static int
load_ops(struct load *l)
{
	struct rte_crypto_op *op;
	struct rte_mbuf *buf;

	while (l->nb_free < LOAD_DEPTH) {
		op = rte_crypto_op_alloc(l->op_pool, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
		buf = rte_pktmbuf_alloc(l->buf_pool);
		if (op == NULL || buf == NULL)
			return -ENOMEM;
		memset(load_extra(op), 0, sizeof(struct load_extra));
		load_extra(op)->buf = buf;
		if (rte_pktmbuf_append(buf, (uint16_t)(l->bytes + LOAD_TAG_BYTES)) == NULL)
			return -ENOMEM;
		l->free[l->nb_free++] = op;
	}
	return 0;
}

int
load_create(struct load **out)
{
	struct load *l = calloc(1, sizeof(*l));

	if (l == NULL)
		return -ENOMEM;
	*out = l;
	return 0;
}

void
load_destroy(struct load *l)
{
	if (l == NULL)
		return;
	load_empty(l);
	free(l);
}

int
load_set(struct load *l, const struct load_alg *alg, uint32_t bytes)
{
	const uint16_t room = (uint16_t)(RTE_PKTMBUF_HEADROOM + bytes + LOAD_TAG_BYTES);
	int socket = (int)rte_socket_id(), ret = -ENOMEM;

	load_empty(l);
	l->alg = alg;
	l->bytes = bytes;
	l->op_pool = rte_crypto_op_pool_create("bench_ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC,
					       LOAD_DEPTH, 0, sizeof(struct load_extra), socket);
	l->buf_pool = rte_pktmbuf_pool_create("bench_bufs", LOAD_DEPTH, 0, 0, room, socket);
	if (l->op_pool != NULL && l->buf_pool != NULL)
		ret = load_ops(l);
	if (ret < 0)
		bench_say("no memory for %u ops of %u bytes", LOAD_DEPTH, bytes);
	return ret;
}

void
load_xform(const struct load_alg *alg, struct rte_crypto_sym_xform *x)
{
	uint16_t iv_offset = LOAD_EXTRA_OFFSET + offsetof(struct load_extra, iv);

	memset(x, 0, sizeof(*x));
	if (!alg->is_aead) {
		x->type = RTE_CRYPTO_SYM_XFORM_CIPHER;
		x->cipher.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT;
		x->cipher.algo = RTE_CRYPTO_CIPHER_AES_CBC;
		x->cipher.key.data = load_key;
		x->cipher.key.length = alg->key_bytes;
		x->cipher.iv.offset = iv_offset;
		x->cipher.iv.length = alg->iv_bytes;
		return;
	}
	x->type = RTE_CRYPTO_SYM_XFORM_AEAD;
	x->aead.op = RTE_CRYPTO_AEAD_OP_ENCRYPT;
	x->aead.algo = RTE_CRYPTO_AEAD_AES_GCM;
	x->aead.key.data = load_key;
	x->aead.key.length = alg->key_bytes;
	x->aead.iv.offset = iv_offset;
	x->aead.iv.length = alg->iv_bytes;
	x->aead.digest_length = LOAD_TAG_BYTES;
	x->aead.aad_length = LOAD_AAD_BYTES;
}

static void
plain_text(uint8_t *data, uint32_t bytes)
{
	uint32_t i;

	for (i = 0; i < bytes; i++)
		data[i] = (uint8_t)(i * 7u + (i >> 8));
}

void
load_plain(struct load *l)
{
	uint32_t i;

	for (i = 0; i < l->nb_free; i++)
		plain_text(rte_pktmbuf_mtod(load_extra(l->free[i])->buf, uint8_t *), l->bytes);
}

/* Cipher text, and behind it the tag, as OpenSSL makes them. */
static bool
reference(const struct load_alg *alg, struct load_extra *x, const uint8_t *in, uint32_t bytes,
	  uint8_t *out)
{
	const EVP_CIPHER *cipher = alg->is_aead ? EVP_aes_256_gcm() : EVP_aes_128_cbc();
	EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
	int len = 0;
	bool ok;

	if (c == NULL)
		return false;
	ok = EVP_EncryptInit_ex(c, cipher, NULL, load_key, x->iv) == 1;
	EVP_CIPHER_CTX_set_padding(c, 0);
	if (ok && alg->is_aead)
		ok = EVP_EncryptUpdate(c, NULL, &len, x->aad, LOAD_AAD_BYTES) == 1;
	ok = ok && EVP_EncryptUpdate(c, out, &len, in, (int)bytes) == 1 && len == (int)bytes;
	ok = ok && EVP_EncryptFinal_ex(c, out + bytes, &len) == 1 && len == 0;
	if (ok && alg->is_aead)
		ok = EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, LOAD_TAG_BYTES, out + bytes) ==
		     1;
	EVP_CIPHER_CTX_free(c);
	return ok;
}

bool
load_is_right(const struct load *l, struct rte_crypto_op *const *ops, uint32_t nb)
{
	uint32_t bytes = l->bytes + (l->alg->is_aead ? LOAD_TAG_BYTES : 0), i;
	uint8_t *in = malloc(LOAD_BYTES_MAX), *want = malloc(LOAD_BYTES_MAX + LOAD_TAG_BYTES);
	bool ok = in != NULL && want != NULL;

	if (ok)
		plain_text(in, l->bytes);
	for (i = 0; i < nb && ok; i++) {
		struct load_extra *x = load_extra(ops[i]);

		ok = reference(l->alg, x, in, l->bytes, want) &&
		     memcmp(rte_pktmbuf_mtod(x->buf, const uint8_t *), want, bytes) == 0;
	}
	free(in);
	free(want);
	return ok;
}
