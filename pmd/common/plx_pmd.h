/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_PMD_H
#define PLX_PMD_H

/*
 * The one file that includes DPDK's driver headers, and the one place that knows how
 * DPDK 22.11, 23.11 and 24.11 differ for a driver. Everything here is for the drivers in pmd/ and
 * their tests; applications have no use for it.
 *
 * A driver that wraps another cryptodev makes it with plx_pmd_inner_create(). The inner device is
 * probed by its driver as usual, yet it is not on the vdev bus: the bus walks its list while it
 * removes devices at exit and would step on an inner device that the wrapper has just taken away.
 */

/* ALLOW_INTERNAL_API and ALLOW_EXPERIMENTAL_API come by pmd_common_dep: any DPDK header may be
 * first. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bus_driver.h>
#include <bus_vdev_driver.h>
#include <cryptodev_pmd.h>
#include <rte_cryptodev.h>
#include <rte_log.h>
#include <rte_telemetry.h>
#include <rte_version.h>

#include "plx_compiler.h"
#include "plx_err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the private and public EC keys are: in each op, or since 23.11 in the session's xform. */
#define PLX_PMD_EC_KEY_IN_SESSION (RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0))
/* Where the RSA padding is: in each op, or since 24.11 in the session's xform. */
#define PLX_PMD_RSA_PADDING_IN_SESSION (RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0))
#define PLX_PMD_HAS_EDDSA              (RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0))
#define PLX_PMD_HAS_SM2                (RTE_VERSION >= RTE_VERSION_NUM(23, 7, 0, 0))

/* A driver's part of its sessions. */
#define PLX_PMD_SYM_PRIV(sess) CRYPTODEV_GET_SYM_SESS_PRIV(sess)
#define PLX_PMD_ASYM_PRIV(sess)                                                                    \
	((void *)((struct rte_cryptodev_asym_session *)(sess))->sess_private_data)

/* A line in the driver's log type. */
#define PLX_PMD_LOG(level, logtype, ...)                                                           \
	rte_log(RTE_LOG_##level, (uint32_t)(logtype),                                              \
		RTE_FMT("PLX: " RTE_FMT_HEAD(__VA_ARGS__, ) "\n", RTE_FMT_TAIL(__VA_ARGS__, )))

/**
 * Add a number to a telemetry answer; the function has another name since 23.03.
 *
 * @return 0 or the library's negative errno.
 * @par Thread    A telemetry callback.
 * @par Ownership @p dict is the callback's, @p name is copied.
 * @par Errors    As rte_tel_data_add_dict_uint().
 */
static inline int
plx_pmd_tel_add_u64(struct rte_tel_data *dict, const char *name, uint64_t value)
{
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
	return rte_tel_data_add_dict_uint(dict, name, value);
#else
	return rte_tel_data_add_dict_u64(dict, name, value);
#endif
}

/**
 * Answer a telemetry command with "error: " and the sentence: a negative return would say nothing.
 *
 * @return What the callback returns.
 * @par Thread    A telemetry callback.
 * @par Ownership @p err is copied.
 * @par Errors    As rte_tel_data_string().
 */
int plx_pmd_tel_error(struct rte_tel_data *data, const struct plx_err *err);

/**
 * Answer with the names of @p nb cryptodevs, the last one first.
 *
 * @return 0.
 * @par Thread    A telemetry callback.
 * @par Ownership @p ids is not kept.
 * @par Errors    None; an id that is no device is left out.
 */
int plx_pmd_tel_names(struct rte_tel_data *data, const uint8_t *ids, int nb);

/**
 * Find a device by its name.
 *
 * @return Its cryptodev id, or a negative number.
 * @par Thread    A telemetry callback.
 * @par Ownership @p name is not kept.
 * @par Errors    Any negative number.
 */
typedef int (*plx_pmd_find_fn)(const char *name);

/**
 * Take the device off the front of a command's parameters, "DEVICE[,REST]".
 *
 * @param list The command that lists devices, for the sentence.
 * @param rest What follows the comma, or ""; inside @p params.
 * @return The device's id; a negative errno with a sentence.
 * @par Thread    A telemetry callback.
 * @par Ownership Nothing is kept.
 * @par Errors    -EINVAL (none is named, the name is too long), -ENODEV.
 */
int plx_pmd_tel_device(const char *params, const char *list, plx_pmd_find_fn find,
		       const char **rest, struct plx_err *err);

/**
 * Counters since a reset. Counters belong to lcores, so a reset only remembers where they were.
 *
 * @param stats What they are now; what they were at the reset is taken off.
 * @par Thread    Control.
 * @par Ownership Nothing is kept.
 * @par Errors    None.
 */
static inline void
plx_pmd_stats_since(struct rte_cryptodev_stats *stats, const struct rte_cryptodev_stats *reset)
{
	stats->enqueued_count -= reset->enqueued_count;
	stats->dequeued_count -= reset->dequeued_count;
	stats->enqueue_err_count -= reset->enqueue_err_count;
	stats->dequeue_err_count -= reset->dequeue_err_count;
}

