/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_conf.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plx_text.h"

#include "conf_priv.h"

/*
 * An INI file, whole or not at all. inih splits "key = value" and strips comments; the reader that
 * feeds it counts lines, looks at every byte and handles section lines itself, since inih skips
 * empty sections, cuts long names and ignores what stands behind a bracket. Values are parsed as
 * they come and kept in a stage; only a file that was good to its last line is put in force, by
 * steps that cannot fail.
 */

#define RAW_MAX  4096 /* bytes of a physical line; comments may be this long */
#define LINE_MAX 197  /* bytes of an option's line: what inih takes as it is built by default */

struct stage_value {
	const struct plx_opt *opt;
	struct conf_block *block;
	struct conf_value value;
	unsigned int line;
};

struct stage_section {
	struct conf_kind *kind;
	struct conf_block *block;
	unsigned int line;
	bool is_new; /* the stage's own until it is put in force */
};

struct ini {
	struct plx_conf *conf;
	struct plx_err *err;
	FILE *f;
	unsigned int line;  /* being read, from 1 */
	int ret;            /* first error; ends the reading */
	bool is_indented;   /* the current line continues the value above */
	unsigned int *seen; /* line of each option's value in the current section, 0: none */
	struct stage_section *sections;
	size_t nb_sections, max_sections;
	struct stage_value *values;
	size_t nb_values, max_values;
	char raw[RAW_MAX + 1];
};

/* Room for one more row in an array that doubles. */
static int
stage_grow(void **rows, size_t nb, size_t *max, size_t row_bytes)
{
	size_t more = *max == 0 ? 32 : *max * 2;
	void *grown;

	if (nb < *max)
		return 0;
	grown = reallocarray(*rows, more, row_bytes);
	if (grown == NULL)
		return -ENOMEM;
	*rows = grown;
	*max = more;
	return 0;
}

static struct stage_section *
stage_find(struct ini *ini, const struct conf_kind *kind, const char *name)
{
	for (size_t i = 0; i < ini->nb_sections; i++) {
		if (ini->sections[i].kind == kind &&
		    strcmp(ini->sections[i].block->name, name) == 0)
			return &ini->sections[i];
	}
	return NULL;
}

static unsigned int
stage_count_new(const struct ini *ini, const struct conf_kind *kind)
{
	unsigned int nb = 0;

	for (size_t i = 0; i < ini->nb_sections; i++)
		nb += ini->sections[i].kind == kind && ini->sections[i].is_new;
	return nb;
}

static int
section_block(struct ini *ini, struct conf_kind *kind, const char *name,
	      struct stage_section *section)
{
	int ret;

	section->block = conf_block_find(kind, name);
	section->is_new = section->block == NULL;
	if (!section->is_new)
		return 0;
	if (kind->nb_blocks + stage_count_new(ini, kind) >= CONF_REPEAT_MAX)
		return plx_err_set(ini->err, -EINVAL, "more than %d [%s NAME] sections",
				   CONF_REPEAT_MAX, kind->row->name);
	ret = conf_block_create(ini->conf, kind, name, &section->block);
	if (ret < 0)
		return plx_err_set(ini->err, ret, "no memory for [%s %s]", kind->row->name, name);
	return 0;
}

