/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine.h"

#include <errno.h>

#include <rte_cycles.h>

/*
 * A window: one way works without a break, and its time is cut into slices. Only slices count in
 * which the lcores that take part had their CPUs for the whole slice, by the CPU time of their
 * threads: a slice that another program had a part of says nothing about the way. The window is
 * over when enough slices count, or after a few times its length; then the slice with the greatest
 * part of its CPUs has to do.
 */

#define WARM_UP_US     600u
#define SHARE_MIN      0.985
#define STRETCH_MAX    8u
#define COLLECT_MAX_NS 2000000000u

struct slice {
	double nb;
	double wall_ns;
	double busy_ns;
	double share; /* of its CPUs, the lower one */
};

static uint64_t
us_to_cycles(uint32_t us)
{
	return rte_get_tsc_hz() / 1000000u * us;
}

static double
share_of(uint64_t cpu_ns, uint64_t wall_ns)
{
	return wall_ns > 0 ? (double)cpu_ns / (double)wall_ns : 0.0;
}

static void
slice_take(const struct way_kind *kind, struct way *w, struct load *l,
	   const struct window_params *p, struct slice *out)
{
	uint64_t nb = l->nb_done, wall, submit, engine;
	double other;

	submit = bench_clock_ns(p->clocks[LCORE_SUBMIT]);
	engine = bench_clock_ns(p->clocks[kind->lcore]);
	wall = bench_wall_ns();
	kind->run(w, l, rte_rdtsc() + us_to_cycles(p->slice_us));
	wall = bench_wall_ns() - wall;
	engine = bench_clock_ns(p->clocks[kind->lcore]) - engine;
	submit = bench_clock_ns(p->clocks[LCORE_SUBMIT]) - submit;

	out->nb = (double)(l->nb_done - nb);
	out->wall_ns = (double)wall;
	out->busy_ns = (double)wall * kind->busy(w);
	out->share = share_of(submit, wall);
	other = share_of(engine, wall);
	if (other < out->share)
		out->share = other;
}

int
window_run(const struct way_kind *kind, struct way *w, struct load *l,
	   const struct window_params *p, struct window_sample *out)
{
	struct slice sum = { 0 }, best = { 0 }, s;
	uint64_t length_ns = (uint64_t)p->length_us * 1000u;
	uint64_t start = bench_wall_ns(), age;

	kind->run(w, l, rte_rdtsc() + us_to_cycles(WARM_UP_US));
	kind->busy(w);
	do {
		slice_take(kind, w, l, p, &s);
		if (s.nb > 0.0 && s.share > best.share)
			best = s;
		if (s.share >= SHARE_MIN) {
			sum.nb += s.nb;
			sum.wall_ns += s.wall_ns;
			sum.busy_ns += s.busy_ns;
		}
		age = bench_wall_ns() - start;
	} while (sum.wall_ns < (double)length_ns &&
		 (age < STRETCH_MAX * length_ns || (best.nb <= 0.0 && age < COLLECT_MAX_NS)));

	if (sum.nb <= 0.0) {
		sum = best;
		sum.wall_ns *= best.share;
		sum.busy_ns *= best.share;
	}
	if (sum.nb <= 0.0) {
		bench_say("%s: no op came back within %u us", kind->name,
			  STRETCH_MAX * p->length_us);
		return -EIO;
	}
	out->ops_per_s = sum.nb * 1e9 / sum.wall_ns;
	out->cycles_per_op = sum.busy_ns * 1e-9 * (double)rte_get_tsc_hz() / sum.nb;
	return 0;
}

int
window_collect(const struct way_kind *kind, struct way *w, struct load *l)
{
	uint64_t end = bench_wall_ns() + COLLECT_MAX_NS;

	while (l->nb_ready > 0)
		l->free[l->nb_free++] = l->ready[--l->nb_ready];
	while (l->nb_free < LOAD_DEPTH) {
		if (kind->collect(w, l) > 0)
			continue;
		if (bench_wall_ns() > end) {
			bench_say("%s: %u ops did not come back", kind->name,
				  LOAD_DEPTH - l->nb_free);
			return -ETIMEDOUT;
		}
	}
	return 0;
}
