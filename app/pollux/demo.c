/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "demo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include <rte_cycles.h>

#include "app.h"
#include "cmd.h"
#include "demo_dir.h"
#include "demo_table.h"
#include "demo_tool.h"
#include "job.h"
#include "plx_secret.h"
#include "plx_units.h"

/*
 * The steps, a row each: a job through the engines, then the same by somebody else's program, then
 * a comparison. Keys are made for the run and thrown away; that is why they may stand in the
 * command lines and files of the programs that check, in a folder of this user's alone. Jobs run in
 * pipeline mode, for the engines are what is shown.
 */

#define CONTAINER "demo"
#define DEPTH     16
#define NB_SIGN   200
#define NB_VERIFY 2000
#define KEY_BYTES 32
#define IV_HEX    "000102030405060708090a0bfffffffe"

struct demo {
	struct app *app;
	struct plx_ctl_call call;
	struct demo_dir dir;
	struct demo_table table;
	const char *file;
	char key_hex[2 * KEY_BYTES + 1];
	struct job *job;
	uint32_t nb_good;
};

static bool
is_cancelled(struct plx_ctl_call *call)
{
	return atomic_load(&((struct app *)call->app)->is_stopping);
}

static int
import(struct demo *d, const char *name, const char *alg, const void *key, struct plx_err *err)
{
	plx_key_handle handle;
	int ret;

	plx_ctl_lock(d->app->ctl);
	ret = plx_key_import(d->app->ks, CONTAINER, name, alg, key, KEY_BYTES, &handle, err);
	plx_ctl_unlock(d->app->ctl);
	return ret;
}

static int
make_keys(struct demo *d, struct plx_err *err)
{
	const char *const genrsa[] = { "openssl",
				       "genpkey",
				       "-quiet",
				       "-algorithm",
				       "RSA",
				       "-pkeyopt",
				       "rsa_keygen_bits:2048",
				       "-out",
				       demo_path(&d->dir, "rsa.pem"),
				       NULL };
	const char *const pub[] = { "openssl",
				    "pkey",
				    "-in",
				    demo_path(&d->dir, "rsa.pem"),
				    "-pubout",
				    "-out",
				    demo_path(&d->dir, "rsa.pub"),
				    NULL };
	uint8_t key[KEY_BYTES];
	plx_key_handle handle;
	int ret;

	if (getrandom(key, sizeof(key), 0) != (ssize_t)sizeof(key))
		return plx_err_set(err, -EIO, "the system gives no random bytes: %s",
				   strerror(errno));
	plx_hex_encode(key, sizeof(key), d->key_hex);
	plx_ctl_lock(d->app->ctl);
	ret = plx_container_create(d->app->ks, CONTAINER, NULL, err);
	plx_ctl_unlock(d->app->ctl);
	if (ret == 0)
		ret = import(d, "aes", "aes-256", key, err);
	if (ret == 0)
		ret = import(d, "mac", "hmac-sha256", key, err);
	plx_wipe(key, sizeof(key));
	if (ret == 0)
		ret = demo_tool(genrsa, NULL, err);
	if (ret == 0)
		ret = demo_tool(pub, NULL, err);
	if (ret < 0)
		return ret;
	plx_ctl_lock(d->app->ctl);
	ret = plx_key_load(d->app->ks, CONTAINER, "rsa", NULL, demo_path(&d->dir, "rsa.pem"),
			   &handle, err);
	plx_ctl_unlock(d->app->ctl);
	return ret;
}

/* What differs from one row's job to the next. */
struct task {
	enum plx_op op;
	const char *alg;
	const char *key; /* NULL: none */
	const char *in;
	const char *out; /* for VERIFY the signature */
};

