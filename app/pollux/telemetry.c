/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "telemetry.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_telemetry.h>
#include <rte_version.h>

#include "app.h"
#include "cmd.h"
#include "plx_units.h"

/*
 * DPDK's telemetry socket, from the same JSON the console shows. A list is answered as the names of
 * its rows; with a name behind the comma, as in "/pollux/engines,0", the row: an answer has 16 KiB
 * at most.
 *
 * Commands cannot be taken back, and EAL's telemetry threads outlive the app: the pointer below
 * goes to NULL under the mutex first.
 */

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct app *the_app;

static void
add_u64(struct rte_tel_data *d, const char *name, uint64_t value)
{
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
	rte_tel_data_add_dict_uint(d, name, value);
#else
	rte_tel_data_add_dict_u64(d, name, value);
#endif
}

/* Dictionary names may hold letters, digits, '_' and '/' only. */
static void
clean_name(const char *from, char *to, size_t len)
{
	size_t i;

	for (i = 0; i + 1 < len && from[i] != '\0'; i++)
		to[i] = from[i] == '-' || from[i] == '.' || from[i] == ':' ? '_' : from[i];
	to[i] = '\0';
}

static void
add_member(struct rte_tel_data *d, const char *key, const json_t *value)
{
	char name[64], text[RTE_TEL_MAX_STRING_LEN];

	clean_name(key, name, sizeof(name));
	if (json_is_integer(value)) {
		add_u64(d, name, (uint64_t)json_integer_value(value));
	} else if (json_is_real(value)) {
		snprintf(text, sizeof(text), "%.10g", json_real_value(value));
		rte_tel_data_add_dict_string(d, name, text);
	} else if (json_is_string(value)) {
		snprintf(text, sizeof(text), "%s", json_string_value(value));
		rte_tel_data_add_dict_string(d, name, text);
	}
}

static int
fill_dict(struct rte_tel_data *d, json_t *obj)
{
	const char *key;
	json_t *value;

	rte_tel_data_start_dict(d);
	json_object_foreach(obj, key, value) add_member(d, key, value);
	return 0;
}

/* The text by which a row is asked for: its first member. */
static void
row_name(json_t *row, char *buf, size_t len)
{
	const json_t *first = json_object_iter_value(json_object_iter(row));

	if (json_is_integer(first))
		snprintf(buf, len, "%lld", (long long)json_integer_value(first));
	else
		snprintf(buf, len, "%s", json_is_string(first) ? json_string_value(first) : "");
}

static int
fill_list(struct rte_tel_data *d, json_t *list, const char *params)
{
	char name[RTE_TEL_MAX_STRING_LEN];
	json_t *row;
	size_t i;

	if (params == NULL || params[0] == '\0') {
		rte_tel_data_start_array(d, RTE_TEL_STRING_VAL);
		json_array_foreach(list, i, row)
		{
			row_name(row, name, sizeof(name));
			rte_tel_data_add_array_string(d, name);
		}
		return 0;
	}
	json_array_foreach(list, i, row)
	{
		row_name(row, name, sizeof(name));
		if (strcmp(name, params) == 0)
			return fill_dict(d, row);
	}
	return -ENOENT;
}

/* Options as one dictionary: name, value. */
static int
fill_config(struct rte_tel_data *d, json_t *list)
{
	char name[64];
	json_t *row;
	size_t i;

	rte_tel_data_start_dict(d);
	json_array_foreach(list, i, row)
	{
		clean_name(json_string_value(json_object_get(row, "option")), name, sizeof(name));
		rte_tel_data_add_dict_string(d, name,
					     json_string_value(json_object_get(row, "value")));
	}
	return 0;
}

/* Of one engine when its number is given. */
static json_t *
ask_stats(struct app *app, const char *params)
{
	uint64_t id;

	if (params == NULL || params[0] == '\0')
		return show_stats(app, PLX_ENGINE_ANY);
	if (plx_parse_u64(params, &id) < 0 || id >= PLX_ENGINE_GONE)
		return NULL;
	return show_stats(app, (uint32_t)id);
}

static json_t *
ask(struct app *app, const char *cmd, const char *params)
{
	if (strcmp(cmd, "/pollux/engines") == 0)
		return show_engines(app);
	if (strcmp(cmd, "/pollux/devices") == 0)
		return show_devices(app);
	if (strcmp(cmd, "/pollux/lanes") == 0)
		return show_lanes(app);
	if (strcmp(cmd, "/pollux/latency") == 0)
		return show_latency(app);
	if (strcmp(cmd, "/pollux/config") == 0)
		return show_config(app, NULL);
	if (strcmp(cmd, "/pollux/version") == 0)
		return show_version();
	return ask_stats(app, params);
}

static int
answer(const char *cmd, const char *params, struct rte_tel_data *d)
{
	json_t *value = NULL;
	int ret;

	pthread_mutex_lock(&guard);
	if (the_app != NULL) {
		plx_ctl_lock(the_app->ctl);
		value = ask(the_app, cmd, params);
		plx_ctl_unlock(the_app->ctl);
	}
	pthread_mutex_unlock(&guard);
	if (value == NULL)
		return -ENOENT;

	if (strcmp(cmd, "/pollux/config") == 0)
		ret = fill_config(d, value);
	else if (json_is_array(value))
		ret = fill_list(d, value, params);
	else
		ret = fill_dict(d, value);
	json_decref(value);
	return ret;
}

void
telemetry_start(struct app *app)
{
	static const struct {
		const char *cmd;
		const char *help;
	} cmds[] = {
		{ "/pollux/engines", "Engines. Parameters: none for a list, or a number" },
		{ "/pollux/devices", "Devices. Parameters: none for a list, or a name" },
		{ "/pollux/lanes", "Ports and lanes. Parameters: none for a list, or a number" },
		{ "/pollux/latency", "Latency. Parameters: none for a list, an engine, or all" },
		{ "/pollux/stats", "Counters. Parameters: none for all engines, or a number" },
		{ "/pollux/config", "Options in force. No parameters" },
		{ "/pollux/version", "Versions. No parameters" },
	};
	size_t i;

	pthread_mutex_lock(&guard);
	the_app = app;
	pthread_mutex_unlock(&guard);
	for (i = 0; i < PLX_ARRAY_SIZE(cmds); i++)
		if (rte_telemetry_register_cmd(cmds[i].cmd, answer, cmds[i].help) < 0)
			fprintf(stderr, "pollux: telemetry does not take %s\n", cmds[i].cmd);
}

void
telemetry_stop(struct app *app)
{
	pthread_mutex_lock(&guard);
	if (the_app == app)
		the_app = NULL;
	pthread_mutex_unlock(&guard);
}
