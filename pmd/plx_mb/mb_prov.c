/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_prov.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <openssl/provider.h>

/*
 * EVP finds the algorithm, with the properties and the configuration that are in force, and says
 * whose it is; the provider is then asked for the same algorithm's table of functions.
 */

struct want {
	int operation;
	const EVP_CIPHER *cipher; /* one of these */
	const EVP_MD *md;
	const EVP_KEYMGMT *keymgmt;
	const EVP_KEYEXCH *keyexch;
};

static bool
is_wanted(const struct want *want, const char *name)
{
	switch (want->operation) {
	case OSSL_OP_CIPHER:
		return EVP_CIPHER_is_a(want->cipher, name) == 1;
	case OSSL_OP_DIGEST:
		return EVP_MD_is_a(want->md, name) == 1;
	case OSSL_OP_KEYMGMT:
		return EVP_KEYMGMT_is_a(want->keymgmt, name) == 1;
	default:
		return EVP_KEYEXCH_is_a(want->keyexch, name) == 1;
	}
}

/* Names of an algorithm stand in one string with colons between them. */
static bool
has_wanted_name(const struct want *want, const char *names)
{
	char name[64];

	while (*names != '\0') {
		size_t len = strcspn(names, ":");

		if (len < sizeof(name)) {
			memcpy(name, names, len);
			name[len] = '\0';
			if (is_wanted(want, name))
				return true;
		}
		names += len;
		names += *names == ':';
	}
	return false;
}

/* The table is the provider's, static. */
static const OSSL_DISPATCH *
functions_find(const OSSL_PROVIDER *provider, const struct want *want)
{
	const OSSL_ALGORITHM *first, *alg;
	const OSSL_DISPATCH *found = NULL;
	int no_cache;

	first = OSSL_PROVIDER_query_operation(provider, want->operation, &no_cache);
	for (alg = first; alg != NULL && alg->algorithm_names != NULL; alg++) {
		if (has_wanted_name(want, alg->algorithm_names)) {
			found = alg->implementation;
			break;
		}
	}
	if (first != NULL)
		OSSL_PROVIDER_unquery_operation(provider, want->operation, first);
	return found;
}

static void
cipher_function_take(struct mb_prov_cipher *prov, const OSSL_DISPATCH *d)
{
	switch (d->function_id) {
	case OSSL_FUNC_CIPHER_NEWCTX:
		prov->newctx = OSSL_FUNC_cipher_newctx(d);
		break;
	case OSSL_FUNC_CIPHER_FREECTX:
		prov->freectx = OSSL_FUNC_cipher_freectx(d);
		break;
	case OSSL_FUNC_CIPHER_ENCRYPT_INIT:
		prov->encrypt_init = OSSL_FUNC_cipher_encrypt_init(d);
		break;
	case OSSL_FUNC_CIPHER_DECRYPT_INIT:
		prov->decrypt_init = OSSL_FUNC_cipher_decrypt_init(d);
		break;
	case OSSL_FUNC_CIPHER_CIPHER:
		prov->cipher = OSSL_FUNC_cipher_cipher(d);
		break;
	case OSSL_FUNC_CIPHER_UPDATE:
		prov->update = OSSL_FUNC_cipher_update(d);
		break;
	case OSSL_FUNC_CIPHER_FINAL:
		prov->final = OSSL_FUNC_cipher_final(d);
		break;
	case OSSL_FUNC_CIPHER_GET_CTX_PARAMS:
		prov->get_params = OSSL_FUNC_cipher_get_ctx_params(d);
		break;
	case OSSL_FUNC_CIPHER_SET_CTX_PARAMS:
		prov->set_params = OSSL_FUNC_cipher_set_ctx_params(d);
		break;
	default:
		break;
	}
}

static void
md_function_take(struct mb_prov_md *prov, const OSSL_DISPATCH *d)
{
	switch (d->function_id) {
	case OSSL_FUNC_DIGEST_NEWCTX:
		prov->newctx = OSSL_FUNC_digest_newctx(d);
		break;
	case OSSL_FUNC_DIGEST_FREECTX:
		prov->freectx = OSSL_FUNC_digest_freectx(d);
		break;
	case OSSL_FUNC_DIGEST_INIT:
		prov->init = OSSL_FUNC_digest_init(d);
		break;
	case OSSL_FUNC_DIGEST_UPDATE:
		prov->update = OSSL_FUNC_digest_update(d);
		break;
	case OSSL_FUNC_DIGEST_FINAL:
		prov->final = OSSL_FUNC_digest_final(d);
		break;
	default:
		break;
	}
}

static void
exchange_function_take(struct mb_prov_exchange *prov, const OSSL_DISPATCH *d)
{
	switch (d->function_id) {
	case OSSL_FUNC_KEYEXCH_NEWCTX:
		prov->newctx = OSSL_FUNC_keyexch_newctx(d);
		break;
	case OSSL_FUNC_KEYEXCH_FREECTX:
		prov->freectx = OSSL_FUNC_keyexch_freectx(d);
		break;
	case OSSL_FUNC_KEYEXCH_INIT:
		prov->init = OSSL_FUNC_keyexch_init(d);
		break;
	case OSSL_FUNC_KEYEXCH_SET_PEER:
		prov->set_peer = OSSL_FUNC_keyexch_set_peer(d);
		break;
	case OSSL_FUNC_KEYEXCH_DERIVE:
		prov->derive = OSSL_FUNC_keyexch_derive(d);
		break;
	default:
		break;
	}
}

