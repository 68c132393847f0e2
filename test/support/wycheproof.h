/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_SUPPORT_WYCHEPROOF_H
#define TEST_SUPPORT_WYCHEPROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reader of Wycheproof's JSON files (AEAD, MAC, cipher and PKCS#1 verification groups). */

enum wycheproof_result {
	WYCHEPROOF_VALID = 1,
	WYCHEPROOF_INVALID,
	WYCHEPROOF_ACCEPTABLE,
};

struct wycheproof_bytes {
	uint8_t *data; /* never NULL */
	size_t len;
};

struct wycheproof_case {
	int id;
	char comment[80];
	enum wycheproof_result result;
	size_t tag_bytes; /* of the group; 0 when it has none */
	/* empty when the case has no such field */
	struct wycheproof_bytes key;
	struct wycheproof_bytes iv;
	struct wycheproof_bytes aad;
	struct wycheproof_bytes msg;
	struct wycheproof_bytes ct;
	struct wycheproof_bytes tag;
	struct wycheproof_bytes sig;
	/* of the group, NULL when it has none; the file's */
	const char *sha;
	const char *pem;
};

struct wycheproof_file {
	struct wycheproof_case *cases;
	size_t nb;
	void *json; /* holds the groups' strings */
};

/* The folder with the files: PLX_VECTORS or fallback, with "/wycheproof". False, and said on
 * standard output with both names, when there is none. */
bool wycheproof_folder(const char *fallback, char *folder, size_t len);

/* Read folder/name. False, with a sentence on standard error, when it is not there, is not what it
 * should be, or has another number of cases than it says. */
bool wycheproof_load(const char *folder, const char *name, struct wycheproof_file *file);
void wycheproof_free(struct wycheproof_file *file);

#endif
