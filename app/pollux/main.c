/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <rte_version.h>

#include "app.h"
#include "args.h"
#include "ctl_words.h"
#include "demo.h"
#include "eal.h"
#include "options.h"
#include "pages.h"
#include "socket_path.h"

/*
 * pollux: console and daemon. Signals do two things only: set the stop mark and wake who waits. The
 * first SIGINT at the prompt interrupts the running command, the first SIGTERM or SIGHUP ends the
 * program in order, a second SIGINT or SIGTERM ends it at once. SIGHUP often comes twice, or right
 * behind a SIGTERM, and hurries nobody; nohup's wish to ignore it stays.
 */

/* File state: signal handlers have no argument. */
static struct app *signal_app;
static int signal_fd = -1;
static volatile sig_atomic_t nb_signals;

static void
wake(void)
{
	const uint64_t one = 1;

	if (signal_fd >= 0 && write(signal_fd, &one, sizeof(one)) < 0)
		return; /* the counter is full: it wakes already */
}

static void
on_signal(int sig)
{
	int saved = errno;

	if (nb_signals > 0 && sig == SIGHUP)
		return;
	if (nb_signals > 0)
		_exit(128 + sig);
	if (sig == SIGINT && signal_app != NULL && atomic_load(&signal_app->at_prompt) &&
	    !plx_ctl_prompt_interrupt(signal_app->ctl)) {
		errno = saved;
		return;
	}
	nb_signals++;
	if (signal_app != NULL)
		app_stop(signal_app);
	wake();
	errno = saved;
}

static int
catch_signals(struct plx_err *err)
{
	struct sigaction sa = { .sa_handler = on_signal }, before;

	signal_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (signal_fd < 0)
		return plx_err_set(err, -errno, "no eventfd: %s", strerror(errno));
	sigemptyset(&sa.sa_mask);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &sa, NULL);
	/* a reader that goes and a file over its limit are errors of a write, not the end */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return 0;
}

static void
wait_for_signal(struct app *app)
{
	struct pollfd fd = { .fd = signal_fd, .events = POLLIN };

	/* "quit" over the control socket sets the mark without a signal: look now and then */
	while (!atomic_load(&app->is_stopping))
		poll(&fd, 1, 200);
}

static int
say(int code, const struct plx_err *err)
{
	fprintf(stderr, "pollux: %s\n", err->text);
	return code;
}

static int
set_options(const struct args *args, struct plx_conf *conf, struct plx_err *err)
{
	char name[160];
	const char *equals;
	int i, ret = 0;

	if (args->config != NULL)
		ret = plx_conf_load(conf, args->config, err);
	for (i = 0; ret == 0 && i < args->nb_sets; i++) {
		equals = strchr(args->sets[i], '=');
		if (equals == NULL || (size_t)(equals - args->sets[i]) >= sizeof(name))
			return plx_err_set(err, -EINVAL, "--set %s is not NAME=VALUE",
					   args->sets[i]);
		snprintf(name, sizeof(name), "%.*s", (int)(equals - args->sets[i]), args->sets[i]);
		ret = plx_conf_set(conf, name, equals + 1, PLX_ORIGIN_COMMAND_LINE, err);
		if (ret < 0)
			plx_err_prefix(err, "command line");
	}
	if (ret == 0 && args->socket != NULL)
		ret = plx_conf_set(conf, "daemon.socket", args->socket, PLX_ORIGIN_COMMAND_LINE,
				   err);
	if (ret == 0)
		ret = options_check(conf, err);
	return ret;
}

static void
show_progress(struct plx_ctl_call *call, const char *line)
{
	(void)call;
	fprintf(stderr, "\r%s\033[K", line);
}

static bool
has_stopped(struct plx_ctl_call *call)
{
	return atomic_load(&((struct app *)call->app)->is_stopping);
}

