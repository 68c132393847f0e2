/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_priv.h"

#include <errno.h>

#include <rte_malloc.h>

#include "mb_ahead.h"
#include "mb_asym.h"
#include "mb_sym.h"

/*
 * Bursts. Enqueue puts pointers into a ring and looks at nothing else: it takes what fits, and what
 * does not fit has not been touched. Dequeue does the work: symmetric ops one after the other until
 * the caller's array is full, asymmetric ops by kind, at most one call of them a burst, so that no
 * burst lasts longer than the slowest single call.
 */

/*
 * A session may be used on any queue pair of any device of this driver, so what it holds for a
 * queue pair goes by a slot and not by the queue pair's number.
 */
static _Atomic uint64_t slots_taken[MB_QPS_MAX / 64];

static bool
slot_take(uint32_t *slot)
{
	for (uint32_t i = 0; i < MB_QPS_MAX; i++) {
		uint64_t bit = RTE_BIT64(i % 64);

		if ((atomic_fetch_or(&slots_taken[i / 64], bit) & bit) == 0) {
			*slot = i;
			return true;
		}
	}
	return false;
}

static void
slot_give(uint32_t slot)
{
	atomic_fetch_and(&slots_taken[slot / 64], ~RTE_BIT64(slot % 64));
}

static void
nodes_link(struct mb_qp *qp)
{
	uint32_t i;

	for (i = 0; i < qp->cap; i++)
		qp->nodes[i].next = i + 1 < qp->cap ? i + 1 : MB_NO_NODE;
	qp->free_node = 0;
	qp->done.first = qp->done.last = MB_NO_NODE;
}

int
mb_qp_create(struct mb_dev *dev, uint16_t id, uint32_t nb_desc, int socket_id, struct mb_qp **out)
{
	uint32_t nb_slots = rte_align32pow2(nb_desc);
	struct mb_qp *qp;
	int ret = -ENOMEM;

	qp = rte_zmalloc_socket("plx_mb_qp", sizeof(*qp), RTE_CACHE_LINE_SIZE, socket_id);
	if (qp == NULL)
		return -ENOMEM;
	if (!slot_take(&qp->slot)) {
		MB_LOG(ERR, "queue pair %u: all %u that a process may have are in use", id,
		       MB_QPS_MAX);
		rte_free(qp);
		return -ENOSPC;
	}
	qp->dev = dev;
	qp->id = id;
	qp->socket_id = socket_id;
	qp->cap = nb_desc;
	qp->mask = nb_slots - 1;
	qp->slots = rte_zmalloc_socket("plx_mb_slots", nb_slots * sizeof(qp->slots[0]),
				       RTE_CACHE_LINE_SIZE, socket_id);
	qp->nodes = rte_zmalloc_socket("plx_mb_nodes", nb_desc * sizeof(qp->nodes[0]),
				       RTE_CACHE_LINE_SIZE, socket_id);
	if (qp->slots == NULL || qp->nodes == NULL)
		goto err_free_qp;
	nodes_link(qp);
	ret = mb_sym_qp_create(qp);
	if (ret == 0)
		ret = mb_asym_qp_create(qp);
	if (ret < 0)
		goto err_free_qp;
	*out = qp;
	return 0;

err_free_qp:
	mb_qp_free(qp);
	return ret;
}

void
mb_qp_free(struct mb_qp *qp)
{
	if (qp == NULL)
		return;
	mb_asym_qp_free(qp);
	mb_sym_qp_free(qp);
	slot_give(qp->slot);
	rte_free(qp->nodes);
	rte_free(qp->slots);
	rte_free(qp);
}

void
mb_list_append(struct mb_qp *qp, struct mb_list *list, struct rte_crypto_op *op)
{
	uint32_t idx = qp->free_node; /* there is one: cap nodes, and cap ops at most */
	struct mb_node *node = &qp->nodes[idx];

	qp->free_node = node->next;
	node->op = op;
	node->next = MB_NO_NODE;
	if (list->nb++ == 0)
		list->first = idx;
	else
		qp->nodes[list->last].next = idx;
	list->last = idx;
}

struct rte_crypto_op *
mb_list_pop(struct mb_qp *qp, struct mb_list *list)
{
	uint32_t idx = list->first;
	struct mb_node *node;

	if (list->nb == 0)
		return NULL;
	node = &qp->nodes[idx];
	list->first = node->next;
	list->nb--;
	node->next = qp->free_node;
	qp->free_node = idx;
	return node->op;
}

/* One writer, other threads read. */
static inline void
count(_Atomic uint64_t *counter, uint64_t n)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + n,
			      memory_order_relaxed);
}

uint16_t
mb_enqueue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	struct mb_qp *qp = queue_pair;
	uint32_t put = atomic_load_explicit(&qp->put, memory_order_relaxed);
	/* pairs with the release in mb_dequeue_burst(): the slot has been read */
	uint32_t given = atomic_load_explicit(&qp->given, memory_order_acquire);
	uint32_t nb = RTE_MIN((uint32_t)nb_ops, qp->cap - (put - given));
	uint32_t i;

	for (i = 0; i < nb; i++)
		qp->slots[(put + i) & qp->mask] = ops[i];
	/* pairs with the acquire in take_new() */
	atomic_store_explicit(&qp->put, put + nb, memory_order_release);
	count(&qp->nb_enqueued, nb);
	if (nb < nb_ops)
		count(&qp->nb_refused, nb_ops - nb);
	return (uint16_t)nb;
}

static uint16_t
take_done(struct mb_qp *qp, struct rte_crypto_op **ops, uint16_t nb)
{
	uint16_t n = 0;

	while (n < nb && qp->done.nb > 0)
		ops[n++] = mb_list_pop(qp, &qp->done);
	return n;
}

/* From the ring: symmetric ops are done at once, asymmetric ones go to their lists. */
static uint16_t
take_new(struct mb_qp *qp, struct rte_crypto_op **ops, uint16_t nb)
{
	uint32_t put = atomic_load_explicit(&qp->put, memory_order_acquire);
	uint16_t n = 0;

	while (n < nb && qp->got != put) {
		struct rte_crypto_op *op = qp->slots[qp->got & qp->mask];

		mb_ahead(qp->slots, qp->mask, qp->got, put - qp->got);
		qp->got++;
		if (likely(op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC)) {
			mb_sym_process(qp, op);
			ops[n++] = op;
		} else if (op->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC) {
			mb_asym_take(qp, op);
		} else {
			op->status = RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
			ops[n++] = op;
		}
	}
	return n;
}

uint16_t
mb_dequeue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	struct mb_qp *qp = queue_pair;
	uint32_t nb_failed = 0;
	uint16_t n, i;

	n = take_done(qp, ops, nb_ops);
	n = (uint16_t)(n + take_new(qp, &ops[n], (uint16_t)(nb_ops - n)));
	if (qp->nb_waiting > 0 && nb_ops > 0)
		mb_asym_step(qp);
	n = (uint16_t)(n + take_done(qp, &ops[n], (uint16_t)(nb_ops - n)));
	if (n == 0)
		return 0;
	for (i = 0; i < n; i++)
		nb_failed += ops[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS;
	count(&qp->nb_dequeued, n);
	if (unlikely(nb_failed > 0))
		count(&qp->nb_failed, nb_failed);
	/* pairs with the acquire in mb_enqueue_burst() */
	atomic_store_explicit(&qp->given,
			      atomic_load_explicit(&qp->given, memory_order_relaxed) + n,
			      memory_order_release);
	return n;
}
