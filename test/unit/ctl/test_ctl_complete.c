/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl_fixture.h"

/* What may stand where the cursor is. */

/* The candidates joined by '|'. */
static void
expect(void **state, const char *line, const char *words)
{
	struct fx *fx = *state;
	struct ctl_candidates *c = malloc(sizeof(*c));
	char joined[512] = "";
	size_t used = 0;

	assert_non_null(c);
	ctl_complete(fx->ctl, line, c);
	for (int i = 0; i < c->nb; i++)
		used += (size_t)snprintf(joined + used, sizeof(joined) - used, "%s%s",
					 i > 0 ? "|" : "", c->word[i]);
	ctl_candidates_clear(c);
	free(c);
	assert_string_equal(joined, words);
}

static void
an_empty_line_offers_each_first_word_once(void **state)
{
	expect(state, "", "help|show|echo|fail|count|slow|wait|big|silent");
}

static void
command_words_are_completed_word_by_word(void **state)
{
	expect(state, "s", "show|slow|silent");
	expect(state, "sh", "show");
	expect(state, "show", "show");
	expect(state, "echo", "echo");
	expect(state, "show ", "engines|config");
	expect(state, "show c", "config");
	expect(state, "show x", "");
	expect(state, "show engines ", "");
	expect(state, "xyz ", "");
}

static void
help_completes_commands(void **state)
{
	expect(state, "help e", "echo");
	expect(state, "help show ", "engines|config");
}

static void
keys_and_the_commands_own_words_are_offered(void **state)
{
	expect(state, "echo ", "key=|size=|alpha one|alphabet");
	expect(state, "echo al", "alpha one|alphabet");
	expect(state, "echo alphabet ", "key=|size=|omega");
	expect(state, "echo s", "size=");
}

static void
a_key_is_not_offered_twice(void **state)
{
	expect(state, "echo size=3 x si", "");
	expect(state, "echo size=3 x k", "key=");
}

static void
values_of_a_key_come_from_the_command(void **state)
{
	expect(state, "echo ke", "key=");
	expect(state, "echo key=", "key=web/one|key=web/two");
	expect(state, "echo key=web/o", "key=web/one");
	expect(state, "echo size=", "");
}

static void
open_quotes_are_completed(void **state)
{
	expect(state, "echo 'alpha o", "alpha one");
	expect(state, "echo \"alp", "alpha one|alphabet");
	expect(state, "echo alpha\\ ", "alpha one");
}

static void
a_line_that_is_no_text_has_no_candidates(void **state)
{
	expect(state, "sh\033", "");
	expect(state, "# s", "help|show|echo|fail|count|slow|wait|big|silent");
}

static void
the_common_part_never_ends_inside_a_character(void **state)
{
	char one[] = "x\xc3\xa4", two[] = "x\xc3\xb6", three[] = "xa";
	struct ctl_candidates *c = calloc(1, sizeof(*c));

	(void)state;
	assert_non_null(c);
	assert_int_equal(ctl_candidates_common(c), 0);
	c->word[0] = one;
	c->word[1] = two;
	c->nb = 1;
	assert_int_equal(ctl_candidates_common(c), 3);
	c->nb = 2;
	assert_int_equal(ctl_candidates_common(c), 1);
	c->word[1] = three;
	assert_int_equal(ctl_candidates_common(c), 1);
	free(c);
}

static void
an_escaped_word_reads_as_the_word(void **state)
{
	static const char *const words[] = { "a b", "it's",        "say \"x\"", "#1",
					     "a#b", "back\\slash", "plain",     "\xc3\xa4 b" };
	struct ctl_words got;
	char escaped[64];

	(void)state;
	for (size_t i = 0; i < PLX_ARRAY_SIZE(words); i++) {
		ctl_word_escape(words[i], strlen(words[i]), escaped, sizeof(escaped));
		assert_int_equal(ctl_line_split(escaped, false, &got, NULL), 0);
		assert_int_equal(got.nb, 1);
		assert_string_equal(got.word[0], words[i]);
	}
	ctl_word_escape("abcdefgh", 8, escaped, 6);
	assert_true(strlen(escaped) < 6);
}

static void
add_very_many(void *app, int argc, const char *const *argv, void (*add)(void *to, const char *word),
	      void *to)
{
	char word[32];

	(void)app;
	(void)argc;
	(void)argv;
	for (int i = 0; i < 2 * CTL_CANDIDATES_MAX; i++) {
		snprintf(word, sizeof(word), "w%d", i);
		add(to, word);
	}
}

static int
run_nothing(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	(void)call;
	(void)answer;
	(void)err;
	return 0;
}

static void
there_is_an_end_to_the_candidates(void **state)
{
	static const struct plx_ctl_cmd row = { "many", "", "Many.", NULL,        NULL,
						0,      1,  false,   run_nothing, add_very_many };
	struct ctl_candidates *c = malloc(sizeof(*c));
	struct fx *fx = *state;

	assert_non_null(c);
	assert_int_equal(plx_ctl_register(fx->ctl, &row, 1), 0);
	ctl_complete(fx->ctl, "many ", c);
	assert_int_equal(c->nb, CTL_CANDIDATES_MAX);
	ctl_candidates_clear(c);
	free(c);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, fx_setup, fx_teardown)
	const struct CMUnitTest tests[] = {
		T(an_empty_line_offers_each_first_word_once),
		T(command_words_are_completed_word_by_word),
		T(help_completes_commands),
		T(keys_and_the_commands_own_words_are_offered),
		T(a_key_is_not_offered_twice),
		T(values_of_a_key_come_from_the_command),
		T(open_quotes_are_completed),
		T(a_line_that_is_no_text_has_no_candidates),
		cmocka_unit_test(the_common_part_never_ends_inside_a_character),
		cmocka_unit_test(an_escaped_word_reads_as_the_word),
		T(there_is_an_end_to_the_candidates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
