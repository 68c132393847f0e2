/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_device.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/provider.h>

#include <rte_dev.h>

#include "device_priv.h"

/*
 * The registry: an array of devices by index, the session domains, the sessions that live. A place
 * is free again when its device is removed, which no engine holds then.
 */

#define NB_DESC_DEFAULT     2048
#define NB_DESC_MAX         32768
#define NB_SESSIONS_DEFAULT 4096
#define NB_SESSIONS_MAX     1048576

/* A device that has none of these takes data in one mbuf only. */
#define SGL_FLAGS                                                                                  \
	(RTE_CRYPTODEV_FF_IN_PLACE_SGL | RTE_CRYPTODEV_FF_OOP_SGL_IN_SGL_OUT |                     \
	 RTE_CRYPTODEV_FF_OOP_SGL_IN_LB_OUT | RTE_CRYPTODEV_FF_OOP_LB_IN_SGL_OUT)

/* A device behind a wrapper. */
bool
device_is_inner(const char *name)
{
	static const char suffix[] = ".inner";
	size_t len = strlen(name);

	return len >= sizeof(suffix) - 1 && strcmp(name + len - (sizeof(suffix) - 1), suffix) == 0;
}

static bool
is_skipped(const char *name, const char *const *skip)
{
	if (device_is_inner(name))
		return true;
	for (; skip != NULL && *skip != NULL; skip++) {
		if (strcmp(name, *skip) == 0)
			return true;
	}
	return false;
}

static int
params_check(const struct plx_devices_params *p, struct plx_err *err)
{
	if (p->size == 0)
		return plx_err_set(
			err, -EINVAL,
			"devices: size is 0; set it to sizeof(struct plx_devices_params)");
	if (p->nb_qps > PLX_DEVICE_QPS_MAX)
		return plx_err_set(err, -EINVAL,
				   "devices: %u queue pairs; give 1 to %u, or 0 for all", p->nb_qps,
				   PLX_DEVICE_QPS_MAX);
	if (p->nb_desc != 0 && (p->nb_desc < DEVICE_DESC_MIN || p->nb_desc > NB_DESC_MAX ||
				(p->nb_desc & (p->nb_desc - 1)) != 0))
		return plx_err_set(err, -EINVAL,
				   "devices: %u descriptors; give a power of two from %u to %u",
				   p->nb_desc, DEVICE_DESC_MIN, NB_DESC_MAX);
	if (p->nb_sessions > NB_SESSIONS_MAX)
		return plx_err_set(err, -EINVAL, "devices: %u sessions; give 1 to %u",
				   p->nb_sessions, NB_SESSIONS_MAX);
	return 0;
}

static uint16_t
nb_qps_for(const struct device *d, const struct rte_cryptodev_info *info)
{
	unsigned int nb = d->devs->nb_qps != 0 ? d->devs->nb_qps : PLX_DEVICE_QPS_MAX;

	if (d->devs->nb_qps > info->max_nb_queue_pairs)
		DEVICE_LOG(INFO, "%s: %u queue pairs wanted, it has %u", d->pub.name,
			   d->devs->nb_qps, info->max_nb_queue_pairs);
	return (uint16_t)RTE_MIN(nb, info->max_nb_queue_pairs);
}

/* Slots in each asymmetric session, one a queue pair; fewer queue pairs when there are not enough.
 */
static int
slots_take(struct device *d, struct plx_err *err)
{
	bool *taken = d->devs->slots_taken;
	uint32_t best_at = 0;
	uint32_t best_nb = 0;
	uint32_t nb = 0;
	uint32_t i;

	d->pub.qp_sess_base = PLX_SESS_SLOTS_MAX;
	if (!d->pub.asym_single_qp)
		return 0;
	for (i = 0; i < PLX_SESS_SLOTS_MAX && best_nb < d->pub.nb_qps; i++) {
		nb = taken[i] ? 0 : nb + 1;
		if (nb > best_nb) {
			best_nb = nb;
			best_at = i + 1 - nb;
		}
	}
	if (best_nb == 0)
		return plx_err_set(
			err, -ENOSPC,
			"%s: all %u queue pairs with asymmetric sessions of their own are in "
			"use; remove a device of driver %s first",
			d->pub.name, PLX_SESS_SLOTS_MAX, d->pub.driver);
	if (best_nb < d->pub.nb_qps) {
		DEVICE_LOG(WARNING,
			   "%s: %u of its %u queue pairs are used: there are %u in all with "
			   "asymmetric sessions of their own",
			   d->pub.name, best_nb, d->pub.nb_qps, PLX_SESS_SLOTS_MAX);
		d->pub.nb_qps = (uint16_t)best_nb;
	}
	d->pub.qp_sess_base = best_at;
	memset(&taken[best_at], true, d->pub.nb_qps);
	return 0;
}

