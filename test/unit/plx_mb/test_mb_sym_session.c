/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "test_mb_sym_rig.h"

#include <rte_bus_vdev.h>
#include <rte_malloc.h>

#include "mb_sym_priv.h"

/* Sessions: which transforms make one, what is left of one, ops without one, full queue pairs. */

#define LEN 64u

static int
up(void **state)
{
	(void)state;
	sym_up(2);
	return 0;
}

static int
down(void **state)
{
	(void)state;
	sym_down();
	return 0;
}

static void
spec_gcm(struct sym_spec *spec)
{
	memset(spec, 0, sizeof(*spec));
	spec->alg = sym_alg_named("aes-gcm");
	spec->key_bytes = 32;
	spec->iv_bytes = 12;
	spec->aad_bytes = 8;
	spec->tag_bytes = 16;
	spec->is_forward = true;
	sym_random(spec->key, sizeof(spec->key));
}

struct sizes {
	const char *alg;
	uint16_t key, iv, tag;
	uint32_t unit;
};

static void
transforms_with_wrong_sizes_are_refused(void **state)
{
	static const struct sizes wrong[] = {
		{ "aes-cbc", 15, 16, 0, 0 },
		{ "aes-cbc", 17, 16, 0, 0 },
		{ "aes-cbc", 0, 16, 0, 0 },
		{ "aes-cbc", 33, 16, 0, 0 },
		{ "aes-cbc", 16, 12, 0, 0 },
		{ "aes-cbc", 16, 0, 0, 0 },
		{ "aes-cbc", 16, 17, 0, 0 },
		{ "aes-ctr", 16, 13, 0, 0 },
		{ "aes-ctr", 16, 8, 0, 0 },
		{ "aes-ecb", 16, 16, 0, 0 },
		{ "aes-xts", 48, 16, 0, 0 },
		{ "aes-xts", 16, 16, 0, 0 },
		{ "aes-xts", 64, 8, 0, 0 },
		{ "aes-xts", 64, 16, 0, 500 },
		{ "aes-cbc", 16, 16, 0, 512 },
		{ "aes-xts", 64, 16, 0, 1 },
		{ "sm4-cbc", 32, 16, 0, 0 },
		{ "aes-gcm", 20, 12, 16, 0 },
		{ "aes-gcm", 16, 0, 16, 0 },
		{ "aes-gcm", 16, 129, 16, 0 },
		{ "aes-gcm", 16, 12, 3, 0 },
		{ "aes-gcm", 16, 12, 17, 0 },
		{ "aes-ccm", 16, 6, 16, 0 },
		{ "aes-ccm", 16, 14, 16, 0 },
		{ "aes-ccm", 16, 12, 5, 0 },
		{ "aes-ccm", 16, 12, 2, 0 },
		{ "aes-ccm", 16, 12, 18, 0 },
		{ "chacha20-poly1305", 16, 12, 16, 0 },
		{ "chacha20-poly1305", 32, 8, 16, 0 },
		{ "chacha20-poly1305", 32, 12, 15, 0 },
		{ "sha1", 0, 0, 0, 0 },
		{ "sha1", 0, 0, 21, 0 },
		{ "sha3-512", 0, 0, 65, 0 },
		{ "hmac-sha256", 0, 0, 32, 0 },
		{ "hmac-sha256", 32, 0, 33, 0 },
		{ "aes-cmac", 15, 0, 16, 0 },
		{ "aes-cmac", 16, 0, 3, 0 },
		{ "aes-gmac", 16, 0, 16, 0 },
		{ "aes-gmac", 16, 12, 17, 0 },
	};

	(void)state;
	for (size_t i = 0; i < RTE_DIM(wrong); i++) {
		struct sym_spec spec = { .alg = sym_alg_named(wrong[i].alg),
					 .key_bytes = wrong[i].key,
					 .iv_bytes = wrong[i].iv,
					 .tag_bytes = wrong[i].tag,
					 .unit_bytes = wrong[i].unit };
		struct rte_crypto_sym_xform x;

		sym_random(spec.key, sizeof(spec.key));
		sym_xform(&spec, &x);
		if (sym_session_try(&x) != NULL)
			fail_msg("%s, key %u, iv %u, tag %u was taken", wrong[i].alg, wrong[i].key,
				 wrong[i].iv, wrong[i].tag);
	}
}

