/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef MB_ASYM_H
#define MB_ASYM_H

#include "mb_priv.h"

/*
 * Asymmetric ops wait in lists by kind: ops of a kind can share a multi-buffer call, whatever their
 * sessions and keys are. A session is read-only once it is made.
 */

extern const struct rte_cryptodev_capabilities mb_asym_caps[];
extern const uint32_t mb_asym_nb_caps;

int mb_asym_qp_create(struct mb_qp *qp);
void mb_asym_qp_free(struct mb_qp *qp);

unsigned int mb_asym_session_size(void);
int mb_asym_session_configure(struct mb_dev *dev, struct rte_crypto_asym_xform *xform, void *priv);
void mb_asym_session_clear(void *priv);

/* Put the op in the list of its kind, or set its status and put it among the done. */
void mb_asym_take(struct mb_qp *qp, struct rte_crypto_op *op);

/* At most one call of one kind, kinds in turn. What was done goes to qp->done. */
void mb_asym_step(struct mb_qp *qp);

#endif
