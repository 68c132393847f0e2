/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "ks_env.h"

#include <errno.h>

#include <openssl/core_names.h>

#include <rte_cryptodev.h>
#include <rte_mbuf.h>

#include "plx_secret.h"

/* Sessions: what may be asked, what is shared, how long they live, and that devices compute with
 * the key. */

static const uint8_t bytes[64] = "0123456789abcdef0123456789ABCDEFfedcba9876543210FEDCBA987654321";
#define TEXT_BYTES   48
#define TAG_OFFSET   128
#define IV_BYTES_MAX 16

static const uint8_t text[TEXT_BYTES] = "forty-eight bytes of text, three blocks of AES..";

static struct rte_mempool *ops, *mbufs;

static void
text_put(uint8_t *out)
{
	size_t i;

	for (i = 0; i < TEXT_BYTES; i++)
		out[i] = text[i];
}

static int
group_setup(void **state)
{
	ks_env_setup(state);
	ops = rte_crypto_op_pool_create("ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, 15, 0, IV_BYTES_MAX,
					0);
	mbufs = rte_pktmbuf_pool_create("mbufs", 15, 0, 0, 1024, 0);
	assert_non_null(ops);
	assert_non_null(mbufs);
	return 0;
}

static int
group_teardown(void **state)
{
	rte_mempool_free(ops);
	rte_mempool_free(mbufs);
	return ks_env_teardown(state);
}

static plx_key_handle
import(struct ks_env *env, const char *name, const char *alg, size_t len)
{
	plx_key_handle h = PLX_KEY_HANDLE_NONE;

	assert_ok(plx_key_import(env->ks, "c", name, alg, bytes, len, &h, err));
	return h;
}

static struct plx_session *
get(struct ks_env *env, plx_key_handle h, const struct plx_key_use *use)
{
	struct plx_session *s = NULL;

	assert_ok(plx_key_session_get(env->ks, h, use, &s, err));
	assert_non_null(s);
	return s;
}

/* An op over the text; IV all sixes, tag (if any) behind the data. The mbuf is the result. */
static struct rte_mbuf *
run(struct ks_env *env, struct plx_session *s, enum plx_alg_kind kind, const void *data)
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	struct rte_mbuf *m = rte_pktmbuf_alloc(mbufs);

	assert_non_null(op);
	assert_non_null(m);
	memcpy(rte_pktmbuf_append(m, 256), data, TAG_OFFSET + 64);
	memset(rte_crypto_op_ctod_offset(op, uint8_t *, IV_OFFSET), 6, IV_BYTES_MAX);
	plx_session_attach(op, s);
	op->sym->m_src = m;
	if (kind == PLX_ALG_KIND_CIPHER) {
		op->sym->cipher.data.length = TEXT_BYTES;
	} else if (kind == PLX_ALG_KIND_AEAD) {
		op->sym->aead.data.length = TEXT_BYTES;
		op->sym->aead.digest.data = rte_pktmbuf_mtod_offset(m, uint8_t *, TAG_OFFSET);
		op->sym->aead.digest.phys_addr = rte_pktmbuf_iova_offset(m, TAG_OFFSET);
		op->sym->aead.aad.data = rte_pktmbuf_mtod_offset(m, uint8_t *, 200);
		op->sym->aead.aad.phys_addr = rte_pktmbuf_iova_offset(m, 200);
	} else {
		op->sym->auth.data.length = TEXT_BYTES;
		op->sym->auth.digest.data = rte_pktmbuf_mtod_offset(m, uint8_t *, TAG_OFFSET);
		op->sym->auth.digest.phys_addr = rte_pktmbuf_iova_offset(m, TAG_OFFSET);
	}
	assert_int_equal(ks_env_run(env, "crypto_openssl0", op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	rte_crypto_op_free(op);
	return m;
}

static void
openssl_encrypt(const char *name, const void *in, uint8_t *out, uint8_t tag[16])
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
	uint8_t iv[IV_BYTES_MAX];
	int len = 0;

	memset(iv, 6, sizeof(iv));
	assert_non_null(cipher);
	assert_int_equal(EVP_EncryptInit_ex2(ctx, cipher, bytes, iv, NULL), 1);
	EVP_CIPHER_CTX_set_padding(ctx, 0);
	assert_int_equal(EVP_EncryptUpdate(ctx, out, &len, in, TEXT_BYTES), 1);
	assert_int_equal(len, TEXT_BYTES);
	assert_int_equal(EVP_EncryptFinal_ex(ctx, out + len, &len), 1);
	if (tag != NULL)
		assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, tag), 1);
	EVP_CIPHER_free(cipher);
	EVP_CIPHER_CTX_free(ctx);
}

