/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_pmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_bus.h>
#include <rte_devargs.h>

/*
 * A vdev that belongs to another vdev. It has all that a driver's probe looks at (a name,
 * arguments, a bus), but the bus does not have it: whoever made it removes it. rte_vdev_init()
 * inside a probe would work too, its lock is recursive, but the bus cleanup in rte_eal_cleanup()
 * remembers the next device of its list while it removes one, and the inner device would be exactly
 * that next one.
 */

struct plx_pmd_inner {
	struct rte_vdev_device vdev;
	struct rte_devargs devargs;
	struct rte_vdev_driver *driver;
	struct rte_cryptodev *cryptodev;
	char *args;
};

static int
driver_find(const struct rte_bus *bus, const char *name, struct rte_vdev_driver **out,
	    struct plx_err *err)
{
	struct rte_vdev_driver *driver = NULL;

	if (strncmp(name, "crypto_", 7) != 0)
		return plx_err_set(
			err, -EINVAL,
			"'%s' is not a crypto driver; want a name such as crypto_openssl", name);
	/* the bus matches by the beginning of a name; an exact one is wanted here */
	if (bus->parse(name, &driver) != 0 || driver == NULL ||
	    (strcmp(driver->driver.name, name) != 0 &&
	     (driver->driver.alias == NULL || strcmp(driver->driver.alias, name) != 0)))
		return plx_err_set(
			err, -ENODEV,
			"no driver '%s' is loaded; install its package or load it with -d", name);
	*out = driver;
	return 0;
}

/* A driver finds its device again by the vdev's name: another one could never be removed. */
static int
arg_check(void *arg, const char *key, const char *value, struct plx_err *err)
{
	(void)arg;
	if (strcmp(key, "name") == 0)
		return plx_err_set(err, -EINVAL, "name=%s: an inner device has its name already",
				   value);
	return 0;
}

static void
inner_free(struct plx_pmd_inner *inner)
{
	free(inner->args);
	free(inner);
}

static int
inner_alloc(const char *name, const char *args, struct rte_bus *bus, struct plx_pmd_inner **out)
{
	struct plx_pmd_inner *inner = calloc(1, sizeof(*inner));

	if (inner == NULL)
		return -ENOMEM;
	inner->args = strdup(args);
	if (inner->args == NULL) {
		inner_free(inner);
		return -ENOMEM;
	}
	memcpy(inner->devargs.name, name, strlen(name) + 1);
	inner->devargs.bus = bus;
	inner->devargs.args = inner->args;
	inner->vdev.device.name = inner->devargs.name;
	inner->vdev.device.bus = bus;
	inner->vdev.device.numa_node = SOCKET_ID_ANY;
	inner->vdev.device.devargs = &inner->devargs;
	*out = inner;
	return 0;
}

int
plx_pmd_inner_create(const char *name, const char *driver, const char *args,
		     struct plx_pmd_inner **out, struct plx_err *err)
{
	struct rte_bus *bus = rte_bus_find_by_name("vdev");
	struct rte_vdev_driver *found = NULL;
	struct plx_pmd_inner *inner;
	int ret;

	if (bus == NULL || bus->parse == NULL)
		return plx_err_set(err, -ENODEV, "this DPDK has no vdev bus");
	if (strlen(name) >= RTE_CRYPTODEV_NAME_MAX_LEN ||
	    strlen(name) >= sizeof(inner->devargs.name))
		return plx_err_set(err, -EINVAL, "device name '%s' is longer than %d bytes", name,
				   RTE_CRYPTODEV_NAME_MAX_LEN - 1);
	ret = driver_find(bus, driver, &found, err);
	if (ret == 0)
		ret = plx_pmd_args_walk(args, arg_check, NULL, err);
	if (ret < 0 || found == NULL)
		return ret;
	if (rte_cryptodev_pmd_get_named_dev(name) != NULL)
		return plx_err_set(err, -EEXIST, "a device named '%s' is already there", name);
	ret = inner_alloc(name, args, bus, &inner);
	if (ret < 0)
		return plx_err_set(err, ret, "no memory for device '%s'", name);

	ret = found->probe(&inner->vdev);
	if (ret != 0) {
		ret = ret < 0 ? ret : -ENODEV;
		plx_err_set(err, ret, "driver %s did not make a device with arguments '%s' (%s)",
			    driver, args, strerror(-ret));
		goto err_free_inner;
	}
	inner->driver = found;
	inner->vdev.device.driver = &found->driver;
	inner->cryptodev = rte_cryptodev_pmd_get_named_dev(name);
	if (inner->cryptodev == NULL) {
		ret = plx_err_set(err, -ENODEV, "driver %s made no device named '%s'", driver,
				  name);
		goto err_remove;
	}
	*out = inner;
	return 0;

err_remove:
	found->remove(&inner->vdev);
err_free_inner:
	inner_free(inner);
	return ret;
}

int
plx_pmd_inner_destroy(struct plx_pmd_inner *inner)
{
	int ret;

	if (inner == NULL)
		return 0;
	ret = inner->driver->remove(&inner->vdev);
	if (ret != 0)
		return ret < 0 ? ret : -EIO;
	inner_free(inner);
	return 0;
}

struct rte_cryptodev *
plx_pmd_inner_dev(const struct plx_pmd_inner *inner)
{
	return inner->cryptodev;
}
