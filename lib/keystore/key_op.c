/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_key_op.h"

#include <errno.h>
#include <string.h>

#include "keystore_priv.h"
#include "rsa_compat.h"

/*
 * RSA ops. The room is two moduli long: the first half is what goes to the device, the second what
 * comes back.
 *
 *   SIGN     first half EM (RFC 8017 9.2), op SIGN without padding, second half the signature
 *   VERIFY   first half the signature, op ENCRYPT without padding, second half must equal EM
 *   ENCRYPT  first half the message, PKCS#1 padding by the device
 *   DECRYPT  first half the ciphertext, PKCS#1 padding by the device
 *
 * VERIFY compares the whole encoding (RFC 8017 8.2.2), so nothing is parsed that a forger could
 * shape. The comparison and all lengths concern public values; constant time is not needed here.
 */

#define PAD_MIN_BYTES     11 /* 00 01, eight of ff, 00 */
#define DIGEST_INFO_BYTES 19 /* the longest in front of a digest */

/* RFC 8017 9.2 note 1 and NIST's arc for SHA-3: all but SHA-1 differ in two lengths and the last
 * arc. */
static size_t
digest_info(const struct plx_alg *hash, uint8_t out[DIGEST_INFO_BYTES])
{
	static const uint8_t sha1[] = { 0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e,
					0x03, 0x02, 0x1a, 0x05, 0x00, 0x04, 0x14 };
	static const uint8_t nist[] = { 0x30, 0x00, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01,
					0x65, 0x03, 0x04, 0x02, 0x00, 0x05, 0x00, 0x04, 0x00 };
	static const struct {
		const char *name;
		uint8_t arc;
	} arcs[] = {
		{ "sha256", 1 },   { "sha384", 2 },   { "sha512", 3 },   { "sha224", 4 },
		{ "sha3-224", 7 }, { "sha3-256", 8 }, { "sha3-384", 9 }, { "sha3-512", 10 },
	};
	size_t i;

	if (strcmp(hash->name, "sha1") == 0) {
		memcpy(out, sha1, sizeof(sha1));
		return sizeof(sha1);
	}
	for (i = 0; i < PLX_ARRAY_SIZE(arcs); i++) {
		if (strcmp(hash->name, arcs[i].name) != 0)
			continue;
		memcpy(out, nist, sizeof(nist));
		out[1] = (uint8_t)(sizeof(nist) - 2 + hash->tag_default_bytes);
		out[14] = arcs[i].arc;
		out[18] = (uint8_t)hash->tag_default_bytes;
		return sizeof(nist);
	}
	return 0;
}

/* The bytes that stand in front of the digest: 00 01 ff.. 00 and the DigestInfo. */
struct encoding {
	uint8_t info[DIGEST_INFO_BYTES];
	size_t info_bytes;
	size_t nb_ff;
};

static int
encoding_make(const struct plx_key_rsa *rsa, size_t k, struct encoding *enc, struct plx_err *err)
{
	size_t used;

	enc->info_bytes = 0;
	if (rsa->hash != NULL) {
		enc->info_bytes = digest_info(rsa->hash, enc->info);
		if (enc->info_bytes == 0)
			return plx_err_set(
				err, -EINVAL,
				"RSA signatures of PKCS#1 are not defined with %s; SHA-1, SHA-2 and "
				"SHA-3 can be used",
				rsa->hash->name);
		if (rsa->in_bytes != rsa->hash->tag_default_bytes)
			return plx_err_set(err, -EINVAL, "a digest of %s has %u bytes, not %zu",
					   rsa->hash->name, rsa->hash->tag_default_bytes,
					   rsa->in_bytes);
	}
	if (rsa->in_bytes > k - PAD_MIN_BYTES)
		return plx_err_set(
			err, -EINVAL,
			"this key signs up to %zu bytes; sign the digest of longer ones, not %zu "
			"bytes",
			k - PAD_MIN_BYTES, rsa->in_bytes);
	used = enc->info_bytes + rsa->in_bytes;
	enc->nb_ff = k - used - 3;
	return 0;
}

