/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_fault_priv.h"

#include <errno.h>
#include <stdio.h>

/* Faults by telemetry: "echo /plx_fault/set,crypto_plx_fault0,refuse=5% | dpdk-telemetry.py". */

#define TEXT_MAX 2048

static int
list_show(const char *cmd, const char *params, struct rte_tel_data *data)
{
	uint8_t ids[FAULT_DEVS_MAX];
	int nb = fault_ids(ids);

	(void)cmd;
	(void)params;
	rte_tel_data_start_array(data, RTE_TEL_STRING_VAL);
	for (int i = nb - 1; i >= 0; i--) {
		const char *name = rte_cryptodev_name_get(ids[i]);

		if (name != NULL)
			rte_tel_data_add_array_string(data, name);
	}
	return 0;
}

/* "error: ..." as the answer: a negative return would say nothing. */
static int
error_show(struct rte_tel_data *data, const struct plx_err *err)
{
	char text[PLX_ERR_TEXT_MAX + 8];

	snprintf(text, sizeof(text), "error: %s", err->text);
	return rte_tel_data_string(data, text);
}

/* The device named before the first comma; what follows it is *rest. */
static int
device_read(const char *params, const char **rest, struct plx_err *err)
{
	char name[RTE_CRYPTODEV_NAME_MAX_LEN];
	size_t len;
	int id;

	if (params == NULL || params[0] == '\0')
		return plx_err_set(err, -EINVAL, "want a device; /plx_fault/list names them");
	len = strcspn(params, ",");
	if (len >= sizeof(name))
		return plx_err_set(err, -EINVAL, "the device name is longer than %zu bytes",
				   sizeof(name) - 1);
	memcpy(name, params, len);
	name[len] = '\0';
	*rest = params[len] == ',' ? params + len + 1 : "";
	id = fault_find(name);
	return id >= 0 ? id
		       : plx_err_set(err, -ENODEV, "no device '%s'; /plx_fault/list names them",
				     name);
}

static int
set_do(const char *cmd, const char *params, struct rte_tel_data *data)
{
	struct plx_err err = { "" };
	const char *spec = "";
	char text[TEXT_MAX];
	int id = device_read(params, &spec, &err);

	(void)cmd;
	if (id < 0)
		return error_show(data, &err);
	if (spec[0] != '\0' && plx_fault_set((uint8_t)id, spec, &err) < 0)
		return error_show(data, &err);
	if (plx_fault_get((uint8_t)id, text, sizeof(text)) < 0)
		return -ENOSPC;
	return rte_tel_data_string(data, text);
}

static int
stats_show(const char *cmd, const char *params, struct rte_tel_data *data)
{
	struct plx_fault_stats stats = { .size = sizeof(stats) };
	struct plx_err err = { "" };
	const char *rest = "";
	int id = device_read(params, &rest, &err);

	(void)cmd;
	if (id < 0)
		return error_show(data, &err);
	if (plx_fault_stats((uint8_t)id, &stats) < 0)
		return -ENODEV;
	rte_tel_data_start_dict(data);
	for (unsigned int kind = 0; kind < PLX_FAULT_NB; kind++)
		plx_pmd_tel_add_u64(data, plx_fault_name(kind), stats.nb_injected[kind]);
	plx_pmd_tel_add_u64(data, "enqueued", stats.nb_enqueued);
	plx_pmd_tel_add_u64(data, "dequeued", stats.nb_dequeued);
	plx_pmd_tel_add_u64(data, "dropped", stats.nb_dropped);
	plx_pmd_tel_add_u64(data, "unexpected", stats.nb_unexpected);
	return 0;
}

RTE_INIT(fault_telemetry_init)
{
	rte_telemetry_register_cmd("/plx_fault/list", list_show, "Names of the fault devices.");
	rte_telemetry_register_cmd(
		"/plx_fault/set", set_do,
		"Set faults and show those in force. Parameters: device[,fault=when...][,off]");
	rte_telemetry_register_cmd("/plx_fault/stats", stats_show,
				   "What was injected. Parameters: device");
}
