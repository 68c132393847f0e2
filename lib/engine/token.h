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

#include "barrier.h"

/*
 * Who steps an engine or uses a port holds its token. The data path tries and never waits: when
 * control has the token a burst call returns 0, as it does when a queue is full. Control waits, at
 * most as long as one step takes.
 *
 * The holder says "held", then looks at "wanted"; control says "wanted", then looks at "held": with
 * a barrier on both sides one of the two sees the other. Only one thread at a time is a holder, by
 * the contract of ports and because an engine has one loop; only one control thread at a time, by
 * the caller's lock.
 */

struct token {
	_Atomic uint32_t held; /* the holder writes */
	_Atomic uint32_t
		wanted; /* control writes; while it is set control has the token or waits for it */
	bool is_asymmetric; /* set once, see barrier.h */
};

static inline void
token_put(struct token *t)
{
	/* pairs with the acquire of control's look at held */
	atomic_store_explicit(&t->held, 0, memory_order_release);
}

/* Data path. */
static inline bool
token_try(struct token *t)
{
	atomic_store_explicit(&t->held, 1, memory_order_relaxed);
	barrier_light(t->is_asymmetric);
	/* pairs with the release in token_return() */
	if (likely(atomic_load_explicit(&t->wanted, memory_order_acquire) == 0))
		return true;
	token_put(t);
	return false;
}

/* A loop that keeps the token over many steps asks this between two of them. */
static inline bool
token_is_wanted(const struct token *t)
{
	return atomic_load_explicit(&t->wanted, memory_order_relaxed) != 0;
}

/* The lcore loop, not inside a burst: lets control go first, then takes it. */
static inline void
token_wait(struct token *t)
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
	atomic_store_explicit(&t->wanted, 1, memory_order_relaxed);
	barrier_heavy(t->is_asymmetric);
	while (atomic_load_explicit(&t->held, memory_order_acquire) != 0) {
		rte_pause();
		sched_yield();
	}
}

static inline void
token_return(struct token *t)
{
	atomic_store_explicit(&t->wanted, 0, memory_order_release);
}

#endif
