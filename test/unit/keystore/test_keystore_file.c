/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "ks_env.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

/* Key files: what is read, what is refused and how. */

/* SHA-256 of the SubjectPublicKeyInfo, as describe shows it. */
static void
fingerprint(EVP_PKEY *pkey, char hex[65])
{
	unsigned char *der = NULL, md[32];
	int len = i2d_PUBKEY(pkey, &der), i;
	size_t md_len = 0;

	assert_true(len > 0);
	assert_int_equal(EVP_Q_digest(NULL, "SHA256", NULL, der, (size_t)len, md, &md_len), 1);
	for (i = 0; i < 32; i++)
		sprintf(hex + 2 * i, "%02x", md[i]);
	OPENSSL_free(der);
}

static void
load_and_compare(struct ks_env *env, EVP_PKEY *pkey, const char *form, int is_pem, const char *alg)
{
	const char *path = ks_env_path(env, "key");
	struct plx_key_info info;
	plx_key_handle h;
	char hex[65];

	ks_env_save(pkey, path, form, is_pem);
	assert_ok(plx_key_load(env->ks, "c", "k", NULL, path, &h, err));
	assert_ok(plx_key_describe(env->ks, h, &info, err));
	assert_string_equal(info.alg, alg);
	assert_int_equal(info.is_private, strcmp(form, "spki") != 0 && strcmp(form, "rsapub") != 0);
	fingerprint(pkey, hex);
	assert_string_equal(info.fingerprint, hex);
	assert_ok(plx_key_delete(env->ks, "c", "k", err));
}

static void
rsa_is_read_in_each_form(void **state)
{
	static const char *const forms[] = { "pkcs8", "traditional", "spki", "rsapub" };
	size_t i;

	for (i = 0; i < 2 * PLX_ARRAY_SIZE(forms); i++)
		load_and_compare(*state, ks_env_rsa(), forms[i / 2], i % 2, "rsa-2048");
}

static void
curves_are_read_in_each_form(void **state)
{
	static const char *const groups[][2] = { { "P-256", "ec-p256" },
						 { "P-384", "ec-p384" },
						 { "P-521", "ec-p521" } };
	static const char *const forms[] = { "pkcs8", "traditional", "spki" };
	EVP_PKEY *pkey;
	size_t i, k;

	for (i = 0; i < PLX_ARRAY_SIZE(groups); i++) {
		pkey = ks_env_ec(groups[i][0]);
		for (k = 0; k < 2 * PLX_ARRAY_SIZE(forms); k++)
			load_and_compare(*state, pkey, forms[k / 2], k % 2, groups[i][1]);
		EVP_PKEY_free(pkey);
	}
}

static void
edwards_montgomery_sm2_and_pss_keys_are_read(void **state)
{
	static const char *const types[][2] = { { "ED25519", "ed25519" },
						{ "X25519", "x25519" },
						{ "SM2", "ec-sm2" } };
	EVP_PKEY_CTX *ctx;
	EVP_PKEY *pkey;
	size_t i, k;

	for (i = 0; i < PLX_ARRAY_SIZE(types); i++) {
		pkey = EVP_PKEY_Q_keygen(NULL, NULL, types[i][0]);
		assert_non_null(pkey);
		for (k = 0; k < 4; k++)
			load_and_compare(*state, pkey, k / 2 ? "pkcs8" : "spki", k % 2,
					 types[i][1]);
		EVP_PKEY_free(pkey);
	}
	ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA-PSS", NULL);
	pkey = NULL;
	assert_int_equal(EVP_PKEY_keygen_init(ctx), 1);
	assert_int_equal(EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, 2048), 1);
	assert_int_equal(EVP_PKEY_generate(ctx, &pkey), 1);
	EVP_PKEY_CTX_free(ctx);
	load_and_compare(*state, pkey, "pkcs8", 1, "rsa-2048-pss");
	load_and_compare(*state, pkey, "spki", 0, "rsa-2048-pss");
	EVP_PKEY_free(pkey);
}

