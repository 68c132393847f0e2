/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "plx_alg.h"

/* What the devices are and can do, row by row of the algorithm table; a row nobody can do says why.
 */

#define KEY_SIZES_MAX 16 /* tried a row: a range with more is sampled at its usual sizes */

static uint32_t
in_flight(struct app *app, const char *name)
{
	struct plx_engine_info info;
	uint32_t pos = 0, i, sum = 0;

	while (plx_engines_next(app->es, &pos, &info))
		for (i = 0; i < info.nb_devs; i++)
			if (strcmp(info.devs[i], name) == 0)
				sum += info.dev_inflight[i];
	return sum;
}

/* The place in the engines' order, first is 1; 0 when engines do not use it. */
static uint32_t
order_of(struct app *app, const char *name)
{
	struct plx_engine_info info;
	uint32_t pos = 0, i;

	if (!plx_engines_next(app->es, &pos, &info))
		return 0;
	for (i = 0; i < info.nb_devs; i++)
		if (strcmp(info.devs[i], name) == 0)
			return i + 1;
	return 0;
}

json_t *
show_devices(struct app *app)
{
	json_t *list = json_array(), *row;
	struct plx_device *dev;
	uint32_t pos = 0;

	while ((dev = plx_devices_next(app->devs, &pos)) != NULL) {
		row = json_object();
		cmd_put_text(row, "device", dev->name);
		cmd_put_text(row, "driver", dev->driver);
		cmd_put_text(row, "kind",
			     dev->is_wrapper    ? "wrapper"
			     : dev->is_software ? "software"
						: "hardware");
		if (dev->socket_id < 0)
			cmd_put_text(row, "node", "any");
		else
			cmd_put_u64(row, "node", (uint64_t)dev->socket_id);
		cmd_put_text(row, "health",
			     plx_health_name((enum plx_health)atomic_load(&dev->health)));
		cmd_put_u64(row, "order", order_of(app, dev->name));
		cmd_put_u64(row, "queue-pairs", dev->nb_qps);
		cmd_put_u64(row, "descriptors", dev->nb_desc);
		cmd_put_u64(row, "in-flight", in_flight(app, dev->name));
		cmd_put_u64(row, "times-lost", atomic_load(&dev->nb_lost));
		json_array_append_new(list, row);
	}
	return list;
}

/* The i-th key size to try for a row, in bytes; false behind the last. */
static bool
key_size_at(const struct plx_alg *alg, uint32_t i, uint16_t *bytes)
{
	static const uint16_t moduli[] = { 256, 384, 512 };
	const struct plx_alg_range *key = &alg->key;

	if (alg->kind == PLX_ALG_KIND_ASYM && key->min != key->max) {
		if (i >= PLX_ARRAY_SIZE(moduli))
			return false;
		*bytes = moduli[i];
		return plx_alg_range_has(key, *bytes);
	}
	if (alg->kind == PLX_ALG_KIND_MAC && key->step == 1) {
		*bytes = alg->tag_default_bytes; /* HMAC: any size; the digest's is what people use
						  */
		return i == 0;
	}
	if (i >= KEY_SIZES_MAX || key->min + i * key->step > key->max || (i > 0 && key->step == 0))
		return false;
	*bytes = (uint16_t)(key->min + i * key->step);
	return true;
}

/* Operations of the row the device can do with this key size; why receives the reason for the first
 * it cannot. */
static uint32_t
ops_of(const struct plx_device *dev, const struct plx_alg *alg, uint16_t key_bytes,
       struct plx_err *why)
{
	struct plx_alg_spec spec = { .alg = alg, .key_bytes = key_bytes };
	struct plx_err err;
	uint32_t bit, ops = 0;

	for (bit = 1; bit <= PLX_OP_RANDOM; bit <<= 1) {
		if ((alg->ops & bit) == 0)
			continue;
		if (plx_device_can(dev, &spec, (enum plx_op)bit, &err) == 0)
			ops |= bit;
		else if (why->text[0] == '\0')
			*why = err;
	}
	return ops;
}

/* What a device can do of a row. */
struct ability {
	uint32_t ops;
	char bits[128]; /* "128 192 256" */
	struct plx_err why;
};

