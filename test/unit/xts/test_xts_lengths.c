/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "xts_paths.h"

/*
 * Every length from 16 to 4112 on each path, both key sizes, both directions, against OpenSSL. The
 * buffers stand against pages that may not be touched: ending right before one, and beginning right
 * behind one. In place and from one buffer to another.
 */

#define LEN_MIN    16u
#define LEN_MAX    4112u
#define ROOM_BYTES 8192u /* between two guards; a multiple of the page size is made of it */
#define EDGE_BYTES 64u   /* looked at beside an output, where there is no guard */
#define FILLER     0xa5

/* Pages between two that may not be touched. */
struct room {
	uint8_t *map;
	size_t map_bytes;
	uint8_t *first;
	uint8_t *end;
};

static struct xts_paths paths;

static void
room_open(struct room *r)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = (ROOM_BYTES + page - 1) / page * page;

	r->map_bytes = bytes + 2 * page;
	r->map = mmap(NULL, r->map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(r->map, MAP_FAILED);
	r->first = r->map + page;
	r->end = r->first + bytes;
	assert_int_equal(mprotect(r->first, bytes, PROT_READ | PROT_WRITE), 0);
	memset(r->first, FILLER, bytes);
}

static void
room_close(struct room *r)
{
	munmap(r->map, r->map_bytes);
}

static uint8_t *
room_place(const struct room *r, bool is_at_end, size_t len)
{
	return is_at_end ? r->end - len : r->first;
}

/* Nothing beside the buffer was written. */
static bool
edge_is_clean(const struct room *r, bool is_at_end, size_t len)
{
	const uint8_t *edge = is_at_end ? r->end - len - EDGE_BYTES : r->first + len;
	size_t i;

	for (i = 0; i < EDGE_BYTES; i++)
		if (edge[i] != FILLER)
			return false;
	return true;
}

struct stand {
	const struct xts_path *path;
	struct plx_xts_key key;
	uint8_t iv[PLX_XTS_IV_BYTES];
	uint8_t data[LEN_MAX];
	uint8_t want[LEN_MAX];
	struct room in;
	struct room out;
};

static int
run(const struct stand *s, bool is_enc, const uint8_t *in, uint8_t *out, size_t len)
{
	return is_enc ? plx_xts_encrypt(&s->key, s->iv, in, out, len)
		      : plx_xts_decrypt(&s->key, s->iv, in, out, len);
}

static void
place_passes(struct stand *s, bool is_enc, bool is_at_end, size_t len)
{
	uint8_t *in = room_place(&s->in, is_at_end, len);
	uint8_t *out = room_place(&s->out, is_at_end, len);
	const char *side = is_at_end ? "before a guard" : "behind a guard";
	const char *way = is_enc ? "encrypting" : "decrypting";

	memcpy(in, s->data, len);
	assert_int_equal(run(s, is_enc, in, out, len), 0);
	if (memcmp(out, s->want, len) != 0)
		fail_msg("%s: %s %zu bytes %s", s->path->name, way, len, side);
	if (memcmp(in, s->data, len) != 0)
		fail_msg("%s: %s %zu bytes changes the input", s->path->name, way, len);
	assert_int_equal(run(s, is_enc, in, in, len), 0);
	if (memcmp(in, s->want, len) != 0)
		fail_msg("%s: %s %zu bytes in place %s", s->path->name, way, len, side);
	if (!edge_is_clean(&s->in, is_at_end, len) || !edge_is_clean(&s->out, is_at_end, len))
		fail_msg("%s: %s %zu bytes writes beside the buffer", s->path->name, way, len);
	memset(in, FILLER, len);
	memset(out, FILLER, len);
}

static void
lengths_pass(struct stand *s, const struct xts_oracle *o, bool is_enc, uint64_t seed)
{
	size_t len;

	for (len = LEN_MIN; len <= LEN_MAX; len++) {
		xts_fill(s->iv, sizeof(s->iv), seed + len);
		xts_oracle_run(o, is_enc, s->iv, s->data, s->want, len);
		place_passes(s, is_enc, true, len);
		place_passes(s, is_enc, false, len);
	}
}