/* An EC key without its public point, as RFC 5915 allows: it is worked out. */
static void
a_missing_public_point_is_worked_out(void **state)
{
	struct ks_env *env = *state;
	EVP_PKEY *pkey = ks_env_ec("P-256");
	struct plx_key_info info;
	plx_key_handle h;
	char hex[65];

	EVP_PKEY_set_int_param(pkey, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, 0);
	ks_env_save(pkey, ks_env_path(env, "key"), "pkcs8", 1);
	assert_ok(plx_key_load(env->ks, "c", "k", "ecdsa-p256", ks_env_path(env, "key"), &h, err));
	assert_ok(plx_key_describe(env->ks, h, &info, err));
	fingerprint(pkey, hex);
	assert_string_equal(info.fingerprint, hex);
	assert_string_equal(info.alg, "ecdsa-p256");
	EVP_PKEY_free(pkey);
}

static void
a_symmetric_key_is_the_files_bytes(void **state)
{
	struct ks_env *env = *state;
	const char *path = ks_env_path(env, "raw");
	struct plx_key_info a, b;
	plx_key_handle h;

	ks_env_write(path, "\n123456789abcde\n", 16);
	assert_ok(plx_key_load(env->ks, "c", "a", "aes", path, &h, err));
	assert_ok(plx_key_describe(env->ks, h, &a, err));
	assert_ok(plx_key_import(env->ks, "c", "b", "aes", "\n123456789abcde\n", 16, &h, err));
	assert_ok(plx_key_describe(env->ks, h, &b, err));
	assert_string_equal(a.fingerprint, b.fingerprint);
	assert_string_equal(a.alg, "aes-128");

	assert_err(plx_key_load(env->ks, "c", "k", "aes-256", path, &h, err), -EINVAL,
		   "neither hexadecimal nor base64");
	assert_err(plx_key_load(env->ks, "c", "k", NULL, path, &h, err), -EINVAL,
		   "neither PEM nor DER");
}

static void
what_the_file_holds_must_be_what_was_asked_for(void **state)
{
	struct ks_env *env = *state;
	const char *path = ks_env_path(env, "key");

	ks_env_save(ks_env_rsa(), path, "pkcs8", 1);
	assert_err(plx_key_load(env->ks, "c", "k", "ec-p256", path, NULL, err), -EINVAL,
		   "holds a key of rsa-2048, asked for is ec-p256");
	assert_err(plx_key_load(env->ks, "c", "k", "rsa-4096", path, NULL, err), -EINVAL,
		   "asked for is rsa-4096");
	assert_err(plx_key_load(env->ks, "c", "k", "hmac-sha256", path, NULL, err), -EINVAL, "PEM");
	assert_ok(plx_key_load(env->ks, "c", "k", "rsa-2048-pss", path, NULL, err));
	assert_ok(plx_key_load(env->ks, "c", "k2", "RSA", path, NULL, err));
	assert_ok(plx_key_load(env->ks, "c", "k3", "rsa-oaep", path, NULL, err));
}

static void
write_encrypted(const char *path, int is_traditional)
{
	BIO *bio = BIO_new_file(path, "w");
	unsigned char word[] = "secret";

	assert_non_null(bio);
	if (is_traditional)
		assert_int_equal(PEM_write_bio_PrivateKey_traditional(
					 bio, ks_env_rsa(), EVP_aes_128_cbc(), word, 6, NULL, NULL),
				 1);
	else
		assert_int_equal(PEM_write_bio_PKCS8PrivateKey(bio, ks_env_rsa(), EVP_aes_128_cbc(),
							       (char *)word, 6, NULL, NULL),
				 1);
	BIO_free(bio);
}

static void
an_encrypted_key_is_refused_and_nobody_is_asked(void **state)
{
	struct ks_env *env = *state;
	const char *path = ks_env_path(env, "key");
	BIO *bio;

	write_encrypted(path, 0);
	assert_err(plx_key_load(env->ks, "c", "k", NULL, path, NULL, err), -EINVAL, "encrypted");
	write_encrypted(path, 1);
	assert_err(plx_key_load(env->ks, "c", "k", NULL, path, NULL, err), -EINVAL, "encrypted");
	assert_err(plx_key_load(env->ks, "c", "k", NULL, path, NULL, err), -EINVAL, "openssl pkey");

	bio = BIO_new_file(path, "w");
	assert_int_equal(i2d_PKCS8PrivateKey_bio(bio, ks_env_rsa(), EVP_aes_128_cbc(), "secret", 6,
						 NULL, NULL),
			 1);
	BIO_free(bio);
	assert_err(plx_key_load(env->ks, "c", "k", NULL, path, NULL, err), -EINVAL, "encrypted");
}

