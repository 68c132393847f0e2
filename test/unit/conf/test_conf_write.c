/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>

#include "conf_fixture.h"

/* The sample file loads as it is and with its comment signs taken away; the manual says each option
 * and is safe roff. */

static char *
written(struct plx_conf *conf, int (*write)(struct plx_conf *, FILE *))
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	assert_int_equal(write(conf, f), 0);
	assert_int_equal(fclose(f), 0);
	return text;
}

/* "#key = value" and "#[section NAME]" become active; prose begins with "# ". */
static void
uncomment(char *text)
{
	char *to = text;

	for (char *p = text; *p != '\0'; p++) {
		if (*p == '#' && (p == text || p[-1] == '\n') && p[1] != ' ')
			continue;
		*to++ = *p;
	}
	*to = '\0';
}

static void
load(struct plx_conf *conf, const char *text)
{
	const char *path = fx_text(text);
	struct plx_err err = { { 0 } };

	if (plx_conf_load(conf, path, &err) != 0)
		fail_msg("%s", err.text);
	unlink(path);
}

static void
the_sample_loads_as_it_is_and_changes_nothing(void **state)
{
	struct plx_conf *conf = fx_conf();
	char *text = written(conf, plx_conf_write_sample);
	struct plx_conf_item item;
	uint32_t pos = 0;

	(void)state;
	load(conf, text);
	while (plx_conf_next(conf, &pos, &item))
		assert_string_equal(item.origin, "default");
	free(text);
	plx_conf_destroy(conf);
}

static void
the_sample_names_every_option_with_its_default(void **state)
{
	struct plx_conf *conf = fx_conf();
	char *text = written(conf, plx_conf_write_sample);
	struct plx_conf_item item;
	uint32_t pos = 0;

	(void)state;
	uncomment(text);
	load(conf, text);
	while (plx_conf_next(conf, &pos, &item))
		assert_string_not_equal(item.origin, "default");
	assert_int_equal(pos, PLX_ARRAY_SIZE(fx_opts));
	for (size_t i = 0; i < PLX_ARRAY_SIZE(fx_opts); i++)
		assert_non_null(strstr(text, fx_opts[i].help));
	assert_string_equal(fx_item(conf, "engine.memory").value, "64m");
	assert_non_null(
		strstr(text, "Range: 1..256, a power of two. May be changed while running."));
	free(text);
	plx_conf_destroy(conf);
}

static void
the_sample_folds_long_help(void **state)
{
	static const struct plx_conf_section section = {
		"engine", sizeof(struct fx_engine), false,
		"A text that is longer than a line of a terminal and is therefore folded at a blank, "
		"each line with its sign of a comment."
	};
	struct plx_conf *conf = NULL;
	char *text, *line, *more;

	(void)state;
	assert_int_equal(plx_conf_create(&section, 1, NULL, 0, &conf, NULL), 0);
	text = written(conf, plx_conf_write_sample);
	assert_true(strchr(text, '\n') < strstr(text, "comment."));
	for (line = strtok_r(text, "\n", &more); line != NULL; line = strtok_r(NULL, "\n", &more)) {
		assert_true(strlen(line) <= 78);
		assert_true(line[0] == '#' || line[0] == '[');
	}
	free(text);
	plx_conf_destroy(conf);
}

static void
the_manual_says_every_option_and_escapes_what_roff_reads(void **state)
{
	static const struct plx_opt opt = { "engine",
					    "batch-wait",
					    PLX_OPT_TEXT,
					    offsetof(struct fx_engine, cpus),
					    0,
					    40,
					    false,
					    true,
					    NULL,
					    ".so",
					    ".so /etc/passwd\n'a \\fB" };
	struct plx_conf *conf = NULL;
	char *text;

	(void)state;
	assert_int_equal(plx_conf_create(fx_sections, 1, &opt, 1, &conf, NULL), 0);
	text = written(conf, plx_conf_write_manual);
	assert_non_null(strstr(text, ".SS \"[engine]\"\n"));
	assert_non_null(strstr(text, ".B batch\\-wait\n"));
	assert_non_null(strstr(text, "\n\\&.so /etc/passwd\n\\&'a \\efB\n"));
	assert_non_null(strstr(text, "Default: \\&.so. May be changed while running.\n"));
	free(text);
	plx_conf_destroy(conf);
}

static void
a_full_disk_is_told(void **state)
{
	struct plx_conf *conf = fx_conf();
	FILE *f = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(f);
	assert_int_equal(plx_conf_write_sample(conf, f), -EIO);
	assert_int_equal(plx_conf_write_manual(conf, f), -EIO);
	fclose(f);
	plx_conf_destroy(conf);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sample_loads_as_it_is_and_changes_nothing),
		cmocka_unit_test(the_sample_names_every_option_with_its_default),
		cmocka_unit_test(the_sample_folds_long_help),
		cmocka_unit_test(the_manual_says_every_option_and_escapes_what_roff_reads),
		cmocka_unit_test(a_full_disk_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
