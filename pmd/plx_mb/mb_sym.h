/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef MB_SYM_H
#define MB_SYM_H

#include "mb_priv.h"

/*
 * Symmetric ops. A session's private data is read by all lcores and written by none after it was
 * made, but for its contexts: one for each queue pair, which only the lcore that dequeues from that
 * queue pair makes and uses.
 */

extern const struct rte_cryptodev_capabilities mb_sym_caps[];
extern const uint32_t mb_sym_nb_caps;

int mb_sym_qp_create(struct mb_qp *qp);
void mb_sym_qp_free(struct mb_qp *qp);

unsigned int mb_sym_session_size(const struct mb_dev *dev);
int mb_sym_session_configure(struct mb_dev *dev, struct rte_crypto_sym_xform *xform, void *priv);
void mb_sym_session_clear(struct mb_dev *dev, void *priv);

/* Do the op and set its status. Never fails otherwise. */
void mb_sym_process(struct mb_qp *qp, struct rte_crypto_op *op);

/* rte_cryptodev_sym_cpu_crypto_process() */
uint32_t mb_sym_cpu_process(struct rte_cryptodev *cryptodev,
			    struct rte_cryptodev_sym_session *session, union rte_crypto_sym_ofs ofs,
			    struct rte_crypto_sym_vec *vec);

#endif
