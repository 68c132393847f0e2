/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Looking at devices and changing them by telemetry, in any program:
 * "echo /pollux_pmd/set,crypto_pollux0,mode=inline | dpdk-telemetry.py". Parameters begin with the
 * device. What cannot be done is answered with "error: " and the sentence.
 */

#define TEXT_MAX 512

static int
list_show(const char *cmd, const char *params, struct rte_tel_data *data)
{
	uint8_t ids[RTE_CRYPTO_MAX_DEVS];
	int nb = pollux_registry_ids(ids);

	(void)cmd;
	(void)params;
	return plx_pmd_tel_names(data, ids, nb);
}

/* A dict inside a dict; the library frees it. */
static void
nest(struct rte_tel_data *data, const char *name, struct rte_tel_data *inside)
{
	if (rte_tel_data_add_dict_container(data, name, inside, 0) != 0)
		rte_tel_data_free(inside);
}

static struct rte_tel_data *
dict_new(void)
{
	struct rte_tel_data *d = rte_tel_data_alloc();

	if (d != NULL)
		rte_tel_data_start_dict(d);
	return d;
}

static void
setting_add(struct rte_tel_data *data, char *pair)
{
	char *value = strchr(pair, '=');

	if (value == NULL)
		return;
	*value++ = '\0';
	/* names have letters, digits and '_' there */
	for (char *c = pair; *c != '\0'; c++)
		if (*c == '-')
			*c = '_';
	rte_tel_data_add_dict_string(data, pair, value);
}

static void
settings_add(struct pollux_dev *dev, struct rte_tel_data *data)
{
	char text[PLX_POLLUX_TEXT_MAX], *save = NULL;

	if (pollux_args_write(&dev->args, text, sizeof(text)) < 0)
		return;
	for (char *pair = strtok_r(text, ",", &save); pair != NULL;
	     pair = strtok_r(NULL, ",", &save))
		setting_add(data, pair);
}

static void
devices_add(struct pollux_dev *dev, struct rte_tel_data *data)
{
	struct rte_tel_data *all = dict_new();

	for (uint32_t i = 0; all != NULL && i < dev->nb_inners; i++) {
		const struct plx_device *d = dev->inners[i]->dev;
		struct rte_tel_data *one = dict_new();
		char place[16];

		if (one == NULL)
			break;
		snprintf(place, sizeof(place), "%u", i);
		rte_tel_data_add_dict_string(one, "name", d->name);
		rte_tel_data_add_dict_string(one, "driver", d->driver);
		rte_tel_data_add_dict_string(
			one, "health", plx_health_name((enum plx_health)atomic_load(&d->health)));
		plx_pmd_tel_add_u64(one, "queue_pairs", d->nb_qps);
		plx_pmd_tel_add_u64(one, "lost", atomic_load(&d->nb_lost));
		nest(all, place, one);
	}
	if (all != NULL)
		nest(data, "devices", all);
}

static void
engine_add(const struct pollux_dev *dev, const struct plx_engine_info *info,
	   struct rte_tel_data *all)
{
	const struct pollux_runner *r = pollux_runner_find(dev, info->id);
	struct rte_tel_data *one = dict_new();
	char text[32];

	if (one == NULL)
		return;
	snprintf(text, sizeof(text), "%s",
		 info->is_inline              ? "caller"
		 : r != NULL && r->by_service ? "service"
					      : "thread");
	rte_tel_data_add_dict_string(one, "runs_by", text);
	if (r != NULL && r->cpu >= 0)
		plx_pmd_tel_add_u64(one, "cpu", (uint64_t)r->cpu);
	plx_pmd_tel_add_u64(one, "running", info->is_running || info->is_inline);
	plx_pmd_tel_add_u64(one, "inflight", info->nb_inflight);
	plx_pmd_tel_add_u64(one, "submitted", info->stats.nb_submitted);
	plx_pmd_tel_add_u64(one, "completed", info->stats.nb_completed);
	plx_pmd_tel_add_u64(one, "busy_cycles", info->stats.busy_cycles);
	plx_pmd_tel_add_u64(one, "idle_cycles", info->stats.idle_cycles);
	snprintf(text, sizeof(text), "%u", info->id);
	nest(all, text, one);
}