static int
section_open(struct ini *ini, const char *word, const char *name)
{
	struct conf_kind *kind = conf_kind_find(ini->conf, word);
	struct stage_section section = { .kind = kind, .line = ini->line };
	const struct stage_section *before;
	void *rows = ini->sections;
	int ret;

	if (kind == NULL) {
		conf_err_no_section(ini->conf, word, ini->err);
		return -EINVAL;
	}
	if (!kind->row->repeated && name[0] != '\0')
		return plx_err_set(ini->err, -EINVAL, "[%s] is there once and has no name",
				   kind->row->name);
	if (kind->row->repeated && name[0] == '\0')
		return plx_err_set(ini->err, -EINVAL, "[%s] needs a name; write [%s NAME]",
				   kind->row->name, kind->row->name);
	ret = name[0] == '\0' ? 0 : conf_name_check(name, ini->err);
	if (ret < 0)
		return ret;
	before = stage_find(ini, kind, name);
	if (before != NULL)
		return plx_err_set(ini->err, -EINVAL, "this section began in line %u already",
				   before->line);
	ret = stage_grow(&rows, ini->nb_sections, &ini->max_sections, sizeof(section));
	if (ret < 0)
		return plx_err_set(ini->err, ret, "no memory for the file's sections");
	ini->sections = rows;
	ret = section_block(ini, kind, name, &section);
	if (ret < 0)
		return ret;
	ini->sections[ini->nb_sections++] = section;
	memset(ini->seen, 0, (ini->conf->nb_opts + 1) * sizeof(*ini->seen));
	return 0;
}

/* "[engine]", "[container web] ; comment" */
static int
section_read(struct ini *ini, char *text)
{
	char *end = strchr(text, ']');
	char *word, *name, *more, *rest;

	if (end == NULL)
		return plx_err_set(ini->err, -EINVAL, "a section line needs its \"]\"");
	*end = '\0';
	rest = end + 1 + strspn(end + 1, " \t");
	if (*rest != '\0' && *rest != ';' && *rest != '#')
		return plx_err_set(ini->err, -EINVAL,
				   "only a comment may stand behind the \"]\" of a section");
	word = strtok_r(text + 1, " \t", &more);
	name = word == NULL ? NULL : strtok_r(NULL, " \t", &more);
	if (word == NULL)
		return plx_err_set(ini->err, -EINVAL, "a section without a word in it");
	if (name != NULL && strtok_r(NULL, " \t", &more) != NULL)
		return plx_err_set(ini->err, -EINVAL,
				   "a section is a word and a name at most, as in [%.32s NAME]",
				   word);
	return section_open(ini, word, name == NULL ? "" : name);
}

/* One physical line into raw, without its end. Returns its length, -ENODATA at the end of the file.
 */
static int
raw_read(struct ini *ini)
{
	int len = 0, c;

	while ((c = getc(ini->f)) != EOF && c != '\n') {
		if (len == RAW_MAX)
			return plx_err_set(ini->err, -EINVAL, "the line is longer than %d bytes",
					   RAW_MAX);
		ini->raw[len++] = (char)c;
	}
	if (ferror(ini->f))
		return plx_err_set(ini->err, -EIO, "reading failed");
	if (c == EOF && len == 0)
		return -ENODATA;
	if (len > 0 && ini->raw[len - 1] == '\r')
		len--;
	ini->raw[len] = '\0';
	return len;
}

static char *
text_start(struct ini *ini, int len)
{
	static const char mark[] = "\xef\xbb\xbf"; /* a byte order mark some editors write */
	char *text = ini->raw;

	if (ini->line == 1 && len >= 3 && memcmp(text, mark, 3) == 0) {
		text += 3;
		len -= 3;
	}
	if (!plx_text_is_plain(text, (size_t)len)) {
		plx_err_set(ini->err, -EINVAL,
			    "there is a byte that is no text (a control character, or not UTF-8)");
		return NULL;
	}
	return text;
}

/* Cut a comment behind a value: a blank and ';' or '#'. inih knows the first only, and its versions
 * differ on indented lines. */
static void
comment_cut(char *text)
{
	for (char *p = text; *p != '\0'; p++) {
		if ((*p == ';' || *p == '#') && p > text && (p[-1] == ' ' || p[-1] == '\t')) {
			*p = '\0';
			return;
		}
	}
}

/* Hand the next line to inih: section and comment lines are dealt with here and given as empty
 * ones. */
