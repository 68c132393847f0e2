/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <string.h>

#include <rte_mbuf.h>

/*
 * When a device is given up nobody knows which of its in-place ops it had already transformed. An
 * op whose source is apart from its destination, or is only read, can simply be run again; for the
 * rest a copy of the input, taken at submission, is put back first. Larger ops than a slot are not
 * covered.
 */

static bool
is_in_place(const struct rte_crypto_op *op, const struct plx_session *sess)
{
	if (op->type != RTE_CRYPTO_OP_TYPE_SYMMETRIC || sess->keeps_source)
		return false;
	return op->sym->m_dst == NULL || op->sym->m_dst == op->sym->m_src;
}

/* Copy between a slot and the mbuf chain; the direction is the only difference. */
static void
chain_copy(struct rte_mbuf *m, uint32_t offset, uint8_t *bytes, uint32_t len, bool into_chain)
{
	while (m != NULL && offset >= m->data_len) {
		offset -= m->data_len;
		m = m->next;
	}
	while (m != NULL && len != 0) {
		uint32_t part = RTE_MIN(len, (uint32_t)m->data_len - offset);
		uint8_t *at = rte_pktmbuf_mtod_offset(m, uint8_t *, offset);

		if (into_chain)
			memcpy(at, bytes, part);
		else
			memcpy(bytes, at, part);
		bytes += part;
		len -= part;
		offset = 0;
		m = m->next;
	}
}

/* An AEAD's range lies where a cipher's does. */
void
shadow_save(struct shadow *s, const struct rte_crypto_op *op, const struct plx_session *sess)
{
	uint32_t len;

	s->len = 0;
	if (!is_in_place(op, sess))
		return;
	len = op->sym->cipher.data.length;
	if (len > SHADOW_BYTES)
		return;
	chain_copy(op->sym->m_src, op->sym->cipher.data.offset, s->bytes, len, false);
	s->len = len;
}

bool
shadow_restore(const struct shadow *s, struct rte_crypto_op *op, const struct plx_session *sess)
{
	if (!is_in_place(op, sess))
		return true;
	if (s == NULL || s->len == 0 || s->len != op->sym->cipher.data.length)
		return false;
	chain_copy(op->sym->m_src, op->sym->cipher.data.offset, s->bytes, s->len, true);
	return true;
}
