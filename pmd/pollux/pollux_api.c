/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"

#include <errno.h>

/*
 * The devices that exist, and the functions for everybody. The registry's lock is held while a
 * device is looked at from outside, shared, and by remove, alone, while it takes a device out.
 */

LIST_HEAD(pollux_list, pollux_dev);

static struct pollux_list registry = LIST_HEAD_INITIALIZER(registry);
static pthread_rwlock_t registry_lock = PTHREAD_RWLOCK_INITIALIZER;

void
pollux_registry_add(struct pollux_dev *dev)
{
	pthread_rwlock_wrlock(&registry_lock);
	LIST_INSERT_HEAD(&registry, dev, next);
	pthread_rwlock_unlock(&registry_lock);
}

void
pollux_registry_remove(struct pollux_dev *dev)
{
	pthread_rwlock_wrlock(&registry_lock);
	LIST_REMOVE(dev, next);
	pthread_rwlock_unlock(&registry_lock);
}

struct pollux_dev *
pollux_registry_hold(int dev_id, struct plx_err *err)
{
	struct pollux_dev *dev;

	pthread_rwlock_rdlock(&registry_lock);
	LIST_FOREACH(dev, &registry, next) {
		if (dev->cryptodev->data->dev_id == dev_id) {
			pthread_mutex_lock(&dev->control);
			return dev;
		}
	}
	pthread_rwlock_unlock(&registry_lock);
	plx_err_set(err, -ENODEV, "device %d is not a " PLX_POLLUX_DRIVER " device", dev_id);
	return NULL;
}

void
pollux_registry_release(struct pollux_dev *dev)
{
	pthread_mutex_unlock(&dev->control);
	pthread_rwlock_unlock(&registry_lock);
}

int
pollux_registry_ids(uint8_t ids[RTE_CRYPTO_MAX_DEVS])
{
	struct pollux_dev *dev;
	int nb = 0;

	pthread_rwlock_rdlock(&registry_lock);
	LIST_FOREACH(dev, &registry, next)
		if (nb < RTE_CRYPTO_MAX_DEVS)
			ids[nb++] = dev->cryptodev->data->dev_id;
	pthread_rwlock_unlock(&registry_lock);
	return nb;
}

int
plx_pollux_engine_add(uint8_t dev_id, int cpu, uint32_t *id, struct plx_err *err)
{
	struct pollux_dev *dev = pollux_registry_hold(dev_id, err);
	int ret;

	if (dev == NULL)
		return -ENODEV;
	ret = pollux_engine_new(dev, cpu, id, err);
	pollux_registry_release(dev);
	return ret;
}

int
plx_pollux_engine_remove(uint8_t dev_id, uint32_t id, struct plx_err *err)
{
	struct pollux_dev *dev = pollux_registry_hold(dev_id, err);
	int ret;

	if (dev == NULL)
		return -ENODEV;
	ret = pollux_engine_end(dev, id, POLLUX_WAIT_US, err);
	pollux_registry_release(dev);
	return ret;
}

int
plx_pollux_device_add(uint8_t dev_id, const char *spec, struct plx_err *err)
{
	struct pollux_dev *dev = pollux_registry_hold(dev_id, err);
	int ret;

	if (dev == NULL)
		return -ENODEV;
	ret = pollux_inner_add(dev, spec, err);
	if (ret == 0)
		ret = pollux_caps_update(dev, err);
	pollux_registry_release(dev);
	return ret;
}

static int
on_device(uint8_t dev_id, const char *name,
	  int (*fn)(struct pollux_dev *dev, struct pollux_inner *inner, struct plx_err *err),
	  struct plx_err *err)
{
	struct pollux_dev *dev = pollux_registry_hold(dev_id, err);
	struct pollux_inner *inner;
	int ret = -ENOENT;

	if (dev == NULL)
		return -ENODEV;
	inner = pollux_inner_find(dev, name, err);
	if (inner != NULL)
		ret = fn(dev, inner, err);
	if (ret == 0)
		ret = pollux_caps_update(dev, err);
	pollux_registry_release(dev);
	return ret;
}

int
plx_pollux_device_remove(uint8_t dev_id, const char *name, struct plx_err *err)
{
	return on_device(dev_id, name, pollux_inner_remove, err);
}

int
plx_pollux_device_revive(uint8_t dev_id, const char *name, struct plx_err *err)
{
	return on_device(dev_id, name, pollux_inner_revive, err);
}

static int
set_locked(struct pollux_dev *dev, const char *spec, struct plx_err *err)
{
	struct pollux_args now = dev->args;
	struct plx_engines_params p;
	int ret;

	ret = pollux_args_change(&dev->args, spec, &now, err);
	if (ret < 0)
		return ret;
	pollux_args_params(&now, &p);
	ret = plx_engines_set(dev->es, &p, err);
	if (ret < 0) {
		plx_conf_destroy(now.conf);
		return ret;
	}
	plx_conf_destroy(dev->args.conf);
	dev->args = now;
	pollux_keeper_pace(dev);
	return 0;
}

int
plx_pollux_set(uint8_t dev_id, const char *spec, struct plx_err *err)
{
	struct pollux_dev *dev = pollux_registry_hold(dev_id, err);
	int ret;

	if (dev == NULL)
		return -ENODEV;
	ret = set_locked(dev, spec, err);
	pollux_registry_release(dev);
	return ret;
}

int
plx_pollux_get(uint8_t dev_id, char *buf, size_t len)
{
	struct pollux_dev *dev = pollux_registry_hold(dev_id, NULL);
	int ret;

	if (dev == NULL)
		return -ENODEV;
	ret = pollux_args_write(&dev->args, buf, len);
	pollux_registry_release(dev);
	return ret;
}

static void
stats_fill(struct pollux_dev *dev, struct plx_pollux_stats *s)
{
	const struct plx_engine_stats *old = &dev->engines_base;
	struct plx_engine_stats e = { 0 };
	struct pollux_counts c;

	pollux_counts_now(dev, &c);
	/* of all there is always something */
	if (plx_engines_stats(dev->es, PLX_ENGINE_ANY, &e) < 0)
		return;
	s->nb_enqueued = c.nb_enqueued - dev->base.nb_enqueued;
	s->nb_dequeued = c.nb_dequeued - dev->base.nb_dequeued;
	s->nb_failed = c.nb_failed - dev->base.nb_failed;
	s->nb_short = c.nb_short - dev->base.nb_short;
	s->nb_dropped = c.nb_dropped - dev->base.nb_dropped;
	s->nb_submitted = e.nb_submitted - old->nb_submitted;
	s->nb_replayed = e.nb_replayed - old->nb_replayed;
	s->nb_lost = e.nb_lost - old->nb_lost;
	s->nb_expired = e.nb_expired - old->nb_expired;
	s->nb_unroutable = e.nb_unroutable - old->nb_unroutable;
	for (size_t i = 0; i < RTE_DIM(e.nb_fallback); i++)
		s->nb_fallback += e.nb_fallback[i] - old->nb_fallback[i];
}

int
plx_pollux_stats(uint8_t dev_id, struct plx_pollux_stats *stats)
{
	struct plx_pollux_stats sum = { .size = sizeof(sum) };
	struct pollux_dev *dev;

	if (stats->size != sizeof(sum))
		return -EINVAL;
	dev = pollux_registry_hold(dev_id, NULL);
	if (dev == NULL)
		return -ENODEV;
	stats_fill(dev, &sum);
	pollux_registry_release(dev);
	*stats = sum;
	return 0;
}
