/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "cmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>

#include "app.h"
#include "bench.h"

/* "bench": words into a struct bench, its results into an answer. */

static int
take_op(struct bench *b, const char *text, struct plx_err *err)
{
	uint32_t bit;

	if (text == NULL) {
		for (bit = 1; (b->spec.alg->ops & bit) == 0; bit <<= 1)
			;
		b->op = (enum plx_op)bit;
		return 0;
	}
	bit = plx_op_find(text);
	if (bit == 0 || (b->spec.alg->ops & bit) == 0)
		return plx_err_set(err, -EINVAL, "op=%s is nothing %s can do", text,
				   b->spec.alg->name);
	b->op = (enum plx_op)bit;
	return 0;
}

static int
take_words(struct bench *b, struct plx_err *err)
{
	const char *cls = plx_ctl_arg(b->call, "class"), *mode = plx_ctl_arg(b->call, "mode");
	uint64_t size = 0;
	int ret, found;

	ret = plx_alg_parse(b->call->argv[0], &b->spec, err);
	if (ret == 0)
		ret = take_op(b, plx_ctl_arg(b->call, "op"), err);
	if (ret == 0)
		ret = cmd_arg_size(b->call, "size", (struct cmd_range){ 16, PUMP_RECORD_MAX, 1024 },
				   &size, err);
	if (ret == 0)
		ret = cmd_arg_duration(b->call, "seconds",
				       (struct cmd_range){ 10000, 600000000, 2000000 },
				       &b->duration_us, err);
	if (ret == 0)
		ret = cmd_arg_u32(b->call, "depth", (struct cmd_range){ 1, PUMP_DEPTH_MAX, 64 },
				  &b->depth, err);
	if (ret < 0)
		return ret;
	b->size = (uint32_t)size;
	if (b->spec.alg->block_bytes > 1 && b->size % b->spec.alg->block_bytes != 0)
		return plx_err_set(err, -EINVAL,
				   "size=%u is no multiple of the %u-byte block of %s", b->size,
				   b->spec.alg->block_bytes, b->spec.alg->name);
	found = plx_class_find(cls != NULL ? cls : "normal");
	if (found < 0)
		return plx_err_set(err, -EINVAL, "class=%s is none of high, normal, bulk", cls);
	b->cls = (enum plx_class)found;
	found = mode != NULL ? plx_mode_find(mode) : 0;
	if (mode != NULL && found == 0)
		return plx_err_set(err, -EINVAL, "mode=%s is none of pipeline, inline, auto", mode);
	b->mode = (enum plx_mode)found;
	return 0;
}

static json_t *
bench_answer(const struct bench *b)
{
	double seconds = (double)b->cycles / (double)rte_get_tsc_hz();
	double ops = seconds > 0 ? (double)b->nb_ops / seconds : 0;
	bool has_size = b->spec.alg->kind != PLX_ALG_KIND_ASYM;
	json_t *obj = json_object();
	char name[40];

	cmd_put_text(obj, "algorithm", plx_alg_spec_name(&b->spec, name, sizeof(name)));
	cmd_put_text(obj, "operation", plx_op_name(b->op));
	if (has_size)
		cmd_put_u64(obj, "size", b->size);
	cmd_put_u64(obj, "depth", b->depth);
	cmd_put_u64(obj, "operations", b->nb_ops);
	cmd_put_real(obj, "seconds", seconds, 3);
	cmd_put_real(obj, "ops-per-second", ops, 0);
	if (has_size)
		cmd_put_real(obj, "mb-per-second", ops * b->size / 1e6, 1);
	cmd_put_latency(obj, &b->latency);
	cmd_put_text(obj, "engines", b->engines);
	return obj;
}

static int
run_bench(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct bench *b = calloc(1, sizeof(*b));
	int ret;

	if (b == NULL)
		return plx_err_set(err, -ENOMEM, "no memory");
	b->app = call->app;
	b->call = call;
	ret = take_words(b, err);
	if (ret == 0)
		ret = bench_run(b, err);
	if (ret == 0)
		*answer = bench_answer(b);
	free(b);
	return ret;
}

static void
complete_bench(void *app, int argc, const char *const *argv,
	       void (*add)(void *to, const char *word), void *to)
{
	const struct plx_alg *algs;
	size_t nb, i;

	(void)app;
	(void)argv;
	algs = plx_alg_table(&nb);
	for (i = 0; argc == 0 && i < nb; i++)
		add(to, algs[i].name);
}

static const struct plx_ctl_cmd cmds[] = {
	{ .words = "bench",
	  .args = "ALGORITHM [op=OPERATION] [size=SIZE] [seconds=TIME] [depth=N] [class=CLASS] [mode=MODE]",
	  .help = "Operations a second of one algorithm through the running engines, one sender.",
	  .manual =
		  "The key is made for it and thrown away, and the data is not looked at. op= is the first "
		  "operation the algorithm has, size= 1k, seconds= 2s, depth= 64. For comparisons with other "
		  "programs see tools/bench.\n\n"
		  "Examples: bench aes-256-gcm size=4k; bench rsa-2048 op=sign seconds=1s",
	  .keys = "op size seconds depth class mode",
	  .min_args = 1,
	  .max_args = 1,
	  .is_long = true,
	  .run = run_bench,
	  .complete = complete_bench },
};

const struct cmd_table cmd_bench_table = { "Measuring", cmds, PLX_ARRAY_SIZE(cmds) };
