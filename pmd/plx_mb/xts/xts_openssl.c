/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "xts_priv.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <openssl/err.h>
#include <openssl/evp.h>

/*
 * Where the CPU has no VAES. A context of OpenSSL holds the expanded key and the state of one unit,
 * so a key has a few of them for each direction, and a call takes one that nobody has. A call that
 * finds none copies the first one of all, which is never used for anything else: slower, and right.
 */

#define SLOTS 4

struct slot {
	atomic_bool
		is_taken; /* exchanged (acquire) by who takes it, cleared (release) by the same */
	EVP_CIPHER_CTX *ctx;
};

struct direction {
	EVP_CIPHER_CTX *first;
	struct slot slots[SLOTS];
};

struct xts_evp {
	struct direction directions[2]; /* index: is it encryption? */
};

static void
direction_close(struct direction *d)
{
	size_t i;

	EVP_CIPHER_CTX_free(d->first);
	for (i = 0; i < SLOTS; i++)
		EVP_CIPHER_CTX_free(d->slots[i].ctx);
}

static EVP_CIPHER_CTX *
ctx_copy(const EVP_CIPHER_CTX *from)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

	if (ctx != NULL && EVP_CIPHER_CTX_copy(ctx, from) == 1)
		return ctx;
	EVP_CIPHER_CTX_free(ctx);
	return NULL;
}

static int
direction_open(struct direction *d, const EVP_CIPHER *cipher, const uint8_t *bytes, bool is_enc)
{
	size_t i;

	d->first = EVP_CIPHER_CTX_new();
	if (d->first == NULL)
		return -ENOMEM;
	if (EVP_CipherInit_ex2(d->first, cipher, bytes, NULL, is_enc ? 1 : 0, NULL) != 1)
		return -EIO;
	for (i = 0; i < SLOTS; i++) {
		d->slots[i].ctx = ctx_copy(d->first);
		if (d->slots[i].ctx == NULL)
			return -ENOMEM;
	}
	return 0;
}

static void
evp_free(struct xts_evp *evp)
{
	direction_close(&evp->directions[0]);
	direction_close(&evp->directions[1]);
	free(evp);
}

static int
openssl_key_expand(struct plx_xts_key *key, const uint8_t *bytes)
{
	const char *name = key->nb_rounds == 14 ? "AES-256-XTS" : "AES-128-XTS";
	struct xts_evp *evp = calloc(1, sizeof(*evp));
	EVP_CIPHER *cipher;
	int ret;

	if (evp == NULL)
		return -ENOMEM;
	ERR_set_mark();
	cipher = EVP_CIPHER_fetch(NULL, name, NULL);
	ret = cipher == NULL ? -EIO : direction_open(&evp->directions[0], cipher, bytes, false);
	if (ret == 0)
		ret = direction_open(&evp->directions[1], cipher, bytes, true);
	EVP_CIPHER_free(cipher);
	ERR_pop_to_mark();
	if (ret < 0) {
		evp_free(evp);
		return ret;
	}
	key->evp = evp;
	return 0;
}

static void
openssl_key_free(struct plx_xts_key *key)
{
	evp_free(key->evp);
}

static int
units_crypt(EVP_CIPHER_CTX *ctx, const struct plx_xts_unit *units, size_t nb, bool is_enc)
{
	size_t i;
	int n;

	for (i = 0; i < nb; i++) {
		if (EVP_CipherInit_ex2(ctx, NULL, NULL, units[i].iv, is_enc ? 1 : 0, NULL) != 1 ||
		    EVP_CipherUpdate(ctx, units[i].out, &n, units[i].in, (int)units[i].len_bytes) !=
			    1)
			return -EIO;
	}
	return 0;
}

/* The number of a slot that is the caller's now, or SLOTS when all are taken. */
static size_t
slot_take(struct direction *d)
{
	size_t i;

	for (i = 0; i < SLOTS; i++)
		if (!atomic_exchange_explicit(&d->slots[i].is_taken, true, memory_order_acquire))
			break;
	return i;
}

static int
openssl_crypt(const struct plx_xts_key *key, const struct plx_xts_unit *units, size_t nb,
	      bool is_enc)
{
	struct direction *d = &key->evp->directions[is_enc];
	size_t slot = slot_take(d);
	EVP_CIPHER_CTX *ctx = slot < SLOTS ? d->slots[slot].ctx : ctx_copy(d->first);
	int ret;

	if (ctx == NULL)
		return -ENOMEM;
	ERR_set_mark();
	ret = units_crypt(ctx, units, nb, is_enc);
	ERR_pop_to_mark();
	if (slot < SLOTS)
		atomic_store_explicit(&d->slots[slot].is_taken, false, memory_order_release);
	else
		EVP_CIPHER_CTX_free(ctx);
	return ret;
}

static bool
openssl_is_usable(void)
{
	return true;
}

const struct xts_kernel xts_openssl = {
	.name = "openssl",
	.is_usable = openssl_is_usable,
	.key_expand = openssl_key_expand,
	.key_free = openssl_key_free,
	.crypt = openssl_crypt,
};
