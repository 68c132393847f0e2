/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <errno.h>
#include <inttypes.h>

#include <rte_cycles.h>
#include <rte_lcore.h>

/*
 * Engines come and go while traffic runs. Leaving: ports close their lanes to the engine, it
 * finishes what it has, and the lanes live on with their ports until the last finished op is
 * fetched.
 */

#define ADD_UNDO_WAIT_US 10000000u

static struct engine *
engine_on(const struct plx_engines *es, uint32_t lcore_id)
{
	uint32_t i;

	for (i = 0; i < es->nb_engines; i++)
		if (es->engines[i]->lcore_id == lcore_id)
			return es->engines[i];
	return NULL;
}

static int
lcore_pick(const struct plx_engines *es, uint32_t *lcore_id, struct plx_err *err)
{
	uint32_t i;

	for (i = rte_get_next_lcore(UINT32_MAX, 1, 0); i < RTE_MAX_LCORE;
	     i = rte_get_next_lcore(i, 1, 0)) {
		if (engine_on(es, i) == NULL && rte_eal_get_lcore_state(i) == WAIT) {
			*lcore_id = i;
			return 0;
		}
	}
	return plx_err_set(err, -ENOSPC,
			   "no worker lcore is free: %u engines on %u worker lcores; give EAL more "
			   "(--lcores)",
			   es->nb_engines, rte_lcore_count() - 1);
}

static int
lcore_check(const struct plx_engines *es, uint32_t lcore_id, struct plx_err *err)
{
	const struct engine *e = engine_on(es, lcore_id);

	if (e != NULL)
		return plx_err_set(err, -EBUSY, "lcore %u has engine %u already", lcore_id, e->id);
	if (lcore_id >= RTE_MAX_LCORE || !rte_lcore_is_enabled(lcore_id) ||
	    lcore_id == rte_get_main_lcore())
		return plx_err_set(err, -EINVAL, "lcore %u is no worker lcore of this process",
				   lcore_id);
	if (rte_eal_get_lcore_state(lcore_id) != WAIT)
		return plx_err_set(err, -EBUSY, "lcore %u runs something else", lcore_id);
	return 0;
}

static bool
wait_finished(struct engine *e, uint32_t timeout_us)
{
	uint64_t start = rte_rdtsc();
	bool empty;

	for (;;) {
		engine_help(e);
		token_take(e->guard);
		empty = engine_is_empty(e);
		token_return(e->guard);
		if (empty)
			return true;
		plx_engines_tick(e->group);
		if (!engine_control_wait(start, timeout_us))
			return false;
	}
}

static bool
needs_an_engine(const struct plx_engines *es)
{
	uint32_t i;

	for (i = 0; i < es->nb_ports; i++)
		if (es->ports[i]->own == NULL || es->ports[i]->own->may_lack)
			return true;
	return false;
}

/* Each removal leaves a lane with a port until its user has fetched what is done; there is room for
 * so many. */
static const struct plx_port *
port_without_place(struct plx_engines *es)
{
	uint32_t i;

	for (i = 0; i < es->nb_ports; i++) {
		port_lanes_sweep(es->ports[i]);
		if (es->ports[i]->nb_closing == PLX_ENGINES_MAX)
			return es->ports[i];
	}
	return NULL;
}

static int
not_fetched(const struct plx_port *port, struct plx_err *err)
{
	return plx_err_set(err, -EBUSY, "port %s has not fetched what removed engines did",
			   port->name);
}

/* Ports close their lanes, the engine finishes, everybody forgets it. False: it has not finished,
 * and goes on. */
static bool
take_away(struct plx_engines *es, uint32_t at, uint32_t timeout_us)
{
	struct engine *e = es->engines[at];
	uint32_t i;

	for (i = 0; i < es->nb_ports; i++)
		port_lane_close(es->ports[i], e);
	if (!wait_finished(e, timeout_us)) {
		for (i = 0; i < es->nb_ports; i++)
			port_lane_reopen(es->ports[i], e);
		return false;
	}
	engine_halt(e);
	for (i = 0; i < es->nb_ports; i++)
		port_lane_forget(es->ports[i], e);
	for (i = at; i + 1 < es->nb_engines; i++)
		es->engines[i] = es->engines[i + 1];
	es->nb_engines--;
	group_engine_gone(es, e);
	engine_destroy(e);
	for (i = 0; i < es->nb_ports; i++)
		port_follow(es->ports[i]);
	return true;
}