static int
run_job(struct demo *d, const struct task *t, struct plx_err *err)
{
	struct job *job = d->job;
	bool chains;
	int ret;

	memset(job, 0, sizeof(*job));
	job->app = d->app;
	job->call = &d->call;
	job->op = t->op;
	job->in_path = t->in;
	job->out_path = t->op == PLX_OP_VERIFY ? NULL : t->out;
	job->signature_path = t->op == PLX_OP_VERIFY ? t->out : NULL;
	job->record_bytes = JOB_RECORD_PRESET;
	job->depth = DEPTH;
	job->repeat = t->op == PLX_OP_SIGN ? NB_SIGN : t->op == PLX_OP_VERIFY ? NB_VERIFY : 1;
	job->cls = PLX_CLASS_BULK;
	/* one record at a time gains nothing by a hop */
	chains = t->op == PLX_OP_ENCRYPT && strcmp(t->alg, "aes-256-cbc") == 0;
	job->mode = chains ? PLX_MODE_INLINE : PLX_MODE_PIPELINE;
	job->hash = plx_alg_find("sha-256");
	if (plx_hex_decode(IV_HEX, job->iv, sizeof(job->iv)) < 0)
		return plx_err_set(err, -EINVAL, "IV");
	ret = plx_alg_parse(t->alg, &job->spec, err);
	if (ret == 0 && t->key != NULL) {
		plx_ctl_lock(d->app->ctl);
		ret = plx_key_find(d->app->ks, CONTAINER, t->key, &job->key, err);
		plx_ctl_unlock(d->app->ctl);
	}
	if (ret < 0)
		return ret;
	plx_alg_spec_name(&job->spec, job->alg_name, sizeof(job->alg_name));
	return job_run(job, err);
}

/* "openssl enc" makes the same ciphertext, or reads ours, and the files are equal. */
static int
check_enc(struct demo *d, const char *cipher, const char *ours, bool decrypts, struct plx_err *err)
{
	const char *theirs = demo_path(&d->dir, "openssl.out");
	const char *const enc[] = {
		"openssl", "enc", decrypts ? "-d" : "-e",    cipher, "-K",   d->key_hex, "-iv",
		IV_HEX,    "-in", decrypts ? ours : d->file, "-out", theirs, NULL
	};
	const char *const cmp[] = { "cmp", "-s", theirs, decrypts ? d->file : ours, NULL };
	int ret;

	ret = demo_tool(enc, NULL, err);
	if (ret == 0)
		ret = demo_tool(cmp, NULL, err);
	demo_remove(&d->dir, "openssl.out");
	return ret;
}

static int
check_same(struct demo *d, const char *path, struct plx_err *err)
{
	const char *const cmp[] = { "cmp", "-s", path, d->file, NULL };

	return demo_tool(cmp, NULL, err);
}

static int
check_hex(struct demo *d, const char *const argv[], struct plx_err *err)
{
	char ours[2 * JOB_DIGEST_MAX + 1], out[1024];
	int ret;

	plx_hex_encode(d->job->digest, d->job->digest_bytes, ours);
	ret = demo_tool_text(argv, out, sizeof(out), err);
	if (ret == 0 && strstr(out, ours) == NULL)
		ret = plx_err_set(err, -EBADMSG, "%s has another result", argv[0]);
	return ret;
}

static int
step_ctr(struct demo *d, struct plx_err *err)
{
	int ret = run_job(d,
			  &(struct task){ PLX_OP_ENCRYPT, "aes-256-ctr", "aes", d->file,
					  demo_path(&d->dir, "ctr") },
			  err);

	return ret < 0 ? ret : check_enc(d, "-aes-256-ctr", demo_path(&d->dir, "ctr"), false, err);
}

static int
step_ctr_back(struct demo *d, struct plx_err *err)
{
	int ret = run_job(d,
			  &(struct task){ PLX_OP_DECRYPT, "aes-256-ctr", "aes",
					  demo_path(&d->dir, "ctr"), demo_path(&d->dir, "plain") },
			  err);

	demo_remove(&d->dir, "ctr");
	return ret < 0 ? ret : check_same(d, demo_path(&d->dir, "plain"), err);
}

