/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "job.h"
#include "seal_format.h"

/*
 * Encryption and decryption with authentication, in the format of seal_format.h. Records are
 * independent of each other, so all of them go through the engines in parallel, in both directions.
 * A record's plaintext goes into the nameless output only after its tag was right, and the output
 * gets its name only after all of them were.
 */

struct seal {
	struct job *job;
	struct plx_session *sess;
	struct seal_header header;
	bool is_encrypt;
	uint64_t nb_records;
	uint32_t last_bytes; /* of plaintext, in the last record */
	uint64_t next;
	uint64_t written;
};

static uint64_t
plain_offset(const struct seal *s, uint64_t record)
{
	return record * s->header.record_bytes;
}

static uint64_t
sealed_offset(const struct seal *s, uint64_t record)
{
	return SEAL_HEADER_BYTES + record * ((uint64_t)s->header.record_bytes + SEAL_TAG_BYTES);
}

static int
seal_fill(void *ctx, struct pump_slot *slot, struct plx_err *err)
{
	struct seal *s = ctx;
	struct rte_crypto_sym_op *sym;
	struct rte_mbuf *with_tag;
	uint8_t *data;
	int ret;

	if (s->next == s->nb_records)
		return PUMP_END;
	pump_slot_reset(slot, s->sess);
	slot->record = s->next++;
	slot->is_last = s->next == s->nb_records;
	slot->len = slot->is_last ? s->last_bytes : s->header.record_bytes;
	data = pump_slot_room(slot, slot->len + SEAL_TAG_BYTES);
	if (s->is_encrypt)
		ret = job_in_read(&s->job->in, plain_offset(s, slot->record), data, slot->len, err);
	else
		ret = job_in_read(&s->job->in, sealed_offset(s, slot->record), data,
				  slot->len + SEAL_TAG_BYTES, err);
	if (ret < 0)
		return ret;

	seal_record_nonce(&s->header, slot->record, slot->room->iv);
	seal_record_aad(&s->header, slot->record, slot->is_last, slot->room->aad);
	sym = slot->op->sym;
	sym->aead.data.offset = 0;
	sym->aead.data.length = slot->len;
	sym->aead.aad.data = slot->room->aad;
	sym->aead.aad.phys_addr = pump_room_iova(slot, slot->room->aad);
	/* the tag stands behind the ciphertext: read there, or written there */
	with_tag = s->is_encrypt ? slot->out : slot->m;
	sym->aead.digest.data = rte_pktmbuf_mtod_offset(with_tag, uint8_t *, slot->len);
	sym->aead.digest.phys_addr = rte_pktmbuf_iova_offset(with_tag, slot->len);
	return PUMP_FILLED;
}

static int
seal_done(void *ctx, struct pump_slot *slot, struct plx_err *err)
{
	const uint8_t *data = pump_slot_out(slot);
	struct seal *s = ctx;
	int ret;

	ret = pump_status(slot, err);
	if (ret == -EBADMSG)
		return plx_err_set(
			err, ret,
			"record %llu of %llu does not authenticate: another key, or the file was "
			"changed, cut or lengthened",
			(unsigned long long)slot->record + 1, (unsigned long long)s->nb_records);
	if (ret < 0)
		return ret;
	s->written += slot->len;
	if (s->is_encrypt)
		return job_out_write(&s->job->out, sealed_offset(s, slot->record), data,
				     slot->len + SEAL_TAG_BYTES, err);
	return job_out_write(&s->job->out, plain_offset(s, slot->record), data, slot->len, err);
}

static void
seal_progress(void *ctx, char *line, size_t len)
{
	const struct seal *s = ctx;

	job_progress_bytes(s->job, s->written, line, len);
}

static int
begin_encrypt(struct seal *s, struct plx_err *err)
{
	uint64_t size = s->job->in.size;
	int ret;

	ret = seal_header_make(&s->header, &s->job->spec, s->job->record_bytes, err);
	if (ret < 0)
		return ret;
	s->nb_records = seal_nb_records(&s->header, size);
	if (s->nb_records > SEAL_RECORDS_MAX)
		return plx_err_set(err, -EFBIG,
				   "%s needs %llu records of %u bytes; 2^32 are allowed: take a "
				   "larger record=",
				   s->job->in_path, (unsigned long long)s->nb_records,
				   s->header.record_bytes);
	s->last_bytes = (uint32_t)(size - plain_offset(s, s->nb_records - 1));
	return job_out_write(&s->job->out, 0, s->header.bytes, SEAL_HEADER_BYTES, err);
}

static int
begin_decrypt(struct seal *s, struct plx_err *err)
{
	uint8_t bytes[SEAL_HEADER_BYTES];
	struct job *job = s->job;
	int ret;

	if (job->in.size < SEAL_HEADER_BYTES)
		return plx_err_set(err, -EBADMSG, "%s is shorter than a header", job->in_path);
	ret = job_in_read(&job->in, 0, bytes, sizeof(bytes), err);
	if (ret == 0)
		ret = seal_header_parse(&s->header, bytes, err);
	if (ret == 0)
		ret = seal_header_match(&s->header, &job->spec, err);
	if (ret == 0)
		ret = seal_nb_records_sealed(&s->header, job->in.size - SEAL_HEADER_BYTES,
					     &s->nb_records, &s->last_bytes, err);
	if (ret == 0 && s->header.record_bytes > PUMP_RECORD_MAX)
		ret = plx_err_set(err, -ENOTSUP,
				  "its records have %u bytes; this program takes up to %u",
				  s->header.record_bytes, PUMP_RECORD_MAX);
	if (ret < 0)
		plx_err_prefix(err, "%s", job->in_path);
	return ret;
}

int
job_seal_run(struct job *job, struct plx_err *err)
{
	struct seal s = { .job = job, .is_encrypt = job->op == PLX_OP_ENCRYPT };
	const struct pump_source source = { seal_fill, seal_done, seal_progress, &s };
	struct pump *pump;
	int ret;

	ret = s.is_encrypt ? begin_encrypt(&s, err) : begin_decrypt(&s, err);
	if (ret == 0)
		ret = job_session_get(job, &job->spec, job->op, SEAL_AAD_BYTES, &s.sess, err);
	if (ret < 0)
		return ret;
	ret = job_pump_create(job, 0, job->depth, s.header.record_bytes, &pump, err);
	if (ret == 0) {
		ret = job_pump_run(job, pump, &source, s.sess, err);
		if (!pump_destroy(pump))
			return ret;
	}
	job_session_put(job, s.sess);
	return ret;
}
