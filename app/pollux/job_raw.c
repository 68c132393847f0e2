/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "job.h"

/*
 * Raw AES-CTR and AES-CBC, byte for byte what "openssl enc -K ... -iv ..." writes.
 *
 * CTR (NIST SP 800-38A 6.5): a record's counter is the IV plus its offset in blocks, all 128 bits
 * with carry. Drivers differ in how far they carry inside one operation (RFC 3686 counts 32 bits),
 * so a record ends where the low 32 bits run over.
 *
 * CBC (6.2): a record's IV is the last block of ciphertext before it. Decryption knows them all
 * from the file and runs in parallel; encryption has to wait for each, so it is one operation at a
 * time whatever the depth, and inline unless told otherwise: the way to an engine lcore and back
 * would be waited for each time. The padding is PKCS#7 (RFC 5652 6.3), always there.
 *
 * Neither has an integrity check: a wrong key is noticed in CBC by its padding nearly always, in
 * CTR never.
 */

#define BLOCK 16

struct raw {
	struct job *job;
	struct plx_session *sess;
	bool is_ctr;
	bool is_encrypt;
	uint64_t next;    /* offset of the next record */
	uint64_t record;  /* its number */
	uint64_t end;     /* of the data, with padding when we encrypt */
	uint64_t written; /* bytes out, for progress */
	bool is_busy;     /* CBC encryption: a record is under way */
	bool is_ended;
	uint8_t chain[BLOCK]; /* CBC encryption: IV of the next record */
};

/* iv + blocks, big endian */
static void
counter_at(const uint8_t *iv, uint64_t blocks, uint8_t *out)
{
	uint64_t carry = blocks;
	int i;

	for (i = BLOCK - 1; i >= 0; i--) {
		carry += iv[i];
		out[i] = (uint8_t)carry;
		carry >>= 8;
	}
}

/* Bytes until the low 32 bits of the counter run over. */
static uint64_t
bytes_to_wrap(const uint8_t *counter)
{
	uint32_t low = (uint32_t)counter[12] << 24 | (uint32_t)counter[13] << 16 |
		       (uint32_t)counter[14] << 8 | counter[15];

	return (0x100000000ULL - low) * BLOCK;
}

static int
set_iv(struct raw *r, struct pump_slot *slot, struct plx_err *err)
{
	uint8_t *iv = slot->room->iv;

	if (r->is_ctr) {
		counter_at(r->job->iv, slot->offset / BLOCK, iv);
		return 0;
	}
	if (r->is_encrypt || slot->offset == 0) {
		memcpy(iv, r->is_encrypt ? r->chain : r->job->iv, BLOCK);
		return 0;
	}
	return job_in_read(&r->job->in, slot->offset - BLOCK, iv, BLOCK, err);
}

static uint32_t
record_len(const struct raw *r)
{
	uint64_t len = r->end - r->next, wrap;
	uint8_t counter[BLOCK];

	if (len > r->job->record_bytes)
		len = r->job->record_bytes;
	if (r->is_ctr) {
		counter_at(r->job->iv, r->next / BLOCK, counter);
		wrap = bytes_to_wrap(counter);
		len = len > wrap ? wrap : len;
	}
	return (uint32_t)len;
}

static int
raw_fill(void *ctx, struct pump_slot *slot, struct plx_err *err)
{
	struct raw *r = ctx;
	uint8_t *data;
	uint64_t have;
	uint32_t len;
	int ret;

	if (r->is_ended)
		return PUMP_END;
	if (r->is_busy)
		return PUMP_WAIT;

	len = record_len(r);
	pump_slot_reset(slot, r->sess);
	slot->record = r->record++;
	slot->offset = r->next;
	slot->len = len;
	slot->is_last = r->next + len == r->end;
	data = pump_slot_room(slot, len);

	have = r->job->in.size - r->next; /* the rest of the record is padding */
	have = have > len ? len : have;
	ret = job_in_read(&r->job->in, r->next, data, have, err);
	if (ret == 0)
		ret = set_iv(r, slot, err);
	if (ret < 0)
		return ret;
	memset(data + have, (int)(len - have), len - have);

	slot->op->sym->cipher.data.offset = 0;
	slot->op->sym->cipher.data.length = len;
	r->next += len;
	r->is_ended = slot->is_last;
	r->is_busy = r->is_encrypt && !r->is_ctr;
	return PUMP_FILLED;
}

