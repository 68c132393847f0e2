/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_rsa_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <rte_common.h>
#include <rte_eal.h>
#include <rte_version.h>

#include "plx_mb.h"
#include "wycheproof.h"

/*
 * Wycheproof's asymmetric files on crypto_plx_mb: each valid case is right, each invalid one is
 * refused. DER around keys and signatures is the application's, which is OpenSSL here.
 * "test_mb_wycheproof FOLDER": FOLDER is taken when PLX_VECTORS is not set.
 */

#define HAS_EDDSA  (RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0))
#define IN_SESSION (RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0))
#define BYTES_MAX  8192

static char folder[4096];

struct bytes {
	uint8_t data[BYTES_MAX];
	size_t len;
};

struct counts {
	unsigned int nb, nb_valid, nb_refused;
};

static void
bytes_of(const json_t *obj, const char *key, struct bytes *out)
{
	const char *hex = json_string_value(json_object_get(obj, key));

	assert_non_null(hex);
	out->len = strlen(hex) / 2;
	assert_true(out->len <= sizeof(out->data));
	for (size_t i = 0; i < out->len; i++) {
		unsigned int byte;

		assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
		out->data[i] = (uint8_t)byte;
	}
}

static const char *
text_of(const json_t *obj, const char *key)
{
	const char *text = json_string_value(json_object_get(obj, key));

	assert_non_null(text);
	return text;
}

typedef void (*group_fn)(const json_t *group, struct counts *c);

static void
file_run(const char *name, group_fn fn)
{
	struct counts c = { 0 };
	json_t *root, *group;
	char path[5000];
	size_t i;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	root = json_load_file(path, 0, NULL);
	assert_non_null(root);
	json_array_foreach(json_object_get(root, "testGroups"), i, group) fn(group, &c);
	printf("%s: %u cases, %u valid and right, %u refused\n", name, c.nb, c.nb_valid,
	       c.nb_refused);
	assert_int_equal(c.nb, json_integer_value(json_object_get(root, "numberOfTests")));
	assert_int_equal(c.nb, c.nb_valid + c.nb_refused);
	assert_true(c.nb_valid > 0);
	json_decref(root);
}

/* Counts the case; it has to be as the file says, and may be either when the file leaves it open.
 */
static void
case_end(const json_t *test, bool is_right, struct counts *c)
{
	const char *result = text_of(test, "result");

	c->nb++;
	if (is_right)
		c->nb_valid++;
	else
		c->nb_refused++;
	if (strcmp(result, "acceptable") == 0 || (strcmp(result, "valid") == 0) == is_right)
		return;
	fail_msg("case %d (%s) is %s and was %s",
		 (int)json_integer_value(json_object_get(test, "tcId")), text_of(test, "comment"),
		 result, is_right ? "accepted" : "refused");
}

static size_t
digest_of(const json_t *group, const struct bytes *msg, uint8_t *out)
{
	unsigned int len;

	assert_int_equal(EVP_Digest(msg->data, msg->len, out, &len,
				    EVP_get_digestbyname(text_of(group, "sha")), NULL),
			 1);
	return len;
}

static EVP_PKEY *
public_key_of(const json_t *group)
{
	struct bytes der;
	const uint8_t *at = der.data;
	EVP_PKEY *pkey;

	bytes_of(group, "publicKeyDer", &der);
	pkey = d2i_PUBKEY(NULL, &at, (long)der.len);
	assert_non_null(pkey);
	return pkey;
}

/* The two numbers of a signature, when it is DER and they are numbers. */
static bool
sig_numbers(const struct bytes *sig, struct rig_num *r, struct rig_num *s)
{
	const uint8_t *at = sig->data;
	ECDSA_SIG *parsed = d2i_ECDSA_SIG(NULL, &at, (long)sig->len);
	const BIGNUM *bn[2];
	uint8_t *again = NULL;
	int len;
	bool ok;

	if (parsed == NULL) {
		ERR_clear_error();
		return false;
	}
	len = i2d_ECDSA_SIG(parsed, &again);
	ok = len == (int)sig->len && memcmp(again, sig->data, sig->len) == 0;
	OPENSSL_free(again);
	ECDSA_SIG_get0(parsed, &bn[0], &bn[1]);
	for (int i = 0; i < 2; i++) {
		struct rig_num *out = i == 0 ? r : s;

		ok = ok && !BN_is_negative(bn[i]) && BN_num_bytes(bn[i]) <= 1024;
		if (ok)
			out->len = (size_t)BN_bn2bin(bn[i], out->bytes);
		if (ok && out->len == 0) { /* zero is written as one byte */
			out->bytes[0] = 0;
			out->len = 1;
		}
	}
	ECDSA_SIG_free(parsed);
	return ok;
}

