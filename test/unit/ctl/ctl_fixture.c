/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "ctl_fixture.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void
fx_sleep_ms(int ms)
{
	const struct timespec nap = { ms / 1000, (long)(ms % 1000) * 1000000 };

	nanosleep(&nap, NULL);
}

void
fx_wait(atomic_int *counter, int value)
{
	for (int i = 0; i < 10000 && atomic_load(counter) < value; i++)
		fx_sleep_ms(1);
	assert_true(atomic_load(counter) >= value);
}

size_t
fx_put(char *to, const char *text)
{
	size_t nb;

	for (nb = 0; text[nb] != '\0'; nb++)
		to[nb] = text[nb];
	return nb;
}

static int
run_engines(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	(void)call;
	(void)err;
	*answer = json_pack("[{s:i, s:s, s:f}, {s:i, s:s, s:f}]", "engine", 0, "mode", "auto",
			    "busy", 1.5, "engine", 1, "mode", "inline", "busy", 33.25);
	return 0;
}

static int
run_config(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	(void)call;
	(void)err;
	*answer = json_pack("{s:i}", "burst", 32);
	return 0;
}

/* What it got, so that tests see the words as a handler does. */
static int
run_echo(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	const char *key = plx_ctl_arg(call, "key"), *size = plx_ctl_arg(call, "size");
	json_t *words = json_array();

	(void)err;
	for (int i = 0; i < call->argc; i++)
		json_array_append_new(words, json_string(call->argv[i]));
	*answer = json_pack("{s:o, s:s?, s:s?}", "words", words, "key", key, "size", size);
	return 0;
}

static int
run_fail(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	if (call->argc == 0) {
		*answer = json_string("dropped");
		return -ENODEV; /* without a sentence */
	}
	return plx_err_set(err, -EBUSY, "busy with %s", call->argv[0]);
}

static int
run_count(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct fx_app *app = call->app;
	int value;

	(void)err;
	if (atomic_fetch_add(&app->nb_inside, 1) != 0)
		atomic_fetch_add(&app->nb_crossed, 1);
	value = app->value;
	sched_yield(); /* a chance for one that does not hold the lock */
	app->value = value + 1;
	*answer = json_integer(value + 1);
	atomic_fetch_sub(&app->nb_inside, 1);
	atomic_fetch_add(&app->nb_calls, 1);
	return 0;
}

/* Long: tells its progress each millisecond until it is cancelled or MS are over. */
static int
run_slow(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct fx_app *app = call->app;
	int i, ms = atoi(call->argv[0]);
	char line[64];

	atomic_fetch_add(&app->nb_calls, 1);
	for (i = 0; i < ms && !call->is_cancelled(call); i++) {
		snprintf(line, sizeof(line), "step %d \033[2J", i);
		if (call->progress != NULL)
			call->progress(call, line);
		plx_ctl_lock(call->ctl);
		app->value++;
		plx_ctl_unlock(call->ctl);
		fx_sleep_ms(1);
	}
	atomic_fetch_add(&app->nb_ended, 1);
	if (i < ms)
		return plx_err_set(err, -ECANCELED, "cancelled");
	*answer = json_string("done");
	return 0;
}

/* Long and quiet: only is_cancelled tells it that its caller has gone. */
static int
run_wait(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct fx_app *app = call->app;

	(void)answer;
	atomic_fetch_add(&app->nb_calls, 1);
	while (!call->is_cancelled(call))
		fx_sleep_ms(1);
	atomic_fetch_add(&app->nb_ended, 1);
	return plx_err_set(err, -ECANCELED, "cancelled");
}

static int
run_big(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	int nb = atoi(call->argv[0]);

	(void)err;
	*answer = json_array();
	for (int i = 0; i < nb; i++)
		json_array_append_new(*answer,
				      json_pack("{s:i, s:s}", "row", i, "name", "a name of a row"));
	return 0;
}

static int
run_silent(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	(void)call;
	(void)answer;
	(void)err;
	return 0;
}