static void
slots_give(struct device *d)
{
	if (d->pub.qp_sess_base < PLX_SESS_SLOTS_MAX)
		memset(&d->devs->slots_taken[d->pub.qp_sess_base], false, d->pub.nb_qps);
}

static int
identify(struct device *d, uint8_t dev_id, struct plx_err *err)
{
	struct rte_cryptodev_info info;
	const char *name = rte_cryptodev_name_get(dev_id);

	rte_cryptodev_info_get(dev_id, &info);
	d->quirk = device_quirk_find(info.driver_name);
	snprintf(d->pub.name, sizeof(d->pub.name), "%s", name);
	snprintf(d->pub.driver, sizeof(d->pub.driver), "%s", info.driver_name);
	snprintf(d->bus_name, sizeof(d->bus_name), "%s",
		 info.device != NULL ? rte_dev_name(info.device) : name);
	d->pub.dev_id = dev_id;
	d->pub.is_wrapper = d->quirk->is_wrapper;
	d->pub.is_software = (info.feature_flags & RTE_CRYPTODEV_FF_HW_ACCELERATED) == 0;
	d->pub.asym_single_qp = d->quirk->asym_single_qp;
	d->pub.checks_length = d->quirk->checks_length;
	d->pub.hmac_needs_data = d->quirk->hmac_needs_data;
	/* nor to one that does not say that it takes them */
	d->pub.chains_broken = d->quirk->chains_broken || (info.feature_flags & SGL_FLAGS) == 0;
	d->pub.socket_id = rte_cryptodev_socket_id(dev_id);
	d->pub.feature_flags = info.feature_flags;
	d->pub.nb_qps = nb_qps_for(d, &info);
	if (d->pub.nb_qps == 0)
		return plx_err_set(err, -ENODEV,
				   "%s: it has no queue pairs; give it some or skip it",
				   d->pub.name);
	return slots_take(d, err);
}

