/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_crypto.h>
#include <rte_cryptodev.h>

#include "keystore_priv.h"
#include "rsa_compat.h"

/*
 * From a key and a use to the transform that devices take. Transforms point at the key's own bytes;
 * lib/device copies what it keeps into secret memory before it returns.
 *
 * RSA sessions for public operations get the public numbers and nothing more. Signing and verifying
 * use devices for the bare power only (no padding): see key_op.c for the reason.
 */

/* xform fields are not const, devices do not write to them. */
static uint8_t *
unconst(const uint8_t *p)
{
	return (uint8_t *)(uintptr_t)p;
}

static void
fill_cipher(const struct key *key, const struct key_shape *shape,
	    struct rte_crypto_cipher_xform *cipher)
{
	cipher->op = shape->op == PLX_OP_ENCRYPT ? RTE_CRYPTO_CIPHER_OP_ENCRYPT
						 : RTE_CRYPTO_CIPHER_OP_DECRYPT;
	cipher->algo = (enum rte_crypto_cipher_algorithm)shape->alg->rte_algo;
	cipher->key.data = key->part[KEY_PART_SECRET].data;
	cipher->key.length = shape->key_bytes;
	cipher->iv.offset = shape->iv_offset;
	cipher->iv.length = shape->iv_bytes;
}

static void
fill_aead(const struct key *key, const struct key_shape *shape, struct rte_crypto_aead_xform *aead)
{
	aead->op = shape->op == PLX_OP_ENCRYPT ? RTE_CRYPTO_AEAD_OP_ENCRYPT
					       : RTE_CRYPTO_AEAD_OP_DECRYPT;
	aead->algo = (enum rte_crypto_aead_algorithm)shape->alg->rte_algo;
	aead->key.data = key->part[KEY_PART_SECRET].data;
	aead->key.length = shape->key_bytes;
	aead->iv.offset = shape->iv_offset;
	aead->iv.length = shape->iv_bytes;
	aead->digest_length = shape->tag_bytes;
	aead->aad_length = shape->aad_bytes;
}

static void
fill_auth(const struct key *key, const struct key_shape *shape, struct rte_crypto_auth_xform *auth)
{
	auth->op = shape->op == PLX_OP_VERIFY ? RTE_CRYPTO_AUTH_OP_VERIFY
					      : RTE_CRYPTO_AUTH_OP_GENERATE;
	auth->algo = (enum rte_crypto_auth_algorithm)shape->alg->rte_algo;
	if (key != NULL) {
		auth->key.data = key->part[KEY_PART_SECRET].data;
		auth->key.length = shape->key_bytes;
	}
	auth->iv.offset = shape->iv_offset;
	auth->iv.length = shape->iv_bytes;
	auth->digest_length = shape->tag_bytes;
}

static int
build_sym(struct plx_keystore *ks, const struct key *key, const struct key_shape *shape,
	  struct plx_session **out, struct plx_err *err)
{
	struct rte_crypto_sym_xform xform = { 0 };

	xform.type = (enum rte_crypto_sym_xform_type)shape->alg->rte_type;
	if (shape->alg->kind == PLX_ALG_KIND_CIPHER)
		fill_cipher(key, shape, &xform.cipher);
	else if (shape->alg->kind == PLX_ALG_KIND_AEAD)
		fill_aead(key, shape, &xform.aead);
	else
		fill_auth(key, shape, &xform.auth);
	return plx_session_create_sym(ks->devs, &xform, out, err);
}

static void
fill_number(const struct key *key, enum key_part part, rte_crypto_uint *out)
{
	out->data = unconst(key->part[part].data);
	out->length = key->part[part].len;
}

/* Do all asymmetric devices take the five CRT numbers? They are what signs fast. */
static bool
devices_take_crt(struct plx_keystore *ks)
{
	const struct plx_device *dev;
	uint32_t pos = 0;

	while ((dev = plx_devices_next(ks->devs, &pos)) != NULL) {
		if ((dev->feature_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) != 0 &&
		    (dev->feature_flags & RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_QT) == 0 &&
		    (dev->feature_flags & RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_EXP) != 0)
			return false;
	}
	return true;
}

static void
fill_rsa(struct plx_keystore *ks, const struct key *key, const struct key_shape *shape,
	 struct rte_crypto_rsa_xform *rsa)
{
	bool is_private = shape->op == PLX_OP_SIGN || shape->op == PLX_OP_DECRYPT;
	bool is_crt = is_private && devices_take_crt(ks);

