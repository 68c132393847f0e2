/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "reference.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/evp.h>

static bool
aead_params(EVP_CIPHER_CTX *ctx, const struct reference_in *in)
{
	bool is_ccm = strcmp(in->spec.alg->name, "aes-ccm") == 0;

	if (EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)in->iv_len, NULL) != 1)
		return false;
	return !is_ccm ||
	       EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, (int)in->tag_len, NULL) == 1;
}

static bool
aead_feed(EVP_CIPHER_CTX *ctx, const struct reference_in *in, uint8_t *cipher)
{
	bool is_ccm = strcmp(in->spec.alg->name, "aes-ccm") == 0;
	int n;

	/* CCM has to know the length before the first byte */
	if (is_ccm && EVP_EncryptUpdate(ctx, NULL, &n, NULL, (int)in->msg_len) != 1)
		return false;
	if (in->aad_len > 0 && EVP_EncryptUpdate(ctx, NULL, &n, in->aad, (int)in->aad_len) != 1)
		return false;
	if (in->msg_len == 0 && !is_ccm)
		return true;
	return EVP_EncryptUpdate(ctx, cipher, &n, in->msg, (int)in->msg_len) == 1 &&
	       (size_t)n == in->msg_len;
}

static bool
cipher_run(const struct reference_in *in, EVP_CIPHER *type, uint8_t *cipher, uint8_t *tag)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	bool is_aead = in->spec.alg->kind == PLX_ALG_KIND_AEAD;
	uint8_t rest[32];
	bool ok;
	int n;

	ok = ctx != NULL && EVP_EncryptInit_ex2(ctx, type, NULL, NULL, NULL) == 1;
	ok = ok && (!is_aead || aead_params(ctx, in));
	ok = ok && EVP_EncryptInit_ex2(ctx, NULL, in->key, in->iv, NULL) == 1;
	if (is_aead) {
		ok = ok && aead_feed(ctx, in, cipher);
	} else {
		ok = ok && EVP_CIPHER_CTX_set_padding(ctx, 0) == 1;
		ok = ok && EVP_EncryptUpdate(ctx, cipher, &n, in->msg, (int)in->msg_len) == 1;
	}
	ok = ok && EVP_EncryptFinal_ex(ctx, rest, &n) == 1 && n == 0;
	ok = ok && (!is_aead ||
		    EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, (int)in->tag_len, tag) == 1);
	EVP_CIPHER_CTX_free(ctx);
	return ok;
}

static bool
hash_run(const struct reference_in *in, const char *name, uint8_t *tag)
{
	EVP_MD *md = EVP_MD_fetch(NULL, name, NULL);
	unsigned int n;
	bool ok = md != NULL && EVP_Digest(in->msg, in->msg_len, tag, &n, md, NULL) == 1;

	EVP_MD_free(md);
	return ok && n == in->tag_len;
}

static bool
mac_run(const struct reference_in *in, char *name, uint8_t *tag)
{
	const char *mac_name = in->spec.alg->iv.max > 0                     ? "GMAC"
			       : strstr(in->spec.alg->name, "cmac") != NULL ? "CMAC"
									    : "HMAC";
	bool is_hmac = strcmp(mac_name, "HMAC") == 0;
	EVP_MAC *mac = EVP_MAC_fetch(NULL, mac_name, NULL);
	EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
	uint8_t full[EVP_MAX_MD_SIZE], iv[64];
	OSSL_PARAM params[3], *p = params;
	size_t n = 0;
	bool ok;

	*p++ = OSSL_PARAM_construct_utf8_string(
		is_hmac ? OSSL_MAC_PARAM_DIGEST : OSSL_MAC_PARAM_CIPHER, name, 0);
	if (in->iv_len > 0 && in->iv_len <= sizeof(iv)) {
		memcpy(iv, in->iv, in->iv_len);
		*p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, iv, in->iv_len);
	}
	*p = OSSL_PARAM_construct_end();
	ok = ctx != NULL && EVP_MAC_init(ctx, in->key, in->spec.key_bytes, params) == 1 &&
	     EVP_MAC_update(ctx, in->msg, in->msg_len) == 1 &&
	     EVP_MAC_final(ctx, full, &n, sizeof(full)) == 1 && n >= in->tag_len;
	if (ok)
		memcpy(tag, full, in->tag_len);
	EVP_MAC_CTX_free(ctx);
	EVP_MAC_free(mac);
	return ok;
}

bool
reference_run(const struct reference_in *in, uint8_t *cipher, uint8_t *tag)
{
	char name[64];
	EVP_CIPHER *type;
	bool ok;

	plx_alg_openssl_name(&in->spec, name, sizeof(name));
	switch (in->spec.alg->kind) {
	case PLX_ALG_KIND_CIPHER:
	case PLX_ALG_KIND_AEAD:
		type = EVP_CIPHER_fetch(NULL, name, NULL);
		ok = type != NULL && cipher_run(in, type, cipher, tag);
		EVP_CIPHER_free(type);
		return ok;
	case PLX_ALG_KIND_HASH:
		return hash_run(in, name, tag);
	case PLX_ALG_KIND_MAC:
		return mac_run(in, name, tag);
	case PLX_ALG_KIND_ASYM:
	case PLX_ALG_KIND_RANDOM:
	default:
		return false;
	}
}