/* A lane from each port; when one cannot be had the engine goes again. */
static int
lanes_open(struct plx_engines *es, struct engine *e, struct plx_err *err)
{
	uint32_t i;
	int ret;

	for (i = 0; i < es->nb_ports; i++) {
		ret = port_lane_open(es->ports[i], e);
		if (ret == 0)
			continue;
		plx_err_set(err, ret, "no memory for lanes to engine %u", e->id);
		(void)take_away(es, es->nb_engines - 1, ADD_UNDO_WAIT_US);
		return ret;
	}
	for (i = 0; i < es->nb_ports; i++)
		port_follow(es->ports[i]);
	group_helpers_update(es);
	return 0;
}

static int
place_check(struct plx_engines *es, struct plx_err *err)
{
	const struct plx_port *full = port_without_place(es);

	if (es->nb_engines == PLX_ENGINES_MAX)
		return plx_err_set(err, -ENOSPC, "there are %u engines, which is the limit",
				   PLX_ENGINES_MAX);
	return full != NULL ? not_fetched(full, err) : 0;
}

static int
engine_join(struct plx_engines *es, struct engine *e, uint32_t *id, struct plx_err *err)
{
	int ret;

	e->id = es->next_engine_id;
	/* it runs before a port sees it: an op that was pushed is never taken back */
	if (es->is_running) {
		ret = engine_launch(e, err);
		if (ret < 0) {
			engine_destroy(e);
			return ret;
		}
	}
	es->engines[es->nb_engines++] = e;
	es->next_engine_id++;
	*id = e->id;
	return lanes_open(es, e, err);
}

int
plx_engines_engine_add(struct plx_engines *es, uint32_t lcore_id, uint32_t *id, struct plx_err *err)
{
	struct engine *e;
	int ret;

	ret = place_check(es, err);
	if (ret < 0)
		return ret;
	ret = lcore_id == PLX_ENGINE_ANY_LCORE ? lcore_pick(es, &lcore_id, err)
					       : lcore_check(es, lcore_id, err);
	if (ret < 0)
		return ret;
	ret = engine_create(es, lcore_id, (int)rte_lcore_to_socket_id(lcore_id), NULL, &e, err);
	return ret < 0 ? ret : engine_join(es, e, id, err);
}

int
plx_engines_engine_add_runner(struct plx_engines *es, const struct plx_engine_runner *runner,
			      uint32_t *id, struct plx_err *err)
{
	struct engine *e;
	int ret;

	if (runner->size != sizeof(*runner))
		return plx_err_set(err, -EINVAL, "a runner of %zu bytes; this library knows %zu",
				   runner->size, sizeof(*runner));
	if (runner->start == NULL || runner->stop == NULL)
		return plx_err_set(err, -EINVAL, "a runner without start or stop; give both");
	ret = place_check(es, err);
	if (ret < 0)
		return ret;
	ret = engine_create(es, PLX_ENGINE_ANY_LCORE, runner->socket_id, NULL, &e, err);
	if (ret < 0)
		return ret;
	e->runner = *runner;
	return engine_join(es, e, id, err);
}

int
plx_engines_engine_remove(struct plx_engines *es, uint32_t id, uint32_t timeout_us,
			  struct plx_err *err)
{
	const struct plx_port *full;
	uint32_t at;

	for (at = 0; at < es->nb_engines && es->engines[at]->id != id; at++)
		;
	if (at == es->nb_engines)
		return plx_err_set(err, -ENOENT, "no engine %u; see show engines", id);
	if (es->nb_engines == 1 && needs_an_engine(es))
		return plx_err_set(err, -EBUSY,
				   "engine %u is the last one and ports in pipeline mode need it",
				   id);
	full = port_without_place(es);
	if (full != NULL)
		return not_fetched(full, err);
	if (!take_away(es, at, timeout_us))
		return plx_err_set(err, -ETIMEDOUT,
				   "engine %u has not finished its ops within %u us; it goes on",
				   id, timeout_us);
	group_helpers_update(es);
	return 0;
}

int
plx_engines_start(struct plx_engines *es, struct plx_err *err)
{
	uint32_t i;
	int ret;

	for (i = 0; i < es->nb_engines; i++) {
		ret = engine_launch(es->engines[i], err);
		if (ret < 0) {
			while (i > 0)
				engine_halt(es->engines[--i]);
			return ret;
		}
	}
	es->is_running = true;
	for (i = 0; i < es->nb_ports; i++)
		port_follow(es->ports[i]);
	return 0;
}

void
plx_engines_stop(struct plx_engines *es)
{
	uint32_t i;

	es->is_running = false;
	for (i = 0; i < es->nb_ports; i++)
		port_follow(es->ports[i]);
	for (i = 0; i < es->nb_engines; i++)
		engine_halt(es->engines[i]);
}

void
plx_engines_help(struct plx_engines *es)
{
	struct engine *e;
	uint32_t pos = 0;

	while ((e = group_engine_next(es, &pos)) != NULL)
		engine_help(e);
}

bool
plx_engines_is_running(const struct plx_engines *es)
{
	return es->is_running;
}
