/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "test_mb_sym_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_eal.h>
#include <rte_errno.h>

#define NAME        "crypto_plx_mb0"
#define NB_SESSIONS 64u
#define NB_MBUFS    4095u
#define NB_BIG      191u
#define SMALL       2048u
#define CANARY      16u
#define CANARY_BYTE 0x5a
#define UNWRITTEN   0xa5

static uint8_t dev_id;
static struct rte_mempool *sessions, *ops, *mbufs, *big_mbufs;

void
sym_eal(const char *name)
{
	char prefix[64], lcores[] = "(0-3)@(0,1)";
	char *argv[] = { (char[]){ "test" },
			 (char[]){ "--no-huge" },
			 (char[]){ "--no-pci" },
			 (char[]){ "--no-shconf" },
			 (char[]){ "--no-telemetry" },
			 (char[]){ "--lcores" },
			 lcores,
			 (char[]){ "-m" },
			 (char[]){ "256" },
			 (char[]){ "--log-level=*:critical" },
			 (char[]){ "--file-prefix" },
			 prefix };

	snprintf(prefix, sizeof(prefix), "plx_%s_%d", name, (int)getpid());
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		snprintf(lcores, sizeof(lcores), "(0-3)@(0)");
	if (rte_eal_init((int)RTE_DIM(argv), argv) < 0) {
		fprintf(stderr, "EAL does not start: %s\n", rte_strerror(rte_errno));
		exit(1);
	}
}

static void
pools_make(void)
{
	sessions = rte_cryptodev_sym_session_pool_create(
		"sym_sessions", NB_SESSIONS, rte_cryptodev_sym_get_private_session_size(dev_id), 0,
		0, SOCKET_ID_ANY);
	ops = rte_crypto_op_pool_create("sym_ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, NB_MBUFS, 0,
					SYM_PRIV, SOCKET_ID_ANY);
	mbufs = rte_pktmbuf_pool_create("sym_mbufs", NB_MBUFS, 0, 0, SMALL, SOCKET_ID_ANY);
	big_mbufs = rte_pktmbuf_pool_create("sym_big", NB_BIG, 0, 0, UINT16_MAX, SOCKET_ID_ANY);
	assert_non_null(sessions);
	assert_non_null(ops);
	assert_non_null(mbufs);
	assert_non_null(big_mbufs);
}

void
sym_up(uint16_t nb_qps)
{
	struct rte_cryptodev_config config = { .socket_id = 0, .nb_queue_pairs = nb_qps };
	struct rte_cryptodev_qp_conf conf = { .nb_descriptors = SYM_DESC };
	int id;

	assert_int_equal(rte_vdev_init(NAME, "crypto_mb=off"), 0);
	id = rte_cryptodev_get_dev_id(NAME);
	assert_true(id >= 0);
	dev_id = (uint8_t)id;
	pools_make();
	assert_int_equal(rte_cryptodev_configure(dev_id, &config), 0);
	for (uint16_t qp = 0; qp < nb_qps; qp++)
		assert_int_equal(rte_cryptodev_queue_pair_setup(dev_id, qp, &conf, 0), 0);
	assert_int_equal(rte_cryptodev_start(dev_id), 0);
}

/* All that was taken has to be back. */
void
sym_down(void)
{
	rte_cryptodev_stop(dev_id);
	assert_int_equal(rte_cryptodev_close(dev_id), 0);
	assert_int_equal(rte_vdev_uninit(NAME), 0);
	assert_int_equal(rte_mempool_in_use_count(sessions), 0);
	assert_int_equal(rte_mempool_in_use_count(ops), 0);
	assert_int_equal(rte_mempool_in_use_count(mbufs), 0);
	assert_int_equal(rte_mempool_in_use_count(big_mbufs), 0);
	rte_mempool_free(sessions);
	rte_mempool_free(ops);
	rte_mempool_free(mbufs);
	rte_mempool_free(big_mbufs);
}

uint8_t
sym_dev(void)
{
	return dev_id;
}

void *
sym_session_try(struct rte_crypto_sym_xform *xform)
{
	return rte_cryptodev_sym_session_create(dev_id, xform, sessions);
}

void *
sym_session(struct rte_crypto_sym_xform *xform)
{
	void *session = sym_session_try(xform);

	assert_non_null(session);
	return session;
}

void
sym_session_free(void *session)
{
	assert_int_equal(rte_cryptodev_sym_session_free(dev_id, session), 0);
}