static int
run_line(struct app *app, const char *line)
{
	bool watched = isatty(STDERR_FILENO);
	const struct plx_ctl_call hooks = { .app = app,
					    .progress = watched ? show_progress : NULL,
					    .is_cancelled = has_stopped };
	struct plx_err err = { "" };
	json_t *answer = NULL;
	int ret;

	ret = plx_ctl_run(app->ctl, line, &hooks, &answer, &err);
	if (watched)
		fputs("\r\033[K", stderr);
	if (ret < 0)
		return say(EXIT_FAILURE, &err);
	if (answer != NULL || app->args->is_json)
		ret = plx_ctl_print(stdout, answer, app->args->is_json);
	fflush(stdout);
	json_decref(answer);
	return ret < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int
run_scripts(struct app *app)
{
	const struct args *args = app->args;
	struct plx_err err = { "" };
	int i;

	if (args->cmdline_file != NULL &&
	    plx_ctl_script(app->ctl, args->cmdline_file, stdout, args->is_json, &err) < 0)
		return atomic_load(&app->is_stopping) ? EXIT_SUCCESS : say(EXIT_FAILURE, &err);
	for (i = 0; i < args->nb_runs && !atomic_load(&app->is_stopping); i++)
		if (run_line(app, args->runs[i]) != EXIT_SUCCESS)
			return EXIT_FAILURE;
	return EXIT_SUCCESS;
}

static void
say_ready(const struct app *app)
{
	struct plx_engine_info info;
	uint32_t pos = 0, nb = 0;

	while (plx_engines_next(app->es, &pos, &info))
		nb++;
	fprintf(stderr, "Pollux %s: %u engine%s, control socket %s; %s\n", PLX_VERSION, nb,
		nb == 1 ? "" : "s", app->socket_path[0] != '\0' ? app->socket_path : "none",
		app->args->is_interactive || app->args->is_demo
			? "'help' lists the commands, 'quit' ends it"
			: "Ctrl-C ends it");
}

static int
prompt(struct app *app)
{
	int ret;

	atomic_store(&app->at_prompt, true);
	ret = plx_ctl_prompt(app->ctl, "pollux> ", app->args->is_json);
	atomic_store(&app->at_prompt, false);
	return ret < 0 && !atomic_load(&app->is_stopping) ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Everything that happens between start and end. */
static int
live(struct app *app)
{
	const struct args *args = app->args;
	bool on_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	bool prompts = args->is_interactive || (args->is_demo && on_terminal);
	bool stays = prompts || (args->nb_runs == 0 && !args->is_demo);
	struct plx_err err = { "" };
	int ret;

	if ((stays || args->socket != NULL) && app_listen(app, prompts, &err) < 0)
		return say(EXIT_FAILURE, &err);
	ret = run_scripts(app);
	if (ret == EXIT_SUCCESS && args->is_demo && !atomic_load(&app->is_stopping))
		ret = demo_run(app, args->demo_file);
	if (!stays || atomic_load(&app->is_stopping) || (ret != EXIT_SUCCESS && !args->is_demo))
		return ret;
	say_ready(app);
	if (!prompts)
		wait_for_signal(app);
	else if (prompt(app) != EXIT_SUCCESS)
		return EXIT_FAILURE;
	return ret;
}

static int
run(const struct args *args, struct plx_conf *conf)
{
	struct plx_err err = { "" };
	struct app *app;
	int ret;

	if (catch_signals(&err) < 0)
		return say(EXIT_FAILURE, &err);
	if (eal_start(args, plx_conf_get(conf, "daemon", NULL), &err) < 0)
		return say(EXIT_FAILURE, &err);
	if (app_create(args, conf, &app, &err) < 0) {
		eal_stop();
		return say(EXIT_FAILURE, &err);
	}
	signal_app = app;
	if (nb_signals > 0)
		app_stop(app);
	ret = live(app);
	signal_app = NULL;
	app_destroy(app);
	eal_stop();
	return ret;
}

static int
run_ctl(const struct args *args)
{
	char path[108], line[PLX_CTL_LINE_MAX];
	struct plx_err err = { "" };

	if (socket_path_find(args->socket != NULL ? args->socket : "auto", false, path,
			     sizeof(path), &err) < 0)
		return say(EXIT_FAILURE, &err);
	if (ctl_words_join(args->words, args->nb_words, line, sizeof(line), &err) < 0)
		return say(EXIT_FAILURE, &err);
	signal(SIGPIPE, SIG_IGN);
	if (plx_ctl_client(path, line, args->is_json, stdout, &err) < 0)
		return say(EXIT_FAILURE, &err);
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int
run_with_options(const struct args *args)
{
	struct plx_err err = { "" };
	struct plx_conf *conf;
	int ret;

	if (options_create(&conf, &err) < 0)
		return say(EXIT_FAILURE, &err);
	if (set_options(args, conf, &err) < 0)
		ret = say(EXIT_FAILURE, &err);
	else if (args->action == ARGS_RUN)
		ret = run(args, conf);
	else if (args->action == ARGS_CHECK)
		ret = printf("the options are good\n") < 0;
	else
		ret = pages_print(args->print, conf, stdout, &err) < 0 ? say(2, &err)
								       : EXIT_SUCCESS;
	plx_conf_destroy(conf);
	return ret;
}

int
main(int argc, char **argv)
{
	struct plx_err err = { "" };
	struct args args;

	if (args_parse(argc, argv, &args, &err) < 0)
		return say(2, &err);
	switch (args.action) {
	case ARGS_HELP:
		args_help(stdout);
		return EXIT_SUCCESS;
	case ARGS_VERSION:
		printf("pollux %s, %s\n", PLX_VERSION, rte_version());
		return EXIT_SUCCESS;
	case ARGS_CTL:
		return run_ctl(&args);
	case ARGS_RUN:
	case ARGS_CHECK:
	case ARGS_PRINT:
		break;
	}
	return run_with_options(&args);
}
