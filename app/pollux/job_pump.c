/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "job_pump.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_mempool.h>
#include <rte_pause.h>

#include "app.h"
#include "plx_secret.h"

/*
 * The loop: fill free slots, enqueue, dequeue, hand back. It polls, but gives the core away when
 * nothing moves, first by yielding, then by short naps: on shared cores the engines need it. After
 * an error or a cancel it fills no more and waits for what is under way, since engines own those
 * buffers.
 */

#define BURST           32
#define SPINS           64
#define YIELDS          256
#define NAP_NS          50000
#define PROGRESS_MS     200
#define DRAIN_TIMEOUT_S 30

static int
make_slots(struct pump *p, struct plx_err *err)
{
	struct pump_slot *slot;
	uint32_t i;

	p->slots = calloc(p->depth, sizeof(*p->slots));
	p->free_slots = calloc(p->depth, sizeof(struct pump_slot *));
	if (p->slots == NULL || p->free_slots == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for %u operations", p->depth);
	for (i = 0; i < p->depth; i++) {
		slot = &p->slots[i];
		slot->op = rte_crypto_op_alloc(p->op_pool, RTE_CRYPTO_OP_TYPE_UNDEFINED);
		if (slot->op == NULL)
			return plx_err_set(err, -ENOMEM, "no memory for %u operations", p->depth);
		slot->room = RTE_PTR_ADD(slot->op, PUMP_ROOM_OFFSET);
		slot->room->slot = slot;
		if (p->buf_pool != NULL) {
			slot->m = rte_pktmbuf_alloc(p->buf_pool);
			slot->out = p->keeps_source ? rte_pktmbuf_alloc(p->buf_pool) : slot->m;
			if (slot->m == NULL || slot->out == NULL)
				return plx_err_set(err, -ENOMEM, "no memory for %u records",
						   p->depth);
		}
		p->free_slots[p->nb_free++] = slot;
	}
	return 0;
}

static int
make_pools(struct pump *p, uint32_t id, struct plx_err *err)
{
	char name[RTE_MEMPOOL_NAMESIZE];
	uint32_t data;

	snprintf(name, sizeof(name), "pump_op_%u", id);
	p->op_pool =
		rte_crypto_op_pool_create(name, RTE_CRYPTO_OP_TYPE_UNDEFINED, p->depth, 0,
					  (uint16_t)(PUMP_ROOM_OFFSET + sizeof(struct pump_room) -
						     sizeof(struct rte_crypto_op)),
					  SOCKET_ID_ANY);
	if (p->op_pool == NULL)
		return plx_err_set(err, -ENOMEM,
				   "no memory for %u operations (%s): take a lower depth=",
				   p->depth, rte_strerror(rte_errno));
	if (p->buf_bytes == 0)
		return 0;

	data = RTE_PKTMBUF_HEADROOM + p->buf_bytes + PUMP_RECORD_PAD;
	snprintf(name, sizeof(name), "pump_buf_%u", id);
	p->buf_pool = rte_pktmbuf_pool_create(name, p->keeps_source ? 2 * p->depth : p->depth, 0, 0,
					      (uint16_t)data, SOCKET_ID_ANY);
	if (p->buf_pool == NULL)
		return plx_err_set(
			err, -ENOMEM,
			"no memory for %u records of %u bytes (%s): take a lower depth= or record=",
			p->depth, p->buf_bytes, rte_strerror(rte_errno));
	return 0;
}

/* Completions by engine number, so that the answer can say who worked. */
static void
count_engines(struct pump *p, bool before)
{
	struct plx_engine_info info;
	uint64_t *seen;
	uint32_t pos = 0;
	size_t at = 0;

	if (!before)
		p->engines[0] = '\0';
	while (plx_engines_next(p->app->es, &pos, &info)) {
		seen = &p->engine_before[info.id % PLX_ARRAY_SIZE(p->engine_before)];
		if (before)
			*seen = info.stats.nb_completed;
		else if (info.stats.nb_completed > *seen && at < sizeof(p->engines))
			at += (size_t)snprintf(p->engines + at, sizeof(p->engines) - at, "%s%s%u",
					       at > 0 ? " " : "", info.is_inline ? "inline-" : "",
					       info.id);
	}
}

static int
make_port(struct pump *p, const struct pump_params *params, uint32_t id, struct plx_err *err)
{
	struct plx_port_params port = {
		.size = sizeof(port), .cls = params->cls, .mode = params->mode, .socket_id = -1
	};

	snprintf(port.name, sizeof(port.name), "%s-%u", params->name, id);
	return plx_port_create(p->app->es, &port, &p->port, err);
}

/* Pipeline mode would wait for ever for engine lcores that are stopped, or that there are
 * none of. */
static int
check_engines(struct app *app, enum plx_mode own_mode, struct plx_err *err)
{
	struct plx_engines_params params;
	struct plx_engine_info info;
	uint32_t pos = 0, nb = 0;
	enum plx_mode mode;
	bool running;

	plx_ctl_lock(app->ctl);
	plx_engines_get(app->es, &params);
	running = plx_engines_is_running(app->es);
	while (plx_engines_next(app->es, &pos, &info))
		nb += !info.is_inline;
	plx_ctl_unlock(app->ctl);

	mode = own_mode != 0 ? own_mode : params.mode;
	if (mode == PLX_MODE_PIPELINE && nb == 0)
		return plx_err_set(
			err, -EAGAIN,
			"there is no engine for mode pipeline: 'engine add', or mode=inline");
	if (mode != PLX_MODE_INLINE && nb > 0 && !running)
		return plx_err_set(err, -EAGAIN, "the engines are stopped: give 'start' first");
	return 0;
}

int
pump_create(const struct pump_params *params, struct pump **out, struct plx_err *err)
{
	struct pump *p;
	uint32_t id;
	int ret;

	ret = check_engines(params->app, params->mode, err);
	if (ret < 0)
		return ret;
	p = calloc(1, sizeof(*p));
	if (p == NULL)
		return plx_err_set(err, -ENOMEM, "no memory");
	p->app = params->app;
	p->depth = params->depth;
	p->buf_bytes = params->buf_bytes;
	p->keeps_source = params->keeps_source;
	id = atomic_fetch_add(&p->app->next_pump, 1);

	ret = make_pools(p, id, err);
	if (ret == 0)
		ret = make_slots(p, err);
	if (ret == 0) {
		plx_ctl_lock(p->app->ctl);
		count_engines(p, true);
		ret = make_port(p, params, id, err);
		plx_ctl_unlock(p->app->ctl);
	}
	if (ret < 0) {
		pump_destroy(p);
		return ret;
	}
	*out = p;
	return 0;
}

static void
free_buffer(struct rte_mbuf *m)
{
	if (m == NULL)
		return;
	plx_wipe(m->buf_addr, m->buf_len);
	rte_pktmbuf_free(m);
}

static void
free_slots(struct pump *p)
{
	struct pump_slot *slot;
	uint32_t i;

	for (i = 0; p->slots != NULL && i < p->depth; i++) {
		slot = &p->slots[i];
		if (slot->out != slot->m)
			free_buffer(slot->out);
		free_buffer(slot->m);
		if (slot->op != NULL) {
			plx_wipe(slot->room, sizeof(*slot->room));
			rte_crypto_op_free(slot->op);
		}
	}
}

bool
pump_destroy(struct pump *p)
{
	int ret = 0;

	if (p == NULL)
		return true;
	if (p->port != NULL) {
		plx_ctl_lock(p->app->ctl);
		ret = plx_port_destroy(p->port);
		plx_ctl_unlock(p->app->ctl);
	}
	if (ret < 0) {
		fprintf(stderr,
			"pollux: engines still hold operations of a job; its memory stays theirs\n");
		return false;
	}
	free_slots(p);
	rte_mempool_free(p->op_pool);
	rte_mempool_free(p->buf_pool);
	free(p->free_slots);
	free(p->slots);
	free(p);
	return true;
}

void
pump_slot_reset(struct pump_slot *slot, struct plx_session *sess)
{
	__rte_crypto_op_reset(slot->op, (enum rte_crypto_op_type)sess->op_type);
	plx_session_attach(slot->op, sess);
	if (slot->m != NULL && sess->op_type == RTE_CRYPTO_OP_TYPE_SYMMETRIC) {
		rte_pktmbuf_reset(slot->m);
		slot->op->sym->m_src = slot->m;
		if (slot->out != slot->m) {
			rte_pktmbuf_reset(slot->out);
			slot->op->sym->m_dst = slot->out;
		}
	}
}

uint8_t *
pump_slot_room(struct pump_slot *slot, uint32_t len)
{
	/* the pool was made for it: len is at most buf_bytes and the padding */
	slot->m->data_len = (uint16_t)len;
	slot->m->pkt_len = len;
	slot->out->data_len = (uint16_t)len;
	slot->out->pkt_len = len;
	return rte_pktmbuf_mtod(slot->m, uint8_t *);
}

const uint8_t *
pump_slot_out(const struct pump_slot *slot)
{
	return rte_pktmbuf_mtod(slot->out, const uint8_t *);
}

rte_iova_t
pump_room_iova(const struct pump_slot *slot, const void *in_room)
{
	return rte_crypto_op_ctophys_offset(slot->op, RTE_PTR_DIFF(in_room, slot->op));
}

int
pump_status(const struct pump_slot *slot, struct plx_err *err)
{
	static const char *const texts[] = {
		[RTE_CRYPTO_OP_STATUS_NOT_PROCESSED] =
			"all devices that can do it are down or blocked, or its deadline passed (engine.deadline)",
		[RTE_CRYPTO_OP_STATUS_AUTH_FAILED] = "authentication failed",
		[RTE_CRYPTO_OP_STATUS_INVALID_SESSION] =
			"no device here can do it; see 'show algorithms'",
		[RTE_CRYPTO_OP_STATUS_INVALID_ARGS] = "the device refused its arguments",
		[RTE_CRYPTO_OP_STATUS_ERROR] = "the device failed",
	};
	uint8_t status = slot->op->status;

	if (status == RTE_CRYPTO_OP_STATUS_SUCCESS)
		return 0;
	return plx_err_set(err, status == RTE_CRYPTO_OP_STATUS_AUTH_FAILED ? -EBADMSG : -EIO,
			   "record %llu: %s", (unsigned long long)slot->record,
			   status < PLX_ARRAY_SIZE(texts) && texts[status] != NULL
				   ? texts[status]
				   : "the device answered with a status of its own");
}

/* State of one run. */
struct run {
	struct pump *p;
	const struct pump_source *source;
	struct plx_ctl_call *call;
	struct plx_err *err;
	struct rte_crypto_op *staged[PUMP_DEPTH_MAX];
	uint32_t nb_staged;
	uint32_t nb_inflight;
	uint32_t nb_idle;
	bool is_over; /* nothing is filled any more */
	int ret;
	uint64_t next_progress;
};

static void
stop_with(struct run *r, int ret)
{
	if (r->ret == 0)
		r->ret = ret;
	r->is_over = true;
}

static void
fill(struct run *r)
{
	struct pump *p = r->p;
	struct pump_slot *slot;
	int ret;

	while (!r->is_over && p->nb_free > 0) {
		slot = p->free_slots[p->nb_free - 1];
		ret = r->source->fill(r->source->ctx, slot, r->err);
		if (ret == PUMP_WAIT)
			return;
		if (ret <= 0) {
			stop_with(r, ret);
			return;
		}
		p->nb_free--;
		r->staged[r->nb_staged++] = slot->op;
	}
}

static bool
enqueue(struct run *r)
{
	uint64_t now = rte_get_tsc_cycles();
	uint32_t i;
	uint16_t n;

	if (r->nb_staged == 0)
		return false;
	for (i = 0; i < r->nb_staged; i++) {
		struct pump_room *room = RTE_PTR_ADD(r->staged[i], PUMP_ROOM_OFFSET);

		room->slot->start_tsc = now;
	}
	n = plx_port_enqueue_burst(r->p->port, r->staged, (uint16_t)r->nb_staged);
	r->nb_staged -= n;
	r->nb_inflight += n;
	memmove(r->staged, r->staged + n, r->nb_staged * sizeof(struct rte_crypto_op *));
	return n > 0;
}

static bool
dequeue(struct run *r)
{
	struct rte_crypto_op *ops[BURST];
	struct pump_room *room;
	struct plx_err ignored;
	uint64_t now;
	uint16_t i, n;
	int ret;

	n = plx_port_dequeue_burst(r->p->port, ops, BURST);
	now = rte_get_tsc_cycles();
	for (i = 0; i < n; i++) {
		room = RTE_PTR_ADD(ops[i], PUMP_ROOM_OFFSET);
		plx_hist_record(&r->p->latency, now - room->slot->start_tsc, 1);
		ret = r->source->done(r->source->ctx, room->slot, r->ret == 0 ? r->err : &ignored);
		if (ret < 0)
			stop_with(r, ret);
		r->p->free_slots[r->p->nb_free++] = room->slot;
	}
	r->nb_inflight -= n;
	r->p->nb_done += n;
	return n > 0;
}

static void
rest(struct run *r)
{
	const struct timespec nap = { 0, NAP_NS };

	r->nb_idle++;
	if (r->nb_idle < SPINS)
		rte_pause();
	else if (r->nb_idle < YIELDS)
		sched_yield();
	else
		nanosleep(&nap, NULL);
}

/* Ops that no engine has taken yet come back unused. */
static void
unstage(struct run *r)
{
	struct pump_room *room;

	while (r->nb_staged > 0) {
		room = RTE_PTR_ADD(r->staged[--r->nb_staged], PUMP_ROOM_OFFSET);
		r->p->free_slots[r->p->nb_free++] = room->slot;
	}
}

static void
watch_caller(struct run *r)
{
	uint64_t now = rte_get_tsc_cycles();
	char line[160];

	if (now < r->next_progress)
		return;
	r->next_progress = now + rte_get_tsc_hz() * PROGRESS_MS / 1000;
	if (atomic_load(&r->p->app->is_stopping) ||
	    (r->call->is_cancelled != NULL && r->call->is_cancelled(r->call))) {
		/* also when all is filled: what is under way may never come back */
		if (r->ret == 0)
			stop_with(r, plx_err_set(r->err, -ECANCELED, "interrupted"));
		return;
	}
	if (r->call->progress != NULL && r->source->progress != NULL) {
		r->source->progress(r->source->ctx, line, sizeof(line));
		r->call->progress(r->call, line);
	}
}

int
pump_run(struct pump *p, const struct pump_source *source, struct plx_ctl_call *call,
	 struct plx_err *err)
{
	struct run *r = calloc(1, sizeof(*r));
	uint64_t give_up = 0, now;
	bool moved;
	int ret;

	if (r == NULL)
		return plx_err_set(err, -ENOMEM, "no memory");
	*r = (struct run){ .p = p, .source = source, .call = call, .err = err };
	r->next_progress = rte_get_tsc_cycles() + rte_get_tsc_hz() * PROGRESS_MS / 1000;

	for (;;) {
		if (r->ret < 0)
			unstage(r);
		fill(r);
		moved = enqueue(r);
		moved |= dequeue(r);
		if (r->is_over && r->nb_inflight == 0 && r->nb_staged == 0)
			break;
		if (moved)
			r->nb_idle = 0;
		else
			rest(r);
		watch_caller(r);
		if (r->ret < 0) {
			now = rte_get_tsc_cycles();
			if (give_up == 0)
				give_up = now + rte_get_tsc_hz() * DRAIN_TIMEOUT_S;
			if (now > give_up)
				break;
		}
	}
	ret = r->ret;
	free(r);
	plx_ctl_lock(p->app->ctl);
	count_engines(p, false);
	plx_ctl_unlock(p->app->ctl);
	return ret;
}
