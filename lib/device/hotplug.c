/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_dev.h>
#include <rte_ring.h>

#include "device_priv.h"

/*
 * Devices that come and go while EAL runs. Which cryptodevs a vdev or a PCI function brings is
 * found by looking at the list before and after: names are the driver's choice
 * ("0000:3d:01.0_qat_sym").
 */

#define SPEC_NAME_MAX 63

struct plug {
	char name[SPEC_NAME_MAX + 1];
	const char *args; /* behind the first comma; "" when there are none */
	bool is_pci;
	bool known[RTE_CRYPTO_MAX_DEVS];
};

static bool
is_pci_address(const char *name)
{
	return strspn(name, "0123456789abcdefABCDEF:.") == strlen(name) &&
	       strchr(name, ':') != NULL && strchr(name, '.') != NULL;
}

static bool
has_arg(const char *args, const char *key)
{
	size_t len = strlen(key);
	const char *at;

	for (at = args; at != NULL; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, key, len) == 0 && at[len] == '=')
			return true;
	}
	return false;
}

static int
spec_read(const char *spec, struct plug *plug, struct plx_err *err)
{
	size_t len;

	if (spec == NULL || spec[0] == '\0' || spec[0] == ',')
		return plx_err_set(err, -EINVAL,
				   "no device name; give one like crypto_openssl1 or 0000:3d:01.0");
	len = strcspn(spec, ",");
	if (len > SPEC_NAME_MAX)
		return plx_err_set(err, -EINVAL, "a device name of %zu characters; give up to %u",
				   len, SPEC_NAME_MAX);
	memcpy(plug->name, spec, len);
	plug->name[len] = '\0';
	plug->args = spec[len] == ',' ? spec + len + 1 : "";
	plug->is_pci = is_pci_address(plug->name);
	if (device_is_inner(plug->name))
		return plx_err_set(err, -EINVAL,
				   "%s belongs to the device that wraps it; add that one",
				   plug->name);
	/* the drivers look for the vdev's name when they remove it, and would not find it */
	if (has_arg(plug->args, "name"))
		return plx_err_set(err, -EINVAL,
				   "%s: a device with another name cannot be removed again; leave "
				   "out name=",
				   plug->name);
	return 0;
}

static void
known_note(struct plug *plug)
{
	unsigned int id;

	for (id = 0; id < RTE_CRYPTO_MAX_DEVS; id++)
		plug->known[id] = rte_cryptodev_is_valid_dev((uint8_t)id) != 0;
}

static int
vdev_make(const struct plug *plug, struct plx_err *err)
{
	int ret = rte_vdev_init(plug->name, plug->args);

	if (ret == 0)
		return 0;
	if (ret == -EEXIST)
		return plx_err_set(err, ret, "%s exists already; choose another name", plug->name);
	/* the bus says -1 or a positive number when it knows no driver */
	if (ret > 0 || ret == -1)
		return plx_err_set(err, -ENODEV,
				   "%s: no driver takes it; names begin with the driver's, as in "
				   "crypto_openssl1",
				   plug->name);
	return plx_err_set(err, ret, "%s: the driver refused \"%s\" (%s); look at its arguments",
			   plug->name, plug->args, device_errno_name(ret));
}

static int
pci_probe(const struct plug *plug, const char *spec, struct plx_err *err)
{
	int ret = rte_dev_probe(spec);

	if (ret == 0)
		return 0;
	if (ret == -EEXIST)
		return plx_err_set(err, ret, "%s is probed already", plug->name);
	return plx_err_set(err, ret < -1 ? ret : -ENODEV,
			   "%s: no driver took the PCI function (%s); bind it to vfio-pci and see "
			   "that its driver is installed",
			   plug->name, device_errno_name(ret));
}

void
device_unplug_prepare(const struct device *d, struct device_unplug *unplug)
{
	struct rte_cryptodev_info info;
	uint32_t pos = 0;
	struct plx_device *other;

	memset(unplug, 0, sizeof(*unplug));
	memcpy(unplug->name, d->pub.name, sizeof(unplug->name));
	memcpy(unplug->bus_name, d->bus_name, sizeof(unplug->bus_name));
	rte_cryptodev_info_get(d->pub.dev_id, &info);
	unplug->rte_dev = info.device;
	unplug->ring_names = d->quirk->ring_names;
	unplug->dev_id = d->pub.dev_id;
	unplug->nb_qps = d->pub.nb_qps;
	unplug->is_vdev = d->pub.is_vdev_ours;
	unplug->is_pci = d->is_probed_ours;
	/* one PCI function may hold several cryptodevs: the last one takes it along */
	while ((other = plx_devices_next(d->devs, &pos)) != NULL) {
		if (other != &d->pub && strcmp(device_of(other)->bus_name, d->bus_name) == 0)
			unplug->is_vdev = unplug->is_pci = false;
	}
}

