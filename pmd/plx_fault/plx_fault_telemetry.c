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
	return plx_pmd_tel_names(data, ids, nb);
}

static int
set_do(const char *cmd, const char *params, struct rte_tel_data *data)
{
	struct plx_err err = { "" };
	const char *spec = "";
	char text[TEXT_MAX];
	int id = plx_pmd_tel_device(params, "/plx_fault/list", fault_find, &spec, &err);

	(void)cmd;
	if (id < 0)
		return plx_pmd_tel_error(data, &err);
	if (spec[0] != '\0' && plx_fault_set((uint8_t)id, spec, &err) < 0)
		return plx_pmd_tel_error(data, &err);
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
	int id = plx_pmd_tel_device(params, "/plx_fault/list", fault_find, &rest, &err);

	(void)cmd;
	if (id < 0)
		return plx_pmd_tel_error(data, &err);
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