static void
ciphers_compute_with_the_key(void **state)
{
	static const char *const names[][2] = {
		{ "aes-128-cbc", "AES-128-CBC" }, { "aes-256-cbc", "AES-256-CBC" },
		{ "aes-192-ctr", "AES-192-CTR" }, { "aes-128-gcm", "AES-128-GCM" },
		{ "aes-256-gcm", "AES-256-GCM" },
	};
	struct ks_env *env = *state;
	uint8_t want[64], tag[16], in[TAG_OFFSET + 64] = { 0 };
	struct rte_mbuf *enc, *dec;
	struct plx_session *e, *d;
	plx_key_handle h;
	struct ks_use u;
	size_t i;

	text_put(in);
	for (i = 0; i < PLX_ARRAY_SIZE(names); i++) {
		ks_env_use(&u, names[i][0], PLX_OP_ENCRYPT);
		h = import(env, names[i][0], names[i][0], u.spec.key_bytes);
		e = get(env, h, &u.use);
		u.use.op = PLX_OP_DECRYPT;
		d = get(env, h, &u.use);
		assert_ptr_not_equal(e, d);

		enc = run(env, e, u.spec.alg->kind, in);
		openssl_encrypt(names[i][1], text, want,
				u.spec.alg->kind == PLX_ALG_KIND_AEAD ? tag : NULL);
		assert_memory_equal(rte_pktmbuf_mtod(enc, uint8_t *), want, TEXT_BYTES);
		if (u.spec.alg->kind == PLX_ALG_KIND_AEAD)
			assert_memory_equal(rte_pktmbuf_mtod_offset(enc, uint8_t *, TAG_OFFSET),
					    tag, 16);
		dec = run(env, d, u.spec.alg->kind, rte_pktmbuf_mtod(enc, uint8_t *));
		assert_memory_equal(rte_pktmbuf_mtod(dec, uint8_t *), text, TEXT_BYTES);
		rte_pktmbuf_free(enc);
		rte_pktmbuf_free(dec);
		plx_key_session_put(env->ks, e);
		plx_key_session_put(env->ks, d);
	}
}

static void
digests_need_no_key(void **state)
{
	struct ks_env *env = *state;
	uint8_t in[TAG_OFFSET + 64] = { 0 }, want[32];
	plx_key_handle h = import(env, "k", "aes", 16);
	struct plx_session *s;
	struct rte_mbuf *m;
	struct ks_use u;
	size_t len = 0;

	text_put(in);
	ks_env_use(&u, "sha256", PLX_OP_DIGEST);
	s = get(env, PLX_KEY_HANDLE_NONE, &u.use);
	assert_ptr_equal(get(env, PLX_KEY_HANDLE_NONE, &u.use), s);
	m = run(env, s, PLX_ALG_KIND_HASH, in);
	assert_int_equal(EVP_Q_digest(NULL, "SHA256", NULL, text, TEXT_BYTES, want, &len), 1);
	assert_memory_equal(rte_pktmbuf_mtod_offset(m, uint8_t *, TAG_OFFSET), want, 32);
	rte_pktmbuf_free(m);
	plx_key_session_put(env->ks, s);
	plx_key_session_put(env->ks, s);

	assert_err(plx_key_session_get(env->ks, h, &u.use, &s, err), -EINVAL, "has no key");
	ks_env_use(&u, "aes-gcm", PLX_OP_ENCRYPT);
	assert_err(plx_key_session_get(env->ks, PLX_KEY_HANDLE_NONE, &u.use, &s, err), -ESTALE,
		   "names no key");
}

