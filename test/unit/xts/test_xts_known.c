/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "plx_units.h"

#include "wycheproof.h"
#include "xts_paths.h"

/*
 * Known answers on each path: vectors of IEEE 1619-2007 annex B, and Wycheproof's file where it is
 * there. "test_xts_known FOLDER": FOLDER is taken when PLX_VECTORS is not set.
 */

#define LEN_MAX 1024

struct vector {
	const char *name;
	const char *key;
	const char *iv;
	const char *plain;
	const char *cipher;
};

#define KEY_4 "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0"
#define KEY_5 "bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0"
#define IV_3  "33333333330000000000000000000000"
#define IV_15 "9a785634120000000000000000000000"
#define FOURS "4444444444444444444444444444444444444444444444444444444444444444"
#define ROW(n)                                                                                     \
	n "0" n "1" n "2" n "3" n "4" n "5" n "6" n "7" n "8" n "9" n "a" n "b" n "c" n "d" n      \
	  "e" n "f"
#define ROWS                                                                                       \
	ROW("0")                                                                                   \
	ROW("1")                                                                                   \
	ROW("2")                                                                                   \
	ROW("3")                                                                                   \
	ROW("4")                                                                                   \
	ROW("5")                                                                                   \
	ROW("6") ROW("7") ROW("8") ROW("9") ROW("a") ROW("b") ROW("c") ROW("d") ROW("e") ROW("f")

static const struct vector vectors[] = {
	{ "IEEE 1619 2", "1111111111111111111111111111111122222222222222222222222222222222", IV_3,
	  FOURS, "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0" },
	{ "IEEE 1619 3", KEY_4 "22222222222222222222222222222222", IV_3, FOURS,
	  "af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89" },
	{ "IEEE 1619 15", KEY_4 KEY_5, IV_15, ROW("0") "10", "6c1625db4671522d3d7599601de7ca09ed" },
	{ "IEEE 1619 16", KEY_4 KEY_5, IV_15, ROW("0") "1011",
	  "d069444b7a7e0cab09e24447d24deb1fedbf" },
	{ "IEEE 1619 17", KEY_4 KEY_5, IV_15, ROW("0") "101112",
	  "e5df1351c0544ba1350b3363cd8ef4beedbf9d" },
	{ "IEEE 1619 18", KEY_4 KEY_5, IV_15, ROW("0") "10111213",
	  "9d84c813f719aa2c7be3f66171c7c5c2edbf9dac" },
	{ "IEEE 1619 10",
	  "2718281828459045235360287471352662497757247093699959574966967627"
	  "3141592653589793238462643383279502884197169399375105820974944592",
	  "ff000000000000000000000000000000", ROWS ROWS,
	  "1c3b3a102f770386e4836c99e370cf9bea00803f5e482357a4ae12d414a3e63b"
	  "5d31e276f8fe4a8d66b317f9ac683f44680a86ac35adfc3345befecb4bb188fd"
	  "5776926c49a3095eb108fd1098baec70aaa66999a72a82f27d848b21d4a741b0"
	  "c5cd4d5fff9dac89aeba122961d03a757123e9870f8acf1000020887891429ca"
	  "2a3e7a7d7df7b10355165c8b9a6d0a7de8b062c4500dc4cd120c0f7418dae3d0"
	  "b5781c34803fa75421c790dfe1de1834f280d7667b327f6c8cd7557e12ac3a0f"
	  "93ec05c52e0493ef31a12d3d9260f79a289d6a379bc70c50841473d1a8cc81ec"
	  "583e9645e07b8d9670655ba5bbcfecc6dc3966380ad8fecb17b6ba02469a020a"
	  "84e18e8f84252070c13e9f1f289be54fbc481457778f616015e1327a02b140f1"
	  "505eb309326d68378f8374595c849d84f4c333ec4423885143cb47bd71c5edae"
	  "9be69a2ffeceb1bec9de244fbe15992b11b77c040f12bd8f6a975a44a0f90c29"
	  "a9abc3d4d893927284c58754cce294529f8614dcd2aba991925fedc4ae74ffac"
	  "6e333b93eb4aff0479da9a410e4450e0dd7ae4c6e2910900575da401fc07059f"
	  "645e8b7e9bfdef33943054ff84011493c27b3429eaedb4ed5376441a77ed4385"
	  "1ad77f16f541dfd269d50d6a5f14fb0aab1cbb4c1550be97f7ab4066193c4caa"
	  "773dad38014bd2092fa755c824bb5e54c4f36ffda9fcea70b9c6e693e148c151" },
};

