/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plx_alg.h"

static void
expect_reads_as(const char *text, const char *family, uint32_t key_bytes, const char *written)
{
	struct plx_alg_spec spec;
	struct plx_err err = { { 0 } };
	char name[64];

	print_message("reads '%s'\n", text);
	assert_int_equal(plx_alg_parse(text, &spec, &err), 0);
	assert_string_equal(spec.alg->name, family);
	assert_int_equal(spec.key_bytes, key_bytes);
	assert_ptr_equal(plx_alg_spec_name(&spec, name, sizeof(name)), name);
	assert_string_equal(name, written);
}

static void
expect_refused(const char *text, int code, const char *sentence)
{
	struct plx_alg_spec spec = { .alg = NULL, .key_bytes = 77 };
	struct plx_err err = { { 0 } };

	assert_int_equal(plx_alg_parse(text, &spec, &err), code);
	assert_string_equal(err.text, sentence);
	assert_null(spec.alg);
	assert_int_equal(spec.key_bytes, 77);
	/* and nobody has to want the sentence */
	assert_int_equal(plx_alg_parse(text, &spec, NULL), code);
}

static void
symmetric_names_are_read(void **state)
{
	(void)state;
	expect_reads_as("aes-256-gcm", "aes-gcm", 32, "aes-256-gcm");
	expect_reads_as("AES-128-CTR", "aes-ctr", 16, "aes-128-ctr");
	expect_reads_as("aes_192_cbc", "aes-cbc", 24, "aes-192-cbc");
	expect_reads_as("aes256-ccm", "aes-ccm", 32, "aes-256-ccm");
	expect_reads_as("aes-gcm-128", "aes-gcm", 16, "aes-128-gcm");
	expect_reads_as("aes-256-xts", "aes-xts", 64, "aes-256-xts");
	expect_reads_as("aes-128-xts", "aes-xts", 32, "aes-128-xts");
	expect_reads_as("chacha20-poly1305", "chacha20-poly1305", 32, "chacha20-poly1305");
	expect_reads_as("ChaCha20Poly1305", "chacha20-poly1305", 32, "chacha20-poly1305");
	expect_reads_as("sm4-cbc", "sm4-cbc", 16, "sm4-cbc");
	expect_reads_as("sm4-128-cbc", "sm4-cbc", 16, "sm4-cbc");
}

static void
hash_and_mac_names_are_read(void **state)
{
	(void)state;
	expect_reads_as("sha256", "sha256", 0, "sha256");
	expect_reads_as("SHA-256", "sha256", 0, "sha256");
	expect_reads_as("sha2-256", "sha256", 0, "sha256");
	expect_reads_as("sha-1", "sha1", 0, "sha1");
	expect_reads_as("sha3-256", "sha3-256", 0, "sha3-256");
	expect_reads_as("sm3", "sm3", 0, "sm3");
	expect_reads_as("hmac-sha256", "hmac-sha256", 32, "hmac-sha256");
	expect_reads_as("hmac-sha-512", "hmac-sha512", 64, "hmac-sha512");
	expect_reads_as("hmac-sha256-512", "hmac-sha256", 64, "hmac-sha256-512");
	expect_reads_as("hmac-sha256-256", "hmac-sha256", 32, "hmac-sha256");
	expect_reads_as("hmac-sha3-256", "hmac-sha3-256", 32, "hmac-sha3-256");
	expect_reads_as("hmac-sha3-256-8", "hmac-sha3-256", 1, "hmac-sha3-256-8");
	expect_reads_as("aes-256-cmac", "aes-cmac", 32, "aes-256-cmac");
	expect_reads_as("aes-128-gmac", "aes-gmac", 16, "aes-128-gmac");
	expect_reads_as("random", "random", 0, "random");
}

