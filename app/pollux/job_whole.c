/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_memory.h>

#include "app.h"
#include "job.h"
#include "job_view.h"
#include "plx_units.h"

/*
 * Digests and MACs of a file. Cryptodev keeps no hash state from one operation to the next, so the
 * whole file is one operation: a small one in one buffer on any device, a larger one as a chain of
 * buffers on a device that walks chains. The file is read into memory first, and not mapped: a
 * mapped file that somebody cuts short would end the process. Such an operation takes as long as it
 * takes, so it runs inline, in the job's own thread on an engine of its own, and keeps no engine
 * lcore from other work unless mode= asks for it.
 */

#define SEGMENT_BYTES 65024
#define READ_BYTES    (4u << 20)

struct whole {
	struct job *job;
	struct plx_session *sess;
	const struct plx_alg *alg;
	struct rte_mbuf *chain; /* NULL: the slot's own buffer */
	bool is_sent;
};

static int
whole_fill(void *ctx, struct pump_slot *slot, struct plx_err *err)
{
	struct whole *w = ctx;
	uint32_t len = (uint32_t)w->job->in.size;
	struct rte_crypto_sym_op *sym;
	int ret;

	if (w->is_sent)
		return PUMP_END;
	pump_slot_reset(slot, w->sess);
	sym = slot->op->sym;
	if (w->chain != NULL) {
		sym->m_src = w->chain;
	} else {
		ret = job_in_read(&w->job->in, 0, pump_slot_room(slot, len), len, err);
		if (ret < 0)
			return ret;
	}
	sym->auth.data.offset = 0;
	sym->auth.data.length = len;
	sym->auth.digest.data = slot->room->tag;
	sym->auth.digest.phys_addr = pump_room_iova(slot, slot->room->tag);
	w->is_sent = true;
	return PUMP_FILLED;
}

static int
whole_done(void *ctx, struct pump_slot *slot, struct plx_err *err)
{
	struct whole *w = ctx;
	int ret = pump_status(slot, err);

	if (ret < 0)
		return ret;
	w->job->digest_bytes = w->alg->tag_default_bytes;
	memcpy(w->job->digest, slot->room->tag, w->job->digest_bytes);
	return 0;
}

static int
run_whole(struct whole *w, uint32_t buf_bytes, struct plx_err *err)
{
	const struct pump_source source = { whole_fill, whole_done, NULL, w };
	struct pump *pump;
	int ret;

	ret = job_pump_create(w->job, PLX_MODE_INLINE, 1, buf_bytes, &pump, err);
	if (ret < 0)
		return ret;
	ret = job_pump_run(w->job, pump, &source, w->sess, err);
	if (!pump_destroy(pump)) {
		w->job->is_held = true;
		plx_err_prefix(err, "a device holds the operation and the memory of %s still",
			       w->job->in_path);
	}
	return ret;
}

static void
segment_freed(void *addr, void *opaque)
{
	(void)addr;
	(void)opaque;
}

/* mbufs without data of their own, pointing into the file's bytes. */
static struct rte_mbuf *
make_chain(struct rte_mempool *pool, uint8_t *bytes, uint64_t size,
	   struct rte_mbuf_ext_shared_info *shared)
{
	struct rte_mbuf *head = NULL, *last = NULL, *m;
	uint64_t at;
	uint16_t len;

	for (at = 0; at < size; at += len) {
		len = (uint16_t)RTE_MIN(size - at, (uint64_t)SEGMENT_BYTES);
		m = rte_pktmbuf_alloc(pool);
		if (m == NULL)
			break;
		rte_mbuf_ext_refcnt_update(shared, 1);
		rte_pktmbuf_attach_extbuf(m, bytes + at, rte_mem_virt2iova(bytes + at), len,
					  shared);
		m->data_off = 0;
		m->data_len = len;
		if (head == NULL) {
			head = m;
			m->pkt_len = (uint32_t)size;
		} else {
			last->next = m;
			head->nb_segs++;
		}
		last = m;
	}
	if (at < size) {
		rte_pktmbuf_free(head);
		return NULL;
	}
	return head;
}

static int
read_all(struct job *job, uint8_t *bytes, struct plx_err *err)
{
	uint64_t at, hz = rte_get_tsc_hz(), next = rte_get_tsc_cycles() + hz / 5, len;
	char line[160];
	int ret;

	for (at = 0; at < job->in.size; at += len) {
		len = RTE_MIN(job->in.size - at, (uint64_t)READ_BYTES);
		ret = job_in_read(&job->in, at, bytes + at, len, err);
		if (ret < 0)
			return ret;
		if (rte_get_tsc_cycles() < next)
			continue;
		next = rte_get_tsc_cycles() + hz / 5;
		if (atomic_load(&job->app->is_stopping) || job->call->is_cancelled(job->call))
			return plx_err_set(err, -ECANCELED, "interrupted");
		if (job->call->progress != NULL) {
			snprintf(line, sizeof(line), "reading: %.1f of %.1f MB", (double)at / 1e6,
				 (double)job->in.size / 1e6);
			job->call->progress(job->call, line);
		}
	}
	return 0;
}

