/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "job.h"
#include "plx_key_op.h"

/*
 * RSA signatures of a file, PKCS#1 v1.5 (RFC 8017 8.2): the digest by one operation, the signature
 * by another. With repeat= the second is done many times, so that its speed can be told from that
 * of the file; the scheme is deterministic, so each result must be the same.
 */

#define SIGNATURE_MAX 1024

struct sign {
	struct job *job;
	struct plx_session *sess;
	uint8_t signature[SIGNATURE_MAX]; /* verify: the one to check; sign: the first result */
	size_t signature_bytes;
	uint32_t nb_sent;
	uint32_t nb_done;
};

static struct plx_key_rsa
rsa_of(const struct sign *s, const struct pump_slot *slot)
{
	struct plx_key_rsa rsa = {
		.size = sizeof(rsa),
		.hash = s->job->hash,
		.in = s->job->digest,
		.in_bytes = s->job->digest_bytes,
		.room = slot->room->rsa,
		.room_iova = pump_room_iova(slot, slot->room->rsa),
	};

	if (s->job->op == PLX_OP_VERIFY) {
		rsa.signature = s->signature;
		rsa.signature_bytes = s->signature_bytes;
	}
	return rsa;
}

static int
sign_fill(void *ctx, struct pump_slot *slot, struct plx_err *err)
{
	struct sign *s = ctx;
	struct plx_key_rsa rsa = rsa_of(s, slot);
	int ret;

	if (s->nb_sent == s->job->repeat)
		return PUMP_END;
	pump_slot_reset(slot, s->sess);
	slot->record = s->nb_sent;
	ret = plx_key_rsa_prepare(s->sess, slot->op, &rsa, err);
	if (ret < 0)
		return ret;
	s->nb_sent++;
	return PUMP_FILLED;
}

static int
sign_done(void *ctx, struct pump_slot *slot, struct plx_err *err)
{
	struct sign *s = ctx;
	struct plx_key_rsa rsa = rsa_of(s, slot);
	const uint8_t *out = NULL;
	size_t out_bytes = 0;
	int ret;

	ret = plx_key_rsa_finish(s->sess, slot->op, &rsa, &out, &out_bytes);
	if (ret == -EBADMSG)
		return plx_err_set(err, ret, "the signature is not one of this file by this key");
	if (ret < 0)
		return slot->op->status != RTE_CRYPTO_OP_STATUS_SUCCESS
			       ? pump_status(slot, err)
			       : plx_err_set(err, ret,
					     "the device gave a signature of a wrong length");
	s->nb_done++;
	if (s->job->op == PLX_OP_VERIFY)
		return 0;
	if (out_bytes == 0 || out_bytes > sizeof(s->signature))
		return plx_err_set(err, -EIO, "the device gave a signature of %zu bytes",
				   out_bytes);
	if (s->nb_done > 1 &&
	    (out_bytes != s->signature_bytes || memcmp(out, s->signature, out_bytes) != 0))
		return plx_err_set(err, -EIO, "two signatures of the same file are different");
	memcpy(s->signature, out, out_bytes);
	s->signature_bytes = out_bytes;
	return 0;
}

static void
sign_progress(void *ctx, char *line, size_t len)
{
	const struct sign *s = ctx;

	snprintf(line, len, "%s %s: %u of %u", plx_op_name(s->job->op), s->job->alg_name,
		 s->nb_done, s->job->repeat);
}

static int
read_signature(struct sign *s, struct plx_err *err)
{
	struct job_in in;
	int ret;

	ret = job_in_open(&in, s->job->signature_path, err);
	if (ret < 0)
		return ret;
	if (in.size == 0 || in.size > sizeof(s->signature)) {
		ret = plx_err_set(err, -EINVAL, "%s has %llu bytes; a signature has 1 to %zu",
				  in.path, (unsigned long long)in.size, sizeof(s->signature));
	} else {
		s->signature_bytes = (size_t)in.size;
		ret = job_in_read(&in, 0, s->signature, s->signature_bytes, err);
	}
	job_in_close(&in);
	return ret;
}

static int
digest_first(struct job *job, struct plx_err *err)
{
	struct plx_session *sess;
	int ret;

	ret = job_hash_session(job->app, job->hash, &sess, err);
	if (ret < 0)
		return ret;
	ret = job_whole_digest(job, sess, job->hash, err);
	if (!job->is_held)
		job_hash_session_put(job->app, sess);
	return ret;
}

static int
run_rsa(struct sign *s, struct plx_err *err)
{
	const struct pump_source source = { sign_fill, sign_done, sign_progress, s };
	struct job *job = s->job;
	struct pump *pump;
	int ret;

	ret = job_session_get(job, &job->spec, job->op, 0, &s->sess, err);
	if (ret < 0)
		return ret;
	if (plx_key_rsa_room(s->sess) > PUMP_RSA_BYTES)
		ret = plx_err_set(err, -EINVAL, "keys of more than %u bits are not taken",
				  PUMP_RSA_BYTES / 2 * 8);
	else
		ret = job_pump_create(job, 0, RTE_MIN(job->depth, job->repeat), 0, &pump, err);
	if (ret == 0) {
		/* the figures are those of the signature, not of the digest before it */
		job->cycles = 0;
		job->nb_records = 0;
		plx_hist_reset(&job->latency);
		ret = job_pump_run(job, pump, &source, s->sess, err);
		if (!pump_destroy(pump))
			return ret;
	}
	job_session_put(job, s->sess);
	return ret;
}

int
job_sign_run(struct job *job, struct plx_err *err)
{
	struct sign s = { .job = job };
	int ret = 0;

	if (strcmp(job->spec.alg->name, "rsa-pkcs1") != 0)
		return plx_err_set(
			err, -ENOTSUP,
			"job %s takes RSA keys with PKCS#1 v1.5, not %s: no software device here has "
			"it",
			plx_op_name(job->op), job->spec.alg->name);
	if (job->op == PLX_OP_VERIFY)
		ret = read_signature(&s, err);
	if (ret == 0)
		ret = digest_first(job, err);
	if (ret == 0)
		ret = run_rsa(&s, err);
	if (ret == 0 && job->op == PLX_OP_SIGN)
		ret = job_out_write(&job->out, 0, s.signature, s.signature_bytes, err);
	return ret;
}
