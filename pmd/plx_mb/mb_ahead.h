/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef MB_AHEAD_H
#define MB_AHEAD_H

#include <rte_mbuf.h>
#include <rte_prefetch.h>

#include "mb_priv.h"

/*
 * What a symmetric op will read is fetched while those before it run: three ops ahead the op, two
 * ahead what it points to, one ahead its data. An op points to an mbuf and the mbuf to data, so
 * without this each op waits for memory three times over.
 */

#define MB_AHEAD_BYTES 1024u /* of data; beyond, the CPU has seen where it goes */

static inline void
mb_ahead_op(const struct rte_crypto_op *op)
{
	rte_prefetch0(op);
	rte_prefetch0((const uint8_t *)op + RTE_CACHE_LINE_SIZE);
	rte_prefetch0((const uint8_t *)op +
		      (size_t)2 * RTE_CACHE_LINE_SIZE); /* IVs are behind it */
}

static inline void
mb_ahead_pointers(const struct rte_crypto_op *op)
{
	if (op->type != RTE_CRYPTO_OP_TYPE_SYMMETRIC)
		return;
	rte_prefetch0(op->sym->m_src);
	/* the same place for all but AEADs, which have their AAD there */
	rte_prefetch0(op->sym->aead.digest.data);
	rte_prefetch0(op->sym->auth.digest.data);
}

static inline void
mb_ahead_data(const struct rte_crypto_op *op)
{
	const struct rte_mbuf *m;
	const uint8_t *at;
	uint32_t len;

	if (op->type != RTE_CRYPTO_OP_TYPE_SYMMETRIC || op->sym->m_src == NULL)
		return;
	m = op->sym->m_src;
	at = rte_pktmbuf_mtod(m, const uint8_t *);
	len = RTE_MIN((uint32_t)m->data_len, MB_AHEAD_BYTES);
	for (uint32_t i = 0; i < len; i += RTE_CACHE_LINE_SIZE)
		rte_prefetch0(at + i);
}

/* nb ops from ops[first & mask] on are waiting; the first one is to run now. */
static inline void
mb_ahead(struct rte_crypto_op *const *ops, uint32_t mask, uint32_t first, uint32_t nb)
{
	if (nb > 3)
		mb_ahead_op(ops[(first + 3) & mask]);
	if (nb > 2)
		mb_ahead_pointers(ops[(first + 2) & mask]);
	if (nb > 1)
		mb_ahead_data(ops[(first + 1) & mask]);
}

#endif
