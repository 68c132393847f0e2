/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_rsa_key.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <rte_common.h>
#include <rte_bus_vdev.h>
#include <rte_malloc.h>

#include "mb_asym_priv.h"
#include "plx_mb.h"

/* RSA on crypto_plx_mb against OpenSSL's EVP, each padding, each form of key. */

#define DIGEST_BYTES 32u

static const unsigned int sizes[] = { 1024, 2048, 3072, 4096 };
static struct rsa_key keys[RTE_DIM(sizes)];

static const struct rte_crypto_rsa_padding none = { .type = RTE_CRYPTO_RSA_PADDING_NONE };
static const struct rte_crypto_rsa_padding pkcs1 = { .type = RTE_CRYPTO_RSA_PADDING_PKCS1_5 };
static const struct rte_crypto_rsa_padding pss = { .type = RTE_CRYPTO_RSA_PADDING_PSS,
						   .hash = RTE_CRYPTO_AUTH_SHA256,
						   .mgf1hash = RTE_CRYPTO_AUTH_SHA256,
						   .pss_saltlen = 32 };
static const struct rte_crypto_rsa_padding oaep = { .type = RTE_CRYPTO_RSA_PADDING_OAEP,
						    .hash = RTE_CRYPTO_AUTH_SHA256,
						    .mgf1hash = RTE_CRYPTO_AUTH_SHA1 };

static int
padding_of(const struct rte_crypto_rsa_padding *p)
{
	return p->type == RTE_CRYPTO_RSA_PADDING_NONE      ? RSA_NO_PADDING
	       : p->type == RTE_CRYPTO_RSA_PADDING_PKCS1_5 ? RSA_PKCS1_PADDING
	       : p->type == RTE_CRYPTO_RSA_PADDING_PSS     ? RSA_PKCS1_PSS_PADDING
							   : RSA_PKCS1_OAEP_PADDING;
}

static EVP_PKEY_CTX *
ctx_for(const struct rsa_key *k, const struct rte_crypto_rsa_padding *p,
	int (*init)(EVP_PKEY_CTX *))
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(k->pkey, NULL);

	assert_int_equal(init(ctx), 1);
	assert_int_equal(EVP_PKEY_CTX_set_rsa_padding(ctx, padding_of(p)), 1);
	if (p->type == RTE_CRYPTO_RSA_PADDING_PSS) {
		assert_int_equal(EVP_PKEY_CTX_set_signature_md(ctx, EVP_sha256()), 1);
		assert_int_equal(EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, p->pss_saltlen), 1);
	}
	if (p->type == RTE_CRYPTO_RSA_PADDING_OAEP) {
		assert_int_equal(EVP_PKEY_CTX_set_rsa_oaep_md(ctx, EVP_sha256()), 1);
		assert_int_equal(EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, EVP_sha1()), 1);
	}
	return ctx;
}

static void *
session_for(const struct rsa_key *k, enum rsa_parts parts, const struct rte_crypto_rsa_padding *p)
{
	struct rte_crypto_asym_xform x;
	void *session;

	rsa_xform(k, parts, p, &x);
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	return session;
}

static struct rte_crypto_op *
op_for(void *session, enum rte_crypto_asym_op_type type, const struct rte_crypto_rsa_padding *p)
{
	struct rte_crypto_op *op = rig_asym_op(session);

	op->asym->rsa.op_type = type;
	rsa_op_padding(op, p);
	return op;
}

/* What is signed: whole numbers below n without padding, a digest with. */
static size_t
message_for(const struct rsa_key *k, const struct rte_crypto_rsa_padding *p, uint8_t *msg)
{
	size_t len = p->type == RTE_CRYPTO_RSA_PADDING_NONE ? k->bytes : DIGEST_BYTES;

	assert_int_equal(RAND_bytes(msg, (int)len), 1);
	if (p->type == RTE_CRYPTO_RSA_PADDING_NONE)
		msg[0] = 0;
	return len;
}

