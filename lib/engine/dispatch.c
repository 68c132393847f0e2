/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <rte_cycles.h>

/*
 * Which lane an op goes to. Lanes to engines on the port's own socket stand first in the port's
 * list and are used first; the others take over when those are full. What a policy cannot place now
 * stays with the caller, in order: a burst call takes a prefix of what it is offered.
 */

static uint16_t
push_and_wake(struct plx_port *port, struct lane *l, struct rte_crypto_op **ops, uint16_t nb,
	      uint64_t now)
{
	uint16_t helped = 0, n;

	if (unlikely(l->nb_outstanding >= port->help_ops))
		helped = help(port, l, ops, nb);
	if (helped == nb)
		return helped;
	n = lane_push(l, &ops[helped], (uint16_t)(nb - helped), now);
	if (n != 0)
		engine_wake_if_asleep(l->engine);
	return (uint16_t)(helped + n);
}

/* Among nb_lanes lanes of the port, the one whose turn it is first, wherever there is room. */
static uint16_t
push_around(struct plx_port *port, uint32_t from, uint32_t nb_lanes, struct rte_crypto_op **ops,
	    uint16_t nb, uint64_t now)
{
	uint16_t done = 0;
	uint32_t i;

	for (i = 0; i < nb_lanes && done < nb; i++) {
		struct lane *l = port->lanes[from + (port->turn + i) % nb_lanes];

		done = (uint16_t)(done +
				  push_and_wake(port, l, &ops[done], (uint16_t)(nb - done), now));
	}
	return done;
}

static uint16_t
by_round_robin(struct plx_port *port, struct rte_crypto_op **ops, uint16_t nb, uint64_t now)
{
	uint32_t local = port->nb_local, remote = port->nb_lanes - port->nb_local;
	uint16_t n = push_around(port, 0, local, ops, nb, now);

	n = (uint16_t)(n + push_around(port, local, remote, &ops[n], (uint16_t)(nb - n), now));
	port->turn++;
	return n;
}

static struct lane *
least_loaded(const struct plx_port *port, uint32_t from, uint32_t to)
{
	struct lane *best = NULL;
	uint32_t i;

	for (i = from; i < to; i++) {
		struct lane *l = port->lanes[i];

		if (l->nb_outstanding < l->slots &&
		    (best == NULL || l->nb_outstanding < best->nb_outstanding))
			best = l;
	}
	return best;
}

static uint16_t
by_load(struct plx_port *port, struct rte_crypto_op **ops, uint16_t nb, uint64_t now)
{
	uint16_t done = 0, n;

	while (done < nb) {
		struct lane *l = least_loaded(port, 0, port->nb_local);

		if (l == NULL)
			l = least_loaded(port, port->nb_local, port->nb_lanes);
		if (l == NULL)
			break;
		n = push_and_wake(port, l, &ops[done], (uint16_t)(nb - done), now);
		if (n == 0)
			break;
		done = (uint16_t)(done + n);
	}
	return done;
}

static uint32_t
lane_of_session(const struct plx_port *port, const struct rte_crypto_op *op)
{
	const struct plx_session *s = op_session(op);
	uint32_t nb = port->nb_local != 0 ? port->nb_local : port->nb_lanes;
	uint64_t h = s != NULL ? s->id * UINT64_C(0x9e3779b97f4a7c15) : 0;

	return (uint32_t)((h >> 32) * nb >> 32);
}

/* Small ops in turn on all lanes but the last, large ones on the last: a small op never waits
 * behind a large one. */
static uint32_t
lane_of_size(const struct plx_port *port, const struct rte_crypto_op *op)
{
	const struct plx_session *s = op_session(op);
	uint32_t last = port->nb_lanes - 1;

	if (last == 0 || (s != NULL && op_bytes(op, s) >= port->size_split_bytes))
		return last;
	return port->turn % last;
}

/* Each op has its lane; neighbours for the same lane travel together. Stops at the first full lane.
 */
static uint16_t
by_op(struct plx_port *port, struct rte_crypto_op **ops, uint16_t nb, uint64_t now,
      uint32_t (*lane_of)(const struct plx_port *port, const struct rte_crypto_op *op))
{
	uint16_t done = 0, run, n;

	port->turn++;
	while (done < nb) {
		uint32_t lane = lane_of(port, ops[done]);

		for (run = 1; done + run < nb; run++)
			if (lane_of(port, ops[done + run]) != lane)
				break;
		n = push_and_wake(port, port->lanes[lane], &ops[done], run, now);
		done = (uint16_t)(done + n);
		if (n < run)
			break;
	}
	return done;
}

uint16_t
dispatch(struct plx_port *port, struct rte_crypto_op **ops, uint16_t nb)
{
	uint64_t now = rte_rdtsc();

	if (port->nb_lanes == 0)
		return 0;
	switch (port->policy_now) {
	case PLX_POLICY_LEAST_LOADED:
		return by_load(port, ops, nb, now);
	case PLX_POLICY_SESSION:
		return by_op(port, ops, nb, now, lane_of_session);
	case PLX_POLICY_SIZE:
		return by_op(port, ops, nb, now, lane_of_size);
	case PLX_POLICY_ROUND_ROBIN:
	default:
		return by_round_robin(port, ops, nb, now);
	}
}
