/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef BENCH_ENGINE_LOOP_H
#define BENCH_ENGINE_LOOP_H

#include <string.h>

#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_mbuf.h>
#include <rte_pause.h>

#include "engine.h"

/*
 * The loop, for each way compiled with its two burst calls in place, as in a program that calls
 * them itself. Forced inline for that reason: a call through a pointer would cost the ways with the
 * shortest calls most.
 */

/* Behind the op. */
struct load_extra {
	uint8_t iv[16];
	uint8_t aad[LOAD_AAD_BYTES];
	struct rte_mbuf *buf;
};

#define LOAD_EXTRA_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))

typedef uint16_t (*load_burst_fn)(struct way *w, struct rte_crypto_op **ops, uint16_t nb);

static inline struct load_extra *
load_extra(struct rte_crypto_op *op)
{
	return RTE_PTR_ADD(op, LOAD_EXTRA_OFFSET);
}

/* What a program sets in an op for each message. */
static __rte_always_inline void
load_fill(struct load *l, struct rte_crypto_op *op)
{
	struct load_extra *x = load_extra(op);
	struct rte_crypto_sym_op *sym = op->sym;

	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	op->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	sym->session = l->session;
	sym->m_src = x->buf;
	sym->m_dst = NULL;
	memcpy(x->iv, &l->nb_made, sizeof(l->nb_made));
	l->nb_made++;
	if (!l->alg->is_aead) {
		sym->cipher.data.offset = 0;
		sym->cipher.data.length = l->bytes;
		return;
	}
	sym->aead.data.offset = 0;
	sym->aead.data.length = l->bytes;
	sym->aead.digest.data = rte_pktmbuf_mtod_offset(x->buf, uint8_t *, l->bytes);
	sym->aead.digest.phys_addr = rte_pktmbuf_iova_offset(x->buf, l->bytes);
	sym->aead.aad.data = x->aad;
	sym->aead.aad.phys_addr =
		op->phys_addr + LOAD_EXTRA_OFFSET + offsetof(struct load_extra, aad);
}

/*
 * The op's lines are in the cache of the core that worked on it: who hands ops to another core asks
 * for the lines of a whole burst at once, before he fills in the first. Who works on them himself
 * has them, and does not.
 */
static __rte_always_inline void
load_fetch(const struct load *l)
{
	uint32_t want = RTE_MIN(LOAD_BURST - l->nb_ready, l->nb_free), i, at;

	for (i = 1; i <= want; i++)
		for (at = 0; at < LOAD_EXTRA_OFFSET + sizeof(struct load_extra);
		     at += RTE_CACHE_LINE_SIZE)
			__builtin_prefetch(RTE_PTR_ADD(l->free[l->nb_free - i], at), 1);
}

static __rte_always_inline void
load_submit(struct way *w, struct load *l, bool is_remote, load_burst_fn enqueue)
{
	uint16_t n, i;

	if (is_remote)
		load_fetch(l);
	while (l->nb_ready < LOAD_BURST && l->nb_free > 0) {
		l->ready[l->nb_ready] = l->free[--l->nb_free];
		load_fill(l, l->ready[l->nb_ready++]);
	}
	if (l->nb_ready == 0)
		return;
	n = enqueue(w, l->ready, (uint16_t)l->nb_ready);
	l->nb_ready -= n;
	for (i = 0; n != 0 && i < l->nb_ready; i++)
		l->ready[i] = l->ready[n + i];
}

static __rte_always_inline uint16_t
load_take(struct way *w, struct load *l, load_burst_fn dequeue)
{
	struct rte_crypto_op *ops[LOAD_BURST];
	uint16_t n, i;

	n = dequeue(w, ops, LOAD_BURST);
	for (i = 0; i < n; i++) {
		l->nb_failed += ops[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS;
		l->free[l->nb_free++] = ops[i];
	}
	l->nb_done += n;
	return n;
}

static __rte_always_inline void
load_loop(struct way *w, struct load *l, bool is_remote, load_burst_fn enqueue,
	  load_burst_fn dequeue, uint64_t until_tsc)
{
	do {
		load_submit(w, l, is_remote, enqueue);
		if (load_take(w, l, dequeue) == 0)
			rte_pause();
	} while (rte_rdtsc() < until_tsc);
}

#endif
