/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "device_eal.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

/* The registry: which devices it takes, with how many queue pairs, and how they are handed out. */

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

static void
create_takes_all_cryptodevs(void **state)
{
	struct plx_devices *devs = *state;
	uint32_t pos = 0;
	uint32_t nb = 0;
	struct plx_device *dev;

	while ((dev = plx_devices_next(devs, &pos)) != NULL) {
		assert_string_equal(dev->name, rte_cryptodev_name_get(dev->dev_id));
		assert_int_equal(atomic_load(&dev->health), PLX_HEALTH_UP);
		assert_true(dev->is_software);
		assert_false(dev->is_vdev_ours);
		nb++;
	}
	assert_int_equal(nb, rte_cryptodev_count());
	assert_int_equal(nb, 5);
}

static void
create_takes_as_many_queue_pairs_as_the_device_has(void **state)
{
	assert_int_equal(dev_get(*state, "crypto_openssl0")->nb_qps, 4);
	assert_int_equal(dev_get(*state, "crypto_openssl1")->nb_qps, 2);
	assert_int_equal(dev_get(*state, "crypto_null0")->nb_qps, 2);
	assert_int_equal(dev_get(*state, "crypto_null0")->nb_desc, 2048);
}

static void
create_caps_wanted_queue_pairs_by_the_device(void **state)
{
	const struct plx_devices_params params = {
		.size = sizeof(params),
		.nb_qps = 3,
		.nb_desc = 512,
	};
	struct plx_devices *devs = NULL;
	struct plx_err err;

	plx_devices_destroy(*state);
	assert_int_equal(plx_devices_create(&params, &devs, &err), 0);
	*state = devs;
	assert_int_equal(dev_get(devs, "crypto_openssl0")->nb_qps, 3);
	assert_int_equal(rte_cryptodev_queue_pair_count(dev_get(devs, "crypto_openssl0")->dev_id),
			 3);
	assert_int_equal(dev_get(devs, "crypto_openssl1")->nb_qps, 2);
	assert_int_equal(dev_get(devs, "crypto_openssl0")->nb_desc, 512);
}

static void
create_leaves_skipped_devices_alone(void **state)
{
	const char *const skip[] = { "crypto_openssl0", "crypto_aesni_mb1", NULL };
	const struct plx_devices_params params = { .size = sizeof(params), .skip = skip };
	struct plx_devices *devs = NULL;
	struct plx_err err;

	plx_devices_destroy(*state);
	assert_int_equal(plx_devices_create(&params, &devs, &err), 0);
	*state = devs;
	assert_null(plx_devices_find(devs, "crypto_openssl0"));
	assert_null(plx_devices_find(devs, "crypto_aesni_mb1"));
	assert_non_null(plx_devices_find(devs, "crypto_openssl1"));
}

static void
create_refuses_bad_params(void **state)
{
	static const struct {
		struct plx_devices_params params;
		const char *sentence;
	} bad[] = {
		{ { .size = 0 },
		  "devices: size is 0; set it to sizeof(struct plx_devices_params)" },
		{ { .size = sizeof(struct plx_devices_params), .nb_qps = 129 },
		  "devices: 129 queue pairs; give 1 to 128, or 0 for all" },
		{ { .size = sizeof(struct plx_devices_params), .nb_desc = 100 },
		  "devices: 100 descriptors; give a power of two from 64 to 32768" },
		{ { .size = sizeof(struct plx_devices_params), .nb_desc = 32 },
		  "devices: 32 descriptors; give a power of two from 64 to 32768" },
		{ { .size = sizeof(struct plx_devices_params), .nb_sessions = 2000000 },
		  "devices: 2000000 sessions; give 1 to 1048576" },
	};
	struct plx_devices *devs = NULL;
	struct plx_err err;
	size_t i;

	(void)state;
	for (i = 0; i < PLX_ARRAY_SIZE(bad); i++) {
		assert_int_equal(plx_devices_create(&bad[i].params, &devs, &err), -EINVAL);
		assert_string_equal(err.text, bad[i].sentence);
		assert_null(devs);
	}
}

