/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctl_fixture.h"

/* The prompt on a terminal: a child process has a pseudo terminal, the test types and reads. */

#define SEEN_MAX 65536

struct screen {
	pid_t pid;
	int fd;
	size_t len;
	char seen[SEEN_MAX];
};

static struct plx_ctl *child_ctl; /* for its signal handlers */

static void
child_signal(int number)
{
	if (number == SIGINT)
		plx_ctl_prompt_interrupt(child_ctl);
	else
		plx_ctl_prompt_stop(child_ctl);
}

static int
child_main(bool as_json)
{
	const struct sigaction action = { .sa_handler = child_signal };
	void *state = NULL;
	struct fx *fx;
	int ret;

	if (fx_setup(&state) != 0)
		return 99;
	fx = state;
	child_ctl = fx->ctl;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	setenv("TERM", "xterm", 1);
	ret = plx_ctl_prompt(fx->ctl, "pollux> ", as_json);
	plx_ctl_destroy(fx->ctl);
	free(fx);
	return ret == 0 ? 42 : 1;
}

/* Read until the text has been seen since the last call; 20 s at most. */
static void
expect(struct screen *s, const char *text)
{
	struct pollfd fds = { .fd = s->fd, .events = POLLIN };
	char *found;

	while ((found = strstr(s->seen, text)) == NULL) {
		ssize_t got = -1;

		if (poll(&fds, 1, 20000) == 1)
			got = read(s->fd, s->seen + s->len, SEEN_MAX - 1 - s->len);
		if (got <= 0)
			fail_msg("\"%s\" did not come; seen: %s", text, s->seen);
		s->len += (size_t)got;
		s->seen[s->len] = '\0';
	}
	found += strlen(text);
	s->len -= (size_t)(found - s->seen);
	memmove(s->seen, found, s->len + 1);
}

static void
type(struct screen *s, const char *keys)
{
	assert_int_equal(write(s->fd, keys, strlen(keys)), strlen(keys));
}

static struct screen *
start(bool as_json)
{
	struct screen *s = calloc(1, sizeof(*s));
	struct winsize size = { .ws_row = 24, .ws_col = 60 };

	assert_non_null(s);
	s->pid = forkpty(&s->fd, NULL, NULL, &size);
	assert_true(s->pid >= 0);
	if (s->pid == 0) {
		free(s);
		exit(child_main(as_json));
	}
	expect(s, "pollux> ");
	return s;
}

/* The child ends on its own with a clean prompt. */
static void
finish(struct screen *s)
{
	ssize_t got;
	int status = 0;

	while ((got = read(s->fd, s->seen + s->len, SEEN_MAX - 1 - s->len)) > 0)
		s->len += (size_t)got;
	s->seen[s->len] = '\0';
	assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 42)
		fail_msg("status %d; seen: %s", status, s->seen);
	close(s->fd);
	free(s);
}

static void
lines_are_run_and_errors_told(void **state)
{
	struct screen *s = start(false);

	(void)state;
	type(s, "count\r");
	expect(s, "\r\n1\r\n");
	type(s, "fail x\r");
	expect(s, "error: busy with x\r\n");
	type(s, "quit\r");
	finish(s);
}

static void
tab_completes_and_lists(void **state)
{
	struct screen *s = start(false);

	(void)state;
	type(s, "sh\te\t\r");
	expect(s, "33.25");
	type(s, "show \t");
	expect(s, "engines  config");
	type(s, "\025echo alpha\t\t");
	expect(s, "alpha one  alphabet");
	type(s, " \177b\t key=web/o\t\r");
	expect(s, "words: alphabet");
	expect(s, "key:  web/one");
	type(s, "echo 'alpha \t\r");
	expect(s, "words: alpha one");
	type(s, "quit\r");
	finish(s);
}

static void
history_brings_lines_back(void **state)
{
	struct screen *s = start(false);

	(void)state;
	type(s, "echo first\r");
	expect(s, "words: first");
	type(s, "count\r");
	expect(s, "1\r\n");
	type(s, "\033[A\033[A\r");
	expect(s, "words: first");
	type(s, "quit\r");
	finish(s);
}

static void
text_beyond_ascii_can_be_typed(void **state)
{
	struct screen *s = start(false);

	(void)state;
	type(s, "echo '\xc3\xa4 \xe2\x82\xac'\r");
	expect(s, "words: \xc3\xa4 \xe2\x82\xac");
	/* bytes that are no UTF-8 are dropped, not obeyed */
	type(s, "echo a\xff\xfe\x80z\r");
	expect(s, "words: az");
	type(s, "quit\r");
	finish(s);
}

static void
progress_is_one_line_that_is_rewritten(void **state)
{
	struct screen *s = start(false);

	(void)state;
	type(s, "slow 200\r");
	expect(s, "\r\033[Kstep 0 \\x1b[2J");
	expect(s, "\r\033[Kstep ");
	expect(s, "\r\033[Kdone\r\n");
	type(s, "quit\r");
	finish(s);
}

static void
control_c_cancels_a_command_and_ends_an_idle_prompt(void **state)
{
	struct screen *s = start(false);

	(void)state;
	type(s, "slow 100000\r");
	expect(s, "step ");
	type(s, "\003");
	expect(s, "error: cancelled");
	expect(s, "pollux> ");
	type(s, "count\r");
	expect(s, "\r\npollux> ");
	type(s, "half a li\003");
	finish(s);
}

static void
control_d_and_a_signal_end_the_prompt(void **state)
{
	struct screen *s = start(false);

	(void)state;
	type(s, "\004");
	finish(s);
	s = start(false);
	kill(s->pid, SIGTERM);
	finish(s);
	s = start(false);
	type(s, "slow 100000\r");
	expect(s, "step ");
	kill(s->pid, SIGTERM);
	expect(s, "cancelled");
	finish(s);
}

static void
json_mode_answers_in_lines_of_json(void **state)
{
	struct screen *s = start(true);

	(void)state;
	type(s, "show config\r");
	expect(s, "\r\n{\"burst\":32}\r\n");
	type(s, "xyz\r");
	expect(s, "{\"ok\":false,\"code\":-2,");
	type(s, "quit\r");
	finish(s);
}

static void
an_overlong_line_is_refused_and_the_prompt_goes_on(void **state)
{
	struct screen *s = start(false);
	char keys[101];

	(void)state;
	memset(keys, 'x', 100);
	keys[100] = '\0';
	for (int i = 0; i < PLX_CTL_LINE_MAX / 100 + 2; i++) {
		type(s, keys);
		expect(s, "xxxxxxxxxx");
		s->len = 0;
		s->seen[0] = '\0';
	}
	type(s, "\t\r");
	expect(s, "error: ");
	type(s, "quit\r");
	finish(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_run_and_errors_told),
		cmocka_unit_test(tab_completes_and_lists),
		cmocka_unit_test(history_brings_lines_back),
		cmocka_unit_test(text_beyond_ascii_can_be_typed),
		cmocka_unit_test(progress_is_one_line_that_is_rewritten),
		cmocka_unit_test(control_c_cancels_a_command_and_ends_an_idle_prompt),
		cmocka_unit_test(control_d_and_a_signal_end_the_prompt),
		cmocka_unit_test(json_mode_answers_in_lines_of_json),
		cmocka_unit_test(an_overlong_line_is_refused_and_the_prompt_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
