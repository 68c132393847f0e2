/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef DEMO_DIR_H
#define DEMO_DIR_H

#include <limits.h>
#include <stddef.h>

#include "plx_err.h"

#define DEMO_NAMES_MAX 12

/* A folder of this user's alone for what the demo writes. */
struct demo_dir {
	char path[PATH_MAX - 64];
	char *names[DEMO_NAMES_MAX];
	unsigned int nb_names;
};

/* Make it below $TMPDIR or /tmp, with room for two and a half times the file. */
int demo_dir_make(struct demo_dir *dir, const char *file, struct plx_err *err);
void demo_dir_remove(struct demo_dir *dir);

/* The path of a name in it; it lives as long as the folder. */
const char *demo_path(struct demo_dir *dir, const char *name);
void demo_remove(struct demo_dir *dir, const char *name);

/* The largest readable regular file under the library folder, up to 256 MB. */
int demo_find_file(char *buf, size_t len, struct plx_err *err);

/* Change one bit in the middle of a file. */
int demo_flip_bit(const char *path, struct plx_err *err);

#endif
