/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_DEVICE_H
#define PLX_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_crypto.h>

#include "plx_alg.h"
#include "plx_compiler.h"
#include "plx_err.h"
#include "plx_session_fp.h"

/*
 * Devices: every cryptodev that EAL knows, PCI functions and vdevs alike, configured with the queue
 * pairs that engines will take. Control functions are called by one control thread at a time (the
 * caller's lock); what lcores touch is named below.
 *
 * The contract with a queue pair: at most nb_desc - 1 ops in flight, and each length a multiple of
 * plx_session.block_bytes. Who drives the queue pair holds to it; some drivers corrupt data
 * otherwise.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define PLX_DEVICES_MAX    64
#define PLX_DEVICE_QPS_MAX 128

struct plx_devices; /* the registry */

enum plx_health {
	PLX_HEALTH_UP = 1,
	PLX_HEALTH_BLOCKED, /* by the operator: no new ops, running ones end */
	PLX_HEALTH_STALLED, /* ops in flight and no completion for stall_us; leaves by itself */
	PLX_HEALTH_LOST,    /* given up: engines park their queue pairs, control stops the device */
	PLX_HEALTH_STOPPED, /* rte_cryptodev_stop() has returned: the device touches no buffer any
			       more */
};

/* One device. Identity is set before engines see it; health is the one field lcores and control
 * share. */
struct plx_device {
	char name[64];
	char driver[64];
	uint32_t index; /* in the registry, 0..PLX_DEVICES_MAX - 1, not reused while engines hold it
			 */
	uint8_t dev_id; /* cryptodev id */
	uint8_t sess_dom;      /* index into plx_session.dom_sess */
	uint32_t qp_sess_base; /* plx_session_on() takes qp_sess_base + queue pair id */
	bool asym_single_qp;   /* the driver's asymmetric sessions serve one queue pair each (see
				  there) */
	bool checks_length;    /* refuses lengths that are no multiple of the block itself; else the
				  engine must */
	bool hmac_needs_data;  /* an HMAC op of no bytes must not reach it: it answers wrong ever
				  after */
	bool chains_broken;    /* data in chained mbufs must not reach it, whatever its flags say */
	bool is_wrapper;       /* has devices behind it: own session domain */
	bool is_software;      /* no RTE_CRYPTODEV_FF_HW_ACCELERATED */
	bool is_vdev_ours; /* vdev created by plx_devices_add(), destroyed by plx_devices_remove()
			    */
	int socket_id;     /* -1 when the device has no NUMA place */
	uint16_t nb_qps;   /* queue pairs set up */
	uint16_t nb_desc;  /* descriptors a queue pair; at most nb_desc - 1 ops may be in flight */
	uint64_t feature_flags;
	_Atomic uint32_t health;  /* enum plx_health; engines and control write, all read */
	_Atomic uint64_t nb_lost; /* times given up */
};

struct plx_devices_params {
	size_t size;      /* sizeof(struct plx_devices_params) */
	uint16_t nb_qps;  /* queue pairs wanted on each device, 1..PLX_DEVICE_QPS_MAX; capped by the
			   * device.  0: as many as it has, up to PLX_DEVICE_QPS_MAX */
	uint16_t nb_desc; /* descriptors a queue pair, 64..32768, power of two; 0: 2048. A device
			   * that does not take as many gets half, and half again:
			   * plx_device.nb_desc says what it got */
	uint32_t nb_sessions;    /* sessions a domain can hold, 1..1048576, taken from memory in
				  * eighths as they    are needed; 0: 4096 */
	const char *const *skip; /* NULL-terminated names of cryptodevs to leave alone (workers of a
				  * scheduler, devices of another user); NULL: none. Names that end
				  * in ".inner" belong to a wrapper and are always left alone */
	bool start_empty; /* take over none: plx_devices_take() and plx_devices_add() bring them */
};

/**
 * Take over all cryptodevs EAL has found: configure, set up queue pairs on their NUMA nodes, start.
 *
 * @param params NULL for defaults; copied.
 * @param out    The registry; untouched on failure.
 * @return 0 or negative errno with a sentence in @p err. No device at all is not an error; one that
 * cannot be set up is, and the sentence names it (skip leaves it out).
 * @par Thread    Control.
 * @par Ownership The caller destroys the registry with plx_devices_destroy(), after the engines.
 * @par Errors    -EINVAL (params), -ENOMEM, or what the driver answered (the sentence names it).
 */
