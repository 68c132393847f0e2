/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <errno.h>
#include <stdlib.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <rte_malloc.h>

/* Sessions, the consumer's part of a queue pair, and where an op waits. */

static const int curve_nids[MB_NB_GROUPS] = { NID_X9_62_prime256v1, NID_secp384r1, NID_secp521r1,
					      NID_sm2 };

/* Scratch of the largest of all calls, as the library says. Those on curves take one and, up to
 * 2021.12.1, write nothing there. */
static size_t
scratch_size(const struct mb_calls *calls)
{
	static const int bits[] = { 2048, 3072, 4096 };
	size_t size = 0;

	for (size_t i = 0; i < RTE_DIM(bits); i++) {
		int pub = calls->rsa_method_size(calls->rsa_public_method(bits[i]));
		int priv = calls->rsa_method_size(calls->rsa_private_method(bits[i]));

		size = RTE_MAX(size, (size_t)RTE_MAX(pub, priv));
		size = RTE_MAX(size, (size_t)calls->power_scratch(bits[i]));
	}
	return size;
}

static bool
curve_create(struct mb_asym_qp *a, size_t i)
{
	EC_GROUP *group = EC_GROUP_new_by_curve_name(curve_nids[i]);

	a->groups[i] = group;
	if (i < MB_NB_CURVES) {
		a->keys[i] = EC_KEY_new_by_curve_name(curve_nids[i]);
		if (a->keys[i] == NULL)
			return false;
	}
	return group != NULL && BN_bn2binpad(EC_GROUP_get0_order(group), a->orders[i],
					     (EC_GROUP_order_bits(group) + 7) / 8) >= 0;
}

int
mb_asym_qp_create(struct mb_qp *qp)
{
	struct mb_asym_qp *a;
	size_t i;

	a = rte_zmalloc_socket("plx_mb_asym", sizeof(*a), RTE_CACHE_LINE_SIZE, qp->socket_id);
	if (a == NULL)
		return -ENOMEM;
	qp->asym = a;
	for (i = 0; i < MB_NB_KINDS; i++)
		a->lists[i].first = a->lists[i].last = MB_NO_NODE;
	a->bn = BN_CTX_secure_new();
	if (a->bn == NULL)
		a->bn = BN_CTX_new();
	a->sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
	a->hmac = HMAC_CTX_new();
	if (a->bn == NULL || a->sha256 == NULL || a->hmac == NULL)
		return -ENOMEM;
	if (mb_prov_exchange_find("X25519", &a->x25519) < 0)
		ERR_clear_error(); /* ops on it will say so */
	for (i = 0; i < MB_NB_GROUPS; i++) {
		if (!curve_create(a, i))
			return -ENOMEM;
	}
	if (qp->dev->calls == NULL)
		return 0;
	a->scratch_bytes = scratch_size(qp->dev->calls);
	a->scratch = rte_zmalloc_socket("plx_mb_scratch", a->scratch_bytes, RTE_CACHE_LINE_SIZE,
					qp->socket_id);
	return a->scratch != NULL ? 0 : -ENOMEM;
}

void
mb_asym_qp_free(struct mb_qp *qp)
{
	struct mb_asym_qp *a = qp->asym;

	if (a == NULL)
		return;
	for (size_t i = 0; i < MB_NB_GROUPS; i++)
		EC_GROUP_free(a->groups[i]);
	for (size_t i = 0; i < MB_NB_CURVES; i++)
		EC_KEY_free(a->keys[i]);
	BN_CTX_free(a->bn);
	mb_prov_exchange_put(&a->x25519);
	HMAC_CTX_free(a->hmac);
	EVP_MD_free(a->sha256);
	if (a->scratch != NULL)
		OPENSSL_cleanse(a->scratch, a->scratch_bytes);
	rte_free(a->scratch);
	OPENSSL_cleanse(a, sizeof(*a));
	rte_free(a);
	qp->asym = NULL;
}

unsigned int
mb_asym_session_size(void)
{
	return sizeof(struct mb_asym_sess *);
}

static int
session_fill(struct mb_asym_sess *sess, const struct rte_crypto_asym_xform *xform)
{
	switch ((int)xform->xform_type) {
	case RTE_CRYPTO_ASYM_XFORM_RSA:
		return mb_rsa_create(&xform->rsa, &sess->rsa);
	case RTE_CRYPTO_ASYM_XFORM_MODEX:
		return mb_mod_create(&xform->modex.modulus, &xform->modex.exponent, &sess->mod);
	case RTE_CRYPTO_ASYM_XFORM_MODINV:
		return mb_mod_create(&xform->modinv.modulus, NULL, &sess->mod);
	case RTE_CRYPTO_ASYM_XFORM_DH:
		return mb_mod_create(&xform->dh.p, &xform->dh.g, &sess->mod);
	case RTE_CRYPTO_ASYM_XFORM_ECDSA:
	case RTE_CRYPTO_ASYM_XFORM_ECDH:
	case RTE_CRYPTO_ASYM_XFORM_ECPM:
	case RTE_CRYPTO_ASYM_XFORM_ECFPM:
#if PLX_PMD_HAS_SM2
	case RTE_CRYPTO_ASYM_XFORM_SM2:
#endif
#if PLX_PMD_HAS_EDDSA
	case RTE_CRYPTO_ASYM_XFORM_EDDSA:
#endif
		return mb_ec_configure(xform->xform_type, &xform->ec, &sess->ec);
	default:
		return -ENOTSUP;
	}
}

