/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "ctl_words.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Which words of a command are file names, by position: 0 is the command's first word. */
static const struct {
	const char *first, *second;
	int from, to;
} file_words[] = {
	{ "job", NULL, 2, 3 },
	{ "key", "load", 3, 3 },
	{ "key", "export-public", 3, 3 },
};

static bool
is_pair(const char *word)
{
	size_t len = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-_");

	return len > 0 && word[len] == '=';
}

static bool
is_file(char **words, int nb, int position)
{
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(file_words); i++) {
		if (strcmp(words[0], file_words[i].first) != 0)
			continue;
		if (file_words[i].second != NULL &&
		    (nb < 2 || strcmp(words[1], file_words[i].second) != 0))
			continue;
		return position >= file_words[i].from && position <= file_words[i].to;
	}
	return false;
}

/* A word with blanks, quotes or the like goes between single quotes; a bare key=value must stay
 * bare. */
static size_t
quote(const char *word, char *out, size_t len)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_.,:/=+%@";
	size_t at = 0;

	if (word[0] != '\0' && strspn(word, plain) == strlen(word)) {
		at = (size_t)snprintf(out, len, "%s", word);
		return at;
	}
	/* the key and its '=' stay outside of the quotes, so that it is still a pair */
	if (is_pair(word)) {
		size_t key = (size_t)(strchr(word, '=') - word) + 1;

		at = (size_t)snprintf(out, len, "%.*s", (int)key, word);
		word += key;
	}
	if (at + 1 < len)
		out[at] = '\'';
	at++;
	for (; *word != '\0'; word++) {
		const char *piece = *word == '\'' ? "'\\''" : NULL;
		size_t n = piece != NULL ? 4 : 1;

		if (at + n < len)
			memcpy(out + at, piece != NULL ? piece : word, n);
		at += n;
	}
	if (at + 1 < len) {
		out[at] = '\'';
		out[at + 1] = '\0';
	}
	return at + 1;
}

int
ctl_words_join(char **words, int nb, char *line, size_t len, struct plx_err *err)
{
	char cwd[PATH_MAX] = "", full[2 * PATH_MAX];
	const char *word;
	size_t at = 0;
	int i, position = 0;

	line[0] = '\0';
	for (i = 0; i < nb; i++) {
		word = words[i];
		if (strchr(word, '\n') != NULL)
			return plx_err_set(err, -EINVAL, "a word has a line break in it");
		if (!is_pair(word) && is_file(words, nb, position++) && word[0] != '/') {
			if (cwd[0] == '\0' && getcwd(cwd, sizeof(cwd)) == NULL)
				return plx_err_set(err, -errno, "the working directory: %s",
						   strerror(errno));
			snprintf(full, sizeof(full), "%s/%s", cwd, word);
			word = full;
		}
		if (i > 0 && at + 1 < len)
			line[at++] = ' ';
		at += quote(word, line + (at < len ? at : len - 1), at < len ? len - at : 1);
		if (at >= len)
			return plx_err_set(err, -EINVAL,
					   "the command is longer than %zu characters", len - 1);
	}
	return 0;
}
