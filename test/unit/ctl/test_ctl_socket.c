/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctl_fixture.h"
#include "ctl_peer.h"

/* The control socket: its file, its protocol, its client. */

static int
setup_listening(void **state)
{
	struct plx_err err;
	struct fx *fx;

	if (fx_setup(state) != 0)
		return -1;
	fx = *state;
	return plx_ctl_listen(fx->ctl, fx_path("s"), &err);
}

static struct peer *
connected(void)
{
	struct peer *p = malloc(sizeof(*p));

	assert_non_null(p);
	assert_true(peer_open(p, fx_path("s")));
	return p;
}

static void
dropped(struct peer *p)
{
	peer_close(p);
	free(p);
}

static void
expect_answer(struct peer *p, const char *json)
{
	char line[8192];

	assert_true(peer_answer(p, line, sizeof(line)));
	assert_string_equal(line, json);
}

static void
a_line_is_answered_by_a_line_of_json(void **state)
{
	struct peer *p = connected();

	(void)state;
	assert_true(peer_say(p, "count"));
	expect_answer(p, "{\"ok\":true,\"answer\":1}");
	assert_true(peer_say(p, "silent"));
	expect_answer(p, "{\"ok\":true,\"answer\":null}");
	assert_true(peer_say(p, ""));
	expect_answer(p, "{\"ok\":true,\"answer\":null}");
	assert_true(peer_say(p, "show config"));
	expect_answer(p, "{\"ok\":true,\"answer\":{\"burst\":32}}");
	assert_true(peer_say(p, "fail '\xc3\xa4'"));
	expect_answer(p, "{\"ok\":false,\"code\":-16,\"error\":\"busy with \\u00E4\"}");
	assert_true(peer_say(p, "help shwo"));
	expect_answer(
		p, "{\"ok\":false,\"code\":-2,\"error\":\"unknown command word \\\"shwo\\\"; did "
		   "you mean show?\"}");
	dropped(p);
}

static void
lines_may_be_sent_ahead_and_a_last_one_without_end(void **state)
{
	struct peer *p = connected();
	char line[8192], expected[64];
	size_t used = 0;

	(void)state;
	/* at one go: a peer that sends piece by piece and reads nothing meanwhile is a slow one */
	for (int i = 0; i < 500; i++)
		used += (size_t)snprintf(line + used, sizeof(line) - used, "%s\n",
					 i % 100 == 7 ? "nonsense" : "count");
	assert_true(peer_send(p, line, used));
	assert_true(peer_send(p, "count", 5));
	shutdown(p->fd, SHUT_WR);
	for (int i = 0, nb = 0; i < 501; i++) {
		assert_true(peer_answer(p, line, sizeof(line)));
		snprintf(expected, sizeof(expected), "{\"ok\":true,\"answer\":%d}", nb + 1);
		if (i % 100 == 7 && i < 500)
			assert_non_null(strstr(line, "unknown command"));
		else
			assert_string_equal(line, expected);
		nb += i % 100 != 7 || i >= 500;
	}
	assert_true(peer_is_ended(p));
	dropped(p);
}

static void
long_commands_tell_their_progress(void **state)
{
	struct peer *p = connected();
	char line[8192];
	int nb = 0;

	(void)state;
	assert_true(peer_say(p, "slow 450"));
	while (peer_hear(p, line, sizeof(line)) && strncmp(line, "{\"ok\"", 5) != 0) {
		assert_memory_equal(line, "{\"progress\":\"step ", 18);
		assert_non_null(strstr(line, "\\\\x1b[2J\"}"));
		nb++;
	}
	assert_string_equal(line, "{\"ok\":true,\"answer\":\"done\"}");
	/* not one a millisecond: ten a second */
	assert_in_range(nb, 3, 30);
	dropped(p);
}

static void
a_peer_that_leaves_cancels_its_command(void **state)
{
	struct fx *fx = *state;
	struct peer *p = connected();

	assert_true(peer_say(p, "slow 1000000"));
	fx_wait(&fx->app.nb_calls, 1);
	dropped(p);
	fx_wait(&fx->app.nb_ended, 1);
}

static void
a_peer_that_leaves_cancels_a_command_that_says_nothing(void **state)
{
	struct fx *fx = *state;
	struct peer *p = connected();

	assert_true(peer_say(p, "wait"));
	fx_wait(&fx->app.nb_calls, 1);
	fx_sleep_ms(20);
	assert_int_equal(atomic_load(&fx->app.nb_ended), 0);
	dropped(p);
	fx_wait(&fx->app.nb_ended, 1);
}

