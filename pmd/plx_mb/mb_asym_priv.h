/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef MB_ASYM_PRIV_H
#define MB_ASYM_PRIV_H

/* RSA and EC_KEY take the raw numbers of an op as they are; OpenSSL 3.0 calls them deprecated and
 * offers nothing as direct. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rsa.h>

#include "mb_asym.h"
#include "mb_calls.h"
#include "mb_prov.h"

#define MB_RSA_BITS_MIN 512u
#define MB_RSA_BITS_MAX 8192u
#define MB_RSA_BYTES    (MB_RSA_BITS_MAX / 8)
#define MB_LABEL_BYTES  256u /* of OAEP */
#define MB_MOD_BYTES    (MB_RSA_BITS_MAX / 8)
#define MB_EC_BYTES     66u /* P-521 */
#define MB_EC_WORDS     9u
#define MB_POWER_BYTES  512u /* the longest modulus of a call of eight */
#define MB_POWER_WORDS  (MB_POWER_BYTES / 8)

/*
 * Kinds: ops of one kind take the same time and can share a call, whatever their keys are. A size
 * the multi-buffer library has no code for has the kind of its family's "other".
 */
enum mb_kind {
	MB_RSA_PRIVATE_2048 = 0,
	MB_RSA_PRIVATE_3072,
	MB_RSA_PRIVATE_4096,
	MB_RSA_PRIVATE_OTHER,
	MB_RSA_PUBLIC_2048,
	MB_RSA_PUBLIC_3072,
	MB_RSA_PUBLIC_4096,
	MB_RSA_PUBLIC_OTHER,
	MB_ECDSA_SIGN, /* the three curves, in the order of enum mb_curve */
	MB_ECDSA_VERIFY = MB_ECDSA_SIGN + MB_NB_CURVES,
	MB_ECDH = MB_ECDSA_VERIFY + MB_NB_CURVES, /* scalar times a point, x alone */
	MB_EC_PUBLIC = MB_ECDH + MB_NB_CURVES,    /* scalar times the generator */
	MB_X25519 = MB_EC_PUBLIC + MB_NB_CURVES,
	MB_X25519_PUBLIC,
	MB_EC_POINT, /* scalar times a point, x and y */
	MB_EC_CHECK, /* random scalars, checks of points */
	MB_EDDSA_SIGN,
	MB_EDDSA_VERIFY,
	MB_SM2_SIGN,
	MB_SM2_VERIFY,
	MB_SM2_OTHER,
	MB_MODEXP, /* by the size of the modulus, which may be none of MB_POWER_SIZES */
	MB_DH = MB_MODEXP + MB_POWER_SIZES + 1, /* a power; keys made and checked are "other" */
	MB_MODINV = MB_DH + MB_POWER_SIZES + 1,
	MB_NB_KINDS,
};

struct mb_rsa {
	uint32_t bits, bytes;
	bool has_private;
	bool has_crt;
	bool is_f4; /* the exponent is 65537 */
	uint8_t n_bytes[MB_RSA_BYTES];
	uint8_t rejection_key[32];            /* of implicit rejection, mb_rsa_pad.c */
	RSA *rsa;                             /* control made it; lcores read n and e */
	uint64_t *n, *p, *q, *dp, *dq, *qinv; /* words, for calls of eight; of one block */
	size_t block_bytes;
	RSA *private_of[MB_QPS_MAX]; /* a copy for each queue pair, made by its consumer: the lock
					in an RSA object is no good on a data path */
#if PLX_PMD_RSA_PADDING_IN_SESSION
	struct rte_crypto_rsa_padding padding;
	uint8_t label[MB_LABEL_BYTES];
#endif
};

struct mb_ec {
	bool is_x25519;
	enum mb_curve curve; /* MB_NB_GROUPS: none of them */
	uint32_t bytes;
	/* 23.11 and later: the keys are here and not in ops; as the application gave them */
	uint8_t key[MB_EC_BYTES], x[MB_EC_BYTES], y[MB_EC_BYTES];
	uint32_t key_bytes, x_bytes, y_bytes;
	EVP_PKEY *pkey; /* Ed25519 and SM2 */
	bool has_private;
};

struct mb_mod {
	BIGNUM *modulus;   /* DH: p */
	BIGNUM *exponent;  /* DH: g */
	BN_MONT_CTX *mont; /* of an odd modulus */
	uint32_t bytes;
	unsigned int size;     /* of a call of eight; MB_POWER_SIZES: there is none for this one */
	uint64_t *words;       /* for such a call: the modulus, behind it the exponent or g */
	size_t exponent_words; /* that count */
};

/* Numbers of a lane in a call of powers. */
enum mb_power_number {
	MB_POWER_BASE = 0,
	MB_POWER_EXPONENT,
	MB_POWER_RESULT,
	MB_POWER_NUMBERS,
};

