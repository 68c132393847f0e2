/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "fault_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include "plx_pmd.h"

/* Asymmetric operations go through: RSA-2048 signatures of crypto_openssl, verified by OpenSSL. */

#define BITS    2048
#define BYTES   (BITS / 8)
#define MESSAGE 32
#define NB_OPS  24

struct asym_rig {
	EVP_PKEY *key;
	uint8_t n[BYTES];
	uint8_t d[BYTES];
	uint8_t e[3];
	uint8_t dev_id;
	void *session;
	struct rte_mempool *sessions;
	struct rte_mempool *ops;
	struct rte_crypto_op *op[NB_OPS];
	uint8_t message[NB_OPS][MESSAGE];
	uint8_t sign[NB_OPS][BYTES];
};

static void
number_get(const EVP_PKEY *key, const char *name, uint8_t *out)
{
	BIGNUM *bn = NULL;

	assert_int_equal(EVP_PKEY_get_bn_param(key, name, &bn), 1);
	assert_int_equal(BN_bn2binpad(bn, out, BYTES), BYTES);
	BN_free(bn);
}

static void
op_prepare(struct asym_rig *r, uint32_t i)
{
	struct rte_crypto_op *op = r->op[i];
	struct rte_crypto_rsa_op_param *rsa = &op->asym->rsa;

	__rte_crypto_op_reset(op, RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
	memset(r->message[i], (int)i + 1, MESSAGE);
	memset(r->sign[i], 0, BYTES);
	rte_crypto_op_attach_asym_session(op, r->session);
	rsa->op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	rsa->message.data = r->message[i];
	rsa->message.length = MESSAGE;
	rsa->sign.data = r->sign[i];
	rsa->sign.length = BYTES;
#if !PLX_PMD_RSA_PADDING_IN_SESSION
	rsa->padding.type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
#endif
}

static void
session_make(struct asym_rig *r)
{
	struct rte_crypto_asym_xform xform = {
		.xform_type = RTE_CRYPTO_ASYM_XFORM_RSA,
		.rsa = { .n = { .data = r->n, .length = BYTES },
			 .e = { .data = r->e, .length = sizeof(r->e) },
			 .key_type = RTE_RSA_KEY_TYPE_EXP,
			 .d = { .data = r->d, .length = BYTES } },
	};

#if PLX_PMD_RSA_PADDING_IN_SESSION
	xform.rsa.padding.type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
#endif
	assert_int_equal(
		rte_cryptodev_asym_session_create(r->dev_id, &xform, r->sessions, &r->session), 0);
}

static void
open_asym(struct asym_rig *r, const char *args)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = 1 };
	struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 32 };
	int id;

	static EVP_PKEY *key; /* made once, it takes its time */

	memset(r, 0, sizeof(*r));
	if (key == NULL)
		key = EVP_RSA_gen(BITS);
	assert_non_null(key);
	assert_int_equal(EVP_PKEY_up_ref(key), 1);
	r->key = key;
	number_get(r->key, OSSL_PKEY_PARAM_RSA_N, r->n);
	number_get(r->key, OSSL_PKEY_PARAM_RSA_D, r->d);
	memcpy(r->e, (const uint8_t[3]){ 1, 0, 1 }, sizeof(r->e));
	assert_int_equal(rte_vdev_init(RIG_NAME, args), 0);
	id = rte_cryptodev_get_dev_id(RIG_NAME);
	assert_true(id >= 0);
	r->dev_id = (uint8_t)id;
	assert_int_equal(rte_cryptodev_configure(r->dev_id, &config), 0);
	assert_int_equal(rte_cryptodev_queue_pair_setup(r->dev_id, 0, &conf, 0), 0);
	assert_int_equal(rte_cryptodev_start(r->dev_id), 0);
	r->sessions = rte_cryptodev_asym_session_pool_create("rig_asym", 4, 0, 0, 0);
	assert_non_null(r->sessions);
	session_make(r);
	r->ops = rte_crypto_op_pool_create("rig_asym_ops", RTE_CRYPTO_OP_TYPE_ASYMMETRIC, NB_OPS, 0,
					   0, 0);
	assert_non_null(r->ops);
	assert_int_equal(
		rte_crypto_op_bulk_alloc(r->ops, RTE_CRYPTO_OP_TYPE_ASYMMETRIC, r->op, NB_OPS),
		NB_OPS);
	for (uint32_t i = 0; i < NB_OPS; i++)
		op_prepare(r, i);
}

