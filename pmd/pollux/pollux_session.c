/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"
#include "pollux_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * The program's sessions: each names a session of lib/device, which holds one for each kind of
 * device behind. That one knows the program's session (front), so that an op finds its way back.
 */

unsigned int
pollux_sym_session_size(struct rte_cryptodev *cryptodev)
{
	(void)cryptodev;
	return sizeof(struct pollux_sess);
}

unsigned int
pollux_asym_session_size(struct rte_cryptodev *cryptodev)
{
	/* of one that has no such operations as well: a device that has them may join */
	(void)cryptodev;
	return sizeof(struct pollux_sess);
}

/* The private part need not be aligned. */
static void
priv_write(void *priv, struct plx_session *sess, struct pollux_sess_node *node)
{
	struct pollux_sess s = { sess, node };

	memcpy(priv, &s, sizeof(s));
}

static int
session_new(struct pollux_dev *dev, const struct rte_crypto_sym_xform *sym,
	    const struct rte_crypto_asym_xform *asym, void *front, void *priv)
{
	struct pollux_sess_node *node = calloc(1, sizeof(*node));
	struct rte_crypto_sym_xform chain[POLLUX_CHAIN_MAX];
	struct plx_err err = { "" };
	int ret;

	if (node == NULL)
		return -ENOMEM;
	pthread_mutex_lock(&dev->control);
	if (sym != NULL)
		ret = plx_session_create_sym(dev->devs, pollux_caps_clean(dev, sym, chain),
					     &node->sess, &err);
	else
		ret = plx_session_create_asym(dev->devs, asym, &node->sess, &err);
	if (ret == 0) {
		node->sess->front = front;
		LIST_INSERT_HEAD(&dev->sessions, node, next);
		priv_write(priv, node->sess, node);
	}
	pthread_mutex_unlock(&dev->control);
	if (ret == 0)
		return 0;
	/* programs try what a device can do: not an error */
	POLLUX_LOG(INFO, "%s: no session: %s", dev->cryptodev->data->name, err.text);
	free(node);
	return ret;
}

static void
session_end(struct pollux_dev *dev, void *priv)
{
	struct pollux_sess s;

	memcpy(&s, priv, sizeof(s));
	if (s.node == NULL)
		return;
	pthread_mutex_lock(&dev->control);
	LIST_REMOVE(s.node, next);
	plx_session_destroy(dev->devs, s.sess);
	pthread_mutex_unlock(&dev->control);
	free(s.node);
	memset(priv, 0, sizeof(s));
}

int
pollux_sym_session_configure(struct rte_cryptodev *cryptodev, struct rte_crypto_sym_xform *xform,
			     struct rte_cryptodev_sym_session *session)
{
	return session_new(pollux_dev_of(cryptodev), xform, NULL, session,
			   PLX_PMD_SYM_PRIV(session));
}

/* A key that is not of the curve's size is none: programs leave what an operation does not need as
 * it was on their stack, and drivers that keep no copy do not mind. */
static void
eddsa_clean(struct rte_crypto_asym_xform *x)
{
#if PLX_PMD_HAS_EDDSA
	size_t bytes = x->ec.curve_id == RTE_CRYPTO_EC_GROUP_ED448 ? 57 : 32;

	if (x->xform_type != RTE_CRYPTO_ASYM_XFORM_EDDSA)
		return;
	if (x->ec.pkey.length != bytes)
		x->ec.pkey.length = 0;
	if (x->ec.q.x.length != bytes)
		x->ec.q.x.length = 0;
	x->ec.q.y.length = 0;
#else
	(void)x;
#endif
}

/* A second transform behind one of Diffie and Hellman's said once which keys to make. The op says
 * it now; drivers do not look at the transform any more, and programs still give it. */
int
pollux_asym_session_configure(struct rte_cryptodev *cryptodev, struct rte_crypto_asym_xform *xform,
			      struct rte_cryptodev_asym_session *session)
{
	struct rte_crypto_asym_xform one = *xform;

	if (one.xform_type == RTE_CRYPTO_ASYM_XFORM_DH)
		one.next = NULL;
	eddsa_clean(&one);
	return session_new(pollux_dev_of(cryptodev), NULL, &one, session,
			   PLX_PMD_ASYM_PRIV(session));
}

void
pollux_sym_session_clear(struct rte_cryptodev *cryptodev, struct rte_cryptodev_sym_session *session)
{
	session_end(pollux_dev_of(cryptodev), PLX_PMD_SYM_PRIV(session));
}

void
pollux_asym_session_clear(struct rte_cryptodev *cryptodev,
			  struct rte_cryptodev_asym_session *session)
{
	session_end(pollux_dev_of(cryptodev), PLX_PMD_ASYM_PRIV(session));
}

uint32_t
pollux_sessions_free(struct pollux_dev *dev)
{
	struct pollux_sess_node *node;
	uint32_t nb = 0;

	while ((node = LIST_FIRST(&dev->sessions)) != NULL) {
		LIST_REMOVE(node, next);
		plx_session_destroy(dev->devs, node->sess);
		free(node);
		nb++;
	}
	return nb;
}