static int
line_next(struct ini *ini, char *str, int num)
{
	int room = num - 3 < LINE_MAX ? num - 3 : LINE_MAX; /* inih counts "\r\n" and the end */
	char *text, *first;
	int len;

	ini->line++;
	len = raw_read(ini);
	if (len < 0)
		return len;
	text = text_start(ini, len);
	if (text == NULL)
		return -EINVAL;
	first = text + strspn(text, " \t");
	ini->is_indented = first > text;
	str[0] = '\0';
	if (*first == '\0' || *first == ';' || *first == '#')
		return 0;
	if (*first == '[' && !ini->is_indented)
		return section_read(ini, first);
	comment_cut(text);
	if (strlen(text) > (size_t)room)
		return plx_err_set(ini->err, -EINVAL,
				   "the line is longer than %d bytes; a long text goes on in the "
				   "next line when that is indented",
				   room);
	snprintf(str, (size_t)num, "%s", text);
	return 0;
}

static char *
ini_line(char *str, int num, void *stream)
{
	struct ini *ini = stream;

	if (ini->ret < 0 || num < 8)
		return NULL;
	ini->ret = line_next(ini, str, num);
	return ini->ret < 0 ? NULL : str;
}

/* An indented line: more of the text above, after one blank. */
static int
value_continue(struct ini *ini, const char *text)
{
	struct stage_value *last;
	char joined[2 * CONF_VALUE_MAX + 2];

	if (ini->nb_values == 0 ||
	    ini->seen[ini->values[ini->nb_values - 1].opt - ini->conf->opts] == 0)
		return plx_err_set(ini->err, -EINVAL,
				   "an indented line continues a value, and there is none above");
	last = &ini->values[ini->nb_values - 1];
	if (last->opt->type != PLX_OPT_TEXT)
		return plx_err_set(ini->err, -EINVAL,
				   "an indented line continues the value above, and %s takes one "
				   "line; begin options at the left edge",
				   last->opt->key);
	if (strlen(text) > CONF_VALUE_MAX)
		return plx_err_set(ini->err, -EINVAL, "the text is longer than %d bytes",
				   CONF_VALUE_MAX);
	snprintf(joined, sizeof(joined), "%s%s%s", last->value.text,
		 last->value.text[0] != '\0' ? " " : "", text);
	return conf_value_parse(last->opt, joined, &last->value, ini->err);
}

static int
value_add(struct ini *ini, const char *key, const char *text)
{
	struct stage_section *section;
	struct stage_value *value;
	const struct plx_opt *opt;
	void *rows = ini->values;
	unsigned int *seen;
	int ret;

	if (ini->nb_sections == 0)
		return plx_err_set(ini->err, -EINVAL,
				   "an option before the first section; write [SECTION] above it");
	section = &ini->sections[ini->nb_sections - 1];
	opt = conf_opt_find(ini->conf, section->kind->row->name, key);
	if (opt == NULL) {
		conf_err_no_key(ini->conf, section->kind, key, ini->err);
		return -EINVAL;
	}
	seen = &ini->seen[opt - ini->conf->opts];
	if (*seen != 0)
		return plx_err_set(ini->err, -EINVAL, "%s is given in line %u already", opt->key,
				   *seen);
	ret = stage_grow(&rows, ini->nb_values, &ini->max_values, sizeof(*ini->values));
	if (ret < 0)
		return plx_err_set(ini->err, ret, "no memory for the file's values");
	ini->values = rows;
	value = &ini->values[ini->nb_values];
	*value = (struct stage_value){ .opt = opt, .block = section->block, .line = ini->line };
	ret = conf_value_parse(opt, text, &value->value, ini->err);
	if (ret < 0)
		return ret;
	*seen = ini->line;
	ini->nb_values++;
	return 0;
}

/* inih's callback: 1 good, 0 an error. Its section is not used, see section_read(). */
static int
ini_value(void *user, const char *section, const char *key, const char *text)
{
	struct ini *ini = user;

	(void)section;
	if (ini->ret < 0)
		return 0;
	ini->ret = ini->is_indented ? value_continue(ini, text) : value_add(ini, key, text);
	return ini->ret == 0;
}

