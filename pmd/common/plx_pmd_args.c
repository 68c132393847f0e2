/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_pmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plx_units.h"

/*
 * Device arguments. rte_kvargs is not used: it takes the last "=" of a pair for the separator, has
 * no lists with
 * "=" in them, and answers with a number where an operator needs a sentence.
 */

/* End of the pair that begins at p: the next comma outside brackets, or the end. NULL when a
 * bracket stays open. */
static char *
pair_end(char *p)
{
	unsigned int depth = 0;

	for (; *p != '\0'; p++) {
		if (*p == '[')
			depth++;
		else if (*p == ']' && depth > 0)
			depth--;
		else if (*p == ',' && depth == 0)
			break;
	}
	return depth == 0 ? p : NULL;
}

static void
brackets_strip(char **value)
{
	size_t len = strlen(*value);

	if (len < 2 || (*value)[0] != '[' || (*value)[len - 1] != ']')
		return;
	(*value)[len - 1] = '\0';
	(*value)++;
}

static int
pair_give(char *pair, plx_pmd_arg_fn fn, void *arg, struct plx_err *err)
{
	char *value = strchr(pair, '=');

	if (value == NULL || value == pair)
		return plx_err_set(err, -EINVAL, "argument '%s' is not of the form key=value",
				   pair);
	*value++ = '\0';
	brackets_strip(&value);
	return fn(arg, pair, value, err);
}

int
plx_pmd_args_walk(const char *args, plx_pmd_arg_fn fn, void *arg, struct plx_err *err)
{
	char *copy;
	char *next;
	int ret = 0;

	if (args == NULL || args[0] == '\0')
		return 0;
	copy = strdup(args);
	if (copy == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for the arguments");
	for (char *p = copy; ret == 0 && *p != '\0'; p = next) {
		char *end = pair_end(p);

		if (end == NULL) {
			ret = plx_err_set(err, -EINVAL, "'[' without ']' in '%s'", p);
			break;
		}
		next = *end == ',' ? end + 1 : end;
		*end = '\0';
		if (end != p)
			ret = pair_give(p, fn, arg, err);
	}
	free(copy);
	return ret;
}

int
plx_pmd_arg_uint(const char *key, const char *value, uint64_t min, uint64_t max, uint64_t *out,
		 struct plx_err *err)
{
	uint64_t number;

	if (plx_parse_u64(value, &number) < 0 || number < min || number > max)
		return plx_err_set(err, -EINVAL, "%s=%s: want a whole number %" PRIu64 "..%" PRIu64,
				   key, value, min, max);
	*out = number;
	return 0;
}
