/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "device_eal.h"

#include <pthread.h>
#include <string.h>

#include <openssl/evp.h>

#include <rte_mbuf.h>

/* Sessions at work: the right bytes from each device and each queue pair, from several threads at
 * once. */

#define DATA_BYTES  256
#define NB_THREADS  4
#define NB_SIGNS    200
#define NB_VERIFIES 5000
#define RSA_BYTES   256
#define POLLS_MAX   100000000
#define IV_OFFSET   (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))

static struct plx_devices *devs;
static struct rte_mempool *sym_ops;
static struct rte_mempool *asym_ops;
static struct rte_mempool *bufs;

static int
group_setup(void **state)
{
	if (eal_setup(state) < 0)
		return -1;
	devs = devs_new(0);
	sym_ops = rte_crypto_op_pool_create("sym", RTE_CRYPTO_OP_TYPE_SYMMETRIC, 63, 0, 16, 0);
	asym_ops = rte_crypto_op_pool_create("asym", RTE_CRYPTO_OP_TYPE_ASYMMETRIC, 63, 0, 16, 0);
	bufs = rte_pktmbuf_pool_create("bufs", 63, 0, 0, 2048, 0);
	return sym_ops != NULL && asym_ops != NULL && bufs != NULL ? 0 : -1;
}

static int
group_teardown(void **state)
{
	plx_devices_destroy(devs);
	rte_mempool_free(sym_ops);
	rte_mempool_free(asym_ops);
	rte_mempool_free(bufs);
	return eal_teardown(state);
}

/* One op through one queue pair; what an engine does, at its plainest. */
static bool
run(const struct plx_device *dev, uint16_t qp, const struct plx_session *s,
    struct rte_crypto_op *op)
{
	void *sess = plx_session_on(s, dev->sess_dom, dev->qp_sess_base + qp);
	struct rte_crypto_op *back = NULL;
	uint32_t i;

	if (s->op_type == RTE_CRYPTO_OP_TYPE_SYMMETRIC)
		op->sym->session = sess;
	else
		op->asym->session = sess;
	if (sess == NULL || rte_cryptodev_enqueue_burst(dev->dev_id, qp, &op, 1) != 1)
		return false;
	for (i = 0; i < POLLS_MAX; i++) {
		if (rte_cryptodev_dequeue_burst(dev->dev_id, qp, &back, 1) == 1)
			return back == op && op->status == RTE_CRYPTO_OP_STATUS_SUCCESS;
	}
	return false;
}

static void
cbc_run(const struct plx_device *dev, uint16_t qp, const struct plx_session *s,
	uint8_t out[DATA_BYTES])
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(sym_ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	struct rte_mbuf *m = rte_pktmbuf_alloc(bufs);
	char *data = rte_pktmbuf_append(m, DATA_BYTES);

	memset(data, 0x42, DATA_BYTES);
	memset(rte_crypto_op_ctod_offset(op, uint8_t *, IV_OFFSET), 0x17, 16);
	op->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	op->sym->m_src = m;
	op->sym->cipher.data.offset = 0;
	op->sym->cipher.data.length = DATA_BYTES;
	assert_true(run(dev, qp, s, op));
	memcpy(out, data, DATA_BYTES);
	rte_pktmbuf_free(m);
	rte_crypto_op_free(op);
}

static struct plx_session *
cbc_new(void)
{
	struct rte_crypto_sym_xform x = xform_cbc(32);
	struct plx_session *s = NULL;
	struct plx_err err = { "" };
	uint8_t key[32];

	/* the caller's key is gone when the session is made */
	memcpy(key, x.cipher.key.data, sizeof(key));
	x.cipher.key.data = key;
	x.cipher.iv.offset = IV_OFFSET;
	if (plx_session_create_sym(devs, &x, &s, &err) < 0)
		fail_msg("%s", err.text);
	memset(key, 0, sizeof(key));
	memset(&x, 0, sizeof(x));
	return s;
}

/* What libcrypto makes of the data of cbc_run() with the key of xform_cbc(). */
static void
cbc_reference(uint8_t out[DATA_BYTES])
{
	const struct rte_crypto_sym_xform x = xform_cbc(32);
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t data[DATA_BYTES];
	uint8_t iv[16];
	int len = 0;

	memset(data, 0x42, sizeof(data));
	memset(iv, 0x17, sizeof(iv));
	assert_non_null(ctx);
	assert_int_equal(EVP_EncryptInit_ex(ctx, EVP_aes_256_cbc(), NULL, x.cipher.key.data, iv),
			 1);
	EVP_CIPHER_CTX_set_padding(ctx, 0);
	assert_int_equal(EVP_EncryptUpdate(ctx, out, &len, data, sizeof(data)), 1);
	assert_int_equal(len, DATA_BYTES);
	EVP_CIPHER_CTX_free(ctx);
}

static void
each_device_and_queue_pair_gives_the_right_bytes(void **state)
{
	struct plx_session *s = cbc_new();
	uint8_t right[DATA_BYTES];
	uint8_t out[DATA_BYTES];
	struct plx_device *dev;
	uint32_t pos = 0;
	uint32_t nb = 0;
	uint16_t qp;

	(void)state;
	cbc_reference(right);
	while ((dev = plx_devices_next(devs, &pos)) != NULL) {
		if (!plx_session_runs_on(s, dev))
			continue;
		for (qp = 0; qp < dev->nb_qps; qp++) {
			cbc_run(dev, qp, s, out);
			assert_memory_equal(out, right, DATA_BYTES);
			nb++;
		}
	}
	assert_int_equal(nb, 12);
	plx_session_destroy(devs, s);
}