	fill_number(key, KEY_PART_N, &rsa->n);
	fill_number(key, KEY_PART_E, &rsa->e);
	rsa->key_type = is_crt ? RTE_RSA_KEY_TYPE_QT : RTE_RSA_KEY_TYPE_EXP;
	if (is_private && (!is_crt || !rsa_compat_one_form()))
		fill_number(key, KEY_PART_D, &rsa->d);
	if (is_crt) {
		fill_number(key, KEY_PART_P, &rsa->qt.p);
		fill_number(key, KEY_PART_Q, &rsa->qt.q);
		fill_number(key, KEY_PART_DP, &rsa->qt.dP);
		fill_number(key, KEY_PART_DQ, &rsa->qt.dQ);
		fill_number(key, KEY_PART_QINV, &rsa->qt.qInv);
	}
	rsa_compat_xform_padding(rsa, shape->op == PLX_OP_ENCRYPT || shape->op == PLX_OP_DECRYPT
					      ? RTE_CRYPTO_RSA_PADDING_PKCS1_5
					      : RTE_CRYPTO_RSA_PADDING_NONE);
}

#if EC_COMPAT_KEY_IN_SESSION
static void
fill_ec(const struct key *key, const struct key_shape *shape, struct rte_crypto_ec_xform *ec)
{
	const struct key_view *point = &key->part[KEY_PART_PUBLIC];
	size_t half = key->bind.type == KEY_TYPE_EC ? (point->len - 1) / 2 : point->len;
	uint8_t *x = unconst(point->data) + (key->bind.type == KEY_TYPE_EC ? 1 : 0);

	ec->curve_id = (enum rte_crypto_curve_id)shape->alg->rte_algo;
	ec->q.x.data = x;
	ec->q.x.length = half;
	if (key->bind.type == KEY_TYPE_EC) {
		ec->q.y.data = x + half;
		ec->q.y.length = half;
	}
	if (shape->op == PLX_OP_SIGN || shape->op == PLX_OP_DECRYPT || shape->op == PLX_OP_DERIVE)
		fill_number(key, KEY_PART_SECRET, &ec->pkey);
}
#endif

/* Does any device do this? The sentence names, for each, what it lacks. */
static int
devices_can(struct plx_keystore *ks, const struct key_shape *shape, struct plx_err *err)
{
	struct plx_alg_spec spec = { .alg = shape->alg, .key_bytes = shape->key_bytes };
	const struct plx_device *dev;
	char list[PLX_ERR_TEXT_MAX] = "";
	struct plx_err one = { { 0 } };
	uint32_t pos = 0;
	size_t at = 0;

	while ((dev = plx_devices_next(ks->devs, &pos)) != NULL) {
		if (plx_device_can(dev, &spec, shape->op, &one) == 0)
			return 0;
		if (at < sizeof(list))
			at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s",
					       at == 0 ? "" : "; ", one.text);
	}
	return plx_err_set(err, -ENOTSUP, "no device can %s with %s: %s", plx_op_name(shape->op),
			   shape->alg->name, at == 0 ? "there is no device" : list);
}

static int
build_asym(struct plx_keystore *ks, const struct key *key, const struct key_shape *shape,
	   struct plx_session **out, struct plx_err *err)
{
	struct rte_crypto_asym_xform xform = { 0 };
	int ret;

	ret = devices_can(ks, shape, err);
	if (ret < 0)
		return ret;

	xform.xform_type = (enum rte_crypto_asym_xform_type)shape->alg->rte_type;
	if (key->bind.type == KEY_TYPE_RSA) {
		fill_rsa(ks, key, shape, &xform.rsa);
		return plx_session_create_asym(ks->devs, &xform, out, err);
	}
#if EC_COMPAT_KEY_IN_SESSION
	fill_ec(key, shape, &xform.ec);
	return plx_session_create_asym(ks->devs, &xform, out, err);
#else
	return plx_err_set(
		err, -ENOTSUP,
		"this release of DPDK takes a key of %s with each operation, where it would leave "
		"the keystore; 23.11 and later take it once",
		shape->alg->name);
#endif
}

/* The shape has been checked against row, key and policy. */
int
keystore_session_build(struct plx_keystore *ks, const struct key *key,
		       const struct key_shape *shape, struct plx_session **out, struct plx_err *err)
{
	if (shape->alg->kind == PLX_ALG_KIND_ASYM)
		return build_asym(ks, key, shape, out, err);
	return build_sym(ks, key, shape, out, err);
}