static void
ability_of(const struct plx_device *dev, const struct plx_alg *alg, struct ability *a)
{
	struct plx_alg_spec spec = { .alg = alg };
	uint32_t i, ops;
	size_t at = 0;

	memset(a, 0, sizeof(*a));
	for (i = 0; key_size_at(alg, i, &spec.key_bytes); i++) {
		ops = ops_of(dev, alg, spec.key_bytes, &a->why);
		if (ops == 0)
			continue;
		a->ops |= ops;
		if (spec.key_bytes > 0 && at < sizeof(a->bits))
			at += (size_t)snprintf(a->bits + at, sizeof(a->bits) - at, "%s%u",
					       at > 0 ? " " : "", plx_alg_key_bits(&spec));
	}
}

static void
put_ops(json_t *row, uint32_t ops)
{
	char text[128] = "";
	size_t at = 0;
	uint32_t bit;

	for (bit = 1; bit <= PLX_OP_RANDOM; bit <<= 1)
		if ((ops & bit) != 0)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s",
					       at > 0 ? " " : "", plx_op_name((enum plx_op)bit));
	cmd_put_text(row, "operations", text);
}

static void
put_capabilities(json_t *list, const struct plx_device *dev, bool with_reasons)
{
	const struct plx_alg *algs;
	struct ability a;
	json_t *row;
	size_t nb, i;

	algs = plx_alg_table(&nb);
	for (i = 0; i < nb; i++) {
		ability_of(dev, &algs[i], &a);
		if (a.ops == 0 && !with_reasons)
			continue;
		row = json_object();
		cmd_put_text(row, "device", dev->name);
		cmd_put_text(row, "algorithm", algs[i].name);
		cmd_put_text(row, "key-bits", a.bits);
		put_ops(row, a.ops);
		if (with_reasons)
			cmd_put_text(row, "why-not", a.ops == algs[i].ops ? "" : a.why.text);
		json_array_append_new(list, row);
	}
}

static int
run_show_capabilities(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;
	const struct plx_device *dev;
	uint32_t pos = 0;

	if (call->argc > 0) {
		dev = plx_devices_find(app->devs, call->argv[0]);
		if (dev == NULL)
			return plx_err_set(err, -ENOENT,
					   "there is no device '%s'; 'show devices' lists them",
					   call->argv[0]);
		*answer = json_array();
		put_capabilities(*answer, dev, true);
		return 0;
	}
	*answer = json_array();
	while ((dev = plx_devices_next(app->devs, &pos)) != NULL)
		put_capabilities(*answer, dev, false);
	return 0;
}

static void
put_key_bits(json_t *row, const struct plx_alg *alg)
{
	struct plx_alg_spec lo = { .alg = alg, .key_bytes = alg->key.min };
	struct plx_alg_spec hi = { .alg = alg, .key_bytes = alg->key.max };
	char text[48] = "";

	if (alg->key.max > 0 && alg->key.min == alg->key.max)
		snprintf(text, sizeof(text), "%u", plx_alg_key_bits(&lo));
	else if (alg->key.max == UINT16_MAX)
		snprintf(text, sizeof(text), "any");
	else if (alg->key.max > 0)
		snprintf(text, sizeof(text), "%u-%u", plx_alg_key_bits(&lo), plx_alg_key_bits(&hi));
	cmd_put_text(row, "key-bits", text);
}

/* Names of the devices that can do at least one operation of the row, or a reason of the first
 * device. */
static void
put_able_devices(struct app *app, json_t *row, const struct plx_alg *alg)
{
	char text[512] = "", reason[640];
	const struct plx_device *dev;
	struct plx_err why = { "" };
	struct ability a;
	uint32_t pos = 0;
	size_t at = 0;

	while ((dev = plx_devices_next(app->devs, &pos)) != NULL) {
		ability_of(dev, alg, &a);
		if (a.ops != 0 && at < sizeof(text))
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s%s",
					       at > 0 ? " " : "", dev->name,
					       a.ops == alg->ops ? "" : " (some)");
		if (a.ops == 0)
			why = a.why; /* the last device is the widest one in the default order */
	}
	if (text[0] == '\0') {
		snprintf(reason, sizeof(reason), "none: %s",
			 why.text[0] != '\0' ? why.text : "there is no device");
		cmd_put_text(row, "devices", reason);
		return;
	}
	cmd_put_text(row, "devices", text);
}

