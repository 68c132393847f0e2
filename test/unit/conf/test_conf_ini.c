/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <sys/stat.h>

#include "conf_fixture.h"

/* INI files: what is read, that each refusal names file and line, and that a refused file changes
 * nothing. */

static void
load(struct plx_conf *conf, const char *text)
{
	struct plx_err err = { { 0 } };

	if (plx_conf_load(conf, fx_text(text), &err) != 0)
		fail_msg("%s", err.text);
}

/* The file is refused at the line with the sentence, and the configuration is as before. */
static void
expect_refused_bytes(const void *bytes, size_t len, int line, const char *sentence)
{
	struct plx_conf *conf = fx_conf();
	const char *path = fx_file(bytes, len);
	struct plx_err err = { { 0 } };
	struct plx_conf_item item;
	char place[100];
	uint32_t pos = 0;

	if (plx_conf_load(conf, path, &err) != -EINVAL)
		fail_msg("taken: %.*s", (int)len, (const char *)bytes);
	snprintf(place, sizeof(place), "%s:%d: ", path, line);
	if (strncmp(err.text, place, strlen(place)) != 0)
		fail_msg("\"%s\" does not begin with %s", err.text, place);
	if (strstr(err.text, sentence) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", sentence, err.text);
	while (plx_conf_next(conf, &pos, &item))
		assert_string_equal(item.origin, "default");
	assert_int_equal(pos, 7); /* no repeated section either */
	plx_conf_destroy(conf);
}

static void
expect_refused(const char *text, int line, const char *sentence)
{
	expect_refused_bytes(text, strlen(text), line, sentence);
}

static void
values_are_read_with_their_place(void **state)
{
	struct plx_conf *conf = fx_conf();
	const struct fx_engine *e = plx_conf_get(conf, "engine", NULL);
	char place[100];

	(void)state;
	load(conf, "# a comment\n\n[engine]   ; the engines\nburst=64\n  \n; more\n"
		   "batch-wait =  2ms # a comment\ncpus: 1-3 = x;y#z\n");
	assert_int_equal(e->burst, 64);
	assert_int_equal(e->wait_us, 2000);
	assert_string_equal(e->cpus, "1-3 = x;y#z");
	snprintf(place, sizeof(place), "/tmp/plx_conf_%d.conf:4", (int)getpid());
	assert_string_equal(fx_item(conf, "engine.burst").origin, place);
	place[strlen(place) - 1] = '7';
	assert_string_equal(fx_item(conf, "engine.batch-wait").origin, place);
	assert_string_equal(fx_item(conf, "engine.memory").origin, "default");
	plx_conf_destroy(conf);
}

static void
repeated_sections_come_in_file_order_and_may_be_empty(void **state)
{
	struct plx_conf *conf = fx_conf();
	const struct fx_container *c;
	uint32_t pos = 0;

	(void)state;
	load(conf,
	     "[container web]\nmax-keys = 3\n[container empty]\n[ container   a/b:c.d-e_F ]\n");
	assert_string_equal(plx_conf_next_name(conf, "container", &pos), "web");
	assert_string_equal(plx_conf_next_name(conf, "container", &pos), "empty");
	assert_string_equal(plx_conf_next_name(conf, "container", &pos), "a/b:c.d-e_F");
	assert_null(plx_conf_next_name(conf, "container", &pos));
	c = plx_conf_get(conf, "container", "web");
	assert_int_equal(c->max_keys, 3);
	c = plx_conf_get(conf, "container", "empty");
	assert_int_equal(c->max_keys, 10);
	plx_conf_destroy(conf);
}

static void
a_text_goes_on_in_indented_lines(void **state)
{
	struct plx_conf *conf = fx_conf();
	const struct fx_container *c;

	(void)state;
	load(conf,
	     "[container web]\nalgorithms = aes-gcm ; one\n   rsa = 2 ; two\n\n# c\n\tx25519\n"
	     "max-keys = 4\n");
	c = plx_conf_get(conf, "container", "web");
	assert_string_equal(c->algs, "aes-gcm rsa = 2 x25519");
	assert_int_equal(c->max_keys, 4);
	plx_conf_destroy(conf);
}

static void
an_empty_text_goes_on_without_a_blank(void **state)
{
	struct plx_conf *conf = fx_conf();
	const struct fx_container *c;

	(void)state;
	load(conf, "[container web]\nalgorithms =\n   rsa\n");
	c = plx_conf_get(conf, "container", "web");
	assert_string_equal(c->algs, "rsa");
	plx_conf_destroy(conf);
}

static void
the_last_line_needs_no_end_and_dos_ends_are_taken(void **state)
{
	struct plx_conf *conf = fx_conf();
	const struct fx_engine *e = plx_conf_get(conf, "engine", NULL);

	(void)state;
	load(conf, "\xef\xbb\xbf[engine]\r\nburst = 8\r\nbatch-wait = 7us");
	assert_int_equal(e->burst, 8);
	assert_int_equal(e->wait_us, 7);
	plx_conf_destroy(conf);
}

static void
an_empty_file_is_a_file(void **state)
{
	struct plx_conf *conf = fx_conf();

	(void)state;
	load(conf, "");
	load(conf, "\n\n# nothing\n");
	plx_conf_destroy(conf);
}

static void
a_second_file_adds_and_overrides(void **state)
{
	struct plx_conf *conf = fx_conf();
	const struct fx_engine *e = plx_conf_get(conf, "engine", NULL);
	struct fx_container *c;

	(void)state;
	load(conf, "[engine]\nburst = 8\nweight = 9\n[container web]\nmax-keys = 3\n");
	c = plx_conf_get(conf, "container", "web");
	load(conf, "\n[engine]\nburst = 16\n[container web]\nalgorithms = rsa\n[container b]\n");
	assert_int_equal(e->burst, 16);
	assert_int_equal(e->weight, 9);
	assert_ptr_equal(plx_conf_get(conf, "container", "web"), c);
	assert_int_equal(c->max_keys, 3);
	assert_string_equal(c->algs, "rsa");
	plx_conf_destroy(conf);
}

static void
wrong_values_are_refused_with_file_and_line(void **state)
{
	(void)state;
	expect_refused("[engine]\n\nburst = 3\n", 3,
		       "engine.burst: \"3\" is not taken; give 1..256");
	expect_refused("[engine]\nburst = 64# no comment\n", 2, "\"64# no comment\"");
	expect_refused("[engine]\nburst =\n", 2, "\"\" is not taken");
	expect_refused("[engine]\nbrust = 3\n", 2, "did you mean burst?");
	expect_refused("[engine]\n= 3\n", 2, "no option \"\"");
	expect_refused("[container web]\nmax-keys = 2\n[engine]\nmax-keys = 2\n", 4,
		       "[engine] has no option \"max-keys\"");
}

static void
doubled_keys_and_sections_are_refused(void **state)
{
	(void)state;
	expect_refused("[engine]\nburst = 8\nmemory = 64k\nburst = 8\n", 4, "in line 2 already");
	expect_refused("[engine]\nburst = 8\n[container a]\n[engine]\n", 4, "in line 1 already");
	expect_refused("[container a]\n[container b]\n[container a]\n", 3, "in line 1 already");
}

static void
sections_that_are_wrong_are_refused(void **state)
{
	(void)state;
	expect_refused("burst = 8\n", 1, "before the first section");
	expect_refused("[engin]\n", 1, "did you mean engine?");
	expect_refused("[engine x]\n", 1, "has no name");
	expect_refused("[container]\n", 1, "needs a name");
	expect_refused("[container a b]\n", 1, "a word and a name at most");
	expect_refused("[container a*b]\n", 1, "\"a*b\" is no section name");
	expect_refused("[engine\nburst = 8\n", 1, "needs its \"]\"");
	expect_refused("[]\n", 1, "without a word");
	expect_refused("[engine] burst = 8\n", 1, "only a comment may stand behind");
	/* longer than what the INI library keeps of a section: not cut, refused */
	expect_refused(
		"[container "
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx]\n",
		1, "is no section name");
}

