/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_CONF_H
#define PLX_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "plx_compiler.h"
#include "plx_err.h"

/*
 * One option table drives the INI file, the command line, "show config", "set", the commented
 * sample file and the manual. A table describes fields of a struct of the user's; repeated sections
 * ("[device NAME]") are one struct each. Types carry units; a bad value is refused with place,
 * value and range.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define PLX_CONF_NAME_MAX 127 /* bytes of a repeated section's name: letters, digits, . _ : / - */

enum plx_opt_type {
	PLX_OPT_BOOL = 1, /* bool: on/off, yes/no, true/false, 1/0 */
	PLX_OPT_U32,      /* uint32_t */
	PLX_OPT_SIZE,     /* uint64_t bytes, "64k" */
	PLX_OPT_DURATION, /* uint32_t microseconds, "50us" */
	PLX_OPT_ENUM,     /* int, one of .choices */
	PLX_OPT_TEXT,     /* char[.max + 1] */
};

struct plx_opt_choice {
	const char *name;
	int value;
};

struct plx_opt {
	const char *section; /* "engine"; for repeated sections too, without the name */
	const char *key;     /* long word, '-' between words: "batch-wait" */
	enum plx_opt_type type;
	size_t offset;     /* of the field in the section's struct */
	uint64_t min, max; /* inclusive; TEXT: length; power of two when .pow2 */
	bool pow2;
	bool live;                            /* may be changed while running, by "set" */
	const struct plx_opt_choice *choices; /* ENUM: ends with a NULL name */
	const char *preset;                   /* default, as a user would write it */
	const char *help; /* one sentence: what it does, in what unit, when to change it */
};

/* Where a value in force came from. */
enum plx_origin {
	PLX_ORIGIN_DEFAULT = 1,
	PLX_ORIGIN_FILE,
	PLX_ORIGIN_COMMAND_LINE,
	PLX_ORIGIN_SET,
};

struct plx_conf;

/* A section's struct: the plain ones are made at once, the repeated ones as the file names them. */
struct plx_conf_section {
	const char *name; /* "engine" */
	size_t struct_bytes;
	bool repeated;    /* "[container web]": any number, each with a name */
	const char *help; /* a sentence or two */
};

/**
 * Make a configuration with all defaults in force.
 *
 * @param sections nb_sections rows; @param opts nb_opts rows; both must outlive the configuration.
 * @return 0; -EINVAL when the tables contradict themselves (our bug: the sentence names the row);
 * -ENOMEM.
 * @par Thread    Control.
 * @par Ownership Freed with plx_conf_destroy().
 * @par Errors    As above.
 */
int plx_conf_create(const struct plx_conf_section *sections, size_t nb_sections,
		    const struct plx_opt *opts, size_t nb_opts, struct plx_conf **out,
		    struct plx_err *err) PLX_MUST_CHECK;

/**
 * Free it and all structs; NULL is taken.
 *
 * @par Thread    Control, the last user.
 * @par Ownership Everything plx_conf_get() gave is gone.
 * @par Errors    None.
 */
void plx_conf_destroy(struct plx_conf *conf);

/**
 * Read an INI file. Unknown sections and keys, bad values, doubled sections and keys, overlong
 * lines and bytes that are no text are refused; the sentence begins with "FILE:LINE: ". Nothing is
 * changed when it fails. The last one to give a value wins: load files before the command line is
 * applied. A text goes on in indented lines, joined by one blank.
 *
 * @return 0; -EINVAL, or the errno of opening it.
 * @par Thread    Control.
 * @par Ownership The file is closed.
 * @par Errors    As above.
 */
int plx_conf_load(struct plx_conf *conf, const char *path, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Set one value: "engine.burst", or "container.web.ops" in a repeated section. With PLX_ORIGIN_SET
 * only live options are taken; with PLX_ORIGIN_COMMAND_LINE a repeated section is made when there
 * is none of that name.
 *
 * @return 0; -ENOENT (offers near names), -EINVAL (value, range), -EPERM (not live), -ENOMEM.
 * @par Thread    Control.
 * @par Ownership @p value is copied.
 * @par Errors    As above.
 */
int plx_conf_set(struct plx_conf *conf, const char *name, const char *value, enum plx_origin origin,
		 struct plx_err *err) PLX_MUST_CHECK;

/**
 * The struct of a section: plain (name NULL), or a repeated one by its name; NULL when there is
 * none.
 *
 * @par Thread    Control.
 * @par Ownership The configuration's; pointers stay valid until it is destroyed.
 * @par Errors    NULL only.
 */
void *plx_conf_get(struct plx_conf *conf, const char *section, const char *name);

/**
 * The repeated sections of a kind in file order: the name at or after *@p pos, NULL at the end.
 *
 * @par Thread    Control.
 * @par Ownership The configuration's.
 * @par Errors    None.
 */
const char *plx_conf_next_name(struct plx_conf *conf, const char *section, uint32_t *pos);

/* One line of "show config". */
struct plx_conf_item {
	char name[192]; /* "engine.burst", "key.web/signer.file" */
	char value[256];
	char origin[160]; /* "default", "pollux.conf:12", "command line", "set" */
	char range[128];  /* "1..256", "on, off" */
	bool live;
	const char *help;
};

/**
 * The item at or after *@p pos (start with 0) in table order; *@p pos moves past it.
 *
 * @return false at the end.
 * @par Thread    Control.
 * @par Ownership @p item is the caller's.
 * @par Errors    None.
 */
bool plx_conf_next(struct plx_conf *conf, uint32_t *pos, struct plx_conf_item *item);

/**
 * Write a commented sample file: each option with help, range and its default, commented out, so
 * that it loads as it is.
 *
 * @return 0 or -EIO.
 * @par Thread    Control.
 * @par Ownership @p f stays open.
 * @par Errors    -EIO.
 */
int plx_conf_write_sample(struct plx_conf *conf, FILE *f) PLX_MUST_CHECK;

/**
 * Write the option section of a manual page in man macros.
 *
 * @return 0 or -EIO.
 * @par Thread    Control.
 * @par Ownership @p f stays open.
 * @par Errors    -EIO.
 */
int plx_conf_write_manual(struct plx_conf *conf, FILE *f) PLX_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
