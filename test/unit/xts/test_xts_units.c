/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "xts_paths.h"

/*
 * Many units in a call, consecutive sectors, and one key in many threads, on each path against
 * OpenSSL one unit at a time.
 */

#define UNITS_MAX    80
#define UNIT_BYTES   700
#define ROUNDS       300
#define THREADS      12
#define THREAD_BYTES (4u << 20)
#define THREAD_TURNS 2
#define SMALL_BYTES  80
#define SMALL_TURNS  20000

static struct xts_paths paths;

struct many {
	struct plx_xts_unit units[UNITS_MAX];
	uint8_t iv[UNITS_MAX][PLX_XTS_IV_BYTES];
	uint8_t in[UNITS_MAX][UNIT_BYTES];
	uint8_t out[UNITS_MAX][UNIT_BYTES];
	uint8_t want[UNITS_MAX][UNIT_BYTES];
};

/* Any number of units of any lengths, some of them in place. */
static size_t
many_make(struct many *m, const struct xts_oracle *o, bool is_enc, uint64_t *seed)
{
	size_t nb = xts_random(seed) % (UNITS_MAX + 1), i, len;

	for (i = 0; i < nb; i++) {
		len = PLX_XTS_BYTES_MIN + xts_random(seed) % (UNIT_BYTES - PLX_XTS_BYTES_MIN + 1);
		xts_fill(m->iv[i], PLX_XTS_IV_BYTES, xts_random(seed));
		xts_fill(m->in[i], UNIT_BYTES, xts_random(seed));
		memcpy(m->want[i], m->in[i], UNIT_BYTES);
		xts_oracle_run(o, is_enc, m->iv[i], m->in[i], m->want[i], len);
		memcpy(m->out[i], m->in[i], UNIT_BYTES);
		m->units[i] = (struct plx_xts_unit){
			.iv = m->iv[i],
			.in = xts_random(seed) % 2 != 0 ? m->in[i] : m->out[i],
			.out = m->out[i],
			.len_bytes = len,
		};
	}
	return nb;
}

static void
many_pass(const struct xts_path *path, size_t len_key)
{
	struct many *m = calloc(1, sizeof(*m));
	uint8_t bytes[PLX_XTS_KEY_256];
	uint64_t seed = len_key;
	struct plx_xts_key key;
	struct xts_oracle o;
	size_t nb, i;
	bool is_enc;
	int round;

	assert_non_null(m);
	xts_path_key(path, &key, bytes, len_key, 21);
	xts_oracle_open(&o, bytes, len_key);
	for (round = 0; round < ROUNDS; round++) {
		is_enc = round % 2 == 0;
		nb = many_make(m, &o, is_enc, &seed);
		assert_int_equal(is_enc ? plx_xts_encrypt_units(&key, m->units, nb)
					: plx_xts_decrypt_units(&key, m->units, nb),
				 0);
		for (i = 0; i < nb; i++)
			if (memcmp(m->out[i], m->want[i], UNIT_BYTES) != 0)
				fail_msg("%s: unit %zu of %zu, %zu bytes, round %d", path->name, i,
					 nb, m->units[i].len_bytes, round);
	}
	xts_oracle_close(&o);
	plx_xts_key_wipe(&key);
	free(m);
}

static void
any_units_are_right_together(void **state)
{
	size_t p;

	(void)state;
	for (p = 0; p < paths.nb; p++) {
		many_pass(&paths.path[p], PLX_XTS_KEY_128);
		many_pass(&paths.path[p], PLX_XTS_KEY_256);
	}
}

static void
one_bad_length_stops_all_before_anything_is_written(void **state)
{
	static const size_t bad[] = { 0, 15, (size_t)PLX_XTS_BYTES_MAX + 1, SIZE_MAX };
	uint8_t bytes[PLX_XTS_KEY_256], iv[PLX_XTS_IV_BYTES] = { 0 }, data[3][32], before[3][32];
	struct plx_xts_unit units[3];
	struct plx_xts_key key;
	size_t i, u, p;

	(void)state;
	memset(data, 3, sizeof(data));
	memcpy(before, data, sizeof(data));
	for (p = 0; p < paths.nb; p++) {
		xts_path_key(&paths.path[p], &key, bytes, sizeof(bytes), 22);
		for (i = 0; i < PLX_ARRAY_SIZE(bad); i++) {
			for (u = 0; u < 3; u++)
				units[u] = (struct plx_xts_unit){ iv, data[u], data[u], 32 };
			units[i % 3].len_bytes = bad[i];
			assert_int_equal(plx_xts_encrypt_units(&key, units, 3), -EINVAL);
			assert_int_equal(plx_xts_decrypt_units(&key, units, 3), -EINVAL);
			assert_memory_equal(data, before, sizeof(data));
		}
		assert_int_equal(plx_xts_encrypt_units(&key, NULL, 0), 0);
		plx_xts_key_wipe(&key);
	}
}