static void
lines_that_are_no_options_are_refused(void **state)
{
	(void)state;
	expect_refused("[engine]\nburst\n", 2, "expected \"KEY = VALUE\"");
	expect_refused("[engine]\nburst\nburst = 3\n", 2, "expected \"KEY = VALUE\"");
	expect_refused("[engine]\nburst = 3\nburst\n", 2, "\"3\" is not taken");
	expect_refused("[engine]\nburst = 8\n wait = 3\n", 3, "burst takes one line");
	expect_refused("[engine]\n burst = 3\n", 2, "there is none above");
	expect_refused("[engine]\ncpus = 1\n[container a]\n x\n", 4, "there is none above");
	expect_refused("[engine]\nburst = 8\n [container a]\n", 3, "burst takes one line");
}

static void
a_long_key_does_not_pass_for_its_beginning(void **state)
{
	(void)state;
	expect_refused(
		"[engine]\nburstxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx = 8\n",
		2, "has no option");
}

static void
bytes_that_are_no_text_are_refused(void **state)
{
	static const char nul[] = "[engine]\nburst = 8\0\n";
	static const char nul_comment[] = "[engine]\n# \0\n";

	(void)state;
	expect_refused_bytes(nul, sizeof(nul) - 1, 2, "no text");
	expect_refused_bytes(nul_comment, sizeof(nul_comment) - 1, 2, "no text");
	expect_refused("[engine]\n\n# \033[2J\n", 3, "no text");
	expect_refused("[engine]\ncpus = \xc3\x28\n", 2, "no text");
	expect_refused("[engine]\ncpus = \xe2\x80\xae\n", 2, "no text");
	expect_refused("[engine]\rburst = 8\n", 1, "no text");
}

