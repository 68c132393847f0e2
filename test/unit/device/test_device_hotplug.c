/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "device_eal.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <rte_mbuf.h>

/* Devices that come and go: sessions follow them, nothing is left behind. */

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
add(struct plx_devices *devs, const char *spec)
{
	struct plx_device *dev = NULL;
	struct plx_err err = { "" };

	if (plx_devices_add(devs, spec, &dev, &err) < 0)
		fail_msg("%s", err.text);
	return dev;
}

static void
drop(struct plx_devices *devs, struct plx_device *dev)
{
	struct plx_err err = { "" };

	if (plx_devices_remove(devs, dev, &err) < 0)
		fail_msg("%s", err.text);
}

static void
add_refuses(struct plx_devices *devs, const char *spec, int code, const char *sentence)
{
	struct plx_device *dev = NULL;
	uint8_t nb = rte_cryptodev_count();
	struct plx_err err = { "" };

	assert_int_equal(plx_devices_add(devs, spec, &dev, &err), code);
	assert_string_equal(err.text, sentence);
	assert_null(dev);
	assert_int_equal(rte_cryptodev_count(), nb);
}

static void
add_makes_a_vdev_and_remove_destroys_it(void **state)
{
	struct plx_devices *devs = *state;
	uint8_t nb = rte_cryptodev_count();
	struct plx_device *dev = add(devs, "crypto_openssl2,max_nb_queue_pairs=3");

	assert_string_equal(dev->name, "crypto_openssl2");
	assert_string_equal(dev->driver, "crypto_openssl");
	assert_int_equal(dev->nb_qps, 3);
	assert_true(dev->is_vdev_ours);
	assert_ptr_equal(plx_devices_find(devs, "crypto_openssl2"), dev);
	assert_int_equal(rte_cryptodev_count(), nb + 1);

	drop(devs, dev);
	assert_null(plx_devices_find(devs, "crypto_openssl2"));
	assert_int_equal(rte_cryptodev_count(), nb);
}

static void
add_refuses_what_is_wrong(void **state)
{
	struct plx_devices *devs = *state;

	add_refuses(devs, "", -EINVAL,
		    "no device name; give one like crypto_openssl1 or 0000:3d:01.0");
	add_refuses(devs, ",a=b", -EINVAL,
		    "no device name; give one like crypto_openssl1 or 0000:3d:01.0");
	add_refuses(devs, "crypto_openssl0", -EEXIST,
		    "crypto_openssl0 is in use already; choose another name");
	add_refuses(devs, "crypto_nosuch0", -ENODEV,
		    "crypto_nosuch0: no driver takes it; names begin with the driver's, as in "
		    "crypto_openssl1");
	add_refuses(devs, "crypto_openssl9.inner", -EINVAL,
		    "crypto_openssl9.inner belongs to the device that wraps it; add that one");
	add_refuses(devs, "crypto_null9,name=other", -EINVAL,
		    "crypto_null9: a device with another name cannot be removed again; leave out "
		    "name=");
	add_refuses(devs, "crypto_null9,socket_id=0,name=other", -EINVAL,
		    "crypto_null9: a device with another name cannot be removed again; leave out "
		    "name=");
	add_refuses(devs,
		    "crypto_null01234567890123456789012345678901234567890123456789012345678901",
		    -EINVAL, "a device name of 73 characters; give up to 63");
}

static void
a_pci_address_without_a_device_is_no_device(void **state)
{
	struct plx_device *dev = NULL;
	struct plx_err err;

	assert_int_equal(plx_devices_add(*state, "0000:fe:1f.7", &dev, &err), -ENODEV);
	assert_non_null(strstr(err.text, "0000:fe:1f.7: no driver took the PCI function"));
}

static void
a_device_of_eal_is_left_stopped_and_can_be_added_again(void **state)
{
	struct plx_devices *devs = *state;
	uint8_t nb = rte_cryptodev_count();
	struct plx_device *dev = plx_devices_find(devs, "crypto_null0");

	drop(devs, dev);
	assert_null(plx_devices_find(devs, "crypto_null0"));
	assert_int_equal(rte_cryptodev_count(), nb);
	add_refuses(devs, "crypto_null0,max_nb_queue_pairs=1", -EEXIST,
		    "crypto_null0 exists already and takes no new arguments; give its name alone");
	dev = add(devs, "crypto_null0");
	assert_false(dev->is_vdev_ours);
	assert_int_equal(atomic_load(&dev->health), PLX_HEALTH_UP);
}

static void
a_device_that_is_held_is_not_removed(void **state)
{
	struct plx_devices *devs = *state;
	struct plx_device *dev = plx_devices_find(devs, "crypto_null0");
	struct plx_err err;
	uint16_t qp;

	assert_int_equal(plx_device_qp_get(dev, &qp, &err), 0);
	assert_int_equal(plx_devices_remove(devs, dev, &err), -EBUSY);
	assert_string_equal(err.text,
			    "crypto_null0: an engine holds one of its queue pairs; take it "
			    "from the engines first");
	plx_device_qp_put(dev, qp);
	drop(devs, dev);
}

