/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "bench.h"

#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * pollux-bench NAME [options]: measures, and writes JSON lines on stdout and progress on stderr.
 * tools/bench makes the table and the plot of them.
 */

#define WINDOW_MS_MAX 10000u

static const struct bench *const benches[] = { &bench_engine, &bench_queue, &bench_idle, &bench_xts,
					       &bench_asym };

static void
usage(FILE *f)
{
	size_t i;

	fputs("usage: pollux-bench NAME [--quick] [--case PATTERN] [--rounds N] [--window-ms N] [--list]\n\n",
	      f);
	for (i = 0; i < PLX_ARRAY_SIZE(benches); i++)
		fprintf(f, "  %-8s %s\n", benches[i]->name, benches[i]->summary);
	fprintf(f,
		"\n"
		"  --quick         fewer and shorter rounds, under 50 seconds in all\n"
		"  --case PATTERN  only cases that match, such as 'null/*' (shell pattern)\n"
		"  --rounds N      rounds a case, 1..%u\n"
		"  --window-ms N   length of one measurement, 1..%u milliseconds\n"
		"  --list          print the cases and stop\n"
		"  --machine NAME  print the line that describes machine and versions, and stop\n"
		"  --help          this text\n",
		BENCH_ROUNDS_MAX, WINDOW_MS_MAX);
}

bool
bench_wants(const struct bench_opts *opts, const char *name)
{
	return opts->pattern == NULL || fnmatch(opts->pattern, name, 0) == 0;
}

static const struct bench *
bench_find(const char *name)
{
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(benches); i++)
		if (strcmp(benches[i]->name, name) == 0)
			return benches[i];
	return NULL;
}

static int
number(const char *option, const char *text, uint32_t max, uint32_t *out)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || text[0] == '-' || value < 1 ||
	    value > max) {
		bench_say("%s %s: must be a number from 1 to %u", option, text, max);
		return -EINVAL;
	}
	*out = (uint32_t)value;
	return 0;
}

/* The first line alone, for a benchmark that is no part of this program. */
static int
machine_only(const char *name, const struct bench_opts *opts)
{
	char lcores[32];

	snprintf(lcores, sizeof(lcores), "0@%u", bench_cpu(0));
	if (bench_eal_start(lcores) < 0)
		return -EIO;
	bench_report_machine(name, opts->rounds, 0);
	bench_eal_stop();
	return 1;
}

/* Returns 0 to go on, 1 when there is nothing left to do, -EINVAL after a sentence. */
static int
options_parse(int argc, char **argv, struct bench_opts *opts, bool *is_list)
{
	static const struct option longs[] = {
		{ "quick", no_argument, NULL, 'q' },
		{ "case", required_argument, NULL, 'c' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "window-ms", required_argument, NULL, 'w' },
		{ "list", no_argument, NULL, 'l' },
		{ "machine", required_argument, NULL, 'm' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	uint32_t window_ms = 0;
	int c, ret = 0;

	while (ret == 0 && (c = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		switch (c) {
		case 'q':
			opts->is_quick = true;
			break;
		case 'c':
			opts->pattern = optarg;
			break;
		case 'r':
			ret = number("--rounds", optarg, BENCH_ROUNDS_MAX, &opts->rounds);
			break;
		case 'w':
			ret = number("--window-ms", optarg, WINDOW_MS_MAX, &window_ms);
			break;
		case 'l':
			*is_list = true;
			break;
		case 'm':
			return machine_only(optarg, opts);
		case 'h':
			usage(stdout);
			return 1;
		default:
			return -EINVAL;
		}
	}
	opts->window_us = window_ms * 1000u;
	return ret;
}

int
main(int argc, char **argv)
{
	struct bench_opts opts = { 0 };
	const struct bench *b;
	bool is_list = false;
	int ret;

	ret = options_parse(argc, argv, &opts, &is_list);
	if (ret != 0)
		return ret < 0 ? 2 : 0;
	if (optind + 1 != argc) {
		bench_say("one benchmark has to be named, not %d; see --help", argc - optind);
		return 2;
	}
	b = bench_find(argv[optind]);
	if (b == NULL) {
		bench_say("there is no benchmark \"%s\"; see --help for the names", argv[optind]);
		return 2;
	}
	if (b->list(&opts, is_list) == 0) {
		bench_say("no case of %s matches \"%s\"; --list names them", b->name, opts.pattern);
		return 2;
	}
	if (is_list)
		return 0;
	return b->run(&opts) < 0 ? 1 : 0;
}