static void
asymmetric_names_are_read(void **state)
{
	(void)state;
	expect_reads_as("rsa-2048", "rsa-pkcs1", 256, "rsa-2048");
	expect_reads_as("rsa2048", "rsa-pkcs1", 256, "rsa-2048");
	expect_reads_as("rsa-4096-pkcs1", "rsa-pkcs1", 512, "rsa-4096");
	expect_reads_as("rsa-2048-pss", "rsa-pss", 256, "rsa-2048-pss");
	expect_reads_as("rsa-pss-2048", "rsa-pss", 256, "rsa-2048-pss");
	expect_reads_as("rsa-3072-oaep", "rsa-oaep", 384, "rsa-3072-oaep");
	expect_reads_as("ecdsa-p256", "ecdsa-p256", 32, "ecdsa-p256");
	expect_reads_as("ECDSA-P-384", "ecdsa-p384", 48, "ecdsa-p384");
	expect_reads_as("ecdsa-secp521r1", "ecdsa-p521", 66, "ecdsa-p521");
	expect_reads_as("ecdh-p384", "ecdh-p384", 48, "ecdh-p384");
	expect_reads_as("x25519", "x25519", 32, "x25519");
	expect_reads_as("ed25519", "ed25519", 32, "ed25519");
	expect_reads_as("Ed-25519", "ed25519", 32, "ed25519");
	expect_reads_as("sm2", "sm2", 32, "sm2");
	expect_reads_as("dh-2048", "dh", 256, "dh-2048");
	expect_reads_as("ffdhe3072", "dh", 384, "dh-3072");
}

static void
each_row_and_size_reads_back_from_what_is_written(void **state)
{
	const struct plx_alg *table;
	uint32_t nb_names = 0;
	size_t nb;

	(void)state;
	table = plx_alg_table(&nb);
	for (size_t i = 0; i < nb; i++) {
		for (uint32_t bytes = table[i].key.min; bytes <= table[i].key.max; bytes++) {
			struct plx_alg_spec spec = { &table[i], (uint16_t)bytes };
			struct plx_alg_spec back;
			char name[64];

			if (!plx_alg_range_has(&table[i].key, bytes))
				continue;
			plx_alg_spec_name(&spec, name, sizeof(name));
			assert_int_equal(plx_alg_parse(name, &back, NULL), 0);
			assert_ptr_equal(back.alg, spec.alg);
			assert_int_equal(back.key_bytes, spec.key_bytes);
			nb_names++;
		}
	}
	assert_true(nb_names > nb);
}

static void
sizes_that_are_not_allowed_are_told_with_those_that_are(void **state)
{
	(void)state;
	expect_refused("aes-265-gcm", -ERANGE,
		       "aes-gcm has no key of 265 bits: use 128, 192 or 256");
	expect_refused("aes-512-xts", -ERANGE, "aes-xts has no key of 512 bits: use 128 or 256");
	expect_refused("aes-gcm", -ERANGE, "aes-gcm needs a key size in bits: 128, 192 or 256");
	expect_refused("rsa-1024", -ERANGE,
		       "rsa-pkcs1 has no key of 1024 bits: use 2048 to 8192 in steps of 64");
	expect_refused("rsa-2049-pss", -ERANGE,
		       "rsa-pss has no key of 2049 bits: use 2048 to 8192 in steps of 64");
	expect_refused("sm4-256-cbc", -ERANGE, "sm4-cbc has no key of 256 bits: use 128");
	expect_refused("sha256-128", -ERANGE, "sha256 has no key, so no key size: write sha256");
	expect_refused("hmac-sha1-0", -ERANGE,
		       "hmac-sha1 has no key of 0 bits: use 8 to 524280 in steps of 8");
	expect_refused("aes-99999999999999999999-gcm", -ERANGE,
		       "aes-gcm has no key of 99999999999999999999 bits: use 128, 192 or 256");
	/* 2^32 + 256: no number may wrap into the range */
	expect_refused("aes-4294967552-gcm", -ERANGE,
		       "aes-gcm has no key of 4294967552 bits: use 128, 192 or 256");
}

static void
unknown_names_are_answered_with_near_ones(void **state)
{
	struct plx_alg_spec spec;
	struct plx_err err;

	(void)state;
	expect_refused("sha265", -ENOENT,
		       "there is no algorithm 'sha265'; near it: sha256, sha224, sha1");
	expect_refused("foo", -ENOENT, "there is no algorithm 'foo'; 'show algorithms' lists them");
	assert_int_equal(plx_alg_parse("AES-256-GMC", &spec, &err), -ENOENT);
	assert_non_null(strstr(err.text, "'AES-256-GMC'"));
	assert_non_null(strstr(err.text, "near it: aes-256-gcm, "));
	assert_int_equal(plx_alg_parse("rsa-2048-pks", &spec, &err), -ENOENT);
	assert_non_null(strstr(err.text, "rsa-2048-pss"));
}

