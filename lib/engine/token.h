/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef ENGINE_TOKEN_H
#define ENGINE_TOKEN_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_pause.h>

/*
 * Who steps an engine or uses a port holds its token. The data path tries and never waits: when
 * control has the token a burst call returns 0, as it does when a queue is full. Control waits, at
 * most as long as one step takes, and says that it waits, so that a loop which steps without a
 * pause lets go.
 */

struct token {
	_Atomic uint32_t held;
	_Atomic uint32_t
		nb_wanted; /* control threads waiting; the group's lock makes it one at most */
};

/* Data path. The acquire pairs with the release in token_put() of the holder before. */
static inline bool
token_try(struct token *t)
{
	if (atomic_load_explicit(&t->nb_wanted, memory_order_relaxed) != 0)
		return false;
	return atomic_exchange_explicit(&t->held, 1, memory_order_acquire) == 0;
}

static inline void
token_put(struct token *t)
{
	atomic_store_explicit(&t->held, 0, memory_order_release);
}

/* A loop that keeps the token over many steps asks this between two of them. */
static inline bool
token_is_wanted(const struct token *t)
{
	return atomic_load_explicit(&t->nb_wanted, memory_order_relaxed) != 0;
}

/* The lcore loop, not inside a burst: lets control go first, then takes it. */
static inline void
token_take_shared(struct token *t)
{
	while (!token_try(t)) {
		rte_pause();
		sched_yield();
	}
}

/* Control. Yields, since the holder may be a preempted thread on this very core. */
static inline void
token_take(struct token *t)
{
	atomic_fetch_add_explicit(&t->nb_wanted, 1, memory_order_relaxed);
	while (atomic_exchange_explicit(&t->held, 1, memory_order_acquire) != 0) {
		rte_pause();
		sched_yield();
	}
	atomic_fetch_sub_explicit(&t->nb_wanted, 1, memory_order_relaxed);
}

#endif
