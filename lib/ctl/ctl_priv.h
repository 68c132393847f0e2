/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_CTL_PRIV_H
#define PLX_CTL_PRIV_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "plx_ctl.h"

/* Inside lib/ctl: the registry, a line as words, where lines come from, and what is shown while a
 * command runs. */

#define CTL_WORDS_MAX 40 /* of a line: the command's own and its arguments */
#define CTL_JSON_FLAGS                                                                             \
	(JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15))
#define CTL_CANDIDATES_MAX 256

struct ctl_server;

struct plx_ctl {
	void *app;
	const struct plx_ctl_cmd *
		*cmds; /* control writes before the socket listens, then only read */
	size_t nb_cmds;
	pthread_mutex_t lock; /* recursive: the control lock */
	struct ctl_server *server;
	int send_ms;    /* a peer of the socket takes something so soon */
	int partial_ms; /* and ends a line so soon after its first byte */

	/* the prompt and scripts; signal handlers write */
	int wake_fd; /* eventfd, readable once the prompt is to end */
	atomic_bool is_stopping;
	atomic_bool is_cancelled; /* the running command only */
	atomic_int nb_running;
};

/* ctl_line.c: a line as words */
struct ctl_words {
	int nb;
	const char *word[CTL_WORDS_MAX];
	bool is_pair[CTL_WORDS_MAX]; /* an unquoted "key=" begins it */
	bool is_open;                /* the line ends inside or right behind the last word */
	size_t last_start;           /* offset of the last word in the line */
	char text[PLX_CTL_LINE_MAX + CTL_WORDS_MAX];
};

/* @p is_partial: the line is being typed, an open quote is no error. */
int ctl_line_split(const char *line, bool is_partial, struct ctl_words *out, struct plx_err *err)
	PLX_MUST_CHECK;

/* ctl_registry.c: the longest row that the first words name; *nb_used of them are its own */
const struct plx_ctl_cmd *ctl_cmd_find(const struct plx_ctl *ctl, const struct ctl_words *words,
				       int *nb_used);
/* The first nb words are a beginning of the row's words: returns the row's next word, NULL when
 * there is none. */
bool ctl_cmd_next_word(const struct plx_ctl_cmd *cmd, const char *const *words, int nb, char *next,
		       size_t size);
bool ctl_word_in(const char *list, const char *word, size_t len);

/* ctl_help.c */
extern const struct plx_ctl_cmd ctl_help_cmd;
int ctl_err_unknown(const struct plx_ctl *ctl, const struct ctl_words *words, struct plx_err *err);
int ctl_err_usage(const struct plx_ctl_cmd *cmd, struct plx_err *err);

/* ctl_complete.c: words that may stand where the cursor is */
struct ctl_candidates {
	int nb;
	char *word[CTL_CANDIDATES_MAX];
	const char *typed; /* begins each of them */
	size_t start;      /* offset in the line of what was typed */
	struct ctl_words words;
};
void ctl_complete(struct plx_ctl *ctl, const char *line, struct ctl_candidates *out);
void ctl_candidates_clear(struct ctl_candidates *c);
size_t ctl_candidates_common(const struct ctl_candidates *c);
void ctl_word_escape(const char *word, size_t len, char *out, size_t size);

/* ctl_input.c: lines from a file, pipe or socket; woken by a second descriptor */
struct ctl_input {
	int fd;
	int wake_fd;      /* -1: none */
	int partial_ms;   /* a line has to end so soon after its first byte; -1: no limit */
	bool is_skipping; /* inside the rest of an overlong line */
	bool is_eof;
	unsigned int line; /* number of the line given last */
	size_t begin, end; /* of what was read and not given */
	char buf[PLX_CTL_LINE_MAX + 2];
};
void ctl_input_init(struct ctl_input *in, int fd, int wake_fd, int partial_ms);
/* 1 with a line; 0 at the end; -EINTR woken; -ETIME a line took too long; -EMSGSIZE overlong,
 * -EINVAL a zero byte: both lines are passed over, the next call goes on behind them; other errnos
 * of reading. */
int ctl_input_line(struct ctl_input *in, char line[PLX_CTL_LINE_MAX + 1]) PLX_MUST_CHECK;
int ctl_input_error(int ret, struct plx_err *err);

/* ctl_print.c: a value as a line of JSON; NULL without memory */
char *ctl_json_line(const json_t *value);

/* ctl_progress.c: one line that is rewritten, on a terminal */
struct ctl_progress {
	FILE *f; /* NULL: not shown */
	bool is_shown;
	uint64_t last_ms;
};
void ctl_progress_init(struct ctl_progress *p, FILE *f);
void ctl_progress_show(struct ctl_progress *p, const char *line);
void ctl_progress_clear(struct ctl_progress *p);
uint64_t ctl_now_ms(void);

/* ctl_script.c: one line of the prompt or a script */
struct ctl_front {
	struct plx_ctl *ctl;
	struct ctl_progress progress;
	FILE *out;
	bool as_json;
	bool is_quit; /* "quit" was given and not refused */
};
void ctl_front_init(struct ctl_front *front, struct plx_ctl *ctl, FILE *out, bool as_json);
int ctl_front_run(struct ctl_front *front, const char *line, struct plx_err *err) PLX_MUST_CHECK;
void ctl_front_error(const struct ctl_front *front, FILE *f, int code, const struct plx_err *err);

/* ctl_terminal.c: the prompt with an editor */
int ctl_terminal_loop(struct ctl_front *front, const char *prompt) PLX_MUST_CHECK;

/* ctl_server.c, ctl_conn.c: the socket */
void ctl_server_destroy(struct ctl_server *server);

#define CTL_CONNS_MAX 32

struct ctl_conn {
	struct plx_ctl *ctl;
	int fd;
	int stop_fd; /* readable when the server ends */
	pthread_t thread;
	atomic_int state; /* enum ctl_conn_state: the thread's end is its last store */
	bool is_dead;     /* owner: the thread; its peer has gone or does not read */
	uint64_t last_progress_ms;
	struct ctl_input in;
};

enum ctl_conn_state {
	CTL_CONN_FREE = 0,
	CTL_CONN_RUNNING,
	CTL_CONN_DONE,
};

void *ctl_conn_main(void *arg);
char *ctl_reply_error(int code, const char *sentence);

#endif
