/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "job_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/*
 * O_TMPFILE where the file system has it: a job that is killed leaves nothing at all. It is linked
 * under a temporary name and renamed over the final one, since a link cannot replace a file.
 * Elsewhere the temporary name is there from the start, and goes when the job fails.
 */

#define NAME_TRIES 16

int
job_in_open(struct job_in *in, const char *path, struct plx_err *err)
{
	int ret;

	in->path = path;
	/* O_NONBLOCK: a FIFO must not hold us before we can refuse it */
	in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (in->fd < 0)
		return plx_err_set(err, -errno, "%s: %s", path, strerror(errno));
	if (fstat(in->fd, &in->st) < 0) {
		ret = plx_err_set(err, -errno, "%s: %s", path, strerror(errno));
		goto err_close;
	}
	if (!S_ISREG(in->st.st_mode)) {
		ret = plx_err_set(err, -EINVAL, "%s is not a regular file", path);
		goto err_close;
	}
	in->size = (uint64_t)in->st.st_size;
	return 0;

err_close:
	job_in_close(in);
	return ret;
}

int
job_in_read(const struct job_in *in, uint64_t off, void *buf, size_t len, struct plx_err *err)
{
	char *at = buf;
	ssize_t n;

	while (len > 0) {
		n = pread(in->fd, at, len, (off_t)off);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return plx_err_set(err, -errno, "%s: reading at %llu: %s", in->path,
					   (unsigned long long)off, strerror(errno));
		if (n == 0)
			return plx_err_set(err, -EIO, "%s became shorter while it was read",
					   in->path);
		at += n;
		off += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

int
job_in_check(const struct job_in *in, struct plx_err *err)
{
	struct stat now;
	char beyond;
	ssize_t n;

	if (fstat(in->fd, &now) < 0)
		return plx_err_set(err, -errno, "%s: %s", in->path, strerror(errno));
	if (now.st_size != in->st.st_size || now.st_mtim.tv_sec != in->st.st_mtim.tv_sec ||
	    now.st_mtim.tv_nsec != in->st.st_mtim.tv_nsec)
		return plx_err_set(err, -EIO, "%s changed while it was read; nothing was written",
				   in->path);
	/* files of the kernel's own say 0 and have content all the same */
	do
		n = pread(in->fd, &beyond, 1, in->st.st_size);
	while (n < 0 && errno == EINTR);
	if (n != 0)
		return plx_err_set(
			err, -EIO,
			"%s changed while it was read or does not tell its size; nothing "
			"was written",
			in->path);
	return 0;
}

int
job_in_is_not(const struct job_in *in, const char *path, struct plx_err *err)
{
	struct stat st;

	if (stat(path, &st) < 0 || st.st_dev != in->st.st_dev || st.st_ino != in->st.st_ino)
		return 0;
	return plx_err_set(err, -EINVAL,
			   "%s is the input %s itself; name another file for the output", path,
			   in->path);
}

void
job_in_close(struct job_in *in)
{
	if (in->fd >= 0)
		close(in->fd);
	in->fd = -1;
}

/* Where the file will really be: behind a symbolic link, if there is one. */
static int
find_final(struct job_out *out, const char *path, struct plx_err *err)
{
	struct stat st;

	if (stat(path, &st) == 0) {
		if (!S_ISREG(st.st_mode))
			return plx_err_set(err, -EINVAL,
					   "%s is there and no regular file; it is not replaced",
					   path);
		if (realpath(path, out->path) == NULL)
			return plx_err_set(err, -errno, "%s: %s", path, strerror(errno));
		return 0;
	}
	if (errno != ENOENT)
		return plx_err_set(err, -errno, "%s: %s", path, strerror(errno));
	if (strlen(path) >= sizeof(out->path) - 32)
		return plx_err_set(err, -ENAMETOOLONG, "the name of the output file is too long");
	snprintf(out->path, sizeof(out->path), "%s", path);
	return 0;
}

/* "DIR/.NAME.pollux-0123456789ab", another one each time */
static void
temp_name(const struct job_out *out, char *buf, size_t len)
{
	const char *slash = strrchr(out->path, '/');
	const char *name = slash == NULL ? out->path : slash + 1;
	uint64_t dice = 0;

	if (getrandom(&dice, sizeof(dice), 0) != (ssize_t)sizeof(dice))
		dice = (uint64_t)getpid();
	snprintf(buf, len, "%.*s.%.200s.pollux-%012llx",
		 (int)(slash == NULL ? 0 : slash + 1 - out->path), out->path, name,
		 (unsigned long long)(dice & 0xffffffffffffULL));
}

static int
open_unnamed(const struct job_out *out, mode_t mode)
{
	char dir[PATH_MAX];
	char *slash;

	if (access("/proc/self/fd", X_OK) < 0) /* needed to give it a name later */
		return -1;
	snprintf(dir, sizeof(dir), "%s", out->path);
	slash = strrchr(dir, '/');
	if (slash == NULL)
		snprintf(dir, sizeof(dir), ".");
	else
		slash[slash == dir ? 1 : 0] = '\0';
	return open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

int
job_out_open(struct job_out *out, const char *path, bool is_private, struct plx_err *err)
{
	int ret;

	memset(out, 0, sizeof(*out));
	out->fd = -1;
	ret = find_final(out, path, err);
	if (ret < 0)
		return ret;
	out->fd = open_unnamed(out, is_private ? 0600 : 0666);
	if (out->fd >= 0)
		return 0;

	temp_name(out, out->temp, sizeof(out->temp));
	out->fd =
		open(out->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, is_private ? 0600 : 0666);
	if (out->fd < 0) {
		out->temp[0] = '\0';
		return plx_err_set(err, -errno, "%s cannot be written: %s", path, strerror(errno));
	}
	return 0;
}

int
job_out_write(struct job_out *out, uint64_t off, const void *buf, size_t len, struct plx_err *err)
{
	const char *at = buf;
	ssize_t n;

	while (len > 0) {
		n = pwrite(out->fd, at, len, (off_t)off);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return plx_err_set(err, -errno, "%s: writing at %llu: %s", out->path,
					   (unsigned long long)off, strerror(errno));
		at += n;
		off += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

static int
name_it(struct job_out *out, struct plx_err *err)
{
	char self[64], temp[PATH_MAX];
	int i;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", out->fd);
	for (i = 0; i < NAME_TRIES; i++) {
		temp_name(out, temp, sizeof(temp));
		if (linkat(AT_FDCWD, self, AT_FDCWD, temp, AT_SYMLINK_FOLLOW) == 0) {
			snprintf(out->temp, sizeof(out->temp), "%s", temp);
			return 0;
		}
		if (errno != EEXIST)
			break;
	}
	return plx_err_set(err, -errno, "%s cannot be given its name: %s", out->path,
			   strerror(errno));
}

int
job_out_commit(struct job_out *out, bool sync, struct plx_err *err)
{
	int ret = 0;

	if (sync && fdatasync(out->fd) < 0)
		return plx_err_set(err, -errno, "%s: %s", out->path, strerror(errno));
	if (out->temp[0] == '\0')
		ret = name_it(out, err);
	if (ret < 0)
		return ret;
	if (rename(out->temp, out->path) < 0)
		return plx_err_set(err, -errno, "%s cannot be given its name: %s", out->path,
				   strerror(errno));
	out->temp[0] = '\0';
	return 0;
}

void
job_out_close(struct job_out *out)
{
	if (out->fd >= 0)
		close(out->fd);
	out->fd = -1;
	if (out->temp[0] != '\0')
		unlink(out->temp);
	out->temp[0] = '\0';
}