static void
a_mac_is_openssls_mac(void **state)
{
	struct ks_env *env = *state;
	uint8_t in[TAG_OFFSET + 64] = { 0 }, want[32];
	char digest[] = "SHA256";
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
		OSSL_PARAM_construct_end(),
	};
	struct plx_session *s;
	struct rte_mbuf *m;
	struct ks_use u;
	size_t len = 0;

	text_put(in);
	s = get(env, import(env, "k", "hmac-sha256", 40),
		ks_env_use(&u, "hmac-sha256", PLX_OP_MAC));
	m = run(env, s, PLX_ALG_KIND_MAC, in);
	assert_non_null(EVP_Q_mac(NULL, "HMAC", NULL, NULL, params, bytes, 40, text, TEXT_BYTES,
				  want, sizeof(want), &len));
	assert_memory_equal(rte_pktmbuf_mtod_offset(m, uint8_t *, TAG_OFFSET), want, 32);
	rte_pktmbuf_free(m);
	plx_key_session_put(env->ks, s);
}

static void
one_use_is_one_session_and_each_difference_another(void **state)
{
	struct ks_env *env = *state;
	plx_key_handle h = import(env, "k", "aes-256-gcm", 32);
	struct plx_session *first, *s;
	struct plx_key_info info;
	struct ks_use u;
	int i;

	ks_env_use(&u, "aes-256-gcm", PLX_OP_ENCRYPT);
	first = get(env, h, &u.use);
	assert_ptr_equal(get(env, h, &u.use), first);
	u.use.iv_bytes = 12; /* the default said out loud */
	u.use.tag_bytes = 16;
	assert_ptr_equal(get(env, h, &u.use), first);

	for (i = 0; i < 5; i++) {
		ks_env_use(&u, "aes-256-gcm", PLX_OP_ENCRYPT);
		if (i == 0)
			u.use.op = PLX_OP_DECRYPT;
		else if (i == 1)
			u.use.iv_offset += 16;
		else if (i == 2)
			u.use.iv_bytes = 16;
		else if (i == 3)
			u.use.tag_bytes = 12;
		else
			u.use.aad_bytes = 8;
		/* what a device does not take is refused by name, what it takes is another session
		 */
		if (plx_key_session_get(env->ks, h, &u.use, &s, NULL) != 0)
			continue;
		assert_ptr_not_equal(s, first);
		plx_key_session_put(env->ks, s);
	}
	assert_ok(plx_key_describe(env->ks, h, &info, err));
	assert_true(info.nb_uses >= 6);
	for (i = 0; i < 3; i++)
		plx_key_session_put(env->ks, first);
}

static void
an_idle_session_is_kept_for_the_next_user(void **state)
{
	struct ks_env *env = *state;
	plx_key_handle h = import(env, "k", "aes", 16);
	struct plx_session *s;
	struct ks_use u;
	uint64_t id;

	ks_env_use(&u, "aes-gcm", PLX_OP_ENCRYPT);
	s = get(env, h, &u.use);
	id = s->id;
	plx_key_session_put(env->ks, s);
	s = get(env, h, &u.use);
	assert_true(s->id == id);
	plx_key_session_put(env->ks, s);
	plx_key_session_put(env->ks, NULL);
}

/* Blocks of secret memory: the key's own and the session's copy of the transform. */
static size_t
secret_blocks(void)
{
	struct plx_secret_usage usage;

	plx_secret_usage(&usage);
	return usage.nb_blocks;
}

static void
deleting_a_key_leaves_its_session_to_its_users(void **state)
{
	struct ks_env *env = *state;
	uint8_t in[TAG_OFFSET + 64] = { 0 }, want[64];
	size_t before = secret_blocks(), with_key;
	plx_key_handle h = import(env, "k", "aes", 16), again;
	struct plx_session *s, *idle, *fresh;
	struct rte_mbuf *m;
	struct ks_use u;

	text_put(in);
	idle = get(env, h, ks_env_use(&u, "aes-cbc", PLX_OP_DECRYPT));
	plx_key_session_put(env->ks, idle);
	s = get(env, h, ks_env_use(&u, "aes-cbc", PLX_OP_ENCRYPT));
	get(env, h, &u.use);
	with_key = secret_blocks();

	assert_ok(plx_key_delete(env->ks, "c", "k", err));
	/* the key and the idle session are gone, the one in use works on */
	assert_int_equal(secret_blocks(), with_key - 2);
	assert_err(plx_key_session_get(env->ks, h, &u.use, &fresh, err), -ESTALE, "names no key");
	m = run(env, s, PLX_ALG_KIND_CIPHER, in);
	openssl_encrypt("AES-128-CBC", text, want, NULL);
	assert_memory_equal(rte_pktmbuf_mtod(m, uint8_t *), want, TEXT_BYTES);
	rte_pktmbuf_free(m);

	/* a new key of the name is a new key */
	again = import(env, "k", "aes", 16);
	fresh = get(env, again, &u.use);
	assert_ptr_not_equal(fresh, s);
	plx_key_session_put(env->ks, fresh);
	assert_ok(plx_key_delete(env->ks, "c", "k", err));

	plx_key_session_put(env->ks, s);
	assert_int_equal(secret_blocks(), before + 1);
	plx_key_session_put(env->ks, s);
	assert_int_equal(secret_blocks(), before);
}

