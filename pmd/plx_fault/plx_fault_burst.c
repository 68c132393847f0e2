/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_fault_priv.h"

#include <rte_branch_prediction.h>
#include <rte_cycles.h>

/*
 * The bursts. Each operation taken has a slot, in the order of enqueueing, until it is given back;
 * that keeps the order whatever happens to single operations, and the account exact: tail - head
 * are held, and head moves only when an operation is given back.
 *
 * On the way in the dice are thrown for each operation. Those that go on are handed to the inner
 * device together, so that its burst is not cut up. On the way out completions of the inner device
 * only mark their slot; then slots are given back from the head as far as they are done and due.
 * Without faults that is a store and a compare per operation.
 *
 * Thread: one at a time for a queue pair, enqueue and dequeue together, as for the inner device.
 */

#define TOUCH_US 20000
#define FAULT_ENQUEUE_STOPS                                                                        \
	(FAULT_BIT(PLX_FAULT_VANISH) | FAULT_BIT(PLX_FAULT_STALL) | FAULT_BIT(PLX_FAULT_REFUSE) |  \
	 FAULT_BIT(PLX_FAULT_BAD_STATUS) | FAULT_BIT(PLX_FAULT_TOUCH))

static inline struct fault_slot *
slot_at(struct fault_qp *qp, uint32_t pos)
{
	return &qp->slots[pos & qp->mask];
}

/* The faults in force for this burst, bits. */
static inline uint32_t
burst_begin(struct fault_qp *qp)
{
	/* pairs with the release in fault_dev_publish() */
	if (unlikely(atomic_load_explicit(&qp->dev->gen, memory_order_acquire) != qp->gen))
		fault_qp_refresh(qp);
	if (likely(qp->enabled == 0))
		return 0;
	if (qp->with_file != 0)
		fault_qp_look(qp);
	return qp->enabled & (~qp->with_file | qp->triggered);
}

/* Nothing goes in or out: the device has vanished or the queue pair stalls. */
static inline bool
is_down(struct fault_qp *qp, uint32_t active)
{
	if (unlikely(atomic_load_explicit(&qp->dev->is_vanished, memory_order_relaxed)))
		return true;
	if (likely(qp->stall_cycles == 0))
		return false;
	if ((active & FAULT_BIT(PLX_FAULT_STALL)) != 0 && rte_rdtsc() < qp->stall_cycles)
		return true;
	qp->stall_cycles = 0;
	return false;
}

static void
vanish_begin(struct fault_qp *qp)
{
	atomic_store_explicit(&qp->dev->is_vanished, true, memory_order_relaxed);
	fault_count(&qp->nb_injected[PLX_FAULT_VANISH], 1);
}

static void
stall_begin(struct fault_qp *qp)
{
	qp->stall_cycles = rte_rdtsc() + qp->plan.rules[PLX_FAULT_STALL].detail * qp->dev->hz_us;
	fault_count(&qp->nb_injected[PLX_FAULT_STALL], 1);
}

/* A completion of the inner device: find its slot. In order as a rule, so the first pending one;
 * else search. */
static void
complete(struct fault_qp *qp, struct rte_crypto_op *op)
{
	uint32_t pos = qp->seek;
	struct fault_slot *slot;

	while (pos != qp->tail && slot_at(qp, pos)->state != FAULT_SLOT_PENDING)
		pos++;
	qp->seek = pos;
	while (pos != qp->tail &&
	       (slot_at(qp, pos)->state != FAULT_SLOT_PENDING || slot_at(qp, pos)->op != op))
		pos++;
	if (unlikely(pos == qp->tail)) {
		fault_count(&qp->nb_unexpected, 1);
		return;
	}
	if (likely(pos == qp->seek))
		qp->seek++;
	slot = slot_at(qp, pos);
	slot->state = FAULT_SLOT_DONE;
	qp->nb_pending--;
	fault_session_to_ours(op);
	if (unlikely(slot->is_corrupt)) {
		if (op->status == RTE_CRYPTO_OP_STATUS_SUCCESS &&
		    fault_damage(op, fault_qp_random(qp)))
			fault_count(&qp->nb_injected[PLX_FAULT_CORRUPT], 1);
		else
			fault_qp_unhit(qp, PLX_FAULT_CORRUPT);
	}
}

