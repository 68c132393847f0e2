/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "conf_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "plx_text.h"
#include "plx_units.h"

/*
 * One value: text to a checked number or string, into its field, and back to the text that reads as
 * the same value. Parsing is apart from storing, so that a file is checked to its end before
 * anything changes.
 */

static const struct {
	const char *name;
	bool value;
} bool_words[] = {
	{ "on", true },   { "off", false },   { "yes", true }, { "no", false },
	{ "true", true }, { "false", false }, { "1", true },   { "0", false },
};

static int
refuse(const struct plx_opt *opt, const char *text, struct plx_err *err)
{
	char shown[80], range[160];

	conf_value_range(opt, range, sizeof(range));
	return plx_err_set(err, -EINVAL, "%s.%s: \"%s\" is not taken; give %s", opt->section,
			   opt->key, plx_text_show(text, shown, sizeof(shown)), range);
}

static int
number_parse(const struct plx_opt *opt, const char *text, uint64_t *out, struct plx_err *err)
{
	uint64_t number = 0;
	int ret;

	if (opt->type == PLX_OPT_SIZE)
		ret = plx_parse_size(text, &number);
	else if (opt->type == PLX_OPT_DURATION)
		ret = plx_parse_duration_us(text, &number);
	else
		ret = plx_parse_u64(text, &number);
	if (ret < 0 || number < opt->min || number > opt->max)
		return refuse(opt, text, err);
	if (opt->pow2 && (number & (number - 1)) != 0)
		return refuse(opt, text, err);
	*out = number;
	return 0;
}

static int
bool_parse(const struct plx_opt *opt, const char *text, uint64_t *out, struct plx_err *err)
{
	for (size_t i = 0; i < PLX_ARRAY_SIZE(bool_words); i++) {
		if (strcasecmp(text, bool_words[i].name) == 0) {
			*out = bool_words[i].value;
			return 0;
		}
	}
	return refuse(opt, text, err);
}

static int
enum_parse(const struct plx_opt *opt, const char *text, uint64_t *out, struct plx_err *err)
{
	for (const struct plx_opt_choice *c = opt->choices; c->name != NULL; c++) {
		if (strcmp(text, c->name) == 0) {
			*out = (uint64_t)(int64_t)c->value;
			return 0;
		}
	}
	return refuse(opt, text, err);
}

static int
text_parse(const struct plx_opt *opt, const char *text, char *out, struct plx_err *err)
{
	size_t len = strlen(text);

	if (len < opt->min || len > opt->max || !plx_text_is_plain(text, len))
		return refuse(opt, text, err);
	memcpy(out, text, len + 1);
	return 0;
}

int
conf_value_parse(const struct plx_opt *opt, const char *text, struct conf_value *out,
		 struct plx_err *err)
{
	switch (opt->type) {
	case PLX_OPT_BOOL:
		return bool_parse(opt, text, &out->number, err);
	case PLX_OPT_U32:
	case PLX_OPT_SIZE:
	case PLX_OPT_DURATION:
		return number_parse(opt, text, &out->number, err);
	case PLX_OPT_ENUM:
		return enum_parse(opt, text, &out->number, err);
	case PLX_OPT_TEXT:
		return text_parse(opt, text, out->text, err);
	default:
		return refuse(opt, text, err);
	}
}

size_t
conf_value_bytes(const struct plx_opt *opt)
{
	switch (opt->type) {
	case PLX_OPT_BOOL:
		return sizeof(bool);
	case PLX_OPT_U32:
	case PLX_OPT_DURATION:
		return sizeof(uint32_t);
	case PLX_OPT_SIZE:
		return sizeof(uint64_t);
	case PLX_OPT_ENUM:
		return sizeof(int);
	case PLX_OPT_TEXT:
		return (size_t)opt->max + 1;
	default:
		return 0;
	}
}

