/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto.h>

#include "bench.h"
#include "plx_compiler.h"

/*
 * The engine benchmark: one load, four ways to a device of the same kind. The load is what a DPDK
 * program does with a cryptodev: fill ops in, enqueue a burst, dequeue a burst. One loop,
 * specialised for each way at compile time, so that the ways differ in the two burst calls and in
 * nothing else.
 */

#define LOAD_BURST     32u
#define LOAD_DEPTH     256u /* ops there are; in flight at most */
#define LOAD_BYTES_MAX 16384u
#define LOAD_DESC      2048u /* descriptors a queue pair, everywhere */
#define LOAD_AAD_BYTES 16u
#define LOAD_TAG_BYTES 16u

/* lcores. The last two share a CPU; only one of them works at a time. */
#define LCORE_SUBMIT    0u
#define LCORE_ENGINE    1u
#define LCORE_SCHEDULER 2u

struct load_alg {
	const char *name;
	bool is_aead;
	uint16_t key_bytes;
	uint16_t iv_bytes;
};

/* Ops and buffers, and how they are to be filled in. owner: the submitting lcore */
struct load {
	const struct load_alg *alg;
	uint32_t bytes;
	void *session;    /* of the subject that is measured */
	uint64_t nb_made; /* goes into the IV: each op has another one */
	uint64_t nb_done;
	uint64_t nb_failed; /* came back with another status than SUCCESS */
	uint32_t nb_free;
	struct rte_crypto_op *free[LOAD_DEPTH]; /* a stack, so that the warm ones are used first */
	uint32_t nb_ready;
	struct rte_crypto_op *ready[LOAD_BURST]; /* filled in and not taken yet */
	struct rte_mempool *op_pool;
	struct rte_mempool *buf_pool;
};

/* engine_load.c */

extern const struct load_alg load_algs[];
extern const uint32_t load_nb_algs;

int load_create(struct load **out) PLX_MUST_CHECK;
void load_destroy(struct load *l);
/* Ops with buffers of this size, and what they are to be; the old ones are freed. */
int load_set(struct load *l, const struct load_alg *alg, uint32_t bytes) PLX_MUST_CHECK;
/* The transform of an algorithm, into x; it points to the key inside load_algs' own memory. */
void load_xform(const struct load_alg *alg, struct rte_crypto_sym_xform *x);
/* All buffers to their first content, and after one burst: is it what OpenSSL makes of it? */
void load_plain(struct load *l);
bool load_is_right(const struct load *l, struct rte_crypto_op *const *ops, uint32_t nb);

/* A way to a device. */
struct way;

struct way_kind {
	const char *name;
	/* vdev driver such as "crypto_aesni_mb"; makes its own devices */
	int (*open)(const char *driver, struct way **out);
	void (*close)(struct way *w);
	int (*session_create)(struct way *w, const struct load_alg *alg, void **session);
	void (*session_destroy)(struct way *w, void *session);
	/* around a window: lcores on and off */
	int (*start)(struct way *w);
	void (*stop)(struct way *w);
	/* the loop, until the TSC is there */
	void (*run)(struct way *w, struct load *l, uint64_t until_tsc);
	/* take back what is in flight and nothing else; returns ops taken */
	uint32_t (*collect)(struct way *w, struct load *l);
	/* the part of its lcore's time that was work, since the last call; 1 where the loop cannot
	 * tell */
	double (*busy)(struct way *w);
	uint32_t lcore; /* the one whose cycles count */
};

/* engine_window.c */

#define LCORES 3u

struct window_params {
	uint32_t length_us; /* time to be measured */
	uint32_t slice_us;
	clockid_t clocks[LCORES]; /* CPU time of each lcore's thread */
};

struct window_sample {
	double ops_per_s;
	double cycles_per_op; /* of the lcore that counts, without the cycles in which it found
				 nothing */
};

/* Started before, with the load's session set. */
int window_run(const struct way_kind *kind, struct way *w, struct load *l,
	       const struct window_params *p, struct window_sample *out) PLX_MUST_CHECK;
/* Nothing in flight any more, all ops on the stack; -ETIMEDOUT after a sentence. */
int window_collect(const struct way_kind *kind, struct way *w, struct load *l) PLX_MUST_CHECK;

extern const struct way_kind way_direct; /* engine_direct.c */
extern const struct way_kind way_scheduler;
extern const struct way_kind way_inline; /* engine_port.c */
extern const struct way_kind way_pipeline;

#endif
