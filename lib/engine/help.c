/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <errno.h>

#include <rte_malloc.h>

/*
 * The caller lends a hand. When as many requests as the group's help_ops wait in a lane, its engine
 * has enough to do for a while, and the caller, whose next ops would only make the lane longer,
 * does a portion of them itself, on an engine and queue pairs of its port's own. Only what plain
 * software does is helped with, since a card's work is not done faster by another core, and only
 * symmetric ops, which are short: a call stays bounded. The ops of a lane are given back in the
 * order they were taken, whichever way they went, so order within a session is what it is without
 * help.
 */

/* How long a portion may take, going by what the last one took; and how much it is at most. */
#define PORTION_US    50u
#define PORTION_BYTES 131072u
#define PORTION_FIRST 4u

void
help_note(struct lane *l, uint32_t nb, bool is_helped)
{
	/* a run has an op at least that is outstanding: never more runs than slots, a power of two
	 */
	struct lane_run *last = &l->runs[(l->run_tail - 1) & (l->slots - 1)];

	if (nb == 0)
		return;
	if (l->run_tail != l->run_head && last->is_helped == is_helped) {
		last->nb += nb;
		return;
	}
	l->runs[l->run_tail++ & (l->slots - 1)] =
		(struct lane_run){ .nb = nb, .is_helped = is_helped };
}

uint16_t
help_pop(struct lane *l, struct rte_crypto_op **ops, uint16_t nb)
{
	uint16_t n = 0;

	while (n < nb && l->nb_helped != 0) {
		struct lane_run *run = &l->runs[l->run_head & (l->slots - 1)];
		struct rte_ring *from = run->is_helped ? l->helped->done : l->done;
		uint32_t want = RTE_MIN(run->nb, (uint32_t)(nb - n)), got;

		got = rte_ring_sc_dequeue_burst(from, (void **)&ops[n], want, NULL);
		n = (uint16_t)(n + got);
		run->nb -= got;
		if (run->is_helped)
			l->nb_helped -= got;
		if (run->nb == 0)
			l->run_head++;
		if (got < want)
			break;
	}
	lane_gave_back(l, n);
	return n;
}

/* The number of ops that take PORTION_US, if they are like the last ones. */
static uint32_t
affordable(struct plx_port *port)
{
	struct help_cost *c = &port->help_cost;
	uint64_t busy = port->own->stats.busy_cycles, cost;

	if (c->nb == 0) {
		c->limit = PORTION_FIRST;
	} else if (busy > c->busy_base) { /* or the statistics have been cleared */
		cost = (busy - c->busy_base) / c->nb + 1;
		c->limit = (uint32_t)RTE_MIN(engine_us_to_cycles(PORTION_US) / cost + 1,
					     (uint64_t)PLX_BURST_MAX);
	}
	c->busy_base = busy;
	return c->limit;
}

/* Ops to do at a time: the first ones that are symmetric, up to nb. */
static uint16_t
portion(struct rte_crypto_op **ops, uint16_t nb)
{
	uint32_t bytes = 0;
	uint16_t n;

	for (n = 0; n < nb && bytes < PORTION_BYTES; n++) {
		const struct plx_session *s = op_session(ops[n]);

		if (ops[n]->type != RTE_CRYPTO_OP_TYPE_SYMMETRIC || s == NULL)
			break;
		bytes += op_bytes(ops[n], s);
	}
	return n;
}

/* Has its engine all devices, the first of which is plain software that takes ops now? */
static bool
is_ready(struct plx_port *port)
{
	struct engine *e = port->own;

	if (e == NULL || (e->may_lack && !port->can_help) || e->nb_qps == 0 || !e->qps[0]->is_plain)
		return false;
	/* one portion at a time */
	if (!engine_is_empty(e))
		return false;
	engine_refresh(e);
	return e->qps[0]->is_usable;
}

uint16_t
help(struct plx_port *port, struct lane *l, struct rte_crypto_op **ops, uint16_t nb)
{
	uint32_t before = l->nb_outstanding, most = RTE_MIN(l->slots - before, (uint32_t)nb);
	uint16_t n;

	/* only when the lane's engine does not wait for work */
	if (l->helped == NULL || lane_backlog(l) < port->help_ops || !is_ready(port))
		return 0;
	most = RTE_MIN(most, RTE_MIN(port->own->limits.burst, affordable(port)));
	n = portion(ops, (uint16_t)most);
	if (n == 0)
		return 0;
	n = engine_submit(port->own, l->helped, ops, n);
	if (l->nb_helped == 0) {
		l->run_head = l->run_tail = 0;
		help_note(l, before, false);
	}
	help_note(l, n, true);
	l->nb_helped += n;
	lane_took(l, n);
	port->nb_helped += n;
	port->help_cost.nb = n;
	return n;
}

void
help_go_on(struct plx_port *port)
{
	struct engine *e = port->own;

	if (e == NULL || engine_is_empty(e))
		return;
	/* since the last step the time was the caller's */
	e->last_tsc = rte_rdtsc();
	(void)engine_step(e);
}

int
help_lane_equip(struct plx_port *port, struct lane *l)
{
	struct lane_run *runs;
	struct lane *helped;
	int ret;

	if (l->helped != NULL)
		return 0;
	ret = lane_create_back(l->slots, port->socket_id, &helped);
	if (ret < 0)
		return ret;
	runs = rte_malloc_socket("plx_runs", l->slots * sizeof(*runs), RTE_CACHE_LINE_SIZE,
				 port->socket_id);
	if (runs == NULL) {
		lane_destroy(helped);
		return -ENOMEM;
	}
	helped->port = port;
	helped->cls = l->cls;
	token_take(&port->token);
	l->runs = runs;
	l->helped = helped;
	token_return(&port->token);
	return 0;
}
