/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef DEMO_TABLE_H
#define DEMO_TABLE_H

#include <stdbool.h>

#include <jansson.h>

struct job;

/* The demo's table: as text a line at a time while it runs, as JSON at the end. */
struct demo_table {
	bool is_json;
	json_t *rows;
};

void demo_table_begin(struct demo_table *table, bool is_json);
/* @p wrong NULL: the row was checked and is good. */
void demo_table_row(struct demo_table *table, const struct job *job, const char *checked_by,
		    const char *wrong);
void demo_table_end(struct demo_table *table);

#endif
