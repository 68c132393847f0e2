/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef ENGINE_PRIV_H
#define ENGINE_PRIV_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto.h>
#include <rte_cycles.h>

#include "plx_device.h"
#include "plx_engine.h"
#include "plx_hist.h"
#include "plx_port.h"
#include "lane.h"
#include "token.h"

/*
 * What the files of the library share. An engine is a set of lanes, an ordered set of queue pairs
 * and the step between them. One thread at a time steps it: the holder of its token (pipeline), or
 * of its port's token (inline). Control changes it with the token in hand.
 */

#define ENGINE_LANES_MAX 128
#define PORTS_MAX        128 /* a lane each in an engine */

/* An op on a device. The driver's session is in the op; sess is what goes back in. */
struct flight {
	struct rte_crypto_op *op;
	struct plx_session *sess;
	struct lane *lane;
	uint64_t stamp;
};

/* An op in the engine's hands that no device has: just gathered, or waiting for room. */
struct pending {
	struct rte_crypto_op *op;
	struct lane *lane;
	uint64_t stamp;
};

/* Gathered beside a backlog, and the ops of a lost device: each at most a burst of the largest
 * size. */
#define BACKLOG_MAX (2 * PLX_BURST_MAX)

/* Copies of in-place input, one slot a flight; the slots are few, and so are the ops in flight
 * then. */
#define SHADOW_SLOTS 256u
#define SHADOW_BYTES 16384u

struct shadow {
	uint32_t len; /* 0: this op is not covered */
	uint8_t *bytes;
};

/* One queue pair of one device, this engine's alone. owner: the stepping thread */
struct engine_qp {
	struct plx_device *dev;
	struct flight *flights; /* ring of nb_desc records in the order of submission */
	uint32_t mask;
	uint32_t head; /* free running; tail - head ops are in flight */
	uint32_t tail;
	uint32_t room_max; /* ops that may be in flight: descriptors - 1, or the shadow's slots */
	uint32_t dom;
	uint32_t qp_slot;
	uint16_t qp_id;
	uint8_t dev_id;
	bool is_usable; /* takes new ops; worked out once a step */
	bool is_stalled;
	bool is_leaving;        /* control is taking the device out */
	bool is_parked;         /* the device was given up: not polled any more */
	bool is_plain;          /* plain software: its work is done on this core */
	uint64_t progress_tsc;  /* last completion, or first submission after having been empty */
	uint64_t poll_tsc;      /* last poll with ops in flight */
	uint64_t refused_since; /* refuses all it is offered with nothing in flight since; 0: does
				   not */
	uint64_t refused_last;
	bool is_refusing;       /* ... for longer than the stall time */
	struct shadow *shadows; /* NULL: no copies */
	uint8_t *shadow_bytes;
	uint16_t nb_stage;
	struct rte_crypto_op *stage[PLX_BURST_MAX];
};

/* Lanes of a class, and whose turn it is. */
struct lane_set {
	struct lane *lanes[ENGINE_LANES_MAX];
	uint32_t nb;
	uint32_t turn;
	uint32_t credit; /* in ops times the sum of weights */
};

struct engine {
	struct token token;
	struct token
		*guard; /* what control takes: its own token, or that of the port it belongs to */
	struct plx_engines *group;
	uint32_t id;
	uint32_t lcore_id;
	int socket_id;
	bool is_inline;           /* a port's own: its user steps it */
	bool in_place;            /* ops that are done stay in the array of who asked for them */
	bool may_lack;            /* only lends a hand: with all devices or, for now, with none */
	struct lane *inline_lane; /* of an inline engine: what control's steps finished for it */

	/* a copy of the group's settings in cycles; control writes under the token */
	struct engine_limits {
		uint32_t burst;
		uint32_t weights[PLX_CLASSES];
		uint64_t batch_wait_cycles;
		uint64_t deadline_cycles; /* 0: none */
		uint64_t stall_cycles;
		uint64_t lost_cycles;
		uint64_t idle_cycles; /* 0: never sleep */
		bool shadow;
	} limits;

	/* owner: the stepping thread */
	struct lane_set sets[PLX_CLASSES];
	struct engine_qp *qps[PLX_ENGINE_DEVS];
	uint32_t nb_qps;
	uint32_t poll_first; /* index of the queue pair to poll first, 0 as a rule */
	struct pending picked[PLX_BURST_MAX]; /* gathered in this step, not offered yet */
	uint32_t nb_picked;
	struct pending backlog[BACKLOG_MAX];
	uint32_t nb_backlog;
	bool backlog_blocks; /* an op in it waits for room, not for a stalled device */
	uint64_t wait_since; /* a short burst is held back since; 0: none is */
	uint64_t last_tsc;
	uint64_t idle_since;
	struct lane *out_lane; /* completed ops not handed over yet, all of one lane */
	uint32_t nb_out;
	struct rte_crypto_op *out[PLX_BURST_MAX];
	struct plx_engine_stats stats;
	struct plx_hist latency;