static void
transforms_that_do_not_fit_together_are_refused(void **state)
{
	struct rte_crypto_sym_xform cipher, auth, aead, third;
	struct sym_spec spec;

	(void)state;
	spec_gcm(&spec);
	sym_xform(&spec, &aead);
	spec.alg = sym_alg_named("aes-cbc");
	spec.iv_bytes = 16;
	sym_xform(&spec, &cipher);
	spec.alg = sym_alg_named("hmac-sha1");
	sym_xform(&spec, &auth);
	third = auth;

	cipher.next = &aead;
	assert_null(sym_session_try(&cipher));
	aead.next = &auth;
	assert_null(sym_session_try(&aead));
	cipher.next = &auth;
	auth.next = &third;
	assert_null(sym_session_try(&cipher));
	auth.next = &auth;
	assert_null(sym_session_try(&cipher));
	auth.next = NULL;
	auth.type = RTE_CRYPTO_SYM_XFORM_NOT_SPECIFIED;
	assert_null(sym_session_try(&auth));
	cipher.next = NULL;
	cipher.cipher.key.data = NULL;
	assert_null(sym_session_try(&cipher));
	cipher.cipher.key.data = spec.key;
	cipher.cipher.algo = RTE_CRYPTO_CIPHER_KASUMI_F8;
	assert_null(sym_session_try(&cipher));
}

static void
an_xts_key_of_two_equal_halves_is_refused(void **state)
{
	struct sym_spec spec = { .alg = sym_alg_named("aes-xts"), .key_bytes = 64, .iv_bytes = 16 };
	struct rte_crypto_sym_xform x;

	(void)state;
	for (int i = 0; i < 4; i++) {
		spec.key_bytes = i < 2 ? 64 : 32;
		spec.is_forward = i % 2 == 0;
		sym_random(spec.key, sizeof(spec.key));
		memcpy(spec.key + spec.key_bytes / 2, spec.key, spec.key_bytes / 2);
		sym_xform(&spec, &x);
		assert_null(sym_session_try(&x));
		spec.key[spec.key_bytes - 1] ^= 1;
		sym_session_free(sym_session(&x));
	}
}

static bool
bytes_hold(const uint8_t *bytes, size_t len, const uint8_t *what, size_t what_len)
{
	for (size_t i = 0; i + what_len <= len; i++) {
		if (memcmp(bytes + i, what, what_len) == 0)
			return true;
	}
	return false;
}

static void
no_key_is_left_of_a_session(void **state)
{
	static const char *const names[] = { "aes-gcm", "aes-xts", "hmac-sha3-256", "aes-cmac" };

	(void)state;
	for (size_t i = 0; i < RTE_DIM(names); i++) {
		const struct plx_alg *alg = sym_alg_named(names[i]);
		struct sym_spec spec = { .alg = alg,
					 .key_bytes = alg->key.step == 1 ? 40 : alg->key.max,
					 .iv_bytes = alg->iv_default_bytes,
					 .tag_bytes = alg->tag_default_bytes };
		struct rte_crypto_sym_xform x;
		struct mb_sym_sess *sess;
		void *session;

		sym_random(spec.key, sizeof(spec.key));
		sym_xform(&spec, &x);
		session = sym_session(&x);
		sess = PLX_PMD_SYM_PRIV(session);
		if (i == 0 || i == 3)
			assert_true(bytes_hold((uint8_t *)sess, sizeof(*sess), spec.key, 16));
		sym_session_free(session);
		/* the pool's memory is still there */
		for (size_t k = 0; k < sizeof(*sess); k++)
			assert_int_equal(((uint8_t *)sess)[k], 0);
	}
}

static struct rte_crypto_op *
gcm_op(void *session, const uint8_t *data, uint8_t *aad, uint8_t *tag)
{
	struct rte_crypto_op *op = sym_op(session);

	op->sym->m_src = sym_chain(data, LEN, SYM_ONE);
	memset(sym_op_iv(op), 9, 12);
	op->sym->aead.data.length = LEN;
	op->sym->aead.aad.data = aad;
	op->sym->aead.digest.data = tag;
	return op;
}

