/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_SESSION_FP_H
#define PLX_SESSION_FP_H

#include <stdatomic.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_common.h>
#include <rte_crypto.h>

#include "plx_compiler.h"

/*
 * The part of a session that an engine reads for each op. A cryptodev session belongs to a driver,
 * so a Pollux session holds one of them per session domain: devices of one driver share a domain, a
 * wrapper (plx_fault, crypto_scheduler) has a domain of its own. While an op is in a front's or a
 * lane's hands its session field points to the struct plx_session; the engine puts the domain's
 * session in for the time the device has the op and puts ours back when it completes.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define PLX_SESS_DOMS_MAX 32

/*
 * Some drivers keep one working context in an asymmetric session, so two queue pairs must not share
 * it. Each queue pair of such a device has a slot, plx_device.qp_sess_base + queue pair id, and
 * each asymmetric session one driver session a slot in use. The base of all other devices is
 * PLX_SESS_SLOTS_MAX.
 */
#define PLX_SESS_SLOTS_MAX 256

/* Layout is fast path: filled by control before the session is handed out, or later for a device
 * that is added; lcores only read. A slot goes from NULL to a session and back to NULL only after
 * each engine has let go of the device. */
struct plx_session {
	/* control stores with release, lcores load relaxed and use the pointer only as an address
	 */
	void *_Atomic dom_sess[PLX_SESS_DOMS_MAX];
	uint64_t id;          /* never reused in a registry */
	uint8_t op_type;      /* enum rte_crypto_op_type: SYMMETRIC or ASYMMETRIC */
	uint8_t keeps_source; /* the source buffer is as it was after the op (digest, MAC,
				 asymmetric) */
	uint16_t block_bytes; /* symmetric data must be a multiple of it; 1 when any length will do
			       */
	uint8_t has_hmac;     /* HMAC is part of it, see plx_device.hmac_needs_data */
	uint8_t is_simple;    /* symmetric, no HMAC, no slots: dom_sess is what a device takes */
	/* asymmetric only, NULL otherwise: PLX_SESS_SLOTS_MAX driver sessions, written as dom_sess
	 * is */
	void *_Atomic *slot_sess;
	void *front; /* for the front that made it; the engine does not look at it */
} PLX_CACHE_ALIGNED;

/**
 * The driver's session to put into an op that goes to queue pair @p qp_slot of a device in domain
 * @p dom.
 *
 * @param dom     plx_device.sess_dom.
 * @param qp_slot plx_device.qp_sess_base + queue pair id.
 * @return NULL when the device cannot run the session.
 * @par Thread    Any; the caller holds the queue pair, so the session stays till it is given back.
 * @par Ownership The session's.
 * @par Errors    NULL only.
 */
static inline void *
plx_session_on(const struct plx_session *s, uint32_t dom, uint32_t qp_slot)
{
	if (likely(qp_slot >= PLX_SESS_SLOTS_MAX || s->slot_sess == NULL))
		return atomic_load_explicit(&s->dom_sess[dom], memory_order_relaxed);
	return atomic_load_explicit(&s->slot_sess[qp_slot], memory_order_relaxed);
}

/**
 * Point an op at a Pollux session, as a front does before it enqueues.
 *
 * @par Thread    The op's owner.
 * @par Ownership The session must outlive the op.
 * @par Errors    None.
 */
static inline void
plx_session_attach(struct rte_crypto_op *op, struct plx_session *s)
{
	op->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	if (s->op_type == RTE_CRYPTO_OP_TYPE_SYMMETRIC)
		op->sym->session = s;
	else
		op->asym->session = (struct rte_cryptodev_asym_session *)s;
}

#ifdef __cplusplus
}
#endif

#endif
