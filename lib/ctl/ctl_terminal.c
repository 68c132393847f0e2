/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plx_text.h"

#include "ctl_priv.h"

/*
 * The prompt with a line editor: libedit with history and completion. Characters are read here, not
 * by libedit, since its read() would not end when plx_ctl_prompt_stop() is called between two key
 * strokes. The thread uses a UTF-8 locale of its own while it edits; the program's locale is not
 * touched.
 */

#define HISTORY_LINES 500
#define LIST_WIDTH    78

struct terminal {
	struct ctl_front *front;
	const char *prompt;
	EditLine *el;
	History *history;
	bool has_pending;
	unsigned char pending; /* read, and not part of the character before it */
};

static struct terminal *
terminal_of(EditLine *el)
{
	struct terminal *t = NULL;

	el_get(el, EL_CLIENTDATA, &t);
	return t;
}

static char *
prompt_text(EditLine *el)
{
	return (char *)(uintptr_t)terminal_of(el)->prompt; /* libedit does not write to it */
}

/* One byte of the terminal: 1, 0 at its end or when the prompt is to stop. */
static int
byte_read(struct terminal *t, unsigned char *out)
{
	const struct plx_ctl *ctl = t->front->ctl;
	struct pollfd fds[2] = { { .fd = STDIN_FILENO, .events = POLLIN },
				 { .fd = ctl->wake_fd, .events = POLLIN } };

	if (t->has_pending) {
		t->has_pending = false;
		*out = t->pending;
		return 1;
	}
	for (;;) {
		int ret = poll(fds, 2, -1);

		if (atomic_load(&ctl->is_stopping) || (ret < 0 && errno != EINTR))
			return 0;
		if (ret > 0 && fds[0].revents != 0) {
			ssize_t got = read(STDIN_FILENO, out, 1);

			if (got >= 0 || errno != EINTR)
				return got == 1;
		}
	}
}

/* The rest of a character that began with the byte; false when it is none, or at the end. */
static bool
char_rest(struct terminal *t, unsigned char first, wchar_t *out)
{
	size_t nb = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
	char bytes[4] = { (char)first };
	unsigned int wide = first & (0x7fu >> nb);
	unsigned char c;

	for (size_t i = 1; i < nb; i++) {
		if (byte_read(t, &c) != 1)
			return false;
		if ((c & 0xc0) != 0x80) {
			t->pending = c; /* the beginning of something else */
			t->has_pending = true;
			return false;
		}
		bytes[i] = (char)c;
		wide = wide << 6 | (c & 0x3fu);
	}
	*out = (wchar_t)wide;
	return plx_text_char(bytes, nb) == nb;
}

/* libedit's reader: one character. Bytes that are no UTF-8 are dropped. */
static int
char_read(EditLine *el, wchar_t *out)
{
	struct terminal *t = terminal_of(el);
	unsigned char c;

	while (byte_read(t, &c) == 1) {
		if (c < 0x80) {
			*out = c;
			return 1;
		}
		if (c >= 0xc2 && c <= 0xf4 && char_rest(t, c, out))
			return 1;
	}
	return 0;
}

static void
candidates_list(FILE *f, const struct ctl_candidates *c)
{
	size_t widest = 0, column = 0;
	char shown[64];

	for (int i = 0; i < c->nb; i++) {
		size_t len = strlen(plx_text_show(c->word[i], shown, sizeof(shown)));

		widest = len > widest ? len : widest;
	}
	fputc('\n', f);
	for (int i = 0; i < c->nb; i++) {
		plx_text_show(c->word[i], shown, sizeof(shown));
		if (column > 0 && column + widest > LIST_WIDTH) {
			fputc('\n', f);
			column = 0;
		}
		fprintf(f, "%-*s  ", (int)widest, shown);
		column += widest + 2;
	}
	fputc('\n', f);
	fflush(f);
}

static int
characters(const char *text, size_t len)
{
	int nb = 0;

	for (size_t i = 0; i < len; i++)
		nb += ((unsigned char)text[i] & 0xc0) != 0x80;
	return nb;
}

