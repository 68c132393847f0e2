/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <rte_crypto_asym.h>
#include <rte_crypto_sym.h>

#include "plx_alg.h"

/* The table against itself, against DPDK's headers, and against what OpenSSL says of the same
 * algorithm. */

static void
each_family_that_is_promised_has_its_row(void **state)
{
	static const char *const names[] = {
		"aes-cbc",
		"aes-ctr",
		"aes-gcm",
		"aes-ccm",
		"aes-xts",
		"chacha20-poly1305",
		"sha1",
		"sha224",
		"sha256",
		"sha384",
		"sha512",
		"sha3-224",
		"sha3-256",
		"sha3-384",
		"sha3-512",
		"hmac-sha1",
		"hmac-sha224",
		"hmac-sha256",
		"hmac-sha384",
		"hmac-sha512",
		"hmac-sha3-224",
		"hmac-sha3-256",
		"hmac-sha3-384",
		"hmac-sha3-512",
		"aes-cmac",
		"aes-gmac",
		"sm3",
		"sm4-ecb",
		"sm4-cbc",
		"sm4-ctr",
		"rsa-pkcs1",
		"rsa-pss",
		"rsa-oaep",
		"ecdsa-p256",
		"ecdsa-p384",
		"ecdsa-p521",
		"ecdh-p256",
		"ecdh-p384",
		"ecdh-p521",
		"x25519",
		"ed25519",
		"sm2",
		"dh",
		"random",
	};
	size_t nb;

	(void)state;
	plx_alg_table(&nb);
	assert_int_equal(nb, PLX_ARRAY_SIZE(names));
	for (size_t i = 0; i < PLX_ARRAY_SIZE(names); i++) {
		const struct plx_alg *alg = plx_alg_find(names[i]);

		assert_non_null(alg);
		assert_string_equal(alg->name, names[i]);
	}
}

static void
range_is_ordered(const struct plx_alg_range *range)
{
	assert_true(range->min <= range->max);
	if (range->step == 0)
		assert_int_equal(range->min, range->max);
	else
		assert_int_equal((range->max - range->min) % range->step, 0);
}

static void
rows_are_whole(void **state)
{
	const struct plx_alg *table;
	size_t nb;

	(void)state;
	table = plx_alg_table(&nb);
	for (size_t i = 0; i < nb; i++) {
		const struct plx_alg *alg = &table[i];
		bool has_key = alg->kind != PLX_ALG_KIND_HASH && alg->kind != PLX_ALG_KIND_RANDOM;
		bool is_sym = alg->kind <= PLX_ALG_KIND_MAC;

		print_message("%s\n", alg->name);
		assert_true(strlen(alg->summary) > 0 && strlen(alg->source) > 0);
		assert_true(strlen(alg->openssl_name) > 0);
		assert_string_not_equal(plx_alg_kind_name(alg->kind), "?");
		range_is_ordered(&alg->key);
		range_is_ordered(&alg->iv);
		range_is_ordered(&alg->tag);
		assert_true(alg->ops != 0 && alg->ops < 2u * PLX_OP_RANDOM);
		assert_true(alg->block_bytes >= 1);
		assert_int_equal(has_key, alg->key.min > 0);
		assert_int_equal(has_key, alg->nb_keys > 0);
		assert_true(plx_alg_range_has(&alg->iv, alg->iv_default_bytes));
		assert_true(plx_alg_range_has(&alg->tag, alg->tag_default_bytes));
		assert_int_equal(alg->aad_max_bytes != 0, alg->kind == PLX_ALG_KIND_AEAD);
		assert_int_equal(is_sym && alg->kind != PLX_ALG_KIND_CIPHER, alg->tag.max > 0);
		assert_int_equal(alg->rte_type == PLX_ALG_RTE_NONE,
				 alg->rte_algo == PLX_ALG_RTE_NONE);
		if (is_sym)
			assert_int_not_equal(alg->rte_type, PLX_ALG_RTE_NONE);
	}
}