static void
path_passes(struct stand *s, size_t len_key)
{
	uint8_t bytes[PLX_XTS_KEY_256];
	struct xts_oracle o;

	xts_path_key(s->path, &s->key, bytes, len_key, len_key);
	xts_oracle_open(&o, bytes, len_key);
	xts_fill(s->data, sizeof(s->data), 7);
	lengths_pass(s, &o, true, 1000);
	lengths_pass(s, &o, false, 2000);
	xts_oracle_close(&o);
	plx_xts_key_wipe(&s->key);
}

static void
all_paths_pass(size_t len_key)
{
	struct stand *s = aligned_alloc(64, (sizeof(*s) + 63) / 64 * 64);
	size_t p;

	assert_non_null(s);
	room_open(&s->in);
	room_open(&s->out);
	for (p = 0; p < paths.nb; p++) {
		s->path = &paths.path[p];
		path_passes(s, len_key);
	}
	room_close(&s->in);
	room_close(&s->out);
	free(s);
}

static void
every_length_is_right_with_128_bit_keys(void **state)
{
	(void)state;
	all_paths_pass(PLX_XTS_KEY_128);
}

static void
every_length_is_right_with_256_bit_keys(void **state)
{
	(void)state;
	all_paths_pass(PLX_XTS_KEY_256);
}

static void
lengths_outside_the_range_are_refused(void **state)
{
	uint8_t bytes[PLX_XTS_KEY_256], iv[PLX_XTS_IV_BYTES] = { 0 }, data[32], before[32];
	struct plx_xts_key key;
	size_t len, p;

	(void)state;
	memset(data, 1, sizeof(data));
	memcpy(before, data, sizeof(data));
	for (p = 0; p < paths.nb; p++) {
		xts_path_key(&paths.path[p], &key, bytes, sizeof(bytes), 3);
		for (len = 0; len < PLX_XTS_BYTES_MIN; len++) {
			assert_int_equal(plx_xts_encrypt(&key, iv, data, data, len), -EINVAL);
			assert_int_equal(plx_xts_decrypt(&key, iv, data, data, len), -EINVAL);
		}
		len = (size_t)PLX_XTS_BYTES_MAX + 1;
		assert_int_equal(plx_xts_encrypt(&key, iv, data, data, len), -EINVAL);
		assert_int_equal(plx_xts_decrypt(&key, iv, data, data, SIZE_MAX), -EINVAL);
		assert_memory_equal(data, before, sizeof(data));
		plx_xts_key_wipe(&key);
	}
}

static void
greatest_length_is_right(void **state)
{
	uint8_t bytes[PLX_XTS_KEY_256], iv[PLX_XTS_IV_BYTES] = { 9 };
	size_t len = PLX_XTS_BYTES_MAX, p;
	uint8_t *data = malloc(len), *want = malloc(len), *out = malloc(len);
	struct plx_xts_key key;
	struct xts_oracle o;

	(void)state;
	assert_true(data != NULL && want != NULL && out != NULL);
	xts_fill(data, len, 11);
	for (p = 0; p < paths.nb; p++) {
		xts_path_key(&paths.path[p], &key, bytes, sizeof(bytes), 12);
		xts_oracle_open(&o, bytes, sizeof(bytes));
		xts_oracle_run(&o, true, iv, data, want, len);
		assert_int_equal(plx_xts_encrypt(&key, iv, data, out, len), 0);
		assert_int_equal(memcmp(out, want, len), 0);
		assert_int_equal(plx_xts_decrypt(&key, iv, out, out, len), 0);
		assert_int_equal(memcmp(out, data, len), 0);
		/* one less, so that the last block is stolen from */
		xts_oracle_run(&o, true, iv, data, want, len - 1);
		assert_int_equal(plx_xts_encrypt(&key, iv, data, out, len - 1), 0);
		assert_int_equal(memcmp(out, want, len - 1), 0);
		xts_oracle_close(&o);
		plx_xts_key_wipe(&key);
	}
	free(data);
	free(want);
	free(out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_length_is_right_with_128_bit_keys),
		cmocka_unit_test(every_length_is_right_with_256_bit_keys),
		cmocka_unit_test(lengths_outside_the_range_are_refused),
		cmocka_unit_test(greatest_length_is_right),
	};

	xts_paths_find(&paths);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
