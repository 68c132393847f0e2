/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>

#include "conf_fixture.h"

/* The n-th allocation fails, n = 1, 2, ... until all went well: each failure is -ENOMEM, leaks
 * nothing, changes nothing. */

void *__real_malloc(size_t len);
void *__real_calloc(size_t nb, size_t len);
void *__real_reallocarray(void *p, size_t nb, size_t len);
void *__wrap_malloc(size_t len);
void *__wrap_calloc(size_t nb, size_t len);
void *__wrap_reallocarray(void *p, size_t nb, size_t len);

static int until_failure; /* 0: none fails */

static bool
fails_now(void)
{
	return until_failure > 0 && --until_failure == 0;
}

void *
__wrap_malloc(size_t len)
{
	return fails_now() ? NULL : __real_malloc(len);
}

void *
__wrap_calloc(size_t nb, size_t len)
{
	return fails_now() ? NULL : __real_calloc(nb, len);
}

void *
__wrap_reallocarray(void *p, size_t nb, size_t len)
{
	return fails_now() ? NULL : __real_reallocarray(p, nb, len);
}

static void
create_survives_each_failing_allocation(void **state)
{
	int n = 0, ret;

	(void)state;
	do {
		struct plx_conf *conf = NULL;
		struct plx_err err = { { 0 } };

		until_failure = ++n;
		ret = plx_conf_create(fx_sections, PLX_ARRAY_SIZE(fx_sections), fx_opts,
				      PLX_ARRAY_SIZE(fx_opts), &conf, &err);
		until_failure = 0;
		assert_true(ret == 0 || ret == -ENOMEM);
		assert_true((ret == 0) == (conf != NULL));
		assert_true(ret == 0 || strstr(err.text, "memory") != NULL);
		plx_conf_destroy(conf);
	} while (ret != 0);
	assert_true(n > 4);
}

static void
load_survives_each_failing_allocation(void **state)
{
	const char *path = fx_text("[engine]\nburst = 8\n[container a]\nmax-keys = 2\n"
				   "[container b]\n");
	int n = 0, ret;

	(void)state;
	do {
		struct plx_conf *conf = fx_conf();
		struct plx_err err = { { 0 } };

		until_failure = ++n;
		ret = plx_conf_load(conf, path, &err);
		until_failure = 0;
		assert_true(ret == 0 || ret == -ENOMEM);
		if (ret != 0) {
			assert_true(err.text[0] != '\0');
			assert_string_equal(fx_item(conf, "engine.burst").value, "32");
			assert_null(plx_conf_get(conf, "container", "a"));
		}
		plx_conf_destroy(conf);
	} while (ret != 0);
	assert_true(n > 8);
	unlink(path);
}

static void
set_survives_each_failing_allocation(void **state)
{
	int n = 0, ret;

	(void)state;
	do {
		struct plx_conf *conf = fx_conf();

		until_failure = ++n;
		ret = plx_conf_set(conf, "container.a.max-keys", "3", PLX_ORIGIN_COMMAND_LINE,
				   NULL);
		until_failure = 0;
		assert_true(ret == 0 || ret == -ENOMEM);
		assert_true((ret == 0) == (plx_conf_get(conf, "container", "a") != NULL));
		plx_conf_destroy(conf);
	} while (ret != 0);
	assert_int_equal(n, 4);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create_survives_each_failing_allocation),
		cmocka_unit_test(load_survives_each_failing_allocation),
		cmocka_unit_test(set_survives_each_failing_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
