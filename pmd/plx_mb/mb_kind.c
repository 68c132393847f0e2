/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <rte_cycles.h>

/*
 * Which ops run next, and how many of them in one call. A step makes one call of one kind and goes
 * on with the next kind, so that a slow kind costs the others no more than one call.
 *
 * Eight lanes take the same time however many are filled. How many have to be filled for the call
 * to be worth it is measured while the device works: the quickest call of eight so far, divided by
 * the quickest single op so far. Below that ops go one at a time, at once. The quickest is taken,
 * not the mean, since the thread may lose its CPU in the middle of either. One op alone never gets
 * a call: eight lanes take no less time than it. Now and then a few ops go one at a time all the
 * same: the single op that was measured may have been the first of its key, with all there is to
 * prepare, and nothing better would ever be known of it.
 */

/* What is assumed until both have run: RSA-2048 on a CPU with AVX512-IFMA. */
#define BREAK_EVEN_GUESS 2u
#define BREAK_EVEN_LEAST 2u
#define CALLS_TO_DOUBT   64u /* calls that were not full, then a single op */

#define CURVES(one_fn, eight_fn)                                                                   \
	{ one_fn, eight_fn }, { one_fn, eight_fn },                                                \
	{                                                                                          \
		one_fn, eight_fn                                                                   \
	}

#define POWERS(one_fn, eight_fn)                                                                   \
	{ one_fn, eight_fn }, { one_fn, eight_fn }, { one_fn, eight_fn }, { one_fn, eight_fn },    \
	{                                                                                          \
		one_fn, NULL                                                                       \
	}

/* In the order of enum mb_kind. */
static const struct {
	/* Do one op and set its status. */
	void (*one)(struct mb_qp *qp, struct rte_crypto_op *op);
	/* Do 1..8 ops in one call and set their status; NULL: there is no such call. */
	void (*eight)(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
		      enum mb_kind kind);
} kinds[MB_NB_KINDS] = {
	{ mb_rsa_private_one, mb_rsa_private_eight }, /* 2048, 3072, 4096 bits */
	{ mb_rsa_private_one, mb_rsa_private_eight },
	{ mb_rsa_private_one, mb_rsa_private_eight },
	{ mb_rsa_private_one, NULL },
	{ mb_rsa_public_one, mb_rsa_public_eight },
	{ mb_rsa_public_one, mb_rsa_public_eight },
	{ mb_rsa_public_one, mb_rsa_public_eight },
	{ mb_rsa_public_one, NULL },
	CURVES(mb_ecdsa_sign_one, mb_ecdsa_sign_eight),
	CURVES(mb_ecdsa_verify_one, mb_ecdsa_verify_eight),
	CURVES(mb_ecdh_one, mb_ecdh_eight),
	CURVES(mb_ec_public_one, mb_ec_public_eight),
	[MB_X25519] = { mb_x25519_one, mb_x25519_eight },
	[MB_X25519_PUBLIC] = { mb_x25519_public_one, mb_x25519_public_eight },
	[MB_EC_POINT] = { mb_ec_point_one, NULL },
	[MB_EC_CHECK] = { mb_ec_check_one, NULL },
	[MB_EDDSA_SIGN] = { mb_eddsa_one, NULL },
	[MB_EDDSA_VERIFY] = { mb_eddsa_one, NULL },
#if PLX_PMD_HAS_SM2
	[MB_SM2_SIGN] = { mb_sm2_one, mb_sm2_sign_eight },
	[MB_SM2_VERIFY] = { mb_sm2_one, mb_sm2_verify_eight },
	[MB_SM2_OTHER] = { mb_sm2_one, NULL },
#endif
	[MB_MODEXP] = POWERS(mb_modexp_one, mb_modexp_eight),
	[MB_DH] = POWERS(mb_dh_one, mb_dh_eight),
	[MB_MODINV] = { mb_modinv_one, NULL },
};

static unsigned int
break_even(const struct mb_asym_qp *a, enum mb_kind kind)
{
	uint64_t one = a->one_cycles[kind], eight = a->eight_cycles[kind];

	if (one == 0 || eight == 0)
		return BREAK_EVEN_GUESS;
	return (unsigned int)RTE_MAX(RTE_MIN(eight / one + 1, (uint64_t)MB_LANES + 1),
				     (uint64_t)BREAK_EVEN_LEAST);
}

static void
note_least(uint64_t *least, uint64_t cycles)
{
	if (*least == 0 || cycles < *least)
		*least = cycles;
}

static void
run_eight(struct mb_qp *qp, enum mb_kind kind, unsigned int nb)
{
	struct mb_asym_qp *a = qp->asym;
	struct rte_crypto_op *ops[MB_LANES];
	uint64_t start = rte_rdtsc();
	unsigned int i;

	for (i = 0; i < nb; i++)
		ops[i] = mb_list_pop(qp, &a->lists[kind]);
	kinds[kind].eight(qp, ops, nb, kind);
	note_least(&a->eight_cycles[kind], rte_rdtsc() - start);
	for (i = 0; i < nb; i++)
		mb_list_append(qp, &qp->done, ops[i]);
	qp->nb_waiting -= nb;
}

static void
run_one(struct mb_qp *qp, enum mb_kind kind)
{
	struct mb_asym_qp *a = qp->asym;
	struct rte_crypto_op *op = mb_list_pop(qp, &a->lists[kind]);
	uint64_t start = rte_rdtsc();

	kinds[kind].one(qp, op);
	note_least(&a->one_cycles[kind], rte_rdtsc() - start);
	mb_list_append(qp, &qp->done, op);
	qp->nb_waiting--;
}

/* False: the kind waits for more of its ops. */
static bool
run_kind(struct mb_qp *qp, enum mb_kind kind)
{
	struct mb_asym_qp *a = qp->asym;
	struct mb_list *list = &a->lists[kind];
	uint64_t now;

	if (qp->dev->calls == NULL || kinds[kind].eight == NULL) {
		run_one(qp, kind);
	} else if (list->nb >= MB_LANES) {
		run_eight(qp, kind, MB_LANES);
	} else {
		now = rte_rdtsc();
		if (now - list->since < qp->dev->max_wait_cycles)
			return false;
		if (list->nb >= break_even(a, kind) && ++a->nb_calls[kind] % CALLS_TO_DOUBT != 0)
			run_eight(qp, kind, list->nb);
		else
			run_one(qp, kind);
	}
	if (list->nb == 0)
		a->waiting &= ~RTE_BIT64(kind);
	else
		list->since = rte_rdtsc();
	return true;
}

void
mb_asym_step(struct mb_qp *qp)
{
	struct mb_asym_qp *a = qp->asym;
	unsigned int i, kind;

	for (i = 0; i < MB_NB_KINDS; i++) {
		kind = (a->turn + i) % MB_NB_KINDS;
		if ((a->waiting & RTE_BIT64(kind)) != 0 && run_kind(qp, kind)) {
			a->turn = kind + 1;
			return;
		}
	}
}

void
mb_asym_wait(struct mb_qp *qp, struct rte_crypto_op *op, enum mb_kind kind)
{
	struct mb_asym_qp *a = qp->asym;
	struct mb_list *list = &a->lists[kind];

	if (list->nb == 0) {
		a->waiting |= RTE_BIT64(kind);
		list->since = rte_rdtsc();
	}
	mb_list_append(qp, list, op);
	qp->nb_waiting++;
}