int plx_devices_create(const struct plx_devices_params *params, struct plx_devices **out,
		       struct plx_err *err) PLX_MUST_CHECK;

/**
 * Stop all devices, free sessions' pools, remove the devices that plx_devices_add() created.
 *
 * @par Thread    Control; no engine may hold a queue pair and no session may live.
 * @par Ownership Frees @p devs; NULL is taken.
 * @par Errors    None; a driver that refuses to stop is logged.
 */
void plx_devices_destroy(struct plx_devices *devs);

/**
 * Add a device while running. @p spec is the name of a cryptodev EAL knows and the registry does
 * not, a vdev string ("crypto_openssl1,max_nb_queue_pairs=4"), or a PCI address ("0000:3d:01.0"). A
 * PCI function with several cryptodevs in it (symmetric, asymmetric) adds them all. Existing
 * sessions get their counterpart on the new device where it can do them.
 *
 * @param out The device, the first one of several; untouched on failure. NULL is taken.
 * @return 0 or negative errno with a sentence; nothing is changed on failure.
 * @par Thread    Control.
 * @par Ownership The registry keeps the device until plx_devices_remove().
 * @par Errors    -EINVAL, -EEXIST, -ENODEV (no driver of that name), -ENOSPC (no session domain, no
 * place in the registry, no session free for it), -ENOMEM, or the driver's.
 */
int plx_devices_add(struct plx_devices *devs, const char *spec, struct plx_device **out,
		    struct plx_err *err) PLX_MUST_CHECK;

/**
 * Put one cryptodev that EAL knows into the registry, whatever its name: how a wrapper takes the
 * devices that belong to it. It is left to EAL, stopped, by plx_devices_remove().
 *
 * @param out The device; untouched on failure.
 * @return 0 or negative errno with a sentence; nothing is changed on failure.
 * @par Thread    Control; nobody else may use the cryptodev.
 * @par Ownership The registry keeps the device until plx_devices_remove().
 * @par Errors    -ENODEV (no cryptodev has this id), -EEXIST (it is in the registry), or as
 * plx_devices_add().
 */
int plx_devices_take(struct plx_devices *devs, uint8_t dev_id, struct plx_device **out,
		     struct plx_err *err) PLX_MUST_CHECK;

/**
 * Stop a device, take its sessions out of every plx_session, and forget it. What plx_devices_add()
 * created is destroyed; other devices stay with EAL, stopped, and can be added again by name.
 *
 * @return 0; -EBUSY while an engine holds one of its queue pairs.
 * @par Thread    Control; take it from the engines first.
 * @par Ownership @p dev is gone, except on -EBUSY and -ENOENT.
 * @par Errors    -EBUSY, -ENOENT (not in this registry), or what the driver answered to its
 * destruction.
 */
int plx_devices_remove(struct plx_devices *devs, struct plx_device *dev, struct plx_err *err)
	PLX_MUST_CHECK;

/**
 * Iterate: the first device at or after *@p pos (start with 0), NULL at the end. *@p pos moves past
 * it.
 *
 * @par Thread    Control.
 * @par Ownership The registry's.
 * @par Errors    None.
 */
struct plx_device *plx_devices_next(struct plx_devices *devs, uint32_t *pos);

/**
 * Find by name.
 *
 * @return The device or NULL.
 * @par Thread    Control.
 * @par Ownership The registry's.
 * @par Errors    NULL only.
 */
struct plx_device *plx_devices_find(struct plx_devices *devs, const char *name);

/**
 * Take a free queue pair of @p dev for one engine; each engine has its own.
 *
 * @return 0; -EAGAIN with a sentence that names the device's limit when none is free.
 * @par Thread    Control.
 * @par Ownership Given back with plx_device_qp_put().
 * @par Errors    -EAGAIN, -EPERM (lost or stopped); -ENOSPC and -ENOMEM when the driver needs a
 * session for each queue pair and there is no room for them.
 */
