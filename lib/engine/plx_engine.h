/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_ENGINE_H
#define PLX_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_crypto.h>

#include "plx_compiler.h"
#include "plx_device.h"
#include "plx_err.h"
#include "plx_hist.h"

/*
 * A group of engines over an ordered set of devices. Control functions (create, add, remove, set,
 * tick) are called by one control thread at a time: the caller's lock. Who steps an engine or uses
 * a port holds its token for the length of the call and never waits for it; control takes the token
 * to change something. Traffic goes through ports, see plx_port.h.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define PLX_ENGINES_MAX      64
#define PLX_ENGINE_DEVS      16 /* devices in an engine's ordered set */
#define PLX_BURST_MAX        256
#define PLX_ENGINE_ANY_LCORE UINT32_MAX

struct plx_engines;

enum plx_mode {
	PLX_MODE_PIPELINE = 1, /* lanes to engine lcores */
	PLX_MODE_INLINE,       /* the caller steps an engine of its own in place */
	PLX_MODE_AUTO,         /* inline while the caller is alone, pipeline under load */
};

enum plx_class {
	PLX_CLASS_HIGH,
	PLX_CLASS_NORMAL,
	PLX_CLASS_BULK,
	PLX_CLASSES,
};

/* How a port in pipeline mode picks the engine; engines on the port's socket come first in each. */
enum plx_policy {
	PLX_POLICY_ROUND_ROBIN = 1, /* a burst each */
	PLX_POLICY_LEAST_LOADED,    /* fewest ops outstanding from this port */
	PLX_POLICY_SESSION,         /* one engine a session: order within a session is kept */
	PLX_POLICY_SIZE, /* ops of size_split_bytes and more on the last engine, the rest on the
			    others */
};

/* Everything that can be set; the ones marked "live" may change while traffic runs
 * (plx_engines_set). */
struct plx_engines_params {
	size_t size;                   /* sizeof(struct plx_engines_params) */
	enum plx_mode mode;            /* live; default AUTO */
	enum plx_policy policy;        /* live; default ROUND_ROBIN */
	uint32_t weights[PLX_CLASSES]; /* live; 1..256; default 16, 4, 1 */
	uint32_t burst;         /* live; 1..PLX_BURST_MAX ops taken in one step; default 32 */
	uint32_t batch_wait_us; /* live; 0..1000000; hold a burst that is not full up to this long;
				   default 0 */
	uint32_t deadline_us;   /* live; 0 = none; an op older than this is not started any more;
				   default 0 */
	uint32_t stall_us;      /* live; in flight without completion: the device counts as stalled;
				   default 10000 */
	uint32_t lost_us; /* live; stalled this long: the device is given up; default 1000000 */
	uint32_t idle_us; /* live; without work this long an engine lcore sleeps; 0 = never; default
			     1000 */
	uint32_t lane_slots; /* ops a lane holds, power of two, 64..65536; default 1024 */
	uint32_t help_ops;   /* live; in pipeline mode, requests waiting in a lane from which on the
				caller does some symmetric ops itself when the first device is plain
				software, on queue pairs of its own where each device has one free;
				0..65536, 0 = never; default 0 */
	uint64_t size_split_bytes; /* live; for PLX_POLICY_SIZE; default 4096 */
	bool shadow; /* live; keep a copy of in-place input so that a lost device costs no op;
		      * default off: devices that are not plain software are shadowed anyway when
		      * there is a fallback */
};