static void
engines_add(struct pollux_dev *dev, struct rte_tel_data *data)
{
	struct rte_tel_data *all = dict_new();
	struct plx_engine_info info;
	uint32_t pos = 0;

	while (all != NULL && plx_engines_next(dev->es, &pos, &info))
		engine_add(dev, &info, all);
	if (all != NULL)
		nest(data, "engines", all);
}

static int
info_show(const char *cmd, const char *params, struct rte_tel_data *data)
{
	struct plx_err err = { "" };
	struct pollux_dev *dev;
	const char *rest = "";
	int id = plx_pmd_tel_device(params, "/pollux_pmd/list", rte_cryptodev_get_dev_id, &rest,
				    &err);

	(void)cmd;
	dev = id < 0 ? NULL : pollux_registry_hold(id, &err);
	if (dev == NULL)
		return plx_pmd_tel_error(data, &err);
	rte_tel_data_start_dict(data);
	plx_pmd_tel_add_u64(data, "started", dev->is_started);
	settings_add(dev, data);
	devices_add(dev, data);
	engines_add(dev, data);
	pollux_registry_release(dev);
	return 0;
}

static int
stats_show(const char *cmd, const char *params, struct rte_tel_data *data)
{
	struct plx_pollux_stats s = { .size = sizeof(s) };
	struct plx_err err = { "" };
	const char *rest = "";
	int id = plx_pmd_tel_device(params, "/pollux_pmd/list", rte_cryptodev_get_dev_id, &rest,
				    &err);

	(void)cmd;
	if (id < 0)
		return plx_pmd_tel_error(data, &err);
	if (plx_pollux_stats((uint8_t)id, &s) < 0) {
		plx_err_set(&err, -ENODEV, "not a " PLX_POLLUX_DRIVER " device");
		return plx_pmd_tel_error(data, &err);
	}
	rte_tel_data_start_dict(data);
	plx_pmd_tel_add_u64(data, "enqueued", s.nb_enqueued);
	plx_pmd_tel_add_u64(data, "dequeued", s.nb_dequeued);
	plx_pmd_tel_add_u64(data, "failed", s.nb_failed);
	plx_pmd_tel_add_u64(data, "short", s.nb_short);
	plx_pmd_tel_add_u64(data, "dropped", s.nb_dropped);
	plx_pmd_tel_add_u64(data, "submitted", s.nb_submitted);
	plx_pmd_tel_add_u64(data, "fallback", s.nb_fallback);
	plx_pmd_tel_add_u64(data, "replayed", s.nb_replayed);
	plx_pmd_tel_add_u64(data, "lost", s.nb_lost);
	plx_pmd_tel_add_u64(data, "expired", s.nb_expired);
	plx_pmd_tel_add_u64(data, "unroutable", s.nb_unroutable);
	return 0;
}

static int
ok(char *answer, int ret)
{
	snprintf(answer, PLX_POLLUX_TEXT_MAX, "ok");
	return ret;
}

/* What a command that changes something does with what stands behind the device. */
typedef int (*change_fn)(uint8_t dev_id, const char *rest, char *answer, struct plx_err *err);

static int
change(const char *params, struct rte_tel_data *data, change_fn fn)
{
	char answer[PLX_POLLUX_TEXT_MAX] = "";
	struct plx_err err = { "" };
	const char *rest = "";
	int id = plx_pmd_tel_device(params, "/pollux_pmd/list", rte_cryptodev_get_dev_id, &rest,
				    &err);

	if (id < 0 || fn((uint8_t)id, rest, answer, &err) < 0)
		return plx_pmd_tel_error(data, &err);
	return rte_tel_data_string(data, answer);
}

static int
set_fn(uint8_t dev_id, const char *rest, char *answer, struct plx_err *err)
{
	int ret = rest[0] != '\0' ? plx_pollux_set(dev_id, rest, err) : 0;

	if (ret == 0)
		ret = plx_pollux_get(dev_id, answer, PLX_POLLUX_TEXT_MAX);
	if (ret == -ENODEV && err->text[0] == '\0')
		plx_err_set(err, ret, "not a " PLX_POLLUX_DRIVER " device");
	return ret;
}

