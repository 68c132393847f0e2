/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <string.h>

#include "plx_secret.h"

#include "device_priv.h"

/*
 * A session keeps the transform it was made from, keys included, so that a device that is added
 * later gets its counterpart. The copy is one piece of secret memory: the xforms first, then the
 * bytes they point to.
 */

#define PARAM_BYTES_MAX 8192 /* of one parameter: a modulus of 65536 bits */
#define ALIGN_BYTES     16u

struct key_ref {
	const uint8_t *data;
	size_t length;
};

static size_t
aligned(size_t bytes)
{
	return (bytes + ALIGN_BYTES - 1) & ~(size_t)(ALIGN_BYTES - 1);
}

static int
sym_key(const struct rte_crypto_sym_xform *x, struct key_ref *key)
{
	switch (x->type) {
	case RTE_CRYPTO_SYM_XFORM_CIPHER:
		*key = (struct key_ref){ x->cipher.key.data, x->cipher.key.length };
		return 0;
	case RTE_CRYPTO_SYM_XFORM_AUTH:
		*key = (struct key_ref){ x->auth.key.data, x->auth.key.length };
		return 0;
	case RTE_CRYPTO_SYM_XFORM_AEAD:
		*key = (struct key_ref){ x->aead.key.data, x->aead.key.length };
		return 0;
	case RTE_CRYPTO_SYM_XFORM_NOT_SPECIFIED:
	default:
		return -EINVAL;
	}
}

