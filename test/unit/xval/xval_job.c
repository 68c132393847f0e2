/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_cryptodev.h>

#include "xval_priv.h"

/*
 * From a vector to a session and an op, and back. Buffers are filled so that a byte too far or one
 * that was not written shows: what an op has to write starts as 0xa5, and behind data and digest
 * stand bytes that must not change.
 */

#define UNWRITTEN   0xa5
#define CANARY_BYTE 0x5a

static bool
is_ccm(const struct plx_alg *alg)
{
	return alg->kind == PLX_ALG_KIND_AEAD && alg->rte_algo == RTE_CRYPTO_AEAD_AES_CCM;
}

static const struct xval_bytes *
input_of(const struct xval_job *job)
{
	return job->is_forward || job->vec->alg->kind >= PLX_ALG_KIND_HASH ? &job->vec->plain
									   : &job->vec->cipher;
}

/* NULL when the op writes no data. */
static const struct xval_bytes *
output_of(const struct xval_job *job)
{
	if (job->vec->alg->kind >= PLX_ALG_KIND_HASH)
		return NULL;
	return job->is_forward ? &job->vec->cipher : &job->vec->plain;
}

static void
xform_make(const struct xval_job *job, struct rte_crypto_sym_xform *x)
{
	const struct xval_vec *v = job->vec;
	const struct plx_alg *alg = v->alg;

	memset(x, 0, sizeof(*x));
	x->type = (enum rte_crypto_sym_xform_type)alg->rte_type;
	switch (alg->kind) {
	case PLX_ALG_KIND_CIPHER:
		x->cipher.op = job->is_forward ? RTE_CRYPTO_CIPHER_OP_ENCRYPT
					       : RTE_CRYPTO_CIPHER_OP_DECRYPT;
		x->cipher.algo = (enum rte_crypto_cipher_algorithm)alg->rte_algo;
		x->cipher.key.data = v->key.data;
		x->cipher.key.length = (uint16_t)v->key.len;
		x->cipher.iv.offset = XVAL_IV_OFFSET;
		x->cipher.iv.length = (uint16_t)v->iv.len;
		break;
	case PLX_ALG_KIND_AEAD:
		x->aead.op =
			job->is_forward ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT;
		x->aead.algo = (enum rte_crypto_aead_algorithm)alg->rte_algo;
		x->aead.key.data = v->key.data;
		x->aead.key.length = (uint16_t)v->key.len;
		x->aead.iv.offset = XVAL_IV_OFFSET;
		x->aead.iv.length = (uint16_t)v->iv.len;
		x->aead.digest_length = (uint16_t)v->tag.len;
		x->aead.aad_length = (uint16_t)v->aad.len;
		break;
	case PLX_ALG_KIND_HASH:
	case PLX_ALG_KIND_MAC:
		x->auth.op =
			job->is_forward ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY;
		x->auth.algo = (enum rte_crypto_auth_algorithm)alg->rte_algo;
		x->auth.key.data = v->key.data;
		x->auth.key.length = (uint16_t)v->key.len;
		x->auth.iv.offset = XVAL_IV_OFFSET;
		x->auth.iv.length = (uint16_t)v->iv.len;
		x->auth.digest_length = (uint16_t)v->tag.len;
		break;
	case PLX_ALG_KIND_ASYM:
	case PLX_ALG_KIND_RANDOM:
	default:
		fail_msg("%s: not symmetric", v->name);
	}
}

void
xval_job_session(struct xval *x, struct xval_job *job)
{
	struct rte_crypto_sym_xform xform;
	struct plx_err err = { "" };
	int ret;

	job->session = NULL;
	xform_make(job, &xform);
	ret = plx_session_create_sym(x->bed.devs, &xform, &job->session, &err);
	if (ret < 0 && ret != -ENOTSUP)
		fail_msg("%s: session: %d, %s", job->vec->name, ret, err.text);
}

static void
chain_free(struct rte_crypto_op *op)
{
	rte_pktmbuf_free(op->sym->m_src);
	if (op->sym->m_dst != op->sym->m_src)
		rte_pktmbuf_free(op->sym->m_dst);
	rte_crypto_op_free(op);
}

/* One buffer of len bytes with canaries behind them. */
static struct rte_mbuf *
buffer_make(struct xval *x, const uint8_t *data, size_t len)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(x->mbufs);
	uint8_t *to;

	assert_non_null(m);
	to = (uint8_t *)rte_pktmbuf_append(m, (uint16_t)(len + XVAL_CANARY));
	assert_non_null(to);
	if (data != NULL)
		memcpy(to, data, len);
	else
		memset(to, UNWRITTEN, len);
	memset(to + len, CANARY_BYTE, XVAL_CANARY);
	assert_int_equal(rte_pktmbuf_trim(m, XVAL_CANARY), 0);
	return m;
}