static void
what_does_not_fit_is_refused_with_a_reason(void **state)
{
	struct ks_env *env = *state;
	plx_key_handle aes = import(env, "aes", "aes", 16);
	plx_key_handle gcm = import(env, "gcm", "aes-128-gcm", 16);
	plx_key_handle hmac = import(env, "hmac", "hmac", 32);
	struct plx_session *s = NULL;
	struct plx_key_use none = { .size = sizeof(none) };
	struct ks_use u;

	assert_err(plx_key_session_get(env->ks, aes, &none, &s, err), -EINVAL, "no algorithm");
	none.size--;
	assert_err(plx_key_session_get(env->ks, aes, &none, &s, err), -EINVAL, "set its size");
	ks_env_use(&u, "aes-gcm", PLX_OP_SIGN);
	assert_err(plx_key_session_get(env->ks, aes, &u.use, &s, err), -EINVAL,
		   "aes-gcm does not sign");
	u.use.op = 0;
	assert_err(plx_key_session_get(env->ks, aes, &u.use, &s, err), -EINVAL, "aes-gcm does not");
	ks_env_use(&u, "aes-cbc", PLX_OP_ENCRYPT);
	assert_err(plx_key_session_get(env->ks, gcm, &u.use, &s, err), -EINVAL,
		   "is for aes-128-gcm and cannot be used with aes-cbc");
	assert_err(plx_key_session_get(env->ks, hmac, &u.use, &s, err), -EINVAL, "hmac");
	ks_env_use(&u, "aes-256-cbc", PLX_OP_ENCRYPT);
	assert_err(plx_key_session_get(env->ks, aes, &u.use, &s, err), -EINVAL,
		   "128 bits, asked for are 256");
	ks_env_use(&u, "aes-cbc", PLX_OP_ENCRYPT);
	u.use.iv_bytes = 12;
	assert_err(plx_key_session_get(env->ks, aes, &u.use, &s, err), -EINVAL, "IV of 12 bytes");
	u.use.iv_bytes = 0;
	u.use.iv_offset = (uint16_t)(IV_OFFSET - 1);
	assert_err(plx_key_session_get(env->ks, aes, &u.use, &s, err), -EINVAL, "cannot begin");
	u.use.iv_offset = IV_OFFSET;
	u.use.tag_bytes = 16;
	assert_err(plx_key_session_get(env->ks, aes, &u.use, &s, err), -EINVAL, "tag of 16");
	u.use.tag_bytes = 0;
	u.use.aad_bytes = 1;
	assert_err(plx_key_session_get(env->ks, aes, &u.use, &s, err), -EINVAL, "AAD");
	ks_env_use(&u, "random", PLX_OP_RANDOM);
	assert_err(plx_key_session_get(env->ks, PLX_KEY_HANDLE_NONE, &u.use, &s, err), -ENOTSUP,
		   "random");
	assert_null(s);
}

static void
a_public_key_signs_nothing(void **state)
{
	struct ks_env *env = *state;
	const char *path = ks_env_path(env, "key");
	struct plx_session *s = NULL;
	plx_key_handle h;
	struct ks_use u;

	ks_env_save(ks_env_rsa(), path, "spki", 1);
	assert_ok(plx_key_load(env->ks, "c", "k", NULL, path, &h, err));
	assert_err(
		plx_key_session_get(env->ks, h, ks_env_use(&u, "rsa-pkcs1", PLX_OP_SIGN), &s, err),
		-EINVAL, "public key and cannot sign");
	assert_err(plx_key_session_get(env->ks, h, ks_env_use(&u, "rsa-pkcs1", PLX_OP_DECRYPT), &s,
				       err),
		   -EINVAL, "public key and cannot decrypt");
	s = get(env, h, ks_env_use(&u, "rsa-pkcs1", PLX_OP_ENCRYPT));
	plx_key_session_put(env->ks, s);
}

