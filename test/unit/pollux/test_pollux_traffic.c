/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_mbuf.h>

/* Operations of a program: each comes back once, right, with the program's session, in order. */

/* Inline, pipeline, auto; work is done at enqueue by the first driver, at dequeue by the second. */
static const char *const setups[] = {
	"device=crypto_openssl",
	"device=crypto_aesni_mb",
	"device=crypto_openssl,engines=1",
	"device=crypto_aesni_mb,engines=3,policy=session",
	"device=crypto_aesni_mb,engines=2,mode=auto",
};

static void
run_each(enum rig_kind kind, uint64_t nb, uint32_t depth)
{
	for (size_t i = 0; i < RTE_DIM(setups); i++) {
		static struct stream s;
		struct rig r;

		rig_open(&r, setups[i], 1, 512);
		stream_open(&s, &r, 0, kind);
		if (!stream_run(&s, nb, depth))
			fail_msg("'%s' is stuck", setups[i]);
		stream_assert_right(&s);
		stream_close(&s);
		rig_close(&r);
	}
}

static void
operations_come_back_right_and_in_order(void **state)
{
	(void)state;
	run_each(RIG_IN_PLACE, 20000, 300);
}

static void
one_operation_at_a_time_comes_back(void **state)
{
	(void)state;
	run_each(RIG_IN_PLACE, 300, 1);
}

static void
out_of_place_leaves_the_program_its_buffers(void **state)
{
	(void)state;
	run_each(RIG_OUT_OF_PLACE, 5000, 300);
}

static void
sessionless_operations_keep_their_transform(void **state)
{
	(void)state;
	run_each(RIG_SESSIONLESS, 5000, 300);
}

static void
kinds_mix_in_a_burst(void **state)
{
	static struct stream s;
	struct rig r;

	(void)state;
	/* on one engine: sessions of different kinds would go to different ones */
	rig_open(&r, "device=crypto_aesni_mb,engines=1", 1, 512);
	stream_open(&s, &r, 0, RIG_MIXED);
	assert_true(stream_run(&s, 9000, 300));
	stream_assert_right(&s);
	stream_close(&s);
	rig_close(&r);
}