/* What a driver's registration needs to keep, one static object a driver. */
struct plx_pmd_registration {
	struct cryptodev_driver crypto_driver;
	struct rte_driver alias;
};

/**
 * Register a cryptodev driver; use PLX_PMD_REGISTER.
 *
 * @param alias_env Name of an environment variable; when it is set, the cryptodev driver calls
 * itself by its value (the vdev driver does not). The stock dpdk-test suites pick their device by
 * that name.
 * @return The driver id.
 * @par Thread    A constructor, before main().
 * @par Ownership @p reg must live as long as the process.
 * @par Errors    None.
 */
uint8_t plx_pmd_register(struct plx_pmd_registration *reg, const struct rte_vdev_driver *drv,
			 const char *alias_env);

/**
 * Let a cryptodev be one of the alias' in look-ups by driver name too; nothing without an alias.
 *
 * @param copy  Where the device's copy with the alias' driver goes; lives as long as the cryptodev.
 * @par Thread    A probe.
 * @par Ownership @p cryptodev points to @p copy afterwards.
 * @par Errors    None.
 */
void plx_pmd_alias(const struct plx_pmd_registration *reg, struct rte_cryptodev *cryptodev,
		   struct rte_device *copy);

/* Register a vdev driver and its cryptodev driver. id is a uint8_t variable, reg a
 * plx_pmd_registration. */
#define PLX_PMD_REGISTER(nm, vdev_drv, reg, id, alias_env)                                         \
	RTE_PMD_REGISTER_VDEV(nm, vdev_drv);                                                       \
	RTE_INIT(plx_pmd_init_##vdev_drv)                                                          \
	{                                                                                          \
		(vdev_drv).driver.name = RTE_STR(nm);                                              \
		(id) = plx_pmd_register(&(reg), &(vdev_drv), alias_env);                           \
	}

/**
 * One "key=value" of a device's arguments.
 *
 * @return 0, or a negative errno with a sentence in @p err, which ends the walk.
 * @par Thread    The caller's of plx_pmd_args_walk().
 * @par Ownership The strings are gone after the call.
 * @par Errors    The callee's.
 */
typedef int (*plx_pmd_arg_fn)(void *arg, const char *key, const char *value, struct plx_err *err);

/**
 * Take device arguments apart: "key=value,key=[a=b,c=d]". Unlike rte_kvargs, a value may hold "="
 * and a list in brackets may hold both "=" and ","; the outer brackets are taken off.
 *
 * @return 0; -EINVAL with a sentence; or what @p fn returned.
 * @par Thread    Any.
 * @par Ownership @p args is not changed and not kept; NULL and "" have no arguments.
 * @par Errors    -EINVAL (no "=", empty key, bracket left open), -ENOMEM, or the callee's.
 */
int plx_pmd_args_walk(const char *args, plx_pmd_arg_fn fn, void *arg, struct plx_err *err)
	PLX_MUST_CHECK;

/**
 * Read a whole number for an argument.
 *
 * @return 0; -EINVAL with a sentence that names @p key, the value and the range.
 * @par Thread    Any.
 * @par Ownership @p out is untouched on failure.
 * @par Errors    -EINVAL.
 */
int plx_pmd_arg_uint(const char *key, const char *value, uint64_t min, uint64_t max, uint64_t *out,
		     struct plx_err *err) PLX_MUST_CHECK;

struct plx_pmd_inner; /* a cryptodev that belongs to a wrapper */

/**
 * Make a cryptodev named @p name with the vdev driver @p driver, outside the vdev bus.
 *
 * @param name   Cryptodev name, less than RTE_CRYPTODEV_NAME_MAX_LEN; ends in ".inner" so that
 * nobody takes it over.
 * @param driver Exact name of a vdev crypto driver ("crypto_openssl").
 * @param args   Arguments for that driver, may be "".
 * @param out    The inner device; untouched on failure.
 * @return 0 or negative errno with a sentence.
 * @par Thread    Control: a probe, at EAL start as well as at run time. Takes no lock of the vdev
 * bus.
 * @par Ownership Destroyed with plx_pmd_inner_destroy().
 * @par Errors    -EINVAL (not a crypto driver, bad arguments, name too long), -ENODEV (no such
 * driver), -EEXIST, -ENOMEM, or what the driver answered.
 */
int plx_pmd_inner_create(const char *name, const char *driver, const char *args,
			 struct plx_pmd_inner **out, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Let the inner device's driver remove it.
 *
 * @return 0; the driver's negative errno (-EBUSY while it is started), then it is still there.
 * @par Thread    Control.
 * @par Ownership Frees @p inner on success; NULL is taken.
 * @par Errors    What the driver answered.
 */
int plx_pmd_inner_destroy(struct plx_pmd_inner *inner);

/**
 * The cryptodev of an inner device.
 *
 * @par Thread    Any; the pointer lives as long as @p inner.
 * @par Ownership The inner device's.
 * @par Errors    None.
 */
struct rte_cryptodev *plx_pmd_inner_dev(const struct plx_pmd_inner *inner);

#ifdef __cplusplus
}
#endif

#endif
