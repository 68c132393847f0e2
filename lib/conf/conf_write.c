/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_conf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conf_priv.h"

/*
 * The table as documents: a sample file in which every option stands commented out with its
 * default, and the option section of a manual page. Neither holds a value in force.
 */

#define WRAP_AT 78

/* Words of text, folded, each line after a prefix. */
static void
fold(FILE *f, const char *prefix, const char *text)
{
	size_t column = 0;

	while (*text != '\0') {
		size_t len = strcspn(text, " \n");

		if (column > 0 && column + 1 + len > WRAP_AT) {
			fputc('\n', f);
			column = 0;
		}
		if (column == 0) {
			fputs(prefix, f);
			column = strlen(prefix);
		} else {
			fputc(' ', f);
			column++;
		}
		fwrite(text, 1, len, f);
		column += len;
		text += len;
		text += strspn(text, " \n");
	}
	if (column > 0)
		fputc('\n', f);
}

static void
sample_option(FILE *f, const struct plx_opt *opt)
{
	char range[160], line[224];

	conf_value_range(opt, range, sizeof(range));
	fputs("\n", f);
	fold(f, "# ", opt->help);
	snprintf(line, sizeof(line), "Range: %s.%s", range,
		 opt->live ? " May be changed while running." : "");
	fold(f, "# ", line);
	fprintf(f, "#%s =%s%s\n", opt->key, opt->preset[0] != '\0' ? " " : "", opt->preset);
}

int
plx_conf_write_sample(struct plx_conf *conf, FILE *f)
{
	for (size_t k = 0; k < conf->nb_kinds; k++) {
		const struct plx_conf_section *row = conf->kinds[k].row;

		fputs(k > 0 ? "\n\n" : "", f);
		fold(f, "# ", row->help);
		if (row->repeated)
			fprintf(f, "#[%s NAME]\n", row->name);
		else
			fprintf(f, "[%s]\n", row->name);
		for (size_t i = 0; i < conf->nb_opts; i++) {
			if (strcmp(conf->opts[i].section, row->name) == 0)
				sample_option(f, &conf->opts[i]);
		}
	}
	return fflush(f) != 0 || ferror(f) ? -EIO : 0;
}

/* Text that roff takes as text: no escapes, no requests at the start of a line, plain minus signs.
 */
static void
roff(FILE *f, const char *text)
{
	bool at_start = true;

	for (; *text != '\0'; text++) {
		if (at_start && (*text == '.' || *text == '\''))
			fputs("\\&", f);
		at_start = *text == '\n';
		if (*text == '\\')
			fputs("\\e", f);
		else if (*text == '-')
			fputs("\\-", f);
		else
			fputc(*text, f);
	}
}

static void
manual_option(FILE *f, const struct plx_opt *opt)
{
	char range[160];

	conf_value_range(opt, range, sizeof(range));
	fputs(".TP\n.B ", f);
	roff(f, opt->key);
	fputs("\n", f);
	roff(f, opt->help);
	fputs("\nRange: ", f);
	roff(f, range);
	fputs(". Default: ", f);
	roff(f, opt->preset[0] != '\0' ? opt->preset : "empty");
	fputs(opt->live ? ". May be changed while running.\n" : ".\n", f);
}

int
plx_conf_write_manual(struct plx_conf *conf, FILE *f)
{
	for (size_t k = 0; k < conf->nb_kinds; k++) {
		const struct plx_conf_section *row = conf->kinds[k].row;

		fputs(".SS \"[", f);
		roff(f, row->name);
		fputs(row->repeated ? " NAME]\"\n" : "]\"\n", f);
		roff(f, row->help);
		fputs("\n", f);
		for (size_t i = 0; i < conf->nb_opts; i++) {
			if (strcmp(conf->opts[i].section, row->name) == 0)
				manual_option(f, &conf->opts[i]);
		}
	}
	return fflush(f) != 0 || ferror(f) ? -EIO : 0;
}
