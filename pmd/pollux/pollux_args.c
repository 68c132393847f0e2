/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "plx_units.h"

/*
 * The device's arguments: one table by lib/conf, so that names, units, ranges and sentences are
 * those of pollux.conf. '_' in a key is '-'. device= stands beside the table: it may be given
 * several times and is as long as a device's arguments are. Changes while running are made in a
 * copy and taken over as a whole.
 */

#define SECTION "pollux"

#define ROW(key, type, field, lo, hi, two, is_live, list, value, text)                             \
	{                                                                                          \
		SECTION, key, type, offsetof(struct pollux_options, field), lo, hi, two, is_live,  \
			list, value, text                                                          \
	}

/* lib/conf stores choices as int */
static_assert(sizeof(enum plx_mode) == sizeof(int) && sizeof(enum plx_policy) == sizeof(int),
	      "the engine's own params are what is stored to");

static const struct plx_conf_section sections[] = {
	{ SECTION, sizeof(struct pollux_options), false, "Arguments of crypto_pollux." },
};

static const struct plx_opt_choice modes[] = { { "pipeline", PLX_MODE_PIPELINE },
					       { "inline", PLX_MODE_INLINE },
					       { "auto", PLX_MODE_AUTO },
					       { NULL, 0 } };

static const struct plx_opt_choice policies[] = { { "round-robin", PLX_POLICY_ROUND_ROBIN },
						  { "least-loaded", PLX_POLICY_LEAST_LOADED },
						  { "session", PLX_POLICY_SESSION },
						  { "size", PLX_POLICY_SIZE },
						  { NULL, 0 } };

static const struct plx_opt_choice classes[] = { { "high", PLX_CLASS_HIGH },
						 { "normal", PLX_CLASS_NORMAL },
						 { "bulk", PLX_CLASS_BULK },
						 { NULL, 0 } };

static const struct plx_opt opts[] = {
	ROW("engines", PLX_OPT_U32, nb_engines, 0, PLX_ENGINES_MAX, false, false, NULL, "0",
	    "Engines at the start."),
	ROW("cores", PLX_OPT_TEXT, cores, 0, 255, false, false, NULL, "",
	    "CPUs for the engines' threads."),
	ROW("service", PLX_OPT_BOOL, service, 0, 0, false, false, NULL, "off",
	    "Engines are services on EAL's service lcores."),
	ROW("mode", PLX_OPT_ENUM, params.mode, 0, 0, false, true, modes, "inline",
	    "Where operations run."),
	ROW("policy", PLX_OPT_ENUM, params.policy, 0, 0, false, true, policies, "session",
	    "How a queue pair picks the engine."),
	ROW("class", PLX_OPT_ENUM, cls, 0, 0, false, false, classes, "normal",
	    "Class of the lanes of its queue pairs."),
	ROW("weight-high", PLX_OPT_U32, params.weights[PLX_CLASS_HIGH], 1, 256, false, true, NULL,
	    "16", "Share of an engine for class high."),
	ROW("weight-normal", PLX_OPT_U32, params.weights[PLX_CLASS_NORMAL], 1, 256, false, true,
	    NULL, "4", "Share of an engine for class normal."),
	ROW("weight-bulk", PLX_OPT_U32, params.weights[PLX_CLASS_BULK], 1, 256, false, true, NULL,
	    "1", "Share of an engine for class bulk."),
	ROW("burst", PLX_OPT_U32, params.burst, 1, PLX_BURST_MAX, false, true, NULL, "32",
	    "Operations an engine takes in one step."),
	ROW("batch-wait", PLX_OPT_DURATION, params.batch_wait_us, 0, 1000000, false, true, NULL,
	    "0us", "Hold a burst that is not full up to this long."),
	ROW("deadline", PLX_OPT_DURATION, params.deadline_us, 0, 600000000, false, true, NULL,
	    "0us", "An older operation is not started any more."),
	ROW("stall", PLX_OPT_DURATION, params.stall_us, 100, 600000000, false, true, NULL, "10ms",
	    "A device without a completion for this long is stalled."),
	ROW("lost", PLX_OPT_DURATION, params.lost_us, 1000, 600000000, false, true, NULL, "1s",
	    "A device stalled for this long is given up."),
	ROW("idle", PLX_OPT_DURATION, params.idle_us, 0, 60000000, false, true, NULL, "1ms",
	    "An engine without work for this long sleeps; 0us is never."),
	ROW("lane-slots", PLX_OPT_U32, params.lane_slots, 64, 65536, true, false, NULL, "1024",
	    "Operations a lane holds at least."),
	ROW("help", PLX_OPT_U32, params.help_ops, 0, 65536, false, true, NULL, "64",
	    "Operations waiting in a lane from which on the enqueuer does some itself; 0 is never."),
	ROW("size-split", PLX_OPT_SIZE, params.size_split_bytes, 1, 1u << 30, false, true, NULL,
	    "4k", "Policy size: from here on the last engine."),
	ROW("shadow", PLX_OPT_BOOL, params.shadow, 0, 0, false, true, NULL, "off",
	    "Keep copies of in-place input for software devices too."),
	ROW("max-nb-queue-pairs", PLX_OPT_U32, max_nb_qps, 1, POLLUX_QPS_MAX, false, false, NULL,
	    "8", "Queue pairs a program may set up."),
	ROW("socket-id", PLX_OPT_U32, socket_id, 0, RTE_MAX_NUMA_NODES - 1, false, false, NULL, "0",
	    "NUMA node."),
	ROW("queue-pairs", PLX_OPT_U32, nb_qps, 0, PLX_DEVICE_QPS_MAX, false, false, NULL, "0",
	    "Queue pairs on each device behind."),
	ROW("descriptors", PLX_OPT_U32, nb_desc, 64, 32768, true, false, NULL, "2048",
	    "Descriptors of each of those."),
	ROW("sessions", PLX_OPT_U32, nb_sessions, 16, 1048576, false, false, NULL, "4096",
	    "Sessions that can live at a time."),
};