static void
a_bundle_gives_its_first_key(void **state)
{
	static const char before[] = "Bag Attributes: none\n-----BEGIN EC PARAMETERS-----\r\n"
				     "BggqhkjOPQMBBw==\r\n-----END EC PARAMETERS-----\n"
				     "-----BEGIN CERTIFICATE-----\nMIIBfake\n"
				     "-----END CERTIFICATE-----\n";
	struct ks_env *env = *state;
	EVP_PKEY *pkey = ks_env_ec("P-256");
	char text[8192];
	size_t len = sizeof(before) - 1;

	ks_env_save(pkey, ks_env_path(env, "key"), "traditional", 1);
	memcpy(text, before, len);
	len += ks_env_read(ks_env_path(env, "key"), text + len, 2048);
	ks_env_save(ks_env_rsa(), ks_env_path(env, "key"), "pkcs8", 1);
	len += ks_env_read(ks_env_path(env, "key"), text + len, 4096);
	ks_env_write(ks_env_path(env, "bundle"), text, len);

	assert_ok(
		plx_key_load(env->ks, "c", "k", "ec-p256", ks_env_path(env, "bundle"), NULL, err));
	ks_env_write(ks_env_path(env, "certs"), before, sizeof(before) - 1);
	assert_err(plx_key_load(env->ks, "c", "x", NULL, ks_env_path(env, "certs"), NULL, err),
		   -EINVAL, "no key");
	EVP_PKEY_free(pkey);
}

static void
refuse_text(struct ks_env *env, const char *text, const char *words)
{
	ks_env_write(ks_env_path(env, "text"), text, strlen(text));
	assert_err(plx_key_load(env->ks, "c", "k", NULL, ks_env_path(env, "text"), NULL, err),
		   -EINVAL, words);
}

static void
broken_pem_is_refused_with_a_reason(void **state)
{
	struct ks_env *env = *state;

	refuse_text(env, "hello", "neither PEM nor DER");
	refuse_text(env, "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n", "OPENSSH PRIVATE KEY");
	refuse_text(env, "-----BEGIN \x1b[2J-----\nAAAA\n", "?[2J");
	refuse_text(env, "-----BEGIN PRIVATE KEY-----\nAAAA\n", "does not end");
	refuse_text(env, "-----BEGIN PRIVATE KEY-----", "does not end");
	refuse_text(env, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
		    "does not end");
	refuse_text(env, "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", "not base64");
	refuse_text(env, "-----BEGIN PRIVATE KEY-----\nAAA\n-----END PRIVATE KEY-----\n",
		    "not base64");
	refuse_text(env, "-----BEGIN PRIVATE KEY-----\nAA=A\n-----END PRIVATE KEY-----\n",
		    "not base64");
	refuse_text(env, "-----BEGIN PRIVATE KEY-----\nA!AA\n-----END PRIVATE KEY-----\n",
		    "not base64");
	refuse_text(env, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
		    "cut short");
	refuse_text(env, "0", "cut short");
	refuse_text(env, "0\x80 ", "cut short");
	refuse_text(env, "0\x03\x02\x01\x05", "no PKCS#8");
}

static void
der_with_bytes_behind_it_is_refused(void **state)
{
	struct ks_env *env = *state;
	uint8_t der[4096];
	size_t len;

	ks_env_save(ks_env_rsa(), ks_env_path(env, "key"), "pkcs8", 0);
	len = ks_env_read(ks_env_path(env, "key"), der, sizeof(der));
	der[len] = 0;
	ks_env_write(ks_env_path(env, "key"), der, len + 1);
	assert_err(plx_key_load(env->ks, "c", "k", NULL, ks_env_path(env, "key"), NULL, err),
		   -EINVAL, "1 bytes follow");
}