/* No software device does elliptic curves or PSS: the sentence says which device lacks what. */
static void
what_no_device_can_do_is_refused_by_device(void **state)
{
	struct ks_env *env = *state;
	struct plx_session *s = NULL;
	plx_key_handle h;
	struct ks_use u;

	assert_ok(plx_key_generate(env->ks, "c", "ec", "ec-p256", &h, err));
	assert_err(
		plx_key_session_get(env->ks, h, ks_env_use(&u, "ecdsa-p256", PLX_OP_SIGN), &s, err),
		-ENOTSUP, "crypto_openssl0");
	assert_err(plx_key_session_get(env->ks, h, ks_env_use(&u, "ecdh-p256", PLX_OP_DERIVE), &s,
				       err),
		   -ENOTSUP, "crypto_openssl0");
	assert_ok(plx_key_generate(env->ks, "c", "x", "x25519", &h, err));
	assert_err(
		plx_key_session_get(env->ks, h, ks_env_use(&u, "x25519", PLX_OP_DERIVE), &s, err),
		-ENOTSUP, "x25519");
	assert_ok(plx_key_generate(env->ks, "c", "rsa", "rsa-2048", &h, err));
	assert_err(plx_key_session_get(env->ks, h, ks_env_use(&u, "rsa-pss", PLX_OP_SIGN), &s, err),
		   -ENOTSUP, "rsa-pss");
	h = import(env, "ch", "chacha20-poly1305", 32);
	assert_err(plx_key_session_get(env->ks, h,
				       ks_env_use(&u, "chacha20-poly1305", PLX_OP_ENCRYPT), &s,
				       err),
		   -ENOTSUP, "crypto_openssl0");
	assert_null(s);
}

/* The devices hold 64 sessions: idle ones make room, those in use do not. */
static void
idle_sessions_make_room_for_new_ones(void **state)
{
	struct plx_devices_params params = { .size = sizeof(params),
					     .nb_qps = 1,
					     .nb_sessions = 64 };
	struct ks_env *env = *state;
	struct plx_session *held[200], *s = NULL;
	int nb_held = 0, ret = 0;
	uint32_t i;
	plx_key_handle h;
	struct ks_use u;

	plx_keystore_destroy(env->ks);
	plx_devices_destroy(env->devs);
	assert_ok(plx_devices_create(&params, &env->devs, err));
	assert_ok(plx_keystore_create(env->devs, &env->ks, err));
	assert_ok(plx_container_create(env->ks, "c", NULL, err));
	h = import(env, "k", "aes", 16);

	ks_env_use(&u, "aes-cbc", PLX_OP_ENCRYPT);
	for (i = 0; i < 200; i++) {
		u.use.iv_offset = (uint16_t)(IV_OFFSET + i);
		plx_key_session_put(env->ks, get(env, h, &u.use));
	}
	for (i = 0; i < 200; i++) {
		u.use.iv_offset = (uint16_t)(IV_OFFSET + i);
		ret = plx_key_session_get(env->ks, h, &u.use, &s, NULL);
		if (ret != 0)
			break;
		held[nb_held++] = s;
	}
	assert_int_equal(ret, -ENOSPC);
	assert_int_equal(nb_held, 64);
	plx_key_session_put(env->ks, held[--nb_held]);
	s = get(env, h, &u.use);
	plx_key_session_put(env->ks, s);
	while (nb_held > 0)
		plx_key_session_put(env->ks, held[--nb_held]);
}

#define T(name) cmocka_unit_test_setup(name, ks_env_fresh)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(ciphers_compute_with_the_key),
		T(digests_need_no_key),
		T(a_mac_is_openssls_mac),
		T(one_use_is_one_session_and_each_difference_another),
		T(an_idle_session_is_kept_for_the_next_user),
		T(deleting_a_key_leaves_its_session_to_its_users),
		T(what_does_not_fit_is_refused_with_a_reason),
		T(a_public_key_signs_nothing),
		T(what_no_device_can_do_is_refused_by_device),
		T(idle_sessions_make_room_for_new_ones),
	};

	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
