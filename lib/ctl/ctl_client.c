/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_ctl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "plx_text.h"

#include "ctl_priv.h"

/*
 * The asking side of the control socket: one line out, JSON lines in until one has "ok". The daemon
 * is not trusted with the terminal either: what it says goes through the same filter as everything
 * else.
 */

#define REPLY_MAX ((size_t)64 << 20)

struct reply {
	char *bytes;
	size_t len, max;
	size_t next; /* start of the line after the one given last */
};

static int
client_connect(const char *path, int *out, struct plx_err *err)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	size_t len = strlen(path);
	char shown[200];
	int fd, ret;

	if (len == 0 || len >= sizeof(addr.sun_path))
		return plx_err_set(err, -ENAMETOOLONG,
				   "a socket path has 1..%zu bytes, this one %zu",
				   sizeof(addr.sun_path) - 1, len);
	memcpy(addr.sun_path, path, len + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return plx_err_set(err, -errno, "no socket to be had: %s", strerror(errno));
	if (connect(fd, (const struct sockaddr *)&addr, sizeof(addr)) == 0) {
		*out = fd;
		return 0;
	}
	ret = -errno;
	close(fd);
	plx_text_show(path, shown, sizeof(shown));
	if (ret == -ENOENT || ret == -ECONNREFUSED)
		return plx_err_set(err, -ECONNREFUSED,
				   "nobody listens on %s; is pollux running, with this socket?",
				   shown);
	return plx_err_set(err, ret, "cannot connect to %s: %s", shown, strerror(-ret));
}

static int
line_ask(int fd, const char *line, struct plx_err *err)
{
	size_t len = strcspn(line, "\n"), done = 0;
	char text[PLX_CTL_LINE_MAX + 1];

	if (line[len] != '\0' && line[len + 1] != '\0')
		return plx_err_set(err, -EINVAL, "give one line only");
	if (len > PLX_CTL_LINE_MAX)
		return plx_err_set(err, -EINVAL, "the line is longer than %d bytes",
				   PLX_CTL_LINE_MAX);
	memcpy(text, line, len);
	text[len++] = '\n';
	while (done < len) {
		ssize_t sent = send(fd, text + done, len - done, MSG_NOSIGNAL);

		if (sent >= 0)
			done += (size_t)sent;
		else if (errno == EPIPE)
			return 0; /* refused; the reason may be there to read */
		else if (errno != EINTR)
			return plx_err_set(err, -errno, "sending failed: %s", strerror(errno));
	}
	return 0;
}

static int
reply_grow(struct reply *reply)
{
	size_t max = reply->max == 0 ? 4096 : reply->max * 2;
	char *grown;

	if (reply->len + 1 < reply->max)
		return 0;
	if (max > REPLY_MAX)
		return -EMSGSIZE;
	grown = realloc(reply->bytes, max);
	if (grown == NULL)
		return -ENOMEM;
	reply->bytes = grown;
	reply->max = max;
	return 0;
}

/* Receive more behind what is there: 0, or the error with its sentence. */
static int
reply_fill(int fd, struct reply *reply, struct plx_err *err)
{
	int ret = reply_grow(reply);
	ssize_t got;

	if (ret < 0) {
		plx_err_set(err, ret, "the answer is too large: %s", strerror(-ret));
		return ret;
	}
	do {
		got = recv(fd, reply->bytes + reply->len, reply->max - reply->len - 1, 0);
	} while (got < 0 && errno == EINTR);
	if (got > 0) {
		reply->len += (size_t)got;
		return 0;
	}
	ret = got == 0 ? -EPIPE : -errno;
	if (got == 0)
		plx_err_set(err, ret, "the daemon closed the connection before it answered");
	else
		plx_err_set(err, ret, "no answer: %s", strerror(-ret));
	return ret;
}

/* The next line, its end replaced by a zero byte; NULL with the error in *ret. */
static char *
reply_line(int fd, struct reply *reply, int *ret, struct plx_err *err)
{
	size_t seen = 0;
	char *end;

	memmove(reply->bytes, reply->bytes + reply->next, reply->len - reply->next);
	reply->len -= reply->next;
	reply->next = 0;
	while ((end = memchr(reply->bytes + seen, '\n', reply->len - seen)) == NULL) {
		seen = reply->len;
		*ret = reply_fill(fd, reply, err);
		if (*ret < 0)
			return NULL;
	}
	*end = '\0';
	reply->next = (size_t)(end - reply->bytes) + 1;
	return reply->bytes;
}

static int
refused(const json_t *reply, struct plx_err *err)
{
	const char *sentence = json_string_value(json_object_get(reply, "error"));
	json_int_t code = json_integer_value(json_object_get(reply, "code"));
	char shown[PLX_ERR_TEXT_MAX];

	if (code >= 0 || code < -4095)
		code = -EPROTO;
	plx_text_show(sentence == NULL ? "refused without a reason" : sentence, shown,
		      sizeof(shown));
	return plx_err_set(err, (int)code, "%s", shown);
}

/* 1: more is to come, 0: answered, else the error. */
static int
reply_take(const char *line, struct ctl_progress *progress, bool as_json, FILE *out,
	   struct plx_err *err)
{
	json_t *reply = json_loads(line, 0, NULL);
	const json_t *ok = json_object_get(reply, "ok");
	const char *step = json_string_value(json_object_get(reply, "progress"));
	int ret = 0;

	if (ok == NULL && step != NULL) {
		ctl_progress_show(progress, step);
		ret = 1;
	} else if (!json_is_boolean(ok)) {
		ret = plx_err_set(err, -EPROTO, "what answers there does not speak our protocol");
	} else if (json_is_false(ok)) {
		ret = refused(reply, err);
	} else {
		const json_t *answer = json_object_get(reply, "answer");

		ctl_progress_clear(progress);
		if (!json_is_null(answer) || as_json)
			ret = plx_ctl_print(out, answer, as_json);
		if (ret < 0)
			plx_err_set(err, ret, "the answer could not be written: %s",
				    strerror(-ret));
	}
	json_decref(reply);
	return ret;
}

/* Lines until the answer has come. */
static int
replies_take(int fd, struct reply *reply, bool as_json, FILE *out, struct plx_err *err)
{
	struct ctl_progress progress;
	const char *text;
	int ret = 0;

	ctl_progress_init(&progress, stderr);
	do {
		text = reply_line(fd, reply, &ret, err);
		if (text != NULL)
			ret = reply_take(text, &progress, as_json, out, err);
	} while (text != NULL && ret == 1);
	ctl_progress_clear(&progress);
	return ret;
}

int
plx_ctl_client(const char *path, const char *line, bool as_json, FILE *out, struct plx_err *err)
{
	struct reply reply = { 0 };
	int fd = -1, ret;

	if (reply_grow(&reply) < 0)
		return plx_err_set(err, -ENOMEM, "no memory for the answer");
	ret = client_connect(path, &fd, err);
	if (ret == 0)
		ret = line_ask(fd, line, err);
	if (ret == 0)
		ret = replies_take(fd, &reply, as_json, out, err);
	if (fd >= 0)
		close(fd);
	free(reply.bytes);
	return ret;
}