/* Set up the cryptodev and put it into the registry; sessions that live are extended to it. */
int
device_take(struct plx_devices *devs, uint8_t dev_id, struct device **out, struct plx_err *err)
{
	struct device *d;
	uint32_t i;
	int ret;

	for (i = 0; i < PLX_DEVICES_MAX && devs->devs[i] != NULL; i++)
		;
	if (i == PLX_DEVICES_MAX)
		return plx_err_set(err, -ENOSPC,
				   "%s: %u devices are the most; remove one or skip it",
				   rte_cryptodev_name_get(dev_id), PLX_DEVICES_MAX);
	d = calloc(1, sizeof(*d));
	if (d == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for a device");
	d->devs = devs;
	d->pub.index = i;
	ret = identify(d, dev_id, err);
	if (ret < 0)
		goto err_free;
	ret = device_setup(d, err);
	if (ret < 0)
		goto err_slots;
	devs->devs[i] = d;
	if (devs->doms[d->pub.sess_dom].nb_devs == 1)
		ret = device_sessions_extend(devs, d->pub.sess_dom, err);
	if (ret < 0)
		goto err_halt;
	DEVICE_LOG(INFO, "%s: driver %s, %u queue pairs of %u descriptors, socket %d", d->pub.name,
		   d->pub.driver, d->pub.nb_qps, d->pub.nb_desc, d->pub.socket_id);
	*out = d;
	return 0;

err_halt:
	devs->devs[i] = NULL;
	device_halt(d);
	device_domain_leave(d);
err_slots:
	slots_give(d);
err_free:
	free(d);
	return ret;
}

/* Out of the registry; no queue pair may be held. */
void
device_forget(struct device *d)
{
	struct plx_devices *devs = d->devs;

	if (devs->doms[d->pub.sess_dom].nb_devs == 1)
		device_sessions_withdraw(devs, d->pub.sess_dom);
	device_halt(d);
	device_domain_leave(d);
	slots_give(d);
	devs->devs[d->pub.index] = NULL;
	free(d);
}

int
plx_devices_create(const struct plx_devices_params *params, struct plx_devices **out,
		   struct plx_err *err)
{
	struct plx_devices_params p = { .size = sizeof(p) };
	struct plx_devices *devs;
	struct device *d;
	unsigned int id;
	int ret;

	if (params != NULL)
		memcpy(&p, params, RTE_MIN(params->size, sizeof(p)));
	if (params != NULL)
		p.size = params->size;
	ret = params_check(&p, err);
	if (ret < 0)
		return ret;
	devs = calloc(1, sizeof(*devs));
	if (devs == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for the devices");
	TAILQ_INIT(&devs->sessions);
	/* removing a crypto_openssl device unloads the default provider, unless somebody else has
	 * loaded it too; it stays for the rest of the process */
	if (OSSL_PROVIDER_load(NULL, "default") == NULL) {
		free(devs);
		return plx_err_set(err, -ENOMEM, "OpenSSL's default provider does not load");
	}
	devs->nb_qps = p.nb_qps;
	devs->nb_desc = p.nb_desc != 0 ? p.nb_desc : NB_DESC_DEFAULT;
	devs->nb_sessions = p.nb_sessions != 0 ? p.nb_sessions : NB_SESSIONS_DEFAULT;

	for (id = 0; id < RTE_CRYPTO_MAX_DEVS && !p.start_empty; id++) {
		if (!rte_cryptodev_is_valid_dev((uint8_t)id) ||
		    is_skipped(rte_cryptodev_name_get((uint8_t)id), p.skip))
			continue;
		ret = device_take(devs, (uint8_t)id, &d, err);
		if (ret < 0) {
			plx_devices_destroy(devs);
			return ret;
		}
	}
	*out = devs;
	return 0;
}

void
plx_devices_destroy(struct plx_devices *devs)
{
	struct device_unplug unplug;
	struct plx_err err;
	uint32_t i;

	if (devs == NULL)
		return;
	/* last in, first out: a wrapper that was added goes before the device behind it */
	for (i = PLX_DEVICES_MAX; i-- > 0;) {
		if (devs->devs[i] == NULL)
			continue;
		device_unplug_prepare(devs->devs[i], &unplug);
		device_forget(devs->devs[i]);
		if (device_unplug(&unplug, &err) < 0)
			DEVICE_LOG(ERR, "%s", err.text);
	}
	free(devs);
}

int
plx_devices_take(struct plx_devices *devs, uint8_t dev_id, struct plx_device **out,
		 struct plx_err *err)
{
	struct device *d;
	int ret;

	if (rte_cryptodev_is_valid_dev(dev_id) == 0)
		return plx_err_set(err, -ENODEV, "no cryptodev has the id %u", dev_id);
	if (plx_devices_find(devs, rte_cryptodev_name_get(dev_id)) != NULL)
		return plx_err_set(err, -EEXIST, "%s is in use already",
				   rte_cryptodev_name_get(dev_id));
	ret = device_take(devs, dev_id, &d, err);
	if (ret == 0)
		*out = &d->pub;
	return ret;
}

int
plx_devices_remove(struct plx_devices *devs, struct plx_device *dev, struct plx_err *err)
{
	struct device *d = device_of(dev);
	struct device_unplug unplug;

	if (devs->devs[dev->index] != d)
		return plx_err_set(err, -ENOENT, "%s is not in this registry", dev->name);
	if (device_is_held(d))
		return plx_err_set(err, -EBUSY,
				   "%s: an engine holds one of its queue pairs; take it from the "
				   "engines first",
				   dev->name);
	device_unplug_prepare(d, &unplug);
	device_forget(d);
	return device_unplug(&unplug, err);
}

struct plx_device *
plx_devices_next(struct plx_devices *devs, uint32_t *pos)
{
	while (*pos < PLX_DEVICES_MAX) {
		struct device *d = devs->devs[(*pos)++];

		if (d != NULL)
			return &d->pub;
	}
	return NULL;
}

struct plx_device *
plx_devices_find(struct plx_devices *devs, const char *name)
{
	uint32_t pos = 0;
	struct plx_device *dev;

	while ((dev = plx_devices_next(devs, &pos)) != NULL) {
		if (strcmp(dev->name, name) == 0)
			return dev;
	}
	return NULL;
}
