/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"
#include "pollux_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_errno.h>
#include <rte_lcore.h>

/* Probe and remove: arguments, the group, the devices behind, the engines. */

int pollux_logtype;
uint8_t pollux_driver_id;

static int
locks_init(struct pollux_dev *dev)
{
	pthread_condattr_t attr;

	pthread_mutex_init(&dev->control, NULL);
	pthread_mutex_init(&dev->keeper_lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&dev->keeper_changed, &attr);
	pthread_condattr_destroy(&attr);
	return 0;
}

/* In the order in which they need each other; all of it may be half made. */
static void
dev_take_apart(struct pollux_dev *dev)
{
	uint32_t nb = pollux_sessions_free(dev);

	if (nb != 0)
		POLLUX_LOG(WARNING, "%s: removed while it has %u sessions; they are gone",
			   dev->cryptodev->data->name, nb);
	plx_engines_destroy(dev->es);
	pollux_runners_free(dev);
	pollux_inner_free_all(dev);
	plx_devices_destroy(dev->devs);
	pollux_caps_free(dev);
}

static void
dev_free(struct pollux_dev *dev)
{
	pollux_args_free(&dev->args);
	pthread_cond_destroy(&dev->keeper_changed);
	pthread_mutex_destroy(&dev->keeper_lock);
	pthread_mutex_destroy(&dev->control);
	free(dev);
}

static int
dev_new(const char *args, struct pollux_dev **out, struct plx_err *err)
{
	struct pollux_dev *dev = calloc(1, sizeof(*dev));
	int ret;

	if (dev == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for a device");
	ret = locks_init(dev);
	if (ret == 0)
		ret = pollux_args_read(&dev->args, args, err);
	if (ret < 0) {
		dev_free(dev);
		return ret;
	}
	LIST_INIT(&dev->runners);
	LIST_INIT(&dev->sessions);
	*out = dev;
	return 0;
}

static int
group_create(struct pollux_dev *dev, struct plx_err *err)
{
	const struct plx_devices_params dp = {
		.size = sizeof(dp),
		.nb_desc = (uint16_t)dev->args.opt->nb_desc,
		.nb_sessions = dev->args.opt->nb_sessions,
		.start_empty = true,
	};
	struct plx_engines_params ep;
	int ret;

	pollux_args_params(&dev->args, &ep);
	ret = plx_devices_create(&dp, &dev->devs, err);
	return ret < 0 ? ret : plx_engines_create(dev->devs, &ep, &dev->es, err);
}

static int
devices_create(struct pollux_dev *dev, struct plx_err *err)
{
	int ret = 0;

	if (dev->args.nb_specs == 0)
		return pollux_inner_add_default(dev, err);
	for (uint32_t i = 0; i < dev->args.nb_specs && ret == 0; i++)
		ret = pollux_inner_add(dev, dev->args.specs[i], err);
	return ret;
}

static int
parts_create(struct pollux_dev *dev, struct plx_err *err)
{
	uint32_t id;
	int ret;

	ret = group_create(dev, err);
	if (ret == 0)
		ret = devices_create(dev, err);
	for (uint32_t i = 0; i < dev->args.opt->nb_engines && ret == 0; i++)
		ret = pollux_engine_new(dev, PLX_POLLUX_ANY_CPU, &id, err);
	if (ret == 0)
		ret = pollux_caps_update(dev, err);
	return ret;
}

static struct plx_pmd_registration pollux_registration;

static int
cryptodev_create(struct rte_vdev_device *vdev, const char *name, struct pollux_dev *dev,
		 struct plx_err *err)
{
	struct rte_cryptodev_pmd_init_params params = {
		.private_data_size = sizeof(dev),
		.max_nb_queue_pairs = dev->args.opt->max_nb_qps,
		.socket_id =
			dev->args.has_socket ? (int)dev->args.opt->socket_id : (int)rte_socket_id(),
	};
	struct rte_cryptodev *cryptodev;
	int ret;

	cryptodev = rte_cryptodev_pmd_create(name, &vdev->device, &params);
	if (cryptodev == NULL)
		return plx_err_set(err, -ENOMEM, "no memory or no free device id (%s)",
				   rte_strerror(rte_errno));
	dev->cryptodev = cryptodev;
	*(struct pollux_dev **)cryptodev->data->dev_private = dev;
	plx_pmd_alias(&pollux_registration, dev->cryptodev, &dev->alias);
	/* before the pools of those behind: creating one asks every device for its sizes */
	cryptodev->driver_id = pollux_driver_id;
	cryptodev->dev_ops = &pollux_dev_ops;
	cryptodev->enqueue_burst = pollux_enqueue_burst;
	cryptodev->dequeue_burst = pollux_dequeue_burst;
	ret = parts_create(dev, err);
	if (ret < 0) {
		dev_take_apart(dev);
		rte_cryptodev_pmd_destroy(cryptodev);
		return ret;
	}
	pollux_registry_add(dev);
	rte_cryptodev_pmd_probing_finish(cryptodev);
	return 0;
}

static int
pollux_probe(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);
	struct plx_err err = { "" };
	struct pollux_dev *dev = NULL;
	int ret;

	if (name == NULL)
		return -EINVAL;
	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		POLLUX_LOG(ERR, "%s: works in a primary process only", name);
		return -ENOTSUP;
	}
	ret = dev_new(rte_vdev_device_args(vdev), &dev, &err);
	if (ret == 0 && dev != NULL) {
		ret = cryptodev_create(vdev, name, dev, &err);
		if (ret < 0)
			dev_free(dev);
	}
	if (ret < 0)
		POLLUX_LOG(ERR, "%s: %s", name, err.text);
	return ret;
}

static int
pollux_remove(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);
	struct rte_cryptodev *cryptodev =
		name != NULL ? rte_cryptodev_pmd_get_named_dev(name) : NULL;
	struct pollux_dev *dev;
	int ret;

	if (cryptodev == NULL)
		return -ENODEV;
	dev = pollux_dev_of(cryptodev);
	if (cryptodev->data->dev_started != 0) {
		POLLUX_LOG(ERR, "%s: is started; stop it first", name);
		return -EBUSY;
	}
	pollux_registry_remove(dev);
	for (uint16_t i = 0; i < cryptodev->data->nb_queue_pairs; i++)
		(void)pollux_dev_ops.queue_pair_release(cryptodev, i);
	dev_take_apart(dev);
	ret = rte_cryptodev_pmd_destroy(cryptodev);
	dev_free(dev);
	return ret;
}

static struct rte_vdev_driver pollux_vdev_driver = {
	.probe = pollux_probe,
	.remove = pollux_remove,
};

PLX_PMD_REGISTER(crypto_pollux, pollux_vdev_driver, pollux_registration, pollux_driver_id,
		 "PLX_POLLUX_DRIVER_ALIAS");
RTE_PMD_REGISTER_PARAM_STRING(
	crypto_pollux,
	"device=<driver>|[<driver>,<args>]|<cryptodev>|<pci> engines=<int> cores=<list> service=on|off "
	"mode=inline|pipeline|auto policy=session|round-robin|least-loaded|size class=high|normal|bulk "
	"weight-high=<int> weight-normal=<int> weight-bulk=<int> burst=<int> batch-wait=<time> "
	"deadline=<time> stall=<time> lost=<time> idle=<time> lane-slots=<int> help=<int> "
	"size-split=<size> "
	"shadow=on|off max_nb_queue_pairs=<int> socket_id=<int> queue-pairs=<int> descriptors=<int> "
	"sessions=<int>");
RTE_LOG_REGISTER(pollux_logtype, pmd.crypto.pollux, NOTICE);
