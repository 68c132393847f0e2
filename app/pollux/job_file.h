/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef JOB_FILE_H
#define JOB_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "plx_err.h"

/*
 * Files of a job. The input is a regular file that must not change while it is read. The output has
 * no name, or a temporary one, until it is whole; then it takes its final name in one step.
 */

struct job_in {
	int fd;
	const char *path;
	uint64_t size;
	struct stat st;
};

struct job_out {
	int fd; /* -1: not open */
	char path[PATH_MAX];
	char temp[PATH_MAX]; /* empty while the file has no name at all */
};

int job_in_open(struct job_in *in, const char *path, struct plx_err *err);
/* All len bytes at off, or an error. */
int job_in_read(const struct job_in *in, uint64_t off, void *buf, size_t len, struct plx_err *err);
/* -EIO when size or time of change are not what they were at the start. */
int job_in_check(const struct job_in *in, struct plx_err *err);
/* -EINVAL when path names the same file, under whatever name. */
int job_in_is_not(const struct job_in *in, const char *path, struct plx_err *err);
void job_in_close(struct job_in *in);

/* With is_private only the owner may read the file. */
int job_out_open(struct job_out *out, const char *path, bool is_private, struct plx_err *err);
int job_out_write(struct job_out *out, uint64_t off, const void *buf, size_t len,
		  struct plx_err *err);
/* Give it the final name; with sync it is on the disk before that. */
int job_out_commit(struct job_out *out, bool sync, struct plx_err *err);
/* Forget it, unless it was committed. */
void job_out_close(struct job_out *out);

#endif
