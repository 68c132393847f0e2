/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "wycheproof.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "plx_units.h"

bool
wycheproof_folder(const char *fallback, char *folder, size_t len)
{
	const char *named = getenv("PLX_VECTORS");
	const char *base = named != NULL && named[0] != '\0' ? named : fallback;

	snprintf(folder, len, "%s/wycheproof", base);
	if (access(folder, R_OK | X_OK) == 0)
		return true;
	printf("skipped: no folder %s with Wycheproof's files; PLX_VECTORS names its parent\n",
	       folder);
	return false;
}

static bool
bytes_read(const json_t *from, const char *field, struct wycheproof_bytes *out)
{
	const char *text = json_string_value(json_object_get(from, field));
	size_t room = text == NULL ? 0 : strlen(text) / 2;

	out->len = 0;
	out->data = malloc(room + 1);
	if (out->data == NULL)
		return false;
	if (text == NULL)
		return json_object_get(from, field) == NULL;
	if (plx_hex_decode(text, out->data, room) < 0)
		return false;
	out->len = room;
	return true;
}

static bool
result_read(const json_t *from, enum wycheproof_result *out)
{
	static const char *const names[] = {
		[WYCHEPROOF_VALID] = "valid",
		[WYCHEPROOF_INVALID] = "invalid",
		[WYCHEPROOF_ACCEPTABLE] = "acceptable",
	};
	const char *text = json_string_value(json_object_get(from, "result"));

	for (int i = WYCHEPROOF_VALID; text != NULL && i <= WYCHEPROOF_ACCEPTABLE; i++) {
		if (strcmp(text, names[i]) == 0) {
			*out = (enum wycheproof_result)i;
			return true;
		}
	}
	return false;
}

static bool
case_read(const json_t *group, const json_t *test, struct wycheproof_case *c)
{
	const char *comment = json_string_value(json_object_get(test, "comment"));
	bool ok;

	c->id = (int)json_integer_value(json_object_get(test, "tcId"));
	snprintf(c->comment, sizeof(c->comment), "%s", comment == NULL ? "" : comment);
	c->tag_bytes = (size_t)json_integer_value(json_object_get(group, "tagSize")) / 8;
	c->sha = json_string_value(json_object_get(group, "sha"));
	c->pem = json_string_value(json_object_get(group, "publicKeyPem"));
	/* all of them, so that freeing finds each one set */
	ok = bytes_read(test, "key", &c->key);
	ok &= bytes_read(test, "iv", &c->iv);
	ok &= bytes_read(test, "aad", &c->aad);
	ok &= bytes_read(test, "msg", &c->msg);
	ok &= bytes_read(test, "ct", &c->ct);
	ok &= bytes_read(test, "tag", &c->tag);
	ok &= bytes_read(test, "sig", &c->sig);
	return ok && c->id > 0 && result_read(test, &c->result);
}

static bool
cases_read(struct wycheproof_file *file)
{
	const json_t *groups = json_object_get(file->json, "testGroups");
	json_int_t nb = json_integer_value(json_object_get(file->json, "numberOfTests"));
	const json_t *group, *test;
	size_t g, t, at = 0;

	if (nb <= 0 || nb > 1000000)
		return false;
	file->cases = calloc((size_t)nb, sizeof(*file->cases));
	if (file->cases == NULL)
		return false;
	json_array_foreach(groups, g, group)
	{
		json_array_foreach(json_object_get(group, "tests"), t, test)
		{
			if (at == (size_t)nb)
				return false;
			file->nb = at + 1;
			if (!case_read(group, test, &file->cases[at++]))
				return false;
		}
	}
	return at == (size_t)nb;
}

bool
wycheproof_load(const char *folder, const char *name, struct wycheproof_file *file)
{
	char path[PATH_MAX];
	json_error_t err;

	memset(file, 0, sizeof(*file));
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file->json = json_load_file(path, JSON_REJECT_DUPLICATES, &err);
	if (file->json == NULL) {
		fprintf(stderr, "%s:%d: %s\n", path, err.line, err.text);
		return false;
	}
	if (cases_read(file))
		return true;
	fprintf(stderr, "%s: case %zu is not what a Wycheproof file has\n", path, file->nb);
	wycheproof_free(file);
	return false;
}

void
wycheproof_free(struct wycheproof_file *file)
{
	for (size_t i = 0; i < file->nb; i++) {
		struct wycheproof_case *c = &file->cases[i];

		free(c->key.data);
		free(c->iv.data);
		free(c->aad.data);
		free(c->msg.data);
		free(c->ct.data);
		free(c->tag.data);
		free(c->sig.data);
	}
	free(file->cases);
	json_decref(file->json);
	memset(file, 0, sizeof(*file));
}
