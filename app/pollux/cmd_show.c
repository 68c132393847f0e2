/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <rte_version.h>

#include "app.h"
#include "plx_port.h"
#include "prometheus.h"

/* What runs: engines, lanes, counters, latency, configuration. All of it is a snapshot under the
 * control lock. */

static const char *const fallback_names[] = { "fallback-capability", "fallback-refused",
					      "fallback-stalled", "fallback-down" };

static double
busy_percent(const struct plx_engine_stats *s)
{
	uint64_t all = s->busy_cycles + s->idle_cycles;

	return all == 0 ? 0 : 100.0 * (double)s->busy_cycles / (double)all;
}

static void
put_devices(json_t *obj, const struct plx_engine_info *info)
{
	char text[1024] = "";
	size_t at = 0;
	uint32_t i;

	for (i = 0; i < info->nb_devs && at < sizeof(text); i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s/%u", i > 0 ? " " : "",
				       info->devs[i], info->qps[i]);
	cmd_put_text(obj, "devices", text);
}

json_t *
show_engines(struct app *app)
{
	json_t *list = json_array(), *row;
	struct plx_engine_info info;
	uint32_t pos = 0;

	while (plx_engines_next(app->es, &pos, &info)) {
		row = json_object();
		cmd_put_u64(row, "engine", info.id);
		if (info.is_inline)
			cmd_put_text(row, "lcore", "caller");
		else
			cmd_put_u64(row, "lcore", info.lcore_id);
		cmd_put_text(row, "state",
			     info.is_inline    ? "inline"
			     : info.is_running ? "running"
					       : "stopped");
		cmd_put_real(row, "busy-percent", busy_percent(&info.stats), 1);
		cmd_put_u64(row, "lanes", info.nb_lanes);
		cmd_put_u64(row, "in-flight", info.nb_inflight);
		cmd_put_u64(row, "completed", info.stats.nb_completed);
		cmd_put_u64(row, "failed", info.stats.nb_failed);
		put_devices(row, &info);
		json_array_append_new(list, row);
	}
	return list;
}

json_t *
show_lanes(struct app *app)
{
	json_t *list = json_array(), *row;
	struct plx_port_info info;
	uint32_t pos = 0;

	while (plx_ports_next(app->es, &pos, &info)) {
		row = json_object();
		cmd_put_u64(row, "port", info.id);
		cmd_put_text(row, "name", info.name);
		cmd_put_text(row, "class", plx_class_name(info.cls));
		cmd_put_text(row, "mode", plx_mode_name(info.mode));
		cmd_put_text(row, "mode-now", plx_mode_name(info.mode_now));
		cmd_put_text(row, "policy", plx_policy_name(info.policy));
		cmd_put_u64(row, "lanes", info.nb_lanes);
		cmd_put_u64(row, "outstanding", info.nb_outstanding);
		cmd_put_u64(row, "enqueued", info.nb_enqueued);
		cmd_put_u64(row, "short", info.nb_short);
		cmd_put_u64(row, "helped", info.nb_helped);
		cmd_put_u64(row, "dequeued", info.nb_dequeued);
		json_array_append_new(list, row);
	}
	return list;
}

static void
put_stats(json_t *obj, const struct plx_engine_stats *s)
{
	uint32_t i;

	cmd_put_u64(obj, "gathered", s->nb_gathered);
	cmd_put_u64(obj, "submitted", s->nb_submitted);
	cmd_put_u64(obj, "completed", s->nb_completed);
	cmd_put_u64(obj, "success", s->nb_success);
	cmd_put_u64(obj, "failed", s->nb_failed);
	cmd_put_u64(obj, "expired", s->nb_expired);
	cmd_put_u64(obj, "unroutable", s->nb_unroutable);
	cmd_put_u64(obj, "refused", s->nb_refused);
	cmd_put_u64(obj, "touched", s->nb_touched);
	for (i = 0; i < PLX_ARRAY_SIZE(fallback_names); i++)
		cmd_put_u64(obj, fallback_names[i], s->nb_fallback[i]);
	cmd_put_u64(obj, "replayed", s->nb_replayed);
	cmd_put_u64(obj, "lost", s->nb_lost);
	cmd_put_u64(obj, "misordered", s->nb_misordered);
	cmd_put_u64(obj, "foreign", s->nb_foreign);
	cmd_put_u64(obj, "polls", s->nb_polls);
	cmd_put_u64(obj, "polls-busy", s->nb_polls_busy);
	cmd_put_u64(obj, "sleeps", s->nb_sleeps);
	cmd_put_u64(obj, "bytes", s->bytes);
	cmd_put_real(obj, "busy-percent", busy_percent(s), 1);
}

