/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_rig.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_mbuf.h>

#define STUCK_SECONDS 20

static const uint8_t key[16] = { 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1 };

/* Behind the transform in each op. */
struct tag {
	uint64_t number; /* UINT64_MAX: not out */
	uint32_t index;
	uint32_t kind;
};

#define TAG_AT (RIG_XFORM_AT + sizeof(struct rte_crypto_sym_xform))

static struct tag *
tag_of(struct rte_crypto_op *op)
{
	return rte_crypto_op_ctod_offset(op, struct tag *, TAG_AT);
}

int
rig_eal(void **state)
{
	char words[][40] = {
		"test",        "--no-huge",           "--no-pci", "--no-shconf", "--lcores",
		"(0-2)@(0-1)", "--log-level=*:error", "-m512"
	};
	char prefix[64];
	char *argv[PLX_ARRAY_SIZE(words) + 1];
	int argc = 0;

	(void)state;
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		snprintf(words[5], sizeof(words[5]), "(0-2)@0");
	snprintf(prefix, sizeof(prefix), "--file-prefix=pollux_%d", (int)getpid());
	while (argc < (int)PLX_ARRAY_SIZE(words)) {
		argv[argc] = words[argc];
		argc++;
	}
	argv[argc++] = prefix;
	/* removing a crypto_openssl device takes the default provider away from the whole process,
	 * unless somebody else holds it too */
	if (OSSL_PROVIDER_load(NULL, "default") == NULL)
		return -1;
	return rte_eal_init(argc, argv) < 0 ? -1 : 0;
}

static struct rte_crypto_sym_xform
ctr_xform(void)
{
	return (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = { .op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			    .algo = RTE_CRYPTO_CIPHER_AES_CTR,
			    .key = { .data = key, .length = sizeof(key) },
			    .iv = { .offset = RIG_IV_OFFSET, .length = RIG_IV_BYTES } },
	};
}

void
rig_start(struct rig *r, uint32_t nb_desc)
{
	struct rte_cryptodev_config config = { .socket_id = 0, .nb_queue_pairs = r->nb_qps };
	struct rte_cryptodev_qp_conf conf = { .nb_descriptors = nb_desc };

	assert_int_equal(rte_cryptodev_configure(r->dev_id, &config), 0);
	for (uint16_t qp = 0; qp < r->nb_qps; qp++)
		assert_int_equal(rte_cryptodev_queue_pair_setup(r->dev_id, qp, &conf, 0), 0);
	assert_int_equal(rte_cryptodev_start(r->dev_id), 0);
}

void
rig_open(struct rig *r, const char *args, uint16_t nb_qps, uint32_t nb_desc)
{
	struct rte_crypto_sym_xform xform = ctr_xform();
	int id;

	memset(r, 0, sizeof(*r));
	assert_int_equal(rte_vdev_init(RIG_NAME, args), 0);
	id = rte_cryptodev_get_dev_id(RIG_NAME);
	assert_true(id >= 0);
	r->dev_id = (uint8_t)id;
	r->nb_qps = nb_qps;
	rig_start(r, nb_desc);
	r->sessions = rte_cryptodev_sym_session_pool_create(
		"rig_sessions", 64, rte_cryptodev_sym_get_private_session_size(r->dev_id), 0, 0, 0);
	assert_non_null(r->sessions);
	r->session = rte_cryptodev_sym_session_create(r->dev_id, &xform, r->sessions);
	assert_non_null(r->session);
}

void
rig_close(struct rig *r)
{
	assert_int_equal(rte_cryptodev_sym_session_free(r->dev_id, r->session), 0);
	rte_cryptodev_stop(r->dev_id);
	assert_int_equal(rte_cryptodev_close(r->dev_id), 0);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
	assert_int_equal(rte_mempool_in_use_count(r->sessions), 0);
	rte_mempool_free(r->sessions);
}

