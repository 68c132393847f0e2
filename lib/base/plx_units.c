/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/*
 * Readers and writers of the numbers in options and commands. strtoull() is not used: it takes
 * signs, blanks and octal, and depends on the locale.
 */

struct unit {
	const char *name;
	uint64_t factor;
};

#define KIB ((uint64_t)1024)

/* The spellings read; the first of each factor is the one written. Largest factor first. */
static const struct unit size_units[] = {
	{ "g", KIB *KIB *KIB },
	{ "gb", KIB *KIB *KIB },
	{ "gib", KIB *KIB *KIB },
	{ "m", KIB *KIB },
	{ "mb", KIB *KIB },
	{ "mib", KIB *KIB },
	{ "k", KIB },
	{ "kb", KIB },
	{ "kib", KIB },
	{ "", 1 },
	{ "b", 1 },
};

static const struct unit time_units[] = {
	{ "m", 60000000 }, { "s", 1000000 }, { "ms", 1000 }, { "us", 1 }, { "", 1 },
};

static int
digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Read the digits at the start of text; *end is where they stop. */
static int
number_read(const char *text, const char **end, uint64_t *out)
{
	uint64_t value = 0;
	unsigned int base = 10;
	const char *p = text;
	const char *first;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		base = 16;
		p += 2;
	}
	for (first = p;; p++) {
		int digit = digit_value(*p);

		if (digit < 0 || (unsigned int)digit >= base)
			break;
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(unsigned int)digit, &value))
			return -ERANGE;
	}
	if (p == first)
		return -EINVAL;
	*end = p;
	*out = value;
	return 0;
}

static int
quantity_read(const char *text, const struct unit *units, size_t nb_units, uint64_t *out)
{
	const char *suffix;
	uint64_t value;
	int ret;

	if (text == NULL)
		return -EINVAL;
	ret = number_read(text, &suffix, &value);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < nb_units; i++) {
		if (strcasecmp(suffix, units[i].name) != 0)
			continue;
		if (__builtin_mul_overflow(value, units[i].factor, &value))
			return -ERANGE;
		*out = value;
		return 0;
	}
	return -EINVAL;
}

int
plx_parse_u64(const char *text, uint64_t *out)
{
	static const struct unit none[] = { { "", 1 } };

	return quantity_read(text, none, PLX_ARRAY_SIZE(none), out);
}

int
plx_parse_size(const char *text, uint64_t *out)
{
	return quantity_read(text, size_units, PLX_ARRAY_SIZE(size_units), out);
}

int
plx_parse_duration_us(const char *text, uint64_t *out)
{
	return quantity_read(text, time_units, PLX_ARRAY_SIZE(time_units), out);
}

static const char *
quantity_write(uint64_t value, const struct unit *units, char *buf, size_t len)
{
	/* both tables end in factor 1, which divides everything */
	while (units->factor != 1 && (value == 0 || value % units->factor != 0))
		units++;
	snprintf(buf, len, "%" PRIu64 "%s", value / units->factor, units->name);
	return buf;
}

const char *
plx_format_size(uint64_t bytes, char *buf, size_t len)
{
	return quantity_write(bytes, size_units, buf, len);
}

const char *
plx_format_duration_us(uint64_t us, char *buf, size_t len)
{
	return quantity_write(us, time_units, buf, len);
}

void
plx_hex_encode(const void *bytes, size_t len, char *text)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *p = bytes;

	for (size_t i = 0; i < len; i++) {
		text[2 * i] = digits[p[i] >> 4];
		text[2 * i + 1] = digits[p[i] & 15];
	}
	text[2 * len] = '\0';
}

int
plx_hex_decode(const char *text, void *bytes, size_t max)
{
	size_t digits = strlen(text);
	uint8_t *p = bytes;

	for (size_t i = 0; i < digits; i++) {
		if (digit_value(text[i]) < 0)
			return -EINVAL;
	}
	if (digits % 2 != 0)
		return -EINVAL;
	if (digits / 2 > max || digits / 2 > INT32_MAX)
		return -ERANGE;
	for (size_t i = 0; i < digits; i += 2)
		p[i / 2] = (uint8_t)(digit_value(text[i]) << 4 | digit_value(text[i + 1]));
	return (int)(digits / 2);
}
