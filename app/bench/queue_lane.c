/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "queue.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <rte_cycles.h>

#include "lane.h"

/*
 * The engines' own lanes, moved by the functions that engines and ports use. A lane does not look
 * into what it carries, so a request travels in the place of a crypto op. At the foot of the ladder
 * is an eventfd; the other side writes to it only when somebody says that he sleeps.
 */

struct sleeper {
	_Atomic uint32_t is_asleep;
	int fd;
} PLX_CACHE_ALIGNED;

struct lane_pair {
	struct lane *lane;
	struct sleeper engine;
	struct sleeper dispatcher;
};

/* After a push. The fence pairs with the one in sleeper_sleep(). */
static void
sleeper_wake(struct sleeper *s)
{
	const uint64_t one = 1;

	atomic_thread_fence(memory_order_seq_cst);
	if (atomic_load_explicit(&s->is_asleep, memory_order_relaxed) == 0)
		return;
	atomic_store_explicit(&s->is_asleep, 0, memory_order_relaxed);
	if (write(s->fd, &one, sizeof(one)) != (ssize_t)sizeof(one))
		abort();
}

/* The ladder's last step. */
static void
sleeper_sleep(struct sleeper *s, const struct rte_ring *ring)
{
	uint64_t count;

	atomic_store_explicit(&s->is_asleep, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	if (rte_ring_empty(ring) && read(s->fd, &count, sizeof(count)) < 0)
		abort();
	atomic_store_explicit(&s->is_asleep, 0, memory_order_relaxed);
}

static int
sleeper_init(struct sleeper *s)
{
	s->fd = eventfd(0, EFD_CLOEXEC);
	return s->fd < 0 ? -errno : 0;
}

static void
pair_destroy(void *pair)
{
	struct lane_pair *p = pair;

	if (p == NULL)
		return;
	if (p->engine.fd >= 0)
		close(p->engine.fd);
	if (p->dispatcher.fd >= 0)
		close(p->dispatcher.fd);
	lane_destroy(p->lane);
	free(p);
}

static int
pair_create(uint32_t idx, void **out)
{
	struct lane_pair *p = NULL;
	int ret;

	(void)idx;
	if (posix_memalign((void **)&p, PLX_CACHE_LINE, sizeof(*p)) != 0)
		return -ENOMEM;
	*p = (struct lane_pair){ .engine.fd = -1, .dispatcher.fd = -1 };
	ret = lane_create(QUEUE_SLOTS, SOCKET_ID_ANY, &p->lane);
	if (ret == 0)
		ret = sleeper_init(&p->engine);
	if (ret == 0)
		ret = sleeper_init(&p->dispatcher);
	if (ret < 0) {
		pair_destroy(p);
		return ret;
	}
	*out = p;
	return 0;
}

static void
pair_give(void *pair, struct request **reqs, uint32_t nb)
{
	struct lane_pair *p = pair;

	if (lane_push(p->lane, (struct rte_crypto_op **)reqs, (uint16_t)nb, rte_rdtsc()) != nb)
		abort(); /* the dispatcher's limit is below the bound */
	sleeper_wake(&p->engine);
}

static uint32_t
pair_collect(void *pair, struct request **reqs, uint32_t max, bool wait)
{
	struct lane_pair *p = pair;
	uint32_t n, step = 0;

	for (;;) {
		n = lane_pop(p->lane, (struct rte_crypto_op **)reqs, (uint16_t)max);
		if (n > 0 || !wait)
			return n;
		if (!queue_ladder(step++))
			sleeper_sleep(&p->dispatcher, p->lane->done);
	}
}

static uint32_t
pair_take(void *pair, struct request **reqs)
{
	struct lane_item items[QUEUE_BURST];
	struct lane_pair *p = pair;
	uint32_t i, n, step = 0;

	for (;;) {
		n = lane_gather(p->lane, items, QUEUE_BURST);
		if (n > 0)
			break;
		if (!queue_ladder(step++))
			sleeper_sleep(&p->engine, p->lane->requests);
	}
	for (i = 0; i < n; i++)
		reqs[i] = (struct request *)items[i].op;
	return n;
}

static void
pair_answer(void *pair, struct request **reqs, uint32_t nb)
{
	struct lane_pair *p = pair;

	lane_finish(p->lane, (struct rte_crypto_op **)reqs, (uint16_t)nb);
	sleeper_wake(&p->dispatcher);
}

const struct queue_kind queue_lane = {
	.name = "lane",
	.create = pair_create,
	.destroy = pair_destroy,
	.give = pair_give,
	.collect = pair_collect,
	.take = pair_take,
	.answer = pair_answer,
};
