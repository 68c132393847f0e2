/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef XVAL_H
#define XVAL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <rte_mempool.h>

#include "bed.h"
#include "plx_alg.h"

/*
 * Cross validation of symmetric algorithms: each vector goes through every path of the bed that
 * says it can do it, forward (encrypt, digest, MAC) and backward (decrypt, verify), in bursts, one
 * at a time and with its data in two pieces. Each answer must be the vector's, so all devices'
 * answers are equal.
 */

#define XVAL_DATA_MAX 16384
#define XVAL_AAD_MAX  1024
#define XVAL_IV_MAX   64

enum xval_want {
	XVAL_SUCCESS = 1,
	XVAL_AUTH_FAILED, /* backward only: the tag is wrong, the device must say so */
	XVAL_PADDING_BAD, /* backward only: PKCS#7 padding of the plain text is wrong, or the length
			     is no multiple of the block and the op is refused */
};

struct xval_bytes {
	const uint8_t *data;
	size_t len;
};

struct xval_vec {
	char name[96];
	const struct plx_alg *alg;
	enum xval_want want;
	struct xval_bytes key;
	struct xval_bytes iv;
	struct xval_bytes aad;
	struct xval_bytes plain; /* the message of hashes and MACs */
	struct xval_bytes cipher;
	struct xval_bytes tag;
};

struct xval_counts {
	uint32_t nb_vecs;
	uint32_t nb_ran[BED_PATHS_MAX]; /* vectors that a path took, in either direction */
	uint32_t nb_ops[BED_PATHS_MAX]; /* ops, all directions and shapes */
	uint32_t
		nb_refused[BED_PATHS_MAX]; /* vectors whose sizes the path's device does not have */
};

struct xval {
	struct bed bed;
	struct rte_mempool *ops;
	struct rte_mempool *mbufs;
	uint8_t *rooms; /* of jobs, for AAD and digest */
	uint32_t nb_wrong;
};

/* cmocka group setup and teardown; *state is a struct xval. EAL must run. */
int xval_setup(void **state);
int xval_teardown(void **state);

/* Run vectors; wrong answers are printed and counted in nb_wrong. */
void xval_run(struct xval *x, const struct xval_vec *vecs, size_t nb, struct xval_counts *counts);

/* Print the counts under a title. The test fails on wrong answers, when nothing ran at all though a
 * device claims alg (NULL: any), and when a device that claims alg ran nothing. */
void xval_report(struct xval *x, const char *title, const struct plx_alg *alg,
		 const struct xval_counts *counts);

/* Does the device say it can do the row, with any key size? */
bool xval_claims(const struct plx_device *dev, const struct plx_alg *alg);

#endif
