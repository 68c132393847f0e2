/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_keystore.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/evp.h>

#include "keystore_priv.h"

/*
 * The public half of a key as PEM. It is made of the SubjectPublicKeyInfo that was written when the
 * key came in, so no private number is near. A file beside the target is written and moved over it.
 */

#define LINE_BYTES 48 /* of DER on one line of PEM: 64 characters */
#define HEAD       "-----BEGIN PUBLIC KEY-----\n"
#define TAIL       "-----END PUBLIC KEY-----\n"

static size_t
pem_bytes(size_t der_bytes)
{
	return sizeof(HEAD) + sizeof(TAIL) + (der_bytes + 2) / 3 * 4 + der_bytes / LINE_BYTES + 2;
}

static size_t
pem_write(const struct key *key, char *pem)
{
	size_t at = 0, done = 0, nb;

	memcpy(pem, HEAD, sizeof(HEAD) - 1);
	at += sizeof(HEAD) - 1;
	while (done < key->spki_bytes) {
		nb = key->spki_bytes - done < LINE_BYTES ? key->spki_bytes - done : LINE_BYTES;
		at += (size_t)EVP_EncodeBlock((unsigned char *)pem + at, key->spki + done, (int)nb);
		pem[at++] = '\n';
		done += nb;
	}
	memcpy(pem + at, TAIL, sizeof(TAIL) - 1);
	return at + sizeof(TAIL) - 1;
}

static int
refuse_errno(const char *path, const char *what, struct plx_err *err)
{
	int code = errno == 0 ? EIO : errno;

	return plx_err_set(err, -code, "%s: cannot %s: %s", path, what, strerror(code));
}

static int
write_all(int fd, const char *bytes, size_t len)
{
	size_t done = 0;

	while (done < len) {
		ssize_t nb = write(fd, bytes + done, len - done);

		if (nb < 0 && errno != EINTR)
			return -1;
		if (nb > 0)
			done += (size_t)nb;
	}
	return 0;
}

/* A new file with the bytes; readable by all, as a public key may be. */
static int
file_fill(int fd, const char *path, const char *bytes, size_t len, struct plx_err *err)
{
	int ret = 0;

	if (write_all(fd, bytes, len) < 0)
		ret = refuse_errno(path, "write it", err);
	else if (fchmod(fd, S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH) < 0)
		ret = refuse_errno(path, "set its mode", err);
	else if (fsync(fd) < 0)
		ret = refuse_errno(path, "write it to disk", err);
	if (close(fd) < 0 && ret == 0)
		ret = refuse_errno(path, "close it", err);
	return ret;
}

static int
file_replace(const char *path, const char *bytes, size_t len, struct plx_err *err)
{
	char beside[PATH_MAX];
	struct stat st;
	int fd, ret;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return plx_err_set(
			err, -EINVAL,
			"%s: it is not a regular file; name a file to be written or replaced",
			path);
	if (snprintf(beside, sizeof(beside), "%s.XXXXXX", path) >= (int)sizeof(beside))
		return plx_err_set(err, -ENAMETOOLONG, "the path of the file is too long");
	fd = mkstemp(beside);
	if (fd < 0)
		return refuse_errno(path, "make a file beside it", err);

	ret = file_fill(fd, path, bytes, len, err);
	if (ret == 0 && rename(beside, path) < 0)
		ret = refuse_errno(path, "move the new file there", err);
	if (ret < 0)
		unlink(beside);
	return ret;
}

int
plx_key_export_public(struct plx_keystore *ks, plx_key_handle handle, const char *path,
		      struct plx_err *err)
{
	const struct key *key = keystore_key_by_handle(ks, handle, err);
	char *pem;
	int ret;

	if (key == NULL)
		return -ESTALE;
	if (key->spki == NULL)
		return plx_err_set(
			err, -EPERM,
			"key %s/%s is a secret key: it has no public half, and nothing gives a "
			"secret key back",
			key->container->name, key->name);

	pem = malloc(pem_bytes(key->spki_bytes));
	if (pem == NULL)
		return plx_err_set(err, -ENOMEM, "no memory to write a public key");
	ret = file_replace(path, pem, pem_write(key, pem), err);
	free(pem);
	return ret;
}
