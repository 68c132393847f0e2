/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"

#include <errno.h>
#include <stdlib.h>

/* Engines and what runs them. A runner lives as long as its engine. All of it under control. */

static void
runner_free(struct pollux_runner *r)
{
	if (r->by_service)
		pollux_service_unregister(r);
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

static int
runner_new(struct pollux_dev *dev, int cpu, struct pollux_runner **out, struct plx_err *err)
{
	struct pollux_runner *r = calloc(1, sizeof(*r));
	int ret;

	if (r == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for an engine's thread");
	r->dev = dev;
	r->cpu = cpu;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	if (dev->args.opt->service) {
		ret = pollux_service_register(r, err);
		if (ret < 0) {
			runner_free(r);
			return ret;
		}
		r->by_service = true;
	}
	*out = r;
	return 0;
}

static int
cpu_choose(struct pollux_dev *dev, int *cpu, struct plx_err *err)
{
	if (*cpu >= 0 && dev->args.opt->service)
		return plx_err_set(
			err, -EINVAL,
			"CPU %d: engines of this device run on service lcores; give none", *cpu);
	if (*cpu >= 0)
		return pollux_cpu_check(*cpu, err);
	if (dev->args.nb_cpus != 0)
		*cpu = dev->args.cpus[dev->next_cpu++ % dev->args.nb_cpus];
	return 0;
}

int
pollux_engine_new(struct pollux_dev *dev, int cpu, uint32_t *id, struct plx_err *err)
{
	struct plx_engine_runner runner;
	struct pollux_runner *r = NULL;
	int ret;

	ret = cpu_choose(dev, &cpu, err);
	if (ret == 0)
		ret = runner_new(dev, cpu, &r, err);
	if (ret < 0 || r == NULL)
		return ret;
	runner = r->by_service ? pollux_runner_service : pollux_runner_thread;
	runner.ctx = r;
	ret = plx_engines_engine_add_runner(dev->es, &runner, id, err);
	if (ret < 0) {
		runner_free(r);
		return ret;
	}
	r->engine_id = *id;
	LIST_INSERT_HEAD(&dev->runners, r, next);
	return 0;
}

static struct pollux_runner *
runner_of(struct pollux_dev *dev, uint32_t engine_id)
{
	struct pollux_runner *r;

	LIST_FOREACH(r, &dev->runners, next)
		if (r->engine_id == engine_id)
			return r;
	return NULL;
}

int
pollux_engine_end(struct pollux_dev *dev, uint32_t id, uint32_t timeout_us, struct plx_err *err)
{
	struct pollux_runner *r = runner_of(dev, id);
	int ret;

	if (r == NULL)
		return plx_err_set(err, -ENOENT, "no engine %u", id);
	ret = plx_engines_engine_remove(dev->es, id, timeout_us, err);
	if (ret < 0)
		return ret;
	LIST_REMOVE(r, next);
	runner_free(r);
	return 0;
}

void
pollux_runners_free(struct pollux_dev *dev)
{
	struct pollux_runner *r;

	while ((r = LIST_FIRST(&dev->runners)) != NULL) {
		LIST_REMOVE(r, next);
		runner_free(r);
	}
}

const struct pollux_runner *
pollux_runner_find(const struct pollux_dev *dev, uint32_t engine_id)
{
	const struct pollux_runner *r;

	LIST_FOREACH(r, &dev->runners, next)
		if (r->engine_id == engine_id)
			return r;
	return NULL;
}
