/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ctl_priv.h"

/*
 * Lines from a descriptor, for piped input, scripts and the socket. The buffer holds one line of
 * the largest size; what is longer is passed over without being kept. A second descriptor ends the
 * wait at any moment.
 */

uint64_t
ctl_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void
ctl_input_init(struct ctl_input *in, int fd, int wake_fd, int partial_ms)
{
	in->fd = fd;
	in->wake_fd = wake_fd;
	in->partial_ms = partial_ms;
	in->is_skipping = false;
	in->is_eof = false;
	in->line = 0;
	in->begin = 0;
	in->end = 0;
}

/* Wait for bytes; -EINTR when woken, -ETIME at the deadline. A signal alone does not end it. */
static int
input_wait(const struct ctl_input *in, uint64_t deadline_ms)
{
	struct pollfd fds[2] = { { .fd = in->fd, .events = POLLIN },
				 { .fd = in->wake_fd, .events = POLLIN } };
	int ret;

	do {
		int wait_ms = -1;

		if (deadline_ms != 0) {
			uint64_t now = ctl_now_ms();

			if (now >= deadline_ms)
				return -ETIME;
			wait_ms = (int)(deadline_ms - now);
		}
		ret = poll(fds, 2, wait_ms);
	} while (ret == 0 || (ret < 0 && errno == EINTR));
	if (ret < 0)
		return -errno;
	return fds[1].revents != 0 ? -EINTR : 0;
}

/* Read more behind what is there. */
static int
input_fill(struct ctl_input *in, uint64_t deadline_ms)
{
	ssize_t got;
	int ret;

	if (in->begin > 0) {
		memmove(in->buf, in->buf + in->begin, in->end - in->begin);
		in->end -= in->begin;
		in->begin = 0;
	}
	do {
		ret = input_wait(in, deadline_ms);
		if (ret < 0)
			return ret;
		got = read(in->fd, in->buf + in->end, sizeof(in->buf) - in->end);
	} while (got < 0 && (errno == EINTR || errno == EAGAIN));
	if (got < 0)
		return -errno;
	in->is_eof = got == 0;
	in->end += (size_t)got;
	return 0;
}

/* Give the first len bytes of the buffer as a line and pass over used. */
static int
line_take(struct ctl_input *in, char *line, size_t len, size_t used)
{
	const char *from = in->buf + in->begin;
	bool was_skipping = in->is_skipping;

	in->begin += used;
	in->line++;
	in->is_skipping = false;
	if (was_skipping || len > PLX_CTL_LINE_MAX)
		return -EMSGSIZE;
	if (memchr(from, '\0', len) != NULL)
		return -EINVAL;
	memcpy(line, from, len);
	line[len] = '\0';
	return 1;
}

int
ctl_input_line(struct ctl_input *in, char line[PLX_CTL_LINE_MAX + 1])
{
	uint64_t deadline_ms = 0;

	for (;;) {
		size_t nb = in->end - in->begin;
		const char *end = memchr(in->buf + in->begin, '\n', nb);
		int ret;

		if (end != NULL) {
			size_t len = (size_t)(end - (in->buf + in->begin));

			return line_take(in, line, len, len + 1);
		}
		if (in->is_eof && nb == 0 && !in->is_skipping)
			return 0;
		if (in->is_eof)
			return line_take(in, line, nb, nb);
		if (nb == sizeof(in->buf)) {
			if (in->partial_ms >= 0)
				return -EMSGSIZE; /* a peer may send its end never */
			in->is_skipping = true;
			in->begin = 0;
			in->end = 0;
		}
		if (deadline_ms == 0 && in->partial_ms >= 0 && nb > 0)
			deadline_ms = ctl_now_ms() + (uint64_t)in->partial_ms;
		ret = input_fill(in, deadline_ms);
		if (ret < 0)
			return ret;
	}
}

int
ctl_input_error(int ret, struct plx_err *err)
{
	switch (ret) {
	case -EMSGSIZE:
		return plx_err_set(err, -EINVAL, "the line is longer than %d bytes",
				   PLX_CTL_LINE_MAX);
	case -EINVAL:
		return plx_err_set(err, -EINVAL, "the line has a zero byte");
	case -EINTR:
		return plx_err_set(err, ret, "interrupted");
	case -ETIME:
		return plx_err_set(err, ret, "the line was not ended in time");
	default:
		return plx_err_set(err, ret, "reading failed: %s", strerror(-ret));
	}
}
