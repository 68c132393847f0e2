/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef ENGINE_LANE_H
#define ENGINE_LANE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto.h>
#include <rte_ring.h>
#include <rte_ring_elem.h>

#include "plx_compiler.h"
#include "plx_engine.h"

/*
 * A lane: two single-producer single-consumer rings between one port and one engine. The port never
 * has more ops outstanding in a lane than the lane has slots, so the ring back can always take what
 * is done.
 */

struct engine;
struct plx_port;

#define LANE_SLOTS_MIN 64u
#define LANE_SLOTS_MAX 65536u

/* What travels to the engine: the op and when it was enqueued (TSC), one stamp a burst. */
struct lane_item {
	struct rte_crypto_op *op;
	uint64_t stamp;
};

static_assert(sizeof(struct lane_item) == 16, "the ring moves 16-byte elements fastest");

struct lane {
	struct rte_ring *requests; /* port produces, engine consumes: struct lane_item */
	struct rte_ring *done;     /* engine produces, port consumes: op pointers */
	struct engine *engine;     /* control; NULL once the engine is gone and the port drains */
	struct plx_port *port;
	uint32_t slots;
	enum plx_class cls;

	/* owner: the port's user */
	uint32_t nb_outstanding PLX_CACHE_ALIGNED;
	uint64_t nb_enqueued;
	uint64_t nb_dequeued;
};

/* A lane of slots ops (power of two) on a NUMA socket; group and id make the rings' names unique. 0
 * or -ENOMEM. */
int lane_create(uint32_t slots, int socket_id, const void *group, uint64_t id, struct lane **out)
	PLX_MUST_CHECK;
void lane_destroy(struct lane *l);

/* Port side: take up to nb ops, in order; the number taken comes back. */
uint16_t lane_push(struct lane *l, struct rte_crypto_op **ops, uint16_t nb, uint64_t stamp);

/* Port side: finished ops. */
static inline uint16_t
lane_pop(struct lane *l, struct rte_crypto_op **ops, uint16_t nb)
{
	uint16_t n;

	n = (uint16_t)rte_ring_sc_dequeue_burst(l->done, (void **)ops, nb, NULL);
	l->nb_outstanding -= n;
	l->nb_dequeued += n;
	return n;
}

/* Engine side: requests, up to nb. */
static inline uint16_t
lane_gather(struct lane *l, struct lane_item *items, uint16_t nb)
{
	return (uint16_t)rte_ring_sc_dequeue_burst_elem(l->requests, items, sizeof(*items), nb,
							NULL);
}

/* Engine side: hand ops back; there is room by the port's own limit. */
void lane_finish(struct lane *l, struct rte_crypto_op **ops, uint16_t nb);

/* Either side: requests waiting. */
static inline uint32_t
lane_backlog(const struct lane *l)
{
	return rte_ring_count(l->requests);
}

#endif