void
stream_open(struct stream *s, struct rig *r, uint16_t qp, enum rig_kind kind)
{
	char name[32];

	memset(s, 0, sizeof(*s));
	s->rig = r;
	s->qp = qp;
	s->kind = kind;
	snprintf(name, sizeof(name), "rig_ops%u", qp);
	s->op_pool = rte_crypto_op_pool_create(
		name, RTE_CRYPTO_OP_TYPE_SYMMETRIC, STREAM_OPS, 0,
		RIG_IV_BYTES + sizeof(struct rte_crypto_sym_xform) + sizeof(struct tag), 0);
	snprintf(name, sizeof(name), "rig_mbufs%u", qp);
	s->mbufs = rte_pktmbuf_pool_create(name, 2 * STREAM_OPS, 0, 0,
					   RIG_BYTES + RTE_PKTMBUF_HEADROOM, 0);
	assert_non_null(s->op_pool);
	assert_non_null(s->mbufs);
	assert_int_equal(rte_crypto_op_bulk_alloc(s->op_pool, RTE_CRYPTO_OP_TYPE_SYMMETRIC, s->ops,
						  STREAM_OPS),
			 STREAM_OPS);
	for (uint32_t i = 0; i < STREAM_OPS; i++) {
		*tag_of(s->ops[i]) = (struct tag){ UINT64_MAX, i, 0 };
		s->free[s->nb_free++] = i;
	}
	s->evp = EVP_CIPHER_CTX_new();
	assert_int_equal(EVP_EncryptInit_ex(s->evp, EVP_aes_128_ctr(), NULL, key, NULL), 1);
}

void
stream_close(struct stream *s)
{
	assert_int_equal(s->nb_free, STREAM_OPS);
	assert_int_equal(rte_mempool_in_use_count(s->mbufs), 0);
	rte_mempool_free(s->op_pool);
	rte_mempool_free(s->mbufs);
	EVP_CIPHER_CTX_free(s->evp);
}

static void
plain_fill(uint64_t number, uint8_t *bytes)
{
	for (uint32_t k = 0; k < RIG_BYTES; k++)
		bytes[k] = (uint8_t)(number * 31 + k * 7 + (number >> 8));
}

static void
iv_fill(uint64_t number, uint8_t *iv)
{
	memset(iv, 0xa5, RIG_IV_BYTES);
	memcpy(iv, &number, sizeof(number));
}

static struct rte_mbuf *
buffer(struct stream *s)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(s->mbufs);

	assert_non_null(m);
	assert_non_null(rte_pktmbuf_append(m, RIG_BYTES));
	return m;
}