/* "max_nb_queue_pairs" to "pollux.max-nb-queue-pairs". */
static int
key_full(const char *key, char *buf, size_t len)
{
	int n = snprintf(buf, len, SECTION ".%s", key);

	if (n < 0 || (size_t)n >= len)
		return -EINVAL;
	for (; *buf != '\0'; buf++)
		if (*buf == '_')
			*buf = '-';
	return 0;
}

/* The section's name says nothing to who wrote device arguments. */
static int
sentence_trim(struct plx_err *err, int code)
{
	static const char prefix[] = SECTION ".";

	if (err != NULL && strncmp(err->text, prefix, sizeof(prefix) - 1) == 0)
		memmove(err->text, err->text + sizeof(prefix) - 1,
			strlen(err->text) - sizeof(prefix) + 2);
	return code;
}

/* lib/conf's sentences speak of sections and files, and do not know device=. */
static int
sentence_write(struct plx_err *err, const char *key, int code)
{
	char text[PLX_ERR_TEXT_MAX];

	snprintf(text, sizeof(text), "%s", err != NULL ? err->text : "");
	if (code == -ENOENT)
		return plx_err_set(err, code, "no argument '%.32s' (besides device)%s", key,
				   strchr(text, ';') != NULL ? strchr(text, ';') : "");
	if (code == -EPERM)
		return plx_err_set(err, code,
				   "%s is read when the device is made and cannot change later",
				   key);
	return sentence_trim(err, code);
}

static int
option_set(struct plx_conf *conf, const char *key, const char *value, enum plx_origin origin,
	   struct plx_err *err)
{
	char full[64];

	if (key_full(key, full, sizeof(full)) < 0)
		return plx_err_set(err, -ENOENT, "no argument has a name as long as '%.32s...'",
				   key);
	return sentence_write(err, key, plx_conf_set(conf, full, value, origin, err));
}