static void
ecdsa_group(const json_t *group, struct counts *c)
{
	EVP_PKEY *pkey = public_key_of(group);
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECDSA };
	bool is_384 = EVP_PKEY_get_bits(pkey) == 384;
	struct rig_num px, py, r, s;
	struct rte_crypto_op *op;
	uint8_t digest[64];
	struct bytes msg, sig;
	json_t *test;
	void *session;
	size_t i;

	rig_num_get(pkey, OSSL_PKEY_PARAM_EC_PUB_X, &px);
	rig_num_get(pkey, OSSL_PKEY_PARAM_EC_PUB_Y, &py);
	x.ec.curve_id = is_384 ? RTE_CRYPTO_EC_GROUP_SECP384R1 : RTE_CRYPTO_EC_GROUP_SECP256R1;
#if IN_SESSION
	x.ec.q.x = RIG_PARAM(px);
	x.ec.q.y = RIG_PARAM(py);
#endif
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	json_array_foreach(json_object_get(group, "tests"), i, test)
	{
		bool is_right = false;

		bytes_of(test, "msg", &msg);
		bytes_of(test, "sig", &sig);
		if (sig_numbers(&sig, &r, &s)) {
			op = rig_asym_op(session);
#if !IN_SESSION
			op->asym->ecdsa.q.x = RIG_PARAM(px);
			op->asym->ecdsa.q.y = RIG_PARAM(py);
#endif
			op->asym->ecdsa.op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
			op->asym->ecdsa.message = rig_param(digest, digest_of(group, &msg, digest));
			op->asym->ecdsa.r = RIG_PARAM(r);
			op->asym->ecdsa.s = RIG_PARAM(s);
			is_right = rig_do(op) == RTE_CRYPTO_OP_STATUS_SUCCESS;
			rig_op_free(op);
		}
		case_end(test, is_right, c);
	}
	rig_asym_session_free(session);
	EVP_PKEY_free(pkey);
}

/* An uncompressed point, SEC 1 2.3.3; anything else is the application's to refuse. */
static bool
point_of(const struct bytes *public, size_t bytes, struct rte_crypto_ec_point *out)
{
	if (public->len != 1 + 2 * bytes || public->data[0] != 4)
		return false;
	out->x = rig_param(public->data + 1, bytes);
	out->y = rig_param(public->data + 1 + bytes, bytes);
	return true;
}

static void
ecdh_group(const json_t *group, struct counts *c)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECDH };
	struct bytes public, private, shared;
	uint8_t out[32];
	json_t *test;
	void *session;
	size_t i;

	x.ec.curve_id = RTE_CRYPTO_EC_GROUP_SECP256R1;
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	json_array_foreach(json_object_get(group, "tests"), i, test)
	{
		struct rte_crypto_op *op = rig_asym_op(session);
		struct rte_crypto_ecdh_op_param *p = &op->asym->ecdh;
		bool is_right = false;

		bytes_of(test, "public", &public);
		bytes_of(test, "private", &private);
		bytes_of(test, "shared", &shared);
		p->ke_type = RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE;
		p->priv_key = rig_param(private.data, private.len);
		p->shared_secret.x.data = out;
		if (point_of(&public, 32, &p->pub_key) &&
		    rig_do(op) == RTE_CRYPTO_OP_STATUS_SUCCESS)
			is_right = shared.len == 32 && memcmp(out, shared.data, 32) == 0;
		rig_op_free(op);
		case_end(test, is_right, c);
	}
	rig_asym_session_free(session);
}

