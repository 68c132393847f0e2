/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_lcore.h>
#include <rte_malloc.h>

/*
 * A port: the calls of its user, who holds the token for the length of a call. Between two ways of
 * working, inline and pipeline or one policy and another, the port takes no new ops until those of
 * the old way are back, so no op overtakes another of its session. What control does with a port is
 * in port_control.c.
 */

static uint32_t
outstanding(const struct plx_port *port)
{
	return (uint32_t)(port->nb_enqueued - port->nb_dequeued);
}

static bool
wants_inline(const struct plx_port *port)
{
	if (port->own == NULL || port->own->may_lack)
		return false;
	if (port->mode == PLX_MODE_AUTO)
		return port->auto_inline || port->nb_lanes == 0;
	return port->mode == PLX_MODE_INLINE;
}

/* True when the port works the wanted way, now or already. */
static bool
settle(struct plx_port *port)
{
	if (outstanding(port) != 0)
		return false;
	port->is_inline_now = wants_inline(port);
	if (port->own != NULL)
		port->own->in_place = port->is_inline_now;
	port->policy_now = port->policy;
	port->must_drain = false;
	return true;
}

static uint16_t
enqueue_inline(struct plx_port *port, struct rte_crypto_op **ops, uint16_t nb)
{
	struct lane *l = port->own_lane;
	uint16_t room = (uint16_t)RTE_MIN(l->slots - l->nb_outstanding, (uint32_t)UINT16_MAX);
	uint16_t n;

	engine_refresh(port->own);
	n = engine_submit(port->own, l, ops, (uint16_t)RTE_MIN(nb, room));
	lane_took(l, n);
	return n;
}

uint16_t
plx_port_enqueue_burst(struct plx_port *port, struct rte_crypto_op **ops, uint16_t nb)
{
	uint16_t n = 0;

	if (unlikely(!token_try(&port->token)))
		return 0;
	if (port->mode == PLX_MODE_AUTO)
		auto_choose(port);
	if (likely(!port->must_drain) || settle(port))
		n = port->is_inline_now ? enqueue_inline(port, ops, nb) : dispatch(port, ops, nb);
	port->nb_enqueued += n;
	port->nb_short += n < nb;
	token_put(&port->token);
	return n;
}

static uint16_t
dequeue_inline(struct plx_port *port, struct rte_crypto_op **ops, uint16_t nb)
{
	struct lane *l = port->own_lane;
	uint16_t n = 0, reaped;

	if (unlikely(lane_count(l->done) != 0))
		n = lane_pop(l, ops, nb);
	reaped = engine_reap(port->own, &ops[n], (uint16_t)(nb - n));
	lane_gave_back(l, reaped);
	return (uint16_t)(n + reaped);
}

static uint16_t
dequeue_lanes(struct plx_port *port, struct rte_crypto_op **ops, uint16_t nb)
{
	uint32_t turn = port->pop_turn++, i;
	uint16_t n = 0;

	help_go_on(port);
	for (i = 0; i < port->nb_closing && n < nb; i++)
		n = (uint16_t)(n + lane_pop(port->closing[i], &ops[n], (uint16_t)(nb - n)));
	for (i = 0; i < port->nb_lanes && n < nb; i++) {
		struct lane *l = port->lanes[(turn + i) % port->nb_lanes];

		if (l->nb_outstanding != 0)
			n = (uint16_t)(n + lane_pop(l, &ops[n], (uint16_t)(nb - n)));
	}
	return n;
}

uint16_t
plx_port_dequeue_burst(struct plx_port *port, struct rte_crypto_op **ops, uint16_t nb)
{
	uint16_t n;

	if (unlikely(!token_try(&port->token)))
		return 0;
	n = port->is_inline_now ? dequeue_inline(port, ops, nb) : dequeue_lanes(port, ops, nb);
	port->nb_dequeued += n;
	token_put(&port->token);
	return n;
}

uint32_t
plx_port_outstanding(const struct plx_port *port)
{
	return outstanding(port);
}
