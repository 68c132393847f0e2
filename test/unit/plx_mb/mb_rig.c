/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/core_names.h>
#include <openssl/provider.h>
#include <rte_bus_vdev.h>
#include <rte_crypto.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>

#include "mb_calls.h"
#include "mb_fake_calls.h"
#include "mb_priv.h"

#define NAME       "crypto_plx_mb0"
#define PATIENCE_S 60u

static int dev_id = -1;
static struct rte_mempool *sessions;
static struct rte_mempool *ops_pool;
static const struct mb_calls *wanted_calls;
static bool fills_calls;

void
rig_eal(const char *name)
{
	char prefix[64], program[64];
	char *argv[] = { program,
			 (char[]){ "--no-huge" },
			 (char[]){ "--no-pci" },
			 (char[]){ "--no-shconf" },
			 (char[]){ "--no-telemetry" },
			 (char[]){ "--lcores" },
			 (char[]){ "(0-3)@(0,1)" },
			 (char[]){ "-m" },
			 (char[]){ "256" },
			 (char[]){ "--file-prefix" },
			 prefix };

	/* before anything is fetched from it: the driver keeps it for the rest of the process */
	if (OSSL_PROVIDER_try_load(NULL, "default", 1) == NULL)
		exit(1);
	snprintf(program, sizeof(program), "%s", name);
	snprintf(prefix, sizeof(prefix), "plx_%s_%d", name, (int)getpid());
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		snprintf(argv[6], 12, "(0-3)@(0)");
	if (rte_eal_init((int)RTE_DIM(argv), argv) < 0) {
		fprintf(stderr, "EAL did not start: %s\n", rte_strerror(rte_errno));
		exit(1);
	}
	ops_pool = rte_crypto_op_pool_create("rig_ops", RTE_CRYPTO_OP_TYPE_ASYMMETRIC, 511, 0, 0,
					     SOCKET_ID_ANY);
	if (ops_pool == NULL)
		exit(1);
}

void
rig_calls(const struct mb_calls *calls)
{
	wanted_calls = calls;
}

bool
rig_has_library(void)
{
	const struct mb_calls *calls = NULL;
	struct plx_err err = { "" };
	int ret = mb_calls_find("auto", &calls, &err);

	return ret == 0 && calls != NULL;
}

void
rig_up(const char *args, uint16_t nb_qps)
{
	struct rte_cryptodev_config config = { .socket_id = 0, .nb_queue_pairs = nb_qps };
	struct rte_cryptodev_qp_conf qp = { .nb_descriptors = RIG_DESC };

	assert_int_equal(rte_vdev_init(NAME, args), 0);
	dev_id = rte_cryptodev_get_dev_id(NAME);
	assert_true(dev_id >= 0);
	if (wanted_calls != NULL) {
		struct mb_dev *dev = rte_cryptodev_pmd_get_named_dev(NAME)->data->dev_private;

		dev->calls = wanted_calls;
	}
	sessions = rte_cryptodev_asym_session_pool_create("rig_sess", 255, 0, 0, SOCKET_ID_ANY);
	assert_non_null(sessions);
	assert_int_equal(rte_cryptodev_configure(rig_dev(), &config), 0);
	for (uint16_t i = 0; i < nb_qps; i++)
		assert_int_equal(rte_cryptodev_queue_pair_setup(rig_dev(), i, &qp, 0), 0);
	assert_int_equal(rte_cryptodev_start(rig_dev()), 0);
}

void
rig_down(void)
{
	assert_int_equal(rte_mempool_avail_count(sessions), 255);
	assert_int_equal(rte_mempool_avail_count(ops_pool), 511);
	rte_cryptodev_stop(rig_dev());
	assert_int_equal(rte_cryptodev_close(rig_dev()), 0);
	assert_int_equal(rte_vdev_uninit(NAME), 0);
	rte_mempool_free(sessions);
	dev_id = -1;
}