static struct xts_paths paths;
static const char *fallback = ".";

static size_t
unhex(const char *text, uint8_t *out)
{
	size_t len = strlen(text) / 2;

	assert_true(len <= LEN_MAX);
	assert_true(plx_hex_decode(text, out, len) >= 0);
	return len;
}

static bool
answers_right(const struct plx_xts_key *key, const uint8_t *iv, const uint8_t *plain,
	      const uint8_t *cipher, size_t len)
{
	uint8_t out[LEN_MAX];

	assert_true(len <= LEN_MAX);
	assert_int_equal(plx_xts_encrypt(key, iv, plain, out, len), 0);
	if (memcmp(out, cipher, len) != 0)
		return false;
	assert_int_equal(plx_xts_decrypt(key, iv, cipher, out, len), 0);
	return memcmp(out, plain, len) == 0;
}

static void
vector_passes(const struct xts_path *path, const struct vector *v)
{
	uint8_t bytes[LEN_MAX], iv[LEN_MAX], plain[LEN_MAX], cipher[LEN_MAX];
	size_t len_key = unhex(v->key, bytes), len = unhex(v->plain, plain);
	struct plx_xts_key key;

	assert_int_equal(unhex(v->iv, iv), PLX_XTS_IV_BYTES);
	assert_int_equal(unhex(v->cipher, cipher), len);
	assert_int_equal(xts_key_init_on(&key, path->kernel, bytes, len_key, NULL), 0);
	if (!answers_right(&key, iv, plain, cipher, len))
		fail_msg("%s on %s", v->name, path->name);
	plx_xts_key_wipe(&key);
}

static void
vectors_of_the_standard_come_out(void **state)
{
	size_t i, p;

	(void)state;
	for (p = 0; p < paths.nb; p++)
		for (i = 0; i < PLX_ARRAY_SIZE(vectors); i++)
			vector_passes(&paths.path[p], &vectors[i]);
}

/* Two keys of AES-192 are no XTS: IEEE 1619 and SP 800-38E know 128 and 256 bits. */
static bool
case_is_of_192_bits(const struct wycheproof_case *c)
{
	return c->key.len == 48;
}

static void
case_passes(const struct xts_path *path, const struct wycheproof_case *c)
{
	uint8_t iv[PLX_XTS_IV_BYTES] = { 0 };
	struct plx_xts_key key;

	assert_int_equal(c->result, WYCHEPROOF_VALID); /* there are no others in this file */
	assert_in_range(c->iv.len, 1, sizeof(iv));
	memcpy(iv, c->iv.data, c->iv.len);
	assert_int_equal(c->msg.len, c->ct.len);
	assert_int_equal(xts_key_init_on(&key, path->kernel, c->key.data, c->key.len, NULL),
			 case_is_of_192_bits(c) ? -EINVAL : 0);
	if (case_is_of_192_bits(c))
		return;
	if (!answers_right(&key, iv, c->msg.data, c->ct.data, c->msg.len))
		fail_msg("Wycheproof %d (%s) on %s", c->id, c->comment, path->name);
	plx_xts_key_wipe(&key);
}

static void
wycheproof_comes_out(void **state)
{
	struct wycheproof_file file;
	size_t i, p, nb_192 = 0;
	char folder[4096];

	(void)state;
	if (!wycheproof_folder(fallback, folder, sizeof(folder)))
		skip();
	assert_true(wycheproof_load(folder, "aes_xts_test.json", &file));
	for (i = 0; i < file.nb; i++) {
		nb_192 += case_is_of_192_bits(&file.cases[i]) ? 1 : 0;
		for (p = 0; p < paths.nb; p++)
			case_passes(&paths.path[p], &file.cases[i]);
	}
	printf("Wycheproof: %zu cases right on each of %zu paths, %zu of 192-bit keys refused\n",
	       file.nb - nb_192, paths.nb, nb_192);
	assert_int_equal(file.nb, 123);
	assert_int_equal(nb_192, 41);
	wycheproof_free(&file);
}