static inline void
slot_fill(struct fault_slot *slot, struct rte_crypto_op *op)
{
	slot->op = op;
	slot->ready_cycles = 0;
	slot->state = FAULT_SLOT_PENDING;
	slot->fail_status = 0;
	slot->is_corrupt = false;
}

/* The quick way: no fault is in force. */
static uint16_t
enqueue_plain(struct fault_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	uint16_t taken;

	for (uint16_t i = 0; i < nb_ops; i++)
		fault_session_to_inner(ops[i]);
	taken = qp->inner_enqueue(qp->inner_qp, ops, nb_ops);
	for (uint16_t i = 0; i < taken; i++)
		slot_fill(slot_at(qp, qp->tail + i), ops[i]);
	for (uint16_t i = taken; i < nb_ops; i++)
		fault_session_to_ours(ops[i]);
	qp->tail += taken;
	qp->nb_pending += taken;
	fault_count(&qp->nb_enqueued, taken);
	return taken;
}

/* Which fault ends the burst before this operation; PLX_FAULT_NB: none. */
static unsigned int
stop_throw(struct fault_qp *qp, uint32_t active)
{
	static const uint8_t stops[] = { PLX_FAULT_VANISH, PLX_FAULT_STALL, PLX_FAULT_REFUSE,
					 PLX_FAULT_BAD_STATUS, PLX_FAULT_TOUCH };

	if ((active & FAULT_ENQUEUE_STOPS) == 0)
		return PLX_FAULT_NB;
	for (size_t i = 0; i < PLX_ARRAY_SIZE(stops); i++) {
		if ((active & FAULT_BIT(stops[i])) != 0 && fault_qp_hit(qp, stops[i]))
			return stops[i];
	}
	return PLX_FAULT_NB;
}

/* What will happen to an operation that is taken. */
static void
slot_throw(struct fault_qp *qp, struct fault_slot *slot, uint32_t active)
{
	if ((active & FAULT_BIT(PLX_FAULT_DELAY)) != 0 && fault_qp_hit(qp, PLX_FAULT_DELAY))
		slot->ready_cycles =
			rte_rdtsc() + qp->plan.rules[PLX_FAULT_DELAY].detail * qp->dev->hz_us;
	if ((active & FAULT_BIT(PLX_FAULT_FAIL)) != 0 && fault_qp_hit(qp, PLX_FAULT_FAIL)) {
		slot->fail_status = (uint8_t)qp->plan.rules[PLX_FAULT_FAIL].detail;
		slot->state = FAULT_SLOT_DONE;
		return;
	}
	slot->is_corrupt =
		(active & FAULT_BIT(PLX_FAULT_CORRUPT)) != 0 && fault_qp_hit(qp, PLX_FAULT_CORRUPT);
}

/* The inner device took less: what was thrown for the operations from @p first on does not happen.
 */
static void
slots_unthrow(struct fault_qp *qp, uint16_t first, uint16_t end)
{
	for (uint16_t i = first; i < end; i++) {
		const struct fault_slot *slot = slot_at(qp, qp->tail + i);

		if (slot->ready_cycles != 0)
			fault_qp_unhit(qp, PLX_FAULT_DELAY);
		if (slot->fail_status != 0)
			fault_qp_unhit(qp, PLX_FAULT_FAIL);
		if (slot->is_corrupt)
			fault_qp_unhit(qp, PLX_FAULT_CORRUPT);
	}
}

static void
slots_commit(struct fault_qp *qp, uint16_t nb, uint16_t nb_passed)
{
	uint64_t nb_delayed = 0;
	uint64_t nb_failed = 0;

	for (uint16_t i = 0; i < nb; i++) {
		const struct fault_slot *slot = slot_at(qp, qp->tail + i);

		nb_delayed += slot->ready_cycles != 0;
		nb_failed += slot->fail_status != 0;
	}
	qp->tail += nb;
	qp->nb_pending += nb_passed;
	fault_count(&qp->nb_enqueued, nb);
	fault_count(&qp->nb_injected[PLX_FAULT_DELAY], nb_delayed);
	fault_count(&qp->nb_injected[PLX_FAULT_FAIL], nb_failed);
}

/*
 * Do the operation and refuse it all the same, as crypto_openssl does with one more than its queue
 * holds. When the inner device does not finish it in time it cannot be refused any more: it is
 * taken.
 */
