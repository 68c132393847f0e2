/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <errno.h>

#include <rte_cryptodev.h>
#include <rte_malloc.h>

#include "plx_secret.h"

/*
 * One queue pair. The ring of flights remembers what the device has, in the order it was given: a
 * completion is looked for at the head first and further on only when a device returns ops in
 * another order. In flight never exceeds descriptors - 1, a refused op is looked at before it goes
 * anywhere, and a queue pair from which nothing comes back is stalled after a while and, later,
 * given up; the ops of a given-up device are touched only when control has stopped it. All of it
 * runs in the stepping thread.
 */

int
engine_qp_create(struct plx_device *dev, int socket_id, struct engine_qp **out, struct plx_err *err)
{
	uint32_t nb_slots = rte_align32pow2(dev->nb_desc);
	struct engine_qp *q;
	int ret;

	q = rte_zmalloc_socket("plx_qp", sizeof(*q), RTE_CACHE_LINE_SIZE, socket_id);
	if (q == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for a queue pair of %s", dev->name);
	q->flights = rte_zmalloc_socket("plx_flights", nb_slots * sizeof(*q->flights),
					RTE_CACHE_LINE_SIZE, socket_id);
	if (q->flights == NULL) {
		ret = plx_err_set(err, -ENOMEM, "no memory for %u ops in flight on %s", nb_slots,
				  dev->name);
		goto err_free_qp;
	}
	ret = plx_device_qp_get(dev, &q->qp_id, err);
	if (ret < 0)
		goto err_free_flights;

	q->dev = dev;
	q->dev_id = dev->dev_id;
	q->dom = dev->sess_dom;
	q->qp_slot = dev->qp_sess_base + q->qp_id;
	q->mask = nb_slots - 1;
	q->room_max = dev->nb_desc - 1u;
	q->is_plain = dev->is_software && !dev->is_wrapper;
	*out = q;
	return 0;

err_free_flights:
	rte_free(q->flights);
err_free_qp:
	rte_free(q);
	return ret;
}

void
engine_qp_destroy(struct engine_qp *q)
{
	if (q == NULL)
		return;
	plx_device_qp_put(q->dev, q->qp_id);
	engine_qp_shadow_off(q);
	rte_free(q->flights);
	rte_free(q);
}

int
engine_qp_shadow_on(struct engine_qp *q, int socket_id)
{
	struct shadow *s;
	uint8_t *bytes;
	uint32_t i;

	if (q->shadows != NULL)
		return 0;
	s = rte_zmalloc_socket("plx_shadow", SHADOW_SLOTS * sizeof(*s), RTE_CACHE_LINE_SIZE,
			       socket_id);
	bytes = rte_malloc_socket("plx_shadow", (size_t)SHADOW_SLOTS * SHADOW_BYTES,
				  RTE_CACHE_LINE_SIZE, socket_id);
	if (s == NULL || bytes == NULL) {
		rte_free(s);
		rte_free(bytes);
		return -ENOMEM;
	}
	for (i = 0; i < SHADOW_SLOTS; i++)
		s[i].bytes = bytes + (size_t)i * SHADOW_BYTES;
	q->shadow_bytes = bytes;
	q->shadows = s;
	q->room_max = RTE_MIN(q->dev->nb_desc - 1u, SHADOW_SLOTS);
	return 0;
}

void
engine_qp_shadow_off(struct engine_qp *q)
{
	if (q->shadows == NULL)
		return;
	plx_wipe(q->shadow_bytes, (size_t)SHADOW_SLOTS * SHADOW_BYTES);
	rte_free(q->shadow_bytes);
	rte_free(q->shadows);
	q->shadows = NULL;
	q->room_max = q->dev->nb_desc - 1u;
}

static void
health_move(struct plx_device *dev, enum plx_health from, enum plx_health to)
{
	uint32_t expected = from;

	atomic_compare_exchange_strong_explicit(&dev->health, &expected, to, memory_order_acq_rel,
						memory_order_relaxed);
}

void
engine_device_give_up(struct plx_device *dev)
{
	uint32_t old = atomic_load_explicit(&dev->health, memory_order_relaxed);

	while (old != PLX_HEALTH_LOST && old != PLX_HEALTH_STOPPED) {
		if (atomic_compare_exchange_weak_explicit(&dev->health, &old, PLX_HEALTH_LOST,
							  memory_order_acq_rel,
							  memory_order_relaxed)) {
			atomic_fetch_add_explicit(&dev->nb_lost, 1, memory_order_relaxed);
			return;
		}
	}
}

static void
look_for_stall(struct engine *e, struct engine_qp *q, uint64_t now)
{
	uint64_t age = now - q->progress_tsc;

	if ((int64_t)age < 0 || age < e->limits.stall_cycles)
		return;
	if (!q->is_stalled) {
		q->is_stalled = true;
		health_move(q->dev, PLX_HEALTH_UP, PLX_HEALTH_STALLED);
	}
	if (age >= e->limits.stall_cycles + e->limits.lost_cycles)
		engine_device_give_up(q->dev);
}

void
engine_qp_refresh(struct engine_qp *q)
{
	uint32_t health;

	health = atomic_load_explicit(&q->dev->health, memory_order_acquire);
	q->is_usable = !q->is_stalled && !q->is_leaving && !q->is_parked &&
		       (health == PLX_HEALTH_UP || health == PLX_HEALTH_STALLED);
}

void
engine_qp_check(struct engine *e, struct engine_qp *q, uint64_t now)
{
	if (engine_qp_inflight(q) != 0)
		look_for_stall(e, q, now);
	engine_qp_refresh(q);
}

/* The device returned another op than the oldest: bring its record to the head. False: it never had
 * it. */
static bool
flight_find(struct engine *e, struct engine_qp *q, const struct rte_crypto_op *op)
{
	struct flight *head = &q->flights[q->head & q->mask];
	uint32_t i;

	for (i = q->head; i != q->tail; i++) {
		struct flight *f = &q->flights[i & q->mask];
		struct flight tmp;

		if (f->op != op)
			continue;
		tmp = *f;
		*f = *head;
		*head = tmp;
		if (q->shadows != NULL) {
			struct shadow *a = &q->shadows[(i & q->mask) % SHADOW_SLOTS];
			struct shadow *b = &q->shadows[(q->head & q->mask) % SHADOW_SLOTS];
			struct shadow s = *a;

			*a = *b;
			*b = s;
		}
		e->stats.nb_misordered++;
		return true;
	}
	e->stats.nb_foreign++;
	return false;
}

static void
progress(struct engine_qp *q, uint64_t now)
{
	q->progress_tsc = now;
	if (unlikely(q->is_stalled)) {
		q->is_stalled = false;
		health_move(q->dev, PLX_HEALTH_STALLED, PLX_HEALTH_UP);
	}
}

/* Completions of one burst in the making: ops of neighbouring places share lane and stamp as a
 * rule. */
struct reaping {
	struct lane *lane;
	uint16_t from; /* first op of the run for lane */
	uint64_t stamp;
	uint64_t nb_stamp; /* ops in a row with stamp */
	uint64_t done;     /* when the burst came */
};

static void
hand_over(struct engine *e, struct reaping *r, struct rte_crypto_op **ops, uint16_t to)
{
	/* the caller of an inline engine has them in its array already */
	if (!e->in_place && to != r->from)
		lane_finish(r->lane, &ops[r->from], (uint16_t)(to - r->from));
	r->from = to;
}

static void
time_run(struct engine *e, struct reaping *r)
{
	if (r->nb_stamp != 0)
		plx_hist_record(&e->latency, r->done - r->stamp, r->nb_stamp);
	r->nb_stamp = 0;
}

/* A device is called stalled by the time in which it was asked: that its caller slept, or this
 * thread did not get the core, is not its fault. */
static inline void
count_polled_time(struct engine *e, struct engine_qp *q, uint64_t now)
{
	uint64_t gap = now - q->poll_tsc, most = e->limits.stall_cycles / 8;

	/* a poll stands for an eighth of the stall time at most: rare polls take longer, not for
	 * ever */
	if (unlikely(gap > most))
		q->progress_tsc += gap - most;
	q->poll_tsc = now;
}

uint16_t
engine_qp_poll(struct engine *e, struct engine_qp *q, struct rte_crypto_op **ops, uint16_t nb,
	       uint64_t now)
{
	const uint32_t mask = q->mask;
	struct flight *flights = q->flights;
	struct reaping r = { 0 };
	uint32_t head = q->head;
	uint64_t success = 0;
	uint16_t i, n, known = 0;

	count_polled_time(e, q, now);
	n = rte_cryptodev_dequeue_burst(q->dev_id, q->qp_id, ops, nb);
	if (n == 0)
		return 0;
	progress(q, now);
	r.done = rte_rdtsc();

	for (i = 0; i < n; i++) {
		struct rte_crypto_op *op = ops[i];
		struct flight *f = &flights[head & mask];

		if (unlikely(f->op != op || head == q->tail)) {
			q->head = head;
			if (!flight_find(e, q, op))
				continue;
		}
		head++;
		op_session_set(op, f->sess);
		success += op->status == RTE_CRYPTO_OP_STATUS_SUCCESS;
		if (unlikely(f->stamp != r.stamp)) {
			time_run(e, &r);
			r.stamp = f->stamp;
		}
		r.nb_stamp++;
		if (unlikely(f->lane != r.lane)) {
			hand_over(e, &r, ops, known);
			r.lane = f->lane;
		}
		ops[known++] = op;
	}
	q->head = head;
	time_run(e, &r);
	hand_over(e, &r, ops, known);
	/* empty: begin anew at the front, so that the records in use stay in the cache */
	if (q->head == q->tail)
		q->head = q->tail = 0;
	e->stats.nb_completed += known;
	e->stats.nb_success += success;
	e->stats.nb_failed += known - success;
	return known;
}

/* The op at stage[at] was refused and is not as it was: it ends here. Later records move up by one.
 */
static void
end_touched(struct engine *e, struct engine_qp *q, uint16_t at, uint16_t nb)
{
	struct flight *f = &q->flights[q->tail & q->mask];
	struct rte_crypto_op *op = f->op;
	struct lane *l = f->lane;
	struct shadow first = { 0 };
	uint32_t i;

	op_session_set(op, f->sess);
	if (q->shadows != NULL)
		first = q->shadows[(q->tail & q->mask) % SHADOW_SLOTS];
	for (i = q->tail; i != q->tail + (uint32_t)(nb - at - 1); i++) {
		q->flights[i & q->mask] = q->flights[(i + 1) & q->mask];
		if (q->shadows != NULL)
			q->shadows[(i & q->mask) % SHADOW_SLOTS] =
				q->shadows[((i + 1) & q->mask) % SHADOW_SLOTS];
	}
	if (q->shadows != NULL)
		q->shadows[(i & q->mask) % SHADOW_SLOTS] = first;

	if (op->status == RTE_CRYPTO_OP_STATUS_SUCCESS) {
		/* done and yet refused: the buffer may hold the result, so it is not offered again
		 */
		op->status = RTE_CRYPTO_OP_STATUS_ERROR;
		e->stats.nb_touched++;
	}
	e->stats.nb_failed++;
	e->stats.nb_completed++;
	engine_complete(e, l, op);
}

/* Refused and as they were: on to the devices behind this one. */
static void
pass_on(struct engine *e, uint32_t idx, uint16_t nb)
{
	struct engine_qp *q = e->qps[idx];
	uint16_t i;

	e->stats.nb_refused += nb;
	for (i = 0; i < nb; i++) {
		const struct flight *f = &q->flights[(q->tail + i) & q->mask];
		struct pending p = { .op = f->op, .lane = f->lane, .stamp = f->stamp };

		op_session_set(f->op, f->sess);
		if (likely(f->op->status == RTE_CRYPTO_OP_STATUS_NOT_PROCESSED)) {
			engine_route(e, &p, idx + 1, PLX_FALLBACK_REFUSED);
			continue;
		}
		/* a driver that wrote on an op behind the one it refused */
		f->op->status = RTE_CRYPTO_OP_STATUS_ERROR;
		e->stats.nb_touched++;
		e->stats.nb_failed++;
		e->stats.nb_completed++;
		engine_complete(e, f->lane, f->op);
	}
}

/* A device that has nothing in flight and takes nothing gives no completion to miss: its refusals
 * are timed instead, as far as it is asked. */
static void
note_refusal(struct engine *e, struct engine_qp *q, uint64_t now)
{
	uint64_t most = e->limits.stall_cycles / 8, gap, age;

	if (engine_qp_inflight(q) != 0)
		return;
	if (q->refused_since == 0)
		q->refused_since = q->refused_last = now;
	gap = now - q->refused_last;
	q->refused_last = now;
	if (gap > most)
		q->refused_since += gap - most;
	age = now - q->refused_since;
	q->is_refusing = age > e->limits.stall_cycles;
	if (age > e->limits.stall_cycles + e->limits.lost_cycles)
		engine_device_give_up(q->dev);
}

void
engine_qp_flush(struct engine *e, uint32_t idx, uint64_t now)
{
	struct engine_qp *q = e->qps[idx];
	uint16_t nb = q->nb_stage, at = 0, n;

	q->nb_stage = 0;
	while (at < nb) {
		if (q->head == q->tail)
			q->progress_tsc = q->poll_tsc = now;
		n = rte_cryptodev_enqueue_burst(q->dev_id, q->qp_id, &q->stage[at],
						(uint16_t)(nb - at));
		q->tail += n;
		at = (uint16_t)(at + n);
		e->stats.nb_submitted += n;
		if (likely(n != 0)) {
			q->refused_since = 0;
			q->is_refusing = false;
		}
		if (likely(at == nb))
			return;
		/* a driver's way to say "bad op": refuse it with a status, and hang those behind it
		 */
		if (q->stage[at]->status == RTE_CRYPTO_OP_STATUS_NOT_PROCESSED)
			break;
		end_touched(e, q, at, nb);
		at++;
	}
	if (at < nb) {
		note_refusal(e, q, now);
		pass_on(e, idx, (uint16_t)(nb - at));
	}
}

uint32_t
engine_qp_recover(struct engine *e, uint32_t idx)
{
	struct engine_qp *q = e->qps[idx];
	uint32_t room = PLX_BURST_MAX - RTE_MIN(e->nb_backlog, (uint32_t)PLX_BURST_MAX);
	uint32_t n = RTE_MIN(engine_qp_inflight(q), room), i;

	for (i = 0; i < n; i++) {
		uint32_t slot = q->head & q->mask;
		const struct flight *f = &q->flights[slot];
		struct pending p = { .op = f->op, .lane = f->lane, .stamp = f->stamp };
		const struct shadow *s =
			q->shadows != NULL ? &q->shadows[slot % SHADOW_SLOTS] : NULL;

		op_session_set(f->op, f->sess);
		q->head++;
		if (shadow_restore(s, f->op, f->sess)) {
			f->op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
			e->stats.nb_replayed++;
			engine_route(e, &p, 0, PLX_FALLBACK_DOWN);
			continue;
		}
		f->op->status = RTE_CRYPTO_OP_STATUS_ERROR;
		e->stats.nb_lost++;
		e->stats.nb_completed++;
		engine_complete(e, f->lane, f->op);
	}
	return n;
}
