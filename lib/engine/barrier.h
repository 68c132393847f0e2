/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef ENGINE_BARRIER_H
#define ENGINE_BARRIER_H

#include <stdbool.h>

#include <rte_atomic.h>
#include <rte_branch_prediction.h>

/*
 * One side of a "store mine, look at yours" pair is on the data path and the other hardly ever
 * runs. The rare side calls barrier_heavy(), membarrier(2), which makes every thread of the process
 * pass a full barrier; the frequent side then needs no instruction at all. A real fence there has
 * to wait until all stores of a burst are out of the store buffer, some 20 cycles an op at 64
 * bytes. Where the kernel or a sandbox has no membarrier both sides fence.
 */

/* Can the light side do without a fence in this process? Registers for it; any thread, as often as
 * one likes. */
bool barrier_is_asymmetric(void);
void barrier_heavy(bool is_asymmetric);

static inline void
barrier_light(bool is_asymmetric)
{
	if (likely(is_asymmetric))
		rte_compiler_barrier();
	else
		rte_smp_mb();
}

#endif
