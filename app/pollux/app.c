/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "app.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <rte_lcore.h>
#include <rte_log.h>

#include "cmd.h"
#include "eal.h"
#include "socket_path.h"
#include "stats_line.h"
#include "telemetry.h"

/*
 * The life of a Pollux: devices, keys, engines, commands, in this order; down again in the reverse
 * one. The housekeeper thread gives the engines their tick, takes the control lock for it, and
 * prints the statistics line. Data never passes through here.
 */

#define TICK_US       10000
#define DRAIN_WAIT_MS 15000
#define SOFTWARE_QPS  32

/* Made on the embedded default, in this order, where there is a driver. */
static const char *const software_devices[] = {
	"crypto_aesni_mb0",
	"crypto_chacha20_poly13050",
	"crypto_plx_mb0",
	"crypto_openssl0",
};

uint32_t
app_device_rank(const struct plx_device *dev)
{
	static const struct {
		const char *driver;
		uint32_t rank;
	} ranks[] = {
		{ "crypto_aesni_mb", 30 },          { "crypto_aesni_gcm", 31 },
		{ "crypto_chacha20_poly1305", 32 }, { "crypto_plx_mb", 40 },
		{ "crypto_openssl", 80 },           { "crypto_null", 90 },
	};
	size_t i;

	if (dev->is_wrapper)
		return 10;
	if (!dev->is_software)
		return 20;
	for (i = 0; i < PLX_ARRAY_SIZE(ranks); i++)
		if (strcmp(dev->driver, ranks[i].driver) == 0)
			return ranks[i].rank;
	return 60;
}

static uint32_t
device_order(struct app *app, const struct plx_device *dev)
{
	const struct opt_device *o = plx_conf_get(app->conf, "device", dev->name);

	return o != NULL && o->order != OPT_ORDER_AUTO ? o->order : app_device_rank(dev);
}

void
app_apply_log_level(const struct app *app)
{
	uint32_t level = (uint32_t)app->opt_daemon->log_level;

	if (app->args->eal_argc == 0 && !app->args->is_verbose) {
		rte_log_set_global_level(RTE_LOG_DEBUG);
		rte_log_set_level_pattern("*", RTE_LOG_ERR);
	}
	rte_log_set_level_pattern("plx.*", level);
	rte_log_set_level_pattern("pmd.crypto.plx*", level);
}

static void
limit_core_dumps(const struct app *app)
{
	const struct rlimit none = { 0, 0 };

	if (!app->opt_daemon->core_dumps)
		setrlimit(RLIMIT_CORE, &none);
}

static bool
is_used(struct app *app, const char *name)
{
	const struct opt_device *o = plx_conf_get(app->conf, "device", name);

	return o == NULL || o->use;
}

static bool
is_made_by_default(const struct app *app, const char *name)
{
	const struct opt_devices *o = plx_conf_get(app->conf, "devices", NULL);
	size_t i;

	if (app->args->eal_argc > 0 || !o->software)
		return false;
	for (i = 0; i < PLX_ARRAY_SIZE(software_devices); i++)
		if (strcmp(software_devices[i], name) == 0)
			return true;
	return false;
}

static int
add_software_devices(struct app *app, struct plx_err *err)
{
	struct plx_device *dev;
	struct plx_err why;
	char spec[128];
	uint32_t pos = 0;
	size_t i;
	int ret;

	for (i = 0; i < PLX_ARRAY_SIZE(software_devices); i++) {
		if (!is_used(app, software_devices[i]) ||
		    plx_devices_find(app->devs, software_devices[i]) != NULL)
			continue;
		snprintf(spec, sizeof(spec), "%s,max_nb_queue_pairs=%d", software_devices[i],
			 SOFTWARE_QPS);
		ret = plx_devices_add(app->devs, spec, &dev, &why);
		if (ret < 0 && ret != -ENODEV)
			fprintf(stderr, "pollux: %s: %s\n", software_devices[i], why.text);
	}
	if (plx_devices_next(app->devs, &pos) == NULL)
		return plx_err_set(
			err, -ENODEV,
			"no crypto device: install a driver (Debian: librte-crypto-openssl23, "
			"librte-crypto-ipsec-mb23) or give EAL options");
	return 0;
}