static void
no_two_rows_share_a_name_or_a_cryptodev_number(void **state)
{
	const struct plx_alg *table;
	size_t nb;

	(void)state;
	table = plx_alg_table(&nb);
	for (size_t i = 0; i < nb; i++) {
		for (size_t k = i + 1; k < nb; k++) {
			const struct plx_alg *a = &table[i], *b = &table[k];
			bool is_same_world =
				(a->kind >= PLX_ALG_KIND_ASYM) == (b->kind >= PLX_ALG_KIND_ASYM);

			assert_string_not_equal(a->name, b->name);
			assert_false(is_same_world && a->rte_type != PLX_ALG_RTE_NONE &&
				     a->rte_type == b->rte_type && a->rte_algo == b->rte_algo);
		}
	}
}

static void
cryptodev_numbers_are_those_of_the_headers(void **state)
{
	const struct plx_alg *gcm = plx_alg_find("aes-gcm");
	const struct plx_alg *hmac = plx_alg_find("hmac-sha3-256");
	const struct plx_alg *pss = plx_alg_find("rsa-pss");
	const struct plx_alg *ecdh = plx_alg_find("ecdh-p521");

	(void)state;
	assert_int_equal(gcm->rte_type, RTE_CRYPTO_SYM_XFORM_AEAD);
	assert_int_equal(gcm->rte_algo, RTE_CRYPTO_AEAD_AES_GCM);
	assert_int_equal(hmac->rte_type, RTE_CRYPTO_SYM_XFORM_AUTH);
	assert_int_equal(hmac->rte_algo, RTE_CRYPTO_AUTH_SHA3_256_HMAC);
	assert_int_equal(pss->rte_type, RTE_CRYPTO_ASYM_XFORM_RSA);
	assert_int_equal(pss->rte_algo, RTE_CRYPTO_RSA_PADDING_PSS);
	assert_int_equal(ecdh->rte_type, RTE_CRYPTO_ASYM_XFORM_ECDH);
	assert_int_equal(ecdh->rte_algo, RTE_CRYPTO_EC_GROUP_SECP521R1);
	assert_int_equal(plx_alg_find("x25519")->rte_type, PLX_ALG_RTE_NONE);
}

static void
cipher_sizes_are_what_openssl_says(const struct plx_alg *alg)
{
	for (uint32_t bytes = alg->key.min; bytes <= alg->key.max; bytes++) {
		struct plx_alg_spec spec = { .alg = alg, .key_bytes = (uint16_t)bytes };
		char name[64];
		EVP_CIPHER *cipher;

		if (!plx_alg_range_has(&alg->key, bytes))
			continue;
		plx_alg_openssl_name(&spec, name, sizeof(name));
		cipher = EVP_CIPHER_fetch(NULL, name, NULL);
		print_message("%s\n", name);
		assert_non_null(cipher);
		assert_int_equal(EVP_CIPHER_get_key_length(cipher), bytes);
		assert_int_equal(EVP_CIPHER_get_iv_length(cipher), alg->iv_default_bytes);
		if (alg->kind == PLX_ALG_KIND_CIPHER)
			assert_int_equal(EVP_CIPHER_get_block_size(cipher), alg->block_bytes);
		EVP_CIPHER_free(cipher);
	}
}

static void
hash_sizes_are_what_openssl_says(const struct plx_alg *alg)
{
	EVP_MD *md = EVP_MD_fetch(NULL, alg->openssl_name, NULL);

	print_message("%s\n", alg->openssl_name);
	assert_non_null(md);
	assert_int_equal(EVP_MD_get_size(md), alg->tag_default_bytes);
	EVP_MD_free(md);
}

