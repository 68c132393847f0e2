/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "lane.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include <rte_malloc.h>

/*
 * Rings are made with their exact size, so that a lane of 1024 slots holds 1024 ops. The port
 * counts what it has outstanding and stops at that number: neither ring can overflow, whatever the
 * engine does.
 */

int
lane_create(uint32_t slots, int socket_id, const void *group, uint64_t id, struct lane **out)
{
	const unsigned int flags = RING_F_SP_ENQ | RING_F_SC_DEQ | RING_F_EXACT_SZ;
	char name[RTE_RING_NAMESIZE];
	struct lane *l;

	l = rte_zmalloc_socket("plx_lane", sizeof(*l), RTE_CACHE_LINE_SIZE, socket_id);
	if (l == NULL)
		return -ENOMEM;
	l->slots = slots;

	/* an address and a number: 12 and 8 digits at most in a name of 29 */
	snprintf(name, sizeof(name), "plxr%" PRIxPTR ".%" PRIx32, (uintptr_t)group, (uint32_t)id);
	l->requests = rte_ring_create_elem(name, sizeof(struct lane_item), slots, socket_id, flags);
	if (l->requests == NULL)
		goto err_free_lane;

	snprintf(name, sizeof(name), "plxd%" PRIxPTR ".%" PRIx32, (uintptr_t)group, (uint32_t)id);
	l->done = rte_ring_create(name, slots, socket_id, flags);
	if (l->done == NULL)
		goto err_free_requests;

	*out = l;
	return 0;

err_free_requests:
	rte_ring_free(l->requests);
err_free_lane:
	rte_free(l);
	return -ENOMEM;
}

void
lane_destroy(struct lane *l)
{
	if (l == NULL)
		return;
	rte_ring_free(l->requests);
	rte_ring_free(l->done);
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
	l->nb_outstanding += n;
	l->nb_enqueued += n;
	return n;
}

void
lane_finish(struct lane *l, struct rte_crypto_op **ops, uint16_t nb)
{
	unsigned int n;

	n = rte_ring_sp_enqueue_burst(l->done, (void *const *)ops, nb, NULL);
	RTE_VERIFY(n == nb); /* the port's limit: outstanding <= slots */
}
