/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctl_fixture.h"

/* Script files, and the prompt on a pipe: answers, errors with their line, quit, interruption. */

/* A standard descriptor that is another file for a while. */
struct redirected {
	int fd, saved;
};

static struct redirected
redirect(int fd, const char *path, int flags)
{
	struct redirected r = { .fd = fd, .saved = dup(fd) };
	int other = open(path, flags, 0600);

	assert_true(r.saved >= 0 && other >= 0);
	assert_int_equal(dup2(other, fd), fd);
	close(other);
	return r;
}

static void
restore(const struct redirected *r)
{
	assert_int_equal(dup2(r->saved, r->fd), r->fd);
	close(r->saved);
}

static char *
content(const char *name)
{
	char *text = calloc(1, 65536);
	FILE *f = fopen(fx_path(name), "r");

	assert_non_null(text);
	assert_non_null(f);
	assert_true(fread(text, 1, 65535, f) < 65535);
	fclose(f);
	return text;
}

/* Run a script; out becomes what it printed. */
static int
script(struct fx *fx, const char *text, size_t len, bool as_json, struct plx_err *err, char **out)
{
	size_t out_len = 0;
	FILE *f = open_memstream(out, &out_len);
	int ret;

	assert_non_null(f);
	ret = plx_ctl_script(fx->ctl, fx_file("script", text, len), f, as_json, err);
	assert_int_equal(fclose(f), 0);
	return ret;
}

static void
expect_script(struct fx *fx, const char *text, bool as_json, const char *printed)
{
	struct plx_err err = { { 0 } };
	char *out = NULL;

	if (script(fx, text, strlen(text), as_json, &err, &out) != 0)
		fail_msg("%s", err.text);
	assert_string_equal(out, printed);
	free(out);
}

static void
expect_refused(struct fx *fx, const char *text, size_t len, int code, int line, const char *words)
{
	struct plx_err err = { { 0 } };
	char *out = NULL, place[200];

	assert_int_equal(script(fx, text, len, false, &err, &out), code);
	free(out);
	snprintf(place, sizeof(place), "%s:%d: ", fx_path("script"), line);
	if (strncmp(err.text, place, strlen(place)) != 0 || strstr(err.text, words) == NULL)
		fail_msg("%s", err.text);
}

static void
a_script_runs_line_by_line(void **state)
{
	expect_script(*state, "# a script\n\ncount\ncount\nshow config # two\nsilent\ncount", false,
		      "1\n2\nburst: 32\n3\n");
	expect_script(*state, "count\n\nsilent\r\n# no\nshow config\n", true,
		      "4\nnull\n{\"burst\":32}\n");
	expect_script(*state, "", false, "");
}

static void
a_script_stops_at_its_first_error(void **state)
{
	struct fx *fx = *state;

	expect_refused(fx, "count\n\nfail x\ncount\n", 20, -EBUSY, 3, "busy with x");
	assert_int_equal(fx->app.value, 1);
	expect_refused(fx, "xyz", 3, -ENOENT, 1, "unknown command");
	expect_refused(fx, "count\ncount\0\n", 13, -EINVAL, 2, "zero byte");
	expect_refused(fx, "count\n'\n", 8, -EINVAL, 2, "not closed");
	assert_int_equal(fx->app.value, 3);
}

static void
an_overlong_line_is_an_error_in_its_line(void **state)
{
	char text[3 * PLX_CTL_LINE_MAX];

	memset(text, 'x', sizeof(text));
	fx_put(text, "count\n");
	expect_refused(*state, text, sizeof(text), -EINVAL, 2, "longer than 4096");
	text[sizeof(text) - 1] = '\n';
	expect_refused(*state, text, sizeof(text), -EINVAL, 2, "longer than 4096");
	text[6 + PLX_CTL_LINE_MAX + 1] = '\n';
	expect_refused(*state, text, sizeof(text), -EINVAL, 2, "longer than 4096");
}

static void
the_longest_line_is_run(void **state)
{
	char text[PLX_CTL_LINE_MAX + 2];

	memset(text, ' ', sizeof(text));
	fx_put(text, "count");
	text[PLX_CTL_LINE_MAX] = '\n';
	text[PLX_CTL_LINE_MAX + 1] = '\0';
	expect_script(*state, text, false, "1\n");
}

