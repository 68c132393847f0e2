/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_fault_priv.h"

#include <rte_mbuf.h>

/*
 * Change one bit of an operation's output. Where the output is follows from the session: an
 * operation of its own does not say which of its fields count. Operations without output (a
 * verification) and without a session stay as they are.
 */

static void
cipher_shape(struct fault_sym_sess *shape, enum rte_crypto_cipher_algorithm algo)
{
	shape->has_data = algo != RTE_CRYPTO_CIPHER_NULL;
	shape->is_in_bits = algo == RTE_CRYPTO_CIPHER_SNOW3G_UEA2 ||
			    algo == RTE_CRYPTO_CIPHER_KASUMI_F8 ||
			    algo == RTE_CRYPTO_CIPHER_ZUC_EEA3;
}

void
fault_sym_sess_shape(struct fault_sym_sess *shape, const struct rte_crypto_sym_xform *xform)
{
	for (; xform != NULL; xform = xform->next) {
		if (xform->type == RTE_CRYPTO_SYM_XFORM_CIPHER) {
			cipher_shape(shape, xform->cipher.algo);
		} else if (xform->type == RTE_CRYPTO_SYM_XFORM_AEAD) {
			shape->has_data = true;
			shape->is_aead = true;
			if (xform->aead.op == RTE_CRYPTO_AEAD_OP_ENCRYPT)
				shape->digest_bytes = xform->aead.digest_length;
		} else if (xform->type == RTE_CRYPTO_SYM_XFORM_AUTH) {
			if (xform->auth.op == RTE_CRYPTO_AUTH_OP_GENERATE)
				shape->digest_bytes = xform->auth.digest_length;
		}
	}
}

static void
bit_flip(uint8_t *byte, uint64_t random)
{
	*byte = (uint8_t)(*byte ^ (1u << (random >> 61)));
}

static bool
mbuf_flip(struct rte_mbuf *m, uint32_t offset, uint64_t random)
{
	while (m != NULL && offset >= rte_pktmbuf_data_len(m)) {
		offset -= rte_pktmbuf_data_len(m);
		m = m->next;
	}
	if (m == NULL)
		return false;
	bit_flip(rte_pktmbuf_mtod_offset(m, uint8_t *, offset), random);
	return true;
}

static bool
sym_damage(struct rte_crypto_op *op, uint64_t random)
{
	const struct fault_sym_sess *shape = PLX_PMD_SYM_PRIV(op->sym->session);
	struct rte_mbuf *m = op->sym->m_dst != NULL ? op->sym->m_dst : op->sym->m_src;
	uint32_t offset = shape->is_aead ? op->sym->aead.data.offset : op->sym->cipher.data.offset;
	uint32_t length = shape->is_aead ? op->sym->aead.data.length : op->sym->cipher.data.length;
	uint8_t *digest = shape->is_aead ? op->sym->aead.digest.data : op->sym->auth.digest.data;

	if (shape->is_in_bits) {
		offset /= 8;
		length /= 8;
	}
	if (shape->has_data && length > 0)
		return mbuf_flip(m, offset + (uint32_t)(random % length), random);
	if (shape->digest_bytes == 0 || digest == NULL)
		return false;
	bit_flip(&digest[random % shape->digest_bytes], random);
	return true;
}

/* Output of operations that name what they do by an op_type. */
static rte_crypto_param *
typed_output(enum rte_crypto_asym_op_type type, rte_crypto_param *encrypt,
	     rte_crypto_param *decrypt, rte_crypto_param *sign)
{
	if (type == RTE_CRYPTO_ASYM_OP_ENCRYPT)
		return encrypt;
	if (type == RTE_CRYPTO_ASYM_OP_DECRYPT)
		return decrypt;
	return type == RTE_CRYPTO_ASYM_OP_SIGN ? sign : NULL;
}

static rte_crypto_param *
key_output(enum rte_crypto_asym_ke_type type, rte_crypto_param *private, rte_crypto_param *public,
	   rte_crypto_param *secret)
{
	if (type == RTE_CRYPTO_ASYM_KE_PRIV_KEY_GENERATE)
		return private;
	if (type == RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE)
		return public;
	return type == RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE ? secret : NULL;
}

static rte_crypto_param *
asym_output(struct rte_crypto_asym_op *op, enum rte_crypto_asym_xform_type type)
{
	switch ((int)type) { /* the list of types grows with DPDK */
	case RTE_CRYPTO_ASYM_XFORM_RSA:
		return typed_output(op->rsa.op_type, &op->rsa.cipher, &op->rsa.message,
				    &op->rsa.sign);
	case RTE_CRYPTO_ASYM_XFORM_MODEX:
		return &op->modex.result;
	case RTE_CRYPTO_ASYM_XFORM_MODINV:
		return &op->modinv.result;
	case RTE_CRYPTO_ASYM_XFORM_DH:
		return key_output(op->dh.ke_type, &op->dh.priv_key, &op->dh.pub_key,
				  &op->dh.shared_secret);
	case RTE_CRYPTO_ASYM_XFORM_ECDH:
		return key_output(op->ecdh.ke_type, &op->ecdh.priv_key, &op->ecdh.pub_key.x,
				  &op->ecdh.shared_secret.x);
	case RTE_CRYPTO_ASYM_XFORM_DSA:
		return typed_output(op->dsa.op_type, NULL, NULL, &op->dsa.r);
	case RTE_CRYPTO_ASYM_XFORM_ECDSA:
		return typed_output(op->ecdsa.op_type, NULL, NULL, &op->ecdsa.r);
	case RTE_CRYPTO_ASYM_XFORM_ECPM:
	case RTE_CRYPTO_ASYM_XFORM_ECFPM:
		return &op->ecpm.r.x;
#if PLX_PMD_HAS_SM2
	case RTE_CRYPTO_ASYM_XFORM_SM2:
		return typed_output(op->sm2.op_type, &op->sm2.cipher, &op->sm2.message, &op->sm2.r);
#endif
#if PLX_PMD_HAS_EDDSA
	case RTE_CRYPTO_ASYM_XFORM_EDDSA:
		return typed_output(op->eddsa.op_type, NULL, NULL, &op->eddsa.sign);
#endif
	default:
		return NULL;
	}
}

static bool
asym_damage(struct rte_crypto_op *op, uint64_t random)
{
	const struct fault_asym_sess *sess = PLX_PMD_ASYM_PRIV(op->asym->session);
	rte_crypto_param *out = asym_output(op->asym, sess->type);

	if (out == NULL || out->data == NULL || out->length == 0)
		return false;
	bit_flip(&out->data[random % out->length], random);
	return true;
}

bool
fault_damage(struct rte_crypto_op *op, uint64_t random)
{
	if (op->sess_type != RTE_CRYPTO_OP_WITH_SESSION)
		return false;
	if (op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC)
		return sym_damage(op, random);
	return op->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC && asym_damage(op, random);
}
