/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>
#include <rte_prefetch.h>

/*
 * The step: gather from lanes by weight, poll completions and hand them back, retry what had no
 * room, submit, account. Each part is bounded: nothing here waits, allocates or calls the system.
 * Nothing is gathered while the backlog has something, so an engine never holds more than
 * BACKLOG_MAX ops that no device has.
 */

void
engine_flush_out(struct engine *e)
{
	if (e->nb_out != 0)
		lane_finish(e->out_lane, e->out, (uint16_t)e->nb_out);
	e->nb_out = 0;
}

static void
end_unrun(struct engine *e, const struct pending *p, uint8_t status, uint64_t *counter)
{
	p->op->status = status;
	(*counter)++;
	e->stats.nb_completed++;
	engine_complete(e, p->lane, p->op);
}

/* No device to put it on now. Later, if one that can do it is only busy or stalled; otherwise it
 * ends here. */
static void
keep_or_end(struct engine *e, const struct pending *p, bool may_come, bool any_can,
	    bool has_room_soon)
{
	if (may_come) {
		e->backlog_blocks |= has_room_soon;
		e->backlog[e->nb_backlog++] = *p;
		return;
	}
	end_unrun(e, p,
		  any_can ? RTE_CRYPTO_OP_STATUS_NOT_PROCESSED
			  : RTE_CRYPTO_OP_STATUS_INVALID_SESSION,
		  &e->stats.nb_unroutable);
}

/* Why a queue pair is passed over; true when it may take the op later. */
static bool
pass_over(const struct engine_qp *q, enum plx_fallback_reason *why)
{
	if (q->is_usable) {
		*why = PLX_FALLBACK_REFUSED;
		return true;
	}
	*why = q->is_stalled && !q->is_leaving && !q->is_parked ? PLX_FALLBACK_STALLED
								: PLX_FALLBACK_DOWN;
	return *why == PLX_FALLBACK_STALLED;
}

static inline bool
is_chained(const struct rte_crypto_sym_op *sym)
{
	return sym->m_src->nb_segs > 1 || (sym->m_dst != NULL && sym->m_dst->nb_segs > 1);
}

/* The session to run an op with on a queue pair; NULL when its device cannot. */
static inline void *
session_on(const struct engine_qp *q, const struct plx_session *s, const struct rte_crypto_op *op)
{
	if (s->has_hmac && q->dev->hmac_needs_data && op->sym->auth.data.length == 0)
		return NULL;
	if (q->dev->chains_broken && op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC &&
	    is_chained(op->sym))
		return NULL;
	return plx_session_on(s, q->dom, q->qp_slot);
}

bool
engine_route(struct engine *e, const struct pending *p, uint32_t from, enum plx_fallback_reason why)
{
	struct plx_session *s = op_session(p->op);
	bool may_come = false, any_can = false, room_soon = false;
	uint32_t i;

	for (i = 0; s != NULL && i < e->nb_qps; i++) {
		struct engine_qp *q = e->qps[i];
		void *drv_sess = session_on(q, s, p->op);
		enum plx_fallback_reason here;

		if (drv_sess == NULL) {
			if (i == 0)
				why = PLX_FALLBACK_CAPABILITY;
			continue;
		}
		any_can = true;
		if (i < from) {
			/* it has just refused the op: room will come */
			may_come |= q->is_usable;
			room_soon |= q->is_usable && !q->is_refusing;
			continue;
		}
		if (q->is_usable && engine_qp_has_room(q)) {
			if (i != 0)
				e->stats.nb_fallback[why]++;
			engine_qp_stage(e, q, p, s, drv_sess);
			return true;
		}
		may_come |= pass_over(q, &here);
		room_soon |= q->is_usable && !q->is_refusing;
		if (i == 0 || why == PLX_FALLBACK_CAPABILITY)
			why = here;
		/* a full plain software device is not passed by: another one would work on this
		 * same core */
		if (q->is_usable && q->is_plain)
			break;
	}
	keep_or_end(e, p, may_come, any_can, room_soon);
	return false;
}

/* A length the algorithm cannot have is an error here: some drivers answer SUCCESS to part of a
 * block, and crypto_aesni_mb dies of no block at all. */
static inline bool
length_is_bad(const struct rte_crypto_op *op, const struct plx_session *s)
{
	uint32_t bytes;

	if (likely(s->block_bytes <= 1))
		return false;
	/* blocks are powers of two */
	bytes = op_bytes(op, s);
	return bytes == 0 || (bytes & (s->block_bytes - 1u)) != 0;
}

static bool
data_is_bad(const struct rte_crypto_op *op, const struct plx_session *s)
{
	if (op->type != RTE_CRYPTO_OP_TYPE_SYMMETRIC)
		return false;
	return op->sym->m_src == NULL || length_is_bad(op, s);
}