static void
an_op_without_a_session_is_done(void **state)
{
	uint8_t data[LEN], cipher[LEN], seen[LEN], tag[16], want_tag[16], aad[8] = { 0 }, iv[12];
	struct rte_crypto_sym_xform x;
	struct rte_crypto_op *op;
	struct sym_spec spec;

	(void)state;
	memset(iv, 9, sizeof(iv));
	for (int i = 0; i < 20; i++) {
		spec_gcm(&spec);
		sym_random(data, sizeof(data));
		sym_reference(&spec, iv, aad, data, LEN, cipher, want_tag);
		sym_xform(&spec, &x);
		op = gcm_op(NULL, data, aad, tag);
		op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		op->sym->xform = &x;
		assert_int_equal(sym_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_true(sym_chain_read(op->sym->m_src, seen));
		assert_memory_equal(seen, cipher, LEN);
		assert_memory_equal(tag, want_tag, sizeof(tag));
		x.aead.key.length = 31;
		assert_int_equal(sym_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		assert_true(sym_chain_read(op->sym->m_src, seen));
		assert_memory_equal(seen, cipher, LEN);
		sym_op_free(op);
	}
}

static void
a_full_queue_pair_takes_what_fits_and_touches_nothing_else(void **state)
{
	struct rte_crypto_op *ops[SYM_DESC + 40], *back[SYM_DESC + 40];
	uint8_t data[LEN], seen[LEN], tag[16], aad[8] = { 0 };
	struct rte_cryptodev_stats stats;
	struct rte_crypto_sym_xform x;
	struct sym_spec spec;
	void *session;
	uint16_t n = 0;

	(void)state;
	spec_gcm(&spec);
	sym_random(data, sizeof(data));
	sym_xform(&spec, &x);
	session = sym_session(&x);
	for (uint16_t i = 0; i < RTE_DIM(ops); i++) {
		ops[i] = gcm_op(session, data, aad, tag);
		ops[i]->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	}
	rte_cryptodev_stats_reset(sym_dev());
	assert_int_equal(rte_cryptodev_enqueue_burst(sym_dev(), 1, ops, RTE_DIM(ops)), SYM_DESC);
	assert_int_equal(rte_cryptodev_enqueue_burst(sym_dev(), 1, &ops[SYM_DESC], 40), 0);
	for (uint16_t i = SYM_DESC; i < RTE_DIM(ops); i++) {
		assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
		assert_true(sym_chain_read(ops[i]->sym->m_src, seen));
		assert_memory_equal(seen, data, LEN);
	}
	while (n < SYM_DESC)
		n = (uint16_t)(n + rte_cryptodev_dequeue_burst(sym_dev(), 1, &back[n], 7));
	assert_int_equal(rte_cryptodev_enqueue_burst(sym_dev(), 1, &ops[SYM_DESC], 40), 40);
	while (n < RTE_DIM(ops))
		n = (uint16_t)(n + rte_cryptodev_dequeue_burst(sym_dev(), 1, &back[n], 64));
	for (uint16_t i = 0; i < RTE_DIM(ops); i++) {
		assert_ptr_equal(back[i], ops[i]);
		assert_int_equal(ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		sym_op_free(ops[i]);
	}
	assert_int_equal(rte_cryptodev_stats_get(sym_dev(), &stats), 0);
	assert_int_equal(stats.enqueued_count, RTE_DIM(ops));
	assert_int_equal(stats.dequeued_count, RTE_DIM(ops));
	assert_int_equal(stats.enqueue_err_count, 80);
	assert_int_equal(stats.dequeue_err_count, 0);
	sym_session_free(session);
}

/* The same session, key expanded for each: on queue pairs of two devices with the same numbers. */
static void
a_session_runs_on_all_devices_of_the_driver(void **state)
{
	struct rte_cryptodev_config config = { .socket_id = 0, .nb_queue_pairs = 2 };
	struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 16 };
	uint8_t data[LEN], cipher[LEN], seen[LEN], tag[16], want_tag[16], aad[8] = { 0 }, iv[12];
	struct rte_crypto_sym_xform x;
	struct rte_crypto_op *op;
	struct sym_spec spec;
	void *session;
	uint8_t other;

	(void)state;
	memset(iv, 9, sizeof(iv));
	assert_int_equal(rte_vdev_init("crypto_plx_mb7", "crypto_mb=off"), 0);
	other = (uint8_t)rte_cryptodev_get_dev_id("crypto_plx_mb7");
	assert_int_equal(rte_cryptodev_configure(other, &config), 0);
	for (uint16_t qp = 0; qp < 2; qp++)
		assert_int_equal(rte_cryptodev_queue_pair_setup(other, qp, &conf, 0), 0);
	assert_int_equal(rte_cryptodev_start(other), 0);
	spec_gcm(&spec);
	sym_random(data, sizeof(data));
	sym_reference(&spec, iv, aad, data, LEN, cipher, want_tag);
	sym_xform(&spec, &x);
	session = sym_session(&x);
	for (uint16_t i = 0; i < 8; i++) {
		uint8_t dev = i % 2 == 0 ? sym_dev() : other;

		op = gcm_op(session, data, aad, tag);
		assert_int_equal(rte_cryptodev_enqueue_burst(dev, i / 4, &op, 1), 1);
		assert_int_equal(rte_cryptodev_dequeue_burst(dev, i / 4, &op, 1), 1);
		assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_true(sym_chain_read(op->sym->m_src, seen));
		assert_memory_equal(seen, cipher, LEN);
		assert_memory_equal(tag, want_tag, sizeof(tag));
		sym_op_free(op);
	}
	sym_session_free(session);
	rte_cryptodev_stop(other);
	assert_int_equal(rte_cryptodev_close(other), 0);
	assert_int_equal(rte_vdev_uninit("crypto_plx_mb7"), 0);
}

static uint8_t *
bounce_of(uint16_t qp)
{
	const struct mb_qp *q = rte_cryptodevs[sym_dev()].data->queue_pairs[qp];

	return q->sym->bounce;
}

/* A queue pair that is made anew has memory of its own, and maybe another one's slot. */
static void
a_session_survives_its_queue_pairs(void **state)
{
	struct sym_spec spec = {
		.alg = sym_alg_named("aes-xts"), .key_bytes = 64, .iv_bytes = 16, .is_forward = true
	};
	struct rte_cryptodev_qp_conf conf = { .nb_descriptors = SYM_DESC };
	uint8_t data[LEN], cipher[LEN], seen[LEN];
	struct rte_crypto_sym_xform x;
	struct mb_sym_sess *sess;
	void *session, *taken[2];

	(void)state;
	sym_random(spec.key, sizeof(spec.key));
	sym_random(data, sizeof(data));
	sym_xform(&spec, &x);
	session = sym_session(&x);
	sess = PLX_PMD_SYM_PRIV(session);
	for (int i = 0; i < 4; i++) {
		for (uint16_t qp = 0; qp < 2; qp++) {
			const struct mb_qp *q = rte_cryptodevs[sym_dev()].data->queue_pairs[qp];
			struct rte_crypto_op *op = sym_op(session);

			memset(sym_op_iv(op), i, 16);
			sym_reference(&spec, sym_op_iv(op), NULL, data, LEN, cipher, NULL);
			op->sym->m_src = sym_chain(data, LEN, SYM_CRUMBS);
			op->sym->cipher.data.length = LEN;
			sym_run(qp, &op, 1);
			assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
			assert_true(sym_chain_read(op->sym->m_src, seen));
			assert_memory_equal(seen, cipher, LEN);
			assert_ptr_equal(sess->ctxs[q->sym->slot]->bounce, bounce_of(qp));
			sym_op_free(op);
		}
		rte_cryptodev_stop(sym_dev());
		for (uint16_t qp = 0; qp < 2; qp++) {
			assert_int_equal(rte_cryptodev_queue_pair_setup(sym_dev(), qp, &conf, 0),
					 0);
			/* the memory that was freed is not what the next one gets */
			taken[qp] = rte_malloc(NULL, sizeof(struct mb_sym_qp), 0);
		}
		assert_int_equal(rte_cryptodev_start(sym_dev()), 0);
		rte_free(taken[0]);
		rte_free(taken[1]);
	}
	sym_session_free(session);
}

/* As many queue pairs as there are slots, and one more. */
static void
a_process_has_a_limit_of_queue_pairs(void **state)
{
	struct rte_cryptodev_config config = { .socket_id = 0, .nb_queue_pairs = 256 };
	struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 2 };
	uint32_t nb = 2; /* of the rig's device */
	uint8_t dev;

	(void)state;
	assert_int_equal(rte_vdev_init("crypto_plx_mb8", "crypto_mb=off,max_nb_queue_pairs=256"),
			 0);
	dev = (uint8_t)rte_cryptodev_get_dev_id("crypto_plx_mb8");
	assert_int_equal(rte_cryptodev_configure(dev, &config), 0);
	for (uint16_t qp = 0; qp < 256; qp++)
		nb += rte_cryptodev_queue_pair_setup(dev, qp, &conf, 0) == 0;
	assert_int_equal(nb, MB_QPS_MAX);
	assert_int_equal(rte_cryptodev_close(dev), 0);
	config.nb_queue_pairs = 1; /* they are free again */
	assert_int_equal(rte_cryptodev_configure(dev, &config), 0);
	assert_int_equal(rte_cryptodev_queue_pair_setup(dev, 0, &conf, 0), 0);
	assert_int_equal(rte_cryptodev_close(dev), 0);
	assert_int_equal(rte_vdev_uninit("crypto_plx_mb8"), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transforms_with_wrong_sizes_are_refused),
		cmocka_unit_test(transforms_that_do_not_fit_together_are_refused),
		cmocka_unit_test(an_xts_key_of_two_equal_halves_is_refused),
		cmocka_unit_test(no_key_is_left_of_a_session),
		cmocka_unit_test(an_op_without_a_session_is_done),
		cmocka_unit_test(a_full_queue_pair_takes_what_fits_and_touches_nothing_else),
		cmocka_unit_test(a_session_runs_on_all_devices_of_the_driver),
		cmocka_unit_test(a_session_survives_its_queue_pairs),
		cmocka_unit_test(a_process_has_a_limit_of_queue_pairs),
	};

	sym_eal("mb_sym_session");
	return cmocka_run_group_tests_name("mb_sym_session", tests, up, down);
}