/* Devices the file names with arguments, and that EAL does not have. */
static int
add_named_devices(struct app *app, struct plx_err *err)
{
	const struct opt_device *o;
	struct plx_device *dev;
	const char *name;
	char spec[400], full[160], place[160];
	uint32_t pos = 0;
	int ret;

	while ((name = plx_conf_next_name(app->conf, "device", &pos)) != NULL) {
		o = plx_conf_get(app->conf, "device", name);
		if (!o->use || plx_devices_find(app->devs, name) != NULL ||
		    (o->args[0] == '\0' && is_made_by_default(app, name)))
			continue;
		snprintf(spec, sizeof(spec), o->args[0] != '\0' ? "%s,%s" : "%s%s", name, o->args);
		ret = plx_devices_add(app->devs, spec, &dev, err);
		if (ret < 0) {
			snprintf(full, sizeof(full), "device.%s.args", name);
			options_place(app->conf, full, place, sizeof(place));
			plx_err_prefix(err, "%s: device %s", place, name);
			return ret;
		}
	}
	return 0;
}

static int
create_devices(struct app *app, struct plx_err *err)
{
	const struct opt_devices *o = plx_conf_get(app->conf, "devices", NULL);
	const char *skip[PLX_DEVICES_MAX + 1] = { NULL };
	struct plx_devices_params params = { .size = sizeof(params),
					     .nb_qps = (uint16_t)o->nb_qps,
					     .nb_desc = (uint16_t)o->nb_desc,
					     .nb_sessions = o->nb_sessions,
					     .skip = skip };
	uint32_t pos = 0, nb = 0;
	const char *name;
	int ret;

	while ((name = plx_conf_next_name(app->conf, "device", &pos)) != NULL)
		if (!is_used(app, name) && nb < PLX_DEVICES_MAX)
			skip[nb++] = name;
	ret = plx_devices_create(&params, &app->devs, err);
	if (ret == 0)
		ret = add_named_devices(app, err);
	if (ret == 0 && app->args->eal_argc == 0 && o->software)
		ret = add_software_devices(app, err);
	return ret;
}

static int
create_key(struct app *app, const char *full, struct plx_err *err)
{
	const struct opt_key *o = plx_conf_get(app->conf, "key", full);
	char container[PLX_KEY_NAME_MAX], name[PLX_KEY_NAME_MAX], item[160], place[160];
	plx_key_handle handle;
	int ret;

	ret = options_key_name(full, container, name, err);
	if (ret < 0)
		return ret;
	if (o->generate[0] != '\0')
		ret = plx_key_generate(app->ks, container, name, o->generate, &handle, err);
	else
		ret = plx_key_load(app->ks, container, name, o->alg[0] != '\0' ? o->alg : NULL,
				   o->file, &handle, err);
	if (ret < 0) {
		snprintf(item, sizeof(item), "key.%s.%s", full,
			 o->generate[0] != '\0' ? "generate" : "file");
		options_place(app->conf, item, place, sizeof(place));
		plx_err_prefix(err, "%s: key %s", place, full);
	}
	return ret;
}

