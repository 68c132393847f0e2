/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_lcore.h>
#include <rte_malloc.h>

/*
 * Control's side of a port: making it, its lanes to engines that come and go, its settings, its
 * end. Each change that the user's calls would see is made with the port's token; a lane joins or
 * leaves an engine with the engine's.
 */

#define DESTROY_WAIT_US 10000000u

static enum plx_mode
mode_of(const struct plx_port *port)
{
	return port->own_mode != 0 ? port->own_mode : port->group->params.mode;
}

/* Engines on the port's socket stand first. */
static void
lane_insert(struct plx_port *port, struct lane *l)
{
	uint32_t at = port->nb_lanes++;

	if (l->engine->socket_id == port->socket_id || l->engine->socket_id < 0 ||
	    port->socket_id < 0) {
		port->lanes[at] = port->lanes[port->nb_local];
		at = port->nb_local++;
	}
	port->lanes[at] = l;
}

static void
lane_take_out(struct plx_port *port, uint32_t at)
{
	if (at < port->nb_local) {
		port->lanes[at] = port->lanes[--port->nb_local];
		at = port->nb_local;
	}
	port->lanes[at] = port->lanes[--port->nb_lanes];
}

static struct lane *
lane_to(struct lane *const *lanes, uint32_t nb, const struct engine *e, uint32_t *at)
{
	for (*at = 0; *at < nb; (*at)++)
		if (lanes[*at]->engine == e)
			return lanes[*at];
	return NULL;
}

static int
lane_open(struct plx_port *port, struct engine *e, bool wants_help)
{
	struct lane *l;
	int ret;

	ret = lane_create(port->lane_slots, port->socket_id, &l);
	if (ret < 0)
		return ret;
	l->engine = e;
	l->port = port;
	l->cls = port->cls;

	if (wants_help)
		ret = help_lane_equip(port, l);
	if (ret == 0) {
		token_take(e->guard);
		ret = engine_lane_join(e, l);
		token_return(e->guard);
	}
	if (ret < 0) {
		lane_destroy(l);
		return ret;
	}
	token_take(&port->token);
	lane_insert(port, l);
	/* a session may belong to another lane now */
	port->must_drain |= port->policy_now == PLX_POLICY_SESSION;
	token_return(&port->token);
	return 0;
}

int
port_lane_open(struct plx_port *port, struct engine *e)
{
	if (mode_of(port) == PLX_MODE_INLINE)
		return 0;
	return lane_open(port, e, port->group->params.help_ops != 0);
}

void
port_lane_close(struct plx_port *port, const struct engine *e)
{
	struct lane *l;
	uint32_t at;

	token_take(&port->token);
	l = lane_to(port->lanes, port->nb_lanes, e, &at);
	if (l != NULL) {
		lane_take_out(port, at);
		port->closing[port->nb_closing++] = l;
		port->must_drain |= port->policy_now == PLX_POLICY_SESSION;
	}
	token_return(&port->token);
}

void
port_lane_reopen(struct plx_port *port, const struct engine *e)
{
	struct lane *l;
	uint32_t at;

	token_take(&port->token);
	l = lane_to(port->closing, port->nb_closing, e, &at);
	if (l != NULL) {
		port->closing[at] = port->closing[--port->nb_closing];
		lane_insert(port, l);
		port->must_drain |= port->policy_now == PLX_POLICY_SESSION;
	}
	token_return(&port->token);
}

void
port_lane_forget(struct plx_port *port, const struct engine *e)
{
	struct lane *l;
	uint32_t at;

	token_take(&port->token);
	l = lane_to(port->closing, port->nb_closing, e, &at);
	if (l != NULL) {
		engine_lane_leave(l->engine, l);
		l->engine = NULL;
	}
	token_return(&port->token);
	port_lanes_sweep(port);
}

