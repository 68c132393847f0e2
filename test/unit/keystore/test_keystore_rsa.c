/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "ks_env.h"

#include <errno.h>
#include <stdlib.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/rsa.h>

#include <rte_malloc.h>

#include "plx_key_op.h"

/* RSA from message to result on crypto_openssl, against OpenSSL itself. */

#define MESSAGE "the quick brown fox"

static struct rte_crypto_op *op;
static struct rte_mempool *pool;
static uint8_t *room;

static int
group_setup(void **state)
{
	ks_env_setup(state);
	pool = rte_crypto_op_pool_create("rsa", RTE_CRYPTO_OP_TYPE_ASYMMETRIC, 15, 0, 0, 0);
	assert_non_null(pool);
	op = rte_crypto_op_alloc(pool, RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
	room = rte_malloc(NULL, 2048, 0);
	assert_non_null(op);
	assert_non_null(room);
	return 0;
}

static int
group_teardown(void **state)
{
	rte_crypto_op_free(op);
	rte_mempool_free(pool);
	rte_free(room);
	return ks_env_teardown(state);
}

/* A key of the keystore that is OpenSSL's key. */
static plx_key_handle
rsa_load(struct ks_env *env, const char *form)
{
	const char *path = ks_env_path(env, "rsa");
	plx_key_handle h;

	ks_env_save(ks_env_rsa(), path, form, 1);
	assert_ok(plx_key_load(env->ks, "c", form, NULL, path, &h, err));
	return h;
}

static struct plx_session *
rsa_session(struct ks_env *env, plx_key_handle h, enum plx_op what)
{
	struct plx_session *s = NULL;
	struct ks_use u;

	assert_ok(plx_key_session_get(env->ks, h, ks_env_use(&u, "rsa-pkcs1", what), &s, err));
	return s;
}

static struct plx_key_rsa
rsa_job(const char *hash, const void *in, size_t in_bytes)
{
	struct plx_key_rsa job = {
		.size = sizeof(job),
		.hash = hash == NULL ? NULL : plx_alg_find(hash),
		.in = in,
		.in_bytes = in_bytes,
		.room = room,
		.room_iova = rte_malloc_virt2iova(room),
	};

	return job;
}

static size_t
digest(const char *name, uint8_t out[EVP_MAX_MD_SIZE])
{
	size_t len = 0;

	assert_int_equal(EVP_Q_digest(NULL, name, NULL, MESSAGE, strlen(MESSAGE), out, &len), 1);
	return len;
}

/* Sign with the device; the signature is in the room. */
static const uint8_t *
sign(struct ks_env *env, struct plx_session *s, const struct plx_key_rsa *job)
{
	const uint8_t *sig = NULL;
	size_t len = 0;

	assert_ok(plx_key_rsa_prepare(s, op, job, err));
	assert_int_equal(ks_env_run(env, "crypto_openssl0", op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(plx_key_rsa_finish(s, op, job, &sig, &len), 0);
	assert_int_equal(len, 256);
	return sig;
}

static int
verify(struct ks_env *env, struct plx_session *s, const struct plx_key_rsa *job)
{
	int ret = plx_key_rsa_prepare(s, op, job, NULL);

	if (ret < 0)
		return ret;
	ks_env_run(env, "crypto_openssl0", op);
	return plx_key_rsa_finish(s, op, job, NULL, NULL);
}

static int
openssl_verify(const char *hash, const uint8_t *sig)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	int ret;

	assert_int_equal(EVP_DigestVerifyInit_ex(ctx, NULL, hash, NULL, NULL, ks_env_rsa(), NULL),
			 1);
	ret = EVP_DigestVerify(ctx, sig, 256, (const uint8_t *)MESSAGE, strlen(MESSAGE));
	EVP_MD_CTX_free(ctx);
	return ret;
}

static void
openssl_sign(const char *hash, uint8_t sig[256])
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	size_t len = 256;

	assert_int_equal(EVP_DigestSignInit_ex(ctx, NULL, hash, NULL, NULL, ks_env_rsa(), NULL), 1);
	assert_int_equal(EVP_DigestSign(ctx, sig, &len, (const uint8_t *)MESSAGE, strlen(MESSAGE)),
			 1);
	assert_int_equal(len, 256);
	EVP_MD_CTX_free(ctx);
}

static const struct {
	const char *ours;
	const char *openssl;
} hashes[] = {
	{ "sha1", "SHA1" },         { "sha224", "SHA224" },     { "sha256", "SHA256" },
	{ "sha384", "SHA384" },     { "sha512", "SHA512" },     { "sha3-224", "SHA3-224" },
	{ "sha3-256", "SHA3-256" }, { "sha3-384", "SHA3-384" }, { "sha3-512", "SHA3-512" },
};

static void
openssl_verifies_what_the_device_signed(void **state)
{
	struct ks_env *env = *state;
	struct plx_session *s = rsa_session(env, rsa_load(env, "pkcs8"), PLX_OP_SIGN);
	uint8_t md[EVP_MAX_MD_SIZE];
	struct plx_key_rsa job;
	size_t i;

	assert_int_equal(plx_key_rsa_bytes(s), 256);
	assert_int_equal(plx_key_rsa_room(s), 512);
	for (i = 0; i < PLX_ARRAY_SIZE(hashes); i++) {
		job = rsa_job(hashes[i].ours, md, digest(hashes[i].openssl, md));
		assert_int_equal(openssl_verify(hashes[i].openssl, sign(env, s, &job)), 1);
	}
	plx_key_session_put(env->ks, s);
}

static void
the_device_verifies_what_openssl_signed(void **state)
{
	struct ks_env *env = *state;
	struct plx_session *s = rsa_session(env, rsa_load(env, "spki"), PLX_OP_VERIFY);
	uint8_t md[EVP_MAX_MD_SIZE], sig[256];
	struct plx_key_rsa job;
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(hashes); i++) {
		openssl_sign(hashes[i].openssl, sig);
		job = rsa_job(hashes[i].ours, md, digest(hashes[i].openssl, md));
		job.signature = sig;
		job.signature_bytes = sizeof(sig);
		assert_int_equal(verify(env, s, &job), 0);
	}
	plx_key_session_put(env->ks, s);
}