static void
a_full_queue_pair_takes_a_prefix_and_leaves_the_rest_untouched(void **state)
{
	struct rte_crypto_op *ops[STREAM_OPS];
	static struct stream s;

	(void)state;
	for (size_t i = 0; i < RTE_DIM(setups); i++) {
		struct rte_cryptodev_stats stats;
		struct rig r;
		uint16_t made, n;

		rig_open(&r, setups[i], 1, 128);
		stream_open(&s, &r, 0, RIG_MIXED);
		made = stream_make(&s, ops, 300);
		assert_int_equal(made, 300);
		n = rte_cryptodev_enqueue_burst(r.dev_id, 0, ops, made);
		assert_int_equal(n, 128);
		for (uint16_t k = n; k < made; k++)
			assert_int_equal(ops[k]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
		/* its session or transform in each, too */
		stream_unmake(&s, &ops[n], (uint16_t)(made - n));
		assert_int_equal(rte_cryptodev_stats_get(r.dev_id, &stats), 0);
		assert_int_equal(stats.enqueued_count, 128);
		assert_int_equal(stats.enqueue_err_count, 1);
		assert_true(stream_drain(&s));
		assert_int_equal(s.nb_right, 128);
		assert_int_equal(s.nb_wrong, 0);
		stream_close(&s);
		rig_close(&r);
	}
}

static void
a_burst_larger_than_an_engines_is_taken_as_a_whole(void **state)
{
	struct rte_crypto_op *ops[STREAM_OPS];
	static struct stream s;
	struct rig r;

	(void)state;
	rig_open(&r, "device=crypto_aesni_mb", 1, 1024);
	stream_open(&s, &r, 0, RIG_IN_PLACE);
	assert_int_equal(stream_make(&s, ops, STREAM_OPS), STREAM_OPS);
	assert_int_equal(rte_cryptodev_enqueue_burst(r.dev_id, 0, ops, STREAM_OPS), STREAM_OPS);
	assert_true(stream_drain(&s));
	stream_assert_right(&s);
	stream_close(&s);
	rig_close(&r);
}

static void
a_stop_finishes_what_is_in_and_nothing_old_comes_after_a_start(void **state)
{
	(void)state;
	for (size_t i = 0; i < RTE_DIM(setups); i++) {
		struct plx_pollux_stats stats = { .size = sizeof(stats) };
		struct rte_crypto_op *ops[200], *none[32];
		static struct stream s;
		struct rig r;

		rig_open(&r, setups[i], 1, 512);
		stream_open(&s, &r, 0, RIG_MIXED);
		assert_int_equal(stream_make(&s, ops, 200), 200);
		assert_int_equal(rte_cryptodev_enqueue_burst(r.dev_id, 0, ops, 200), 200);
		rte_cryptodev_stop(r.dev_id);
		/* the program's again, and not given back by a burst */
		assert_int_equal(rte_cryptodev_dequeue_burst(r.dev_id, 0, none, 32), 0);
		stream_take(&s, ops, 200);
		assert_int_equal(s.nb_right, 200);
		assert_int_equal(s.nb_wrong, 0);
		assert_int_equal(rte_cryptodev_start(r.dev_id), 0);
		assert_int_equal(rte_cryptodev_dequeue_burst(r.dev_id, 0, none, 32), 0);
		assert_int_equal(plx_pollux_stats(r.dev_id, &stats), 0);
		assert_int_equal(stats.nb_dropped, 200);
		assert_int_equal(stats.nb_dequeued, 0);
		assert_true(stream_run(&s, 1000, 100));
		assert_int_equal(s.nb_right, 1200);
		stream_close(&s);
		rig_close(&r);
	}
}

static void
queue_pairs_are_set_up_anew_between_stop_and_start(void **state)
{
	struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 64 };
	struct rte_crypto_op *ops[128];
	static struct stream s;
	struct rig r;

	(void)state;
	rig_open(&r, "device=crypto_aesni_mb,engines=1", 2, 512);
	stream_open(&s, &r, 1, RIG_IN_PLACE);
	assert_true(stream_run(&s, 500, 100));
	rte_cryptodev_stop(r.dev_id);
	assert_int_equal(rte_cryptodev_queue_pair_setup(r.dev_id, 1, &conf, 0), 0);
	conf.nb_descriptors = 70000;
	assert_int_equal(rte_cryptodev_queue_pair_setup(r.dev_id, 0, &conf, 0), -EINVAL);
	assert_int_equal(rte_cryptodev_start(r.dev_id), 0);
	assert_int_equal(stream_make(&s, ops, 128), 128);
	assert_int_equal(rte_cryptodev_enqueue_burst(r.dev_id, 1, ops, 128), 64);
	stream_unmake(&s, &ops[64], 64);
	assert_true(stream_drain(&s));
	stream_assert_right(&s);
	rte_cryptodev_stop(r.dev_id);
	r.nb_qps = 1;
	rig_start(&r, 256);
	stream_close(&s);
	rig_close(&r);
}

static void
statistics_count_and_start_again(void **state)
{
	struct rte_cryptodev_stats stats;
	static struct stream s;
	struct rig r;

	(void)state;
	rig_open(&r, "device=[crypto_plx_fault,inner=crypto_openssl,fail=1/10]", 1, 512);
	stream_open(&s, &r, 0, RIG_IN_PLACE);
	assert_true(stream_run(&s, 1000, 100));
	assert_int_equal(rte_cryptodev_stats_get(r.dev_id, &stats), 0);
	assert_int_equal(stats.enqueued_count, 1000);
	assert_int_equal(stats.dequeued_count, 1000);
	assert_int_equal(stats.dequeue_err_count, 100);
	rte_cryptodev_stats_reset(r.dev_id);
	assert_int_equal(rte_cryptodev_stats_get(r.dev_id, &stats), 0);
	assert_int_equal(stats.enqueued_count + stats.dequeued_count + stats.dequeue_err_count, 0);
	assert_true(stream_run(&s, 50, 100));
	assert_int_equal(rte_cryptodev_stats_get(r.dev_id, &stats), 0);
	assert_int_equal(stats.enqueued_count, 50);
	assert_int_equal(s.nb_status[RTE_CRYPTO_OP_STATUS_ERROR], 105);
	assert_int_equal(s.nb_right, 945);
	stream_close(&s);
	rig_close(&r);
}

static void
removal_of_a_started_device_is_refused(void **state)
{
	static struct stream s;
	struct rig r;

	(void)state;
	rig_open(&r, "device=crypto_openssl", 1, 512);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), -EBUSY);
	stream_open(&s, &r, 0, RIG_IN_PLACE);
	assert_true(stream_run(&s, 100, 100));
	stream_assert_right(&s);
	stream_close(&s);
	rig_close(&r);
}

