/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef ENGINE_LANE_H
#define ENGINE_LANE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_crypto.h>
#include <rte_ring.h>
#include <rte_ring_elem.h>

#include "plx_compiler.h"
#include "plx_engine.h"

/*
 * A lane: two single-producer single-consumer rings between one port and one engine. The port never
 * has more ops outstanding in a lane than the lane has slots, so the ring back can always take what
 * is done. When the lane is long the port's user may do some of its ops itself (help.c): the lane
 * then remembers which ops went which way, and gives all of them back in the order they came.
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

/* Ops in a row that went the same way. */
struct lane_run {
	uint32_t nb;
	bool is_helped; /* the port's user did them, not the lane's engine */
};

struct lane {
	struct rte_ring *requests; /* port produces, engine consumes: struct lane_item */
	struct rte_ring *done;     /* engine produces, port consumes: op pointers */
	struct engine *engine;     /* control; NULL once the engine is gone and the port drains */
	struct plx_port *port;
	uint32_t slots;
	enum plx_class cls;
	struct lane *helped; /* ops that the port's user does itself end there; NULL: it cannot */

	/* owner: the port's user */
	uint32_t nb_outstanding PLX_CACHE_ALIGNED;
	uint32_t nb_helped; /* outstanding that its user does; 0: there are no runs */
	uint64_t nb_enqueued;
	uint64_t nb_dequeued;
	struct lane_run *runs; /* ring of slots: outstanding ops, oldest first */
	uint32_t run_head;     /* free running */
	uint32_t run_tail;
};

/* A lane of slots ops (power of two) on a NUMA socket. 0 or -ENOMEM. */
int lane_create(uint32_t slots, int socket_id, struct lane **out) PLX_MUST_CHECK;
/* Only the way back: for ops that the port's user gives to an engine itself. */
int lane_create_back(uint32_t slots, int socket_id, struct lane **out) PLX_MUST_CHECK;
void lane_destroy(struct lane *l);

/* Port side: nb ops more were taken, by the lane or by its user. */
static inline void
lane_took(struct lane *l, uint16_t nb)
{
	l->nb_outstanding += nb;
	l->nb_enqueued += nb;
}

/* Port side: nb ops are the caller's again. */
static inline void
lane_gave_back(struct lane *l, uint16_t nb)
{
	l->nb_outstanding -= nb;
	l->nb_dequeued += nb;
}

/* Port side: take up to nb ops, in order; the number taken comes back. */
uint16_t lane_push(struct lane *l, struct rte_crypto_op **ops, uint16_t nb, uint64_t stamp);

/* Port side, help.c: nb ops more went this way. */
void help_note(struct lane *l, uint32_t nb, bool is_helped);
/* Port side, help.c: finished ops of a lane with runs. */
uint16_t help_pop(struct lane *l, struct rte_crypto_op **ops, uint16_t nb);

/* Port side: finished ops. */
static inline uint16_t
lane_pop(struct lane *l, struct rte_crypto_op **ops, uint16_t nb)
{
	uint16_t n;

	if (unlikely(l->nb_helped != 0))
		return help_pop(l, ops, nb);
	n = (uint16_t)rte_ring_sc_dequeue_burst(l->done, (void **)ops, nb, NULL);
	lane_gave_back(l, n);
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

/* What rte_ring_count() answers; here the loads say that somebody else may be writing. */
static inline uint32_t
lane_count(const struct rte_ring *ring)
{
	uint32_t prod = __atomic_load_n(&ring->prod.tail, __ATOMIC_RELAXED);
	uint32_t cons = __atomic_load_n(&ring->cons.tail, __ATOMIC_RELAXED);

	return RTE_MIN((prod - cons) & ring->mask, ring->capacity);
}

/* Either side: requests waiting. */
static inline uint32_t
lane_backlog(const struct lane *l)
{
	return lane_count(l->requests);
}

#endif
