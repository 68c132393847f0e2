/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <string.h>

#include "mb_sym_priv.h"

#include "plx_secret.h"

/*
 * Digests and MACs when a session is made: which functions, and what an HMAC's key comes down to.
 * K0 is the key, or its digest if it is longer than a block, padded with zeros; the states behind
 * K0 ^ ipad and K0 ^ opad are all that an op needs (FIPS 198-1 section 6).
 */

#define SHA_FUNCTIONS(name_, NAME_, member_)                                                       \
	static int name_##_init(union mb_sha_state *state)                                         \
	{                                                                                          \
		return NAME_##_Init(&state->member_);                                              \
	}                                                                                          \
	static int name_##_update(union mb_sha_state *state, const void *data, size_t len)         \
	{                                                                                          \
		return NAME_##_Update(&state->member_, data, len);                                 \
	}                                                                                          \
	static int name_##_final(uint8_t *digest, union mb_sha_state *state)                       \
	{                                                                                          \
		return NAME_##_Final(digest, &state->member_);                                     \
	}

SHA_FUNCTIONS(sha1, SHA1, sha1)
SHA_FUNCTIONS(sha224, SHA224, sha256)
SHA_FUNCTIONS(sha256, SHA256, sha256)
SHA_FUNCTIONS(sha384, SHA384, sha512)
SHA_FUNCTIONS(sha512, SHA512, sha512)

#define SHA(name_, context_, block_, digest_)                                                      \
	static const struct mb_sha name_ = {                                                       \
		.init = name_##_init,                                                              \
		.update = name_##_update,                                                          \
		.final = name_##_final,                                                            \
		.state_bytes = sizeof(context_),                                                   \
		.block_bytes = (block_),                                                           \
		.digest_bytes = (digest_),                                                         \
	}

SHA(sha1, SHA_CTX, 64, 20);
SHA(sha224, SHA256_CTX, 64, 28);
SHA(sha256, SHA256_CTX, 64, 32);
SHA(sha384, SHA512_CTX, 128, 48);
SHA(sha512, SHA512_CTX, 128, 64);

struct auth_row {
	enum rte_crypto_auth_algorithm algo;
	enum mb_auth_mode mode;
	const struct mb_sha *sha;
	const char *name; /* OpenSSL's, of a hash, or the mode of AES */
};

