/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef DEMO_TOOL_H
#define DEMO_TOOL_H

#include <stddef.h>

#include "plx_err.h"

/* Run a program to its end: 0 when it exits 0. Its standard output goes to the file out, or where
 * ours goes. */
int demo_tool(const char *const argv[], const char *out, struct plx_err *err);

/* The same, with what it writes as text. */
int demo_tool_text(const char *const argv[], char *buf, size_t len, struct plx_err *err);

/*
 * Open an AES-256-GCM file of ours record by record with OpenSSL's EVP functions, in this process,
 * and compare with the file it was made of.
 */
int demo_open_sealed(const char *sealed, const char *plain, const char *key_hex,
		     struct plx_err *err);

#endif