void
port_lanes_sweep(struct plx_port *port)
{
	uint32_t i = 0;

	if (port->nb_closing == 0)
		return;
	token_take(&port->token);
	while (i < port->nb_closing) {
		struct lane *l = port->closing[i];

		if (l->engine != NULL || l->nb_outstanding != 0) {
			i++;
			continue;
		}
		port->closing[i] = port->closing[--port->nb_closing];
		lane_destroy(l);
	}
	token_return(&port->token);
}

static int
own_engine_create(struct plx_port *port, struct plx_err *err)
{
	struct plx_engines *es = port->group;
	struct engine *e;
	struct lane *l;
	int ret;

	ret = engine_create(es, PLX_ENGINE_ANY_LCORE, port->socket_id, port, &e, err);
	if (ret < 0)
		return ret;
	ret = lane_create_back(port->lane_slots, port->socket_id, &l);
	if (ret < 0) {
		engine_destroy(e);
		return plx_err_set(err, ret, "no memory for the lane of port %s", port->name);
	}
	l->engine = e;
	l->port = port;
	l->cls = port->cls;
	e->id = es->next_engine_id++;
	e->inline_lane = l;
	/* until port_follow() has seen that it has all devices */
	e->may_lack = true;

	token_take(&port->token);
	port->own = e;
	port->own_lane = l;
	token_return(&port->token);
	return 0;
}

static int
lanes_create(struct plx_port *port, bool wants_help, struct plx_err *err)
{
	struct plx_engines *es = port->group;
	uint32_t i, at;

	for (i = 0; i < es->nb_engines; i++) {
		struct lane *l = lane_to(port->lanes, port->nb_lanes, es->engines[i], &at);
		int ret = 0;

		if (l == NULL)
			ret = lane_open(port, es->engines[i], wants_help);
		else if (wants_help)
			ret = help_lane_equip(port, l);
		if (ret < 0)
			return plx_err_set(err, ret,
					   "no memory for a lane from port %s to engine %u",
					   port->name, es->engines[i]->id);
	}
	return 0;
}

/* An engine of its own with all devices. */
static int
equip_inline(struct plx_port *port, struct plx_err *err)
{
	int ret = port->own == NULL ? own_engine_create(port, err) : 0;

	return ret < 0 ? ret : engine_qps_extend(port->own, true, err);
}

static void
can_help_set(struct plx_port *port, bool can_help)
{
	token_take(&port->token);
	port->can_help = can_help;
	token_return(&port->token);
}

bool
port_help_release(struct plx_port *port)
{
	struct engine *e = port->own;
	bool is_idle;

	if (e == NULL || !e->may_lack || e->nb_qps == 0)
		return false;
	/* from here on its user starts nothing on it */
	can_help_set(port, false);
	engine_help(e);
	token_take(&port->token);
	is_idle = engine_is_empty(e);
	token_return(&port->token);
	if (is_idle)
		engine_qps_shrink(e, 0);
	return is_idle;
}

void
port_help_update(struct plx_port *port)
{
	bool wants = port->group->params.help_ops != 0 || mode_of(port) == PLX_MODE_AUTO;
	struct plx_err ignored;

	if (port->own == NULL || !port->own->may_lack)
		return;
	/* what it cannot have it does without */
	if (!wants || engine_qps_extend(port->own, false, &ignored) < 0) {
		(void)port_help_release(port);
		return;
	}
	can_help_set(port, true);
	port_follow(port);
}

int
port_equip(struct plx_port *port, const struct plx_engines_params *p, struct plx_err *err)
{
	enum plx_mode mode = port->own_mode != 0 ? port->own_mode : p->mode;
	int ret;

	if (mode != PLX_MODE_PIPELINE) {
		ret = equip_inline(port, err);
		/* auto can do without an engine of its own as long as there are others */
		if (ret < 0 && (mode == PLX_MODE_INLINE || port->group->nb_engines == 0))
			return ret;
	}
	if (mode == PLX_MODE_INLINE)
		return 0;
	ret = lanes_create(port, p->help_ops != 0, err);
	/* its queue pairs come with port_help_update() */
	if (ret == 0 && p->help_ops != 0 && port->own == NULL)
		ret = own_engine_create(port, err);
	return ret;
}

