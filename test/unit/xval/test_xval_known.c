/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plx_units.h"
#include "reference.h"
#include "xval.h"

/*
 * Known answers from the standards, over all devices. Each is checked against OpenSSL's library as
 * well, so that a slip of the pen in this table is told apart from a device that is wrong.
 */

#define BYTES_MAX 512

struct known {
	const char *source;
	const char *alg; /* as a user writes it; the key size in it must be the key's */
	const char *key;
	const char *iv;
	const char *aad;
	const char *msg;
	const char *cipher; /* NULL: digest or MAC */
	const char *tag;
};

/* NIST SP 800-38A appendix F, GCM's own test cases, and RFC 4493 use the same four blocks */
#define BLOCK_1 "6bc1bee22e409f96e93d7e117393172a"
#define BLOCK_2 "ae2d8a571e03ac9c9eb76fac45af8e51"
#define BLOCK_3 "30c81c46a35ce411e5fbc1191a0a52ef"
#define BLOCK_4 "f69f2445df4f9b17ad2b417be66c3710"
#define KEY_128 "2b7e151628aed2a6abf7158809cf4f3c"
#define KEY_256 "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"
#define ABC     "616263"
/* "what do ya want for nothing?" and "Hi There": RFC 2202, RFC 4231 */
#define WANT     "7768617420646f2079612077616e7420666f72206e6f7468696e673f"
#define HI_THERE "4869205468657265"
#define JEFE     "4a656665"
#define KEY_0B   "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"