/* Put what is certain in place of what was typed; false when nothing was gained. */
static bool
candidates_insert(EditLine *el, const struct ctl_candidates *c, const char *line, size_t len)
{
	size_t common = ctl_candidates_common(c);
	char word[2 * PLX_CTL_LINE_MAX];
	size_t used;

	if (c->nb == 0 || (common <= strlen(c->typed) && c->nb > 1))
		return false;
	ctl_word_escape(c->word[0], common, word, sizeof(word) - 1);
	used = strlen(word);
	if (c->nb == 1 && used > 0 && word[used - 1] != '=')
		snprintf(word + used, sizeof(word) - used, " ");
	el_deletestr(el, characters(line + c->start, len - c->start));
	return el_insertstr(el, word) == 0;
}

/* The Tab key. */
static unsigned char
complete_key(EditLine *el, int key)
{
	const struct terminal *t = terminal_of(el);
	const LineInfo *info = el_line(el);
	size_t len = (size_t)(info->cursor - info->buffer);
	struct ctl_candidates *c;
	char line[PLX_CTL_LINE_MAX + 1];
	unsigned char ret = CC_REFRESH;

	(void)key;
	if (len > PLX_CTL_LINE_MAX)
		return CC_ERROR;
	c = malloc(sizeof(*c));
	if (c == NULL)
		return CC_ERROR;
	memcpy(line, info->buffer, len);
	line[len] = '\0';
	ctl_complete(t->front->ctl, line, c);
	if (!candidates_insert(el, c, line, len)) {
		ret = CC_ERROR;
		if (c->nb > 1) {
			candidates_list(t->front->out, c);
			ret = CC_REDISPLAY;
		}
	}
	ctl_candidates_clear(c);
	free(c);
	return ret;
}

static int
editor_open(struct terminal *t)
{
	HistEvent event;

	t->el = el_init("pollux", stdin, stdout, stderr);
	t->history = history_init();
	if (t->el == NULL || t->history == NULL)
		return -ENOMEM;
	history(t->history, &event, H_SETSIZE, HISTORY_LINES);
	history(t->history, &event, H_SETUNIQUE, 1);
	el_set(t->el, EL_CLIENTDATA, t);
	el_set(t->el, EL_PROMPT, prompt_text);
	el_set(t->el, EL_SIGNAL, 0);
	el_set(t->el, EL_HIST, history, t->history);
	el_set(t->el, EL_EDITOR, "emacs");
	/* the wide form keeps these pointers, the other one copies and never frees */
	el_wset(t->el, EL_ADDFN, L"plx-complete", L"Complete the word", complete_key);
	el_set(t->el, EL_BIND, "^I", "plx-complete", NULL);
	el_set(t->el, EL_BIND, "^R", "em-inc-search-prev", NULL);
	el_set(t->el, EL_GETCFN, char_read);
	return 0;
}

static void
editor_close(struct terminal *t)
{
	if (t->el != NULL)
		el_end(t->el);
	if (t->history != NULL)
		history_end(t->history);
}

static void
line_run(struct terminal *t, const char *line)
{
	struct plx_err err = { { 0 } };
	HistEvent event;
	int ret;

	if (line[strspn(line, " \t\r\n")] == '\0')
		return;
	history(t->history, &event, H_ENTER, line);
	ret = ctl_front_run(t->front, line, &err);
	if (ret < 0)
		ctl_front_error(t->front, stderr, ret, &err);
}

static void
editor_loop(struct terminal *t)
{
	const struct plx_ctl *ctl = t->front->ctl;
	const char *line;
	int nb;

	while (!t->front->is_quit && !atomic_load(&ctl->is_stopping)) {
		/* before the prompt shows: a Ctrl-D typed at once would be lost to the line
		 * discipline */
		el_set(t->el, EL_PREP_TERM, 1);
		line = el_gets(t->el, &nb);
		if (line == NULL || nb <= 0 || atomic_load(&ctl->is_stopping)) {
			fputc('\n', t->front->out);
			break;
		}
		line_run(t, line);
	}
	fflush(t->front->out);
}

int
ctl_terminal_loop(struct ctl_front *front, const char *prompt)
{
	struct terminal t = { .front = front, .prompt = prompt };
	locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	locale_t before = utf8 != (locale_t)0 ? uselocale(utf8) : (locale_t)0;
	int ret = editor_open(&t);

	if (ret == 0)
		editor_loop(&t);
	editor_close(&t);
	if (utf8 != (locale_t)0) {
		uselocale(before);
		freelocale(utf8);
	}
	return ret;
}
