/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"
#include "pollux_session.h"

#include <errno.h>
#include <string.h>

/*
 * Control functions of the cryptodev. Engines and devices behind exist from the probe on; ports and
 * threads are there from start to stop.
 */

#define NB_DESC_MAX 65536u

/* Until its devices are known. */
static const struct rte_cryptodev_capabilities no_capabilities[] = {
	{ .op = RTE_CRYPTO_OP_TYPE_UNDEFINED },
};

/* What a sentence says goes to the log: the library takes a number. */
static int
answer(const struct pollux_dev *dev, const struct plx_err *err, int ret)
{
	if (ret < 0)
		POLLUX_LOG(ERR, "%s: %s", dev->cryptodev->data->name, err->text);
	return ret;
}

static int
pollux_configure(struct rte_cryptodev *cryptodev, struct rte_cryptodev_config *config)
{
	(void)cryptodev;
	(void)config;
	return 0;
}

static void
ports_close(struct rte_cryptodev *cryptodev)
{
	for (uint16_t i = 0; i < cryptodev->data->nb_queue_pairs; i++)
		if (cryptodev->data->queue_pairs[i] != NULL)
			pollux_qp_close(cryptodev->data->queue_pairs[i]);
}

static int
ports_open(struct rte_cryptodev *cryptodev, struct plx_err *err)
{
	for (uint16_t i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		int ret = 0;

		if (cryptodev->data->queue_pairs[i] != NULL)
			ret = pollux_qp_open(cryptodev->data->queue_pairs[i], err);
		if (ret < 0) {
			plx_err_prefix(err, "queue pair %u", i);
			ports_close(cryptodev);
			return ret;
		}
	}
	return 0;
}

static int
start_locked(struct pollux_dev *dev, struct plx_err *err)
{
	int ret;

	if (dev->args.opt->params.mode == PLX_MODE_PIPELINE && LIST_EMPTY(&dev->runners))
		return plx_err_set(err, -EINVAL,
				   "mode=pipeline and no engine: add one, or set mode=inline");
	ret = pollux_inner_revive_all(dev, err);
	if (ret == 0)
		ret = plx_engines_start(dev->es, err);
	if (ret < 0)
		return ret;
	ret = ports_open(dev->cryptodev, err);
	if (ret == 0)
		ret = pollux_keeper_start(dev, err);
	if (ret < 0) {
		ports_close(dev->cryptodev);
		plx_engines_stop(dev->es);
		return ret;
	}
	dev->is_started = true;
	return 0;
}

static int
pollux_start(struct rte_cryptodev *cryptodev)
{
	struct pollux_dev *dev = pollux_dev_of(cryptodev);
	struct plx_err err = { "" };
	int ret;

	pthread_mutex_lock(&dev->control);
	ret = start_locked(dev, &err);
	pthread_mutex_unlock(&dev->control);
	return answer(dev, &err, ret);
}

/* No lcore is in a burst any more. */
static void
pollux_stop(struct rte_cryptodev *cryptodev)
{
	struct pollux_dev *dev = pollux_dev_of(cryptodev);

	if (!dev->is_started)
		return;
	pollux_keeper_stop(dev);
	pthread_mutex_lock(&dev->control);
	dev->is_started = false;
	plx_engines_stop(dev->es);
	ports_close(cryptodev);
	pthread_mutex_unlock(&dev->control);
}

static int
pollux_qp_release(struct rte_cryptodev *cryptodev, uint16_t id)
{
	struct pollux_dev *dev = pollux_dev_of(cryptodev);
	struct pollux_qp *qp = cryptodev->data->queue_pairs[id];

	if (qp == NULL)
		return 0;
	pthread_mutex_lock(&dev->control);
	pollux_qp_close(qp);
	pollux_qp_counts_add(qp, &dev->gone);
	cryptodev->data->queue_pairs[id] = NULL;
	pollux_qp_free(qp);
	pthread_mutex_unlock(&dev->control);
	return 0;
}

static int
pollux_close(struct rte_cryptodev *cryptodev)
{
	for (uint16_t i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		int ret = pollux_qp_release(cryptodev, i);

		if (ret < 0)
			return ret;
	}
	return 0;
}

