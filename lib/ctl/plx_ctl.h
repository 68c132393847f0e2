/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_CTL_H
#define PLX_CTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <jansson.h>

#include "plx_compiler.h"
#include "plx_err.h"

/*
 * The command registry: one grammar for the prompt, script files and the control socket. A command
 * is a row: words, arguments, help, handler. A handler answers with a JSON value; as text an array
 * of objects is shown as a table, an object as "key: value" lines, a string as itself.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define PLX_CTL_ARGS_MAX 32
#define PLX_CTL_LINE_MAX 4096

struct plx_ctl;

/*
 * What a handler gets. Arguments are the words after the command's own: positional ones in argv,
 * "key=value" ones found with plx_ctl_arg(). A word is a pair when it begins with a-z, goes on with
 * a-z, 0-9, - or _ up to a
 * '=', and none of that was quoted; all other words are positional.
 */
struct plx_ctl_call {
	void *app;           /* what plx_ctl_create() was given */
	struct plx_ctl *ctl; /* the registry the line was given to */
	const struct plx_ctl_cmd *cmd;
	int argc;
	const char *argv[PLX_CTL_ARGS_MAX];
	int nb_pairs;
	const char *pairs[PLX_CTL_ARGS_MAX]; /* "key=value", each key once */
	/* Progress of long work, one line, may be called often; NULL when nobody watches. */
	void (*progress)(struct plx_ctl_call *call, const char *line);
	/* True when the caller has gone or wants to stop: long work ends soon after. Never NULL in
	 * a handler. */
	bool (*is_cancelled)(struct plx_ctl_call *call);
	void *transport; /* of those two functions; handlers leave it alone */
};

/* 0 with *answer set (or left NULL: nothing to say), or negative errno and a sentence. */
typedef int (*plx_ctl_handler_fn)(struct plx_ctl_call *call, json_t **answer, struct plx_err *err);

/*
 * Candidates for the next word, for completion: call add() for each word that may follow the
 * finished argument words in argv, as it would be typed: "web", "key=web/signer". What does not
 * begin with the letters typed so far is dropped by the library, which offers the command's own
 * "key=" words itself. Runs under the control lock.
 */
typedef void (*plx_ctl_complete_fn)(void *app, int argc, const char *const *argv,
				    void (*add)(void *to, const char *word), void *to);

struct plx_ctl_cmd {
	const char *words; /* "show engines", "engine add" */
	const char *args;  /* "[lcore=N]", "encrypt FILE OUT key=CONTAINER/KEY ..."; "" when none */
	const char *help;  /* one line */
	const char *manual; /* paragraphs: each argument, an example; may be NULL */
	const char *keys;   /* "lcore size": the key= words taken; others are refused. NULL: none */
	int min_args, max_args; /* positional ones */
	bool is_long;           /* runs without the control lock (job, bench) */
	plx_ctl_handler_fn run;
	plx_ctl_complete_fn complete; /* may be NULL */
};

/**
 * Make a registry.
 *
 * @param app handed to each handler.
 * @par Thread    Control.
 * @par Ownership Freed with plx_ctl_destroy(); @p app is not touched.
 * @par Errors    -ENOMEM, -EMFILE and -ENFILE (an eventfd is made).
 */
int plx_ctl_create(void *app, struct plx_ctl **out) PLX_MUST_CHECK;

/**
 * End the socket and all its connections (their long commands see is_cancelled), wait for its
 * threads, remove the socket file and free the registry; NULL is taken.
 *
 * @par Thread    Control, without the control lock; nobody may be inside plx_ctl_run() or the
 * prompt.
 * @par Ownership The registry is gone; rows and app are not touched.
 * @par Errors    None. A long command that never looks at is_cancelled delays it.
 */
void plx_ctl_destroy(struct plx_ctl *ctl);

/**
 * Add rows; "help [COMMAND]" is built in.
 *
 * @return 0; -EEXIST when words are there already; -EINVAL when a row lacks words, handler or help;
 * -ENOMEM. None of the rows is added then.
 * @par Thread    Control, before the socket listens.
 * @par Ownership The rows must outlive the registry.
 * @par Errors    As above.
 */
int plx_ctl_register(struct plx_ctl *ctl, const struct plx_ctl_cmd *cmds, size_t nb) PLX_MUST_CHECK;

/**
 * The lock that every short command holds while it runs; the app's housekeeping and long commands
 * take it around their control calls. It may be taken again by the thread that has it.
 *
 * @par Thread    Any but data lcores.
 * @par Ownership The caller unlocks.
 * @par Errors    None.
 */
void plx_ctl_lock(struct plx_ctl *ctl);

/**
 * Give the control lock back.
 *
 * @par Thread    The one that took it.
 * @par Ownership The lock is free.
 * @par Errors    None.
 */
void plx_ctl_unlock(struct plx_ctl *ctl);

