/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_fault_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "plx_units.h"

/*
 * The words of a fault: "5%:20ms:limit=3:while=/run/x", read into a rule and written back. Numbers
 * are read by hand, as fractions of 10^9: strtod() depends on the locale.
 */

#define RATE_ONE    ((uint64_t)1000000000)
#define SPEC_MAX    1024
#define DELAY_US    100
#define STALL_US    10000
#define WINDOW      8
#define TIME_US_MAX 3600000000ull

enum detail_kind {
	DETAIL_NONE = 0,
	DETAIL_WORD,
	DETAIL_DURATION,
	DETAIL_NUMBER,
};

struct detail_word {
	const char *name;
	uint64_t value;
};

struct fault_type {
	const char *name;
	enum detail_kind detail;
	uint64_t preset;
	uint64_t min;
	uint64_t max;
	const struct detail_word *words;
	const char *want;
};

static const struct detail_word fail_words[] = {
	{ "error", RTE_CRYPTO_OP_STATUS_ERROR },
	{ "auth", RTE_CRYPTO_OP_STATUS_AUTH_FAILED },
	{ "invalid", RTE_CRYPTO_OP_STATUS_INVALID_ARGS },
	{ NULL, 0 },
};

static const struct detail_word foreign_words[] = {
	{ "unknown", 0 },
	{ "twice", 1 },
	{ NULL, 0 },
};

static const struct fault_type types[PLX_FAULT_NB] = {
	[PLX_FAULT_REFUSE] = { .name = "refuse", .want = "nothing" },
	[PLX_FAULT_BAD_STATUS] = { .name = "bad_status", .want = "nothing" },
	[PLX_FAULT_TOUCH] = { .name = "touch", .want = "nothing" },
	[PLX_FAULT_FAIL] = { .name = "fail",
			     .detail = DETAIL_WORD,
			     .preset = RTE_CRYPTO_OP_STATUS_ERROR,
			     .words = fail_words,
			     .want = "error, auth or invalid" },
	[PLX_FAULT_CORRUPT] = { .name = "corrupt", .want = "nothing" },
	[PLX_FAULT_DELAY] = { .name = "delay",
			      .detail = DETAIL_DURATION,
			      .preset = DELAY_US,
			      .min = 1,
			      .max = TIME_US_MAX,
			      .want = "a duration of 1us..60m" },
	[PLX_FAULT_REORDER] = { .name = "reorder",
				.detail = DETAIL_NUMBER,
				.preset = WINDOW,
				.min = 2,
				.max = FAULT_WINDOW_MAX,
				.want = "a window of 2..64" },
	[PLX_FAULT_STALL] = { .name = "stall",
			      .detail = DETAIL_DURATION,
			      .preset = STALL_US,
			      .min = 1,
			      .max = TIME_US_MAX,
			      .want = "a duration of 1us..60m" },
	[PLX_FAULT_VANISH] = { .name = "vanish", .want = "nothing" },
	[PLX_FAULT_FOREIGN] = { .name = "foreign",
				.detail = DETAIL_WORD,
				.preset = 0,
				.words = foreign_words,
				.want = "unknown or twice" },
};

const char *
plx_fault_name(unsigned int kind)
{
	return kind < PLX_FAULT_NB ? types[kind].name : NULL;
}

static unsigned int
kind_find(const char *name)
{
	unsigned int kind = 0;

	while (kind < PLX_FAULT_NB && strcmp(types[kind].name, name) != 0)
		kind++;
	return kind;
}

bool
fault_plan_has(const char *key)
{
	return kind_find(key) < PLX_FAULT_NB || strcmp(key, "seed") == 0;
}

/* "12.5" as a multiple of 10^-9; up to nine decimals. */
static int
decimal_read(const char *text, size_t len, uint64_t *out)
{
	uint64_t value = 0;
	uint64_t unit = RATE_ONE;
	bool in_fraction = false;
	size_t digits = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '.' && !in_fraction) {
			in_fraction = true;
			continue;
		}
		if (text[i] < '0' || text[i] > '9' || digits > 12 || unit == 0)
			return -EINVAL;
		digits++;
		if (!in_fraction) {
			value = value * 10 + (uint64_t)(text[i] - '0') * RATE_ONE;
		} else {
			unit /= 10;
			value += (uint64_t)(text[i] - '0') * unit;
		}
	}
	if (digits == 0 || value / RATE_ONE > 100)
		return -EINVAL;
	*out = value;
	return 0;
}

