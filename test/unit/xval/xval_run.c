/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_malloc.h>

#include "xval_priv.h"

#define BATCH        32
#define NB_POOL      511
#define NB_COMPLAINT 40 /* printed; the rest is only counted */

static const char *const devices[] = { "crypto_openssl0",   "crypto_aesni_mb0",
				       "crypto_aesni_gcm0", "crypto_chacha20_poly1305_0",
				       "crypto_plx_mb0",    NULL };
static const char *const shape_names[] = { "burst", "single", "split", "split out" };

int
xval_setup(void **state)
{
	struct xval *x = calloc(1, sizeof(*x));

	assert_non_null(x);
	*state = x;
	bed_open(&x->bed, devices);
	x->ops = rte_crypto_op_pool_create("xval_ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, NB_POOL, 0,
					   XVAL_IV_MAX, SOCKET_ID_ANY);
	x->mbufs = rte_pktmbuf_pool_create("xval_mbufs", NB_POOL, 0, 0,
					   XVAL_DATA_MAX + RTE_PKTMBUF_HEADROOM, SOCKET_ID_ANY);
	x->rooms = rte_zmalloc("xval_rooms", (size_t)BATCH * XVAL_ROOM, RTE_CACHE_LINE_SIZE);
	assert_non_null(x->ops);
	assert_non_null(x->mbufs);
	assert_non_null(x->rooms);
	return 0;
}

int
xval_teardown(void **state)
{
	struct xval *x = *state;
	bool is_all_back =
		rte_mempool_in_use_count(x->ops) == 0 && rte_mempool_in_use_count(x->mbufs) == 0;

	bed_close(&x->bed);
	rte_mempool_free(x->ops);
	rte_mempool_free(x->mbufs);
	rte_free(x->rooms);
	free(x);
	return is_all_back ? 0 : -1;
}

static void
complain(struct xval *x, const struct xval_job *job, const struct plx_device *dev,
	 enum xval_shape shape)
{
	if (x->nb_wrong++ < NB_COMPLAINT)
		print_error("%s, %s, %s, %s: %s\n", job->vec->name, dev->name,
			    job->is_forward ? "forward" : "backward", shape_names[shape],
			    job->complaint);
}

/* Send what is built, in one burst or one by one, and look at it. */
static void
jobs_send(struct xval *x, struct xval_job **jobs, uint16_t nb, struct bed_path *path,
	  enum xval_shape shape)
{
	struct rte_crypto_op *ops[BATCH];
	uint16_t step = shape == XVAL_BURST ? nb : 1;

	for (uint16_t i = 0; i < nb; i++)
		ops[i] = jobs[i]->op;
	for (uint16_t i = 0; i < nb; i = (uint16_t)(i + step)) {
		if (!bed_run(path, ops + i, step))
			fail_msg("%s: ops did not come back, or not each once", path->dev->name);
	}
	for (uint16_t i = 0; i < nb; i++) {
		xval_job_finish(jobs[i]);
		if (jobs[i]->complaint != NULL)
			complain(x, jobs[i], path->dev, shape);
	}
}

static void
path_run(struct xval *x, struct xval_job *jobs, uint16_t nb, uint32_t path_idx,
	 struct xval_counts *counts)
{
	struct bed_path *path = &x->bed.paths[path_idx];

	for (int shape = 0; shape < XVAL_SHAPES; shape++) {
		struct xval_job *built[BATCH];
		uint16_t nb_built = 0;

		for (uint16_t i = 0; i < nb; i++) {
			struct xval_job *job = &jobs[i];

			if (job->session == NULL || !plx_session_runs_on(job->session, path->dev) ||
			    !xval_job_build(x, job, path->dev, (enum xval_shape)shape))
				continue;
			built[nb_built++] = job;
		}
		if (nb_built == 0)
			continue;
		jobs_send(x, built, nb_built, path, (enum xval_shape)shape);
		counts->nb_ops[path_idx] += nb_built;
	}
}

