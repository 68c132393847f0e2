/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_CONF_PRIV_H
#define PLX_CONF_PRIV_H

#include "plx_conf.h"

/*
 * Inside lib/conf. A kind is a row of the section table; a block is one struct of the user's: a
 * plain section has one without a name, a repeated one any number, in the order they were named. A
 * mark says where a value came from.
 */

#define CONF_SECTION_MAX 16   /* bytes of a section's name: with a block's name it fits inih's 49 */
#define CONF_KEY_MAX     32   /* inih keeps 49 and cuts the rest */
#define CONF_REPEAT_MAX  1024 /* blocks of one kind */
#define CONF_VALUE_MAX   255  /* bytes of a TEXT value: an item shows all of it */

struct conf_mark {
	enum plx_origin origin;
	unsigned int line; /* FILE */
	const char *file;  /* FILE: one of the configuration's names */
};

struct conf_block {
	struct conf_block *next;
	char name[PLX_CONF_NAME_MAX + 1];
	void *data;
	struct conf_mark *marks; /* one an option of the whole table */
};

struct conf_kind {
	const struct plx_conf_section *row;
	struct conf_block *head;
	struct conf_block **tail;
	unsigned int nb_blocks;
};

struct conf_file {
	struct conf_file *next;
	char path[];
};

struct plx_conf {
	const struct plx_opt *opts;
	size_t nb_opts;
	struct conf_kind *kinds;
	size_t nb_kinds;
	struct conf_file *files;
};

/* A value that was read and found good, not yet in its field. */
struct conf_value {
	uint64_t number;               /* all types but TEXT; ENUM as the int's bits */
	char text[CONF_VALUE_MAX + 1]; /* TEXT */
};

/* conf_value.c */
int conf_value_parse(const struct plx_opt *opt, const char *text, struct conf_value *out,
		     struct plx_err *err) PLX_MUST_CHECK;
void conf_value_store(const struct plx_opt *opt, void *data, const struct conf_value *value);
void conf_value_format(const struct plx_opt *opt, const void *data, char *buf, size_t len);
void conf_value_range(const struct plx_opt *opt, char *buf, size_t len);
size_t conf_value_bytes(const struct plx_opt *opt);

/* conf_check.c */
int conf_tables_check(const struct plx_conf *conf, struct plx_err *err) PLX_MUST_CHECK;

/* plx_conf.c */
struct conf_kind *conf_kind_find(const struct plx_conf *conf, const char *section);
struct conf_block *conf_block_find(const struct conf_kind *kind, const char *name);
int conf_block_create(const struct plx_conf *conf, const struct conf_kind *kind, const char *name,
		      struct conf_block **out) PLX_MUST_CHECK;
void conf_block_append(struct conf_kind *kind, struct conf_block *block);
void conf_block_destroy(struct conf_block *block);
const struct plx_opt *conf_opt_find(const struct plx_conf *conf, const char *section,
				    const char *key);
int conf_name_check(const char *name, struct plx_err *err) PLX_MUST_CHECK;
int conf_err_no_section(const struct plx_conf *conf, const char *section, struct plx_err *err);
int conf_err_no_key(const struct plx_conf *conf, const struct conf_kind *kind, const char *key,
		    struct plx_err *err);

#endif