static void
a_private_key_verifies_as_well(void **state)
{
	struct ks_env *env = *state;
	struct plx_session *s = rsa_session(env, rsa_load(env, "pkcs8"), PLX_OP_VERIFY);
	uint8_t md[EVP_MAX_MD_SIZE], sig[256];
	struct plx_key_rsa job = rsa_job("sha256", md, digest("SHA256", md));

	openssl_sign("SHA256", sig);
	job.signature = sig;
	job.signature_bytes = sizeof(sig);
	assert_int_equal(verify(env, s, &job), 0);
	plx_key_session_put(env->ks, s);
}

static void
verify_refuses_another_message_hash_and_signature(void **state)
{
	struct ks_env *env = *state;
	struct plx_session *s = rsa_session(env, rsa_load(env, "spki"), PLX_OP_VERIFY);
	uint8_t md[EVP_MAX_MD_SIZE], sig[256];
	struct plx_key_rsa job = rsa_job("sha256", md, digest("SHA256", md));
	uint32_t bit;

	openssl_sign("SHA256", sig);
	job.signature = sig;
	job.signature_bytes = sizeof(sig);

	for (bit = 0; bit < 256; bit += 37) {
		md[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_int_equal(verify(env, s, &job), -EBADMSG);
		md[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	for (bit = 0; bit < 2048; bit += 101) {
		sig[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_int_equal(verify(env, s, &job), -EBADMSG);
		sig[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	job.hash = plx_alg_find("sha3-256");
	assert_int_equal(verify(env, s, &job), -EBADMSG);
	job.hash = NULL;
	assert_int_equal(verify(env, s, &job), -EBADMSG);
	job.hash = plx_alg_find("sha256");
	assert_int_equal(verify(env, s, &job), 0);
	plx_key_session_put(env->ks, s);
}

static void
verify_refuses_wrong_lengths_and_values_above_the_modulus(void **state)
{
	struct ks_env *env = *state;
	struct plx_session *s = rsa_session(env, rsa_load(env, "spki"), PLX_OP_VERIFY);
	uint8_t md[EVP_MAX_MD_SIZE], sig[257] = { 0 };
	struct plx_key_rsa job = rsa_job("sha256", md, digest("SHA256", md));

	job.signature = sig;
	openssl_sign("SHA256", sig + 1);
	job.signature_bytes = 257;
	assert_err(plx_key_rsa_prepare(s, op, &job, err), -EBADMSG, "257");
	job.signature = sig + 1;
	job.signature_bytes = 255;
	assert_err(plx_key_rsa_prepare(s, op, &job, err), -EBADMSG, "256");
	job.signature_bytes = 0;
	assert_err(plx_key_rsa_prepare(s, op, &job, err), -EBADMSG, "0 bytes");
	memset(sig, 0xff, sizeof(sig));
	job.signature_bytes = 256;
	assert_err(plx_key_rsa_prepare(s, op, &job, err), -EBADMSG, "modulus");
	plx_key_session_put(env->ks, s);
}

/* Sign a block as it is, as who has the key could, or a forger when e is 3. */
static void
openssl_sign_block(const uint8_t em[256], uint8_t sig[256])
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(ks_env_rsa(), NULL);
	size_t len = 256;

	assert_int_equal(EVP_PKEY_sign_init(ctx), 1);
	assert_int_equal(EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_NO_PADDING), 1);
	assert_int_equal(EVP_PKEY_sign(ctx, sig, &len, em, 256), 1);
	EVP_PKEY_CTX_free(ctx);
}

/* RFC 8017 8.2.2: the whole encoding counts, byte for byte. */
static void
verify_refuses_every_other_encoding(void **state)
{
	static const uint8_t info[] = { 0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01,
					0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20 };
	static const size_t at[] = { 0, 1, 2, 3, 100, 203, 204, 205, 206, 223, 224, 255 };
	struct ks_env *env = *state;
	struct plx_session *s = rsa_session(env, rsa_load(env, "spki"), PLX_OP_VERIFY);
	uint8_t md[EVP_MAX_MD_SIZE], em[256] = { 0, 1 }, sig[256];
	struct plx_key_rsa job = rsa_job("sha256", md, digest("SHA256", md));
	size_t i;

	job.signature = sig;
	job.signature_bytes = sizeof(sig);
	memset(em + 2, 0xff, 202);
	memcpy(em + 205, info, sizeof(info));
	memcpy(em + 224, md, 32);
	openssl_sign_block(em, sig);
	assert_int_equal(verify(env, s, &job), 0);
	for (i = 0; i < PLX_ARRAY_SIZE(at); i++) {
		em[at[i]] ^= 1;
		openssl_sign_block(em, sig);
		em[at[i]] ^= 1;
		assert_int_equal(verify(env, s, &job), -EBADMSG);
	}

	/* less padding and bytes behind the digest */
	memset(em + 2, 0, 254);
	memset(em + 2, 0xff, 8);
	memcpy(em + 11, info, sizeof(info));
	memcpy(em + 11 + sizeof(info), md, 32);
	openssl_sign_block(em, sig);
	assert_int_equal(verify(env, s, &job), -EBADMSG);
	plx_key_session_put(env->ks, s);
}

static void
encrypt_and_decrypt_meet_openssl(void **state)
{
	struct ks_env *env = *state;
	plx_key_handle h = rsa_load(env, "pkcs8");
	struct plx_session *enc = rsa_session(env, h, PLX_OP_ENCRYPT);
	struct plx_session *dec = rsa_session(env, h, PLX_OP_DECRYPT);
	struct plx_key_rsa job = rsa_job(NULL, (const uint8_t *)MESSAGE, strlen(MESSAGE));
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(ks_env_rsa(), NULL);
	uint8_t cipher[256], plain[256];
	size_t len = 0, plain_len = sizeof(plain);
	const uint8_t *out = NULL;

	assert_ok(plx_key_rsa_prepare(enc, op, &job, err));
	assert_int_equal(ks_env_run(env, "crypto_openssl0", op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(plx_key_rsa_finish(enc, op, &job, &out, &len), 0);
	assert_int_equal(len, 256);
	memcpy(cipher, out, 256);

	assert_int_equal(EVP_PKEY_decrypt_init(ctx), 1);
	assert_int_equal(EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING), 1);
	assert_int_equal(EVP_PKEY_decrypt(ctx, plain, &plain_len, cipher, sizeof(cipher)), 1);
	assert_int_equal(plain_len, strlen(MESSAGE));
	assert_memory_equal(plain, MESSAGE, plain_len);
	EVP_PKEY_CTX_free(ctx);

	job = rsa_job(NULL, cipher, sizeof(cipher));
	assert_ok(plx_key_rsa_prepare(dec, op, &job, err));
	assert_int_equal(ks_env_run(env, "crypto_openssl0", op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(plx_key_rsa_finish(dec, op, &job, &out, &len), 0);
	assert_int_equal(len, strlen(MESSAGE));
	assert_memory_equal(out, MESSAGE, len);

	job.in_bytes = 255;
	assert_err(plx_key_rsa_prepare(dec, op, &job, err), -EBADMSG, "ciphertext");
	job = rsa_job(NULL, cipher, 246);
	assert_err(plx_key_rsa_prepare(enc, op, &job, err), -EINVAL, "245");
	plx_key_session_put(env->ks, enc);
	plx_key_session_put(env->ks, dec);
}

static void
prepare_refuses_wrong_digests_and_sessions(void **state)
{
	struct ks_env *env = *state;
	struct plx_session *s = rsa_session(env, rsa_load(env, "pkcs8"), PLX_OP_SIGN);
	uint8_t md[256] = { 0 };
	struct plx_key_rsa job = rsa_job("sha256", md, 31);
	struct plx_session *plain = NULL;
	struct ks_use u;

	assert_err(plx_key_rsa_prepare(s, op, &job, err), -EINVAL, "32 bytes, not 31");
	job.size = 0;
	assert_err(plx_key_rsa_prepare(s, op, &job, err), -EINVAL, "set its size");
	job = rsa_job("sm3", md, 32);
	assert_err(plx_key_rsa_prepare(s, op, &job, err), -EINVAL, "sm3");
	job = rsa_job(NULL, md, 246);
	assert_err(plx_key_rsa_prepare(s, op, &job, err), -EINVAL, "245");
	job = rsa_job(NULL, md, 245);
	sign(env, s, &job);

	assert_ok(plx_key_session_get(env->ks, PLX_KEY_HANDLE_NONE,
				      ks_env_use(&u, "sha256", PLX_OP_DIGEST), &plain, err));
	assert_int_equal(plx_key_rsa_bytes(plain), 0);
	assert_err(plx_key_rsa_prepare(plain, op, &job, err), -EINVAL, "RSA");
	plx_key_session_put(env->ks, plain);
	plx_key_session_put(env->ks, s);
}

static void
finish_passes_a_device_failure_on(void **state)
{
	struct ks_env *env = *state;
	struct plx_session *s = rsa_session(env, rsa_load(env, "pkcs8"), PLX_OP_SIGN);
	uint8_t md[32] = { 0 };
	struct plx_key_rsa job = rsa_job("sha256", md, 32);

	sign(env, s, &job);
	op->status = RTE_CRYPTO_OP_STATUS_ERROR;
	assert_int_equal(plx_key_rsa_finish(s, op, &job, NULL, NULL), -EIO);
	op->status = RTE_CRYPTO_OP_STATUS_SUCCESS;
	op->asym->rsa.sign.length = 255;
	assert_int_equal(plx_key_rsa_finish(s, op, &job, NULL, NULL), -EIO);
	plx_key_session_put(env->ks, s);
}

static void
a_generated_key_signs_and_its_export_verifies(void **state)
{
	struct ks_env *env = *state;
	const char *path = ks_env_path(env, "public.pem");
	uint8_t md[EVP_MAX_MD_SIZE], sig[256];
	struct plx_key_rsa job = rsa_job("sha256", md, digest("SHA256", md));
	struct plx_session *s, *v;
	plx_key_handle h, pub;

	assert_ok(plx_key_generate(env->ks, "c", "made", "rsa-2048", &h, err));
	assert_ok(plx_key_export_public(env->ks, h, path, err));
	assert_ok(plx_key_load(env->ks, "c", "public", "rsa", path, &pub, err));
	s = rsa_session(env, h, PLX_OP_SIGN);
	v = rsa_session(env, pub, PLX_OP_VERIFY);
	memcpy(sig, sign(env, s, &job), sizeof(sig));
	job.signature = sig;
	job.signature_bytes = sizeof(sig);
	assert_int_equal(verify(env, v, &job), 0);
	plx_key_session_put(env->ks, s);
	plx_key_session_put(env->ks, v);
}

#define T(name) cmocka_unit_test_setup(name, ks_env_fresh)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(openssl_verifies_what_the_device_signed),
		T(the_device_verifies_what_openssl_signed),
		T(a_private_key_verifies_as_well),
		T(verify_refuses_another_message_hash_and_signature),
		T(verify_refuses_wrong_lengths_and_values_above_the_modulus),
		T(verify_refuses_every_other_encoding),
		T(encrypt_and_decrypt_meet_openssl),
		T(prepare_refuses_wrong_digests_and_sessions),
		T(finish_passes_a_device_failure_on),
		T(a_generated_key_signs_and_its_export_verifies),
	};

	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
