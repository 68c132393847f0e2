/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_SUPPORT_RIG_H
#define TEST_SUPPORT_RIG_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto.h>
#include <rte_mempool.h>

#include "plx_device.h"
#include "plx_engine.h"
#include "plx_port.h"

/*
 * What the tests of engines stand on: EAL with vdevs, a registry, a group, and numbered AES-CTR ops
 * whose right answer is known. An op is checked when it comes back: once, with the right bytes or
 * an error as allowed. All state is in the struct; EAL is the process's.
 */

#define RIG_IV_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))
#define RIG_IV_BYTES  16
#define RIG_DATA_MAX  2048

struct rig {
	struct plx_devices *devs;
	struct plx_engines *es;
	struct plx_session *sess; /* AES-128-CTR, encrypt */
	struct rte_mempool *ops;
	struct rte_mempool *mbufs;
	void *evp; /* the right answers */
	pthread_t ticker;
	pthread_mutex_t control;
	_Atomic bool tick_stop;
	uint64_t nb_made;
	uint64_t nb_back;
	uint64_t nb_right;      /* SUCCESS and the right bytes */
	uint64_t nb_wrong;      /* SUCCESS and other bytes, or an op that came back twice */
	uint64_t nb_status[16]; /* by enum rte_crypto_op_status */
	uint64_t nb_untouched;  /* NOT_PROCESSED and the bytes still as they were */
};

/* EAL once a process: no hugepages, no PCI, lcores 0..nb_lcores - 1 floating over the CPUs. args:
 * vdevs, NULL-ended. */
void rig_eal(uint32_t nb_lcores, const char *const *vdevs);

/* Registry, group with params (NULL: defaults), the named devices in order, session, pools. */
void rig_open(struct rig *r, const struct plx_engines_params *params, const char *const *devices);
void rig_close(struct rig *r);

/* A rig with numbers and pools of its own on the session and group of another, for a second thread.
 */
void rig_share(struct rig *r, const struct rig *of);
void rig_unshare(struct rig *r);

/* A new op of len bytes with the next number; out_of_place gives it a second buffer. NULL: pool
 * empty. */
struct rte_crypto_op *rig_op(struct rig *r, uint32_t len, bool out_of_place);

/* Check and free an op that came back. */
void rig_take(struct rig *r, struct rte_crypto_op *op);

/* Send nb ops of len bytes through a port and take them all back; at most depth in flight. False:
 * 20 s without any op coming back. */
bool rig_run(struct rig *r, struct plx_port *port, uint64_t nb, uint32_t len, uint32_t depth);

/* Take back what is outstanding. */
bool rig_drain(struct rig *r, struct plx_port *port);

/* A port of the given mode, or the test fails. */
struct plx_port *rig_port(struct rig *r, enum plx_mode mode);

/* A control thread that does the group's housekeeping every millisecond, as the daemon does. While
 * it runs the test makes no control call itself but between rig_pause() and rig_resume(). */
void rig_tick_start(struct rig *r);
void rig_tick_stop(struct rig *r);
void rig_pause(struct rig *r);
void rig_resume(struct rig *r);

/* Sums over all engines. */
void rig_stats(struct rig *r, struct plx_engine_stats *sum);

#endif