/* An op enters, or comes back from the backlog: all that may be wrong with it, then a device. */
static void
admit(struct engine *e, const struct pending *p, uint64_t now)
{
	struct plx_session *s = op_session(p->op);

	if (e->limits.deadline_cycles != 0 && now > p->stamp &&
	    now - p->stamp > e->limits.deadline_cycles)
		end_unrun(e, p, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED, &e->stats.nb_expired);
	else if (s != NULL && data_is_bad(p->op, s))
		end_unrun(e, p, RTE_CRYPTO_OP_STATUS_INVALID_ARGS, &e->stats.nb_failed);
	else
		engine_route(e, p, 0, PLX_FALLBACK_DOWN);
}

/*
 * The way nearly all ops go: a simple session, the first device, room there, no deadline to look
 * at. Ops come as an array with one lane and one stamp (inline) or as what was picked. Everything
 * that does not change in the burst is in locals: an op's status is a byte, and a store of a byte
 * may touch any field in the compiler's eyes. Returns how many went this way; the one behind them
 * needs a closer look.
 */
static __rte_always_inline uint32_t
go_straight(struct engine *e, const struct pending *picked, struct rte_crypto_op **ops,
	    struct lane *lane, uint64_t stamp, uint32_t nb)
{
	struct engine_qp *q = e->qps[0];
	uint32_t at, tail, mask, dom, i, room;
	struct rte_crypto_op **stage;
	struct flight *flights;
	uint64_t bytes = 0;
	bool no_chains;

	if (unlikely(q == NULL || !q->is_usable || q->shadows != NULL ||
		     e->limits.deadline_cycles != 0))
		return 0;
	at = q->nb_stage;
	room = RTE_MIN(q->room_max - engine_qp_inflight(q) - at, (uint32_t)PLX_BURST_MAX - at);
	nb = RTE_MIN(nb, room);
	stage = &q->stage[at];
	flights = q->flights;
	tail = q->tail + at;
	mask = q->mask;
	dom = q->dom;
	no_chains = q->dev->chains_broken;

	for (i = 0; i < nb; i++) {
		struct rte_crypto_op *op = picked != NULL ? picked[i].op : ops[i];
		struct flight *f = &flights[(tail + i) & mask];
		struct plx_session *s;
		void *drv_sess;

		if (unlikely(op->type != RTE_CRYPTO_OP_TYPE_SYMMETRIC ||
			     op->sess_type != RTE_CRYPTO_OP_WITH_SESSION))
			break;
		s = op->sym->session;
		if (unlikely(s == NULL || !s->is_simple || op->sym->m_src == NULL ||
			     length_is_bad(op, s)))
			break;
		if (no_chains && unlikely(is_chained(op->sym)))
			break;
		drv_sess = atomic_load_explicit(&s->dom_sess[dom], memory_order_relaxed);
		if (unlikely(drv_sess == NULL))
			break;
		f->op = op;
		f->sess = s;
		f->lane = picked != NULL ? picked[i].lane : lane;
		f->stamp = picked != NULL ? picked[i].stamp : stamp;
		stage[i] = op;
		bytes += s->keeps_source ? op->sym->auth.data.length : op->sym->cipher.data.length;
		op->sym->session = drv_sess;
		op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	}
	q->nb_stage = (uint16_t)(at + i);
	e->stats.bytes += bytes;
	return i;
}

static inline void
flush_stages(struct engine *e, uint64_t now)
{
	uint32_t i;

	/* ascending: what a device refuses goes to later ones */
	for (i = 0; i < e->nb_qps; i++)
		if (e->qps[i]->nb_stage != 0)
			engine_qp_flush(e, i, now);
}

static void
retry_backlog(struct engine *e, uint64_t now)
{
	struct pending again[BACKLOG_MAX];
	uint32_t nb = e->nb_backlog, i;

	for (i = 0; i < nb; i++)
		again[i] = e->backlog[i];
	e->nb_backlog = 0;
	e->backlog_blocks = false;
	for (i = 0; i < nb; i++)
		admit(e, &again[i], now);
	flush_stages(e, now);
}

/* Ops that may be taken in: none while one waits for room, which would be overtaken; beside those
 * that wait for a stalled device there is room for others, which do not need it. */
static inline uint32_t
backlog_room(const struct engine *e)
{
	if (likely(e->nb_backlog == 0))
		return PLX_BURST_MAX;
	if (e->backlog_blocks || e->nb_backlog >= PLX_BURST_MAX)
		return 0;
	return PLX_BURST_MAX - e->nb_backlog;
}

