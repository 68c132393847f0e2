/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_POLLUX_H
#define PLX_POLLUX_H

#include <stddef.h>
#include <stdint.h>

#include "plx_compiler.h"
#include "plx_err.h"

/*
 * crypto_pollux: engines as a cryptodev. A program uses it as any other cryptodev; these functions
 * are for programs that change engines, devices and settings while traffic runs, as the telemetry
 * commands /pollux_pmd/... do for everybody else. doc/crypto_pollux.md has the arguments.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define PLX_POLLUX_DRIVER   "crypto_pollux"
#define PLX_POLLUX_TEXT_MAX 4096
#define PLX_POLLUX_ANY_CPU  (-1)

struct plx_pollux_stats {
	size_t size;            /* set by the caller: sizeof(struct plx_pollux_stats) */
	uint64_t nb_enqueued;   /* ops taken from the program */
	uint64_t nb_dequeued;   /* ops given back */
	uint64_t nb_failed;     /* of those, with another status than SUCCESS */
	uint64_t nb_short;      /* enqueue calls that took fewer than they were offered */
	uint64_t nb_dropped;    /* ops that were not fetched when the device was stopped */
	uint64_t nb_submitted;  /* ops accepted by a device behind; more than taken after a loss */
	uint64_t nb_fallback;   /* ops that ran on a later device */
	uint64_t nb_replayed;   /* ops of a lost device run again elsewhere */
	uint64_t nb_lost;       /* ops of a lost device that could not be: came back ERROR */
	uint64_t nb_expired;    /* past their deadline: came back NOT_PROCESSED */
	uint64_t nb_unroutable; /* no device can do it */
};

/**
 * Add an engine.
 *
 * @param dev_id Cryptodev id of a crypto_pollux device.
 * @param cpu    CPU its thread is pinned to; PLX_POLLUX_ANY_CPU: the next of the device's cores=,
 * or where EAL's control threads run. With service=1 it has to be PLX_POLLUX_ANY_CPU.
 * @param id     Number of the engine goes here.
 * @return 0 or negative errno with a sentence; nothing is changed on failure.
 * @par Thread    Any but a data lcore; traffic may run.
 * @par Ownership The device's.
 * @par Errors    -ENODEV (not such a device), -EINVAL (CPU), -ENOSPC, -EAGAIN (no queue pair free
 * on a device behind: see queue-pairs=), -ENOMEM.
 */
PLX_API int plx_pollux_engine_add(uint8_t dev_id, int cpu, uint32_t *id, struct plx_err *err)
	PLX_MUST_CHECK;

/**
 * Remove an engine; what it has it finishes.
 *
 * @return 0; -ENODEV; -ENOENT; -EBUSY (the last one, and mode is pipeline); -ETIMEDOUT (its ops did
 * not end within a second: it goes on).
 * @par Thread    Any but a data lcore; traffic may run.
 * @par Ownership The engine is gone on success.
 * @par Errors    As above with a sentence.
 */
PLX_API int plx_pollux_engine_remove(uint8_t dev_id, uint32_t id, struct plx_err *err)
	PLX_MUST_CHECK;

/**
 * Put a device behind the ones there are. @p spec is as in device=: "crypto_openssl",
 * "crypto_openssl,max_nb_queue_pairs=4", the name or PCI address of a cryptodev that EAL has. What
 * it can do joins the capabilities; sessions that live get their counterpart on it.
 *
 * @return 0 or negative errno with a sentence; nothing is changed on failure.
 * @par Thread    Any but a data lcore; traffic may run.
 * @par Ownership @p spec is not kept.
 * @par Errors    -ENODEV, -EINVAL, -EBUSY (somebody else has started it), -ENOSPC, -ENOMEM, or the
 * driver's.
 */
PLX_API int plx_pollux_device_add(uint8_t dev_id, const char *spec, struct plx_err *err)
	PLX_MUST_CHECK;

/**
 * Take a device out: no new ops at once, running ones end or, after a second, are run elsewhere.
 * One that device= made is destroyed.
 *
 * @param name Its name, or that of its driver when there is one device of it.
 * @return 0; -ENODEV (not a crypto_pollux device); -ENOENT; -EBUSY (the last one); -ETIMEDOUT.
 * @par Thread    Any but a data lcore; traffic may run.
 * @par Ownership The device is gone on success.
 * @par Errors    As above with a sentence.
 */
PLX_API int plx_pollux_device_remove(uint8_t dev_id, const char *name, struct plx_err *err)
	PLX_MUST_CHECK;

/**
 * Let a device that was given up work again, with new queue pairs; it is the last one in the order
 * then. rte_cryptodev_start() does the same for all devices, in their order.
 *
 * @return 0; -ENODEV (not a crypto_pollux device); -ENOENT; what the driver answered.
 * @par Thread    Any but a data lcore; traffic may run.
 * @par Ownership Unchanged.
 * @par Errors    As above with a sentence.
 */
PLX_API int plx_pollux_device_revive(uint8_t dev_id, const char *name, struct plx_err *err)
	PLX_MUST_CHECK;

/**
 * Change settings: "mode=inline,burst=64". All or none of them.
 *
 * @return 0; -ENODEV; -EINVAL and -ENOENT (value, unknown key); -EPERM (a key that is read when the
 * device is made); -EAGAIN and -ENOMEM (no queue pair or memory for the new mode).
 * @par Thread    Any but a data lcore; traffic may run.
 * @par Ownership @p spec is not kept.
 * @par Errors    As above with a sentence.
 */
PLX_API int plx_pollux_set(uint8_t dev_id, const char *spec, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Write the settings in force in the form plx_pollux_set() reads.
 *
 * @return 0; -ENODEV; -ENOSPC when @p len is too small, PLX_POLLUX_TEXT_MAX are enough.
 * @par Thread    Any but a data lcore.
 * @par Ownership @p buf is the caller's.
 * @par Errors    -ENODEV, -ENOSPC.
 */
PLX_API int plx_pollux_get(uint8_t dev_id, char *buf, size_t len) PLX_MUST_CHECK;

/**
 * What happened since the device was made or rte_cryptodev_stats_reset() was called.
 *
 * @return 0; -ENODEV; -EINVAL when stats->size is unknown.
 * @par Thread    Any but a data lcore, while traffic runs too.
 * @par Ownership @p stats is the caller's.
 * @par Errors    -ENODEV, -EINVAL.
 */
PLX_API int plx_pollux_stats(uint8_t dev_id, struct plx_pollux_stats *stats) PLX_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
