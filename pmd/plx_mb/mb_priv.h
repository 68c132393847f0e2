/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef MB_PRIV_H
#define MB_PRIV_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "plx_pmd.h"

#define MB_QPS_MAX     256u /* of a device, and of all devices of a process together */
#define MB_QPS_DEFAULT 8u
#define MB_DESC_MIN    2u
#define MB_DESC_MAX    65536u
#define MB_MAX_WAIT_US 1000000u

#define MB_LOG(level, ...) PLX_PMD_LOG(level, mb_logtype, __VA_ARGS__)

struct mb_asym_sess;
struct mb_calls;

/* An op that waits in a queue pair, in a list of its kind. */
struct mb_node {
	struct rte_crypto_op *op;
	uint32_t next; /* MB_NO_NODE ends a list */
};

#define MB_NO_NODE UINT32_MAX

struct mb_list {
	uint32_t first, last;
	uint32_t nb;
	uint64_t since; /* TSC when its first op came to the front */
};

struct mb_dev {
	struct rte_cryptodev *cryptodev;
	struct rte_device alias; /* see plx_pmd_alias() */
	uint16_t max_nb_qps;
	bool takes_nonces;            /* of ECDSA from ops that have one, for known answers */
	uint64_t max_wait_cycles;     /* how long a call that is not full may wait for more */
	const struct mb_calls *calls; /* the multi-buffer library, NULL without */
	struct rte_cryptodev_stats stats_base;
	struct rte_cryptodev_capabilities *caps;
};

/*
 * A queue pair. Ops go in through a ring of one producer and one consumer, so that enqueue and
 * dequeue may run on two lcores, as with other drivers. All work is done at dequeue.
 */
struct mb_qp {
	/* producer: the lcore that enqueues */
	_Atomic uint32_t put; /* ops ever taken from the application */
	_Atomic uint64_t nb_enqueued;
	_Atomic uint64_t nb_refused;
	uint32_t cap; /* ops in the queue pair at most */
	uint32_t mask;
	struct rte_crypto_op **slots;

	/* consumer: the lcore that dequeues */
	alignas(RTE_CACHE_LINE_SIZE) _Atomic uint32_t given; /* ops ever given back */
	uint32_t got; /* ops ever taken from the ring; given <= got <= put */
	_Atomic uint64_t nb_dequeued;
	_Atomic uint64_t nb_failed;
	struct mb_node *nodes; /* cap of them */
	uint32_t free_node;
	struct mb_list done;     /* have their status, wait for a dequeue with room */
	uint32_t nb_waiting;     /* in the lists of kinds */
	struct mb_asym_qp *asym; /* lists of kinds and scratch, mb_asym.h */
	struct mb_sym_qp *sym;   /* scratch of symmetric ops, mb_sym.h */

	/* control */
	alignas(RTE_CACHE_LINE_SIZE) struct mb_dev *dev;
	uint16_t id;
	uint32_t
		slot; /* below MB_QPS_MAX, unique in the process: sessions know queue pairs by it */
	int socket_id;
};

extern int mb_logtype;
extern uint8_t mb_driver_id;
extern struct rte_cryptodev_ops mb_dev_ops;

/* mb_qp.c */
int mb_qp_create(struct mb_dev *dev, uint16_t id, uint32_t nb_desc, int socket_id,
		 struct mb_qp **out);
void mb_qp_free(struct mb_qp *qp);
uint16_t mb_enqueue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops);
uint16_t mb_dequeue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops);

/* Lists of a queue pair; the consumer's. */
void mb_list_append(struct mb_qp *qp, struct mb_list *list, struct rte_crypto_op *op);
struct rte_crypto_op *mb_list_pop(struct mb_qp *qp, struct mb_list *list);

/* mb_caps.c: symmetric and asymmetric capabilities in one table that ends in the usual mark. */
int mb_caps_create(struct mb_dev *dev);
void mb_caps_free(struct mb_dev *dev);

#endif
