/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_PORT_H
#define PLX_PORT_H

#include <stdint.h>

#include <rte_crypto.h>

#include "plx_compiler.h"
#include "plx_engine.h"
#include "plx_err.h"

/*
 * What a front sees: a port with enqueue and dequeue. Behind it stand lanes to engine lcores, or an
 * engine that the caller steps in place, as the group's mode says at the moment.
 */

#ifdef __cplusplus
extern "C" {
#endif

struct plx_port;

struct plx_port_params {
	size_t size;            /* sizeof(struct plx_port_params) */
	enum plx_class cls;     /* of its lanes */
	enum plx_mode mode;     /* 0: the group's, and it follows the group's changes */
	enum plx_policy policy; /* 0: the group's, and it follows */
	int socket_id;          /* where its user runs; -1: that of the calling lcore */
	char name[32];          /* for "show lanes"; empty: port<number> */
	uint32_t lane_slots; /* ops a lane of it holds, power of two, 64..65536; 0: the group's */
};

struct plx_port_info {
	uint32_t id;
	char name[32];
	enum plx_class cls;
	enum plx_mode mode;     /* wanted: inline, pipeline or auto */
	enum plx_mode mode_now; /* in force: inline or pipeline */
	enum plx_policy policy;
	uint32_t nb_lanes;
	uint32_t nb_outstanding; /* enqueued and not dequeued */
	uint64_t nb_enqueued;
	uint64_t nb_short;  /* enqueue calls that took fewer than offered */
	uint64_t nb_helped; /* of those enqueued, ops that the port's user did in pipeline mode */
	uint64_t nb_dequeued;
};

/**
 * Make a port.
 *
 * @param params NULL for defaults: normal class, the group's mode and policy.
 * @return 0; -EINVAL; -EAGAIN when inline needs a queue pair and a device has none free; -ENOMEM.
 * @par Thread    Control; traffic on other ports may run.
 * @par Ownership The caller frees it with plx_port_destroy() before the group.
 * @par Errors    As above with a sentence.
 */
int plx_port_create(struct plx_engines *es, const struct plx_port_params *params,
		    struct plx_port **out, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Free a port and its lanes. Waits until the engines have finished its ops; those completed and not
 * dequeued are forgotten, so drain first.
 *
 * @return 0; -ETIMEDOUT when ops were still running after ten seconds: the port lives on.
 * @par Thread    Control; the port's user must have stopped using it.
 * @par Ownership Frees @p port on success; NULL is taken.
 * @par Errors    -ETIMEDOUT.
 */
int plx_port_destroy(struct plx_port *port);

/**
 * Hand up to @p nb ops to the engines. Each op's session field points to a struct plx_session
 * (plx_session_attach()); sym ops with IV in the place the session's xform names.
 *
 * @return Number taken, 0..nb; the rest stay with the caller, in order, untouched.
 * @par Thread    One thread at a time a port.
 * @par Ownership Taken ops and their buffers belong to the port until plx_port_dequeue_burst()
 * returns them.
 * @par Errors    None here: a bad op comes back with a status other than SUCCESS.
 */
uint16_t plx_port_enqueue_burst(struct plx_port *port, struct rte_crypto_op **ops, uint16_t nb);

/**
 * Take up to @p nb finished ops. Statuses: SUCCESS and the device's own failures; NOT_PROCESSED
 * when the deadline passed before a device took it (the op is as it was); INVALID_SESSION when no
 * device has the session; ERROR when the device was lost and the op could not be run again.
 *
 * @return Number returned, 0..nb.
 * @par Thread    One thread at a time a port; it may be another than the one that enqueues only in
 * turn.
 * @par Ownership Returned ops are the caller's again; the session field is as it was.
 * @par Errors    None.
 */
uint16_t plx_port_dequeue_burst(struct plx_port *port, struct rte_crypto_op **ops, uint16_t nb);

/**
 * Ops enqueued and not yet dequeued.
 *
 * @par Thread    The port's user.
 * @par Ownership Nothing is kept.
 * @par Errors    None.
 */
uint32_t plx_port_outstanding(const struct plx_port *port);

/**
 * Fill @p info for the port at or after *@p pos (start with 0); *@p pos moves past it.
 *
 * @return false at the end.
 * @par Thread    Control; traffic may run.
 * @par Ownership @p info is the caller's.
 * @par Errors    None.
 */
bool plx_ports_next(struct plx_engines *es, uint32_t *pos, struct plx_port_info *info);

#ifdef __cplusplus
}
#endif

#endif
