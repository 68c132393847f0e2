/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>

#include "app.h"

/*
 * A job: one file through the engines. This file has what all kinds share: sessions, the pump,
 * figures, opening and naming files. Which kind runs is decided by operation and algorithm.
 */

int
job_session_get(struct job *job, const struct plx_alg_spec *spec, enum plx_op op,
		uint16_t aad_bytes, struct plx_session **out, struct plx_err *err)
{
	struct plx_key_use use = {
		.size = sizeof(use),
		.spec = spec,
		.op = op,
		.iv_offset = (uint16_t)PUMP_IV_OFFSET,
		.aad_bytes = aad_bytes,
	};
	int ret;

	plx_ctl_lock(job->app->ctl);
	ret = plx_key_session_get(job->app->ks, job->key, &use, out, err);
	plx_ctl_unlock(job->app->ctl);
	return ret;
}

void
job_session_put(struct job *job, struct plx_session *s)
{
	plx_ctl_lock(job->app->ctl);
	plx_key_session_put(job->app->ks, s);
	plx_ctl_unlock(job->app->ctl);
}

int
job_pump_create(struct job *job, enum plx_mode preset, uint32_t depth, uint32_t buf_bytes,
		struct pump **out, struct plx_err *err)
{
	struct pump_params params = {
		.app = job->app,
		.name = "job",
		.depth = depth,
		.buf_bytes = buf_bytes,
		.keeps_source = job->op == PLX_OP_ENCRYPT || job->op == PLX_OP_DECRYPT,
		.cls = job->cls,
		.mode = job->mode != 0 ? job->mode : preset,
	};

	return pump_create(&params, out, err);
}

/* The first device in the engines' order that is up and has the session: where the work goes. */
static void
find_device(struct job *job, const struct plx_session *sess)
{
	const struct plx_device *dev;
	struct plx_engine_info info;
	uint32_t pos = 0, i;

	snprintf(job->device, sizeof(job->device), "none");
	if (!plx_engines_next(job->app->es, &pos, &info))
		return;
	for (i = 0; i < info.nb_devs; i++) {
		dev = plx_devices_find(job->app->devs, info.devs[i]);
		if (dev == NULL || !plx_session_runs_on(sess, dev) ||
		    atomic_load(&dev->health) != PLX_HEALTH_UP)
			continue;
		snprintf(job->device, sizeof(job->device), "%s", dev->name);
		return;
	}
}

int
job_pump_run(struct job *job, struct pump *pump, const struct pump_source *source,
	     const struct plx_session *sess, struct plx_err *err)
{
	uint64_t start = rte_get_tsc_cycles();
	int ret;

	plx_ctl_lock(job->app->ctl);
	find_device(job, sess);
	plx_ctl_unlock(job->app->ctl);

	ret = pump_run(pump, source, job->call, err);
	job->cycles += rte_get_tsc_cycles() - start;
	job->nb_records += pump->nb_done;
	plx_hist_add(&job->latency, &pump->latency);
	snprintf(job->engines, sizeof(job->engines), "%s", pump->engines);
	return ret;
}

void
job_progress_bytes(const struct job *job, uint64_t done, char *line, size_t len)
{
	snprintf(line, len, "%s %s: %.1f of %.1f MB", plx_op_name(job->op), job->alg_name,
		 (double)done / 1e6, (double)job->in.size / 1e6);
}

static int
run_kind(struct job *job, struct plx_err *err)
{
	switch (job->op) {
	case PLX_OP_ENCRYPT:
	case PLX_OP_DECRYPT:
		return job->spec.alg->kind == PLX_ALG_KIND_AEAD ? job_seal_run(job, err)
								: job_raw_run(job, err);
	case PLX_OP_DIGEST:
	case PLX_OP_MAC:
		return job_whole_run(job, err);
	case PLX_OP_SIGN:
	case PLX_OP_VERIFY:
		return job_sign_run(job, err);
	case PLX_OP_DERIVE:
	case PLX_OP_RANDOM:
		break;
	}
	return plx_err_set(err, -EINVAL, "there is no job '%s'", plx_op_name(job->op));
}

int
job_run(struct job *job, struct plx_err *err)
{
	bool writes = job->out_path != NULL && job->op != PLX_OP_VERIFY;
	int ret;

	job->in.fd = -1;
	job->out.fd = -1;
	atomic_fetch_add(&job->app->nb_long, 1);
	ret = job_in_open(&job->in, job->in_path, err);
	if (ret == 0 && writes)
		ret = job_in_is_not(&job->in, job->out_path, err);
	if (ret == 0 && writes)
		ret = job_out_open(&job->out, job->out_path, job->op == PLX_OP_DECRYPT, err);
	if (ret == 0) {
		job->nb_bytes = job->in.size;
		ret = run_kind(job, err);
	}
	if (ret == 0)
		ret = job_in_check(&job->in, err);
	if (ret == 0 && writes)
		ret = job_out_commit(&job->out, job->sync, err);
	job_out_close(&job->out);
	job_in_close(&job->in);
	atomic_fetch_sub(&job->app->nb_long, 1);
	return ret;
}
