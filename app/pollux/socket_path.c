/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "socket_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Client and daemon of one user must come to the same path with no word between them. */

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void
default_folder(char *buf, size_t len)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	char run_user[64];

	snprintf(run_user, sizeof(run_user), "/run/user/%u", (unsigned int)geteuid());
	if (geteuid() == 0)
		snprintf(buf, len, "/run/pollux");
	else if (runtime != NULL && runtime[0] == '/' && is_folder(runtime))
		snprintf(buf, len, "%s/pollux", runtime);
	else if (is_folder(run_user))
		snprintf(buf, len, "%s/pollux", run_user);
	else
		snprintf(buf, len, "/tmp/pollux-%u", (unsigned int)geteuid());
}

static int
check_folder(const char *folder, bool make, struct plx_err *err)
{
	struct stat st;

	if (make && mkdir(folder, 0700) < 0 && errno != EEXIST)
		return plx_err_set(err, -errno, "%s: %s; choose another place with --socket PATH",
				   folder, strerror(errno));
	if (lstat(folder, &st) < 0)
		return make ? plx_err_set(err, -errno, "%s: %s", folder, strerror(errno))
			    : plx_err_set(
				      err, -ENOENT,
				      "%s is not there: no pollux of this user runs, or it was given "
				      "another --socket",
				      folder);
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022) != 0)
		return plx_err_set(
			err, -EPERM,
			"%s is not a folder that belongs to this user alone; remove it or choose "
			"--socket PATH",
			folder);
	return 0;
}

int
socket_path_find(const char *wanted, bool make_folder, char *buf, size_t len, struct plx_err *err)
{
	char folder[200];
	int ret;

	if (strcmp(wanted, "none") == 0) {
		buf[0] = '\0';
		return 0;
	}
	if (strcmp(wanted, "auto") != 0) {
		if (strlen(wanted) >= len)
			return plx_err_set(err, -ENAMETOOLONG,
					   "socket path '%s' is longer than %zu characters", wanted,
					   len - 1);
		snprintf(buf, len, "%s", wanted);
		return 0;
	}
	default_folder(folder, sizeof(folder));
	ret = check_folder(folder, make_folder, err);
	if (ret < 0)
		return ret;
	if ((size_t)snprintf(buf, len, "%s/pollux.sock", folder) >= len)
		return plx_err_set(err, -ENAMETOOLONG,
				   "socket path '%s/pollux.sock' is too long; choose --socket PATH",
				   folder);
	return 0;
}
