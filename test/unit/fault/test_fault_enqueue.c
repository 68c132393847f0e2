/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "fault_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Faults that show when an operation is enqueued, over a device that works then and one that works
 * later. */

static void
each_inner(void (*check)(struct rig *r), const char *args, uint32_t nb_desc)
{
	static struct rig r;

	for (size_t i = 0; i < PLX_ARRAY_SIZE(rig_inner); i++) {
		rig_open(&r, rig_inner[i], args, 1, nb_desc);
		check(&r);
		rig_close(&r);
	}
}

static void
check_right(struct rig *r)
{
	int64_t order[RIG_OPS];
	uint32_t sent = 0;
	uint32_t got = 0;

	while (got < RIG_OPS) {
		sent += rig_put(r, 0, sent, (uint16_t)RTE_MIN(RIG_OPS - sent, 48u));
		got += rig_get(r, 0, 32, order + got);
	}
	for (uint32_t i = 0; i < RIG_OPS; i++) {
		assert_int_equal(order[i], i);
		assert_int_equal(r->ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_ptr_equal(r->ops[i]->sym->session, r->session);
		assert_int_equal(rig_look(r, i), RIG_RIGHT);
	}
}

static void
without_faults_all_come_back_right_and_in_order(void **state)
{
	(void)state;
	each_inner(check_right, "", 128);
}

static void
check_full(struct rig *r)
{
	assert_int_equal(rig_put(r, 0, 0, 100), 63);
	assert_int_equal(rig_put(r, 0, 63, 1), 0);
	for (uint32_t i = 63; i < 100; i++) {
		assert_int_equal(rig_look(r, i), RIG_UNTOUCHED);
		assert_int_equal(r->ops[i]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
		assert_ptr_equal(r->ops[i]->sym->session, r->session);
	}
	assert_int_equal(rig_get_all(r, 0, 63, NULL), 63);
	assert_true(rig_put(r, 0, 63, 37) == 37);
	assert_int_equal(rig_get_all(r, 0, 37, NULL), 37);
}

static void
one_descriptor_less_than_asked_can_be_used(void **state)
{
	(void)state;
	each_inner(check_full, "", 64);
}

static void
check_refuse(struct rig *r)
{
	assert_int_equal(rig_put(r, 0, 0, 32), 0);
	assert_int_equal(rig_look(r, 0), RIG_UNTOUCHED);
	assert_int_equal(r->ops[0]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	assert_ptr_equal(r->ops[0]->sym->session, r->session);
	rig_set(r, "refuse=1/5");
	/* the fifth is refused, and the count begins again */
	assert_int_equal(rig_put(r, 0, 0, 32), 4);
	assert_int_equal(rig_put(r, 0, 4, 32), 4);
	assert_int_equal(rig_get_all(r, 0, 8, NULL), 8);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(rig_look(r, i), RIG_RIGHT);
	assert_int_equal(rig_look(r, 8), RIG_UNTOUCHED);
	assert_int_equal(rig_injected(r, PLX_FAULT_REFUSE), 3);
}

static void
refuse_ends_the_burst_before_an_untouched_operation(void **state)
{
	(void)state;
	each_inner(check_refuse, "refuse=always", 64);
}

static void
check_bad_status(struct rig *r)
{
	assert_int_equal(rig_put(r, 0, 0, 8), 3);
	assert_int_equal(r->ops[3]->status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(rig_look(r, 3), RIG_UNTOUCHED);
	assert_ptr_equal(r->ops[3]->sym->session, r->session);
	assert_int_equal(r->ops[4]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	assert_int_equal(rig_get_all(r, 0, 3, NULL), 3);
	assert_int_equal(rig_get(r, 0, 8, NULL), 0);
	assert_int_equal(rig_injected(r, PLX_FAULT_BAD_STATUS), 1);
}

static void
bad_status_refuses_with_an_error(void **state)
{
	(void)state;
	each_inner(check_bad_status, "bad_status=1/4", 64);
}

static void
check_touch(struct rig *r)
{
	int64_t order[16];

	assert_int_equal(rig_put(r, 0, 0, 8), 5);
	assert_int_equal(r->ops[5]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(rig_look(r, 5), RIG_RIGHT);
	assert_ptr_equal(r->ops[5]->sym->session, r->session);
	assert_int_equal(rig_look(r, 6), RIG_UNTOUCHED);
	assert_int_equal(rig_injected(r, PLX_FAULT_TOUCH), 1);
	/* those before it come back in order, it does not */
	assert_int_equal(rig_get_all(r, 0, 5, order), 5);
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(order[i], i);
	assert_int_equal(rig_get(r, 0, 8, NULL), 0);
	/* who offers it again gets it enciphered twice: with a counter mode, that is the plain text
	 */
	assert_int_equal(rig_put(r, 0, 5, 1), 1);
	assert_int_equal(rig_get_all(r, 0, 1, NULL), 1);
	assert_int_equal(rig_look(r, 5), RIG_UNTOUCHED);
}

static void
touch_refuses_an_operation_that_was_done(void **state)
{
	(void)state;
	each_inner(check_touch, "touch=1/6", 64);
}

static void
check_fail(struct rig *r)
{
	static const struct {
		const char *spec;
		uint8_t status;
	} kinds[] = {
		{ "fail=1/4", RTE_CRYPTO_OP_STATUS_ERROR },
		{ "fail=1/4:auth", RTE_CRYPTO_OP_STATUS_AUTH_FAILED },
		{ "fail=1/4:invalid", RTE_CRYPTO_OP_STATUS_INVALID_ARGS },
	};
	int64_t order[32];

	for (size_t k = 0; k < PLX_ARRAY_SIZE(kinds); k++) {
		rig_reset_all(r);
		rig_set(r, kinds[k].spec);
		assert_int_equal(rig_put(r, 0, 0, 32), 32);
		assert_int_equal(r->ops[3]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
		assert_int_equal(rig_get_all(r, 0, 32, order), 32);
		for (uint32_t i = 0; i < 32; i++) {
			bool is_failed = i % 4 == 3;

			assert_int_equal(order[i], i);
			assert_int_equal(r->ops[i]->status, is_failed ? kinds[k].status : 0);
			assert_int_equal(rig_look(r, i), is_failed ? RIG_UNTOUCHED : RIG_RIGHT);
			assert_ptr_equal(r->ops[i]->sym->session, r->session);
		}
		assert_int_equal(rig_injected(r, PLX_FAULT_FAIL), 8 * (k + 1));
	}
}

static void
fail_completes_with_the_status_and_untouched_data(void **state)
{
	(void)state;
	each_inner(check_fail, "", 64);
}

static void
check_all_fail(struct rig *r)
{
	assert_true(rig_run(r, 0, 0, RIG_OPS));
	for (uint32_t i = 0; i < RIG_OPS; i++) {
		assert_int_equal(r->nb_back[i], 1);
		assert_int_equal(rig_look(r, i), RIG_UNTOUCHED);
	}
}

static void
all_can_fail(void **state)
{
	(void)state;
	each_inner(check_all_fail, "fail=100%", 64);
}

static void
check_rate(struct rig *r)
{
	uint64_t nb;

	for (int round = 0; round < 5; round++) {
		rig_reset_all(r);
		assert_true(rig_run(r, 0, 0, RIG_OPS));
	}
	nb = rig_injected(r, PLX_FAULT_FAIL);
	/* 1024 expected of 10240, standard deviation 30 */
	assert_true(nb > 840 && nb < 1210);
}

static void
rate_is_kept_on_average(void **state)
{
	(void)state;
	each_inner(check_rate, "fail=10%", 64);
}

static void
limit_ends_a_fault(void **state)
{
	static struct rig r;

	(void)state;
	rig_open(&r, "crypto_openssl", "fail=always:limit=5,refuse=1/2:limit=3", 2, 64);
	assert_true(rig_run(&r, 0, 0, 100));
	assert_true(rig_run(&r, 1, 100, 100));
	assert_int_equal(rig_injected(&r, PLX_FAULT_FAIL), 5);
	assert_int_equal(rig_injected(&r, PLX_FAULT_REFUSE), 3);
	/* set again: counted again */
	rig_set(&r, "fail=always:limit=2");
	assert_true(rig_run(&r, 1, 200, 100));
	assert_int_equal(rig_injected(&r, PLX_FAULT_FAIL), 7);
	rig_close(&r);
}

static void
set_again_counts_again(void **state)
{
	static struct rig r;

	(void)state;
	rig_open(&r, "crypto_openssl", "refuse=1/5", 1, 64);
	assert_int_equal(rig_put(&r, 0, 0, 3), 3);
	rig_set(&r, "refuse=1/5");
	assert_int_equal(rig_put(&r, 0, 3, 32), 4);
	/* another fault leaves this count alone */
	assert_int_equal(rig_put(&r, 0, 7, 3), 3);
	rig_set(&r, "delay=1/1000");
	assert_int_equal(rig_put(&r, 0, 10, 32), 1);
	assert_int_equal(rig_get_all(&r, 0, 11, NULL), 11);
	rig_close(&r);
}

static void
what_the_inner_device_refuses_is_refused_whole(void **state)
{
	static struct rig r;

	(void)state;
	rig_open(&r, "crypto_plx_fault", "inner_args=[inner=crypto_openssl,refuse=1/10]", 1, 64);
	assert_int_equal(rig_put(&r, 0, 0, 32), 9);
	for (uint32_t i = 9; i < 32; i++) {
		assert_ptr_equal(r.ops[i]->sym->session, r.session);
		assert_int_equal(rig_look(&r, i), RIG_UNTOUCHED);
	}
	assert_int_equal(rig_get_all(&r, 0, 9, NULL), 9);
	/* faults thrown for what was refused count for nothing, the limits are reached all the same
	 */
	rig_set(&r,
		"corrupt=always:limit=20,delay=always:1us:limit=21,fail=1/3:limit=7,refuse=20%:limit=3");
	assert_int_equal(rig_put(&r, 0, 9, 0), 0);
	assert_true(rig_run(&r, 0, 9, 300));
	assert_int_equal(rig_injected(&r, PLX_FAULT_CORRUPT), 20);
	assert_int_equal(rig_injected(&r, PLX_FAULT_DELAY), 21);
	assert_int_equal(rig_injected(&r, PLX_FAULT_FAIL), 7);
	assert_int_equal(rig_injected(&r, PLX_FAULT_REFUSE), 3);
	for (uint32_t i = 9; i < 309; i++)
		assert_ptr_equal(r.ops[i]->sym->session, r.session);
	rig_close(&r);
}

/* Which of 1000 operations fail, as bits. */
static void
pattern_of(const char *args, uint8_t pattern[1000])
{
	static struct rig r;

	rig_open(&r, "crypto_openssl", args, 1, 64);
	assert_true(rig_run(&r, 0, 0, 1000));
	for (uint32_t i = 0; i < 1000; i++)
		pattern[i] = r.ops[i]->status;
	rig_close(&r);
}

static void
same_seed_same_faults(void **state)
{
	uint8_t one[1000];
	uint8_t two[1000];

	(void)state;
	pattern_of("fail=20%,seed=77", one);
	pattern_of("fail=20%,seed=77", two);
	assert_memory_equal(one, two, sizeof(one));
	pattern_of("fail=20%,seed=78", two);
	assert_memory_not_equal(one, two, sizeof(one));
}

static void
operations_without_session_pass(void **state)
{
	static struct rig r;
	static const uint8_t key[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
	struct rte_crypto_sym_xform xform = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = { .op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			    .algo = RTE_CRYPTO_CIPHER_AES_CTR,
			    .key = { .data = key, .length = sizeof(key) },
			    .iv = { .offset = sizeof(struct rte_crypto_op) +
					      sizeof(struct rte_crypto_sym_op),
				    .length = 16 } },
	};

	(void)state;
	for (size_t k = 0; k < PLX_ARRAY_SIZE(rig_inner); k++) {
		rig_open(&r, rig_inner[k], "refuse=1/3,corrupt=always", 1, 64);
		for (uint32_t i = 0; i < 10; i++) {
			r.ops[i]->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
			r.ops[i]->sym->xform = &xform;
		}
		assert_true(rig_run(&r, 0, 0, 10));
		for (uint32_t i = 0; i < 10; i++) {
			assert_int_equal(r.ops[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
			assert_int_equal(rig_look(&r, i), RIG_RIGHT);
		}
		rig_close(&r);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_faults_all_come_back_right_and_in_order),
		cmocka_unit_test(one_descriptor_less_than_asked_can_be_used),
		cmocka_unit_test(refuse_ends_the_burst_before_an_untouched_operation),
		cmocka_unit_test(bad_status_refuses_with_an_error),
		cmocka_unit_test(touch_refuses_an_operation_that_was_done),
		cmocka_unit_test(fail_completes_with_the_status_and_untouched_data),
		cmocka_unit_test(all_can_fail),
		cmocka_unit_test(rate_is_kept_on_average),
		cmocka_unit_test(limit_ends_a_fault),
		cmocka_unit_test(set_again_counts_again),
		cmocka_unit_test(what_the_inner_device_refuses_is_refused_whole),
		cmocka_unit_test(same_seed_same_faults),
		cmocka_unit_test(operations_without_session_pass),
	};

	return cmocka_run_group_tests_name("fault_enqueue", tests, rig_eal, NULL);
}
