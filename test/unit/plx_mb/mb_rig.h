/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef MB_RIG_H
#define MB_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <rte_cryptodev.h>

/* One crypto_plx_mb in this process, and ops on it. */

#define RIG_DESC 64u

/* Start EAL; once a program. */
void rig_eal(const char *name);

struct mb_calls;

/* The multi-buffer calls of devices made after this; NULL: what the device finds. */
void rig_calls(const struct mb_calls *calls);

/* Can this machine make the calls of eight by crypto_mb? */
bool rig_has_library(void);

/* Make the device with these arguments (NULL: none), nb_qps queue pairs of RIG_DESC descriptors,
 * and start it. */
void rig_up(const char *args, uint16_t nb_qps);
void rig_down(void);

/* For cmocka: a device with one queue pair that makes no calls of eight, makes the fakes', or those
 * of crypto_mb where rig_has_library(); and its end, which holds that fakes were called with eight
 * lanes. */
int rig_setup_one(void **state);
int rig_setup_eight(void **state);
int rig_setup_library(void **state);
int rig_teardown(void **state);
int rig_teardown_eight(void **state);
uint8_t rig_dev(void);

/* A session, or NULL when the driver refuses the transform, with the errno in *why (may be NULL).
 */
void *rig_asym_session(struct rte_crypto_asym_xform *xform, int *why);
void rig_asym_session_free(void *session);

/* An op of its own with the session attached, zeroed but for that. */
struct rte_crypto_op *rig_asym_op(void *session);
void rig_op_free(struct rte_crypto_op *op);

/* Enqueue all on a queue pair, poll until all are back, in any order; false when they are not in
 * time. */
bool rig_run(uint16_t qp, struct rte_crypto_op **ops, unsigned int nb);
/* One op on queue pair 0: its status. */
int rig_do(struct rte_crypto_op *op);
/* From now on rig_do() sends seven more of the same with it, which write to the same places, so
 * that they fill a call of eight; all have to end alike. */
void rig_fill_calls(bool fill);

/* A big-endian number of a key: bytes of its own, freed with free(). */
struct rig_num {
	uint8_t bytes[1024];
	size_t len;
};

void rig_num_get(const EVP_PKEY *pkey, const char *param, struct rig_num *out);

static inline rte_crypto_param
rig_param(const void *bytes, size_t len)
{
	rte_crypto_param p = { .length = len };

	memcpy(&p.data, &bytes, sizeof(p.data));
	return p;
}

#define RIG_PARAM(num) rig_param((num).bytes, (num).len)

#endif