	/* the lcore loop, or what stands in for the lcore */
	struct plx_engine_runner runner; /* start is NULL: a worker lcore of EAL */
	_Atomic bool stop_wanted;        /* control writes, the loop reads */
	bool is_launched;                /* control */
	int wake_fd;
	_Atomic uint32_t is_asleep
		PLX_CACHE_ALIGNED; /* the loop writes, producers read; see loop.c */
};

struct plx_port {
	struct token token;
	struct plx_engines *group;
	uint32_t id;
	char name[32];
	enum plx_class cls;
	int socket_id;

	/* control writes under the token; 0: follow the group */
	enum plx_mode own_mode;
	enum plx_policy own_policy;
	enum plx_mode mode;     /* wanted */
	enum plx_policy policy; /* wanted */
	uint64_t size_split_bytes;
	uint32_t help_ops; /* UINT32_MAX: never */
	bool can_help;     /* its engine may_lack devices, and has all of them */
	uint32_t lane_slots;
	bool has_runners; /* the group's engines run on their lcores */
	bool must_drain;  /* a change waits until the ops of the old way are back */
	bool auto_inline; /* auto: the way it has chosen */

	/* owner: the port's user */
	bool is_inline_now;
	enum plx_policy policy_now;
	uint32_t nb_lanes;
	uint32_t nb_local; /* lanes to engines on the port's socket; they come first */
	struct lane *lanes[PLX_ENGINES_MAX];
	uint32_t nb_closing; /* lanes of engines that went; only drained */
	struct lane *closing[PLX_ENGINES_MAX];
	struct engine *own;    /* to work inline or to lend a hand with; NULL: there is none */
	struct lane *own_lane; /* inline: bookkeeping, and failures that no device saw */
	uint32_t turn;
	uint32_t pop_turn;
	struct auto_load {
		uint64_t window_start;
		uint64_t busy_base;
		uint64_t ops_base;
		uint64_t cycles_per_op; /* of the last inline window that had any */
		uint32_t nb_agree;      /* windows in a row that speak for the other mode */
	} load;
	uint64_t nb_enqueued;
	uint64_t nb_dequeued;
	uint64_t nb_short;
	uint64_t nb_helped;
	/* what the last portion the user did itself has cost */
	struct help_cost {
		uint64_t busy_base; /* cycles of the own engine before it */
		uint32_t nb;        /* ops in it; 0: none yet */
		uint32_t limit;     /* ops to do at a time */
	} help_cost;
};

struct plx_engines {
	struct plx_devices *devs;
	struct plx_engines_params params;
	struct engine *engines[PLX_ENGINES_MAX]; /* in id order, NULL-free up to nb_engines */
	uint32_t nb_engines;
	uint32_t next_engine_id;
	uint32_t next_port_id;
	struct plx_device *order[PLX_ENGINE_DEVS];
	uint32_t nb_order;
	struct plx_port *ports[PORTS_MAX];
	uint32_t nb_ports;
	bool is_asymmetric; /* for the tokens, see barrier.h */
	bool is_running;
	/* what engines did that are no more */
	struct plx_engine_stats gone;
	struct plx_hist gone_latency;
};

/* The session of an op in our hands; NULL when it has none. */
static inline struct plx_session *
op_session(const struct rte_crypto_op *op)
{
	if (op->sess_type != RTE_CRYPTO_OP_WITH_SESSION)
		return NULL;
	if (op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC)
		return op->sym->session;
	if (op->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC)
		return (struct plx_session *)op->asym->session;
	return NULL;
}

static inline void
op_session_set(struct rte_crypto_op *op, void *sess)
{
	if (op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC)
		op->sym->session = sess;
	else
		op->asym->session = sess;
}

/* Bytes of data of a symmetric op, 0 for an asymmetric one. An AEAD's length lies where a cipher's
 * does; a digest or MAC, which keeps its source, has no cipher length. */
static inline uint32_t
op_bytes(const struct rte_crypto_op *op, const struct plx_session *sess)
{
	if (op->type != RTE_CRYPTO_OP_TYPE_SYMMETRIC)
		return 0;
	return sess->keeps_source ? op->sym->auth.data.length : op->sym->cipher.data.length;
}

/* shadow.c: copies of in-place input */

