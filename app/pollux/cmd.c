/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "cmd.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include <rte_cycles.h>

#include "plx_units.h"

/* What all command tables share: the list of them, JSON members, arguments with units. */

static const struct cmd_table *const tables[] = {
	&cmd_show_table, &cmd_show_device_table, &cmd_engine_table, &cmd_device_table,
	&cmd_key_table,  &cmd_job_table,         &cmd_bench_table,
};

const struct cmd_table *
cmd_table_at(size_t i)
{
	return i < PLX_ARRAY_SIZE(tables) ? tables[i] : NULL;
}

int
cmd_register_all(struct plx_ctl *ctl, struct plx_err *err)
{
	size_t i;
	int ret;

	for (i = 0; i < PLX_ARRAY_SIZE(tables); i++) {
		ret = plx_ctl_register(ctl, tables[i]->cmds, tables[i]->nb);
		if (ret < 0)
			return plx_err_set(err, ret, "the commands of '%s' cannot be registered",
					   tables[i]->title);
	}
	return 0;
}

void
cmd_put_u64(json_t *obj, const char *key, uint64_t value)
{
	json_object_set_new(obj, key, json_integer((json_int_t)value));
}

void
cmd_put_text(json_t *obj, const char *key, const char *text)
{
	json_object_set_new(obj, key, json_string(text));
}

void
cmd_put_bool(json_t *obj, const char *key, bool value)
{
	json_object_set_new(obj, key, json_boolean(value));
}

void
cmd_put_real(json_t *obj, const char *key, double value, int digits)
{
	double scale = pow(10, digits);

	json_object_set_new(obj, key, json_real(round(value * scale) / scale));
}

void
cmd_put_latency(json_t *obj, const struct plx_hist *hist)
{
	double us = (double)rte_get_tsc_hz() / 1e6;
	struct plx_hist_summary s;

	plx_hist_summarize(hist, &s);
	cmd_put_u64(obj, "count", s.count);
	cmd_put_real(obj, "min-us", (double)s.min / us, 1);
	cmd_put_real(obj, "p50-us", (double)s.p50 / us, 1);
	cmd_put_real(obj, "p90-us", (double)s.p90 / us, 1);
	cmd_put_real(obj, "p99-us", (double)s.p99 / us, 1);
	cmd_put_real(obj, "p999-us", (double)s.p999 / us, 1);
	cmd_put_real(obj, "max-us", (double)s.max / us, 1);
}

struct unit {
	int (*parse)(const char *text, uint64_t *out);
	const char *what; /* in a sentence */
};

static const struct unit numbers = { plx_parse_u64, "number" };
static const struct unit sizes = { plx_parse_size, "size in bytes" };
static const struct unit durations = { plx_parse_duration_us, "time in microseconds" };

static int
arg(const struct plx_ctl_call *call, const char *key, const struct cmd_range *range,
    const struct unit *unit, uint64_t *out, struct plx_err *err)
{
	const char *text = plx_ctl_arg(call, key);
	uint64_t value = range->preset;

	if (text != NULL &&
	    (unit->parse(text, &value) < 0 || value < range->lo || value > range->hi))
		return plx_err_set(err, -EINVAL, "%s=%s is no %s from %llu to %llu", key, text,
				   unit->what, (unsigned long long)range->lo,
				   (unsigned long long)range->hi);
	*out = value;
	return 0;
}

int
cmd_arg_u32(const struct plx_ctl_call *call, const char *key, struct cmd_range range, uint32_t *out,
	    struct plx_err *err)
{
	uint64_t value = range.preset;
	int ret = arg(call, key, &range, &numbers, &value, err);

	*out = (uint32_t)value;
	return ret;
}

int
cmd_arg_size(const struct plx_ctl_call *call, const char *key, struct cmd_range range,
	     uint64_t *out, struct plx_err *err)
{
	*out = range.preset;
	return arg(call, key, &range, &sizes, out, err);
}

int
cmd_arg_duration(const struct plx_ctl_call *call, const char *key, struct cmd_range range,
		 uint32_t *out, struct plx_err *err)
{
	uint64_t value = range.preset;
	int ret = arg(call, key, &range, &durations, &value, err);

	*out = (uint32_t)value;
	return ret;
}

json_t *
cmd_done(const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return json_pack("{s:s}", "done", text);
}