static const struct known knowns[] = {
	{ "SP 800-38A F.2.1", "aes-128-cbc", KEY_128, "000102030405060708090a0b0c0d0e0f", NULL,
	  BLOCK_1 BLOCK_2 BLOCK_3 BLOCK_4,
	  "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
	  "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
	  NULL },
	{ "SP 800-38A F.2.5", "aes-256-cbc", KEY_256, "000102030405060708090a0b0c0d0e0f", NULL,
	  BLOCK_1 BLOCK_2 BLOCK_3 BLOCK_4,
	  "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
	  "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
	  NULL },
	{ "SP 800-38A F.5.1", "aes-128-ctr", KEY_128, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", NULL,
	  BLOCK_1 BLOCK_2 BLOCK_3 BLOCK_4,
	  "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
	  "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
	  NULL },
	{ "SP 800-38A F.5.5", "aes-256-ctr", KEY_256, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", NULL,
	  BLOCK_1 BLOCK_2 BLOCK_3 BLOCK_4,
	  "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
	  "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
	  NULL },
	{ "GCM test case 1", "aes-128-gcm", "00000000000000000000000000000000",
	  "000000000000000000000000", "", "", "", "58e2fccefa7e3061367f1d57a4e7455a" },
	{ "GCM test case 2", "aes-128-gcm", "00000000000000000000000000000000",
	  "000000000000000000000000", "", "00000000000000000000000000000000",
	  "0388dace60b6a392f328c2b971b2fe78", "ab6e47d42cec13bdf53a67b21257bddf" },
	{ "GCM test case 4", "aes-128-gcm", "feffe9928665731c6d6a8f9467308308",
	  "cafebabefacedbaddecaf888", "feedfacedeadbeeffeedfacedeadbeefabaddad2",
	  "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
	  "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
	  "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
	  "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
	  "5bc94fbc3221a5db94fae95ae7121a47" },
	{ "GCM test case 16", "aes-256-gcm",
	  "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
	  "cafebabefacedbaddecaf888", "feedfacedeadbeeffeedfacedeadbeefabaddad2",
	  "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
	  "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
	  "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
	  "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
	  "76fc6ece0f4e1768cddf8853bb2d551b" },
	{ "SP 800-38C example 1", "aes-128-ccm", "404142434445464748494a4b4c4d4e4f",
	  "10111213141516", "0001020304050607", "20212223", "7162015b", "4dac255d" },
	{ "SP 800-38C example 2", "aes-128-ccm", "404142434445464748494a4b4c4d4e4f",
	  "1011121314151617", "000102030405060708090a0b0c0d0e0f",
	  "202122232425262728292a2b2c2d2e2f", "d2a1f0e051ea5f62081a7792073d593d", "1fc64fbfaccd" },
	{ "RFC 8439 2.8.2", "chacha20-poly1305",
	  "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
	  "070000004041424344454647", "50515253c0c1c2c3c4c5c6c7",
	  "4c616469657320616e642047656e746c656d656e206f662074686520636c6173"
	  "73206f66202739393a204966204920636f756c64206f6666657220796f75206f"
	  "6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
	  "637265656e20776f756c642062652069742e",
	  "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
	  "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
	  "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
	  "3ff4def08e4b7a9de576d26586cec64b6116",
	  "1ae10b594f09e26a7e902ecbd0600691" },
	{ "FIPS 180-4", "sha1", NULL, NULL, NULL, ABC, NULL,
	  "a9993e364706816aba3e25717850c26c9cd0d89d" },
	{ "FIPS 180-4", "sha1", NULL, NULL, NULL, "", NULL,
	  "da39a3ee5e6b4b0d3255bfef95601890afd80709" },
	{ "FIPS 180-4", "sha224", NULL, NULL, NULL, ABC, NULL,
	  "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7" },
	{ "FIPS 180-4", "sha256", NULL, NULL, NULL, ABC, NULL,
	  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	{ "FIPS 180-4", "sha256", NULL, NULL, NULL, "", NULL,
	  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
	{ "FIPS 180-4", "sha256", NULL, NULL, NULL,
	  /* abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq: two blocks with padding */
	  "6162636462636465636465666465666765666768666768696768696a68696a6b"
	  "696a6b6c6a6b6c6d6b6c6d6e6c6d6e6f6d6e6f706e6f7071",
	  NULL, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	{ "FIPS 180-4", "sha384", NULL, NULL, NULL, ABC, NULL,
	  "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
	  "8086072ba1e7cc2358baeca134c825a7" },
	{ "FIPS 180-4", "sha512", NULL, NULL, NULL, ABC, NULL,
	  "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
	  "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f" },
	{ "FIPS 202", "sha3-256", NULL, NULL, NULL, ABC, NULL,
	  "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532" },
	{ "GB/T 32905-2016", "sm3", NULL, NULL, NULL, ABC, NULL,
	  "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0" },
	{ "RFC 2202 1", "hmac-sha1", KEY_0B, NULL, NULL, HI_THERE, NULL,
	  "b617318655057264e28bc0b6fb378c8ef146be00" },
	{ "RFC 2202 2", "hmac-sha1", JEFE, NULL, NULL, WANT, NULL,
	  "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79" },
	{ "RFC 4231 4.2", "hmac-sha224", KEY_0B, NULL, NULL, HI_THERE, NULL,
	  "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22" },
	{ "RFC 4231 4.2", "hmac-sha256", KEY_0B, NULL, NULL, HI_THERE, NULL,
	  "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7" },
	{ "RFC 4231 4.3", "hmac-sha256", JEFE, NULL, NULL, WANT, NULL,
	  "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" },
	{ "RFC 4231 4.2", "hmac-sha384", KEY_0B, NULL, NULL, HI_THERE, NULL,
	  "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c"
	  "faea9ea9076ede7f4af152e8b2fa9cb6" },
	{ "RFC 4231 4.2", "hmac-sha512", KEY_0B, NULL, NULL, HI_THERE, NULL,
	  "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
	  "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854" },
	{ "RFC 4231 4.3", "hmac-sha512", JEFE, NULL, NULL, WANT, NULL,
	  "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
	  "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737" },
	{ "RFC 4493 example 1", "aes-128-cmac", KEY_128, NULL, NULL, "", NULL,
	  "bb1d6929e95937287fa37d129b756746" },
	{ "RFC 4493 example 2", "aes-128-cmac", KEY_128, NULL, NULL, BLOCK_1, NULL,
	  "070a16b46b4d4144f79bdd9dd04a287c" },
	{ "RFC 4493 example 3", "aes-128-cmac", KEY_128, NULL, NULL,
	  BLOCK_1 BLOCK_2 "30c81c46a35ce411", NULL, "dfa66747de9ae63030ca32611497c827" },
	{ "RFC 4493 example 4", "aes-128-cmac", KEY_128, NULL, NULL,
	  BLOCK_1 BLOCK_2 BLOCK_3 BLOCK_4, NULL, "51f0bebf7e3b9d92fc49741779363cfe" },
	{ "SP 800-38B D.3", "aes-256-cmac", KEY_256, NULL, NULL, BLOCK_1, NULL,
	  "28a7023f452e8f82bd4bf28d8c37c35c" },
	{ "GCM test case 1", "aes-128-gmac", "00000000000000000000000000000000",
	  "000000000000000000000000", NULL, "", NULL, "58e2fccefa7e3061367f1d57a4e7455a" },
	{ "CAVP gcmEncryptExtIV128", "aes-128-gmac", "77be63708971c4e240d1cb79e8d77feb",
	  "e0e00f19fed7ba0136a797f3", NULL, "7a43ec1d9c0a5a78a0b16533a6213cab", NULL,
	  "209fcc8d3675ed938e9c7166709dd946" },
};

/* One known answer as bytes. */
struct known_bytes {
	uint8_t key[BYTES_MAX];
	uint8_t iv[BYTES_MAX];
	uint8_t aad[BYTES_MAX];
	uint8_t msg[BYTES_MAX];
	uint8_t cipher[BYTES_MAX];
	uint8_t tag[BYTES_MAX];
};

static struct xval_bytes
bytes_of(const char *hex, uint8_t *room)
{
	int len = plx_hex_decode(hex == NULL ? "" : hex, room, BYTES_MAX);

	assert_true(len >= 0);
	return (struct xval_bytes){ room, (size_t)len };
}

static void
vec_make(const struct known *k, struct known_bytes *b, struct xval_vec *v)
{
	struct plx_alg_spec spec;
	struct plx_err err;

	if (plx_alg_parse(k->alg, &spec, &err) < 0)
		fail_msg("%s", err.text);
	snprintf(v->name, sizeof(v->name), "%s %s", k->alg, k->source);
	v->alg = spec.alg;
	v->want = XVAL_SUCCESS;
	v->key = bytes_of(k->key, b->key);
	v->iv = bytes_of(k->iv, b->iv);
	v->aad = bytes_of(k->aad, b->aad);
	v->plain = bytes_of(k->msg, b->msg);
	v->cipher = bytes_of(k->cipher, b->cipher);
	v->tag = bytes_of(k->tag, b->tag);
	assert_true(v->key.len == spec.key_bytes || spec.alg->key.step == 1);
}

static bool
openssl_agrees(const struct xval_vec *v)
{
	const struct reference_in in = {
		.spec = { v->alg, (uint16_t)v->key.len },
		.key = v->key.data,
		.iv = v->iv.data,
		.iv_len = v->iv.len,
		.aad = v->aad.data,
		.aad_len = v->aad.len,
		.msg = v->plain.data,
		.msg_len = v->plain.len,
		.tag_len = v->tag.len,
	};
	uint8_t cipher[BYTES_MAX], tag[BYTES_MAX];

	return reference_run(&in, cipher, tag) &&
	       memcmp(cipher, v->cipher.data, v->cipher.len) == 0 &&
	       memcmp(tag, v->tag.data, v->tag.len) == 0;
}

static void
each_device_knows_the_standards_answers(void **state)
{
	struct known_bytes *bytes = calloc(PLX_ARRAY_SIZE(knowns), sizeof(*bytes));
	struct xval_vec vecs[PLX_ARRAY_SIZE(knowns)];
	struct xval_counts counts = { 0 };
	struct xval *x = *state;

	assert_non_null(bytes);
	memset(vecs, 0, sizeof(vecs));
	for (size_t i = 0; i < PLX_ARRAY_SIZE(knowns); i++) {
		vec_make(&knowns[i], &bytes[i], &vecs[i]);
		if (!openssl_agrees(&vecs[i]))
			fail_msg("%s: the table is wrong, says OpenSSL", vecs[i].name);
	}
	xval_run(x, vecs, PLX_ARRAY_SIZE(knowns), &counts);
	xval_report(x, "known answers", NULL, &counts);
	free(bytes);
}

/* The same data with one bit of the tag turned: nobody may say yes. */
static void
each_device_sees_a_wrong_tag(void **state)
{
	struct known_bytes *bytes = calloc(PLX_ARRAY_SIZE(knowns), sizeof(*bytes));
	struct xval_vec vecs[PLX_ARRAY_SIZE(knowns)];
	struct xval_counts counts = { 0 };
	struct xval *x = *state;
	size_t nb = 0;

	assert_non_null(bytes);
	memset(vecs, 0, sizeof(vecs));
	for (size_t i = 0; i < PLX_ARRAY_SIZE(knowns); i++) {
		struct xval_vec *v = &vecs[nb];

		vec_make(&knowns[i], &bytes[i], v);
		if (v->alg->kind != PLX_ALG_KIND_AEAD && v->alg->kind != PLX_ALG_KIND_MAC)
			continue;
		bytes[i].tag[i % v->tag.len] ^= (uint8_t)(1u << (i % 8));
		v->want = XVAL_AUTH_FAILED;
		nb++;
	}
	xval_run(x, vecs, nb, &counts);
	xval_report(x, "wrong tags", NULL, &counts);
	free(bytes);
}

/* Stock crypto_aesni_mb says success to part of a block and dies of none. */
static void
no_block_or_part_of_one_is_refused_by_all(void **state)
{
	static const uint8_t key[32] = { 1 }, iv[16] = { 2 }, data[64] = { 3 };
	static const size_t lens[] = { 0, 1, 15, 17, 31, 33, 63 };
	struct xval_vec vecs[PLX_ARRAY_SIZE(lens)];
	struct xval_counts counts = { 0 };
	struct xval *x = *state;

	memset(vecs, 0, sizeof(vecs));
	for (size_t i = 0; i < PLX_ARRAY_SIZE(lens); i++) {
		struct xval_vec *v = &vecs[i];

		snprintf(v->name, sizeof(v->name), "aes-cbc, %zu bytes", lens[i]);
		v->alg = plx_alg_find("aes-cbc");
		v->want = XVAL_PADDING_BAD;
		v->key = (struct xval_bytes){ key, i % 2 == 0 ? 16 : 32 };
		v->iv = (struct xval_bytes){ iv, sizeof(iv) };
		v->cipher = (struct xval_bytes){ data, lens[i] };
	}
	xval_run(x, vecs, PLX_ARRAY_SIZE(lens), &counts);
	xval_report(x, "parts of blocks", plx_alg_find("aes-cbc"), &counts);
}

/* Stock crypto_aesni_mb answers wrong ever after an HMAC of nothing: it must not get one. */
static void
an_hmac_of_nothing_spoils_nothing(void **state)
{
	static const uint8_t key[32] = { 1 }, data[100] = { 3 };
	static const size_t lens[] = { 0, 100, 0, 1, 64, 0, 100 };
	static uint8_t tags[PLX_ARRAY_SIZE(lens)][32];
	struct xval_vec vecs[PLX_ARRAY_SIZE(lens)];
	struct xval_counts counts = { 0 };
	struct xval *x = *state;

	memset(vecs, 0, sizeof(vecs));
	for (size_t i = 0; i < PLX_ARRAY_SIZE(lens); i++) {
		struct xval_vec *v = &vecs[i];
		struct reference_in in = { .spec = { plx_alg_find("hmac-sha256"), sizeof(key) },
					   .key = key,
					   .msg = data,
					   .msg_len = lens[i],
					   .tag_len = sizeof(tags[i]) };

		assert_true(reference_run(&in, NULL, tags[i]));
		snprintf(v->name, sizeof(v->name), "hmac-sha256, %zu bytes", lens[i]);
		v->alg = in.spec.alg;
		v->want = XVAL_SUCCESS;
		v->key = (struct xval_bytes){ key, sizeof(key) };
		v->plain = (struct xval_bytes){ data, lens[i] };
		v->tag = (struct xval_bytes){ tags[i], sizeof(tags[i]) };
	}
	xval_run(x, vecs, PLX_ARRAY_SIZE(lens), &counts);
	xval_report(x, "HMAC of nothing", plx_alg_find("hmac-sha256"), &counts);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_device_knows_the_standards_answers),
		cmocka_unit_test(each_device_sees_a_wrong_tag),
		cmocka_unit_test(no_block_or_part_of_one_is_refused_by_all),
		cmocka_unit_test(an_hmac_of_nothing_spoils_nothing),
	};

	if (!bed_eal("xval_known"))
		return 1;
	return cmocka_run_group_tests_name("xval_known", tests, xval_setup, xval_teardown);
}
