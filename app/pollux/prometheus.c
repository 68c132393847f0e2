/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "prometheus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>

#include "app.h"
#include "plx_prom.h"

/*
 * One table row a counter, one sample an engine, and one for those that are no more, so that a sum
 * over the engines never goes back. Latency is a histogram over all engines.
 */

#define GONE "gone"

static const double bounds_s[] = { 1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3,
				   2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1,  0.2,  0.5,  1,    5 };

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

static uint64_t
value_of(const struct plx_engine_stats *stats, const struct counter *c)
{
	uint64_t value;

	memcpy(&value, (const char *)stats + c->offset, sizeof(value));
	return value;
}

static void
put_counter(struct plx_prom *page, struct app *app, const struct counter *c,
	    const struct plx_engine_stats *gone)
{
	struct plx_prom_label label = { .name = "engine" };
	struct plx_engine_info info;
	uint32_t pos = 0;
	char text[64];

	snprintf(text, sizeof(text), "pollux_engine_%s_total", c->name);
	plx_prom_family(page, text, PLX_PROM_COUNTER, c->help);
	while (plx_engines_next(app->es, &pos, &info)) {
		snprintf(text, sizeof(text), "%u", info.id);
		label.value = text;
		plx_prom_counter(page, &label, 1, value_of(&info.stats, c));
	}
	label.value = GONE;
	plx_prom_counter(page, &label, 1, value_of(gone, c));
}

static void
put_counters(struct plx_prom *page, struct app *app)
{
	struct plx_engine_stats gone = { 0 };
	size_t i;

	if (plx_engines_stats(app->es, PLX_ENGINE_GONE, &gone) < 0)
		return;
	for (i = 0; i < PLX_ARRAY_SIZE(counters); i++)
		put_counter(page, app, &counters[i], &gone);
}

static void
put_latency(struct plx_prom *page, struct app *app)
{
	const struct plx_prom_buckets buckets = { .hz = rte_get_tsc_hz(),
						  .bounds_s = bounds_s,
						  .nb_bounds = PLX_ARRAY_SIZE(bounds_s) };
	struct plx_hist *hist = calloc(1, sizeof(*hist));

	if (hist == NULL)
		return;
	plx_prom_family(page, "pollux_latency_seconds", PLX_PROM_HISTOGRAM,
			"Time from enqueue to completion, over all engines.");
	if (plx_engines_latency(app->es, PLX_ENGINE_ANY, hist) == 0)
		plx_prom_histogram(page, NULL, 0, hist, &buckets);
	free(hist);
}

static void
put_gauges(struct plx_prom *page, struct app *app)
{
	struct plx_prom_label label = { .name = "engine" };
	struct plx_engine_info info;
	uint32_t pos = 0;
	char text[16];

	plx_prom_family(page, "pollux_engine_in_flight", PLX_PROM_GAUGE,
			"Operations that devices have at the moment.");
	while (plx_engines_next(app->es, &pos, &info)) {
		snprintf(text, sizeof(text), "%u", info.id);
		label.value = text;
		plx_prom_gauge(page, &label, 1, info.nb_inflight);
	}
}

static void
put_devices(struct plx_prom *page, struct app *app)
{
	struct plx_prom_label labels[2] = { { .name = "device" }, { .name = "driver" } };
	struct plx_device *dev;
	uint32_t pos;

	plx_prom_family(page, "pollux_device_up", PLX_PROM_GAUGE,
			"1 when the device takes operations.");
	for (pos = 0; (dev = plx_devices_next(app->devs, &pos)) != NULL;) {
		labels[0].value = dev->name;
		labels[1].value = dev->driver;
		plx_prom_gauge(page, labels, 2, atomic_load(&dev->health) == PLX_HEALTH_UP);
	}
	plx_prom_family(page, "pollux_device_lost_total", PLX_PROM_COUNTER,
			"Times the device was given up.");
	for (pos = 0; (dev = plx_devices_next(app->devs, &pos)) != NULL;) {
		labels[0].value = dev->name;
		labels[1].value = dev->driver;
		plx_prom_counter(page, labels, 2, atomic_load(&dev->nb_lost));
	}
}

char *
prometheus_text(struct app *app)
{
	struct plx_prom *page;
	char *text = NULL;

	if (plx_prom_create(&page) < 0)
		return NULL;
	put_counters(page, app);
	put_gauges(page, app);
	put_devices(page, app);
	put_latency(page, app);
	return plx_prom_finish(page, &text, NULL) == 0 ? text : NULL;
}
