/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "demo_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Files of the demo: which one it takes, and where its own go. */

#define FILE_MAX (256u << 20)

int
demo_dir_make(struct demo_dir *dir, const char *file, struct plx_err *err)
{
	const char *base = getenv("TMPDIR");
	unsigned long long room, need;
	struct statvfs fs;
	struct stat st;

	if (base == NULL || base[0] != '/')
		base = "/tmp";
	if (stat(file, &st) < 0)
		return plx_err_set(err, -errno, "%s: %s", file, strerror(errno));
	if (statvfs(base, &fs) == 0) {
		room = (unsigned long long)fs.f_bavail * fs.f_frsize;
		need = (unsigned long long)st.st_size * 5 / 2;
		if (room < need)
			return plx_err_set(
				err, -ENOSPC,
				"%s has %llu MB free and %llu are needed for %s: name a smaller file, "
				"or another folder in TMPDIR",
				base, room >> 20, need >> 20, file);
	}
	if ((size_t)snprintf(dir->path, sizeof(dir->path), "%s/pollux-demo-XXXXXX", base) >=
	    sizeof(dir->path)) {
		dir->path[0] = '\0';
		return plx_err_set(err, -ENAMETOOLONG, "TMPDIR is too long");
	}
	if (mkdtemp(dir->path) == NULL) {
		dir->path[0] = '\0';
		return plx_err_set(err, -errno, "%s: %s", base, strerror(errno));
	}
	return 0;
}

const char *
demo_path(struct demo_dir *dir, const char *name)
{
	size_t at = strlen(dir->path) + 1;
	unsigned int i;

	for (i = 0; i < dir->nb_names; i++)
		if (strcmp(dir->names[i] + at, name) == 0)
			return dir->names[i];
	if (dir->nb_names == DEMO_NAMES_MAX ||
	    asprintf(&dir->names[dir->nb_names], "%s/%s", dir->path, name) < 0)
		return ""; /* no file has this name: opening it fails */
	return dir->names[dir->nb_names++];
}

void
demo_remove(struct demo_dir *dir, const char *name)
{
	unlink(demo_path(dir, name));
}

void
demo_dir_remove(struct demo_dir *dir)
{
	unsigned int i;

	for (i = 0; i < dir->nb_names; i++) {
		unlink(dir->names[i]);
		free(dir->names[i]);
	}
	rmdir(dir->path);
}

int
demo_find_file(char *buf, size_t len, struct plx_err *err)
{
	char root[] = "/usr/lib";
	char *const roots[] = { root, NULL };
	off_t best = 0;
	FTSENT *entry;
	FTS *walk;

	walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	if (walk == NULL)
		return plx_err_set(err, -errno, "%s: %s", root, strerror(errno));
	while ((entry = fts_read(walk)) != NULL) {
		if (entry->fts_info != FTS_F || !S_ISREG(entry->fts_statp->st_mode) ||
		    entry->fts_statp->st_size <= best || entry->fts_statp->st_size > FILE_MAX ||
		    strlen(entry->fts_path) >= len || access(entry->fts_path, R_OK) < 0)
			continue;
		best = entry->fts_statp->st_size;
		snprintf(buf, len, "%s", entry->fts_path);
	}
	fts_close(walk);
	if (best == 0)
		return plx_err_set(err, -ENOENT, "there is no readable file under %s: name one",
				   root);
	return 0;
}

int
demo_flip_bit(const char *path, struct plx_err *err)
{
	struct stat st;
	uint8_t byte;
	int fd, ret = 0;

	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return plx_err_set(err, -errno, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) < 0 || pread(fd, &byte, 1, st.st_size / 2) != 1) {
		ret = plx_err_set(err, -EIO, "%s cannot be read", path);
	} else {
		byte ^= 1;
		if (pwrite(fd, &byte, 1, st.st_size / 2) != 1)
			ret = plx_err_set(err, -EIO, "%s cannot be written", path);
	}
	close(fd);
	return ret;
}