static int
verify_op(void *session, const struct rte_crypto_rsa_padding *p, uint8_t *msg, size_t len,
	  uint8_t *sig, size_t sig_len)
{
	struct rte_crypto_op *op = op_for(session, RTE_CRYPTO_ASYM_OP_VERIFY, p);
	int status;

	op->asym->rsa.message = rig_param(msg, len);
	op->asym->rsa.sign = rig_param(sig, sig_len);
	status = rig_do(op);
	rig_op_free(op);
	return status;
}

static void
sign_and_verify(const struct rsa_key *k, enum rsa_parts parts,
		const struct rte_crypto_rsa_padding *p)
{
	uint8_t msg[1024], sig[1024];
	size_t len = message_for(k, p, msg);
	void *session = session_for(k, parts, p);
	struct rte_crypto_op *op = op_for(session, RTE_CRYPTO_ASYM_OP_SIGN, p);
	EVP_PKEY_CTX *ctx = ctx_for(k, p, EVP_PKEY_verify_init);

	op->asym->rsa.message = rig_param(msg, len);
	op->asym->rsa.sign.data = sig;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op->asym->rsa.sign.length, k->bytes);
	assert_int_equal(EVP_PKEY_verify(ctx, sig, k->bytes, msg, len), 1);
	assert_int_equal(verify_op(session, p, msg, len, sig, k->bytes),
			 RTE_CRYPTO_OP_STATUS_SUCCESS);
	msg[len - 1] ^= 1;
	assert_int_equal(verify_op(session, p, msg, len, sig, k->bytes),
			 RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	msg[len - 1] ^= 1;
	sig[k->bytes / 2] ^= 1;
	assert_int_equal(verify_op(session, p, msg, len, sig, k->bytes),
			 RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	rig_op_free(op);
	rig_asym_session_free(session);
	EVP_PKEY_CTX_free(ctx);
}

static void
signatures_are_openssls_and_wrong_ones_are_refused(void **state)
{
	const struct rte_crypto_rsa_padding *paddings[] = { &none, &pkcs1, &pss };

	(void)state;
	for (size_t i = 0; i < RTE_DIM(sizes); i++)
		for (size_t j = 0; j < RTE_DIM(paddings); j++) {
			sign_and_verify(&keys[i], RSA_CRT, paddings[j]);
			sign_and_verify(&keys[i], RSA_EXPONENT, paddings[j]);
		}
}

static void
encrypt_and_decrypt(const struct rsa_key *k, enum rsa_parts parts,
		    const struct rte_crypto_rsa_padding *p, bool is_empty)
{
	uint8_t msg[1024], out[1024], back[1024];
	size_t len = is_empty ? 0 : message_for(k, p, msg), back_len = sizeof(back);
	void *session = session_for(k, parts, p);
	struct rte_crypto_op *op = op_for(session, RTE_CRYPTO_ASYM_OP_ENCRYPT, p);
	EVP_PKEY_CTX *ctx = ctx_for(k, p, EVP_PKEY_decrypt_init);

	op->asym->rsa.message = rig_param(is_empty ? NULL : msg, len);
	op->asym->rsa.cipher.data = out;
	if (is_empty && p->type == RTE_CRYPTO_RSA_PADDING_NONE) {
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		goto out;
	}
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op->asym->rsa.cipher.length, k->bytes);
	assert_int_equal(EVP_PKEY_decrypt(ctx, back, &back_len, out, k->bytes), 1);
	assert_int_equal(back_len, len);
	assert_memory_equal(back, msg, len);

	memset(back, 0, sizeof(back));
	op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_DECRYPT;
	op->asym->rsa.message = rig_param(back, 0);
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op->asym->rsa.message.length, len);
	assert_memory_equal(back, msg, len);
out:
	rig_op_free(op);
	rig_asym_session_free(session);
	EVP_PKEY_CTX_free(ctx);
}

