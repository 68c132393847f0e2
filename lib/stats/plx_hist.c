/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_hist.h"

#include <stdatomic.h>

/*
 * The reading side of a histogram, and its merging. Counts are read once, relaxed: a record that is
 * being made is in the answer or it is not. Counts may grow between the two walks a quantile takes;
 * the second walk then ends earlier, never past the end.
 */

#define PER_MILLE 1000u

static uint64_t
count_get(const struct plx_hist *h, uint32_t slot)
{
	return atomic_load_explicit(&h->nb[slot], memory_order_relaxed);
}

static void
count_set(struct plx_hist *h, uint32_t slot, uint64_t nb)
{
	atomic_store_explicit(&h->nb[slot], nb, memory_order_relaxed);
}

static uint64_t
max_get(const struct plx_hist *h)
{
	return atomic_load_explicit(&h->max, memory_order_relaxed);
}

static void
max_set(struct plx_hist *h, uint64_t max)
{
	atomic_store_explicit(&h->max, max, memory_order_relaxed);
}

uint64_t
plx_hist_slot_lower(uint32_t slot)
{
	uint32_t octave = slot / PLX_HIST_SUB;
	uint32_t sub = slot % PLX_HIST_SUB;

	return octave == 0 ? sub : (uint64_t)(PLX_HIST_SUB + sub) << (octave - 1);
}

uint64_t
plx_hist_slot_upper(uint32_t slot)
{
	return slot >= PLX_HIST_SLOTS - 1 ? UINT64_MAX : plx_hist_slot_lower(slot + 1) - 1;
}

/* What is reported for a slot. The writer counts first and raises max after: max may be behind. */
static uint64_t
slot_value(const struct plx_hist *h, uint32_t slot)
{
	uint64_t max = max_get(h);
	uint64_t lower = plx_hist_slot_lower(slot);
	uint64_t upper = plx_hist_slot_upper(slot);

	if (max >= lower && max <= upper)
		return max;
	return slot == PLX_HIST_SLOTS - 1 ? lower : upper;
}

void
plx_hist_add(struct plx_hist *into, const struct plx_hist *from)
{
	uint64_t max = max_get(from);

	for (uint32_t i = 0; i < PLX_HIST_SLOTS; i++) {
		uint64_t nb = count_get(from, i);

		if (nb != 0)
			count_set(into, i, count_get(into, i) + nb);
	}
	if (max > max_get(into))
		max_set(into, max);
}

void
plx_hist_subtract(struct plx_hist *into, const struct plx_hist *earlier)
{
	uint32_t top = PLX_HIST_SLOTS;

	for (uint32_t i = 0; i < PLX_HIST_SLOTS; i++) {
		uint64_t now = count_get(into, i);
		uint64_t then = count_get(earlier, i);
		uint64_t left = now > then ? now - then : 0;

		if (then != 0)
			count_set(into, i, left);
		if (left != 0)
			top = i;
	}
	if (top == PLX_HIST_SLOTS)
		max_set(into, 0);
	else if (max_get(into) <= max_get(earlier))
		max_set(into, slot_value(into, top));
}

static uint64_t
count_all(const struct plx_hist *h)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < PLX_HIST_SLOTS; i++)
		count += count_get(h, i);
	return count;
}

/* Number of records that make up per_mille of count, rounded up, at least one; count * 1000 may
 * overflow. */
static uint64_t
rank_of(uint64_t count, uint32_t per_mille)
{
	uint64_t rank = count / PER_MILLE * per_mille;

	rank += (count % PER_MILLE * per_mille + PER_MILLE - 1) / PER_MILLE;
	return rank == 0 ? 1 : rank;
}

/* Go on from *slot, with *seen records before it, to the slot that holds the record of a rank. */
static uint64_t
rank_walk(const struct plx_hist *h, uint64_t rank, uint32_t *slot, uint64_t *seen)
{
	while (*slot < PLX_HIST_SLOTS - 1) {
		uint64_t nb = count_get(h, *slot);

		if (*seen + nb >= rank)
			break;
		*seen += nb;
		(*slot)++;
	}
	return slot_value(h, *slot);
}

uint64_t
plx_hist_quantile(const struct plx_hist *h, uint32_t per_mille)
{
	uint64_t count = count_all(h);
	uint64_t seen = 0;
	uint32_t slot = 0;

	if (count == 0)
		return 0;
	if (per_mille > PER_MILLE)
		per_mille = PER_MILLE;
	return rank_walk(h, rank_of(count, per_mille), &slot, &seen);
}

void
plx_hist_summarize(const struct plx_hist *h, struct plx_hist_summary *out)
{
	uint64_t seen = 0;
	uint32_t slot = 0;

	*out = (struct plx_hist_summary){ .count = count_all(h) };
	if (out->count == 0)
		return;
	rank_walk(h, 1, &slot, &seen);
	out->min = plx_hist_slot_lower(slot);
	out->p50 = rank_walk(h, rank_of(out->count, 500), &slot, &seen);
	out->p90 = rank_walk(h, rank_of(out->count, 900), &slot, &seen);
	out->p99 = rank_walk(h, rank_of(out->count, 990), &slot, &seen);
	out->p999 = rank_walk(h, rank_of(out->count, 999), &slot, &seen);
	/* from the counts, so that it is never below p999 while max is behind */
	out->max = rank_walk(h, out->count, &slot, &seen);
}

void
plx_hist_reset(struct plx_hist *h)
{
	for (uint32_t i = 0; i < PLX_HIST_SLOTS; i++)
		count_set(h, i, 0);
	max_set(h, 0);
}
