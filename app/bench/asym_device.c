/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "asym.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <openssl/ecdsa.h>
#include <rte_bus_vdev.h>
#include <rte_crypto.h>
#include <rte_mempool.h>
#include <rte_version.h>

#include "bench.h"
#include "plx_secret.h"

/* The work of the asymmetric benchmark on a cryptodev. */

#define NB_DESC 128u
/* In the registry of TLS groups; crypto_plx_mb takes it as a curve, see its plx_mb.h. */
#define CURVE_X25519 29

#define KEY_IN_SESSION     (RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0))
#define PADDING_IN_SESSION (RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0))

static rte_crypto_param
param(const struct asym_num *num)
{
	const uint8_t *bytes = num->bytes;
	rte_crypto_param p = { .length = num->len };

	memcpy(&p.data, &bytes, sizeof(p.data));
	return p;
}

static int
curve_id(const struct asym_work *w)
{
	if (w->group == NULL)
		return CURVE_X25519;
	return strcmp(w->group, "P-256") == 0   ? RTE_CRYPTO_EC_GROUP_SECP256R1
	       : strcmp(w->group, "P-384") == 0 ? RTE_CRYPTO_EC_GROUP_SECP384R1
						: RTE_CRYPTO_EC_GROUP_SECP521R1;
}

static void
xform_fill(const struct asym_job *job, struct rte_crypto_asym_xform *x)
{
	memset(x, 0, sizeof(*x));
	if (job->work->bits != 0) {
		x->xform_type = RTE_CRYPTO_ASYM_XFORM_RSA;
		x->rsa.n = param(&job->n);
		x->rsa.e = param(&job->e);
		x->rsa.key_type = RTE_RSA_KEY_TYPE_QT;
		x->rsa.qt.p = param(&job->p);
		x->rsa.qt.q = param(&job->q);
		x->rsa.qt.dP = param(&job->dp);
		x->rsa.qt.dQ = param(&job->dq);
		x->rsa.qt.qInv = param(&job->qi);
#if PADDING_IN_SESSION
		x->rsa.padding.type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
#endif
		return;
	}
	x->xform_type = job->work->what == ASYM_DERIVE ? RTE_CRYPTO_ASYM_XFORM_ECDH
						       : RTE_CRYPTO_ASYM_XFORM_ECDSA;
	x->ec.curve_id = (enum rte_crypto_curve_id)curve_id(job->work);
#if KEY_IN_SESSION
	x->ec.pkey = param(&job->d);
	x->ec.q.x = param(job->work->what == ASYM_DERIVE ? &job->peer_x : &job->x);
	x->ec.q.y = param(job->work->what == ASYM_DERIVE ? &job->peer_y : &job->y);
#endif
}

static int
device_up(struct asym_device *d, const char *driver)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = 1 };
	struct rte_cryptodev_qp_conf qp = { .nb_descriptors = NB_DESC };
	char name[64];
	int id;

	snprintf(name, sizeof(name), "%s_asym", driver);
	if (rte_vdev_init(name, NULL) != 0)
		return -ENOTSUP;
	id = rte_cryptodev_get_dev_id(name);
	if (id < 0)
		return -ENOTSUP;
	d->id = (uint8_t)id;
	config.socket_id = rte_cryptodev_socket_id(d->id);
	d->sessions = rte_cryptodev_asym_session_pool_create(name, 15, 0, 0, SOCKET_ID_ANY);
	snprintf(name, sizeof(name), "%s_ops", driver);
	d->ops_pool = rte_crypto_op_pool_create(name, RTE_CRYPTO_OP_TYPE_ASYMMETRIC, 63, 0, 0,
						SOCKET_ID_ANY);
	if (d->sessions == NULL || d->ops_pool == NULL)
		return -ENOMEM;
	if (rte_cryptodev_configure(d->id, &config) != 0 ||
	    rte_cryptodev_queue_pair_setup(d->id, 0, &qp, config.socket_id) != 0 ||
	    rte_cryptodev_start(d->id) != 0)
		return -EIO;
	d->name = driver;
	d->is_up = true;
	return 0;
}