static struct rte_mbuf *
piece_make(const uint8_t *data, size_t len)
{
	bool is_small = len + 2 * CANARY + RTE_PKTMBUF_HEADROOM <= SMALL;
	struct rte_mbuf *m = rte_pktmbuf_alloc(is_small ? mbufs : big_mbufs);
	uint8_t *at;

	assert_non_null(m);
	at = (uint8_t *)rte_pktmbuf_append(m, (uint16_t)(len + 2 * CANARY));
	assert_non_null(at);
	memset(at, CANARY_BYTE, CANARY);
	memset(at + CANARY + len, CANARY_BYTE, CANARY);
	if (data != NULL)
		memcpy(at + CANARY, data, len);
	else
		memset(at + CANARY, UNWRITTEN, len);
	assert_non_null(rte_pktmbuf_adj(m, CANARY));
	assert_int_equal(rte_pktmbuf_trim(m, CANARY), 0);
	return m;
}

static size_t
piece_bytes(enum sym_shape shape, size_t len, size_t left, uint32_t nb)
{
	size_t n = left;

	if (shape == SYM_HALVES)
		n = nb == 0 ? len / 2 : left;
	else if (shape == SYM_CRUMBS)
		n = nb == 2 ? 0 : nb + 1;
	else if (shape == SYM_BLOCKS)
		n = 16;
	if (nb > 40) /* an mbuf has not that many pieces in life */
		n = left;
	n = n < left ? n : left;
	return n < SYM_PIECE_MAX ? n : SYM_PIECE_MAX;
}

struct rte_mbuf *
sym_chain(const uint8_t *data, size_t len, enum sym_shape shape)
{
	struct rte_mbuf *head = NULL;
	size_t done = 0;
	uint32_t nb = 0;

	do {
		size_t n = piece_bytes(shape, len, len - done, nb++);
		struct rte_mbuf *m = piece_make(data != NULL ? data + done : NULL, n);

		if (head == NULL)
			head = m;
		else
			assert_int_equal(rte_pktmbuf_chain(head, m), 0);
		done += n;
	} while (done < len);
	return head;
}

bool
sym_chain_read(const struct rte_mbuf *m, uint8_t *out)
{
	bool is_intact = true;

	for (; m != NULL; m = m->next) {
		const uint8_t *at = rte_pktmbuf_mtod(m, const uint8_t *);

		memcpy(out, at, m->data_len);
		out += m->data_len;
		for (size_t i = 0; i < CANARY; i++)
			is_intact &=
				at[m->data_len + i] == CANARY_BYTE && *(at - 1 - i) == CANARY_BYTE;
	}
	return is_intact;
}

struct rte_crypto_op *
sym_op(void *session)
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);

	assert_non_null(op);
	if (session != NULL)
		assert_int_equal(rte_crypto_op_attach_sym_session(op, session), 0);
	return op;
}

void
sym_op_free(struct rte_crypto_op *op)
{
	rte_pktmbuf_free(op->sym->m_src);
	if (op->sym->m_dst != op->sym->m_src)
		rte_pktmbuf_free(op->sym->m_dst);
	rte_crypto_op_free(op);
}

uint8_t *
sym_op_iv(struct rte_crypto_op *op)
{
	return rte_crypto_op_ctod_offset(op, uint8_t *, SYM_IV_OFFSET);
}

void
sym_run(uint16_t qp, struct rte_crypto_op **in, uint16_t nb)
{
	struct rte_crypto_op *back[SYM_DESC];
	uint16_t n = 0;

	assert_int_equal(rte_cryptodev_enqueue_burst(dev_id, qp, in, nb), nb);
	while (n < nb) {
		uint16_t got =
			rte_cryptodev_dequeue_burst(dev_id, qp, &back[n], (uint16_t)(nb - n));

		assert_true(got > 0); /* symmetric work is done when it is asked for */
		n = (uint16_t)(n + got);
	}
	for (uint16_t i = 0; i < nb; i++)
		assert_ptr_equal(back[i], in[i]);
}

int
sym_do(struct rte_crypto_op *op)
{
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	sym_run(0, &op, 1);
	return op->status;
}

static uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t
next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

void
sym_random(void *to, size_t len)
{
	uint8_t *bytes = to;

	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)(next_random() >> 32);
}

uint32_t
sym_random_below(uint32_t n)
{
	return (uint32_t)((next_random() >> 32) % n);
}
