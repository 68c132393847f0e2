/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_ctl.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plx_text.h"

#include "ctl_priv.h"

/*
 * An answer as text: an array of objects is a table whose columns are the keys in the order they
 * are first seen, an object is "key: value" lines, anything else is itself. All strings, keys too,
 * go through put_text(): names come from users and files, and a terminal obeys what is in them.
 * JSON is written in ASCII for the same reason.
 */

#define DEPTH_MAX 4 /* objects in objects are indented so far, then written compactly */

struct cell {
	char *text;
	size_t width; /* characters */
	bool is_number;
};

struct table {
	const char **columns;
	size_t nb_columns;
	size_t nb_rows;
	struct cell *cells; /* header first, row by row */
};

static int value_print(FILE *f, const json_t *value, int depth);

/* Bytes that a terminal does not show become \xNN; line ends and tabs pass in free text alone. */
static void
put_text(FILE *f, const char *text, size_t len, bool is_free)
{
	size_t used;

	for (size_t i = 0; i < len; i += used) {
		used = plx_text_char(text + i, len - i);
		if (used > 0) {
			fwrite(text + i, 1, used, f);
			continue;
		}
		used = 1;
		if (is_free && (text[i] == '\n' || text[i] == '\t'))
			fputc(text[i], f);
		else
			fprintf(f, "\\x%02x", (unsigned char)text[i]);
	}
}

static void
put_real(FILE *f, double value)
{
	char text[64];
	size_t len;

	if (fabs(value) >= 1e15 || (fabs(value) > 0 && fabs(value) < 0.001)) {
		fprintf(f, "%.3g", value);
		return;
	}
	len = (size_t)snprintf(text, sizeof(text), "%.3f", value);
	while (text[len - 1] == '0')
		len--;
	if (text[len - 1] == '.')
		len--;
	fwrite(text, 1, len, f);
}

struct json_sink {
	FILE *f;
	bool has_failed;
};

static int
sink_write(const char *bytes, size_t len, void *data)
{
	struct json_sink *sink = data;

	if (fwrite(bytes, 1, len, sink->f) != len)
		sink->has_failed = true;
	return sink->has_failed ? -1 : 0;
}

/* json_dumps() loses a failed write between the pieces of an object and gives half the text: the
 * sink remembers. */
char *
ctl_json_line(const json_t *value)
{
	struct json_sink sink = { 0 };
	char *text = NULL;
	size_t len = 0;
	int ret;

	sink.f = open_memstream(&text, &len);
	if (sink.f == NULL)
		return NULL;
	ret = json_dump_callback(value, sink_write, &sink, CTL_JSON_FLAGS);
	if (fputc('\n', sink.f) == EOF || fflush(sink.f) != 0)
		sink.has_failed = true;
	fclose(sink.f);
	if (ret == 0 && !sink.has_failed)
		return text;
	free(text);
	return NULL;
}

static int
put_compact(FILE *f, const json_t *value)
{
	char *text = ctl_json_line(value);

	if (text == NULL)
		return -ENOMEM;
	put_text(f, text, strlen(text) - 1, false);
	free(text);
	return 0;
}

static bool
is_scalar(const json_t *value)
{
	return !json_is_array(value) && !json_is_object(value);
}