/* See quirk.c: rings that outlive their device would be handed to the next one with its id. */
static void
forgotten_rings_free(const struct device_unplug *unplug)
{
	char name[RTE_RING_NAMESIZE];
	uint16_t qp;

	for (qp = 0; unplug->ring_names != NULL && qp < unplug->nb_qps; qp++) {
		int n;

		/* the pattern is one of quirk.c's: two unsigned numbers */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		n = snprintf(name, sizeof(name), unplug->ring_names, unplug->dev_id, qp);
#pragma GCC diagnostic pop
		if (n > 0 && (size_t)n < sizeof(name))
			rte_ring_free(rte_ring_lookup(name));
	}
}

/* Destroy what plx_devices_add() made; the device was forgotten before. */
int
device_unplug(const struct device_unplug *unplug, struct plx_err *err)
{
	int ret = 0;

	if (unplug->is_vdev) {
		ret = rte_vdev_uninit(unplug->bus_name);
		if (ret == 0)
			forgotten_rings_free(unplug);
	} else if (unplug->is_pci && unplug->rte_dev != NULL) {
		ret = rte_dev_remove(unplug->rte_dev);
	}
	if (ret == 0)
		return 0;
	return plx_err_set(err, ret < 0 ? ret : -EIO,
			   "%s is no longer used, but its driver did not let it go (%s)",
			   unplug->name, device_errno_name(ret));
}

/* What was made goes again, when nothing of it is in the registry. */
static void
plug_undo(const struct plug *plug)
{
	struct rte_cryptodev_info info;
	unsigned int id;

	if (!plug->is_pci) {
		(void)rte_vdev_uninit(plug->name);
		return;
	}
	for (id = 0; id < RTE_CRYPTO_MAX_DEVS; id++) {
		if (plug->known[id] || !rte_cryptodev_is_valid_dev((uint8_t)id))
			continue;
		rte_cryptodev_info_get((uint8_t)id, &info);
		if (info.device != NULL)
			(void)rte_dev_remove(info.device);
		return;
	}
}

static void
new_ones_forget(struct plx_devices *devs, const struct plug *plug)
{
	uint32_t pos = 0;
	struct plx_device *dev;

	while ((dev = plx_devices_next(devs, &pos)) != NULL) {
		if (!plug->known[dev->dev_id])
			device_forget(device_of(dev));
	}
}

/* Into the registry with each cryptodev that was not there before. */
static int
new_ones_take(struct plx_devices *devs, const struct plug *plug, struct plx_device **out,
	      struct plx_err *err)
{
	struct plx_device *first = NULL;
	struct device *d;
	unsigned int id;
	int ret;

	for (id = 0; id < RTE_CRYPTO_MAX_DEVS; id++) {
		if (plug->known[id] || !rte_cryptodev_is_valid_dev((uint8_t)id) ||
		    device_is_inner(rte_cryptodev_name_get((uint8_t)id)))
			continue;
		ret = device_take(devs, (uint8_t)id, &d, err);
		if (ret < 0) {
			new_ones_forget(devs, plug);
			return ret;
		}
		d->pub.is_vdev_ours = !plug->is_pci;
		d->is_probed_ours = plug->is_pci;
		if (first == NULL)
			first = &d->pub;
	}
	if (first == NULL)
		return plx_err_set(err, -ENODEV, "%s: it brought no crypto device", plug->name);
	if (out != NULL)
		*out = first;
	return 0;
}

int
plx_devices_add(struct plx_devices *devs, const char *spec, struct plx_device **out,
		struct plx_err *err)
{
	struct plug plug = { .args = "" };
	struct device *d;
	int dev_id;
	int ret;

	ret = spec_read(spec, &plug, err);
	if (ret < 0)
		return ret;
	if (plx_devices_find(devs, plug.name) != NULL)
		return plx_err_set(err, -EEXIST, "%s is in use already; choose another name",
				   plug.name);
	dev_id = rte_cryptodev_get_dev_id(plug.name);
	if (dev_id >= 0 && plug.args[0] != '\0')
		return plx_err_set(
			err, -EEXIST,
			"%s exists already and takes no new arguments; give its name alone",
			plug.name);
	if (dev_id >= 0) {
		ret = device_take(devs, (uint8_t)dev_id, &d, err);
		if (ret == 0 && out != NULL)
			*out = &d->pub;
		return ret;
	}

	known_note(&plug);
	ret = plug.is_pci ? pci_probe(&plug, spec, err) : vdev_make(&plug, err);
	if (ret < 0)
		return ret;
	ret = new_ones_take(devs, &plug, out, err);
	if (ret < 0)
		plug_undo(&plug);
	return ret;
}