static struct rte_mbuf *
chain_make(struct xval *x, const struct xval_bytes *in)
{
	size_t first = in->len / 2;
	struct rte_mbuf *head = buffer_make(x, in->data, first);

	assert_int_equal(rte_pktmbuf_chain(head, buffer_make(x, in->data + first, in->len - first)),
			 0);
	return head;
}

/*
 * What stock drivers cannot do with data in two segments though their feature flags say they can:
 * crypto_openssl refuses an AEAD or GMAC op with a chained destination and a CCM op with any chain;
 * crypto_aesni_mb puts tags of all but GCM and ChaCha20-Poly1305 behind the data instead of where
 * the op says, and reports success.
 */
static bool
chain_is_broken(const struct plx_device *dev, const struct plx_alg *alg, bool is_in_place)
{
	bool is_aead = alg->kind == PLX_ALG_KIND_AEAD;
	bool is_auth = alg->kind == PLX_ALG_KIND_HASH || alg->kind == PLX_ALG_KIND_MAC;

	if (strcmp(dev->driver, "crypto_openssl") == 0)
		return is_ccm(alg) ||
		       (is_in_place &&
			(is_aead || (is_auth && alg->rte_algo == RTE_CRYPTO_AUTH_AES_GMAC)));
	return dev->chains_broken;
}

/* Source and destination; false when the device does not take the shape. */
static bool
buffers_make(struct xval *x, struct xval_job *job, const struct plx_device *dev,
	     enum xval_shape shape)
{
	const struct xval_bytes *in = input_of(job);
	struct rte_crypto_sym_op *sym = job->op->sym;
	bool is_in_place = shape != XVAL_SPLIT_OUT || output_of(job) == NULL;

	assert_true(in->len + XVAL_CANARY <= XVAL_DATA_MAX);
	sym->m_dst = NULL;
	if (shape != XVAL_SPLIT && shape != XVAL_SPLIT_OUT) {
		sym->m_src = buffer_make(x, in->data, in->len);
		return true;
	}
	if (in->len < 2 || chain_is_broken(dev, job->vec->alg, is_in_place) ||
	    (dev->feature_flags & (is_in_place ? RTE_CRYPTODEV_FF_IN_PLACE_SGL
					       : RTE_CRYPTODEV_FF_OOP_SGL_IN_LB_OUT)) == 0)
		return false;
	sym->m_src = chain_make(x, in);
	if (!is_in_place)
		sym->m_dst = buffer_make(x, NULL, in->len);
	return true;
}

static void
room_fill(struct xval_job *job)
{
	const struct xval_vec *v = job->vec;
	uint8_t *tag = job->room + XVAL_ROOM_TAG;
	uint8_t *aad = job->room + (is_ccm(v->alg) ? XVAL_CCM_AAD_SKIP : 0);

	assert_true(v->aad.len <= XVAL_AAD_MAX && v->tag.len <= 64 && v->iv.len < XVAL_IV_MAX);
	memset(job->room, 0, XVAL_ROOM);
	if (v->aad.len > 0)
		memcpy(aad, v->aad.data, v->aad.len);
	memset(tag, CANARY_BYTE, v->tag.len + XVAL_CANARY);
	if (job->is_forward)
		memset(tag, UNWRITTEN, v->tag.len);
	else if (v->tag.len > 0)
		memcpy(tag, v->tag.data, v->tag.len);
}

static void
sym_op_fill(struct xval_job *job)
{
	struct rte_crypto_sym_op *sym = job->op->sym;
	const struct xval_vec *v = job->vec;
	uint32_t len = (uint32_t)input_of(job)->len;
	uint8_t *tag = job->room + XVAL_ROOM_TAG;
	uint8_t *iv = rte_crypto_op_ctod_offset(job->op, uint8_t *, XVAL_IV_OFFSET);

	memset(iv, 0, XVAL_IV_MAX);
	if (v->iv.len > 0)
		memcpy(iv + (is_ccm(v->alg) ? XVAL_CCM_IV_SKIP : 0), v->iv.data, v->iv.len);
	switch (v->alg->kind) {
	case PLX_ALG_KIND_CIPHER:
		sym->cipher.data.offset = 0;
		sym->cipher.data.length = len;
		break;
	case PLX_ALG_KIND_AEAD:
		sym->aead.data.offset = 0;
		sym->aead.data.length = len;
		sym->aead.digest.data = tag;
		sym->aead.digest.phys_addr = rte_mem_virt2iova(tag);
		sym->aead.aad.data = job->room;
		sym->aead.aad.phys_addr = rte_mem_virt2iova(job->room);
		break;
	case PLX_ALG_KIND_HASH:
	case PLX_ALG_KIND_MAC:
	case PLX_ALG_KIND_ASYM:
	case PLX_ALG_KIND_RANDOM:
	default:
		sym->auth.data.offset = 0;
		sym->auth.data.length = len;
		sym->auth.digest.data = tag;
		sym->auth.digest.phys_addr = rte_mem_virt2iova(tag);
		break;
	}
}

