/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_fault_priv.h"

#include <errno.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_malloc.h>

/*
 * A queue pair's memory and its dice. Each queue pair has its own copy of the plan, taken again
 * when the device's generation has moved; it never waits for the lock of the plan, it tries again
 * at the next burst.
 */

#define LOOK_US 1000

int
fault_qp_create(struct fault_dev *dev, uint16_t id, uint32_t nb_desc, int socket_id,
		struct fault_qp **out)
{
	uint32_t nb_slots = rte_align32pow2(nb_desc);
	struct rte_crypto_op *decoy;
	struct fault_qp *qp;

	qp = rte_zmalloc_socket("plx_fault_qp", sizeof(*qp), RTE_CACHE_LINE_SIZE, socket_id);
	if (qp == NULL)
		return -ENOMEM;
	qp->slots = rte_zmalloc_socket("plx_fault_slots", nb_slots * sizeof(qp->slots[0]),
				       RTE_CACHE_LINE_SIZE, socket_id);
	qp->pass = rte_zmalloc_socket("plx_fault_pass", nb_slots * sizeof(qp->pass[0]),
				      RTE_CACHE_LINE_SIZE, socket_id);
	qp->pass_idx = rte_zmalloc_socket("plx_fault_idx", nb_slots * sizeof(qp->pass_idx[0]),
					  RTE_CACHE_LINE_SIZE, socket_id);
	if (qp->slots == NULL || qp->pass == NULL || qp->pass_idx == NULL) {
		fault_qp_free(qp);
		return -ENOMEM;
	}
	qp->dev = dev;
	qp->id = id;
	qp->cap = nb_desc - 1;
	qp->mask = nb_slots - 1;
	decoy = (struct rte_crypto_op *)qp->decoy;
	decoy->type = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
	decoy->status = RTE_CRYPTO_OP_STATUS_SUCCESS;
	*out = qp;
	return 0;
}

void
fault_qp_free(struct fault_qp *qp)
{
	if (qp == NULL)
		return;
	rte_free(qp->slots);
	rte_free(qp->pass);
	rte_free(qp->pass_idx);
	rte_free(qp);
}

/* xorshift64*: the same numbers on every machine, and the state is never 0. */
uint64_t
fault_qp_random(struct fault_qp *qp)
{
	uint64_t x = qp->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	qp->random = x;
	return x * 0x2545f4914f6cdd1dull;
}

/* Spread seed and queue pair over all bits (the finaliser of splitmix64). */
static void
seed_set(struct fault_qp *qp, uint64_t seed)
{
	uint64_t x = seed + 0x9e3779b97f4a7c15ull * (qp->id + 1ull);

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	x ^= x >> 31;
	qp->random = x != 0 ? x : 1;
}

/* What follows from a new plan. */
static void
plan_take(struct fault_qp *qp)
{
	qp->enabled = 0;
	qp->with_file = 0;
	qp->triggered = 0;
	qp->look_cycles = 0;
	for (unsigned int kind = 0; kind < PLX_FAULT_NB; kind++) {
		const struct fault_rule *rule = &qp->plan.rules[kind];

		if (rule->when != FAULT_OFF)
			qp->enabled |= FAULT_BIT(kind);
		if (rule->file[0] != '\0')
			qp->with_file |= FAULT_BIT(kind);
		if (qp->serial[kind] != rule->serial)
			qp->turn[kind] = 0;
		qp->serial[kind] = rule->serial;
	}
	if (qp->seed_serial != qp->plan.seed_serial)
		seed_set(qp, qp->plan.seed);
	qp->seed_serial = qp->plan.seed_serial;
}

void
fault_qp_refresh(struct fault_qp *qp)
{
	struct fault_dev *dev = qp->dev;

	if (!fault_plan_trylock(dev))
		return;
	qp->plan = dev->plan;
	/* it moves under the lock only */
	qp->gen = atomic_load_explicit(&dev->gen, memory_order_relaxed);
	fault_plan_unlock(dev);
	plan_take(qp);
}

/* A system call on a data path, once a millisecond and only for a fault with while=. */
void
fault_qp_look(struct fault_qp *qp)
{
	uint64_t now = rte_rdtsc();

	if (now < qp->look_cycles)
		return;
	qp->look_cycles = now + LOOK_US * qp->dev->hz_us;
	for (unsigned int kind = 0; kind < PLX_FAULT_NB; kind++) {
		if ((qp->with_file & FAULT_BIT(kind)) == 0)
			continue;
		if (access(qp->plan.rules[kind].file, F_OK) == 0)
			qp->triggered |= FAULT_BIT(kind);
		else
			qp->triggered &= ~FAULT_BIT(kind);
	}
}

static bool
limit_take(struct fault_dev *dev, unsigned int kind)
{
	uint64_t left = atomic_load_explicit(&dev->left[kind], memory_order_relaxed);

	while (left > 0) {
		if (atomic_compare_exchange_weak_explicit(&dev->left[kind], &left, left - 1,
							  memory_order_relaxed,
							  memory_order_relaxed))
			return true;
	}
	return false;
}

/* Throw the dice of one fault for one operation. */
bool
fault_qp_hit(struct fault_qp *qp, unsigned int kind)
{
	const struct fault_rule *rule = &qp->plan.rules[kind];

	if (rule->when == FAULT_RANDOM) {
		if ((uint32_t)(fault_qp_random(qp) >> 32) >= rule->threshold)
			return false;
	} else if (rule->when == FAULT_NTH) {
		if (++qp->turn[kind] < rule->nth)
			return false;
		qp->turn[kind] = 0;
	}
	return !rule->has_limit || limit_take(qp->dev, kind);
}

/* It was thrown and could not be done: it counts neither as done nor against the limit. */
void
fault_qp_unhit(struct fault_qp *qp, unsigned int kind)
{
	if (qp->plan.rules[kind].has_limit)
		atomic_fetch_add_explicit(&qp->dev->left[kind], 1, memory_order_relaxed);
}
