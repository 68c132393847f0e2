/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <rte_cycles.h>

/*
 * Mode auto. Inline is the shortest way for a caller whose core has time to spare; when the crypto
 * work fills most of that core, engine lcores take it over. The load is measured, not guessed:
 * inline, the cycles the steps took; in pipeline mode, the ops times what one of them cost inline.
 * A choice is made anew only when several windows in a row say so, with a gap between the two
 * marks, so that it does not swing.
 */

#define WINDOW_US      5000u
#define WINDOWS_NEEDED 4u
#define LOADED_PERCENT 75u
#define LIGHT_PERCENT  40u

static void
window_open(struct plx_port *port, uint64_t now)
{
	struct auto_load *a = &port->load;

	a->window_start = now;
	a->busy_base = port->own->stats.busy_cycles;
	a->ops_base = port->nb_enqueued;
}

/* Percent of the window that the port's ops took, or would have taken, on the caller's core. */
static uint64_t
window_load(struct plx_port *port, uint64_t elapsed)
{
	struct auto_load *a = &port->load;
	uint64_t ops = port->nb_enqueued - a->ops_base;
	uint64_t busy = ops * a->cycles_per_op;

	if (port->is_inline_now) {
		/* the statistics may have been cleared meanwhile */
		busy = port->own->stats.busy_cycles;
		busy -= RTE_MIN(busy, a->busy_base);
		if (ops != 0)
			a->cycles_per_op = busy / ops;
	}
	return busy * 100 / elapsed;
}

void
auto_choose(struct plx_port *port)
{
	struct auto_load *a = &port->load;
	uint64_t now = rte_rdtsc(), elapsed = now - a->window_start, load;
	bool other;

	if (port->own == NULL || port->own->may_lack || port->nb_lanes == 0 || !port->has_runners ||
	    port->must_drain)
		return;
	if (elapsed < engine_us_to_cycles(WINDOW_US))
		return;
	if (a->window_start != 0) {
		load = window_load(port, elapsed);
		other = port->is_inline_now ? load >= LOADED_PERCENT : load < LIGHT_PERCENT;
		a->nb_agree = other ? a->nb_agree + 1 : 0;
	}
	window_open(port, now);
	if (a->nb_agree < WINDOWS_NEEDED)
		return;
	a->nb_agree = 0;
	port->auto_inline = !port->is_inline_now;
	port->must_drain = true;
}
