/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cryptodev.h>

#include "engine_loop.h"
#include "plx_device.h"
#include "plx_engine.h"
#include "plx_port.h"

/*
 * The subjects: a port of a group with one device, inline, or in pipeline mode with one engine on
 * its lcore. The group's settings are the defaults but for the idle ladder: the engine's lcore is
 * its own, so it never sleeps.
 */

struct way {
	struct plx_devices *devs;
	struct plx_engines *es;
	struct plx_port *port;
	uint64_t busy_cycles; /* when last asked */
	uint64_t idle_cycles;
};

static void
port_close(struct way *w)
{
	if (w == NULL)
		return;
	if (w->port != NULL && plx_port_destroy(w->port) < 0) {
		bench_say("a port does not come to rest"); /* what it stands on has to stay */
		return;
	}
	plx_engines_destroy(w->es);
	plx_devices_destroy(w->devs);
	free(w);
}

/* The registry shall hold the one device that is added to it. */
static void
names_of_others(const char **names)
{
	uint32_t i, nb = 0;

	for (i = 0; i < RTE_CRYPTO_MAX_DEVS; i++)
		if (rte_cryptodev_is_valid_dev((uint8_t)i))
			names[nb++] = rte_cryptodev_name_get((uint8_t)i);
	names[nb] = NULL;
}

static int
group_make(struct way *w, const char *spec, enum plx_mode mode, struct plx_err *err)
{
	struct plx_devices_params dp = { .size = sizeof(dp),
					 .nb_desc = LOAD_DESC,
					 .nb_sessions = 64 };
	struct plx_port_params pp = { .size = sizeof(pp), .mode = mode, .socket_id = -1 };
	const char *others[RTE_CRYPTO_MAX_DEVS + 1];
	struct plx_engines_params ep;
	struct plx_device *dev;
	uint32_t id;
	int ret;

	names_of_others(others);
	dp.skip = others;
	plx_engines_params_default(&ep);
	ep.idle_us = 0; /* it has its lcore to itself, and is stopped between windows */
	ret = plx_devices_create(&dp, &w->devs, err);
	if (ret == 0)
		ret = plx_devices_add(w->devs, spec, &dev, err);
	if (ret == 0)
		ret = plx_engines_create(w->devs, &ep, &w->es, err);
	if (ret == 0)
		ret = plx_engines_device_add(w->es, dev, err);
	if (ret == 0 && mode == PLX_MODE_PIPELINE)
		ret = plx_engines_engine_add(w->es, LCORE_ENGINE, &id, err);
	if (ret == 0)
		ret = plx_port_create(w->es, &pp, &w->port, err);
	return ret;
}

static int
port_open(const char *driver, const char *suffix, enum plx_mode mode, struct way **out)
{
	struct way *w = calloc(1, sizeof(*w));
	struct plx_err err = { 0 };
	char spec[64];
	int ret;

	if (w == NULL)
		return -ENOMEM;
	snprintf(spec, sizeof(spec), "%s_%s", driver, suffix);
	ret = group_make(w, spec, mode, &err);
	if (ret < 0) {
		bench_say("%s", err.text);
		port_close(w);
		return ret;
	}
	*out = w;
	return 0;
}

static int
inline_open(const char *driver, struct way **out)
{
	return port_open(driver, "inline", PLX_MODE_INLINE, out);
}

static int
pipeline_open(const char *driver, struct way **out)
{
	return port_open(driver, "pipeline", PLX_MODE_PIPELINE, out);
}

static int
port_session_create(struct way *w, const struct load_alg *alg, void **session)
{
	struct rte_crypto_sym_xform x;
	struct plx_session *s = NULL;
	struct plx_err err = { 0 };
	int ret;

	load_xform(alg, &x);
	ret = plx_session_create_sym(w->devs, &x, &s, &err);
	if (ret < 0)
		bench_say("%s", err.text);
	else
		*session = s;
	return ret;
}

static void
port_session_destroy(struct way *w, void *session)
{
	plx_session_destroy(w->devs, session);
}

static int
port_start(struct way *w)
{
	struct plx_err err = { 0 };
	int ret = plx_engines_start(w->es, &err);

	if (ret < 0)
		bench_say("%s", err.text);
	return ret;
}

static void
port_stop(struct way *w)
{
	plx_engines_stop(w->es);
}

static __rte_always_inline uint16_t
port_enqueue(struct way *w, struct rte_crypto_op **ops, uint16_t nb)
{
	return plx_port_enqueue_burst(w->port, ops, nb);
}

static __rte_always_inline uint16_t
port_dequeue(struct way *w, struct rte_crypto_op **ops, uint16_t nb)
{
	return plx_port_dequeue_burst(w->port, ops, nb);
}

static void
inline_run(struct way *w, struct load *l, uint64_t until_tsc)
{
	load_loop(w, l, false, port_enqueue, port_dequeue, until_tsc);
}

static void
pipeline_run(struct way *w, struct load *l, uint64_t until_tsc)
{
	load_loop(w, l, true, port_enqueue, port_dequeue, until_tsc);
}

static uint32_t
port_collect(struct way *w, struct load *l)
{
	return load_take(w, l, port_dequeue);
}

static double
inline_busy(struct way *w)
{
	(void)w;
	return 1.0;
}

/* As the engine counts its cycles: of steps that moved something, and of all. */
static double
pipeline_busy(struct way *w)
{
	struct plx_engine_info info;
	uint64_t busy, idle;
	uint32_t pos = 0;

	if (!plx_engines_next(w->es, &pos, &info))
		return 1.0;
	busy = info.stats.busy_cycles - w->busy_cycles;
	idle = info.stats.idle_cycles - w->idle_cycles;
	w->busy_cycles = info.stats.busy_cycles;
	w->idle_cycles = info.stats.idle_cycles;
	return busy + idle > 0 ? (double)busy / (double)(busy + idle) : 1.0;
}

const struct way_kind way_inline = {
	.name = "inline",
	.open = inline_open,
	.close = port_close,
	.session_create = port_session_create,
	.session_destroy = port_session_destroy,
	.start = port_start,
	.stop = port_stop,
	.run = inline_run,
	.collect = port_collect,
	.busy = inline_busy,
	.lcore = LCORE_SUBMIT,
};

const struct way_kind way_pipeline = {
	.name = "pipeline",
	.open = pipeline_open,
	.close = port_close,
	.session_create = port_session_create,
	.session_destroy = port_session_destroy,
	.start = port_start,
	.stop = port_stop,
	.run = pipeline_run,
	.collect = port_collect,
	.busy = pipeline_busy,
	.lcore = LCORE_ENGINE,
};