bool
xval_job_build(struct xval *x, struct xval_job *job, const struct plx_device *dev,
	       enum xval_shape shape)
{
	job->op = rte_crypto_op_alloc(x->ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	assert_non_null(job->op);
	if (!buffers_make(x, job, dev, shape)) {
		rte_crypto_op_free(job->op);
		job->op = NULL;
		return false;
	}
	job->dev = dev;
	room_fill(job);
	sym_op_fill(job);
	plx_session_attach(job->op, job->session);
	return true;
}

/* The bytes of a chain in one piece; false when a canary behind a segment is gone. */
static bool
chain_read(const struct rte_mbuf *m, uint8_t *out)
{
	bool is_intact = true;

	for (; m != NULL; m = m->next) {
		const uint8_t *from = rte_pktmbuf_mtod(m, const uint8_t *);

		memcpy(out, from, m->data_len);
		out += m->data_len;
		for (size_t i = 0; i < XVAL_CANARY; i++)
			is_intact &= from[m->data_len + i] == CANARY_BYTE;
	}
	return is_intact;
}

static bool
padding_is_good(const uint8_t *plain, size_t len)
{
	uint8_t pad;

	if (len == 0)
		return false;
	pad = plain[len - 1];
	if (pad == 0 || pad > 16 || pad > len)
		return false;
	for (size_t i = 1; i <= pad; i++) {
		if (plain[len - i] != pad)
			return false;
	}
	return true;
}

static const char *
success_complaint(const struct xval_job *job, const uint8_t *data)
{
	const struct xval_bytes *out = output_of(job);
	const uint8_t *tag = job->room + XVAL_ROOM_TAG;

	if (job->op->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
		return "status is not success";
	if (out != NULL && memcmp(data, out->data, out->len) != 0)
		return "wrong data";
	if (job->is_forward && job->vec->tag.len > 0 &&
	    memcmp(tag, job->vec->tag.data, job->vec->tag.len) != 0)
		return "wrong tag";
	return NULL;
}

static const char *
padding_complaint(const struct xval_job *job, const uint8_t *data)
{
	size_t len = job->vec->cipher.len;
	bool is_success = job->op->status == RTE_CRYPTO_OP_STATUS_SUCCESS;

	if (len > 0 && len % job->vec->alg->block_bytes == 0) {
		if (!is_success)
			return "status is not success";
		return padding_is_good(data, len) ? "the padding is good" : NULL;
	}
	if (job->op->status != RTE_CRYPTO_OP_STATUS_INVALID_ARGS)
		return "no block, or part of one, was taken";
	for (size_t i = 0; i < len; i++) {
		uint8_t was = job->op->sym->m_dst != NULL ? UNWRITTEN : job->vec->cipher.data[i];

		if (data[i] != was)
			return "a refused op was changed";
	}
	return NULL;
}

static const char *
complaint_of(const struct xval_job *job)
{
	const struct rte_crypto_sym_op *sym = job->op->sym;
	const struct rte_mbuf *m = sym->m_dst != NULL ? sym->m_dst : sym->m_src;
	const uint8_t *tag = job->room + XVAL_ROOM_TAG;
	uint8_t data[XVAL_DATA_MAX];

	if (sym->session != (void *)job->session)
		return "another session came back";
	if (job->dev->hmac_needs_data && job->session->has_hmac && sym->auth.data.length == 0)
		return job->op->status == RTE_CRYPTO_OP_STATUS_INVALID_SESSION
			       ? NULL
			       : "an HMAC of nothing reached a device that it spoils";
	if (!chain_read(m, data))
		return "bytes behind the data were written";
	for (size_t i = 0; i < XVAL_CANARY; i++) {
		if (tag[job->vec->tag.len + i] != CANARY_BYTE)
			return "bytes behind the digest were written";
	}
	switch (job->vec->want) {
	case XVAL_SUCCESS:
		return success_complaint(job, data);
	case XVAL_AUTH_FAILED:
		return job->op->status == RTE_CRYPTO_OP_STATUS_AUTH_FAILED
			       ? NULL
			       : "a wrong tag was not told";
	case XVAL_PADDING_BAD:
		return padding_complaint(job, data);
	default:
		return "a want that is none";
	}
}

void
xval_job_finish(struct xval_job *job)
{
	job->complaint = complaint_of(job);
	chain_free(job->op);
	job->op = NULL;
}