static int
number_read(const char *what, const char *text, uint64_t max, uint64_t *out, struct plx_err *err)
{
	return plx_pmd_arg_uint(what, text, 0, max, out, err);
}

static int
engine_add_fn(uint8_t dev_id, const char *rest, char *answer, struct plx_err *err)
{
	uint64_t cpu = 0;
	uint32_t id = 0;
	int ret = 0;

	if (rest[0] != '\0')
		ret = number_read("cpu", rest, POLLUX_CPUS_MAX - 1, &cpu, err);
	if (ret == 0)
		ret = plx_pollux_engine_add(dev_id, rest[0] != '\0' ? (int)cpu : PLX_POLLUX_ANY_CPU,
					    &id, err);
	if (ret == 0)
		snprintf(answer, PLX_POLLUX_TEXT_MAX, "engine %u", id);
	return ret;
}

static int
engine_remove_fn(uint8_t dev_id, const char *rest, char *answer, struct plx_err *err)
{
	uint64_t id = 0;
	int ret = number_read("engine", rest, UINT32_MAX, &id, err);

	return ret < 0 ? ret : ok(answer, plx_pollux_engine_remove(dev_id, (uint32_t)id, err));
}

static int
device_add_fn(uint8_t dev_id, const char *rest, char *answer, struct plx_err *err)
{
	return ok(answer, plx_pollux_device_add(dev_id, rest, err));
}

static int
device_remove_fn(uint8_t dev_id, const char *rest, char *answer, struct plx_err *err)
{
	return ok(answer, plx_pollux_device_remove(dev_id, rest, err));
}

static int
device_revive_fn(uint8_t dev_id, const char *rest, char *answer, struct plx_err *err)
{
	return ok(answer, plx_pollux_device_revive(dev_id, rest, err));
}

#define CHANGE_COMMAND(fn, name)                                                                   \
	static int name(const char *cmd, const char *params, struct rte_tel_data *data)            \
	{                                                                                          \
		(void)cmd;                                                                         \
		return change(params, data, fn);                                                   \
	}

CHANGE_COMMAND(set_fn, set_do)
CHANGE_COMMAND(engine_add_fn, engine_add_do)
CHANGE_COMMAND(engine_remove_fn, engine_remove_do)
CHANGE_COMMAND(device_add_fn, device_add_do)
CHANGE_COMMAND(device_remove_fn, device_remove_do)
CHANGE_COMMAND(device_revive_fn, device_revive_do)

RTE_INIT(pollux_telemetry_init)
{
	rte_telemetry_register_cmd("/pollux_pmd/list", list_show,
				   "Names of the crypto_pollux devices.");
	rte_telemetry_register_cmd("/pollux_pmd/info", info_show,
				   "Settings, devices behind and engines. Parameters: device");
	rte_telemetry_register_cmd("/pollux_pmd/stats", stats_show,
				   "What happened to operations. Parameters: device");
	rte_telemetry_register_cmd(
		"/pollux_pmd/set", set_do,
		"Change settings and show those in force. Parameters: device[,key=value...]");
	rte_telemetry_register_cmd("/pollux_pmd/engine_add", engine_add_do,
				   "Add an engine. Parameters: device[,CPU]");
	rte_telemetry_register_cmd("/pollux_pmd/engine_remove", engine_remove_do,
				   "Remove an engine. Parameters: device,number");
	rte_telemetry_register_cmd(
		"/pollux_pmd/device_add", device_add_do,
		"Put a device behind. Parameters: device,driver[,arguments] or device,cryptodev");
	rte_telemetry_register_cmd("/pollux_pmd/device_remove", device_remove_do,
				   "Take a device out. Parameters: device,name");
	rte_telemetry_register_cmd("/pollux_pmd/device_revive", device_revive_do,
				   "Let a lost device work again. Parameters: device,name");
}
