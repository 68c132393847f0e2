/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_ctl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "plx_text.h"

#include "ctl_priv.h"

/*
 * The rows and the control lock. Rows are added before anybody else runs commands and never change,
 * so that finding one takes no lock; the lock is for what the handlers touch.
 */

#define SEND_MS    5000
#define PARTIAL_MS 10000

static int
lock_init(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attr;
	int ret = pthread_mutexattr_init(&attr);

	if (ret != 0)
		return -ret;
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	ret = pthread_mutex_init(lock, &attr);
	pthread_mutexattr_destroy(&attr);
	return -ret;
}

int
plx_ctl_create(void *app, struct plx_ctl **out)
{
	struct plx_ctl *ctl = calloc(1, sizeof(*ctl));
	int ret;

	if (ctl == NULL)
		return -ENOMEM;
	ctl->app = app;
	ctl->send_ms = SEND_MS;
	ctl->partial_ms = PARTIAL_MS;
	ret = lock_init(&ctl->lock);
	if (ret < 0)
		goto err_free;
	ctl->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (ctl->wake_fd < 0) {
		ret = -errno;
		goto err_lock;
	}
	ret = plx_ctl_register(ctl, &ctl_help_cmd, 1);
	if (ret < 0)
		goto err_wake;
	*out = ctl;
	return 0;

err_wake:
	close(ctl->wake_fd);
err_lock:
	pthread_mutex_destroy(&ctl->lock);
err_free:
	free(ctl);
	return ret;
}

void
plx_ctl_destroy(struct plx_ctl *ctl)
{
	if (ctl == NULL)
		return;
	ctl_server_destroy(ctl->server);
	close(ctl->wake_fd);
	pthread_mutex_destroy(&ctl->lock);
	free(ctl->cmds);
	free(ctl);
}

/* Words of a row: parted by one blank each, plain letters. */
static bool
row_ok(const struct plx_ctl_cmd *cmd)
{
	size_t len;

	if (cmd->words == NULL || cmd->run == NULL || cmd->help == NULL || cmd->args == NULL)
		return false;
	len = strlen(cmd->words);
	if (len == 0 || cmd->words[0] == ' ' || cmd->words[len - 1] == ' ')
		return false;
	if (strstr(cmd->words, "  ") != NULL || cmd->min_args > cmd->max_args)
		return false;
	return strspn(cmd->words, "abcdefghijklmnopqrstuvwxyz0123456789- ") == len;
}

static bool
words_known(const struct plx_ctl *ctl, size_t nb_cmds, const char *words)
{
	for (size_t i = 0; i < nb_cmds; i++) {
		if (strcmp(ctl->cmds[i]->words, words) == 0)
			return true;
	}
	return false;
}

int
plx_ctl_register(struct plx_ctl *ctl, const struct plx_ctl_cmd *cmds, size_t nb)
{
	const struct plx_ctl_cmd **grown;

	grown = reallocarray(ctl->cmds, ctl->nb_cmds + nb + 1, sizeof(*grown));
	if (grown == NULL)
		return -ENOMEM;
	ctl->cmds = grown;
	for (size_t i = 0; i < nb; i++) {
		if (!row_ok(&cmds[i]))
			return -EINVAL;
		if (words_known(ctl, ctl->nb_cmds + i, cmds[i].words))
			return -EEXIST;
		grown[ctl->nb_cmds + i] = &cmds[i];
	}
	ctl->nb_cmds += nb;
	return 0;
}

void
plx_ctl_lock(struct plx_ctl *ctl)
{
	pthread_mutex_lock(&ctl->lock);
}

void
plx_ctl_unlock(struct plx_ctl *ctl)
{
	pthread_mutex_unlock(&ctl->lock);
}

/* Is word (len bytes) one of the blank-separated words of a list? */
bool
ctl_word_in(const char *list, const char *word, size_t len)
{
	while (list != NULL && *list != '\0') {
		size_t one = strcspn(list, " ");

		if (one == len && strncmp(list, word, len) == 0)
			return true;
		list += one;
		list += strspn(list, " ");
	}
	return false;
}

bool
ctl_cmd_next_word(const struct plx_ctl_cmd *cmd, const char *const *words, int nb, char *next,
		  size_t size)
{
	const char *p = cmd->words;
	size_t len;

	for (int i = 0; i < nb; i++) {
		len = strcspn(p, " ");
		if (strlen(words[i]) != len || strncmp(p, words[i], len) != 0)
			return false;
		p += len;
		p += *p == ' ';
	}
	len = strcspn(p, " ");
	if (len == 0 || len >= size)
		return false;
	memcpy(next, p, len);
	next[len] = '\0';
	return true;
}

/* Number of words when the line begins with all words of the row, else 0. */
static int
words_match(const struct plx_ctl_cmd *cmd, const struct ctl_words *words)
{
	const char *p = cmd->words;
	int nb = 0;

	while (*p != '\0') {
		size_t len = strcspn(p, " ");

		if (nb == words->nb || strlen(words->word[nb]) != len ||
		    strncmp(p, words->word[nb], len) != 0)
			return 0;
		nb++;
		p += len;
		p += *p == ' ';
	}
	return nb;
}

const struct plx_ctl_cmd *
ctl_cmd_find(const struct plx_ctl *ctl, const struct ctl_words *words, int *nb_used)
{
	const struct plx_ctl_cmd *best = NULL;

	*nb_used = 0;
	for (size_t i = 0; i < ctl->nb_cmds; i++) {
		int nb = words_match(ctl->cmds[i], words);

		if (nb > *nb_used) {
			*nb_used = nb;
			best = ctl->cmds[i];
		}
	}
	return best;
}
