/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>

#include "conf_fixture.h"

/* A configuration is made from tables, refuses tables that contradict themselves, and holds the
 * defaults. */

static const struct plx_conf_section one_section[] = { { "engine", sizeof(struct fx_engine), false,
							 "Engines." } };

/* Make a configuration of one wrong row; the sentence has to name it. */
static void
expect_refused(struct plx_opt opt, const char *sentence)
{
	struct plx_err err = { { 0 } };
	struct plx_conf *conf = NULL;

	assert_int_equal(plx_conf_create(one_section, 1, &opt, 1, &conf, &err), -EINVAL);
	assert_null(conf);
	if (strstr(err.text, sentence) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", sentence, err.text);
}

static void
a_new_configuration_has_the_presets(void **state)
{
	struct plx_conf *conf = fx_conf();
	const struct fx_engine *e = plx_conf_get(conf, "engine", NULL);

	(void)state;
	assert_non_null(e);
	assert_false(e->shadow);
	assert_int_equal(e->burst, 32);
	assert_int_equal(e->wait_us, 50);
	assert_int_equal(e->memory, 64u << 20);
	assert_int_equal(e->mode, FX_INLINE);
	assert_string_equal(e->cpus, "");
	assert_int_equal(e->weight, 4);
	plx_conf_destroy(conf);
}

static void
get_knows_plain_and_repeated_apart(void **state)
{
	struct plx_conf *conf = fx_conf();
	uint32_t pos = 0;

	(void)state;
	assert_null(plx_conf_get(conf, "engine", "x"));
	assert_null(plx_conf_get(conf, "container", NULL));
	assert_null(plx_conf_get(conf, "container", "web"));
	assert_null(plx_conf_get(conf, "nothing", NULL));
	assert_null(plx_conf_next_name(conf, "container", &pos));
	assert_null(plx_conf_next_name(conf, "engine", &pos));
	assert_null(plx_conf_next_name(conf, "nothing", &pos));
	plx_conf_destroy(conf);
}

static void
show_gives_each_option_once_in_table_order(void **state)
{
	struct plx_conf *conf = fx_conf();
	struct plx_conf_item item;
	uint32_t pos = 0;

	(void)state;
	for (size_t i = 0; i < 7; i++) {
		char name[192];

		assert_true(plx_conf_next(conf, &pos, &item));
		snprintf(name, sizeof(name), "engine.%s", fx_opts[i].key);
		assert_string_equal(item.name, name);
		assert_string_equal(item.value, fx_opts[i].preset);
		assert_string_equal(item.origin, "default");
		assert_int_equal(item.live, fx_opts[i].live);
		assert_ptr_equal(item.help, fx_opts[i].help);
	}
	assert_false(plx_conf_next(conf, &pos, &item));
	plx_conf_destroy(conf);
}

static void
show_tells_the_range_of_each_type(void **state)
{
	struct plx_conf *conf = fx_conf();

	(void)state;
	assert_string_equal(fx_item(conf, "engine.shadow").range, "on, off");
	assert_string_equal(fx_item(conf, "engine.burst").range, "1..256, a power of two");
	assert_string_equal(fx_item(conf, "engine.batch-wait").range, "0us..1s");
	assert_string_equal(fx_item(conf, "engine.memory").range, "4k..1024g");
	assert_string_equal(fx_item(conf, "engine.mode").range, "inline, pipeline");
	assert_string_equal(fx_item(conf, "engine.cpus").range, "text of 0..40 bytes");
	plx_conf_destroy(conf);
}

static void
tables_that_contradict_themselves_are_refused(void **state)
{
	const struct plx_opt good = fx_opts[1]; /* burst */
	struct plx_opt bad;

	(void)state;
	bad = good;
	bad.preset = "300";
	expect_refused(bad, "engine.burst: \"300\" is not taken");
	bad = good;
	bad.min = 257;
	expect_refused(bad, "max has to be above 0");
	bad = good;
	bad.section = "engines";
	expect_refused(bad, "its section is in no row");
	bad = good;
	bad.key = "Burst";
	expect_refused(bad, "the key has to be");
	bad = good;
	bad.key = "-burst";
	expect_refused(bad, "the key has to be");
	bad = good;
	bad.key = NULL;
	expect_refused(bad, "no section or key");
	bad = good;
	bad.help = NULL;
	expect_refused(bad, "needs a preset and a help");
	bad = good;
	bad.offset = sizeof(struct fx_engine) - 3;
	expect_refused(bad, "outside the section's struct");
	bad = good;
	bad.offset = SIZE_MAX - 1;
	expect_refused(bad, "outside the section's struct");
	bad = good;
	bad.max = 1ULL << 32;
	expect_refused(bad, "32 bits");
	bad = good;
	bad.type = 99;
	expect_refused(bad, "unknown type");
	bad = fx_opts[4]; /* mode */
	bad.choices = NULL;
	expect_refused(bad, "needs choices");
	bad = fx_opts[4];
	bad.pow2 = true;
	expect_refused(bad, "pow2 is for numbers");
	bad = fx_opts[5]; /* cpus */
	bad.max = 256;
	bad.offset = 0;
	expect_refused(bad, "outside the section's struct");
}

static void
rows_that_are_there_twice_are_refused(void **state)
{
	const struct plx_opt twice[] = { fx_opts[1], fx_opts[1] };
	const struct plx_conf_section sections[] = { one_section[0], one_section[0] };
	struct plx_err err = { { 0 } };
	struct plx_conf *conf = NULL;

	(void)state;
	assert_int_equal(plx_conf_create(one_section, 1, twice, 2, &conf, &err), -EINVAL);
	assert_non_null(strstr(err.text, "engine.burst: there twice"));
	assert_int_equal(plx_conf_create(sections, 2, NULL, 0, &conf, &err), -EINVAL);
	assert_non_null(strstr(err.text, "section engine: there twice"));
	assert_null(conf);
}

static void
sections_with_bad_names_are_refused(void **state)
{
	const struct plx_conf_section bad[] = { { "a b", 8, false, "x" },
						{ "", 8, false, "x" },
						{ "averylongsectionname", 8, false, "x" },
						{ "engine", 0, false, "x" },
						{ "engine", 8, false, NULL } };
	struct plx_conf *conf = NULL;

	(void)state;
	for (size_t i = 0; i < PLX_ARRAY_SIZE(bad); i++)
		assert_int_equal(plx_conf_create(&bad[i], 1, NULL, 0, &conf, NULL), -EINVAL);
	assert_null(conf);
}

static void
destroy_takes_null(void **state)
{
	(void)state;
	plx_conf_destroy(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_configuration_has_the_presets),
		cmocka_unit_test(get_knows_plain_and_repeated_apart),
		cmocka_unit_test(show_gives_each_option_once_in_table_order),
		cmocka_unit_test(show_tells_the_range_of_each_type),
		cmocka_unit_test(tables_that_contradict_themselves_are_refused),
		cmocka_unit_test(rows_that_are_there_twice_are_refused),
		cmocka_unit_test(sections_with_bad_names_are_refused),
		cmocka_unit_test(destroy_takes_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