static void
op_prepare(struct stream *s, struct rte_crypto_op *op)
{
	struct tag *t = tag_of(op);
	struct rte_crypto_sym_xform *x =
		rte_crypto_op_ctod_offset(op, struct rte_crypto_sym_xform *, RIG_XFORM_AT);

	__rte_crypto_op_reset(op, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	t->number = s->next++;
	t->kind = s->kind == RIG_MIXED ? (uint32_t)(t->number % RIG_MIXED) : s->kind;
	op->sym->m_src = buffer(s);
	op->sym->m_dst = t->kind == RIG_OUT_OF_PLACE ? buffer(s) : NULL;
	op->sym->cipher.data.offset = 0;
	op->sym->cipher.data.length = RIG_BYTES;
	plain_fill(t->number, rte_pktmbuf_mtod(op->sym->m_src, uint8_t *));
	iv_fill(t->number, rte_crypto_op_ctod_offset(op, uint8_t *, RIG_IV_OFFSET));
	if (t->kind == RIG_SESSIONLESS) {
		*x = ctr_xform();
		op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		op->sym->xform = x;
	} else {
		rte_crypto_op_attach_sym_session(op, s->rig->session);
	}
}

uint16_t
stream_make(struct stream *s, struct rte_crypto_op **ops, uint16_t nb)
{
	uint16_t n;

	for (n = 0; n < nb && s->nb_free > 0; n++) {
		ops[n] = s->ops[s->free[--s->nb_free]];
		op_prepare(s, ops[n]);
	}
	return n;
}

static bool
session_is_back(struct stream *s, struct rte_crypto_op *op)
{
	if (tag_of(op)->kind != RIG_SESSIONLESS)
		return op->sess_type == RTE_CRYPTO_OP_WITH_SESSION &&
		       op->sym->session == s->rig->session;
	return op->sess_type == RTE_CRYPTO_OP_SESSIONLESS &&
	       op->sym->xform ==
		       rte_crypto_op_ctod_offset(op, struct rte_crypto_sym_xform *, RIG_XFORM_AT);
}

static bool
bytes_are_right(struct stream *s, struct rte_crypto_op *op)
{
	struct rte_mbuf *m = op->sym->m_dst != NULL ? op->sym->m_dst : op->sym->m_src;
	uint8_t plain[RIG_BYTES], want[RIG_BYTES], iv[RIG_IV_BYTES];
	int len = 0;

	plain_fill(tag_of(op)->number, plain);
	iv_fill(tag_of(op)->number, iv);
	assert_int_equal(EVP_EncryptInit_ex(s->evp, NULL, NULL, NULL, iv), 1);
	assert_int_equal(EVP_EncryptUpdate(s->evp, want, &len, plain, RIG_BYTES), 1);
	return memcmp(rte_pktmbuf_mtod(m, uint8_t *), want, RIG_BYTES) == 0;
}

static void
op_release(struct stream *s, struct rte_crypto_op *op)
{
	rte_pktmbuf_free(op->sym->m_src);
	rte_pktmbuf_free(op->sym->m_dst);
	tag_of(op)->number = UINT64_MAX;
	s->free[s->nb_free++] = tag_of(op)->index;
}

void
stream_take(struct stream *s, struct rte_crypto_op **ops, uint16_t nb)
{
	for (uint16_t i = 0; i < nb; i++) {
		struct rte_crypto_op *op = ops[i];
		struct tag *t = tag_of(op);

		s->nb_back++;
		s->nb_status[op->status & 15]++;
		if (t->number == UINT64_MAX || !session_is_back(s, op)) {
			s->nb_wrong++;
			continue;
		}
		s->nb_misordered += t->number < s->oldest;
		s->oldest = t->number + 1;
		if (op->status == RTE_CRYPTO_OP_STATUS_SUCCESS) {
			if (bytes_are_right(s, op))
				s->nb_right++;
			else
				s->nb_wrong++;
		}
		op_release(s, op);
	}
}

void
stream_unmake(struct stream *s, struct rte_crypto_op **ops, uint16_t nb)
{
	/* the last one made first, so that numbers stay without gaps */
	while (nb > 0) {
		struct rte_crypto_op *op = ops[--nb];

		if (!session_is_back(s, op))
			s->nb_wrong++;
		assert_int_equal(tag_of(op)->number, s->next - 1);
		s->next--;
		op_release(s, op);
	}
}

uint16_t
stream_fetch(struct stream *s, uint16_t nb)
{
	struct rte_crypto_op *ops[64];
	uint16_t n = rte_cryptodev_dequeue_burst(s->rig->dev_id, s->qp, ops,
						 (uint16_t)RTE_MIN((size_t)nb, RTE_DIM(ops)));

	stream_take(s, ops, n);
	/* more threads than CPUs: let the engine have this one */
	if (n == 0)
		sched_yield();
	return n;
}

uint32_t
stream_out(const struct stream *s)
{
	return STREAM_OPS - s->nb_free;
}

bool
stream_drain(struct stream *s)
{
	uint64_t since = rte_get_timer_cycles();

	while (stream_out(s) != 0) {
		if (stream_fetch(s, 64) != 0)
			since = rte_get_timer_cycles();
		else if (rte_get_timer_cycles() - since > STUCK_SECONDS * rte_get_timer_hz())
			return false;
	}
	return true;
}

bool
stream_run(struct stream *s, uint64_t nb, uint32_t depth)
{
	uint64_t since = rte_get_timer_cycles(), end = s->next + nb;
	struct rte_crypto_op *ops[32];

	while (s->next < end) {
		uint32_t room = depth - RTE_MIN(depth, stream_out(s));
		uint16_t want = (uint16_t)RTE_MIN(RTE_MIN((uint64_t)room, end - s->next),
						  (uint64_t)RTE_DIM(ops));
		uint16_t made = stream_make(s, ops, want);
		uint16_t n = rte_cryptodev_enqueue_burst(s->rig->dev_id, s->qp, ops, made);

		stream_unmake(s, &ops[n], (uint16_t)(made - n));
		if (stream_fetch(s, 32) != 0 || n != 0)
			since = rte_get_timer_cycles();
		else if (rte_get_timer_cycles() - since > STUCK_SECONDS * rte_get_timer_hz())
			return false;
	}
	return stream_drain(s);
}

void
stream_assert_right(const struct stream *s)
{
	assert_int_equal(s->nb_wrong, 0);
	assert_int_equal(s->nb_misordered, 0);
	assert_int_equal(s->nb_right, s->next);
	assert_int_equal(s->nb_back, s->next);
}
