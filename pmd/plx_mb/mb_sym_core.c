/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_malloc.h>

#include "mb_sym_priv.h"

#include "plx_secret.h"

/*
 * From transforms to what an op needs. Sizes are checked against the capabilities, which are all
 * there is of limits. Keys are never part of a sentence.
 */

struct cipher_row {
	enum rte_crypto_sym_xform_type type;
	int algo;
	enum mb_sym_mode mode;
	const char *aes;  /* OpenSSL's name of the mode, */
	const char *name; /* or of the whole */
};

#define CIPHER(algo_, mode_, aes_, name_)                                                          \
	{                                                                                          \
		RTE_CRYPTO_SYM_XFORM_CIPHER, RTE_CRYPTO_CIPHER_##algo_, MB_MODE_##mode_, aes_,     \
			name_                                                                      \
	}
#define AEAD(algo_, mode_, aes_, name_)                                                            \
	{                                                                                          \
		RTE_CRYPTO_SYM_XFORM_AEAD, RTE_CRYPTO_AEAD_##algo_, MB_MODE_##mode_, aes_, name_   \
	}

static const struct cipher_row rows[] = {
	CIPHER(AES_ECB, BLOCKS, "ECB", NULL),
	CIPHER(AES_CBC, BLOCKS, "CBC", NULL),
	CIPHER(AES_CTR, CTR, "CTR", NULL),
	CIPHER(AES_XTS, XTS, "XTS", NULL),
	CIPHER(SM4_ECB, BLOCKS, NULL, "SM4-ECB"),
	CIPHER(SM4_CBC, BLOCKS, NULL, "SM4-CBC"),
	CIPHER(SM4_CTR, CTR, NULL, "SM4-CTR"),
	AEAD(AES_GCM, GCM, "GCM", NULL),
	AEAD(AES_CCM, CCM, "CCM", NULL),
	AEAD(CHACHA20_POLY1305, GCM, NULL, "ChaCha20-Poly1305"),
};

int
mb_sym_aes_find(const char *mode, uint32_t key_bytes, struct mb_prov_cipher *prov)
{
	uint32_t bits = key_bytes * 8;
	char name[32];

	if (strcmp(mode, "XTS") == 0) /* two keys in one */
		bits /= 2;
	snprintf(name, sizeof(name), "AES-%" PRIu32 "-%s", bits, mode);
	return mb_prov_cipher_find(name, prov);
}

static const struct cipher_row *
row_find(enum rte_crypto_sym_xform_type type, int algo)
{
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		if (rows[i].type == type && rows[i].algo == algo)
			return &rows[i];
	}
	return NULL;
}

static int
size_check(const char *what, uint32_t bytes, const struct rte_crypto_param_range *range,
	   struct plx_err *err)
{
	if (bytes >= range->min && bytes <= range->max &&
	    (range->increment == 0 || (bytes - range->min) % range->increment == 0))
		return 0;
	if (range->min == range->max)
		return plx_err_set(err, -EINVAL, "%s of %u bytes; want %u", what, bytes,
				   range->min);
	return plx_err_set(err, -EINVAL, "%s of %u bytes; want %u..%u in steps of %u", what, bytes,
			   range->min, range->max, range->increment);
}

static int
key_check(const uint8_t *key, uint32_t bytes, const struct rte_crypto_param_range *range,
	  struct plx_err *err)
{
	if (key == NULL && bytes > 0)
		return plx_err_set(err, -EINVAL, "a key of %u bytes and no place", bytes);
	return size_check("key", bytes, range, err);
}

static const struct rte_cryptodev_symmetric_capability *
cap_find(enum rte_crypto_sym_xform_type type, int algo)
{
	for (uint32_t i = 0; i < mb_sym_nb_caps; i++) {
		const struct rte_cryptodev_symmetric_capability *cap = &mb_sym_caps[i].sym;

		if (cap->xform_type != type)
			continue;
		if (type == RTE_CRYPTO_SYM_XFORM_CIPHER && (int)cap->cipher.algo == algo)
			return cap;
		if (type == RTE_CRYPTO_SYM_XFORM_AUTH && (int)cap->auth.algo == algo)
			return cap;
		if (type == RTE_CRYPTO_SYM_XFORM_AEAD && (int)cap->aead.algo == algo)
			return cap;
	}
	return NULL;
}

