/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_fault_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_lcore.h>
#include <rte_mempool.h>

/* Probe and remove: arguments, the inner device, its session pools. */

#define ARGS_MAX         512
#define SESSIONS_DEFAULT 4096
#define SESSIONS_MAX     (1u << 20)
#define QPS_MAX          1024

struct fault_args {
	char inner[RTE_CRYPTODEV_NAME_MAX_LEN];
	char inner_args[ARGS_MAX];
	uint64_t max_nb_qps; /* 0: as many as the inner device has */
	uint64_t socket_id;
	bool has_socket;
	uint64_t nb_sessions;
	struct fault_plan plan;
};

int fault_logtype;
uint8_t fault_driver_id;

static int
text_take(char *to, size_t size, const char *key, const char *value, struct plx_err *err)
{
	size_t len = strlen(value);

	if (len == 0 || len >= size)
		return plx_err_set(err, -EINVAL, "%s=%s: want 1..%zu bytes", key, value, size - 1);
	memcpy(to, value, len + 1);
	return 0;
}

static int
arg_take(void *arg, const char *key, const char *value, struct plx_err *err)
{
	struct fault_args *args = arg;

	if (strcmp(key, "inner") == 0)
		return text_take(args->inner, sizeof(args->inner), key, value, err);
	if (strcmp(key, "inner_args") == 0)
		return text_take(args->inner_args, sizeof(args->inner_args), key, value, err);
	if (strcmp(key, "max_nb_queue_pairs") == 0)
		return plx_pmd_arg_uint(key, value, 1, QPS_MAX, &args->max_nb_qps, err);
	if (strcmp(key, "max_sessions") == 0)
		return plx_pmd_arg_uint(key, value, 1, SESSIONS_MAX, &args->nb_sessions, err);
	if (strcmp(key, "socket_id") == 0) {
		args->has_socket = true;
		return plx_pmd_arg_uint(key, value, 0, RTE_MAX_NUMA_NODES - 1, &args->socket_id,
					err);
	}
	if (fault_plan_has(key))
		return fault_plan_set_one(&args->plan, key, value, err);
	return plx_err_set(
		err, -EINVAL,
		"no argument '%s'; there are inner, inner_args, max_nb_queue_pairs, socket_id, "
		"max_sessions, seed and the faults refuse, bad_status, touch, fail, corrupt, delay, reorder, "
		"stall, vanish, foreign",
		key);
}

/* Arguments the inner driver gets: those that count for both, and its own. */
static int
inner_args_make(const struct fault_args *args, char *buf, size_t size, struct plx_err *err)
{
	size_t used = 0;

	buf[0] = '\0';
	if (args->max_nb_qps != 0)
		used += (size_t)snprintf(buf + used, size - used, "max_nb_queue_pairs=%" PRIu64 ",",
					 args->max_nb_qps);
	if (args->has_socket)
		used += (size_t)snprintf(buf + used, size - used, "socket_id=%" PRIu64 ",",
					 args->socket_id);
	used += (size_t)snprintf(buf + used, size - used, "%s", args->inner_args);
	if (used >= size)
		return plx_err_set(err, -EINVAL, "inner_args is longer than %d bytes",
				   ARGS_MAX - 1);
	if (used > 0 && buf[used - 1] == ',')
		buf[used - 1] = '\0';
	return 0;
}

static void
pools_free(struct fault_dev *dev)
{
	rte_mempool_free(dev->sym_pool);
	rte_mempool_free(dev->asym_pool);
	dev->sym_pool = NULL;
	dev->asym_pool = NULL;
}

/* For operations without a session a driver takes an object from the pool as it is. The ipsec-mb
 * drivers of 22.11 look at its size, which DPDK writes only when the object becomes a session, and
 * what they do when it is 0 ends in a write through the operation's transform. */
static void
session_prepare(struct rte_mempool *pool, void *size, void *object, unsigned int idx)
{
	struct rte_cryptodev_sym_session *session = object;

	(void)pool;
	(void)idx;
	session->sess_data_sz = *(const unsigned int *)size;
}