/* All engines together, those that are no more among them, for PLX_ENGINE_ANY. NULL: there is no
 * such engine. */
json_t *
show_stats(struct app *app, uint32_t id)
{
	struct plx_engine_stats stats;
	struct plx_engine_info info;
	uint32_t pos = 0, nb = 0;
	json_t *obj;

	if (plx_engines_stats(app->es, id, &stats) < 0)
		return NULL;
	obj = json_object();
	if (id == PLX_ENGINE_ANY) {
		while (plx_engines_next(app->es, &pos, &info))
			nb++;
		cmd_put_u64(obj, "engines", nb);
	} else {
		cmd_put_u64(obj, "engine", id);
	}
	put_stats(obj, &stats);
	return obj;
}

static int
run_show_stats(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	uint32_t id;
	int ret;

	ret = cmd_arg_u32(call, "engine", (struct cmd_range){ 0, UINT32_MAX - 1, PLX_ENGINE_ANY },
			  &id, err);
	if (ret < 0)
		return ret;
	*answer = show_stats(call->app, id);
	if (*answer == NULL)
		return plx_err_set(err, -ENOENT, "there is no engine %u; 'show engines' lists them",
				   id);
	return 0;
}

static void
put_latency_row(struct app *app, json_t *list, uint32_t id, struct plx_hist *hist)
{
	json_t *row = json_object();

	plx_hist_reset(hist);
	if (plx_engines_latency(app->es, id, hist) == 0) {
		if (id == PLX_ENGINE_ANY)
			cmd_put_text(row, "engine", "all");
		else
			cmd_put_u64(row, "engine", id);
		cmd_put_latency(row, hist);
		json_array_append_new(list, row);
	} else {
		json_decref(row);
	}
}

json_t *
show_latency(struct app *app)
{
	struct plx_hist *hist = calloc(1, sizeof(*hist));
	json_t *list = json_array();
	struct plx_engine_info info;
	uint32_t pos = 0;

	if (hist == NULL)
		return list;
	while (plx_engines_next(app->es, &pos, &info))
		put_latency_row(app, list, info.id, hist);
	put_latency_row(app, list, PLX_ENGINE_ANY, hist);
	free(hist);
	return list;
}

json_t *
show_config(struct app *app, const char *prefix)
{
	json_t *list = json_array(), *row;
	struct plx_conf_item item;
	uint32_t pos = 0;

	while (plx_conf_next(app->conf, &pos, &item)) {
		if (prefix != NULL && strncmp(item.name, prefix, strlen(prefix)) != 0)
			continue;
		row = json_object();
		cmd_put_text(row, "option", item.name);
		cmd_put_text(row, "value", item.value);
		cmd_put_text(row, "from", item.origin);
		cmd_put_text(row, "range", item.range);
		cmd_put_text(row, "change", item.live ? "set" : "restart");
		json_array_append_new(list, row);
	}
	return list;
}

json_t *
show_version(void)
{
	json_t *obj = json_object();

	cmd_put_text(obj, "pollux", PLX_VERSION);
	cmd_put_text(obj, "dpdk", rte_version());
	cmd_put_text(obj, "openssl", OpenSSL_version(OPENSSL_VERSION_STRING));
	return obj;
}

static int
run_show_engines(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	(void)err;
	*answer = show_engines(call->app);
	return 0;
}

static int
run_show_lanes(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	(void)err;
	*answer = show_lanes(call->app);
	return 0;
}