/* RFC 8017 9.2: EM = 00 01 PS 00 T */
static void
encoding_write(const struct encoding *enc, const struct plx_key_rsa *rsa, uint8_t *em)
{
	em[0] = 0;
	em[1] = 1;
	memset(em + 2, 0xff, enc->nb_ff);
	em[2 + enc->nb_ff] = 0;
	memcpy(em + 3 + enc->nb_ff, enc->info, enc->info_bytes);
	if (rsa->in_bytes != 0)
		memcpy(em + 3 + enc->nb_ff + enc->info_bytes, rsa->in, rsa->in_bytes);
}

static const struct key_session *
rsa_session(const struct plx_session *s)
{
	const struct key_session *e = s == NULL ? NULL : s->front;

	return e != NULL && e->s == s && e->n_bytes != 0 ? e : NULL;
}

size_t
plx_key_rsa_bytes(const struct plx_session *s)
{
	const struct key_session *e = rsa_session(s);

	return e == NULL ? 0 : e->n_bytes;
}

size_t
plx_key_rsa_room(const struct plx_session *s)
{
	return plx_key_rsa_bytes(s) * 2;
}

/* RFC 8017 5.1.2, 5.2.2: a representative is below the modulus, in exactly its length. */
static int
check_below_modulus(const struct key_session *e, const uint8_t *bytes, size_t len, const char *what,
		    struct plx_err *err)
{
	if (len != e->n_bytes)
		return plx_err_set(err, -EBADMSG, "the %s has %zu bytes, one by this key has %zu",
				   what, len, e->n_bytes);
	if (memcmp(bytes, e->n, len) >= 0)
		return plx_err_set(err, -EBADMSG,
				   "the %s is not one by this key: it is no smaller than "
				   "the modulus",
				   what);
	return 0;
}

static void
param_set(rte_crypto_param *param, const struct plx_key_rsa *rsa, size_t offset, size_t len)
{
	param->data = rsa->room + offset;
	param->iova = rsa->room_iova + offset;
	param->length = len;
}

static int
prepare_sign(const struct key_session *e, const struct plx_key_rsa *rsa,
	     struct rte_crypto_rsa_op_param *p, struct plx_err *err)
{
	struct encoding enc;
	int ret;

	ret = encoding_make(rsa, e->n_bytes, &enc, err);
	if (ret < 0)
		return ret;
	encoding_write(&enc, rsa, rsa->room);
	p->op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	rsa_compat_op_padding(p, RTE_CRYPTO_RSA_PADDING_NONE);
	param_set(&p->message, rsa, 0, e->n_bytes);
	param_set(&p->sign, rsa, e->n_bytes, 0);
	return 0;
}

static int
prepare_verify(const struct key_session *e, const struct plx_key_rsa *rsa,
	       struct rte_crypto_rsa_op_param *p, struct plx_err *err)
{
	struct encoding enc;
	int ret;

	ret = encoding_make(rsa, e->n_bytes, &enc, err);
	if (ret == 0)
		ret = check_below_modulus(e, rsa->signature, rsa->signature_bytes, "signature",
					  err);
	if (ret < 0)
		return ret;
	memcpy(rsa->room, rsa->signature, e->n_bytes);
	p->op_type = RTE_CRYPTO_ASYM_OP_ENCRYPT;
	rsa_compat_op_padding(p, RTE_CRYPTO_RSA_PADDING_NONE);
	param_set(&p->message, rsa, 0, e->n_bytes);
	param_set(&p->cipher, rsa, e->n_bytes, 0);
	return 0;
}

static int
prepare_encrypt(const struct key_session *e, const struct plx_key_rsa *rsa,
		struct rte_crypto_rsa_op_param *p, struct plx_err *err)
{
	if (rsa->in_bytes > e->n_bytes - PAD_MIN_BYTES)
		return plx_err_set(err, -EINVAL, "this key encrypts up to %zu bytes, not %zu",
				   e->n_bytes - PAD_MIN_BYTES, rsa->in_bytes);
	if (rsa->in_bytes != 0)
		memcpy(rsa->room, rsa->in, rsa->in_bytes);
	p->op_type = RTE_CRYPTO_ASYM_OP_ENCRYPT;
	rsa_compat_op_padding(p, RTE_CRYPTO_RSA_PADDING_PKCS1_5);
	param_set(&p->message, rsa, 0, rsa->in_bytes);
	param_set(&p->cipher, rsa, e->n_bytes, 0);
	return 0;
}

