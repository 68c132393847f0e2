/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_CTL_FIXTURE_H
#define TEST_CTL_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ctl_priv.h"

/* A registry with commands of each kind over a small app, and ways to look at what came out. */

struct fx_app {
	atomic_int nb_calls;   /* "count" and "slow" that were begun */
	atomic_int nb_ended;   /* "slow" that came to an end */
	atomic_int nb_inside;  /* short commands running now: never above 1 */
	atomic_int nb_crossed; /* short commands that were not alone */
	int value;             /* the control lock's */
};

struct fx {
	struct fx_app app;
	struct plx_ctl *ctl;
};

int fx_setup(void **state);
int fx_teardown(void **state);

/* Run a line; the answer as compact JSON, "" for none. It has to go well. Freed by the caller. */
char *fx_run(struct fx *fx, const char *line);
void fx_expect(struct fx *fx, const char *line, const char *json);
/* The line is refused with the code and a sentence that has these words. */
void fx_refused(struct fx *fx, const char *line, int code, const char *words);

/* A path below a new folder of this process. */
const char *fx_path(const char *name);
void fx_clean(void);
/* A file there with this text. */
const char *fx_file(const char *name, const char *text, size_t len);

/* Copy bytes without an end of text, into the midst of something longer; returns how many. */
size_t fx_put(char *to, const char *text);

/* Wait for a counter to reach a value, 10 s at most. */
void fx_wait(atomic_int *counter, int value);
void fx_sleep_ms(int ms);

#endif