struct mb_asym_sess {
	enum rte_crypto_asym_xform_type type;
	bool makes_pairs; /* DH: a public key without a private one makes both */
	struct mb_rsa *rsa;
	struct mb_ec ec;
	struct mb_mod mod;
};

/* The consumer's part of a queue pair. */
struct mb_asym_qp {
	struct mb_list lists[MB_NB_KINDS];
	uint64_t waiting;                   /* bit k: lists[k] is not empty */
	unsigned int turn;                  /* the kind to look at first */
	uint64_t one_cycles[MB_NB_KINDS];   /* least a single op took so far; 0: none has run */
	uint64_t eight_cycles[MB_NB_KINDS]; /* least a call of eight took */
	uint32_t nb_calls[MB_NB_KINDS];     /* that were not full */
	BN_CTX *bn;
	EVP_MD *sha256;
	HMAC_CTX *hmac; /* of implicit rejection */
	struct mb_prov_exchange x25519;
	EC_GROUP *groups[MB_NB_GROUPS];
	uint8_t orders[MB_NB_GROUPS][MB_EC_BYTES]; /* big-endian of the curve's size */
	EC_KEY *keys[MB_NB_CURVES];
	uint8_t *scratch; /* of calls of eight, 64-byte aligned */
	size_t scratch_bytes;
	uint8_t in[MB_LANES][MB_RSA_BYTES];
	uint8_t out[MB_LANES][MB_RSA_BYTES];
	uint64_t words[MB_LANES][4][MB_EC_WORDS];
	uint64_t powers[MB_LANES][MB_POWER_NUMBERS][MB_POWER_WORDS];
};

static inline struct mb_asym_sess *
mb_asym_sess_of(const struct rte_crypto_op *op)
{
	return *(struct mb_asym_sess **)PLX_PMD_ASYM_PRIV(op->asym->session);
}

/* mb_kind.c: put the op in the list of its kind */
void mb_asym_wait(struct mb_qp *qp, struct rte_crypto_op *op, enum mb_kind kind);

/* mb_bytes.c: numbers of ops */
bool mb_param_ok(const rte_crypto_param *p, size_t max);
/* Big-endian, padded on the left; false when the value does not fit. */
bool mb_param_put(const rte_crypto_param *p, uint8_t *to, size_t len);
void mb_words_from_bytes(uint64_t *words, size_t nb_words, const uint8_t *bytes, size_t len);

/* mb_rsa.c */
int mb_rsa_create(const struct rte_crypto_rsa_xform *xform, struct mb_rsa **out);
void mb_rsa_free(struct mb_rsa *rsa);
/* The kind, or MB_NB_KINDS with the op's status set. */
enum mb_kind mb_rsa_kind(const struct mb_asym_sess *sess, struct rte_crypto_op *op);
void mb_rsa_private_one(struct mb_qp *qp, struct rte_crypto_op *op);
void mb_rsa_public_one(struct mb_qp *qp, struct rte_crypto_op *op);

/* mb_rsa_lanes.c */
void mb_rsa_private_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
			  enum mb_kind kind);
void mb_rsa_public_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
			 enum mb_kind kind);

/* mb_rsa_pad.c: what is around the power. in and out are the modulus' size. */
/* May the op's OAEP label, if it has one, be read? */
bool mb_rsa_label_ok(const struct mb_rsa *rsa, const struct rte_crypto_op *op);
bool mb_rsa_before_private(const struct mb_rsa *rsa, struct rte_crypto_op *op, uint8_t *in);
void mb_rsa_after_private(struct mb_asym_qp *a, const struct mb_rsa *rsa, struct rte_crypto_op *op,
			  const uint8_t *in, uint8_t *out);
bool mb_rsa_before_public(const struct mb_rsa *rsa, struct rte_crypto_op *op, uint8_t *in);
void mb_rsa_after_public(const struct mb_rsa *rsa, struct rte_crypto_op *op, uint8_t *out);

/* mb_ec.c: sessions, the numbers of ops, kinds */
int mb_ec_configure(enum rte_crypto_asym_xform_type type, const struct rte_crypto_ec_xform *xform,
		    struct mb_ec *ec);
enum mb_kind mb_ecdsa_kind(const struct mb_asym_sess *sess, struct rte_crypto_op *op);
enum mb_kind mb_ecdh_kind(const struct mb_asym_sess *sess, struct rte_crypto_op *op);
enum mb_kind mb_ecpm_kind(const struct mb_asym_sess *sess, struct rte_crypto_op *op);
enum mb_kind mb_ecfpm_kind(const struct mb_asym_sess *sess, struct rte_crypto_op *op);
/* A number of the curve's size, big-endian; false sets the op's status. */
bool mb_ec_number(const struct mb_ec *ec, struct rte_crypto_op *op, const rte_crypto_param *p,
		  uint8_t *to);
/* Is a number of the curve's size, big-endian, 1 to the order less 1? In constant time, but for the
 * answer. */
