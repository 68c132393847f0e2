/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef JOB_PUMP_H
#define JOB_PUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_crypto.h>
#include <rte_mbuf.h>

#include "plx_ctl.h"
#include "plx_engine.h"
#include "plx_err.h"
#include "plx_hist.h"
#include "plx_port.h"

struct app;

/*
 * A port with operations and buffers of its own, kept filled from a source: what a job, a bench and
 * the demo have in common. One thread runs a pump; it is no data lcore.
 */

#define PUMP_DEPTH_MAX 1024
#define PUMP_RECORD_MAX                                                                            \
	65280 /* an mbuf's length is 16 bits; and ipsec-mb takes 65534 bytes of CBC or SHA */
#define PUMP_RECORD_PAD 16 /* room behind a record for its padding */
#define PUMP_AAD_BYTES  64
#define PUMP_RSA_BYTES  2048 /* two of RSA-8192's numbers */

struct pump_slot;

/* Behind each op: what devices read and write beside the data. */
struct pump_room {
	uint8_t iv[16];
	uint8_t aad[PUMP_AAD_BYTES];
	uint8_t tag[64];
	uint8_t rsa[PUMP_RSA_BYTES];
	struct pump_slot *slot;
};

#define PUMP_ROOM_OFFSET                                                                           \
	(sizeof(struct rte_crypto_op) +                                                            \
	 (sizeof(struct rte_crypto_sym_op) > sizeof(struct rte_crypto_asym_op)                     \
		  ? sizeof(struct rte_crypto_sym_op)                                               \
		  : sizeof(struct rte_crypto_asym_op)))
#define PUMP_IV_OFFSET (PUMP_ROOM_OFFSET + offsetof(struct pump_room, iv))

/* One operation on its way round. */
struct pump_slot {
	struct rte_crypto_op *op;
	struct rte_mbuf *m;   /* source; NULL when the pump has no buffers */
	struct rte_mbuf *out; /* destination; the same as the source when in place */
	struct pump_room *room;
	uint64_t record; /* the source's number for it */
	uint64_t offset; /* in the file */
	uint32_t len;
	bool is_last;
	uint64_t start_tsc;
};

enum pump_fill {
	PUMP_END = 0, /* nothing comes any more */
	PUMP_FILLED,  /* the slot is ready to go */
	PUMP_WAIT,    /* ask again when an operation has come back */
};

struct pump_source {
	/* Make the slot's op ready: enum pump_fill, or negative errno with a sentence. */
	int (*fill)(void *ctx, struct pump_slot *slot, struct plx_err *err);
	/* The op is back, with any status: 0 or negative errno with a sentence. */
	int (*done)(void *ctx, struct pump_slot *slot, struct plx_err *err);
	/* The line shown as progress; may be NULL. */
	void (*progress)(void *ctx, char *line, size_t len);
	void *ctx;
};

struct pump_params {
	struct app *app;
	const char *name;
	uint32_t depth;     /* 1..PUMP_DEPTH_MAX operations in flight */
	uint32_t buf_bytes; /* data a record has at most; 0: no buffers */
	bool keeps_source; /* what comes out has a buffer of its own, so that an op of a lost device
			    * can run again */
	enum plx_class cls;
	enum plx_mode mode; /* 0: the group's */
};

struct pump {
	struct app *app;
	struct plx_port *port;
	struct rte_mempool *op_pool;
	struct rte_mempool *buf_pool;
	uint32_t depth;
	uint32_t buf_bytes;
	bool keeps_source;
	uint32_t nb_free;
	struct pump_slot *slots;
	struct pump_slot **free_slots;
	struct plx_hist latency;
	uint64_t nb_done;
	uint64_t engine_before[PLX_ENGINES_MAX *
			       2]; /* completions by engine number before we began */
	char engines[96];          /* who did the work, known after pump_run() */
};

/* Takes the control lock itself. */
int pump_create(const struct pump_params *params, struct pump **out, struct plx_err *err);

/*
 * Wipes the buffers. False when engines still hold operations: memory and session are left to them
 * then. NULL is taken.
 */
bool pump_destroy(struct pump *pump);

/*
 * Run until the source ends, fails, or the caller wants to stop (-ECANCELED); all operations are
 * back then.
 */
int pump_run(struct pump *pump, const struct pump_source *source, struct plx_ctl_call *call,
	     struct plx_err *err);

/* Make the slot's op fresh, of a type, with a session. */
void pump_slot_reset(struct pump_slot *slot, struct plx_session *sess);

/* Give the slot's buffers len bytes; those of the source, to be filled in. */
uint8_t *pump_slot_room(struct pump_slot *slot, uint32_t len);

/* The bytes that came out. */
const uint8_t *pump_slot_out(const struct pump_slot *slot);

/* The address a device uses for a byte of the room. */
rte_iova_t pump_room_iova(const struct pump_slot *slot, const void *in_room);

/* 0 for SUCCESS; else a sentence about the status. */
int pump_status(const struct pump_slot *slot, struct plx_err *err);

#endif
