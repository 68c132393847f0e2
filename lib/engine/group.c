/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_malloc.h>

/*
 * The group: settings, statistics, and the walk over all engines. Control only, one thread at a
 * time; devices are in group_device.c, engines in group_engine.c.
 */

uint64_t
engine_us_to_cycles(uint32_t us)
{
	return (uint64_t)us * rte_get_tsc_hz() / 1000000u;
}

bool
engine_control_wait(uint64_t start, uint32_t timeout_us)
{
	if (rte_rdtsc() - start > engine_us_to_cycles(timeout_us))
		return false;
	usleep(50);
	return true;
}

struct engine *
group_engine_next(struct plx_engines *es, uint32_t *pos)
{
	while (*pos < es->nb_engines + es->nb_ports) {
		uint32_t at = (*pos)++;
		struct engine *e =
			at < es->nb_engines ? es->engines[at] : es->ports[at - es->nb_engines]->own;

		if (e != NULL)
			return e;
	}
	return NULL;
}

int
plx_engines_create(struct plx_devices *devs, const struct plx_engines_params *params,
		   struct plx_engines **out, struct plx_err *err)
{
	struct plx_engines_params p;
	struct plx_engines *es;
	int ret;

	plx_engines_params_default(&p);
	if (params != NULL)
		p = *params;
	ret = params_check(&p, err);
	if (ret < 0)
		return ret;
	es = rte_zmalloc("plx_engines", sizeof(*es), RTE_CACHE_LINE_SIZE);
	if (es == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for a group of engines");
	es->devs = devs;
	es->is_asymmetric = barrier_is_asymmetric();
	es->params = p;
	*out = es;
	return 0;
}

void
plx_engines_destroy(struct plx_engines *es)
{
	uint32_t i;

	if (es == NULL)
		return;
	plx_engines_stop(es);
	for (i = 0; i < es->nb_engines; i++)
		engine_destroy(es->engines[i]);
	rte_free(es);
}

/* Everything that is fixed must be as it is. */
static int
set_check(const struct plx_engines *es, const struct plx_engines_params *p, struct plx_err *err)
{
	int ret = params_check(p, err);

	if (ret < 0)
		return ret;
	if (p->lane_slots != es->params.lane_slots)
		return plx_err_set(err, -EINVAL,
				   "lane slots cannot change from %u to %u while the group lives",
				   es->params.lane_slots, p->lane_slots);
	return 0;
}

/* In force in each engine; -ENOMEM when copies of in-place input cannot be had in one of them. */
static int
apply(struct plx_engines *es, const struct plx_engines_params *p)
{
	struct engine *e;
	uint32_t pos = 0;
	int ret = 0;

	es->params = *p;
	while ((e = group_engine_next(es, &pos)) != NULL) {
		token_take(e->guard);
		engine_limits_set(e, p);
		if (engine_shadows_update(e) < 0)
			ret = -ENOMEM;
		token_return(e->guard);
	}
	return ret;
}

/* What the new settings need, in each port. */
static int
ports_prepare(struct plx_engines *es, const struct plx_engines_params *p, struct plx_err *err)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < es->nb_ports && ret == 0; i++) {
		if (es->ports[i]->own_mode == 0 && p->mode == PLX_MODE_PIPELINE &&
		    es->nb_engines == 0)
			return plx_err_set(
				err, -EINVAL,
				"mode pipeline needs an engine, there is none; add one first");
		ret = port_equip(es->ports[i], p, err);
	}
	return ret;
}

int
plx_engines_set(struct plx_engines *es, const struct plx_engines_params *params,
		struct plx_err *err)
{
	struct plx_engines_params old = es->params;
	uint32_t i;
	int ret;

	ret = set_check(es, params, err);
	if (ret == 0)
		ret = ports_prepare(es, params, err);
	if (ret < 0)
		return ret;
	ret = apply(es, params);
	if (ret < 0) {
		(void)apply(es, &old);
		return plx_err_set(err, ret,
				   "no memory for copies of in-place input; all is as it was");
	}
	for (i = 0; i < es->nb_ports; i++)
		port_follow(es->ports[i]);
	group_helpers_update(es);
	return 0;
}