int plx_device_qp_get(struct plx_device *dev, uint16_t *qp_id, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Give a queue pair back; nothing may be in flight on it.
 *
 * @par Thread    Control.
 * @par Ownership The queue pair is free for the next engine.
 * @par Errors    None.
 */
void plx_device_qp_put(struct plx_device *dev, uint16_t qp_id);

/**
 * Stop a device that was given up (PLX_HEALTH_LOST): after this it touches no buffer. Sets STOPPED.
 *
 * @par Thread    Control, after each engine has parked its queue pair.
 * @par Ownership The device stays in the registry, to be removed or revived.
 * @par Errors    None; health is STOPPED in any case.
 */
void plx_device_stop(struct plx_device *dev);

/**
 * Configure and start a stopped device again; its queue pairs are new ones, nothing is left in
 * them.
 *
 * @return 0, health UP; or the driver's errno, health stays STOPPED. A device that is up is left as
 * it is.
 * @par Thread    Control; no engine holds a queue pair of it.
 * @par Ownership Unchanged.
 * @par Errors    -EBUSY, or what the driver answered.
 */
int plx_device_revive(struct plx_device *dev, struct plx_err *err) PLX_MUST_CHECK;

/**
 * The name of a health ("up", "blocked", "stalled", "lost", "stopped").
 *
 * @par Thread    Any.
 * @par Ownership The library's, for ever.
 * @par Errors    "?".
 */
const char *plx_health_name(enum plx_health health);

/**
 * Can the device do this algorithm with this key size and its default IV and tag sizes, for @p op?
 * Capabilities say more than drivers keep, so a symmetric session is made on trial.
 *
 * @return 0; -ENOTSUP with a sentence naming the field that does not match and the device's range,
 * or the errno by which the driver refused the trial.
 * @par Thread    Control.
 * @par Ownership Nothing is kept.
 * @par Errors    -ENOTSUP.
 */
int plx_device_can(const struct plx_device *dev, const struct plx_alg_spec *spec, enum plx_op op,
		   struct plx_err *err);

/**
 * The same for a transform a front brings: each xform of the chain, key, IV, digest and AAD sizes;
 * RSA's modulus, padding and form of private key. The driver makes a session on trial.
 *
 * @return 0 or -ENOTSUP with a sentence naming the field.
 * @par Thread    Control.
 * @par Ownership Nothing is kept.
 * @par Errors    -ENOTSUP, -EINVAL (a transform that is wrong in itself), -ENOMEM.
 */
int plx_device_can_sym(const struct plx_device *dev, const struct rte_crypto_sym_xform *xform,
		       struct plx_err *err);
int plx_device_can_asym(const struct plx_device *dev, const struct rte_crypto_asym_xform *xform,
			struct plx_err *err);

/**
 * Build a session on every device domain that can do @p xform (a chain for cipher with auth).
 *
 * @return 0; -ENOTSUP when no device can: the sentence names, per device, the field that does not
 * match.
 * @par Thread    Control, never a data lcore.
 * @par Ownership @p xform is copied into secret memory (for devices that come later). The caller
 * frees the session with plx_session_destroy() when no op uses it.
 * @par Errors    -ENOTSUP, -EINVAL (a transform that is wrong in itself), -ENOMEM, -EPERM (memory
 * cannot be locked), -ENOSPC (the pool of nb_sessions is used up).
 */
int plx_session_create_sym(struct plx_devices *devs, const struct rte_crypto_sym_xform *xform,
			   struct plx_session **out, struct plx_err *err) PLX_MUST_CHECK;
int plx_session_create_asym(struct plx_devices *devs, const struct rte_crypto_asym_xform *xform,
			    struct plx_session **out, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Free a session on all devices and wipe the copy of its key.
 *
 * @par Thread    Control; no op in flight may use it.
 * @par Ownership Frees @p s; NULL is taken.
 * @par Errors    None.
 */
void plx_session_destroy(struct plx_devices *devs, struct plx_session *s);

/**
 * Can the session run on this device?
 *
 * @par Thread    Any.
 * @par Ownership Nothing is kept.
 * @par Errors    None.
 */
bool plx_session_runs_on(const struct plx_session *s, const struct plx_device *dev);

#ifdef __cplusplus
}
#endif

#endif
