/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "cmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_cycles.h>

#include "app.h"
#include "cmd_job.h"
#include "job.h"
#include "plx_units.h"

/* "job ...": words into a struct job, its results into an answer. */

static int
take_key(struct job *job, struct plx_err *err)
{
	const char *full = plx_ctl_arg(job->call, "key");
	char container[PLX_KEY_NAME_MAX], name[PLX_KEY_NAME_MAX];
	int ret;

	if (full == NULL)
		return plx_err_set(err, -EINVAL,
				   "job %s needs key=CONTAINER/NAME; 'show keys' lists them",
				   plx_op_name(job->op));
	ret = options_key_name(full, container, name, err);
	if (ret < 0)
		return ret;
	plx_ctl_lock(job->app->ctl);
	ret = plx_key_find(job->app->ks, container, name, &job->key, err);
	plx_ctl_unlock(job->app->ctl);
	return ret;
}

/* "aes-ctr" with a 256-bit key means aes-256-ctr; without alg= a signature goes by its key. */
static int
alg_of_key(struct job *job, const char *family, struct plx_err *err)
{
	struct plx_key_info info;
	const struct plx_alg *alg;
	int ret;

	plx_ctl_lock(job->app->ctl);
	ret = plx_key_describe(job->app->ks, job->key, &info, err);
	plx_ctl_unlock(job->app->ctl);
	if (ret < 0)
		return ret;
	if (family == NULL)
		return plx_alg_parse(info.alg, &job->spec, err);
	alg = plx_alg_find(family);
	if (alg == NULL)
		return plx_alg_parse(family, &job->spec, err);
	if ((alg->ops & job->op) == 0)
		return plx_err_set(err, -EINVAL, "%s cannot %s; 'show algorithms' says what it can",
				   family, plx_op_name(job->op));
	job->spec.alg = alg;
	job->spec.key_bytes = (uint16_t)(info.bits / 8);
	if (!plx_alg_range_has(&alg->key, job->spec.key_bytes))
		return plx_err_set(err, -EINVAL, "%s takes no key of %u bits", family, info.bits);
	return 0;
}

static int
take_alg(struct job *job, struct plx_err *err)
{
	const char *text = plx_ctl_arg(job->call, "alg");
	bool signs = job->op == PLX_OP_SIGN || job->op == PLX_OP_VERIFY;
	int ret;

	if (text == NULL && !signs)
		return plx_err_set(err, -EINVAL,
				   "job %s needs alg=, such as %s; 'show algorithms' lists them",
				   plx_op_name(job->op),
				   job->op == PLX_OP_DIGEST ? "sha-256"
				   : job->op == PLX_OP_MAC  ? "hmac-sha256"
							    : "aes-256-gcm");
	if (job->key != PLX_KEY_HANDLE_NONE && (text == NULL || plx_alg_find(text) != NULL))
		ret = alg_of_key(job, text, err);
	else
		ret = plx_alg_parse(text, &job->spec, err);
	if (ret < 0)
		return ret;
	plx_alg_spec_name(&job->spec, job->alg_name, sizeof(job->alg_name));
	if ((job->spec.alg->ops & job->op) == 0)
		return plx_err_set(err, -EINVAL, "%s cannot %s; 'show algorithms' says what it can",
				   job->alg_name, plx_op_name(job->op));
	if (job->spec.alg->iv.min > 0 && job->op == PLX_OP_MAC)
		return plx_err_set(err, -EINVAL,
				   "%s needs a nonce that never repeats; job mac takes hmac-* and "
				   "aes-cmac",
				   job->alg_name);
	return 0;
}

static int
take_hash(struct job *job, struct plx_err *err)
{
	const char *text = plx_ctl_arg(job->call, "hash");
	struct plx_alg_spec spec;
	int ret;

	ret = plx_alg_parse(text != NULL ? text : "sha-256", &spec, err);
	if (ret < 0)
		return ret;
	if (spec.alg->kind != PLX_ALG_KIND_HASH)
		return plx_err_set(err, -EINVAL, "hash=%s is no hash", text);
	job->hash = spec.alg;
	return 0;
}