static int
step_cbc(struct demo *d, struct plx_err *err)
{
	int ret = run_job(d,
			  &(struct task){ PLX_OP_ENCRYPT, "aes-256-cbc", "aes", d->file,
					  demo_path(&d->dir, "cbc") },
			  err);

	return ret < 0 ? ret : check_enc(d, "-aes-256-cbc", demo_path(&d->dir, "cbc"), true, err);
}

static int
step_cbc_back(struct demo *d, struct plx_err *err)
{
	int ret = run_job(d,
			  &(struct task){ PLX_OP_DECRYPT, "aes-256-cbc", "aes",
					  demo_path(&d->dir, "cbc"), demo_path(&d->dir, "plain") },
			  err);

	demo_remove(&d->dir, "cbc");
	return ret < 0 ? ret : check_same(d, demo_path(&d->dir, "plain"), err);
}

static int
step_gcm(struct demo *d, struct plx_err *err)
{
	int ret = run_job(d,
			  &(struct task){ PLX_OP_ENCRYPT, "aes-256-gcm", "aes", d->file,
					  demo_path(&d->dir, "gcm") },
			  err);

	return ret < 0 ? ret
		       : demo_open_sealed(demo_path(&d->dir, "gcm"), d->file, d->key_hex, err);
}

static int
step_gcm_back(struct demo *d, struct plx_err *err)
{
	int ret = run_job(d,
			  &(struct task){ PLX_OP_DECRYPT, "aes-256-gcm", "aes",
					  demo_path(&d->dir, "gcm"), demo_path(&d->dir, "plain") },
			  err);

	demo_remove(&d->dir, "gcm");
	ret = ret < 0 ? ret : check_same(d, demo_path(&d->dir, "plain"), err);
	demo_remove(&d->dir, "plain");
	return ret;
}

static int
step_digest(struct demo *d, struct plx_err *err)
{
	const char *const tool[] = { "sha256sum", d->file, NULL };
	int ret = run_job(d, &(struct task){ PLX_OP_DIGEST, "sha-256", NULL, d->file, NULL }, err);

	return ret < 0 ? ret : check_hex(d, tool, err);
}

static int
step_mac(struct demo *d, struct plx_err *err)
{
	char option[16 + 2 * KEY_BYTES];
	const char *const tool[] = { "openssl", "dgst", "-sha256", "-mac", "HMAC",
				     "-macopt", option, d->file,   NULL };
	int ret =
		run_job(d, &(struct task){ PLX_OP_MAC, "hmac-sha256", "mac", d->file, NULL }, err);

	snprintf(option, sizeof(option), "hexkey:%s", d->key_hex);
	return ret < 0 ? ret : check_hex(d, tool, err);
}

static int
step_sign(struct demo *d, struct plx_err *err)
{
	const char *const tool[] = { "openssl",
				     "dgst",
				     "-sha256",
				     "-verify",
				     demo_path(&d->dir, "rsa.pub"),
				     "-signature",
				     demo_path(&d->dir, "sig"),
				     d->file,
				     NULL };
	int ret = run_job(d,
			  &(struct task){ PLX_OP_SIGN, "rsa-2048", "rsa", d->file,
					  demo_path(&d->dir, "sig") },
			  err);

	return ret < 0 ? ret : demo_tool(tool, "/dev/null", err);
}

