/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl_priv.h"

/*
 * What may stand where the cursor is: words of commands, the "key=" words of the command that was
 * typed, and what its own function offers. It knows nothing of the editor, so that it can be tested
 * without a terminal.
 */

static void
candidate_add(struct ctl_candidates *c, const char *word, size_t len)
{
	if (c->nb == CTL_CANDIDATES_MAX || strncmp(word, c->typed, strlen(c->typed)) != 0)
		return;
	for (int i = 0; i < c->nb; i++) {
		if (strlen(c->word[i]) == len && strncmp(c->word[i], word, len) == 0)
			return;
	}
	c->word[c->nb] = strndup(word, len);
	if (c->word[c->nb] != NULL)
		c->nb++;
}

/* A "key=value" that was offered while the key is being typed shows as "key=". */
static void
offered(void *to, const char *word)
{
	struct ctl_candidates *c = to;
	const char *equal = strchr(word, '=');
	size_t len = strlen(word);

	if (strncmp(word, c->typed, strlen(c->typed)) != 0)
		return;
	if (equal != NULL && strchr(c->typed, '=') == NULL && word[0] >= 'a' && word[0] <= 'z')
		len = (size_t)(equal - word) + 1;
	candidate_add(c, word, len);
}

static void
command_words(const struct plx_ctl *ctl, struct ctl_candidates *c, int first, int nb)
{
	char next[64];

	for (size_t i = 0; i < ctl->nb_cmds; i++) {
		if (ctl_cmd_next_word(ctl->cmds[i], c->words.word + first, nb, next, sizeof(next)))
			candidate_add(c, next, strlen(next));
	}
}

static bool
key_used(const struct ctl_words *words, int nb, const char *key, size_t len)
{
	for (int i = 0; i < nb; i++) {
		if (words->is_pair[i] && strncmp(words->word[i], key, len) == 0 &&
		    words->word[i][len] == '=')
			return true;
	}
	return false;
}

static void
command_keys(const struct plx_ctl_cmd *cmd, struct ctl_candidates *c, int nb)
{
	char key[64];
	size_t len;

	for (const char *p = cmd->keys; p != NULL && *p != '\0'; p += strspn(p, " ")) {
		len = strcspn(p, " ");
		if (len + 2 <= sizeof(key) && !key_used(&c->words, nb, p, len)) {
			snprintf(key, sizeof(key), "%.*s=", (int)len, p);
			/* once the '=' stands there is nothing left to offer but values */
			if (strcmp(key, c->typed) != 0)
				candidate_add(c, key, len + 1);
		}
		p += len;
	}
}

void
ctl_complete(struct plx_ctl *ctl, const char *line, struct ctl_candidates *out)
{
	const struct plx_ctl_cmd *cmd;
	int nb, nb_used, nb_all;

	memset(out, 0, sizeof(*out));
	out->typed = "";
	out->start = strlen(line);
	if (ctl_line_split(line, true, &out->words, NULL) < 0)
		return;
	nb_all = out->words.nb;
	nb = nb_all;
	if (out->words.is_open) {
		nb--;
		out->typed = out->words.word[nb];
		out->start = out->words.last_start;
	}
	command_words(ctl, out, 0, nb);
	if (nb > 0 && strcmp(out->words.word[0], "help") == 0) {
		command_words(ctl, out, 1, nb - 1);
		return;
	}
	out->words.nb = nb; /* the word being typed may not be taken for the row's last one */
	cmd = ctl_cmd_find(ctl, &out->words, &nb_used);
	out->words.nb = nb_all;
	if (cmd == NULL)
		return;
	command_keys(cmd, out, nb);
	if (cmd->complete != NULL) {
		plx_ctl_lock(ctl);
		cmd->complete(ctl->app, nb - nb_used, out->words.word + nb_used, offered, out);
		plx_ctl_unlock(ctl);
	}
}

void
ctl_candidates_clear(struct ctl_candidates *c)
{
	for (int i = 0; i < c->nb; i++)
		free(c->word[i]);
	c->nb = 0;
}

/* Bytes that all candidates begin with; never part of a character. */
size_t
ctl_candidates_common(const struct ctl_candidates *c)
{
	size_t len;

	if (c->nb == 0)
		return 0;
	len = strlen(c->word[0]);
	for (int i = 1; i < c->nb; i++) {
		size_t same = 0;

		while (same < len && c->word[i][same] == c->word[0][same])
			same++;
		len = same;
	}
	while (len > 0 && ((unsigned char)c->word[0][len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* A word as it has to be typed. */
void
ctl_word_escape(const char *word, size_t len, char *out, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < len && used + 3 <= size; i++) {
		if (strchr(" \t'\"\\", word[i]) != NULL || (i == 0 && word[i] == '#'))
			out[used++] = '\\';
		out[used++] = word[i];
	}
	out[used] = '\0';
}