static int
cipher_prov_init(struct mb_sym_cipher *c, const struct cipher_row *row, const uint8_t *key,
		 uint16_t key_bytes, struct plx_err *err)
{
	int ret = row->aes != NULL ? mb_sym_aes_find(row->aes, key_bytes, &c->prov)
				   : mb_prov_cipher_find(row->name, &c->prov);

	if (ret < 0)
		return plx_err_set(err, ret, "this OpenSSL has no %s",
				   row->aes != NULL ? row->aes : row->name);
	c->mode = row->mode;
	c->init = c->is_encrypt ? c->prov.encrypt_init : c->prov.decrypt_init;
	c->key_bytes = key_bytes;
	memcpy(c->key, key, key_bytes);
	return 0;
}

/* A fast kernel keeps its own schedule, which needs no context. */
static int
xts_init(struct mb_sym_cipher *c, struct plx_err *err)
{
	uint32_t half = c->key_bytes / 2u;
	int ret;

	if (plx_ct_equal(c->key, c->key + half, half))
		return plx_err_set(err, -EINVAL,
				   "both halves of an XTS key are the same; want two keys");
	if (strcmp(plx_xts_kernel_name(), "openssl") == 0)
		return 0;
	c->xts = rte_zmalloc("plx_mb_xts", sizeof(*c->xts), RTE_CACHE_LINE_SIZE);
	if (c->xts == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for a key");
	ret = plx_xts_key_init(c->xts, c->key, c->key_bytes, err);
	plx_wipe(c->key, sizeof(c->key));
	return ret;
}

static int
cipher_init(struct mb_sym_cipher *c, const struct rte_crypto_cipher_xform *xform,
	    struct plx_err *err)
{
	const struct rte_cryptodev_symmetric_capability *cap =
		cap_find(RTE_CRYPTO_SYM_XFORM_CIPHER, (int)xform->algo);
	const struct cipher_row *row = row_find(RTE_CRYPTO_SYM_XFORM_CIPHER, (int)xform->algo);
	uint32_t unit = xform->dataunit_len;
	int ret;

	if (cap == NULL || row == NULL)
		return plx_err_set(err, -ENOTSUP, "no cipher %d", (int)xform->algo);
	ret = key_check(xform->key.data, xform->key.length, &cap->cipher.key_size, err);
	if (ret == 0)
		ret = size_check("IV", xform->iv.length, &cap->cipher.iv_size, err);
	if (ret < 0)
		return ret;
	if (unit != 0 && (cap->cipher.dataunit_set == 0 || (unit != 512 && unit != 4096)))
		return plx_err_set(err, -EINVAL,
				   "data units of %u bytes; want 0, or 512 or 4096 "
				   "with AES-XTS",
				   unit);
	c->is_encrypt = xform->op == RTE_CRYPTO_CIPHER_OP_ENCRYPT;
	c->iv_offset = xform->iv.offset;
	c->iv_bytes = (uint8_t)xform->iv.length;
	c->unit_bytes = unit;
	ret = cipher_prov_init(c, row, xform->key.data, xform->key.length, err);
	return ret == 0 && c->mode == MB_MODE_XTS ? xts_init(c, err) : ret;
}

static int
gcm_short_init(struct mb_sym_cipher *c, struct plx_err *err)
{
	if (mb_sym_aes_find("ECB", c->key_bytes, &c->ecb) == 0 &&
	    mb_sym_aes_find("CTR", c->key_bytes, &c->ctr) == 0)
		return 0;
	return plx_err_set(err, -ENOTSUP, "this OpenSSL has no ECB or no CTR");
}

static int
aead_init(struct mb_sym_cipher *c, const struct rte_crypto_aead_xform *xform, struct plx_err *err)
{
	const struct rte_cryptodev_symmetric_capability *cap =
		cap_find(RTE_CRYPTO_SYM_XFORM_AEAD, (int)xform->algo);
	const struct cipher_row *row = row_find(RTE_CRYPTO_SYM_XFORM_AEAD, (int)xform->algo);
	int ret;

	if (cap == NULL || row == NULL)
		return plx_err_set(err, -ENOTSUP, "no AEAD algorithm %d", (int)xform->algo);
	ret = key_check(xform->key.data, xform->key.length, &cap->aead.key_size, err);
	if (ret == 0)
		ret = size_check("IV", xform->iv.length, &cap->aead.iv_size, err);
	if (ret == 0)
		ret = size_check("tag", xform->digest_length, &cap->aead.digest_size, err);
	if (ret < 0)
		return ret;
	c->is_encrypt = xform->op == RTE_CRYPTO_AEAD_OP_ENCRYPT;
	c->iv_offset = xform->iv.offset;
	c->iv_bytes = (uint8_t)xform->iv.length;
	c->tag_bytes = (uint8_t)xform->digest_length;
	c->aad_bytes = xform->aad_length;
	ret = cipher_prov_init(c, row, xform->key.data, xform->key.length, err);
	if (ret == 0 && xform->algo == RTE_CRYPTO_AEAD_AES_GCM && c->iv_bytes == MB_SYM_GCM_NONCE)
		ret = gcm_short_init(c, err);
	return ret;
}

static int
auth_init(struct mb_sym_auth *auth, const struct rte_crypto_auth_xform *xform, struct plx_err *err)
{
	const struct rte_cryptodev_symmetric_capability *cap =
		cap_find(RTE_CRYPTO_SYM_XFORM_AUTH, (int)xform->algo);
	int ret;

	if (cap == NULL)
		return plx_err_set(err, -ENOTSUP, "no authentication algorithm %d",
				   (int)xform->algo);
	/* a hash has no use for a key, and none for an IV, and nor have we */
	ret = cap->auth.key_size.max == 0
		      ? 0
		      : key_check(xform->key.data, xform->key.length, &cap->auth.key_size, err);
	if (ret == 0 && cap->auth.iv_size.max != 0)
		ret = size_check("IV", xform->iv.length, &cap->auth.iv_size, err);
	if (ret == 0)
		ret = size_check("digest", xform->digest_length, &cap->auth.digest_size, err);
	return ret < 0 ? ret : mb_sym_auth_init(auth, xform, err);
}

static int
chain_init(struct mb_sym_core *core, const struct rte_crypto_sym_xform *first,
	   const struct rte_crypto_sym_xform *second, struct plx_err *err)
{
	bool is_cipher_first = first->type == RTE_CRYPTO_SYM_XFORM_CIPHER;
	const struct rte_crypto_sym_xform *cipher = is_cipher_first ? first : second;
	const struct rte_crypto_sym_xform *auth = is_cipher_first ? second : first;
	int ret;

	if (second->next != NULL || cipher->type != RTE_CRYPTO_SYM_XFORM_CIPHER ||
	    auth->type != RTE_CRYPTO_SYM_XFORM_AUTH)
		return plx_err_set(err, -ENOTSUP,
				   "a chain is one cipher and one authentication transform");
	core->kind = is_cipher_first ? MB_SYM_CIPHER_AUTH : MB_SYM_AUTH_CIPHER;
	ret = cipher_init(&core->cipher, &cipher->cipher, err);
	return ret < 0 ? ret : auth_init(&core->auth, &auth->auth, err);
}

static int
one_init(struct mb_sym_core *core, const struct rte_crypto_sym_xform *xform, struct plx_err *err)
{
	switch (xform->type) {
	case RTE_CRYPTO_SYM_XFORM_CIPHER:
		core->kind = MB_SYM_CIPHER;
		return cipher_init(&core->cipher, &xform->cipher, err);
	case RTE_CRYPTO_SYM_XFORM_AUTH:
		core->kind = MB_SYM_AUTH;
		return auth_init(&core->auth, &xform->auth, err);
	case RTE_CRYPTO_SYM_XFORM_AEAD:
		core->kind = MB_SYM_AEAD;
		return aead_init(&core->cipher, &xform->aead, err);
	case RTE_CRYPTO_SYM_XFORM_NOT_SPECIFIED:
	default:
		return plx_err_set(err, -EINVAL, "no transform of type %d", (int)xform->type);
	}
}

int
mb_sym_core_init(struct mb_sym_core *core, const struct rte_crypto_sym_xform *xform,
		 struct plx_err *err)
{
	int ret;

	memset(core, 0, sizeof(*core));
	if (xform == NULL)
		return plx_err_set(err, -EINVAL, "no transform");
	ret = xform->next == NULL ? one_init(core, xform, err)
				  : chain_init(core, xform, xform->next, err);
	if (ret < 0)
		mb_sym_core_wipe(core);
	return ret;
}

void
mb_sym_core_wipe(struct mb_sym_core *core)
{
	struct mb_sym_cipher *c = &core->cipher;

	if (c->xts != NULL) {
		plx_xts_key_wipe(c->xts);
		plx_wipe(c->xts, sizeof(*c->xts));
		rte_free(c->xts);
	}
	mb_prov_cipher_put(&c->prov);
	mb_prov_cipher_put(&c->ecb);
	mb_prov_cipher_put(&c->ctr);
	mb_sym_auth_wipe(&core->auth);
	plx_wipe(core, sizeof(*core));
}
