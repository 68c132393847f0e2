/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_SESSION_FP_H
#define PLX_SESSION_FP_H

#include <stdint.h>

#include <rte_common.h>
#include <rte_crypto.h>

#include "plx_compiler.h"

/*
 * The part of a session that an engine reads for each op. A cryptodev session belongs to a driver, so a
 * Pollux session holds one of them per session domain: devices of one driver share a domain, a wrapper
 * (plx_fault, crypto_scheduler) has a domain of its own. While an op is in a front's or a lane's hands its
 * session field points to the struct plx_session; the engine puts the domain's session in for the time
 * the device has the op and puts ours back when it completes.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define PLX_SESS_DOMS_MAX 16

/* Layout is fast path: filled by control before the session is handed out, or later for a device that is
 * added; lcores only read. A slot goes from NULL to a session and back to NULL only after each engine has
 * let go of the device. */
struct plx_session {
	/* control stores with release, lcores load relaxed and use the pointer only as an address */
	void *_Atomic dom_sess[PLX_SESS_DOMS_MAX];
	uint64_t id;           /* never reused in a process */
	uint8_t op_type;       /* enum rte_crypto_op_type: SYMMETRIC or ASYMMETRIC */
	uint8_t keeps_source;  /* the source buffer is as it was after the op (digest, MAC, asymmetric) */
	void *front;           /* for the front that made it; the engine does not look at it */
} PLX_CACHE_ALIGNED;

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