static void
asym_names_are_known_to_openssl(const struct plx_alg *alg)
{
	bool is_curve = strncmp(alg->openssl_name, "P-", 2) == 0;
	EVP_PKEY_CTX *ctx;
	EVP_PKEY *key = NULL;

	print_message("%s\n", alg->openssl_name);
	ctx = EVP_PKEY_CTX_new_from_name(NULL, is_curve ? "EC" : alg->openssl_name, NULL);
	assert_non_null(ctx);
	if (is_curve) {
		assert_true(EVP_PKEY_keygen_init(ctx) > 0);
		assert_true(EVP_PKEY_CTX_set_group_name(ctx, alg->openssl_name) > 0);
		assert_true(EVP_PKEY_generate(ctx, &key) > 0);
		assert_int_equal((EVP_PKEY_get_bits(key) + 7) / 8, alg->key.min);
		EVP_PKEY_free(key);
	}
	EVP_PKEY_CTX_free(ctx);
}

/* CCM and GMAC defaults differ: OpenSSL's CCM starts from a 7-byte nonce. */
static void
sizes_are_what_openssl_says(void **state)
{
	const struct plx_alg *table;
	size_t nb;

	(void)state;
	table = plx_alg_table(&nb);
	for (size_t i = 0; i < nb; i++) {
		const struct plx_alg *alg = &table[i];

		switch (alg->kind) {
		case PLX_ALG_KIND_CIPHER:
		case PLX_ALG_KIND_AEAD:
			if (strcmp(alg->name, "aes-ccm") != 0)
				cipher_sizes_are_what_openssl_says(alg);
			break;
		case PLX_ALG_KIND_HASH:
			hash_sizes_are_what_openssl_says(alg);
			break;
		case PLX_ALG_KIND_MAC:
			if (strncmp(alg->name, "hmac", 4) == 0)
				hash_sizes_are_what_openssl_says(alg);
			break;
		case PLX_ALG_KIND_ASYM:
			asym_names_are_known_to_openssl(alg);
			break;
		case PLX_ALG_KIND_RANDOM:
		default:
			break;
		}
	}
}

static void
ranges_have_their_steps_only(void **state)
{
	static const struct plx_alg_range aes = { 16, 32, 8 };
	static const struct plx_alg_range one = { 12, 12, 0 };

	(void)state;
	assert_true(plx_alg_range_has(&aes, 16));
	assert_true(plx_alg_range_has(&aes, 24));
	assert_true(plx_alg_range_has(&aes, 32));
	assert_false(plx_alg_range_has(&aes, 8));
	assert_false(plx_alg_range_has(&aes, 20));
	assert_false(plx_alg_range_has(&aes, 40));
	assert_false(plx_alg_range_has(&aes, UINT32_MAX));
	assert_true(plx_alg_range_has(&one, 12));
	assert_false(plx_alg_range_has(&one, 13));
	assert_false(plx_alg_range_has(&one, 11));
}

static void
operations_have_names_both_ways(void **state)
{
	(void)state;
	for (uint32_t op = PLX_OP_ENCRYPT; op <= PLX_OP_RANDOM; op <<= 1)
		assert_int_equal(plx_op_find(plx_op_name((enum plx_op)op)), op);
	assert_string_equal(plx_op_name(PLX_OP_SIGN), "sign");
	assert_int_equal(plx_op_find("Verify"), PLX_OP_VERIFY);
	assert_int_equal(plx_op_find("veri"), 0);
	assert_int_equal(plx_op_find(""), 0);
	assert_string_equal(plx_op_name((enum plx_op)(PLX_OP_SIGN | PLX_OP_MAC)), "?");
	assert_string_equal(plx_op_name((enum plx_op)0), "?");
	assert_string_equal(plx_alg_kind_name((enum plx_alg_kind)0), "?");
	assert_string_equal(plx_alg_kind_name((enum plx_alg_kind)99), "?");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_family_that_is_promised_has_its_row),
		cmocka_unit_test(rows_are_whole),
		cmocka_unit_test(no_two_rows_share_a_name_or_a_cryptodev_number),
		cmocka_unit_test(cryptodev_numbers_are_those_of_the_headers),
		cmocka_unit_test(sizes_are_what_openssl_says),
		cmocka_unit_test(ranges_have_their_steps_only),
		cmocka_unit_test(operations_have_names_both_ways),
	};

	return cmocka_run_group_tests_name("alg_table", tests, NULL, NULL);
}
