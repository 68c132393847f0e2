/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "stats_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>

#include "app.h"

/* Rates and percentiles of one period in one line; JSON with --json. Counters that were cleared
 * restart at zero. */

struct sums {
	uint64_t completed, failed, bytes, busy, idle;
	uint32_t nb_engines, nb_inflight;
};

static void
sum_up(struct app *app, struct sums *s)
{
	struct plx_engine_stats stats = { 0 };
	struct plx_engine_info info;
	uint32_t pos = 0;

	memset(s, 0, sizeof(*s));
	while (plx_engines_next(app->es, &pos, &info)) {
		s->nb_engines++;
		s->nb_inflight += info.nb_inflight;
	}
	if (plx_engines_stats(app->es, PLX_ENGINE_ANY, &stats) < 0)
		return;
	s->completed = stats.nb_completed;
	s->failed = stats.nb_failed + stats.nb_expired + stats.nb_unroutable + stats.nb_lost;
	s->bytes = stats.bytes;
	s->busy = stats.busy_cycles;
	s->idle = stats.idle_cycles;
}

static uint64_t
since(uint64_t now, uint64_t before)
{
	return now >= before ? now - before : now;
}

static void
print_line(struct stats_line *line, struct app *app, const struct sums *s, double seconds)
{
	double us = (double)rte_get_tsc_hz() / 1e6;
	uint64_t busy = since(s->busy, line->busy), idle = since(s->idle, line->idle);
	double percent = busy + idle == 0 ? 0 : 100.0 * (double)busy / (double)(busy + idle);
	double ops = (double)since(s->completed, line->completed) / seconds;
	double mb = (double)since(s->bytes, line->bytes) / seconds / 1e6;
	uint64_t failed = since(s->failed, line->failed);
	double p50 = (double)plx_hist_quantile(line->now, 500) / us;
	double p99 = (double)plx_hist_quantile(line->now, 990) / us;

	if (app->args->is_json)
		fprintf(stderr,
			"{\"engines\": %u, \"ops-per-second\": %.0f, \"mb-per-second\": %.1f, "
			"\"p50-us\": %.1f, \"p99-us\": %.1f, \"busy-percent\": %.1f, \"in-flight\": %u, "
			"\"failed\": %llu}\n",
			s->nb_engines, ops, mb, p50, p99, percent, s->nb_inflight,
			(unsigned long long)failed);
	else
		fprintf(stderr,
			"engines %u  ops/s %.0f  MB/s %.1f  p50 %.1f us  p99 %.1f us  busy %.1f %%  in flight %u  "
			"failed %llu\n",
			s->nb_engines, ops, mb, p50, p99, percent, s->nb_inflight,
			(unsigned long long)failed);
}

static bool
make_room(struct stats_line *line)
{
	if (line->now == NULL)
		line->now = calloc(1, sizeof(*line->now));
	if (line->before == NULL)
		line->before = calloc(1, sizeof(*line->before));
	return line->now != NULL && line->before != NULL;
}

void
stats_line_step(struct stats_line *line, struct app *app)
{
	uint64_t now = rte_get_tsc_cycles(), hz = rte_get_tsc_hz();
	uint64_t period = (uint64_t)app->opt_daemon->stats_period_us * hz / 1000000;
	struct plx_hist *seen;
	struct sums s;

	if (period == 0) {
		line->last_tsc = 0;
		return;
	}
	if ((line->last_tsc != 0 && now - line->last_tsc < period) || !make_room(line))
		return;

	sum_up(app, &s);
	plx_hist_reset(line->now);
	if (plx_engines_latency(app->es, PLX_ENGINE_ANY, line->now) < 0)
		return;
	if (line->last_tsc != 0) {
		seen = calloc(1, sizeof(*seen));
		if (seen == NULL)
			return;
		plx_hist_add(seen, line->now);
		plx_hist_subtract(line->now, line->before);
		print_line(line, app, &s, (double)(now - line->last_tsc) / (double)hz);
		free(line->before);
		line->before = seen;
	} else {
		plx_hist_reset(line->before);
		plx_hist_add(line->before, line->now);
	}
	line->completed = s.completed;
	line->failed = s.failed;
	line->bytes = s.bytes;
	line->busy = s.busy;
	line->idle = s.idle;
	line->last_tsc = now;
}

void
stats_line_free(struct stats_line *line)
{
	free(line->now);
	free(line->before);
}