/* Completions of one queue pair, or the ops of its device when control has stopped that. */
static uint16_t
poll_one(struct engine *e, uint32_t i, struct rte_crypto_op **ops, uint16_t nb, uint64_t now)
{
	struct engine_qp *q = e->qps[i];

	if (engine_qp_inflight(q) == 0)
		return 0;
	if (likely(!q->is_parked))
		return engine_qp_poll(e, q, ops, nb, now);
	if (atomic_load_explicit(&q->dev->health, memory_order_acquire) == PLX_HEALTH_STOPPED) {
		q->is_usable = false;
		engine_qp_recover(e, i);
		flush_stages(e, now);
	}
	return 0;
}

/* All queue pairs, and their health. One that found no room in ops is the first one next time:
 * devices in front that always have something must not starve it, and that it was not asked says
 * nothing of it. */
static uint16_t
poll_devices(struct engine *e, struct rte_crypto_op **ops, uint16_t nb, uint64_t now)
{
	uint32_t first = likely(e->poll_first < e->nb_qps) ? e->poll_first : 0, i, k;
	uint16_t moved = 0;

	e->poll_first = 0;
	for (k = 0; k < e->nb_qps; k++) {
		i = first + k < e->nb_qps ? first + k : first + k - e->nb_qps;
		if (unlikely(moved == nb)) {
			if (e->poll_first == 0)
				e->poll_first = i;
			engine_qp_refresh(e->qps[i]);
			continue;
		}
		moved = (uint16_t)(moved +
				   poll_one(e, i, &ops[moved], (uint16_t)(nb - moved), now));
		engine_qp_check(e, e->qps[i], now);
	}
	return moved;
}

static uint32_t
set_backlog(const struct lane_set *set)
{
	uint32_t i, n = 0;

	for (i = 0; i < set->nb; i++)
		n += lane_backlog(set->lanes[i]);
	return n;
}

/* An op that another core wrote: its lines are asked for here, and used when the devices have been
 * polled, which for software is when the work of the burst before is done. The wait disappears
 * behind it. */
static inline void
pick(struct engine *e, struct lane *l, const struct lane_item *items, uint16_t nb)
{
	uint16_t i;

	for (i = 0; i < nb; i++) {
		rte_prefetch0(items[i].op);
		rte_prefetch0(RTE_PTR_ADD(items[i].op, RTE_CACHE_LINE_SIZE));
		e->picked[e->nb_picked++] = (struct pending){
			.op = items[i].op,
			.lane = l,
			.stamp = items[i].stamp,
		};
	}
}

/* Up to quota ops of one class, its lanes in turn: first an equal share each, then whatever is
 * there. */
static uint32_t
gather_class(struct engine *e, struct lane_set *set, uint32_t quota)
{
	struct lane_item items[PLX_BURST_MAX];
	uint32_t share = RTE_MAX(quota / set->nb, 1u), left = quota;
	uint32_t pass, i;
	uint16_t n;

	for (pass = 0; pass < 2 && left != 0; pass++) {
		for (i = 0; i < set->nb && left != 0; i++) {
			struct lane *l = set->lanes[(set->turn + i) % set->nb];
			uint32_t want = pass == 0 ? RTE_MIN(share, left) : left;

			n = lane_gather(l, items, (uint16_t)want);
			left -= n;
			pick(e, l, items, n);
		}
		if (set->nb == 1)
			break;
	}
	set->turn = (set->turn + 1) % set->nb;
	return quota - left;
}

/* Hold a burst that is not full, up to batch_wait. */
static bool
burst_may_wait(struct engine *e, uint32_t waiting, uint64_t now)
{
	if (e->limits.batch_wait_cycles == 0 || waiting >= e->limits.burst) {
		e->wait_since = 0;
		return false;
	}
	if (e->wait_since == 0)
		e->wait_since = now;
	if (now - e->wait_since < e->limits.batch_wait_cycles)
		return true;
	e->wait_since = 0;
	return false;
}

/*
 * Deficit round robin over the classes: a class that has something earns its share of the burst, in
 * fractions that add up over the steps. What the shares leave over goes to the classes in order.
 */
static uint32_t
gather_weighted(struct engine *e, uint32_t *waiting)
{
	uint32_t burst = e->limits.burst, budget = burst, sum = 0, c, n;

	for (c = 0; c < PLX_CLASSES; c++) {
		if (waiting[c] == 0)
			e->sets[c].credit = 0;
		else
			sum += e->limits.weights[c];
	}
	for (c = 0; c < PLX_CLASSES; c++) {
		struct lane_set *set = &e->sets[c];
		uint32_t quota;

		if (waiting[c] == 0)
			continue;
		set->credit = RTE_MIN(set->credit + burst * e->limits.weights[c], 2 * burst * sum);
		quota = RTE_MIN(RTE_MIN(set->credit / sum, budget), waiting[c]);
		if (quota == 0)
			continue;
		n = gather_class(e, set, quota);
		set->credit -= n * sum;
		waiting[c] -= RTE_MIN(n, waiting[c]);
		budget -= n;
	}
	for (c = 0; c < PLX_CLASSES && budget != 0; c++)
		if (waiting[c] != 0)
			budget -= gather_class(e, &e->sets[c], RTE_MIN(budget, waiting[c]));
	return burst - budget;
}