static void
what_is_encrypted_comes_back(void **state)
{
	const struct rte_crypto_rsa_padding *paddings[] = { &none, &pkcs1, &oaep };

	(void)state;
	for (size_t i = 0; i < RTE_DIM(sizes); i++)
		for (size_t j = 0; j < RTE_DIM(paddings); j++) {
			encrypt_and_decrypt(&keys[i], RSA_CRT, paddings[j], false);
			encrypt_and_decrypt(&keys[i], RSA_EXPONENT, paddings[j], false);
			encrypt_and_decrypt(&keys[i], RSA_CRT, paddings[j], true);
		}
}

/* A number encrypted without padding, as an attacker does. */
static void
raw_encrypt(const struct rsa_key *k, const uint8_t *em, uint8_t *cipher)
{
	EVP_PKEY_CTX *ctx = ctx_for(k, &none, EVP_PKEY_encrypt_init);
	size_t len = k->bytes;

	assert_int_equal(EVP_PKEY_encrypt(ctx, cipher, &len, em, k->bytes), 1);
	EVP_PKEY_CTX_free(ctx);
}

/* NOLINTBEGIN(readability-function-size): what goes in, how, and what has to come out */
static size_t
decrypt_op(void *session, const struct rte_crypto_rsa_padding *p, uint8_t *cipher, size_t len,
	   uint16_t flags, uint8_t *out, int want)
{
	struct rte_crypto_op *op = op_for(session, RTE_CRYPTO_ASYM_OP_DECRYPT, p);
	size_t got;

	op->asym->flags = flags;
	op->asym->rsa.cipher = rig_param(cipher, len);
	op->asym->rsa.message.data = out;
	assert_int_equal(rig_do(op), want);
	got = op->asym->rsa.message.length;
	rig_op_free(op);
	return got;
}
/* NOLINTEND(readability-function-size) */

/* Each way padding can be wrong, in the place of em. */
static void
padding_break(uint8_t *em, size_t bytes, unsigned int how)
{
	memset(em, 0x5a, bytes);
	em[0] = 0;
	em[1] = 2;
	em[bytes - 33] = 0;
	switch (how) {
	case 0:
		em[1] = 1;
		break;
	case 1:
		em[5] = 0; /* less than eight bytes of padding */
		break;
	case 2:
		em[bytes - 33] = 1; /* no end of the padding */
		break;
	default:
		em[0] = 1;
		em[1] = 0;
		break;
	}
}

