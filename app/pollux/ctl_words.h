/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef CTL_WORDS_H
#define CTL_WORDS_H

#include <stddef.h>

#include "plx_err.h"

/*
 * The words of "pollux ctl" as one line of the console's grammar, quoted where needed. File names
 * of commands that take some are made absolute: the process that will open them has another working
 * directory.
 */
int ctl_words_join(char **words, int nb, char *line, size_t len, struct plx_err *err);

#endif