static void
quit_ends_a_script(void **state)
{
	struct fx *fx = *state;

	expect_script(fx, "count\nquit\ncount\n", false, "1\n");
	expect_script(fx, "exit\ncount\n", false, "");
	assert_int_equal(fx->app.value, 1);
}

static int
run_quit(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct fx_app *app = call->app;

	(void)answer;
	if (app->value == 0)
		return plx_err_set(err, -EBUSY, "not yet");
	app->value = 100;
	return 0;
}

static void
a_row_named_quit_is_run_and_may_refuse(void **state)
{
	static const struct plx_ctl_cmd row = { "quit", "", "End.", NULL,     NULL,
						0,      0,  false,  run_quit, NULL };
	struct fx *fx = *state;

	assert_int_equal(plx_ctl_register(fx->ctl, &row, 1), 0);
	expect_refused(fx, "quit\ncount\n", 11, -EBUSY, 1, "not yet");
	expect_script(fx, "count\nquit\ncount\n", false, "1\n");
	assert_int_equal(fx->app.value, 100);
}

static void
a_script_that_cannot_be_read_is_told(void **state)
{
	struct fx *fx = *state;
	struct plx_err err = { { 0 } };

	assert_int_equal(plx_ctl_script(fx->ctl, "/nowhere/script", stdout, false, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/script: cannot be read"));
	assert_int_equal(plx_ctl_script(fx->ctl, "/tmp", stdout, false, &err), -EISDIR);
	assert_non_null(strstr(err.text, "/tmp:1: reading failed"));
}

static void *
run_long_script(void *arg)
{
	struct fx *fx = arg;
	struct plx_err err = { { 0 } };
	char *out = NULL;
	int ret = script(fx, "slow 100000\ncount\n", 18, false, &err, &out);

	free(out);
	if (strstr(err.text, ":1: ") == NULL)
		abort();
	return (void *)(intptr_t)ret;
}

static void
an_interrupt_cancels_a_script_and_not_the_prompt(void **state)
{
	struct fx *fx = *state;
	pthread_t thread;
	void *ret;

	assert_int_equal(pthread_create(&thread, NULL, run_long_script, fx), 0);
	fx_wait(&fx->app.nb_calls, 1);
	assert_false(plx_ctl_prompt_interrupt(fx->ctl));
	pthread_join(thread, &ret);
	assert_int_equal((intptr_t)ret, -ECANCELED);
	/* the next one is not cancelled by the interrupt before */
	expect_script(fx, "slow 3\n", false, "done\n");
}

static int
run_interrupt(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	(void)answer;
	(void)err;
	return plx_ctl_prompt_interrupt(call->ctl) ? -EIO : 0;
}

static void
an_interrupt_ends_a_script_whose_command_took_no_notice(void **state)
{
	static const struct plx_ctl_cmd row = {
		"interrupt", "", "Interrupt.", NULL, NULL, 0, 0, false, run_interrupt, NULL
	};
	struct fx *fx = *state;

	assert_int_equal(plx_ctl_register(fx->ctl, &row, 1), 0);
	expect_refused(fx, "count\ninterrupt\ncount\n", 22, -EINTR, 2, "interrupted");
	assert_int_equal(fx->app.value, 1);
	expect_script(fx, "count\n", false, "2\n");
}

static void
stop_ends_a_script_for_good(void **state)
{
	struct fx *fx = *state;
	pthread_t thread;
	void *ret;

	assert_int_equal(pthread_create(&thread, NULL, run_long_script, fx), 0);
	fx_wait(&fx->app.nb_calls, 1);
	plx_ctl_prompt_stop(fx->ctl);
	pthread_join(thread, &ret);
	assert_int_equal((intptr_t)ret, -ECANCELED);
	expect_refused(fx, "count\n", 6, -EINTR, 1, "interrupted");
}

/* The prompt with this text on a pipe; what came out is in the files "out" and "b". */
static int
prompt(struct fx *fx, const char *text, bool as_json)
{
	struct redirected in, out, errors;
	int ret;

	fflush(stdout);
	fflush(stderr);
	fx_file("in", text, strlen(text));
	in = redirect(STDIN_FILENO, fx_path("in"), O_RDONLY);
	out = redirect(STDOUT_FILENO, fx_path("out"), O_WRONLY | O_CREAT | O_TRUNC);
	errors = redirect(STDERR_FILENO, fx_path("b"), O_WRONLY | O_CREAT | O_TRUNC);
	ret = plx_ctl_prompt(fx->ctl, "pollux> ", as_json);
	fflush(stdout);
	fflush(stderr);
	restore(&in);
	restore(&out);
	restore(&errors);
	return ret;
}

static void
expect_prompt(struct fx *fx, const char *text, bool as_json, int code, const char *printed,
	      const char *errors)
{
	char *got;

	assert_int_equal(prompt(fx, text, as_json), code);
	got = content("out");
	assert_string_equal(got, printed);
	free(got);
	got = content("b");
	assert_string_equal(got, errors);
	free(got);
}

static void
a_piped_prompt_runs_lines_and_goes_on_after_errors(void **state)
{
	expect_prompt(*state, "count\nfail x\n\ncount\n", false, -EBUSY, "1\n2\n",
		      "error: line 2: busy with x\n");
	expect_prompt(*state, "count\nquit\ncount\n", false, 0, "3\n", "");
	expect_prompt(*state, "", false, 0, "", "");
}

static void
a_piped_prompt_speaks_json(void **state)
{
	expect_prompt(*state, "count\nsilent\nxyz\n", true, -ENOENT, "1\nnull\n",
		      "{\"ok\":false,\"code\":-2,\"error\":\"line 3: unknown command \\\"xyz\\\"; "
		      "\\\"help\\\" alone lists them all\"}\n");
}

static void
errors_from_a_pipe_are_harmless_on_a_terminal(void **state)
{
	expect_prompt(
		*state, "fail '\xc3\xa4'\n\033[2J\n", false, -EINVAL, "",
		"error: line 1: busy with \xc3\xa4\n"
		"error: line 2: the line has a byte that is no text (a control character, or not "
		"UTF-8)\n");
}

static void *
stop_soon(void *arg)
{
	struct fx *fx = arg;

	fx_wait(&fx->app.nb_calls, 1);
	plx_ctl_prompt_stop(fx->ctl);
	return NULL;
}

static void
stop_ends_a_prompt_that_waits_on_a_pipe(void **state)
{
	struct fx *fx = *state;
	pthread_t thread;
	int pipes[2], saved = dup(STDIN_FILENO);
	struct redirected out;

	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(write(pipes[1], "count\n", 6), 6);
	assert_int_equal(dup2(pipes[0], STDIN_FILENO), STDIN_FILENO);
	fflush(stdout);
	out = redirect(STDOUT_FILENO, fx_path("out"), O_WRONLY | O_CREAT | O_TRUNC);
	assert_int_equal(pthread_create(&thread, NULL, stop_soon, fx), 0);
	/* nobody writes more and nobody closes: only the stop ends it */
	assert_int_equal(plx_ctl_prompt(fx->ctl, "", false), 0);
	fflush(stdout);
	restore(&out);
	pthread_join(thread, NULL);
	assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
	close(saved);
	close(pipes[0]);
	close(pipes[1]);
	/* it stays in force */
	assert_int_equal(plx_ctl_prompt(fx->ctl, "", false), 0);
}

static void
an_interrupt_ends_an_idle_prompt(void **state)
{
	struct fx *fx = *state;

	assert_true(plx_ctl_prompt_interrupt(fx->ctl));
	assert_int_equal(prompt(fx, "count\n", false), 0);
	assert_int_equal(fx->app.value, 0);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, fx_setup, fx_teardown)
	const struct CMUnitTest tests[] = {
		T(a_script_runs_line_by_line),
		T(a_script_stops_at_its_first_error),
		T(an_overlong_line_is_an_error_in_its_line),
		T(the_longest_line_is_run),
		T(quit_ends_a_script),
		T(a_row_named_quit_is_run_and_may_refuse),
		T(a_script_that_cannot_be_read_is_told),
		T(an_interrupt_cancels_a_script_and_not_the_prompt),
		T(an_interrupt_ends_a_script_whose_command_took_no_notice),
		T(stop_ends_a_script_for_good),
		T(a_piped_prompt_runs_lines_and_goes_on_after_errors),
		T(a_piped_prompt_speaks_json),
		T(errors_from_a_pipe_are_harmless_on_a_terminal),
		T(stop_ends_a_prompt_that_waits_on_a_pipe),
		T(an_interrupt_ends_an_idle_prompt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
