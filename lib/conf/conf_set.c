/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_conf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "plx_text.h"

#include "conf_priv.h"

/*
 * One value by its dotted name. The section is what stands before the first dot, the key what
 * stands behind the last one: the name between them may have dots itself
 * ("device.0000:3d:01.0.weight").
 */

struct dotted {
	char section[CONF_SECTION_MAX + 1];
	char name[PLX_CONF_NAME_MAX + 1];
	const char *key;
	bool has_name;
};

static int
part_copy(char *to, size_t size, const char *from, size_t len)
{
	if (len >= size)
		return -ENOENT;
	memcpy(to, from, len);
	to[len] = '\0';
	return 0;
}

static int
dotted_split(const char *text, struct dotted *out)
{
	const char *first = strchr(text, '.');
	const char *last = strrchr(text, '.');
	int ret;

	if (first == NULL || last[1] == '\0')
		return -ENOENT;
	ret = part_copy(out->section, sizeof(out->section), text, (size_t)(first - text));
	if (ret < 0)
		return ret;
	out->key = last + 1;
	out->has_name = first != last;
	out->name[0] = '\0';
	if (!out->has_name)
		return 0;
	return part_copy(out->name, sizeof(out->name), first + 1, (size_t)(last - first) - 1);
}

static int
no_block(const struct conf_kind *kind, const struct dotted *at, struct plx_err *err)
{
	char shown[64];

	if (!kind->row->repeated)
		return plx_err_set(err, -ENOENT,
				   "[%s] is there once and has no name; write %s.%.32s",
				   kind->row->name, kind->row->name, at->key);
	if (!at->has_name)
		return plx_err_set(err, -ENOENT, "[%s] needs a name; write %s.NAME.%.32s",
				   kind->row->name, kind->row->name, at->key);
	return plx_err_set(err, -ENOENT, "there is no [%s %s]", kind->row->name,
			   plx_text_show(at->name, shown, sizeof(shown)));
}

/* A block that the file has not, for the command line. NULL with the code in *ret. */
static struct conf_block *
block_make(struct plx_conf *conf, struct conf_kind *kind, const char *name, int *ret,
	   struct plx_err *err)
{
	struct conf_block *block = NULL;

	*ret = conf_name_check(name, err);
	if (*ret < 0)
		return NULL;
	if (kind->nb_blocks >= CONF_REPEAT_MAX) {
		*ret = plx_err_set(err, -EINVAL, "more than %d [%s NAME] sections", CONF_REPEAT_MAX,
				   kind->row->name);
		return NULL;
	}
	*ret = conf_block_create(conf, kind, name, &block);
	if (*ret < 0) {
		plx_err_set(err, *ret, "no memory for [%s %s]", kind->row->name, name);
		return NULL;
	}
	conf_block_append(kind, block);
	return block;
}

int
plx_conf_set(struct plx_conf *conf, const char *name, const char *value, enum plx_origin origin,
	     struct plx_err *err)
{
	struct conf_block *block = NULL;
	const struct plx_opt *opt;
	struct conf_value parsed;
	struct conf_kind *kind;
	struct dotted at;
	char shown[64];
	int ret;

	if (dotted_split(name, &at) < 0)
		return plx_err_set(err, -ENOENT,
				   "\"%s\" names no option; write SECTION.KEY or SECTION.NAME.KEY",
				   plx_text_show(name, shown, sizeof(shown)));
	kind = conf_kind_find(conf, at.section);
	if (kind == NULL)
		return conf_err_no_section(conf, at.section, err);
	opt = conf_opt_find(conf, at.section, at.key);
	if (opt == NULL)
		return conf_err_no_key(conf, kind, at.key, err);
	if (origin == PLX_ORIGIN_SET && !opt->live)
		return plx_err_set(err, -EPERM,
				   "%s.%s is read at the start only; change it in the file and "
				   "start again",
				   opt->section, opt->key);
	ret = conf_value_parse(opt, value, &parsed, err);
	if (ret < 0)
		return ret;
	if (kind->row->repeated == at.has_name)
		block = conf_block_find(kind, at.name);
	if (block == NULL &&
	    (origin != PLX_ORIGIN_COMMAND_LINE || !kind->row->repeated || !at.has_name))
		return no_block(kind, &at, err);
	if (block == NULL)
		block = block_make(conf, kind, at.name, &ret, err);
	if (block == NULL)
		return ret;
	conf_value_store(opt, block->data, &parsed);
	block->marks[opt - conf->opts] = (struct conf_mark){ .origin = origin };
	return 0;
}
