/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "device_eal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_errno.h>
#include <rte_malloc.h>

#include "plx_secret.h"

/*
 * What happens when memory is short or a driver refuses. The linker puts the functions below in
 * front of the real ones (--wrap); the n-th call to any of them fails, for n = 1, 2, ... until all
 * goes well.
 */

static struct {
	uint32_t nb_calls;
	uint32_t fail_at;       /* 0: never */
	uint32_t desc_max;      /* queue pairs with more descriptors are refused; 0: none */
	int asym_refusal;       /* the driver's answer to each asymmetric transform; 0: its own */
	bool refusal_puts_back; /* as a cryptodev library without the leak would */
	int sym_errno;
	int start_ret;
	int uninit_ret;
} fault;

static bool
fails(void)
{
	return ++fault.nb_calls == fault.fail_at;
}

/* The names are the linker's. */
void *__real_calloc(size_t nb, size_t size);
void *__wrap_calloc(size_t nb, size_t size);
void *__real_rte_zmalloc(const char *type, size_t size, unsigned int align);
void *__wrap_rte_zmalloc(const char *type, size_t size, unsigned int align);
int __real_plx_secret_alloc(size_t len, void **out);
int __wrap_plx_secret_alloc(size_t len, void **out);
int __real_rte_cryptodev_configure(uint8_t dev_id, struct rte_cryptodev_config *config);
int __wrap_rte_cryptodev_configure(uint8_t dev_id, struct rte_cryptodev_config *config);
int __real_rte_cryptodev_queue_pair_setup(uint8_t dev_id, uint16_t qp,
					  const struct rte_cryptodev_qp_conf *conf, int socket_id);
int __wrap_rte_cryptodev_queue_pair_setup(uint8_t dev_id, uint16_t qp,
					  const struct rte_cryptodev_qp_conf *conf, int socket_id);
int __real_rte_cryptodev_start(uint8_t dev_id);
int __wrap_rte_cryptodev_start(uint8_t dev_id);
struct rte_mempool *__real_rte_cryptodev_sym_session_pool_create(const char *name, uint32_t nb,
								 uint32_t size, uint32_t cache,
								 uint16_t priv, int socket_id);
struct rte_mempool *__wrap_rte_cryptodev_sym_session_pool_create(const char *name, uint32_t nb,
								 uint32_t size, uint32_t cache,
								 uint16_t priv, int socket_id);
struct rte_mempool *__real_rte_cryptodev_asym_session_pool_create(const char *name, uint32_t nb,
								  uint32_t cache, uint16_t priv,
								  int socket_id);
struct rte_mempool *__wrap_rte_cryptodev_asym_session_pool_create(const char *name, uint32_t nb,
								  uint32_t cache, uint16_t priv,
								  int socket_id);
void *__real_rte_cryptodev_sym_session_create(uint8_t dev_id, struct rte_crypto_sym_xform *x,
					      struct rte_mempool *mp);
void *__wrap_rte_cryptodev_sym_session_create(uint8_t dev_id, struct rte_crypto_sym_xform *x,
					      struct rte_mempool *mp);
int __real_rte_cryptodev_asym_session_create(uint8_t dev_id, struct rte_crypto_asym_xform *x,
					     struct rte_mempool *mp, void **session);
int __wrap_rte_cryptodev_asym_session_create(uint8_t dev_id, struct rte_crypto_asym_xform *x,
					     struct rte_mempool *mp, void **session);
int __real_rte_vdev_init(const char *name, const char *args);
int __wrap_rte_vdev_init(const char *name, const char *args);
int __real_rte_vdev_uninit(const char *name);
int __wrap_rte_vdev_uninit(const char *name);

void *
__wrap_calloc(size_t nb, size_t size)
{
	return fails() ? NULL : __real_calloc(nb, size);
}

void *
__wrap_rte_zmalloc(const char *type, size_t size, unsigned int align)
{
	return fails() ? NULL : __real_rte_zmalloc(type, size, align);
}

int
__wrap_plx_secret_alloc(size_t len, void **out)
{
	return fails() ? -EPERM : __real_plx_secret_alloc(len, out);
}

int
__wrap_rte_cryptodev_configure(uint8_t dev_id, struct rte_cryptodev_config *config)
{
	return fails() ? -EINVAL : __real_rte_cryptodev_configure(dev_id, config);
}

int
__wrap_rte_cryptodev_queue_pair_setup(uint8_t dev_id, uint16_t qp,
				      const struct rte_cryptodev_qp_conf *conf, int socket_id)
{
	if (fault.desc_max != 0 && conf->nb_descriptors > fault.desc_max)
		return -EINVAL;
	return fails() ? -EINVAL
		       : __real_rte_cryptodev_queue_pair_setup(dev_id, qp, conf, socket_id);
}

int
__wrap_rte_cryptodev_start(uint8_t dev_id)
{
	if (fault.start_ret != 0)
		return fault.start_ret;
	return fails() ? -EIO : __real_rte_cryptodev_start(dev_id);
}