/* Raw AES: the IV is the caller's, or made and told; the authenticated format has its own nonce. */
static int
take_iv(struct job *job, struct plx_err *err)
{
	const char *text = plx_ctl_arg(job->call, "iv");
	int ret;

	if (job->spec.alg->kind == PLX_ALG_KIND_AEAD) {
		if (text != NULL)
			return plx_err_set(err, -EINVAL,
					   "%s takes no iv=: the file has its nonce in it",
					   job->alg_name);
		return 0;
	}
	if (text == NULL && job->op == PLX_OP_DECRYPT)
		return plx_err_set(err, -EINVAL, "%s needs the iv= it was encrypted with",
				   job->alg_name);
	if (text == NULL) {
		job->has_iv = true;
		if (getentropy(job->iv, sizeof(job->iv)) < 0)
			return plx_err_set(err, -EIO, "the system gives no random bytes: %s",
					   strerror(errno));
		return 0;
	}
	ret = plx_hex_decode(text, job->iv, sizeof(job->iv));
	if (ret != (int)sizeof(job->iv))
		return plx_err_set(err, -EINVAL, "iv=%s is not %zu hexadecimal digits", text,
				   2 * sizeof(job->iv));
	job->has_iv = true;
	return 0;
}

static int
take_shape(struct job *job, struct plx_err *err)
{
	const char *cls = plx_ctl_arg(job->call, "class"), *mode = plx_ctl_arg(job->call, "mode");
	const char *sync = plx_ctl_arg(job->call, "sync");
	uint64_t record;
	int ret, found;

	ret = cmd_arg_size(job->call, "record",
			   (struct cmd_range){ JOB_RECORD_MIN, PUMP_RECORD_MAX, JOB_RECORD_PRESET },
			   &record, err);
	if (ret == 0 && record % 16 != 0)
		ret = plx_err_set(err, -EINVAL, "record=%llu is no multiple of 16",
				  (unsigned long long)record);
	job->record_bytes = (uint32_t)record;
	if (ret == 0)
		ret = cmd_arg_u32(job->call, "depth",
				  (struct cmd_range){ 1, PUMP_DEPTH_MAX, JOB_DEPTH_PRESET },
				  &job->depth, err);
	if (ret == 0)
		ret = cmd_arg_u32(job->call, "repeat", (struct cmd_range){ 1, 1000000, 1 },
				  &job->repeat, err);
	if (ret < 0)
		return ret;

	found = plx_class_find(cls != NULL ? cls : "bulk");
	if (found < 0)
		return plx_err_set(err, -EINVAL, "class=%s is none of high, normal, bulk", cls);
	job->cls = (enum plx_class)found;
	found = mode != NULL ? plx_mode_find(mode) : 0;
	if (mode != NULL && found == 0)
		return plx_err_set(err, -EINVAL, "mode=%s is none of pipeline, inline, auto", mode);
	job->mode = (enum plx_mode)found;
	if (sync != NULL && strcmp(sync, "yes") != 0 && strcmp(sync, "no") != 0)
		return plx_err_set(err, -EINVAL, "sync=%s is neither yes nor no", sync);
	job->sync = sync != NULL && strcmp(sync, "yes") == 0;
	return 0;
}

static int
take_words(struct job *job, struct plx_err *err)
{
	struct plx_ctl_call *call = job->call;
	int ret = 0;

	job->in_path = call->argv[0];
	if (job->op == PLX_OP_VERIFY)
		job->signature_path = call->argv[1];
	else
		job->out_path = call->argc > 1 ? call->argv[1] : NULL;
	if (job->op != PLX_OP_DIGEST)
		ret = take_key(job, err);
	if (ret == 0)
		ret = take_alg(job, err);
	if (ret == 0 && (job->op == PLX_OP_ENCRYPT || job->op == PLX_OP_DECRYPT))
		ret = take_iv(job, err);
	if (ret == 0 && (job->op == PLX_OP_SIGN || job->op == PLX_OP_VERIFY))
		ret = take_hash(job, err);
	if (ret == 0)
		ret = take_shape(job, err);
	return ret;
}

