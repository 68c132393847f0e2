/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <rte_malloc.h>

/*
 * Making an engine, its queue pairs and lanes, and taking it apart. All of it is control; whatever
 * an engine in use would see is changed under its guard.
 */

void
engine_limits_set(struct engine *e, const struct plx_engines_params *p)
{
	struct engine_limits *l = &e->limits;

	l->burst = p->burst;
	memcpy(l->weights, p->weights, sizeof(l->weights));
	l->batch_wait_cycles = engine_us_to_cycles(p->batch_wait_us);
	l->deadline_cycles = engine_us_to_cycles(p->deadline_us);
	l->stall_cycles = engine_us_to_cycles(p->stall_us);
	l->lost_cycles = engine_us_to_cycles(p->lost_us);
	l->idle_cycles = engine_us_to_cycles(p->idle_us);
	l->shadow = p->shadow;
}

int
engine_shadows_update(struct engine *e)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < e->nb_qps; i++) {
		struct engine_qp *q = e->qps[i];

		if (e->nb_qps < 2 || (q->is_plain && !e->limits.shadow))
			engine_qp_shadow_off(q);
		else if (engine_qp_shadow_on(q, e->socket_id) < 0)
			ret = -ENOMEM;
	}
	return ret;
}

void
engine_shadows_drop(struct engine *e)
{
	uint32_t i;

	for (i = 0; i < e->nb_qps; i++)
		engine_qp_shadow_off(e->qps[i]);
}

void
engine_qp_join(struct engine *e, struct engine_qp *q)
{
	engine_qp_check(e, q, rte_rdtsc());
	e->qps[e->nb_qps++] = q;
}

struct engine_qp *
engine_qp_find(const struct engine *e, const struct plx_device *dev)
{
	uint32_t i;

	for (i = 0; i < e->nb_qps; i++)
		if (e->qps[i]->dev == dev)
			return e->qps[i];
	return NULL;
}

struct engine_qp *
engine_qp_leave(struct engine *e, const struct plx_device *dev)
{
	struct engine_qp *q = engine_qp_find(e, dev);
	uint32_t i;

	if (q == NULL)
		return NULL;
	for (i = 0; e->qps[i] != q; i++)
		;
	for (; i + 1 < e->nb_qps; i++)
		e->qps[i] = e->qps[i + 1];
	e->qps[--e->nb_qps] = NULL;
	return q;
}

/* One more, in use only with the copies it needs. */
static int
qp_add(struct engine *e, struct plx_device *dev, struct plx_err *err)
{
	struct engine_qp *q;
	int ret;

	ret = engine_qp_create(dev, e->socket_id, &q, err);
	if (ret < 0)
		return ret;
	token_take(e->guard);
	engine_qp_join(e, q);
	ret = engine_shadows_update(e);
	if (ret < 0)
		(void)engine_qp_leave(e, dev);
	if (e->nb_qps < 2)
		engine_shadows_drop(e);
	token_return(e->guard);
	if (ret < 0) {
		engine_qp_destroy(q);
		return plx_err_set(err, ret, "no memory for copies of in-place input");
	}
	return 0;
}

void
engine_qps_shrink(struct engine *e, uint32_t nb)
{
	while (e->nb_qps > nb) {
		struct engine_qp *q;

		token_take(e->guard);
		q = engine_qp_leave(e, e->qps[e->nb_qps - 1]->dev);
		if (e->nb_qps < 2)
			engine_shadows_drop(e);
		token_return(e->guard);
		engine_qp_destroy(q);
	}
}

static int
qps_extend(struct engine *e, struct plx_err *err)
{
	struct plx_engines *es = e->group;
	uint32_t before = e->nb_qps;
	int ret = 0;

	while (ret == 0 && e->nb_qps < es->nb_order)
		ret = qp_add(e, es->order[e->nb_qps], err);
	if (ret < 0)
		engine_qps_shrink(e, before);
	return ret;
}

int
engine_qps_extend(struct engine *e, bool is_needed, struct plx_err *err)
{
	int ret = qps_extend(e, err);

	/* those that only help have theirs for as long as nobody needs them */
	if (ret == -EAGAIN && is_needed && group_helpers_release(e->group, e))
		ret = qps_extend(e, err);
	return ret;
}

int
engine_create(struct plx_engines *es, uint32_t lcore_id, int socket_id, struct plx_port *port,
	      struct engine **out, struct plx_err *err)
{
	struct engine *e;
	int ret;

	e = rte_zmalloc_socket("plx_engine", sizeof(*e), RTE_CACHE_LINE_SIZE, socket_id);
	if (e == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for an engine");
	e->group = es;
	e->token.is_asymmetric = es->is_asymmetric;
	e->lcore_id = lcore_id;
	e->socket_id = socket_id;
	e->is_inline = port != NULL;
	e->guard = port != NULL ? &port->token : &e->token;
	e->wake_fd = -1;
	engine_limits_set(e, &es->params);

	if (port == NULL) {
		e->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
		if (e->wake_fd < 0) {
			ret = plx_err_set(err, -errno, "no eventfd for an engine: %s",
					  strerror(errno));
			goto err_destroy;
		}
	}
	ret = port == NULL ? engine_qps_extend(e, true, err) : 0;
	if (ret < 0)
		goto err_destroy;
	*out = e;
	return 0;

err_destroy:
	engine_destroy(e);
	return ret;
}

void
engine_destroy(struct engine *e)
{
	uint32_t i;

	if (e == NULL)
		return;
	for (i = 0; i < e->nb_qps; i++)
		engine_qp_destroy(e->qps[i]);
	if (e->wake_fd >= 0)
		close(e->wake_fd);
	rte_free(e);
}

int
engine_lane_join(struct engine *e, struct lane *l)
{
	struct lane_set *set = &e->sets[l->cls];

	if (set->nb == ENGINE_LANES_MAX)
		return -ENOSPC;
	set->lanes[set->nb++] = l;
	return 0;
}

void
engine_lane_leave(struct engine *e, struct lane *l)
{
	struct lane_set *set = &e->sets[l->cls];
	uint32_t i;

	for (i = 0; i < set->nb; i++) {
		if (set->lanes[i] != l)
			continue;
		set->lanes[i] = set->lanes[--set->nb];
		set->turn = 0;
		return;
	}
}

void
engine_help(struct engine *e)
{
	if (e->is_launched)
		return;
	token_take(e->guard);
	(void)engine_step(e);
	token_return(e->guard);
}