static void
close_asym(struct asym_rig *r)
{
	assert_int_equal(rte_cryptodev_asym_session_free(r->dev_id, r->session), 0);
	rte_cryptodev_stop(r->dev_id);
	assert_int_equal(rte_cryptodev_close(r->dev_id), 0);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
	rte_mempool_free(r->sessions);
	rte_mempool_free(r->ops);
	EVP_PKEY_free(r->key);
}

static bool
is_right(const struct asym_rig *r, uint32_t i)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(r->key, NULL);
	int ret;

	assert_non_null(ctx);
	assert_int_equal(EVP_PKEY_verify_init(ctx), 1);
	assert_int_equal(EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING), 1);
	ret = EVP_PKEY_verify(ctx, r->sign[i], BYTES, r->message[i], MESSAGE);
	EVP_PKEY_CTX_free(ctx);
	return ret == 1;
}

/* All in and all out again, in order. */
static void
run(struct asym_rig *r)
{
	struct rte_crypto_op *done[NB_OPS];
	uint64_t until = rig_now_us() + 10000000;
	uint16_t sent = 0;
	uint16_t got = 0;

	while (got < NB_OPS && rig_now_us() < until) {
		sent = (uint16_t)(sent + rte_cryptodev_enqueue_burst(r->dev_id, 0, &r->op[sent],
								     (uint16_t)(NB_OPS - sent)));
		got = (uint16_t)(got + rte_cryptodev_dequeue_burst(r->dev_id, 0, &done[got],
								   (uint16_t)(NB_OPS - got)));
	}
	assert_int_equal(got, NB_OPS);
	for (uint32_t i = 0; i < NB_OPS; i++) {
		assert_ptr_equal(done[i], r->op[i]);
		assert_ptr_equal(r->op[i]->asym->session, r->session);
	}
}

static void
signatures_pass_through(void **state)
{
	static struct asym_rig r;

	(void)state;
	open_asym(&r, "inner=crypto_openssl");
	run(&r);
	for (uint32_t i = 0; i < NB_OPS; i++) {
		assert_int_equal(r.op[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_true(is_right(&r, i));
	}
	close_asym(&r);
}

static void
signatures_meet_faults(void **state)
{
	static struct asym_rig r;
	uint8_t zero[BYTES] = { 0 };

	(void)state;
	open_asym(&r, "inner=crypto_openssl,refuse=1/5,fail=1/4:auth,corrupt=1/3");
	run(&r);
	for (uint32_t i = 0, passed = 0; i < NB_OPS; i++) {
		if (i % 4 == 3) {
			assert_int_equal(r.op[i]->status, RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
			assert_memory_equal(r.sign[i], zero, BYTES);
			continue;
		}
		passed++;
		assert_int_equal(r.op[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(is_right(&r, i), passed % 3 != 0);
	}
	close_asym(&r);
}

static void
a_refused_transform_costs_no_session(void **state)
{
	struct rte_crypto_asym_xform bad = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECDSA };
	static struct asym_rig r;
	void *session = NULL;
	void *first;

	(void)state;
	open_asym(&r, "inner=crypto_openssl,max_sessions=3");
	for (int k = 0; k < 10; k++) {
		assert_true(rte_cryptodev_asym_session_create(r.dev_id, &bad, r.sessions,
							      &session) < 0);
		/* DPDK keeps it on failure */
		rte_mempool_put(r.sessions, session);
	}
	/* there is room for another */
	first = r.session;
	session_make(&r);
	assert_int_equal(rte_cryptodev_asym_session_free(r.dev_id, r.session), 0);
	r.session = first;
	run(&r);
	close_asym(&r);
}

static void
a_device_without_asymmetric_operations_has_no_such_sessions(void **state)
{
	(void)state;
	assert_int_equal(rte_vdev_init(RIG_NAME, "inner=crypto_aesni_mb"), 0);
	assert_int_equal(rte_cryptodev_asym_get_private_session_size(
				 (uint8_t)rte_cryptodev_get_dev_id(RIG_NAME)),
			 0);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signatures_pass_through),
		cmocka_unit_test(signatures_meet_faults),
		cmocka_unit_test(a_refused_transform_costs_no_session),
		cmocka_unit_test(a_device_without_asymmetric_operations_has_no_such_sessions),
	};

	return cmocka_run_group_tests_name("fault_asym", tests, rig_eal, NULL);
}