/* The inner driver has no queue pairs yet: its sessions are as large as they can become. */
static int
pools_create(struct fault_dev *dev, int socket_id, struct plx_err *err)
{
	char name[RTE_MEMPOOL_NAMESIZE];
	unsigned int size = rte_cryptodev_sym_get_private_session_size(dev->inner_id);

	if ((dev->inner_dev->feature_flags & RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO) != 0) {
		snprintf(name, sizeof(name), "plx_fault%u_sym", dev->inner_id);
		dev->sym_pool = rte_cryptodev_sym_session_pool_create(name, dev->nb_sessions, size,
								      0, 0, socket_id);
		if (dev->sym_pool == NULL)
			goto err_free;
		rte_mempool_obj_iter(dev->sym_pool, session_prepare, &size);
	}
	if ((dev->inner_dev->feature_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) != 0) {
		snprintf(name, sizeof(name), "plx_fault%u_asym", dev->inner_id);
		dev->asym_pool = rte_cryptodev_asym_session_pool_create(name, dev->nb_sessions, 0,
									sizeof(void *), socket_id);
		if (dev->asym_pool == NULL)
			goto err_free;
	}
	return 0;

err_free:
	pools_free(dev);
	return plx_err_set(err, -ENOMEM, "no memory for %u sessions (%s); set max_sessions",
			   dev->nb_sessions, rte_strerror(rte_errno));
}

/* What goes past the bursts, or needs more than an operation and a session, is not offered. */
static uint64_t
features_of(const struct rte_cryptodev *inner)
{
	uint64_t without = RTE_CRYPTODEV_FF_SECURITY | RTE_CRYPTODEV_FF_SYM_CPU_CRYPTO |
			   RTE_CRYPTODEV_FF_SYM_RAW_DP | RTE_CRYPTODEV_FF_SECURITY_INNER_CSUM;

#ifdef RTE_CRYPTODEV_FF_SECURITY_RX_INJECT
	without |= RTE_CRYPTODEV_FF_SECURITY_RX_INJECT;
#endif
	return inner->feature_flags & ~without;
}

static int
device_fill(struct rte_cryptodev *cryptodev, struct plx_pmd_inner *inner,
	    const struct fault_args *args, struct plx_err *err)
{
	struct fault_dev *dev = cryptodev->data->dev_private;
	struct rte_cryptodev_info info;

	dev->cryptodev = cryptodev;
	dev->inner = inner;
	dev->inner_dev = plx_pmd_inner_dev(inner);
	dev->inner_id = dev->inner_dev->data->dev_id;
	dev->nb_sessions = (uint32_t)args->nb_sessions;
	dev->hz_us = RTE_MAX(rte_get_tsc_hz() / 1000000, 1u);
	fault_dev_publish(dev, &args->plan);
	/* before the pools: creating one asks every device for its sizes, this one too */
	cryptodev->driver_id = fault_driver_id;
	cryptodev->dev_ops = &fault_dev_ops;
	cryptodev->enqueue_burst = fault_enqueue_burst;
	cryptodev->dequeue_burst = fault_dequeue_burst;
	cryptodev->feature_flags = features_of(dev->inner_dev);

	rte_cryptodev_info_get(dev->inner_id, &info);
	if (info.capabilities == NULL || info.capabilities[0].op == RTE_CRYPTO_OP_TYPE_UNDEFINED)
		return plx_err_set(err, -ENOTSUP,
				   "driver %s has no capabilities before it is configured",
				   args->inner);
	dev->max_nb_qps = (uint16_t)RTE_MIN(info.max_nb_queue_pairs, (unsigned int)QPS_MAX);
	if (args->max_nb_qps != 0 && args->max_nb_qps < dev->max_nb_qps)
		dev->max_nb_qps = (uint16_t)args->max_nb_qps;
	return pools_create(dev, cryptodev->data->socket_id, err);
}

static struct plx_pmd_registration fault_registration;

static int
device_create(struct rte_vdev_device *vdev, const char *name, const struct fault_args *args,
	      struct plx_err *err)
{
	struct rte_cryptodev_pmd_init_params params = {
		.private_data_size = sizeof(struct fault_dev),
		.max_nb_queue_pairs = (unsigned int)args->max_nb_qps,
		.socket_id = args->has_socket ? (int)args->socket_id : (int)rte_socket_id(),
	};
	char inner_name[RTE_CRYPTODEV_NAME_MAX_LEN + 8];
	char inner_args[ARGS_MAX + 64];
	struct rte_cryptodev *cryptodev;
	struct plx_pmd_inner *inner;
	struct fault_dev *dev;
	int ret;

