/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "device_eal.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

/* Sessions: one for each domain that can do the transform, none left behind. */

static int
setup(void **state)
{
	*state = devs_new(0);
	return 0;
}

static int
teardown(void **state)
{
	plx_devices_destroy(*state);
	return 0;
}

static struct plx_device *
dev_get(struct plx_devices *devs, const char *name)
{
	struct plx_device *dev = plx_devices_find(devs, name);

	if (dev == NULL)
		fail_msg("%s is not in the registry", name);
	return dev;
}

static struct plx_session *
sym_new(struct plx_devices *devs, const struct rte_crypto_sym_xform *x)
{
	struct plx_session *s = NULL;
	struct plx_err err = { "" };

	if (plx_session_create_sym(devs, x, &s, &err) < 0)
		fail_msg("%s", err.text);
	return s;
}

static struct plx_session *
asym_new(struct plx_devices *devs, const struct rte_crypto_asym_xform *x)
{
	struct plx_session *s = NULL;
	struct plx_err err = { "" };

	if (plx_session_create_asym(devs, x, &s, &err) < 0)
		fail_msg("%s", err.text);
	return s;
}

static void *
on(const struct plx_session *s, const struct plx_device *dev, uint16_t qp)
{
	return plx_session_on(s, dev->sess_dom, dev->qp_sess_base + qp);
}