struct rte_mempool *
__wrap_rte_cryptodev_sym_session_pool_create(const char *name, uint32_t nb, uint32_t size,
					     uint32_t cache, uint16_t priv, int socket_id)
{
	if (fails())
		return NULL;
	return __real_rte_cryptodev_sym_session_pool_create(name, nb, size, cache, priv, socket_id);
}

struct rte_mempool *
__wrap_rte_cryptodev_asym_session_pool_create(const char *name, uint32_t nb, uint32_t cache,
					      uint16_t priv, int socket_id)
{
	if (fails())
		return NULL;
	return __real_rte_cryptodev_asym_session_pool_create(name, nb, cache, priv, socket_id);
}

void *
__wrap_rte_cryptodev_sym_session_create(uint8_t dev_id, struct rte_crypto_sym_xform *x,
					struct rte_mempool *mp)
{
	if (fault.sym_errno != 0 || fails()) {
		rte_errno = fault.sym_errno != 0 ? fault.sym_errno : ENOMEM;
		return NULL;
	}
	return __real_rte_cryptodev_sym_session_create(dev_id, x, mp);
}

int
__wrap_rte_cryptodev_asym_session_create(uint8_t dev_id, struct rte_crypto_asym_xform *x,
					 struct rte_mempool *mp, void **session)
{
	if (fault.asym_refusal != 0) {
		if (rte_mempool_get(mp, session) < 0)
			return -ENOMEM;
		if (fault.refusal_puts_back)
			rte_mempool_put(mp, *session);
		return fault.asym_refusal;
	}
	if (fails())
		return -ENOMEM;
	return __real_rte_cryptodev_asym_session_create(dev_id, x, mp, session);
}

int
__wrap_rte_vdev_init(const char *name, const char *args)
{
	return fails() ? -ENOMEM : __real_rte_vdev_init(name, args);
}

int
__wrap_rte_vdev_uninit(const char *name)
{
	int ret = __real_rte_vdev_uninit(name);

	return fault.uninit_ret != 0 ? fault.uninit_ret : ret;
}

static int
setup(void **state)
{
	(void)state;
	memset(&fault, 0, sizeof(fault));
	return 0;
}

static void
pool_count(struct rte_mempool *mp, void *arg)
{
	uint32_t *nb = arg;

	if (strncmp(mp->name, "plx", 3) == 0)
		++*nb;
}

static uint32_t
nb_pools(void)
{
	uint32_t nb = 0;

	rte_mempool_walk(pool_count, &nb);
	return nb;
}

static int
life_with(struct plx_devices *devs, struct plx_err *err)
{
	struct plx_device *dev = plx_devices_find(devs, "crypto_openssl0");
	struct rte_crypto_sym_xform gcm = xform_gcm(16);
	struct rte_crypto_asym_xform rsa = xform_rsa();
	struct plx_session *asym = NULL;
	struct plx_session *sym = NULL;
	struct plx_device *later = NULL;
	uint16_t qp;
	int ret;

	ret = plx_session_create_sym(devs, &gcm, &sym, err);
	if (ret < 0)
		return ret;
	ret = plx_session_create_asym(devs, &rsa, &asym, err);
	if (ret < 0)
		goto out_sym;
	ret = plx_device_qp_get(dev, &qp, err);
	if (ret < 0)
		goto out_asym;
	ret = plx_device_can_sym(dev, &gcm, err);
	if (ret == 0)
		ret = plx_devices_add(devs, "crypto_openssl2,max_nb_queue_pairs=2", &later, err);
	if (ret == 0)
		ret = plx_devices_remove(devs, later, err);
	plx_device_qp_put(dev, qp);
out_asym:
	plx_session_destroy(devs, asym);
out_sym:
	plx_session_destroy(devs, sym);
	return ret;
}

static int
whole_life(struct plx_err *err)
{
	struct plx_devices *devs = NULL;
	int ret = plx_devices_create(NULL, &devs, err);

	if (ret < 0) {
		assert_null(devs);
		return ret;
	}
	ret = life_with(devs, err);
	plx_devices_destroy(devs);
	return ret;
}

static void
each_failure_has_a_sentence_and_leaves_nothing_behind(void **state)
{
	uint8_t nb_devs = rte_cryptodev_count();
	uint32_t nb_failed = 0;
	struct plx_err err;
	uint32_t n;
	int ret;

	(void)state;
	for (n = 1; n < 1000; n++) {
		fault.nb_calls = 0;
		fault.fail_at = n;
		err.text[0] = '\0';
		ret = whole_life(&err);
		if (ret < 0) {
			nb_failed++;
			assert_true(strlen(err.text) > 10);
		}
		assert_int_equal(nb_pools(), 0);
		assert_int_equal(rte_cryptodev_count(), nb_devs);
		if (fault.nb_calls < n)
			break;
	}
	/* the last run was past the last call; queue pairs are tried again, smaller */
	assert_int_equal(ret, 0);
	assert_true(n < 1000);
	assert_true(nb_failed > 30);
}