/* What an engine did, as a snapshot; all counts since the engine was made. */
struct plx_engine_stats {
	uint64_t nb_gathered;  /* ops taken from lanes or callers */
	uint64_t nb_submitted; /* ops accepted by a device */
	uint64_t nb_completed; /* ops handed back, with any status */
	uint64_t nb_success;
	uint64_t nb_failed;  /* the device said so, by any status but SUCCESS */
	uint64_t nb_expired; /* deadline passed before a device took it: came back NOT_PROCESSED */
	uint64_t
		nb_unroutable; /* no device in the set has the session: came back INVALID_SESSION */
	uint64_t nb_refused; /* offered and not taken; went to the next device or was offered again
			      */
	uint64_t nb_touched; /* refused, but the device had written its status: came back, not
				offered again */
	uint64_t nb_fallback[4]; /* ops that ran on a later device, by enum plx_fallback_reason */
	uint64_t nb_replayed;    /* ops of a lost device run again elsewhere */
	uint64_t nb_lost; /* ops of a lost device that could not be run again: came back ERROR */
	uint64_t nb_misordered; /* completions found out of order */
	uint64_t nb_foreign;    /* ops a device handed back that it was not given; dropped */
	uint64_t nb_polls;
	uint64_t nb_polls_busy; /* polls that moved at least one op */
	uint64_t nb_sleeps;
	uint64_t busy_cycles;
	uint64_t idle_cycles;
	uint64_t bytes; /* of symmetric data, submitted */
};

enum plx_fallback_reason {
	PLX_FALLBACK_CAPABILITY, /* the first device has no session for it */
	PLX_FALLBACK_REFUSED,
	PLX_FALLBACK_STALLED,
	PLX_FALLBACK_DOWN, /* blocked, lost or stopped */
};

/* What there is to do for an engine, given to its runner. */
struct plx_engine_work {
	void *engine;
	uint32_t engine_id;
	/* Work until the runner is told to stop; sleeps when idle. Returns 0. */
	int (*loop)(void *engine);
	/* Or one step at a time, one thread at a time; true when it moved something. Never waits.
	 */
	bool (*step)(void *engine);
};

/*
 * Who runs an engine that EAL's worker lcores do not: a thread of the caller's calls loop() once,
 * or something that comes by again and again (a service) calls step(). start() is called when the
 * group starts or the engine joins a running group, stop() after the engine was told to end: it
 * returns when loop() has returned, or when no step() runs or will run.
 */
struct plx_engine_runner {
	size_t size;   /* sizeof(struct plx_engine_runner) */
	int socket_id; /* NUMA node it runs on; -1: any */
	int (*start)(void *ctx, const struct plx_engine_work *work, struct plx_err *err);
	void (*stop)(void *ctx);
	void *ctx;
};

struct plx_engine_info {
	uint32_t id;
	uint32_t lcore_id; /* PLX_ENGINE_ANY_LCORE for an inline engine and one with a runner */
	int socket_id;
	bool is_running;
	bool is_inline;
	uint32_t nb_lanes;
	uint32_t nb_inflight;
	uint32_t nb_devs;
	char devs[PLX_ENGINE_DEVS][64]; /* names, in order */
	uint16_t qps[PLX_ENGINE_DEVS];
	uint32_t dev_inflight[PLX_ENGINE_DEVS];
	struct plx_engine_stats stats;
};

/**
 * Fill @p params with the defaults named at each field.
 *
 * @par Thread    Any.
 * @par Ownership @p params is the caller's.
 * @par Errors    None.
 */
void plx_engines_params_default(struct plx_engines_params *params);

/**
 * Make a group without engines and without devices.
 *
 * @return 0; -EINVAL with the field, the value and the range.
 * @par Thread    Control.
 * @par Ownership The registry @p devs must outlive the group; plx_engines_destroy() frees the
 * group.
 * @par Errors    -EINVAL, -ENOMEM.
 */
