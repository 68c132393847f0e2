/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_ctl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plx_text.h"

#include "ctl_priv.h"

/*
 * What the rows say, as help on a screen, as the usage line of an error, as an offer after a typing
 * error and as the command section of a manual page.
 */

static void
usage_format(const struct plx_ctl_cmd *cmd, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s%s", cmd->words, cmd->args[0] != '\0' ? " " : "", cmd->args);
}

int
ctl_err_usage(const struct plx_ctl_cmd *cmd, struct plx_err *err)
{
	char usage[256];

	usage_format(cmd, usage, sizeof(usage));
	return plx_err_set(err, -EINVAL, "%s; usage: %s", err == NULL ? "" : err->text, usage);
}

/* Append ", word" once; a list that is full stays as it is. */
static void
offer(char *list, size_t size, const char *word)
{
	size_t used = strlen(list), len = strlen(word);
	const char *at = list;

	while ((at = strstr(at, word)) != NULL) {
		if ((at == list || at[-1] == ' ') && (at[len] == ',' || at[len] == '\0'))
			return;
		at += len;
	}
	if (used + len + 3 <= size)
		snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", word);
}

/* The first nb words begin some row: what may follow them. */
static void
offer_next(const struct plx_ctl *ctl, const char *const *words, int nb, const char *near,
	   char *list, size_t size)
{
	char next[64];

	for (size_t i = 0; i < ctl->nb_cmds; i++) {
		if (!ctl_cmd_next_word(ctl->cmds[i], words, nb, next, sizeof(next)))
			continue;
		if (near == NULL || plx_text_is_near(near, next))
			offer(list, size, next);
	}
}

int
ctl_err_unknown(const struct plx_ctl *ctl, const struct ctl_words *words, struct plx_err *err)
{
	char list[300] = "", shown[64];
	int nb = 0;

	/* how many words are a beginning of some row */
	while (nb < words->nb) {
		list[0] = '\0';
		offer_next(ctl, words->word, nb + 1, NULL, list, sizeof(list));
		if (list[0] == '\0')
			break;
		nb++;
	}
	if (nb == words->nb) {
		plx_text_show(words->word[nb - 1], shown, sizeof(shown));
		return plx_err_set(err, -ENOENT, "\"%s\" needs one more word: %s", shown, list);
	}
	plx_text_show(words->word[nb], shown, sizeof(shown));
	list[0] = '\0';
	offer_next(ctl, words->word, nb, words->word[nb], list, sizeof(list));
	if (list[0] != '\0')
		return plx_err_set(err, -ENOENT, "unknown command word \"%s\"; did you mean %s?",
				   shown, list);
	if (nb == 0)
		return plx_err_set(err, -ENOENT,
				   "unknown command \"%s\"; \"help\" alone lists them all", shown);
	offer_next(ctl, words->word, nb, NULL, list, sizeof(list));
	return plx_err_set(err, -ENOENT, "\"%s\" is not known after \"%s\"; there are: %s", shown,
			   words->word[nb - 1], list);
}

static bool
begins_with(const struct plx_ctl_cmd *cmd, const char *words)
{
	size_t len = strlen(words);

	return strncmp(cmd->words, words, len) == 0 &&
	       (cmd->words[len] == '\0' || cmd->words[len] == ' ');
}

static int
by_words(const void *a, const void *b)
{
	const struct plx_ctl_cmd *const *x = a;
	const struct plx_ctl_cmd *const *y = b;

	return strcmp((*x)->words, (*y)->words);
}

/* The rows in the order of their words; freed by the caller. */
static const struct plx_ctl_cmd **
sorted(const struct plx_ctl *ctl)
{
	const struct plx_ctl_cmd **cmds = calloc(ctl->nb_cmds + 1, sizeof(*cmds));

	if (cmds == NULL)
		return NULL;
	memcpy(cmds, ctl->cmds, ctl->nb_cmds * sizeof(*cmds));
	qsort(cmds, ctl->nb_cmds, sizeof(*cmds), by_words);
	return cmds;
}