static int
create_keystore(struct app *app, struct plx_err *err)
{
	struct opt_rules rules;
	const char *name;
	uint32_t pos;
	int ret;

	ret = plx_keystore_create(app->devs, &app->ks, err);
	if (ret < 0)
		return ret;
	for (pos = 0; (name = plx_conf_next_name(app->conf, "container", &pos)) != NULL;) {
		ret = options_rules(plx_conf_get(app->conf, "container", name), &rules, err);
		if (ret == 0)
			ret = plx_container_create(app->ks, name, &rules.policy, err);
		if (ret < 0)
			return ret;
	}
	for (pos = 0; (name = plx_conf_next_name(app->conf, "key", &pos)) != NULL;) {
		ret = create_key(app, name, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int
give_devices(struct app *app, struct plx_err *err)
{
	struct plx_device *list[PLX_DEVICES_MAX], *dev;
	uint32_t nb = 0, pos = 0, i, at;
	int ret;

	while ((dev = plx_devices_next(app->devs, &pos)) != NULL && nb < PLX_DEVICES_MAX) {
		if (!is_used(app, dev->name))
			continue;
		for (at = nb; at > 0 && device_order(app, list[at - 1]) > device_order(app, dev);
		     at--)
			list[at] = list[at - 1];
		list[at] = dev;
		nb++;
	}
	for (i = 0; i < nb; i++) {
		ret = plx_engines_device_add(app->es, list[i], err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int
create_engines(struct app *app, struct plx_err *err)
{
	struct plx_engines_params params;
	uint32_t nb, workers = rte_lcore_count() - 1, i, id;
	int ret;

	options_engine_params(app->opt_engine, &params);
	ret = options_nb_engines(app->opt_engine, &nb, err);
	if (ret < 0)
		return ret;
	if (nb == UINT32_MAX) {
		nb = app->args->is_demo ? 2 : eal_nb_cpus();
		nb = nb > workers ? workers : nb;
		nb = nb > PLX_ENGINES_MAX ? PLX_ENGINES_MAX : nb;
	}
	if (nb > workers)
		return plx_err_set(
			err, -ENOSPC,
			"engine.engines = %u: EAL has %u lcores besides the main one; give it more "
			"with -l or --lcores",
			nb, workers);
	/* the other modes let callers do the work themselves */
	if (nb == 0 && params.mode == PLX_MODE_PIPELINE)
		return plx_err_set(
			err, -EINVAL,
			"engine.mode = pipeline needs an engine, and EAL has no lcore for one besides "
			"the main one: give it more with -l or --lcores, or set engine.mode to auto or "
			"inline");

	ret = plx_engines_create(app->devs, &params, &app->es, err);
	if (ret == 0)
		ret = give_devices(app, err);
	for (i = 0; ret == 0 && i < nb; i++)
		ret = plx_engines_engine_add(app->es, PLX_ENGINE_ANY_LCORE, &id, err);
	if (ret == 0)
		ret = plx_engines_start(app->es, err);
	return ret;
}

int
app_apply_engine_options(struct app *app, struct plx_err *err)
{
	struct plx_engines_params params;

	options_engine_params(app->opt_engine, &params);
	return plx_engines_set(app->es, &params, err);
}

static void *
housekeep(void *arg)
{
	const struct timespec nap = { 0, TICK_US * 1000L };
	struct app *app = arg;
	struct stats_line line = { 0 };

	while (!atomic_load(&app->housekeeper_ends)) {
		nanosleep(&nap, NULL);
		plx_ctl_lock(app->ctl);
		plx_engines_tick(app->es);
		stats_line_step(&line, app);
		plx_ctl_unlock(app->ctl);
	}
	stats_line_free(&line);
	return NULL;
}

static int
start_housekeeper(struct app *app, struct plx_err *err)
{
	int ret = pthread_create(&app->housekeeper, NULL, housekeep, app);

	if (ret != 0)
		return plx_err_set(err, -ret, "no thread for housekeeping: %s", strerror(ret));
	app->has_housekeeper = true;
	return 0;
}

int
app_create(const struct args *args, struct plx_conf *conf, struct app **out, struct plx_err *err)
{
	struct app *app = calloc(1, sizeof(*app));
	int ret;

	if (app == NULL)
		return plx_err_set(err, -ENOMEM, "no memory");
	app->args = args;
	app->conf = conf;
	app->opt_engine = plx_conf_get(conf, "engine", NULL);
	app->opt_daemon = plx_conf_get(conf, "daemon", NULL);
	app_apply_log_level(app);
	limit_core_dumps(app);

	ret = create_devices(app, err);
	if (ret == 0)
		ret = create_keystore(app, err);
	if (ret == 0)
		ret = create_engines(app, err);
	if (ret == 0)
		ret = plx_ctl_create(app, &app->ctl);
	if (ret == 0)
		ret = cmd_register_all(app->ctl, err);
	if (ret == 0)
		ret = start_housekeeper(app, err);
	if (ret < 0) {
		app_destroy(app);
		return ret;
	}
	telemetry_start(app);
	*out = app;
	return 0;
}

int
app_listen(struct app *app, bool is_lenient, struct plx_err *err)
{
	int ret;

	ret = socket_path_find(app->opt_daemon->socket, true, app->socket_path,
			       sizeof(app->socket_path), err);
	if (ret == 0 && app->socket_path[0] != '\0')
		ret = plx_ctl_listen(app->ctl, app->socket_path, err);
	if (ret < 0) {
		app->socket_path[0] = '\0';
		if (is_lenient) {
			fprintf(stderr, "pollux: no control socket: %s\n", err->text);
			return 0;
		}
	}
	return ret;
}

void
app_stop(struct app *app)
{
	atomic_store(&app->is_stopping, true);
	if (app->ctl != NULL)
		plx_ctl_prompt_stop(app->ctl);
}

void
app_destroy(struct app *app)
{
	const struct timespec nap = { 0, 1000000 };
	uint32_t i;

	if (app == NULL)
		return;
	atomic_store(&app->is_stopping, true);
	telemetry_stop(app);
	for (i = 0; i < DRAIN_WAIT_MS && atomic_load(&app->nb_long) > 0; i++)
		nanosleep(&nap, NULL);
	atomic_store(&app->housekeeper_ends, true);
	if (app->has_housekeeper)
		pthread_join(app->housekeeper, NULL);
	if (app->ctl != NULL)
		plx_ctl_destroy(app->ctl);
	if (app->es != NULL)
		plx_engines_stop(app->es);
	plx_keystore_destroy(app->ks);
	plx_engines_destroy(app->es);
	plx_devices_destroy(app->devs);
	free(app);
}
