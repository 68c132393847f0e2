/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pages.h"

#include <errno.h>
#include <string.h>

#include "cmd.h"
#include "plx_ctl.h"

/*
 * config/pollux.conf, doc/pollux.conf.5, the command section of doc/pollux.1 and doc/console.md
 * come from the option table and the command tables; a test holds the committed files to this.
 */

static int
sample(struct plx_conf *conf, FILE *f)
{
	fputs("# SPDX-License-Identifier: BSD-3-Clause\n"
	      "# Copyright (c) 2026 The Pollux developers\n"
	      "#\n"
	      "# Options of pollux, read with --config. Each stands here with its default: take away the '#' in\n"
	      "# front to change one. Sizes are in bytes or with k, m, g; times are written 50us, 10ms, 1s.\n"
	      "# 'pollux --config FILE --check' says what is wrong, 'show config' what is in force.\n"
	      "\n",
	      f);
	return plx_conf_write_sample(conf, f);
}

static int
manual(struct plx_conf *conf, FILE *f)
{
	int ret;

	fputs(".\\\" SPDX-License-Identifier: BSD-3-Clause\n"
	      ".\\\" Copyright (c) 2026 The Pollux developers\n"
	      ".TH POLLUX.CONF 5 \"\" \"Pollux\" \"Pollux manual\"\n"
	      ".SH NAME\n"
	      "pollux.conf \\- options of pollux\n"
	      ".SH DESCRIPTION\n"
	      ".BR pollux (1)\n"
	      "reads the file that\n"
	      ".B \\-\\-config\n"
	      "names. It has sections in brackets and lines\n"
	      ".IR \"option = value\" ;\n"
	      "a line that begins with # or ; is a comment. An unknown section or option, a value out of its\n"
	      "range or an option given twice is an error that names file and line, and nothing is started.\n"
	      ".PP\n"
	      "Sizes are bytes, or have k, m or g behind them (1024 each). Times have us, ms, s or m behind them.\n"
	      "Switches are on or off.\n"
	      ".PP\n"
	      "Each option can be given on the command line as well:\n"
	      ".BR \"\\-\\-set engine.burst=64\" ,\n"
	      "or\n"
	      ".B \\-\\-set container.web.ops=sign\n"
	      "in a section with a name. The command line wins over the file. Options that may be changed while\n"
	      "running are changed with the command\n"
	      ".BR set .\n"
	      ".SH OPTIONS\n",
	      f);
	ret = plx_conf_write_manual(conf, f);
	fputs(".SH \"SEE ALSO\"\n.BR pollux (1)\n", f);
	return ret;
}

static int
commands(FILE *f, struct plx_err *err)
{
	struct plx_ctl *ctl;
	int ret = plx_ctl_create(NULL, &ctl);

	if (ret < 0)
		return plx_err_set(err, ret, "no memory");
	ret = cmd_register_all(ctl, err);
	if (ret == 0)
		ret = plx_ctl_write_manual(ctl, f);
	plx_ctl_destroy(ctl);
	return ret;
}

/* Blank lines between paragraphs are Markdown's own. */
static int
reference(FILE *f)
{
	const struct cmd_table *table;
	const struct plx_ctl_cmd *cmd;
	size_t i, k;

	for (i = 0; (table = cmd_table_at(i)) != NULL; i++) {
		fprintf(f, "\n## %s\n", table->title);
		for (k = 0; k < table->nb; k++) {
			cmd = &table->cmds[k];
			fprintf(f, "\n### `%s`\n\n", cmd->words);
			if (cmd->args[0] != '\0')
				fprintf(f, "    %s %s\n\n", cmd->words, cmd->args);
			fprintf(f, "%s\n", cmd->help);
			if (cmd->manual != NULL)
				fprintf(f, "\n%s\n", cmd->manual);
		}
	}
	return 0;
}

int
pages_print(const char *name, struct plx_conf *conf, FILE *f, struct plx_err *err)
{
	int ret;

	if (strcmp(name, "sample") == 0)
		ret = sample(conf, f);
	else if (strcmp(name, "manual") == 0)
		ret = manual(conf, f);
	else if (strcmp(name, "commands") == 0)
		ret = commands(f, err);
	else if (strcmp(name, "reference") == 0)
		ret = reference(f);
	else
		return plx_err_set(err, -EINVAL,
				   "--print %s is none of sample, manual, commands, reference",
				   name);
	if (ret == 0 && (fflush(f) != 0 || ferror(f) != 0))
		ret = plx_err_set(err, -EIO, "the document cannot be written");
	return ret;
}