/* Each number of a private RSA key, with one bit wrong: the key is not taken. */
static void
a_private_key_that_does_not_hold_together_is_refused(void **state)
{
	static const char *const numbers[] = {
		OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
		OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
		OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
		OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
	};
	struct ks_env *env = *state;
	uint8_t der[4096], number[512], *at;
	size_t len, nb, i;
	BIGNUM *bn;

	ks_env_save(ks_env_rsa(), ks_env_path(env, "key"), "traditional", 0);
	len = ks_env_read(ks_env_path(env, "key"), der, sizeof(der));
	for (i = 0; i < PLX_ARRAY_SIZE(numbers); i++) {
		bn = NULL;
		assert_int_equal(EVP_PKEY_get_bn_param(ks_env_rsa(), numbers[i], &bn), 1);
		nb = (size_t)BN_bn2bin(bn, number);
		BN_free(bn);
		at = memmem(der, len, number, nb);
		assert_non_null(at);
		at[nb - 1] ^= 4;
		ks_env_write(ks_env_path(env, "bad"), der, len);
		assert_int_equal(
			plx_key_load(env->ks, "c", "k", NULL, ks_env_path(env, "bad"), NULL, NULL),
			-EINVAL);
		at[nb - 1] ^= 4;
	}
	ks_env_write(ks_env_path(env, "bad"), der, len);
	assert_ok(plx_key_load(env->ks, "c", "k", NULL, ks_env_path(env, "bad"), NULL, err));
}

static void
a_point_of_another_key_is_refused(void **state)
{
	struct ks_env *env = *state;
	EVP_PKEY *a = ks_env_ec("P-256"), *b = ks_env_ec("P-256");
	uint8_t der[2][512], *point[2];
	size_t len[2];
	int i;

	ks_env_save(a, ks_env_path(env, "a"), "pkcs8", 0);
	ks_env_save(b, ks_env_path(env, "b"), "pkcs8", 0);
	for (i = 0; i < 2; i++) {
		len[i] = ks_env_read(ks_env_path(env, i == 0 ? "a" : "b"), der[i], 512);
		point[i] = der[i] + len[i] - 65;
		assert_int_equal(point[i][0], 4);
	}
	memcpy(point[0], point[1], 65);
	ks_env_write(ks_env_path(env, "a"), der[0], len[0]);
	assert_err(plx_key_load(env->ks, "c", "k", NULL, ks_env_path(env, "a"), NULL, err), -EINVAL,
		   "does not belong");
	point[0][64] ^= 1;
	ks_env_write(ks_env_path(env, "a"), der[0], len[0]);
	assert_err(plx_key_load(env->ks, "c", "k", NULL, ks_env_path(env, "a"), NULL, err), -EINVAL,
		   "not on its curve");
	EVP_PKEY_free(a);
	EVP_PKEY_free(b);
}

static void
small_rsa_and_unknown_kinds_are_refused(void **state)
{
	struct ks_env *env = *state;
	const char *path = ks_env_path(env, "key");
	EVP_PKEY *pkey = EVP_RSA_gen(1024);

	ks_env_save(pkey, path, "pkcs8", 1);
	assert_err(plx_key_load(env->ks, "c", "k", NULL, path, NULL, err), -EINVAL, "2048 to 8192");
	EVP_PKEY_free(pkey);
	pkey = ks_env_ec("secp256k1");
	ks_env_save(pkey, path, "pkcs8", 1);
	assert_err(plx_key_load(env->ks, "c", "k", NULL, path, NULL, err), -EINVAL, "P-256");
	EVP_PKEY_free(pkey);
	pkey = EVP_PKEY_Q_keygen(NULL, NULL, "ED448");
	ks_env_save(pkey, path, "pkcs8", 1);
	assert_err(plx_key_load(env->ks, "c", "k", NULL, path, NULL, err), -EINVAL, "Ed25519");
	EVP_PKEY_free(pkey);
}

/* What came of damaged files. */
struct outcome {
	uint32_t nb_taken;
	uint32_t nb_refused;
};

static void
load_damaged(struct ks_env *env, const uint8_t *bytes, size_t len, struct outcome *o)
{
	const char *path = ks_env_path(env, "bad");
	struct plx_err why = { { 0 } };

	ks_env_write(path, bytes, len);
	if (plx_key_load(env->ks, "c", "k", NULL, path, NULL, &why) == 0) {
		o->nb_taken++;
		assert_ok(plx_key_delete(env->ks, "c", "k", err));
	} else {
		o->nb_refused++;
		assert_true(why.text[0] != '\0');
	}
}