void shadow_save(struct shadow *s, const struct rte_crypto_op *op, const struct plx_session *sess);
/* May the op be run again, its input being as it was? Puts the copy back where one was needed. */
bool shadow_restore(const struct shadow *s, struct rte_crypto_op *op,
		    const struct plx_session *sess);

/* qp.c: one queue pair */

int engine_qp_create(struct plx_device *dev, int socket_id, struct engine_qp **out,
		     struct plx_err *err) PLX_MUST_CHECK;
void engine_qp_destroy(struct engine_qp *q);
/* Copies of in-place input; ops in flight when it is turned on or off are not covered. */
int engine_qp_shadow_on(struct engine_qp *q, int socket_id) PLX_MUST_CHECK;
void engine_qp_shadow_off(struct engine_qp *q);

static inline uint32_t
engine_qp_inflight(const struct engine_qp *q)
{
	return q->tail - q->head;
}

/* The device is lost, unless it is so already. Any thread. */
void engine_device_give_up(struct plx_device *dev);
/* Work out is_usable and notice stall, recovery and loss. */
void engine_qp_check(struct engine *e, struct engine_qp *q, uint64_t now);

/* Only whether it may take ops, for who has not polled it just now. */
void engine_qp_refresh(struct engine_qp *q);
/* Completions, up to nb, into ops; those of a pipeline engine go to their lanes as well. Returns
 * how many. */
uint16_t engine_qp_poll(struct engine *e, struct engine_qp *q, struct rte_crypto_op **ops,
			uint16_t nb, uint64_t now);
/* Put an op, its session and that of the driver, behind the stage; the caller has looked at
 * is_usable and room. */
static inline void
engine_qp_stage(struct engine *e, struct engine_qp *q, const struct pending *p,
		struct plx_session *sess, void *drv_sess)
{
	uint32_t slot = (q->tail + q->nb_stage) & q->mask;
	struct flight *f = &q->flights[slot];

	f->op = p->op;
	f->sess = sess;
	f->lane = p->lane;
	f->stamp = p->stamp;
	if (unlikely(q->shadows != NULL))
		shadow_save(&q->shadows[slot % SHADOW_SLOTS], p->op, sess);
	e->stats.bytes += op_bytes(p->op, sess);
	p->op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	op_session_set(p->op, drv_sess);
	q->stage[q->nb_stage++] = p->op;
}

static inline bool
engine_qp_has_room(const struct engine_qp *q)
{
	return engine_qp_inflight(q) + q->nb_stage < q->room_max && q->nb_stage < PLX_BURST_MAX;
}
/* Offer the stage to the device; what it does not take goes on to later devices or the backlog. */
void engine_qp_flush(struct engine *e, uint32_t idx, uint64_t now);
/* Run a part of a given-up device's ops elsewhere; only once the device is stopped. Returns how
 * many. */
uint32_t engine_qp_recover(struct engine *e, uint32_t idx);

/* step.c: the step */

/* Which devices take ops now, for who is about to submit; no look for a stall: since the last poll
 * the caller may have slept, not the device. */
void engine_refresh(struct engine *e);
/* One step with lanes: complete, retry, gather, submit. Returns ops moved. */
uint32_t engine_step(struct engine *e);
/* The halves of a step for an inline engine, called by its port. */
uint16_t engine_submit(struct engine *e, struct lane *l, struct rte_crypto_op **ops, uint16_t nb);
uint16_t engine_reap(struct engine *e, struct rte_crypto_op **ops, uint16_t nb);
/* Completed ops that were not handed over yet go to their lane's ring. */
void engine_flush_out(struct engine *e);

/* Hand a finished op, its session field ours again, to its lane; ops of one lane travel together.
 */
static inline void
engine_complete(struct engine *e, struct lane *l, struct rte_crypto_op *op)
{
	if (unlikely(l != e->out_lane || e->nb_out == PLX_BURST_MAX)) {
		engine_flush_out(e);
		e->out_lane = l;
	}
	e->out[e->nb_out++] = op;
}

/* Choose a device at or after from for the op and stage it there; false: it went to the backlog. */
bool engine_route(struct engine *e, const struct pending *p, uint32_t from,
		  enum plx_fallback_reason why);
/* Nothing in lanes, backlog or flight? */
bool engine_is_empty(const struct engine *e);

/* loop.c: the lcore */

int engine_launch(struct engine *e, struct plx_err *err) PLX_MUST_CHECK;
void engine_halt(struct engine *e);
void engine_wake(struct engine *e);

/* After a push: pairs with the heavy barrier that the loop makes between "asleep" and its last look
 * at the lanes. */