int
asym_device_open(struct asym_device *d, const char *driver, const struct asym_job *job)
{
	struct rte_crypto_asym_xform x;
	uint32_t i;
	int ret = d->is_up ? 0 : device_up(d, driver);

	if (ret < 0)
		return ret;
	xform_fill(job, &x);
	d->session = NULL;
	if (rte_cryptodev_asym_session_create(d->id, &x, d->sessions, &d->session) != 0) {
		/* DPDK keeps the object when the driver has refused the transform */
		if (d->session != NULL)
			rte_mempool_put(d->sessions, d->session);
		d->session = NULL;
		return -ENOTSUP;
	}
	for (i = 0; i < ASYM_INFLIGHT_MAX; i++) {
		d->ops[i] = rte_crypto_op_alloc(d->ops_pool, RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
		if (d->ops[i] == NULL)
			return -ENOMEM;
		asym_device_op(d, job, i);
	}
	return 0;
}

void
asym_device_close(struct asym_device *d, bool with_device)
{
	uint32_t i;

	for (i = 0; i < ASYM_INFLIGHT_MAX; i++) {
		if (d->ops[i] != NULL)
			rte_crypto_op_free(d->ops[i]);
		d->ops[i] = NULL;
	}
	if (d->session != NULL)
		rte_cryptodev_asym_session_free(d->id, d->session);
	d->session = NULL;
	if (!with_device || !d->is_up)
		return;
	rte_cryptodev_stop(d->id);
	rte_cryptodev_close(d->id);
	rte_mempool_free(d->sessions);
	rte_mempool_free(d->ops_pool);
	d->is_up = false;
}

static void
rsa_op(struct asym_device *d, const struct asym_job *job, uint32_t i)
{
	struct rte_crypto_rsa_op_param *p = &d->ops[i]->asym->rsa;

	p->op_type =
		job->work->what == ASYM_SIGN ? RTE_CRYPTO_ASYM_OP_SIGN : RTE_CRYPTO_ASYM_OP_VERIFY;
	memcpy(d->out[i][1], job->digest, sizeof(job->digest));
	p->message.data = d->out[i][1];
	p->message.length = sizeof(job->digest);
	p->sign.data = d->out[i][0];
	p->sign.length = job->n.len;
	if (job->work->what == ASYM_VERIFY)
		memcpy(d->out[i][0], job->sig, job->sig_len);
#if !PADDING_IN_SESSION
	p->padding.type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
#endif
}

static void
ecdsa_op(struct asym_device *d, const struct asym_job *job, uint32_t i)
{
	struct rte_crypto_ecdsa_op_param *p = &d->ops[i]->asym->ecdsa;
	const uint8_t *digest = job->digest;

#if !KEY_IN_SESSION
	p->pkey = param(&job->d);
	p->q.x = param(&job->x);
	p->q.y = param(&job->y);
#endif
	memcpy(&p->message.data, &digest, sizeof(digest));
	p->message.length = sizeof(job->digest);
	if (job->work->what == ASYM_VERIFY) {
		p->op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
		p->r = param(&job->r);
		p->s = param(&job->s);
		return;
	}
	p->op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	p->r.data = d->out[i][0];
	p->s.data = d->out[i][1];
}

static void
ecdh_op(struct asym_device *d, const struct asym_job *job, uint32_t i)
{
	struct rte_crypto_ecdh_op_param *p = &d->ops[i]->asym->ecdh;

	p->ke_type = RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE;
	p->priv_key = param(&job->d);
	p->pub_key.x = param(&job->peer_x);
	p->pub_key.y = param(&job->peer_y);
	p->shared_secret.x.data = d->out[i][0];
}

void
asym_device_op(struct asym_device *d, const struct asym_job *job, uint32_t i)
{
	struct rte_crypto_op *op = d->ops[i];

	memset(op->asym, 0, sizeof(*op->asym));
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	op->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	op->asym->session = d->session;
	if (job->work->bits != 0)
		rsa_op(d, job, i);
	else if (job->work->what == ASYM_DERIVE)
		ecdh_op(d, job, i);
	else
		ecdsa_op(d, job, i);
}

/* EVP's verdict on the signature of an op; the benchmark's own context is for signing. */
static bool
sig_is_good(struct asym_device *d, struct asym_job *job, uint32_t i)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(job->key, NULL);
	ECDSA_SIG *sig = NULL;
	uint8_t *der = NULL;
	const uint8_t *bytes = d->out[i][0];
	int len = (int)job->n.len;
	bool ok;

	if (job->work->bits == 0) {
		const struct rte_crypto_ecdsa_op_param *p = &d->ops[i]->asym->ecdsa;

		sig = ECDSA_SIG_new();
		ECDSA_SIG_set0(sig, BN_bin2bn(p->r.data, (int)p->r.length, NULL),
			       BN_bin2bn(p->s.data, (int)p->s.length, NULL));
		len = i2d_ECDSA_SIG(sig, &der);
		bytes = der;
	}
	ok = len > 0 && EVP_PKEY_verify_init(ctx) == 1 &&
	     EVP_PKEY_verify(ctx, bytes, (size_t)len, job->digest, sizeof(job->digest)) == 1;
	OPENSSL_free(der);
	ECDSA_SIG_free(sig);
	EVP_PKEY_CTX_free(ctx);
	return ok;
}

bool
asym_device_check(struct asym_device *d, struct asym_job *job, uint32_t i)
{
	if (d->ops[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
		return false;
	switch (job->work->what) {
	case ASYM_SIGN:
		return sig_is_good(d, job, i);
	case ASYM_DERIVE:
		return plx_ct_equal(d->out[i][0], job->secret, job->secret_len);
	case ASYM_VERIFY:
		break;
	}
	return true;
}
