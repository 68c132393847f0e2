/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/rsa.h>

/*
 * What engines do in the queue benchmark, by OpenSSL with everything that can be kept kept: the
 * cipher context has its key schedule, the digest its algorithm. There are WORK_INPUTS inputs,
 * request n has number n modulo that; the right result of each is worked out once, before any
 * window.
 */

#define WORK_INPUTS    8u
#define WORK_OUT_MAX   1024u
#define WORK_RSA_BITS  2048u
#define WORK_DATA      1024u
#define WORK_SIGN_DATA 64u

struct work {
	const struct work_kind *kind;
	EVP_PKEY *rsa;
	uint8_t in[WORK_INPUTS][WORK_DATA];
	uint8_t out[WORK_INPUTS][WORK_OUT_MAX];
};

static const uint8_t aes_key[32] = "queue benchmark, 32 byte AES key";
static const uint8_t aes_iv[16] = "16 bytes of IV.";

static int
aes_ctx_create(const struct work *w, void **ctx)
{
	EVP_CIPHER_CTX *c;

	(void)w;
	c = EVP_CIPHER_CTX_new();
	if (c == NULL)
		return -ENOMEM;
	if (EVP_EncryptInit_ex(c, EVP_aes_256_cbc(), NULL, aes_key, aes_iv) != 1) {
		EVP_CIPHER_CTX_free(c);
		return -ENOTSUP;
	}
	EVP_CIPHER_CTX_set_padding(c, 0);
	*ctx = c;
	return 0;
}

static void
aes_ctx_destroy(void *ctx)
{
	EVP_CIPHER_CTX_free(ctx);
}

static bool
aes_run(void *ctx, struct request *r)
{
	int len = 0;

	return EVP_EncryptInit_ex(ctx, NULL, NULL, NULL, aes_iv) == 1 &&
	       EVP_EncryptUpdate(ctx, r->out, &len, r->in, WORK_DATA) == 1 && len == (int)WORK_DATA;
}

static int
sha_ctx_create(const struct work *w, void **ctx)
{
	EVP_MD_CTX *c;

	(void)w;
	c = EVP_MD_CTX_new();
	if (c == NULL)
		return -ENOMEM;
	if (EVP_DigestInit_ex(c, EVP_sha256(), NULL) != 1) {
		EVP_MD_CTX_free(c);
		return -ENOTSUP;
	}
	*ctx = c;
	return 0;
}

static void
sha_ctx_destroy(void *ctx)
{
	EVP_MD_CTX_free(ctx);
}

static bool
sha_run(void *ctx, struct request *r)
{
	unsigned int len = 0;

	return EVP_DigestInit_ex(ctx, NULL, NULL) == 1 &&
	       EVP_DigestUpdate(ctx, r->in, WORK_DATA) == 1 &&
	       EVP_DigestFinal_ex(ctx, r->out, &len) == 1 && len == 32;
}

struct rsa_ctx {
	EVP_MD_CTX *md;
	EVP_PKEY *key;
};

static void
rsa_ctx_destroy(void *ctx)
{
	struct rsa_ctx *c = ctx;

	if (c == NULL)
		return;
	EVP_MD_CTX_free(c->md);
	EVP_PKEY_free(c->key);
	free(c);
}

/* A key of its own for each thread: OpenSSL 3 keeps locks in a shared one. */
static int
rsa_ctx_create(const struct work *w, void **ctx)
{
	struct rsa_ctx *c = calloc(1, sizeof(*c));

	if (c == NULL)
		return -ENOMEM;
	c->md = EVP_MD_CTX_new();
	c->key = EVP_PKEY_dup(w->rsa);
	if (c->md == NULL || c->key == NULL) {
		rsa_ctx_destroy(c);
		return -ENOMEM;
	}
	*ctx = c;
	return 0;
}

/* PKCS#1 v1.5 with SHA-256: the same input has the same signature (RFC 8017 8.2.1). */
static bool
rsa_run(void *ctx, struct request *r)
{
	struct rsa_ctx *c = ctx;
	size_t len = WORK_RSA_BITS / 8;

	return EVP_DigestSignInit(c->md, NULL, EVP_sha256(), NULL, c->key) == 1 &&
	       EVP_DigestSign(c->md, r->out, &len, r->in, WORK_SIGN_DATA) == 1 &&
	       len == WORK_RSA_BITS / 8;
}

const struct work_kind work_kinds[] = {
	{ .name = "null", .nb_inflight = 256 },
	{ .name = "aes-256",
	  .in_bytes = WORK_DATA,
	  .out_bytes = WORK_DATA,
	  .nb_inflight = 128,
	  .ctx_create = aes_ctx_create,
	  .ctx_destroy = aes_ctx_destroy,
	  .run = aes_run },
	{ .name = "sha-256",
	  .in_bytes = WORK_DATA,
	  .out_bytes = 32,
	  .nb_inflight = 128,
	  .ctx_create = sha_ctx_create,
	  .ctx_destroy = sha_ctx_destroy,
	  .run = sha_run },
	{ .name = "rsa-2048",
	  .in_bytes = WORK_SIGN_DATA,
	  .out_bytes = WORK_RSA_BITS / 8,
	  .nb_inflight = 4,
	  .is_slow = true,
	  .ctx_create = rsa_ctx_create,
	  .ctx_destroy = rsa_ctx_destroy,
	  .run = rsa_run },
};
const uint32_t work_nb_kinds = PLX_ARRAY_SIZE(work_kinds);

const struct work_kind *
work_kind(const struct work *w)
{
	return w->kind;
}

static int
work_results(struct work *w)
{
	struct request r = { 0 };
	void *ctx = NULL;
	bool ok = true;
	uint32_t i;
	int ret;

	ret = w->kind->ctx_create(w, &ctx);
	if (ret < 0)
		return ret;
	for (i = 0; i < WORK_INPUTS && ok; i++) {
		r.in = w->in[i];
		r.out = w->out[i];
		ok = w->kind->run(ctx, &r);
	}
	w->kind->ctx_destroy(ctx);
	return ok ? 0 : -EIO;
}

int
work_create(const struct work_kind *kind, struct work **out)
{
	struct work *w = calloc(1, sizeof(*w));
	uint32_t i, j;
	int ret = 0;

	if (w == NULL)
		return -ENOMEM;
	w->kind = kind;
	for (i = 0; i < WORK_INPUTS; i++)
		for (j = 0; j < WORK_DATA; j++)
			w->in[i][j] = (uint8_t)(j * 131u + i * 29u + (j >> 8));
	if (kind->ctx_create == rsa_ctx_create) {
		w->rsa = EVP_RSA_gen(WORK_RSA_BITS);
		ret = w->rsa == NULL ? -EIO : 0;
	}
	if (ret == 0 && kind->run != NULL)
		ret = work_results(w);
	if (ret < 0) {
		bench_say("%s: OpenSSL does not do it", kind->name);
		work_destroy(w);
		return ret;
	}
	*out = w;
	return 0;
}

void
work_destroy(struct work *w)
{
	if (w == NULL)
		return;
	EVP_PKEY_free(w->rsa);
	free(w);
}

void
work_prepare(const struct work *w, struct request *r)
{
	if (w->kind->run == NULL)
		return;
	memcpy(r->in, w->in[r->id % WORK_INPUTS], w->kind->in_bytes);
	memset(r->out, 0, w->kind->out_bytes);
}

bool
work_is_right(const struct work *w, const struct request *r)
{
	if (w->kind->run == NULL)
		return true;
	return memcmp(r->out, w->out[r->id % WORK_INPUTS], w->kind->out_bytes) == 0;
}