static void
a_peer_that_shuts_its_sending_side_still_gets_its_answer(void **state)
{
	struct peer *p = connected();

	(void)state;
	assert_true(peer_say(p, "slow 200"));
	shutdown(p->fd, SHUT_WR);
	expect_answer(p, "{\"ok\":true,\"answer\":\"done\"}");
	assert_true(peer_is_ended(p));
	dropped(p);
}

static void
large_answers_come_whole(void **state)
{
	size_t size = 4 << 20;
	char *text = NULL;
	struct plx_err err = { { 0 } };
	FILE *f = open_memstream(&text, &size);

	(void)state;
	assert_non_null(f);
	assert_int_equal(plx_ctl_client(fx_path("s"), "big 20000", true, f, &err), 0);
	fclose(f);
	assert_non_null(strstr(text, "{\"row\":19999,\"name\":\"a name of a row\"}]\n"));
	assert_true(strlen(text) > 600000);
	free(text);
}

static char *
asked(const char *line, bool as_json, int code, struct plx_err *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	assert_int_equal(plx_ctl_client(fx_path("s"), line, as_json, f, err), code);
	fclose(f);
	return text;
}

static void
the_client_shows_answers_as_table_or_json(void **state)
{
	struct plx_err err = { { 0 } };
	char *text = asked("show engines", false, 0, &err);

	(void)state;
	assert_string_equal(text, "engine  mode     busy\n"
				  "     0  auto      1.5\n"
				  "     1  inline  33.25\n");
	free(text);
	text = asked("show config\n", true, 0, &err);
	assert_string_equal(text, "{\"burst\":32}\n");
	free(text);
	text = asked("silent", true, 0, &err);
	assert_string_equal(text, "null\n");
	free(text);
	text = asked("silent", false, 0, &err);
	assert_string_equal(text, "");
	free(text);
	text = asked("slow 150", false, 0, &err);
	assert_string_equal(text, "done\n");
	free(text);
}

static void
the_client_hands_on_errors(void **state)
{
	struct plx_err err = { { 0 } };

	(void)state;
	free(asked("fail x", false, -EBUSY, &err));
	assert_string_equal(err.text, "busy with x");
	free(asked("a\nb", false, -EINVAL, &err));
	assert_string_equal(err.text, "give one line only");
	free(asked("fail 'a\033'", false, -EINVAL, &err));
	assert_non_null(strstr(err.text, "no text"));
}

static void
the_client_tells_when_nobody_listens(void **state)
{
	struct plx_err err = { { 0 } };
	char longer[200];

	(void)state;
	assert_int_equal(plx_ctl_client("/nowhere/s", "count", false, stdout, &err), -ECONNREFUSED);
	assert_non_null(strstr(err.text, "nobody listens on /nowhere/s"));
	memset(longer, 'x', sizeof(longer));
	longer[199] = '\0';
	assert_int_equal(plx_ctl_client(longer, "count", false, stdout, &err), -ENAMETOOLONG);
	assert_int_equal(plx_ctl_client("", "count", false, stdout, &err), -ENAMETOOLONG);
}

/* A server of other people's: what it says must not pass for an answer. */
static void
expect_client(const char *reply, int code, const char *words)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct plx_err err = { { 0 } };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), status;
	pid_t pid;

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", fx_path("a"));
	unlink(addr.sun_path);
	assert_int_equal(bind(fd, (const struct sockaddr *)&addr, sizeof(addr)), 0);
	assert_int_equal(listen(fd, 1), 0);
	pid = fork();
	if (pid == 0) {
		char line[64];
		int peer = accept(fd, NULL, NULL);
		bool is_sent = read(peer, line, sizeof(line)) > 0 &&
			       write(peer, reply, strlen(reply)) == (ssize_t)strlen(reply);

		close(peer);
		_exit(is_sent ? 0 : 1);
	}
	assert_int_equal(plx_ctl_client(addr.sun_path, "count", false, stdout, &err), code);
	if (strstr(err.text, words) == NULL)
		fail_msg("%s", err.text);
	assert_null(strchr(err.text, '\033'));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(fd);
}

static void
the_client_trusts_no_server(void **state)
{
	(void)state;
	expect_client("", -EPIPE, "closed the connection");
	expect_client("{\"ok\":true,\"answer\":1}", -EPIPE, "closed the connection");
	expect_client("HTTP/1.0 200\n", -EPROTO, "does not speak our protocol");
	expect_client("{}\n", -EPROTO, "protocol");
	expect_client("[1]\n", -EPROTO, "protocol");
	expect_client("{\"ok\":1}\n", -EPROTO, "protocol");
	expect_client(
		"{\"progress\":\"\\u001b[2J\"}\n{\"ok\":false,\"code\":-5,\"error\":\"\\u001b[2J\"}\n",
		-EIO, "\\x1b[2J");
	expect_client("{\"ok\":false,\"code\":7}\n", -EPROTO, "without a reason");
	expect_client("{\"ok\":false,\"code\":-100000,\"error\":\"x\"}\n", -EPROTO, "x");
}