/* memcpy: a table may describe a packed or odd layout, and the field's type is known here only */
void
conf_value_store(const struct plx_opt *opt, void *data, const struct conf_value *value)
{
	char *field = (char *)data + opt->offset;
	const bool flag = value->number != 0;
	const uint32_t small = (uint32_t)value->number;
	const int choice = (int)(int64_t)value->number;

	switch (opt->type) {
	case PLX_OPT_BOOL:
		memcpy(field, &flag, sizeof(flag));
		break;
	case PLX_OPT_U32:
	case PLX_OPT_DURATION:
		memcpy(field, &small, sizeof(small));
		break;
	case PLX_OPT_SIZE:
		memcpy(field, &value->number, sizeof(value->number));
		break;
	case PLX_OPT_ENUM:
		memcpy(field, &choice, sizeof(choice));
		break;
	case PLX_OPT_TEXT:
		memcpy(field, value->text, strlen(value->text) + 1);
		break;
	default:
		break;
	}
}

static const char *
choice_name(const struct plx_opt *opt, int value)
{
	for (const struct plx_opt_choice *c = opt->choices; c->name != NULL; c++) {
		if (c->value == value)
			return c->name;
	}
	return "?";
}

static void
number_format(const struct plx_opt *opt, uint64_t number, char *buf, size_t len)
{
	char text[32];

	if (opt->type == PLX_OPT_SIZE)
		plx_format_size(number, text, sizeof(text));
	else if (opt->type == PLX_OPT_DURATION)
		plx_format_duration_us(number, text, sizeof(text));
	else
		snprintf(text, sizeof(text), "%" PRIu64, number);
	snprintf(buf, len, "%s", text);
}

void
conf_value_format(const struct plx_opt *opt, const void *data, char *buf, size_t len)
{
	const char *field = (const char *)data + opt->offset;
	uint64_t wide = 0;
	uint32_t small = 0;
	bool flag = false;
	int choice = 0;

	switch (opt->type) {
	case PLX_OPT_BOOL:
		memcpy(&flag, field, sizeof(flag));
		snprintf(buf, len, "%s", flag ? "on" : "off");
		break;
	case PLX_OPT_U32:
	case PLX_OPT_DURATION:
		memcpy(&small, field, sizeof(small));
		number_format(opt, small, buf, len);
		break;
	case PLX_OPT_SIZE:
		memcpy(&wide, field, sizeof(wide));
		number_format(opt, wide, buf, len);
		break;
	case PLX_OPT_ENUM:
		memcpy(&choice, field, sizeof(choice));
		snprintf(buf, len, "%s", choice_name(opt, choice));
		break;
	case PLX_OPT_TEXT:
		snprintf(buf, len, "%.*s", (int)opt->max, field);
		break;
	default:
		buf[0] = '\0';
		break;
	}
}

static void
choices_format(const struct plx_opt *opt, char *buf, size_t len)
{
	size_t used = 0;

	buf[0] = '\0';
	for (const struct plx_opt_choice *c = opt->choices; c->name != NULL; c++) {
		const char *comma = used > 0 ? ", " : "";

		if (used + strlen(comma) + strlen(c->name) + 5 > len && c[1].name != NULL) {
			snprintf(buf + used, len - used, "...");
			return;
		}
		used += (size_t)snprintf(buf + used, len - used, "%s%s", comma, c->name);
		if (used >= len)
			return;
	}
}

void
conf_value_range(const struct plx_opt *opt, char *buf, size_t len)
{
	char low[32], high[32];

	switch (opt->type) {
	case PLX_OPT_BOOL:
		snprintf(buf, len, "on, off");
		break;
	case PLX_OPT_U32:
	case PLX_OPT_SIZE:
	case PLX_OPT_DURATION:
		number_format(opt, opt->min, low, sizeof(low));
		number_format(opt, opt->max, high, sizeof(high));
		snprintf(buf, len, "%s..%s%s", low, high, opt->pow2 ? ", a power of two" : "");
		break;
	case PLX_OPT_ENUM:
		choices_format(opt, buf, len);
		break;
	case PLX_OPT_TEXT:
		snprintf(buf, len, "text of %" PRIu64 "..%" PRIu64 " bytes", opt->min, opt->max);
		break;
	default:
		buf[0] = '\0';
		break;
	}
}
