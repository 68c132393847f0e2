/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <string.h>

#include <openssl/err.h>
#include <rte_common.h>

#include "mb_sym_priv.h"

#include "plx_ct.h"
#include "plx_secret.h"

/*
 * A job: find all its places, say no to what is not inside the data, and only then begin.
 *
 * In a chain the cipher's region goes from source to destination, and what the authentication reads
 * around it is copied unchanged (rte_crypto_sym.h). Authentication that comes first reads the
 * source, one that comes second the destination.
 *
 * A digest may be encrypted with the data before it: then it belongs to the data, in whatever
 * pieces that is, and is never left in clear.
 */

/* A region of the data; to is the same as from when the op is in place. */
struct region {
	uint32_t off, len;
	struct mb_place from, to;
};

struct chain {
	struct region cipher, auth;
	struct mb_place clear_digest; /* where an encrypted digest is in clear for a while */
	bool is_digest_encrypted;
};

static bool
region_find(const struct mb_sym_job *job, uint32_t off, uint32_t len, struct region *r)
{
	r->off = off;
	r->len = len;
	if (!mb_place_find(&r->from, &job->src, off, len))
		return false;
	if (job->is_in_place) {
		r->to = r->from;
		return true;
	}
	return mb_place_find(&r->to, &job->dst, off, len);
}

/* Copy [begin, end) of the source to the destination; it is known to be there. */
static void
part_copy(const struct mb_sym_job *job, uint32_t begin, uint32_t end)
{
	struct mb_place from, to;

	if (begin < end && mb_place_find(&from, &job->src, begin, end - begin) &&
	    mb_place_find(&to, &job->dst, begin, end - begin))
		mb_place_copy(&to, &from, end - begin);
}

/* What is authenticated and not encrypted. */
static void
around_copy(const struct mb_sym_job *job, const struct chain *c)
{
	uint32_t cipher_end = c->cipher.off + c->cipher.len;
	uint32_t auth_end = c->auth.off + c->auth.len;

	if (job->is_in_place)
		return;
	part_copy(job, c->auth.off, RTE_MIN(auth_end, c->cipher.off));
	part_copy(job, RTE_MAX(c->auth.off, cipher_end), auth_end);
}

/* Hand out the digest in ctx->tag, or compare it with one that is expected. */
static enum rte_crypto_op_status
digest_finish(const struct mb_sym_auth *a, const struct mb_sym_ctx *ctx, uint8_t *digest)
{
	bool is_right;

	if (a->is_generate) {
		memcpy(digest, ctx->tag, a->digest_bytes);
		return RTE_CRYPTO_OP_STATUS_SUCCESS;
	}
	is_right = plx_ct_equal(digest, ctx->tag, a->digest_bytes);
	plx_ct_public(&is_right, sizeof(is_right));
	return is_right ? RTE_CRYPTO_OP_STATUS_SUCCESS : RTE_CRYPTO_OP_STATUS_AUTH_FAILED;
}

static bool
auth_iv_ok(const struct mb_sym_auth *a, const struct mb_sym_job *job)
{
	return a->mode != MB_AUTH_GMAC || job->auth_iv != NULL;
}

static bool
cipher_iv_ok(const struct mb_sym_cipher *c, const struct mb_sym_job *job)
{
	return c->iv_bytes == 0 || job->iv != NULL;
}

static enum rte_crypto_op_status
cipher_job(const struct mb_sym_core *core, struct mb_sym_ctx *ctx, const struct mb_sym_job *job)
{
	const struct mb_sym_cipher *c = &core->cipher;
	struct region r;

	if (unlikely(!region_find(job, job->cipher_off, job->cipher_len, &r) ||
		     !mb_sym_cipher_len_ok(c, &r.from, &r.to, r.len) || !cipher_iv_ok(c, job)))
		return RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	return likely(mb_sym_cipher_run(c, ctx, job->iv, r.from, r.to, r.len))
		       ? RTE_CRYPTO_OP_STATUS_SUCCESS
		       : RTE_CRYPTO_OP_STATUS_ERROR;
}

static enum rte_crypto_op_status
auth_job(const struct mb_sym_core *core, struct mb_sym_ctx *ctx, const struct mb_sym_job *job)
{
	const struct mb_sym_auth *a = &core->auth;
	struct region r;

	if (unlikely(!region_find(job, job->auth_off, job->auth_len, &r) || job->digest == NULL ||
		     !auth_iv_ok(a, job)))
		return RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	if (unlikely(!mb_sym_auth_run(a, ctx, job->auth_iv, r.from, r.len)))
		return RTE_CRYPTO_OP_STATUS_ERROR;
	if (!job->is_in_place)
		mb_place_copy(&r.to, &r.from, r.len);
	return digest_finish(a, ctx, job->digest);
}