/* Hostile files: each byte of a good one changed, and the file cut at each place. */
static void
damaged_files_are_refused_or_read_but_never_worse(void **state)
{
	static const char *const forms[] = { "pkcs8", "traditional", "spki" };
	struct ks_env *env = *state;
	EVP_PKEY *pkey = ks_env_ec("P-256");
	struct outcome changed = { 0 }, cut = { 0 };
	uint8_t bytes[2048], bit;
	size_t len, i, k;

	for (k = 0; k < 2 * PLX_ARRAY_SIZE(forms); k++) {
		ks_env_save(pkey, ks_env_path(env, "key"), forms[k / 2], k % 2);
		len = ks_env_read(ks_env_path(env, "key"), bytes, sizeof(bytes));
		for (i = 0; i < 2 * len; i++) {
			bit = (uint8_t)(i % 2 ? 0xff : 1u << i % 7);
			bytes[i / 2] ^= bit;
			load_damaged(env, bytes, len, &changed);
			bytes[i / 2] ^= bit;
		}
		for (i = 0; i < len - 1; i++)
			load_damaged(env, bytes, i, &cut);
	}
	/* text around a PEM block, unused attributes and the like do not matter */
	assert_true(changed.nb_refused > 10 * changed.nb_taken);
	assert_int_equal(cut.nb_taken, 0);
	EVP_PKEY_free(pkey);
}

static void
files_that_are_no_files_are_refused(void **state)
{
	struct ks_env *env = *state;
	char big[65537];

	assert_err(plx_key_load(env->ks, "c", "k", NULL, "/nowhere/k", NULL, err), -ENOENT,
		   "/nowhere/k");
	assert_err(plx_key_load(env->ks, "c", "k", "aes", "/dev/zero", NULL, err), -EINVAL,
		   "neither a regular file nor a pipe");
	assert_err(plx_key_load(env->ks, "c", "k", "aes", env->dir, NULL, err), -EINVAL,
		   "neither a regular file nor a pipe");
	ks_env_write(ks_env_path(env, "empty"), "", 0);
	assert_err(plx_key_load(env->ks, "c", "k", "aes", ks_env_path(env, "empty"), NULL, err),
		   -EINVAL, "empty");
	memset(big, 'x', sizeof(big));
	ks_env_write(ks_env_path(env, "big"), big, sizeof(big));
	assert_err(
		plx_key_load(env->ks, "c", "k", "hmac-sha256", ks_env_path(env, "big"), NULL, err),
		-EINVAL, "65536");
	if (geteuid() != 0) {
		chmod(ks_env_path(env, "empty"), 0);
		assert_err(plx_key_load(env->ks, "c", "k", "aes", ks_env_path(env, "empty"), NULL,
					err),
			   -EACCES, "open");
	}
}

