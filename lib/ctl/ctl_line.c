/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <string.h>

#include "plx_text.h"

#include "ctl_priv.h"

/*
 * A line as words, as a shell reads it: blanks part words, 'single' quotes keep all, "double"
 * quotes keep all but backslash, a backslash keeps the next character, '#' at the start of a word
 * begins a comment. There are no variables and no patterns. A line that is no text is refused
 * before anything looks into it.
 */

struct split {
	struct ctl_words *out;
	size_t used; /* of out->text */
	bool is_in_word;
	bool is_key_plain; /* the word so far is an unquoted key, '=' not seen */
	char quote;        /* the open quote, 0: none */
};

static bool
key_char(char c, bool is_first)
{
	if (c >= 'a' && c <= 'z')
		return true;
	return !is_first && ((c >= '0' && c <= '9') || c == '-' || c == '_');
}

static int
word_open(struct split *s, size_t at, struct plx_err *err)
{
	struct ctl_words *out = s->out;

	if (s->is_in_word)
		return 0;
	if (out->nb == CTL_WORDS_MAX)
		return plx_err_set(err, -EINVAL, "more than %d words in a line", CTL_WORDS_MAX);
	out->word[out->nb] = out->text + s->used;
	out->is_pair[out->nb] = false;
	out->last_start = at;
	out->nb++;
	s->is_in_word = true;
	s->is_key_plain = true;
	return 0;
}

static void
word_close(struct split *s)
{
	if (s->is_in_word)
		s->out->text[s->used++] = '\0';
	s->is_in_word = false;
}

static void
char_add(struct split *s, char c, bool is_quoted)
{
	struct ctl_words *out = s->out;
	bool is_first = out->word[out->nb - 1] == out->text + s->used;

	if (is_quoted)
		s->is_key_plain = false;
	if (s->is_key_plain && c == '=' && !is_first) {
		out->is_pair[out->nb - 1] = true;
		s->is_key_plain = false;
	} else if (s->is_key_plain && !key_char(c, is_first)) {
		s->is_key_plain = false;
	}
	out->text[s->used++] = c;
}

/* One character inside quotes; returns how many were used. */
static size_t
quoted_step(struct split *s, const char *p)
{
	if (*p == s->quote) {
		s->quote = 0;
		return 1;
	}
	if (s->quote == '"' && *p == '\\' && (p[1] == '"' || p[1] == '\\')) {
		char_add(s, p[1], true);
		return 2;
	}
	char_add(s, *p, true);
	return 1;
}

/* One character outside quotes; returns how many were used, 0 when a comment begins. */
static int
bare_step(struct split *s, const char *p, size_t at, struct plx_err *err)
{
	int ret;

	if (*p == ' ' || *p == '\t') {
		word_close(s);
		return 1;
	}
	if (*p == '#' && !s->is_in_word)
		return 0;
	ret = word_open(s, at, err);
	if (ret < 0)
		return ret;
	if (*p == '\'' || *p == '"') {
		s->quote = *p;
		s->is_key_plain = false;
		/* quotes behind "key=" leave the pair a pair: is_pair is set by then */
		return 1;
	}
	if (*p == '\\' && p[1] != '\0') {
		char_add(s, p[1], true);
		return 2;
	}
	char_add(s, *p, false);
	return 1;
}

static size_t
line_length(const char *line)
{
	size_t len = strlen(line);

	while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
		len--;
	return len;
}

int
ctl_line_split(const char *line, bool is_partial, struct ctl_words *out, struct plx_err *err)
{
	struct split s = { .out = out };
	size_t len = line_length(line);
	char copy[PLX_CTL_LINE_MAX + 1];
	int ret;

	out->nb = 0;
	out->last_start = 0;
	if (len > PLX_CTL_LINE_MAX)
		return plx_err_set(err, -EINVAL, "the line is longer than %d bytes",
				   PLX_CTL_LINE_MAX);
	if (!plx_text_is_plain(line, len))
		return plx_err_set(
			err, -EINVAL,
			"the line has a byte that is no text (a control character, or not UTF-8)");
	memcpy(copy, line, len);
	copy[len] = '\0';
	for (size_t i = 0; i < len;) {
		if (s.quote != 0) {
			i += quoted_step(&s, copy + i);
			continue;
		}
		if (copy[i] == '\\' && i + 1 == len && !is_partial)
			return plx_err_set(err, -EINVAL, "nothing stands behind the last \"\\\"");
		ret = bare_step(&s, copy + i, i, err);
		if (ret < 0)
			return ret;
		if (ret == 0)
			break;
		i += (size_t)ret;
	}
	if (s.quote != 0 && !is_partial)
		return plx_err_set(err, -EINVAL, "a %c quote is not closed", s.quote);
	out->is_open = s.is_in_word;
	word_close(&s);
	return 0;
}
