/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

/* The settings of a group: defaults, ranges, names. */

#define RANGE_US_MAX 1000000000u

void
plx_engines_params_default(struct plx_engines_params *p)
{
	memset(p, 0, sizeof(*p));
	p->size = sizeof(*p);
	p->mode = PLX_MODE_AUTO;
	p->policy = PLX_POLICY_ROUND_ROBIN;
	p->weights[PLX_CLASS_HIGH] = 16;
	p->weights[PLX_CLASS_NORMAL] = 4;
	p->weights[PLX_CLASS_BULK] = 1;
	p->burst = 32;
	p->stall_us = 10000;
	p->lost_us = 1000000;
	p->idle_us = 1000;
	p->lane_slots = 1024;
	p->size_split_bytes = 4096;
}

static int
range_check(const char *field, uint32_t value, uint32_t min, uint32_t max, struct plx_err *err)
{
	if (value >= min && value <= max)
		return 0;
	return plx_err_set(err, -EINVAL, "%s is %u; it takes %u to %u", field, value, min, max);
}

int
params_check(const struct plx_engines_params *p, struct plx_err *err)
{
	const struct {
		const char *field;
		uint32_t value, min, max;
	} rows[] = {
		{ "weight of class high", p->weights[PLX_CLASS_HIGH], 1, 256 },
		{ "weight of class normal", p->weights[PLX_CLASS_NORMAL], 1, 256 },
		{ "weight of class bulk", p->weights[PLX_CLASS_BULK], 1, 256 },
		{ "burst", p->burst, 1, PLX_BURST_MAX },
		{ "batch wait in us", p->batch_wait_us, 0, 1000000 },
		{ "deadline in us", p->deadline_us, 0, RANGE_US_MAX },
		{ "stall time in us", p->stall_us, 100, RANGE_US_MAX },
		{ "lost time in us", p->lost_us, 100, RANGE_US_MAX },
		{ "idle time in us", p->idle_us, 0, RANGE_US_MAX },
		{ "lane slots", p->lane_slots, LANE_SLOTS_MIN, LANE_SLOTS_MAX },
		{ "ops to help at", p->help_ops, 0, LANE_SLOTS_MAX },
	};
	size_t i;
	int ret;

	if (p->size != sizeof(*p))
		return plx_err_set(err, -EINVAL, "params of %zu bytes; this library knows %zu",
				   p->size, sizeof(*p));
	if (plx_mode_name(p->mode)[0] == '?')
		return plx_err_set(err, -EINVAL, "mode %d; it takes pipeline, inline or auto",
				   (int)p->mode);
	if (plx_policy_name(p->policy)[0] == '?')
		return plx_err_set(err, -EINVAL,
				   "policy %d; it takes round-robin, least-loaded, session or size",
				   (int)p->policy);
	for (i = 0; i < RTE_DIM(rows); i++) {
		ret = range_check(rows[i].field, rows[i].value, rows[i].min, rows[i].max, err);
		if (ret < 0)
			return ret;
	}
	if (!rte_is_power_of_2(p->lane_slots))
		return plx_err_set(err, -EINVAL, "lane slots are %u; it takes a power of two",
				   p->lane_slots);
	return 0;
}

static const char *const mode_names[] = {
	[PLX_MODE_PIPELINE] = "pipeline",
	[PLX_MODE_INLINE] = "inline",
	[PLX_MODE_AUTO] = "auto",
};

static const char *const policy_names[] = {
	[PLX_POLICY_ROUND_ROBIN] = "round-robin",
	[PLX_POLICY_LEAST_LOADED] = "least-loaded",
	[PLX_POLICY_SESSION] = "session",
	[PLX_POLICY_SIZE] = "size",
};

static const char *const class_names[] = {
	[PLX_CLASS_HIGH] = "high",
	[PLX_CLASS_NORMAL] = "normal",
	[PLX_CLASS_BULK] = "bulk",
};

static const char *
name_at(const char *const *names, size_t nb, unsigned int at)
{
	return at < nb && names[at] != NULL ? names[at] : "?";
}

static int
name_find(const char *const *names, size_t nb, const char *name, int none)
{
	size_t i;

	for (i = 0; i < nb; i++)
		if (names[i] != NULL && strcasecmp(names[i], name) == 0)
			return (int)i;
	return none;
}

const char *
plx_mode_name(enum plx_mode mode)
{
	return name_at(mode_names, RTE_DIM(mode_names), mode);
}

const char *
plx_policy_name(enum plx_policy policy)
{
	return name_at(policy_names, RTE_DIM(policy_names), policy);
}

const char *
plx_class_name(enum plx_class cls)
{
	return name_at(class_names, RTE_DIM(class_names), cls);
}

int
plx_mode_find(const char *name)
{
	return name_find(mode_names, RTE_DIM(mode_names), name, 0);
}

int
plx_policy_find(const char *name)
{
	return name_find(policy_names, RTE_DIM(policy_names), name, 0);
}

int
plx_class_find(const char *name)
{
	return name_find(class_names, RTE_DIM(class_names), name, -1);
}
