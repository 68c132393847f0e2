/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_fault_priv.h"

#include <errno.h>

#include <rte_cycles.h>
#include <rte_errno.h>

/*
 * Control functions of the cryptodev: each does to the inner device what the application does to
 * this one. Queue pairs map one to one. A session of ours holds one of the inner device, from a
 * pool of our own, since the application's pool knows nothing of the inner driver's size.
 */

#define DRAIN_US 100000

static int
fault_configure(struct rte_cryptodev *cryptodev, struct rte_cryptodev_config *config)
{
	struct fault_dev *dev = cryptodev->data->dev_private;

	return rte_cryptodev_configure(dev->inner_id, config);
}

static int
fault_start(struct rte_cryptodev *cryptodev)
{
	struct fault_dev *dev = cryptodev->data->dev_private;
	int ret = rte_cryptodev_start(dev->inner_id);

	if (ret < 0)
		return ret;
	for (uint16_t i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		struct fault_qp *qp = cryptodev->data->queue_pairs[i];

		if (qp == NULL)
			continue;
		/* a driver may choose its bursts when it is started */
		qp->inner_qp = dev->inner_dev->data->queue_pairs[i];
		qp->inner_enqueue = dev->inner_dev->enqueue_burst;
		qp->inner_dequeue = dev->inner_dev->dequeue_burst;
	}
	atomic_store_explicit(&dev->is_vanished, false, memory_order_relaxed);
	return 0;
}

/* No lcore is in a burst any more. What is held is forgotten; when this returns nothing touches it
 * again. */
static void
fault_stop(struct rte_cryptodev *cryptodev)
{
	struct fault_dev *dev = cryptodev->data->dev_private;
	uint64_t until = rte_rdtsc() + DRAIN_US * dev->hz_us;

	for (uint16_t i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		if (cryptodev->data->queue_pairs[i] != NULL)
			fault_qp_drain(cryptodev->data->queue_pairs[i], until);
	}
	rte_cryptodev_stop(dev->inner_id);
	for (uint16_t i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		if (cryptodev->data->queue_pairs[i] != NULL)
			fault_qp_forget(cryptodev->data->queue_pairs[i]);
	}
}

static int
fault_qp_release(struct rte_cryptodev *cryptodev, uint16_t id)
{
	struct fault_dev *dev = cryptodev->data->dev_private;
	struct rte_cryptodev *inner = dev->inner_dev;
	struct fault_qp *qp = cryptodev->data->queue_pairs[id];

	/* somebody may be reading its counters */
	fault_registry_lock();
	cryptodev->data->queue_pairs[id] = NULL;
	fault_registry_unlock();
	fault_qp_free(qp);
	if (inner->data->queue_pairs == NULL || id >= inner->data->nb_queue_pairs ||
	    inner->data->queue_pairs[id] == NULL)
		return 0;
	return inner->dev_ops->queue_pair_release(inner, id);
}

static int
fault_close(struct rte_cryptodev *cryptodev)
{
	struct fault_dev *dev = cryptodev->data->dev_private;

	for (uint16_t i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		int ret = fault_qp_release(cryptodev, i);

		if (ret < 0)
			return ret;
	}
	return rte_cryptodev_close(dev->inner_id);
}

static int
fault_qp_setup(struct rte_cryptodev *cryptodev, uint16_t id,
	       const struct rte_cryptodev_qp_conf *conf, int socket_id)
{
	struct fault_dev *dev = cryptodev->data->dev_private;
	struct rte_cryptodev_qp_conf inner_conf = *conf;
	struct fault_qp *qp;
	int ret;

	if (conf->nb_descriptors < 2 || conf->nb_descriptors > UINT16_MAX + 1) {
		FAULT_LOG(ERR, "%s: queue pair %u: %u descriptors; want 2..65536",
			  cryptodev->data->name, id, conf->nb_descriptors);
		return -EINVAL;
	}
	if (cryptodev->data->queue_pairs[id] != NULL) {
		ret = fault_qp_release(cryptodev, id);
		if (ret < 0)
			return ret;
	}
	inner_conf.mp_session = dev->sym_pool;
	ret = rte_cryptodev_queue_pair_setup(dev->inner_id, id, &inner_conf, socket_id);
	if (ret < 0)
		return ret;
	ret = fault_qp_create(dev, id, conf->nb_descriptors, socket_id, &qp);
	if (ret < 0)
		return ret;
	cryptodev->data->queue_pairs[id] = qp;
	return 0;
}

static void
fault_info_get(struct rte_cryptodev *cryptodev, struct rte_cryptodev_info *info)
{
	struct fault_dev *dev = cryptodev->data->dev_private;

	rte_cryptodev_info_get(dev->inner_id, info);
	info->driver_id = cryptodev->driver_id;
	info->feature_flags = cryptodev->feature_flags;
	info->max_nb_queue_pairs = dev->max_nb_qps;
	info->sym.max_nb_sessions = dev->nb_sessions;
}

