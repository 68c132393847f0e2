/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef BENCH_ASYM_H
#define BENCH_ASYM_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/evp.h>
#include <rte_cryptodev.h>

/* What the asymmetric benchmark does, once for a device and once for OpenSSL's EVP. */

#define ASYM_INFLIGHT_MAX 32u
#define ASYM_NUM_MAX      512u

enum asym_what {
	ASYM_SIGN = 0,
	ASYM_VERIFY,
	ASYM_DERIVE,
};

struct asym_work {
	const char *name; /* first part of a case */
	const char *type; /* EVP's: RSA, EC, X25519 */
	const char *group;
	uint32_t bits; /* RSA */
	enum asym_what what;
};

struct asym_num {
	uint8_t bytes[ASYM_NUM_MAX];
	size_t len;
};

/* A key, its numbers, and what is done with it. */
struct asym_job {
	const struct asym_work *work;
	EVP_PKEY *key;
	EVP_PKEY *peer; /* ASYM_DERIVE: the other side */
	struct asym_num n, e, p, q, dp, dq, qi;
	struct asym_num d, x, y, peer_x, peer_y;
	uint8_t digest[32];
	uint8_t sig[ASYM_NUM_MAX]; /* EVP's, what is verified: DER for ECDSA */
	size_t sig_len;
	struct asym_num r, s;
	uint8_t secret[ASYM_NUM_MAX]; /* EVP's, what has to come out */
	size_t secret_len;
	EVP_PKEY_CTX *ctx; /* kept, as "openssl speed" keeps it */
};

int asym_job_open(struct asym_job *job, const struct asym_work *work);
void asym_job_close(struct asym_job *job);

/* One op by EVP; false when it fails. */
bool asym_evp(struct asym_job *job);

/* A device with one queue pair, a session on it, and ops. */
struct asym_device {
	const char *name; /* the driver's */
	uint8_t id;
	bool is_up;
	struct rte_mempool *sessions;
	struct rte_mempool *ops_pool;
	void *session;
	struct rte_crypto_op *ops[ASYM_INFLIGHT_MAX];
	uint8_t out[ASYM_INFLIGHT_MAX][2][ASYM_NUM_MAX];
};

/* -ENOTSUP when there is no such driver or it cannot do the work. */
int asym_device_open(struct asym_device *d, const char *driver, const struct asym_job *job);
void asym_device_close(struct asym_device *d, bool with_device);
/* Set an op up again before it is enqueued. */
void asym_device_op(struct asym_device *d, const struct asym_job *job, uint32_t i);
/* Is the result of the op what it has to be? */
bool asym_device_check(struct asym_device *d, struct asym_job *job, uint32_t i);

#endif
