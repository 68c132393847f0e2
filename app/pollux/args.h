/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef ARGS_H
#define ARGS_H

#include <stdbool.h>
#include <stdio.h>

#include "plx_err.h"

#define ARGS_LIST_MAX 64

enum args_action {
	ARGS_RUN = 1,
	ARGS_HELP,
	ARGS_VERSION,
	ARGS_CHECK,
	ARGS_CTL,
	ARGS_PRINT, /* a document made from the tables, print names it */
};

/* The command line as it was written; strings are argv's. */
struct args {
	enum args_action action;
	char **eal_argv; /* with the program's name first; eal_argc 0: embedded default */
	int eal_argc;
	const char *config;
	const char *socket;
	const char *print;
	const char *cmdline_file;
	const char *sets[ARGS_LIST_MAX]; /* NAME=VALUE */
	int nb_sets;
	const char *runs[ARGS_LIST_MAX]; /* commands */
	int nb_runs;
	char **words; /* of "pollux ctl" */
	int nb_words;
	bool is_interactive;
	bool is_json;
	bool is_verbose;
	bool is_demo;
	const char *demo_file;
};

/* 0 or -EINVAL with a sentence. */
int args_parse(int argc, char **argv, struct args *args, struct plx_err *err);
void args_help(FILE *f);

#endif