static void
hostile_text_is_refused_with_a_clean_sentence(void **state)
{
	static const char *const bad[] = { "",
					   "-",
					   "--",
					   "-256-",
					   "256",
					   "aes--gcm",
					   "aes-256-256-gcm",
					   "aes-256-gcm-",
					   "-aes-256-gcm",
					   " aes-256-gcm",
					   "aes-256-gcm\n",
					   "\x1b[31mred",
					   "%s%n",
					   "\xff\xfe",
					   "a-b-c-d-e-f-g-h-i-j",
					   "aes-0256-gcm-1",
					   "sha-",
					   "p-",
					   "sha-1-2-3-4-5-6-7" };
	struct plx_alg_spec spec = { .alg = NULL };
	struct plx_err err;
	char *huge = malloc(100001);

	(void)state;
	assert_non_null(huge);
	memset(huge, 'a', 100000);
	huge[100000] = '\0';
	for (size_t i = 0; i <= PLX_ARRAY_SIZE(bad); i++) {
		const char *text = i == PLX_ARRAY_SIZE(bad) ? huge : bad[i];

		assert_int_equal(plx_alg_parse(text, &spec, &err), -ENOENT);
		assert_null(spec.alg);
		assert_null(plx_alg_find(text));
		for (const char *p = err.text; *p != '\0'; p++)
			assert_true(*p >= ' ' && *p <= '~');
		assert_true(strlen(err.text) < 200);
	}
	free(huge);
}

static void
random_texts_never_harm(void **state)
{
	static const char letters[] = "aeshmcgr0123456789--_2P";
	uint32_t seed = 1;
	char text[160];

	(void)state;
	for (uint32_t i = 0; i < 3000; i++) {
		struct plx_alg_spec spec;
		struct plx_err err;
		size_t len;

		seed = seed * 1664525 + 1013904223;
		len = (seed >> 16) % (sizeof(text) - 1);
		for (size_t k = 0; k < len; k++) {
			seed = seed * 1664525 + 1013904223;
			text[k] = letters[(seed >> 16) % (sizeof(letters) - 1)];
		}
		text[len] = '\0';
		if (plx_alg_parse(text, &spec, &err) == 0)
			assert_true(spec.alg->nb_keys == 0 ||
				    plx_alg_range_has(&spec.alg->key, spec.key_bytes));
		else
			assert_true(strlen(err.text) > 0);
	}
}

static void
openssl_names_have_the_key_size_in_them(void **state)
{
	static const char *const pairs[][2] = {
		{ "aes-256-gcm", "AES-256-GCM" },
		{ "aes-128-xts", "AES-128-XTS" },
		{ "hmac-sha3-384", "SHA3-384" },
		{ "aes-192-cmac", "AES-192-CBC" },
		{ "rsa-2048-pss", "RSA" },
		{ "ecdh-p521", "P-521" },
		{ "sha-1", "SHA1" },
	};
	struct plx_alg_spec spec;
	char name[32];

	(void)state;
	for (size_t i = 0; i < PLX_ARRAY_SIZE(pairs); i++) {
		assert_int_equal(plx_alg_parse(pairs[i][0], &spec, NULL), 0);
		assert_string_equal(plx_alg_openssl_name(&spec, name, sizeof(name)), pairs[i][1]);
	}
	assert_string_equal(plx_alg_openssl_name(&spec, name, 3), "SH");
}

static void
written_names_are_cut_to_the_buffer(void **state)
{
	struct plx_alg_spec spec;
	char name[8] = "xxxxxxx";

	(void)state;
	assert_int_equal(plx_alg_parse("aes-256-gcm", &spec, NULL), 0);
	assert_string_equal(plx_alg_spec_name(&spec, name, 6), "aes-2");
	assert_int_equal(name[6], 'x');
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symmetric_names_are_read),
		cmocka_unit_test(hash_and_mac_names_are_read),
		cmocka_unit_test(asymmetric_names_are_read),
		cmocka_unit_test(each_row_and_size_reads_back_from_what_is_written),
		cmocka_unit_test(sizes_that_are_not_allowed_are_told_with_those_that_are),
		cmocka_unit_test(unknown_names_are_answered_with_near_ones),
		cmocka_unit_test(hostile_text_is_refused_with_a_clean_sentence),
		cmocka_unit_test(random_texts_never_harm),
		cmocka_unit_test(openssl_names_have_the_key_size_in_them),
		cmocka_unit_test(written_names_are_cut_to_the_buffer),
	};

	return cmocka_run_group_tests_name("alg_name", tests, NULL, NULL);
}
