/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl_fixture.h"

/* The registry and a line through it: which row runs, with which words, under which lock, refused
 * with which sentence. */

static int
run_nothing(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	(void)call;
	(void)answer;
	(void)err;
	return 0;
}

static const struct plx_ctl_cmd good_row = { "good row", "", "Be good.", NULL,        NULL,
					     0,          0,  false,      run_nothing, NULL };

static void
the_longest_words_win(void **state)
{
	static const struct plx_ctl_cmd rows[] = {
		{ "echo loud", "", "Be loud.", NULL, NULL, 0, 0, false, run_nothing, NULL },
	};
	struct fx *fx = *state;

	assert_int_equal(plx_ctl_register(fx->ctl, rows, 1), 0);
	fx_expect(fx, "show engines",
		  "[{\"engine\":0,\"mode\":\"auto\",\"busy\":1.5},"
		  "{\"engine\":1,\"mode\":\"inline\",\"busy\":33.25}]");
	fx_expect(fx, "echo soft", "{\"words\":[\"soft\"],\"key\":null,\"size\":null}");
	fx_expect(fx, "echo loud", "");
}

static void
words_and_pairs_reach_the_handler(void **state)
{
	fx_expect(*state, "echo a size=12 'b c' key=x",
		  "{\"words\":[\"a\",\"b c\"],\"key\":\"x\",\"size\":\"12\"}");
	fx_expect(*state, "echo key= './key=a' \"size=1\"",
		  "{\"words\":[\"./key=a\",\"size=1\"],\"key\":\"\",\"size\":null}");
	fx_expect(*state, "echo key='a b=c'", "{\"words\":[],\"key\":\"a b=c\",\"size\":null}");
}

static void
arg_takes_the_whole_key(void **state)
{
	const struct plx_ctl_call call = { .nb_pairs = 2, .pairs = { "size=3", "key==x" } };

	(void)state;
	assert_string_equal(plx_ctl_arg(&call, "size"), "3");
	assert_string_equal(plx_ctl_arg(&call, "key"), "=x");
	assert_null(plx_ctl_arg(&call, "siz"));
	assert_null(plx_ctl_arg(&call, "sizes"));
	assert_null(plx_ctl_arg(&call, ""));
}

static void
nothing_is_run_for_an_empty_line(void **state)
{
	fx_expect(*state, "", "");
	fx_expect(*state, "  # comment", "");
}

static void
unknown_commands_are_told_what_is_near(void **state)
{
	fx_refused(*state, "shwo engines", -ENOENT,
		   "unknown command word \"shwo\"; did you mean show?");
	fx_refused(*state, "show engin", -ENOENT, "did you mean engines?");
	fx_refused(*state, "show", -ENOENT, "\"show\" needs one more word: engines, config");
	fx_refused(*state, "show xyz", -ENOENT,
		   "not known after \"show\"; there are: engines, config");
	fx_refused(*state, "xyzzy", -ENOENT,
		   "unknown command \"xyzzy\"; \"help\" alone lists them all");
	fx_refused(*state, "''", -ENOENT, "unknown command \"\"");
	fx_refused(*state, "key=v", -ENOENT, "unknown command");
}

static void
arguments_are_counted_and_the_usage_told(void **state)
{
	fx_refused(*state, "slow", -EINVAL, "\"slow\" needs 1 argument; usage: slow MS");
	fx_refused(*state, "slow 1 2", -EINVAL, "\"2\" is one argument too many; usage: slow MS");
	fx_refused(*state, "count now", -EINVAL, "usage: count");
	fx_refused(*state, "echo 1 2 3 4 5 6 7 8 9", -EINVAL, "\"9\" is one argument too many");
}

static void
unknown_and_doubled_keys_are_refused(void **state)
{
	fx_refused(*state, "echo colour=red", -EINVAL,
		   "\"echo\" has no key \"colour\"; there are: key size");
	fx_refused(*state, "echo ke=red", -EINVAL, "no key \"ke\"");
	fx_refused(*state, "echo keys=red", -EINVAL, "no key \"keys\"");
	fx_refused(*state, "echo key=a key=b", -EINVAL, "key= is given twice");
	fx_refused(*state, "count key=a", -EINVAL, "takes no key=value words");
}

