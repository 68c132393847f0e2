/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_fault_priv.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

/*
 * The devices that exist, and the functions for everybody. The registry's lock is held by whoever
 * looks at a device from outside, and by remove while it takes a device out: telemetry has a thread
 * of its own. Plans are written under it, so that two writers do not lose each other's change; a
 * queue pair copies under the plan's own lock.
 */

LIST_HEAD(fault_list, fault_dev);

static struct fault_list registry = LIST_HEAD_INITIALIZER(registry);
static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;

void
fault_registry_lock(void)
{
	pthread_mutex_lock(&registry_lock);
}

void
fault_registry_unlock(void)
{
	pthread_mutex_unlock(&registry_lock);
}

void
fault_registry_add(struct fault_dev *dev)
{
	pthread_mutex_lock(&registry_lock);
	LIST_INSERT_HEAD(&registry, dev, next);
	pthread_mutex_unlock(&registry_lock);
}

void
fault_registry_remove(struct fault_dev *dev)
{
	pthread_mutex_lock(&registry_lock);
	LIST_REMOVE(dev, next);
	pthread_mutex_unlock(&registry_lock);
}

/* Under the registry's lock. */
static struct fault_dev *
dev_by_id(uint8_t dev_id)
{
	struct fault_dev *dev;

	LIST_FOREACH(dev, &registry, next) {
		if (dev->cryptodev->data->dev_id == dev_id)
			return dev;
	}
	return NULL;
}

int
fault_find(const char *name)
{
	struct fault_dev *dev;
	int id = -ENODEV;

	pthread_mutex_lock(&registry_lock);
	LIST_FOREACH(dev, &registry, next) {
		if (strcmp(dev->cryptodev->data->name, name) == 0)
			id = dev->cryptodev->data->dev_id;
	}
	pthread_mutex_unlock(&registry_lock);
	return id;
}

int
fault_ids(uint8_t ids[FAULT_DEVS_MAX])
{
	struct fault_dev *dev;
	int nb = 0;

	pthread_mutex_lock(&registry_lock);
	LIST_FOREACH(dev, &registry, next) {
		if (nb < FAULT_DEVS_MAX)
			ids[nb++] = dev->cryptodev->data->dev_id;
	}
	pthread_mutex_unlock(&registry_lock);
	return nb;
}

void
fault_dev_publish(struct fault_dev *dev, const struct fault_plan *plan)
{
	while (!fault_plan_trylock(dev))
		sched_yield();
	for (unsigned int kind = 0; kind < PLX_FAULT_NB; kind++) {
		if (dev->plan.rules[kind].serial != plan->rules[kind].serial)
			atomic_store_explicit(&dev->left[kind], plan->rules[kind].limit,
					      memory_order_relaxed);
	}
	dev->plan = *plan;
	/* pairs with the acquire in burst_begin() */
	atomic_fetch_add_explicit(&dev->gen, 1, memory_order_release);
	fault_plan_unlock(dev);
}

int
plx_fault_set(uint8_t dev_id, const char *spec, struct plx_err *err)
{
	struct fault_plan plan;
	struct fault_dev *dev;
	int ret;

	pthread_mutex_lock(&registry_lock);
	dev = dev_by_id(dev_id);
	if (dev == NULL) {
		ret = plx_err_set(err, -ENODEV, "device %u is not a " PLX_FAULT_DRIVER " device",
				  dev_id);
	} else {
		plan = dev->plan;
		ret = fault_plan_parse(&plan, spec, err);
		if (ret == 0)
			fault_dev_publish(dev, &plan);
	}
	pthread_mutex_unlock(&registry_lock);
	return ret;
}

int
plx_fault_get(uint8_t dev_id, char *buf, size_t len)
{
	struct fault_dev *dev;
	int ret = -ENODEV;

	pthread_mutex_lock(&registry_lock);
	dev = dev_by_id(dev_id);
	if (dev != NULL)
		ret = fault_plan_format(&dev->plan, buf, len);
	pthread_mutex_unlock(&registry_lock);
	return ret;
}

static void
stats_sum(const struct rte_cryptodev_data *data, struct plx_fault_stats *sum)
{
	for (uint16_t i = 0; i < data->nb_queue_pairs; i++) {
		struct fault_qp *qp = data->queue_pairs[i];

		if (qp == NULL)
			continue;
		for (unsigned int kind = 0; kind < PLX_FAULT_NB; kind++)
			sum->nb_injected[kind] +=
				atomic_load_explicit(&qp->nb_injected[kind], memory_order_relaxed);
		/* first those that leave: their sum is never above those that came */
		sum->nb_dequeued += atomic_load_explicit(&qp->nb_dequeued, memory_order_acquire);
		sum->nb_dropped += atomic_load_explicit(&qp->nb_dropped, memory_order_acquire);
		sum->nb_unexpected +=
			atomic_load_explicit(&qp->nb_unexpected, memory_order_relaxed);
		sum->nb_enqueued += atomic_load_explicit(&qp->nb_enqueued, memory_order_relaxed);
	}
}

int
plx_fault_stats(uint8_t dev_id, struct plx_fault_stats *stats)
{
	struct plx_fault_stats sum = { .size = sizeof(sum) };
	struct fault_dev *dev;
	int ret = 0;

	if (stats->size != sizeof(sum))
		return -EINVAL;
	pthread_mutex_lock(&registry_lock);
	dev = dev_by_id(dev_id);
	if (dev != NULL)
		stats_sum(dev->cryptodev->data, &sum);
	else
		ret = -ENODEV;
	pthread_mutex_unlock(&registry_lock);
	if (ret == 0)
		*stats = sum;
	return ret;
}