static void
a_device_of_another_registry_is_not_removed(void **state)
{
	const char *const skip[] = { "crypto_openssl0",  "crypto_openssl1", "crypto_aesni_mb0",
				     "crypto_aesni_mb1", "crypto_null0",    NULL };
	const struct plx_devices_params params = { .size = sizeof(params), .skip = skip };
	struct plx_devices *other = NULL;
	struct plx_err err;

	assert_int_equal(plx_devices_create(&params, &other, &err), 0);
	assert_int_equal(plx_devices_remove(other, plx_devices_find(*state, "crypto_null0"), &err),
			 -ENOENT);
	assert_string_equal(err.text, "crypto_null0 is not in this registry");
	plx_devices_destroy(other);
}

static void
sessions_reach_a_device_that_comes_later(void **state)
{
	struct plx_devices *devs = *state;
	struct rte_crypto_sym_xform gcm = xform_gcm(16);
	struct rte_crypto_asym_xform rsa = xform_rsa();
	struct plx_session *sym = NULL;
	struct plx_session *asym = NULL;
	struct plx_device *dev;
	struct plx_err err;

	assert_int_equal(plx_session_create_sym(devs, &gcm, &sym, &err), 0);
	assert_int_equal(plx_session_create_asym(devs, &rsa, &asym, &err), 0);
	dev = add(devs, "crypto_openssl3,max_nb_queue_pairs=2");
	assert_true(plx_session_runs_on(sym, dev));
	assert_true(plx_session_runs_on(asym, dev));
	drop(devs, dev);

	dev = add(devs, "crypto_null3");
	assert_false(plx_session_runs_on(sym, dev));
	assert_false(plx_session_runs_on(asym, dev));
	drop(devs, dev);
	plx_session_destroy(devs, sym);
	plx_session_destroy(devs, asym);
}

static void
removing_one_of_two_keeps_their_common_sessions(void **state)
{
	struct plx_devices *devs = *state;
	struct rte_crypto_sym_xform gcm = xform_gcm(16);
	struct plx_device *mb1 = plx_devices_find(devs, "crypto_aesni_mb1");
	struct plx_session *s = NULL;
	struct plx_err err;
	uint8_t dom = mb1->sess_dom;

	assert_int_equal(plx_session_create_sym(devs, &gcm, &s, &err), 0);
	drop(devs, plx_devices_find(devs, "crypto_aesni_mb0"));
	assert_true(plx_session_runs_on(s, mb1));
	drop(devs, mb1);
	assert_null(plx_session_on(s, dom, PLX_SESS_SLOTS_MAX));
	plx_session_destroy(devs, s);
}

/* Of the same size even when both have as many queue pairs: each knows its own device. */
static void
equal_devices_of_crypto_openssl_have_a_domain_each(void **state)
{
	struct plx_devices *devs = *state;
	struct plx_device *a = add(devs, "crypto_openssl4,max_nb_queue_pairs=2");
	struct plx_device *b = add(devs, "crypto_openssl5,max_nb_queue_pairs=2");
	struct plx_device *c = add(devs, "crypto_aesni_mb4");
	struct plx_device *mb0 = plx_devices_find(devs, "crypto_aesni_mb0");

	assert_int_not_equal(a->sess_dom, b->sess_dom);
	assert_int_equal(c->sess_dom, mb0->sess_dom);
}

/* The workers are the scheduler's: they are not in the registry. */
static void
a_wrapper_has_its_sessions_to_itself(void **state)
{
	const char *const skip[] = { "crypto_aesni_mb0", NULL };
	const struct plx_devices_params params = { .size = sizeof(params), .skip = skip };
	struct rte_crypto_sym_xform gcm = xform_gcm(16);
	struct plx_devices *devs = NULL;
	struct plx_session *s = NULL;
	struct plx_device *mb1;
	struct plx_device *dev;
	struct plx_err err;

	plx_devices_destroy(*state);
	assert_int_equal(plx_devices_create(&params, &devs, &err), 0);
	*state = devs;
	dev = add(devs, "crypto_scheduler0,worker=crypto_aesni_mb0,mode=round-robin");
	mb1 = plx_devices_find(devs, "crypto_aesni_mb1");
	assert_true(dev->is_wrapper);
	assert_int_not_equal(dev->sess_dom, mb1->sess_dom);
	assert_int_equal(plx_device_can_sym(dev, &gcm, &err), 0);
	assert_int_equal(plx_session_create_sym(devs, &gcm, &s, &err), 0);
	assert_true(plx_session_runs_on(s, dev));
	plx_session_destroy(devs, s);
	drop(devs, dev);
}

static void
domains_run_out_with_a_sentence_and_nothing_is_left(void **state)
{
	struct plx_devices *devs = *state;
	struct plx_device *dev = NULL;
	struct plx_err err;
	char spec[64];
	uint8_t nb;
	int i;
	int ret = 0;

	for (i = 10; i < 10 + PLX_SESS_DOMS_MAX; i++) {
		nb = rte_cryptodev_count();
		snprintf(spec, sizeof(spec), "crypto_openssl%d,max_nb_queue_pairs=1", i);
		ret = plx_devices_add(devs, spec, &dev, &err);
		if (ret < 0)
			break;
	}
	/* two of crypto_openssl, one of aesni_mb and one of null are there at the start */
	assert_int_equal(i, 10 + PLX_SESS_DOMS_MAX - 4);
	assert_int_equal(ret, -ENOSPC);
	assert_non_null(strstr(err.text,
			       ": all 32 kinds of sessions are in use; remove a device of "
			       "another driver first"));
	assert_int_equal(rte_cryptodev_count(), nb);
}