static void
a_key_comes_through_a_pipe(void **state)
{
	struct ks_env *env = *state;
	char path[32];
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "0123456789abcdef", 16), 16);
	close(fds[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", fds[0]);
	assert_ok(plx_key_load(env->ks, "c", "k", "aes", path, NULL, err));
	close(fds[0]);
}

static void
an_endless_pipe_ends_at_64_kib(void **state)
{
	struct ks_env *env = *state;
	static char block[70000];
	char path[32];
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	fcntl(fds[1], F_SETPIPE_SZ, 1 << 17);
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	if (write(fds[1], block, sizeof(block)) != (ssize_t)sizeof(block))
		skip();
	snprintf(path, sizeof(path), "/dev/fd/%d", fds[0]);
	assert_err(plx_key_load(env->ks, "c", "k", "hmac-sha256", path, NULL, err), -EINVAL,
		   "65536");
	close(fds[0]);
	close(fds[1]);
}

static void
a_named_pipe_without_a_writer_does_not_block(void **state)
{
	struct ks_env *env = *state;
	time_t before = time(NULL);

	assert_int_equal(mkfifo(ks_env_path(env, "fifo"), 0600), 0);
	assert_err(plx_key_load(env->ks, "c", "k", "aes", ks_env_path(env, "fifo"), NULL, err),
		   -EINVAL, "empty");
	assert_true(time(NULL) - before < 3);
}

static void
a_private_key_file_that_others_read_is_pointed_out(void **state)
{
	struct ks_env *env = *state;
	const char *path = ks_env_path(env, "key");
	struct plx_key_info info;
	plx_key_handle h;

	ks_env_save(ks_env_rsa(), path, "pkcs8", 1);
	chmod(path, 0644);
	assert_ok(plx_key_load(env->ks, "c", "open", NULL, path, &h, err));
	assert_ok(plx_key_describe(env->ks, h, &info, err));
	assert_true(info.was_exposed);
	chmod(path, 0640);
	assert_ok(plx_key_load(env->ks, "c", "closed", NULL, path, &h, err));
	assert_ok(plx_key_describe(env->ks, h, &info, err));
	assert_false(info.was_exposed);
	ks_env_save(ks_env_rsa(), path, "spki", 1);
	chmod(path, 0644);
	assert_ok(plx_key_load(env->ks, "c", "public", NULL, path, &h, err));
	assert_ok(plx_key_describe(env->ks, h, &info, err));
	assert_false(info.was_exposed);
}

static void
the_public_half_is_exported_as_openssl_writes_it(void **state)
{
	static const char *const algs[] = { "rsa-2048", "ecdsa-p256", "ec-p521",
					    "sm2",      "ed25519",    "x25519" };
	struct ks_env *env = *state;
	struct plx_key_info info;
	plx_key_handle h;
	EVP_PKEY *pkey;
	struct stat st;
	char hex[65];
	size_t i;
	FILE *f;

	for (i = 0; i < PLX_ARRAY_SIZE(algs); i++) {
		assert_ok(plx_key_generate(env->ks, "c", algs[i], algs[i], &h, err));
		assert_ok(plx_key_describe(env->ks, h, &info, err));
		assert_ok(plx_key_export_public(env->ks, h, ks_env_path(env, "pub"), err));
		f = fopen(ks_env_path(env, "pub"), "r");
		pkey = PEM_read_PUBKEY(f, NULL, NULL, NULL);
		fclose(f);
		assert_non_null(pkey);
		fingerprint(pkey, hex);
		assert_string_equal(info.fingerprint, hex);
		EVP_PKEY_free(pkey);
	}
	assert_int_equal(stat(ks_env_path(env, "pub"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
}

static void
export_writes_all_or_nothing(void **state)
{
	struct ks_env *env = *state;
	plx_key_handle h, aes;
	struct stat st;

	assert_ok(plx_key_generate(env->ks, "c", "k", "ed25519", &h, err));
	assert_ok(plx_key_generate(env->ks, "c", "aes", "aes-128", &aes, err));
	assert_err(plx_key_export_public(env->ks, aes, ks_env_path(env, "none"), err), -EPERM,
		   "nothing gives a secret key back");
	assert_int_equal(stat(ks_env_path(env, "none"), &st), -1);
	assert_err(plx_key_export_public(env->ks, h, "/nowhere/k", err), -ENOENT, "/nowhere/k");
	assert_err(plx_key_export_public(env->ks, h, "/dev/null", err), -EINVAL, "regular");
	assert_err(plx_key_export_public(env->ks, h, env->dir, err), -EINVAL, "regular");
	ks_env_write(ks_env_path(env, "old"), "old", 3);
	assert_ok(plx_key_export_public(env->ks, h, ks_env_path(env, "old"), err));
	assert_int_equal(stat(ks_env_path(env, "old"), &st), 0);
	assert_true(st.st_size > 100);
}

#define T(name) cmocka_unit_test_setup(name, ks_env_fresh)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(rsa_is_read_in_each_form),
		T(curves_are_read_in_each_form),
		T(edwards_montgomery_sm2_and_pss_keys_are_read),
		T(a_missing_public_point_is_worked_out),
		T(a_symmetric_key_is_the_files_bytes),
		T(what_the_file_holds_must_be_what_was_asked_for),
		T(an_encrypted_key_is_refused_and_nobody_is_asked),
		T(a_bundle_gives_its_first_key),
		T(broken_pem_is_refused_with_a_reason),
		T(der_with_bytes_behind_it_is_refused),
		T(a_private_key_that_does_not_hold_together_is_refused),
		T(a_point_of_another_key_is_refused),
		T(small_rsa_and_unknown_kinds_are_refused),
		T(damaged_files_are_refused_or_read_but_never_worse),
		T(files_that_are_no_files_are_refused),
		T(a_key_comes_through_a_pipe),
		T(an_endless_pipe_ends_at_64_kib),
		T(a_named_pipe_without_a_writer_does_not_block),
		T(a_private_key_file_that_others_read_is_pointed_out),
		T(the_public_half_is_exported_as_openssl_writes_it),
		T(export_writes_all_or_nothing),
	};

	return cmocka_run_group_tests(tests, ks_env_setup_bare, ks_env_teardown);
}