static void
key_function_take(struct mb_prov_exchange *prov, const OSSL_DISPATCH *d)
{
	switch (d->function_id) {
	case OSSL_FUNC_KEYMGMT_NEW:
		prov->key_new = OSSL_FUNC_keymgmt_new(d);
		break;
	case OSSL_FUNC_KEYMGMT_FREE:
		prov->key_free = OSSL_FUNC_keymgmt_free(d);
		break;
	case OSSL_FUNC_KEYMGMT_IMPORT:
		prov->key_import = OSSL_FUNC_keymgmt_import(d);
		break;
	default:
		break;
	}
}

int
mb_prov_cipher_find(const char *name, struct mb_prov_cipher *prov)
{
	struct want want = { .operation = OSSL_OP_CIPHER };
	const OSSL_PROVIDER *provider;
	const OSSL_DISPATCH *d;

	memset(prov, 0, sizeof(*prov));
	prov->evp = EVP_CIPHER_fetch(NULL, name, NULL);
	if (prov->evp == NULL)
		return -ENOTSUP;
	want.cipher = prov->evp;
	provider = EVP_CIPHER_get0_provider(prov->evp);
	prov->provctx = OSSL_PROVIDER_get0_provider_ctx(provider);
	for (d = functions_find(provider, &want); d != NULL && d->function_id != 0; d++)
		cipher_function_take(prov, d);
	if (prov->newctx != NULL && prov->freectx != NULL && prov->encrypt_init != NULL &&
	    prov->decrypt_init != NULL && prov->cipher != NULL && prov->update != NULL &&
	    prov->final != NULL && prov->get_params != NULL && prov->set_params != NULL)
		return 0;
	mb_prov_cipher_put(prov);
	return -ENOTSUP;
}

int
mb_prov_md_find(const char *name, struct mb_prov_md *prov)
{
	struct want want = { .operation = OSSL_OP_DIGEST };
	const OSSL_PROVIDER *provider;
	const OSSL_DISPATCH *d;

	memset(prov, 0, sizeof(*prov));
	prov->evp = EVP_MD_fetch(NULL, name, NULL);
	if (prov->evp == NULL)
		return -ENOTSUP;
	want.md = prov->evp;
	provider = EVP_MD_get0_provider(prov->evp);
	prov->provctx = OSSL_PROVIDER_get0_provider_ctx(provider);
	for (d = functions_find(provider, &want); d != NULL && d->function_id != 0; d++)
		md_function_take(prov, d);
	if (prov->newctx != NULL && prov->freectx != NULL && prov->init != NULL &&
	    prov->update != NULL && prov->final != NULL)
		return 0;
	mb_prov_md_put(prov);
	return -ENOTSUP;
}

int
mb_prov_exchange_find(const char *name, struct mb_prov_exchange *prov)
{
	struct want keys = { .operation = OSSL_OP_KEYMGMT };
	struct want exchange = { .operation = OSSL_OP_KEYEXCH };
	const OSSL_PROVIDER *provider;
	const OSSL_DISPATCH *d;

	memset(prov, 0, sizeof(*prov));
	keys.keymgmt = prov->keymgmt = EVP_KEYMGMT_fetch(NULL, name, NULL);
	exchange.keyexch = prov->keyexch = EVP_KEYEXCH_fetch(NULL, name, NULL);
	if (prov->keymgmt == NULL || prov->keyexch == NULL)
		goto err;
	provider = EVP_KEYMGMT_get0_provider(prov->keymgmt);
	if (provider != EVP_KEYEXCH_get0_provider(prov->keyexch))
		goto err;
	prov->provctx = OSSL_PROVIDER_get0_provider_ctx(provider);
	for (d = functions_find(provider, &keys); d != NULL && d->function_id != 0; d++)
		key_function_take(prov, d);
	for (d = functions_find(provider, &exchange); d != NULL && d->function_id != 0; d++)
		exchange_function_take(prov, d);
	if (prov->key_new != NULL && prov->key_free != NULL && prov->key_import != NULL &&
	    prov->newctx != NULL && prov->freectx != NULL && prov->init != NULL &&
	    prov->set_peer != NULL && prov->derive != NULL)
		return 0;
err:
	mb_prov_exchange_put(prov);
	return -ENOTSUP;
}

void
mb_prov_cipher_put(struct mb_prov_cipher *prov)
{
	EVP_CIPHER_free(prov->evp);
	memset(prov, 0, sizeof(*prov));
}

void
mb_prov_md_put(struct mb_prov_md *prov)
{
	EVP_MD_free(prov->evp);
	memset(prov, 0, sizeof(*prov));
}

void
mb_prov_exchange_put(struct mb_prov_exchange *prov)
{
	EVP_KEYMGMT_free(prov->keymgmt);
	EVP_KEYEXCH_free(prov->keyexch);
	memset(prov, 0, sizeof(*prov));
}