static void
session_free(struct mb_asym_sess *sess)
{
	mb_rsa_free(sess->rsa);
	mb_mod_free(&sess->mod);
	EVP_PKEY_free(sess->ec.pkey);
	OPENSSL_cleanse(sess, sizeof(*sess));
	free(sess);
}

/* One transform; or two for Diffie-Hellman, which is how DPDK says that a private and a public key
 * are made in one op. */
static bool
is_chain(const struct rte_crypto_asym_xform *xform)
{
	const struct rte_crypto_asym_xform *next = xform->next;

	return next == NULL || (xform->xform_type == RTE_CRYPTO_ASYM_XFORM_DH &&
				next->xform_type == RTE_CRYPTO_ASYM_XFORM_DH);
}

int
mb_asym_session_configure(struct mb_dev *dev, struct rte_crypto_asym_xform *xform, void *priv)
{
	struct mb_asym_sess *sess;
	int ret;

	(void)dev;
	if (xform == NULL || !is_chain(xform))
		return -ENOTSUP;
	sess = calloc(1, sizeof(*sess));
	if (sess == NULL)
		return -ENOMEM;
	sess->type = xform->xform_type;
	sess->makes_pairs = xform->next != NULL;
	ret = session_fill(sess, xform);
	if (ret < 0) {
		session_free(sess);
		return ret;
	}
	*(struct mb_asym_sess **)priv = sess;
	return 0;
}

void
mb_asym_session_clear(void *priv)
{
	struct mb_asym_sess **sess = priv;

	if (*sess != NULL)
		session_free(*sess);
	*sess = NULL;
}

static enum mb_kind
kind_of(const struct mb_asym_sess *sess, struct rte_crypto_op *op)
{
	switch ((int)sess->type) {
	case RTE_CRYPTO_ASYM_XFORM_RSA:
		return mb_rsa_kind(sess, op);
	case RTE_CRYPTO_ASYM_XFORM_ECDSA:
		return mb_ecdsa_kind(sess, op);
	case RTE_CRYPTO_ASYM_XFORM_ECDH:
		return mb_ecdh_kind(sess, op);
	case RTE_CRYPTO_ASYM_XFORM_ECPM:
		return mb_ecpm_kind(sess, op);
	case RTE_CRYPTO_ASYM_XFORM_ECFPM:
		return mb_ecfpm_kind(sess, op);
	case RTE_CRYPTO_ASYM_XFORM_MODEX:
		return (enum mb_kind)(MB_MODEXP + sess->mod.size);
	case RTE_CRYPTO_ASYM_XFORM_MODINV:
		return MB_MODINV;
	case RTE_CRYPTO_ASYM_XFORM_DH:
		return mb_dh_kind(sess, op);
#if PLX_PMD_HAS_EDDSA
	case RTE_CRYPTO_ASYM_XFORM_EDDSA:
		return mb_eddsa_kind(op);
#endif
#if PLX_PMD_HAS_SM2
	case RTE_CRYPTO_ASYM_XFORM_SM2:
		return mb_sm2_kind(op);
#endif
	default:
		op->status = RTE_CRYPTO_OP_STATUS_INVALID_SESSION;
		return MB_NB_KINDS;
	}
}

/* A session of another driver names its driver in its first bytes; with one of ours the type is
 * right. */
static const struct mb_asym_sess *
session_check(struct rte_crypto_op *op)
{
	const struct mb_asym_sess *sess = NULL;

	if (op->sess_type == RTE_CRYPTO_OP_WITH_SESSION && op->asym->session != NULL &&
	    op->asym->session->driver_id == mb_driver_id)
		sess = mb_asym_sess_of(op);
	if (sess == NULL)
		op->status = RTE_CRYPTO_OP_STATUS_INVALID_SESSION;
	return sess;
}

void
mb_asym_take(struct mb_qp *qp, struct rte_crypto_op *op)
{
	const struct mb_asym_sess *sess = session_check(op);
	enum mb_kind kind = sess != NULL ? kind_of(sess, op) : MB_NB_KINDS;

	if (kind == MB_NB_KINDS)
		mb_list_append(qp, &qp->done, op);
	else
		mb_asym_wait(qp, op, kind);
}