static void
a_device_that_comes_later_gives_the_right_bytes(void **state)
{
	struct plx_session *s = cbc_new();
	struct plx_device *dev = NULL;
	uint8_t right[DATA_BYTES];
	uint8_t out[DATA_BYTES];
	struct plx_err err = { "" };

	(void)state;
	cbc_reference(right);
	assert_int_equal(plx_devices_add(devs, "crypto_openssl2", &dev, &err), 0);
	cbc_run(dev, 0, s, out);
	assert_memory_equal(right, out, DATA_BYTES);
	assert_int_equal(plx_devices_remove(devs, dev, &err), 0);
	plx_session_destroy(devs, s);
}

static void
a_revived_device_gives_the_right_bytes(void **state)
{
	struct plx_session *s = cbc_new();
	struct plx_device *dev = plx_devices_find(devs, "crypto_openssl0");
	uint8_t right[DATA_BYTES];
	uint8_t out[DATA_BYTES];
	struct plx_err err = { "" };

	(void)state;
	cbc_reference(right);
	plx_device_stop(dev);
	assert_int_equal(plx_device_revive(dev, &err), 0);
	cbc_run(dev, 3, s, out);
	assert_memory_equal(right, out, DATA_BYTES);
	plx_session_destroy(devs, s);
}

struct signer {
	pthread_t thread;
	bool is_verifier; /* of another thread's signature */
	const struct plx_device *dev;
	const struct plx_session *s;
	uint16_t qp;
	bool is_good;
	uint8_t sign[RSA_BYTES];
};

static uint8_t message[32] = "thirty-two bytes of a message...";

static bool
rsa_once(const struct signer *w, struct rte_crypto_op *op, uint8_t sign[RSA_BYTES])
{
	struct rte_crypto_rsa_op_param *rsa = &op->asym->rsa;

	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	op->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	rsa->op_type = w->is_verifier ? RTE_CRYPTO_ASYM_OP_VERIFY : RTE_CRYPTO_ASYM_OP_SIGN;
	rsa->message.data = message;
	rsa->message.length = sizeof(message);
	rsa->sign.data = sign;
	rsa->sign.length = RSA_BYTES;
	rsa_padding_pkcs1(op);
	return run(w->dev, w->qp, w->s, op);
}

static void *
signer_main(void *arg)
{
	struct signer *w = arg;
	struct rte_crypto_op *op = rte_crypto_op_alloc(asym_ops, RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
	uint32_t nb = w->is_verifier ? NB_VERIFIES : NB_SIGNS;
	uint8_t sign[RSA_BYTES];
	uint32_t i;

	memcpy(sign, w->sign, sizeof(sign));
	for (i = 0; op != NULL && i < nb; i++) {
		if (!rsa_once(w, op, sign) || memcmp(w->sign, sign, sizeof(sign)) != 0)
			break;
	}
	w->is_good = op != NULL && i == nb;
	rte_crypto_op_free(op);
	return NULL;
}

/* The driver crashes here, or fails ops, when two queue pairs share its session. */
static void
one_rsa_key_works_on_all_queue_pairs_at_once(void **state)
{
	struct plx_device *dev = plx_devices_find(devs, "crypto_openssl0");
	struct rte_crypto_op *op = rte_crypto_op_alloc(asym_ops, RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
	struct rte_crypto_asym_xform x = xform_rsa();
	struct signer w[NB_THREADS];
	struct plx_session *s = NULL;
	struct plx_err err = { "" };
	int i;

	(void)state;
	memset(w, 0, sizeof(w));
	assert_int_equal(plx_session_create_asym(devs, &x, &s, &err), 0);
	for (i = 0; i < NB_THREADS; i++) {
		w[i].dev = dev;
		w[i].s = s;
		assert_int_equal(plx_device_qp_get(dev, &w[i].qp, &err), 0);
		assert_true(rsa_once(&w[i], op, w[i].sign));
		assert_memory_equal(w[i].sign, w[0].sign, RSA_BYTES);
		w[i].is_verifier = i % 2;
	}
	for (i = 0; i < NB_THREADS; i++)
		assert_int_equal(pthread_create(&w[i].thread, NULL, signer_main, &w[i]), 0);
	for (i = 0; i < NB_THREADS; i++)
		pthread_join(w[i].thread, NULL);
	for (i = 0; i < NB_THREADS; i++) {
		assert_true(w[i].is_good);
		plx_device_qp_put(dev, w[i].qp);
	}
	rte_crypto_op_free(op);
	plx_session_destroy(devs, s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_device_and_queue_pair_gives_the_right_bytes),
		cmocka_unit_test(a_device_that_comes_later_gives_the_right_bytes),
		cmocka_unit_test(a_revived_device_gives_the_right_bytes),
		cmocka_unit_test(one_rsa_key_works_on_all_queue_pairs_at_once),
	};

	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
