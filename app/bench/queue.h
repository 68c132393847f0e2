/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef BENCH_QUEUE_H
#define BENCH_QUEUE_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_pause.h>

#include "bench.h"
#include "plx_compiler.h"

/*
 * One dispatcher hands requests round robin to engines; an engine is an input queue, a processing
 * thread and a queue back. What is compared is the kind of queue; dispatcher, engines, requests and
 * limits are the same for all.
 */

#define QUEUE_ENGINES_MAX 10u
#define QUEUE_SLOTS       1024u /* a queue's bound: what a lane holds by default */
#define QUEUE_BURST       32u   /* requests the dispatcher gives to one engine in its turn */
#define QUEUE_TAKE_MAX    256u  /* requests an engine takes at once, at most */

/* What engines see of a request; they read it and write what out points to. */
struct request {
	uint32_t id;
	uint8_t *in;
	uint8_t *out;
};

/* work.c: what an engine does with a request */

struct work; /* keys, input and the results that are right, for all threads of a run */

struct work_kind {
	const char *name;
	uint32_t in_bytes;
	uint32_t out_bytes;
	uint32_t nb_inflight; /* an engine's requests: enough to never run dry, few to drain */
	bool is_slow;         /* each request is answered as it is done; windows are longer */
	int (*ctx_create)(const struct work *w, void **ctx);
	void (*ctx_destroy)(void *ctx);
	bool (*run)(void *ctx, struct request *r); /* NULL: nothing is done */
};

extern const struct work_kind work_kinds[];
extern const uint32_t work_nb_kinds;

int work_create(const struct work_kind *kind, struct work **out) PLX_MUST_CHECK;
void work_destroy(struct work *w);
const struct work_kind *work_kind(const struct work *w);
/* The requests' buffers: input in place, output cleared. */
void work_prepare(const struct work *w, struct request *r);
/* Is the output what this request's input has to give? */
bool work_is_right(const struct work *w, const struct request *r);

/* queue_mutex.c, queue_lane.c: the kinds of queue. A pair is a queue to an engine and one back. */

struct queue_kind {
	const char *name;
	int (*create)(uint32_t idx, void **out);
	void (*destroy)(void *pair);
	/* dispatcher: there is room for all nb by the dispatcher's own limit */
	void (*give)(void *pair, struct request **reqs, uint32_t nb);
	/* dispatcher: what is done, at most max; with wait at least one */
	uint32_t (*collect)(void *pair, struct request **reqs, uint32_t max, bool wait);
	/* engine: waits for at least one, takes at most QUEUE_TAKE_MAX */
	uint32_t (*take)(void *pair, struct request **reqs);
	void (*answer)(void *pair, struct request **reqs, uint32_t nb);
};

/*
 * Who finds a queue empty, of any kind: a few looks, then the core goes to others a few times;
 * false: now sleep. More threads than cores is the rule here, so the ladder is short.
 */
#define QUEUE_SPINS  16u
#define QUEUE_YIELDS 8u

static inline bool
queue_ladder(uint32_t step)
{
	if (step < QUEUE_SPINS)
		rte_pause();
	else if (step < QUEUE_SPINS + QUEUE_YIELDS)
		sched_yield();
	else
		return false;
	return true;
}

extern const struct queue_kind queue_mutex_one;
extern const struct queue_kind queue_mutex_many;
extern const struct queue_kind queue_lane;

/* queue_run.c: one window */

struct queue_sample {
	double ops_per_s;
	double ops_per_cpu_s; /* of all threads' CPU time together */
};

/* Returns 0, or a negative errno after saying on stderr what went wrong (-EBADMSG: a request was
 * lost, done twice, or wrong). */
int queue_run(const struct queue_kind *kind, const struct work *w, uint32_t nb_engines,
	      uint32_t window_us, struct queue_sample *out) PLX_MUST_CHECK;

#endif