/* A result of zeros is refused (RFC 7748 6.1), which the file leaves open. */
static void
x25519_group(const json_t *group, struct counts *c)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECPM };
	struct bytes public, private, shared;
	uint8_t out[32], zero[32] = { 0 };
	json_t *test;
	void *session;
	size_t i;

	x.ec.curve_id = (enum rte_crypto_curve_id)PLX_MB_CURVE_X25519;
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	json_array_foreach(json_object_get(group, "tests"), i, test)
	{
		struct rte_crypto_op *op = rig_asym_op(session);
		bool is_right;

		bytes_of(test, "public", &public);
		bytes_of(test, "private", &private);
		bytes_of(test, "shared", &shared);
		op->asym->ecpm.scalar = rig_param(private.data, private.len);
		op->asym->ecpm.p.x = rig_param(public.data, public.len);
		op->asym->ecpm.r.x.data = out;
		is_right = rig_do(op) == RTE_CRYPTO_OP_STATUS_SUCCESS;
		if (is_right)
			assert_memory_equal(out, shared.data, 32);
		else
			assert_memory_equal(shared.data, zero, 32);
		rig_op_free(op);
		case_end(test, is_right, c);
	}
	rig_asym_session_free(session);
}

static enum rte_crypto_auth_algorithm
hash_named(const char *name)
{
	return strcmp(name, "SHA-1") == 0     ? RTE_CRYPTO_AUTH_SHA1
	       : strcmp(name, "SHA-256") == 0 ? RTE_CRYPTO_AUTH_SHA256
	       : strcmp(name, "SHA-384") == 0 ? RTE_CRYPTO_AUTH_SHA384
					      : RTE_CRYPTO_AUTH_SHA512;
}

static void
private_key_of(const json_t *group, struct rsa_key *key)
{
	struct bytes der;
	const uint8_t *at = der.data;
	EVP_PKEY *pkey;

	bytes_of(group, "privateKeyPkcs8", &der);
	pkey = d2i_AutoPrivateKey(NULL, &at, (long)der.len);
	assert_non_null(pkey);
	rsa_key_take(key, pkey);
}

static struct rte_crypto_op *
decrypt_op(void *session, const struct rte_crypto_rsa_padding *padding, const struct bytes *ct,
	   uint8_t *out)
{
	struct rte_crypto_op *op = rig_asym_op(session);

	op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_DECRYPT;
	op->asym->rsa.cipher = rig_param(ct->data, ct->len);
	op->asym->rsa.message.data = out;
	rsa_op_padding(op, padding);
	return op;
}

/* The label is in the transform from 24.11 on: a session a case. RFC 8017 7.1.2: a cipher of
 * another length than the modulus is none, which is the application's to see. */
static void
oaep_group(const json_t *group, struct counts *c)
{
	struct rte_crypto_rsa_padding padding = { .type = RTE_CRYPTO_RSA_PADDING_OAEP };
	struct rte_crypto_asym_xform x;
	struct bytes ct, msg, label;
	struct rsa_key key;
	uint8_t out[512];
	json_t *test;
	size_t i;

	private_key_of(group, &key);
	padding.hash = hash_named(text_of(group, "sha"));
	padding.mgf1hash = hash_named(text_of(group, "mgfSha"));
	json_array_foreach(json_object_get(group, "tests"), i, test)
	{
		struct rte_crypto_op *op;
		void *session;
		bool is_right;

		bytes_of(test, "ct", &ct);
		bytes_of(test, "msg", &msg);
		bytes_of(test, "label", &label);
		padding.oaep_label = rig_param(label.data, label.len);
		rsa_xform(&key, RSA_CRT, &padding, &x);
		session = rig_asym_session(&x, NULL);
		assert_non_null(session);
		op = decrypt_op(session, &padding, &ct, out);
		is_right = ct.len == key.bytes && rig_do(op) == RTE_CRYPTO_OP_STATUS_SUCCESS &&
			   op->asym->rsa.message.length == msg.len &&
			   memcmp(out, msg.data, msg.len) == 0;
		rig_op_free(op);
		rig_asym_session_free(session);
		case_end(test, is_right, c);
	}
	rsa_key_free(&key);
}

