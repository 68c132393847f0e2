/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"

#include <errno.h>
#include <string.h>
#include <time.h>

/*
 * The housekeeper of a started device: a control thread that now and then lets the group stop
 * devices that were given up, so that their operations run elsewhere. It looks ten times in the
 * time after which a device is lost, and at least ten times a second; more often costs the
 * program's lcores CPU time on a busy machine, since the kernel moves others to them to make room
 * for it. It never waits for control: who holds it does the same work or is about to be done.
 */

#define PERIOD_MIN_US 1000u
#define PERIOD_MAX_US 100000u

static void
sleep_a_period(struct pollux_dev *dev)
{
	uint32_t us = atomic_load_explicit(&dev->keeper_us, memory_order_relaxed);
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += (long)us * 1000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	(void)pthread_cond_timedwait(&dev->keeper_changed, &dev->keeper_lock, &until);
}

static void *
keeper_run(void *arg)
{
	struct pollux_dev *dev = arg;

	pthread_mutex_lock(&dev->keeper_lock);
	while (!dev->keeper_stop) {
		sleep_a_period(dev);
		if (dev->keeper_stop || pthread_mutex_trylock(&dev->control) != 0)
			continue;
		(void)plx_engines_tick(dev->es);
		pthread_mutex_unlock(&dev->control);
	}
	pthread_mutex_unlock(&dev->keeper_lock);
	return NULL;
}

void
pollux_keeper_pace(struct pollux_dev *dev)
{
	uint32_t us = dev->args.opt->params.lost_us / 10;

	us = RTE_MIN(RTE_MAX(us, PERIOD_MIN_US), PERIOD_MAX_US);
	atomic_store_explicit(&dev->keeper_us, us, memory_order_relaxed);
}

int
pollux_keeper_start(struct pollux_dev *dev, struct plx_err *err)
{
	int ret;

	dev->keeper_stop = false;
	pollux_keeper_pace(dev);
	ret = pollux_thread_create(&dev->keeper, "plx-keeper", keeper_run, dev);
	if (ret < 0)
		return plx_err_set(err, ret, "no thread for housekeeping (%s)", strerror(-ret));
	return 0;
}

void
pollux_keeper_stop(struct pollux_dev *dev)
{
	pthread_mutex_lock(&dev->keeper_lock);
	dev->keeper_stop = true;
	pthread_cond_signal(&dev->keeper_changed);
	pthread_mutex_unlock(&dev->keeper_lock);
	pollux_thread_join(dev->keeper);
}