/* A signature by OpenSSL is good, and with one bit changed it is not. */
static int
step_verify(struct demo *d, struct plx_err *err)
{
	const char *theirs = demo_path(&d->dir, "openssl.sig");
	const char *const tool[] = {
		"openssl", "dgst", "-sha256", "-sign", demo_path(&d->dir, "rsa.pem"),
		"-out",    theirs, d->file,   NULL
	};
	struct plx_err ignored;
	struct job good;
	int ret;

	ret = demo_tool(tool, NULL, err);
	if (ret == 0)
		ret = run_job(d,
			      &(struct task){ PLX_OP_VERIFY, "rsa-2048", "rsa", d->file, theirs },
			      err);
	if (ret == 0)
		ret = demo_flip_bit(theirs, err);
	if (ret < 0)
		return ret;
	good = *d->job;
	ret = run_job(d, &(struct task){ PLX_OP_VERIFY, "rsa-2048", "rsa", d->file, theirs },
		      &ignored);
	*d->job = good;
	if (ret != -EBADMSG)
		return plx_err_set(err, -EBADMSG,
				   "a signature with one bit changed was not refused");
	return 0;
}

static const struct {
	const char *checked_by;
	int (*run)(struct demo *d, struct plx_err *err);
} steps[] = {
	{ "openssl enc, cmp", step_ctr },       { "cmp", step_ctr_back },
	{ "openssl enc -d, cmp", step_cbc },    { "cmp", step_cbc_back },
	{ "OpenSSL EVP, by record", step_gcm }, { "cmp", step_gcm_back },
	{ "sha256sum", step_digest },           { "openssl dgst -mac", step_mac },
	{ "openssl dgst -verify", step_sign },  { "openssl dgst -sign", step_verify },
};

static int
run_steps(struct demo *d)
{
	struct plx_err err;
	size_t i;
	int ret;

	demo_table_begin(&d->table, d->app->args->is_json);
	for (i = 0; i < PLX_ARRAY_SIZE(steps) && !is_cancelled(&d->call); i++) {
		err.text[0] = '\0';
		ret = steps[i].run(d, &err);
		d->nb_good += ret == 0;
		demo_table_row(&d->table, d->job, steps[i].checked_by, ret == 0 ? NULL : err.text);
	}
	demo_table_end(&d->table);
	return d->nb_good == PLX_ARRAY_SIZE(steps) ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void
forget_keys(struct demo *d)
{
	struct plx_err err;

	plx_ctl_lock(d->app->ctl);
	if (plx_container_remove(d->app->ks, CONTAINER, &err) < 0)
		fprintf(stderr, "pollux: demo: %s\n", err.text);
	plx_ctl_unlock(d->app->ctl);
	plx_wipe(d->key_hex, sizeof(d->key_hex));
}

int
demo_run(struct app *app, const char *file)
{
	struct demo d = { .app = app };
	char found[PATH_MAX];
	struct plx_err err = { "" };
	uint64_t start = rte_get_tsc_cycles();
	int ret;

	d.call = (struct plx_ctl_call){ .app = app, .ctl = app->ctl, .is_cancelled = is_cancelled };
	d.file = file;
	d.job = calloc(1, sizeof(*d.job));
	ret = d.job == NULL ? plx_err_set(&err, -ENOMEM, "no memory") : 0;
	if (ret == 0 && file == NULL) {
		ret = demo_find_file(found, sizeof(found), &err);
		d.file = found;
	}
	if (ret == 0)
		ret = demo_dir_make(&d.dir, d.file, &err);
	if (ret == 0)
		ret = make_keys(&d, &err);
	if (ret == 0) {
		if (!app->args->is_json)
			printf("Pollux %s, file %s\n\n", PLX_VERSION, d.file);
		ret = run_steps(&d);
	} else {
		fprintf(stderr, "pollux: demo: %s\n", err.text);
		ret = EXIT_FAILURE;
	}
	if (!app->args->is_json)
		printf("\n%u of %zu rows checked, %.1f s\n", d.nb_good, PLX_ARRAY_SIZE(steps),
		       (double)(rte_get_tsc_cycles() - start) / (double)rte_get_tsc_hz());
	fflush(stdout);
	if (d.dir.path[0] != '\0') {
		forget_keys(&d);
		demo_dir_remove(&d.dir);
	}
	free(d.job);
	return ret;
}
