/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <string.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "plx_ct.h"
#include "plx_mb.h"
#include "plx_secret.h"

/*
 * What is around the RSA power: PKCS#1 v1.5, PSS and OAEP (RFC 8017) by OpenSSL's functions, with
 * one exception. Decryption with PKCS#1 v1.5 padding never says that the padding was wrong: it
 * gives another message instead, one that depends on key and ciphertext alone
 * (draft-irtf-cfrg-rsa-guidance, implicit rejection; OpenSSL has it from 3.2 on, 3.0 has not). That
 * code has no branch and no index that depends on what was decrypted, but for the length and the
 * place of what it gives out, which the caller learns anyway.
 */

static const struct rte_crypto_rsa_padding *
padding_of(const struct mb_rsa *rsa, const struct rte_crypto_op *op)
{
#if PLX_PMD_RSA_PADDING_IN_SESSION
	(void)op;
	return &rsa->padding;
#else
	(void)rsa;
	return &op->asym->rsa.padding;
#endif
}

static const EVP_MD *
md_of(enum rte_crypto_auth_algorithm hash)
{
	switch ((int)hash) {
	case RTE_CRYPTO_AUTH_SHA1:
		return EVP_sha1();
	case RTE_CRYPTO_AUTH_SHA224:
		return EVP_sha224();
	case RTE_CRYPTO_AUTH_SHA256:
		return EVP_sha256();
	case RTE_CRYPTO_AUTH_SHA384:
		return EVP_sha384();
	case RTE_CRYPTO_AUTH_SHA512:
		return EVP_sha512();
	default:
		return NULL;
	}
}

bool
mb_rsa_label_ok(const struct mb_rsa *rsa, const struct rte_crypto_op *op)
{
	const struct rte_crypto_rsa_padding *pad = padding_of(rsa, op);

	return (int)pad->type != RTE_CRYPTO_RSA_PADDING_OAEP || pad->oaep_label.length == 0 ||
	       mb_param_ok(&pad->oaep_label, MB_LABEL_BYTES);
}

/* The hash of MGF1 is that of the padding when none is given. */
static bool
hashes_of(const struct rte_crypto_rsa_padding *pad, const EVP_MD **md, const EVP_MD **mgf1)
{
	*md = md_of(pad->hash);
	*mgf1 = pad->mgf1hash == RTE_CRYPTO_AUTH_NULL || (int)pad->mgf1hash == 0
			? *md
			: md_of(pad->mgf1hash);
	return *md != NULL && *mgf1 != NULL;
}

static bool
set(struct rte_crypto_op *op, enum rte_crypto_op_status status)
{
	op->status = (uint8_t)status;
	return status == RTE_CRYPTO_OP_STATUS_SUCCESS;
}

