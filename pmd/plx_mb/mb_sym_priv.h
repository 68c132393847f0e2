/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef MB_SYM_PRIV_H
#define MB_SYM_PRIV_H

/* SHA-1, SHA-2 and CMAC without the EVP layer: 3.0 calls these functions deprecated and offers
 * nothing that can go on from a saved state without allocating memory. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/cmac.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/sha.h>

#include "mb_sym.h"
#include "mb_sym_data.h"
#include "mb_prov.h"
#include "xts/plx_xts.h"

#define MB_QPS_MAX    256u /* queue pairs in this process that may run symmetric ops */
#define MB_SYM_PARKED 16u  /* contexts for synchronous calls that a session keeps */

#define MB_SYM_BOUNCE    65536u /* bytes of a CCM message or XTS data unit in several pieces */
#define MB_SYM_DIGEST    64u    /* bytes of the longest digest */
#define MB_SYM_BLOCK     16u    /* bytes of a block of AES and SM4 */
#define MB_SYM_CCM_SKIP  1u     /* the nonce's place in the IV, rte_crypto_sym.h */
#define MB_SYM_CCM_FRONT 18u    /* the AAD's place in its buffer */
#define MB_SYM_AES_KEY   32u
#define MB_SYM_KEY_MAX   144u /* SHA3-224 takes this much at once */
#define MB_SYM_GCM_NONCE 12u
#define MB_SYM_GCM_SHORT 1024u
#define MB_SYM_STEP      (1u << 30) /* bytes given to OpenSSL at once, whose lengths are int */

enum mb_sym_kind {
	MB_SYM_NONE = 0, /* no session */
	MB_SYM_CIPHER,
	MB_SYM_AUTH,
	MB_SYM_AEAD,
	MB_SYM_CIPHER_AUTH, /* in this order */
	MB_SYM_AUTH_CIPHER,
};

enum mb_sym_mode {
	MB_MODE_BLOCKS = 1, /* CBC, ECB */
	MB_MODE_CTR,
	MB_MODE_XTS,
	MB_MODE_GCM, /* and ChaCha20-Poly1305, which is called in the same way */
	MB_MODE_CCM,
};

enum mb_auth_mode {
	MB_AUTH_SHA = 1, /* SHA-1 and SHA-2 */
	MB_AUTH_SHA_HMAC,
	MB_AUTH_MD, /* SHA-3 and SM3, through a provider */
	MB_AUTH_MD_HMAC,
	MB_AUTH_CMAC,
	MB_AUTH_GMAC,
};

union mb_sha_state {
	SHA_CTX sha1;
	SHA256_CTX sha256;
	SHA512_CTX sha512;
};

struct mb_sha {
	int (*init)(union mb_sha_state *state);
	int (*update)(union mb_sha_state *state, const void *data, size_t len);
	int (*final)(uint8_t *digest, union mb_sha_state *state);
	uint16_t state_bytes;
	uint16_t block_bytes;
	uint16_t digest_bytes;
};

/* A cipher or an AEAD. */
struct mb_sym_cipher {
	enum mb_sym_mode mode;
	bool is_encrypt;
	uint16_t iv_offset; /* in the op */
	uint8_t iv_bytes;
	uint8_t tag_bytes;
	uint16_t aad_bytes;
	uint16_t key_bytes;
	uint32_t unit_bytes; /* XTS: of a data unit; 0: the op is one */
	struct mb_prov_cipher prov;
	OSSL_FUNC_cipher_encrypt_init_fn *init; /* of the direction */
	struct plx_xts_key *xts;                /* NULL: XTS by OpenSSL */
	struct mb_prov_cipher ecb, ctr;         /* for short GCM messages, if ecb.evp is set */
	uint8_t key[PLX_XTS_KEY_256];
};

struct mb_sym_auth {
	enum mb_auth_mode mode;
	bool is_generate;
	uint16_t digest_bytes;
	uint16_t full_bytes; /* before it is cut */
	uint16_t iv_offset;
	uint16_t iv_bytes;
	uint16_t key_bytes;
	uint16_t pad_bytes;
	const struct mb_sha *sha;
	struct mb_prov_md md;
	struct mb_prov_cipher prov; /* CMAC and GMAC */
	/* HMAC: behind the block with the inner and with the outer pad; a hash: at the start */
	union mb_sha_state inner;
	union mb_sha_state outer;
	/* HMAC of SHA-3 and SM3: the blocks themselves */
	uint8_t inner_pad[MB_SYM_KEY_MAX];
	uint8_t outer_pad[MB_SYM_KEY_MAX];
	uint8_t key[MB_SYM_AES_KEY]; /* of CMAC and GMAC */
};

struct mb_sym_gcm;

