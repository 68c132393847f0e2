/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "queue.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * One window of one kind of queue. The calling thread is the dispatcher: in turn, for each engine,
 * it collects what is done and gives what the engine's limit leaves room for. When a whole turn
 * moved nothing it waits for the next engine in turn. Nothing is pinned.
 *
 * What is known about a request lies with the side that knows it, so that the null operation shows
 * the queue and not the travels of a request's cache line. After the window all requests are
 * collected; each that came back must have been out, the engine's count and sum of numbers must be
 * the dispatcher's, and results must be right: a queue that loses, doubles or swaps requests is
 * reported, not measured.
 */

#define WARM_UP_PART 8u /* of the window, before it */

struct tally {
	uint64_t nb;
	uint64_t sum; /* of the requests' numbers, each with a weight that tells repeats apart */
};

struct run_engine {
	/* owner: the engine's thread; read after it has ended */
	struct tally done PLX_CACHE_ALIGNED;
	bool is_broken;

	/* owner: the dispatcher */
	pthread_t thread PLX_CACHE_ALIGNED;
	const struct queue_kind *kind;
	const struct work_kind *work;
	void *pair;
	void *ctx;
	bool has_thread;
	struct request stop; /* given last: ends the engine */
	struct tally given;
	struct request *requests;
	uint8_t *buffers;
	uint32_t nb_free;      /* requests that are not given */
	struct request **free; /* a stack of them */
	uint8_t *is_given;     /* by place in requests */
	uint8_t *was_given;
};

struct run {
	const struct queue_kind *kind;
	const struct work *w;
	uint32_t nb_engines;
	uint32_t nb_inflight;
	uint64_t nb_collected;
	uint64_t nb_wrong; /* came back and was not given */
	struct run_engine engines[QUEUE_ENGINES_MAX];
};

static void
tally_add(struct tally *t, const struct request *r)
{
	t->nb++;
	t->sum += (uint64_t)(uintptr_t)r * 0x9e3779b97f4a7c15u >> 7;
}

static void *
engine_main(void *arg)
{
	struct request *reqs[QUEUE_TAKE_MAX];
	struct run_engine *e = arg;
	struct tally done = { 0 };
	uint32_t i, n;

	for (;;) {
		n = e->kind->take(e->pair, reqs);
		if (reqs[0] == &e->stop)
			break; /* given last and alone */
		for (i = 0; i < n; i++) {
			if (e->work->run != NULL && !e->work->run(e->ctx, reqs[i]))
				e->is_broken = true;
			tally_add(&done, reqs[i]);
			if (e->work->is_slow)
				e->kind->answer(e->pair, &reqs[i], 1);
		}
		if (!e->work->is_slow)
			e->kind->answer(e->pair, reqs, n);
	}
	e->done = done;
	return NULL;
}

static uint32_t
run_collect(struct run *r, struct run_engine *e, bool wait)
{
	struct request *reqs[QUEUE_TAKE_MAX];
	uint32_t i, n;
	size_t at;

	n = r->kind->collect(e->pair, reqs, QUEUE_TAKE_MAX, wait);
	for (i = 0; i < n; i++) {
		at = (size_t)(reqs[i] - e->requests);
		if (at >= r->nb_inflight || !e->is_given[at]) {
			r->nb_wrong++;
			continue;
		}
		e->is_given[at] = 0;
		e->free[e->nb_free++] = reqs[i];
	}
	r->nb_collected += n;
	return n;
}

static uint32_t
run_give(struct run *r, struct run_engine *e)
{
	struct request *reqs[QUEUE_BURST];
	uint32_t i, n = e->nb_free < QUEUE_BURST ? e->nb_free : QUEUE_BURST;

	if (n == 0)
		return 0;
	for (i = 0; i < n; i++) {
		reqs[i] = e->free[--e->nb_free];
		e->is_given[reqs[i] - e->requests] = 1;
		e->was_given[reqs[i] - e->requests] = 1;
		tally_add(&e->given, reqs[i]);
	}
	r->kind->give(e->pair, reqs, n);
	return n;
}

/* Turns until end_ns; returns when the last one ended. */
static uint64_t
run_until(struct run *r, uint64_t end_ns)
{
	uint32_t i, moved, next = 0;
	uint64_t now;

	do {
		moved = 0;
		for (i = 0; i < r->nb_engines; i++) {
			moved += run_collect(r, &r->engines[i], false);
			moved += run_give(r, &r->engines[i]);
		}
		if (moved == 0) {
			run_collect(r, &r->engines[next], true);
			next = next + 1 < r->nb_engines ? next + 1 : 0;
		}
		now = bench_wall_ns();
	} while (now < end_ns);
	return now;
}

static void
run_drain(struct run *r)
{
	uint32_t i;

	for (i = 0; i < r->nb_engines; i++)
		while (r->engines[i].nb_free < r->nb_inflight && r->nb_wrong == 0)
			run_collect(r, &r->engines[i], true);
}