static inline void
engine_wake_if_asleep(struct engine *e)
{
	barrier_light(e->token.is_asymmetric);
	if (atomic_load_explicit(&e->is_asleep, memory_order_relaxed) != 0)
		engine_wake(e);
}

/* engine.c: making, joining and taking apart; all control, under the guard where the engine is in
 * use */

/* port NULL: a pipeline engine; otherwise the inline engine of that port. */
int engine_create(struct plx_engines *es, uint32_t lcore_id, int socket_id, struct plx_port *port,
		  struct engine **out, struct plx_err *err) PLX_MUST_CHECK;
void engine_destroy(struct engine *e);
void engine_limits_set(struct engine *e, const struct plx_engines_params *p);
/* Queue pairs of those devices of the group that it lacks, which are the last ones; all or none.
 * When they are needed, engines that only help give up theirs. */
int engine_qps_extend(struct engine *e, bool is_needed, struct plx_err *err) PLX_MUST_CHECK;
/* Gives back all queue pairs but the first nb, on which nothing is in flight. */
void engine_qps_shrink(struct engine *e, uint32_t nb);
/* Copies of in-place input where the settings and the device set ask for them. */
int engine_shadows_update(struct engine *e) PLX_MUST_CHECK;
void engine_shadows_drop(struct engine *e);
int engine_lane_join(struct engine *e, struct lane *l) PLX_MUST_CHECK;
void engine_lane_leave(struct engine *e, struct lane *l);
void engine_qp_join(struct engine *e, struct engine_qp *q);
/* Takes the queue pair of a device out; NULL when there is none. */
struct engine_qp *engine_qp_leave(struct engine *e, const struct plx_device *dev);
struct engine_qp *engine_qp_find(const struct engine *e, const struct plx_device *dev);
/* Control waits for something this engine has to do: does a step in its place when nobody runs it.
 */
void engine_help(struct engine *e);

/* group.c */

/* Each engine of the group, those of ports included: the engine at or after *pos, NULL at the end.
 */
struct engine *group_engine_next(struct plx_engines *es, uint32_t *pos);

/* Keep what an engine did, before it is destroyed; nobody steps it any more. */
void group_engine_gone(struct plx_engines *es, const struct engine *e);
/* Of all ports, but that whose engine is except: port_help_update(), port_help_release(). */
void group_helpers_update(struct plx_engines *es);
bool group_helpers_release(struct plx_engines *es, const struct engine *except);
uint64_t engine_us_to_cycles(uint32_t us);
/* A bounded wait of control: false when the time is up. start is rte_rdtsc() at the beginning. */
bool engine_control_wait(uint64_t start, uint32_t timeout_us);

/* params.c */

int params_check(const struct plx_engines_params *p, struct plx_err *err) PLX_MUST_CHECK;

/* port.c */

/* Lanes to an engine, for ports that may use them; called by control without tokens. */
int port_lane_open(struct plx_port *port, struct engine *e) PLX_MUST_CHECK;
/* No more requests to the engine; the lane is drained from now on. */
void port_lane_close(struct plx_port *port, const struct engine *e);
/* The engine stays after all. */
void port_lane_reopen(struct plx_port *port, const struct engine *e);
/* The engine is done with its closed lanes: let go of it, and free the lanes that are drained. */
void port_lane_forget(struct plx_port *port, const struct engine *e);
void port_lanes_sweep(struct plx_port *port);
/* What the group's settings p ask for: an engine of its own, lanes. */
int port_equip(struct plx_port *port, const struct plx_engines_params *p, struct plx_err *err)
	PLX_MUST_CHECK;
/* Queue pairs to lend a hand with, taken or given back: after settings, devices, engines or ports
 * have changed. */
void port_help_update(struct plx_port *port);
/* Gives back what it has to lend a hand with, if nothing is under way; false: it has nothing. */
bool port_help_release(struct plx_port *port);
/* Take over the group's settings; a difference makes the port drain first. */
void port_follow(struct plx_port *port);

/* auto.c: the choice of mode auto, called before each enqueue */

void auto_choose(struct plx_port *port);

/* help.c: the caller lends a hand */

/* Some of the ops for a lane in which enough wait; how many were taken. */
uint16_t help(struct plx_port *port, struct lane *l, struct rte_crypto_op **ops, uint16_t nb);
/* The work on them, in each dequeue. */
void help_go_on(struct plx_port *port);
/* What a lane needs for it, if it has not got it. 0 or -ENOMEM. */
int help_lane_equip(struct plx_port *port, struct lane *l) PLX_MUST_CHECK;

/* dispatch.c: which lane */

uint16_t dispatch(struct plx_port *port, struct rte_crypto_op **ops, uint16_t nb);

#endif