static void
the_file_is_for_its_owner_alone_whatever_the_umask(void **state)
{
	static const mode_t masks[] = { 0, 022, 077, 0777 };
	struct plx_err err = { { 0 } };

	(void)state;
	for (size_t i = 0; i < PLX_ARRAY_SIZE(masks); i++) {
		mode_t before = umask(masks[i]);
		struct plx_ctl *ctl = NULL;
		struct stat st;
		int ret;

		ret = plx_ctl_create(NULL, &ctl);
		if (ret == 0)
			ret = plx_ctl_listen(ctl, fx_path("a"), &err);
		umask(before);
		assert_int_equal(ret, 0);
		assert_int_equal(lstat(fx_path("a"), &st), 0);
		assert_true(S_ISSOCK(st.st_mode));
		assert_int_equal(st.st_mode & 0777, 0600 & ~masks[i]);
		plx_ctl_destroy(ctl);
		assert_int_equal(lstat(fx_path("a"), &st), -1);
	}
}

static void
a_live_socket_is_refused_and_left_alone(void **state)
{
	struct plx_ctl *second = NULL;
	struct plx_err err = { { 0 } };
	struct peer *p;

	(void)state;
	assert_int_equal(plx_ctl_create(NULL, &second), 0);
	assert_int_equal(plx_ctl_listen(second, fx_path("s"), &err), -EADDRINUSE);
	assert_non_null(strstr(err.text, "somebody listens"));
	plx_ctl_destroy(second);
	p = connected();
	assert_true(peer_say(p, "count"));
	expect_answer(p, "{\"ok\":true,\"answer\":1}");
	dropped(p);
}

static void
a_stale_socket_is_replaced(void **state)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	struct plx_ctl *ctl = NULL;
	struct plx_err err = { { 0 } };

	(void)state;
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", fx_path("a"));
	assert_int_equal(bind(fd, (const struct sockaddr *)&addr, sizeof(addr)), 0);
	close(fd);
	assert_int_equal(plx_ctl_create(NULL, &ctl), 0);
	assert_int_equal(plx_ctl_listen(ctl, fx_path("a"), &err), 0);
	plx_ctl_destroy(ctl);
}

