/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#undef plx_err_set /* the analyzer's view of it, see there */

int
plx_err_set(struct plx_err *err, int code, const char *fmt, ...)
{
	struct plx_err fresh = { { 0 } }; /* an argument may be the old sentence itself */
	va_list ap;

	if (err == NULL)
		return code;

	va_start(ap, fmt);
	vsnprintf(fresh.text, sizeof(fresh.text), fmt, ap);
	va_end(ap);

	*err = fresh;
	return code;
}

void
plx_err_prefix(struct plx_err *err, const char *fmt, ...)
{
	struct plx_err fresh = { { 0 } };
	va_list ap;
	size_t len, room;

	if (err == NULL)
		return;

	va_start(ap, fmt);
	vsnprintf(fresh.text, sizeof(fresh.text), fmt, ap);
	va_end(ap);

	len = strlen(fresh.text);
	room = sizeof(fresh.text) - len;
	snprintf(fresh.text + len, room, ": %.*s", (int)room, err->text);
	*err = fresh;
}