static uint32_t
gather(struct engine *e, uint64_t now)
{
	uint32_t waiting[PLX_CLASSES], total = 0, c, n;

	for (c = 0; c < PLX_CLASSES; c++) {
		waiting[c] = set_backlog(&e->sets[c]);
		total += waiting[c];
	}
	if (total == 0 || burst_may_wait(e, total, now))
		return 0;
	n = gather_weighted(e, waiting);
	e->stats.nb_gathered += n;
	return n;
}

/* The time since start belongs to this step: busy when it moved something. */
static inline void
account(struct engine *e, uint64_t start, uint64_t now, uint32_t moved)
{
	uint64_t cycles = now - start;

	e->stats.nb_polls++;
	if (moved != 0) {
		e->stats.nb_polls_busy++;
		e->stats.busy_cycles += cycles;
		e->idle_since = 0;
	} else {
		e->stats.idle_cycles += cycles;
		if (e->idle_since == 0)
			e->idle_since = now;
	}
}

/* Control steps in place of a port's user, who finds the ops in the lane; else they are in their
 * lanes already. */
static uint32_t
give_back(struct engine *e, struct rte_crypto_op **ops, uint16_t nb)
{
	if (unlikely(e->in_place && nb != 0))
		lane_finish(e->inline_lane, ops, nb);
	return nb;
}

/* What was picked, to the devices. */
static void
admit_picked(struct engine *e, uint64_t now)
{
	uint32_t nb = e->nb_picked, i = 0;

	e->nb_picked = 0;
	while (i < nb) {
		i += go_straight(e, &e->picked[i], NULL, NULL, 0, nb - i);
		if (unlikely(i < nb))
			admit(e, &e->picked[i++], now);
	}
	flush_stages(e, now);
}

uint32_t
engine_step(struct engine *e)
{
	struct rte_crypto_op *ops[PLX_BURST_MAX];
	uint64_t now = rte_rdtsc();
	uint32_t moved = 0;

	if (likely(backlog_room(e) >= e->limits.burst))
		moved = gather(e, now);
	moved += give_back(e, ops, poll_devices(e, ops, PLX_BURST_MAX, now));
	if (unlikely(e->nb_backlog != 0))
		retry_backlog(e, now);
	if (e->nb_picked != 0)
		admit_picked(e, now);
	engine_flush_out(e);
	/* from one step's end to the next: the loop's own cycles count as well */
	now = rte_rdtsc();
	account(e, e->last_tsc, now, moved);
	e->last_tsc = now;
	return moved;
}

void
engine_refresh(struct engine *e)
{
	uint32_t i;

	for (i = 0; i < e->nb_qps; i++)
		engine_qp_refresh(e->qps[i]);
}

uint16_t
engine_submit(struct engine *e, struct lane *l, struct rte_crypto_op **ops, uint16_t nb)
{
	uint64_t now = rte_rdtsc();
	uint32_t n = RTE_MIN(nb, (uint32_t)PLX_BURST_MAX), i = 0;

	if (unlikely(e->nb_backlog != 0)) {
		retry_backlog(e, now);
		n = RTE_MIN(n, backlog_room(e));
	}
	while (i < n) {
		i += go_straight(e, NULL, &ops[i], l, now, n - i);
		if (unlikely(i < n)) {
			struct pending p = { .op = ops[i++], .lane = l, .stamp = now };

			admit(e, &p, now);
		}
	}
	flush_stages(e, now);
	engine_flush_out(e);
	e->stats.nb_gathered += n;
	e->stats.busy_cycles += rte_rdtsc() - now;
	return (uint16_t)n;
}

uint16_t
engine_reap(struct engine *e, struct rte_crypto_op **ops, uint16_t nb)
{
	uint64_t now = rte_rdtsc();
	uint16_t n;

	n = poll_devices(e, ops, nb, now);
	if (unlikely(e->nb_backlog != 0))
		retry_backlog(e, now);
	/* ops that ended otherwise come with the next call */
	engine_flush_out(e);
	account(e, now, rte_rdtsc(), n);
	return n;
}

bool
engine_is_empty(const struct engine *e)
{
	uint32_t i;

	if (e->nb_backlog != 0)
		return false;
	for (i = 0; i < e->nb_qps; i++)
		if (engine_qp_inflight(e->qps[i]) != 0)
			return false;
	for (i = 0; i < PLX_CLASSES; i++)
		if (set_backlog(&e->sets[i]) != 0)
			return false;
	return true;
}