static void
symmetric_session_runs_where_the_capability_is(void **state)
{
	struct rte_crypto_sym_xform x = xform_gcm(16);
	struct plx_session *s = sym_new(*state, &x);

	assert_true(plx_session_runs_on(s, dev_get(*state, "crypto_openssl0")));
	assert_true(plx_session_runs_on(s, dev_get(*state, "crypto_openssl1")));
	assert_true(plx_session_runs_on(s, dev_get(*state, "crypto_aesni_mb1")));
	assert_false(plx_session_runs_on(s, dev_get(*state, "crypto_null0")));
	assert_non_null(on(s, dev_get(*state, "crypto_openssl0"), 1));
	assert_null(on(s, dev_get(*state, "crypto_null0"), 0));
	assert_int_equal(s->op_type, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	plx_session_destroy(*state, s);
}

static void
two_devices_of_crypto_openssl_do_not_share_a_session(void **state)
{
	struct rte_crypto_sym_xform x = xform_cbc(32);
	struct plx_session *s = sym_new(*state, &x);

	assert_ptr_not_equal(on(s, dev_get(*state, "crypto_openssl0"), 0),
			     on(s, dev_get(*state, "crypto_openssl1"), 0));
	assert_ptr_equal(on(s, dev_get(*state, "crypto_aesni_mb0"), 0),
			 on(s, dev_get(*state, "crypto_aesni_mb1"), 0));
	plx_session_destroy(*state, s);
}

static void
session_tells_block_and_whether_the_source_survives(void **state)
{
	struct rte_crypto_sym_xform cbc = xform_cbc(16);
	struct rte_crypto_sym_xform hmac = xform_hmac_sha256(32);
	struct rte_crypto_sym_xform gcm = xform_gcm(32);
	struct rte_crypto_asym_xform rsa = xform_rsa();
	struct plx_session *s;

	s = sym_new(*state, &cbc);
	assert_int_equal(s->block_bytes, 16);
	assert_int_equal(s->keeps_source, 0);
	assert_int_equal(s->has_hmac, 0);
	plx_session_destroy(*state, s);

	s = sym_new(*state, &hmac);
	assert_int_equal(s->block_bytes, 1);
	assert_int_equal(s->keeps_source, 1);
	assert_int_equal(s->has_hmac, 1);
	plx_session_destroy(*state, s);

	s = sym_new(*state, &gcm);
	assert_int_equal(s->block_bytes, 1);
	assert_int_equal(s->keeps_source, 0);
	plx_session_destroy(*state, s);

	cbc.next = &hmac;
	s = sym_new(*state, &cbc);
	assert_int_equal(s->block_bytes, 16);
	assert_int_equal(s->keeps_source, 0);
	assert_int_equal(s->has_hmac, 1);
	plx_session_destroy(*state, s);

	s = asym_new(*state, &rsa);
	assert_int_equal(s->block_bytes, 1);
	assert_int_equal(s->keeps_source, 1);
	assert_int_equal(s->op_type, RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
	plx_session_destroy(*state, s);
}

static void
ids_are_not_used_twice(void **state)
{
	struct rte_crypto_sym_xform x = xform_cbc(16);
	struct plx_session *a = sym_new(*state, &x);
	uint64_t id = a->id;
	struct plx_session *b;

	plx_session_destroy(*state, a);
	b = sym_new(*state, &x);
	assert_true(b->id > id);
	plx_session_destroy(*state, b);
}

static void
each_held_queue_pair_has_its_own_asymmetric_session(void **state)
{
	struct plx_device *dev = dev_get(*state, "crypto_openssl0");
	struct rte_crypto_asym_xform x = xform_rsa();
	struct plx_session *before;
	struct plx_session *after;
	struct plx_err err;
	uint16_t a;
	uint16_t b;

	before = asym_new(*state, &x);
	assert_true(plx_session_runs_on(before, dev));
	assert_null(on(before, dev, 0));
	assert_int_equal(plx_device_qp_get(dev, &a, &err), 0);
	assert_int_equal(plx_device_qp_get(dev, &b, &err), 0);
	after = asym_new(*state, &x);

	assert_non_null(on(before, dev, a));
	assert_non_null(on(before, dev, b));
	assert_ptr_not_equal(on(before, dev, a), on(before, dev, b));
	assert_non_null(on(after, dev, a));
	assert_non_null(on(after, dev, b));
	assert_ptr_not_equal(on(after, dev, a), on(after, dev, b));

	plx_device_qp_put(dev, a);
	assert_null(on(before, dev, a));
	assert_null(on(after, dev, a));
	assert_non_null(on(before, dev, b));
	plx_session_destroy(*state, before);
	plx_session_destroy(*state, after);
	plx_device_qp_put(dev, b);
}

static void
refusal_names_each_device_and_the_field(void **state)
{
	struct rte_crypto_sym_xform x = xform_gcm(16);
	struct plx_session *s = NULL;
	struct plx_err err;

	x.aead.iv.length = 300;
	assert_int_equal(plx_session_create_sym(*state, &x, &s, &err), -ENOTSUP);
	assert_null(s);
	assert_string_equal(err.text,
			    "no device can do it: "
			    "crypto_null0: aes-gcm: not among its algorithms; "
			    "crypto_openssl0: aes-gcm: IV of 300 bytes; it takes 12 or 16; "
			    "crypto_openssl1: aes-gcm: IV of 300 bytes; it takes 12 or 16; "
			    "crypto_aesni_mb0: aes-gcm: IV of 300 bytes; it takes 12");
}

static void
refusal_without_devices_says_so(void **state)
{
	struct rte_crypto_sym_xform x = xform_gcm(16);
	struct plx_session *s = NULL;
	uint32_t pos = 0;
	struct plx_device *dev;
	struct plx_err err;

	while ((dev = plx_devices_next(*state, &pos)) != NULL)
		assert_int_equal(plx_devices_remove(*state, dev, &err), 0);
	assert_int_equal(plx_session_create_sym(*state, &x, &s, &err), -ENOTSUP);
	assert_string_equal(err.text, "no device can do it: there is no device");
}

static void
wrong_transforms_are_refused(void **state)
{
	struct rte_crypto_sym_xform chain[5];
	struct rte_crypto_asym_xform rsa = xform_rsa();
	struct rte_crypto_asym_xform next = rsa;
	struct plx_session *s = NULL;
	struct plx_err err;
	int i;

	for (i = 0; i < 5; i++) {
		chain[i] = xform_cbc(16);
		chain[i].next = i < 4 ? &chain[i + 1] : NULL;
	}
	assert_int_equal(plx_session_create_sym(*state, NULL, &s, &err), -EINVAL);
	assert_string_equal(err.text, "no transform; give one");
	assert_int_equal(plx_session_create_sym(*state, chain, &s, &err), -EINVAL);
	assert_string_equal(err.text, "the chain has more than 4 transforms; give fewer");
	chain[0].next = NULL;
	chain[0].cipher.key.data = NULL;
	assert_int_equal(plx_session_create_sym(*state, chain, &s, &err), -EINVAL);
	assert_string_equal(err.text, "a key of 16 bytes without its bytes; give the key");
	chain[0].type = RTE_CRYPTO_SYM_XFORM_NOT_SPECIFIED;
	assert_int_equal(plx_session_create_sym(*state, chain, &s, &err), -EINVAL);
	assert_string_equal(err.text, "transform type 0 is none; give cipher, auth or aead");
	rsa.next = &next;
	assert_int_equal(plx_session_create_asym(*state, &rsa, &s, &err), -EINVAL);
	rsa = xform_rsa();
	rsa.rsa.n.length = 9000;
	assert_int_equal(plx_session_create_asym(*state, &rsa, &s, &err), -EINVAL);
	assert_string_equal(err.text, "a key parameter of 9000 bytes; up to 8192 are taken");
	rsa = xform_rsa();
	rsa.xform_type = RTE_CRYPTO_ASYM_XFORM_NONE;
	assert_int_equal(plx_session_create_asym(*state, &rsa, &s, &err), -ENOTSUP);
	assert_null(s);
}

/* All sessions of a pool of 24, and what is said when one more is asked for. */
static void
a_full_pool_is_no_space_and_loses_nothing(void **state)
{
	struct rte_crypto_sym_xform x = xform_cbc(16);
	struct plx_session *s[25] = { NULL };
	struct plx_devices *devs;
	struct plx_err err;
	int round;
	int i;

	plx_devices_destroy(*state);
	*state = devs = devs_new(24);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < 24; i++)
			s[i] = sym_new(devs, &x);
		assert_int_equal(plx_session_create_sym(devs, &x, &s[24], &err), -ENOSPC);
		assert_null(s[24]);
		assert_string_equal(err.text, "crypto_openssl0: all 24 sessions are in use; free "
					      "some or raise the number of sessions");
		for (i = 0; i < 24; i++)
			plx_session_destroy(devs, s[i]);
	}
}

