/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_priv.h"

#include <errno.h>
#include <string.h>

#include <openssl/provider.h>
#include <rte_cycles.h>
#include <rte_lcore.h>

#include "mb_calls.h"

/* Probe and remove: the device's arguments and what it says it can do. */

#define LIBRARY_MAX 256

struct mb_args {
	uint64_t max_nb_qps;
	uint64_t socket_id;
	bool has_socket;
	uint64_t max_wait_us;
	bool takes_nonces;
	char crypto_mb[LIBRARY_MAX]; /* auto, off, or the library's file */
};

int mb_logtype;
uint8_t mb_driver_id;

static int
arg_take(void *arg, const char *key, const char *value, struct plx_err *err)
{
	struct mb_args *args = arg;

	if (strcmp(key, "max_nb_queue_pairs") == 0)
		return plx_pmd_arg_uint(key, value, 1, MB_QPS_MAX, &args->max_nb_qps, err);
	if (strcmp(key, "max_wait_us") == 0)
		return plx_pmd_arg_uint(key, value, 0, MB_MAX_WAIT_US, &args->max_wait_us, err);
	if (strcmp(key, "socket_id") == 0) {
		args->has_socket = true;
		return plx_pmd_arg_uint(key, value, 0, RTE_MAX_NUMA_NODES - 1, &args->socket_id,
					err);
	}
	if (strcmp(key, "ecdsa_k") == 0) {
		args->takes_nonces = strcmp(value, "op") == 0;
		if (args->takes_nonces || strcmp(value, "internal") == 0)
			return 0;
		return plx_err_set(err, -EINVAL, "ecdsa_k=%s: want internal or op", value);
	}
	if (strcmp(key, "crypto_mb") == 0) {
		if (value[0] == '\0' || strlen(value) >= sizeof(args->crypto_mb))
			return plx_err_set(err, -EINVAL,
					   "crypto_mb=%s: want auto, off, or the library's file",
					   value);
		snprintf(args->crypto_mb, sizeof(args->crypto_mb), "%s", value);
		return 0;
	}
	return plx_err_set(
		err, -EINVAL,
		"no argument '%s'; there are max_nb_queue_pairs, max_wait_us, crypto_mb, ecdsa_k, "
		"socket_id",
		key);
}

static struct plx_pmd_registration mb_registration;

static int
device_create(struct rte_vdev_device *vdev, const char *name, const struct mb_args *args,
	      struct plx_err *err)
{
	struct rte_cryptodev_pmd_init_params params = {
		.private_data_size = sizeof(struct mb_dev),
		.max_nb_queue_pairs = (unsigned int)args->max_nb_qps,
		.socket_id = args->has_socket ? (int)args->socket_id : (int)rte_socket_id(),
	};
	struct rte_cryptodev *cryptodev;
	struct mb_dev *dev;
	int ret;

