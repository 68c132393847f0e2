/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* Lines of JSON on stdout, one object each, written out at once so that a reader sees how far a run
 * is. */

static int
cmp_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
bench_median(const double *values, uint32_t nb)
{
	double sorted[BENCH_ROUNDS_MAX];

	if (nb == 0 || nb > BENCH_ROUNDS_MAX)
		return 0.0;
	memcpy(sorted, values, nb * sizeof(sorted[0]));
	qsort(sorted, nb, sizeof(sorted[0]), cmp_double);
	return nb % 2 != 0 ? sorted[nb / 2] : (sorted[nb / 2 - 1] + sorted[nb / 2]) / 2.0;
}

static double
ratio_of(double value, double peer)
{
	return peer > 0.0 ? value / peer : 0.0;
}

void
bench_report(const struct bench_line *line)
{
	double value = bench_median(line->values, line->rounds);
	double peer = bench_median(line->peer_values, line->rounds);
	double low = 0.0, high = 0.0, ratio;
	json_t *obj;
	uint32_t i;

	for (i = 0; i < line->rounds; i++) {
		ratio = ratio_of(line->values[i], line->peer_values[i]);
		low = i == 0 || ratio < low ? ratio : low;
		high = i == 0 || ratio > high ? ratio : high;
	}

	obj = json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:f,s:f,s:f,s:[f,f],s:i}", "bench", line->bench,
			"case", line->name, "subject", line->subject, "peer", line->peer, "metric",
			line->metric, "unit", line->unit, "value", value, "peer_value", peer,
			"ratio", ratio_of(value, peer), "spread", low, high, "rounds",
			(int)line->rounds);
	if (obj == NULL) {
		bench_say("no memory for a line of %s", line->name);
		return;
	}
	json_dumpf(obj, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9));
	fputc('\n', stdout);
	fflush(stdout);
	json_decref(obj);
}

void
bench_say(const char *fmt, ...)
{
	va_list ap;

	fputs("pollux-bench: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}