/* What was made of transforms. Control writes, then all lcores read. */
struct mb_sym_core {
	enum mb_sym_kind kind;
	struct mb_sym_cipher cipher;
	struct mb_sym_auth auth;
};

/* What ops change: owned by whoever runs one. */
struct mb_sym_ctx {
	void *cipher; /* the provider's, as are the next two */
	void *gmac;
	void *md;
	struct mb_sym_gcm *gcm; /* NULL without */
	CMAC_CTX *cmac;
	OSSL_PARAM tag_param[2]; /* the tag, wherever data points to */
	uint8_t *bounce;         /* MB_SYM_BOUNCE bytes; the queue pair's, or its own */
	bool has_own_bounce;
	union mb_sha_state state;
	uint8_t tag[MB_SYM_DIGEST];
};

/* A session's private data. */
struct mb_sym_sess {
	struct mb_sym_core core;
	_Atomic(struct mb_sym_ctx *) parked[MB_SYM_PARKED]; /* that no synchronous call is using */
	struct mb_sym_ctx *ctxs[MB_QPS_MAX]; /* [i]: made and used by the consumer of slot i */
};

/* Of a queue pair. */
struct mb_sym_qp {
	uint32_t slot;
	struct mb_sym_core core; /* of an op without a session, while it runs */
	uint8_t bounce[MB_SYM_BOUNCE];
};

/* An op, or one element of a synchronous call. */
struct mb_sym_job {
	struct mb_data src;
	struct mb_data dst; /* equal to src when is_in_place */
	bool is_in_place;
	uint32_t cipher_off, cipher_len; /* AEAD as well */
	uint32_t auth_off, auth_len;
	const uint8_t *iv;
	const uint8_t *auth_iv;
	const uint8_t *aad;
	uint8_t *digest;
};

/* mb_sym_core.c */
int mb_sym_core_init(struct mb_sym_core *core, const struct rte_crypto_sym_xform *xform,
		     struct plx_err *err);
void mb_sym_core_wipe(struct mb_sym_core *core);

/* AES with a key of so many bytes in a mode as OpenSSL calls it; 0 or -ENOTSUP. */
int mb_sym_aes_find(const char *mode, uint32_t key_bytes, struct mb_prov_cipher *prov);

/* mb_sym_auth_key.c: the hash, the key and the states of an HMAC */
int mb_sym_auth_init(struct mb_sym_auth *auth, const struct rte_crypto_auth_xform *xform,
		     struct plx_err *err);
void mb_sym_auth_wipe(struct mb_sym_auth *auth);

/* mb_sym_ctx.c */
struct mb_sym_ctx *mb_sym_ctx_create(const struct mb_sym_core *core, uint8_t *bounce);
void mb_sym_ctx_free(const struct mb_sym_core *core, struct mb_sym_ctx *ctx);

/* mb_sym_run.c: check the whole job, and only then touch data. */
enum rte_crypto_op_status mb_sym_run(const struct mb_sym_core *core, struct mb_sym_ctx *ctx,
				     const struct mb_sym_job *job);

/* mb_sym_cipher.c; len bytes are there in both, and mb_sym_cipher_len_ok() */
bool mb_sym_cipher_len_ok(const struct mb_sym_cipher *c, const struct mb_place *src,
			  const struct mb_place *dst, uint32_t len);
bool mb_sym_cipher_run(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, const uint8_t *iv,
		       struct mb_place src, struct mb_place dst, uint32_t len);

/* mb_sym_xts.c */
bool mb_sym_xts_run(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx, const uint8_t *iv,
		    struct mb_place src, struct mb_place dst, uint32_t len);

/* mb_sym_aead.c */
enum rte_crypto_op_status mb_sym_aead_run(const struct mb_sym_cipher *c, struct mb_sym_ctx *ctx,
					  const struct mb_sym_job *job);

/* mb_sym_gcm.c: AES-GCM up to MB_SYM_GCM_SHORT bytes with a nonce of MB_SYM_GCM_NONCE */
struct mb_sym_gcm *mb_sym_gcm_create(const struct mb_sym_cipher *c);
void mb_sym_gcm_free(struct mb_sym_gcm *g);
enum rte_crypto_op_status mb_sym_gcm_run(const struct mb_sym_cipher *c, struct mb_sym_gcm *g,
					 const struct mb_sym_job *job, const struct mb_place *src,
					 const struct mb_place *dst);

/* mb_sym_auth.c: the digest, not cut, to ctx->tag */
bool mb_sym_auth_run(const struct mb_sym_auth *a, struct mb_sym_ctx *ctx, const uint8_t *iv,
		     struct mb_place p, uint32_t len);

/* All of len bytes in one piece? */
static inline bool
mb_place_has(const struct mb_place *p, uint32_t len)
{
	return p->left >= len;
}

#endif
