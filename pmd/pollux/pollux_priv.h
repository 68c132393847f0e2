/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef POLLUX_PRIV_H
#define POLLUX_PRIV_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "plx_conf.h"
#include "plx_device.h"
#include "plx_engine.h"
#include "plx_pmd.h"
#include "plx_pollux.h"
#include "plx_port.h"

/*
 * What the files of the driver share. One device is one group of engines over devices of its own.
 * Everything but the bursts is done under dev->control: the program's calls, telemetry and the
 * housekeeper come from different threads. Lock order: registry, then control.
 */

#define POLLUX_LOG(level, ...) PLX_PMD_LOG(level, pollux_logtype, __VA_ARGS__)
#define POLLUX_QPS_MAX         128
#define POLLUX_CPUS_MAX        1024
#define POLLUX_SPEC_MAX        512
#define POLLUX_WAIT_US         1000000u /* for ops to end before something is forced */

extern int pollux_logtype;
extern uint8_t pollux_driver_id;
extern struct rte_cryptodev_ops pollux_dev_ops;

/* Arguments and settings by the option table of args.c. */
struct pollux_options {
	uint32_t nb_engines;
	char cores[256];
	bool service;
	int cls;
	struct plx_engines_params params; /* but for its size */
	uint32_t max_nb_qps;
	uint32_t socket_id;
	uint32_t nb_qps, nb_desc, nb_sessions; /* of the devices behind */
};

struct pollux_args {
	struct plx_conf *conf;
	struct pollux_options *opt; /* conf's */
	bool has_engines, has_mode, has_socket, has_cores;
	char *specs[PLX_ENGINE_DEVS]; /* device=, in order */
	uint32_t nb_specs;
	uint16_t cpus[POLLUX_CPUS_MAX];
	uint32_t nb_cpus;
};

struct pollux_dev;

/* A device behind. */
struct pollux_inner {
	struct plx_pmd_inner *made; /* NULL: a cryptodev EAL had before */
	struct plx_device *dev;
	uint8_t dev_id;
	char name[RTE_CRYPTODEV_NAME_MAX_LEN];
};

/* What runs an engine: a thread of ours, or a service. */
struct pollux_runner {
	LIST_ENTRY(pollux_runner) next;
	struct pollux_dev *dev;
	uint32_t engine_id;
	int cpu; /* -1: none in particular */
	bool by_service;
	struct plx_engine_work work;
	/* a thread */
	rte_thread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool is_ready;
	int result; /* of pinning it */
	/* a service */
	_Atomic bool is_running;
	uint32_t service_id;
};

/* A session of the program, so that none is left when the device goes. */
struct pollux_sess_node {
	LIST_ENTRY(pollux_sess_node) next;
	struct plx_session *sess;
};

/* A driver's part of the program's session. sess is read by each op. */
struct pollux_sess {
	struct plx_session *sess;
	struct pollux_sess_node *node;
};

struct pollux_loose; /* ops without a session, of one queue pair */

/* owner: the lcore that uses the queue pair, but the counters, which control reads */
struct pollux_qp {
	_Atomic bool is_busy;  /* a burst call is inside, see burst.c */
	struct plx_port *port; /* NULL while the device is stopped; control writes then */
	uint32_t nb_desc;      /* ops the program may have in it */
	uint32_t nb_in;        /* ops it has in it */
	struct pollux_loose *loose;
	_Atomic uint64_t nb_enqueued;
	_Atomic uint64_t nb_dequeued;
	_Atomic uint64_t nb_failed;
	_Atomic uint64_t nb_short;
	struct pollux_dev *dev;
	uint16_t id;
	int socket_id;
} PLX_CACHE_ALIGNED;

struct pollux_counts {
	uint64_t nb_enqueued;
	uint64_t nb_dequeued;
	uint64_t nb_failed;
	uint64_t nb_short;
	uint64_t nb_dropped;
};

/* Tables that were handed to programs live as long as the device. */
struct pollux_caps {
	struct pollux_caps *older;
	uint64_t feature_flags;
	struct rte_cryptodev_capabilities table[];
};

struct pollux_dev {
	LIST_ENTRY(pollux_dev) next; /* under the registry's lock */
	struct rte_cryptodev *cryptodev;
	struct rte_device alias; /* stands for the vdev when the driver has another name */
	pthread_mutex_t control;
	struct pollux_args args;
	struct plx_devices *devs;
	struct plx_engines *es;
	struct pollux_inner *inners[PLX_ENGINE_DEVS]; /* in order */
	uint32_t nb_inners;
	uint32_t next_inner; /* for names, never used again */
	uint32_t next_cpu;   /* of args.cpus, in turn */
	uint32_t next_runner;
	LIST_HEAD(pollux_runners, pollux_runner) runners;
	LIST_HEAD(pollux_sess_nodes, pollux_sess_node) sessions;
	_Atomic(struct pollux_caps *) caps;
	bool is_started;
	struct pollux_counts gone; /* of queue pairs that are no more */
	struct pollux_counts base; /* where the counters were at the last reset */
	struct plx_engine_stats engines_base;
	/* the housekeeper, while the device is started */
	rte_thread_t keeper;
	pthread_mutex_t keeper_lock;
	pthread_cond_t keeper_changed;
	bool keeper_stop;
	_Atomic uint32_t keeper_us; /* control writes, it reads */
};