	cryptodev = rte_cryptodev_pmd_create(name, &vdev->device, &params);
	if (cryptodev == NULL)
		return plx_err_set(err, -ENOMEM, "no memory or no free device id for '%s'", name);
	dev = cryptodev->data->dev_private;
	dev->cryptodev = cryptodev;
	dev->max_nb_qps = (uint16_t)args->max_nb_qps;
	dev->takes_nonces = args->takes_nonces;
	dev->max_wait_cycles = args->max_wait_us * rte_get_tsc_hz() / 1000000;
	ret = mb_calls_find(args->crypto_mb, &dev->calls, err);
	if (ret < 0)
		goto err_destroy;
	ret = mb_caps_create(dev);
	if (ret < 0) {
		plx_err_set(err, ret, "no memory");
		goto err_destroy;
	}
	cryptodev->driver_id = mb_driver_id;
	cryptodev->dev_ops = &mb_dev_ops;
	cryptodev->enqueue_burst = mb_enqueue_burst;
	cryptodev->dequeue_burst = mb_dequeue_burst;
	cryptodev->feature_flags =
		RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_SYM_OPERATION_CHAINING |
		RTE_CRYPTODEV_FF_SYM_SESSIONLESS | RTE_CRYPTODEV_FF_SYM_CPU_CRYPTO |
		RTE_CRYPTODEV_FF_IN_PLACE_SGL | RTE_CRYPTODEV_FF_OOP_SGL_IN_SGL_OUT |
		RTE_CRYPTODEV_FF_OOP_SGL_IN_LB_OUT | RTE_CRYPTODEV_FF_OOP_LB_IN_SGL_OUT |
		RTE_CRYPTODEV_FF_OOP_LB_IN_LB_OUT | RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO |
		RTE_CRYPTODEV_FF_CIPHER_MULTIPLE_DATA_UNITS | RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED |
		RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_EXP | RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_QT |
		RTE_CRYPTODEV_FF_CPU_AESNI;
	plx_pmd_alias(&mb_registration, cryptodev, &dev->alias);
	rte_cryptodev_pmd_probing_finish(cryptodev);
	MB_LOG(INFO, "%s: asymmetric ops by %s", name, mb_calls_name(dev->calls));
	return 0;

err_destroy:
	rte_cryptodev_pmd_destroy(cryptodev);
	return ret;
}

/*
 * OpenSSL's default provider stays while there is a process: other drivers load it for themselves,
 * and when they give it back it is gone for all that did not. It is asked for once a device and
 * never given back, since sessions of a device may outlive it.
 */
static int
provider_keep(struct plx_err *err)
{
	if (OSSL_PROVIDER_try_load(NULL, "default", 1) == NULL)
		return plx_err_set(err, -ENOTSUP,
				   "OpenSSL has no default provider; its configuration leaves it "
				   "out");
	return 0;
}

static int
mb_probe(struct rte_vdev_device *vdev)
{
	struct mb_args args = { .max_nb_qps = MB_QPS_DEFAULT, .crypto_mb = "auto" };
	const char *name = rte_vdev_device_name(vdev);
	struct plx_err err = { "" };
	int ret;

	if (name == NULL)
		return -EINVAL;
	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		MB_LOG(ERR, "%s: works in a primary process only", name);
		return -ENOTSUP;
	}
	ret = plx_pmd_args_walk(rte_vdev_device_args(vdev), arg_take, &args, &err);
	if (ret == 0)
		ret = provider_keep(&err);
	if (ret == 0)
		ret = device_create(vdev, name, &args, &err);
	if (ret < 0)
		MB_LOG(ERR, "%s: %s", name, err.text);
	return ret;
}

static int
mb_remove(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);
	struct rte_cryptodev *cryptodev =
		name != NULL ? rte_cryptodev_pmd_get_named_dev(name) : NULL;
	struct mb_dev kept;
	int ret;

	if (cryptodev == NULL)
		return -ENODEV;
	if (cryptodev->data->dev_started != 0) {
		MB_LOG(ERR, "%s: is started; stop it first", name);
		return -EBUSY;
	}
	kept = *(struct mb_dev *)cryptodev->data->dev_private;
	ret = rte_cryptodev_pmd_destroy(cryptodev);
	if (ret == 0)
		mb_caps_free(&kept);
	return ret;
}

static struct rte_vdev_driver mb_vdev_driver = {
	.probe = mb_probe,
	.remove = mb_remove,
};

PLX_PMD_REGISTER(crypto_plx_mb, mb_vdev_driver, mb_registration, mb_driver_id,
		 "PLX_MB_DRIVER_ALIAS");
RTE_PMD_REGISTER_PARAM_STRING(
	crypto_plx_mb, "max_nb_queue_pairs=<int> max_wait_us=<int> crypto_mb=auto|off|<file> "
		       "socket_id=<int>");
RTE_LOG_REGISTER(mb_logtype, pmd.crypto.plx_mb, NOTICE);
