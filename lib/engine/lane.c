/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "lane.h"

#include <errno.h>

#include <rte_malloc.h>

/*
 * Rings are made with their exact size, so that a lane of 1024 slots holds 1024 ops. The port
 * counts what it has outstanding and stops at that number: neither ring can overflow, whatever the
 * engine does.
 */

/* In ordinary memory: memzones, in which rte_ring_create() puts rings, are few. */
static struct rte_ring *
ring_create(uint32_t elem_bytes, uint32_t slots, int socket_id)
{
	ssize_t bytes = rte_ring_get_memsize_elem(elem_bytes, rte_align32pow2(slots + 1));
	struct rte_ring *ring;

	if (bytes < 0)
		return NULL;
	ring = rte_zmalloc_socket("plx_ring", (size_t)bytes, RTE_CACHE_LINE_SIZE, socket_id);
	if (ring != NULL && rte_ring_init(ring, "plx_lane", slots,
					  RING_F_SP_ENQ | RING_F_SC_DEQ | RING_F_EXACT_SZ) < 0) {
		rte_free(ring);
		return NULL;
	}
	return ring;
}

int
lane_create_back(uint32_t slots, int socket_id, struct lane **out)
{
	struct lane *l;

	l = rte_zmalloc_socket("plx_lane", sizeof(*l), RTE_CACHE_LINE_SIZE, socket_id);
	if (l == NULL)
		return -ENOMEM;
	l->slots = slots;
	l->done = ring_create(sizeof(void *), slots, socket_id);
	if (l->done == NULL) {
		rte_free(l);
		return -ENOMEM;
	}
	*out = l;
	return 0;
}

int
lane_create(uint32_t slots, int socket_id, struct lane **out)
{
	struct lane *l;
	int ret;

	ret = lane_create_back(slots, socket_id, &l);
	if (ret < 0)
		return ret;
	l->requests = ring_create(sizeof(struct lane_item), slots, socket_id);
	if (l->requests == NULL) {
		lane_destroy(l);
		return -ENOMEM;
	}
	*out = l;
	return 0;
}

void
lane_destroy(struct lane *l)
{
	if (l == NULL)
		return;
	lane_destroy(l->helped);
	rte_free(l->runs);
	rte_free(l->requests);
	rte_free(l->done);
	rte_free(l);
}

uint16_t
lane_push(struct lane *l, struct rte_crypto_op **ops, uint16_t nb, uint64_t stamp)
{
	struct lane_item items[PLX_BURST_MAX];
	uint32_t room = l->slots - l->nb_outstanding;
	uint16_t i, n;

	n = (uint16_t)RTE_MIN(RTE_MIN((uint32_t)nb, room), (uint32_t)PLX_BURST_MAX);
	for (i = 0; i < n; i++) {
		items[i].op = ops[i];
		items[i].stamp = stamp;
	}
	n = (uint16_t)rte_ring_sp_enqueue_burst_elem(l->requests, items, sizeof(items[0]), n, NULL);
	if (unlikely(l->nb_helped != 0))
		help_note(l, n, false);
	lane_took(l, n);
	return n;
}

void
lane_finish(struct lane *l, struct rte_crypto_op **ops, uint16_t nb)
{
	unsigned int n;

	n = rte_ring_sp_enqueue_burst(l->done, (void *const *)ops, nb, NULL);
	RTE_VERIFY(n == nb); /* the port's limit: outstanding <= slots */
}