static json_t *
algorithm_row(struct app *app, const struct plx_alg *alg)
{
	json_t *row = json_object();

	cmd_put_text(row, "algorithm", alg->name);
	cmd_put_text(row, "kind", plx_alg_kind_name(alg->kind));
	put_key_bits(row, alg);
	put_ops(row, alg->ops);
	put_able_devices(app, row, alg);
	return row;
}

/* One algorithm, a device a row, each with its reason. */
static void
put_algorithm_devices(struct app *app, json_t *list, const struct plx_alg *alg)
{
	const struct plx_device *dev;
	struct ability a;
	uint32_t pos = 0;
	json_t *row;

	while ((dev = plx_devices_next(app->devs, &pos)) != NULL) {
		ability_of(dev, alg, &a);
		row = json_object();
		cmd_put_text(row, "algorithm", alg->name);
		cmd_put_text(row, "device", dev->name);
		cmd_put_text(row, "key-bits", a.bits);
		put_ops(row, a.ops);
		cmd_put_text(row, "why-not", a.ops == alg->ops ? "" : a.why.text);
		json_array_append_new(list, row);
	}
}

static int
run_show_algorithms(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;
	const struct plx_alg *algs, *alg;
	struct plx_alg_spec spec;
	size_t nb, i;
	int ret;

	if (call->argc > 0) {
		alg = plx_alg_find(call->argv[0]);
		if (alg == NULL) {
			ret = plx_alg_parse(call->argv[0], &spec, err);
			if (ret < 0)
				return ret;
			alg = spec.alg;
		}
		*answer = json_array();
		put_algorithm_devices(app, *answer, alg);
		return 0;
	}
	*answer = json_array();
	algs = plx_alg_table(&nb);
	for (i = 0; i < nb; i++)
		json_array_append_new(*answer, algorithm_row(app, &algs[i]));
	return 0;
}

static int
run_show_devices(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	(void)err;
	*answer = show_devices(call->app);
	return 0;
}

static void
complete_device(void *app, int argc, const char *const *argv,
		void (*add)(void *to, const char *word), void *to)
{
	const struct plx_device *dev;
	uint32_t pos = 0;

	(void)argv;
	while (argc == 0 && (dev = plx_devices_next(((struct app *)app)->devs, &pos)) != NULL)
		add(to, dev->name);
}

static void
complete_algorithm(void *app, int argc, const char *const *argv,
		   void (*add)(void *to, const char *word), void *to)
{
	const struct plx_alg *algs;
	size_t nb, i;

	(void)app;
	(void)argv;
	algs = plx_alg_table(&nb);
	for (i = 0; argc == 0 && i < nb; i++)
		add(to, algs[i].name);
}

static const struct plx_ctl_cmd cmds[] = {
	{ .words = "show devices",
	  .args = "",
	  .help = "Crypto devices: driver, health, queue pairs, operations in flight.",
	  .manual =
		  "health is up, blocked (by 'device block'), stalled (no completion for engine.stall), lost "
		  "(given up after engine.lost) or stopped. order is the place in which engines try it; 0 "
		  "means that they do not use it.",
	  .run = run_show_devices },
	{ .words = "show capabilities",
	  .args = "[DEVICE]",
	  .help = "What each device can do; for one device also what it cannot, and why.",
	  .manual = "Example: show capabilities crypto_openssl0",
	  .max_args = 1,
	  .run = run_show_capabilities,
	  .complete = complete_device },
	{ .words = "show algorithms",
	  .args = "[ALGORITHM]",
	  .help = "All algorithms and the devices here that can do them.",
	  .manual = "With an algorithm: a device a row, with the field that does not match.\n\n"
		    "'(some)' behind a device: it does not do all of the operations.\n\n"
		    "Example: show algorithms aes-gcm",
	  .max_args = 1,
	  .run = run_show_algorithms,
	  .complete = complete_algorithm },
};

const struct cmd_table cmd_show_device_table = { "Devices and algorithms", cmds,
						 PLX_ARRAY_SIZE(cmds) };
