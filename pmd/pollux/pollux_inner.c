/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_dev.h>

/*
 * The devices behind: made for this device alone by their vdev drivers, outside the vdev bus and
 * under a name that nobody takes over, or cryptodevs that EAL has found. All of it is control's.
 */

/* Until the group has made sure that nothing is in flight any more. */
#define LEAVE_WAIT_US POLLUX_WAIT_US

static bool
has_arg(const char *args, const char *key)
{
	size_t len = strlen(key);

	for (const char *at = args; at != NULL; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, key, len) == 0 && at[len] == '=')
			return true;
	}
	return false;
}

/* What is true of this device is true of those behind, unless their arguments say something else.
 */
static int
args_complete(const struct pollux_dev *dev, const char *args, char *buf, size_t len,
	      struct plx_err *err)
{
	const struct pollux_options *o = dev->args.opt;
	int n = 0, socket = dev->cryptodev->data->socket_id;

	if (!has_arg(args, "max_nb_queue_pairs"))
		n = snprintf(buf, len, "max_nb_queue_pairs=%u,", o->nb_qps);
	if (!has_arg(args, "socket_id") && socket >= 0)
		n += snprintf(buf + n, len - (size_t)n, "socket_id=%d,", socket);
	n += snprintf(buf + n, len - (size_t)n, "%s", args);
	if ((size_t)n >= len)
		return plx_err_set(err, -EINVAL, "arguments of %d bytes; %zu are taken", n, len);
	if (n > 0 && buf[n - 1] == ',')
		buf[n - 1] = '\0';
	return 0;
}

static int
place_check(const struct pollux_dev *dev, struct plx_err *err)
{
	if (dev->nb_inners < PLX_ENGINE_DEVS)
		return 0;
	return plx_err_set(err, -ENOSPC, "there are %d devices behind it, which is the limit",
			   PLX_ENGINE_DEVS);
}

/* A driver that is removed keeps the completion rings of queue pairs that were not released, with
 * operations in them, for the next device of that number. */
static void
qps_release(struct rte_cryptodev *cryptodev)
{
	for (uint16_t i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		if (cryptodev->data->queue_pairs[i] == NULL)
			continue;
		(void)cryptodev->dev_ops->queue_pair_release(cryptodev, i);
		cryptodev->data->queue_pairs[i] = NULL;
	}
}

static void
made_destroy(struct plx_pmd_inner *made, const char *name)
{
	int ret;

	if (made == NULL)
		return;
	qps_release(plx_pmd_inner_dev(made));
	ret = plx_pmd_inner_destroy(made);
	if (ret < 0)
		POLLUX_LOG(ERR, "%s: its driver did not let it go (%s)", name, strerror(-ret));
}

