/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_CTL_PEER_H
#define TEST_CTL_PEER_H

#include <stdbool.h>
#include <stddef.h>

/* A raw peer of the control socket. No cmocka in here: threads use it, and report by return values.
 */

struct peer {
	int fd;
	size_t len;
	char buf[1 << 18];
};

/* Connected to the path, or false. A receive gives up after 20 s. */
bool peer_open(struct peer *p, const char *path);
void peer_close(struct peer *p);
/* Send all bytes; false when the other side is gone. */
bool peer_send(struct peer *p, const void *bytes, size_t len);
bool peer_say(struct peer *p, const char *line);
/* The next line without its end into line; false at the end. */
bool peer_hear(struct peer *p, char *line, size_t size);
/* The next line that has no progress in it. */
bool peer_answer(struct peer *p, char *line, size_t size);
/* The other side has closed. */
bool peer_is_ended(struct peer *p);

#endif