static int
digest_chain(struct whole *w, uint8_t *bytes, struct plx_err *err)
{
	struct rte_mbuf_ext_shared_info *shared;
	uint64_t nb = (w->job->in.size + SEGMENT_BYTES - 1) / SEGMENT_BYTES;
	struct rte_mempool *pool;
	char name[RTE_MEMPOOL_NAMESIZE];
	int ret;

	ret = read_all(w->job, bytes, err);
	if (ret < 0)
		return ret;
	shared = calloc(1, sizeof(*shared)); /* not on the stack: a device may outlast us */
	if (shared == NULL)
		return plx_err_set(err, -ENOMEM, "no memory");
	shared->free_cb = segment_freed;
	snprintf(name, sizeof(name), "chain_%u", atomic_fetch_add(&w->job->app->next_pump, 1));
	pool = rte_pktmbuf_pool_create(name, (uint32_t)nb, 0, 0, 0, SOCKET_ID_ANY);
	if (pool == NULL) {
		free(shared);
		return plx_err_set(err, -ENOMEM, "no memory for a chain of %llu buffers (%s)",
				   (unsigned long long)nb, rte_strerror(rte_errno));
	}

	rte_mbuf_ext_refcnt_set(shared, 1); /* ours, so that it never comes to zero */
	w->chain = make_chain(pool, bytes, w->job->in.size, shared);
	if (w->chain == NULL)
		ret = plx_err_set(err, -ENOMEM, "no memory for a chain of %llu buffers",
				  (unsigned long long)nb);
	else
		ret = run_whole(w, 0, err);
	if (w->job->is_held)
		return ret;
	rte_pktmbuf_free(w->chain);
	rte_mempool_free(pool);
	free(shared);
	return ret;
}

static int
digest_large(struct whole *w, struct plx_err *err)
{
	uint64_t size = w->job->in.size;
	struct plx_session *full = w->sess;
	uint8_t *bytes;
	int ret;

	if (size > JOB_VIEW_BYTES_MAX)
		return plx_err_set(
			err, -EFBIG,
			"%s has %llu bytes; a digest or MAC is one operation, and that has at most "
			"%llu bytes",
			w->job->in_path, (unsigned long long)size,
			(unsigned long long)JOB_VIEW_BYTES_MAX);
	ret = job_view_get(w->job->app, full, &w->sess, err);
	if (ret < 0)
		return ret;
	bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (bytes == MAP_FAILED) {
		ret = plx_err_set(err, -ENOMEM, "no memory for the %llu bytes of %s",
				  (unsigned long long)size, w->job->in_path);
	} else {
		ret = digest_chain(w, bytes, err);
		if (w->job->is_held) /* given to the device for good: no leak by mistake */
			return ret;
		munmap(bytes, size);
	}
	job_view_put(w->job->app, w->sess);
	w->sess = full;
	return ret;
}

int
job_whole_digest(struct job *job, struct plx_session *sess, const struct plx_alg *alg,
		 struct plx_err *err)
{
	struct whole w = { .job = job, .sess = sess, .alg = alg };

	if (job->in.size <= PUMP_RECORD_MAX)
		return run_whole(&w, PUMP_RECORD_MAX, err);
	return digest_large(&w, err);
}

int
job_hash_session(struct app *app, const struct plx_alg *alg, struct plx_session **out,
		 struct plx_err *err)
{
	struct rte_crypto_sym_xform xform = {
		.type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.auth = {
			.op = RTE_CRYPTO_AUTH_OP_GENERATE,
			.algo = (enum rte_crypto_auth_algorithm)alg->rte_algo,
			.digest_length = alg->tag_default_bytes,
		},
	};
	int ret;

	if (alg->kind != PLX_ALG_KIND_HASH || alg->rte_algo == PLX_ALG_RTE_NONE)
		return plx_err_set(err, -EINVAL, "%s is no hash that a device can be asked for",
				   alg->name);
	plx_ctl_lock(app->ctl);
	ret = plx_session_create_sym(app->devs, &xform, out, err);
	plx_ctl_unlock(app->ctl);
	return ret;
}

void
job_hash_session_put(struct app *app, struct plx_session *s)
{
	plx_ctl_lock(app->ctl);
	plx_session_destroy(app->devs, s);
	plx_ctl_unlock(app->ctl);
}

/* As sha256sum writes it, so that "sha256sum -c" reads it; a MAC has no such program and stands
 * alone. */
static int
write_text(struct job *job, struct plx_err *err)
{
	char hex[2 * JOB_DIGEST_MAX + 1], line[2 * JOB_DIGEST_MAX + PATH_MAX + 8];
	int len;

	plx_hex_encode(job->digest, job->digest_bytes, hex);
	if (job->op == PLX_OP_MAC)
		len = snprintf(line, sizeof(line), "%s\n", hex);
	else
		len = snprintf(line, sizeof(line), "%s  %s\n", hex, job->in_path);
	return job_out_write(&job->out, 0, line, (size_t)len, err);
}

int
job_whole_run(struct job *job, struct plx_err *err)
{
	const struct plx_alg *alg = job->spec.alg;
	struct plx_session *sess;
	int ret;

	if (job->op == PLX_OP_DIGEST)
		ret = job_hash_session(job->app, alg, &sess, err);
	else
		ret = job_session_get(job, &job->spec, PLX_OP_MAC, 0, &sess, err);
	if (ret < 0)
		return ret;
	ret = job_whole_digest(job, sess, alg, err);
	if (job->is_held)
		return ret;
	if (job->op == PLX_OP_DIGEST)
		job_hash_session_put(job->app, sess);
	else
		job_session_put(job, sess);
	if (ret == 0 && job->out_path != NULL)
		ret = write_text(job, err);
	return ret;
}
