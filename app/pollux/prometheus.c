/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "prometheus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>

#include "app.h"

/*
 * One table row a counter, one sample an engine. Latency is a summary with fixed quantiles: the
 * buckets of the histogram are far more than Prometheus wants.
 */

struct counter {
	const char *name;
	const char *help;
	size_t offset; /* of a uint64_t in struct plx_engine_stats */
};

#define ROW(name, field, help)                                                                     \
	{                                                                                          \
		name, help, offsetof(struct plx_engine_stats, field)                               \
	}

static const struct counter counters[] = {
	ROW("gathered", nb_gathered, "Operations taken from lanes or callers."),
	ROW("submitted", nb_submitted, "Operations accepted by a device."),
	ROW("completed", nb_completed, "Operations handed back, with any status."),
	ROW("success", nb_success, "Operations that succeeded."),
	ROW("failed", nb_failed, "Operations a device failed."),
	ROW("expired", nb_expired, "Operations whose deadline passed before a device took them."),
	ROW("unroutable", nb_unroutable, "Operations no device has the session for."),
	ROW("refused", nb_refused, "Operations offered to a device and not taken."),
	ROW("touched", nb_touched, "Operations refused but changed by a device."),
	ROW("fallback_capability", nb_fallback[PLX_FALLBACK_CAPABILITY],
	    "Operations on a later device: the first cannot do them."),
	ROW("fallback_refused", nb_fallback[PLX_FALLBACK_REFUSED],
	    "Operations on a later device: the first refused them."),
	ROW("fallback_stalled", nb_fallback[PLX_FALLBACK_STALLED],
	    "Operations on a later device: the first stalled."),
	ROW("fallback_down", nb_fallback[PLX_FALLBACK_DOWN],
	    "Operations on a later device: the first was down."),
	ROW("replayed", nb_replayed, "Operations of a lost device run again elsewhere."),
	ROW("lost", nb_lost, "Operations of a lost device that could not be run again."),
	ROW("misordered", nb_misordered, "Completions found out of order."),
	ROW("foreign", nb_foreign, "Operations a device handed back that it was not given."),
	ROW("polls", nb_polls, "Steps of the engine."),
	ROW("polls_busy", nb_polls_busy, "Steps that moved at least one operation."),
	ROW("sleeps", nb_sleeps, "Times the engine slept."),
	ROW("busy_cycles", busy_cycles, "TSC cycles in busy steps."),
	ROW("idle_cycles", idle_cycles, "TSC cycles in idle steps and sleep."),
	ROW("bytes", bytes, "Bytes of symmetric data submitted."),
};

static void
put_counters(FILE *f, struct app *app)
{
	struct plx_engine_info info;
	uint32_t pos;
	uint64_t value;
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(counters); i++) {
		fprintf(f,
			"# HELP pollux_engine_%s_total %s\n# TYPE pollux_engine_%s_total counter\n",
			counters[i].name, counters[i].help, counters[i].name);
		for (pos = 0; plx_engines_next(app->es, &pos, &info);) {
			memcpy(&value, (const char *)&info.stats + counters[i].offset,
			       sizeof(value));
			fprintf(f, "pollux_engine_%s_total{engine=\"%u\"} %llu\n", counters[i].name,
				info.id, (unsigned long long)value);
		}
	}
}

static void
put_latency(FILE *f, struct app *app, struct plx_hist *hist)
{
	static const uint32_t per_mille[] = { 500, 900, 990, 999 };
	double hz = (double)rte_get_tsc_hz();
	struct plx_hist_summary s;
	struct plx_engine_info info;
	uint32_t pos = 0;
	size_t i;

	fputs("# HELP pollux_engine_latency_seconds Time from enqueue to completion.\n"
	      "# TYPE pollux_engine_latency_seconds summary\n",
	      f);
	while (plx_engines_next(app->es, &pos, &info)) {
		plx_hist_reset(hist);
		if (plx_engines_latency(app->es, info.id, hist) < 0)
			continue;
		plx_hist_summarize(hist, &s);
		for (i = 0; i < PLX_ARRAY_SIZE(per_mille); i++)
			fprintf(f,
				"pollux_engine_latency_seconds{engine=\"%u\",quantile=\"%g\"} %.9g\n",
				info.id, per_mille[i] / 1000.0,
				(double)plx_hist_quantile(hist, per_mille[i]) / hz);
		fprintf(f, "pollux_engine_latency_seconds_count{engine=\"%u\"} %llu\n", info.id,
			(unsigned long long)s.count);
	}
}

static void
put_gauges(FILE *f, struct app *app)
{
	struct plx_engine_info info;
	struct plx_device *dev;
	uint32_t pos;

	fputs("# HELP pollux_engine_in_flight Operations a device has at the moment.\n"
	      "# TYPE pollux_engine_in_flight gauge\n",
	      f);
	for (pos = 0; plx_engines_next(app->es, &pos, &info);)
		fprintf(f, "pollux_engine_in_flight{engine=\"%u\"} %u\n", info.id,
			info.nb_inflight);

	fputs("# HELP pollux_device_up 1 when the device takes operations.\n"
	      "# TYPE pollux_device_up gauge\n",
	      f);
	for (pos = 0; (dev = plx_devices_next(app->devs, &pos)) != NULL;)
		fprintf(f, "pollux_device_up{device=\"%s\",driver=\"%s\"} %d\n", dev->name,
			dev->driver, atomic_load(&dev->health) == PLX_HEALTH_UP);
	fputs("# HELP pollux_device_lost_total Times the device was given up.\n"
	      "# TYPE pollux_device_lost_total counter\n",
	      f);
	for (pos = 0; (dev = plx_devices_next(app->devs, &pos)) != NULL;)
		fprintf(f, "pollux_device_lost_total{device=\"%s\",driver=\"%s\"} %llu\n",
			dev->name, dev->driver, (unsigned long long)atomic_load(&dev->nb_lost));
}

char *
prometheus_text(struct app *app)
{
	struct plx_hist *hist = calloc(1, sizeof(*hist));
	char *text = NULL;
	size_t len;
	FILE *f;

	if (hist == NULL)
		return NULL;
	f = open_memstream(&text, &len);
	if (f != NULL) {
		put_counters(f, app);
		put_gauges(f, app);
		put_latency(f, app, hist);
		if (fclose(f) != 0) {
			free(text);
			text = NULL;
		}
	}
	free(hist);
	return text;
}
