/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "ctl_peer.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

bool
peer_open(struct peer *p, const char *path)
{
	const struct timeval wait = { 20, 0 };
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	p->len = 0;
	p->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	if (p->fd < 0)
		return false;
	setsockopt(p->fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	if (connect(p->fd, (const struct sockaddr *)&addr, sizeof(addr)) == 0)
		return true;
	peer_close(p);
	return false;
}

void
peer_close(struct peer *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}

bool
peer_send(struct peer *p, const void *bytes, size_t len)
{
	const char *from = bytes;

	while (len > 0) {
		ssize_t sent = send(p->fd, from, len, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		from += sent;
		len -= (size_t)sent;
	}
	return true;
}

bool
peer_say(struct peer *p, const char *line)
{
	return peer_send(p, line, strlen(line)) && peer_send(p, "\n", 1);
}

bool
peer_hear(struct peer *p, char *line, size_t size)
{
	char *end;

	while ((end = memchr(p->buf, '\n', p->len)) == NULL) {
		ssize_t got = recv(p->fd, p->buf + p->len, sizeof(p->buf) - p->len, 0);

		if (got <= 0)
			return false;
		p->len += (size_t)got;
	}
	snprintf(line, size, "%.*s", (int)(end - p->buf), p->buf);
	p->len -= (size_t)(end + 1 - p->buf);
	memmove(p->buf, end + 1, p->len);
	return true;
}

bool
peer_answer(struct peer *p, char *line, size_t size)
{
	do {
		if (!peer_hear(p, line, size))
			return false;
	} while (strncmp(line, "{\"progress\":", 12) == 0);
	return true;
}

bool
peer_is_ended(struct peer *p)
{
	char bytes[4096];
	ssize_t got;

	while ((got = recv(p->fd, bytes, sizeof(bytes), 0)) > 0)
		;
	/* a reset is an end as well; running into the time limit is none */
	return got == 0 || (got < 0 && recv(p->fd, bytes, 1, MSG_DONTWAIT) == 0);
}
