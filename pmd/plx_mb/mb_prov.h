/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef MB_SYM_PROV_H
#define MB_SYM_PROV_H

#include <stdint.h>

#include <openssl/core_dispatch.h>
#include <openssl/evp.h>

#include "plx_compiler.h"

/*
 * The functions of an OpenSSL provider, as provider-cipher(7), provider-digest(7),
 * provider-keymgmt(7) and provider-keyexch(7) tell them. EVP calls the same ones and does more on
 * the way: to set an IV it asks the provider for the IV's length, by name, which takes as long as
 * the encryption of a short packet (OpenSSL 3.0: 190 cycles of 650 for 64 bytes of AES-256-GCM); to
 * begin a digest it frees a context and allocates another one; and for a key agreement with a new
 * key it looks algorithms up by name.
 */

/* The algorithm's EVP object keeps its provider. */
struct mb_prov_cipher {
	EVP_CIPHER *evp;
	void *provctx;
	OSSL_FUNC_cipher_newctx_fn *newctx;
	OSSL_FUNC_cipher_freectx_fn *freectx;
	OSSL_FUNC_cipher_encrypt_init_fn *encrypt_init;
	OSSL_FUNC_cipher_decrypt_init_fn *decrypt_init;
	OSSL_FUNC_cipher_cipher_fn *cipher; /* at once: no block is kept back, nothing padded */
	OSSL_FUNC_cipher_update_fn *update; /* AEAD: AAD and data */
	OSSL_FUNC_cipher_final_fn *final;
	OSSL_FUNC_cipher_get_ctx_params_fn *get_params;
	OSSL_FUNC_cipher_set_ctx_params_fn *set_params;
};

struct mb_prov_md {
	EVP_MD *evp;
	void *provctx;
	OSSL_FUNC_digest_newctx_fn *newctx;
	OSSL_FUNC_digest_freectx_fn *freectx;
	OSSL_FUNC_digest_init_fn *init;
	OSSL_FUNC_digest_update_fn *update;
	OSSL_FUNC_digest_final_fn *final;
};

/* Keys and their agreement, of one provider. */
struct mb_prov_exchange {
	EVP_KEYMGMT *keymgmt;
	EVP_KEYEXCH *keyexch;
	void *provctx;
	OSSL_FUNC_keymgmt_new_fn *key_new;
	OSSL_FUNC_keymgmt_free_fn *key_free;
	OSSL_FUNC_keymgmt_import_fn *key_import;
	OSSL_FUNC_keyexch_newctx_fn *newctx;
	OSSL_FUNC_keyexch_freectx_fn *freectx;
	OSSL_FUNC_keyexch_init_fn *init;
	OSSL_FUNC_keyexch_set_peer_fn *set_peer;
	OSSL_FUNC_keyexch_derive_fn *derive;
};

/* Find an algorithm by OpenSSL's name. 0; -ENOTSUP: there is none, or its provider hides its
 * functions. */
int mb_prov_cipher_find(const char *name, struct mb_prov_cipher *prov) PLX_MUST_CHECK;
int mb_prov_md_find(const char *name, struct mb_prov_md *prov) PLX_MUST_CHECK;
int mb_prov_exchange_find(const char *name, struct mb_prov_exchange *prov) PLX_MUST_CHECK;
void mb_prov_cipher_put(struct mb_prov_cipher *prov);
void mb_prov_md_put(struct mb_prov_md *prov);
void mb_prov_exchange_put(struct mb_prov_exchange *prov);

#endif