static void
a_full_asymmetric_pool_is_no_space_with_queue_pairs_held(void **state)
{
	struct rte_crypto_asym_xform x = xform_modex();
	struct plx_session *s[9] = { NULL };
	struct plx_devices *devs;
	struct plx_device *dev;
	struct plx_err err;
	uint16_t qp;
	int i;

	plx_devices_destroy(*state);
	*state = devs = devs_new(8);
	dev = dev_get(devs, "crypto_openssl0");
	for (i = 0; i < 4; i++)
		assert_int_equal(plx_device_qp_get(dev, &qp, &err), 0);
	for (i = 0; i < 8; i++)
		s[i] = asym_new(devs, &x);
	assert_int_equal(plx_session_create_asym(devs, &x, &s[8], &err), -ENOSPC);
	for (i = 0; i < 8; i++) {
		for (qp = 0; qp < 4; qp++)
			assert_non_null(on(s[i], dev, qp));
		plx_session_destroy(devs, s[i]);
	}
	for (qp = 0; qp < 4; qp++)
		plx_device_qp_put(dev, qp);
}

static void
two_hundred_sessions_live_and_go(void **state)
{
	struct plx_session *s[200];
	int i;

	for (i = 0; i < 200; i++) {
		struct rte_crypto_sym_xform sym = i % 2 ? xform_gcm(32) : xform_hmac_sha256(20);
		struct rte_crypto_asym_xform asym = xform_rsa();

		s[i] = i % 10 ? sym_new(*state, &sym) : asym_new(*state, &asym);
	}
	for (i = 0; i < 200; i++)
		plx_session_destroy(*state, s[(i * 7) % 200]);
}

static void
keys_are_copied_not_kept(void **state)
{
	uint8_t key[16] = { 1, 2, 3 };
	struct rte_crypto_sym_xform x = xform_cbc(16);
	struct plx_session *s;
	struct plx_device *dev = NULL;
	struct plx_err err;

	x.cipher.key.data = key;
	s = sym_new(*state, &x);
	memset(key, 0xff, sizeof(key));
	memset(&x, 0xff, sizeof(x));
	/* makes its session from the copy */
	assert_int_equal(plx_devices_add(*state, "crypto_openssl7", &dev, &err), 0);
	assert_true(plx_session_runs_on(s, dev));
	plx_session_destroy(*state, s);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(symmetric_session_runs_where_the_capability_is),
		TEST(two_devices_of_crypto_openssl_do_not_share_a_session),
		TEST(session_tells_block_and_whether_the_source_survives),
		TEST(ids_are_not_used_twice),
		TEST(each_held_queue_pair_has_its_own_asymmetric_session),
		TEST(refusal_names_each_device_and_the_field),
		TEST(refusal_without_devices_says_so),
		TEST(wrong_transforms_are_refused),
		TEST(a_full_pool_is_no_space_and_loses_nothing),
		TEST(a_full_asymmetric_pool_is_no_space_with_queue_pairs_held),
		TEST(two_hundred_sessions_live_and_go),
		TEST(keys_are_copied_not_kept),
	};

	return cmocka_run_group_tests(tests, eal_setup, eal_teardown);
}