static void
fewer_descriptors_are_tried_when_many_are_refused(void **state)
{
	struct plx_devices *devs = NULL;
	struct plx_err err;

	(void)state;
	fault.desc_max = 256;
	assert_int_equal(plx_devices_create(NULL, &devs, &err), 0);
	assert_int_equal(plx_devices_find(devs, "crypto_null0")->nb_desc, 256);
	plx_devices_destroy(devs);

	fault.desc_max = 63;
	assert_int_equal(plx_devices_create(NULL, &devs, &err), -EINVAL);
	assert_string_equal(err.text,
			    "crypto_null0: driver crypto_null did not set up a queue pair "
			    "(EINVAL); its own message is in the log above");
}

static void
a_device_that_does_not_start_is_named(void **state)
{
	struct plx_devices *devs = NULL;
	struct plx_err err;

	(void)state;
	fault.start_ret = -EIO;
	assert_int_equal(plx_devices_create(NULL, &devs, &err), -EIO);
	assert_string_equal(err.text,
			    "crypto_null0: driver crypto_null did not start (EIO); its own "
			    "message is in the log above");
	assert_null(devs);
}

static void
a_device_that_does_not_start_again_stays_stopped(void **state)
{
	struct plx_devices *devs = devs_new(0);
	struct plx_device *dev = plx_devices_find(devs, "crypto_openssl0");
	struct plx_err err;

	(void)state;
	plx_device_stop(dev);
	fault.start_ret = -EIO;
	assert_int_equal(plx_device_revive(dev, &err), -EIO);
	assert_int_equal(dev->health, PLX_HEALTH_STOPPED);
	fault.start_ret = 0;
	assert_int_equal(plx_device_revive(dev, &err), 0);
	assert_int_equal(dev->health, PLX_HEALTH_UP);
	plx_devices_destroy(devs);
}

/* rte_cryptodev_asym_session_create() keeps the pool's object then; a mended one would not. */
static void
refused_asymmetric_transforms_do_not_use_up_the_pool(void **state)
{
	struct plx_devices *devs = devs_new(8);
	struct rte_crypto_asym_xform x = xform_modex();
	struct plx_session *s[8] = { NULL };
	struct plx_err err;
	int i;

	(void)state;
	for (i = 0; i < 100; i++) {
		fault.asym_refusal = -EIO;
		fault.refusal_puts_back = i % 2;
		assert_int_equal(plx_session_create_asym(devs, &x, &s[0], &err), -ENOTSUP);
		assert_non_null(strstr(err.text,
				       "crypto_openssl0: its driver refuses the transform (EIO)"));
	}
	fault.asym_refusal = 0;
	for (i = 0; i < 8; i++)
		assert_int_equal(plx_session_create_asym(devs, &x, &s[i], &err), 0);
	for (i = 0; i < 8; i++)
		plx_session_destroy(devs, s[i]);
	plx_devices_destroy(devs);
}

static void
a_driver_without_memory_is_not_a_full_pool(void **state)
{
	struct plx_devices *devs = devs_new(0);
	struct rte_crypto_sym_xform x = xform_gcm(16);
	struct plx_session *s = NULL;
	struct plx_err err;

	(void)state;
	fault.sym_errno = ENOMEM;
	assert_int_equal(plx_session_create_sym(devs, &x, &s, &err), -ENOMEM);
	assert_string_equal(err.text,
			    "crypto_openssl0: no memory for a session; give EAL more memory "
			    "or free sessions");
	fault.sym_errno = EINVAL;
	assert_int_equal(plx_session_create_sym(devs, &x, &s, &err), -ENOTSUP);
	assert_non_null(
		strstr(err.text, "crypto_aesni_mb0: its driver refuses the transform (EINVAL)"));
	plx_devices_destroy(devs);
}

static void
a_vdev_that_does_not_go_is_told_and_forgotten(void **state)
{
	struct plx_devices *devs = devs_new(0);
	struct plx_device *dev = NULL;
	struct plx_err err;

	(void)state;
	assert_int_equal(plx_devices_add(devs, "crypto_null3", &dev, &err), 0);
	fault.uninit_ret = -EBUSY;
	assert_int_equal(plx_devices_remove(devs, dev, &err), -EBUSY);
	assert_string_equal(err.text,
			    "crypto_null3 is no longer used, but its driver did not let it "
			    "go (EBUSY)");
	assert_null(plx_devices_find(devs, "crypto_null3"));
	plx_devices_destroy(devs);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, setup)
	const struct CMUnitTest tests[] = {
		TEST(each_failure_has_a_sentence_and_leaves_nothing_behind),
		TEST(fewer_descriptors_are_tried_when_many_are_refused),
		TEST(a_device_that_does_not_start_is_named),
		TEST(a_device_that_does_not_start_again_stays_stopped),
		TEST(refused_asymmetric_transforms_do_not_use_up_the_pool),
		TEST(a_driver_without_memory_is_not_a_full_pool),
		TEST(a_vdev_that_does_not_go_is_told_and_forgotten),
	};

	return cmocka_run_group_tests(tests, eal_setup, eal_teardown);
}
