/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef DEVICE_PRIV_H
#define DEVICE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <rte_cryptodev.h>
#include <rte_log.h>
#include <rte_mempool.h>

#include "plx_device.h"

/*
 * What the files of lib/device share. All of it belongs to the control thread; the parts lcores
 * read are struct plx_device's health and struct plx_session's slots.
 */

#define DEVICE_SESS_POOLS_MAX 8  /* chunks a session pool grows by */
#define DEVICE_CHAIN_MAX      4  /* xforms in a chain */
#define DEVICE_DESC_MIN       64 /* fewer descriptors than this are not worth a queue pair */

extern int device_logtype;

#define DEVICE_LOG(level, fmt, ...)                                                                \
	rte_log(RTE_LOG_##level, (uint32_t)device_logtype, "plx.device: " fmt "\n", ##__VA_ARGS__)

/* Facts about a driver that its capabilities do not tell. */
struct device_quirk {
	const char *driver;
	bool is_wrapper;      /* devices behind it: sessions are for this one device */
	bool is_sess_per_dev; /* symmetric sessions keep contexts by queue pair id of one device */
	bool asym_single_qp;  /* asymmetric sessions keep one working context */
	bool checks_length; /* a length that is no multiple of the block is refused, not computed */
	bool hmac_needs_data;   /* an HMAC op of no bytes spoils its queue pair */
	bool chains_broken;     /* data in chained mbufs must not reach it */
	uint32_t rsa_paddings;  /* set of 1 << enum rte_crypto_rsa_padding_type */
	const char *ring_names; /* device id, queue pair id: rings the driver forgets when it is
				   removed */
};

/* Driver sessions of one kind for one domain: chunks of a mempool, added as they are needed. */
struct device_sess_pool {
	struct rte_mempool *mp[DEVICE_SESS_POOLS_MAX];
	uint32_t nb_mp;
	uint32_t chunk;   /* sessions a chunk */
	uint32_t nb_left; /* that may still be added */
};

/* Devices that can use each other's sessions. */
struct device_domain {
	uint32_t nb_devs; /* 0: unused */
	bool is_private;  /* for one device only */
	uint8_t driver_id;
	int socket_id;
	uint32_t sym_bytes; /* the driver's private part of a session; 0: no such sessions */
	uint32_t asym_bytes;
	struct device_sess_pool sym;
	struct device_sess_pool asym;
};

struct device {
	struct plx_device pub;
	struct plx_devices *devs;
	const struct device_quirk *quirk;
	uint64_t qps_taken[PLX_DEVICE_QPS_MAX / 64];
	char bus_name[64];   /* of the rte_device: vdev name or PCI address */
	bool is_probed_ours; /* PCI function that plx_devices_add() probed */
};

struct device_sess {
	struct plx_session pub;
	TAILQ_ENTRY(device_sess) link;
	void *secret; /* the copy of the xform: one of the next two points into it */
	struct rte_crypto_sym_xform *sym;
	struct rte_crypto_asym_xform *asym;
};

struct plx_devices {
	uint16_t nb_qps;
	uint16_t nb_desc;
	uint32_t nb_sessions;
	struct device *devs[PLX_DEVICES_MAX];
	struct device_domain doms[PLX_SESS_DOMS_MAX];
	bool slots_taken[PLX_SESS_SLOTS_MAX];
	TAILQ_HEAD(device_sess_list, device_sess) sessions;
	uint64_t last_sess_id;
};

static inline struct device *
device_of(struct plx_device *pub)
{
	return (struct device *)pub; /* first member */
}

/* quirk.c */
const struct device_quirk *device_quirk_find(const char *driver);

/* device.c */
int device_setup(struct device *d, struct plx_err *err);
void device_halt(struct device *d);
bool device_is_held(const struct device *d);

/* registry.c */
int device_take(struct plx_devices *devs, uint8_t dev_id, struct device **out, struct plx_err *err);
void device_forget(struct device *d);
bool device_is_inner(const char *name);

/* hotplug.c: what is needed of a device after it was forgotten */
struct device_unplug {
	char name[64];
	char bus_name[64];
	struct rte_device *rte_dev;
	const char *ring_names;
	uint8_t dev_id;
	uint16_t nb_qps;
	bool is_vdev; /* destroy the vdev */
	bool is_pci;  /* take the function from its driver */
};
void device_unplug_prepare(const struct device *d, struct device_unplug *unplug);
int device_unplug(const struct device_unplug *unplug, struct plx_err *err);

/* domain.c: a device joins after it was configured, since session sizes may depend on its queue
 * pairs */
int device_domain_join(struct device *d, struct plx_err *err);
void device_domain_leave(struct device *d);
struct device *device_domain_dev(struct plx_devices *devs, uint32_t dom_idx);
/* 0; -ENOSPC (the pool is at its limit), -ENOMEM, else the driver's refusal */
int device_domain_sess_new(struct plx_devices *devs, uint32_t dom_idx, struct device_sess *s,
			   void **out);
void device_domain_sess_free(struct plx_devices *devs, uint32_t dom_idx, bool is_asym, void *sess);

/* session.c */
int device_sessions_extend(struct plx_devices *devs, uint32_t dom_idx, struct plx_err *err);
void device_sessions_withdraw(struct plx_devices *devs, uint32_t dom_idx);
int device_sessions_slot_fill(struct device *d, uint16_t qp_id, struct plx_err *err);
void device_sessions_slot_clear(struct device *d, uint16_t qp_id);

/* xform.c: deep copies in one piece of secret memory */
int device_xform_copy_sym(const struct rte_crypto_sym_xform *xform, void **secret,
			  struct rte_crypto_sym_xform **out, struct plx_err *err);
int device_xform_copy_asym(const struct rte_crypto_asym_xform *xform, void **secret,
			   struct rte_crypto_asym_xform **out, struct plx_err *err);
uint16_t device_xform_block(const struct rte_crypto_sym_xform *xform);
bool device_xform_keeps_source(const struct rte_crypto_sym_xform *xform);
/* Is one of the chain an HMAC? */
bool device_xform_has_hmac(const struct rte_crypto_sym_xform *xform);

/* compat.c: what differs between DPDK versions */
#define DEVICE_ASYM_FIELDS_MAX 16
int device_asym_fields(struct rte_crypto_asym_xform *xform,
		       rte_crypto_param *fields[DEVICE_ASYM_FIELDS_MAX]);
int device_asym_padding(const struct rte_crypto_asym_xform *xform);
const char *device_cipher_name(enum rte_crypto_cipher_algorithm algo);
const char *device_auth_name(enum rte_crypto_auth_algorithm algo);
const char *device_aead_name(enum rte_crypto_aead_algorithm algo);
const char *device_asym_name(enum rte_crypto_asym_xform_type type);

/* cap_sym.c, cap_asym.c: by the capability array alone; the sentence has no device name in front */
int device_cap_sym(const struct device *d, const struct rte_crypto_sym_xform *xform,
		   struct plx_err *err);
int device_cap_asym(const struct device *d, const struct rte_crypto_asym_xform *xform,
		    struct plx_err *err);
int device_cap_asym_spec(const struct device *d, const struct plx_alg_spec *spec, enum plx_op op,
			 struct plx_err *err);
bool device_range_has(const struct rte_crypto_param_range *range, uint32_t value);
const char *device_range_text(const struct rte_crypto_param_range *range, char *buf, size_t len);
const char *device_errno_name(int code);

#endif
