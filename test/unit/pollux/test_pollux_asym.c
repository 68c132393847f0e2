/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <rte_bus_vdev.h>
#include <rte_cycles.h>

#include "plx_pmd.h"

/* Asymmetric operations over crypto_openssl: RSA-2048 signatures and modular exponentiation. Each
 * engine and each inline queue pair has a session of its own there. */

#define BITS    2048
#define BYTES   (BITS / 8)
#define MESSAGE 32
#define NB_OPS  24

struct asym {
	struct rig rig;
	EVP_PKEY *key;
	uint8_t n[BYTES];
	uint8_t d[BYTES];
	uint8_t e[3];
	struct rte_mempool *sessions;
	struct rte_mempool *pool;
	struct rte_crypto_op *op[NB_OPS];
	uint8_t message[NB_OPS][MESSAGE];
	uint8_t result[NB_OPS][BYTES];
};

static const char *const setups[] = { "device=crypto_openssl", "device=crypto_openssl,engines=2",
				      "device=crypto_aesni_mb,device=crypto_openssl" };

static void
number_get(const EVP_PKEY *key, const char *name, uint8_t *out)
{
	BIGNUM *bn = NULL;

	assert_int_equal(EVP_PKEY_get_bn_param(key, name, &bn), 1);
	assert_int_equal(BN_bn2binpad(bn, out, BYTES), BYTES);
	BN_free(bn);
}

static void
asym_open(struct asym *a, const char *args)
{
	static EVP_PKEY *key; /* made once, it takes its time */

	memset(a, 0, sizeof(*a));
	if (key == NULL)
		key = EVP_RSA_gen(BITS);
	assert_non_null(key);
	a->key = key;
	number_get(key, OSSL_PKEY_PARAM_RSA_N, a->n);
	number_get(key, OSSL_PKEY_PARAM_RSA_D, a->d);
	memcpy(a->e, (const uint8_t[3]){ 1, 0, 1 }, sizeof(a->e));
	rig_open(&a->rig, args, 2, 64);
	a->sessions = rte_cryptodev_asym_session_pool_create("asym_sessions", 4, 0, 0, 0);
	assert_non_null(a->sessions);
	a->pool = rte_crypto_op_pool_create("asym_ops", RTE_CRYPTO_OP_TYPE_ASYMMETRIC, NB_OPS, 0, 0,
					    0);
	assert_non_null(a->pool);
	assert_int_equal(
		rte_crypto_op_bulk_alloc(a->pool, RTE_CRYPTO_OP_TYPE_ASYMMETRIC, a->op, NB_OPS),
		NB_OPS);
}

static void
asym_close(struct asym *a)
{
	rig_close(&a->rig);
	assert_int_equal(rte_mempool_in_use_count(a->sessions), 0);
	rte_mempool_free(a->sessions);
	rte_mempool_free(a->pool);
}

static void *
session_new(struct asym *a, struct rte_crypto_asym_xform *xform)
{
	void *session = NULL;

	assert_int_equal(
		rte_cryptodev_asym_session_create(a->rig.dev_id, xform, a->sessions, &session), 0);
	return session;
}

/* Half on each queue pair, and all back with their session. */
static void
run(struct asym *a, void *session)
{
	struct rte_crypto_op *back[NB_OPS];
	uint64_t until = rte_get_timer_cycles() + 20 * rte_get_timer_hz();
	uint16_t got = 0;

	for (uint16_t i = 0; i < NB_OPS; i++)
		while (rte_cryptodev_enqueue_burst(a->rig.dev_id, i % 2, &a->op[i], 1) != 1)
			assert_true(rte_get_timer_cycles() < until);
	while (got < NB_OPS && rte_get_timer_cycles() < until)
		for (uint16_t qp = 0; qp < 2; qp++)
			got = (uint16_t)(got +
					 rte_cryptodev_dequeue_burst(a->rig.dev_id, qp, &back[got],
								     (uint16_t)(NB_OPS - got)));
	assert_int_equal(got, NB_OPS);
	for (uint32_t i = 0; i < NB_OPS; i++) {
		assert_int_equal(a->op[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_ptr_equal(a->op[i]->asym->session, session);
	}
}

static bool
is_signature(const struct asym *a, uint32_t i)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(a->key, NULL);
	int ret;

	assert_non_null(ctx);
	assert_int_equal(EVP_PKEY_verify_init(ctx), 1);
	assert_int_equal(EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING), 1);
	ret = EVP_PKEY_verify(ctx, a->result[i], BYTES, a->message[i], MESSAGE);
	EVP_PKEY_CTX_free(ctx);
	return ret == 1;
}