#define SHA_ROWS(ALGO_, sha_)                                                                      \
	{ RTE_CRYPTO_AUTH_##ALGO_, MB_AUTH_SHA, &(sha_), NULL },                                   \
	{                                                                                          \
		RTE_CRYPTO_AUTH_##ALGO_##_HMAC, MB_AUTH_SHA_HMAC, &(sha_), NULL                    \
	}
#define MD_ROWS(ALGO_, name_)                                                                      \
	{ RTE_CRYPTO_AUTH_##ALGO_, MB_AUTH_MD, NULL, name_ },                                      \
	{                                                                                          \
		RTE_CRYPTO_AUTH_##ALGO_##_HMAC, MB_AUTH_MD_HMAC, NULL, name_                       \
	}

static const struct auth_row rows[] = {
	SHA_ROWS(SHA1, sha1),
	SHA_ROWS(SHA224, sha224),
	SHA_ROWS(SHA256, sha256),
	SHA_ROWS(SHA384, sha384),
	SHA_ROWS(SHA512, sha512),
	MD_ROWS(SHA3_224, "SHA3-224"),
	MD_ROWS(SHA3_256, "SHA3-256"),
	MD_ROWS(SHA3_384, "SHA3-384"),
	MD_ROWS(SHA3_512, "SHA3-512"),
	{ RTE_CRYPTO_AUTH_SM3, MB_AUTH_MD, NULL, "SM3" },
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
	{ RTE_CRYPTO_AUTH_SM3_HMAC, MB_AUTH_MD_HMAC, NULL, "SM3" },
#endif
	{ RTE_CRYPTO_AUTH_AES_CMAC, MB_AUTH_CMAC, NULL, "CBC" },
	{ RTE_CRYPTO_AUTH_AES_GMAC, MB_AUTH_GMAC, NULL, "GCM" },
};

static const struct auth_row *
row_find(enum rte_crypto_auth_algorithm algo)
{
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		if (rows[i].algo == algo)
			return &rows[i];
	}
	return NULL;
}

/* The state behind K0 ^ pad. */
static bool
sha_state_pad(const struct mb_sha *sha, const uint8_t *k0, uint8_t pad, union mb_sha_state *state)
{
	uint8_t block[SHA512_CBLOCK];
	bool ok;

	for (uint32_t i = 0; i < sha->block_bytes; i++)
		block[i] = k0[i] ^ pad;
	ok = sha->init(state) == 1 && sha->update(state, block, sha->block_bytes) == 1;
	plx_wipe(block, sizeof(block));
	return ok;
}

static int
sha_hmac_init(struct mb_sym_auth *auth, const uint8_t *key, uint16_t key_bytes)
{
	const struct mb_sha *sha = auth->sha;
	uint8_t k0[SHA512_CBLOCK] = { 0 };
	bool ok = true;

	if (key_bytes <= sha->block_bytes)
		memcpy(k0, key, key_bytes);
	else
		ok = sha->init(&auth->inner) == 1 &&
		     sha->update(&auth->inner, key, key_bytes) == 1 &&
		     sha->final(k0, &auth->inner) == 1;
	ok = ok && sha_state_pad(sha, k0, 0x36, &auth->inner) &&
	     sha_state_pad(sha, k0, 0x5c, &auth->outer);
	plx_wipe(k0, sizeof(k0));
	return ok ? 0 : -EIO;
}

/* The blocks are kept: a state cannot be copied without allocating memory. */
static int
md_hmac_init(struct mb_sym_auth *auth, const uint8_t *key, uint16_t key_bytes)
{
	int block_bytes = EVP_MD_get_block_size(auth->md.evp);
	uint8_t k0[MB_SYM_KEY_MAX] = { 0 };

	if (block_bytes <= 0 || block_bytes > (int)sizeof(k0))
		return -EIO;
	if (key_bytes <= block_bytes)
		memcpy(k0, key, key_bytes);
	else if (EVP_Digest(key, key_bytes, k0, NULL, auth->md.evp, NULL) != 1)
		return -ENOMEM;
	auth->pad_bytes = (uint16_t)block_bytes;
	for (int i = 0; i < block_bytes; i++) {
		auth->inner_pad[i] = k0[i] ^ 0x36;
		auth->outer_pad[i] = k0[i] ^ 0x5c;
	}
	plx_wipe(k0, sizeof(k0));
	return 0;
}

static int
aes_init(struct mb_sym_auth *auth, const char *mode, const uint8_t *key, uint16_t key_bytes)
{
	int ret = mb_sym_aes_find(mode, key_bytes, &auth->prov);

	if (ret < 0)
		return ret;
	memcpy(auth->key, key, key_bytes);
	auth->key_bytes = key_bytes;
	return 0;
}

static int
md_init(struct mb_sym_auth *auth, const char *name)
{
	int ret = mb_prov_md_find(name, &auth->md);

	if (ret == 0)
		auth->full_bytes = (uint16_t)EVP_MD_get_size(auth->md.evp);
	return ret;
}

static int
mode_init(struct mb_sym_auth *auth, const struct auth_row *row,
	  const struct rte_crypto_auth_xform *xform)
{
	const uint8_t *key = xform->key.data;
	uint16_t key_bytes = xform->key.length;
	int ret;

	switch (row->mode) {
	case MB_AUTH_SHA:
		auth->full_bytes = row->sha->digest_bytes;
		return row->sha->init(&auth->inner) == 1 ? 0 : -EIO;
	case MB_AUTH_SHA_HMAC:
		auth->full_bytes = row->sha->digest_bytes;
		return sha_hmac_init(auth, key, key_bytes);
	case MB_AUTH_MD:
		return md_init(auth, row->name);
	case MB_AUTH_MD_HMAC:
		ret = md_init(auth, row->name);
		return ret < 0 ? ret : md_hmac_init(auth, key, key_bytes);
	case MB_AUTH_CMAC:
	case MB_AUTH_GMAC:
		auth->full_bytes = MB_SYM_BLOCK;
		return aes_init(auth, row->name, key, key_bytes);
	default:
		return -ENOTSUP;
	}
}

int
mb_sym_auth_init(struct mb_sym_auth *auth, const struct rte_crypto_auth_xform *xform,
		 struct plx_err *err)
{
	const struct auth_row *row = row_find(xform->algo);
	int ret;

	if (row == NULL)
		return plx_err_set(err, -ENOTSUP, "no authentication algorithm %d", xform->algo);
	auth->mode = row->mode;
	auth->sha = row->sha;
	auth->is_generate = xform->op == RTE_CRYPTO_AUTH_OP_GENERATE;
	auth->digest_bytes = xform->digest_length;
	auth->iv_offset = xform->iv.offset;
	auth->iv_bytes = xform->iv.length;
	ret = mode_init(auth, row, xform);
	if (ret == -ENOTSUP)
		plx_err_set(err, ret, "this OpenSSL has no algorithm %s",
			    row->name != NULL ? row->name : "SHA");
	else if (ret < 0)
		plx_err_set(err, ret, "no memory for a key");
	return ret;
}

void
mb_sym_auth_wipe(struct mb_sym_auth *auth)
{
	mb_prov_md_put(&auth->md);
	mb_prov_cipher_put(&auth->prov);
	plx_wipe(auth, sizeof(*auth));
}