/**
 * Run one line ("show engines", quotes and backslashes as in a shell, '#' begins a comment).
 *
 * @param call_hooks progress and is_cancelled to use; NULL: none.
 * @return 0 and *answer (owned by the caller, may be NULL); or negative errno and a sentence:
 * -ENOENT for an unknown command (offers near ones), -EINVAL for arguments (with the usage line).
 * @par Thread    Any but data lcores; takes the lock unless the command is long.
 * @par Ownership The caller drops *answer with json_decref().
 * @par Errors    As above.
 */
int plx_ctl_run(struct plx_ctl *ctl, const char *line, const struct plx_ctl_call *call_hooks,
		json_t **answer, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Value of "key=" among a call's arguments; NULL when it is not there.
 *
 * @par Thread    The handler's.
 * @par Ownership The call's.
 * @par Errors    NULL only.
 */
const char *plx_ctl_arg(const struct plx_ctl_call *call, const char *key);

/**
 * Write an answer as text (table, key: value) or as JSON (one line; null for no answer). Strings go
 * through a filter: a control character or an escape sequence in a name never reaches a terminal as
 * it is.
 *
 * @return 0, -EIO or -ENOMEM.
 * @par Thread    Any.
 * @par Ownership Nothing is kept.
 * @par Errors    As above.
 */
int plx_ctl_print(FILE *f, const json_t *answer, bool as_json) PLX_MUST_CHECK;

/**
 * Run a script file line by line, stop at the first error ("FILE:LINE: ...") or at "quit". A
 * command that runs scripts is to be marked is_long.
 *
 * @return 0, or the failing line's code; -EINTR when it was interrupted.
 * @par Thread    Any but data lcores.
 * @par Ownership @p out stays open.
 * @par Errors    As plx_ctl_run(), and the errno of opening it.
 */
int plx_ctl_script(struct plx_ctl *ctl, const char *path, FILE *out, bool as_json,
		   struct plx_err *err) PLX_MUST_CHECK;

/**
 * The prompt on standard input: line editing, completion and history on a terminal, plain lines
 * otherwise. Answers go to standard output, errors ("error: ...", with @p as_json an object) and
 * progress to standard error. Returns at "quit" (run first when a row has that name), end of input,
 * or when plx_ctl_prompt_stop() was called.
 *
 * @return 0; when input is not a terminal, the code of the last failing line.
 * @par Thread    One thread, not a data lcore.
 * @par Ownership Unchanged.
 * @par Errors    As above.
 */
int plx_ctl_prompt(struct plx_ctl *ctl, const char *prompt, bool as_json) PLX_MUST_CHECK;

/**
 * End the prompt and scripts (SIGTERM): a running long command sees is_cancelled, then they return.
 * Stays in force.
 *
 * @par Thread    Any; safe in a signal handler.
 * @par Ownership Unchanged.
 * @par Errors    None.
 */
void plx_ctl_prompt_stop(struct plx_ctl *ctl);

/**
 * What Ctrl-C does (SIGINT): cancels the command that the prompt or a script is running, or ends an
 * idle prompt.
 *
 * @return true when the prompt ends, false when a command was cancelled and the prompt goes on.
 * @par Thread    Any; safe in a signal handler.
 * @par Ownership Unchanged.
 * @par Errors    None.
 */
bool plx_ctl_prompt_interrupt(struct plx_ctl *ctl);

/**
 * Write the commands of a manual page in man macros, from the rows.
 *
 * @return 0 or -EIO.
 * @par Thread    Any, after the last plx_ctl_register().
 * @par Ownership @p f stays open.
 * @par Errors    -EIO.
 */
int plx_ctl_write_manual(const struct plx_ctl *ctl, FILE *f) PLX_MUST_CHECK;

/**
 * Answer on a Unix socket (mode 0600), one thread a connection, at most 32; the own user and root
 * are answered. A stale socket file is replaced, a live one refused, anything else left alone.
 * Protocol in doc/control.md: a line in, JSON lines out.
 *
 * @return 0; -EADDRINUSE (somebody listens), -EEXIST (a file that is no socket), -ENAMETOOLONG,
 * -EALREADY (listens already), or the errno of binding, with a sentence.
 * @par Thread    Control.
 * @par Ownership plx_ctl_destroy() ends it and removes the file.
 * @par Errors    As above.
 */
int plx_ctl_listen(struct plx_ctl *ctl, const char *path, struct plx_err *err) PLX_MUST_CHECK;

/**
 * The client side ("pollux ctl"): send one line, show progress on standard error when that is a
 * terminal, and the answer on @p out.
 *
 * @return 0, or the command's negative errno with its sentence; -ECONNREFUSED when nobody listens.
 * @par Thread    Any; no EAL needed.
 * @par Ownership Nothing is kept.
 * @par Errors    As above.
 */
int plx_ctl_client(const char *path, const char *line, bool as_json, FILE *out, struct plx_err *err)
	PLX_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
