/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef DEMO_H
#define DEMO_H

struct app;

/*
 * Encrypt, decrypt, hash, sign and verify one file through the engines, each result checked by
 * OpenSSL or coreutils. @p file NULL: the largest readable one under the system's library folder.
 * Exit code: 0 when each row was checked.
 */
int demo_run(struct app *app, const char *file);

#endif
