/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <string.h>

#include "plx_secret.h"

#include "device_priv.h"

/*
 * "Can this device do it?": the capability array first, since it can name the field; then a session
 * on trial, since drivers refuse what they list. The sentence begins with the device's name.
 */

#define TRIAL_KEY_MAX 256

static int
trial(const struct device *d, struct device_sess *s, struct plx_err *err)
{
	void *sess = NULL;
	int ret;

	ret = device_domain_sess_new(d->devs, d->pub.sess_dom, s, &sess);
	if (ret == 0) {
		device_domain_sess_free(d->devs, d->pub.sess_dom, s->asym != NULL, sess);
		return 0;
	}
	/* no room for a trial says nothing about the device */
	if (ret == -ENOSPC || ret == -ENOMEM)
		return 0;
	return plx_err_set(err, -ENOTSUP, "its driver refuses the transform (%s)",
			   device_errno_name(ret));
}

static int
named(const struct plx_device *dev, int ret, struct plx_err *err)
{
	if (ret < 0)
		plx_err_prefix(err, "%s", dev->name);
	return ret;
}

int
plx_device_can_sym(const struct plx_device *dev, const struct rte_crypto_sym_xform *xform,
		   struct plx_err *err)
{
	const struct device *d = (const struct device *)dev;
	struct device_sess s = { .secret = NULL };
	int ret;

	ret = device_xform_copy_sym(xform, &s.secret, &s.sym, err);
	if (ret < 0)
		return ret;
	ret = device_cap_sym(d, s.sym, err);
	if (ret == 0)
		ret = trial(d, &s, err);
	plx_secret_free(s.secret);
	return named(dev, ret, err);
}

int
plx_device_can_asym(const struct plx_device *dev, const struct rte_crypto_asym_xform *xform,
		    struct plx_err *err)
{
	const struct device *d = (const struct device *)dev;
	struct device_sess s = { .secret = NULL };
	int ret;

	ret = device_xform_copy_asym(xform, &s.secret, &s.asym, err);
	if (ret < 0)
		return ret;
	ret = device_cap_asym(d, s.asym, err);
	if (ret == 0)
		ret = trial(d, &s, err);
	plx_secret_free(s.secret);
	return named(dev, ret, err);
}

static void
cipher_fill(struct rte_crypto_sym_xform *x, const struct plx_alg_spec *spec, enum plx_op op,
	    const uint8_t *key)
{
	x->cipher.op =
		op == PLX_OP_DECRYPT ? RTE_CRYPTO_CIPHER_OP_DECRYPT : RTE_CRYPTO_CIPHER_OP_ENCRYPT;
	x->cipher.algo = (enum rte_crypto_cipher_algorithm)spec->alg->rte_algo;
	x->cipher.key.data = key;
	x->cipher.key.length = spec->key_bytes;
	x->cipher.iv.length = spec->alg->iv_default_bytes;
}

static void
aead_fill(struct rte_crypto_sym_xform *x, const struct plx_alg_spec *spec, enum plx_op op,
	  const uint8_t *key)
{
	x->aead.op = op == PLX_OP_DECRYPT ? RTE_CRYPTO_AEAD_OP_DECRYPT : RTE_CRYPTO_AEAD_OP_ENCRYPT;
	x->aead.algo = (enum rte_crypto_aead_algorithm)spec->alg->rte_algo;
	x->aead.key.data = key;
	x->aead.key.length = spec->key_bytes;
	x->aead.iv.length = spec->alg->iv_default_bytes;
	x->aead.digest_length = spec->alg->tag_default_bytes;
}

static void
auth_fill(struct rte_crypto_sym_xform *x, const struct plx_alg_spec *spec, enum plx_op op,
	  const uint8_t *key)
{
	x->auth.op = op == PLX_OP_VERIFY ? RTE_CRYPTO_AUTH_OP_VERIFY : RTE_CRYPTO_AUTH_OP_GENERATE;
	x->auth.algo = (enum rte_crypto_auth_algorithm)spec->alg->rte_algo;
	x->auth.key.data = spec->key_bytes > 0 ? key : NULL;
	x->auth.key.length = spec->key_bytes;
	x->auth.iv.length = spec->alg->iv_default_bytes;
	x->auth.digest_length = spec->alg->tag_default_bytes;
}

/* A transform as job, bench and tests would make it, with a key of no meaning. */
static int
spec_can_sym(const struct plx_device *dev, const struct plx_alg_spec *spec, enum plx_op op,
	     struct plx_err *err)
{
	const struct device *d = (const struct device *)dev;
	struct rte_crypto_sym_xform x;
	uint8_t key[TRIAL_KEY_MAX];
	struct device_sess s = { .sym = &x };
	int ret;
	size_t i;

	/* not a constant: AES-XTS wants two keys that differ */
	for (i = 0; i < sizeof(key); i++)
		key[i] = (uint8_t)i;
	memset(&x, 0, sizeof(x));
	x.type = (enum rte_crypto_sym_xform_type)spec->alg->rte_type;
	if (x.type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		cipher_fill(&x, spec, op, key);
	else if (x.type == RTE_CRYPTO_SYM_XFORM_AEAD)
		aead_fill(&x, spec, op, key);
	else
		auth_fill(&x, spec, op, key);
	ret = device_cap_sym(d, &x, err);
	if (ret == 0 && spec->key_bytes <= sizeof(key))
		ret = trial(d, &s, err);
	return ret;
}

int
plx_device_can(const struct plx_device *dev, const struct plx_alg_spec *spec, enum plx_op op,
	       struct plx_err *err)
{
	const struct plx_alg *alg = spec->alg;
	int ret;

	if ((alg->ops & (uint32_t)op) == 0)
		return plx_err_set(err, -ENOTSUP, "%s: %s has no operation %s", dev->name,
				   alg->name, plx_op_name(op));
	if (alg->kind == PLX_ALG_KIND_RANDOM)
		return plx_err_set(err, -ENOTSUP,
				   "%s: %s comes from no device; the system gives it", dev->name,
				   alg->name);
	if (alg->kind == PLX_ALG_KIND_ASYM)
		ret = device_cap_asym_spec((const struct device *)dev, spec, op, err);
	else
		ret = spec_can_sym(dev, spec, op, err);
	return named(dev, ret, err);
}