void
port_follow(struct plx_port *port)
{
	const struct plx_engines_params *p = &port->group->params;
	enum plx_mode mode = mode_of(port);
	enum plx_policy policy = port->own_policy != 0 ? port->own_policy : p->policy;

	token_take(&port->token);
	if (mode != port->mode)
		port->auto_inline = true;
	port->has_runners = port->group->is_running && port->group->nb_engines != 0;
	if (!port->has_runners)
		port->auto_inline = true;
	port->must_drain |= mode != port->mode || policy != port->policy_now ||
			    (mode == PLX_MODE_AUTO && port->auto_inline != port->is_inline_now);
	port->mode = mode;
	port->policy = policy;
	port->size_split_bytes = p->size_split_bytes;
	port->help_ops = p->help_ops != 0 ? p->help_ops : UINT32_MAX;
	if (port->own != NULL)
		port->own->may_lack =
			mode == PLX_MODE_PIPELINE || port->own->nb_qps < port->group->nb_order;
	token_return(&port->token);
}

static int
port_params_check(const struct plx_port_params *p, struct plx_err *err)
{
	if (p->size != sizeof(*p))
		return plx_err_set(err, -EINVAL, "port params of %zu bytes; this library knows %zu",
				   p->size, sizeof(*p));
	if ((unsigned int)p->cls >= PLX_CLASSES)
		return plx_err_set(err, -EINVAL, "class %d; it takes high, normal or bulk",
				   (int)p->cls);
	if (p->mode != 0 && plx_mode_name(p->mode)[0] == '?')
		return plx_err_set(err, -EINVAL, "mode %d; it takes pipeline, inline, auto or 0",
				   (int)p->mode);
	if (p->policy != 0 && plx_policy_name(p->policy)[0] == '?')
		return plx_err_set(
			err, -EINVAL,
			"policy %d; it takes round-robin, least-loaded, session, size or 0",
			(int)p->policy);
	if (p->lane_slots != 0 &&
	    (p->lane_slots < LANE_SLOTS_MIN || p->lane_slots > LANE_SLOTS_MAX ||
	     !rte_is_power_of_2(p->lane_slots)))
		return plx_err_set(err, -EINVAL,
				   "lane slots are %u; it takes a power of two from %u to %u, or 0",
				   p->lane_slots, LANE_SLOTS_MIN, LANE_SLOTS_MAX);
	if (memchr(p->name, 0, sizeof(p->name)) == NULL)
		return plx_err_set(err, -EINVAL, "port name has no end; it takes up to %zu bytes",
				   sizeof(p->name) - 1);
	return 0;
}

static void
port_fill(struct plx_port *port, const struct plx_port_params *p)
{
	struct plx_engines *es = port->group;

	port->id = es->next_port_id++;
	port->cls = p->cls;
	port->own_mode = p->mode;
	port->own_policy = p->policy;
	port->lane_slots = p->lane_slots != 0 ? p->lane_slots : es->params.lane_slots;
	port->socket_id = p->socket_id >= 0 ? p->socket_id : (int)rte_socket_id();
	if (port->socket_id < 0 || port->socket_id >= RTE_MAX_NUMA_NODES)
		port->socket_id = SOCKET_ID_ANY;
	if (p->name[0] != 0)
		memcpy(port->name, p->name, sizeof(port->name));
	else
		snprintf(port->name, sizeof(port->name), "port%u", port->id);
}

