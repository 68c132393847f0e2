/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_keystore.h"

#include <errno.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

#include "keystore_priv.h"

/*
 * Keys made here. Secrets come from OpenSSL's generator for private values straight into secret
 * memory; RSA and curve keys are made by OpenSSL and taken out number by number, and OpenSSL clears
 * its own.
 */

#define GENERATED_MAX_BYTES                                                                        \
	8192 /* all numbers of an RSA key of 8192 bits: 4.5 times its modulus                      \
	      */

/* Numbers written one behind the other into secret memory. */
struct shelf {
	uint8_t *bytes;
	size_t len;
	struct key_material m;
};

static bool
shelf_add_number(struct shelf *s, EVP_PKEY *pkey, const char *param, enum key_part part,
		 size_t fixed_len)
{
	BIGNUM *bn = BN_secure_new();
	size_t len;
	bool ok;

	ok = bn != NULL && EVP_PKEY_get_bn_param(pkey, param, &bn) == 1;
	len = fixed_len != 0 ? fixed_len : ok ? (size_t)BN_num_bytes(bn) : 0;
	ok = ok && s->len + len <= GENERATED_MAX_BYTES &&
	     BN_bn2binpad(bn, s->bytes + s->len, (int)len) == (int)len;
	BN_clear_free(bn);
	if (!ok)
		return false;
	s->m.part[part].data = s->bytes + s->len;
	s->m.part[part].len = len;
	s->len += len;
	return true;
}

static bool
shelf_add_rsa(struct shelf *s, EVP_PKEY *pkey)
{
	static const struct {
		const char *param;
		enum key_part part;
	} numbers[] = {
		{ OSSL_PKEY_PARAM_RSA_N, KEY_PART_N },
		{ OSSL_PKEY_PARAM_RSA_E, KEY_PART_E },
		{ OSSL_PKEY_PARAM_RSA_D, KEY_PART_D },
		{ OSSL_PKEY_PARAM_RSA_FACTOR1, KEY_PART_P },
		{ OSSL_PKEY_PARAM_RSA_FACTOR2, KEY_PART_Q },
		{ OSSL_PKEY_PARAM_RSA_EXPONENT1, KEY_PART_DP },
		{ OSSL_PKEY_PARAM_RSA_EXPONENT2, KEY_PART_DQ },
		{ OSSL_PKEY_PARAM_RSA_COEFFICIENT1, KEY_PART_QINV },
	};
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(numbers); i++) {
		if (!shelf_add_number(s, pkey, numbers[i].param, numbers[i].part, 0))
			return false;
	}
	return true;
}

static bool
shelf_add_ecx(struct shelf *s, EVP_PKEY *pkey)
{
	size_t len = GENERATED_MAX_BYTES;

	if (EVP_PKEY_get_raw_private_key(pkey, s->bytes, &len) != 1)
		return false;
	s->m.part[KEY_PART_SECRET].data = s->bytes;
	s->m.part[KEY_PART_SECRET].len = len;
	s->len = len;
	return true;
}

static bool
shelf_add(struct shelf *s, const struct key_bind *bind, EVP_PKEY *pkey)
{
	s->m.type = bind->type;
	s->m.curve = bind->curve;
	s->m.is_private = true;
	if (bind->type == KEY_TYPE_RSA)
		return shelf_add_rsa(s, pkey);
	if (bind->type == KEY_TYPE_ECX)
		return shelf_add_ecx(s, pkey);
	return shelf_add_number(s, pkey, OSSL_PKEY_PARAM_PRIV_KEY, KEY_PART_SECRET,
				(bind->curve->bits + 7) / 8);
}

static EVP_PKEY *
pkey_generate(const struct key_bind *bind)
{
	if (bind->type == KEY_TYPE_RSA)
		return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)bind->bits);
	if (bind->type == KEY_TYPE_ECX || bind->curve->nid == NID_sm2)
		return EVP_PKEY_Q_keygen(NULL, NULL, bind->curve->group);
	return EVP_PKEY_Q_keygen(NULL, NULL, "EC", bind->curve->group);
}

static int
generate_asym(struct plx_keystore *ks, const struct key_bind *bind, struct key **out,
	      struct plx_err *err)
{
	uint8_t point[KEY_POINT_MAX_BYTES];
	struct shelf s = { 0 };
	EVP_PKEY *pkey;
	void *bytes;
	bool ok;
	int ret;

