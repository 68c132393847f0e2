/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_service.h>
#include <rte_service_component.h>

/*
 * Engines as services, each called for a step by a service lcore. A service is registered when its
 * engine is made, so that EAL's defaults (-s, -S) map it at the start; one that nobody has mapped
 * by the time it is to run goes to the service lcore that has the fewest.
 */

#define STOP_LOOK_US 50u

static int32_t
service_run(void *arg)
{
	struct pollux_runner *r = arg;

	/* pairs with the release in service_start() */
	if (!atomic_load_explicit(&r->is_running, memory_order_acquire))
		return -EAGAIN;
	return r->work.step(r->work.engine) ? 0 : -EAGAIN;
}

int
pollux_service_register(struct pollux_runner *r, struct plx_err *err)
{
	struct rte_service_spec spec = {
		.callback = service_run,
		.callback_userdata = r,
		.socket_id = r->dev->cryptodev->data->socket_id,
	};
	int ret;

	snprintf(spec.name, sizeof(spec.name), "plx%u_engine%u", r->dev->cryptodev->data->dev_id,
		 r->dev->next_runner++);
	ret = rte_service_component_register(&spec, &r->service_id);
	if (ret != 0)
		return plx_err_set(err, ret < 0 ? ret : -ENOSPC, "no service %s (%s)", spec.name,
				   strerror(ret < 0 ? -ret : ENOSPC));
	rte_service_runstate_set(r->service_id, 1);
	return 0;
}

void
pollux_service_unregister(struct pollux_runner *r)
{
	rte_service_runstate_set(r->service_id, 0);
	(void)rte_service_component_unregister(r->service_id);
}

/* A service lcore that has it, or is given it; -ENODEV when there is none. */
static int
lcore_map(const struct pollux_runner *r)
{
	uint32_t ids[RTE_MAX_LCORE] = { 0 };
	int32_t nb = rte_service_lcore_list(ids, RTE_MAX_LCORE), best_load = INT32_MAX;
	uint32_t best = RTE_MAX_LCORE;

	for (int32_t i = 0; i < nb; i++) {
		int32_t load = rte_service_lcore_count_services(ids[i]);

		if (rte_service_map_lcore_get(r->service_id, ids[i]) == 1)
			return 0;
		if (load >= 0 && load < best_load) {
			best_load = load;
			best = ids[i];
		}
	}
	if (best == RTE_MAX_LCORE)
		return -ENODEV;
	return rte_service_map_lcore_set(r->service_id, best, 1);
}

static int
service_start(void *ctx, const struct plx_engine_work *work, struct plx_err *err)
{
	struct pollux_runner *r = ctx;
	int ret = lcore_map(r);

	r->engine_id = work->engine_id;
	if (ret < 0)
		return plx_err_set(err, ret,
				   "engine %u has no service lcore; give EAL some (-S LCORES) or "
				   "add one before the device is started",
				   r->engine_id);
	r->work = *work;
	atomic_store_explicit(&r->is_running, true, memory_order_release);
	rte_service_component_runstate_set(r->service_id, 1);
	return 0;
}

/* A step takes microseconds: an lcore that still says "active" after the wait is one that was taken
 * from the service meanwhile. */
static void
service_stop(void *ctx)
{
	struct pollux_runner *r = ctx;

	rte_service_component_runstate_set(r->service_id, 0);
	atomic_store_explicit(&r->is_running, false, memory_order_relaxed);
	for (uint32_t waited = 0; waited < POLLUX_WAIT_US; waited += STOP_LOOK_US) {
		if (rte_service_may_be_active(r->service_id) != 1)
			return;
		usleep(STOP_LOOK_US);
	}
}

const struct plx_engine_runner pollux_runner_service = {
	.size = sizeof(struct plx_engine_runner),
	.socket_id = -1,
	.start = service_start,
	.stop = service_stop,
};
