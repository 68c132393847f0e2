/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "fault_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <rte_bus_vdev.h>
#include <rte_eal.h>
#include <rte_mbuf.h>

#define IV_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))
#define IV_BYTES  16
#define WAIT_US   2000000

const char *const rig_inner[2] = { "crypto_openssl", "crypto_aesni_mb" };

static const uint8_t key[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

int
rig_eal(void **state)
{
	char prefix[64];
	char words[][32] = { "test", "--no-huge", "--no-pci",           "--no-shconf",
			     "-l0",  "-m256",     "--log-level=*:error" };
	char *argv[PLX_ARRAY_SIZE(words) + 1];
	int argc = 0;

	(void)state;
	snprintf(prefix, sizeof(prefix), "--file-prefix=plx_fault_%d", (int)getpid());
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

uint64_t
rig_now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000 + (uint64_t)ts.tv_nsec / 1000;
}

static void
plain_fill(uint32_t i, uint8_t *bytes)
{
	for (uint32_t k = 0; k < RIG_BYTES; k++)
		bytes[k] = (uint8_t)(i * 31 + k * 7 + (i >> 8));
}

static void
iv_fill(uint32_t i, uint8_t *iv)
{
	memset(iv, 0xa5, IV_BYTES);
	memcpy(iv, &i, sizeof(i));
}

/* What OpenSSL makes of operation i. */
static void
right_fill(uint32_t i, uint8_t *bytes)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t plain[RIG_BYTES];
	uint8_t iv[IV_BYTES];
	int len = 0;

	plain_fill(i, plain);
	iv_fill(i, iv);
	assert_non_null(ctx);
	assert_int_equal(EVP_EncryptInit_ex(ctx, EVP_aes_128_ctr(), NULL, key, iv), 1);
	assert_int_equal(EVP_EncryptUpdate(ctx, bytes, &len, plain, RIG_BYTES), 1);
	assert_int_equal(len, RIG_BYTES);
	EVP_CIPHER_CTX_free(ctx);
}