/* What the loop of adding and removing must not eat: heap, ids, queue pairs. */
static void
adding_and_removing_over_and_over_works(void **state)
{
	struct plx_devices *devs = *state;
	struct rte_crypto_sym_xform gcm = xform_gcm(16);
	struct rte_crypto_asym_xform rsa = xform_rsa();
	struct plx_session *sym = NULL;
	struct plx_session *asym = NULL;
	struct plx_device *ssl;
	struct plx_device *mb;
	struct plx_err err;
	uint16_t qp;
	int i;

	assert_int_equal(plx_session_create_sym(devs, &gcm, &sym, &err), 0);
	assert_int_equal(plx_session_create_asym(devs, &rsa, &asym, &err), 0);
	for (i = 0; i < 50; i++) {
		ssl = add(devs, "crypto_openssl4,max_nb_queue_pairs=4");
		mb = add(devs, "crypto_aesni_mb4,max_nb_queue_pairs=2");
		assert_int_equal(ssl->nb_desc, 2048);
		assert_int_equal(plx_device_qp_get(ssl, &qp, &err), 0);
		assert_non_null(plx_session_on(asym, ssl->sess_dom, ssl->qp_sess_base + qp));
		plx_device_qp_put(ssl, qp);
		drop(devs, i % 2 ? ssl : mb);
		drop(devs, i % 2 ? mb : ssl);
	}
	plx_session_destroy(devs, sym);
	plx_session_destroy(devs, asym);
}

/* The driver forgets its rings; a device with the same id must not get the ops of the one before.
 */
static void
a_new_device_gets_nothing_from_the_one_before(void **state)
{
	struct plx_devices *devs = *state;
	struct rte_crypto_sym_xform x = xform_cbc(0);
	struct plx_session *s = NULL;
	struct rte_mempool *ops;
	struct rte_mempool *bufs;
	struct rte_crypto_op *op;
	struct rte_crypto_op *back;
	struct plx_device *dev;
	struct plx_err err;
	uint8_t dev_id;

	x.cipher.algo = RTE_CRYPTO_CIPHER_NULL;
	x.cipher.iv.length = 0;
	x.cipher.key.data = NULL;
	ops = rte_crypto_op_pool_create("ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, 15, 0, 16, 0);
	bufs = rte_pktmbuf_pool_create("bufs", 15, 0, 0, 2048, 0);
	assert_non_null(ops);
	assert_non_null(bufs);
	dev = add(devs, "crypto_null4");
	dev_id = dev->dev_id;
	assert_int_equal(plx_session_create_sym(devs, &x, &s, &err), 0);

	op = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	op->sym->m_src = rte_pktmbuf_alloc(bufs);
	plx_session_attach(op, s);
	op->sym->session = plx_session_on(s, dev->sess_dom, dev->qp_sess_base);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev_id, 0, &op, 1), 1);
	drop(devs, dev);

	dev = add(devs, "crypto_null5");
	assert_int_equal(dev->dev_id, dev_id);
	assert_int_equal(rte_cryptodev_dequeue_burst(dev_id, 0, &back, 1), 0);
	drop(devs, dev);
	plx_session_destroy(devs, s);
	rte_mempool_free(ops);
	rte_mempool_free(bufs);
}

static void
destroy_removes_what_was_added(void **state)
{
	uint8_t nb = rte_cryptodev_count();

	add(*state, "crypto_null6");
	add(*state, "crypto_openssl6");
	assert_int_equal(rte_cryptodev_count(), nb + 2);
	plx_devices_destroy(*state);
	assert_int_equal(rte_cryptodev_count(), nb);
	*state = devs_new(0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(add_makes_a_vdev_and_remove_destroys_it),
		TEST(add_refuses_what_is_wrong),
		TEST(a_pci_address_without_a_device_is_no_device),
		TEST(a_device_of_eal_is_left_stopped_and_can_be_added_again),
		TEST(a_device_that_is_held_is_not_removed),
		TEST(a_device_of_another_registry_is_not_removed),
		TEST(sessions_reach_a_device_that_comes_later),
		TEST(removing_one_of_two_keeps_their_common_sessions),
		TEST(equal_devices_of_crypto_openssl_have_a_domain_each),
		TEST(a_wrapper_has_its_sessions_to_itself),
		TEST(domains_run_out_with_a_sentence_and_nothing_is_left),
		TEST(adding_and_removing_over_and_over_works),
		TEST(a_new_device_gets_nothing_from_the_one_before),
		TEST(destroy_removes_what_was_added),
	};

	return cmocka_run_group_tests(tests, eal_setup, eal_teardown);
}