static int
share_read(const char *text, struct fault_rule *rule)
{
	size_t len = strlen(text);
	bool is_percent = len > 0 && text[len - 1] == '%';
	uint64_t value;

	if (decimal_read(text, is_percent ? len - 1 : len, &value) < 0)
		return -EINVAL;
	if (is_percent)
		value /= 100;
	if (value > RATE_ONE)
		return -EINVAL;
	rule->when = value == 0 ? FAULT_OFF : value == RATE_ONE ? FAULT_ALWAYS : FAULT_RANDOM;
	rule->threshold = (uint32_t)((value << 32) / RATE_ONE);
	return 0;
}

static int
when_read(const char *text, struct fault_rule *rule)
{
	if (strlen(text) >= sizeof(rule->rate))
		return -EINVAL;
	memcpy(rule->rate, text, strlen(text) + 1);
	if (strcmp(text, "off") == 0) {
		rule->when = FAULT_OFF;
		return 0;
	}
	if (strcmp(text, "always") == 0) {
		rule->when = FAULT_ALWAYS;
		return 0;
	}
	if (strncmp(text, "1/", 2) == 0) {
		rule->when = FAULT_NTH;
		return plx_parse_u64(text + 2, &rule->nth) < 0 || rule->nth == 0 ? -EINVAL : 0;
	}
	return share_read(text, rule);
}

static int
detail_read(const struct fault_type *type, const char *text, uint64_t *out)
{
	uint64_t value = 0;
	int ret = -EINVAL;

	if (type->detail == DETAIL_WORD) {
		for (const struct detail_word *w = type->words; w->name != NULL; w++) {
			if (strcmp(w->name, text) == 0) {
				*out = w->value;
				return 0;
			}
		}
		return -EINVAL;
	}
	if (type->detail == DETAIL_DURATION)
		ret = plx_parse_duration_us(text, &value);
	else if (type->detail == DETAIL_NUMBER)
		ret = plx_parse_u64(text, &value);
	if (ret < 0 || value < type->min || value > type->max)
		return -EINVAL;
	*out = value;
	return 0;
}

/* One word behind WHEN. */
static int
word_read(const struct fault_type *type, const char *word, struct fault_rule *rule,
	  struct plx_err *err)
{
	if (strncmp(word, "limit=", 6) == 0) {
		rule->has_limit = true;
		if (plx_parse_u64(word + 6, &rule->limit) < 0 || rule->limit == 0)
			return plx_err_set(err, -EINVAL, "%s: %s: want a whole number from 1",
					   type->name, word);
		return 0;
	}
	if (strncmp(word, "while=", 6) == 0) {
		size_t len = strlen(word + 6);

		if (len == 0 || len >= sizeof(rule->file))
			return plx_err_set(err, -EINVAL, "%s: %s: want a file name of 1..%zu bytes",
					   type->name, word, sizeof(rule->file) - 1);
		memcpy(rule->file, word + 6, len + 1);
		return 0;
	}
	if (detail_read(type, word, &rule->detail) < 0)
		return plx_err_set(err, -EINVAL, "%s: '%s': want %s, limit=N or while=FILE",
				   type->name, word, type->want);
	return 0;
}

static int
rule_read(unsigned int kind, const char *value, struct fault_rule *out, struct plx_err *err)
{
	struct fault_rule rule = { .detail = types[kind].preset };
	char copy[SPEC_MAX];
	char *rest = copy;
	char *word;
	int ret;

	if (strlen(value) >= sizeof(copy))
		return plx_err_set(err, -EINVAL, "%s: the value is longer than %zu bytes",
				   types[kind].name, sizeof(copy) - 1);
	memcpy(copy, value, strlen(value) + 1);
	word = strsep(&rest, ":");
	if (when_read(word, &rule) < 0)
		return plx_err_set(
			err, -EINVAL,
			"%s=%s: want off, always, a share such as 5%% or 0.05, or 1/N for each N-th",
			types[kind].name, value);
	while ((word = strsep(&rest, ":")) != NULL) {
		ret = word_read(&types[kind], word, &rule, err);
		if (ret < 0)
			return ret;
	}
	*out = rule;
	return 0;
}