static void
sessions_a_program_leaves_behind_go_with_the_device(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, "device=crypto_aesni_mb,device=crypto_openssl", 1, 512);
	rte_cryptodev_stop(r.dev_id);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
	rte_mempool_free(r.sessions);
}

static void
bad_operations_come_back_with_a_status(void **state)
{
	struct rte_crypto_op *ops[4], *back[4];
	static struct stream s;
	struct rig r;
	void *src;

	(void)state;
	rig_open(&r, "device=crypto_openssl", 1, 512);
	stream_open(&s, &r, 0, RIG_MIXED);
	assert_int_equal(stream_make(&s, ops, 4), 4);
	ops[0]->sym->session = NULL; /* in place */
	src = ops[1]->sym->m_src;
	ops[1]->sym->m_src = NULL;                                     /* out of place */
	ops[2]->sym->xform->cipher.algo = RTE_CRYPTO_CIPHER_KASUMI_F8; /* sessionless */
	ops[3]->type = RTE_CRYPTO_OP_TYPE_UNDEFINED;
	assert_int_equal(rte_cryptodev_enqueue_burst(r.dev_id, 0, ops, 4), 4);
	for (uint16_t got = 0; got < 4;)
		got = (uint16_t)(got + rte_cryptodev_dequeue_burst(r.dev_id, 0, &back[got],
								   (uint16_t)(4 - got)));
	assert_int_equal(ops[0]->status, RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	assert_null(ops[0]->sym->session);
	assert_int_equal(ops[1]->status, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(ops[2]->status, RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	assert_int_equal(ops[3]->status, RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	ops[0]->sym->session = r.session;
	ops[1]->sym->m_src = src;
	ops[3]->type = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
	stream_take(&s, ops, 4);
	assert_int_equal(s.nb_wrong, 0);
	stream_close(&s);
	rig_close(&r);
}

/* AES-128-CBC, then HMAC-SHA1 of the result, as IPsec has it. */
static void
cipher_then_digest_is_one_operation(void **state)
{
	uint8_t key[16] = { 1, 2, 3 }, mac_key[20] = { 4, 5, 6 }, plain[64] = { 7, 8, 9 };
	uint8_t want[64 + 16], mac[20], iv[16] = { 10 };
	struct rte_crypto_sym_xform auth = {
		.type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.auth = { .op = RTE_CRYPTO_AUTH_OP_GENERATE,
			  .algo = RTE_CRYPTO_AUTH_SHA1_HMAC,
			  .key = { .data = mac_key, .length = sizeof(mac_key) },
			  .digest_length = 20 },
	};
	struct rte_crypto_sym_xform cipher = {
		.next = &auth,
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = { .op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			    .algo = RTE_CRYPTO_CIPHER_AES_CBC,
			    .key = { .data = key, .length = sizeof(key) },
			    .iv = { .offset = RIG_IV_OFFSET, .length = RIG_IV_BYTES } },
	};
	EVP_CIPHER_CTX *evp = EVP_CIPHER_CTX_new();
	struct rte_crypto_op *op, *back = NULL;
	static struct stream s;
	int len = 0;

	(void)state;
	assert_int_equal(EVP_EncryptInit_ex(evp, EVP_aes_128_cbc(), NULL, key, iv), 1);
	assert_int_equal(EVP_EncryptUpdate(evp, want, &len, plain, sizeof(plain)), 1);
	EVP_CIPHER_CTX_free(evp);
	assert_non_null(HMAC(EVP_sha1(), mac_key, sizeof(mac_key), want, 64, mac, NULL));
	for (size_t i = 0; i < RTE_DIM(setups); i++) {
		uint8_t *bytes;
		void *session;
		struct rig r;

		rig_open(&r, setups[i], 1, 512);
		session = rte_cryptodev_sym_session_create(r.dev_id, &cipher, r.sessions);
		assert_non_null(session);
		stream_open(&s, &r, 0, RIG_IN_PLACE);
		assert_int_equal(stream_make(&s, &op, 1), 1);
		bytes = rte_pktmbuf_mtod(op->sym->m_src, uint8_t *);
		memcpy(bytes, plain, sizeof(plain));
		memcpy(rte_crypto_op_ctod_offset(op, uint8_t *, RIG_IV_OFFSET), iv, sizeof(iv));
		op->sym->session = session;
		op->sym->cipher.data.length = op->sym->auth.data.length = sizeof(plain);
		op->sym->auth.data.offset = 0;
		op->sym->auth.digest.data = bytes + sizeof(plain);
		assert_int_equal(rte_cryptodev_enqueue_burst(r.dev_id, 0, &op, 1), 1);
		while (rte_cryptodev_dequeue_burst(r.dev_id, 0, &back, 1) == 0)
			;
		assert_ptr_equal(back, op);
		assert_ptr_equal(op->sym->session, session);
		assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_memory_equal(bytes, want, 64);
		assert_memory_equal(bytes + 64, mac, 20);
		op->sym->session = r.session;
		op->status = RTE_CRYPTO_OP_STATUS_ERROR;
		stream_take(&s, &op, 1);
		stream_close(&s);
		assert_int_equal(rte_cryptodev_sym_session_free(r.dev_id, session), 0);
		rig_close(&r);
	}
}

static void
many_transforms_without_session_are_kept_apart(void **state)
{
	uint8_t keys[100][16], want[RIG_BYTES];
	struct rte_crypto_op *ops[100], *back[100];
	static struct stream s;
	struct rig r;
	uint16_t got = 0, sent = 0;

	(void)state;
	rig_open(&r, "device=crypto_openssl", 1, 512);
	stream_open(&s, &r, 0, RIG_SESSIONLESS);
	assert_int_equal(stream_make(&s, ops, 100), 100);
	for (int i = 0; i < 100; i++) {
		memset(keys[i], i, sizeof(keys[i]));
		ops[i]->sym->xform->cipher.key.data = keys[i];
	}
	/* more than are remembered: the rest come in when others have left */
	while (got < 100) {
		sent = (uint16_t)(sent + rte_cryptodev_enqueue_burst(r.dev_id, 0, &ops[sent],
								     (uint16_t)(100 - sent)));
		got = (uint16_t)(got + rte_cryptodev_dequeue_burst(r.dev_id, 0, &back[got],
								   (uint16_t)(100 - got)));
	}
	for (int i = 0; i < 100; i++) {
		EVP_CIPHER_CTX *evp = EVP_CIPHER_CTX_new();
		int len = 0;

		assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		memcpy(want, rte_pktmbuf_mtod(ops[i]->sym->m_src, uint8_t *), RIG_BYTES);
		assert_int_equal(EVP_DecryptInit_ex(evp, EVP_aes_128_ctr(), NULL, keys[i],
						    rte_crypto_op_ctod_offset(ops[i], uint8_t *,
									      RIG_IV_OFFSET)),
				 1);
		assert_int_equal(EVP_DecryptUpdate(evp, want, &len, want, RIG_BYTES), 1);
		for (int k = 0; k < RIG_BYTES; k++)
			assert_int_equal(want[k], (uint8_t)(i * 31 + k * 7));
		EVP_CIPHER_CTX_free(evp);
		ops[i]->status = RTE_CRYPTO_OP_STATUS_ERROR;
	}
	stream_take(&s, ops, 100);
	assert_int_equal(s.nb_wrong, 0);
	stream_close(&s);
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_come_back_right_and_in_order),
		cmocka_unit_test(one_operation_at_a_time_comes_back),
		cmocka_unit_test(out_of_place_leaves_the_program_its_buffers),
		cmocka_unit_test(sessionless_operations_keep_their_transform),
		cmocka_unit_test(kinds_mix_in_a_burst),
		cmocka_unit_test(a_full_queue_pair_takes_a_prefix_and_leaves_the_rest_untouched),
		cmocka_unit_test(a_burst_larger_than_an_engines_is_taken_as_a_whole),
		cmocka_unit_test(a_stop_finishes_what_is_in_and_nothing_old_comes_after_a_start),
		cmocka_unit_test(queue_pairs_are_set_up_anew_between_stop_and_start),
		cmocka_unit_test(statistics_count_and_start_again),
		cmocka_unit_test(removal_of_a_started_device_is_refused),
		cmocka_unit_test(sessions_a_program_leaves_behind_go_with_the_device),
		cmocka_unit_test(bad_operations_come_back_with_a_status),
		cmocka_unit_test(cipher_then_digest_is_one_operation),
		cmocka_unit_test(many_transforms_without_session_are_kept_apart),
	};

	return cmocka_run_group_tests_name("pollux_traffic", tests, rig_eal, NULL);
}