static void
put_scalar(FILE *f, const json_t *value, bool is_free)
{
	switch (json_typeof(value)) {
	case JSON_STRING:
		put_text(f, json_string_value(value), json_string_length(value), is_free);
		break;
	case JSON_INTEGER:
		fprintf(f, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		break;
	case JSON_REAL:
		put_real(f, json_real_value(value));
		break;
	case JSON_TRUE:
		fputs("yes", f);
		break;
	case JSON_FALSE:
		fputs("no", f);
		break;
	case JSON_NULL:
	case JSON_OBJECT:
	case JSON_ARRAY:
	default:
		fputs("-", f);
		break;
	}
}

/* A value in one place of a line: lists with commas, anything deeper as compact JSON. */
static int
put_inline(FILE *f, const json_t *value)
{
	bool is_flat = json_is_array(value);

	if (is_scalar(value)) {
		put_scalar(f, value, false);
		return 0;
	}
	for (size_t i = 0; is_flat && i < json_array_size(value); i++)
		is_flat = is_scalar(json_array_get(value, i));
	if (!is_flat)
		return put_compact(f, value);
	for (size_t i = 0; i < json_array_size(value); i++) {
		fputs(i > 0 ? "," : "", f);
		put_scalar(f, json_array_get(value, i), false);
	}
	return 0;
}

static size_t
text_width(const char *text)
{
	size_t width = 0;

	for (; *text != '\0'; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

/* Write a value, or a plain text when value is NULL, into a cell of its own memory. */
static int
cell_fill(struct cell *cell, const json_t *value, const char *text)
{
	size_t len = 0;
	FILE *f = open_memstream(&cell->text, &len);
	int ret = 0;

	if (f == NULL)
		return -ENOMEM;
	if (value != NULL)
		ret = put_inline(f, value);
	else if (text != NULL)
		put_text(f, text, strlen(text), false);
	if (ftell(f) == 0)
		fputc('-', f);
	if (fclose(f) != 0 || cell->text == NULL || ret < 0)
		return -ENOMEM;
	cell->width = text_width(cell->text);
	cell->is_number = value == NULL || json_is_number(value) || json_is_null(value);
	return 0;
}

static bool
column_known(const struct table *t, const char *key)
{
	for (size_t i = 0; i < t->nb_columns; i++) {
		if (strcmp(t->columns[i], key) == 0)
			return true;
	}
	return false;
}

static int
columns_find(struct table *t, const json_t *rows)
{
	for (size_t i = 0; i < json_array_size(rows); i++) {
		json_t *row = json_array_get(rows, i);
		const char *key;
		json_t *value;

		json_object_foreach(row, key, value)
		{
			const char **grown;

			if (column_known(t, key))
				continue;
			grown = reallocarray(t->columns, t->nb_columns + 1, sizeof(*grown));
			if (grown == NULL)
				return -ENOMEM;
			t->columns = grown;
			t->columns[t->nb_columns++] = key;
		}
	}
	return 0;
}

static struct cell *
cell_at(const struct table *t, size_t row, size_t column)
{
	return &t->cells[row * t->nb_columns + column];
}

static int
cells_fill(struct table *t, const json_t *rows)
{
	int ret = 0;

	t->nb_rows = json_array_size(rows) + 1;
	t->cells = calloc(t->nb_rows * t->nb_columns, sizeof(*t->cells));
	if (t->cells == NULL)
		return -ENOMEM;
	for (size_t c = 0; ret == 0 && c < t->nb_columns; c++)
		ret = cell_fill(cell_at(t, 0, c), NULL, t->columns[c]);
	for (size_t r = 1; ret == 0 && r < t->nb_rows; r++) {
		const json_t *row = json_array_get(rows, r - 1);

		for (size_t c = 0; ret == 0 && c < t->nb_columns; c++) {
			json_t *value = json_object_get(row, t->columns[c]);

			if (value != NULL)
				ret = cell_fill(cell_at(t, r, c), value, NULL);
			else
				ret = cell_fill(cell_at(t, r, c), NULL, "");
		}
	}
	return ret;
}

static void
table_write(FILE *f, const struct table *t, int indent)
{
	for (size_t r = 0; r < t->nb_rows; r++) {
		fprintf(f, "%*s", indent, "");
		for (size_t c = 0; c < t->nb_columns; c++) {
			const struct cell *cell = cell_at(t, r, c);
			bool is_right = true, is_last = c + 1 == t->nb_columns;
			size_t width = 0;
			int pad;

			for (size_t i = 0; i < t->nb_rows; i++) {
				const struct cell *other = cell_at(t, i, c);

				width = other->width > width ? other->width : width;
				is_right = is_right && other->is_number;
			}
			pad = (int)(width - cell->width);
			if (is_right)
				fprintf(f, "%*s%s", pad, "", cell->text);
			else
				fprintf(f, "%s%*s", cell->text, is_last ? 0 : pad, "");
			fputs(is_last ? "\n" : "  ", f);
		}
	}
}

static int
table_print(FILE *f, const json_t *rows, int indent)
{
	struct table t = { 0 };
	int ret = columns_find(&t, rows);

	if (ret == 0 && t.nb_columns > 0)
		ret = cells_fill(&t, rows);
	if (ret == 0 && t.nb_columns > 0)
		table_write(f, &t, indent);
	for (size_t i = 0; t.cells != NULL && i < t.nb_rows * t.nb_columns; i++)
		free(t.cells[i].text);
	free(t.cells);
	free(t.columns);
	return ret;
}

static bool
is_table(const json_t *value)
{
	for (size_t i = 0; i < json_array_size(value); i++) {
		if (!json_is_object(json_array_get(value, i)))
			return false;
	}
	return json_array_size(value) > 0;
}

static int
object_print(FILE *f, const json_t *object, int depth)
{
	json_t *value, *own = json_incref((json_t *)(uintptr_t)object);
	size_t width = 0;
	const char *key;
	int ret = 0;

	json_object_foreach(own, key, value)
	{
		if (is_scalar(value) && text_width(key) > width)
			width = text_width(key);
	}
	json_object_foreach(own, key, value)
	{
		bool is_deep = json_is_object(value) || is_table(value);

		fprintf(f, "%*s", depth * 2, "");
		put_text(f, key, strlen(key), false);
		fputc(':', f);
		if (is_deep && depth < DEPTH_MAX && ret == 0) {
			fputc('\n', f);
			ret = value_print(f, value, depth + 1);
			continue;
		}
		fprintf(f, "%*s", text_width(key) < width ? (int)(width - text_width(key)) + 1 : 1,
			"");
		ret = ret == 0 ? put_inline(f, value) : ret;
		fputc('\n', f);
	}
	json_decref(own);
	return ret;
}

static int
value_print(FILE *f, const json_t *value, int depth)
{
	if (json_is_object(value))
		return object_print(f, value, depth);
	if (is_table(value))
		return table_print(f, value, depth * 2);
	if (json_is_array(value) && json_array_size(value) == 0 && depth == 0) {
		fputs("none\n", f);
		return 0;
	}
	if (json_is_array(value)) {
		int ret = 0;

		for (size_t i = 0; ret == 0 && i < json_array_size(value); i++) {
			fprintf(f, "%*s", depth * 2, "");
			ret = put_inline(f, json_array_get(value, i));
			fputc('\n', f);
		}
		return ret;
	}
	put_scalar(f, value, true);
	if (!json_is_string(value) || json_string_length(value) == 0 ||
	    json_string_value(value)[json_string_length(value) - 1] != '\n')
		fputc('\n', f);
	return 0;
}

static int
json_print(FILE *f, const json_t *answer)
{
	char *text = answer == NULL ? strdup("null\n") : ctl_json_line(answer);

	if (text == NULL)
		return -ENOMEM;
	fputs(text, f);
	free(text);
	return 0;
}

int
plx_ctl_print(FILE *f, const json_t *answer, bool as_json)
{
	int ret = 0;

	if (as_json)
		ret = json_print(f, answer);
	else if (answer != NULL)
		ret = value_print(f, answer, 0);
	if (fflush(f) != 0 || ferror(f))
		return -EIO;
	return ret;
}
