/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app.h"

/* Containers and keys. Keys come from files or are made here; no command shows or writes a secret
 * one. */

static void
put_list(json_t *row, const char *key, const char *const *words)
{
	char text[512] = "all";
	size_t at = 0;
	uint32_t i;

	for (i = 0; words != NULL && words[i] != NULL && at < sizeof(text); i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s", at > 0 ? " " : "",
				       words[i]);
	cmd_put_text(row, key, text);
}

static void
put_ops(json_t *row, uint32_t ops)
{
	char text[128] = "all";
	size_t at = 0;
	uint32_t bit;

	for (bit = 1; bit <= PLX_OP_RANDOM; bit <<= 1)
		if ((ops & bit) != 0)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s",
					       at > 0 ? " " : "", plx_op_name((enum plx_op)bit));
	cmd_put_text(row, "operations", text);
}

static int
run_show_containers(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;
	struct plx_container_policy policy = { .size = sizeof(policy) };
	uint32_t pos = 0, nb_keys;
	const char *name;
	json_t *row;

	(void)err;
	*answer = json_array();
	while ((name = plx_container_next(app->ks, &pos, &policy, &nb_keys)) != NULL) {
		row = json_object();
		cmd_put_text(row, "container", name);
		cmd_put_u64(row, "keys", nb_keys);
		put_ops(row, policy.ops);
		put_list(row, "algorithms", policy.algs);
		cmd_put_u64(row, "min-key-bits", policy.min_key_bits);
		cmd_put_u64(row, "max-key-bits", policy.max_key_bits);
		json_array_append_new(*answer, row);
	}
	return 0;
}

static int
run_show_keys(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	const char *only = call->argc > 0 ? call->argv[0] : NULL;
	struct app *app = call->app;
	char name[2 * PLX_KEY_NAME_MAX + 2];
	struct plx_key_info info;
	uint32_t pos = 0;
	json_t *row;

	(void)err;
	*answer = json_array();
	while (plx_key_next(app->ks, &pos, &info)) {
		if (only != NULL && strcmp(only, info.container) != 0)
			continue;
		row = json_object();
		snprintf(name, sizeof(name), "%s/%s", info.container, info.name);
		cmd_put_text(row, "key", name);
		cmd_put_text(row, "algorithm", info.alg);
		cmd_put_u64(row, "bits", info.bits);
		cmd_put_text(row, "secret", info.is_private ? "yes" : "no");
		cmd_put_u64(row, "uses", info.nb_uses);
		cmd_put_text(row, "fingerprint", info.fingerprint);
		json_array_append_new(*answer, row);
	}
	return 0;
}

static int
run_container_create(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	const char *ops = plx_ctl_arg(call, "ops"), *algs = plx_ctl_arg(call, "algorithms");
	struct app *app = call->app;
	struct opt_container o = { .ops = "" };
	struct opt_rules rules;
	int ret;

	if (ops != NULL && snprintf(o.ops, sizeof(o.ops), "%s", ops) >= (int)sizeof(o.ops))
		return plx_err_set(err, -EINVAL, "ops= is longer than %zu characters",
				   sizeof(o.ops) - 1);
	if (algs != NULL &&
	    snprintf(o.algorithms, sizeof(o.algorithms), "%s", algs) >= (int)sizeof(o.algorithms))
		return plx_err_set(err, -EINVAL, "algorithms= is longer than %zu characters",
				   sizeof(o.algorithms) - 1);
	ret = cmd_arg_u32(call, "min-key-bits", (struct cmd_range){ 0, 65536, 0 }, &o.min_key_bits,
			  err);
	if (ret == 0)
		ret = cmd_arg_u32(call, "max-key-bits", (struct cmd_range){ 0, 65536, 0 },
				  &o.max_key_bits, err);
	if (ret == 0)
		ret = cmd_arg_u32(call, "max-keys", (struct cmd_range){ 0, 65536, 0 }, &o.max_keys,
				  err);
	if (ret == 0)
		ret = options_rules(&o, &rules, err);
	if (ret == 0)
		ret = plx_container_create(app->ks, call->argv[0], &rules.policy, err);
	if (ret == 0)
		*answer = cmd_done("container %s created", call->argv[0]);
	return ret;
}

static int
run_container_remove(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;
	int ret = plx_container_remove(app->ks, call->argv[0], err);

	if (ret == 0)
		*answer = cmd_done("container %s and its keys removed", call->argv[0]);
	return ret;
}

/* What "key load" and "key generate" answer: the key as "show keys" lists it. */
static void
answer_key(struct app *app, plx_key_handle handle, const char *done, const char *full,
	   json_t **answer)
{
	struct plx_key_info info;

	if (plx_key_describe(app->ks, handle, &info, NULL) < 0)
		return;
	*answer = cmd_done("key %s %s", full, done);
	cmd_put_text(*answer, "algorithm", info.alg);
	cmd_put_u64(*answer, "bits", info.bits);
	cmd_put_text(*answer, "secret", info.is_private ? "yes" : "no");
	cmd_put_text(*answer, "fingerprint", info.fingerprint);
}

static int
run_key_load(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	char container[PLX_KEY_NAME_MAX], name[PLX_KEY_NAME_MAX];
	struct app *app = call->app;
	plx_key_handle handle;
	int ret;

	ret = options_key_name(call->argv[0], container, name, err);
	if (ret == 0)
		ret = plx_key_load(app->ks, container, name, plx_ctl_arg(call, "alg"),
				   call->argv[1], &handle, err);
	if (ret == 0)
		answer_key(app, handle, "loaded", call->argv[0], answer);
	return ret;
}

