/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef MB_SYM_DATA_H
#define MB_SYM_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_crypto_sym.h>
#include <rte_mbuf.h>

/*
 * Data in pieces: the segments of an mbuf, or the vectors of a synchronous call. Nothing in them is
 * believed: not the number of segments, not pkt_len, not that a chain ends.
 */

/* Pieces from the first one on; either mbuf or vec is set. */
struct mb_data {
	const struct rte_mbuf *mbuf;
	const struct rte_crypto_vec *vec;
	uint32_t nb; /* pieces, those of a hostile chain at most */
};

/* A byte in the data and what is behind it. left is 0 at the very end only. */
struct mb_place {
	uint8_t *at;
	uint32_t left; /* bytes of this piece */
	struct mb_data more;
};

/* The slow half of mb_place_find(). */
bool mb_place_walk(struct mb_place *p, const struct mb_data *data, uint32_t off, uint32_t len);

/* To the next piece that has bytes; call it when left is 0. */
void mb_place_next(struct mb_place *p);

/* The place off bytes into the data; false when not all of off + len bytes are there. */
static inline bool
mb_place_find(struct mb_place *p, const struct mb_data *data, uint32_t off, uint32_t len)
{
	const struct rte_mbuf *m = data->mbuf;

	if (likely(m != NULL && m->nb_segs == 1 && m->buf_addr != NULL &&
		   (uint64_t)off + len <= m->data_len)) {
		p->at = rte_pktmbuf_mtod_offset(m, uint8_t *, off);
		p->left = m->data_len - off;
		p->more.nb = 0;
		return true;
	}
	return mb_place_walk(p, data, off, len);
}

static inline void
mb_place_skip(struct mb_place *p, uint32_t len)
{
	p->at += len;
	p->left -= len;
	if (p->left == 0 && p->more.nb > 0)
		mb_place_next(p);
}

/* These move p by len bytes, which are known to be there. */
void mb_place_get(struct mb_place *p, uint8_t *to, uint32_t len);
void mb_place_put(struct mb_place *p, const uint8_t *from, uint32_t len);
void mb_place_copy(struct mb_place *to, struct mb_place *from, uint32_t len);
void mb_place_wipe(struct mb_place *p, uint32_t len);

#endif
