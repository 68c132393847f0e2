/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "test_mb_sym_rig.h"

#include "alloc_fail.h"

/*
 * Each allocation fails once, OpenSSL's among them: of a session, of a queue pair's first op with
 * it, of an op without a session. And a session that has met its queue pair allocates nothing.
 */

#define LEN 64u

static uint8_t aad[64], tag[64];

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
spec_make(const struct plx_alg *alg, struct sym_spec *spec)
{
	memset(spec, 0, sizeof(*spec));
	spec->alg = alg;
	spec->key_bytes = alg->key.step == 1 ? 33 : alg->key.max;
	spec->iv_bytes = alg->iv_default_bytes;
	spec->tag_bytes = (uint16_t)(alg->kind == PLX_ALG_KIND_CIPHER ? 0
				     : alg->kind == PLX_ALG_KIND_HASH ? alg->tag.max
								      : alg->tag_default_bytes);
	spec->aad_bytes = alg->kind == PLX_ALG_KIND_AEAD ? 16 : 0;
	spec->is_forward = true;
	sym_random(spec->key, sizeof(spec->key));
}

/* Out of place, so that it can be done again. */
static struct rte_crypto_op *
op_make(const struct sym_spec *spec, void *session)
{
	static const uint8_t plain[LEN];
	struct rte_crypto_op *op = sym_op(session);
	uint8_t cipher[LEN] = { 0 };

	memset(sym_op_iv(op), 1, SYM_PRIV);
	if (!spec->is_forward)
		sym_reference(spec, sym_op_iv(op), aad, plain, LEN, cipher, tag);
	op->sym->m_src = sym_chain(cipher, LEN, SYM_HALVES);
	op->sym->m_dst = sym_chain(NULL, LEN, SYM_HALVES);
	if (spec->alg->kind == PLX_ALG_KIND_AEAD) {
		op->sym->aead.data.length = LEN;
		op->sym->aead.aad.data = aad;
		op->sym->aead.digest.data = tag;
	} else if (sym_is_auth(spec->alg)) {
		op->sym->auth.data.length = LEN;
		op->sym->auth.digest.data = tag;
	} else {
		op->sym->cipher.data.length = LEN;
	}
	return op;
}

/* Make a session with the n-th allocation failing; the session when there is no n-th one. */
static void *
session_sweep(struct rte_crypto_sym_xform *x, uint64_t *nb)
{
	for (uint64_t n = 1;; n++) {
		void *session;

		alloc_fail_at(n);
		session = sym_session_try(x);
		if (!alloc_fail_stop()) {
			assert_non_null(session);
			*nb = n - 1;
			return session;
		}
		if (session != NULL) /* OpenSSL could do without */
			sym_session_free(session);
	}
}

static void
first_op_sweep(const struct sym_spec *spec, void *session)
{
	for (uint64_t n = 1;; n++) {
		struct rte_crypto_op *op = op_make(spec, session);
		bool has_failed;
		int status;

		alloc_fail_at(n);
		status = sym_do(op);
		has_failed = alloc_fail_stop();
		sym_op_free(op);
		if (status == RTE_CRYPTO_OP_STATUS_SUCCESS)
			return;
		assert_true(has_failed);
		assert_int_equal(status, RTE_CRYPTO_OP_STATUS_ERROR);
		assert_true(n < 100);
	}
}

static void
sessions_and_first_ops_bear_failing_allocations(void **state)
{
	(void)state;
	for (size_t i = 0; sym_alg(i) != NULL; i++) {
		struct rte_crypto_sym_xform x;
		struct sym_spec spec;
		void *session;
		uint64_t nb;

		spec_make(sym_alg(i), &spec);
		sym_xform(&spec, &x);
		/* OpenSSL remembers for good that an algorithm could not be loaded */
		sym_session_free(sym_session(&x));
		session = session_sweep(&x, &nb);
		assert_true(nb >= 1);
		first_op_sweep(&spec, session);
		sym_session_free(session);
	}
}

static void
an_op_without_a_session_bears_a_failing_allocation(void **state)
{
	struct rte_crypto_sym_xform x;
	struct sym_spec spec;
	uint64_t n;

	(void)state;
	spec_make(sym_alg_named("aes-gcm"), &spec);
	sym_xform(&spec, &x);
	sym_session_free(sym_session(&x));
	for (n = 1; n < 200; n++) {
		struct rte_crypto_op *op = op_make(&spec, NULL);
		bool has_failed;
		int status;

		op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		op->sym->xform = &x;
		alloc_fail_at(n);
		status = sym_do(op);
		has_failed = alloc_fail_stop();
		sym_op_free(op);
		if (!has_failed) {
			assert_int_equal(status, RTE_CRYPTO_OP_STATUS_SUCCESS);
			break;
		}
	}
	assert_true(n > 3 && n < 200);
}

/* NOLINTBEGIN(readability-function-size): one story from the first op to the last */
static void
ops_after_the_first_allocate_nothing(void **state)
{
	uint32_t nb = 0;

	(void)state;
	for (size_t i = 0; sym_alg(i) != NULL; i++) {
		for (int direction = 0; direction < 2; direction++) {
			struct rte_crypto_sym_xform x;
			struct rte_crypto_op *op;
			struct sym_spec spec;
			void *session;

			spec_make(sym_alg(i), &spec);
			spec.is_forward = direction == 0;
			sym_xform(&spec, &x);
			session = sym_session(&x);
			op = op_make(&spec, session);
			sym_do(op);
			for (int k = 0; k < 10; k++) {
				alloc_fail_at(1);
				assert_int_equal(sym_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
				if (alloc_fail_stop())
					fail_msg("%s, %s: an op allocates memory", spec.alg->name,
						 spec.is_forward ? "forward" : "backward");
				nb++;
			}
			sym_op_free(op);
			sym_session_free(session);
		}
	}
	assert_true(nb > 500);
}
/* NOLINTEND(readability-function-size) */

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sessions_and_first_ops_bear_failing_allocations),
		cmocka_unit_test(an_op_without_a_session_bears_a_failing_allocation),
		cmocka_unit_test(ops_after_the_first_allocate_nothing),
	};

	if (!alloc_fail_openssl())
		return 1;
	sym_eal("mb_sym_alloc");
	return cmocka_run_group_tests_name("mb_sym_alloc", tests, up, down);
}
