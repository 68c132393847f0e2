/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_FAULT_PRIV_H
#define PLX_FAULT_PRIV_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/queue.h>

#include "plx_fault.h"
#include "plx_pmd.h"

#define FAULT_FILE_MAX        128
#define FAULT_WINDOW_MAX      64
#define FAULT_DEVS_MAX        RTE_CRYPTO_MAX_DEVS
#define FAULT_LOG(level, ...) PLX_PMD_LOG(level, fault_logtype, __VA_ARGS__)

extern int fault_logtype;
extern uint8_t fault_driver_id;
extern struct rte_cryptodev_ops fault_dev_ops;

/* Faults as bits. */
#define FAULT_BIT(kind) (1u << (kind))

enum fault_when {
	FAULT_OFF = 0,
	FAULT_ALWAYS,
	FAULT_RANDOM, /* draw below threshold */
	FAULT_NTH,    /* each nth operation */
};

/* One fault as it was set. Plain data: copied as a whole. */
struct fault_rule {
	enum fault_when when;
	uint32_t threshold; /* of 2^32 */
	uint64_t nth;
	uint64_t detail; /* microseconds, window, status or 0/1, by kind */
	bool has_limit;
	uint64_t limit;
	uint64_t serial;           /* a new one each time it is set: counting begins again */
	char rate[24];             /* WHEN as it was written */
	char file[FAULT_FILE_MAX]; /* "" or the trigger */
};

struct fault_plan {
	struct fault_rule rules[PLX_FAULT_NB];
	uint64_t seed;
	uint64_t seed_serial;
	uint64_t serial; /* last one given out */
};

/* A completion's place in the order of enqueueing. */
enum fault_slot_state {
	FAULT_SLOT_PENDING = 0, /* the inner device has the op */
	FAULT_SLOT_DONE,
};

struct fault_slot {
	struct rte_crypto_op *op;
	uint64_t ready_cycles; /* 0, or not to be given back before */
	uint8_t state;
	uint8_t fail_status; /* not 0: was never given to the inner device and gets this status */
	bool is_corrupt;
};

struct fault_dev;

/* owner: the lcore that polls the queue pair, but the counters, which control reads */
struct fault_qp {
	struct fault_dev *dev;
	uint16_t id;
	uint32_t cap;  /* operations that can be held: descriptors - 1 */
	uint32_t mask; /* of slots */
	uint32_t head; /* next to give back */
	uint32_t seek; /* first that may be pending */
	uint32_t tail; /* next to take */
	uint32_t nb_pending;
	uint32_t gen;       /* of plan; behind dev->gen when it is to be copied again */
	uint32_t enabled;   /* faults that are not off, bits */
	uint32_t triggered; /* of those with a file: it is there */
	uint32_t with_file;
	uint64_t look_cycles;  /* when to look for the files again */
	uint64_t stall_cycles; /* end of the stall, 0: none */
	uint64_t random;
	struct fault_slot *slots;
	struct rte_crypto_op **pass; /* nb_slots: a burst on its way in, and scratch */
	uint16_t *pass_idx;
	dequeue_pkt_burst_t inner_dequeue;
	enqueue_pkt_burst_t inner_enqueue;
	void *inner_qp;
	uint64_t turn[PLX_FAULT_NB];   /* for FAULT_NTH */
	uint64_t serial[PLX_FAULT_NB]; /* of the rule turn counts for */
	uint64_t seed_serial;
	struct fault_plan plan;
	struct rte_crypto_op *extra; /* "foreign" gives this next; NULL: nothing */
	/* an operation nobody enqueued */
	uint8_t decoy[sizeof(struct rte_crypto_op) +
		      sizeof(struct rte_crypto_sym_op)] PLX_CACHE_ALIGNED;

	_Atomic uint64_t nb_injected[PLX_FAULT_NB];
	_Atomic uint64_t nb_enqueued;
	_Atomic uint64_t nb_dequeued;
	_Atomic uint64_t nb_dropped;
	_Atomic uint64_t nb_unexpected;
};

/* dev_private of the cryptodev. control writes, lcores read but where said */
struct fault_dev {
	_Atomic uint32_t gen;     /* release after plan has changed; acquire by queue pairs */
	_Atomic bool is_vanished; /* set by any queue pair, cleared by start */
	uint64_t hz_us;           /* cycles a microsecond */
	_Atomic uint64_t left[PLX_FAULT_NB]; /* of limit; queue pairs count down */
	struct rte_cryptodev *cryptodev;
	struct rte_device alias; /* see plx_pmd_alias() */
	struct plx_pmd_inner *inner;
	struct rte_cryptodev *inner_dev;
	uint8_t inner_id;
	uint16_t max_nb_qps;
	uint32_t nb_sessions;
	struct rte_cryptodev_stats stats_base; /* where the counters were at the last reset */
	struct rte_mempool *sym_pool;          /* sessions of the inner device */
	struct rte_mempool *asym_pool;         /* NULL when it has no asymmetric operations */
	struct fault_plan plan; /* written under both locks, read under one of them */
	_Atomic bool is_plan_locked;
	LIST_ENTRY(fault_dev) next; /* under the registry's lock */
};

