/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "plx_compiler.h"

/*
 * What the benchmarks share: options, clocks, the EAL they start on and the lines they write.
 * Samples of a subject and of its peer are taken in turn, round by round; a line carries the
 * medians, and the lowest and highest ratio any round had.
 */

#define BENCH_ROUNDS_MAX 101u
#define BENCH_CASE_MAX   96

struct bench_opts {
	bool is_quick;
	uint32_t rounds;     /* 0: the benchmark's own choice */
	uint32_t window_us;  /* 0: the benchmark's own choice */
	const char *pattern; /* which cases, as fnmatch(3) reads it; NULL: all */
};

struct bench {
	const char *name;
	const char *summary;
	/* The cases that are wanted, printed if is_print; their number. */
	uint32_t (*list)(const struct bench_opts *opts, bool is_print);
	int (*run)(const struct bench_opts *opts);
};

extern const struct bench bench_queue;
extern const struct bench bench_engine;
extern const struct bench bench_idle;
extern const struct bench bench_xts;
extern const struct bench bench_asym;

static inline uint64_t
bench_clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t
bench_wall_ns(void)
{
	return bench_clock_ns(CLOCK_MONOTONIC);
}

/* main.c */

/* Does the pattern, if there is one, take this case? */
bool bench_wants(const struct bench_opts *opts, const char *name);

/* report.c */

/* One subject beside one peer in one case; n samples each, taken in the same rounds. */
struct bench_line {
	const char *bench;
	const char *name; /* the case */
	const char *subject;
	const char *peer;
	const char *metric;
	const char *unit;
	const double *values;
	const double *peer_values;
	uint32_t rounds;
};

double bench_median(const double *values, uint32_t nb);
void bench_report(const struct bench_line *line);

/* One sentence on stderr, "pollux-bench: ..." */
void bench_say(const char *fmt, ...) PLX_PRINTF(1, 2);

/* machine.c */

/* The first line: machine, versions and how the run was made. */
void bench_report_machine(const char *bench, uint32_t rounds, uint32_t window_us);

/* eal.c */

/* lcores in EAL's own notation. Uses hugepages where some are free; no PCI device is touched. */
int bench_eal_start(const char *lcores) PLX_MUST_CHECK;
void bench_eal_stop(void);
/* The nth CPU this process may use, counted round; and all of them as "0,1,5". */
uint32_t bench_cpu(uint32_t nth);
void bench_cpus(char *buf, size_t len);
uint32_t bench_nb_cpus(void);

#endif