/* The number of a sector as plain64 has it. */
static void
sector_iv(uint64_t number, uint8_t iv[PLX_XTS_IV_BYTES])
{
	size_t i;

	memset(iv, 0, PLX_XTS_IV_BYTES);
	for (i = 0; i < 8; i++)
		iv[i] = (uint8_t)(number >> (8 * i));
}

static void
sectors_pass(const struct xts_path *path, const struct plx_xts_sectors *s, size_t len_key)
{
	size_t len = s->sector_bytes * s->nb, i;
	uint8_t *data = malloc(len), *want = malloc(len), *out = malloc(len);
	uint8_t bytes[PLX_XTS_KEY_256], iv[PLX_XTS_IV_BYTES];
	struct plx_xts_key key;
	struct xts_oracle o;

	assert_true(data != NULL && want != NULL && out != NULL);
	xts_path_key(path, &key, bytes, len_key, 23);
	xts_oracle_open(&o, bytes, len_key);
	xts_fill(data, len, s->first);
	for (i = 0; i < s->nb; i++) {
		sector_iv(s->first + i * s->step, iv);
		xts_oracle_run(&o, true, iv, data + i * s->sector_bytes, want + i * s->sector_bytes,
			       s->sector_bytes);
	}
	assert_int_equal(plx_xts_encrypt_sectors(&key, s, data, out), 0);
	if (memcmp(out, want, len) != 0)
		fail_msg("%s: %zu sectors of %zu bytes", path->name, s->nb, s->sector_bytes);
	assert_int_equal(plx_xts_decrypt_sectors(&key, s, out, out), 0);
	if (memcmp(out, data, len) != 0)
		fail_msg("%s: %zu sectors of %zu bytes back", path->name, s->nb, s->sector_bytes);
	xts_oracle_close(&o);
	plx_xts_key_wipe(&key);
	free(data);
	free(want);
	free(out);
}

static void
sectors_are_numbered_as_plain64(void **state)
{
	static const size_t sizes[] = { 16, 17, 512, 520, 4096, 4104 };
	static const size_t numbers[] = { 1, 2, 8, 31, 32, 33, 100 };
	uint64_t seed = 5;
	size_t p, i, n;

	(void)state;
	for (p = 0; p < paths.nb; p++) {
		for (i = 0; i < PLX_ARRAY_SIZE(sizes); i++) {
			for (n = 0; n < PLX_ARRAY_SIZE(numbers); n++) {
				const struct plx_xts_sectors s = { .first = xts_random(&seed),
								   .step = n % 2 == 0 ? 1 : 8,
								   .sector_bytes = sizes[i],
								   .nb = numbers[n] };

				sectors_pass(&paths.path[p], &s,
					     n % 3 == 0 ? PLX_XTS_KEY_128 : PLX_XTS_KEY_256);
			}
		}
	}
}

static void
sector_numbers_wrap(void **state)
{
	const struct plx_xts_sectors s = {
		.first = UINT64_MAX - 10, .step = 3, .sector_bytes = 512, .nb = 8
	};
	size_t p;

	(void)state;
	for (p = 0; p < paths.nb; p++)
		sectors_pass(&paths.path[p], &s, PLX_XTS_KEY_256);
}

static void
bad_sectors_are_refused(void **state)
{
	static const struct plx_xts_sectors bad[] = {
		{ 0, 1, 15, 1 },
		{ 0, 1, 0, 1 },
		{ 0, 1, (size_t)PLX_XTS_BYTES_MAX + 1, 1 },
		{ 0, 1, 512, SIZE_MAX / 512 + 1 },
	};
	static const struct plx_xts_sectors none = { 0, 1, 512, 0 };
	uint8_t bytes[PLX_XTS_KEY_256], data[512], before[512];
	struct plx_xts_key key;
	size_t i;

	(void)state;
	memset(data, 4, sizeof(data));
	memcpy(before, data, sizeof(data));
	xts_path_key(&paths.path[0], &key, bytes, sizeof(bytes), 24);
	for (i = 0; i < PLX_ARRAY_SIZE(bad); i++) {
		assert_int_equal(plx_xts_encrypt_sectors(&key, &bad[i], data, data), -EINVAL);
		assert_int_equal(plx_xts_decrypt_sectors(&key, &bad[i], data, data), -EINVAL);
	}
	assert_int_equal(plx_xts_encrypt_sectors(&key, &none, data, data), 0);
	assert_memory_equal(data, before, sizeof(data));
	plx_xts_key_wipe(&key);
}