static int
prepare_decrypt(const struct key_session *e, const struct plx_key_rsa *rsa,
		struct rte_crypto_rsa_op_param *p, struct plx_err *err)
{
	int ret;

	ret = check_below_modulus(e, rsa->in, rsa->in_bytes, "ciphertext", err);
	if (ret < 0)
		return ret;
	memcpy(rsa->room, rsa->in, e->n_bytes);
	p->op_type = RTE_CRYPTO_ASYM_OP_DECRYPT;
	rsa_compat_op_padding(p, RTE_CRYPTO_RSA_PADDING_PKCS1_5);
	param_set(&p->cipher, rsa, 0, e->n_bytes);
	param_set(&p->message, rsa, e->n_bytes, 0);
	return 0;
}

int
plx_key_rsa_prepare(struct plx_session *s, struct rte_crypto_op *op, const struct plx_key_rsa *rsa,
		    struct plx_err *err)
{
	const struct key_session *e = rsa_session(s);
	struct rte_crypto_rsa_op_param *p = &op->asym->rsa;
	int ret;

	if (e == NULL)
		return plx_err_set(err, -EINVAL, "the session is not one of an RSA key");
	if (rsa->size < sizeof(*rsa))
		return plx_err_set(err, -EINVAL,
				   "the RSA operation is %zu bytes of %zu: set its size", rsa->size,
				   sizeof(*rsa));

	memset(op->asym, 0, sizeof(*op->asym));
	if (e->shape.op == PLX_OP_SIGN)
		ret = prepare_sign(e, rsa, p, err);
	else if (e->shape.op == PLX_OP_VERIFY)
		ret = prepare_verify(e, rsa, p, err);
	else if (e->shape.op == PLX_OP_ENCRYPT)
		ret = prepare_encrypt(e, rsa, p, err);
	else
		ret = prepare_decrypt(e, rsa, p, err);
	if (ret < 0)
		return ret;

	op->type = RTE_CRYPTO_OP_TYPE_ASYMMETRIC;
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	plx_session_attach(op, s);
	return 0;
}

/* Does the recovered encoding equal the one the message has? */
static bool
verify_equal(const struct key_session *e, const struct plx_key_rsa *rsa)
{
	const uint8_t *em = rsa->room + e->n_bytes;
	struct encoding enc;
	size_t i;

	if (encoding_make(rsa, e->n_bytes, &enc, NULL) < 0)
		return false;
	if (em[0] != 0 || em[1] != 1 || em[2 + enc.nb_ff] != 0)
		return false;
	for (i = 0; i < enc.nb_ff; i++) {
		if (em[2 + i] != 0xff)
			return false;
	}
	em += 3 + enc.nb_ff;
	return plx_ct_equal(em, enc.info, enc.info_bytes) &&
	       plx_ct_equal(em + enc.info_bytes, rsa->in, rsa->in_bytes);
}

int
plx_key_rsa_finish(const struct plx_session *s, const struct rte_crypto_op *op,
		   const struct plx_key_rsa *rsa, const uint8_t **out, size_t *out_bytes)
{
	const struct key_session *e = rsa_session(s);
	const struct rte_crypto_rsa_op_param *p = &op->asym->rsa;
	size_t len;

	if (e == NULL || op->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
		return -EIO;

	if (e->shape.op == PLX_OP_SIGN)
		len = p->sign.length;
	else if (e->shape.op == PLX_OP_DECRYPT)
		len = p->message.length;
	else
		len = p->cipher.length;
	if (e->shape.op == PLX_OP_DECRYPT ? len > e->n_bytes - PAD_MIN_BYTES : len != e->n_bytes)
		return -EIO;

	if (out != NULL) {
		*out = e->shape.op == PLX_OP_VERIFY ? NULL : rsa->room + e->n_bytes;
		*out_bytes = e->shape.op == PLX_OP_VERIFY ? 0 : len;
	}
	if (e->shape.op == PLX_OP_VERIFY && !verify_equal(e, rsa))
		return -EBADMSG;
	return 0;
}