static uint16_t
touch(struct fault_qp *qp, struct rte_crypto_op *op)
{
	uint64_t until = rte_rdtsc() + TOUCH_US * qp->dev->hz_us;

	fault_session_to_inner(op);
	if (qp->inner_enqueue(qp->inner_qp, &op, 1) == 0) {
		fault_session_to_ours(op);
		fault_qp_unhit(qp, PLX_FAULT_TOUCH);
		return 0;
	}
	do {
		struct rte_crypto_op *done;

		if (qp->inner_dequeue(qp->inner_qp, &done, 1) == 0)
			continue;
		if (done != op) {
			complete(qp, done);
			continue;
		}
		fault_session_to_ours(op);
		fault_count(&qp->nb_injected[PLX_FAULT_TOUCH], 1);
		return 0;
	} while (rte_rdtsc() < until);

	fault_qp_unhit(qp, PLX_FAULT_TOUCH);
	slot_fill(slot_at(qp, qp->tail), op);
	slots_commit(qp, 1, 1);
	return 1;
}

/* Returns how many more operations were taken after all: 0 or 1. */
static uint16_t
stop_apply(struct fault_qp *qp, unsigned int kind, struct rte_crypto_op *op)
{
	switch (kind) {
	case PLX_FAULT_VANISH:
		vanish_begin(qp);
		return 0;
	case PLX_FAULT_STALL:
		stall_begin(qp);
		return 0;
	case PLX_FAULT_TOUCH:
		return touch(qp, op);
	case PLX_FAULT_BAD_STATUS:
		op->status = RTE_CRYPTO_OP_STATUS_ERROR;
		break;
	default:
		break;
	}
	fault_count(&qp->nb_injected[kind], 1);
	return 0;
}

static uint16_t
enqueue_faulty(struct fault_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops, uint32_t active)
{
	unsigned int stop = PLX_FAULT_NB;
	uint16_t nb_pass = 0;
	uint16_t taken = 0;
	uint16_t nb;

	for (nb = 0; nb < nb_ops; nb++) {
		struct fault_slot *slot = slot_at(qp, qp->tail + nb);

		stop = stop_throw(qp, active);
		if (stop != PLX_FAULT_NB)
			break;
		slot_fill(slot, ops[nb]);
		slot_throw(qp, slot, active);
		if (slot->fail_status != 0)
			continue;
		fault_session_to_inner(ops[nb]);
		qp->pass[nb_pass] = ops[nb];
		qp->pass_idx[nb_pass++] = nb;
	}
	if (nb_pass > 0)
		taken = qp->inner_enqueue(qp->inner_qp, qp->pass, nb_pass);
	if (taken < nb_pass) {
		slots_unthrow(qp, qp->pass_idx[taken], nb);
		if (stop != PLX_FAULT_NB)
			fault_qp_unhit(qp, stop);
		stop = PLX_FAULT_NB;
		nb = qp->pass_idx[taken];
		for (uint16_t i = taken; i < nb_pass; i++)
			fault_session_to_ours(qp->pass[i]);
	}
	slots_commit(qp, nb, taken);
	if (stop != PLX_FAULT_NB)
		nb = (uint16_t)(nb + stop_apply(qp, stop, ops[nb]));
	return nb;
}

uint16_t
fault_enqueue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	struct fault_qp *qp = queue_pair;
	uint32_t active = burst_begin(qp);
	uint32_t room = qp->cap - (qp->tail - qp->head);

	if (unlikely(is_down(qp, active)))
		return 0;
	if (nb_ops > room)
		nb_ops = (uint16_t)room;
	if (nb_ops == 0)
		return 0;
	return likely(active == 0) ? enqueue_plain(qp, ops, nb_ops)
				   : enqueue_faulty(qp, ops, nb_ops, active);
}

static bool
is_due(const struct fault_slot *slot)
{
	return slot->state == FAULT_SLOT_DONE &&
	       (slot->ready_cycles == 0 || rte_rdtsc() >= slot->ready_cycles);
}

/* Let the completion at the head change places with a later one that could be given back too. */
static void
reorder(struct fault_qp *qp)
{
	uint32_t window = (uint32_t)qp->plan.rules[PLX_FAULT_REORDER].detail;
	uint32_t held = qp->tail - qp->head;
	struct fault_slot *first = slot_at(qp, qp->head);
	struct fault_slot *other;
	struct fault_slot swap;

	if (window > held)
		window = held;
	if (window < 2 || !is_due(first))
		return;
	other = slot_at(qp, qp->head + 1 + (uint32_t)(fault_qp_random(qp) % (window - 1)));
	if (!is_due(other) || !fault_qp_hit(qp, PLX_FAULT_REORDER))
		return;
	swap = *first;
	*first = *other;
	*other = swap;
	fault_count(&qp->nb_injected[PLX_FAULT_REORDER], 1);
}

