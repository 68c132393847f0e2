/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef UNDER_MEMCHECK_H
#define UNDER_MEMCHECK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A program that looks for branches and addresses made of secrets runs itself under valgrind's
 * memcheck, which speaks up where one is made of bytes that were marked as undefined. "PROGRAM
 * careful" and "PROGRAM leaky" are what runs there.
 */

/*
 * The whole of main(). run does the work with its secrets marked, and then leaks one when it is
 * told to: 0 when it came to its end.
 */
int memcheck_main(int argc, char **argv, int (*run)(bool leaks));

/* Do all these bytes come from a secret? If not, nothing was checked. */
bool memcheck_is_secret(const void *p, size_t len);

/* What code with a table does: speaks up when the byte is a secret. */
void memcheck_leak(const unsigned char *byte);

#endif