static int
run_show_latency(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	(void)err;
	*answer = show_latency(call->app);
	return 0;
}

static int
run_show_config(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	const char *prefix = call->argc > 0 ? call->argv[0] : NULL;
	json_t *list = show_config(call->app, prefix);

	if (prefix != NULL && json_array_size(list) == 0) {
		json_decref(list);
		return plx_err_set(err, -ENOENT,
				   "no option begins with '%s'; 'show config' lists all of them",
				   prefix);
	}
	*answer = list;
	return 0;
}

static int
run_show_version(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	(void)call;
	(void)err;
	*answer = show_version();
	return 0;
}

static int
run_show_prometheus(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	char *text = prometheus_text(call->app);

	if (text == NULL)
		return plx_err_set(err, -ENOMEM, "no memory");
	*answer = json_string(text);
	free(text);
	return 0;
}

static int
run_clear_stats(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;

	(void)answer;
	(void)err;
	plx_engines_clear_stats(app->es);
	return 0;
}

static const struct plx_ctl_cmd cmds[] = {
	{ .words = "show engines",
	  .args = "",
	  .help = "Engines: lcore, state, how busy, what they have in flight.",
	  .manual =
		  "busy-percent is the share of polls' time that moved operations; the CPU meter of the "
		  "system says nothing about a polling thread.\n\n"
		  "devices lists the queue pairs the engine holds, DEVICE/QUEUE-PAIR, in the order they are tried.\n\n"
		  "An engine of state inline has no lcore: it lives as long as the port of the caller that steps "
		  "it, such as a job. What engines did that are gone stays in 'show stats'.",
	  .run = run_show_engines },
	{ .words = "show lanes",
	  .args = "",
	  .help = "Ports and their lanes: who sends, in which class and mode.",
	  .manual =
		  "mode is what the port was told, mode-now what is in force. short counts the times a port "
		  "took fewer operations than offered: its lanes were full. helped counts the "
		  "operations that the port's own thread did because many waited in a lane (engine.help).",
	  .run = run_show_lanes },
	{ .words = "show stats",
	  .args = "[engine=ID]",
	  .help = "Counters of all engines together, those removed among them, or of one.",
	  .manual =
		  "gathered: taken from lanes. submitted: accepted by a device. completed: handed back.\n\n"
		  "refused: offered to a device and not taken; when a queue is full or one operation is refused, those "
		  "behind it in the burst count as well, and are offered again. touched: refused, but changed by the device, so "
		  "handed back with an error. expired: the deadline passed first. unroutable: no device has the "
		  "session.\n\n"
		  "fallback-*: ran on a later device, by reason: the first one cannot do it, refused it, "
		  "stalled, or was down. replayed: run again after a device was lost. lost: could not be.\n\n"
		  "Example: show stats engine=1",
	  .keys = "engine",
	  .run = run_show_stats },
	{ .words = "show latency",
	  .args = "",
	  .help = "Time from enqueue to completion: percentiles, an engine a row.",
	  .manual = "In microseconds, since the start or the last 'clear stats'.",
	  .run = run_show_latency },
	{ .words = "show config",
	  .args = "[PREFIX]",
	  .help = "Options in force, where each came from, its range.",
	  .manual =
		  "Options with change=set can be changed with 'set'.\n\nExample: show config engine.",
	  .max_args = 1,
	  .run = run_show_config },
	{ .words = "show version",
	  .args = "",
	  .help = "Versions of Pollux, DPDK and OpenSSL.",
	  .run = run_show_version },
	{ .words = "show prometheus",
	  .args = "",
	  .help = "Counters and latency in the text format of Prometheus.",
	  .manual = "Example: pollux ctl show prometheus > /var/lib/node_exporter/pollux.prom",
	  .run = run_show_prometheus },
	{ .words = "clear stats", .args = "", .help = "Count from zero.", .run = run_clear_stats },
};

const struct cmd_table cmd_show_table = { "What runs", cmds, PLX_ARRAY_SIZE(cmds) };