struct thread {
	pthread_t id;
	const struct plx_xts_key *key;
	const uint8_t *plain;
	const uint8_t *cipher;
	uint8_t *out;
	uint8_t small_iv[PLX_XTS_IV_BYTES]; /* another one for each thread */
	uint8_t small[SMALL_BYTES];         /* encrypted with it */
	size_t nb_wrong;
};

static void *
thread_run(void *arg)
{
	const uint8_t iv[PLX_XTS_IV_BYTES] = { 77 };
	struct thread *t = arg;
	int i, ret;

	for (i = 0; i < THREAD_TURNS; i++) {
		ret = plx_xts_encrypt(t->key, iv, t->plain, t->out, THREAD_BYTES);
		if (ret != 0 || memcmp(t->out, t->cipher, THREAD_BYTES) != 0)
			t->nb_wrong++;
		ret = plx_xts_decrypt(t->key, iv, t->out, t->out, THREAD_BYTES);
		if (ret != 0 || memcmp(t->out, t->plain, THREAD_BYTES) != 0)
			t->nb_wrong++;
	}
	for (i = 0; i < SMALL_TURNS; i++) {
		ret = plx_xts_encrypt(t->key, t->small_iv, t->plain, t->out, SMALL_BYTES);
		if (ret != 0 || memcmp(t->out, t->small, SMALL_BYTES) != 0)
			t->nb_wrong++;
	}
	return NULL;
}

static void
threads_pass(const struct xts_path *path, const uint8_t *plain, uint8_t *cipher)
{
	const uint8_t iv[PLX_XTS_IV_BYTES] = { 77 };
	struct thread threads[THREADS] = { 0 };
	uint8_t bytes[PLX_XTS_KEY_256];
	struct plx_xts_key key;
	struct xts_oracle o;
	size_t i;

	xts_path_key(path, &key, bytes, sizeof(bytes), 25);
	xts_oracle_open(&o, bytes, sizeof(bytes));
	xts_oracle_run(&o, true, iv, plain, cipher, THREAD_BYTES);
	for (i = 0; i < THREADS; i++) {
		threads[i].small_iv[0] = (uint8_t)i;
		xts_oracle_run(&o, true, threads[i].small_iv, plain, threads[i].small, SMALL_BYTES);
	}
	xts_oracle_close(&o);
	for (i = 0; i < THREADS; i++) {
		threads[i].key = &key;
		threads[i].plain = plain;
		threads[i].cipher = cipher;
		threads[i].out = malloc(THREAD_BYTES);
		assert_non_null(threads[i].out);
		assert_int_equal(pthread_create(&threads[i].id, NULL, thread_run, &threads[i]), 0);
	}
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i].id, NULL), 0);
		assert_int_equal(threads[i].nb_wrong, 0);
		free(threads[i].out);
	}
	plx_xts_key_wipe(&key);
}

static void
one_key_serves_many_threads_at_once(void **state)
{
	uint8_t *plain = malloc(THREAD_BYTES), *cipher = malloc(THREAD_BYTES);
	size_t p;

	(void)state;
	assert_true(plain != NULL && cipher != NULL);
	xts_fill(plain, THREAD_BYTES, 26);
	for (p = 0; p < paths.nb; p++)
		if (!paths.path[p].is_emulated)
			threads_pass(&paths.path[p], plain, cipher);
	free(plain);
	free(cipher);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_units_are_right_together),
		cmocka_unit_test(one_bad_length_stops_all_before_anything_is_written),
		cmocka_unit_test(sectors_are_numbered_as_plain64),
		cmocka_unit_test(sector_numbers_wrap),
		cmocka_unit_test(bad_sectors_are_refused),
		cmocka_unit_test(one_key_serves_many_threads_at_once),
	};

	xts_paths_find(&paths);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
