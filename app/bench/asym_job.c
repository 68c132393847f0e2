/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "asym.h"

#include <errno.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/rsa.h>

#include "bench.h"

/*
 * Keys of the asymmetric benchmark and the work done by EVP: the same calls that "openssl speed"
 * makes, with a context that is kept.
 */

static bool
num_get(const EVP_PKEY *key, const char *param, struct asym_num *out)
{
	BIGNUM *bn = NULL;
	bool ok;

	ok = EVP_PKEY_get_bn_param(key, param, &bn) == 1 && BN_num_bytes(bn) <= (int)ASYM_NUM_MAX;
	if (ok)
		out->len = (size_t)BN_bn2bin(bn, out->bytes);
	BN_clear_free(bn);
	return ok;
}

static bool
rsa_numbers(struct asym_job *job)
{
	return num_get(job->key, OSSL_PKEY_PARAM_RSA_N, &job->n) &&
	       num_get(job->key, OSSL_PKEY_PARAM_RSA_E, &job->e) &&
	       num_get(job->key, OSSL_PKEY_PARAM_RSA_FACTOR1, &job->p) &&
	       num_get(job->key, OSSL_PKEY_PARAM_RSA_FACTOR2, &job->q) &&
	       num_get(job->key, OSSL_PKEY_PARAM_RSA_EXPONENT1, &job->dp) &&
	       num_get(job->key, OSSL_PKEY_PARAM_RSA_EXPONENT2, &job->dq) &&
	       num_get(job->key, OSSL_PKEY_PARAM_RSA_COEFFICIENT1, &job->qi);
}

static bool
ec_numbers(struct asym_job *job)
{
	return num_get(job->key, OSSL_PKEY_PARAM_PRIV_KEY, &job->d) &&
	       num_get(job->key, OSSL_PKEY_PARAM_EC_PUB_X, &job->x) &&
	       num_get(job->key, OSSL_PKEY_PARAM_EC_PUB_Y, &job->y) &&
	       num_get(job->peer, OSSL_PKEY_PARAM_EC_PUB_X, &job->peer_x) &&
	       num_get(job->peer, OSSL_PKEY_PARAM_EC_PUB_Y, &job->peer_y);
}

static bool
x25519_numbers(struct asym_job *job)
{
	job->d.len = job->peer_x.len = ASYM_NUM_MAX;
	return EVP_PKEY_get_raw_private_key(job->key, job->d.bytes, &job->d.len) == 1 &&
	       EVP_PKEY_get_raw_public_key(job->peer, job->peer_x.bytes, &job->peer_x.len) == 1;
}

static EVP_PKEY *
key_make(const struct asym_work *w)
{
	if (w->bits != 0)
		return EVP_PKEY_Q_keygen(NULL, NULL, w->type, (size_t)w->bits);
	if (w->group != NULL)
		return EVP_PKEY_Q_keygen(NULL, NULL, w->type, w->group);
	return EVP_PKEY_Q_keygen(NULL, NULL, w->type);
}

static bool
ctx_make(struct asym_job *job, enum asym_what what)
{
	EVP_PKEY_CTX_free(job->ctx);
	job->ctx = EVP_PKEY_CTX_new(job->key, NULL);
	if (job->ctx == NULL)
		return false;
	switch (what) {
	case ASYM_SIGN:
		return EVP_PKEY_sign_init(job->ctx) == 1;
	case ASYM_VERIFY:
		return EVP_PKEY_verify_init(job->ctx) == 1;
	case ASYM_DERIVE:
		return EVP_PKEY_derive_init(job->ctx) == 1 &&
		       EVP_PKEY_derive_set_peer(job->ctx, job->peer) == 1;
	}
	return false;
}

/* The two numbers of the DER signature EVP made. */
static bool
sig_numbers(struct asym_job *job)
{
	const uint8_t *at = job->sig;
	ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &at, (long)job->sig_len);

	if (sig == NULL)
		return false;
	job->r.len = (size_t)BN_bn2bin(ECDSA_SIG_get0_r(sig), job->r.bytes);
	job->s.len = (size_t)BN_bn2bin(ECDSA_SIG_get0_s(sig), job->s.bytes);
	ECDSA_SIG_free(sig);
	return true;
}

static bool
job_fill(struct asym_job *job)
{
	const struct asym_work *w = job->work;
	bool ok = w->bits != 0       ? rsa_numbers(job)
		  : w->group != NULL ? ec_numbers(job)
				     : x25519_numbers(job);

	if (!ok)
		return false;
	memset(job->digest, 0x5c, sizeof(job->digest));
	if (w->what == ASYM_DERIVE) {
		job->secret_len = sizeof(job->secret);
		return ctx_make(job, ASYM_DERIVE) &&
		       EVP_PKEY_derive(job->ctx, job->secret, &job->secret_len) == 1;
	}
	job->sig_len = sizeof(job->sig);
	return ctx_make(job, ASYM_SIGN) &&
	       EVP_PKEY_sign(job->ctx, job->sig, &job->sig_len, job->digest, sizeof(job->digest)) ==
		       1 &&
	       (w->bits != 0 || sig_numbers(job)) && ctx_make(job, w->what);
}

int
asym_job_open(struct asym_job *job, const struct asym_work *work)
{
	memset(job, 0, sizeof(*job));
	job->work = work;
	job->key = key_make(work);
	job->peer = key_make(work);
	if (job->key != NULL && job->peer != NULL && job_fill(job))
		return 0;
	bench_say("%s: OpenSSL makes no key for it", work->name);
	asym_job_close(job);
	return -EIO;
}

void
asym_job_close(struct asym_job *job)
{
	EVP_PKEY_CTX_free(job->ctx);
	EVP_PKEY_free(job->key);
	EVP_PKEY_free(job->peer);
	memset(job, 0, sizeof(*job));
}

bool
asym_evp(struct asym_job *job)
{
	uint8_t out[ASYM_NUM_MAX];
	size_t len = sizeof(out);

	switch (job->work->what) {
	case ASYM_SIGN:
		return EVP_PKEY_sign(job->ctx, out, &len, job->digest, sizeof(job->digest)) == 1;
	case ASYM_VERIFY:
		return EVP_PKEY_verify(job->ctx, job->sig, job->sig_len, job->digest,
				       sizeof(job->digest)) == 1;
	case ASYM_DERIVE:
		return EVP_PKEY_derive(job->ctx, out, &len) == 1;
	}
	return false;
}