/* Wrong padding is never told; what comes out then is not what the file says was in there. */
static void
pkcs1_group(const json_t *group, struct counts *c)
{
	const struct rte_crypto_rsa_padding padding = { .type = RTE_CRYPTO_RSA_PADDING_PKCS1_5 };
	struct rte_crypto_asym_xform x;
	struct bytes ct, msg;
	struct rsa_key key;
	uint8_t out[1024];
	json_t *test;
	void *session;
	size_t i;

	private_key_of(group, &key);
	rsa_xform(&key, RSA_CRT, &padding, &x);
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	json_array_foreach(json_object_get(group, "tests"), i, test)
	{
		struct rte_crypto_op *op;
		bool is_right;

		bytes_of(test, "ct", &ct);
		bytes_of(test, "msg", &msg);
		op = decrypt_op(session, &padding, &ct, out);
		is_right = ct.len == key.bytes && rig_do(op) == RTE_CRYPTO_OP_STATUS_SUCCESS &&
			   op->asym->rsa.message.length == msg.len &&
			   memcmp(out, msg.data, msg.len) == 0;
		rig_op_free(op);
		case_end(test, is_right, c);
	}
	rig_asym_session_free(session);
	rsa_key_free(&key);
}

/* What is signed with PKCS#1 v1.5: the digest in its DER (RFC 8017 9.2 note 1). */
static size_t
digest_info(const json_t *group, const struct bytes *msg, uint8_t *out)
{
	X509_SIG *info = X509_SIG_new();
	X509_ALGOR *alg;
	ASN1_OCTET_STRING *octets;
	uint8_t digest[64], *at = out;
	size_t len = digest_of(group, msg, digest);
	int nb;

	X509_SIG_getm(info, &alg, &octets);
	X509_ALGOR_set0(alg,
			OBJ_nid2obj(EVP_MD_get_type(EVP_get_digestbyname(text_of(group, "sha")))),
			V_ASN1_NULL, NULL);
	ASN1_OCTET_STRING_set(octets, digest, (int)len);
	nb = i2d_X509_SIG(info, &at);
	X509_SIG_free(info);
	assert_true(nb > 0);
	return (size_t)nb;
}

static void
signature_group(const json_t *group, struct counts *c, const struct rte_crypto_rsa_padding *padding)
{
	EVP_PKEY *pkey = public_key_of(group);
	struct rte_crypto_asym_xform x;
	struct rsa_key key = { .pkey = pkey };
	struct bytes msg, sig;
	uint8_t signed_bytes[128];
	json_t *test;
	void *session;
	size_t i;

	rig_num_get(pkey, OSSL_PKEY_PARAM_RSA_N, &key.n);
	rig_num_get(pkey, OSSL_PKEY_PARAM_RSA_E, &key.e);
	rsa_xform(&key, RSA_PUBLIC_ONLY, padding, &x);
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	json_array_foreach(json_object_get(group, "tests"), i, test)
	{
		struct rte_crypto_op *op = rig_asym_op(session);
		size_t len;

		bytes_of(test, "msg", &msg);
		bytes_of(test, "sig", &sig);
		len = padding->type == RTE_CRYPTO_RSA_PADDING_PSS
			      ? digest_of(group, &msg, signed_bytes)
			      : digest_info(group, &msg, signed_bytes);
		op->asym->rsa.op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
		op->asym->rsa.message = rig_param(signed_bytes, len);
		op->asym->rsa.sign = rig_param(sig.data, sig.len);
		rsa_op_padding(op, padding);
		case_end(test, rig_do(op) == RTE_CRYPTO_OP_STATUS_SUCCESS, c);
		rig_op_free(op);
	}
	rig_asym_session_free(session);
	EVP_PKEY_free(pkey);
}

static void
pss_group(const json_t *group, struct counts *c)
{
	struct rte_crypto_rsa_padding padding = { .type = RTE_CRYPTO_RSA_PADDING_PSS };

	padding.hash = hash_named(text_of(group, "sha"));
	padding.mgf1hash = hash_named(text_of(group, "mgfSha"));
	padding.pss_saltlen = (uint16_t)json_integer_value(json_object_get(group, "sLen"));
	signature_group(group, c, &padding);
}

static void
pkcs1_signature_group(const json_t *group, struct counts *c)
{
	const struct rte_crypto_rsa_padding padding = { .type = RTE_CRYPTO_RSA_PADDING_PKCS1_5 };

	signature_group(group, c, &padding);
}