static void
counts_now(struct rte_cryptodev *cryptodev, struct rte_cryptodev_stats *sum)
{
	for (uint16_t i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		struct fault_qp *qp = cryptodev->data->queue_pairs[i];

		if (qp == NULL)
			continue;
		sum->enqueued_count += atomic_load_explicit(&qp->nb_enqueued, memory_order_relaxed);
		sum->dequeued_count += atomic_load_explicit(&qp->nb_dequeued, memory_order_relaxed);
		sum->enqueue_err_count +=
			atomic_load_explicit(&qp->nb_injected[PLX_FAULT_REFUSE],
					     memory_order_relaxed) +
			atomic_load_explicit(&qp->nb_injected[PLX_FAULT_BAD_STATUS],
					     memory_order_relaxed) +
			atomic_load_explicit(&qp->nb_injected[PLX_FAULT_TOUCH],
					     memory_order_relaxed);
		sum->dequeue_err_count += atomic_load_explicit(&qp->nb_injected[PLX_FAULT_FAIL],
							       memory_order_relaxed);
	}
}

/* Counters belong to the lcores, so that a reset only remembers where they were. */
static void
fault_stats_get(struct rte_cryptodev *cryptodev, struct rte_cryptodev_stats *stats)
{
	const struct fault_dev *dev = cryptodev->data->dev_private;

	counts_now(cryptodev, stats);
	plx_pmd_stats_since(stats, &dev->stats_base);
}

static void
fault_stats_reset(struct rte_cryptodev *cryptodev)
{
	struct fault_dev *dev = cryptodev->data->dev_private;

	memset(&dev->stats_base, 0, sizeof(dev->stats_base));
	counts_now(cryptodev, &dev->stats_base);
}

static unsigned int
fault_sym_size(struct rte_cryptodev *cryptodev)
{
	(void)cryptodev;
	return sizeof(struct fault_sym_sess);
}

static unsigned int
fault_asym_size(struct rte_cryptodev *cryptodev)
{
	const struct fault_dev *dev = cryptodev->data->dev_private;

	return dev->asym_pool != NULL ? sizeof(struct fault_asym_sess) : 0;
}

static int
fault_sym_configure(struct rte_cryptodev *cryptodev, struct rte_crypto_sym_xform *xform,
		    struct rte_cryptodev_sym_session *session)
{
	struct fault_dev *dev = cryptodev->data->dev_private;
	struct fault_sym_sess *priv = PLX_PMD_SYM_PRIV(session);
	struct rte_cryptodev_sym_session *inner;

	inner = rte_cryptodev_sym_session_create(dev->inner_id, xform, dev->sym_pool);
	if (inner == NULL)
		return rte_errno > 0 ? -rte_errno : -EINVAL;
	inner->opaque_data = (uintptr_t)session;
	priv->inner = inner;
	fault_sym_sess_shape(priv, xform);
	return 0;
}

static void
fault_sym_clear(struct rte_cryptodev *cryptodev, struct rte_cryptodev_sym_session *session)
{
	struct fault_dev *dev = cryptodev->data->dev_private;
	struct fault_sym_sess *priv = PLX_PMD_SYM_PRIV(session);

	if (priv->inner == NULL)
		return;
	rte_cryptodev_sym_session_free(dev->inner_id, priv->inner);
	memset(priv, 0, sizeof(*priv));
}

static int
fault_asym_configure(struct rte_cryptodev *cryptodev, struct rte_crypto_asym_xform *xform,
		     struct rte_cryptodev_asym_session *session)
{
	struct fault_dev *dev = cryptodev->data->dev_private;
	struct fault_asym_sess *priv = PLX_PMD_ASYM_PRIV(session);
	void *inner = NULL;
	int ret;

	if (dev->asym_pool == NULL)
		return -ENOTSUP;
	ret = rte_cryptodev_asym_session_create(dev->inner_id, xform, dev->asym_pool, &inner);
	if (ret < 0) {
		/* DPDK keeps the object when the driver has refused the transform */
		if (inner != NULL)
			rte_mempool_put(dev->asym_pool, inner);
		return ret;
	}
	ret = rte_cryptodev_asym_session_set_user_data(inner, &session, sizeof(session));
	if (ret < 0) {
		rte_cryptodev_asym_session_free(dev->inner_id, inner);
		return ret;
	}
	priv->inner = inner;
	priv->type = xform->xform_type;
	return 0;
}

static void
fault_asym_clear(struct rte_cryptodev *cryptodev, struct rte_cryptodev_asym_session *session)
{
	struct fault_dev *dev = cryptodev->data->dev_private;
	struct fault_asym_sess *priv = PLX_PMD_ASYM_PRIV(session);

	if (priv->inner == NULL)
		return;
	rte_cryptodev_asym_session_free(dev->inner_id, priv->inner);
	memset(priv, 0, sizeof(*priv));
}

struct rte_cryptodev_ops fault_dev_ops = {
	.dev_configure = fault_configure,
	.dev_start = fault_start,
	.dev_stop = fault_stop,
	.dev_close = fault_close,
	.dev_infos_get = fault_info_get,
	.stats_get = fault_stats_get,
	.stats_reset = fault_stats_reset,
	.queue_pair_setup = fault_qp_setup,
	.queue_pair_release = fault_qp_release,
	.sym_session_get_size = fault_sym_size,
	.asym_session_get_size = fault_asym_size,
	.sym_session_configure = fault_sym_configure,
	.asym_session_configure = fault_asym_configure,
	.sym_session_clear = fault_sym_clear,
	.asym_session_clear = fault_asym_clear,
};