static void
queue_pairs_are_handed_out_once_each(void **state)
{
	struct plx_device *dev = dev_get(*state, "crypto_openssl0");
	uint32_t seen = 0;
	struct plx_err err;
	uint16_t qp;
	int i;

	for (i = 0; i < 4; i++) {
		assert_int_equal(plx_device_qp_get(dev, &qp, &err), 0);
		assert_true(qp < 4);
		assert_int_equal(seen & (1u << qp), 0);
		seen |= 1u << qp;
	}
	assert_int_equal(plx_device_qp_get(dev, &qp, &err), -EAGAIN);
	assert_string_equal(err.text, "crypto_openssl0: all of its 4 queue pairs are taken; use "
				      "fewer engines or another device");
	plx_device_qp_put(dev, 2);
	assert_int_equal(plx_device_qp_get(dev, &qp, &err), 0);
	assert_int_equal(qp, 2);
	for (qp = 0; qp < 4; qp++)
		plx_device_qp_put(dev, qp);
}

static void
a_lost_device_hands_out_no_queue_pair(void **state)
{
	struct plx_device *dev = dev_get(*state, "crypto_null0");
	struct plx_err err;
	uint16_t qp;

	atomic_store(&dev->health, PLX_HEALTH_LOST);
	assert_int_equal(plx_device_qp_get(dev, &qp, &err), -EPERM);
	assert_string_equal(err.text, "crypto_null0 is lost; revive or remove it");
}

static void
stop_then_revive_brings_a_device_back(void **state)
{
	struct plx_device *dev = dev_get(*state, "crypto_openssl0");
	struct plx_err err;
	uint16_t qp;

	assert_int_equal(plx_device_qp_get(dev, &qp, &err), 0);
	plx_device_stop(dev);
	assert_int_equal(atomic_load(&dev->health), PLX_HEALTH_STOPPED);
	assert_int_equal(plx_device_revive(dev, &err), -EBUSY);
	assert_string_equal(err.text,
			    "crypto_openssl0: an engine holds one of its queue pairs; take "
			    "it from the engines first");
	assert_int_equal(atomic_load(&dev->health), PLX_HEALTH_STOPPED);

	plx_device_qp_put(dev, qp);
	assert_int_equal(plx_device_revive(dev, &err), 0);
	assert_int_equal(atomic_load(&dev->health), PLX_HEALTH_UP);
	assert_int_equal(plx_device_qp_get(dev, &qp, &err), 0);
	plx_device_qp_put(dev, qp);
}

static void
health_has_names(void **state)
{
	(void)state;
	assert_string_equal(plx_health_name(PLX_HEALTH_UP), "up");
	assert_string_equal(plx_health_name(PLX_HEALTH_BLOCKED), "blocked");
	assert_string_equal(plx_health_name(PLX_HEALTH_STALLED), "stalled");
	assert_string_equal(plx_health_name(PLX_HEALTH_LOST), "lost");
	assert_string_equal(plx_health_name(PLX_HEALTH_STOPPED), "stopped");
	assert_string_equal(plx_health_name((enum plx_health)99), "?");
}

static void
devices_of_a_driver_share_sessions_unless_the_driver_forbids_it(void **state)
{
	const struct plx_device *mb0 = dev_get(*state, "crypto_aesni_mb0");
	const struct plx_device *mb1 = dev_get(*state, "crypto_aesni_mb1");
	const struct plx_device *ssl0 = dev_get(*state, "crypto_openssl0");
	const struct plx_device *ssl1 = dev_get(*state, "crypto_openssl1");

	assert_int_equal(mb0->sess_dom, mb1->sess_dom);
	assert_int_not_equal(ssl0->sess_dom, ssl1->sess_dom);
	assert_int_not_equal(ssl0->sess_dom, mb0->sess_dom);
}