	snprintf(inner_name, sizeof(inner_name), "%s.inner", name);
	ret = inner_args_make(args, inner_args, sizeof(inner_args), err);
	if (ret < 0)
		return ret;
	ret = plx_pmd_inner_create(inner_name, args->inner, inner_args, &inner, err);
	if (ret < 0)
		return ret;
	cryptodev = rte_cryptodev_pmd_create(name, &vdev->device, &params);
	if (cryptodev == NULL) {
		ret = plx_err_set(err, -ENOMEM, "no memory or no free device id for '%s'", name);
		goto err_destroy_inner;
	}
	ret = device_fill(cryptodev, inner, args, err);
	if (ret < 0)
		goto err_destroy_device;
	dev = cryptodev->data->dev_private;
	plx_pmd_alias(&fault_registration, cryptodev, &dev->alias);
	fault_registry_add(dev);
	rte_cryptodev_pmd_probing_finish(cryptodev);
	return 0;

err_destroy_device:
	rte_cryptodev_pmd_destroy(cryptodev);
err_destroy_inner:
	plx_pmd_inner_destroy(inner);
	return ret;
}

static int
fault_probe(struct rte_vdev_device *vdev)
{
	struct fault_args args = { .nb_sessions = SESSIONS_DEFAULT };
	const char *name = rte_vdev_device_name(vdev);
	struct plx_err err = { "" };
	int ret;

	if (name == NULL)
		return -EINVAL;
	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		FAULT_LOG(ERR, "%s: works in a primary process only", name);
		return -ENOTSUP;
	}
	fault_plan_init(&args.plan);
	ret = plx_pmd_args_walk(rte_vdev_device_args(vdev), arg_take, &args, &err);
	if (ret == 0 && args.inner[0] == '\0')
		ret = plx_err_set(&err, -EINVAL,
				  "inner= is missing; name a driver such as inner=crypto_openssl");
	if (ret == 0)
		ret = device_create(vdev, name, &args, &err);
	if (ret < 0)
		FAULT_LOG(ERR, "%s: %s", name, err.text);
	return ret;
}

static int
fault_remove(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);
	struct rte_cryptodev *cryptodev =
		name != NULL ? rte_cryptodev_pmd_get_named_dev(name) : NULL;
	struct fault_dev *dev;
	struct fault_dev kept;
	int ret;

	if (cryptodev == NULL)
		return -ENODEV;
	dev = cryptodev->data->dev_private;
	if (cryptodev->data->dev_started != 0) {
		FAULT_LOG(ERR, "%s: is started; stop it first", name);
		return -EBUSY;
	}
	if ((dev->sym_pool != NULL && !rte_mempool_full(dev->sym_pool)) ||
	    (dev->asym_pool != NULL && !rte_mempool_full(dev->asym_pool)))
		FAULT_LOG(WARNING, "%s: removed while it has sessions; they are gone", name);
	fault_registry_remove(dev);
	kept = *dev;
	ret = rte_cryptodev_pmd_destroy(cryptodev);
	if (ret < 0) {
		fault_registry_add(dev);
		return ret;
	}
	ret = plx_pmd_inner_destroy(kept.inner);
	if (ret < 0)
		FAULT_LOG(ERR, "%s: the inner device did not go (%s)", name, rte_strerror(-ret));
	pools_free(&kept);
	return 0;
}

static struct rte_vdev_driver fault_vdev_driver = {
	.probe = fault_probe,
	.remove = fault_remove,
};

PLX_PMD_REGISTER(crypto_plx_fault, fault_vdev_driver, fault_registration, fault_driver_id,
		 "PLX_FAULT_DRIVER_ALIAS");
RTE_PMD_REGISTER_PARAM_STRING(
	crypto_plx_fault,
	"inner=<driver> inner_args=[<args>] max_nb_queue_pairs=<int> socket_id=<int> "
	"max_sessions=<int> seed=<int> refuse= bad_status= touch= fail= corrupt= delay= "
	"reorder= stall= vanish= foreign=<when>[:<detail>][:limit=<n>][:while=<file>]");
RTE_LOG_REGISTER(fault_logtype, pmd.crypto.plx_fault, NOTICE);