static void
equal_halves_are_refused(void **state)
{
	uint8_t bytes[PLX_XTS_KEY_256];
	struct plx_xts_key key, before;
	struct plx_err err;
	size_t half, p;

	(void)state;
	memset(&key, 0x5a, sizeof(key));
	before = key;
	for (p = 0; p < paths.nb; p++) {
		for (half = 16; half <= 32; half += 16) {
			xts_fill(bytes, half, half);
			memcpy(bytes + half, bytes, half);
			assert_int_equal(
				xts_key_init_on(&key, paths.path[p].kernel, bytes, 2 * half, &err),
				-EKEYREJECTED);
			assert_non_null(strstr(err.text, "both halves"));
			assert_memory_equal(&key, &before, sizeof(key));
			/* one bit is enough */
			bytes[2 * half - 1] ^= 0x80;
			assert_int_equal(
				xts_key_init_on(&key, paths.path[p].kernel, bytes, 2 * half, &err),
				0);
			plx_xts_key_wipe(&key);
			key = before;
		}
	}
}

static void
other_key_lengths_are_refused(void **state)
{
	uint8_t bytes[128];
	struct plx_xts_key key, before;
	struct plx_err err;
	size_t len;

	(void)state;
	xts_fill(bytes, sizeof(bytes), 1);
	memset(&key, 0x5a, sizeof(key));
	before = key;
	for (len = 0; len <= sizeof(bytes); len++) {
		if (len == PLX_XTS_KEY_128 || len == PLX_XTS_KEY_256)
			continue;
		assert_int_equal(plx_xts_key_init(&key, bytes, len, &err), -EINVAL);
		assert_non_null(strstr(err.text, "32 or 64"));
		assert_int_equal(plx_xts_key_init(&key, bytes, len, NULL), -EINVAL);
		assert_memory_equal(&key, &before, sizeof(key));
	}
}

static bool
no_kernel_runs(void)
{
	return false;
}

static void
kernel_that_cannot_run_is_refused(void **state)
{
	const struct xts_kernel kernel = { .name = "abacus", .is_usable = no_kernel_runs };
	struct plx_xts_key key;
	uint8_t bytes[64];
	struct plx_err err;

	(void)state;
	xts_fill(bytes, sizeof(bytes), 1);
	assert_int_equal(xts_key_init_on(&key, &kernel, bytes, sizeof(bytes), &err), -ENOTSUP);
	assert_non_null(strstr(err.text, "abacus"));
}

static void
best_kernel_is_taken(void **state)
{
	struct plx_xts_key key;
	uint8_t bytes[64];

	(void)state;
	xts_fill(bytes, sizeof(bytes), 1);
	assert_int_equal(plx_xts_key_init(&key, bytes, sizeof(bytes), NULL), 0);
	assert_ptr_equal(key.kernel, paths.path[0].kernel);
	assert_string_equal(plx_xts_kernel_name(), paths.path[0].kernel->name);
	if (xts_cpu_has_vaes512())
		assert_string_equal(plx_xts_kernel_name(), "vaes-avx512");
	else if (xts_cpu_has_vaes256())
		assert_string_equal(plx_xts_kernel_name(), "vaes-avx2");
	else
		assert_string_equal(plx_xts_kernel_name(), "openssl");
	plx_xts_key_wipe(&key);
}

static void
cpu_is_read_as_the_compiler_reads_it(void **state)
{
	(void)state;
	assert_int_equal(xts_cpu_has_aesni(), __builtin_cpu_supports("aes") &&
						      __builtin_cpu_supports("pclmul") &&
						      __builtin_cpu_supports("sse4.1"));
	/* VAES has no name in all compilers that are built with */
	if (xts_cpu_has_vaes256()) {
		assert_true(__builtin_cpu_supports("avx2"));
		assert_true(__builtin_cpu_supports("vpclmulqdq"));
	}
	if (xts_cpu_has_vaes512()) {
		assert_true(__builtin_cpu_supports("avx512f"));
		assert_true(__builtin_cpu_supports("avx512bw"));
		assert_true(__builtin_cpu_supports("avx512vl"));
	}
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors_of_the_standard_come_out),
		cmocka_unit_test(wycheproof_comes_out),
		cmocka_unit_test(equal_halves_are_refused),
		cmocka_unit_test(other_key_lengths_are_refused),
		cmocka_unit_test(kernel_that_cannot_run_is_refused),
		cmocka_unit_test(best_kernel_is_taken),
		cmocka_unit_test(cpu_is_read_as_the_compiler_reads_it),
	};

	if (argc > 1)
		fallback = argv[1];
	xts_paths_find(&paths);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
