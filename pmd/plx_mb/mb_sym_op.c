/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <rte_common.h>

#include "mb_sym_priv.h"

/* From an op to a job. An op without a session makes and frees one. */

/* The op's data, and what the two kinds of op have in different places. */
static inline void
job_make(const struct mb_sym_core *core, struct rte_crypto_op *op, struct mb_sym_job *job)
{
	struct rte_crypto_sym_op *sym = op->sym;
	const struct rte_mbuf *dst = sym->m_dst;

	job->is_in_place = dst == NULL || dst == sym->m_src;
	if (job->is_in_place)
		dst = sym->m_src;
	job->src = (struct mb_data){ .mbuf = sym->m_src, .nb = sym->m_src->nb_segs };
	job->dst = (struct mb_data){ .mbuf = dst, .nb = dst->nb_segs };
	job->iv = rte_crypto_op_ctod_offset(op, const uint8_t *, core->cipher.iv_offset);
	if (core->kind == MB_SYM_AEAD) {
		job->cipher_off = sym->aead.data.offset;
		job->cipher_len = sym->aead.data.length;
		job->digest = sym->aead.digest.data;
		job->aad = sym->aead.aad.data;
		return;
	}
	job->cipher_off = sym->cipher.data.offset;
	job->cipher_len = sym->cipher.data.length;
	job->auth_off = sym->auth.data.offset;
	job->auth_len = sym->auth.data.length;
	job->auth_iv = rte_crypto_op_ctod_offset(op, const uint8_t *, core->auth.iv_offset);
	job->digest = sym->auth.digest.data;
}

static inline enum rte_crypto_op_status
op_run(const struct mb_sym_core *core, struct mb_sym_ctx *ctx, struct rte_crypto_op *op)
{
	struct mb_sym_job job;

	if (unlikely(op->sym->m_src == NULL))
		return RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	job_make(core, op, &job);
	return mb_sym_run(core, ctx, &job);
}

static inline enum rte_crypto_op_status
session_run(struct mb_sym_qp *qp, struct rte_crypto_op *op)
{
	struct rte_cryptodev_sym_session *session = op->sym->session;
	struct mb_sym_sess *sess;
	struct mb_sym_ctx *ctx;

	if (unlikely(session == NULL || session->driver_id != mb_driver_id))
		return RTE_CRYPTO_OP_STATUS_INVALID_SESSION;
	sess = PLX_PMD_SYM_PRIV(session);
	if (unlikely(sess->core.kind == MB_SYM_NONE))
		return RTE_CRYPTO_OP_STATUS_INVALID_SESSION;
	ctx = sess->ctxs[qp->slot];
	if (unlikely(ctx == NULL)) {
		ctx = mb_sym_ctx_create(&sess->core, qp->bounce);
		if (ctx == NULL)
			return RTE_CRYPTO_OP_STATUS_ERROR;
		sess->ctxs[qp->slot] = ctx;
	}
	ctx->bounce = qp->bounce; /* the slot may have been another queue pair's */
	return op_run(&sess->core, ctx, op);
}

static enum rte_crypto_op_status
sessionless_run(struct mb_sym_qp *qp, struct rte_crypto_op *op)
{
	enum rte_crypto_op_status status = RTE_CRYPTO_OP_STATUS_ERROR;
	struct plx_err err;
	struct mb_sym_ctx *ctx;

	if (op->sym->xform == NULL)
		return RTE_CRYPTO_OP_STATUS_INVALID_SESSION;
	if (mb_sym_core_init(&qp->core, op->sym->xform, &err) < 0)
		return RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	ctx = mb_sym_ctx_create(&qp->core, qp->bounce);
	if (ctx != NULL)
		status = op_run(&qp->core, ctx, op);
	mb_sym_ctx_free(&qp->core, ctx);
	mb_sym_core_wipe(&qp->core);
	return status;
}

void
mb_sym_process(struct mb_qp *qp, struct rte_crypto_op *op)
{
	enum rte_crypto_op_status status = RTE_CRYPTO_OP_STATUS_INVALID_SESSION;

	if (likely(op->sess_type == RTE_CRYPTO_OP_WITH_SESSION))
		status = session_run(qp->sym, op);
	else if (op->sess_type == RTE_CRYPTO_OP_SESSIONLESS)
		status = sessionless_run(qp->sym, op);
	op->status = (uint8_t)status;
}