	ret = keystore_secret_alloc(GENERATED_MAX_BYTES, &bytes, err);
	if (ret < 0)
		return ret;
	s.bytes = bytes;

	ERR_set_mark();
	pkey = pkey_generate(bind);
	ok = pkey != NULL && shelf_add(&s, bind, pkey);
	EVP_PKEY_free(pkey);
	ERR_pop_to_mark();

	ret = ok ? keystore_asym_check(&s.m, point, err)
		 : plx_err_set(err, -ENOMEM, "OpenSSL could not make a key");
	if (ret == 0)
		ret = keystore_key_make(ks, bind, &s.m, out, err);
	plx_secret_free(bytes);
	return ret;
}

static int
generate_secret(struct plx_keystore *ks, const struct key_bind *bind, struct key **out,
		struct plx_err *err)
{
	struct key_material m = { .type = KEY_TYPE_SECRET, .is_private = true };
	size_t len = bind->bits / 8;
	void *bytes;
	int ret;

	if (bind->alg != NULL)
		len *= bind->alg->nb_keys;
	ret = keystore_secret_alloc(len, &bytes, err);
	if (ret < 0)
		return ret;
	if (RAND_priv_bytes(bytes, (int)len) != 1)
		ret = plx_err_set(err, -ENOMEM, "the random generator gives no bytes");
	if (ret == 0)
		ret = keystore_secret_check(bind, bytes, len, err);
	m.part[KEY_PART_SECRET].data = bytes;
	m.part[KEY_PART_SECRET].len = len;
	if (ret == 0)
		ret = keystore_key_make(ks, bind, &m, out, err);
	plx_secret_free(bytes);
	return ret;
}

/* The size a name leaves open: the table's for HMAC, none for others. */
static int
generate_size(const char *alg, struct key_bind *bind, struct plx_err *err)
{
	const struct plx_alg *rsa = plx_alg_find("rsa-pkcs1");
	struct plx_alg_spec spec;
	int ret;

	if (bind->type == KEY_TYPE_SECRET && bind->bits == 0) {
		if (bind->alg == NULL)
			return plx_err_set(err, -EINVAL,
					   "say how large a key: %s-256, for instance", bind->stem);
		ret = plx_alg_parse(alg, &spec, err);
		if (ret < 0)
			return -EINVAL;
		bind->bits = plx_alg_key_bits(&spec);
	}
	if (bind->type == KEY_TYPE_SECRET && (bind->bits % 8 != 0 || bind->bits / 8 > UINT16_MAX))
		return plx_err_set(err, -EINVAL,
				   "a key of %s-%u is not made: say a multiple of 8 bits",
				   bind->stem, bind->bits);
	if (bind->type == KEY_TYPE_RSA &&
	    (bind->bits % 8 != 0 || !plx_alg_range_has(&rsa->key, bind->bits / 8)))
		return plx_err_set(
			err, -EINVAL,
			"an RSA key of %u bits is not made; say %u to %u in steps of %u, such as "
			"rsa-2048",
			bind->bits, rsa->key.min * 8u, rsa->key.max * 8u, rsa->key.step * 8u);
	return 0;
}

int
plx_key_generate(struct plx_keystore *ks, const char *container, const char *name, const char *alg,
		 plx_key_handle *handle, struct plx_err *err)
{
	struct key_bind bind;
	struct container *c;
	struct key *key = NULL;
	int ret;

	ret = keystore_key_place(ks, container, name, &c, err);
	if (ret < 0)
		return ret;
	if (alg == NULL)
		return plx_err_set(
			err, -EINVAL,
			"say what key to make, such as aes-256-gcm, hmac-sha256 or rsa-2048");
	ret = keystore_bind_parse(alg, &bind, err);
	if (ret == 0)
		ret = generate_size(alg, &bind, err);
	if (ret < 0)
		return ret;

	ret = bind.type == KEY_TYPE_SECRET ? generate_secret(ks, &bind, &key, err)
					   : generate_asym(ks, &bind, &key, err);
	if (ret < 0)
		return ret;
	ret = keystore_key_insert(ks, c, name, key, handle, err);
	if (ret < 0)
		keystore_key_free(key);
	return ret;
}