/* A session's private data: the inner one, and where its operations leave their output. */
struct fault_sym_sess {
	void *inner;
	bool has_data;   /* cipher or AEAD */
	bool is_in_bits; /* offset and length of the data */
	bool is_aead;
	uint16_t digest_bytes; /* of the digest it makes, 0: none */
};

struct fault_asym_sess {
	void *inner;
	enum rte_crypto_asym_xform_type type;
};

/* plan */
void fault_plan_init(struct fault_plan *plan);
int fault_plan_parse(struct fault_plan *plan, const char *spec, struct plx_err *err);
int fault_plan_set_one(struct fault_plan *plan, const char *key, const char *value,
		       struct plx_err *err);
int fault_plan_format(const struct fault_plan *plan, char *buf, size_t len);
bool fault_plan_has(const char *key);

/* device and registry */
void fault_dev_publish(struct fault_dev *dev, const struct fault_plan *plan);
void fault_registry_lock(void);
void fault_registry_unlock(void);
void fault_registry_add(struct fault_dev *dev);
void fault_registry_remove(struct fault_dev *dev);
int fault_find(const char *name);
int fault_ids(uint8_t ids[FAULT_DEVS_MAX]);

/* queue pair */
int fault_qp_create(struct fault_dev *dev, uint16_t id, uint32_t nb_desc, int socket_id,
		    struct fault_qp **out);
void fault_qp_free(struct fault_qp *qp);
void fault_qp_refresh(struct fault_qp *qp);
void fault_qp_look(struct fault_qp *qp);
bool fault_qp_hit(struct fault_qp *qp, unsigned int kind);
void fault_qp_unhit(struct fault_qp *qp, unsigned int kind);
uint64_t fault_qp_random(struct fault_qp *qp);

/* bursts */
uint16_t fault_enqueue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops);
uint16_t fault_dequeue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops);
void fault_qp_drain(struct fault_qp *qp, uint64_t until_cycles);
void fault_qp_forget(struct fault_qp *qp);

/* damage */
void fault_sym_sess_shape(struct fault_sym_sess *shape, const struct rte_crypto_sym_xform *xform);
bool fault_damage(struct rte_crypto_op *op, uint64_t random);

/* Owner writes, others read: no lock prefix on the way. */
static inline void
fault_count(_Atomic uint64_t *counter, uint64_t nb)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + nb,
			      memory_order_relaxed);
}

/* The lock of a plan, held for a copy. Not an rte_spinlock: that is assembly which a thread checker
 * cannot see through. */
static inline bool
fault_plan_trylock(struct fault_dev *dev)
{
	return !atomic_exchange_explicit(&dev->is_plan_locked, true, memory_order_acquire);
}

static inline void
fault_plan_unlock(struct fault_dev *dev)
{
	atomic_store_explicit(&dev->is_plan_locked, false, memory_order_release);
}

/* The session of an op by its driver: ours to the inner one, and back. Ops without a session stay
 * as they are. */
static inline void
fault_session_to_inner(struct rte_crypto_op *op)
{
	if (op->sess_type != RTE_CRYPTO_OP_WITH_SESSION)
		return;
	if (op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC) {
		if (op->sym->session != NULL)
			op->sym->session =
				((struct fault_sym_sess *)PLX_PMD_SYM_PRIV(op->sym->session))
					->inner;
	} else if (op->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC) {
		if (op->asym->session != NULL)
			op->asym->session =
				((struct fault_asym_sess *)PLX_PMD_ASYM_PRIV(op->asym->session))
					->inner;
	}
}

/* The inner asymmetric session's user data is the pointer to ours; it need not be aligned. */
static inline void *
fault_asym_ours(const struct rte_cryptodev_asym_session *inner)
{
	void *ours;

	memcpy(&ours, inner->sess_private_data + inner->max_priv_data_sz, sizeof(ours));
	return ours;
}

static inline void
fault_session_to_ours(struct rte_crypto_op *op)
{
	if (op->sess_type != RTE_CRYPTO_OP_WITH_SESSION)
		return;
	if (op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC) {
		struct rte_cryptodev_sym_session *inner = op->sym->session;

		if (inner != NULL)
			op->sym->session = (void *)(uintptr_t)inner->opaque_data;
	} else if (op->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC) {
		if (op->asym->session != NULL)
			op->asym->session = fault_asym_ours(op->asym->session);
	}
}

#endif
