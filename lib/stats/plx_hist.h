/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_HIST_H
#define PLX_HIST_H

#include <stdatomic.h>
#include <stdint.h>

#include "plx_compiler.h"

/*
 * Log-linear histogram of 64-bit values (TSC cycles as a rule): 32 linear slots an octave, so a
 * reported percentile is at most 1/32 above the true one. One writer, any number of readers; a
 * reader may see a record that is being made half counted, never a torn number.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define PLX_HIST_SUB_BITS 5
#define PLX_HIST_SUB      (1u << PLX_HIST_SUB_BITS)
#define PLX_HIST_OCTAVES  40 /* values from 0 to 2^45 - 1; above that the last slot counts */
#define PLX_HIST_SLOTS    ((PLX_HIST_OCTAVES + 1) * PLX_HIST_SUB)

/* owner: the recording thread writes, others read relaxed */
struct plx_hist {
	_Atomic uint64_t nb[PLX_HIST_SLOTS];
	_Atomic uint64_t max;
};

/**
 * Slot of a value, 0..PLX_HIST_SLOTS - 1.
 *
 * @par Thread    Any.
 * @par Ownership Nothing is kept.
 * @par Errors    None; values past the range fall into the last slot.
 */
static inline uint32_t
plx_hist_slot(uint64_t value)
{
	uint32_t msb, slot;

	if (value < PLX_HIST_SUB)
		return (uint32_t)value;
	msb = 63u - (uint32_t)__builtin_clzll(value);
	slot = (msb - PLX_HIST_SUB_BITS + 1) * PLX_HIST_SUB +
	       (uint32_t)((value >> (msb - PLX_HIST_SUB_BITS)) & (PLX_HIST_SUB - 1));
	return slot < PLX_HIST_SLOTS ? slot : PLX_HIST_SLOTS - 1;
}

/**
 * Count @p times records of @p value.
 *
 * @par Thread    The histogram's one writer.
 * @par Ownership The histogram stays the caller's.
 * @par Errors    None.
 */
static inline void
plx_hist_record(struct plx_hist *h, uint64_t value, uint64_t times)
{
	_Atomic uint64_t *nb = &h->nb[plx_hist_slot(value)];

	/* one writer: a plain read, add, store is enough and costs no locked instruction */
	atomic_store_explicit(nb, atomic_load_explicit(nb, memory_order_relaxed) + times,
			      memory_order_relaxed);
	if (value > atomic_load_explicit(&h->max, memory_order_relaxed))
		atomic_store_explicit(&h->max, value, memory_order_relaxed);
}

/* What is shown of a histogram, in the unit that was recorded. */
struct plx_hist_summary {
	uint64_t count;
	uint64_t min; /* lower edge of its slot: at most 1/32 below the true one */
	uint64_t p50;
	uint64_t p90;
	uint64_t p99;
	uint64_t p999;
	uint64_t max;
};

/**
 * Add the counts of @p from to @p into.
 *
 * @par Thread    @p into is the caller's alone; @p from may be written meanwhile.
 * @par Ownership Both stay the caller's.
 * @par Errors    None.
 */
void plx_hist_add(struct plx_hist *into, const struct plx_hist *from);

/**
 * Take the counts of @p earlier away from @p into (what came since). The largest value of what is
 * left is exact when it is a new record, else the upper edge of its slot.
 *
 * @par Thread    @p into is the caller's alone.
 * @par Ownership Both stay the caller's.
 * @par Errors    None; a slot never goes below zero.
 */
void plx_hist_subtract(struct plx_hist *into, const struct plx_hist *earlier);

/**
 * The value that at least @p per_mille of 1000 records do not exceed: the upper edge of its slot,
 * or the largest value recorded when that is lower.
 *
 * @return 0 when nothing was recorded.
 * @par Thread    Any.
 * @par Ownership Nothing is kept.
 * @par Errors    None.
 */
uint64_t plx_hist_quantile(const struct plx_hist *h, uint32_t per_mille);

/**
 * Smallest and largest value that a slot counts.
 *
 * @return The last slot has no largest value: UINT64_MAX.
 * @par Thread    Any.
 * @par Ownership Nothing is kept.
 * @par Errors    None; @p slot is below PLX_HIST_SLOTS.
 */
uint64_t plx_hist_slot_lower(uint32_t slot);
uint64_t plx_hist_slot_upper(uint32_t slot);

/**
 * Fill a summary.
 *
 * @par Thread    Any.
 * @par Ownership @p out is the caller's.
 * @par Errors    None.
 */
void plx_hist_summarize(const struct plx_hist *h, struct plx_hist_summary *out);

/**
 * Set all counts to zero.
 *
 * @par Thread    The histogram's one writer, or anybody while nothing is recorded.
 * @par Ownership The histogram stays the caller's.
 * @par Errors    None.
 */
void plx_hist_reset(struct plx_hist *h);

#ifdef __cplusplus
}
#endif

#endif