/* Put the stage in force. Nothing here can fail. */
static void
stage_apply(struct ini *ini, struct conf_file *file)
{
	file->next = ini->conf->files;
	ini->conf->files = file;
	for (size_t i = 0; i < ini->nb_sections; i++) {
		struct stage_section *section = &ini->sections[i];

		if (section->is_new)
			conf_block_append(section->kind, section->block);
		section->is_new = false;
	}
	for (size_t i = 0; i < ini->nb_values; i++) {
		const struct stage_value *v = &ini->values[i];

		conf_value_store(v->opt, v->block->data, &v->value);
		v->block->marks[v->opt - ini->conf->opts] = (struct conf_mark){
			.origin = PLX_ORIGIN_FILE,
			.line = v->line,
			.file = file->path,
		};
	}
}

static int
file_parse(struct ini *ini, const char *path)
{
	char shown[200];
	int bad_line;

	plx_text_show(path, shown, sizeof(shown));
	bad_line = ini_parse_stream(ini_line, ini, ini_value, ini);
	if (ini->ret == -ENODATA)
		ini->ret = 0;
	/* a line inih could not split is told by its number alone; ours is later or the same */
	if (bad_line > 0 && (ini->ret == 0 || (unsigned int)bad_line < ini->line)) {
		ini->ret =
			plx_err_set(ini->err, -EINVAL, "expected \"KEY = VALUE\" or \"[SECTION]\"");
		plx_err_prefix(ini->err, "%s:%d", shown, bad_line);
	} else if (bad_line < 0) {
		ini->ret = plx_err_set(ini->err, -ENOMEM, "%s: no memory to read it", shown);
	} else if (ini->ret < 0) {
		plx_err_prefix(ini->err, "%s:%u", shown, ini->line);
	}
	return ini->ret;
}

static int
file_open(const char *path, FILE **out, struct plx_err *err)
{
	struct stat st;
	char shown[200];
	FILE *f = fopen(path, "re");
	int ret = 0;

	if (f == NULL)
		ret = -errno;
	else if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode))
		ret = -EISDIR;
	if (ret < 0) {
		if (f != NULL)
			fclose(f);
		return plx_err_set(err, ret, "%s: cannot be read: %s",
				   plx_text_show(path, shown, sizeof(shown)), strerror(-ret));
	}
	*out = f;
	return 0;
}

static struct conf_file *
file_name_copy(const char *path)
{
	size_t len = strlen(path) + 1;
	struct conf_file *file = malloc(sizeof(*file) + len);

	if (file == NULL)
		return NULL;
	memcpy(file->path, path, len);
	return file;
}

int
plx_conf_load(struct plx_conf *conf, const char *path, struct plx_err *err)
{
	struct ini *ini = calloc(1, sizeof(*ini));
	struct conf_file *file;
	int ret;

	if (ini == NULL)
		return plx_err_set(err, -ENOMEM, "no memory to read a file");
	ini->conf = conf;
	ini->err = err;
	ini->seen = calloc(conf->nb_opts + 1, sizeof(*ini->seen));
	file = file_name_copy(path);
	if (ini->seen == NULL || file == NULL) {
		ret = plx_err_set(err, -ENOMEM, "no memory to read a file");
		goto out_free;
	}
	ret = file_open(path, &ini->f, err);
	if (ret < 0)
		goto out_free;
	ret = file_parse(ini, path);
	fclose(ini->f);
	if (ret == 0) {
		stage_apply(ini, file);
		file = NULL;
	}

out_free:
	free(file);
	for (size_t i = 0; i < ini->nb_sections; i++) {
		if (ini->sections[i].is_new)
			conf_block_destroy(ini->sections[i].block);
	}
	free(ini->sections);
	free(ini->values);
	free(ini->seen);
	free(ini);
	return ret;
}