/* Into the registry and the group, at the end of the order. */
static int
join(struct pollux_dev *dev, struct plx_pmd_inner *made, uint8_t dev_id, struct plx_err *err)
{
	struct pollux_inner *inner = calloc(1, sizeof(*inner));
	struct plx_err ignored;
	int ret;

	if (inner == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for a device");
	inner->made = made;
	inner->dev_id = dev_id;
	snprintf(inner->name, sizeof(inner->name), "%s", rte_cryptodev_name_get(dev_id));
	ret = plx_devices_take(dev->devs, dev_id, &inner->dev, err);
	if (ret < 0)
		goto err_free;
	ret = plx_engines_device_add(dev->es, inner->dev, err);
	if (ret < 0)
		goto err_forget;
	dev->inners[dev->nb_inners++] = inner;
	return 0;

err_forget:
	if (plx_devices_remove(dev->devs, inner->dev, &ignored) < 0)
		POLLUX_LOG(ERR, "%s: %s", inner->name, ignored.text);
err_free:
	free(inner);
	return ret;
}

static int
make(struct pollux_dev *dev, const char *driver, const char *args, struct plx_err *err)
{
	char name[2 * RTE_CRYPTODEV_NAME_MAX_LEN], all[POLLUX_SPEC_MAX + 64];
	struct plx_pmd_inner *made = NULL;
	int ret;

	snprintf(name, sizeof(name), "%s.%u.inner", dev->cryptodev->data->name, dev->next_inner++);
	ret = args_complete(dev, args, all, sizeof(all), err);
	if (ret == 0)
		ret = plx_pmd_inner_create(name, driver, all, &made, err);
	if (ret < 0)
		return ret;
	ret = join(dev, made, plx_pmd_inner_dev(made)->data->dev_id, err);
	if (ret < 0)
		made_destroy(made, name);
	return ret;
}

/* A cryptodev of EAL's: nobody else may be using it. */
static int
adopt(struct pollux_dev *dev, uint8_t dev_id, struct plx_err *err)
{
	const struct rte_cryptodev *other = rte_cryptodev_pmd_get_dev(dev_id);

	if (other == dev->cryptodev)
		return plx_err_set(err, -EINVAL, "%s cannot be behind itself", other->data->name);
	if (other->data->dev_started != 0)
		return plx_err_set(err, -EBUSY, "%s is in use: somebody has started it",
				   other->data->name);
	return join(dev, NULL, dev_id, err);
}

/* All cryptodevs of a PCI function: symmetric and asymmetric ones may be apart. -ENODEV: it has
 * none. */
static int
adopt_by_bus(struct pollux_dev *dev, const char *name, struct plx_err *err)
{
	int ret = -ENODEV;

	for (unsigned int id = 0; id < RTE_CRYPTO_MAX_DEVS; id++) {
		struct rte_cryptodev_info info;

		/* the library cannot tell about this device before its probe has returned */
		if (rte_cryptodev_is_valid_dev((uint8_t)id) == 0 ||
		    id == dev->cryptodev->data->dev_id)
			continue;
		rte_cryptodev_info_get((uint8_t)id, &info);
		if (info.device == NULL || strcmp(rte_dev_name(info.device), name) != 0)
			continue;
		ret = place_check(dev, err);
		if (ret == 0)
			ret = adopt(dev, (uint8_t)id, err);
		if (ret < 0)
			return ret;
	}
	return ret;
}

int
pollux_inner_add(struct pollux_dev *dev, const char *spec, struct plx_err *err)
{
	char name[RTE_CRYPTODEV_NAME_MAX_LEN];
	size_t len = strcspn(spec, ",");
	const char *args = spec[len] == ',' ? spec + len + 1 : "";
	int ret, dev_id;

	if (len == 0 || len >= sizeof(name))
		return plx_err_set(err, -EINVAL,
				   "device '%.80s': give a driver or device of 1 to %zu bytes",
				   spec, sizeof(name) - 1);
	memcpy(name, spec, len);
	name[len] = '\0';
	ret = place_check(dev, err);
	if (ret < 0)
		return ret;
	dev_id = rte_cryptodev_get_dev_id(name);
	if (dev_id >= 0 && args[0] != '\0')
		return plx_err_set(
			err, -EEXIST,
			"%s is there already and takes no arguments; give its name alone", name);
	if (dev_id >= 0)
		return adopt(dev, (uint8_t)dev_id, err);
	ret = adopt_by_bus(dev, name, err);
	if (ret != -ENODEV)
		return ret;
	if (strncmp(name, "crypto_", 7) != 0)
		return plx_err_set(
			err, -ENODEV,
			"device '%s': no cryptodev and no PCI function has this name, and a "
			"driver's begins with crypto_",
			name);
	return make(dev, name, args, err);
}

/* ipsec-mb for what is symmetric, the multi-buffer driver, or else OpenSSL's, for the rest. */
int
pollux_inner_add_default(struct pollux_dev *dev, struct plx_err *err)
{
	static const char *const first[] = { "crypto_aesni_gcm", "crypto_aesni_mb" };
	static const char *const rest[] = { "crypto_plx_mb", "crypto_openssl" };
	int ret;

	for (size_t i = 0; i < RTE_DIM(first); i++) {
		ret = make(dev, first[i], "", err);
		if (ret < 0 && ret != -ENODEV)
			return ret;
	}
	for (size_t i = 0; i < RTE_DIM(rest); i++) {
		ret = make(dev, rest[i], "", err);
		if (ret == 0)
			return 0;
		if (ret != -ENODEV)
			return ret;
	}
	if (dev->nb_inners != 0)
		return 0;
	return plx_err_set(err, -ENODEV,
			   "no device= is given, and of the drivers for the default "
			   "(crypto_aesni_mb, crypto_plx_mb, crypto_openssl) none is loaded");
}

struct pollux_inner *
pollux_inner_find(struct pollux_dev *dev, const char *name, struct plx_err *err)
{
	struct pollux_inner *found = NULL;
	uint32_t nb = 0;

	for (uint32_t i = 0; i < dev->nb_inners; i++) {
		struct pollux_inner *inner = dev->inners[i];

		if (strcmp(inner->name, name) == 0)
			return inner;
		if (strcmp(inner->dev->driver, name) == 0) {
			found = inner;
			nb++;
		}
	}
	if (nb == 1)
		return found;
	if (nb > 1)
		plx_err_set(err, -ENOENT, "there are %u devices of driver %s; give the name of one",
			    nb, name);
	else
		plx_err_set(err, -ENOENT,
			    "no device '%.64s' is behind it; /pollux_pmd/info names them", name);
	return NULL;
}

static void
forget(struct pollux_dev *dev, struct pollux_inner *inner)
{
	uint32_t i;

	for (i = 0; dev->inners[i] != inner; i++)
		;
	for (; i + 1 < dev->nb_inners; i++)
		dev->inners[i] = dev->inners[i + 1];
	dev->nb_inners--;
	made_destroy(inner->made, inner->name);
	free(inner);
}

int
pollux_inner_remove(struct pollux_dev *dev, struct pollux_inner *inner, struct plx_err *err)
{
	int ret;

	if (dev->nb_inners == 1)
		return plx_err_set(err, -EBUSY,
				   "%s is the last device behind it; add another one first",
				   inner->name);
	ret = plx_engines_device_remove(dev->es, inner->dev, LEAVE_WAIT_US, err);
	if (ret < 0)
		return ret;
	ret = plx_devices_remove(dev->devs, inner->dev, err);
	if (ret < 0)
		return ret;
	forget(dev, inner);
	return 0;
}

int
pollux_inner_revive(struct pollux_dev *dev, struct pollux_inner *inner, struct plx_err *err)
{
	enum plx_health health = (enum plx_health)atomic_load(&inner->dev->health);
	uint32_t i;
	int ret;

	if (health != PLX_HEALTH_LOST && health != PLX_HEALTH_STOPPED)
		return 0;
	ret = plx_engines_device_remove(dev->es, inner->dev, LEAVE_WAIT_US, err);
	if (ret < 0)
		return ret;
	ret = plx_device_revive(inner->dev, err);
	/* in the set again whatever became of it, so that it can be removed or tried again */
	if (plx_engines_device_add(dev->es, inner->dev, ret < 0 ? NULL : err) < 0 && ret == 0)
		ret = -EAGAIN;
	for (i = 0; dev->inners[i] != inner; i++)
		;
	for (; i + 1 < dev->nb_inners; i++)
		dev->inners[i] = dev->inners[i + 1];
	dev->inners[i] = inner;
	return ret;
}

int
pollux_inner_revive_all(struct pollux_dev *dev, struct plx_err *err)
{
	struct pollux_inner *order[PLX_ENGINE_DEVS];
	uint32_t nb = dev->nb_inners;
	bool any = false;
	int ret;

	memcpy(order, dev->inners, sizeof(order));
	for (uint32_t i = 0; i < nb; i++) {
		uint32_t health = atomic_load(&order[i]->dev->health);

		any |= health == PLX_HEALTH_LOST || health == PLX_HEALTH_STOPPED;
	}
	for (uint32_t i = 0; any && i < nb; i++) {
		ret = plx_engines_device_remove(dev->es, order[i]->dev, LEAVE_WAIT_US, err);
		if (ret < 0)
			return ret;
	}
	for (uint32_t i = 0; any && i < nb; i++) {
		struct plx_err why = { "" };

		ret = plx_device_revive(order[i]->dev, &why);
		if (ret < 0)
			POLLUX_LOG(WARNING, "%s: %s", dev->cryptodev->data->name, why.text);
		ret = plx_engines_device_add(dev->es, order[i]->dev, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* At the end of a process the bus may have removed a device of EAL's before this one; another may
 * have its number. */
static bool
is_there(const struct pollux_inner *inner)
{
	const char *name;

	if (rte_cryptodev_is_valid_dev(inner->dev_id) == 0)
		return false;
	name = rte_cryptodev_name_get(inner->dev_id);
	return name != NULL && strcmp(name, inner->name) == 0;
}

void
pollux_inner_free_all(struct pollux_dev *dev)
{
	struct plx_err err = { "" };

	while (dev->nb_inners > 0) {
		struct pollux_inner *inner = dev->inners[dev->nb_inners - 1];

		if (!is_there(inner))
			atomic_store(&inner->dev->health, PLX_HEALTH_STOPPED);
		if (plx_devices_remove(dev->devs, inner->dev, &err) < 0)
			POLLUX_LOG(ERR, "%s: %s", inner->name, err.text);
		forget(dev, inner);
	}
}