/* args: reading, checking, changing */
int pollux_args_read(struct pollux_args *args, const char *text, struct plx_err *err);
void pollux_args_free(struct pollux_args *args);
void pollux_args_params(const struct pollux_args *args, struct plx_engines_params *p);
/* A copy with the changes of spec, which may be live ones only. Its options are its own, the rest
 * is shared. */
int pollux_args_change(const struct pollux_args *args, const char *spec, struct pollux_args *out,
		       struct plx_err *err);
int pollux_args_write(const struct pollux_args *args, char *buf, size_t len);

/* inner: the devices behind. Under control. */
int pollux_inner_add(struct pollux_dev *dev, const char *spec, struct plx_err *err);
int pollux_inner_add_default(struct pollux_dev *dev, struct plx_err *err);
struct pollux_inner *pollux_inner_find(struct pollux_dev *dev, const char *name,
				       struct plx_err *err);
int pollux_inner_remove(struct pollux_dev *dev, struct pollux_inner *inner, struct plx_err *err);
int pollux_inner_revive(struct pollux_dev *dev, struct pollux_inner *inner, struct plx_err *err);
/* All that were given up, keeping the order; no port may live. */
int pollux_inner_revive_all(struct pollux_dev *dev, struct plx_err *err);
/* The group is gone. */
void pollux_inner_free_all(struct pollux_dev *dev);

/* caps: what the devices can do, together */
int pollux_caps_update(struct pollux_dev *dev, struct plx_err *err);
void pollux_caps_free(struct pollux_dev *dev);

#define POLLUX_CHAIN_MAX 4 /* transforms in a chain */

/* The chain without what programs leave in fields that an algorithm has not: an IV of a digest, a
 * key of the null cipher, data units. The copy is in out and has the same keys; a chain that is too
 * long comes back as it is. Any thread.
 */
const struct rte_crypto_sym_xform *
pollux_caps_clean(const struct pollux_dev *dev, const struct rte_crypto_sym_xform *xform,
		  struct rte_crypto_sym_xform out[POLLUX_CHAIN_MAX]);

/* runner: threads and services */
int pollux_engine_new(struct pollux_dev *dev, int cpu, uint32_t *id, struct plx_err *err);
int pollux_engine_end(struct pollux_dev *dev, uint32_t id, uint32_t timeout_us,
		      struct plx_err *err);
void pollux_runners_free(struct pollux_dev *dev);
const struct pollux_runner *pollux_runner_find(const struct pollux_dev *dev, uint32_t engine_id);
int pollux_cpu_check(int cpu, struct plx_err *err);
extern const struct plx_engine_runner pollux_runner_thread;
extern const struct plx_engine_runner pollux_runner_service;
int pollux_service_register(struct pollux_runner *r, struct plx_err *err);
void pollux_service_unregister(struct pollux_runner *r);

/* thread.c: control threads of EAL, by whatever name this DPDK has for them */
int pollux_thread_create(rte_thread_t *thread, const char *name, void *(*fn)(void *), void *arg);
void pollux_thread_join(rte_thread_t thread);

/* keeper: what has to be done now and then */
int pollux_keeper_start(struct pollux_dev *dev, struct plx_err *err);
void pollux_keeper_stop(struct pollux_dev *dev);
/* The settings have changed. */
void pollux_keeper_pace(struct pollux_dev *dev);

/* qp */
int pollux_qp_create(struct pollux_dev *dev, uint16_t id, uint32_t nb_desc, int socket_id,
		     struct pollux_qp **out, struct plx_err *err);
void pollux_qp_free(struct pollux_qp *qp);
int pollux_qp_open(struct pollux_qp *qp, struct plx_err *err);
void pollux_qp_close(struct pollux_qp *qp);
void pollux_qp_counts_add(const struct pollux_qp *qp, struct pollux_counts *sum);

/* burst */
uint16_t pollux_enqueue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb);
uint16_t pollux_dequeue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb);

/* loose: sessions for ops without one */

/* plx_session.front of such a session is its entry, with this bit; of the program's sessions it is
 * the program's own, which is aligned. */
#define POLLUX_FRONT_LOOSE 1u

/* Give the op a session; false: not now, offer it again. An op that no device can do gets one that
 * nobody has. */
bool pollux_loose_enter(struct pollux_qp *qp, struct rte_crypto_op *op);
/* Make the op what it was. */
void pollux_loose_leave(struct pollux_qp *qp, struct rte_crypto_op *op);
/* No op is in the queue pair any more. Under control. */
void pollux_loose_free(struct pollux_qp *qp);

/* registry of devices, for everybody outside the data path */
void pollux_registry_add(struct pollux_dev *dev);
void pollux_registry_remove(struct pollux_dev *dev);
/* The device, registry and control held; NULL with a sentence. */
struct pollux_dev *pollux_registry_hold(int dev_id, struct plx_err *err);
void pollux_registry_release(struct pollux_dev *dev);
int pollux_registry_ids(uint8_t ids[RTE_CRYPTO_MAX_DEVS]);

/* ops */
void pollux_counts_now(struct pollux_dev *dev, struct pollux_counts *sum);

/* Owner writes, others read: no lock prefix on the way. */
static inline void
pollux_count(_Atomic uint64_t *counter, uint64_t nb)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + nb,
			      memory_order_relaxed);
}

/* The device of a cryptodev: its private data is a pointer. */
static inline struct pollux_dev *
pollux_dev_of(const struct rte_cryptodev *cryptodev)
{
	return *(struct pollux_dev **)cryptodev->data->dev_private;
}

#endif
