/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * The UTF-8 reader follows the well-formed byte sequences of the Unicode standard (table 3-7): no
 * overlong forms, no surrogates, nothing beyond U+10FFFF. It does not depend on the locale, so that
 * a daemon and its tests agree.
 */

#define WORD_MAX 63

struct range {
	uint32_t first, last;
};

/* Characters that move the cursor, hide, or change the direction of what stands around them. */
static const struct range hidden[] = {
	{ 0x0000, 0x001f },   { 0x007f, 0x009f }, { 0x00ad, 0x00ad }, { 0x061c, 0x061c },
	{ 0x180e, 0x180e },   { 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },
	{ 0xfeff, 0xfeff },   { 0xfff9, 0xfffb }, { 0xfffe, 0xffff }, { 0x1d173, 0x1d17a },
	{ 0xe0000, 0xe0fff },
};

/* Bytes of the well-formed sequence at p, 0 when there is none; its code point in *out. */
static size_t
utf8_read(const uint8_t *p, size_t len, uint32_t *out)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t code;
	size_t need;

	if (len == 0)
		return 0;
	if (p[0] < 0x80) {
		*out = p[0];
		return 1;
	}
	need = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	if (p[0] < 0xc2 || p[0] > 0xf4 || need > len)
		return 0;
	code = p[0] & (0x7fu >> need);
	for (size_t i = 1; i < need; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3fu);
	}
	if (code < least[need] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*out = code;
	return need;
}

size_t
plx_text_char(const char *text, size_t len)
{
	uint32_t code = 0;
	size_t used = utf8_read((const uint8_t *)text, len, &code);

	for (size_t i = 0; used > 0 && i < PLX_ARRAY_SIZE(hidden); i++) {
		if (code >= hidden[i].first && code <= hidden[i].last)
			return 0;
	}
	return used;
}

bool
plx_text_is_plain(const char *text, size_t len)
{
	size_t used;

	for (size_t i = 0; i < len; i += used) {
		used = text[i] == '\t' ? 1 : plx_text_char(text + i, len - i);
		if (used == 0)
			return false;
	}
	return true;
}

const char *
plx_text_show(const char *text, char *buf, size_t size)
{
	size_t len = strlen(text);
	size_t out = 0, cut = 0; /* cut: where "..." still fits behind */

	for (size_t i = 0; i < len;) {
		size_t used = plx_text_char(text + i, len - i);
		char piece[8];
		size_t nb;

		if (used > 0)
			nb = (size_t)snprintf(piece, sizeof(piece), "%.*s", (int)used, text + i);
		else
			nb = (size_t)snprintf(piece, sizeof(piece), "\\x%02x", (uint8_t)text[i]);
		if (out + nb >= size) {
			memcpy(buf + cut, "...", 4);
			return buf;
		}
		memcpy(buf + out, piece, nb);
		out += nb;
		i += used > 0 ? used : 1;
		if (out + 4 <= size)
			cut = out;
	}
	buf[out] = '\0';
	return buf;
}

static unsigned int
least_of(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

unsigned int
plx_text_distance(const char *a, const char *b)
{
	unsigned int rows[3][WORD_MAX + 1] = { { 0 } }; /* before last, last, current */
	size_t na = strlen(a), nb = strlen(b);

	if (na > WORD_MAX || nb > WORD_MAX)
		return WORD_MAX;
	for (size_t j = 0; j <= nb; j++)
		rows[1][j] = (unsigned int)j;
	for (size_t i = 1; i <= na; i++) {
		rows[2][0] = (unsigned int)i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned int cost = a[i - 1] == b[j - 1] ? 0 : 1;
			unsigned int best = rows[1][j - 1] + cost;

			best = least_of(best, rows[1][j] + 1);
			best = least_of(best, rows[2][j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				best = least_of(best, rows[0][j - 2] + 1);
			rows[2][j] = best;
		}
		memcpy(rows[0], rows[1], sizeof(rows[0]));
		memcpy(rows[1], rows[2], sizeof(rows[1]));
	}
	return rows[1][nb];
}

bool
plx_text_is_near(const char *word, const char *name)
{
	size_t len = strlen(word);
	unsigned int allowed = len < 6 ? 1 : len < 10 ? 2 : 3;

	if (len == 0)
		return false;
	if (len >= 2 && strncmp(word, name, len) == 0)
		return true;
	/* two one-letter words are one error apart and nothing alike */
	return plx_text_distance(word, name) <= allowed && strlen(name) > allowed && len > 1;
}
