/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_CONF_FIXTURE_H
#define TEST_CONF_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "plx_conf.h"

/* A small table with each type in it, and a file to write to. */

struct fx_engine {
	bool shadow;
	uint32_t burst;
	uint32_t wait_us;
	uint64_t memory;
	int mode;
	char cpus[41];
	uint32_t weight;
};

struct fx_container {
	char algs[256];
	uint32_t max_keys;
};

enum { FX_INLINE = 3, FX_PIPELINE = -7 };

static const struct plx_opt_choice fx_modes[] = {
	{ "inline", FX_INLINE },
	{ "pipeline", FX_PIPELINE },
	{ NULL, 0 },
};

static const struct plx_conf_section fx_sections[] = {
	{ "engine", sizeof(struct fx_engine), false, "How engines treat operations." },
	{ "container", sizeof(struct fx_container), true, "A container of keys." },
};

#define FX_AT(st, field) offsetof(struct st, field)

static const struct plx_opt fx_opts[] = {
	{ "engine", "shadow", PLX_OPT_BOOL, FX_AT(fx_engine, shadow), 0, 0, false, true, NULL,
	  "off", "Keep a copy of in-place input." },
	{ "engine", "burst", PLX_OPT_U32, FX_AT(fx_engine, burst), 1, 256, true, true, NULL, "32",
	  "Operations an engine takes in one step." },
	{ "engine", "batch-wait", PLX_OPT_DURATION, FX_AT(fx_engine, wait_us), 0, 1000000, false,
	  true, NULL, "50us", "How long a burst that is not full is held." },
	{ "engine", "memory", PLX_OPT_SIZE, FX_AT(fx_engine, memory), 4096, 1ULL << 40, false,
	  false, NULL, "64m", "Memory for lanes." },
	{ "engine", "mode", PLX_OPT_ENUM, FX_AT(fx_engine, mode), 0, 0, false, false, fx_modes,
	  "inline", "Where operations run." },
	{ "engine", "cpus", PLX_OPT_TEXT, FX_AT(fx_engine, cpus), 0, 40, false, false, NULL, "",
	  "CPUs to run on." },
	{ "engine", "weight", PLX_OPT_U32, FX_AT(fx_engine, weight), 0, 4294967295u, false, true,
	  NULL, "4", "Share of an engine." },
	{ "container", "algorithms", PLX_OPT_TEXT, FX_AT(fx_container, algs), 0, 255, false, false,
	  NULL, "", "Algorithms its keys are for." },
	{ "container", "max-keys", PLX_OPT_U32, FX_AT(fx_container, max_keys), 1, 1000, false, true,
	  NULL, "10", "Keys it holds." },
};

static inline struct plx_conf *
fx_conf(void)
{
	struct plx_err err = { { 0 } };
	struct plx_conf *conf = NULL;

	if (plx_conf_create(fx_sections, PLX_ARRAY_SIZE(fx_sections), fx_opts,
			    PLX_ARRAY_SIZE(fx_opts), &conf, &err) != 0)
		fail_msg("%s", err.text);
	return conf;
}

/* A file with these bytes; its path lasts until the next call. */
static inline const char *
fx_file(const void *bytes, size_t len)
{
	static char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/plx_conf_%d.conf", (int)getpid());
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
	return path;
}

static inline const char *
fx_text(const char *text)
{
	return fx_file(text, strlen(text));
}

/* What show says of an option; empty when it is not there. */
static inline struct plx_conf_item
fx_item(struct plx_conf *conf, const char *name)
{
	struct plx_conf_item item;
	uint32_t pos = 0;

	while (plx_conf_next(conf, &pos, &item)) {
		if (strcmp(item.name, name) == 0)
			return item;
	}
	memset(&item, 0, sizeof(item));
	return item;
}

#endif
