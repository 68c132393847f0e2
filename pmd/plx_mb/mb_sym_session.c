/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <string.h>

#include <rte_malloc.h>

#include "mb_sym_priv.h"

#include "plx_secret.h"

/* Sessions, and the symmetric part of queue pairs. A session has a context for each slot. */

int
mb_sym_qp_create(struct mb_qp *qp)
{
	struct mb_sym_qp *sym =
		rte_zmalloc_socket("plx_mb_sym", sizeof(*sym), RTE_CACHE_LINE_SIZE, qp->socket_id);

	if (sym == NULL)
		return -ENOMEM;
	sym->slot = qp->slot;
	qp->sym = sym;
	return 0;
}

void
mb_sym_qp_free(struct mb_qp *qp)
{
	if (qp->sym == NULL)
		return;
	plx_wipe(qp->sym, sizeof(*qp->sym));
	rte_free(qp->sym);
	qp->sym = NULL;
}

unsigned int
mb_sym_session_size(const struct mb_dev *dev)
{
	(void)dev;
	return sizeof(struct mb_sym_sess);
}

/* A context is made on trial: what OpenSSL refuses is refused here and not in an op. Synchronous
 * calls will use it. */
int
mb_sym_session_configure(struct mb_dev *dev, struct rte_crypto_sym_xform *xform, void *priv)
{
	const char *name = dev->cryptodev->data->name;
	struct mb_sym_sess *sess = priv;
	struct plx_err err = { "" };
	struct mb_sym_ctx *ctx;
	int ret;

	memset(sess, 0, sizeof(*sess));
	ret = mb_sym_core_init(&sess->core, xform, &err);
	if (ret < 0) {
		MB_LOG(ERR, "%s: session: %s", name, err.text);
		return ret;
	}
	ctx = mb_sym_ctx_create(&sess->core, NULL);
	if (ctx == NULL) {
		MB_LOG(ERR, "%s: session: no memory, or OpenSSL refuses the key", name);
		mb_sym_core_wipe(&sess->core);
		return -ENOMEM;
	}
	atomic_store_explicit(&sess->parked[0], ctx, memory_order_release);
	return 0;
}

void
mb_sym_session_clear(struct mb_dev *dev, void *priv)
{
	struct mb_sym_sess *sess = priv;

	(void)dev;
	for (uint32_t i = 0; i < MB_SYM_PARKED; i++)
		mb_sym_ctx_free(&sess->core,
				atomic_load_explicit(&sess->parked[i], memory_order_acquire));
	for (uint32_t i = 0; i < MB_QPS_MAX; i++)
		mb_sym_ctx_free(&sess->core, sess->ctxs[i]);
	mb_sym_core_wipe(&sess->core);
	memset(sess, 0, sizeof(*sess));
}