void
rig_reset(struct rig *r, uint32_t i)
{
	struct rte_crypto_op *op = r->ops[i];
	struct rte_mbuf *m = op->sym->m_src;

	__rte_crypto_op_reset(op, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	rte_crypto_op_attach_sym_session(op, r->session);
	op->sym->m_src = m;
	op->sym->cipher.data.offset = 0;
	op->sym->cipher.data.length = RIG_BYTES;
	iv_fill(i, rte_crypto_op_ctod_offset(op, uint8_t *, IV_OFFSET));
	plain_fill(i, rte_pktmbuf_mtod(m, uint8_t *));
	r->nb_back[i] = 0;
}

void
rig_reset_all(struct rig *r)
{
	for (uint32_t i = 0; i < RIG_OPS; i++)
		rig_reset(r, i);
	r->nb_foreign = 0;
}

static void
session_make(struct rig *r)
{
	struct rte_crypto_sym_xform xform = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = { .op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			    .algo = RTE_CRYPTO_CIPHER_AES_CTR,
			    .key = { .data = key, .length = sizeof(key) },
			    .iv = { .offset = IV_OFFSET, .length = IV_BYTES } },
	};

	r->session_pool = rte_cryptodev_sym_session_pool_create(
		"rig_sessions", 8, rte_cryptodev_sym_get_private_session_size(r->dev_id), 0, 0, 0);
	assert_non_null(r->session_pool);
	r->session = rte_cryptodev_sym_session_create(r->dev_id, &xform, r->session_pool);
	assert_non_null(r->session);
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
rig_open(struct rig *r, const char *inner, const char *args, uint16_t nb_qps, uint32_t nb_desc)
{
	char line[512];
	int id;

	memset(r, 0, sizeof(*r));
	snprintf(line, sizeof(line), "inner=%s%s%s", inner, args[0] != '\0' ? "," : "", args);
	assert_int_equal(rte_vdev_init(RIG_NAME, line), 0);
	id = rte_cryptodev_get_dev_id(RIG_NAME);
	assert_true(id >= 0);
	r->dev_id = (uint8_t)id;
	r->nb_qps = nb_qps;
	rig_start(r, nb_desc);
	session_make(r);
	r->op_pool = rte_crypto_op_pool_create("rig_ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, RIG_OPS, 0,
					       IV_BYTES, 0);
	assert_non_null(r->op_pool);
	r->mbuf_pool =
		rte_pktmbuf_pool_create("rig_mbufs", RIG_OPS, 0, 0, 256 + RTE_PKTMBUF_HEADROOM, 0);
	assert_non_null(r->mbuf_pool);
	assert_int_equal(
		rte_crypto_op_bulk_alloc(r->op_pool, RTE_CRYPTO_OP_TYPE_SYMMETRIC, r->ops, RIG_OPS),
		RIG_OPS);
	for (uint32_t i = 0; i < RIG_OPS; i++) {
		r->ops[i]->sym->m_src = rte_pktmbuf_alloc(r->mbuf_pool);
		assert_non_null(r->ops[i]->sym->m_src);
		assert_non_null(rte_pktmbuf_append(r->ops[i]->sym->m_src, RIG_BYTES));
	}
	rig_reset_all(r);
}

void
rig_close(struct rig *r)
{
	struct rte_cryptodev_info info;

	rte_cryptodev_info_get(r->dev_id, &info);
	assert_int_equal(rte_cryptodev_sym_session_free(r->dev_id, r->session), 0);
	rte_cryptodev_stop(r->dev_id);
	assert_int_equal(rte_cryptodev_close(r->dev_id), 0);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
	for (uint32_t i = 0; i < RIG_OPS; i++)
		rte_pktmbuf_free(r->ops[i]->sym->m_src);
	rte_mempool_free(r->session_pool);
	rte_mempool_free(r->op_pool);
	rte_mempool_free(r->mbuf_pool);
}

enum rig_bytes
rig_look(const struct rig *r, uint32_t i)
{
	const uint8_t *bytes = rte_pktmbuf_mtod(r->ops[i]->sym->m_src, const uint8_t *);
	uint8_t want[RIG_BYTES];
	int nb_bits = 0;

	plain_fill(i, want);
	if (memcmp(bytes, want, RIG_BYTES) == 0)
		return RIG_UNTOUCHED;
	right_fill(i, want);
	for (uint32_t k = 0; k < RIG_BYTES; k++)
		nb_bits += __builtin_popcount(bytes[k] ^ want[k]);
	return nb_bits == 0 ? RIG_RIGHT : nb_bits == 1 ? RIG_ONE_BIT : RIG_OTHER;
}

/* The object's place in the pool says it: the IV holds the number. */
int64_t
rig_number(const struct rig *r, const struct rte_crypto_op *op)
{
	uint32_t i;

	if (op->mempool != r->op_pool)
		return -1;
	memcpy(&i, (const uint8_t *)op + IV_OFFSET, sizeof(i));
	return i < RIG_OPS && r->ops[i] == op ? (int64_t)i : -1;
}

uint16_t
rig_put(struct rig *r, uint16_t qp, uint32_t first, uint16_t nb)
{
	return rte_cryptodev_enqueue_burst(r->dev_id, qp, &r->ops[first], nb);
}

uint16_t
rig_get(struct rig *r, uint16_t qp, uint16_t nb, int64_t *out)
{
	struct rte_crypto_op *done[256];
	uint16_t got;

	assert_true(nb <= PLX_ARRAY_SIZE(done));
	got = rte_cryptodev_dequeue_burst(r->dev_id, qp, done, nb);
	for (uint16_t k = 0; k < got; k++) {
		int64_t i = rig_number(r, done[k]);

		if (i >= 0)
			r->nb_back[i]++;
		else
			r->nb_foreign++;
		if (out != NULL)
			out[k] = i;
	}
	return got;
}

uint32_t
rig_get_all(struct rig *r, uint16_t qp, uint32_t nb, int64_t *out)
{
	uint64_t until = rig_now_us() + WAIT_US;
	uint32_t got = 0;

	while (got < nb && rig_now_us() < until)
		got += rig_get(r, qp, (uint16_t)RTE_MIN(nb - got, 32u),
			       out != NULL ? out + got : NULL);
	return got;
}

bool
rig_run(struct rig *r, uint16_t qp, uint32_t first, uint32_t nb)
{
	uint64_t until = rig_now_us() + 10 * WAIT_US;
	uint32_t sent = 0;
	uint32_t got = 0;

	while (got < nb) {
		sent += rig_put(r, qp, first + sent, (uint16_t)RTE_MIN(nb - sent, 32u));
		got += rig_get(r, qp, 32, NULL);
		if (rig_now_us() > until)
			return false;
	}
	return true;
}

void
rig_set(const struct rig *r, const char *spec)
{
	struct plx_err err = { "" };

	if (plx_fault_set(r->dev_id, spec, &err) < 0)
		fail_msg("%s: %s", spec, err.text);
}

uint64_t
rig_injected(const struct rig *r, enum plx_fault_kind kind)
{
	struct plx_fault_stats stats = { .size = sizeof(stats) };

	assert_int_equal(plx_fault_stats(r->dev_id, &stats), 0);
	return stats.nb_injected[kind];
}