static void
a_file_that_is_no_socket_is_never_removed(void **state)
{
	struct plx_ctl *ctl = NULL;
	struct plx_err err = { { 0 } };
	struct stat st;

	(void)state;
	fx_file("a", "precious", 8);
	assert_int_equal(plx_ctl_create(NULL, &ctl), 0);
	assert_int_equal(plx_ctl_listen(ctl, fx_path("a"), &err), -EEXIST);
	assert_non_null(strstr(err.text, "is no socket"));
	assert_int_equal(stat(fx_path("a"), &st), 0);
	assert_int_equal(st.st_size, 8);
	/* nor one that a link points to */
	assert_int_equal(symlink("a", fx_path("b")), 0);
	assert_int_equal(plx_ctl_listen(ctl, fx_path("b"), &err), -EEXIST);
	assert_int_equal(lstat(fx_path("b"), &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	plx_ctl_destroy(ctl);
	assert_int_equal(stat(fx_path("a"), &st), 0);
}

static void
a_file_that_took_our_place_is_not_removed(void **state)
{
	struct fx *fx = *state;
	struct stat st;

	assert_int_equal(unlink(fx_path("s")), 0);
	fx_file("s", "another", 7);
	plx_ctl_destroy(fx->ctl);
	fx->ctl = NULL;
	assert_int_equal(stat(fx_path("s"), &st), 0);
}

static void
somebody_who_keeps_the_folder_locked_does_not_keep_us_from_starting(void **state)
{
	int fd = open(fx_path("."), O_RDONLY | O_DIRECTORY);
	struct plx_ctl *ctl = NULL;
	struct plx_err err = { { 0 } };
	uint64_t before = ctl_now_ms();

	(void)state;
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(plx_ctl_create(NULL, &ctl), 0);
	assert_int_equal(plx_ctl_listen(ctl, fx_path("a"), &err), 0);
	assert_in_range(ctl_now_ms() - before, 500, 10000);
	plx_ctl_destroy(ctl);
	close(fd);
}

/* Many starts at once for one path: one listens, the others are told, and the one is still there at
 * the end. */
static void
one_of_many_starts_gets_the_path(void **state)
{
	pid_t pids[8];
	int pipes[2], status;
	struct stat st;
	char path[128], go;

	(void)state;
	snprintf(path, sizeof(path), "%s", fx_path("a"));
	for (int round = 0; round < 20; round++) {
		assert_int_equal(pipe(pipes), 0);
		for (size_t i = 0; i < PLX_ARRAY_SIZE(pids); i++) {
			pids[i] = fork();
			if (pids[i] == 0) {
				struct plx_ctl *ctl = NULL;

				close(pipes[1]);
				if (plx_ctl_create(NULL, &ctl) != 0)
					_exit(9);
				if (plx_ctl_listen(ctl, path, NULL) != 0)
					_exit(1);
				/* killed, not ended: the file stays behind as a stale one */
				if (read(pipes[0], &go, 1) == 0)
					raise(SIGKILL);
				_exit(9);
			}
		}
		close(pipes[0]);
		for (size_t i = 0; i < PLX_ARRAY_SIZE(pids) - 1; i++) {
			assert_true(wait(&status) > 0);
			assert_int_equal(status, 1 << 8);
		}
		close(pipes[1]);
		assert_true(wait(&status) > 0);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		assert_int_equal(lstat(path, &st), 0);
	}
}

static void
wrong_paths_are_refused(void **state)
{
	struct fx *fx = *state;
	struct plx_err err = { { 0 } };
	struct plx_ctl *ctl = NULL;
	char longer[109];

	assert_int_equal(plx_ctl_listen(fx->ctl, fx_path("a"), &err), -EALREADY);
	assert_int_equal(plx_ctl_create(NULL, &ctl), 0);
	memset(longer, 'x', sizeof(longer));
	longer[108] = '\0';
	assert_int_equal(plx_ctl_listen(ctl, longer, &err), -ENAMETOOLONG);
	assert_int_equal(plx_ctl_listen(ctl, "", &err), -ENAMETOOLONG);
	assert_int_equal(plx_ctl_listen(ctl, "/nowhere/s", &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/s"));
	assert_int_equal(plx_ctl_listen(ctl, "/proc/s", &err) < 0, 1);
	plx_ctl_destroy(ctl);
}

static void
only_the_own_user_and_root_are_answered(void **state)
{
	char path[128]; /* of this process, for the child */
	struct peer *p;
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip(); /* another user is needed to be refused */
	snprintf(path, sizeof(path), "%s", fx_path("s"));
	assert_int_equal(chmod(path, 0666), 0);
	assert_int_equal(chmod(fx_path(""), 0755), 0);
	pid = fork();
	if (pid == 0) {
		char line[1024];

		p = malloc(sizeof(*p));
		if (p == NULL || setuid(65534) != 0 || !peer_open(p, path) ||
		    !peer_hear(p, line, sizeof(line)))
			_exit(1);
		if (strstr(line, "\"code\":-1,") == NULL || !peer_is_ended(p))
			_exit(2);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	p = connected();
	assert_true(peer_say(p, "count"));
	expect_answer(p, "{\"ok\":true,\"answer\":1}");
	dropped(p);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup_listening, fx_teardown)
	const struct CMUnitTest tests[] = {
		T(a_line_is_answered_by_a_line_of_json),
		T(lines_may_be_sent_ahead_and_a_last_one_without_end),
		T(long_commands_tell_their_progress),
		T(a_peer_that_leaves_cancels_its_command),
		T(a_peer_that_leaves_cancels_a_command_that_says_nothing),
		T(a_peer_that_shuts_its_sending_side_still_gets_its_answer),
		T(large_answers_come_whole),
		T(the_client_shows_answers_as_table_or_json),
		T(the_client_hands_on_errors),
		T(the_client_tells_when_nobody_listens),
		T(the_client_trusts_no_server),
		T(the_file_is_for_its_owner_alone_whatever_the_umask),
		T(a_live_socket_is_refused_and_left_alone),
		T(a_stale_socket_is_replaced),
		T(a_file_that_is_no_socket_is_never_removed),
		T(a_file_that_took_our_place_is_not_removed),
		T(somebody_who_keeps_the_folder_locked_does_not_keep_us_from_starting),
		/* no threads of our own when it forks: children start some */
		cmocka_unit_test_setup_teardown(one_of_many_starts_gets_the_path, fx_setup,
						fx_teardown),
		T(wrong_paths_are_refused),
		T(only_the_own_user_and_root_are_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
