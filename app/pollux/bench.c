/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>

#include "app.h"
#include "job.h"
#include "plx_key_op.h"

/*
 * The same operation again and again. The key lives in a container made for it, by the keystore's
 * rules as any other; buffers keep whatever the last operation left in them. Operations that need
 * right input to succeed (verifying, AEAD decryption) are not offered.
 */

struct run {
	struct bench *b;
	struct plx_session *sess;
	struct plx_key_rsa rsa;
	uint8_t message[32];
	uint64_t end_tsc;
	uint64_t nb_done;
};

static int
fill_sym(struct run *r, struct pump_slot *slot)
{
	struct rte_crypto_sym_op *sym = slot->op->sym;
	enum plx_alg_kind kind = r->b->spec.alg->kind;

	pump_slot_room(slot, r->b->size);
	memset(slot->room->iv, 0, sizeof(slot->room->iv));
	slot->room->iv[sizeof(slot->room->iv) - 1] = 1;
	if (kind == PLX_ALG_KIND_AEAD) {
		sym->aead.data.length = r->b->size;
		sym->aead.aad.data = slot->room->aad;
		sym->aead.aad.phys_addr = pump_room_iova(slot, slot->room->aad);
		sym->aead.digest.data = slot->room->tag;
		sym->aead.digest.phys_addr = pump_room_iova(slot, slot->room->tag);
	} else if (kind == PLX_ALG_KIND_CIPHER) {
		sym->cipher.data.length = r->b->size;
	} else {
		sym->auth.data.length = r->b->size;
		sym->auth.digest.data = slot->room->tag;
		sym->auth.digest.phys_addr = pump_room_iova(slot, slot->room->tag);
	}
	return 0;
}

static int
bench_fill(void *ctx, struct pump_slot *slot, struct plx_err *err)
{
	struct run *r = ctx;
	struct plx_key_rsa rsa = r->rsa;
	int ret;

	if (rte_get_tsc_cycles() >= r->end_tsc)
		return PUMP_END;
	pump_slot_reset(slot, r->sess);
	slot->record = r->nb_done;
	if (r->b->spec.alg->kind == PLX_ALG_KIND_ASYM) {
		rsa.room = slot->room->rsa;
		rsa.room_iova = pump_room_iova(slot, slot->room->rsa);
		ret = plx_key_rsa_prepare(r->sess, slot->op, &rsa, err);
	} else {
		ret = fill_sym(r, slot);
	}
	return ret < 0 ? ret : PUMP_FILLED;
}

static int
bench_done(void *ctx, struct pump_slot *slot, struct plx_err *err)
{
	struct run *r = ctx;

	r->nb_done++;
	return pump_status(slot, err);
}

static void
bench_progress(void *ctx, char *line, size_t len)
{
	const struct run *r = ctx;
	uint64_t now = rte_get_tsc_cycles();
	double left = now < r->end_tsc ? (double)(r->end_tsc - now) / (double)rte_get_tsc_hz() : 0;

	snprintf(line, len, "bench: %llu operations, %.1f s to go", (unsigned long long)r->nb_done,
		 left);
}

/* Digest, MAC, signature and AEAD of zeros need no preparation; the other direction would. */
static int
check_op(const struct bench *b, struct plx_err *err)
{
	bool wants_input = b->op == PLX_OP_VERIFY ||
			   (b->op == PLX_OP_DECRYPT && b->spec.alg->kind != PLX_ALG_KIND_CIPHER);
	bool other = b->op == PLX_OP_DERIVE || b->op == PLX_OP_RANDOM ||
		     (b->spec.alg->kind == PLX_ALG_KIND_ASYM &&
		      strcmp(b->spec.alg->name, "rsa-pkcs1") != 0);

	if (wants_input || other)
		return plx_err_set(
			err, -ENOTSUP,
			"bench measures encrypt, cipher decrypt, digest, mac and RSA sign; not %s %s",
			b->spec.alg->name, plx_op_name(b->op));
	return 0;
}

static int
run_pump(struct run *r, struct plx_err *err)
{
	const struct pump_source source = { bench_fill, bench_done, bench_progress, r };
	struct bench *b = r->b;
	struct pump_params params = {
		.app = b->app,
		.name = "bench",
		.depth = b->depth,
		.buf_bytes = b->spec.alg->kind == PLX_ALG_KIND_ASYM ? 0 : b->size,
		.cls = b->cls,
		.mode = b->mode,
	};
	uint64_t start;
	struct pump *pump;
	int ret;

	ret = pump_create(&params, &pump, err);
	if (ret < 0)
		return ret;
	start = rte_get_tsc_cycles();
	r->end_tsc = start + rte_get_tsc_hz() * b->duration_us / 1000000;
	ret = pump_run(pump, &source, b->call, err);
	b->cycles = rte_get_tsc_cycles() - start;
	b->nb_ops = pump->nb_done;
	plx_hist_add(&b->latency, &pump->latency);
	snprintf(b->engines, sizeof(b->engines), "%s", pump->engines);
	return pump_destroy(pump) || ret < 0 ? ret : -EIO;
}

/* The control lock is held. */
static int
make_session(struct run *r, const char *container, struct plx_err *err)
{
	struct bench *b = r->b;
	struct plx_key_use use = {
		.size = sizeof(use),
		.spec = &b->spec,
		.op = b->op,
		.iv_offset = (uint16_t)PUMP_IV_OFFSET,
	};
	plx_key_handle key;
	char alg[40];
	int ret;

	ret = plx_container_create(b->app->ks, container, NULL, err);
	if (ret < 0)
		return ret;
	plx_alg_spec_name(&b->spec, alg, sizeof(alg));
	ret = plx_key_generate(b->app->ks, container, "key", alg, &key, err);
	if (ret == 0)
		ret = plx_key_session_get(b->app->ks, key, &use, &r->sess, err);
	return ret;
}

static int
bench_key(struct run *r, struct plx_err *err)
{
	struct bench *b = r->b;
	struct plx_err ignored;
	char container[32];
	int ret;

	snprintf(container, sizeof(container), "bench-%u", atomic_fetch_add(&b->app->next_pump, 1));
	plx_ctl_lock(b->app->ctl);
	ret = make_session(r, container, err);
	plx_ctl_unlock(b->app->ctl);
	if (ret == 0) {
		r->rsa = (struct plx_key_rsa){ .size = sizeof(r->rsa),
					       .hash = plx_alg_find("sha-256"),
					       .in = r->message,
					       .in_bytes = sizeof(r->message) };
		ret = run_pump(r, err);
	}
	plx_ctl_lock(b->app->ctl);
	if (r->sess != NULL)
		plx_key_session_put(b->app->ks, r->sess);
	if (plx_container_remove(b->app->ks, container, &ignored) < 0)
		fprintf(stderr, "pollux: container %s stays: %s\n", container, ignored.text);
	plx_ctl_unlock(b->app->ctl);
	return ret;
}

int
bench_run(struct bench *b, struct plx_err *err)
{
	struct run r = { .b = b };
	int ret;

	ret = check_op(b, err);
	if (ret < 0)
		return ret;
	atomic_fetch_add(&b->app->nb_long, 1);
	if (b->spec.alg->kind == PLX_ALG_KIND_HASH) {
		ret = job_hash_session(b->app, b->spec.alg, &r.sess, err);
		if (ret == 0) {
			ret = run_pump(&r, err);
			job_hash_session_put(b->app, r.sess);
		}
	} else {
		ret = bench_key(&r, err);
	}
	atomic_fetch_sub(&b->app->nb_long, 1);
	return ret;
}
