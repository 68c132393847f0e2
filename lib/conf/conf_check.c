/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "conf_priv.h"

#include <errno.h>
#include <string.h>

/*
 * Are the tables themselves right? Asked once, when a configuration is made, so that a wrong row is
 * found by the first start of a program and not by the first user of the option.
 */

static bool
word_ok(const char *word, size_t max)
{
	size_t len = word == NULL ? 0 : strlen(word);

	if (len == 0 || len > max || word[0] == '-' || word[len - 1] == '-')
		return false;
	return strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-") == len;
}

static int
section_check(const struct plx_conf *conf, size_t i, struct plx_err *err)
{
	const struct plx_conf_section *row = conf->kinds[i].row;

	if (!word_ok(row->name, CONF_SECTION_MAX))
		return plx_err_set(err, -EINVAL,
				   "section row %zu: the name has to be 1..%d of a-z, 0-9, -", i,
				   CONF_SECTION_MAX);
	if (row->struct_bytes == 0 || row->help == NULL)
		return plx_err_set(err, -EINVAL, "section %s: it needs a struct and a help text",
				   row->name);
	for (size_t j = 0; j < i; j++) {
		if (strcmp(conf->kinds[j].row->name, row->name) == 0)
			return plx_err_set(err, -EINVAL, "section %s: there twice", row->name);
	}
	return 0;
}

static const char *
limits_wrong(const struct plx_opt *opt)
{
	bool is_number = opt->type == PLX_OPT_U32 || opt->type == PLX_OPT_SIZE ||
			 opt->type == PLX_OPT_DURATION;

	if (is_number || opt->type == PLX_OPT_TEXT) {
		if (opt->min > opt->max || opt->max == 0)
			return "max has to be above 0 and not below min";
	}
	if (opt->type == PLX_OPT_U32 || opt->type == PLX_OPT_DURATION) {
		if (opt->max > UINT32_MAX)
			return "max does not fit into 32 bits";
	}
	if (opt->type == PLX_OPT_TEXT && opt->max > CONF_VALUE_MAX)
		return "text is limited to 255 bytes";
	if (opt->pow2 && !is_number)
		return "pow2 is for numbers";
	if (opt->type == PLX_OPT_ENUM && (opt->choices == NULL || opt->choices[0].name == NULL))
		return "it needs choices";
	return NULL;
}

static const char *
option_wrong(const struct plx_conf *conf, size_t i)
{
	const struct plx_opt *opt = &conf->opts[i];
	const struct conf_kind *kind;
	size_t bytes;

	if (!word_ok(opt->key, CONF_KEY_MAX))
		return "the key has to be 1..32 of a-z, 0-9, -";
	kind = conf_kind_find(conf, opt->section);
	if (kind == NULL)
		return "its section is in no row";
	if (conf_opt_find(conf, opt->section, opt->key) != opt)
		return "there twice";
	if (opt->preset == NULL || opt->help == NULL)
		return "it needs a preset and a help text";
	if (opt->type < PLX_OPT_BOOL || opt->type > PLX_OPT_TEXT)
		return "unknown type";
	bytes = conf_value_bytes(opt);
	if (bytes > kind->row->struct_bytes || opt->offset > kind->row->struct_bytes - bytes)
		return "the field lies outside the section's struct";
	return limits_wrong(opt);
}

int
conf_tables_check(const struct plx_conf *conf, struct plx_err *err)
{
	struct conf_value value;
	int ret;

	for (size_t i = 0; i < conf->nb_kinds; i++) {
		ret = section_check(conf, i, err);
		if (ret < 0)
			return ret;
	}
	for (size_t i = 0; i < conf->nb_opts; i++) {
		const struct plx_opt *opt = &conf->opts[i];
		const char *wrong;

		if (opt->section == NULL || opt->key == NULL)
			return plx_err_set(err, -EINVAL, "option row %zu: no section or key", i);
		wrong = option_wrong(conf, i);
		if (wrong != NULL)
			return plx_err_set(err, -EINVAL, "option %s.%s: %s", opt->section, opt->key,
					   wrong);
		ret = conf_value_parse(opt, opt->preset, &value, err);
		if (ret < 0) {
			plx_err_prefix(err, "preset of row %zu", i);
			return ret;
		}
	}
	return 0;
}
