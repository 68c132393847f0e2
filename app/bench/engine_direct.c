/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cryptodev.h>
#include <rte_dev.h>
#include <rte_errno.h>

#include "engine_loop.h"

/*
 * The peer, a program that drives a queue pair of a device itself; and DPDK's own way to more
 * cores, crypto_scheduler in its multi-core mode, which is driven in the same way: its queue pair
 * is a cryptodev's as well.
 */

struct way {
	uint8_t dev_id;
	bool has_dev;
	bool is_started;
	char dev[64];
	char worker[64]; /* the device behind the scheduler; empty when there is none */
	struct rte_mempool *sessions;
};

static int
vdev_make(const char *name, const char *args)
{
	int ret = rte_eal_hotplug_add("vdev", name, args);

	if (ret < 0)
		bench_say("no device %s (%s): is its driver installed?", name, rte_strerror(-ret));
	return ret;
}

static int
device_setup(struct way *w)
{
	struct rte_cryptodev_qp_conf qp = { .nb_descriptors = LOAD_DESC };
	struct rte_cryptodev_config conf = { .nb_queue_pairs = 1 };
	char pool[RTE_MEMPOOL_NAMESIZE];
	int ret, dev_id, socket;

	dev_id = rte_cryptodev_get_dev_id(w->dev);
	if (dev_id < 0)
		return -ENODEV;
	w->dev_id = (uint8_t)dev_id;
	socket = rte_cryptodev_socket_id(w->dev_id);
	conf.socket_id = socket;
	conf.ff_disable = RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_SECURITY;

	ret = rte_cryptodev_configure(w->dev_id, &conf);
	if (ret == 0)
		ret = rte_cryptodev_queue_pair_setup(w->dev_id, 0, &qp, socket);
	if (ret < 0) {
		bench_say("%s cannot be set up: %s", w->dev, rte_strerror(-ret));
		return ret;
	}
	snprintf(pool, sizeof(pool), "bench_sess%d", dev_id);
	w->sessions = rte_cryptodev_sym_session_pool_create(
		pool, 16, rte_cryptodev_sym_get_private_session_size(w->dev_id), 0, 0, socket);
	return w->sessions == NULL ? -ENOMEM : 0;
}

static int
dev_start(struct way *w)
{
	int ret;

	if (w->is_started)
		return 0;
	ret = rte_cryptodev_start(w->dev_id);
	if (ret < 0) {
		bench_say("%s does not start: %s", w->dev, rte_strerror(-ret));
		return ret;
	}
	w->is_started = true;
	return 0;
}

static void
dev_stop(struct way *w)
{
	if (w->is_started)
		rte_cryptodev_stop(w->dev_id);
	w->is_started = false;
}

static void
dev_close(struct way *w)
{
	if (w == NULL)
		return;
	dev_stop(w);
	if (w->has_dev) {
		rte_cryptodev_close(w->dev_id);
		rte_eal_hotplug_remove("vdev", w->dev);
	}
	if (w->worker[0] != '\0')
		rte_eal_hotplug_remove("vdev", w->worker);
	rte_mempool_free(w->sessions);
	free(w);
}

/* With a worker: a scheduler over it. */
static int
dev_open(const char *dev, const char *args, const char *worker, struct way **out)
{
	struct way *w = calloc(1, sizeof(*w));
	int ret = 0;

	if (w == NULL)
		return -ENOMEM;
	snprintf(w->dev, sizeof(w->dev), "%s", dev);
	if (worker != NULL) {
		ret = vdev_make(worker, "");
		if (ret == 0)
			snprintf(w->worker, sizeof(w->worker), "%s", worker);
	}
	if (ret == 0)
		ret = vdev_make(dev, args);
	w->has_dev = ret == 0;
	if (ret == 0)
		ret = device_setup(w);
	if (ret < 0) {
		dev_close(w);
		return ret;
	}
	*out = w;
	return 0;
}

static int
direct_open(const char *driver, struct way **out)
{
	char name[64];
	int ret;

	snprintf(name, sizeof(name), "%s_direct", driver);
	ret = dev_open(name, "", NULL, out);
	if (ret == 0)
		ret = dev_start(*out);
	return ret;
}

static int
scheduler_open(const char *driver, struct way **out)
{
	char name[64], worker[64], args[128];

	snprintf(worker, sizeof(worker), "%s_worker", driver);
	snprintf(name, sizeof(name), "crypto_scheduler_%s", driver + strlen("crypto_"));
	snprintf(args, sizeof(args), "worker=%s,mode=multi-core,corelist=%u", worker,
		 LCORE_SCHEDULER);
	return dev_open(name, args, worker, out);
}

static int
dev_session_create(struct way *w, const struct load_alg *alg, void **session)
{
	struct rte_crypto_sym_xform x;

	load_xform(alg, &x);
	*session = rte_cryptodev_sym_session_create(w->dev_id, &x, w->sessions);
	if (*session == NULL) {
		bench_say("%s does not take %s", w->dev, alg->name);
		return -ENOTSUP;
	}
	return 0;
}

static void
dev_session_destroy(struct way *w, void *session)
{
	rte_cryptodev_sym_session_free(w->dev_id, session);
}

static __rte_always_inline uint16_t
dev_enqueue(struct way *w, struct rte_crypto_op **ops, uint16_t nb)
{
	return rte_cryptodev_enqueue_burst(w->dev_id, 0, ops, nb);
}

static __rte_always_inline uint16_t
dev_dequeue(struct way *w, struct rte_crypto_op **ops, uint16_t nb)
{
	return rte_cryptodev_dequeue_burst(w->dev_id, 0, ops, nb);
}

static void
direct_run(struct way *w, struct load *l, uint64_t until_tsc)
{
	load_loop(w, l, false, dev_enqueue, dev_dequeue, until_tsc);
}

static void
scheduler_run(struct way *w, struct load *l, uint64_t until_tsc)
{
	load_loop(w, l, true, dev_enqueue, dev_dequeue, until_tsc);
}

static uint32_t
dev_collect(struct way *w, struct load *l)
{
	return load_take(w, l, dev_dequeue);
}

/* Started once and for all: no lcore works for it but the submitter's own. */
static int
direct_start(struct way *w)
{
	(void)w;
	return 0;
}

static void
direct_stop(struct way *w)
{
	(void)w;
}

static double
dev_busy(struct way *w)
{
	(void)w;
	return 1.0;
}

const struct way_kind way_direct = {
	.name = "direct",
	.open = direct_open,
	.close = dev_close,
	.session_create = dev_session_create,
	.session_destroy = dev_session_destroy,
	.start = direct_start,
	.stop = direct_stop,
	.run = direct_run,
	.collect = dev_collect,
	.busy = dev_busy,
	.lcore = LCORE_SUBMIT,
};

const struct way_kind way_scheduler = {
	.name = "scheduler",
	.open = scheduler_open,
	.close = dev_close,
	.session_create = dev_session_create,
	.session_destroy = dev_session_destroy,
	.start = dev_start,
	.stop = dev_stop,
	.run = scheduler_run,
	.collect = dev_collect,
	.busy = dev_busy,
	.lcore = LCORE_SCHEDULER,
};