static void
queue_pairs_of_drivers_with_one_context_have_slots_of_their_own(void **state)
{
	const struct plx_device *mb0 = dev_get(*state, "crypto_aesni_mb0");
	const struct plx_device *ssl0 = dev_get(*state, "crypto_openssl0");
	const struct plx_device *ssl1 = dev_get(*state, "crypto_openssl1");

	assert_true(mb0->qp_sess_base >= PLX_SESS_SLOTS_MAX);
	assert_true(ssl0->asym_single_qp);
	assert_true(ssl0->qp_sess_base + ssl0->nb_qps <= PLX_SESS_SLOTS_MAX);
	assert_true(ssl1->qp_sess_base + ssl1->nb_qps <= PLX_SESS_SLOTS_MAX);
	assert_true(ssl0->qp_sess_base + ssl0->nb_qps <= ssl1->qp_sess_base ||
		    ssl1->qp_sess_base + ssl1->nb_qps <= ssl0->qp_sess_base);
}

static void
what_is_known_of_a_driver_is_in_its_devices(void **state)
{
	const struct plx_device *mb = dev_get(*state, "crypto_aesni_mb0");
	const struct plx_device *ssl = dev_get(*state, "crypto_openssl0");
	const struct plx_device *null = dev_get(*state, "crypto_null0");

	assert_false(mb->checks_length);
	assert_true(mb->hmac_needs_data);
	assert_false(mb->asym_single_qp);
	assert_true(ssl->checks_length);
	assert_false(ssl->hmac_needs_data);
	assert_false(null->is_wrapper);
}

static void
an_empty_registry_takes_what_it_is_given(void **state)
{
	const struct plx_devices_params params = { .size = sizeof(params), .start_empty = true };
	struct plx_devices *devs = NULL;
	struct plx_device *dev = NULL;
	struct plx_err err;
	uint32_t pos = 0;
	int id;

	plx_devices_destroy(*state);
	*state = NULL;
	assert_int_equal(plx_devices_create(&params, &devs, &err), 0);
	*state = devs;
	assert_null(plx_devices_next(devs, &pos));
	assert_int_equal(plx_devices_take(devs, RTE_CRYPTO_MAX_DEVS - 1, &dev, &err), -ENODEV);
	id = rte_cryptodev_get_dev_id("crypto_null0");
	assert_true(id >= 0);
	assert_int_equal(plx_devices_take(devs, (uint8_t)id, &dev, &err), 0);
	assert_ptr_equal(dev, dev_get(devs, "crypto_null0"));
	assert_int_equal(plx_devices_take(devs, (uint8_t)id, &dev, &err), -EEXIST);
	assert_int_equal(plx_devices_remove(devs, dev, &err), 0);
	/* left to EAL: it can be taken again */
	assert_int_equal(plx_devices_take(devs, (uint8_t)id, &dev, &err), 0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(create_takes_all_cryptodevs),
		TEST(create_takes_as_many_queue_pairs_as_the_device_has),
		TEST(create_caps_wanted_queue_pairs_by_the_device),
		TEST(create_leaves_skipped_devices_alone),
		TEST(an_empty_registry_takes_what_it_is_given),
		TEST(create_refuses_bad_params),
		TEST(queue_pairs_are_handed_out_once_each),
		TEST(a_lost_device_hands_out_no_queue_pair),
		TEST(stop_then_revive_brings_a_device_back),
		TEST(health_has_names),
		TEST(devices_of_a_driver_share_sessions_unless_the_driver_forbids_it),
		TEST(what_is_known_of_a_driver_is_in_its_devices),
		TEST(queue_pairs_of_drivers_with_one_context_have_slots_of_their_own),
	};

	return cmocka_run_group_tests(tests, eal_setup, eal_teardown);
}
