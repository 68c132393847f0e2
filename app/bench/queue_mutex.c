/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "queue.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <rte_cycles.h>

/*
 * The classical queue: a bounded ring under a mutex, with a condition variable for whoever finds it
 * empty. It is done as well as that can be done: the ring is an array; the mutex spins a little
 * before it sleeps; who finds nothing goes down the same ladder as with lanes before it waits on
 * the condition; nobody is signalled who does not wait, and the signal is given after the lock is
 * released; a look at an empty queue takes no lock. The two kinds differ in one thing: how many
 * requests are moved while the lock is held, one or all there are.
 */

struct mutex_item {
	struct request *req;
	uint64_t stamp;
};

struct mutex_queue {
	pthread_mutex_t lock;
	pthread_cond_t filled;
	bool is_awaited;     /* under the lock */
	_Atomic uint32_t nb; /* written under the lock, looked at without */
	uint32_t head;       /* under the lock, as all below */
	struct mutex_item items[QUEUE_SLOTS];
} PLX_CACHE_ALIGNED;

struct mutex_pair {
	struct mutex_queue requests;
	struct mutex_queue done;
};

static void
mq_init(struct mutex_queue *q)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
	pthread_mutex_init(&q->lock, &attr);
	pthread_mutexattr_destroy(&attr);
	pthread_cond_init(&q->filled, NULL);
}

static bool
mq_looks_empty(const struct mutex_queue *q)
{
	return atomic_load_explicit(&q->nb, memory_order_relaxed) == 0;
}

static void
mq_put(struct mutex_queue *q, struct request **reqs, uint32_t nb, uint64_t stamp)
{
	uint32_t i, there;
	bool wake;

	pthread_mutex_lock(&q->lock);
	there = atomic_load_explicit(&q->nb, memory_order_relaxed);
	if (there + nb > QUEUE_SLOTS)
		abort(); /* the dispatcher's limit is below the bound */
	for (i = 0; i < nb; i++) {
		struct mutex_item *it = &q->items[(q->head + there + i) % QUEUE_SLOTS];

		it->req = reqs[i];
		it->stamp = stamp;
	}
	atomic_store_explicit(&q->nb, there + nb, memory_order_relaxed);
	wake = q->is_awaited;
	q->is_awaited = false;
	pthread_mutex_unlock(&q->lock);
	if (wake)
		pthread_cond_signal(&q->filled);
}

static uint32_t
mq_take(struct mutex_queue *q, struct request **reqs, uint32_t max, bool wait)
{
	uint32_t i, n, there, step = 0;

	if (!wait && mq_looks_empty(q))
		return 0;
	while (mq_looks_empty(q) && queue_ladder(step))
		step++;

	pthread_mutex_lock(&q->lock);
	for (;;) {
		there = atomic_load_explicit(&q->nb, memory_order_relaxed);
		if (there > 0 || !wait)
			break;
		q->is_awaited = true;
		pthread_cond_wait(&q->filled, &q->lock);
	}
	n = there < max ? there : max;
	for (i = 0; i < n; i++)
		reqs[i] = q->items[(q->head + i) % QUEUE_SLOTS].req;
	q->head = (q->head + n) % QUEUE_SLOTS;
	atomic_store_explicit(&q->nb, there - n, memory_order_relaxed);
	pthread_mutex_unlock(&q->lock);
	return n;
}

static int
mutex_create(uint32_t idx, void **out)
{
	struct mutex_pair *p = NULL;

	(void)idx;
	if (posix_memalign((void **)&p, PLX_CACHE_LINE, sizeof(*p)) != 0)
		return -ENOMEM;
	*p = (struct mutex_pair){ 0 };
	mq_init(&p->requests);
	mq_init(&p->done);
	*out = p;
	return 0;
}

static void
mutex_destroy(void *pair)
{
	struct mutex_pair *p = pair;

	if (p == NULL)
		return;
	pthread_cond_destroy(&p->requests.filled);
	pthread_mutex_destroy(&p->requests.lock);
	pthread_cond_destroy(&p->done.filled);
	pthread_mutex_destroy(&p->done.lock);
	free(p);
}

static void
one_give(void *pair, struct request **reqs, uint32_t nb)
{
	struct mutex_pair *p = pair;
	uint32_t i;

	for (i = 0; i < nb; i++)
		mq_put(&p->requests, &reqs[i], 1, rte_rdtsc());
}

static uint32_t
one_collect(void *pair, struct request **reqs, uint32_t max, bool wait)
{
	struct mutex_pair *p = pair;
	uint32_t n = 0;

	while (n < max && mq_take(&p->done, &reqs[n], 1, wait && n == 0) == 1)
		n++;
	return n;
}

static uint32_t
one_take(void *pair, struct request **reqs)
{
	struct mutex_pair *p = pair;

	return mq_take(&p->requests, reqs, 1, true);
}

static void
one_answer(void *pair, struct request **reqs, uint32_t nb)
{
	struct mutex_pair *p = pair;
	uint32_t i;

	for (i = 0; i < nb; i++)
		mq_put(&p->done, &reqs[i], 1, 0);
}

static void
many_give(void *pair, struct request **reqs, uint32_t nb)
{
	struct mutex_pair *p = pair;

	mq_put(&p->requests, reqs, nb, rte_rdtsc());
}

static uint32_t
many_collect(void *pair, struct request **reqs, uint32_t max, bool wait)
{
	struct mutex_pair *p = pair;

	return mq_take(&p->done, reqs, max, wait);
}

static uint32_t
many_take(void *pair, struct request **reqs)
{
	struct mutex_pair *p = pair;

	return mq_take(&p->requests, reqs, QUEUE_TAKE_MAX, true);
}

static void
many_answer(void *pair, struct request **reqs, uint32_t nb)
{
	struct mutex_pair *p = pair;

	mq_put(&p->done, reqs, nb, 0);
}

const struct queue_kind queue_mutex_one = {
	.name = "mutex-one",
	.create = mutex_create,
	.destroy = mutex_destroy,
	.give = one_give,
	.collect = one_collect,
	.take = one_take,
	.answer = one_answer,
};

const struct queue_kind queue_mutex_many = {
	.name = "mutex-many",
	.create = mutex_create,
	.destroy = mutex_destroy,
	.give = many_give,
	.collect = many_collect,
	.take = many_take,
	.answer = many_answer,
};
