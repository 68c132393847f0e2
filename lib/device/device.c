/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_device.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include <rte_cryptodev.h>

#include "device_priv.h"

/*
 * One device's life: configured with its queue pairs, started, handed out a queue pair at a time,
 * stopped when it is given up, and perhaps set up again. Health is the only field that lcores
 * write.
 */

RTE_LOG_REGISTER(device_logtype, plx.device, INFO)

static void
health_set(struct plx_device *dev, enum plx_health health)
{
	atomic_store_explicit(&dev->health, health, memory_order_release);
}

static enum plx_health
health_get(const struct plx_device *dev)
{
	return (enum plx_health)atomic_load_explicit(&dev->health, memory_order_acquire);
}

const char *
device_errno_name(int code)
{
	const char *name = strerrorname_np(code < 0 ? -code : code);

	return name != NULL ? name : "an error without a name";
}

static int
driver_err(const struct device *d, const char *what, int ret, struct plx_err *err)
{
	/* drivers return -1 for want of a better number */
	if (ret >= 0)
		ret = -EIO;
	return plx_err_set(err, ret,
			   "%s: driver %s did not %s (%s); its own message is in the log above",
			   d->pub.name, d->pub.driver, what, device_errno_name(ret));
}

static int
qps_setup_with(struct device *d, uint16_t nb_desc)
{
	struct device_domain *dom = &d->devs->doms[d->pub.sess_dom];
	const struct rte_cryptodev_qp_conf conf = {
		.nb_descriptors = nb_desc,
		.mp_session = dom->sym.nb_mp > 0 ? dom->sym.mp[0] : NULL,
	};
	uint16_t qp;
	int ret;

	for (qp = 0; qp < d->pub.nb_qps; qp++) {
		ret = rte_cryptodev_queue_pair_setup(d->pub.dev_id, qp, &conf, d->pub.socket_id);
		if (ret != 0)
			return ret < 0 ? ret : -EIO;
	}
	return 0;
}

/* What a device takes is told by no field: halve the number until the driver is content. */
static int
qps_setup(struct device *d, struct plx_err *err)
{
	uint16_t nb_desc = d->devs->nb_desc;
	int first = 0;
	int ret;

	for (;;) {
		ret = qps_setup_with(d, nb_desc);
		if (ret == 0)
			break;
		if (first == 0)
			first = ret;
		if (nb_desc / 2 < DEVICE_DESC_MIN)
			return driver_err(d, "set up a queue pair", first, err);
		nb_desc /= 2;
	}
	if (first != 0)
		DEVICE_LOG(WARNING,
			   "%s: queue pairs of %u descriptors were refused (%s), it has %u",
			   d->pub.name, d->devs->nb_desc, device_errno_name(first), nb_desc);
	d->pub.nb_desc = nb_desc;
	return 0;
}

static int
configure(struct device *d, struct plx_err *err)
{
	struct rte_cryptodev_config conf = {
		.socket_id = d->pub.socket_id,
		.nb_queue_pairs = d->pub.nb_qps,
	};
	int ret = rte_cryptodev_configure(d->pub.dev_id, &conf);

	return ret == 0 ? 0 : driver_err(d, "take its configuration", ret, err);
}

static int
start(struct device *d, struct plx_err *err)
{
	int ret = qps_setup(d, err);

	if (ret < 0)
		return ret;
	ret = rte_cryptodev_start(d->pub.dev_id);
	if (ret != 0)
		return driver_err(d, "start", ret, err);
	health_set(&d->pub, PLX_HEALTH_UP);
	return 0;
}

/* Configure, join a session domain, set up queue pairs, start. On failure the device is in no
 * domain. */
int
device_setup(struct device *d, struct plx_err *err)
{
	int ret = configure(d, err);

	if (ret < 0)
		return ret;
	ret = device_domain_join(d, err);
	if (ret < 0)
		return ret;
	ret = start(d, err);
	if (ret < 0)
		device_domain_leave(d);
	return ret;
}

void
device_halt(struct device *d)
{
	if (health_get(&d->pub) != PLX_HEALTH_STOPPED)
		rte_cryptodev_stop(d->pub.dev_id);
	health_set(&d->pub, PLX_HEALTH_STOPPED);
}

bool
device_is_held(const struct device *d)
{
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(d->qps_taken); i++) {
		if (d->qps_taken[i] != 0)
			return true;
	}
	return false;
}

int
plx_device_qp_get(struct plx_device *dev, uint16_t *qp_id, struct plx_err *err)
{
	struct device *d = device_of(dev);
	enum plx_health health = health_get(dev);
	uint16_t qp;
	int ret;

	if (health == PLX_HEALTH_LOST || health == PLX_HEALTH_STOPPED)
		return plx_err_set(err, -EPERM, "%s is %s; revive or remove it", dev->name,
				   plx_health_name(health));
	for (qp = 0; qp < dev->nb_qps; qp++) {
		if (((d->qps_taken[qp / 64] >> (qp % 64)) & 1) == 0)
			break;
	}
	if (qp == dev->nb_qps)
		return plx_err_set(err, -EAGAIN,
				   "%s: all of its %u queue pairs are taken; use fewer engines or "
				   "another device",
				   dev->name, dev->nb_qps);
	ret = device_sessions_slot_fill(d, qp, err);
	if (ret < 0)
		return ret;
	d->qps_taken[qp / 64] |= UINT64_C(1) << (qp % 64);
	*qp_id = qp;
	return 0;
}

void
plx_device_qp_put(struct plx_device *dev, uint16_t qp_id)
{
	struct device *d = device_of(dev);

	d->qps_taken[qp_id / 64] &= ~(UINT64_C(1) << (qp_id % 64));
	device_sessions_slot_clear(d, qp_id);
}

void
plx_device_stop(struct plx_device *dev)
{
	if (health_get(dev) == PLX_HEALTH_STOPPED)
		return;
	device_halt(device_of(dev));
	DEVICE_LOG(NOTICE, "%s: stopped", dev->name);
}

int
plx_device_revive(struct plx_device *dev, struct plx_err *err)
{
	struct device *d = device_of(dev);
	int ret;

	if (device_is_held(d))
		return plx_err_set(err, -EBUSY,
				   "%s: an engine holds one of its queue pairs; take it from the "
				   "engines first",
				   dev->name);
	if (health_get(dev) == PLX_HEALTH_UP)
		return 0;
	device_halt(d);
	ret = configure(d, err);
	if (ret == 0)
		ret = start(d, err);
	if (ret == 0)
		DEVICE_LOG(NOTICE, "%s: revived", dev->name);
	return ret;
}

const char *
plx_health_name(enum plx_health health)
{
	switch (health) {
	case PLX_HEALTH_UP:
		return "up";
	case PLX_HEALTH_BLOCKED:
		return "blocked";
	case PLX_HEALTH_STALLED:
		return "stalled";
	case PLX_HEALTH_LOST:
		return "lost";
	case PLX_HEALTH_STOPPED:
		return "stopped";
	default:
		return "?";
	}
}