static void
overlong_lines_are_refused(void **state)
{
	char text[9000];

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text, "[engine]\ncpus = ", 16);
	text[8998] = '\n';
	text[8999] = '\0';
	expect_refused(text, 2, "longer than");
	text[300] = '\n';
	text[301] = '\0';
	expect_refused(text, 2, "longer than");
	/* no end at all */
	text[300] = 'x';
	text[301] = 'x';
	expect_refused_bytes(text, sizeof(text), 2, "longer than");
}

static void
the_longest_line_is_taken_whole(void **state)
{
	struct plx_conf *conf = fx_conf();
	const struct fx_container *c;
	char text[300];
	int nb;

	(void)state;
	nb = snprintf(text, sizeof(text), "[container a]\nalgorithms = %0184d\nmax-keys = 2\n", 0);
	assert_int_equal(nb, 14 + 197 + 1 + 13);
	load(conf, text);
	c = plx_conf_get(conf, "container", "a");
	assert_int_equal(strlen(c->algs), 184);
	assert_int_equal(c->max_keys, 2);
	plx_conf_destroy(conf);
	snprintf(text, sizeof(text), "[container a]\nalgorithms = %0185d\n", 0);
	expect_refused(text, 2, "longer than 197 bytes");
}

static void
a_long_comment_is_no_error(void **state)
{
	struct plx_conf *conf = fx_conf();
	char text[2000];

	(void)state;
	snprintf(text, sizeof(text), "[engine]\n# %01800d\nburst = 8\n", 0);
	load(conf, text);
	assert_string_equal(fx_item(conf, "engine.burst").value, "8");
	plx_conf_destroy(conf);
}

static void
a_text_that_grows_too_long_is_refused_in_the_line_where_it_does(void **state)
{
	(void)state;
	expect_refused("[engine]\ncpus = xxxxxxxxxxxxxxxxxxxx\n  xxxxxxxxxxxxxxx\n  xxxxxxxx\n", 4,
		       "text of 0..40 bytes");
}

static void
too_many_sections_are_refused(void **state)
{
	char *text = malloc(40000);
	size_t used = 0;

	(void)state;
	for (int i = 0; i < 1025; i++)
		used += (size_t)snprintf(text + used, 40000 - used, "[container c%d]\n", i);
	expect_refused(text, 1025, "more than 1024");
	free(text);
}

