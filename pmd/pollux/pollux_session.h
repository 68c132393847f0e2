/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_POLLUX_SESSION_H
#define PLX_POLLUX_SESSION_H

#include "pollux_priv.h"

/* The program's sessions, as the cryptodev library asks for them. */

unsigned int pollux_sym_session_size(struct rte_cryptodev *cryptodev);
unsigned int pollux_asym_session_size(struct rte_cryptodev *cryptodev);
int pollux_sym_session_configure(struct rte_cryptodev *cryptodev,
				 struct rte_crypto_sym_xform *xform,
				 struct rte_cryptodev_sym_session *session);
int pollux_asym_session_configure(struct rte_cryptodev *cryptodev,
				  struct rte_crypto_asym_xform *xform,
				  struct rte_cryptodev_asym_session *session);
void pollux_sym_session_clear(struct rte_cryptodev *cryptodev,
			      struct rte_cryptodev_sym_session *session);
void pollux_asym_session_clear(struct rte_cryptodev *cryptodev,
			       struct rte_cryptodev_asym_session *session);

/* Those the program did not free. Returns how many. Under control. */
uint32_t pollux_sessions_free(struct pollux_dev *dev);

#endif
