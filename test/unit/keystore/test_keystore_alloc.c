/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "ks_env.h"

#include <errno.h>

#include "alloc_fail.h"
#include "plx_secret.h"

/*
 * Each allocation of each function fails once: the answer is -ENOMEM with a sentence, and nothing
 * has changed. OpenSSL's own allocations fail too where it works on keys; it may get by without
 * some of them.
 */

/* Up to here each one, then ever fewer: under the address sanitizer an allocation is slow. */
#ifdef KS_ENV_ASAN
#define STRIDE_FROM 48
#else
#define STRIDE_FROM UINT64_MAX
#endif

static const uint8_t bytes[64] = "0123456789abcdef0123456789ABCDEFfedcba9876543210FEDCBA987654321";

typedef int (*step_fn)(struct ks_env *env, struct plx_err *err);

struct state {
	size_t nb_blocks;
	uint32_t nb_keys;
	uint32_t nb_containers;
};

static struct state
state_take(struct ks_env *env)
{
	struct plx_secret_usage usage;
	struct state st = { 0 };
	struct plx_key_info info;
	uint32_t pos = 0;

	plx_secret_usage(&usage);
	st.nb_blocks = usage.nb_blocks;
	while (plx_key_next(env->ks, &pos, &info))
		st.nb_keys++;
	pos = 0;
	while (plx_container_next(env->ks, &pos, NULL, NULL) != NULL)
		st.nb_containers++;
	return st;
}

/* Fail allocation 1, 2, ... of the step until it needs no more; undo takes back what it did. */
static uint64_t
sweep(struct ks_env *env, step_fn step, step_fn undo)
{
	struct state before = state_take(env), after;
	uint64_t n, nb_failed = 0;
	struct plx_err why;
	int ret;

	for (n = 1;; n += 1 + n / STRIDE_FROM) {
		memset(&why, 0, sizeof(why));
		alloc_fail_at(n);
		ret = step(env, &why);
		if (!alloc_fail_stop()) {
			assert_int_equal(ret, 0);
			return nb_failed;
		}
		if (ret == 0) {
			assert_int_equal(undo(env, NULL), 0);
		} else {
			if (ret != -ENOMEM || why.text[0] == '\0')
				print_error("allocation %d: %d: %s\n", (int)n, ret, why.text);
			assert_int_equal(ret, -ENOMEM);
			assert_true(why.text[0] != '\0');
			nb_failed++;
		}
		after = state_take(env);
		assert_int_equal(after.nb_blocks, before.nb_blocks);
		assert_int_equal(after.nb_keys, before.nb_keys);
		assert_int_equal(after.nb_containers, before.nb_containers);
	}
}

static int
delete_k(struct ks_env *env, struct plx_err *err)
{
	return plx_key_delete(env->ks, "c", "k", err);
}

static int
remove_d(struct ks_env *env, struct plx_err *err)
{
	return plx_container_remove(env->ks, "d", err);
}

static int
create_container(struct ks_env *env, struct plx_err *err)
{
	static const char *const algs[] = { "aes-gcm", "rsa-pkcs1", NULL };
	struct plx_container_policy p = { .size = sizeof(p), .algs = algs };

	return plx_container_create(env->ks, "d", &p, err);
}

static int
import_aes(struct ks_env *env, struct plx_err *err)
{
	return plx_key_import(env->ks, "c", "k", "aes", bytes, 16, NULL, err);
}

static int
load_rsa(struct ks_env *env, struct plx_err *err)
{
	return plx_key_load(env->ks, "c", "k", NULL, ks_env_path(env, "rsa.pem"), NULL, err);
}

static int
load_ec(struct ks_env *env, struct plx_err *err)
{
	return plx_key_load(env->ks, "c", "k", NULL, ks_env_path(env, "ec.pem"), NULL, err);
}

static int
load_ed25519(struct ks_env *env, struct plx_err *err)
{
	return plx_key_load(env->ks, "c", "k", NULL, ks_env_path(env, "ed.pem"), NULL, err);
}

static int
load_public(struct ks_env *env, struct plx_err *err)
{
	return plx_key_load(env->ks, "c", "k", NULL, ks_env_path(env, "pub.pem"), NULL, err);
}

static int
generate_aes(struct ks_env *env, struct plx_err *err)
{
	return plx_key_generate(env->ks, "c", "k", "aes-256", NULL, err);
}

static int
generate_ec(struct ks_env *env, struct plx_err *err)
{
	return plx_key_generate(env->ks, "c", "k", "ec-p256", NULL, err);
}

static int
generate_x25519(struct ks_env *env, struct plx_err *err)
{
	return plx_key_generate(env->ks, "c", "k", "x25519", NULL, err);
}

