/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "demo_tool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Other people's programs as child processes. */

static int
spawn(const char *const argv[], posix_spawn_file_actions_t *actions, pid_t *pid,
      struct plx_err *err)
{
	/* posix_spawnp takes char *const[] and does not write to it */
	union {
		const char *const *in;
		char *const *out;
	} words = { .in = argv };
	int ret = posix_spawnp(pid, argv[0], actions, NULL, words.out, environ);

	if (ret != 0)
		return plx_err_set(err, -ret, "%s cannot be run: %s", argv[0], strerror(ret));
	return 0;
}

static int
wait_for(pid_t pid, const char *const argv[], struct plx_err *err)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return plx_err_set(err, -errno, "%s: %s", argv[0], strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (strcmp(argv[0], "cmp") == 0)
		return plx_err_set(err, -EBADMSG, "the files differ");
	return plx_err_set(err, -EIO, "%s %s ended with %s %d", argv[0],
			   argv[1] != NULL ? argv[1] : "", WIFEXITED(status) ? "code" : "signal",
			   WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

int
demo_tool(const char *const argv[], const char *out, struct plx_err *err)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int ret;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (out != NULL)
		posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out,
						 O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ret = spawn(argv, &actions, &pid, err);
	posix_spawn_file_actions_destroy(&actions);
	return ret < 0 ? ret : wait_for(pid, argv, err);
}

static void
read_text(int fd, char *buf, size_t len)
{
	char rest[256];
	size_t at = 0;
	ssize_t n;

	/* what does not fit is read too, so that the child can end */
	for (;;) {
		n = at + 1 < len ? read(fd, buf + at, len - 1 - at) : read(fd, rest, sizeof(rest));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		if (at + 1 < len)
			at += (size_t)n;
	}
	buf[at] = '\0';
}

int
demo_tool_text(const char *const argv[], char *buf, size_t len, struct plx_err *err)
{
	posix_spawn_file_actions_t actions;
	int fds[2], ret;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return plx_err_set(err, -errno, "no pipe: %s", strerror(errno));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	ret = spawn(argv, &actions, &pid, err);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	if (ret == 0) {
		read_text(fds[0], buf, len);
		ret = wait_for(pid, argv, err);
	}
	close(fds[0]);
	return ret;
}
