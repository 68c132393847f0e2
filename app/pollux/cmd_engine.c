/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "plx_units.h"

/* Starting, stopping, adding and removing engines, and changing options while they run. */

#define REMOVE_TIMEOUT_US 5000000

static int
run_start(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;
	int ret;

	if (plx_engines_is_running(app->es)) {
		*answer = cmd_done("the engines run already");
		return 0;
	}
	ret = plx_engines_start(app->es, err);
	if (ret == 0)
		*answer = cmd_done("started");
	return ret;
}

static int
run_stop(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;
	uint32_t nb = atomic_load(&app->nb_long);

	if (nb > 0)
		return plx_err_set(err, -EBUSY,
				   "%u job%s under way: wait for %s, or interrupt %s where started",
				   nb, nb == 1 ? " is" : "s are", nb == 1 ? "it" : "them",
				   nb == 1 ? "it" : "them");
	plx_engines_stop(app->es);
	*answer = cmd_done("stopped; what lies in lanes stays there");
	return 0;
}

static int
run_quit(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	(void)answer;
	(void)err;
	app_stop(call->app);
	return 0;
}

/* Put changed options in force; the value before comes back when that fails. */
static int
apply_set(struct app *app, const char *name, const char *before, struct plx_err *err)
{
	struct plx_err ignored;
	int ret = 0;

	if (strncmp(name, "engine.", 7) == 0)
		ret = app_apply_engine_options(app, err);
	else if (strcmp(name, "daemon.log-level") == 0)
		app_apply_log_level(app);
	if (ret < 0 && plx_conf_set(app->conf, name, before, PLX_ORIGIN_SET, &ignored) < 0)
		plx_err_prefix(err, "%s keeps a value that is not in force", name);
	return ret;
}

static bool
find_value(struct app *app, const char *name, char *value, size_t len)
{
	struct plx_conf_item item;
	uint32_t pos = 0;

	while (plx_conf_next(app->conf, &pos, &item)) {
		if (strcmp(item.name, name) == 0) {
			snprintf(value, len, "%s", item.value);
			return true;
		}
	}
	return false;
}

static int
run_set(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;
	char name[128], before[256] = "", after[256] = "";
	int ret;

	snprintf(name, sizeof(name), strchr(call->argv[0], '.') != NULL ? "%s" : "engine.%s",
		 call->argv[0]);
	find_value(app, name, before, sizeof(before));
	ret = plx_conf_set(app->conf, name, call->argv[1], PLX_ORIGIN_SET, err);
	if (ret == 0)
		ret = apply_set(app, name, before, err);
	if (ret < 0)
		return ret;
	find_value(app, name, after, sizeof(after));
	*answer = cmd_done("%s = %s (was %s)", name, after, before);
	return 0;
}

static void
complete_set(void *app, int argc, const char *const *argv, void (*add)(void *to, const char *word),
	     void *to)
{
	struct plx_conf_item item;
	uint32_t pos = 0;

	(void)argv;
	while (argc == 0 && plx_conf_next(((struct app *)app)->conf, &pos, &item))
		if (item.live)
			add(to, item.name);
}

static int
run_engine_add(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;
	uint32_t lcore, id;
	int ret;

	ret = cmd_arg_u32(call, "lcore",
			  (struct cmd_range){ 0, UINT32_MAX - 1, PLX_ENGINE_ANY_LCORE }, &lcore,
			  err);
	if (ret == 0)
		ret = plx_engines_engine_add(app->es, lcore, &id, err);
	if (ret == 0)
		*answer = cmd_done("engine %u added", id);
	return ret;
}

static int
run_engine_remove(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;
	uint32_t timeout_us;
	uint64_t id;
	int ret;

	if (plx_parse_u64(call->argv[0], &id) < 0 || id >= UINT32_MAX)
		return plx_err_set(err, -EINVAL,
				   "'%s' is no engine's number; 'show engines' lists them",
				   call->argv[0]);
	ret = cmd_arg_duration(call, "timeout",
			       (struct cmd_range){ 1000, 600000000, REMOVE_TIMEOUT_US },
			       &timeout_us, err);
	if (ret == 0)
		ret = plx_engines_engine_remove(app->es, (uint32_t)id, timeout_us, err);
	if (ret == 0)
		*answer = cmd_done("engine %u removed", (uint32_t)id);
	return ret;
}

static void
complete_engine(void *app, int argc, const char *const *argv,
		void (*add)(void *to, const char *word), void *to)
{
	struct plx_engine_info info;
	uint32_t pos = 0;
	char text[16];

	(void)argv;
	while (argc == 0 && plx_engines_next(((struct app *)app)->es, &pos, &info)) {
		snprintf(text, sizeof(text), "%u", info.id);
		add(to, text);
	}
}

static const struct plx_ctl_cmd cmds[] = {
	{ .words = "start",
	  .args = "",
	  .help = "Launch the engines on their lcores.",
	  .manual = "They run from the start; this is for after a 'stop'.",
	  .run = run_start },
	{ .words = "stop",
	  .args = "",
	  .help = "Take the engines off their lcores; refused while a job runs.",
	  .manual = "Operations that lie in lanes stay there until 'start'.",
	  .run = run_stop },
	{ .words = "set",
	  .args = "NAME VALUE",
	  .help = "Change an option while running.",
	  .manual =
		  "NAME as in 'show config'; 'engine.' in front may be left out. Only options that say "
		  "change=set can be changed. No operation is lost and the order in a session is kept.\n\n"
		  "Examples: set mode inline; set engine.burst 64; set daemon.stats-period 1s",
	  .min_args = 2,
	  .max_args = 2,
	  .run = run_set,
	  .complete = complete_set },
	{ .words = "engine add",
	  .args = "[lcore=N]",
	  .help = "One more engine, on a free lcore or the one named; traffic may run.",
	  .manual =
		  "It needs a worker lcore of EAL without an engine, and a free queue pair on each device.\n\n"
		  "Example: engine add lcore=3",
	  .keys = "lcore",
	  .run = run_engine_add },
	{ .words = "engine remove",
	  .args = "ID [timeout=TIME]",
	  .help = "Remove an engine once it has finished what it has; traffic may run.",
	  .manual =
		  "When it has not finished after timeout (5s) it stays and takes operations again.\n\n"
		  "Example: engine remove 1 timeout=500ms",
	  .keys = "timeout",
	  .min_args = 1,
	  .max_args = 1,
	  .run = run_engine_remove,
	  .complete = complete_engine },
	{ .words = "quit",
	  .args = "",
	  .help = "End the program: jobs stop, engines drain.",
	  .run = run_quit },
};

const struct cmd_table cmd_engine_table = { "Engines and options", cmds, PLX_ARRAY_SIZE(cmds) };