json_t *
job_answer(const struct job *job)
{
	double seconds = (double)job->cycles / (double)rte_get_tsc_hz();
	char hex[2 * JOB_DIGEST_MAX + 1];
	json_t *obj = json_object();

	cmd_put_text(obj, "operation", plx_op_name(job->op));
	cmd_put_text(obj, "algorithm", job->alg_name);
	cmd_put_text(obj, "file", job->in_path);
	if (job->out_path != NULL)
		cmd_put_text(obj, "output", job->out_path);
	if (job->op == PLX_OP_DIGEST || job->op == PLX_OP_MAC) {
		plx_hex_encode(job->digest, job->digest_bytes, hex);
		cmd_put_text(obj, job->op == PLX_OP_MAC ? "mac" : "digest", hex);
	}
	if (job->has_iv) {
		plx_hex_encode(job->iv, sizeof(job->iv), hex);
		cmd_put_text(obj, "iv", hex);
	}
	if (job->op == PLX_OP_VERIFY)
		cmd_put_text(obj, "signature", "good");
	cmd_put_u64(obj, "bytes", job->nb_bytes);
	cmd_put_u64(obj, "operations", job->nb_records);
	cmd_put_real(obj, "seconds", seconds, 3);
	if (job->op == PLX_OP_SIGN || job->op == PLX_OP_VERIFY)
		cmd_put_real(obj, "ops-per-second",
			     seconds > 0 ? (double)job->nb_records / seconds : 0, 0);
	else
		cmd_put_real(obj, "mb-per-second",
			     seconds > 0 ? (double)job->nb_bytes / seconds / 1e6 : 0, 1);
	cmd_put_latency(obj, &job->latency);
	cmd_put_text(obj, "engines", job->engines);
	cmd_put_text(obj, "device", job->device);
	return obj;
}

int
job_command(struct plx_ctl_call *call, enum plx_op op, json_t **answer, struct plx_err *err)
{
	struct job *job = calloc(1, sizeof(*job));
	int ret;

	if (job == NULL)
		return plx_err_set(err, -ENOMEM, "no memory");
	job->app = call->app;
	job->call = call;
	job->op = op;
	ret = take_words(job, err);
	if (ret == 0)
		ret = job_run(job, err);
	if (ret == 0)
		*answer = job_answer(job);
	free(job);
	return ret;
}

static int
run_encrypt(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	return job_command(call, PLX_OP_ENCRYPT, answer, err);
}

static int
run_decrypt(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	return job_command(call, PLX_OP_DECRYPT, answer, err);
}

static int
run_digest(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	return job_command(call, PLX_OP_DIGEST, answer, err);
}

static int
run_mac(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	return job_command(call, PLX_OP_MAC, answer, err);
}

static int
run_sign(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	return job_command(call, PLX_OP_SIGN, answer, err);
}

static int
run_verify(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	return job_command(call, PLX_OP_VERIFY, answer, err);
}

static void
complete_job(void *app, int argc, const char *const *argv, void (*add)(void *to, const char *word),
	     void *to)
{
	char word[2 * PLX_KEY_NAME_MAX + 8];
	struct plx_key_info info;
	const struct plx_alg *algs;
	uint32_t pos = 0;
	size_t nb, i;

	(void)argv;
	if (argc == 0)
		return;
	while (plx_key_next(((struct app *)app)->ks, &pos, &info)) {
		snprintf(word, sizeof(word), "key=%s/%s", info.container, info.name);
		add(to, word);
	}
	algs = plx_alg_table(&nb);
	for (i = 0; i < nb; i++) {
		snprintf(word, sizeof(word), "alg=%s", algs[i].name);
		add(to, word);
	}
}

#define SHAPE_KEYS " depth class mode sync"
#define SHAPE_TEXT                                                                                           \
	"record= is the piece of the file in one operation (256 to 65280 bytes, a multiple of 16; 32k), "    \
	"depth= how many are under way (64), class= their lane's (bulk), mode= pipeline, inline or auto "    \
	"(as engine.mode). sync=yes has the output on the disk before it gets its name.\n\n"                 \
	"The output gets its name when it is whole, in place of a file that had it; a job that fails or is " \
	"interrupted leaves things as they were. It cannot be the input itself.\n\n"

