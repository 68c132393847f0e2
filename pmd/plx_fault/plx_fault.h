/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_FAULT_H
#define PLX_FAULT_H

#include <stddef.h>
#include <stdint.h>

#include "plx_compiler.h"
#include "plx_err.h"

/*
 * crypto_plx_fault: a cryptodev that has another one behind it and misbehaves on request.
 *
 *     --vdev crypto_plx_fault0,inner=crypto_openssl,refuse=5%,stall=1/100000:20ms
 *
 * Faults are set as device arguments and, while traffic runs, by plx_fault_set() or the telemetry
 * command /plx_fault/set. A fault is "NAME=WHEN[:DETAIL][:limit=N][:while=FILE]".
 *
 * WHEN: off | always | 5% or 0.05 (at random) | 1/N (each N-th operation of a queue pair)
 *
 * NAME        DETAIL              what happens (the detail when none is given)
 * refuse                          enqueue stops before the operation, which is untouched
 * bad_status                      the same, the operation's status is ERROR
 * touch                           the same, but it was done and its status is SUCCESS
 * fail        error|auth|invalid  completes with that status, its data untouched (error)
 * corrupt                         completes with SUCCESS and one bit of its output changed
 * delay       a duration          completes no sooner than that after enqueue (100us)
 * reorder     2..64               changes places with a completion up to that many later (8)
 * stall       a duration          the queue pair takes and gives nothing for that long (10ms)
 * vanish                          the device takes and gives nothing until it is stopped
 * foreign     twice|unknown       a completion again, or one nobody enqueued (unknown)
 *
 * limit=N: at most N times since it was set, over all queue pairs. while=FILE: only while that
 * file exists; looked for every millisecond. "off" alone turns all faults off, and "seed=N"
 * restarts the random numbers. doc/plx_fault.md has the rest.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define PLX_FAULT_DRIVER "crypto_plx_fault"

enum plx_fault_kind {
	PLX_FAULT_REFUSE = 0,
	PLX_FAULT_BAD_STATUS,
	PLX_FAULT_TOUCH,
	PLX_FAULT_FAIL,
	PLX_FAULT_CORRUPT,
	PLX_FAULT_DELAY,
	PLX_FAULT_REORDER,
	PLX_FAULT_STALL,
	PLX_FAULT_VANISH,
	PLX_FAULT_FOREIGN,
	PLX_FAULT_NB, /* number of faults */
};

struct plx_fault_stats {
	size_t size;                        /* set by the caller: sizeof(struct plx_fault_stats) */
	uint64_t nb_injected[PLX_FAULT_NB]; /* by enum plx_fault_kind */
	uint64_t nb_enqueued;               /* operations taken */
	uint64_t nb_dequeued;               /* of those, given back; "foreign" not counted */
	uint64_t nb_dropped;                /* of those, held when the device was stopped */
	uint64_t nb_unexpected;             /* the inner device gave what it did not have */
};

/**
 * The name of a fault ("refuse"), as in the arguments.
 *
 * @return NULL for a number out of range.
 * @par Thread    Any.
 * @par Ownership The library's, for ever.
 * @par Errors    NULL only.
 */
PLX_API const char *plx_fault_name(unsigned int kind);

/**
 * Change faults: those that @p spec names, "refuse=5%,fail=1%:auth,stall=off". Others stay as they
 * are. Safe while traffic runs: a queue pair works by the new faults from its next burst on.
 *
 * @param dev_id Cryptodev id of a crypto_plx_fault device.
 * @return 0 or negative errno with a sentence; then nothing has changed.
 * @par Thread    Any but a data lcore (it takes a lock that a queue pair tries to take).
 * @par Ownership @p spec is not kept.
 * @par Errors    -ENODEV (not such a device), -EINVAL (the sentence names the word and what is
 * allowed).
 */
PLX_API int plx_fault_set(uint8_t dev_id, const char *spec, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Write the faults in force in the form plx_fault_set() reads; "off" when there is none.
 *
 * @return 0; -ENODEV; -ENOSPC when @p len is too small, 2048 are enough.
 * @par Thread    Any.
 * @par Ownership @p buf is the caller's.
 * @par Errors    -ENODEV, -ENOSPC.
 */
PLX_API int plx_fault_get(uint8_t dev_id, char *buf, size_t len) PLX_MUST_CHECK;

/**
 * What was injected, over all queue pairs, since they were set up.
 *
 * @return 0; -ENODEV; -EINVAL when stats->size is unknown.
 * @par Thread    Any but a data lcore, while traffic runs too.
 * @par Ownership @p stats is the caller's.
 * @par Errors    -ENODEV, -EINVAL.
 */
PLX_API int plx_fault_stats(uint8_t dev_id, struct plx_fault_stats *stats) PLX_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
