/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keystore_priv.h"

/*
 * A key file into secret memory. Regular files and pipes only: a device has no end, and a socket is
 * nobody's key. Opened without blocking, so that a named pipe nobody writes to cannot stop the
 * control thread; a pipe has PIPE_WAIT_MS for each next byte.
 */

#define PIPE_WAIT_MS     5000
#define READ_START_BYTES 4096

static int
refuse_errno(const char *path, const char *what, struct plx_err *err)
{
	int code = errno == 0 ? EIO : errno;

	return plx_err_set(err, -code, "key file %s: cannot %s: %s", path, what, strerror(code));
}

static int
refuse_size(const char *path, struct plx_err *err)
{
	return plx_err_set(err, -EINVAL, "key file %s: it has more than %d bytes, which no key has",
			   path, KEY_FILE_MAX_BYTES);
}

/* The descriptor, or negative errno. */
static int
file_open(const char *path, struct stat *st, struct plx_err *err)
{
	int fd, ret;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return refuse_errno(path, "open it", err);

	if (fstat(fd, st) < 0)
		ret = refuse_errno(path, "look at it", err);
	else if (!S_ISREG(st->st_mode) && !S_ISFIFO(st->st_mode))
		ret = plx_err_set(err, -EINVAL,
				  "key file %s: it is neither a regular file nor a pipe", path);
	else if (S_ISREG(st->st_mode) && st->st_size > KEY_FILE_MAX_BYTES)
		ret = refuse_size(path, err);
	else
		return fd;
	close(fd);
	return ret;
}

/* Bytes read, 0 at the end, negative errno; -ETIMEDOUT when a pipe's writer is silent. */
static ssize_t
read_some(int fd, void *buf, size_t len)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t nb;
	int ret;

	for (;;) {
		nb = read(fd, buf, len);
		if (nb >= 0)
			return nb;
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return -errno;
		ret = poll(&p, 1, PIPE_WAIT_MS);
		if (ret == 0)
			return -ETIMEDOUT;
		if (ret < 0 && errno != EINTR)
			return -errno;
	}
}

/* Twice the room; the bytes so far move along. */
static int
file_grow(struct key_file *file, size_t *room, struct plx_err *err)
{
	size_t more = *room == 0 ? READ_START_BYTES : *room * 2;
	void *bytes;
	int ret;

	ret = keystore_secret_alloc(more, &bytes, err);
	if (ret < 0)
		return ret;
	if (file->bytes != NULL)
		memcpy(bytes, file->bytes, file->len);
	plx_secret_free(file->bytes);
	file->bytes = bytes;
	*room = more;
	return 0;
}

static int
file_drain(int fd, const char *path, struct key_file *file, struct plx_err *err)
{
	size_t room = 0;
	ssize_t nb = 1;
	int ret;

	while (nb > 0) {
		if (file->len > KEY_FILE_MAX_BYTES)
			return refuse_size(path, err);
		if (file->len == room) {
			ret = file_grow(file, &room, err);
			if (ret < 0)
				return ret;
		}
		nb = read_some(fd, file->bytes + file->len, room - file->len);
		if (nb < 0) {
			errno = (int)-nb;
			return refuse_errno(path, "read it", err);
		}
		file->len += (size_t)nb;
	}
	if (file->len == 0)
		return plx_err_set(err, -EINVAL, "key file %s: it is empty", path);
	return 0;
}

/* The caller frees file->bytes with plx_secret_free(), on success only. */
int
keystore_file_read(const char *path, struct key_file *file, struct plx_err *err)
{
	struct key_file fresh = { 0 };
	struct stat st = { 0 };
	int fd, ret;

	fd = file_open(path, &st, err);
	if (fd < 0)
		return fd;
	fresh.is_exposed = S_ISREG(st.st_mode) && (st.st_mode & S_IROTH) != 0;

	ret = file_drain(fd, path, &fresh, err);
	close(fd);
	if (ret < 0) {
		plx_secret_free(fresh.bytes);
		return ret;
	}
	*file = fresh;
	return 0;
}
