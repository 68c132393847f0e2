/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plx_text.h"

#include "ctl_fixture.h"

/*
 * Mutated lines through the splitter, the registry, completion, the line reader and the printer.
 * Whatever comes: an answer, or an error with a sentence that is harmless on a terminal. The seed
 * is fixed.
 */

#define ROUNDS   20000
#define LINE_MAX (PLX_CTL_LINE_MAX + 600)

static const char *const lines[] = {
	"show engines",   "echo a 'b c' key=x size=\"1 2\" # comment",
	"help show",      "echo 1 2 3 4 5 6 7 8 key=",
	"fail why\\ not", "show config",
};

static const char *const pieces[] = {
	"'",
	"\"",
	"\\",
	"#",
	" ",
	"\t",
	"=",
	"key=",
	"size=",
	"\n",
	"\r",
	"\033[2J",
	"\xc3\xa4",
	"\xff",
	"show ",
	"help ",
	"echo ",
	"\xe2\x80\x8b",
	"a b c d e f g h i j k l m n o p q r s t u v w x ",
};

static uint64_t seed = 0x636f6e736f6c65;

static uint32_t
next(uint32_t below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(seed >> 33) % below;
}

static size_t
mutate(char *text, size_t len)
{
	size_t at = len == 0 ? 0 : next((uint32_t)len);
	const char *piece = pieces[next(PLX_ARRAY_SIZE(pieces))];
	size_t nb = strlen(piece), times = next(200) == 0 ? 200 : 1;

	switch (next(4)) {
	case 0:
		nb = next(12);
		nb = nb > len - at ? len - at : nb;
		memmove(text + at, text + at + nb, len - at - nb);
		return len - nb;
	case 1:
		if (len > 0)
			text[at] = (char)next(256);
		return len;
	default:
		while (times-- > 0 && len + nb < LINE_MAX) {
			memmove(text + at + nb, text + at, len - at);
			fx_put(text + at, piece);
			len += nb;
		}
		return len;
	}
}

/* A mutated line; zero bytes are left out, since it is to be a string. */
static void
line_make(char *text)
{
	const char *from = lines[next(PLX_ARRAY_SIZE(lines))];
	size_t len = strlen(from);

	memcpy(text, from, len);
	for (uint32_t i = next(6); i > 0; i--)
		len = mutate(text, len);
	for (size_t i = 0; i < len; i++)
		text[i] = text[i] == '\0' ? ' ' : text[i];
	text[len] = '\0';
}

static void
mutated_lines_are_answered_or_refused(void **state)
{
	struct fx *fx = *state;
	char *text = malloc(LINE_MAX + 64);
	int nb_good = 0, nb_bad = 0;

	assert_non_null(text);
	for (int i = 0; i < ROUNDS; i++) {
		struct plx_err err = { { 0 } };
		json_t *answer = NULL;
		int ret;

		line_make(text);
		ret = plx_ctl_run(fx->ctl, text, NULL, &answer, &err);
		nb_good += ret == 0;
		nb_bad += ret < 0;
		if (ret < 0) {
			assert_null(answer);
			assert_true(err.text[0] != '\0');
			assert_null(strchr(err.text, '\033'));
		}
		json_decref(answer);
	}
	free(text);
	assert_true(nb_good > ROUNDS / 20);
	assert_true(nb_bad > ROUNDS / 20);
}

static void
mutated_lines_are_completed(void **state)
{
	struct ctl_candidates *c = malloc(sizeof(*c));
	char *text = malloc(LINE_MAX + 64);
	struct fx *fx = *state;
	int nb_offers = 0;

	assert_non_null(text);
	assert_non_null(c);
	for (int i = 0; i < ROUNDS; i++) {
		line_make(text);
		ctl_complete(fx->ctl, text, c);
		for (int j = 0; j < c->nb; j++)
			assert_memory_equal(c->word[j], c->typed, strlen(c->typed));
		assert_true(c->start <= strlen(text));
		assert_true(c->nb == 0 || ctl_candidates_common(c) >= strlen(c->typed));
		nb_offers += c->nb > 0;
		ctl_candidates_clear(c);
	}
	free(text);
	free(c);
	assert_true(nb_offers > 100);
}