int
rig_setup_one(void **state)
{
	(void)state;
	rig_calls(NULL);
	rig_up("crypto_mb=off", 1);
	return 0;
}

int
rig_setup_eight(void **state)
{
	(void)state;
	fake_reset();
	rig_calls(&fake_calls);
	rig_up(NULL, 1);
	return 0;
}

int
rig_setup_library(void **state)
{
	(void)state;
	rig_calls(NULL);
	rig_up(NULL, 1);
	return 0;
}

int
rig_teardown(void **state)
{
	(void)state;
	rig_down();
	return 0;
}

int
rig_teardown_eight(void **state)
{
	/* eight lanes were in use, or this tested nothing; a group's end that fails is none of the
	 * failures cmocka counts */
	if (fake_log.most_lanes != MB_LANES) {
		fprintf(stderr, "the last calls had %u lanes, not 8\n", fake_log.most_lanes);
		exit(EXIT_FAILURE);
	}
	return rig_teardown(state);
}

uint8_t
rig_dev(void)
{
	return (uint8_t)dev_id;
}

void *
rig_asym_session(struct rte_crypto_asym_xform *xform, int *why)
{
	void *session = NULL;
	int ret = rte_cryptodev_asym_session_create(rig_dev(), xform, sessions, &session);

	if (why != NULL)
		*why = ret;
	if (ret == 0)
		return session;
	/* DPDK keeps the object when the driver has refused the transform */
	if (session != NULL)
		rte_mempool_put(sessions, session);
	return NULL;
}

void
rig_asym_session_free(void *session)
{
	assert_int_equal(rte_cryptodev_asym_session_free(rig_dev(), session), 0);
}

struct rte_crypto_op *
rig_asym_op(void *session)
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(ops_pool, RTE_CRYPTO_OP_TYPE_ASYMMETRIC);

	if (op == NULL)
		abort(); /* the pool holds more than a test has */
	memset(op->asym, 0, sizeof(*op->asym));
	assert_int_equal(rte_crypto_op_attach_asym_session(op, session), 0);
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	return op;
}

void
rig_op_free(struct rte_crypto_op *op)
{
	rte_crypto_op_free(op);
}

bool
rig_run(uint16_t qp, struct rte_crypto_op **ops, unsigned int nb)
{
	uint64_t end = rte_rdtsc() + PATIENCE_S * rte_get_tsc_hz();
	struct rte_crypto_op *back[RIG_DESC];
	unsigned int sent = 0, got = 0;

	while (got < nb && rte_rdtsc() < end) {
		if (sent < nb)
			sent += rte_cryptodev_enqueue_burst(rig_dev(), qp, &ops[sent],
							    (uint16_t)(nb - sent));
		got += rte_cryptodev_dequeue_burst(rig_dev(), qp, back, RTE_DIM(back));
	}
	return got == nb && rte_cryptodev_dequeue_burst(rig_dev(), qp, back, RTE_DIM(back)) == 0;
}

void
rig_fill_calls(bool fill)
{
	fills_calls = fill;
}

int
rig_do(struct rte_crypto_op *op)
{
	struct rte_crypto_op *ops[MB_LANES] = { op };
	unsigned int nb = fills_calls ? MB_LANES : 1, i;

	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	for (i = 1; i < nb; i++) {
		ops[i] = rig_asym_op(op->asym->session);
		*ops[i]->asym = *op->asym;
	}
	assert_true(rig_run(0, ops, nb));
	for (i = 1; i < nb; i++) {
		assert_int_equal(ops[i]->status, op->status);
		rig_op_free(ops[i]);
	}
	return op->status;
}

void
rig_num_get(const EVP_PKEY *pkey, const char *param, struct rig_num *out)
{
	BIGNUM *bn = NULL;

	assert_int_equal(EVP_PKEY_get_bn_param(pkey, param, &bn), 1);
	out->len = (size_t)BN_num_bytes(bn);
	assert_true(out->len <= sizeof(out->bytes));
	BN_bn2bin(bn, out->bytes);
	BN_clear_free(bn);
}