static const struct plx_ctl_cmd cmds[] = {
	{ .words = "job encrypt",
	  .args = "IN OUT alg=ALGORITHM key=CONTAINER/NAME [iv=HEX] [record=SIZE] [depth=N] [class=CLASS] "
		  "[mode=MODE] [sync=yes]",
	  .help = "Encrypt a file through the engines.",
	  .manual =
		  "aes-ctr and aes-cbc write what 'openssl enc -K KEY -iv IV' writes; without iv= a random one "
		  "is made and shown. Never use an IV twice with one key. AES-CBC has to wait for each record, "
		  "so its depth is 1.\n\n"
		  "aes-gcm and chacha20-poly1305 write an authenticated file (doc/file-format.md) that "
		  "'job decrypt' reads; its nonce is made here.\n\n" SHAPE_TEXT
		  "Example: job encrypt disk.img disk.sealed alg=aes-256-gcm key=web/s",
	  .keys = "alg key iv record" SHAPE_KEYS,
	  .min_args = 2,
	  .max_args = 2,
	  .is_long = true,
	  .run = run_encrypt,
	  .complete = complete_job },
	{ .words = "job decrypt",
	  .args = "IN OUT alg=ALGORITHM key=CONTAINER/NAME [iv=HEX] [record=SIZE] [depth=N] [class=CLASS] "
		  "[mode=MODE] [sync=yes]",
	  .help = "Decrypt a file through the engines.",
	  .manual =
		  "aes-ctr and aes-cbc need the iv= of the encryption. An authenticated file is given out only "
		  "when all of it was authentic; OUT can be read by its owner alone.\n\n" SHAPE_TEXT
		  "Example: job decrypt disk.sealed disk.img alg=aes-256-gcm key=web/s",
	  .keys = "alg key iv record" SHAPE_KEYS,
	  .min_args = 2,
	  .max_args = 2,
	  .is_long = true,
	  .run = run_decrypt,
	  .complete = complete_job },
	{ .words = "job digest",
	  .args = "IN [OUT] alg=ALGORITHM [class=CLASS] [mode=MODE]",
	  .help = "Hash a file; OUT is read by 'sha256sum -c' and its kin.",
	  .manual =
		  "The file is one operation of at most 2 GiB - 1 and is read into memory first: crypto devices "
		  "keep no hash state between operations. Over 65280 bytes only devices that take chains of "
		  "buffers are asked (crypto_openssl). It runs in the job's own thread unless mode= says "
		  "otherwise.\n\n"
		  "Example: job digest disk.img alg=sha-256",
	  .keys = "alg" SHAPE_KEYS,
	  .min_args = 1,
	  .max_args = 2,
	  .is_long = true,
	  .run = run_digest,
	  .complete = complete_job },
	{ .words = "job mac",
	  .args = "IN [OUT] alg=ALGORITHM key=CONTAINER/NAME [class=CLASS] [mode=MODE]",
	  .help = "Authentication code of a file by hmac-* or aes-cmac.",
	  .manual =
		  "Limits as with 'job digest'.\n\nExample: job mac disk.img alg=hmac-sha256 key=web/m",
	  .keys = "alg key" SHAPE_KEYS,
	  .min_args = 1,
	  .max_args = 2,
	  .is_long = true,
	  .run = run_mac,
	  .complete = complete_job },
	{ .words = "job sign",
	  .args = "IN OUT key=CONTAINER/NAME [alg=ALGORITHM] [hash=HASH] [repeat=N] [depth=N] [class=CLASS] "
		  "[mode=MODE]",
	  .help = "Sign a file with an RSA key, PKCS#1 v1.5.",
	  .manual =
		  "hash= is sha-256 if not given. 'openssl dgst -sha256 -verify PUBLIC -signature OUT IN' checks "
		  "it. repeat= signs that many times, for a figure.\n\n"
		  "Example: job sign disk.img disk.sig key=web/tls",
	  .keys = "alg key hash repeat" SHAPE_KEYS,
	  .min_args = 2,
	  .max_args = 2,
	  .is_long = true,
	  .run = run_sign,
	  .complete = complete_job },
	{ .words = "job verify",
	  .args = "IN SIGNATURE key=CONTAINER/NAME [alg=ALGORITHM] [hash=HASH] [repeat=N] [depth=N] "
		  "[class=CLASS] [mode=MODE]",
	  .help = "Check the RSA signature of a file.",
	  .manual =
		  "A bad signature is an error.\n\nExample: job verify disk.img disk.sig key=web/tls",
	  .keys = "alg key hash repeat" SHAPE_KEYS,
	  .min_args = 2,
	  .max_args = 2,
	  .is_long = true,
	  .run = run_verify,
	  .complete = complete_job },
};

const struct cmd_table cmd_job_table = { "Jobs over files", cmds, PLX_ARRAY_SIZE(cmds) };