static int
create_keystore(struct ks_env *env, struct plx_err *err)
{
	struct plx_keystore *ks;
	int ret;

	ret = plx_keystore_create(env->devs, &ks, err);
	if (ret == 0)
		plx_keystore_destroy(ks);
	return ret;
}

static int
nothing(struct ks_env *env, struct plx_err *err)
{
	(void)env;
	(void)err;
	return 0;
}

static int
export_public(struct ks_env *env, struct plx_err *err)
{
	plx_key_handle h;
	int ret;

	ret = plx_key_find(env->ks, "c", "exported", &h, err);
	return ret < 0 ? ret : plx_key_export_public(env->ks, h, ks_env_path(env, "out"), err);
}

static int
session_use(struct ks_env *env, const char *key, const char *alg, enum plx_op op,
	    struct plx_err *err)
{
	struct plx_session *s = NULL;
	plx_key_handle h;
	struct ks_use u;
	int ret;

	ret = plx_key_find(env->ks, "c", key, &h, err);
	if (ret == 0)
		ret = plx_key_session_get(env->ks, h, ks_env_use(&u, alg, op), &s, err);
	if (ret == 0)
		plx_key_session_put(env->ks, s);
	return ret;
}

/* Import, use and delete: what is kept for the next user goes with the key. */
static int
session_sym(struct ks_env *env, struct plx_err *err)
{
	int ret = import_aes(env, err);

	if (ret < 0)
		return ret;
	ret = session_use(env, "k", "aes-gcm", PLX_OP_ENCRYPT, err);
	assert_int_equal(delete_k(env, NULL), 0);
	return ret;
}

static int
session_rsa(struct ks_env *env, struct plx_err *err)
{
	int ret = load_rsa(env, err);

	if (ret < 0)
		return ret;
	ret = session_use(env, "k", "rsa-pkcs1", PLX_OP_SIGN, err);
	assert_int_equal(delete_k(env, NULL), 0);
	return ret;
}

static void
sessions(void **state)
{
	struct ks_env *env = *state;

	ks_env_save(ks_env_rsa(), ks_env_path(env, "rsa.pem"), "pkcs8", 1);
	alloc_fail_spare_openssl(true);
	assert_true(sweep(env, session_sym, nothing) >= 5);
	assert_true(sweep(env, session_rsa, nothing) >= 5);
	alloc_fail_spare_openssl(false);
}

static void
containers_and_keystores(void **state)
{
	assert_true(sweep(*state, create_keystore, nothing) >= 2);
	assert_true(sweep(*state, create_container, remove_d) >= 3);
}

static void
symmetric_keys(void **state)
{
	assert_true(sweep(*state, import_aes, delete_k) >= 3);
	assert_int_equal(delete_k(*state, NULL), 0);
	assert_true(sweep(*state, generate_aes, delete_k) >= 3);
}

static void
keys_from_files(void **state)
{
	static const step_fn loads[] = { load_rsa, load_ec, load_ed25519, load_public };
	struct ks_env *env = *state;
	EVP_PKEY *pkey = ks_env_ec("P-256");
	size_t i;

	ks_env_save(ks_env_rsa(), ks_env_path(env, "rsa.pem"), "pkcs8", 1);
	ks_env_save(ks_env_rsa(), ks_env_path(env, "pub.pem"), "spki", 1);
	ks_env_save(pkey, ks_env_path(env, "ec.pem"), "pkcs8", 1);
	EVP_PKEY_free(pkey);
	pkey = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	ks_env_save(pkey, ks_env_path(env, "ed.pem"), "pkcs8", 1);
	EVP_PKEY_free(pkey);
	for (i = 0; i < PLX_ARRAY_SIZE(loads); i++) {
		assert_true(sweep(env, loads[i], delete_k) >= 5);
		assert_int_equal(delete_k(env, NULL), 0);
	}
}

static void
generated_curve_keys(void **state)
{
	assert_true(sweep(*state, generate_ec, delete_k) >= 5);
	assert_int_equal(delete_k(*state, NULL), 0);
	assert_true(sweep(*state, generate_x25519, delete_k) >= 5);
}

static void export(void **state)
{
	struct ks_env *env = *state;

	assert_ok(plx_key_generate(env->ks, "c", "exported", "ed25519", NULL, err));
	assert_true(sweep(env, export_public, nothing) >= 1);
}

#define T(name) cmocka_unit_test_setup(name, ks_env_fresh)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(containers_and_keystores), T(symmetric_keys), T(keys_from_files),
		T(generated_curve_keys),     T(export),         T(sessions),
	};

	if (!alloc_fail_openssl()) {
		fprintf(stderr, "OpenSSL's allocator is set already\n");
		return 1;
	}
	return cmocka_run_group_tests(tests, ks_env_setup, ks_env_teardown);
}