#if HAS_EDDSA
static void
eddsa_group(const json_t *group, struct counts *c)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_EDDSA };
	EVP_PKEY *pkey = public_key_of(group);
	struct bytes msg, sig;
	uint8_t public[32];
	size_t i, len = 32;
	json_t *test;
	void *session;

	assert_int_equal(EVP_PKEY_get_raw_public_key(pkey, public, &len), 1);
	x.ec.curve_id = RTE_CRYPTO_EC_GROUP_ED25519;
	x.ec.q.x = rig_param(public, 32);
	session = rig_asym_session(&x, NULL);
	assert_non_null(session);
	json_array_foreach(json_object_get(group, "tests"), i, test)
	{
		struct rte_crypto_op *op = rig_asym_op(session);

		bytes_of(test, "msg", &msg);
		bytes_of(test, "sig", &sig);
		op->asym->eddsa.op_type = RTE_CRYPTO_ASYM_OP_VERIFY;
		op->asym->eddsa.instance = RTE_CRYPTO_EDCURVE_25519;
		op->asym->eddsa.message = rig_param(msg.data, msg.len);
		op->asym->eddsa.sign = rig_param(sig.data, sig.len);
		case_end(test, rig_do(op) == RTE_CRYPTO_OP_STATUS_SUCCESS, c);
		rig_op_free(op);
	}
	rig_asym_session_free(session);
	EVP_PKEY_free(pkey);
}
#endif

#define FILE_TEST(name, file, fn)                                                                  \
	static void name(void **state)                                                             \
	{                                                                                          \
		(void)state;                                                                       \
		file_run(file, fn);                                                                \
	}

FILE_TEST(ecdsa_p256, "ecdsa_secp256r1_sha256_test.json", ecdsa_group)
FILE_TEST(ecdsa_p384, "ecdsa_secp384r1_sha384_test.json", ecdsa_group)
FILE_TEST(ecdh_p256, "ecdh_secp256r1_ecpoint_test.json", ecdh_group)
FILE_TEST(x25519, "x25519_test.json", x25519_group)
FILE_TEST(oaep_sha1, "rsa_oaep_2048_sha1_mgf1sha1_test.json", oaep_group)
FILE_TEST(oaep_sha256, "rsa_oaep_2048_sha256_mgf1sha256_test.json", oaep_group)
FILE_TEST(pkcs1_decryption, "rsa_pkcs1_2048_test.json", pkcs1_group)
FILE_TEST(pss_sha1, "rsa_pss_2048_sha1_mgf1_20_test.json", pss_group)
FILE_TEST(pss_sha256, "rsa_pss_2048_sha256_mgf1_32_test.json", pss_group)
FILE_TEST(signature_2048, "rsa_signature_2048_sha256_test.json", pkcs1_signature_group)
FILE_TEST(signature_3072, "rsa_signature_3072_sha384_test.json", pkcs1_signature_group)
#if HAS_EDDSA
FILE_TEST(ed25519, "ed25519_test.json", eddsa_group)
#endif

static int
setup(void **state)
{
	(void)state;
	rig_up(NULL, 1);
	return 0;
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ecdsa_p256),
		cmocka_unit_test(ecdsa_p384),
		cmocka_unit_test(ecdh_p256),
		cmocka_unit_test(x25519),
		cmocka_unit_test(oaep_sha1),
		cmocka_unit_test(oaep_sha256),
		cmocka_unit_test(pkcs1_decryption),
		cmocka_unit_test(pss_sha1),
		cmocka_unit_test(pss_sha256),
		cmocka_unit_test(signature_2048),
		cmocka_unit_test(signature_3072),
#if HAS_EDDSA
		cmocka_unit_test(ed25519),
#endif
	};
	int ret;

	if (!wycheproof_folder(argc > 1 ? argv[1] : "../shared/vectors", folder, sizeof(folder)))
		return 77;
	rig_eal("mb_wycheproof");
	ret = cmocka_run_group_tests_name("one at a time", tests, setup, rig_teardown);
	/* each case fills a call of eight, crypto_mb's or the fakes' */
	rig_fill_calls(true);
	if (rig_has_library())
		ret += cmocka_run_group_tests_name("eight at a time, by crypto_mb", tests,
						   rig_setup_library, rig_teardown);
	else
		ret += cmocka_run_group_tests_name("eight at a time", tests, rig_setup_eight,
						   rig_teardown_eight);
	rte_eal_cleanup();
	return ret;
}
