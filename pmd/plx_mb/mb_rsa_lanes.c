/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <openssl/crypto.h>

#include "plx_ct.h"
#include "plx_secret.h"

/*
 * Up to eight RSA ops in one call. A private result is raised to the public exponent and compared
 * with what went in before it is given out: one wrong CRT signature gives the key away (Boneh,
 * DeMillo and Lipton, 1997). A lane that is not right is done again by OpenSSL, which checks too.
 */

/* Is this what went in? Whether a result is right is no secret. */
static bool
is_same(const uint8_t *again, const uint8_t *in, uint32_t len)
{
	bool same = plx_ct_equal(again, in, len);

	plx_ct_public(&same, sizeof(same));
	return same;
}

struct lanes {
	const uint8_t *from[MB_LANES];
	uint8_t *to[MB_LANES];
	const uint64_t *n[MB_LANES], *p[MB_LANES], *q[MB_LANES], *dp[MB_LANES], *dq[MB_LANES],
		*qinv[MB_LANES];
};

void
mb_rsa_private_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
		     enum mb_kind kind)
{
	const struct mb_calls *calls = qp->dev->calls;
	struct mb_asym_qp *a = qp->asym;
	int bits = 2048 + 1024 * (int)(kind - MB_RSA_PRIVATE_2048);
	struct lanes l = { 0 };
	uint8_t again[MB_LANES][512];
	uint8_t *check[MB_LANES] = { NULL };
	const uint8_t *results[MB_LANES] = { NULL };
	uint32_t status, check_status;
	unsigned int i;

	for (i = 0; i < nb; i++) {
		const struct mb_rsa *rsa = mb_asym_sess_of(ops[i])->rsa;

		if (!mb_rsa_before_private(rsa, ops[i], a->in[i]))
			continue;
		l.from[i] = a->in[i];
		l.to[i] = a->out[i];
		results[i] = a->out[i];
		check[i] = again[i];
		l.n[i] = rsa->n;
		l.p[i] = rsa->p;
		l.q[i] = rsa->q;
		l.dp[i] = rsa->dp;
		l.dq[i] = rsa->dq;
		l.qinv[i] = rsa->qinv;
	}
	status = calls->rsa_private_crt(l.from, l.to, l.p, l.q, l.dp, l.dq, l.qinv, bits,
					calls->rsa_private_method(bits), a->scratch);
	check_status = calls->rsa_public(results, check, l.n, bits, calls->rsa_public_method(bits),
					 a->scratch);
	for (i = 0; i < nb; i++) {
		const struct mb_rsa *rsa = mb_asym_sess_of(ops[i])->rsa;

		if (l.from[i] == NULL)
			continue; /* has its status */
		if (mb_lane_is_right(status, i) && mb_lane_is_right(check_status, i) &&
		    is_same(again[i], a->in[i], rsa->bytes))
			mb_rsa_after_private(a, rsa, ops[i], a->in[i], a->out[i]);
		else
			mb_rsa_private_one(qp, ops[i]);
	}
	OPENSSL_cleanse(again, sizeof(again));
	mb_results_wipe(a, sizeof(again[0]));
}

void
mb_rsa_public_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
		    enum mb_kind kind)
{
	const struct mb_calls *calls = qp->dev->calls;
	struct mb_asym_qp *a = qp->asym;
	int bits = 2048 + 1024 * (int)(kind - MB_RSA_PUBLIC_2048);
	struct lanes l = { 0 };
	uint32_t status;
	unsigned int i;

	for (i = 0; i < nb; i++) {
		const struct mb_rsa *rsa = mb_asym_sess_of(ops[i])->rsa;

		if (!mb_rsa_before_public(rsa, ops[i], a->in[i]))
			continue;
		l.from[i] = a->in[i];
		l.to[i] = a->out[i];
		l.n[i] = rsa->n;
	}
	status = calls->rsa_public(l.from, l.to, l.n, bits, calls->rsa_public_method(bits),
				   a->scratch);
	for (i = 0; i < nb; i++) {
		if (l.from[i] == NULL)
			continue;
		if (mb_lane_is_right(status, i))
			mb_rsa_after_public(mb_asym_sess_of(ops[i])->rsa, ops[i], a->out[i]);
		else
			mb_rsa_public_one(qp, ops[i]);
		/* a message before its encryption */
		OPENSSL_cleanse(a->in[i], mb_asym_sess_of(ops[i])->rsa->bytes);
	}
}
