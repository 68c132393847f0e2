/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_keystore.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/evp.h>

#include "keystore_priv.h"

/*
 * From numbers to a key: the parts are copied one behind the other into one block of secret memory,
 * the public half is written as a SubjectPublicKeyInfo, the fingerprint is taken. Public keys live
 * in secret memory too, so that there is one way for all.
 */

/* Bits of a number without zero bytes in front. */
uint32_t
keystore_view_bits(const struct key_view *v)
{
	if (v->len == 0)
		return 0;
	return (uint32_t)(v->len * 8) - (uint32_t)__builtin_clz(v->data[0]) + 24;
}

static int
blob_fill(struct key *key, const struct key_material *m, struct plx_err *err)
{
	size_t total = 0, at = 0;
	void *blob;
	int i, ret;

	for (i = 0; i < KEY_NB_PARTS; i++)
		total += m->part[i].len;
	ret = keystore_secret_alloc(total, &blob, err);
	if (ret < 0)
		return ret;

	key->blob = blob;
	key->blob_bytes = total;
	for (i = 0; i < KEY_NB_PARTS; i++) {
		if (m->part[i].len == 0)
			continue;
		memcpy(key->blob + at, m->part[i].data, m->part[i].len);
		key->part[i].data = key->blob + at;
		key->part[i].len = m->part[i].len;
		at += m->part[i].len;
	}
	return 0;
}

/* Of a secret: a digest under the keystore's own random key, which tells equality and no more. */
static bool
finger_secret(const struct plx_keystore *ks, struct key *key)
{
	char digest[] = "SHA256";
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
		OSSL_PARAM_construct_end(),
	};
	const struct key_view *v = &key->part[KEY_PART_SECRET];
	size_t len = 0;

	return EVP_Q_mac(NULL, "HMAC", NULL, NULL, params, ks->finger_key, KEY_FINGER_BYTES,
			 v->data, v->len, key->finger, sizeof(key->finger), &len) != NULL;
}

static bool
finger_public(struct key *key)
{
	size_t len = 0;

	return EVP_Q_digest(NULL, "SHA256", NULL, key->spki, key->spki_bytes, key->finger, &len) ==
	       1;
}

static int
key_seal(struct plx_keystore *ks, const struct key_material *m, struct key *key,
	 struct plx_err *err)
{
	bool ok;
	int ret;

	ret = blob_fill(key, m, err);
	if (ret < 0)
		return ret;
	if (m->type != KEY_TYPE_SECRET) {
		ret = keystore_asym_spki(m, &key->spki, &key->spki_bytes, err);
		if (ret < 0)
			return ret;
	}
	ok = m->type == KEY_TYPE_SECRET ? finger_secret(ks, key) : finger_public(key);
	return ok ? 0 : plx_err_set(err, -ENOMEM, "no memory for a key's fingerprint");
}

/* The material is checked by the caller; the key is in no slot and container yet. */
int
keystore_key_make(struct plx_keystore *ks, const struct key_bind *bind,
		  const struct key_material *m, struct key **out, struct plx_err *err)
{
	struct key *key;
	int ret;

	key = calloc(1, sizeof(*key));
	if (key == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for a key");
	key->bind = *bind;
	key->is_private = m->is_private;
	if (m->type == KEY_TYPE_SECRET)
		key->bind.bits = keystore_bind_bits(bind, m->part[KEY_PART_SECRET].len);
	else if (m->type == KEY_TYPE_RSA)
		key->bind.bits = keystore_view_bits(&m->part[KEY_PART_N]);
	else
		key->bind.bits = m->curve->bits;

	ret = key_seal(ks, m, key, err);
	if (ret < 0) {
		keystore_key_free(key);
		return ret;
	}
	*out = key;
	return 0;
}

void
keystore_key_free(struct key *key)
{
	if (key == NULL)
		return;
	plx_secret_free(key->blob);
	free(key->spki);
	free(key);
}
