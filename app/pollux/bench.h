/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>

#include "job_pump.h"
#include "plx_alg.h"
#include "plx_ctl.h"
#include "plx_engine.h"
#include "plx_err.h"

struct app;

/* One algorithm through the running engines for a while. */
struct bench {
	struct app *app;
	struct plx_ctl_call *call;
	struct plx_alg_spec spec;
	enum plx_op op;
	uint32_t size;
	uint32_t duration_us;
	uint32_t depth;
	enum plx_class cls;
	enum plx_mode mode;

	/* results */
	uint64_t nb_ops;
	uint64_t cycles;
	struct plx_hist latency;
	char engines[96];
};

int bench_run(struct bench *b, struct plx_err *err);

#endif
