/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "queue.h"

#include <stdio.h>

/*
 * Cases, rounds and lines of the queue benchmark. In a round each kind of queue has one window, and
 * each round begins with another kind, so that what the machine does meanwhile falls on all of
 * them.
 */

enum kind_idx {
	KIND_LANE,
	KIND_MANY,
	KIND_ONE,
	KINDS,
};

#define QUICK_ROUNDS    9u
#define QUICK_WINDOW_US 36000u
#define FULL_ROUNDS     11u
#define FULL_WINDOW_US  150000u
#define SLOW_WINDOWS    3u /* a slow operation's window is this many times as long */

static const struct queue_kind *const kinds[KINDS] = {
	[KIND_LANE] = &queue_lane,
	[KIND_MANY] = &queue_mutex_many,
	[KIND_ONE] = &queue_mutex_one,
};

static const uint32_t engine_counts[] = { 1, 2, 4, 8, 10 };

/* Which is put beside which. */
static const enum kind_idx pairs[][2] = {
	{ KIND_LANE, KIND_ONE },
	{ KIND_LANE, KIND_MANY },
	{ KIND_MANY, KIND_ONE },
};

struct samples {
	double ops[KINDS][BENCH_ROUNDS_MAX];
	double cpu[KINDS][BENCH_ROUNDS_MAX];
};

static void
case_name(char *buf, size_t len, const struct work_kind *work, uint32_t nb_engines)
{
	snprintf(buf, len, "%s/%u", work->name, nb_engines);
}

static void
case_report(const char *name, const struct samples *s, uint32_t rounds)
{
	struct bench_line line = { .bench = "queue", .name = name, .rounds = rounds };
	uint32_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(pairs); i++) {
		line.subject = kinds[pairs[i][0]]->name;
		line.peer = kinds[pairs[i][1]]->name;
		line.metric = "ops_per_s";
		line.unit = "ops/s";
		line.values = s->ops[pairs[i][0]];
		line.peer_values = s->ops[pairs[i][1]];
		bench_report(&line);
		line.metric = "ops_per_cpu_s";
		line.unit = "ops/CPU s";
		line.values = s->cpu[pairs[i][0]];
		line.peer_values = s->cpu[pairs[i][1]];
		bench_report(&line);
	}
}

static int
case_run(const struct work *w, uint32_t nb_engines, uint32_t rounds, uint32_t window_us,
	 struct samples *s)
{
	struct queue_sample sample = { 0 };
	uint32_t round, i, k;
	int ret;

	for (round = 0; round < rounds; round++) {
		for (i = 0; i < KINDS; i++) {
			k = (round + i) % KINDS;
			ret = queue_run(kinds[k], w, nb_engines, window_us, &sample);
			if (ret < 0)
				return ret;
			s->ops[k][round] = sample.ops_per_s;
			s->cpu[k][round] = sample.ops_per_cpu_s;
		}
	}
	return 0;
}

static int
work_run(const struct bench_opts *opts, const struct work_kind *kind, uint32_t rounds,
	 uint32_t window_us)
{
	char name[BENCH_CASE_MAX];
	struct work *w = NULL;
	struct samples s;
	uint32_t i;
	int ret = 0;

	if (kind->is_slow)
		window_us *= SLOW_WINDOWS;
	for (i = 0; i < PLX_ARRAY_SIZE(engine_counts) && ret == 0; i++) {
		case_name(name, sizeof(name), kind, engine_counts[i]);
		if (!bench_wants(opts, name))
			continue;
		if (w == NULL)
			ret = work_create(kind, &w);
		if (ret == 0)
			ret = case_run(w, engine_counts[i], rounds, window_us, &s);
		if (ret == 0) {
			case_report(name, &s, rounds);
			bench_say("%-12s lane %.2f x mutex-one, %.2f x mutex-many", name,
				  bench_median(s.ops[KIND_LANE], rounds) /
					  bench_median(s.ops[KIND_ONE], rounds),
				  bench_median(s.ops[KIND_LANE], rounds) /
					  bench_median(s.ops[KIND_MANY], rounds));
		}
	}
	work_destroy(w);
	return ret;
}

static int
queue_bench_run(const struct bench_opts *opts)
{
	uint32_t rounds = opts->rounds, window_us = opts->window_us, i;
	char cpus[256], lcores[272];
	int ret;

	if (rounds == 0)
		rounds = opts->is_quick ? QUICK_ROUNDS : FULL_ROUNDS;
	if (window_us == 0)
		window_us = opts->is_quick ? QUICK_WINDOW_US : FULL_WINDOW_US;

	/* one lcore that floats, and with it all threads it starts */
	bench_cpus(cpus, sizeof(cpus));
	snprintf(lcores, sizeof(lcores), "0@(%s)", cpus);
	ret = bench_eal_start(lcores);
	if (ret < 0)
		return ret;
	bench_report_machine("queue", rounds, window_us);
	for (i = 0; i < work_nb_kinds && ret == 0; i++)
		ret = work_run(opts, &work_kinds[i], rounds, window_us);
	bench_eal_stop();
	return ret;
}

static uint32_t
queue_bench_list(const struct bench_opts *opts, bool is_print)
{
	char name[BENCH_CASE_MAX];
	uint32_t i, j, nb = 0;

	for (i = 0; i < work_nb_kinds; i++) {
		for (j = 0; j < PLX_ARRAY_SIZE(engine_counts); j++) {
			case_name(name, sizeof(name), &work_kinds[i], engine_counts[j]);
			if (!bench_wants(opts, name))
				continue;
			nb++;
			if (is_print)
				puts(name);
		}
	}
	return nb;
}

const struct bench bench_queue = {
	.name = "queue",
	.summary = "lanes against mutex queues: one dispatcher, 1 to 10 engines",
	.list = queue_bench_list,
	.run = queue_bench_run,
};