bool mb_ec_is_scalar(const struct mb_asym_qp *a, const struct mb_ec *ec, const uint8_t *bytes);
void mb_ec_ecdsa_key(const struct mb_asym_sess *sess, const struct rte_crypto_op *op,
		     rte_crypto_param *key);
void mb_ec_ecdsa_point(const struct mb_asym_sess *sess, const struct rte_crypto_op *op,
		       struct rte_crypto_ec_point *q);
void mb_ec_ecdh_key(const struct mb_asym_sess *sess, const struct rte_crypto_op *op,
		    rte_crypto_param *key);
void mb_ec_ecdh_point(const struct mb_asym_sess *sess, const struct rte_crypto_op *op,
		      struct rte_crypto_ec_point *q);
/* A number times the generator: that of ECFPM, or a private key; and where the point goes. */
struct rte_crypto_ec_point *mb_ec_public_of(const struct mb_asym_sess *sess,
					    struct rte_crypto_op *op, rte_crypto_param *scalar);
/* The point, if it is on the curve. BNs and point are the caller's. */
bool mb_ec_on_curve(struct mb_qp *qp, const struct mb_ec *ec, const uint8_t *x, const uint8_t *y,
		    EC_POINT *point);

/* mb_ec_one.c */
void mb_ecdsa_sign_one(struct mb_qp *qp, struct rte_crypto_op *op);
void mb_ecdsa_verify_one(struct mb_qp *qp, struct rte_crypto_op *op);
void mb_ecdh_one(struct mb_qp *qp, struct rte_crypto_op *op);
void mb_ec_public_one(struct mb_qp *qp, struct rte_crypto_op *op);
void mb_ec_point_one(struct mb_qp *qp, struct rte_crypto_op *op);
void mb_ec_check_one(struct mb_qp *qp, struct rte_crypto_op *op);

/* mb_ec_lanes.c */
void mb_ecdsa_sign_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
			 enum mb_kind kind);
void mb_ecdsa_verify_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
			   enum mb_kind kind);
void mb_ecdh_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
		   enum mb_kind kind);
void mb_ec_public_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
			enum mb_kind kind);
/* A nonce of the curve's size, big-endian; false: the DRBG failed. */
bool mb_ec_nonce_make(struct mb_asym_qp *a, const struct mb_ec *ec, uint8_t *bytes);

/* mb_x25519.c */
void mb_x25519_one(struct mb_qp *qp, struct rte_crypto_op *op);
void mb_x25519_public_one(struct mb_qp *qp, struct rte_crypto_op *op);
void mb_x25519_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
		     enum mb_kind kind);
void mb_x25519_public_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
			    enum mb_kind kind);

/* mb_eddsa.c, mb_sm2.c: for DPDK that has them */
int mb_eddsa_configure(int curve_id, struct mb_ec *ec);
int mb_sm2_configure(int curve_id, struct mb_ec *ec);
enum mb_kind mb_eddsa_kind(struct rte_crypto_op *op);
void mb_eddsa_one(struct mb_qp *qp, struct rte_crypto_op *op);
enum mb_kind mb_sm2_kind(struct rte_crypto_op *op);
void mb_sm2_one(struct mb_qp *qp, struct rte_crypto_op *op);
/* Has the op all that its kind needs? */
bool mb_sm2_is_sane(const struct mb_ec *ec, const struct rte_crypto_op *op);

/* mb_sm2_lanes.c */
void mb_sm2_sign_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
		       enum mb_kind kind);
void mb_sm2_verify_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
			 enum mb_kind kind);

/* mb_mod.c */
int mb_mod_create(const rte_crypto_param *modulus, const rte_crypto_param *exponent,
		  struct mb_mod *mod);
void mb_mod_free(struct mb_mod *mod);
void mb_modexp_one(struct mb_qp *qp, struct rte_crypto_op *op);
void mb_modinv_one(struct mb_qp *qp, struct rte_crypto_op *op);
void mb_dh_one(struct mb_qp *qp, struct rte_crypto_op *op);
enum mb_kind mb_dh_kind(const struct mb_asym_sess *sess, const struct rte_crypto_op *op);

/* mb_mod_lanes.c */
/* Which call of eight takes a modulus of so many bits; MB_POWER_SIZES: none. */
unsigned int mb_power_size(int bits);
void mb_modexp_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb,
		     enum mb_kind kind);
void mb_dh_eight(struct mb_qp *qp, struct rte_crypto_op **ops, unsigned int nb, enum mb_kind kind);

/* The first bytes of each lane's result: what a lane that failed or was refused leaves there. */
static inline void
mb_results_wipe(struct mb_asym_qp *a, size_t bytes)
{
	for (unsigned int i = 0; i < MB_LANES; i++)
		OPENSSL_cleanse(a->out[i], bytes);
}

static inline void
mb_set(struct rte_crypto_op *op, enum rte_crypto_op_status status)
{
	op->status = (uint8_t)status;
}

#endif