static void
a_refused_file_changes_nothing_of_an_earlier_one(void **state)
{
	struct plx_conf *conf = fx_conf();
	const struct fx_engine *e = plx_conf_get(conf, "engine", NULL);
	struct plx_err err = { { 0 } };

	(void)state;
	load(conf, "[engine]\nburst = 8\n[container web]\nmax-keys = 2\n");
	assert_int_equal(plx_conf_load(conf,
				       fx_text("[engine]\nburst = 16\n[container web]\n"
					       "max-keys = 3\n[container new]\nmax-keys = x\n"),
				       &err),
			 -EINVAL);
	assert_int_equal(e->burst, 8);
	assert_string_equal(fx_item(conf, "container.web.max-keys").value, "2");
	assert_null(plx_conf_get(conf, "container", "new"));
	plx_conf_destroy(conf);
}

static void
files_that_cannot_be_read_are_refused(void **state)
{
	struct plx_conf *conf = fx_conf();
	struct plx_err err = { { 0 } };

	(void)state;
	assert_int_equal(plx_conf_load(conf, "/nowhere/x.conf", &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/x.conf"));
	assert_int_equal(plx_conf_load(conf, "/tmp", &err), -EISDIR);
	assert_int_equal(plx_conf_load(conf, "/dev/zero", &err), -EINVAL);
	assert_int_equal(plx_conf_load(conf, "/nowhere/\033[2J", NULL), -ENOENT);
	assert_int_equal(plx_conf_load(conf, "/nowhere/\033[2J", &err), -ENOENT);
	assert_null(strchr(err.text, '\033'));
	plx_conf_destroy(conf);
}

static void
the_origin_keeps_the_end_of_a_long_path(void **state)
{
	struct plx_conf *conf = fx_conf();
	struct plx_err err = { { 0 } };
	char path[300];
	const char *origin;
	struct plx_conf_item item;
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/%0200d%d.conf", 0, (int)getpid());
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("[engine]\nburst = 8\n", f);
	fclose(f);
	assert_int_equal(plx_conf_load(conf, path, &err), 0);
	item = fx_item(conf, "engine.burst");
	origin = item.origin;
	assert_memory_equal(origin, "...", 3);
	assert_string_equal(origin + strlen(origin) - 7, ".conf:2");
	assert_int_equal(strlen(origin), sizeof(item.origin) - 1);
	unlink(path);
	plx_conf_destroy(conf);
}

static int
file_gone(void **state)
{
	(void)state;
	unlink(fx_text(""));
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_read_with_their_place),
		cmocka_unit_test(repeated_sections_come_in_file_order_and_may_be_empty),
		cmocka_unit_test(a_text_goes_on_in_indented_lines),
		cmocka_unit_test(an_empty_text_goes_on_without_a_blank),
		cmocka_unit_test(the_last_line_needs_no_end_and_dos_ends_are_taken),
		cmocka_unit_test(an_empty_file_is_a_file),
		cmocka_unit_test(a_second_file_adds_and_overrides),
		cmocka_unit_test(wrong_values_are_refused_with_file_and_line),
		cmocka_unit_test(doubled_keys_and_sections_are_refused),
		cmocka_unit_test(sections_that_are_wrong_are_refused),
		cmocka_unit_test(lines_that_are_no_options_are_refused),
		cmocka_unit_test(a_long_key_does_not_pass_for_its_beginning),
		cmocka_unit_test(bytes_that_are_no_text_are_refused),
		cmocka_unit_test(overlong_lines_are_refused),
		cmocka_unit_test(the_longest_line_is_taken_whole),
		cmocka_unit_test(a_long_comment_is_no_error),
		cmocka_unit_test(a_text_that_grows_too_long_is_refused_in_the_line_where_it_does),
		cmocka_unit_test(too_many_sections_are_refused),
		cmocka_unit_test(a_refused_file_changes_nothing_of_an_earlier_one),
		cmocka_unit_test(files_that_cannot_be_read_are_refused),
		cmocka_unit_test(the_origin_keeps_the_end_of_a_long_path),
	};

	return cmocka_run_group_tests(tests, NULL, file_gone);
}