static bool
set_if(struct rte_crypto_op *op, bool ok)
{
	return set(op, ok ? RTE_CRYPTO_OP_STATUS_SUCCESS : RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
}

/* A number below the modulus. */
static bool
number_put(const struct mb_rsa *rsa, const rte_crypto_param *p, uint8_t *in)
{
	return p->length > 0 && mb_param_put(p, in, rsa->bytes) &&
	       memcmp(in, rsa->n_bytes, rsa->bytes) < 0;
}

bool
mb_rsa_before_private(const struct mb_rsa *rsa, struct rte_crypto_op *op, uint8_t *in)
{
	const struct rte_crypto_rsa_op_param *p = &op->asym->rsa;
	const struct rte_crypto_rsa_padding *pad = padding_of(rsa, op);
	const EVP_MD *md, *mgf1;
	bool ok = false;

	if (p->op_type == RTE_CRYPTO_ASYM_OP_DECRYPT)
		return set_if(op, number_put(rsa, &p->cipher, in));
	switch ((int)pad->type) {
	case RTE_CRYPTO_RSA_PADDING_NONE:
		ok = number_put(rsa, &p->message, in);
		break;
	case RTE_CRYPTO_RSA_PADDING_PKCS1_5:
		ok = RSA_padding_add_PKCS1_type_1(in, (int)rsa->bytes, p->message.data,
						  (int)p->message.length) == 1;
		break;
	case RTE_CRYPTO_RSA_PADDING_PSS:
		ok = hashes_of(pad, &md, &mgf1) &&
		     p->message.length == (size_t)EVP_MD_get_size(md) &&
		     RSA_padding_add_PKCS1_PSS_mgf1(rsa->rsa, in, p->message.data, md, mgf1,
						    pad->pss_saltlen) == 1;
		break;
	default:
		break;
	}
	if (!ok)
		ERR_clear_error();
	return set_if(op, ok);
}

/* All ones when x is 0. */
static uint32_t
ct_is_zero(uint32_t x)
{
	return 0u - ((~x & (x - 1)) >> 31);
}

/* All ones when a < b; both below 2^31. */
static uint32_t
ct_less(uint32_t a, uint32_t b)
{
	return 0u - ((a - b) >> 31);
}

static uint32_t
ct_pick(uint32_t mask, uint32_t yes, uint32_t no)
{
	return (mask & yes) | (~mask & no);
}

/* HMAC-SHA-256 by the queue pair's own context, which costs a tenth of HMAC() with its look-ups. */
static bool
hmac_key(struct mb_asym_qp *a, const uint8_t *key)
{
	return HMAC_Init_ex(a->hmac, key, 32, a->sha256, NULL) == 1;
}

static bool
hmac(struct mb_asym_qp *a, const uint8_t *text, size_t len, uint8_t *out)
{
	return HMAC_Init_ex(a->hmac, NULL, 0, NULL, NULL) == 1 &&
	       HMAC_Update(a->hmac, text, len) == 1 && HMAC_Final(a->hmac, out, NULL) == 1;
}

/* The draft's IRPRF: blocks of HMAC over a counter, a label and the length in bits. */
static bool
rejection_prf(struct mb_asym_qp *a, const char *label, uint8_t *out, uint32_t len)
{
	uint8_t block[32] = { 0 }, text[16];
	size_t nb_label = strlen(label);
	uint32_t done, i;
	bool ok = true;

	for (done = 0, i = 0; ok && done < len; done += sizeof(block), i++) {
		text[0] = (uint8_t)(i >> 8);
		text[1] = (uint8_t)i;
		memcpy(&text[2], label, nb_label); /* NOLINT: no string, its length is known */
		text[2 + nb_label] = (uint8_t)(len * 8 >> 8);
		text[3 + nb_label] = (uint8_t)(len * 8);
		ok = hmac(a, text, nb_label + 4, block);
		memcpy(out + done, block, RTE_MIN(len - done, (uint32_t)sizeof(block)));
	}
	OPENSSL_cleanse(block, sizeof(block));
	return ok;
}

/* The message that stands for wrong padding: bytes of the modulus' size, and its length. */
static bool
rejection_make(struct mb_asym_qp *a, const struct mb_rsa *rsa, const uint8_t *cipher,
	       uint8_t *message, uint32_t *len)
{
	const uint32_t longest = rsa->bytes - 11;
	uint8_t key[32], lengths[256] = { 0 };
	uint32_t mask = longest, candidate, i;
	bool ok;

	for (i = 1; i < 32; i *= 2)
		mask |= mask >> i;
	ok = hmac_key(a, rsa->rejection_key) && hmac(a, cipher, rsa->bytes, key) &&
	     hmac_key(a, key) && rejection_prf(a, "length", lengths, sizeof(lengths)) &&
	     rejection_prf(a, "message", message, rsa->bytes);
	/* the context keeps no key that a message could be made of */
	OPENSSL_cleanse(key, sizeof(key));
	ok = hmac_key(a, key) && ok;
	*len = 0;
	for (i = 0; i < sizeof(lengths); i += 2) {
		candidate = ((uint32_t)lengths[i] << 8 | lengths[i + 1]) & mask;
		*len = ct_pick(ct_less(candidate, longest + 1), candidate, *len);
	}
	OPENSSL_cleanse(lengths, sizeof(lengths));
	return ok;
}

/* RFC 8017 7.2.2: 00 02, at least eight bytes that are not 0, 00, message. All ones when it is so;
 * *at is where the message begins. */
static uint32_t
type_2_find(const uint8_t *em, uint32_t nb, uint32_t *at)
{
	uint32_t good = ct_is_zero(em[0]) & ct_is_zero(em[1] ^ 2u);
	uint32_t seen = 0, zero = 0, i, here;

	for (i = 2; i < nb; i++) {
		here = ct_is_zero(em[i]);
		zero = ct_pick(~seen & here, i, zero);
		seen |= here;
	}
	good &= seen & ~ct_less(zero, 2 + 8);
	*at = zero + 1;
	return good;
}

static bool
decrypt_type_2(struct mb_asym_qp *a, const struct mb_rsa *rsa, struct rte_crypto_op *op,
	       const uint8_t *cipher, const uint8_t *em)
{
	rte_crypto_param *message = &op->asym->rsa.message;
	uint8_t other[MB_RSA_BYTES];
	uint32_t other_len, good, at, i;

	if (rsa->bytes < 11)
		return false;
	if (!rejection_make(a, rsa, cipher, other, &other_len)) {
		OPENSSL_cleanse(other, sizeof(other));
		return false;
	}
	good = type_2_find(em, rsa->bytes, &at);
	/* the other message stands at the end of its bytes, as this one does */
	at = ct_pick(good, at, rsa->bytes - other_len);
	plx_ct_public(&at, sizeof(at));
	for (i = at; i < rsa->bytes; i++)
		message->data[i - at] = (uint8_t)ct_pick(good, em[i], other[i]);
	message->length = rsa->bytes - at;
	OPENSSL_cleanse(other, sizeof(other));
	return true;
}

/* RFC 5246 7.4.7.1: 48 bytes that begin with the version the client offered, or random ones. */
static bool
decrypt_premaster(const struct mb_rsa *rsa, struct rte_crypto_op *op, const uint8_t *em)
{
	rte_crypto_param *message = &op->asym->rsa.message;
	uint8_t random[48];
	uint32_t good, at, i, from;

	if (rsa->bytes < 48 + 11 || RAND_priv_bytes(random, sizeof(random)) != 1)
		return false;
	from = rsa->bytes - 48;
	good = type_2_find(em, rsa->bytes, &at) & ct_is_zero(at ^ from);
	good &= ct_is_zero((uint32_t)(em[from] ^ message->data[0]));
	good &= ct_is_zero((uint32_t)(em[from + 1] ^ message->data[1]));
	for (i = 0; i < 48; i++)
		message->data[i] = (uint8_t)ct_pick(good, em[from + i], random[i]);
	message->length = 48;
	OPENSSL_cleanse(random, sizeof(random));
	return true;
}

static bool
decrypt_oaep(const struct mb_rsa *rsa, const struct rte_crypto_rsa_padding *pad,
	     struct rte_crypto_op *op, const uint8_t *em)
{
	rte_crypto_param *message = &op->asym->rsa.message;
	const EVP_MD *md, *mgf1;
	int n;

	if (!hashes_of(pad, &md, &mgf1))
		return false;
	n = RSA_padding_check_PKCS1_OAEP_mgf1(message->data, (int)rsa->bytes, em, (int)rsa->bytes,
					      (int)rsa->bytes, pad->oaep_label.data,
					      (int)pad->oaep_label.length, md, mgf1);
	if (n < 0)
		return false;
	message->length = (size_t)n;
	return true;
}

static void
decrypt_finish(struct mb_asym_qp *a, const struct mb_rsa *rsa, struct rte_crypto_op *op,
	       const uint8_t *cipher, const uint8_t *em)
{
	const struct rte_crypto_rsa_padding *pad = padding_of(rsa, op);
	rte_crypto_param *message = &op->asym->rsa.message;
	bool ok = true;

	switch ((int)pad->type) {
	case RTE_CRYPTO_RSA_PADDING_NONE:
		memcpy(message->data, em, rsa->bytes);
		message->length = rsa->bytes;
		break;
	case RTE_CRYPTO_RSA_PADDING_PKCS1_5:
		ok = (op->asym->flags & PLX_MB_ASYM_FLAG_TLS_PREMASTER) != 0
			     ? decrypt_premaster(rsa, op, em)
			     : decrypt_type_2(a, rsa, op, cipher, em);
		break;
	case RTE_CRYPTO_RSA_PADDING_OAEP:
		ok = decrypt_oaep(rsa, pad, op, em);
		break;
	default:
		set_if(op, false);
		return;
	}
	if (!ok)
		ERR_clear_error();
	set(op, ok ? RTE_CRYPTO_OP_STATUS_SUCCESS : RTE_CRYPTO_OP_STATUS_ERROR);
}

void
mb_rsa_after_private(struct mb_asym_qp *a, const struct mb_rsa *rsa, struct rte_crypto_op *op,
		     const uint8_t *in, uint8_t *out)
{
	struct rte_crypto_rsa_op_param *p = &op->asym->rsa;

	if (p->op_type == RTE_CRYPTO_ASYM_OP_SIGN) {
		memcpy(p->sign.data, out, rsa->bytes);
		p->sign.length = rsa->bytes;
		set(op, RTE_CRYPTO_OP_STATUS_SUCCESS);
		return;
	}
	decrypt_finish(a, rsa, op, in, out);
	OPENSSL_cleanse(out, rsa->bytes);
}

static bool
encrypt_pad(const struct mb_rsa *rsa, const struct rte_crypto_rsa_padding *pad,
	    const rte_crypto_param *message, uint8_t *in)
{
	const uint8_t *from = message->length > 0 ? message->data : (const uint8_t *)"";
	const EVP_MD *md, *mgf1;

	switch ((int)pad->type) {
	case RTE_CRYPTO_RSA_PADDING_NONE:
		return number_put(rsa, message, in);
	case RTE_CRYPTO_RSA_PADDING_PKCS1_5:
		return RSA_padding_add_PKCS1_type_2(in, (int)rsa->bytes, from,
						    (int)message->length) == 1;
	case RTE_CRYPTO_RSA_PADDING_OAEP:
		return hashes_of(pad, &md, &mgf1) &&
		       RSA_padding_add_PKCS1_OAEP_mgf1(in, (int)rsa->bytes, from,
						       (int)message->length, pad->oaep_label.data,
						       (int)pad->oaep_label.length, md, mgf1) == 1;
	default:
		return false;
	}
}

bool
mb_rsa_before_public(const struct mb_rsa *rsa, struct rte_crypto_op *op, uint8_t *in)
{
	const struct rte_crypto_rsa_op_param *p = &op->asym->rsa;
	bool ok;

	if (p->op_type == RTE_CRYPTO_ASYM_OP_ENCRYPT) {
		ok = encrypt_pad(rsa, padding_of(rsa, op), &p->message, in);
		if (!ok)
			ERR_clear_error();
		return set_if(op, ok);
	}
	/* RFC 8017 8.1.2 and 8.2.2: as long as the modulus, and below it; else it is no signature
	 */
	if (p->sign.length != rsa->bytes || !number_put(rsa, &p->sign, in))
		return set(op, RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	return set(op, RTE_CRYPTO_OP_STATUS_SUCCESS);
}

/* RFC 8017 8.2.2: the padding is made again and compared whole, nothing in it is parsed. */
static bool
verify_type_1(const struct mb_rsa *rsa, const rte_crypto_param *message, const uint8_t *em)
{
	uint8_t want[MB_RSA_BYTES];

	return RSA_padding_add_PKCS1_type_1(want, (int)rsa->bytes, message->data,
					    (int)message->length) == 1 &&
	       plx_ct_equal(want, em, rsa->bytes);
}

static bool
verify(const struct mb_rsa *rsa, const struct rte_crypto_rsa_padding *pad,
       const rte_crypto_param *message, uint8_t *em)
{
	uint8_t want[MB_RSA_BYTES];
	const EVP_MD *md, *mgf1;

	switch ((int)pad->type) {
	case RTE_CRYPTO_RSA_PADDING_NONE:
		return mb_param_put(message, want, rsa->bytes) &&
		       plx_ct_equal(want, em, rsa->bytes);
	case RTE_CRYPTO_RSA_PADDING_PKCS1_5:
		return verify_type_1(rsa, message, em);
	case RTE_CRYPTO_RSA_PADDING_PSS:
		return hashes_of(pad, &md, &mgf1) &&
		       message->length == (size_t)EVP_MD_get_size(md) &&
		       RSA_verify_PKCS1_PSS_mgf1(rsa->rsa, message->data, md, mgf1, em,
						 pad->pss_saltlen) == 1;
	default:
		return false;
	}
}

void
mb_rsa_after_public(const struct mb_rsa *rsa, struct rte_crypto_op *op, uint8_t *out)
{
	struct rte_crypto_rsa_op_param *p = &op->asym->rsa;
	bool ok;

	if (p->op_type == RTE_CRYPTO_ASYM_OP_ENCRYPT) {
		memcpy(p->cipher.data, out, rsa->bytes);
		p->cipher.length = rsa->bytes;
		set(op, RTE_CRYPTO_OP_STATUS_SUCCESS);
		return;
	}
	ok = verify(rsa, padding_of(rsa, op), &p->message, out);
	if (!ok)
		ERR_clear_error();
	set(op, ok ? RTE_CRYPTO_OP_STATUS_SUCCESS : RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
}
