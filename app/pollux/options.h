/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "plx_conf.h"
#include "plx_engine.h"
#include "plx_err.h"
#include "plx_keystore.h"

/* The sections of pollux.conf as structs; options.c has the table that fills them. */

struct opt_engine {
	char engines[12];                 /* "auto" or a number */
	struct plx_engines_params params; /* but for its size */
};

struct opt_daemon {
	char socket[108]; /* "auto", "none" or a path */
	uint32_t stats_period_us;
	int log_level; /* RTE_LOG_... */
	bool core_dumps;
	uint32_t memory_mb;
};

struct opt_devices {
	bool software; /* make the software devices the machine has drivers for */
	uint32_t nb_qps;
	uint32_t nb_desc;
	uint32_t nb_sessions;
};

struct opt_device {
	bool use;
	char args[256];
	uint32_t order;
};

struct opt_container {
	char ops[128];
	char algorithms[256];
	uint32_t min_key_bits;
	uint32_t max_key_bits;
	uint32_t max_keys;
};

struct opt_key {
	char file[256];
	char alg[64];
	char generate[64];
};

#define OPT_ORDER_AUTO 0
#define OPT_ALGS_MAX   32

/* A container's rules, read from its words; .policy points into the rest. */
struct opt_rules {
	struct plx_container_policy policy;
	const char *bad; /* the key that options_rules() found wrong */
	char text[256];
	const char *algs[OPT_ALGS_MAX + 1];
};

int options_create(struct plx_conf **out, struct plx_err *err);

/* Checks what single values cannot say: lists of names, keys without a container. No device is
 * asked. */
int options_check(struct plx_conf *conf, struct plx_err *err);

/* 0 stands for "auto". */
int options_nb_engines(const struct opt_engine *o, uint32_t *nb, struct plx_err *err);
void options_engine_params(const struct opt_engine *o, struct plx_engines_params *params);
int options_rules(const struct opt_container *o, struct opt_rules *rules, struct plx_err *err);

/* Splits "web/tls" into container and key name; PLX_KEY_NAME_MAX bytes each. */
int options_key_name(const char *text, char *container, char *name, struct plx_err *err);

/* The place a value came from ("pollux.conf:12"), or one of its section when it is a default, for a
 * sentence. */
void options_place(struct plx_conf *conf, const char *name, char *buf, size_t len);

#endif