static void
a_failure_without_a_sentence_gets_one(void **state)
{
	fx_refused(*state, "fail", -ENODEV, "\"fail\" failed: No such device");
	fx_refused(*state, "fail 'x y'", -EBUSY, "busy with x y");
}

static void
refusals_work_without_a_place_for_the_sentence(void **state)
{
	static const char *const lines[] = { "fail", "echo a=b", "slow", "xyz", "show", "'" };
	struct fx *fx = *state;
	json_t *answer;

	for (size_t i = 0; i < PLX_ARRAY_SIZE(lines); i++)
		assert_true(plx_ctl_run(fx->ctl, lines[i], NULL, &answer, NULL) < 0);
}

static void
wrong_rows_are_refused_and_none_of_them_added(void **state)
{
	struct fx *fx = *state;
	struct plx_ctl_cmd rows[2] = { good_row, good_row };

	rows[1].words = "show engines";
	assert_int_equal(plx_ctl_register(fx->ctl, rows, 2), -EEXIST);
	fx_refused(fx, "good row", -ENOENT, "unknown command");
	rows[1].words = "good row";
	assert_int_equal(plx_ctl_register(fx->ctl, rows, 2), -EEXIST);
	rows[1].words = "help";
	assert_int_equal(plx_ctl_register(fx->ctl, rows, 2), -EEXIST);
	rows[1].words = "two  blanks";
	assert_int_equal(plx_ctl_register(fx->ctl, rows, 2), -EINVAL);
	rows[1].words = "Upper";
	assert_int_equal(plx_ctl_register(fx->ctl, rows, 2), -EINVAL);
	rows[1] = good_row;
	rows[1].words = "no handler";
	rows[1].run = NULL;
	assert_int_equal(plx_ctl_register(fx->ctl, rows, 2), -EINVAL);
	rows[1] = good_row;
	rows[1].words = "wrong counts";
	rows[1].min_args = 2;
	assert_int_equal(plx_ctl_register(fx->ctl, rows, 2), -EINVAL);
	assert_int_equal(plx_ctl_register(fx->ctl, rows, 1), 0);
	fx_expect(fx, "good row", "");
}

static bool
cancelled_after_three(struct plx_ctl_call *call)
{
	int *nb = call->transport;

	return ++*nb > 3;
}

static void
progress_seen(struct plx_ctl_call *call, const char *line)
{
	(void)call;
	assert_memory_equal(line, "step ", 5);
}

static void
hooks_reach_the_handler(void **state)
{
	struct fx *fx = *state;
	int nb = 0;
	struct plx_ctl_call hooks = {
		.progress = progress_seen,
		.is_cancelled = cancelled_after_three,
		.transport = &nb,
	};
	struct plx_err err = { { 0 } };
	json_t *answer;

	assert_int_equal(plx_ctl_run(fx->ctl, "slow 100000", &hooks, &answer, &err), -ECANCELED);
	assert_string_equal(err.text, "cancelled");
	assert_int_equal(nb, 4);
}

static void *
count_often(void *arg)
{
	struct fx *fx = arg;

	for (int i = 0; i < 200; i++) {
		json_t *answer = NULL;

		if (plx_ctl_run(fx->ctl, "count", NULL, &answer, NULL) != 0)
			abort();
		json_decref(answer);
	}
	return NULL;
}

static void
short_commands_hold_the_lock(void **state)
{
	struct fx *fx = *state;
	pthread_t threads[4];

	for (size_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, count_often, fx), 0);
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(fx->app.value, 800);
	assert_int_equal(atomic_load(&fx->app.nb_crossed), 0);
}

static void *
run_one_slow(void *arg)
{
	struct fx *fx = arg;
	json_t *answer = NULL;

	if (plx_ctl_run(fx->ctl, "slow 300", NULL, &answer, NULL) != 0)
		abort();
	json_decref(answer);
	return NULL;
}

static void
long_commands_leave_the_lock_to_others(void **state)
{
	struct fx *fx = *state;
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, run_one_slow, fx), 0);
	fx_wait(&fx->app.nb_calls, 1);
	free(fx_run(fx, "count"));
	assert_int_equal(atomic_load(&fx->app.nb_ended), 0); /* it was still running */
	pthread_join(thread, NULL);
}

