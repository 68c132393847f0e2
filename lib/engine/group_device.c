/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <errno.h>
#include <string.h>

#include <rte_cycles.h>

/*
 * Devices join and leave the ordered set while traffic runs. Leaving: no new ops at once, running
 * ones come back, then the queue pairs go. A device that does not give its ops back is given up:
 * every engine parks its queue pair, control stops the device, and only then, when it can touch no
 * buffer any more, the engines run its ops elsewhere.
 */

#define GIVE_UP_WAIT_US 5000000u

static int
order_find(const struct plx_engines *es, const struct plx_device *dev)
{
	uint32_t i;

	for (i = 0; i < es->nb_order; i++)
		if (es->order[i] == dev)
			return (int)i;
	return -ENOENT;
}

static int
not_held(const struct plx_device *dev, struct plx_err *err)
{
	return plx_err_set(err, -ENOENT, "the engines do not have device %s", dev->name);
}

/* One queue pair for each engine that must have one, or none at all. */
static int
qps_prepare(struct plx_engines *es, struct plx_device *dev, struct engine_qp **qps,
	    struct plx_err *err)
{
	struct engine *e;
	uint32_t pos = 0, nb = 0;
	int ret;

	while ((e = group_engine_next(es, &pos)) != NULL) {
		if (e->may_lack)
			continue;
		ret = engine_qp_create(dev, e->socket_id, &qps[nb], err);
		if (ret < 0) {
			while (nb > 0)
				engine_qp_destroy(qps[--nb]);
			return ret;
		}
		nb++;
	}
	return 0;
}

/* Take the device's queue pairs, on which nothing is in flight, from all engines. */
static void
device_take_out(struct plx_engines *es, const struct plx_device *dev)
{
	struct engine *e;
	uint32_t pos = 0, i;

	while ((e = group_engine_next(es, &pos)) != NULL) {
		struct engine_qp *q;

		token_take(e->guard);
		q = engine_qp_leave(e, dev);
		if (e->nb_qps < 2)
			engine_shadows_drop(e);
		token_return(e->guard);
		engine_qp_destroy(q);
	}
	for (i = (uint32_t)order_find(es, dev); i + 1 < es->nb_order; i++)
		es->order[i] = es->order[i + 1];
	es->nb_order--;
}

static void
leaving_set(struct plx_engines *es, const struct plx_device *dev)
{
	struct engine *e;
	uint32_t pos = 0;

	while ((e = group_engine_next(es, &pos)) != NULL) {
		struct engine_qp *q = engine_qp_find(e, dev);

		if (q == NULL)
			continue;
		token_take(e->guard);
		q->is_leaving = true;
		token_return(e->guard);
	}
}

static bool
has_inflight(struct plx_engines *es, const struct plx_device *dev)
{
	struct engine *e;
	uint32_t pos = 0;
	bool busy = false;

	while ((e = group_engine_next(es, &pos)) != NULL) {
		const struct engine_qp *q = engine_qp_find(e, dev);

		if (q == NULL)
			continue;
		engine_help(e);
		token_take(e->guard);
		busy |= engine_qp_inflight(q) != 0;
		token_return(e->guard);
	}
	return busy;
}

static bool
wait_empty(struct plx_engines *es, const struct plx_device *dev, uint32_t timeout_us)
{
	uint64_t start = rte_rdtsc();

	while (has_inflight(es, dev)) {
		plx_engines_tick(es);
		if (!engine_control_wait(start, timeout_us))
			return false;
	}
	return true;
}

static bool
leave(struct plx_engines *es, struct plx_device *dev, uint32_t timeout_us)
{
	leaving_set(es, dev);
	if (!wait_empty(es, dev, timeout_us)) {
		engine_device_give_up(dev);
		if (!wait_empty(es, dev, GIVE_UP_WAIT_US))
			return false;
	}
	device_take_out(es, dev);
	return true;
}

int
plx_engines_device_add(struct plx_engines *es, struct plx_device *dev, struct plx_err *err)
{
	struct engine_qp *qps[PLX_ENGINES_MAX + PORTS_MAX] = { NULL };
	struct engine *e;
	uint32_t pos = 0, nb = 0;
	int ret;

	if (order_find(es, dev) >= 0)
		return plx_err_set(err, -EEXIST, "the engines have device %s already", dev->name);
	if (es->nb_order == PLX_ENGINE_DEVS)
		return plx_err_set(err, -ENOSPC, "the engines have %u devices, which is the limit",
				   PLX_ENGINE_DEVS);
	ret = qps_prepare(es, dev, qps, err);
	if (ret < 0)
		return ret;

	es->order[es->nb_order++] = dev;
	while ((e = group_engine_next(es, &pos)) != NULL) {
		int one;

		if (e->may_lack)
			continue;
		token_take(e->guard);
		engine_qp_join(e, qps[nb++]);
		one = engine_shadows_update(e);
		/* nothing may go to it before the copies are there */
		if (one < 0)
			engine_qp_find(e, dev)->is_leaving = true;
		token_return(e->guard);
		if (one < 0)
			ret = one;
	}
	if (ret < 0) {
		plx_err_set(err, ret, "no memory for copies of in-place input on %s", dev->name);
		leave(es, dev, GIVE_UP_WAIT_US);
	}
	group_helpers_update(es);
	return ret;
}

int
plx_engines_device_remove(struct plx_engines *es, struct plx_device *dev, uint32_t timeout_us,
			  struct plx_err *err)
{
	if (order_find(es, dev) < 0)
		return not_held(dev, err);
	if (!leave(es, dev, timeout_us))
		return plx_err_set(err, -ETIMEDOUT,
				   "ops of %s cannot be run elsewhere: no other device takes them",
				   dev->name);
	group_helpers_update(es);
	return 0;
}

int
plx_engines_device_block(struct plx_engines *es, struct plx_device *dev, bool block,
			 struct plx_err *err)
{
	uint32_t health;

	if (order_find(es, dev) < 0)
		return not_held(dev, err);
	health = atomic_load_explicit(&dev->health, memory_order_relaxed);
	do {
		if (health == PLX_HEALTH_LOST || health == PLX_HEALTH_STOPPED)
			return plx_err_set(err, -EPERM,
					   "device %s is %s; remove it, or revive it first",
					   dev->name, plx_health_name(health));
	} while (!atomic_compare_exchange_weak_explicit(
		&dev->health, &health, block ? PLX_HEALTH_BLOCKED : PLX_HEALTH_UP,
		memory_order_acq_rel, memory_order_relaxed));
	return 0;
}

static void
park(struct plx_engines *es, const struct plx_device *dev)
{
	struct engine *e;
	uint32_t pos = 0;

	while ((e = group_engine_next(es, &pos)) != NULL) {
		struct engine_qp *q = engine_qp_find(e, dev);

		if (q == NULL)
			continue;
		token_take(e->guard);
		q->is_parked = true;
		token_return(e->guard);
	}
}

bool
plx_engines_tick(struct plx_engines *es)
{
	bool did = false;
	uint32_t i;

	for (i = 0; i < es->nb_order; i++) {
		struct plx_device *dev = es->order[i];

		if (atomic_load_explicit(&dev->health, memory_order_acquire) != PLX_HEALTH_LOST)
			continue;
		park(es, dev);
		plx_device_stop(dev);
		did = true;
	}
	for (i = 0; i < es->nb_ports; i++)
		port_lanes_sweep(es->ports[i]);
	return did;
}