/* The rows that begin with the words; empty when there are none, NULL without memory. */
static json_t *
help_list(const struct plx_ctl *ctl, const char *words)
{
	const struct plx_ctl_cmd **cmds = sorted(ctl);
	json_t *list = json_array();
	bool is_whole = cmds != NULL && list != NULL;

	for (size_t i = 0; is_whole && i < ctl->nb_cmds; i++) {
		if (words[0] != '\0' && !begins_with(cmds[i], words))
			continue;
		is_whole = json_array_append_new(list,
						 json_pack("{s:s, s:s}", "command", cmds[i]->words,
							   "does", cmds[i]->help)) == 0;
	}
	free(cmds);
	if (!is_whole) {
		json_decref(list);
		return NULL;
	}
	return list;
}

static json_t *
help_one(const struct plx_ctl_cmd *cmd)
{
	char usage[256];

	usage_format(cmd, usage, sizeof(usage));
	return json_sprintf("%s\n\n%s%s%s", usage, cmd->help, cmd->manual != NULL ? "\n\n" : "",
			    cmd->manual != NULL ? cmd->manual : "");
}

static int
help_run(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	const struct plx_ctl *ctl = call->ctl;
	struct ctl_words words = { .nb = call->argc };
	const struct plx_ctl_cmd *cmd;
	char joined[128] = "";
	int nb_used;

	for (int i = 0; i < call->argc; i++) {
		size_t used = strlen(joined);

		words.word[i] = call->argv[i];
		snprintf(joined + used, sizeof(joined) - used, "%s%s", i > 0 ? " " : "",
			 call->argv[i]);
	}
	cmd = ctl_cmd_find(ctl, &words, &nb_used);
	if (cmd != NULL && nb_used == call->argc) {
		*answer = help_one(cmd);
	} else {
		*answer = help_list(ctl, joined);
		if (*answer != NULL && json_array_size(*answer) == 0)
			return ctl_err_unknown(ctl, &words, err);
	}
	return *answer == NULL ? -ENOMEM : 0;
}

const struct plx_ctl_cmd ctl_help_cmd = {
	.words = "help",
	.args = "[COMMAND]",
	.help = "List the commands, or show what one does.",
	.manual =
		"COMMAND may be the first word or words of several commands, which are listed then: "
		"\"help show\".",
	.max_args = 4,
	.run = help_run,
};

/* Text that roff takes as text: no escapes, no requests at the start of a line, plain minus signs.
 */
static void
roff(FILE *f, const char *text)
{
	bool at_start = true;

	for (; *text != '\0'; text++) {
		if (text[0] == '\n' && text[1] == '\n') {
			fputs("\n.IP\n", f);
			at_start = true;
			text++;
			continue;
		}
		if (at_start && (*text == '.' || *text == '\''))
			fputs("\\&", f);
		at_start = *text == '\n';
		if (*text == '\\')
			fputs("\\e", f);
		else if (*text == '-')
			fputs("\\-", f);
		else
			fputc(*text, f);
	}
}

int
plx_ctl_write_manual(const struct plx_ctl *ctl, FILE *f)
{
	const struct plx_ctl_cmd **cmds = sorted(ctl);

	if (cmds == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < ctl->nb_cmds; i++) {
		fputs(".TP\n.B ", f);
		roff(f, cmds[i]->words);
		if (cmds[i]->args[0] != '\0') {
			fputs("\\fR ", f);
			roff(f, cmds[i]->args);
		}
		fputs("\n", f);
		roff(f, cmds[i]->help);
		fputs("\n", f);
		if (cmds[i]->manual != NULL) {
			fputs(".IP\n", f);
			roff(f, cmds[i]->manual);
			fputs("\n", f);
		}
	}
	free(cmds);
	return fflush(f) != 0 || ferror(f) ? -EIO : 0;
}