static int
pollux_qp_setup(struct rte_cryptodev *cryptodev, uint16_t id,
		const struct rte_cryptodev_qp_conf *conf, int socket_id)
{
	struct pollux_dev *dev = pollux_dev_of(cryptodev);
	struct plx_err err = { "" };
	struct pollux_qp *qp;
	int ret;

	if (conf->nb_descriptors < 1 || conf->nb_descriptors > NB_DESC_MAX) {
		plx_err_set(&err, -EINVAL, "queue pair %u: %u descriptors; give 1 to %u", id,
			    conf->nb_descriptors, NB_DESC_MAX);
		return answer(dev, &err, -EINVAL);
	}
	ret = pollux_qp_release(cryptodev, id);
	if (ret < 0)
		return ret;
	pthread_mutex_lock(&dev->control);
	ret = pollux_qp_create(dev, id, conf->nb_descriptors, socket_id, &qp, &err);
	if (ret == 0)
		cryptodev->data->queue_pairs[id] = qp;
	pthread_mutex_unlock(&dev->control);
	return answer(dev, &err, ret);
}

static void
pollux_info_get(struct rte_cryptodev *cryptodev, struct rte_cryptodev_info *info)
{
	struct pollux_dev *dev = pollux_dev_of(cryptodev);
	/* pairs with the release where a device joins */
	const struct pollux_caps *caps = atomic_load_explicit(&dev->caps, memory_order_acquire);

	if (info == NULL)
		return;
	info->driver_id = cryptodev->driver_id;
	info->feature_flags = caps != NULL ? caps->feature_flags : 0;
	info->capabilities = caps != NULL ? caps->table : no_capabilities;
	info->max_nb_queue_pairs = dev->args.opt->max_nb_qps;
	info->sym.max_nb_sessions = dev->args.opt->nb_sessions;
}

/* Under control. */
void
pollux_counts_now(struct pollux_dev *dev, struct pollux_counts *sum)
{
	const struct rte_cryptodev_data *data = dev->cryptodev->data;

	*sum = dev->gone;
	for (uint16_t i = 0; i < data->nb_queue_pairs; i++)
		if (data->queue_pairs[i] != NULL)
			pollux_qp_counts_add(data->queue_pairs[i], sum);
}

/* Counters belong to the lcores, so that a reset only remembers where they were. */
static void
pollux_stats_get(struct rte_cryptodev *cryptodev, struct rte_cryptodev_stats *stats)
{
	struct pollux_dev *dev = pollux_dev_of(cryptodev);
	struct pollux_counts now;

	pthread_mutex_lock(&dev->control);
	pollux_counts_now(dev, &now);
	stats->enqueued_count += now.nb_enqueued - dev->base.nb_enqueued;
	stats->dequeued_count += now.nb_dequeued - dev->base.nb_dequeued;
	stats->enqueue_err_count += now.nb_short - dev->base.nb_short;
	stats->dequeue_err_count += now.nb_failed - dev->base.nb_failed;
	pthread_mutex_unlock(&dev->control);
}

static void
pollux_stats_reset(struct rte_cryptodev *cryptodev)
{
	struct pollux_dev *dev = pollux_dev_of(cryptodev);

	pthread_mutex_lock(&dev->control);
	pollux_counts_now(dev, &dev->base);
	if (plx_engines_stats(dev->es, PLX_ENGINE_ANY, &dev->engines_base) < 0)
		POLLUX_LOG(ERR, "%s: no statistics", cryptodev->data->name);
	pthread_mutex_unlock(&dev->control);
}

struct rte_cryptodev_ops pollux_dev_ops = {
	.dev_configure = pollux_configure,
	.dev_start = pollux_start,
	.dev_stop = pollux_stop,
	.dev_close = pollux_close,
	.dev_infos_get = pollux_info_get,
	.stats_get = pollux_stats_get,
	.stats_reset = pollux_stats_reset,
	.queue_pair_setup = pollux_qp_setup,
	.queue_pair_release = pollux_qp_release,
	.sym_session_get_size = pollux_sym_session_size,
	.asym_session_get_size = pollux_asym_session_size,
	.sym_session_configure = pollux_sym_session_configure,
	.asym_session_configure = pollux_asym_session_configure,
	.sym_session_clear = pollux_sym_session_clear,
	.asym_session_clear = pollux_asym_session_clear,
};
