/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "options.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_log.h>

#include "plx_alg.h"
#include "plx_engine.h"
#include "plx_units.h"

/*
 * The option table: one row drives the file, the command line's --set, "set", "show config", the
 * commented config/pollux.conf and the manual page pollux.conf(5). What a row cannot say (lists of
 * names, references between sections) options_check() looks at, with the place of the value in its
 * sentence.
 */

#define ENGINE(key, type, field, lo, hi, two, is_live, list, value, text)                          \
	{                                                                                          \
		"engine", key, type, offsetof(struct opt_engine, field), lo, hi, two, is_live,     \
			list, value, text                                                          \
	}
#define OTHER(section, st, key, type, field, lo, hi, two, is_live, list, value, text)              \
	{                                                                                          \
		section, key, type, offsetof(struct st, field), lo, hi, two, is_live, list, value, \
			text                                                                       \
	}

/* lib/conf stores choices as int */
static_assert(sizeof(enum plx_mode) == sizeof(int) && sizeof(enum plx_policy) == sizeof(int),
	      "the engine's own params are what is stored to");

static const struct plx_conf_section sections[] = {
	{ "engine", sizeof(struct opt_engine), false,
	  "How many engines there are and how they treat operations." },
	{ "daemon", sizeof(struct opt_daemon), false, "The process itself." },
	{ "devices", sizeof(struct opt_devices), false, "What all devices have in common." },
	{ "device", sizeof(struct opt_device), true,
	  "One device by its name, such as crypto_openssl0 or a PCI address. Without a section a device is used, "
	  "in the default order: hardware, then ipsec-mb drivers, then the rest." },
	{ "container", sizeof(struct opt_container), true,
	  "A container of keys and what its keys may be used for." },
	{ "key", sizeof(struct opt_key), true,
	  "A key to load at the start, named CONTAINER/NAME. It needs either file or generate." },
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

static const struct plx_opt_choice levels[] = {
	{ "error", RTE_LOG_ERR }, { "warning", RTE_LOG_WARNING }, { "notice", RTE_LOG_NOTICE },
	{ "info", RTE_LOG_INFO }, { "debug", RTE_LOG_DEBUG },     { NULL, 0 },
};

static const struct plx_opt opts[] = {
	ENGINE("engines", PLX_OPT_TEXT, engines, 1, 11, false, false, NULL, "auto",
	       "Engines at the start: a number from 0 to 64, or auto for one a core."),
	ENGINE("mode", PLX_OPT_ENUM, params.mode, 0, 0, false, true, modes, "auto",
	       "Where operations run: on the engines' lcores, in the caller's thread, or as the load asks."),
	ENGINE("policy", PLX_OPT_ENUM, params.policy, 0, 0, false, true, policies, "round-robin",
	       "How a port picks the engine for a burst in pipeline mode."),
	ENGINE("weight-high", PLX_OPT_U32, params.weights[PLX_CLASS_HIGH], 1, 256, false, true,
	       NULL, "16",
	       "Share of an engine for lanes of class high, against the other weights."),
	ENGINE("weight-normal", PLX_OPT_U32, params.weights[PLX_CLASS_NORMAL], 1, 256, false, true,
	       NULL, "4", "Share of an engine for lanes of class normal."),
	ENGINE("weight-bulk", PLX_OPT_U32, params.weights[PLX_CLASS_BULK], 1, 256, false, true,
	       NULL, "1", "Share of an engine for lanes of class bulk."),
	ENGINE("burst", PLX_OPT_U32, params.burst, 1, PLX_BURST_MAX, false, true, NULL, "32",
	       "Operations an engine takes in one step."),
	ENGINE("batch-wait", PLX_OPT_DURATION, params.batch_wait_us, 0, 1000000, false, true, NULL,
	       "0us",
	       "Hold a burst that is not full up to this long, so that batches fill under light load."),
	ENGINE("deadline", PLX_OPT_DURATION, params.deadline_us, 0, 600000000, false, true, NULL,
	       "0us",
	       "An operation older than this is not started any more and comes back; 0us is never."),
	ENGINE("stall", PLX_OPT_DURATION, params.stall_us, 100, 600000000, false, true, NULL,
	       "10ms",
	       "A device with operations in flight and no completion for this long counts as stalled."),
	ENGINE("lost", PLX_OPT_DURATION, params.lost_us, 1000, 600000000, false, true, NULL, "1s",
	       "A device stalled for this long is given up and its operations run elsewhere."),
	ENGINE("idle", PLX_OPT_DURATION, params.idle_us, 0, 60000000, false, true, NULL, "1ms",
	       "An engine without work for this long lets its lcore sleep; 0us is never, for cores of their own."),
	ENGINE("lane-slots", PLX_OPT_U32, params.lane_slots, 64, 65536, true, false, NULL, "1024",
	       "Operations a lane holds."),
	ENGINE("help", PLX_OPT_U32, params.help_ops, 0, 65536, false, true, NULL, "64",
	       "Operations waiting in a lane from which on the thread that brings more does some itself; 0 is never."),
	ENGINE("size-split", PLX_OPT_SIZE, params.size_split_bytes, 1, 1u << 30, false, true, NULL,
	       "4k",
	       "With policy size: operations of this many bytes and more go to the last engine."),
	ENGINE("shadow", PLX_OPT_BOOL, params.shadow, 0, 0, false, true, NULL, "off",
	       "Keep a copy of in-place input, so that a lost device costs no operation, for software devices too."),

	OTHER("daemon", opt_daemon, "socket", PLX_OPT_TEXT, socket, 1, 107, false, false, NULL,
	      "auto",
	      "Control socket: a path, none, or auto for pollux.sock in /run/pollux (root) or the user's runtime folder."),
	OTHER("daemon", opt_daemon, "stats-period", PLX_OPT_DURATION, stats_period_us, 0,
	      3600000000, false, true, NULL, "0us",
	      "Print a line of statistics this often; 0us is never."),
	OTHER("daemon", opt_daemon, "log-level", PLX_OPT_ENUM, log_level, 0, 0, false, true, levels,
	      "notice", "What Pollux itself logs: this and everything more severe."),
	OTHER("daemon", opt_daemon, "core-dumps", PLX_OPT_BOOL, core_dumps, 0, 0, false, false,
	      NULL, "off", "Let a crash write a core file. It may hold data of clients."),
	OTHER("daemon", opt_daemon, "memory", PLX_OPT_U32, memory_mb, 64, 1048576, false, false,
	      NULL, "512",
	      "Megabytes of memory when no EAL options are given; see also the limit of the process."),

	OTHER("devices", opt_devices, "software", PLX_OPT_BOOL, software, 0, 0, false, false, NULL,
	      "on",
	      "Make the software devices there are drivers for when no EAL options are given."),
	OTHER("devices", opt_devices, "queue-pairs", PLX_OPT_U32, nb_qps, 0, PLX_DEVICE_QPS_MAX,
	      false, false, NULL, "0",
	      "Queue pairs on each device, one for each engine and inline port; 0 is as many as it has."),
	OTHER("devices", opt_devices, "descriptors", PLX_OPT_U32, nb_desc, 64, 32768, true, false,
	      NULL, "2048", "Descriptors of a queue pair; one less can be in flight."),
	OTHER("devices", opt_devices, "sessions", PLX_OPT_U32, nb_sessions, 16, 1048576, false,
	      false, NULL, "4096", "Sessions that can live at a time."),

	OTHER("device", opt_device, "use", PLX_OPT_BOOL, use, 0, 0, false, false, NULL, "on",
	      "Whether engines use it."),
	OTHER("device", opt_device, "args", PLX_OPT_TEXT, args, 0, 255, false, false, NULL, "",
	      "Arguments to make a virtual device with, such as max_nb_queue_pairs=16."),
	OTHER("device", opt_device, "order", PLX_OPT_U32, order, OPT_ORDER_AUTO, 1000, false, false,
	      NULL, "0",
	      "Place among the devices, low ones are tried first; 0 is the default order."),

	OTHER("container", opt_container, "ops", PLX_OPT_TEXT, ops, 0, 127, false, false, NULL, "",
	      "Operations allowed: encrypt, decrypt, digest, mac, sign, verify, derive, random; empty allows all."),
	OTHER("container", opt_container, "algorithms", PLX_OPT_TEXT, algorithms, 0, 255, false,
	      false, NULL, "",
	      "Algorithm families allowed, such as aes-gcm rsa-pkcs1; empty allows all."),
	OTHER("container", opt_container, "min-key-bits", PLX_OPT_U32, min_key_bits, 0, 65536,
	      false, false, NULL, "0", "Smallest key taken; 0 is any."),
	OTHER("container", opt_container, "max-key-bits", PLX_OPT_U32, max_key_bits, 0, 65536,
	      false, false, NULL, "0", "Largest key taken; 0 is any."),
	OTHER("container", opt_container, "max-keys", PLX_OPT_U32, max_keys, 0, 65536, false, false,
	      NULL, "0", "Keys it holds at most; 0 is 1024."),

	OTHER("key", opt_key, "file", PLX_OPT_TEXT, file, 0, 255, false, false, NULL, "",
	      "File to load it from: PEM, DER, or raw bytes for a symmetric key."),
	OTHER("key", opt_key, "alg", PLX_OPT_TEXT, alg, 0, 63, false, false, NULL, "",
	      "Algorithm of the key in the file; needed for raw bytes, such as aes-256."),
	OTHER("key", opt_key, "generate", PLX_OPT_TEXT, generate, 0, 63, false, false, NULL, "",
	      "Make a new key instead, such as aes-256-gcm or rsa-2048; it is gone when the process ends."),
};

int
options_create(struct plx_conf **out, struct plx_err *err)
{
	return plx_conf_create(sections, PLX_ARRAY_SIZE(sections), opts, PLX_ARRAY_SIZE(opts), out,
			       err);
}

void
options_place(struct plx_conf *conf, const char *name, char *buf, size_t len)
{
	const char *dot = strrchr(name, '.');
	size_t section = dot == NULL ? 0 : (size_t)(dot - name) + 1;
	struct plx_conf_item item;
	uint32_t pos = 0;

	snprintf(buf, len, "configuration");
	while (plx_conf_next(conf, &pos, &item)) {
		if (strncmp(item.name, name, section) != 0 || strcmp(item.origin, "default") == 0)
			continue;
		snprintf(buf, len, "%s", item.origin);
		if (strcmp(item.name, name) == 0)
			return;
	}
}

/* Puts "pollux.conf:12: engine.engines" before the sentence. */
static int
at_place(struct plx_conf *conf, const char *section, const char *name, const char *key, int code,
	 struct plx_err *err)
{
	char full[256], place[160];

	if (name == NULL)
		snprintf(full, sizeof(full), "%s.%s", section, key);
	else
		snprintf(full, sizeof(full), "%s.%s.%s", section, name, key);
	options_place(conf, full, place, sizeof(place));
	plx_err_prefix(err, "%s: %s", place, full);
	return code;
}

int
options_nb_engines(const struct opt_engine *o, uint32_t *nb, struct plx_err *err)
{
	uint64_t n;

	if (strcmp(o->engines, "auto") == 0) {
		*nb = UINT32_MAX;
		return 0;
	}
	if (plx_parse_u64(o->engines, &n) < 0 || n > PLX_ENGINES_MAX)
		return plx_err_set(err, -EINVAL, "'%s' is not auto or a number from 0 to %d",
				   o->engines, PLX_ENGINES_MAX);
	*nb = (uint32_t)n;
	return 0;
}

void
options_engine_params(const struct opt_engine *o, struct plx_engines_params *p)
{
	*p = o->params;
	p->size = sizeof(*p);
}

static int
read_ops(const char *text, uint32_t *ops, struct plx_err *err)
{
	char copy[128], *save = NULL, *word;
	uint32_t bit;

	*ops = 0;
	snprintf(copy, sizeof(copy), "%s", text);
	for (word = strtok_r(copy, ", \t", &save); word != NULL;
	     word = strtok_r(NULL, ", \t", &save)) {
		bit = plx_op_find(word);
		if (bit == 0)
			return plx_err_set(
				err, -EINVAL,
				"'%s' is no operation; there are encrypt, decrypt, digest, mac, "
				"sign, verify, derive, random",
				word);
		*ops |= bit;
	}
	return 0;
}

static int
read_algs(struct opt_rules *rules, struct plx_err *err)
{
	char *save = NULL, *word;
	size_t nb = 0;

	for (word = strtok_r(rules->text, ", \t", &save); word != NULL;
	     word = strtok_r(NULL, ", \t", &save)) {
		if (plx_alg_find(word) == NULL)
			return plx_err_set(
				err, -EINVAL,
				"'%s' is no algorithm family; 'show algorithms' lists them", word);
		if (nb == OPT_ALGS_MAX)
			return plx_err_set(err, -EINVAL, "more than %d algorithms", OPT_ALGS_MAX);
		rules->algs[nb++] = word;
	}
	rules->algs[nb] = NULL;
	rules->policy.algs = nb > 0 ? rules->algs : NULL;
	return 0;
}

int
options_rules(const struct opt_container *o, struct opt_rules *rules, struct plx_err *err)
{
	int ret;

	memset(rules, 0, sizeof(*rules));
	rules->policy.size = sizeof(rules->policy);
	rules->policy.min_key_bits = o->min_key_bits;
	rules->policy.max_key_bits = o->max_key_bits;
	rules->policy.max_keys = o->max_keys;
	snprintf(rules->text, sizeof(rules->text), "%s", o->algorithms);

	rules->bad = "ops";
	ret = read_ops(o->ops, &rules->policy.ops, err);
	if (ret < 0)
		return ret;
	rules->bad = "algorithms";
	ret = read_algs(rules, err);
	if (ret < 0)
		return ret;
	rules->bad = "min-key-bits";
	if (o->max_key_bits != 0 && o->min_key_bits > o->max_key_bits)
		ret = plx_err_set(err, -EINVAL, "min-key-bits %u is over max-key-bits %u",
				  o->min_key_bits, o->max_key_bits);
	return ret;
}

int
options_key_name(const char *text, char *container, char *name, struct plx_err *err)
{
	const char *slash = strchr(text, '/');
	size_t len = slash == NULL ? 0 : (size_t)(slash - text);

	if (slash == NULL || len == 0 || slash[1] == '\0' || strchr(slash + 1, '/') != NULL)
		return plx_err_set(err, -EINVAL, "'%s' is no key name: write CONTAINER/NAME", text);
	if (len >= PLX_KEY_NAME_MAX || strlen(slash + 1) >= PLX_KEY_NAME_MAX)
		return plx_err_set(err, -EINVAL,
				   "'%s': container and key name have at most %d characters", text,
				   PLX_KEY_NAME_MAX - 1);
	memcpy(container, text, len);
	container[len] = '\0';
	snprintf(name, PLX_KEY_NAME_MAX, "%s", slash + 1);
	return 0;
}

static int
check_key(struct plx_conf *conf, const char *full, struct plx_err *err)
{
	const struct opt_key *o = plx_conf_get(conf, "key", full);
	char container[PLX_KEY_NAME_MAX], name[PLX_KEY_NAME_MAX];
	struct plx_alg_spec spec;
	int ret;

	ret = options_key_name(full, container, name, err);
	if (ret < 0)
		return at_place(conf, "key", full, "file", ret, err);
	if (plx_conf_get(conf, "container", container) == NULL) {
		plx_err_set(err, -EINVAL,
			    "there is no container '%s' for it: add a section [container %s]; "
			    "an empty one allows everything",
			    container, container);
		return at_place(conf, "key", full, "file", -EINVAL, err);
	}
	if (o->file[0] == '\0' && o->generate[0] == '\0') {
		plx_err_set(err, -EINVAL, "the key comes from nowhere: set file or generate");
		return at_place(conf, "key", full, "file", -EINVAL, err);
	}
	if (o->file[0] != '\0' && o->generate[0] != '\0') {
		plx_err_set(err, -EINVAL,
			    "the key has a file as well, and can come from one of the two: remove "
			    "file or generate");
		return at_place(conf, "key", full, "generate", -EINVAL, err);
	}
	if (o->file[0] != '\0' && access(o->file, R_OK) != 0) {
		ret = -errno;
		plx_err_set(err, ret, "cannot read '%s': %s", o->file, strerror(-ret));
		return at_place(conf, "key", full, "file", ret, err);
	}
	if (o->generate[0] != '\0') {
		ret = plx_alg_parse(o->generate, &spec, err);
		if (ret < 0)
			return at_place(conf, "key", full, "generate", ret, err);
	}
	return 0;
}

int
options_check(struct plx_conf *conf, struct plx_err *err)
{
	const struct opt_engine *engine = plx_conf_get(conf, "engine", NULL);
	struct opt_rules rules;
	const char *name;
	uint32_t nb = 0, pos;
	int ret;

	ret = options_nb_engines(engine, &nb, err);
	if (ret == 0 && nb == 0 && engine->params.mode == PLX_MODE_PIPELINE)
		ret = plx_err_set(
			err, -EINVAL,
			"with engine.engines = 0 nothing would run in engine.mode = pipeline: "
			"set engine.engines to 1 or more, or engine.mode to auto or inline");
	if (ret < 0)
		return at_place(conf, "engine", NULL, "engines", ret, err);

	for (pos = 0; (name = plx_conf_next_name(conf, "container", &pos)) != NULL;) {
		ret = options_rules(plx_conf_get(conf, "container", name), &rules, err);
		if (ret < 0)
			return at_place(conf, "container", name, rules.bad, ret, err);
	}
	for (pos = 0; (name = plx_conf_next_name(conf, "key", &pos)) != NULL;) {
		ret = check_key(conf, name, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}