/* Is the op's digest the bytes behind the authenticated ones, and does the cipher go over them? */
static bool
digest_place_find(const struct mb_sym_core *core, const struct mb_sym_job *job, struct chain *c)
{
	bool is_auth_first = core->kind == MB_SYM_AUTH_CIPHER;
	uint32_t auth_end = c->auth.off + c->auth.len;
	uint32_t digest_bytes = core->auth.digest_bytes;
	struct mb_place src;

	c->is_digest_encrypted = false;
	if (is_auth_first != core->auth.is_generate || c->cipher.off > auth_end ||
	    c->cipher.off + c->cipher.len <= auth_end)
		return true;
	/* one byte of each is there, since the cipher's region is */
	if (!mb_place_find(&src, &job->src, auth_end, 1) ||
	    !mb_place_find(&c->clear_digest, &job->dst, auth_end, 1))
		return false;
	if (job->digest != c->clear_digest.at && job->digest != src.at)
		return true;
	c->is_digest_encrypted = true;
	return mb_place_find(&c->clear_digest, &job->dst, auth_end, digest_bytes);
}

static bool
chain_find(const struct mb_sym_core *core, const struct mb_sym_job *job, struct chain *c)
{
	return region_find(job, job->cipher_off, job->cipher_len, &c->cipher) &&
	       region_find(job, job->auth_off, job->auth_len, &c->auth) && job->digest != NULL &&
	       mb_sym_cipher_len_ok(&core->cipher, &c->cipher.from, &c->cipher.to, c->cipher.len) &&
	       cipher_iv_ok(&core->cipher, job) && auth_iv_ok(&core->auth, job) &&
	       digest_place_find(core, job, c);
}

static enum rte_crypto_op_status
auth_then_cipher(const struct mb_sym_core *core, struct mb_sym_ctx *ctx,
		 const struct mb_sym_job *job, struct chain *c)
{
	const struct region *cipher = &c->cipher;
	const struct mb_place *from = &cipher->from;
	enum rte_crypto_op_status status;

	if (!mb_sym_auth_run(&core->auth, ctx, job->auth_iv, c->auth.from, c->auth.len))
		return RTE_CRYPTO_OP_STATUS_ERROR;
	if (c->is_digest_encrypted) {
		/* in the destination all in clear, and from there to the same place */
		if (!job->is_in_place)
			part_copy(job, cipher->off, cipher->off + cipher->len);
		mb_place_put(&c->clear_digest, ctx->tag, core->auth.digest_bytes);
		from = &cipher->to;
	} else {
		status = digest_finish(&core->auth, ctx, job->digest);
		if (status != RTE_CRYPTO_OP_STATUS_SUCCESS)
			return status;
	}
	around_copy(job, c);
	return mb_sym_cipher_run(&core->cipher, ctx, job->iv, *from, cipher->to, cipher->len)
		       ? RTE_CRYPTO_OP_STATUS_SUCCESS
		       : RTE_CRYPTO_OP_STATUS_ERROR;
}

static enum rte_crypto_op_status
cipher_then_auth(const struct mb_sym_core *core, struct mb_sym_ctx *ctx,
		 const struct mb_sym_job *job, struct chain *c)
{
	struct region *cipher = &c->cipher;
	uint8_t expected[MB_SYM_DIGEST];
	struct mb_place digest = c->clear_digest;
	enum rte_crypto_op_status status = RTE_CRYPTO_OP_STATUS_ERROR;

	if (!mb_sym_cipher_run(&core->cipher, ctx, job->iv, cipher->from, cipher->to, cipher->len))
		return RTE_CRYPTO_OP_STATUS_ERROR;
	around_copy(job, c);
	if (mb_sym_auth_run(&core->auth, ctx, job->auth_iv, c->auth.to, c->auth.len)) {
		if (c->is_digest_encrypted)
			mb_place_get(&digest, expected, core->auth.digest_bytes);
		status = digest_finish(&core->auth, ctx,
				       c->is_digest_encrypted ? expected : job->digest);
	}
	if (c->is_digest_encrypted)
		mb_place_wipe(&c->clear_digest, core->auth.digest_bytes);
	if (status != RTE_CRYPTO_OP_STATUS_SUCCESS && !core->cipher.is_encrypt)
		mb_place_wipe(&cipher->to, cipher->len);
	return status;
}

static enum rte_crypto_op_status
chain_job(const struct mb_sym_core *core, struct mb_sym_ctx *ctx, const struct mb_sym_job *job)
{
	struct chain c;

	if (!chain_find(core, job, &c))
		return RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
	return core->kind == MB_SYM_AUTH_CIPHER ? auth_then_cipher(core, ctx, job, &c)
						: cipher_then_auth(core, ctx, job, &c);
}

enum rte_crypto_op_status
mb_sym_run(const struct mb_sym_core *core, struct mb_sym_ctx *ctx, const struct mb_sym_job *job)
{
	enum rte_crypto_op_status status;

	switch (core->kind) {
	case MB_SYM_AEAD:
		return mb_sym_aead_run(&core->cipher, ctx, job);
	case MB_SYM_CIPHER:
		status = cipher_job(core, ctx, job);
		break;
	case MB_SYM_AUTH:
		status = auth_job(core, ctx, job);
		break;
	case MB_SYM_CIPHER_AUTH:
	case MB_SYM_AUTH_CIPHER:
		status = chain_job(core, ctx, job);
		break;
	case MB_SYM_NONE:
	default:
		return RTE_CRYPTO_OP_STATUS_INVALID_SESSION;
	}
	if (unlikely(status == RTE_CRYPTO_OP_STATUS_ERROR))
		ERR_clear_error();
	return status;
}