/* A vector that has to fail has nothing to show forward; a plain hash has no backward. */
static bool
has_direction(const struct xval_vec *v, bool is_forward)
{
	return is_forward ? v->want == XVAL_SUCCESS : v->alg->kind != PLX_ALG_KIND_HASH;
}

static void
batch_run(struct xval *x, const struct xval_vec *vecs, uint16_t nb, bool is_forward,
	  bool ran[BATCH][BED_PATHS_MAX], struct xval_counts *counts)
{
	struct xval_job jobs[BATCH];

	for (uint16_t i = 0; i < nb; i++) {
		jobs[i] = (struct xval_job){
			.vec = &vecs[i],
			.is_forward = is_forward,
			.room = x->rooms + (size_t)i * XVAL_ROOM,
		};
		if (has_direction(&vecs[i], is_forward))
			xval_job_session(x, &jobs[i]);
	}
	for (uint32_t p = 0; p < x->bed.nb_paths; p++) {
		path_run(x, jobs, nb, p, counts);
		for (uint16_t i = 0; i < nb; i++)
			ran[i][p] |= jobs[i].session != NULL &&
				     plx_session_runs_on(jobs[i].session, x->bed.paths[p].dev);
	}
	for (uint16_t i = 0; i < nb; i++)
		plx_session_destroy(x->bed.devs, jobs[i].session);
}

void
xval_run(struct xval *x, const struct xval_vec *vecs, size_t nb, struct xval_counts *counts)
{
	for (size_t at = 0; at < nb; at += BATCH) {
		uint16_t n = (uint16_t)(nb - at < BATCH ? nb - at : BATCH);
		bool ran[BATCH][BED_PATHS_MAX] = { { false } };

		batch_run(x, vecs + at, n, true, ran, counts);
		batch_run(x, vecs + at, n, false, ran, counts);
		for (uint16_t i = 0; i < n; i++) {
			for (uint32_t p = 0; p < x->bed.nb_paths; p++)
				(ran[i][p] ? counts->nb_ran : counts->nb_refused)[p]++;
		}
		counts->nb_vecs += n;
	}
}

bool
xval_claims(const struct plx_device *dev, const struct plx_alg *alg)
{
	enum plx_op op = alg->kind == PLX_ALG_KIND_HASH  ? PLX_OP_DIGEST
			 : alg->kind == PLX_ALG_KIND_MAC ? PLX_OP_MAC
							 : PLX_OP_ENCRYPT;

	for (uint32_t bytes = alg->key.min; bytes <= alg->key.max; bytes++) {
		struct plx_alg_spec spec = { alg, (uint16_t)bytes };

		if (plx_alg_range_has(&alg->key, bytes) &&
		    plx_device_can(dev, &spec, op, NULL) == 0)
			return true;
		if (alg->key.step == 1)
			break; /* HMAC: one size tells */
	}
	return false;
}

void
xval_report(struct xval *x, const char *title, const struct plx_alg *alg,
	    const struct xval_counts *counts)
{
	uint32_t nb_ran = 0, nb_claims = 0;

	print_message("%-28s %5u vectors", title, counts->nb_vecs);
	for (uint32_t p = 0; p < x->bed.nb_paths; p++)
		print_message("  %s %u ran %u ops", x->bed.paths[p].dev->name, counts->nb_ran[p],
			      counts->nb_ops[p]);
	print_message("\n");

	assert_true(counts->nb_vecs > 0);
	assert_int_equal(x->nb_wrong, 0);
	for (uint32_t p = 0; p < x->bed.nb_paths; p++) {
		bool claims = alg == NULL || xval_claims(x->bed.paths[p].dev, alg);

		nb_ran += counts->nb_ran[p];
		nb_claims += claims;
		if (alg != NULL && claims && counts->nb_ran[p] == 0)
			fail_msg("%s claims %s and ran nothing of %s", x->bed.paths[p].dev->name,
				 alg->name, title);
	}
	if (nb_claims > 0 && nb_ran == 0)
		fail_msg("no device ran anything of %s", title);
}