/* Bytes in any pieces: each line comes out once, whole or refused, and none is made up. */
static void
mutated_streams_are_cut_into_lines(void **state)
{
	int fd = memfd_create("plx_ctl_fuzz", 0);
	struct ctl_input *in = malloc(sizeof(*in));
	char *stream = malloc(16 * LINE_MAX), line[PLX_CTL_LINE_MAX + 1];

	(void)state;
	assert_true(fd >= 0);
	assert_non_null(in);
	assert_non_null(stream);
	for (int i = 0; i < ROUNDS / 20; i++) {
		size_t len = 0, nb_lines = 0, nb_got = 0;
		int ret;

		for (uint32_t j = next(8); j > 0; j--) {
			const char *from = lines[next(PLX_ARRAY_SIZE(lines))];
			size_t part = strlen(from);

			fx_put(stream + len, from);
			part = mutate(stream + len, part);
			stream[len + part] = '\n';
			len += part + next(8) / 7 + 1;
			stream[len - 1] = '\n';
		}
		for (size_t j = 0; j < len; j++)
			nb_lines += stream[j] == '\n';
		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, stream, len, 0), len);
		assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
		ctl_input_init(in, fd, -1, -1);
		while ((ret = ctl_input_line(in, line)) != 0) {
			assert_true(ret == 1 || ret == -EMSGSIZE || ret == -EINVAL);
			nb_got++;
		}
		assert_int_equal(nb_got, nb_lines);
	}
	free(stream);
	free(in);
	close(fd);
}

/* A value of random shape with random strings in it. */
static json_t *
value_make(int depth)
{
	char text[64];
	json_t *value;
	uint32_t kind = next(depth > 0 ? 8 : 5);

	switch (kind) {
	case 0:
		return json_integer((json_int_t)next(1u << 31) - (1 << 30));
	case 1:
		return json_real((double)next(1u << 31) / (1 + next(100000)));
	case 2:
		return next(2) != 0 ? json_true() : json_null();
	case 3:
	case 4:
		snprintf(text, sizeof(text), "%s%c", pieces[next(PLX_ARRAY_SIZE(pieces) - 1)],
			 (char)(1 + next(127)));
		value = json_string(text);
		return value != NULL ? value : json_string("");
	case 5:
		value = json_object();
		for (uint32_t i = next(4); i > 0; i--) {
			snprintf(text, sizeof(text), "k%u\033%c", next(3), (char)(1 + next(127)));
			json_object_set_new(value, text, value_make(depth - 1));
		}
		return value;
	default:
		value = json_array();
		for (uint32_t i = next(5); i > 0; i--)
			json_array_append_new(value, value_make(depth - 1));
		return value;
	}
}

static void
answers_of_any_shape_are_printed_harmlessly(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS / 4; i++) {
		json_t *value = value_make(6);
		bool as_json = next(4) == 0;
		char *text = NULL;
		size_t len = 0;
		FILE *f = open_memstream(&text, &len);

		assert_non_null(value);
		assert_non_null(f);
		assert_int_equal(plx_ctl_print(f, value, as_json), 0);
		fclose(f);
		for (size_t j = 0; j < len;) {
			size_t used = plx_text_char(text + j, len - j);

			if (used == 0 && text[j] != '\n' && text[j] != '\t' && !as_json)
				fail_msg("byte %02x at %zu of %s", (unsigned char)text[j], j, text);
			j += used > 0 ? used : 1;
		}
		free(text);
		json_decref(value);
	}
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, fx_setup, fx_teardown)
	const struct CMUnitTest tests[] = {
		T(mutated_lines_are_answered_or_refused),
		T(mutated_lines_are_completed),
		T(mutated_streams_are_cut_into_lines),
		T(answers_of_any_shape_are_printed_harmlessly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
