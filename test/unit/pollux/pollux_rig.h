/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_POLLUX_RIG_H
#define TEST_POLLUX_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_cryptodev.h>
#include <rte_mempool.h>

#include "plx_fault.h"
#include "plx_pollux.h"

/*
 * What the tests of crypto_pollux stand on: EAL, a device made by its arguments, an AES-128-CTR
 * session, and streams of numbered ops on a queue pair whose right answer OpenSSL gives. An op is
 * checked when it comes back: once, with the right bytes, the program's session in it, in the order
 * of enqueueing.
 */

#define RIG_NAME      "crypto_pollux0"
#define RIG_BYTES     96
#define RIG_IV_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))
#define RIG_IV_BYTES  16
#define RIG_XFORM_AT  (RIG_IV_OFFSET + RIG_IV_BYTES)
#define STREAM_OPS    1024

enum rig_kind {
	RIG_IN_PLACE,
	RIG_OUT_OF_PLACE,
	RIG_SESSIONLESS, /* a transform of its own in each op */
	RIG_MIXED,       /* these in turn */
};

struct rig {
	uint8_t dev_id;
	uint16_t nb_qps;
	void *session;
	struct rte_mempool *sessions;
};

struct stream {
	struct rig *rig;
	uint16_t qp;
	enum rig_kind kind;
	struct rte_mempool *op_pool;
	struct rte_mempool *mbufs;
	struct rte_crypto_op *ops[STREAM_OPS];
	uint32_t free[STREAM_OPS]; /* indexes of ops that are not out */
	uint32_t nb_free;
	void *evp;
	uint64_t next;   /* number of the next op */
	uint64_t oldest; /* number that comes back next, when order is kept */
	uint64_t nb_back;
	uint64_t nb_right;
	uint64_t nb_wrong; /* other bytes, another session, twice */
	uint64_t nb_misordered;
	uint64_t nb_status[16]; /* by enum rte_crypto_op_status */
};

/* EAL for the process, once; a cmocka group setup. */
int rig_eal(void **state);

/* Device, session, queue pairs, start. */
void rig_open(struct rig *r, const char *args, uint16_t nb_qps, uint32_t nb_desc);
void rig_close(struct rig *r);
void rig_start(struct rig *r, uint32_t nb_desc);

void stream_open(struct stream *s, struct rig *r, uint16_t qp, enum rig_kind kind);
void stream_close(struct stream *s);
/* Ops in their first state, up to nb; returns how many there were. */
uint16_t stream_make(struct stream *s, struct rte_crypto_op **ops, uint16_t nb);
/* Check ops that came back. */
void stream_take(struct stream *s, struct rte_crypto_op **ops, uint16_t nb);
/* Ops that were made and not taken by the device. */
void stream_unmake(struct stream *s, struct rte_crypto_op **ops, uint16_t nb);
/* One dequeue burst; returns how many came. */
uint16_t stream_fetch(struct stream *s, uint16_t nb);
/* Send nb ops and get all back; false when nothing moves for 20 s. */
bool stream_run(struct stream *s, uint64_t nb, uint32_t depth);
/* Get back what is out. */
bool stream_drain(struct stream *s);
uint32_t stream_out(const struct stream *s);
/* Everything that came back was right and in order. */
void stream_assert_right(const struct stream *s);

#endif
