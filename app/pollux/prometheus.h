/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PROMETHEUS_H
#define PROMETHEUS_H

struct app;

/* Counters and latency in the text exposition format 0.0.4; the caller frees it. NULL: no memory.
 */
char *prometheus_text(struct app *app);

#endif
