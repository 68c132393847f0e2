/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_conf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plx_text.h"

#include "conf_priv.h"

/*
 * The configuration: kinds, their blocks, and where each value came from. Blocks are never moved or
 * freed before the configuration is, so that the pointers plx_conf_get() gives stay good over later
 * loads and sets.
 */

struct conf_kind *
conf_kind_find(const struct plx_conf *conf, const char *section)
{
	for (size_t i = 0; i < conf->nb_kinds; i++) {
		if (strcmp(conf->kinds[i].row->name, section) == 0)
			return &conf->kinds[i];
	}
	return NULL;
}

struct conf_block *
conf_block_find(const struct conf_kind *kind, const char *name)
{
	for (struct conf_block *b = kind->head; b != NULL; b = b->next) {
		if (strcmp(b->name, name) == 0)
			return b;
	}
	return NULL;
}

const struct plx_opt *
conf_opt_find(const struct plx_conf *conf, const char *section, const char *key)
{
	for (size_t i = 0; i < conf->nb_opts; i++) {
		const struct plx_opt *opt = &conf->opts[i];

		if (strcmp(opt->section, section) == 0 && strcmp(opt->key, key) == 0)
			return opt;
	}
	return NULL;
}

void
conf_block_destroy(struct conf_block *block)
{
	if (block == NULL)
		return;
	free(block->marks);
	free(block->data);
	free(block);
}

/* A block with all defaults in force, in no list yet. */
int
conf_block_create(const struct plx_conf *conf, const struct conf_kind *kind, const char *name,
		  struct conf_block **out)
{
	struct conf_block *block = calloc(1, sizeof(*block));
	struct conf_value value;
	int ret;

	if (block == NULL)
		return -ENOMEM;
	snprintf(block->name, sizeof(block->name), "%s", name);
	block->data = calloc(1, kind->row->struct_bytes);
	block->marks = calloc(conf->nb_opts + 1, sizeof(*block->marks));
	if (block->data == NULL || block->marks == NULL) {
		conf_block_destroy(block);
		return -ENOMEM;
	}
	for (size_t i = 0; i < conf->nb_opts; i++) {
		const struct plx_opt *opt = &conf->opts[i];

		if (strcmp(opt->section, kind->row->name) != 0)
			continue;
		block->marks[i].origin = PLX_ORIGIN_DEFAULT;
		ret = conf_value_parse(opt, opt->preset, &value, NULL);
		if (ret < 0) {
			conf_block_destroy(block);
			return ret;
		}
		conf_value_store(opt, block->data, &value);
	}
	*out = block;
	return 0;
}

void
conf_block_append(struct conf_kind *kind, struct conf_block *block)
{
	*kind->tail = block;
	kind->tail = &block->next;
	kind->nb_blocks++;
}

int
conf_name_check(const char *name, struct plx_err *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._:/-";
	size_t len = strlen(name);
	char shown[64];

	if (len > 0 && len <= PLX_CONF_NAME_MAX && strspn(name, letters) == len)
		return 0;
	return plx_err_set(err, -EINVAL,
			   "\"%s\" is no section name; give 1..%d letters, digits or . _ : / -",
			   plx_text_show(name, shown, sizeof(shown)), PLX_CONF_NAME_MAX);
}

/* Add ", word" to a list that may have no room; used bytes so far. */
static size_t
list_add(char *list, size_t size, size_t used, const char *word)
{
	int nb;

	if (used + strlen(word) + 3 > size)
		return used;
	nb = snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", word);
	return used + (size_t)nb;
}

int
conf_err_no_section(const struct plx_conf *conf, const char *section, struct plx_err *err)
{
	char near[128] = "", all[256] = "", shown[64];
	size_t near_used = 0, all_used = 0;

	for (size_t i = 0; i < conf->nb_kinds; i++) {
		const char *name = conf->kinds[i].row->name;

		all_used = list_add(all, sizeof(all), all_used, name);
		if (plx_text_is_near(section, name))
			near_used = list_add(near, sizeof(near), near_used, name);
	}
	plx_text_show(section, shown, sizeof(shown));
	if (near_used > 0)
		return plx_err_set(err, -ENOENT, "there is no section \"%s\"; did you mean %s?",
				   shown, near);
	return plx_err_set(err, -ENOENT, "there is no section \"%s\"; there are: %s", shown, all);
}

