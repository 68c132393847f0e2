/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef STATS_LINE_H
#define STATS_LINE_H

#include <stdint.h>

#include "plx_hist.h"

struct app;

/* The line of --stats-period: what happened since the one before. */
struct stats_line {
	uint64_t last_tsc;
	uint64_t completed, failed, bytes, busy, idle;
	struct plx_hist *before; /* latency counts at the last line */
	struct plx_hist *now;
};

/* Print a line on standard error when one is due; called with the control lock held. */
void stats_line_step(struct stats_line *line, struct app *app);
void stats_line_free(struct stats_line *line);

#endif