static int
cut_padding(const uint8_t *data, uint32_t *len, struct plx_err *err)
{
	uint32_t pad = data[*len - 1], i, bad = 0;

	if (pad >= 1 && pad <= BLOCK) {
		for (i = 1; i <= pad; i++)
			bad |= data[*len - i] ^ pad;
		if (bad == 0) {
			*len -= pad;
			return 0;
		}
	}
	return plx_err_set(err, -EBADMSG,
			   "the padding is wrong: another key or IV, or a file that was "
			   "damaged or is not AES-CBC");
}

static int
raw_done(void *ctx, struct pump_slot *slot, struct plx_err *err)
{
	const uint8_t *data = pump_slot_out(slot);
	struct raw *r = ctx;
	uint32_t len = slot->len;
	int ret;

	ret = pump_status(slot, err);
	if (ret < 0)
		return ret;
	if (r->is_busy) {
		memcpy(r->chain, data + len - BLOCK, BLOCK);
		r->is_busy = false;
	}
	if (!r->is_encrypt && !r->is_ctr && slot->is_last) {
		ret = cut_padding(data, &len, err);
		if (ret < 0)
			return ret;
	}
	r->written += len;
	return job_out_write(&r->job->out, slot->offset, data, len, err);
}

static void
raw_progress(void *ctx, char *line, size_t len)
{
	const struct raw *r = ctx;

	job_progress_bytes(r->job, r->written, line, len);
}

static int
raw_begin(struct raw *r, struct plx_err *err)
{
	struct job *job = r->job;

	r->is_ctr = strcmp(job->spec.alg->name, "aes-ctr") == 0;
	r->is_encrypt = job->op == PLX_OP_ENCRYPT;
	r->end = job->in.size;
	if (!r->is_ctr && strcmp(job->spec.alg->name, "aes-cbc") != 0)
		return plx_err_set(
			err, -EINVAL,
			"job %s takes aes-ctr, aes-cbc, aes-gcm and chacha20-poly1305, not %s",
			plx_op_name(job->op), job->spec.alg->name);
	if (!r->is_ctr && r->is_encrypt)
		r->end += BLOCK - r->end % BLOCK;
	if (!r->is_ctr && !r->is_encrypt && (r->end == 0 || r->end % BLOCK != 0))
		return plx_err_set(
			err, -EINVAL,
			"%s has %llu bytes; an AES-CBC file has a multiple of 16 and is not empty",
			job->in_path, (unsigned long long)r->end);
	memcpy(r->chain, job->iv, BLOCK);
	r->is_ended = r->end == 0;
	return 0;
}

int
job_raw_run(struct job *job, struct plx_err *err)
{
	struct raw r = { .job = job };
	const struct pump_source source = { raw_fill, raw_done, raw_progress, &r };
	struct pump *pump;
	bool chains;
	int ret;

	ret = raw_begin(&r, err);
	if (ret == 0)
		ret = job_session_get(job, &job->spec, job->op, 0, &r.sess, err);
	if (ret < 0)
		return ret;
	chains = r.is_encrypt && !r.is_ctr;
	ret = job_pump_create(job, chains ? PLX_MODE_INLINE : 0, chains ? 1 : job->depth,
			      job->record_bytes, &pump, err);
	if (ret == 0) {
		ret = job_pump_run(job, pump, &source, r.sess, err);
		if (!pump_destroy(pump))
			return ret;
	}
	job_session_put(job, r.sess);
	return ret;
}