static int
run_key_generate(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	char container[PLX_KEY_NAME_MAX], name[PLX_KEY_NAME_MAX];
	struct app *app = call->app;
	plx_key_handle handle;
	int ret;

	ret = options_key_name(call->argv[0], container, name, err);
	if (ret == 0)
		ret = plx_key_generate(app->ks, container, name, call->argv[1], &handle, err);
	if (ret == 0)
		answer_key(app, handle, "generated", call->argv[0], answer);
	return ret;
}

static int
run_key_delete(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	char container[PLX_KEY_NAME_MAX], name[PLX_KEY_NAME_MAX];
	struct app *app = call->app;
	int ret;

	ret = options_key_name(call->argv[0], container, name, err);
	if (ret == 0)
		ret = plx_key_delete(app->ks, container, name, err);
	if (ret == 0)
		*answer = cmd_done("key %s deleted", call->argv[0]);
	return ret;
}

static int
run_key_export(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	char container[PLX_KEY_NAME_MAX], name[PLX_KEY_NAME_MAX];
	struct app *app = call->app;
	plx_key_handle handle;
	int ret;

	ret = options_key_name(call->argv[0], container, name, err);
	if (ret == 0)
		ret = plx_key_find(app->ks, container, name, &handle, err);
	if (ret == 0)
		ret = plx_key_export_public(app->ks, handle, call->argv[1], err);
	if (ret == 0)
		*answer = cmd_done("public half of %s written to %s", call->argv[0], call->argv[1]);
	return ret;
}

static void
complete_container(void *app, int argc, const char *const *argv,
		   void (*add)(void *to, const char *word), void *to)
{
	uint32_t pos = 0;
	const char *name;

	(void)argv;
	while (argc == 0 &&
	       (name = plx_container_next(((struct app *)app)->ks, &pos, NULL, NULL)) != NULL)
		add(to, name);
}

static void
complete_key(void *app, int argc, const char *const *argv, void (*add)(void *to, const char *word),
	     void *to)
{
	char name[2 * PLX_KEY_NAME_MAX + 2];
	struct plx_key_info info;
	uint32_t pos = 0;

	(void)argv;
	while (argc == 0 && plx_key_next(((struct app *)app)->ks, &pos, &info)) {
		snprintf(name, sizeof(name), "%s/%s", info.container, info.name);
		add(to, name);
	}
}

static const struct plx_ctl_cmd cmds[] = {
	{ .words = "show containers",
	  .args = "",
	  .help = "Containers and what their keys may be used for.",
	  .run = run_show_containers },
	{ .words = "show keys",
	  .args = "[CONTAINER]",
	  .help = "Keys by name, with a fingerprint; never a key.",
	  .manual =
		  "The fingerprint of a public or private key is the SHA-256 of its SubjectPublicKeyInfo, as "
		  "OpenSSL computes it. That of a secret key is a keyed digest that is different in each "
		  "process: it tells whether two keys are equal, and nothing else.",
	  .max_args = 1,
	  .run = run_show_keys,
	  .complete = complete_container },
	{ .words = "container create",
	  .args = "NAME [ops=LIST] [algorithms=LIST] [min-key-bits=N] [max-key-bits=N] [max-keys=N]",
	  .help = "Make a container; lists are separated by commas.",
	  .manual =
		  "ops: encrypt, decrypt, digest, mac, sign, verify, derive, random. What is left out is "
		  "allowed.\n\n"
		  "Example: container create web ops=sign,verify algorithms=rsa-pkcs1 min-key-bits=2048",
	  .keys = "ops algorithms min-key-bits max-key-bits max-keys",
	  .min_args = 1,
	  .max_args = 1,
	  .run = run_container_create },
	{ .words = "container remove",
	  .args = "NAME",
	  .help = "Remove a container with all its keys.",
	  .min_args = 1,
	  .max_args = 1,
	  .run = run_container_remove,
	  .complete = complete_container },
	{ .words = "key load",
	  .args = "CONTAINER/NAME FILE [alg=ALGORITHM]",
	  .help = "Load a key from a file: PEM, DER, or raw bytes.",
	  .manual =
		  "Raw bytes need alg=, such as aes-256 or hmac-sha256. A PEM file with a passphrase is "
		  "refused. The file is read by the process that runs the engines.\n\n"
		  "Example: key load web/tls /etc/ssl/private/tls.pem",
	  .keys = "alg",
	  .min_args = 2,
	  .max_args = 2,
	  .run = run_key_load,
	  .complete = complete_container },
	{ .words = "key generate",
	  .args = "CONTAINER/NAME ALGORITHM",
	  .help = "Make a new key; it is gone when the process ends.",
	  .manual = "Examples: key generate web/s aes-256-gcm; key generate web/tls rsa-2048",
	  .min_args = 2,
	  .max_args = 2,
	  .run = run_key_generate,
	  .complete = complete_container },
	{ .words = "key delete",
	  .args = "CONTAINER/NAME",
	  .help = "Delete a key; running work with it ends.",
	  .min_args = 1,
	  .max_args = 1,
	  .run = run_key_delete,
	  .complete = complete_key },
	{ .words = "key export-public",
	  .args = "CONTAINER/NAME FILE",
	  .help = "Write the public half of a key as PEM; a file that is there is replaced.",
	  .min_args = 2,
	  .max_args = 2,
	  .run = run_key_export,
	  .complete = complete_key },
};

const struct cmd_table cmd_key_table = { "Keys", cmds, PLX_ARRAY_SIZE(cmds) };
