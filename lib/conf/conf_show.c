/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_conf.h"

#include <stdio.h>
#include <string.h>

#include "conf_priv.h"

/*
 * What is in force and where it came from. Values are read from the structs themselves: what a
 * program changed in its struct is shown as it is.
 */

static void
origin_format(const struct conf_mark *mark, char *buf, size_t len)
{
	char place[16];
	size_t room, path_len;
	const char *dots = "";
	const char *path;

	switch (mark->origin) {
	case PLX_ORIGIN_FILE:
		break;
	case PLX_ORIGIN_COMMAND_LINE:
		snprintf(buf, len, "command line");
		return;
	case PLX_ORIGIN_SET:
		snprintf(buf, len, "set");
		return;
	case PLX_ORIGIN_DEFAULT:
	default:
		snprintf(buf, len, "default");
		return;
	}
	/* the end of a long path says more than its beginning, and the line has to be there */
	snprintf(place, sizeof(place), ":%u", mark->line);
	room = len - strlen(place) - 1;
	path = mark->file;
	path_len = strlen(path);
	if (path_len > room) {
		dots = "...";
		path += path_len - (room - strlen(dots));
	}
	snprintf(buf, len, "%s%s%s", dots, path, place);
}

static void
item_fill(const struct plx_opt *opt, const struct conf_block *block, const struct conf_mark *mark,
	  struct plx_conf_item *item)
{
	if (block->name[0] != '\0')
		snprintf(item->name, sizeof(item->name), "%s.%s.%s", opt->section, block->name,
			 opt->key);
	else
		snprintf(item->name, sizeof(item->name), "%s.%s", opt->section, opt->key);
	conf_value_format(opt, block->data, item->value, sizeof(item->value));
	conf_value_range(opt, item->range, sizeof(item->range));
	origin_format(mark, item->origin, sizeof(item->origin));
	item->live = opt->live;
	item->help = opt->help;
}

bool
plx_conf_next(struct plx_conf *conf, uint32_t *pos, struct plx_conf_item *item)
{
	uint32_t at = 0;

	for (size_t k = 0; k < conf->nb_kinds; k++) {
		const struct conf_kind *kind = &conf->kinds[k];

		for (const struct conf_block *b = kind->head; b != NULL; b = b->next) {
			for (size_t i = 0; i < conf->nb_opts; i++) {
				if (strcmp(conf->opts[i].section, kind->row->name) != 0)
					continue;
				if (at++ < *pos)
					continue;
				item_fill(&conf->opts[i], b, &b->marks[i], item);
				*pos = at;
				return true;
			}
		}
	}
	return false;
}
