/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_ctl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ctl_priv.h"

/*
 * The prompt: with an editor on a terminal, plain lines otherwise. The two functions for signal
 * handlers touch atomics and one eventfd only.
 */

void
plx_ctl_prompt_stop(struct plx_ctl *ctl)
{
	const uint64_t one = 1;
	int saved = errno;

	atomic_store(&ctl->is_cancelled, true);
	atomic_store(&ctl->is_stopping, true);
	/* can only fail when the counter is full, and then it is readable already */
	if (write(ctl->wake_fd, &one, sizeof(one)) < 0)
		errno = saved;
}

bool
plx_ctl_prompt_interrupt(struct plx_ctl *ctl)
{
	if (atomic_load(&ctl->nb_running) > 0) {
		atomic_store(&ctl->is_cancelled, true);
		return false;
	}
	plx_ctl_prompt_stop(ctl);
	return true;
}

/* Lines from a pipe or file. An error is told and the next line run; the last one decides the code.
 */
static int
plain_loop(struct ctl_front *front)
{
	struct ctl_input *in = malloc(sizeof(*in));
	char line[PLX_CTL_LINE_MAX + 1];
	int ret, last = 0;

	if (in == NULL)
		return -ENOMEM;
	ctl_input_init(in, STDIN_FILENO, front->ctl->wake_fd, -1);
	while (!front->is_quit && !atomic_load(&front->ctl->is_stopping)) {
		struct plx_err err = { { 0 } };

		ret = ctl_input_line(in, line);
		if (ret == 0 || ret == -EINTR)
			break;
		if (ret == 1)
			ret = ctl_front_run(front, line, &err);
		else if (ret == -EMSGSIZE || ret == -EINVAL)
			ret = ctl_input_error(ret, &err);
		else
			front->is_quit = true; /* the descriptor is gone */
		if (ret < 0) {
			if (err.text[0] == '\0')
				ret = ctl_input_error(ret, &err);
			plx_err_prefix(&err, "line %u", in->line);
			ctl_front_error(front, stderr, ret, &err);
			last = ret;
		}
	}
	free(in);
	return last;
}

int
plx_ctl_prompt(struct plx_ctl *ctl, const char *prompt, bool as_json)
{
	struct ctl_front front;

	ctl_front_init(&front, ctl, stdout, as_json);
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		return ctl_terminal_loop(&front, prompt);
	return plain_loop(&front);
}