static void
complete_echo(void *app, int argc, const char *const *argv, void (*add)(void *to, const char *word),
	      void *to)
{
	(void)app;
	if (argc == 0) {
		add(to, "alpha one");
		add(to, "alphabet");
	} else if (strcmp(argv[0], "alphabet") == 0) {
		add(to, "omega");
	}
	add(to, "key=web/one");
	add(to, "key=web/two");
}

static const struct plx_ctl_cmd fx_cmds[] = {
	{ "show engines", "", "Show the engines.", NULL, NULL, 0, 0, false, run_engines, NULL },
	{ "show config", "", "Show options.", NULL, NULL, 0, 0, false, run_config, NULL },
	{ "echo", "[WORD ...] [key=K] [size=N]", "Give the words back.",
	  "WORD is any word.\n\nExample: echo a key=b", "key size", 0, 8, false, run_echo,
	  complete_echo },
	{ "fail", "[WHY]", "Fail.", NULL, NULL, 0, 1, false, run_fail, NULL },
	{ "count", "", "Count.", NULL, NULL, 0, 0, false, run_count, NULL },
	{ "slow", "MS", "Take long.", NULL, NULL, 1, 1, true, run_slow, NULL },
	{ "wait", "", "Wait to be cancelled.", NULL, NULL, 0, 0, true, run_wait, NULL },
	{ "big", "ROWS", "Answer at length.", NULL, NULL, 1, 1, false, run_big, NULL },
	{ "silent", "", "Say nothing.", NULL, NULL, 0, 0, false, run_silent, NULL },
};

int
fx_setup(void **state)
{
	struct fx *fx = calloc(1, sizeof(*fx));

	if (fx == NULL || plx_ctl_create(&fx->app, &fx->ctl) != 0)
		return -1;
	if (plx_ctl_register(fx->ctl, fx_cmds, PLX_ARRAY_SIZE(fx_cmds)) != 0)
		return -1;
	*state = fx;
	return 0;
}

int
fx_teardown(void **state)
{
	struct fx *fx = *state;

	plx_ctl_destroy(fx->ctl);
	free(fx);
	fx_clean();
	return 0;
}

char *
fx_run(struct fx *fx, const char *line)
{
	struct plx_err err = { { 0 } };
	json_t *answer = NULL;
	char *text;

	if (plx_ctl_run(fx->ctl, line, NULL, &answer, &err) != 0)
		fail_msg("%s: %s", line, err.text);
	text = answer == NULL ? strdup("") : json_dumps(answer, JSON_COMPACT | JSON_ENCODE_ANY);
	json_decref(answer);
	assert_non_null(text);
	return text;
}

void
fx_expect(struct fx *fx, const char *line, const char *json)
{
	char *text = fx_run(fx, line);

	assert_string_equal(text, json);
	free(text);
}

void
fx_refused(struct fx *fx, const char *line, int code, const char *words)
{
	struct plx_err err = { { 0 } };
	json_t *answer = NULL;

	assert_int_equal(plx_ctl_run(fx->ctl, line, NULL, &answer, &err), code);
	assert_null(answer);
	if (strstr(err.text, words) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", words, err.text);
}

static const char *
folder(void)
{
	static char path[64];

	snprintf(path, sizeof(path), "/tmp/plx_ctl_%d", (int)getpid());
	return path;
}

const char *
fx_path(const char *name)
{
	static char path[128];

	if (mkdir(folder(), 0700) != 0)
		assert_int_equal(errno, EEXIST);
	snprintf(path, sizeof(path), "%s/%s", folder(), name);
	return path;
}

void
fx_clean(void)
{
	static const char *const names[] = { "a", "b", "s", "script", "out", "in" };

	for (size_t i = 0; i < PLX_ARRAY_SIZE(names); i++)
		unlink(fx_path(names[i]));
	rmdir(folder());
}

const char *
fx_file(const char *name, const char *text, size_t len)
{
	const char *path = fx_path(name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
	return path;
}
