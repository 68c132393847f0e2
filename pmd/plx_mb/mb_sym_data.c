/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_sym_data.h"

#include <string.h>

#include <rte_common.h>

#include "plx_secret.h"

/*
 * A place knows its piece and the pieces behind it. A walk takes each piece once and data->nb of
 * them at most, so a chain that bites its own tail ends the walk, too.
 */

static void
piece_take(struct mb_place *p)
{
	struct mb_data *more = &p->more;

	more->nb--;
	if (more->mbuf != NULL) {
		const struct rte_mbuf *m = more->mbuf;

		p->at = rte_pktmbuf_mtod(m, uint8_t *);
		p->left = m->buf_addr != NULL ? m->data_len : 0;
		more->mbuf = m->next;
		if (m->next == NULL)
			more->nb = 0;
	} else {
		p->at = more->vec->base;
		p->left = more->vec->base != NULL ? more->vec->len : 0;
		more->vec++;
	}
}

void
mb_place_next(struct mb_place *p)
{
	while (p->left == 0 && p->more.nb > 0)
		piece_take(p);
}

/* Are there len bytes from p on? */
static bool
has_bytes(struct mb_place p, uint64_t len)
{
	while (p.left < len) {
		len -= p.left;
		p.left = 0;
		if (p.more.nb == 0)
			return false;
		mb_place_next(&p);
	}
	return true;
}

bool
mb_place_walk(struct mb_place *p, const struct mb_data *data, uint32_t off, uint32_t len)
{
	p->at = NULL;
	p->left = 0;
	p->more = *data;
	mb_place_next(p);
	while (off > 0 && off >= p->left) {
		off -= p->left;
		p->left = 0;
		if (p->more.nb == 0)
			break;
		mb_place_next(p);
	}
	if (off > p->left)
		return false;
	if (off > 0) {
		p->at += off;
		p->left -= off;
	}
	return has_bytes(*p, len);
}

void
mb_place_get(struct mb_place *p, uint8_t *to, uint32_t len)
{
	while (len > 0) {
		uint32_t n = RTE_MIN(len, p->left);

		memcpy(to, p->at, n);
		mb_place_skip(p, n);
		to += n;
		len -= n;
	}
}

void
mb_place_put(struct mb_place *p, const uint8_t *from, uint32_t len)
{
	while (len > 0) {
		uint32_t n = RTE_MIN(len, p->left);

		memcpy(p->at, from, n);
		mb_place_skip(p, n);
		from += n;
		len -= n;
	}
}

void
mb_place_copy(struct mb_place *to, struct mb_place *from, uint32_t len)
{
	while (len > 0) {
		uint32_t n = RTE_MIN(len, RTE_MIN(to->left, from->left));

		memmove(to->at, from->at, n);
		mb_place_skip(to, n);
		mb_place_skip(from, n);
		len -= n;
	}
}

void
mb_place_wipe(struct mb_place *p, uint32_t len)
{
	while (len > 0) {
		uint32_t n = RTE_MIN(len, p->left);

		plx_wipe(p->at, n);
		mb_place_skip(p, n);
		len -= n;
	}
}
