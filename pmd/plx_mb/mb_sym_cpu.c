/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>

#include <rte_common.h>
#include <rte_lcore.h>

#include "mb_sym_priv.h"

/*
 * Synchronous calls, from any thread, EAL's or not. A session keeps a few contexts that nobody is
 * using: a call takes one out, or makes one when all are taken, and puts it back. So a session has
 * at most as many contexts as calls were ever running at once, and a call finds one without a lock.
 */

static uint32_t
place_of_thread(void)
{
	unsigned int lcore = rte_lcore_id();

	return lcore == LCORE_ID_ANY ? 0 : lcore % MB_SYM_PARKED;
}

static struct mb_sym_ctx *
ctx_take(struct mb_sym_sess *sess)
{
	uint32_t first = place_of_thread();

	for (uint32_t i = 0; i < MB_SYM_PARKED; i++) {
		_Atomic(struct mb_sym_ctx *) *place = &sess->parked[(first + i) % MB_SYM_PARKED];
		struct mb_sym_ctx *ctx;

		if (atomic_load_explicit(place, memory_order_relaxed) == NULL)
			continue;
		/* pairs with the release in ctx_give() */
		ctx = atomic_exchange_explicit(place, NULL, memory_order_acquire);
		if (ctx != NULL)
			return ctx;
	}
	return mb_sym_ctx_create(&sess->core, NULL);
}

static void
ctx_give(struct mb_sym_sess *sess, struct mb_sym_ctx *ctx)
{
	uint32_t first = place_of_thread();

	for (uint32_t i = 0; i < MB_SYM_PARKED; i++) {
		struct mb_sym_ctx *none = NULL;

		/* pairs with the acquire in ctx_take() */
		if (atomic_compare_exchange_strong_explicit(
			    &sess->parked[(first + i) % MB_SYM_PARKED], &none, ctx,
			    memory_order_release, memory_order_relaxed))
			return;
	}
	mb_sym_ctx_free(&sess->core, ctx);
}

/* What is left of total bytes between head and tail; false when nothing can be. */
static bool
range_cut(uint64_t total, uint16_t head, uint16_t tail, uint32_t *off, uint32_t *len)
{
	if (total > UINT32_MAX || (uint64_t)head + tail > total)
		return false;
	*off = head;
	*len = (uint32_t)(total - head - tail);
	return true;
}

static uint64_t
sgl_bytes(const struct rte_crypto_sgl *sgl)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < sgl->num; i++)
		sum += sgl->vec[i].len;
	return sum;
}

static const uint8_t *
va_of(const struct rte_crypto_va_iova_ptr *ptrs, uint32_t i)
{
	return ptrs != NULL ? ptrs[i].va : NULL;
}

static enum rte_crypto_op_status
element_run(struct mb_sym_sess *sess, struct mb_sym_ctx *ctx, union rte_crypto_sym_ofs ofs,
	    const struct rte_crypto_sym_vec *vec, uint32_t i)
{
	const struct mb_sym_core *core = &sess->core;
	const struct rte_crypto_sgl *src = &vec->src_sgl[i];
	const struct rte_crypto_sgl *dst = vec->dest_sgl != NULL ? &vec->dest_sgl[i] : src;
	struct mb_sym_job job = {
		.src = { .vec = src->vec, .nb = src->num },
		.dst = { .vec = dst->vec, .nb = dst->num },
		.is_in_place = dst == src,
		.iv = va_of(vec->iv, i),
		.digest = vec->digest != NULL ? vec->digest[i].va : NULL,
	};
	uint64_t total;

	if ((src->vec == NULL && src->num > 0) || (dst->vec == NULL && dst->num > 0))
		return RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	total = sgl_bytes(src);
	if (core->kind == MB_SYM_AEAD)
		job.aad = va_of(vec->aad, i);
	else /* the first IV is the cipher's, if there is one */
		job.auth_iv = core->kind == MB_SYM_AUTH ? job.iv : va_of(vec->auth_iv, i);
	if ((core->kind != MB_SYM_AUTH &&
	     !range_cut(total, ofs.ofs.cipher.head, ofs.ofs.cipher.tail, &job.cipher_off,
			&job.cipher_len)) ||
	    (core->kind != MB_SYM_CIPHER && core->kind != MB_SYM_AEAD &&
	     !range_cut(total, ofs.ofs.auth.head, ofs.ofs.auth.tail, &job.auth_off, &job.auth_len)))
		return RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	return mb_sym_run(core, ctx, &job);
}

static int32_t
errno_of(enum rte_crypto_op_status status)
{
	switch ((int)status) {
	case RTE_CRYPTO_OP_STATUS_SUCCESS:
		return 0;
	case RTE_CRYPTO_OP_STATUS_AUTH_FAILED:
		return EBADMSG;
	case RTE_CRYPTO_OP_STATUS_INVALID_ARGS:
		return EINVAL;
	default:
		return EIO;
	}
}

static uint32_t
fail_all(struct rte_crypto_sym_vec *vec, int32_t errnum)
{
	for (uint32_t i = 0; i < vec->num; i++)
		vec->status[i] = errnum;
	return 0;
}

uint32_t
mb_sym_cpu_process(struct rte_cryptodev *cryptodev, struct rte_cryptodev_sym_session *session,
		   union rte_crypto_sym_ofs ofs, struct rte_crypto_sym_vec *vec)
{
	struct mb_sym_sess *sess;
	struct mb_sym_ctx *ctx;
	uint32_t nb_good = 0;

	(void)cryptodev;
	if (session == NULL || session->driver_id != mb_driver_id || vec->src_sgl == NULL)
		return fail_all(vec, EINVAL);
	sess = PLX_PMD_SYM_PRIV(session);
	if (sess->core.kind == MB_SYM_NONE)
		return fail_all(vec, EINVAL);
	ctx = ctx_take(sess);
	if (ctx == NULL)
		return fail_all(vec, ENOMEM);
	for (uint32_t i = 0; i < vec->num; i++) {
		vec->status[i] = errno_of(element_run(sess, ctx, ofs, vec, i));
		nb_good += vec->status[i] == 0;
	}
	ctx_give(sess, ctx);
	return nb_good;
}
