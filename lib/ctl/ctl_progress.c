/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "plx_text.h"

#include "ctl_priv.h"

/* Progress of a long command: one line at the foot of a terminal, rewritten; nothing where there is
 * no terminal. */

#define PROGRESS_EVERY_MS 50

void
ctl_progress_init(struct ctl_progress *p, FILE *f)
{
	p->f = f != NULL && isatty(fileno(f)) ? f : NULL;
	p->is_shown = false;
	p->last_ms = 0;
}

/* Bytes of the first width characters. */
static size_t
cut_at(const char *text, size_t width)
{
	size_t len = strlen(text), at = 0;

	while (width > 0 && at < len) {
		size_t used = plx_text_char(text + at, len - at);

		at += used > 0 ? used : 1;
		width--;
	}
	return at;
}

void
ctl_progress_show(struct ctl_progress *p, const char *line)
{
	struct winsize size = { 0 };
	uint64_t now = ctl_now_ms();
	char shown[512];
	size_t width;

	if (p->f == NULL || (p->is_shown && now - p->last_ms < PROGRESS_EVERY_MS))
		return;
	if (ioctl(fileno(p->f), TIOCGWINSZ, &size) != 0 || size.ws_col < 2)
		size.ws_col = 80;
	width = (size_t)size.ws_col - 1;
	plx_text_show(line, shown, sizeof(shown));
	fprintf(p->f, "\r\033[K%.*s", (int)cut_at(shown, width), shown);
	fflush(p->f);
	p->is_shown = true;
	p->last_ms = now;
}

void
ctl_progress_clear(struct ctl_progress *p)
{
	if (!p->is_shown)
		return;
	fputs("\r\033[K", p->f);
	fflush(p->f);
	p->is_shown = false;
}
