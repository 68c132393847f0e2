/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"

#include <rte_branch_prediction.h>
#include <rte_pause.h>

/*
 * The bursts: an op's session field is the program's session on the outside and the engines' on the
 * inside. The way in is one load, from the driver's part of the program's session, and the way out
 * is one load, of plx_session.front. The rest is the port's.
 *
 * A port has one user. Programs are used to queue pairs where one lcore enqueues and another one
 * dequeues (an event crypto adapter that forwards completions does that), so the two calls keep out
 * of each other's way: who dequeues comes back later, who enqueues waits for a moment, since its
 * caller may take a short enqueue for an error.
 */

#define ENQUEUE_WAITS 4096u

static inline bool
qp_take(struct pollux_qp *qp)
{
	/* pairs with the release in qp_give() of the other lcore */
	return !atomic_exchange_explicit(&qp->is_busy, true, memory_order_acquire);
}

static inline void
qp_give(struct pollux_qp *qp)
{
	atomic_store_explicit(&qp->is_busy, false, memory_order_release);
}

static bool
qp_take_waiting(struct pollux_qp *qp)
{
	for (uint32_t i = 0; i < ENQUEUE_WAITS; i++) {
		rte_pause();
		if (!atomic_load_explicit(&qp->is_busy, memory_order_relaxed) && qp_take(qp))
			return true;
	}
	return false;
}

/* Bits of an op's first word that say what its session field is. */
static inline bool
has_session(const struct rte_crypto_op *op)
{
	return op->sess_type == RTE_CRYPTO_OP_WITH_SESSION;
}

/* Everything but a symmetric op with a session. False: not now. */
static bool
enter_other(struct pollux_qp *qp, struct rte_crypto_op *op)
{
	if (op->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC && has_session(op)) {
		const struct pollux_sess *s;

		if (op->asym->session == NULL)
			return true;
		s = PLX_PMD_ASYM_PRIV(op->asym->session);
		op->asym->session = (struct rte_cryptodev_asym_session *)s->sess;
		return true;
	}
	if (op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC && op->sess_type == RTE_CRYPTO_OP_SESSIONLESS)
		return pollux_loose_enter(qp, op);
	/* an op that nobody can do: the engine says so */
	return true;
}

static inline bool
enter(struct pollux_qp *qp, struct rte_crypto_op *op)
{
	const struct pollux_sess *s;

	if (unlikely(op->type != RTE_CRYPTO_OP_TYPE_SYMMETRIC || !has_session(op) ||
		     op->sym->session == NULL))
		return enter_other(qp, op);
	s = PLX_PMD_SYM_PRIV(op->sym->session);
	op->sym->session = s->sess;
	return true;
}

/* Anything but an op with a session of the program's that is there. */
static void
leave_other(struct pollux_qp *qp, struct rte_crypto_op *op)
{
	const struct plx_session *s;

	if (!has_session(op))
		return;
	if (op->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC) {
		s = (const struct plx_session *)op->asym->session;
		if (s != NULL)
			op->asym->session = s->front;
	} else if (op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC && op->sym->session != NULL) {
		pollux_loose_leave(qp, op);
	}
}

static inline void
leave(struct pollux_qp *qp, struct rte_crypto_op *op)
{
	const struct plx_session *s;

	if (unlikely(op->type != RTE_CRYPTO_OP_TYPE_SYMMETRIC || !has_session(op)))
		return leave_other(qp, op);
	s = op->sym->session;
	if (unlikely(s == NULL || ((uintptr_t)s->front & POLLUX_FRONT_LOOSE) != 0))
		return leave_other(qp, op);
	op->sym->session = s->front;
}

/* What one call of the port may take. */
static uint16_t
enqueue_part(struct pollux_qp *qp, struct rte_crypto_op **ops, uint16_t nb)
{
	uint16_t n, i;

	for (n = 0; n < nb; n++)
		if (unlikely(!enter(qp, ops[n])))
			break;
	i = n != 0 ? plx_port_enqueue_burst(qp->port, ops, n) : 0;
	/* those that were not taken are as they were */
	for (uint16_t k = i; k < n; k++)
		leave(qp, ops[k]);
	return i;
}

static uint16_t
enqueue_all(struct pollux_qp *qp, struct rte_crypto_op **ops, uint16_t nb)
{
	uint16_t room = (uint16_t)RTE_MIN(qp->nb_desc - qp->nb_in, (uint32_t)nb), n = 0;

	while (n < room) {
		uint16_t want = (uint16_t)RTE_MIN(room - n, PLX_BURST_MAX);
		uint16_t took = enqueue_part(qp, &ops[n], want);

		n = (uint16_t)(n + took);
		if (took < want)
			break;
	}
	qp->nb_in += n;
	return n;
}

uint16_t
pollux_enqueue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb)
{
	struct pollux_qp *qp = queue_pair;
	uint16_t n;

	if (unlikely(!qp_take(qp)) && !qp_take_waiting(qp))
		return 0;
	n = likely(qp->port != NULL) ? enqueue_all(qp, ops, nb) : 0;
	pollux_count(&qp->nb_enqueued, n);
	if (unlikely(n < nb))
		pollux_count(&qp->nb_short, 1);
	qp_give(qp);
	return n;
}

static uint16_t
dequeue_all(struct pollux_qp *qp, struct rte_crypto_op **ops, uint16_t nb)
{
	uint16_t n = plx_port_dequeue_burst(qp->port, ops, nb), i;
	uint32_t nb_failed = 0;

	for (i = 0; i < n; i++) {
		leave(qp, ops[i]);
		nb_failed += ops[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS;
	}
	qp->nb_in -= n;
	pollux_count(&qp->nb_dequeued, n);
	if (unlikely(nb_failed != 0))
		pollux_count(&qp->nb_failed, nb_failed);
	return n;
}

uint16_t
pollux_dequeue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb)
{
	struct pollux_qp *qp = queue_pair;
	uint16_t n;

	if (unlikely(!qp_take(qp)))
		return 0;
	n = likely(qp->port != NULL) ? dequeue_all(qp, ops, nb) : 0;
	qp_give(qp);
	return n;
}