static void
the_lock_may_be_taken_again_by_its_holder(void **state)
{
	struct fx *fx = *state;

	plx_ctl_lock(fx->ctl);
	fx_expect(fx, "count", "1");
	plx_ctl_unlock(fx->ctl);
}

static void
help_lists_all_commands_in_order(void **state)
{
	struct plx_err err = { { 0 } };
	struct fx *fx = *state;
	const char *before = "";
	json_t *answer = NULL, *row;
	size_t i;

	assert_int_equal(plx_ctl_run(fx->ctl, "help", NULL, &answer, &err), 0);
	assert_int_equal(json_array_size(answer), 10);
	json_array_foreach(answer, i, row)
	{
		const char *words = json_string_value(json_object_get(row, "command"));

		assert_true(strcmp(before, words) < 0);
		before = words;
	}
	json_decref(answer);
}

static void
help_for_a_command_has_usage_help_and_manual(void **state)
{
	fx_expect(*state, "help echo",
		  "\"echo [WORD ...] [key=K] [size=N]\\n\\nGive the words back.\\n\\n"
		  "WORD is any word.\\n\\nExample: echo a key=b\"");
	fx_expect(*state, "help show engines", "\"show engines\\n\\nShow the engines.\"");
}

static void
help_for_a_first_word_lists_what_begins_so(void **state)
{
	fx_expect(*state, "help show",
		  "[{\"command\":\"show config\",\"does\":\"Show options.\"},"
		  "{\"command\":\"show engines\",\"does\":\"Show the engines.\"}]");
	fx_refused(*state, "help sho", -ENOENT, "did you mean show?");
	fx_refused(*state, "help show x", -ENOENT, "not known after \"show\"");
}

static void
the_manual_has_every_command_as_man_macros(void **state)
{
	static const struct plx_ctl_cmd row = {
		"a-b", "[x\\y]",    ".so file", "First.\n\n'Second \\fB", NULL, 0, 0,
		false, run_nothing, NULL
	};
	struct fx *fx = *state;
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	assert_int_equal(plx_ctl_register(fx->ctl, &row, 1), 0);
	assert_int_equal(plx_ctl_write_manual(fx->ctl, f), 0);
	fclose(f);
	assert_non_null(strstr(text, ".TP\n.B show engines\nShow the engines.\n"));
	assert_non_null(strstr(text, ".TP\n.B slow\\fR MS\nTake long.\n"));
	assert_non_null(strstr(text, ".B a\\-b\\fR [x\\ey]\n\\&.so file\n.IP\nFirst.\n.IP\n"
				     "\\&'Second \\efB\n"));
	free(text);
	f = fopen("/dev/full", "w");
	assert_non_null(f);
	assert_int_equal(plx_ctl_write_manual(fx->ctl, f), -EIO);
	fclose(f);
}

static void
destroy_takes_null(void **state)
{
	(void)state;
	plx_ctl_destroy(NULL);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, fx_setup, fx_teardown)
	const struct CMUnitTest tests[] = {
		T(the_longest_words_win),
		T(words_and_pairs_reach_the_handler),
		cmocka_unit_test(arg_takes_the_whole_key),
		T(nothing_is_run_for_an_empty_line),
		T(unknown_commands_are_told_what_is_near),
		T(arguments_are_counted_and_the_usage_told),
		T(unknown_and_doubled_keys_are_refused),
		T(a_failure_without_a_sentence_gets_one),
		T(refusals_work_without_a_place_for_the_sentence),
		T(wrong_rows_are_refused_and_none_of_them_added),
		T(hooks_reach_the_handler),
		T(short_commands_hold_the_lock),
		T(long_commands_leave_the_lock_to_others),
		T(the_lock_may_be_taken_again_by_its_holder),
		T(help_lists_all_commands_in_order),
		T(help_for_a_command_has_usage_help_and_manual),
		T(help_for_a_first_word_lists_what_begins_so),
		T(the_manual_has_every_command_as_man_macros),
		cmocka_unit_test(destroy_takes_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