static void
run_measure(struct run *r, uint32_t window_us, struct queue_sample *out)
{
	uint64_t window_ns = (uint64_t)window_us * 1000u;
	uint64_t wall, cpu, nb;

	wall = run_until(r, bench_wall_ns() + window_ns / WARM_UP_PART);
	cpu = bench_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	nb = r->nb_collected;

	wall = run_until(r, wall + window_ns) - wall;
	cpu = bench_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	nb = r->nb_collected - nb;
	run_drain(r);

	out->ops_per_s = (double)nb * 1e9 / (double)wall;
	out->ops_per_cpu_s = cpu > 0 ? (double)nb * 1e9 / (double)cpu : 0.0;
}

static int
engine_requests(struct run *r, struct run_engine *e, uint32_t first_id)
{
	size_t stride = (size_t)e->work->in_bytes + e->work->out_bytes;
	uint32_t i;

	e->free = calloc(r->nb_inflight, sizeof(*e->free));
	e->is_given = calloc(r->nb_inflight, 1);
	e->was_given = calloc(r->nb_inflight, 1);
	e->requests = calloc(r->nb_inflight, sizeof(*e->requests));
	if (e->free == NULL || e->is_given == NULL || e->was_given == NULL || e->requests == NULL)
		return -ENOMEM;
	if (stride > 0 &&
	    posix_memalign((void **)&e->buffers, PLX_CACHE_LINE, r->nb_inflight * stride) != 0)
		return -ENOMEM;
	for (i = 0; i < r->nb_inflight && stride > 0; i++) {
		struct request *req = &e->requests[i];

		req->id = first_id + i;
		req->in = e->buffers + i * stride;
		req->out = req->in + e->work->in_bytes;
		work_prepare(r->w, req);
	}
	for (i = r->nb_inflight; i > 0; i--)
		e->free[e->nb_free++] = &e->requests[i - 1];
	return 0;
}

static int
engine_start(struct run *r, uint32_t idx)
{
	struct run_engine *e = &r->engines[idx];
	int ret;

	e->kind = r->kind;
	e->work = work_kind(r->w);
	ret = engine_requests(r, e, idx * r->nb_inflight);
	if (ret == 0)
		ret = r->kind->create(idx, &e->pair);
	if (ret == 0 && e->work->ctx_create != NULL)
		ret = e->work->ctx_create(r->w, &e->ctx);
	if (ret < 0)
		return ret;
	ret = -pthread_create(&e->thread, NULL, engine_main, e);
	e->has_thread = ret == 0;
	return ret;
}

static void
engine_join(struct run_engine *e)
{
	struct request *stop = &e->stop;

	if (!e->has_thread)
		return;
	e->kind->give(e->pair, &stop, 1);
	pthread_join(e->thread, NULL);
	e->has_thread = false;
}

static void
engine_free(struct run_engine *e)
{
	if (e->pair != NULL)
		e->kind->destroy(e->pair);
	if (e->ctx != NULL)
		e->work->ctx_destroy(e->ctx);
	free(e->buffers);
	free(e->requests);
	free(e->was_given);
	free(e->is_given);
	free(e->free);
}

static int
run_check(const struct run *r)
{
	uint64_t nb_given = 0, nb_done = 0, nb_bad = 0;
	uint32_t i, j;

	for (i = 0; i < r->nb_engines; i++) {
		const struct run_engine *e = &r->engines[i];

		nb_given += e->given.nb;
		nb_done += e->done.nb;
		nb_bad += e->is_broken || e->given.sum != e->done.sum;
		for (j = 0; j < r->nb_inflight; j++)
			nb_bad += e->was_given[j] && !work_is_right(r->w, &e->requests[j]);
	}
	if (nb_bad == 0 && r->nb_wrong == 0 && nb_given == r->nb_collected &&
	    nb_done == r->nb_collected)
		return 0;
	bench_say("%s: %" PRIu64 " requests given, %" PRIu64 " done, %" PRIu64
		  " came back, %" PRIu64 " of them not given before, %" PRIu64
		  " sums or results wrong",
		  r->kind->name, nb_given, nb_done, r->nb_collected, r->nb_wrong, nb_bad);
	return -EBADMSG;
}

int
queue_run(const struct queue_kind *kind, const struct work *w, uint32_t nb_engines,
	  uint32_t window_us, struct queue_sample *out)
{
	struct run *r = NULL;
	uint32_t i;
	int ret = 0;

	if (nb_engines == 0 || nb_engines > QUEUE_ENGINES_MAX)
		return -EINVAL;
	if (posix_memalign((void **)&r, PLX_CACHE_LINE, sizeof(*r)) != 0)
		return -ENOMEM;
	memset(r, 0, sizeof(*r));
	r->kind = kind;
	r->w = w;
	r->nb_engines = nb_engines;
	r->nb_inflight = work_kind(w)->nb_inflight;

	for (i = 0; i < nb_engines && ret == 0; i++)
		ret = engine_start(r, i);
	if (ret == 0)
		run_measure(r, window_us, out);
	else
		bench_say("%s: %u engines do not start: %s", kind->name, nb_engines,
			  strerror(-ret));
	for (i = 0; i < nb_engines; i++)
		engine_join(&r->engines[i]);
	if (ret == 0)
		ret = run_check(r);
	for (i = 0; i < nb_engines; i++)
		engine_free(&r->engines[i]);
	free(r);
	return ret;
}
