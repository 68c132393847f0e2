/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef FAULT_RIG_H
#define FAULT_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_cryptodev.h>
#include <rte_mempool.h>

#include "plx_fault.h"

/*
 * A crypto_plx_fault device over a driver of choice, driven by the raw cryptodev calls, and
 * numbered AES-128-CTR operations of which each knows how often it came back.
 */

#define RIG_OPS   2048
#define RIG_BYTES 96
#define RIG_NAME  "crypto_plx_fault0"

enum rig_bytes {
	RIG_UNTOUCHED = 0, /* as before */
	RIG_RIGHT,         /* the right ciphertext */
	RIG_ONE_BIT,       /* the right ciphertext but for one bit */
	RIG_OTHER,
};

struct rig {
	uint8_t dev_id;
	uint16_t nb_qps;
	void *session;
	struct rte_mempool *op_pool;
	struct rte_mempool *mbuf_pool;
	struct rte_mempool *session_pool;
	struct rte_crypto_op *ops[RIG_OPS]; /* number i is ops[i] */
	uint32_t nb_back[RIG_OPS];
	uint32_t nb_foreign; /* completions that are none of ops */
};

/* EAL for the process, once; a cmocka group setup. */
int rig_eal(void **state);

/* The drivers to try as inner device: work is done at enqueue in the first, at dequeue in the
 * second. */
extern const char *const rig_inner[2];

/* Device, sessions and operations; args go behind "inner=". nb_desc descriptors on each of nb_qps.
 */
void rig_open(struct rig *r, const char *inner, const char *args, uint16_t nb_qps,
	      uint32_t nb_desc);
void rig_close(struct rig *r);

/* Configure, set up queue pairs and start. */
void rig_start(struct rig *r, uint32_t nb_desc);

/* Put operation i in its first state again. */
void rig_reset(struct rig *r, uint32_t i);
void rig_reset_all(struct rig *r);

/* What the buffer of operation i looks like. */
enum rig_bytes rig_look(const struct rig *r, uint32_t i);

/* Number of an operation, or -1 for a foreign one. */
int64_t rig_number(const struct rig *r, const struct rte_crypto_op *op);

/* Enqueue ops[first..first+nb); returns how many were taken. */
uint16_t rig_put(struct rig *r, uint16_t qp, uint32_t first, uint16_t nb);

/* One dequeue burst, counted in nb_back and nb_foreign; numbers in order in out when not NULL. */
uint16_t rig_get(struct rig *r, uint16_t qp, uint16_t nb, int64_t *out);

/* Dequeue until nb came back, or 2 s passed; returns how many came. */
uint32_t rig_get_all(struct rig *r, uint16_t qp, uint32_t nb, int64_t *out);

/* Send ops[first..first+nb) until each was taken, and get all back; false after 20 s. */
bool rig_run(struct rig *r, uint16_t qp, uint32_t first, uint32_t nb);

/* Set faults or fail the test. */
void rig_set(const struct rig *r, const char *spec);
uint64_t rig_injected(const struct rig *r, enum plx_fault_kind kind);

/* Microseconds of a clock that only goes forward. */
uint64_t rig_now_us(void);

#endif
