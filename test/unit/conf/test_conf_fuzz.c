/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <sys/mman.h>

#include "conf_fixture.h"

/*
 * Mutated files and values: whatever comes, the reader ends with 0 or with a sentence that has file
 * and line, and what is in force lies in its range. The seed is fixed, so that a failure comes
 * again.
 */

#define ROUNDS   20000
#define FILE_MAX 2048

static const char good[] = "# sample\n[engine]\nburst = 64 ; c\nbatch-wait = 10ms\nmemory = 1g\n"
			   "mode = pipeline\ncpus = 1,2\n  3\nshadow = yes\nweight = 0x10\n"
			   "[container web]\nalgorithms = aes-gcm\n   rsa-2048\nmax-keys = 12\n"
			   "[container b]\n";

static const char *const pieces[] = {
	"[",
	"]",
	"=",
	":",
	"\n",
	"\r\n",
	"\0",
	";",
	"#",
	" ",
	"\t",
	"[engine]",
	"[container ",
	"burst",
	"64k",
	"4294967296",
	"-1",
	"\xff",
	"\xc3\xa4",
	"\033",
	"0x",
	"999999999999999999999",
	"\xef\xbb\xbf",
	"algorithms",
};

static uint64_t seed = 0x706f6c6c7578;

static uint32_t
next(uint32_t below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(seed >> 33) % below;
}

/* Cut out, doubled, overwritten or inserted bytes; returns the new length. */
static size_t
mutate(char *text, size_t len)
{
	size_t at = len == 0 ? 0 : next((uint32_t)len);
	size_t nb = next(24);
	const char *piece = pieces[next(PLX_ARRAY_SIZE(pieces))];

	nb = nb > len - at ? len - at : nb;
	switch (next(5)) {
	case 0:
		memmove(text + at, text + at + nb, len - at - nb);
		return len - nb;
	case 1:
		if (len + nb > FILE_MAX)
			return len;
		memmove(text + at + nb, text + at, len - at);
		return len + nb;
	case 2:
		if (len > 0)
			text[at] = (char)next(256);
		return len;
	default:
		nb = strlen(piece) + (piece[0] == '\0');
		if (len + nb > FILE_MAX)
			return len;
		memmove(text + at + nb, text + at, len - at);
		memcpy(text + at, piece, nb);
		return len + nb;
	}
}

static void
check_in_range(struct plx_conf *conf)
{
	const struct fx_engine *e = plx_conf_get(conf, "engine", NULL);
	const struct fx_container *c;
	const char *name;
	uint32_t pos = 0;

	assert_true(e->burst >= 1 && e->burst <= 256 && (e->burst & (e->burst - 1)) == 0);
	assert_true(e->wait_us <= 1000000);
	assert_true(e->memory >= 4096 && e->memory <= 1ULL << 40);
	assert_true(e->mode == FX_INLINE || e->mode == FX_PIPELINE);
	assert_true(strnlen(e->cpus, sizeof(e->cpus)) < sizeof(e->cpus));
	while ((name = plx_conf_next_name(conf, "container", &pos)) != NULL) {
		c = plx_conf_get(conf, "container", name);
		assert_true(c->max_keys >= 1 && c->max_keys <= 1000);
	}
}

static void
mutated_files_never_break_the_reader(void **state)
{
	int fd = memfd_create("plx_conf_fuzz", 0);
	char path[64], text[FILE_MAX + 64], place[80];
	int nb_good = 0, nb_bad = 0;

	(void)state;
	assert_true(fd >= 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	snprintf(place, sizeof(place), "%s:", path);
	for (int i = 0; i < ROUNDS; i++) {
		struct plx_conf *conf = fx_conf();
		struct plx_err err = { { 0 } };
		size_t len = sizeof(good) - 1;
		uint32_t nb = next(8);
		int ret;

		memcpy(text, good, len);
		for (uint32_t j = 0; j < nb; j++)
			len = mutate(text, len);
		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, text, len, 0), len);
		ret = plx_conf_load(conf, path, &err);
		if (ret == 0) {
			nb_good++;
			check_in_range(conf);
		} else {
			nb_bad++;
			assert_int_equal(ret, -EINVAL);
			assert_memory_equal(err.text, place, strlen(place));
			assert_int_equal(fx_item(conf, "engine.burst").origin[0], 'd');
		}
		plx_conf_destroy(conf);
	}
	close(fd);
	/* the mutations reach both sides */
	assert_true(nb_good > ROUNDS / 20);
	assert_true(nb_bad > ROUNDS / 4);
}

static void
mutated_settings_never_break_the_parser(void **state)
{
	struct plx_conf *conf = fx_conf();
	int nb_good = 0;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		const struct plx_opt *opt = &fx_opts[next(7)];
		char name[FILE_MAX + 64], value[FILE_MAX + 64];
		struct plx_err err = { { 0 } };
		size_t len;
		int ret;

		snprintf(name, sizeof(name), "%s.%s", opt->section, opt->key);
		snprintf(value, sizeof(value), "%s", opt->preset);
		if (next(2) == 0) {
			len = mutate(name, strlen(name));
			name[len] = '\0';
		}
		len = mutate(value, strlen(value));
		value[len] = '\0';
		ret = plx_conf_set(conf, name, value, PLX_ORIGIN_SET, &err);
		nb_good += ret == 0;
		if (ret != 0)
			assert_true(err.text[0] != '\0');
		check_in_range(conf);
	}
	assert_true(nb_good > 100);
	plx_conf_destroy(conf);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mutated_files_never_break_the_reader),
		cmocka_unit_test(mutated_settings_never_break_the_parser),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