/* Give back from the head what is due. */
static uint16_t
release(struct fault_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops, uint32_t active)
{
	uint16_t nb_real = 0;
	uint16_t nb = 0;

	if (unlikely(qp->extra != NULL)) {
		ops[nb++] = qp->extra;
		qp->extra = NULL;
	}
	while (nb < nb_ops && qp->head != qp->tail) {
		struct fault_slot *slot = slot_at(qp, qp->head);

		if (unlikely((active & FAULT_BIT(PLX_FAULT_REORDER)) != 0))
			reorder(qp);
		if (!is_due(slot))
			break;
		if (unlikely(slot->fail_status != 0))
			slot->op->status = slot->fail_status;
		ops[nb++] = slot->op;
		nb_real++;
		qp->head++;
		if (likely((active & FAULT_BIT(PLX_FAULT_FOREIGN)) == 0) ||
		    !fault_qp_hit(qp, PLX_FAULT_FOREIGN))
			continue;
		fault_count(&qp->nb_injected[PLX_FAULT_FOREIGN], 1);
		qp->extra = qp->plan.rules[PLX_FAULT_FOREIGN].detail != 0
				    ? slot->op
				    : (struct rte_crypto_op *)qp->decoy;
		if (nb < nb_ops) {
			ops[nb++] = qp->extra;
			qp->extra = NULL;
		} else {
			break;
		}
	}
	/* completions past a failed one may have been skipped over */
	if ((int32_t)(qp->seek - qp->head) < 0)
		qp->seek = qp->head;
	fault_count(&qp->nb_dequeued, nb_real);
	return nb;
}

uint16_t
fault_dequeue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	struct fault_qp *qp = queue_pair;
	uint32_t active = burst_begin(qp);

	if (unlikely(is_down(qp, active)))
		return 0;
	/* "always" does not wait for the next operation */
	if (unlikely((active & FAULT_BIT(PLX_FAULT_VANISH)) != 0) &&
	    qp->plan.rules[PLX_FAULT_VANISH].when == FAULT_ALWAYS &&
	    fault_qp_hit(qp, PLX_FAULT_VANISH)) {
		vanish_begin(qp);
		return 0;
	}
	if (unlikely((active & FAULT_BIT(PLX_FAULT_STALL)) != 0) &&
	    qp->plan.rules[PLX_FAULT_STALL].when == FAULT_ALWAYS &&
	    fault_qp_hit(qp, PLX_FAULT_STALL)) {
		stall_begin(qp);
		return 0;
	}
	if (qp->nb_pending > 0) {
		uint16_t nb = qp->inner_dequeue(qp->inner_qp, ops, nb_ops);

		for (uint16_t i = 0; i < nb; i++)
			complete(qp, ops[i]);
	}
	return release(qp, ops, nb_ops, active);
}

/* Get back what the inner device still has, before it is stopped; nothing is given to anybody. */
void
fault_qp_drain(struct fault_qp *qp, uint64_t until_cycles)
{
	uint16_t most = (uint16_t)RTE_MIN(qp->mask + 1, 64u);

	while (qp->nb_pending > 0 && rte_rdtsc() < until_cycles) {
		uint16_t nb = qp->inner_dequeue(qp->inner_qp, qp->pass, most);

		for (uint16_t i = 0; i < nb; i++)
			complete(qp, qp->pass[i]);
	}
}

/* The device is stopped: operations are their owners' again, in the state they are in. */
void
fault_qp_forget(struct fault_qp *qp)
{
	for (uint32_t pos = qp->head; pos != qp->tail; pos++) {
		struct fault_slot *slot = slot_at(qp, pos);

		if (slot->state == FAULT_SLOT_PENDING)
			fault_session_to_ours(slot->op);
	}
	fault_count(&qp->nb_dropped, qp->tail - qp->head);
	qp->head = qp->tail;
	qp->seek = qp->tail;
	qp->nb_pending = 0;
	qp->stall_cycles = 0;
	qp->extra = NULL;
}
