/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef XVAL_PRIV_H
#define XVAL_PRIV_H

#include <rte_crypto.h>
#include <rte_mbuf.h>

#include "xval.h"

/* One vector in one direction on its way through one path. */

#define XVAL_IV_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))
#define XVAL_ROOM      2048 /* bytes of a job's room: AAD in front, digest behind */
#define XVAL_ROOM_TAG  1792
#define XVAL_CANARY    32 /* bytes behind data and digest that nobody may write */

/* CCM (rte_crypto_sym.h): the nonce begins at byte 1 of the IV, the AAD at byte 18 of its buffer.
 */
#define XVAL_CCM_IV_SKIP  1
#define XVAL_CCM_AAD_SKIP 18

enum xval_shape {
	/*
	 * All of a batch at once. The others have one op in flight: stock crypto_aesni_mb (22.11)
	 * dies of chained GCM data behind an op of another algorithm.
	 */
	XVAL_BURST,
	XVAL_SINGLE,
	XVAL_SPLIT,     /* data in two segments */
	XVAL_SPLIT_OUT, /* from two segments into one other buffer */
	XVAL_SHAPES,
};

struct xval_job {
	const struct xval_vec *vec;
	bool is_forward;
	struct plx_session *session; /* NULL: no device can */
	uint8_t *room;
	const struct plx_device *dev; /* of the last build */
	struct rte_crypto_op *op;
	const char *complaint; /* of the last check, NULL when all was right */
};

/* Build the session; leaves NULL when no device has the sizes, fails the test on anything else. */
void xval_job_session(struct xval *x, struct xval_job *job);

/* Build op and buffers for a path; false when the path's device cannot take this shape. */
bool xval_job_build(struct xval *x, struct xval_job *job, const struct plx_device *dev,
		    enum xval_shape shape);

/* Look at what came back, set complaint, and free op and buffers. */
void xval_job_finish(struct xval_job *job);

#endif
