/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_MB_SYM_RIG_H
#define TEST_MB_SYM_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <rte_crypto.h>
#include <rte_cryptodev.h>
#include <rte_mbuf.h>

#include "plx_alg.h"
#include "reference.h"

/* One crypto_plx_mb in this process, with what symmetric ops need. */

#define SYM_DESC      128u
#define SYM_PRIV      512u /* bytes behind an op: the IV, a second IV */
#define SYM_IV_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))
#define SYM_IV2       (SYM_IV_OFFSET + 256) /* of the authentication in a chain */
#define SYM_PIECE_MAX 60000u                /* bytes of a segment */
#define SYM_IV_MAX    128u

/* How data lies in memory. */
enum sym_shape {
	SYM_ONE = 0,
	SYM_HALVES,
	SYM_CRUMBS, /* pieces of 1, 2, 3, ... bytes, an empty one among them */
	SYM_BLOCKS, /* pieces of 16 bytes and a last one */
	SYM_SHAPES,
};

/* cmocka group setup; the program's name is the EAL's prefix. */
void sym_eal(const char *name);
void sym_up(uint16_t nb_qps);
void sym_down(void);
uint8_t sym_dev(void);

/* A session, or NULL when the driver refuses the transforms. */
void *sym_session_try(struct rte_crypto_sym_xform *xform);
/* A session that has to be there. */
void *sym_session(struct rte_crypto_sym_xform *xform);
void sym_session_free(void *session);

/* A chain with the data (NULL: bytes of 0xa5), and bytes around each piece that nobody may write.
 */
struct rte_mbuf *sym_chain(const uint8_t *data, size_t len, enum sym_shape shape);
/* Its bytes in one piece; false when one around a piece was written. */
bool sym_chain_read(const struct rte_mbuf *m, uint8_t *out);

struct rte_crypto_op *sym_op(void *session);
/* Frees source and destination as well. */
void sym_op_free(struct rte_crypto_op *op);
uint8_t *sym_op_iv(struct rte_crypto_op *op);

/* All of them through a queue pair; they have to come back in order. */
void sym_run(uint16_t qp, struct rte_crypto_op **in, uint16_t nb);
/* One through queue pair 0: its status. */
int sym_do(struct rte_crypto_op *op);

/* The same in every run. */
void sym_random(void *to, size_t len);
uint32_t sym_random_below(uint32_t n);

/* Rows of the table the driver has, and those that are no user's choice (ECB, HMAC-SM3). */
const struct plx_alg *sym_alg(size_t i); /* NULL: no more */
const struct plx_alg *sym_alg_named(const char *name);

/* Sizes of a session, with its key. */
struct sym_spec {
	const struct plx_alg *alg;
	uint8_t key[128];
	uint16_t key_bytes;
	uint16_t iv_bytes;
	uint16_t aad_bytes;
	uint16_t tag_bytes;
	bool is_forward; /* encrypt, generate */
	uint32_t unit_bytes;
};

void sym_xform(const struct sym_spec *spec, struct rte_crypto_sym_xform *x);

/* What OpenSSL makes of a message: cipher (may be NULL for a digest) and tag. */
void sym_reference(const struct sym_spec *spec, const uint8_t *iv, const uint8_t *aad,
		   const uint8_t *msg, size_t len, uint8_t *cipher, uint8_t *tag);

static inline bool
sym_is_auth(const struct plx_alg *alg)
{
	return alg->kind == PLX_ALG_KIND_HASH || alg->kind == PLX_ALG_KIND_MAC;
}

static inline bool
sym_is_ccm(const struct plx_alg *alg)
{
	return strcmp(alg->name, "aes-ccm") == 0;
}

#endif