int plx_engines_create(struct plx_devices *devs, const struct plx_engines_params *params,
		       struct plx_engines **out, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Stop and free all engines. Ports must be destroyed first.
 *
 * @par Thread    Control.
 * @par Ownership Frees @p es; NULL is taken.
 * @par Errors    None.
 */
void plx_engines_destroy(struct plx_engines *es);

/**
 * Change what is marked live; the rest of @p params must equal what is in force.
 *
 * @return 0; -EINVAL with the field, the value and the range, or for mode pipeline when ports
 * follow the group and there is no engine; -EAGAIN, -ENOMEM. Nothing is changed then.
 * @par Thread    Control; traffic may run. A port takes the new mode or policy when its ops of the
 * old way are back, so order in a session holds across the change.
 * @par Ownership @p params is copied.
 * @par Errors    -EINVAL, -EAGAIN, -ENOMEM.
 */
int plx_engines_set(struct plx_engines *es, const struct plx_engines_params *params,
		    struct plx_err *err) PLX_MUST_CHECK;
void plx_engines_get(const struct plx_engines *es, struct plx_engines_params *params);

/**
 * Put a device at the end of the ordered set (primary first) of the group and of each engine.
 *
 * @return 0; -EEXIST, -ENOSPC, -EAGAIN (no queue pair free for one of the engines).
 * @par Thread    Control; traffic may run.
 * @par Ownership The group holds the device till plx_engines_device_remove().
 * @par Errors    As above; nothing is changed on failure.
 */
int plx_engines_device_add(struct plx_engines *es, struct plx_device *dev, struct plx_err *err)
	PLX_MUST_CHECK;

/**
 * Take a device out: no new ops at once, running ones end (or, after timeout_us, the device is
 * given up and they are run elsewhere), then its queue pairs are free.
 *
 * @return 0; -ENOENT when the group does not hold it.
 * @par Thread    Control; traffic may run.
 * @par Ownership The device is the registry's again.
 * @par Errors    -ENOENT.
 */
int plx_engines_device_remove(struct plx_engines *es, struct plx_device *dev, uint32_t timeout_us,
			      struct plx_err *err) PLX_MUST_CHECK;

/**
 * Block a device (no new ops) or let it take ops again.
 *
 * @return 0; -ENOENT when the group does not hold it, -EPERM when it is lost or stopped.
 * @par Thread    Control; traffic may run.
 * @par Ownership Unchanged.
 * @par Errors    -ENOENT, -EPERM.
 */
int plx_engines_device_block(struct plx_engines *es, struct plx_device *dev, bool block,
			     struct plx_err *err) PLX_MUST_CHECK;

/**
 * Add an engine on a worker lcore of EAL and, when the group runs, launch it. Ports get a lane to
 * it.
 *
 * @param lcore_id The lcore, or PLX_ENGINE_ANY_LCORE for the first worker lcore without an engine.
 * @param id       Number of the engine goes here; numbers are not reused.
 * @return 0; -EBUSY (lcore taken), -ENOSPC (no lcore left), -EAGAIN (no queue pair free on a
 * device).
 * @par Thread    Control; traffic may run.
 * @par Ownership The group's.
 * @par Errors    As above with a sentence; nothing is changed on failure.
 */
int plx_engines_engine_add(struct plx_engines *es, uint32_t lcore_id, uint32_t *id,
			   struct plx_err *err) PLX_MUST_CHECK;

/**
 * Add an engine that @p runner runs instead of a worker lcore; the rest as
 * plx_engines_engine_add().
 *
 * @param runner Copied.
 * @param id     Number of the engine goes here; numbers are not reused.
 * @return 0; -EINVAL (runner); what start() answered; -EAGAIN (no queue pair free on a device).
 * @par Thread    Control; traffic may run.
 * @par Ownership The engine is the group's; what runner->ctx points to stays the caller's and must
 * outlive the engine.
 * @par Errors    As above with a sentence; nothing is changed on failure.
 */
int plx_engines_engine_add_runner(struct plx_engines *es, const struct plx_engine_runner *runner,
				  uint32_t *id, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Remove an engine: no port sends to it any more, what it has it finishes, then its lcore and queue
 * pairs are free.
 *
 * @param timeout_us How long it may take to finish; after that -ETIMEDOUT and the engine takes ops
 * again.
 * @return 0; -ENOENT; -EBUSY when it is the last engine and a port in pipeline mode lives;
 * -ETIMEDOUT.
 * @par Thread    Control; traffic may run.
 * @par Ownership The engine is gone on success.
 * @par Errors    As above.
 */
int plx_engines_engine_remove(struct plx_engines *es, uint32_t id, uint32_t timeout_us,
			      struct plx_err *err) PLX_MUST_CHECK;

/**
 * Launch, or stop, all engines on their lcores or by their runners. Stopped engines keep what lies
 * in their lanes.
 *
 * @return 0; -EBUSY when an lcore is taken by something else; what a runner answered.
 * @par Thread    Control; on the main lcore when there are engines on worker lcores.
 * @par Ownership Unchanged.
 * @par Errors    -EBUSY, or the runner's.
 */
int plx_engines_start(struct plx_engines *es, struct plx_err *err) PLX_MUST_CHECK;
void plx_engines_stop(struct plx_engines *es);
bool plx_engines_is_running(const struct plx_engines *es);

/**
 * Housekeeping that is not for the data path: stops devices that were given up so that their ops
 * can be run elsewhere. Call it every few milliseconds.
 *
 * @return true when something was done.
 * @par Thread    Control.
 * @par Ownership Unchanged.
 * @par Errors    None.
 */
bool plx_engines_tick(struct plx_engines *es);

/**
 * Step, once and in the caller's thread, each engine that nobody runs: what is left in a stopped
 * group is finished this way.
 *
 * @par Thread    Control.
 * @par Ownership Unchanged.
 * @par Errors    None.
 */
void plx_engines_help(struct plx_engines *es);

/**
 * Fill @p info for the engine at or after *@p pos in id order (start with 0); *@p pos moves past
 * it.
 *
 * @return false at the end.
 * @par Thread    Control; traffic may run.
 * @par Ownership @p info is the caller's.
 * @par Errors    None.
 */
bool plx_engines_next(struct plx_engines *es, uint32_t *pos, struct plx_engine_info *info);

/**
 * Latency from the front's enqueue to the engine's completion, in TSC cycles, added into @p out: of
 * one engine, of those that are no more (PLX_ENGINE_GONE), or of all, these among them
 * (PLX_ENGINE_ANY).
 *
 * @return 0; -ENOENT.
 * @par Thread    Control; traffic may run.
 * @par Ownership @p out is the caller's and must have been reset or filled by plx_hist_ functions.
 * @par Errors    -ENOENT.
 */
#define PLX_ENGINE_ANY  UINT32_MAX
#define PLX_ENGINE_GONE (UINT32_MAX - 1)
int plx_engines_latency(struct plx_engines *es, uint32_t id, struct plx_hist *out) PLX_MUST_CHECK;

/**
 * Counters of one engine, the sum of those that are no more (PLX_ENGINE_GONE: engines removed,
 * inline engines of ports destroyed), or of all, these among them (PLX_ENGINE_ANY).
 *
 * @return 0; -ENOENT.
 * @par Thread    Control; traffic may run.
 * @par Ownership @p out is the caller's and untouched on failure.
 * @par Errors    -ENOENT.
 */
int plx_engines_stats(struct plx_engines *es, uint32_t id, struct plx_engine_stats *out)
	PLX_MUST_CHECK;

/**
 * Start counting from zero in all engines (what stats and latency return is the difference since).
 *
 * @par Thread    Control; traffic may run.
 * @par Ownership Unchanged.
 * @par Errors    None.
 */
void plx_engines_clear_stats(struct plx_engines *es);

/**
 * Names of modes, policies and classes as the configuration spells them ("round-robin"); the find
 * functions return 0, or -1 for a class, when the name is unknown.
 *
 * @par Thread    Any.
 * @par Ownership The library's, for ever.
 * @par Errors    "?".
 */
const char *plx_mode_name(enum plx_mode mode);
const char *plx_policy_name(enum plx_policy policy);
const char *plx_class_name(enum plx_class cls);
int plx_mode_find(const char *name);
int plx_policy_find(const char *name);
int plx_class_find(const char *name);

#ifdef __cplusplus
}
#endif

#endif