static int
device_take(struct pollux_args *args, const char *spec, struct plx_err *err)
{
	size_t len = strlen(spec);

	if (len == 0 || len >= POLLUX_SPEC_MAX)
		return plx_err_set(err, -EINVAL,
				   "device=%.32s: %zu bytes; give 1 to %d: a driver such as "
				   "crypto_aesni_mb, [driver,arguments], or a device EAL has",
				   spec, len, POLLUX_SPEC_MAX - 1);
	if (args->nb_specs == PLX_ENGINE_DEVS)
		return plx_err_set(err, -ENOSPC, "more than %d device= are given", PLX_ENGINE_DEVS);
	args->specs[args->nb_specs] = strdup(spec);
	if (args->specs[args->nb_specs] == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for the arguments");
	args->nb_specs++;
	return 0;
}

static int
arg_take(void *arg, const char *key, const char *value, struct plx_err *err)
{
	struct pollux_args *args = arg;
	int ret;

	if (strcmp(key, "device") == 0)
		return device_take(args, value, err);
	ret = option_set(args->conf, key, value, PLX_ORIGIN_COMMAND_LINE, err);
	args->has_engines |= strcmp(key, "engines") == 0;
	args->has_mode |= strcmp(key, "mode") == 0;
	args->has_cores |= strcmp(key, "cores") == 0;
	args->has_socket |= strcmp(key, "socket_id") == 0 || strcmp(key, "socket-id") == 0;
	return ret;
}

static int
cores_bad(const char *text, struct plx_err *err)
{
	return plx_err_set(err, -EINVAL,
			   "cores=%s: give CPUs from 0 to %d such as 2, 2-5 or [2,4-5]", text,
			   POLLUX_CPUS_MAX - 1);
}

/* "2-3,7" */
static int
cores_read(struct pollux_args *args, struct plx_err *err)
{
	const char *text = args->opt->cores, *p = text;

	while (*p != '\0') {
		unsigned long from, to;
		char *end;

		/* strtoul() takes blanks and signs */
		if (*p < '0' || *p > '9')
			return cores_bad(text, err);
		from = to = strtoul(p, &end, 10);
		if (*end == '-') {
			p = end + 1;
			if (*p < '0' || *p > '9')
				return cores_bad(text, err);
			to = strtoul(p, &end, 10);
		}
		if (to >= POLLUX_CPUS_MAX || from > to || (*end != ',' && *end != '\0'))
			return cores_bad(text, err);
		for (; from <= to; from++) {
			if (args->nb_cpus == POLLUX_CPUS_MAX)
				return cores_bad(text, err);
			args->cpus[args->nb_cpus++] = (uint16_t)from;
		}
		p = *end == ',' ? end + 1 : end;
		if (*end == ',' && *p == '\0')
			return cores_bad(text, err);
	}
	return args->has_cores && args->nb_cpus == 0 ? cores_bad(text, err) : 0;
}

/* What was not given follows from what was. */
static int
gaps_fill(struct pollux_args *args, struct plx_err *err)
{
	struct pollux_options *o = args->opt;

	if (o->service && args->nb_cpus != 0)
		return plx_err_set(
			err, -EINVAL,
			"cores=%s and service=on: engines have either threads on CPUs or "
			"the service lcores; leave one out",
			o->cores);
	if (!args->has_engines) {
		bool wanted = args->has_mode && o->params.mode != PLX_MODE_INLINE;

		o->nb_engines = RTE_MIN(args->nb_cpus, (uint32_t)PLX_ENGINES_MAX);
		if (o->nb_engines == 0 && (wanted || o->service))
			o->nb_engines = 1;
	}
	if (!args->has_mode)
		o->params.mode = o->nb_engines != 0 ? PLX_MODE_PIPELINE : PLX_MODE_INLINE;
	if (o->params.mode == PLX_MODE_PIPELINE && o->nb_engines == 0)
		return plx_err_set(err, -EINVAL,
				   "engines=0 and mode=pipeline: nobody would run the operations; "
				   "give 1 to %d engines, or mode=inline",
				   PLX_ENGINES_MAX);
	if (o->nb_qps == 0)
		o->nb_qps =
			RTE_MIN(o->max_nb_qps + o->nb_engines + 8, (uint32_t)PLX_DEVICE_QPS_MAX);
	for (uint32_t i = 0; i < args->nb_cpus; i++) {
		int ret = pollux_cpu_check(args->cpus[i], err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

int
pollux_args_read(struct pollux_args *args, const char *text, struct plx_err *err)
{
	int ret;

	memset(args, 0, sizeof(*args));
	ret = plx_conf_create(sections, RTE_DIM(sections), opts, RTE_DIM(opts), &args->conf, err);
	if (ret < 0)
		return ret;
	args->opt = plx_conf_get(args->conf, SECTION, NULL);
	ret = plx_pmd_args_walk(text, arg_take, args, err);
	if (ret == 0)
		ret = cores_read(args, err);
	if (ret == 0)
		ret = gaps_fill(args, err);
	if (ret < 0)
		pollux_args_free(args);
	return ret;
}

void
pollux_args_free(struct pollux_args *args)
{
	while (args->nb_specs > 0)
		free(args->specs[--args->nb_specs]);
	plx_conf_destroy(args->conf);
	args->conf = NULL;
	args->opt = NULL;
}

void
pollux_args_params(const struct pollux_args *args, struct plx_engines_params *p)
{
	const struct pollux_options *o = args->opt;

	*p = o->params;
	p->size = sizeof(*p);
}

static int
change_take(void *arg, const char *key, const char *value, struct plx_err *err)
{
	return option_set(arg, key, value, PLX_ORIGIN_SET, err);
}

/* Values that were worked out are in no text: the struct is copied, then changed. */
int
pollux_args_change(const struct pollux_args *args, const char *spec, struct pollux_args *out,
		   struct plx_err *err)
{
	struct pollux_options *opt;
	struct plx_conf *conf;
	int ret;

	ret = plx_conf_create(sections, RTE_DIM(sections), opts, RTE_DIM(opts), &conf, err);
	if (ret < 0)
		return ret;
	opt = plx_conf_get(conf, SECTION, NULL);
	*opt = *args->opt;
	ret = plx_pmd_args_walk(spec, change_take, conf, err);
	if (ret < 0) {
		plx_conf_destroy(conf);
		return ret;
	}
	*out = *args;
	out->conf = conf;
	out->opt = opt;
	return 0;
}

int
pollux_args_write(const struct pollux_args *args, char *buf, size_t len)
{
	struct plx_conf_item item;
	size_t used = 0;
	uint32_t pos = 0;

	buf[0] = '\0';
	while (plx_conf_next(args->conf, &pos, &item)) {
		int n;

		if (!item.live)
			continue;
		n = snprintf(buf + used, len - used, "%s%s=%s", used > 0 ? "," : "",
			     item.name + sizeof(SECTION), item.value);
		if (n < 0 || (size_t)n >= len - used)
			return -ENOSPC;
		used += (size_t)n;
	}
	return 0;
}
