/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <rte_errno.h>

#include "mb_asym.h"
#include "mb_sym.h"

/* Control functions of the cryptodev. */

static int
mb_configure(struct rte_cryptodev *cryptodev, struct rte_cryptodev_config *config)
{
	(void)cryptodev;
	(void)config;
	return 0;
}

static int
mb_start(struct rte_cryptodev *cryptodev)
{
	(void)cryptodev;
	return 0;
}

static void
counts_now(struct rte_cryptodev *cryptodev, struct rte_cryptodev_stats *sum)
{
	for (uint16_t i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		struct mb_qp *qp = cryptodev->data->queue_pairs[i];

		if (qp == NULL)
			continue;
		sum->enqueued_count += atomic_load_explicit(&qp->nb_enqueued, memory_order_relaxed);
		sum->dequeued_count += atomic_load_explicit(&qp->nb_dequeued, memory_order_relaxed);
		sum->enqueue_err_count +=
			atomic_load_explicit(&qp->nb_refused, memory_order_relaxed);
		sum->dequeue_err_count +=
			atomic_load_explicit(&qp->nb_failed, memory_order_relaxed);
	}
}

static void
mb_stop(struct rte_cryptodev *cryptodev)
{
	struct rte_cryptodev_stats sum = { 0 };

	counts_now(cryptodev, &sum);
	PLX_PMD_LOG(INFO, mb_logtype,
		    "%s stops after %" PRIu64 " ops, %" PRIu64 " of them with an error",
		    cryptodev->data->name, sum.dequeued_count, sum.dequeue_err_count);
}

static int
mb_qp_release(struct rte_cryptodev *cryptodev, uint16_t id)
{
	mb_qp_free(cryptodev->data->queue_pairs[id]);
	cryptodev->data->queue_pairs[id] = NULL;
	return 0;
}

static int
mb_close(struct rte_cryptodev *cryptodev)
{
	for (uint16_t i = 0; i < cryptodev->data->nb_queue_pairs; i++)
		mb_qp_release(cryptodev, i);
	return 0;
}

static int
mb_qp_setup(struct rte_cryptodev *cryptodev, uint16_t id, const struct rte_cryptodev_qp_conf *conf,
	    int socket_id)
{
	struct mb_qp *qp;
	int ret;

	if (conf->nb_descriptors < MB_DESC_MIN || conf->nb_descriptors > MB_DESC_MAX) {
		MB_LOG(ERR, "%s: queue pair %u: %u descriptors; want %u..%u", cryptodev->data->name,
		       id, conf->nb_descriptors, MB_DESC_MIN, MB_DESC_MAX);
		return -EINVAL;
	}
	ret = mb_qp_create(cryptodev->data->dev_private, id, conf->nb_descriptors, socket_id, &qp);
	if (ret < 0) {
		MB_LOG(ERR, "%s: queue pair %u with %u descriptors: %s", cryptodev->data->name, id,
		       conf->nb_descriptors, rte_strerror(-ret));
		return ret;
	}
	mb_qp_release(cryptodev, id);
	cryptodev->data->queue_pairs[id] = qp;
	return 0;
}

static void
mb_info_get(struct rte_cryptodev *cryptodev, struct rte_cryptodev_info *info)
{
	const struct mb_dev *dev = cryptodev->data->dev_private;

	info->driver_id = cryptodev->driver_id;
	info->feature_flags = cryptodev->feature_flags;
	info->capabilities = dev->caps;
	info->max_nb_queue_pairs = dev->max_nb_qps;
	info->sym.max_nb_sessions = 0; /* as many as the application's pool holds */
}

/* Counters belong to the lcores: a reset only remembers where they were. */
static void
mb_stats_get(struct rte_cryptodev *cryptodev, struct rte_cryptodev_stats *stats)
{
	const struct mb_dev *dev = cryptodev->data->dev_private;

	counts_now(cryptodev, stats);
	plx_pmd_stats_since(stats, &dev->stats_base);
}

static void
mb_stats_reset(struct rte_cryptodev *cryptodev)
{
	struct mb_dev *dev = cryptodev->data->dev_private;

	memset(&dev->stats_base, 0, sizeof(dev->stats_base));
	counts_now(cryptodev, &dev->stats_base);
}

static unsigned int
sym_size(struct rte_cryptodev *cryptodev)
{
	return mb_sym_session_size(cryptodev->data->dev_private);
}

static int
sym_configure(struct rte_cryptodev *cryptodev, struct rte_crypto_sym_xform *xform,
	      struct rte_cryptodev_sym_session *session)
{
	return mb_sym_session_configure(cryptodev->data->dev_private, xform,
					PLX_PMD_SYM_PRIV(session));
}

static void
sym_clear(struct rte_cryptodev *cryptodev, struct rte_cryptodev_sym_session *session)
{
	mb_sym_session_clear(cryptodev->data->dev_private, PLX_PMD_SYM_PRIV(session));
}

static unsigned int
asym_size(struct rte_cryptodev *cryptodev)
{
	(void)cryptodev;
	return mb_asym_session_size();
}

static int
asym_configure(struct rte_cryptodev *cryptodev, struct rte_crypto_asym_xform *xform,
	       struct rte_cryptodev_asym_session *session)
{
	return mb_asym_session_configure(cryptodev->data->dev_private, xform,
					 PLX_PMD_ASYM_PRIV(session));
}

static void
asym_clear(struct rte_cryptodev *cryptodev, struct rte_cryptodev_asym_session *session)
{
	(void)cryptodev;
	mb_asym_session_clear(PLX_PMD_ASYM_PRIV(session));
}

struct rte_cryptodev_ops mb_dev_ops = {
	.dev_configure = mb_configure,
	.dev_start = mb_start,
	.dev_stop = mb_stop,
	.dev_close = mb_close,
	.dev_infos_get = mb_info_get,
	.stats_get = mb_stats_get,
	.stats_reset = mb_stats_reset,
	.queue_pair_setup = mb_qp_setup,
	.queue_pair_release = mb_qp_release,
	.sym_session_get_size = sym_size,
	.asym_session_get_size = asym_size,
	.sym_session_configure = sym_configure,
	.asym_session_configure = asym_configure,
	.sym_session_clear = sym_clear,
	.asym_session_clear = asym_clear,
	.sym_cpu_process = mb_sym_cpu_process,
};