static void
wrong_padding_is_never_told(void **state)
{
	const struct rsa_key *k = &keys[1];
	void *session = session_for(k, RSA_CRT, &pkcs1);
	uint8_t em[512], cipher[512], one[512], two[512];
	size_t len, nb_lengths = 0, before = 0;

	(void)state;
	for (unsigned int how = 0; how < 4; how++) {
		padding_break(em, k->bytes, how);
		raw_encrypt(k, em, cipher);
		len = decrypt_op(session, &pkcs1, cipher, k->bytes, 0, one,
				 RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_true(len <= k->bytes - 11);
		/* the same answer each time, and not what was in there */
		assert_int_equal(decrypt_op(session, &pkcs1, cipher, k->bytes, 0, two,
					    RTE_CRYPTO_OP_STATUS_SUCCESS),
				 len);
		assert_memory_equal(one, two, len);
		assert_false(len >= 16 && memcmp(one, em + k->bytes - len, len) == 0);
		nb_lengths += len != before;
		before = len;
	}
	assert_true(nb_lengths >= 3);
	rig_asym_session_free(session);
}

/*
 * What implicit rejection answers to two ciphers whose padding is wrong (the second byte is 1; a
 * zero among the first eight of padding), as OpenSSL 3.5.9 does, for a key of 512 bits made for
 * this.
 */
static const char rejection_n[] =
	"abc4b299d3c0619b79ce78668519c28004e571d620a3b5a21cb81e32b4c625b4"
	"3c36493c27f784f5d20e7bcf78c269a59e269319d1844c817d89758983a51ca3";
static const char rejection_d[] =
	"2e84ddede53843f70c7d0b8490659294833ef49e8e466809988790be20d14d22"
	"5a4563ac48ccaee0afcb92957b87686f836add9c56d4f03148600c881262f661";
static const char *const rejections[][2] = {
	{
		"74878bf676ca1a1f15e487552fe47d557a9483cdb296945906b88dba99ff8108"
		"222ad1ec02fcd49e0b922c68ff867ac32f3c83ae4b685e1cb50eeb0d06ca3cf6",
		"3b146c38e3058f4f68e6fef5eb93a2518c91b56aa47f4f1851cbd1f07eac7e63"
		"fedcbc1e9d53bc84ceb14ce85fcf",
	},
	{
		"88040ab4fbb7bfa2d91f5ff043037182c33660aa3614b454468ffbfc0ec8dc52"
		"1b2cf578036d103f4f07b1ddce1a1766053a7d2e8d73b2d5d92fa7a35668a06d",
		"6c6aa334ee710833dc451d7cce2ea216442d1681452d75da1a1564462572a19f"
		"b6",
	},
};

static void
from_hex(const char *hex, struct rig_num *out)
{
	unsigned int byte;

	out->len = strlen(hex) / 2;
	for (size_t i = 0; i < out->len; i++) {
		assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
		out->bytes[i] = (uint8_t)byte;
	}
}

static void
the_answer_to_wrong_padding_is_openssl_3_5s(void **state)
{
	struct rsa_key k = { .bytes = 64, .e = { { 1, 0, 1 }, 3 } };
	struct rig_num cipher, want;
	uint8_t got[64];
	void *session;

	(void)state;
	from_hex(rejection_n, &k.n);
	from_hex(rejection_d, &k.d);
	session = session_for(&k, RSA_EXPONENT, &pkcs1);
	for (size_t i = 0; i < RTE_DIM(rejections); i++) {
		from_hex(rejections[i][0], &cipher);
		from_hex(rejections[i][1], &want);
		assert_int_equal(decrypt_op(session, &pkcs1, cipher.bytes, cipher.len, 0, got,
					    RTE_CRYPTO_OP_STATUS_SUCCESS),
				 want.len);
		assert_memory_equal(got, want.bytes, want.len);
	}
	rig_asym_session_free(session);
}

/* OpenSSL has the same draft's rejection from 3.2 on. */
static void
the_answer_to_wrong_padding_is_the_drafts(void **state)
{
	const struct rsa_key *k = &keys[1];
	void *session = session_for(k, RSA_EXPONENT, &pkcs1);
	uint8_t em[512], cipher[512], ours[512], theirs[512];
	EVP_PKEY_CTX *ctx = ctx_for(k, &pkcs1, EVP_PKEY_decrypt_init);
	size_t len, their_len;

	(void)state;
	if (OpenSSL_version_num() < 0x30200000L) {
		printf("skipped: %s has no implicit rejection to compare with, 3.2 has\n",
		       OpenSSL_version(OPENSSL_VERSION_STRING));
		EVP_PKEY_CTX_free(ctx);
		rig_asym_session_free(session);
		skip();
	}
	for (unsigned int how = 0; how < 4; how++) {
		padding_break(em, k->bytes, how);
		raw_encrypt(k, em, cipher);
		len = decrypt_op(session, &pkcs1, cipher, k->bytes, 0, ours,
				 RTE_CRYPTO_OP_STATUS_SUCCESS);
		their_len = sizeof(theirs);
		assert_int_equal(EVP_PKEY_decrypt(ctx, theirs, &their_len, cipher, k->bytes), 1);
		assert_int_equal(len, their_len);
		assert_memory_equal(ours, theirs, len);
	}
	EVP_PKEY_CTX_free(ctx);
	rig_asym_session_free(session);
}

static void
a_premaster_secret_is_right_or_random(void **state)
{
	const struct rsa_key *k = &keys[1];
	void *session = session_for(k, RSA_CRT, &pkcs1);
	uint8_t em[512], cipher[512], one[512], two[512];

	(void)state;
	memset(em, 0x77, sizeof(em));
	em[0] = 0;
	em[1] = 2;
	em[k->bytes - 49] = 0;
	em[k->bytes - 48] = 3;
	em[k->bytes - 47] = 3;
	raw_encrypt(k, em, cipher);
	one[0] = one[1] = 3;
	assert_int_equal(decrypt_op(session, &pkcs1, cipher, k->bytes,
				    PLX_MB_ASYM_FLAG_TLS_PREMASTER, one,
				    RTE_CRYPTO_OP_STATUS_SUCCESS),
			 48);
	assert_memory_equal(one, em + k->bytes - 48, 48);
	/* another version was offered */
	one[0] = two[0] = 3;
	one[1] = two[1] = 1;
	assert_int_equal(decrypt_op(session, &pkcs1, cipher, k->bytes,
				    PLX_MB_ASYM_FLAG_TLS_PREMASTER, one,
				    RTE_CRYPTO_OP_STATUS_SUCCESS),
			 48);
	assert_memory_not_equal(one, em + k->bytes - 48, 48);
	decrypt_op(session, &pkcs1, cipher, k->bytes, PLX_MB_ASYM_FLAG_TLS_PREMASTER, two,
		   RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_memory_not_equal(one, two, 48);
	rig_asym_session_free(session);
}

static void
wrong_oaep_is_an_error(void **state)
{
	const struct rsa_key *k = &keys[1];
	void *session = session_for(k, RSA_CRT, &oaep);
	uint8_t em[512], cipher[512], out[512];

	(void)state;
	padding_break(em, k->bytes, 0);
	raw_encrypt(k, em, cipher);
	decrypt_op(session, &oaep, cipher, k->bytes, 0, out, RTE_CRYPTO_OP_STATUS_ERROR);
	rig_asym_session_free(session);
}

#if RTE_VERSION < RTE_VERSION_NUM(24, 11, 0, 0)
/* A label of an op; that of a session is looked at when it is made. */
static void
labels_that_are_none_are_refused(void **state)
{
	const struct rsa_key *k = &keys[1];
	void *session = session_for(k, RSA_CRT, &oaep);
	uint8_t label[32] = { 1 }, msg[32] = { 2 }, out[512];
	const rte_crypto_param labels[] = {
		{ .data = NULL, .length = 32 },
		{ .data = label, .length = SIZE_MAX },
		{ .data = label, .length = (size_t)UINT32_MAX + 1 },
		{ .data = label, .length = 257 },
	};

	(void)state;
	for (size_t i = 0; i < RTE_DIM(labels); i++) {
		struct rte_crypto_op *op = op_for(session, RTE_CRYPTO_ASYM_OP_ENCRYPT, &oaep);

		op->asym->rsa.padding.oaep_label = labels[i];
		op->asym->rsa.message = rig_param(msg, sizeof(msg));
		op->asym->rsa.cipher.data = out;
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		op->asym->rsa.padding.oaep_label = rig_param(label, sizeof(label));
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_DECRYPT;
		op->asym->rsa.message.data = msg;
		op->asym->rsa.padding.oaep_label = labels[i];
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		op->asym->rsa.padding.oaep_label = rig_param(label, sizeof(label));
		assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(op->asym->rsa.message.length, sizeof(msg));
		rig_op_free(op);
	}
	rig_asym_session_free(session);
}
#endif

static void
numbers_not_below_the_modulus_are_refused(void **state)
{
	const struct rsa_key *k = &keys[1];
	void *session = session_for(k, RSA_CRT, &none);
	uint8_t big[512], out[512], sig[512];
	struct rte_crypto_op *op;

	(void)state;
	memset(big, 0xff, sizeof(big));
	memcpy(sig, k->n.bytes, k->bytes);
	decrypt_op(session, &none, big, k->bytes, 0, out, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	decrypt_op(session, &none, big, k->bytes + 1, 0, out, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	decrypt_op(session, &none, sig, k->bytes, 0, out, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(verify_op(session, &none, out, 32, big, k->bytes),
			 RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	assert_int_equal(verify_op(session, &none, out, 32, sig, k->bytes - 1),
			 RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	op = op_for(session, RTE_CRYPTO_ASYM_OP_SIGN, &none);
	op->asym->rsa.message = rig_param(big, k->bytes);
	op->asym->rsa.sign.data = out;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	rig_op_free(op);
	rig_asym_session_free(session);
}

static void
ops_that_make_no_sense_come_back_with_an_error(void **state)
{
	void *session = session_for(&keys[1], RSA_CRT, &pkcs1);
	void *public = session_for(&keys[1], RSA_PUBLIC_ONLY, &pkcs1);
	struct rte_crypto_op *op = op_for(session, RTE_CRYPTO_ASYM_OP_SIGN, &pkcs1);
	uint8_t out[512], msg[512] = { 0 };

	(void)state;
	op->asym->rsa.sign.data = out;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS); /* no message */
	op->asym->rsa.message = rig_param(msg, SIZE_MAX);
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op->asym->rsa.message = rig_param(msg, 246); /* ten bytes too long for its padding */
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op->asym->rsa.message = rig_param(msg, 32);
	op->asym->rsa.sign.data = NULL;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op->asym->rsa.sign.data = out;
	op->asym->rsa.op_type = (enum rte_crypto_asym_op_type)77;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	op->asym->session = public;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	op->asym->session = NULL;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	op->asym->session = session;
	op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	op->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	rig_op_free(op);
	rig_asym_session_free(session);
	rig_asym_session_free(public);
}

static void
expect_refused(struct rte_crypto_asym_xform *x)
{
	int why;

	assert_null(rig_asym_session(x, &why));
	assert_true(why < 0);
}

static void
keys_that_are_none_are_refused(void **state)
{
	const struct rsa_key *k = &keys[1];
	struct rte_crypto_asym_xform x;
	struct rig_num even = k->n, one = { { 1 }, 1 }, other = k->p, big = k->n;

	(void)state;
	even.bytes[even.len - 1] &= 0xfe;
	other.bytes[other.len - 1] ^= 2;
	big.bytes[0] = 0xff;
	rsa_xform(k, RSA_CRT, &pkcs1, &x);
	x.rsa.n = RIG_PARAM(even);
	expect_refused(&x);
	rsa_xform(k, RSA_CRT, &pkcs1, &x);
	x.rsa.e = RIG_PARAM(one);
	expect_refused(&x);
	rsa_xform(k, RSA_CRT, &pkcs1, &x);
	x.rsa.qt.p = RIG_PARAM(other); /* p q is not n */
	expect_refused(&x);
	rsa_xform(k, RSA_CRT, &pkcs1, &x);
	x.rsa.qt.qInv.length = 0;
	expect_refused(&x);
	rsa_xform(k, RSA_EXPONENT, &pkcs1, &x);
	x.rsa.d = RIG_PARAM(big);
	expect_refused(&x);
	rsa_xform(k, RSA_EXPONENT, &pkcs1, &x);
	x.rsa.n.length = 0;
	expect_refused(&x);
	rsa_xform(k, RSA_EXPONENT, &pkcs1, &x);
	x.rsa.n.data = NULL;
	expect_refused(&x);
	rsa_xform(k, RSA_EXPONENT, &pkcs1, &x);
	x.rsa.n = RIG_PARAM(one);
	expect_refused(&x);
	rsa_xform(k, RSA_EXPONENT, &pkcs1, &x);
	x.rsa.key_type = (enum rte_crypto_rsa_priv_key_type)9;
	expect_refused(&x);
	x.xform_type = RTE_CRYPTO_ASYM_XFORM_DSA;
	expect_refused(&x);
}

static void
a_session_of_another_driver_is_refused(void **state)
{
	void *session = session_for(&keys[1], RSA_CRT, &pkcs1);
	struct rte_crypto_op *op = op_for(session, RTE_CRYPTO_ASYM_OP_SIGN, &pkcs1);
	struct rte_cryptodev_asym_session *s = session;
	uint8_t out[512], msg[32] = { 0 };

	(void)state;
	op->asym->rsa.message = rig_param(msg, sizeof(msg));
	op->asym->rsa.sign.data = out;
	*(uint8_t *)s ^= 0x40; /* the driver id */
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	*(uint8_t *)s ^= 0x40;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	rig_op_free(op);
	rig_asym_session_free(session);
}

/* Queue pairs of two devices have the same numbers and may run at the same time: each has a copy of
 * the private key of its own. */
static void
a_session_serves_two_devices(void **state)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = 1 };
	struct rte_cryptodev_qp_conf qp = { .nb_descriptors = RIG_DESC };
	void *session = session_for(&keys[1], RSA_CRT, &pkcs1);
	struct rte_crypto_op *op = op_for(session, RTE_CRYPTO_ASYM_OP_SIGN, &pkcs1), *back = NULL;
	const struct mb_rsa *rsa = mb_asym_sess_of(op)->rsa;
	uint8_t msg[32] = { 1 }, first[512], second[512];
	unsigned int nb = 0;
	uint8_t other;

	(void)state;
	assert_int_equal(rte_vdev_init("crypto_plx_mb1", NULL), 0);
	other = (uint8_t)rte_cryptodev_get_dev_id("crypto_plx_mb1");
	assert_int_equal(rte_cryptodev_configure(other, &config), 0);
	assert_int_equal(rte_cryptodev_queue_pair_setup(other, 0, &qp, 0), 0);
	assert_int_equal(rte_cryptodev_start(other), 0);
	op->asym->rsa.message = rig_param(msg, sizeof(msg));
	op->asym->rsa.sign.data = first;
	assert_int_equal(rig_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	op->asym->rsa.sign.data = second;
	assert_int_equal(rte_cryptodev_enqueue_burst(other, 0, &op, 1), 1);
	while (rte_cryptodev_dequeue_burst(other, 0, &back, 1) == 0)
		;
	assert_memory_equal(first, second, keys[1].bytes);
	for (size_t i = 0; i < RTE_DIM(rsa->private_of); i++)
		nb += rsa->private_of[i] != NULL;
	assert_int_equal(nb, 2);
	rig_op_free(op);
	rig_asym_session_free(session);
	rte_cryptodev_stop(other);
	assert_int_equal(rte_cryptodev_close(other), 0);
	assert_int_equal(rte_vdev_uninit("crypto_plx_mb1"), 0);
}

static int
setup(void **state)
{
	(void)state;
	rig_up(NULL, 2);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	rig_down();
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signatures_are_openssls_and_wrong_ones_are_refused),
		cmocka_unit_test(what_is_encrypted_comes_back),
		cmocka_unit_test(wrong_padding_is_never_told),
		cmocka_unit_test(the_answer_to_wrong_padding_is_openssl_3_5s),
		cmocka_unit_test(the_answer_to_wrong_padding_is_the_drafts),
		cmocka_unit_test(a_premaster_secret_is_right_or_random),
		cmocka_unit_test(wrong_oaep_is_an_error),
#if RTE_VERSION < RTE_VERSION_NUM(24, 11, 0, 0)
		cmocka_unit_test(labels_that_are_none_are_refused),
#endif
		cmocka_unit_test(numbers_not_below_the_modulus_are_refused),
		cmocka_unit_test(ops_that_make_no_sense_come_back_with_an_error),
		cmocka_unit_test(keys_that_are_none_are_refused),
		cmocka_unit_test(a_session_of_another_driver_is_refused),
		cmocka_unit_test(a_session_serves_two_devices),
	};
	int ret;

	rig_eal("mb_rsa");
	for (size_t i = 0; i < RTE_DIM(sizes); i++)
		rsa_key_make(&keys[i], sizes[i]);
	/* by crypto_mb where it is found */
	ret = cmocka_run_group_tests(tests, setup, teardown);
	for (size_t i = 0; i < RTE_DIM(sizes); i++)
		rsa_key_free(&keys[i]);
	rte_eal_cleanup();
	return ret;
}
