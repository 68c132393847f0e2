/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_ctl.h"

#include <errno.h>
#include <string.h>

#include "plx_text.h"

#include "ctl_priv.h"

/*
 * One line: split, find the row, sort its words into positional ones and pairs, check them against
 * the row, call the handler. Short commands hold the control lock while they run, long ones take it
 * themselves where they need it.
 */

static bool
never_cancelled(struct plx_ctl_call *call)
{
	(void)call;
	return false;
}

const char *
plx_ctl_arg(const struct plx_ctl_call *call, const char *key)
{
	size_t len = strlen(key);

	for (int i = 0; i < call->nb_pairs; i++) {
		if (strncmp(call->pairs[i], key, len) == 0 && call->pairs[i][len] == '=')
			return call->pairs[i] + len + 1;
	}
	return NULL;
}

static int
too_many(const struct plx_ctl_cmd *cmd, struct plx_err *err)
{
	plx_err_set(err, -EINVAL, "more than %d arguments", PLX_CTL_ARGS_MAX);
	return ctl_err_usage(cmd, err);
}

static int
pair_add(struct plx_ctl_call *call, const char *word, struct plx_err *err)
{
	const struct plx_ctl_cmd *cmd = call->cmd;
	size_t len = strcspn(word, "=");
	char shown[64];

	if (!ctl_word_in(cmd->keys, word, len)) {
		plx_text_show(word, shown, sizeof(shown));
		if (cmd->keys == NULL || cmd->keys[0] == '\0')
			plx_err_set(err, -EINVAL,
				    "\"%s\" takes no key=value words; write \"./%s\" or quote it "
				    "if that is a name",
				    cmd->words, shown);
		else
			plx_err_set(err, -EINVAL, "\"%s\" has no key \"%.*s\"; there are: %s",
				    cmd->words, (int)(len < sizeof(shown) ? len : 60), shown,
				    cmd->keys);
		return ctl_err_usage(cmd, err);
	}
	for (int i = 0; i < call->nb_pairs; i++) {
		if (strncmp(call->pairs[i], word, len + 1) == 0) {
			plx_err_set(err, -EINVAL, "%.*s= is given twice", (int)len, word);
			return ctl_err_usage(cmd, err);
		}
	}
	if (call->nb_pairs == PLX_CTL_ARGS_MAX)
		return too_many(cmd, err);
	call->pairs[call->nb_pairs++] = word;
	return 0;
}

static int
args_sort(struct plx_ctl_call *call, const struct ctl_words *words, int first, struct plx_err *err)
{
	const struct plx_ctl_cmd *cmd = call->cmd;
	int ret;

	for (int i = first; i < words->nb; i++) {
		if (words->is_pair[i]) {
			ret = pair_add(call, words->word[i], err);
			if (ret < 0)
				return ret;
			continue;
		}
		if (call->argc == PLX_CTL_ARGS_MAX)
			return too_many(cmd, err);
		call->argv[call->argc++] = words->word[i];
	}
	if (call->argc < cmd->min_args) {
		plx_err_set(err, -EINVAL, "\"%s\" needs %s%d argument%s", cmd->words,
			    cmd->min_args == cmd->max_args ? "" : "at least ", cmd->min_args,
			    cmd->min_args == 1 ? "" : "s");
		return ctl_err_usage(cmd, err);
	}
	if (call->argc > cmd->max_args) {
		char shown[64];

		plx_err_set(err, -EINVAL, "\"%s\" is one argument too many",
			    plx_text_show(call->argv[cmd->max_args], shown, sizeof(shown)));
		return ctl_err_usage(cmd, err);
	}
	return 0;
}

static int
handler_run(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct plx_err own = { { 0 } };
	json_t *got = NULL;
	int ret;

	if (!call->cmd->is_long)
		plx_ctl_lock(call->ctl);
	ret = call->cmd->run(call, &got, &own);
	if (!call->cmd->is_long)
		plx_ctl_unlock(call->ctl);
	if (ret >= 0) {
		*answer = got;
		return 0;
	}
	json_decref(got);
	if (own.text[0] == '\0')
		plx_err_set(&own, ret, "\"%s\" failed: %s", call->cmd->words, strerror(-ret));
	if (err != NULL)
		*err = own;
	return ret;
}

int
plx_ctl_run(struct plx_ctl *ctl, const char *line, const struct plx_ctl_call *call_hooks,
	    json_t **answer, struct plx_err *err)
{
	struct plx_ctl_call call = { .app = ctl->app, .ctl = ctl };
	struct ctl_words words;
	int nb_used, ret;

	*answer = NULL;
	ret = ctl_line_split(line, false, &words, err);
	if (ret < 0 || words.nb == 0)
		return ret;
	call.cmd = ctl_cmd_find(ctl, &words, &nb_used);
	if (call.cmd == NULL)
		return ctl_err_unknown(ctl, &words, err);
	if (call_hooks != NULL) {
		call.progress = call_hooks->progress;
		call.is_cancelled = call_hooks->is_cancelled;
		call.transport = call_hooks->transport;
	}
	if (call.is_cancelled == NULL)
		call.is_cancelled = never_cancelled;
	ret = args_sort(&call, &words, nb_used, err);
	if (ret < 0)
		return ret;
	return handler_run(&call, answer, err);
}
