/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl_fixture.h"

/* The n-th allocation fails, ours or jansson's, n = 1, 2, ... until all went well: an error each
 * time, nothing leaked. */

void *__real_malloc(size_t len);
void *__real_calloc(size_t nb, size_t len);
void *__real_realloc(void *p, size_t len);
void *__real_reallocarray(void *p, size_t nb, size_t len);
char *__real_strndup(const char *text, size_t len);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t len);
void *__wrap_calloc(size_t nb, size_t len);
void *__wrap_realloc(void *p, size_t len);
void *__wrap_reallocarray(void *p, size_t nb, size_t len);
char *__wrap_strndup(const char *text, size_t len);
char *__wrap_strdup(const char *text);

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
__wrap_realloc(void *p, size_t len)
{
	return fails_now() ? NULL : __real_realloc(p, len);
}

void *
__wrap_reallocarray(void *p, size_t nb, size_t len)
{
	return fails_now() ? NULL : __real_reallocarray(p, nb, len);
}

char *
__wrap_strndup(const char *text, size_t len)
{
	return fails_now() ? NULL : __real_strndup(text, len);
}

char *
__wrap_strdup(const char *text)
{
	return fails_now() ? NULL : __real_strdup(text);
}

static void
create_and_listen_survive(void **state)
{
	int n = 0, ret;

	(void)state;
	do {
		struct plx_ctl *ctl = NULL;
		struct plx_err err = { { 0 } };

		until_failure = ++n;
		ret = plx_ctl_create(NULL, &ctl);
		assert_true((ret == 0) == (ctl != NULL));
		if (ret == 0)
			ret = plx_ctl_listen(ctl, fx_path("a"), &err);
		until_failure = 0;
		assert_true(ret == 0 || ret == -ENOMEM);
		plx_ctl_destroy(ctl);
	} while (ret != 0);
	assert_true(n > 3);
}

static void
a_failing_register_adds_nothing(void **state)
{
	static const struct plx_ctl_cmd row = {
		"x", "", "X.", NULL, NULL, 0, 0, false, NULL, NULL
	};
	struct fx *fx = *state;
	size_t before = fx->ctl->nb_cmds;

	until_failure = 1;
	assert_int_equal(plx_ctl_register(fx->ctl, &row, 1), -ENOMEM);
	until_failure = 0;
	assert_int_equal(fx->ctl->nb_cmds, before);
	fx_expect(fx, "count", "1");
}

/* Run a line until no allocation fails any more. */
static void
sweep(struct fx *fx, const char *line)
{
	int n = 0, ret;

	do {
		struct plx_err err = { { 0 } };
		json_t *answer = NULL;

		until_failure = ++n;
		ret = plx_ctl_run(fx->ctl, line, NULL, &answer, &err);
		until_failure = 0;
		assert_true(ret == 0 || ret == -ENOMEM);
		assert_true(ret == 0 || err.text[0] != '\0');
		assert_true((ret == 0) == (answer != NULL));
		json_decref(answer);
	} while (ret != 0);
	assert_true(n > 1);
}

static void
help_survives(void **state)
{
	sweep(*state, "help");
	sweep(*state, "help show");
	sweep(*state, "help echo");
}

static void
printing_survives(void **state)
{
	json_t *answer = json_loads(
		"{\"a\":[{\"x\":1,\"y\":[1,2],\"z\":{\"k\":[[1]]}}],\"b\":\"c\"}", 0, NULL);

	(void)state;
	assert_non_null(answer);
	for (int as_json = 0; as_json < 2; as_json++) {
		const char *whole = as_json != 0
					    ? "{\"a\":[{\"x\":1,\"y\":[1,2],\"z\":{\"k\":[[1]]}}],"
					      "\"b\":\"c\"}\n"
					    : "a:\n  x  y    z\n  1  1,2  {\"k\":[[1]]}\nb: c\n";
		int n = 0, ret;

		do {
			char *text = NULL;
			size_t len = 0;
			FILE *f = open_memstream(&text, &len);

			assert_non_null(f);
			until_failure = ++n;
			ret = plx_ctl_print(f, answer, as_json != 0);
			until_failure = 0;
			fclose(f);
			assert_true(ret == 0 || ret == -ENOMEM);
			if (ret == 0) /* never half of it */
				assert_string_equal(text, whole);
			free(text);
		} while (ret != 0);
		assert_true(n > 1);
	}
	json_decref(answer);
}

static void
a_script_survives(void **state)
{
	struct fx *fx = *state;
	int n = 0, ret;

	fx_file("script", "help\n", 5);
	do {
		struct plx_err err = { { 0 } };
		char *text = NULL;
		size_t len = 0;
		FILE *f = open_memstream(&text, &len);

		assert_non_null(f);
		until_failure = ++n;
		ret = plx_ctl_script(fx->ctl, fx_path("script"), f, false, &err);
		until_failure = 0;
		fclose(f);
		free(text);
		assert_true(ret == 0 || ret == -ENOMEM);
		assert_true(ret == 0 || err.text[0] != '\0');
	} while (ret != 0);
	assert_true(n > 3);
}

static void
completion_survives(void **state)
{
	struct ctl_candidates *c = malloc(sizeof(*c));
	struct fx *fx = *state;

	assert_non_null(c);
	for (int n = 1; n < 20; n++) {
		until_failure = n;
		ctl_complete(fx->ctl, "echo ", c);
		until_failure = 0;
		assert_true(c->nb <= 4);
		ctl_candidates_clear(c);
	}
	free(c);
}

static void
the_manual_and_error_lines_survive(void **state)
{
	struct fx *fx = *state;
	FILE *f = fopen("/dev/null", "w");
	char *line;
	int n = 0;

	assert_non_null(f);
	until_failure = 1;
	assert_int_equal(plx_ctl_write_manual(fx->ctl, f), -ENOMEM);
	do {
		until_failure = ++n;
		line = ctl_reply_error(-5, "text");
		until_failure = 0;
	} while (line == NULL);
	assert_string_equal(line, "{\"ok\":false,\"code\":-5,\"error\":\"text\"}\n");
	free(line);
	assert_true(n > 3);
	fclose(f);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, fx_setup, fx_teardown)
	const struct CMUnitTest tests[] = {
		T(create_and_listen_survive),
		T(a_failing_register_adds_nothing),
		T(help_survives),
		T(printing_survives),
		T(a_script_survives),
		T(completion_survives),
		T(the_manual_and_error_lines_survive),
	};

	json_set_alloc_funcs(__wrap_malloc, free);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