static void
sym_key_set(struct rte_crypto_sym_xform *x, const uint8_t *data)
{
	if (x->type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		x->cipher.key.data = data;
	else if (x->type == RTE_CRYPTO_SYM_XFORM_AUTH)
		x->auth.key.data = data;
	else
		x->aead.key.data = data;
}

static int
sym_measure(const struct rte_crypto_sym_xform *xform, size_t *nb, size_t *bytes,
	    struct plx_err *err)
{
	const struct rte_crypto_sym_xform *x;
	struct key_ref key;

	*nb = 0;
	*bytes = 0;
	for (x = xform; x != NULL; x = x->next) {
		if (++*nb > DEVICE_CHAIN_MAX)
			return plx_err_set(err, -EINVAL,
					   "the chain has more than %u transforms; give fewer",
					   DEVICE_CHAIN_MAX);
		if (sym_key(x, &key) < 0)
			return plx_err_set(err, -EINVAL,
					   "transform type %d is none; give cipher, auth or aead",
					   (int)x->type);
		if (key.length > 0 && key.data == NULL)
			return plx_err_set(err, -EINVAL,
					   "a key of %zu bytes without its bytes; give the key",
					   key.length);
		*bytes += aligned(key.length);
	}
	if (*nb == 0)
		return plx_err_set(err, -EINVAL, "no transform; give one");
	*bytes += aligned(*nb * sizeof(*xform));
	return 0;
}

static int
secret_get(size_t bytes, void **secret, struct plx_err *err)
{
	int ret = plx_secret_alloc(bytes, secret);

	if (ret == -EPERM)
		return plx_err_set(err, ret,
				   "%zu bytes for a key cannot be locked into memory; raise "
				   "RLIMIT_MEMLOCK (ulimit -l)",
				   bytes);
	if (ret < 0)
		return plx_err_set(err, ret, "no memory for a key of %zu bytes", bytes);
	return 0;
}

int
device_xform_copy_sym(const struct rte_crypto_sym_xform *xform, void **secret,
		      struct rte_crypto_sym_xform **out, struct plx_err *err)
{
	const struct rte_crypto_sym_xform *x;
	struct rte_crypto_sym_xform *copy;
	struct key_ref key;
	uint8_t *bytes_at;
	size_t nb;
	size_t bytes;
	size_t i;
	int ret;

	ret = sym_measure(xform, &nb, &bytes, err);
	if (ret < 0)
		return ret;
	ret = secret_get(bytes, secret, err);
	if (ret < 0)
		return ret;

	copy = *secret;
	bytes_at = (uint8_t *)*secret + aligned(nb * sizeof(*copy));
	for (i = 0, x = xform; x != NULL; x = x->next, i++) {
		copy[i] = *x;
		copy[i].next = x->next != NULL ? &copy[i + 1] : NULL;
		if (sym_key(x, &key) < 0 || key.length == 0 || key.data == NULL) {
			sym_key_set(&copy[i], NULL);
			continue;
		}
		memcpy(bytes_at, key.data, key.length);
		sym_key_set(&copy[i], bytes_at);
		bytes_at += aligned(key.length);
	}
	*out = copy;
	return 0;
}

static int
asym_measure(rte_crypto_param *const *fields, int nb, size_t *bytes, struct plx_err *err)
{
	int i;

	*bytes = aligned(sizeof(struct rte_crypto_asym_xform));
	for (i = 0; i < nb; i++) {
		if (fields[i]->length > PARAM_BYTES_MAX)
			return plx_err_set(err, -EINVAL,
					   "a key parameter of %zu bytes; up to %u are taken",
					   fields[i]->length, PARAM_BYTES_MAX);
		if (fields[i]->length > 0 && fields[i]->data == NULL)
			return plx_err_set(
				err, -EINVAL,
				"a key parameter of %zu bytes without its bytes; give them",
				fields[i]->length);
		*bytes += aligned(fields[i]->length);
	}
	return 0;
}

int
device_xform_copy_asym(const struct rte_crypto_asym_xform *xform, void **secret,
		       struct rte_crypto_asym_xform **out, struct plx_err *err)
{
	rte_crypto_param *fields[DEVICE_ASYM_FIELDS_MAX];
	struct rte_crypto_asym_xform *copy;
	struct rte_crypto_asym_xform look;
	uint8_t *bytes_at;
	size_t bytes;
	int nb;
	int i;
	int ret;

	if (xform == NULL)
		return plx_err_set(err, -EINVAL, "no transform; give one");
	if (xform->next != NULL)
		return plx_err_set(err, -EINVAL,
				   "a chain of asymmetric transforms; give them one by one");

	look = *xform;
	nb = device_asym_fields(&look, fields);
	if (nb < 0)
		return plx_err_set(err, nb, "asymmetric transform type %d is not known here",
				   (int)xform->xform_type);
	ret = asym_measure(fields, nb, &bytes, err);
	if (ret < 0)
		return ret;
	ret = secret_get(bytes, secret, err);
	if (ret < 0)
		return ret;

	copy = *secret;
	*copy = *xform;
	nb = device_asym_fields(copy, fields);
	bytes_at = (uint8_t *)*secret + aligned(sizeof(*copy));
	for (i = 0; i < nb; i++) {
		fields[i]->iova = 0;
		if (fields[i]->length == 0) {
			fields[i]->data = NULL;
			continue;
		}
		memcpy(bytes_at, fields[i]->data, fields[i]->length);
		fields[i]->data = bytes_at;
		bytes_at += aligned(fields[i]->length);
	}
	*out = copy;
	return 0;
}

/* Data must be a multiple of this; modes that take any length have 1. */
static uint16_t
cipher_block(enum rte_crypto_cipher_algorithm algo)
{
	switch ((int)algo) {
	case RTE_CRYPTO_CIPHER_AES_CBC:
	case RTE_CRYPTO_CIPHER_AES_ECB:
	case RTE_CRYPTO_CIPHER_SM4_CBC:
	case RTE_CRYPTO_CIPHER_SM4_ECB:
		return 16;
	case RTE_CRYPTO_CIPHER_3DES_CBC:
	case RTE_CRYPTO_CIPHER_3DES_ECB:
	case RTE_CRYPTO_CIPHER_DES_CBC:
		return 8;
	default:
		return 1;
	}
}

uint16_t
device_xform_block(const struct rte_crypto_sym_xform *xform)
{
	for (; xform != NULL; xform = xform->next) {
		if (xform->type == RTE_CRYPTO_SYM_XFORM_CIPHER)
			return cipher_block(xform->cipher.algo);
	}
	return 1;
}

static bool
auth_is_hmac(enum rte_crypto_auth_algorithm algo)
{
	static const enum rte_crypto_auth_algorithm hmacs[] = {
		RTE_CRYPTO_AUTH_MD5_HMAC,      RTE_CRYPTO_AUTH_SHA1_HMAC,
		RTE_CRYPTO_AUTH_SHA224_HMAC,   RTE_CRYPTO_AUTH_SHA256_HMAC,
		RTE_CRYPTO_AUTH_SHA384_HMAC,   RTE_CRYPTO_AUTH_SHA512_HMAC,
		RTE_CRYPTO_AUTH_SHA3_224_HMAC, RTE_CRYPTO_AUTH_SHA3_256_HMAC,
		RTE_CRYPTO_AUTH_SHA3_384_HMAC, RTE_CRYPTO_AUTH_SHA3_512_HMAC,
	};
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(hmacs); i++) {
		if (algo == hmacs[i])
			return true;
	}
	return false;
}

bool
device_xform_has_hmac(const struct rte_crypto_sym_xform *xform)
{
	for (; xform != NULL; xform = xform->next) {
		if (xform->type == RTE_CRYPTO_SYM_XFORM_AUTH && auth_is_hmac(xform->auth.algo))
			return true;
	}
	return false;
}

bool
device_xform_keeps_source(const struct rte_crypto_sym_xform *xform)
{
	for (; xform != NULL; xform = xform->next) {
		if (xform->type == RTE_CRYPTO_SYM_XFORM_AEAD)
			return false;
		if (xform->type == RTE_CRYPTO_SYM_XFORM_CIPHER &&
		    xform->cipher.algo != RTE_CRYPTO_CIPHER_NULL)
			return false;
	}
	return true;
}