void
plx_engines_get(const struct plx_engines *es, struct plx_engines_params *params)
{
	*params = es->params;
}

static void
info_fill(struct engine *e, struct plx_engine_info *info)
{
	uint32_t i, c;

	memset(info, 0, sizeof(*info));
	token_take(e->guard);
	info->id = e->id;
	info->lcore_id = e->lcore_id;
	info->socket_id = e->socket_id;
	info->is_inline = e->is_inline;
	info->is_running = e->is_launched;
	for (c = 0; c < PLX_CLASSES; c++)
		info->nb_lanes += e->sets[c].nb;
	info->nb_devs = e->nb_qps;
	for (i = 0; i < e->nb_qps; i++) {
		const struct engine_qp *q = e->qps[i];

		memcpy(info->devs[i], q->dev->name, sizeof(info->devs[i]));
		info->qps[i] = q->qp_id;
		info->dev_inflight[i] = engine_qp_inflight(q);
		info->nb_inflight += info->dev_inflight[i];
	}
	info->stats = e->stats;
	token_return(e->guard);
}

bool
plx_engines_next(struct plx_engines *es, uint32_t *pos, struct plx_engine_info *info)
{
	struct engine *e = group_engine_next(es, pos);

	if (e == NULL)
		return false;
	info_fill(e, info);
	return true;
}

/* All members are 64-bit counters. */
static void
stats_add(struct plx_engine_stats *into, const struct plx_engine_stats *s)
{
	const uint64_t *from = (const uint64_t *)s;
	uint64_t *to = (uint64_t *)into;
	size_t i;

	_Static_assert(sizeof(*s) % sizeof(uint64_t) == 0, "counters only");
	for (i = 0; i < sizeof(*s) / sizeof(uint64_t); i++)
		to[i] += from[i];
}

void
group_helpers_update(struct plx_engines *es)
{
	uint32_t i;

	for (i = 0; i < es->nb_ports; i++)
		port_help_update(es->ports[i]);
}

bool
group_helpers_release(struct plx_engines *es, const struct engine *except)
{
	bool any = false;
	uint32_t i;

	for (i = 0; i < es->nb_ports; i++)
		if (es->ports[i]->own != except)
			any |= port_help_release(es->ports[i]);
	return any;
}

void
group_engine_gone(struct plx_engines *es, const struct engine *e)
{
	stats_add(&es->gone, &e->stats);
	plx_hist_add(&es->gone_latency, &e->latency);
}

int
plx_engines_stats(struct plx_engines *es, uint32_t id, struct plx_engine_stats *out)
{
	struct plx_engine_stats sum = { 0 };
	struct engine *e;
	uint32_t pos = 0;
	bool found = id >= PLX_ENGINE_GONE;

	if (found)
		sum = es->gone;
	while ((e = group_engine_next(es, &pos)) != NULL) {
		if (id != PLX_ENGINE_ANY && e->id != id)
			continue;
		found = true;
		token_take(e->guard);
		stats_add(&sum, &e->stats);
		token_return(e->guard);
	}
	if (!found)
		return -ENOENT;
	*out = sum;
	return 0;
}

int
plx_engines_latency(struct plx_engines *es, uint32_t id, struct plx_hist *out)
{
	struct engine *e;
	uint32_t pos = 0;
	bool found = id >= PLX_ENGINE_GONE;

	if (found)
		plx_hist_add(out, &es->gone_latency);
	while ((e = group_engine_next(es, &pos)) != NULL) {
		if (id != PLX_ENGINE_ANY && e->id != id)
			continue;
		found = true;
		token_take(e->guard);
		plx_hist_add(out, &e->latency);
		token_return(e->guard);
	}
	return found ? 0 : -ENOENT;
}

void
plx_engines_clear_stats(struct plx_engines *es)
{
	struct engine *e;
	uint32_t pos = 0;

	memset(&es->gone, 0, sizeof(es->gone));
	plx_hist_reset(&es->gone_latency);
	while ((e = group_engine_next(es, &pos)) != NULL) {
		token_take(e->guard);
		memset(&e->stats, 0, sizeof(e->stats));
		plx_hist_reset(&e->latency);
		token_return(e->guard);
	}
}
