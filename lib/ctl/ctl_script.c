/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_ctl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plx_text.h"

#include "ctl_priv.h"

/*
 * What the prompt and script files have in common: run a line, show the answer, let Ctrl-C cancel
 * the command. While a line runs nb_running is above zero, and an interrupt goes to the command;
 * otherwise it ends the prompt.
 */

static void
front_progress(struct plx_ctl_call *call, const char *line)
{
	struct ctl_front *front = call->transport;

	ctl_progress_show(&front->progress, line);
}

static bool
front_is_cancelled(struct plx_ctl_call *call)
{
	const struct ctl_front *front = call->transport;

	return atomic_load(&front->ctl->is_cancelled) || atomic_load(&front->ctl->is_stopping);
}

void
ctl_front_init(struct ctl_front *front, struct plx_ctl *ctl, FILE *out, bool as_json)
{
	front->ctl = ctl;
	front->out = out;
	front->as_json = as_json;
	front->is_quit = false;
	ctl_progress_init(&front->progress, stderr);
}

static void
running_begin(struct plx_ctl *ctl)
{
	atomic_fetch_add(&ctl->nb_running, 1);
}

/* Forgotten at the end, not at the next beginning: an interrupt that comes then must not be lost.
 */
static void
running_end(struct plx_ctl *ctl)
{
	if (atomic_fetch_sub(&ctl->nb_running, 1) == 1)
		atomic_store(&ctl->is_cancelled, false);
}

static bool
is_quit(const struct ctl_words *words)
{
	return words->nb == 1 &&
	       (strcmp(words->word[0], "quit") == 0 || strcmp(words->word[0], "exit") == 0);
}

int
ctl_front_run(struct ctl_front *front, const char *line, struct plx_err *err)
{
	struct plx_ctl_call hooks = {
		.progress = front->progress.f != NULL ? front_progress : NULL,
		.is_cancelled = front_is_cancelled,
		.transport = front,
	};
	struct plx_ctl *ctl = front->ctl;
	struct ctl_words words;
	json_t *answer = NULL;
	int nb_used, ret;

	ret = ctl_line_split(line, false, &words, err);
	if (ret < 0 || words.nb == 0)
		return ret;
	if (is_quit(&words) && ctl_cmd_find(ctl, &words, &nb_used) == NULL) {
		front->is_quit = true;
		return 0;
	}
	running_begin(ctl);
	ret = plx_ctl_run(ctl, line, &hooks, &answer, err);
	running_end(ctl);
	ctl_progress_clear(&front->progress);
	if (ret < 0)
		return ret;
	front->is_quit = is_quit(&words);
	if (answer != NULL || front->as_json)
		ret = plx_ctl_print(front->out, answer, front->as_json);
	json_decref(answer);
	return ret < 0 ? plx_err_set(err, ret, "the answer could not be written") : 0;
}

void
ctl_front_error(const struct ctl_front *front, FILE *f, int code, const struct plx_err *err)
{
	char shown[PLX_ERR_TEXT_MAX * 4];

	plx_text_show(err->text, shown, sizeof(shown));
	if (front->as_json) {
		char *text = ctl_reply_error(code, shown);

		fputs(text != NULL ? text : "{\"ok\":false}\n", f);
		free(text);
	} else {
		fprintf(f, "error: %s\n", shown);
	}
	fflush(f);
}

static int
script_run(struct ctl_front *front, struct ctl_input *in, struct plx_err *err)
{
	char line[PLX_CTL_LINE_MAX + 1];
	int ret;

	while (!front->is_quit) {
		ret = ctl_input_line(in, line);
		if (ret == 0)
			return 0;
		if (ret < 0)
			return ctl_input_error(ret, err);
		ret = ctl_front_run(front, line, err);
		if (ret < 0)
			return ret;
		if (atomic_load(&front->ctl->is_cancelled))
			return plx_err_set(err, -EINTR, "interrupted");
	}
	return 0;
}

int
plx_ctl_script(struct plx_ctl *ctl, const char *path, FILE *out, bool as_json, struct plx_err *err)
{
	struct ctl_input *in = malloc(sizeof(*in));
	struct ctl_front front;
	char shown[200];
	int fd, ret;

	if (in == NULL)
		return plx_err_set(err, -ENOMEM, "no memory to read a script");
	plx_text_show(path, shown, sizeof(shown));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		ret = -errno;
		free(in);
		return plx_err_set(err, ret, "%s: cannot be read: %s", shown, strerror(-ret));
	}
	ctl_input_init(in, fd, ctl->wake_fd, -1);
	ctl_front_init(&front, ctl, out, as_json);
	/* an interrupt between two lines is the script's as well */
	running_begin(ctl);
	ret = script_run(&front, in, err);
	running_end(ctl);
	if (ret < 0)
		plx_err_prefix(err, "%s:%u", shown, in->line > 0 ? in->line : 1);
	close(fd);
	free(in);
	return ret;
}