int
fault_plan_set_one(struct fault_plan *plan, const char *key, const char *value, struct plx_err *err)
{
	unsigned int kind = kind_find(key);
	struct fault_rule rule;
	int ret;

	if (strcmp(key, "seed") == 0) {
		ret = plx_pmd_arg_uint(key, value, 0, UINT64_MAX, &plan->seed, err);
		if (ret == 0)
			plan->seed_serial = ++plan->serial;
		return ret;
	}
	if (kind == PLX_FAULT_NB)
		return plx_err_set(
			err, -EINVAL,
			"'%s' is no fault; there are refuse, bad_status, touch, fail, corrupt, delay, "
			"reorder, stall, vanish and foreign, and seed",
			key);
	ret = rule_read(kind, value, &rule, err);
	if (ret < 0)
		return ret;
	rule.serial = ++plan->serial;
	plan->rules[kind] = rule;
	return 0;
}

static int
spec_arg(void *arg, const char *key, const char *value, struct plx_err *err)
{
	return fault_plan_set_one(arg, key, value, err);
}

void
fault_plan_init(struct fault_plan *plan)
{
	memset(plan, 0, sizeof(*plan));
	plan->seed = 1;
	plan->seed_serial = ++plan->serial;
}

int
fault_plan_parse(struct fault_plan *plan, const char *spec, struct plx_err *err)
{
	if (spec == NULL || spec[0] == '\0')
		return plx_err_set(
			err, -EINVAL,
			"no fault is named; want 'off' or such as 'refuse=5%%,fail=1%%'");
	if (strcmp(spec, "off") == 0) {
		for (unsigned int kind = 0; kind < PLX_FAULT_NB; kind++)
			plan->rules[kind] = (struct fault_rule){ .serial = ++plan->serial };
		return 0;
	}
	return plx_pmd_args_walk(spec, spec_arg, plan, err);
}

static void
detail_write(const struct fault_type *type, uint64_t detail, char *buf, size_t len)
{
	char number[32];

	buf[0] = '\0';
	if (type->detail == DETAIL_WORD) {
		for (const struct detail_word *w = type->words; w->name != NULL; w++) {
			if (w->value == detail)
				snprintf(buf, len, ":%s", w->name);
		}
	} else if (type->detail == DETAIL_DURATION) {
		snprintf(buf, len, ":%s", plx_format_duration_us(detail, number, sizeof(number)));
	} else if (type->detail == DETAIL_NUMBER) {
		snprintf(buf, len, ":%" PRIu64, detail);
	}
}

static int
rule_write(unsigned int kind, const struct fault_rule *rule, char *buf, size_t len)
{
	char detail[48];
	char limit[32] = "";

	detail_write(&types[kind], rule->detail, detail, sizeof(detail));
	if (rule->has_limit)
		snprintf(limit, sizeof(limit), ":limit=%" PRIu64, rule->limit);
	return snprintf(buf, len, "%s=%s%s%s%s%s", types[kind].name, rule->rate, detail, limit,
			rule->file[0] != '\0' ? ":while=" : "", rule->file);
}

int
fault_plan_format(const struct fault_plan *plan, char *buf, size_t len)
{
	size_t used = 0;

	for (unsigned int kind = 0; kind < PLX_FAULT_NB; kind++) {
		int n;

		if (plan->rules[kind].when == FAULT_OFF)
			continue;
		if (used > 0 && used + 1 < len)
			buf[used++] = ',';
		n = rule_write(kind, &plan->rules[kind], buf + used, len - used);
		if (n < 0 || (size_t)n >= len - used)
			return -ENOSPC;
		used += (size_t)n;
	}
	if (used == 0 && snprintf(buf, len, "off") >= (int)len)
		return -ENOSPC;
	return 0;
}