static void
sign_prepare(struct asym *a, uint32_t i, void *session)
{
	struct rte_crypto_rsa_op_param *rsa = &a->op[i]->asym->rsa;

	__rte_crypto_op_reset(a->op[i], RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
	memset(a->message[i], (int)i + 1, MESSAGE);
	memset(a->result[i], 0, BYTES);
	rte_crypto_op_attach_asym_session(a->op[i], session);
	rsa->op_type = RTE_CRYPTO_ASYM_OP_SIGN;
	rsa->message.data = a->message[i];
	rsa->message.length = MESSAGE;
	rsa->sign.data = a->result[i];
	rsa->sign.length = BYTES;
#if !PLX_PMD_RSA_PADDING_IN_SESSION
	rsa->padding.type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
#endif
}

static void
rsa_signatures_are_right(void **state)
{
	static struct asym a;

	(void)state;
	for (size_t k = 0; k < RTE_DIM(setups); k++) {
		struct rte_crypto_asym_xform xform = {
			.xform_type = RTE_CRYPTO_ASYM_XFORM_RSA,
			.rsa = { .n = { .data = a.n, .length = BYTES },
				 .e = { .data = a.e, .length = sizeof(a.e) },
				 .key_type = RTE_RSA_KEY_TYPE_EXP,
				 .d = { .data = a.d, .length = BYTES } },
		};
		void *session;

#if PLX_PMD_RSA_PADDING_IN_SESSION
		xform.rsa.padding.type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
#endif
		asym_open(&a, setups[k]);
		session = session_new(&a, &xform);
		for (uint32_t i = 0; i < NB_OPS; i++)
			sign_prepare(&a, i, session);
		run(&a, session);
		for (uint32_t i = 0; i < NB_OPS; i++)
			assert_true(is_signature(&a, i));
		assert_int_equal(rte_cryptodev_asym_session_free(a.rig.dev_id, session), 0);
		asym_close(&a);
	}
}

/* base^65537 mod n, which OpenSSL's big numbers know too. */
static void
modular_exponentiation_is_right(void **state)
{
	static struct asym a;
	uint8_t base[BYTES] = { 0 }, want[BYTES];

	(void)state;
	for (size_t k = 0; k < RTE_DIM(setups); k++) {
		struct rte_crypto_asym_xform xform = {
			.xform_type = RTE_CRYPTO_ASYM_XFORM_MODEX,
			.modex = { .modulus = { .data = a.n, .length = BYTES },
				   .exponent = { .data = a.e, .length = sizeof(a.e) } },
		};
		BIGNUM *b, *e, *n, *y = BN_new();
		BN_CTX *ctx = BN_CTX_new();
		void *session;

		asym_open(&a, setups[k]);
		base[BYTES - 1] = (uint8_t)(k + 3);
		base[1] = 0x55;
		b = BN_bin2bn(base, BYTES, NULL);
		e = BN_bin2bn(a.e, sizeof(a.e), NULL);
		n = BN_bin2bn(a.n, BYTES, NULL);
		assert_int_equal(BN_mod_exp(y, b, e, n, ctx), 1);
		assert_int_equal(BN_bn2binpad(y, want, BYTES), BYTES);
		session = session_new(&a, &xform);
		for (uint32_t i = 0; i < NB_OPS; i++) {
			__rte_crypto_op_reset(a.op[i], RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
			rte_crypto_op_attach_asym_session(a.op[i], session);
			a.op[i]->asym->modex.base.data = base;
			a.op[i]->asym->modex.base.length = BYTES;
			a.op[i]->asym->modex.result.data = a.result[i];
			a.op[i]->asym->modex.result.length = BYTES;
		}
		run(&a, session);
		for (uint32_t i = 0; i < NB_OPS; i++) {
			/* crypto_openssl leaves zeros on the left out */
			size_t len = a.op[i]->asym->modex.result.length;

			assert_true(len <= BYTES && len >= (size_t)BN_num_bytes(y));
			assert_memory_equal(a.result[i], want + BYTES - len, len);
		}
		assert_int_equal(rte_cryptodev_asym_session_free(a.rig.dev_id, session), 0);
		asym_close(&a);
		BN_free(b);
		BN_free(e);
		BN_free(n);
		BN_free(y);
		BN_CTX_free(ctx);
	}
}

static void
what_no_device_can_do_gets_no_session(void **state)
{
	struct rte_crypto_asym_xform xform = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECDSA };
	static struct asym a;
	void *session = NULL;

	(void)state;
	asym_open(&a, "device=crypto_aesni_mb");
	assert_true(rte_cryptodev_asym_session_create(a.rig.dev_id, &xform, a.sessions, &session) <
		    0);
	/* the library keeps the object of a session that was refused */
	if (session != NULL && rte_mempool_in_use_count(a.sessions) != 0)
		rte_mempool_put(a.sessions, session);
	asym_close(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rsa_signatures_are_right),
		cmocka_unit_test(modular_exponentiation_is_right),
		cmocka_unit_test(what_no_device_can_do_gets_no_session),
	};

	return cmocka_run_group_tests_name("pollux_asym", tests, rig_eal, NULL);
}
