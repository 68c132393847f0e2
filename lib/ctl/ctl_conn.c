/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "plx_text.h"

#include "ctl_priv.h"

/*
 * One connection, one thread: a line in, progress lines and one last line out. The peer may be
 * slow, gone, or hostile; it costs its own thread and nothing else: answers are sent after the
 * control lock was given back, a peer that takes nothing for send_ms is dropped, progress it has no
 * room for is left out, and the stop descriptor ends every wait.
 */

#define PROGRESS_EVERY_MS 100

/* Wait until the peer has room; false when it is too slow or all ends. */
static bool
room_wait(const struct ctl_conn *conn, int wait_ms)
{
	struct pollfd fds[2] = { { .fd = conn->fd, .events = POLLOUT },
				 { .fd = conn->stop_fd, .events = POLLIN } };
	uint64_t deadline = ctl_now_ms() + (uint64_t)wait_ms;
	uint64_t now = deadline - (uint64_t)wait_ms;
	int ret;

	do {
		ret = poll(fds, 2, (int)(deadline - now));
		now = ctl_now_ms();
	} while (ret < 0 && errno == EINTR && now < deadline);
	return ret > 0 && fds[1].revents == 0 && (fds[0].revents & POLLOUT) != 0;
}

static bool
send_all(struct ctl_conn *conn, const char *bytes, size_t len)
{
	while (len > 0 && !conn->is_dead) {
		ssize_t sent = send(conn->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent >= 0) {
			bytes += sent;
			len -= (size_t)sent;
		} else if (errno == EAGAIN) {
			conn->is_dead = !room_wait(conn, conn->ctl->send_ms);
		} else if (errno != EINTR) {
			conn->is_dead = true;
		}
	}
	return !conn->is_dead;
}

/* A JSON value as a line; NULL when there is no memory. Takes the reference. */
static char *
line_of(json_t *value)
{
	char *text = value == NULL ? NULL : ctl_json_line(value);

	json_decref(value);
	return text;
}

char *
ctl_reply_error(int code, const char *sentence)
{
	char shown[PLX_ERR_TEXT_MAX * 4];

	plx_text_show(sentence, shown, sizeof(shown));
	return line_of(json_pack("{s:b, s:i, s:s}", "ok", 0, "code", code, "error", shown));
}

static void
line_send(struct ctl_conn *conn, char *line)
{
	static const char no_memory[] = "{\"ok\":false,\"code\":-12,\"error\":\"no memory\"}\n";

	if (line != NULL)
		send_all(conn, line, strlen(line));
	else
		send_all(conn, no_memory, sizeof(no_memory) - 1);
	free(line);
}

static void
conn_progress(struct plx_ctl_call *call, const char *line)
{
	struct ctl_conn *conn = call->transport;
	uint64_t now = ctl_now_ms();
	char shown[512];
	char *text;

	if (conn->is_dead || now - conn->last_progress_ms < PROGRESS_EVERY_MS)
		return;
	if (!room_wait(conn, 0))
		return;
	conn->last_progress_ms = now;
	plx_text_show(line, shown, sizeof(shown));
	text = line_of(json_pack("{s:s}", "progress", shown));
	if (text != NULL)
		send_all(conn, text, strlen(text));
	free(text);
}

/* Gone means closed: a peer that has only shut its sending side waits for the answer. */
static bool
conn_is_cancelled(struct plx_ctl_call *call)
{
	struct ctl_conn *conn = call->transport;
	struct pollfd fds[2] = { { .fd = conn->fd }, { .fd = conn->stop_fd, .events = POLLIN } };

	if (conn->is_dead)
		return true;
	if (poll(fds, 2, 0) <= 0)
		return false;
	return fds[1].revents != 0 || (fds[0].revents & (POLLHUP | POLLERR)) != 0;
}

static void
line_answer(struct ctl_conn *conn, const char *line)
{
	struct plx_ctl_call hooks = {
		.progress = conn_progress,
		.is_cancelled = conn_is_cancelled,
		.transport = conn,
	};
	struct plx_err err = { { 0 } };
	json_t *answer = NULL;
	int ret = plx_ctl_run(conn->ctl, line, &hooks, &answer, &err);

	if (ret < 0)
		line_send(conn, ctl_reply_error(ret, err.text));
	else
		line_send(conn, line_of(json_pack("{s:b, s:o?}", "ok", 1, "answer", answer)));
}

/* False when the connection is to end. */
static bool
conn_step(struct ctl_conn *conn)
{
	char line[PLX_CTL_LINE_MAX + 1];
	struct plx_err err = { { 0 } };
	int ret = ctl_input_line(&conn->in, line);

	if (ret == 1) {
		line_answer(conn, line);
		return !conn->is_dead;
	}
	if (ret == -EMSGSIZE || ret == -EINVAL || ret == -ETIME) {
		int code = ctl_input_error(ret, &err);

		line_send(conn, ctl_reply_error(code, err.text));
		return ret == -EINVAL && !conn->is_dead; /* the others have lost the line's end */
	}
	return false;
}

void *
ctl_conn_main(void *arg)
{
	struct ctl_conn *conn = arg;

	ctl_input_init(&conn->in, conn->fd, conn->stop_fd, conn->ctl->partial_ms);
	while (conn_step(conn))
		;
	close(conn->fd);
	atomic_store_explicit(&conn->state, CTL_CONN_DONE, memory_order_release);
	return NULL;
}
