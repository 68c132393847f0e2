/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef SOCKET_PATH_H
#define SOCKET_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "plx_err.h"

/*
 * The control socket's path for what the user wrote: a path as it is, "none" empty, "auto" the
 * default of this user. With make_folder the default's folder is made, mode 0700, and refused when
 * somebody else owns it.
 */
int socket_path_find(const char *wanted, bool make_folder, char *buf, size_t len,
		     struct plx_err *err);

#endif