/* All lanes of a port let go of their engines, whatever their state. */
static void
port_take_apart(struct plx_port *port)
{
	uint32_t i;

	for (i = 0; i < port->nb_lanes; i++) {
		struct lane *l = port->lanes[i];

		token_take(l->engine->guard);
		engine_lane_leave(l->engine, l);
		token_return(l->engine->guard);
		lane_destroy(l);
	}
	for (i = 0; i < port->nb_closing; i++)
		lane_destroy(port->closing[i]);
	if (port->own != NULL)
		group_engine_gone(port->group, port->own);
	engine_destroy(port->own);
	lane_destroy(port->own_lane);
	rte_free(port);
}

int
plx_port_create(struct plx_engines *es, const struct plx_port_params *params, struct plx_port **out,
		struct plx_err *err)
{
	struct plx_port_params p = { .size = sizeof(p), .cls = PLX_CLASS_NORMAL, .socket_id = -1 };
	struct plx_port *port;
	int ret;

	if (params != NULL)
		p = *params;
	ret = port_params_check(&p, err);
	if (ret < 0)
		return ret;
	if (es->nb_ports == PORTS_MAX)
		return plx_err_set(err, -ENOSPC, "there are %u ports, which is the limit",
				   PORTS_MAX);
	port = rte_zmalloc("plx_port", sizeof(*port), RTE_CACHE_LINE_SIZE);
	if (port == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for a port");
	port->group = es;
	port->token.is_asymmetric = es->is_asymmetric;
	port_fill(port, &p);
	ret = port_equip(port, &es->params, err);
	if (ret < 0) {
		port_take_apart(port);
		return ret;
	}
	port_follow(port);
	port->must_drain = true;
	es->ports[es->nb_ports++] = port;
	group_helpers_update(es);
	*out = port;
	return 0;
}

/* Have the engines finished all of the port's ops? Done and not dequeued is finished. */
static bool
is_finished(struct plx_port *port)
{
	uint32_t i, pending = 0;

	for (i = 0; i < port->nb_lanes; i++) {
		struct lane *l = port->lanes[i];

		engine_help(l->engine);
		token_take(l->engine->guard);
		pending += l->nb_outstanding - l->nb_helped - lane_count(l->done);
		token_return(l->engine->guard);
	}
	if (port->own != NULL) {
		engine_help(port->own);
		pending += !engine_is_empty(port->own);
	}
	for (i = 0; i < port->nb_closing; i++)
		pending += port->closing[i]->engine != NULL;
	return pending == 0;
}

int
plx_port_destroy(struct plx_port *port)
{
	struct plx_engines *es;
	uint64_t start = rte_rdtsc();
	uint32_t i;

	if (port == NULL)
		return 0;
	es = port->group;
	while (!is_finished(port)) {
		plx_engines_tick(es);
		if (!engine_control_wait(start, DESTROY_WAIT_US))
			return -ETIMEDOUT;
	}
	for (i = 0; es->ports[i] != port; i++)
		;
	for (; i + 1 < es->nb_ports; i++)
		es->ports[i] = es->ports[i + 1];
	es->nb_ports--;
	port_take_apart(port);
	group_helpers_update(es);
	return 0;
}

bool
plx_ports_next(struct plx_engines *es, uint32_t *pos, struct plx_port_info *info)
{
	struct plx_port *port;

	if (*pos >= es->nb_ports)
		return false;
	port = es->ports[(*pos)++];
	memset(info, 0, sizeof(*info));
	token_take(&port->token);
	info->id = port->id;
	memcpy(info->name, port->name, sizeof(info->name));
	info->cls = port->cls;
	info->mode = port->mode;
	info->mode_now = port->is_inline_now ? PLX_MODE_INLINE : PLX_MODE_PIPELINE;
	info->policy = port->policy;
	info->nb_lanes = port->nb_lanes + port->nb_closing;
	info->nb_outstanding = (uint32_t)(port->nb_enqueued - port->nb_dequeued);
	info->nb_enqueued = port->nb_enqueued;
	info->nb_dequeued = port->nb_dequeued;
	info->nb_short = port->nb_short;
	info->nb_helped = port->nb_helped;
	token_return(&port->token);
	return true;
}