int
conf_err_no_key(const struct plx_conf *conf, const struct conf_kind *kind, const char *key,
		struct plx_err *err)
{
	char near[128] = "", all[256] = "", shown[64];
	size_t near_used = 0, all_used = 0;

	for (size_t i = 0; i < conf->nb_opts; i++) {
		const struct plx_opt *opt = &conf->opts[i];

		if (strcmp(opt->section, kind->row->name) != 0)
			continue;
		all_used = list_add(all, sizeof(all), all_used, opt->key);
		if (plx_text_is_near(key, opt->key))
			near_used = list_add(near, sizeof(near), near_used, opt->key);
	}
	plx_text_show(key, shown, sizeof(shown));
	if (near_used > 0)
		return plx_err_set(err, -ENOENT, "[%s] has no option \"%s\"; did you mean %s?",
				   kind->row->name, shown, near);
	return plx_err_set(err, -ENOENT, "[%s] has no option \"%s\"; there are: %s",
			   kind->row->name, shown, all);
}

static int
kinds_create(struct plx_conf *conf, const struct plx_conf_section *sections, size_t nb)
{
	conf->kinds = calloc(nb + 1, sizeof(*conf->kinds));
	if (conf->kinds == NULL)
		return -ENOMEM;
	conf->nb_kinds = nb;
	for (size_t i = 0; i < nb; i++) {
		conf->kinds[i].row = &sections[i];
		conf->kinds[i].tail = &conf->kinds[i].head;
	}
	return 0;
}

static int
plain_blocks_create(struct plx_conf *conf)
{
	struct conf_block *block;
	int ret;

	for (size_t i = 0; i < conf->nb_kinds; i++) {
		if (conf->kinds[i].row->repeated)
			continue;
		ret = conf_block_create(conf, &conf->kinds[i], "", &block);
		if (ret < 0)
			return ret;
		conf_block_append(&conf->kinds[i], block);
	}
	return 0;
}

int
plx_conf_create(const struct plx_conf_section *sections, size_t nb_sections,
		const struct plx_opt *opts, size_t nb_opts, struct plx_conf **out,
		struct plx_err *err)
{
	struct plx_conf *conf = calloc(1, sizeof(*conf));
	int ret;

	if (conf == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for the configuration");
	conf->opts = opts;
	conf->nb_opts = nb_opts;
	ret = kinds_create(conf, sections, nb_sections);
	if (ret < 0)
		goto err_no_memory;
	ret = conf_tables_check(conf, err);
	if (ret < 0)
		goto err_destroy;
	ret = plain_blocks_create(conf);
	if (ret < 0)
		goto err_no_memory;
	*out = conf;
	return 0;

err_no_memory:
	plx_err_set(err, ret, "no memory for the configuration");
err_destroy:
	plx_conf_destroy(conf);
	return ret;
}

void
plx_conf_destroy(struct plx_conf *conf)
{
	if (conf == NULL)
		return;
	for (size_t i = 0; i < conf->nb_kinds; i++) {
		struct conf_block *next;

		for (struct conf_block *b = conf->kinds[i].head; b != NULL; b = next) {
			next = b->next;
			conf_block_destroy(b);
		}
	}
	while (conf->files != NULL) {
		struct conf_file *file = conf->files;

		conf->files = file->next;
		free(file);
	}
	free(conf->kinds);
	free(conf);
}

void *
plx_conf_get(struct plx_conf *conf, const char *section, const char *name)
{
	struct conf_kind *kind = conf_kind_find(conf, section);
	struct conf_block *block;

	if (kind == NULL || kind->row->repeated != (name != NULL))
		return NULL;
	block = conf_block_find(kind, name == NULL ? "" : name);
	return block == NULL ? NULL : block->data;
}

const char *
plx_conf_next_name(struct plx_conf *conf, const char *section, uint32_t *pos)
{
	struct conf_kind *kind = conf_kind_find(conf, section);
	struct conf_block *block;
	uint32_t i = 0;

	if (kind == NULL || !kind->row->repeated)
		return NULL;
	for (block = kind->head; block != NULL && i < *pos; block = block->next)
		i++;
	if (block == NULL)
		return NULL;
	*pos += 1;
	return block->name;
}
