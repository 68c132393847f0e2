/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef CMD_H
#define CMD_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "plx_ctl.h"
#include "plx_err.h"
#include "plx_hist.h"

struct app;

/* The commands, a table a file; cmd.c puts them together. */
struct cmd_table {
	const char *title; /* of its chapter in the command reference */
	const struct plx_ctl_cmd *cmds;
	size_t nb;
};

extern const struct cmd_table cmd_show_table;
extern const struct cmd_table cmd_show_device_table;
extern const struct cmd_table cmd_engine_table;
extern const struct cmd_table cmd_device_table;
extern const struct cmd_table cmd_key_table;
extern const struct cmd_table cmd_job_table;
extern const struct cmd_table cmd_bench_table;

int cmd_register_all(struct plx_ctl *ctl, struct plx_err *err);

/* All tables in the order of the reference; NULL at the end. */
const struct cmd_table *cmd_table_at(size_t i);

/* Helpers of the handlers */

/* obj[key] = value */
void cmd_put_u64(json_t *obj, const char *key, uint64_t value);
void cmd_put_text(json_t *obj, const char *key, const char *text);
void cmd_put_bool(json_t *obj, const char *key, bool value);
/* Rounded to that many digits behind the point, so that tables stay narrow. */
void cmd_put_real(json_t *obj, const char *key, double value, int digits);
/* count, p50-us ... max-us of a histogram of TSC cycles */
void cmd_put_latency(json_t *obj, const struct plx_hist *hist);

/* What an argument may be, and is when it is not there. */
struct cmd_range {
	uint64_t lo;
	uint64_t hi;
	uint64_t preset;
};

/* The value of "key=" as a number, a size or a time in microseconds. */
int cmd_arg_u32(const struct plx_ctl_call *call, const char *key, struct cmd_range range,
		uint32_t *out, struct plx_err *err);
int cmd_arg_size(const struct plx_ctl_call *call, const char *key, struct cmd_range range,
		 uint64_t *out, struct plx_err *err);
int cmd_arg_duration(const struct plx_ctl_call *call, const char *key, struct cmd_range range,
		     uint32_t *out, struct plx_err *err);

/* {"done": text}, printf-like */
json_t *cmd_done(const char *fmt, ...) PLX_PRINTF(1, 2);

/* Handlers whose JSON telemetry shows, too; called with the lock held. */
json_t *show_engines(struct app *app);
json_t *show_lanes(struct app *app);
json_t *show_devices(struct app *app);
/* NULL: there is no such engine. */
json_t *show_stats(struct app *app, uint32_t id);
json_t *show_latency(struct app *app);
json_t *show_config(struct app *app, const char *prefix);
json_t *show_version(void);

#endif
