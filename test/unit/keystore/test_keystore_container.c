/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "ks_env.h"

#include <errno.h>

static const uint8_t bytes[64] = "0123456789abcdef0123456789ABCDEFfedcba9876543210FEDCBA987654321";

static void
names_are_checked(void **state)
{
	struct ks_env *env = *state;
	static const char *const bad[] = { "", ".a", "-a", "_a", "a b", "a/b", "a\n", "\xc3\xa4" };
	char longest[PLX_KEY_NAME_MAX + 1];
	plx_key_handle h;
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(bad); i++) {
		assert_err(plx_container_create(env->ks, bad[i], NULL, err), -EINVAL, "letters");
		assert_err(plx_key_import(env->ks, "c", bad[i], "aes", bytes, 16, &h, err), -EINVAL,
			   "letters");
	}
	assert_err(plx_container_create(env->ks, NULL, NULL, err), -EINVAL, "letters");

	memset(longest, 'x', sizeof(longest));
	longest[PLX_KEY_NAME_MAX] = '\0';
	assert_err(plx_container_create(env->ks, longest, NULL, err), -EINVAL, "63");
	longest[PLX_KEY_NAME_MAX - 1] = '\0';
	assert_ok(plx_container_create(env->ks, longest, NULL, err));
	assert_ok(plx_key_import(env->ks, longest, longest, "aes", bytes, 16, &h, err));
	assert_ok(plx_container_create(env->ks, "a.b-c_9", NULL, err));
}

static void
a_name_is_there_once(void **state)
{
	struct ks_env *env = *state;
	plx_key_handle h = 7;

	assert_err(plx_container_create(env->ks, "c", NULL, err), -EEXIST, "c is there");
	assert_ok(plx_key_import(env->ks, "c", "k", "aes", bytes, 16, NULL, err));
	assert_err(plx_key_import(env->ks, "c", "k", "aes", bytes, 16, &h, err), -EEXIST, "key k");
	assert_err(plx_key_generate(env->ks, "c", "k", "aes-128", &h, err), -EEXIST, "key k");
	assert_err(plx_key_load(env->ks, "c", "k", NULL, "/nowhere", &h, err), -EEXIST, "key k");
	assert_int_equal(h, 7);
	assert_ok(plx_container_create(env->ks, "d", NULL, err));
	assert_ok(plx_key_import(env->ks, "d", "k", "aes", bytes, 16, &h, err));
}

static void
a_missing_container_is_named(void **state)
{
	struct ks_env *env = *state;
	plx_key_handle h;

	assert_err(plx_key_import(env->ks, "x", "k", "aes", bytes, 16, &h, err), -ENOENT, "\"x\"");
	assert_err(plx_key_generate(env->ks, "x", "k", "aes-128", &h, err), -ENOENT, "\"x\"");
	assert_err(plx_key_load(env->ks, "x", "k", NULL, "/nowhere", &h, err), -ENOENT, "\"x\"");
	assert_err(plx_key_find(env->ks, "x", "k", &h, err), -ENOENT, "\"x\"");
	assert_err(plx_key_delete(env->ks, "x", "k", err), -ENOENT, "\"x\"");
	assert_err(plx_container_remove(env->ks, "x", err), -ENOENT, "\"x\"");
	assert_err(plx_key_find(env->ks, "c", "k", &h, err), -ENOENT, "\"k\"");
	assert_err(plx_key_delete(env->ks, "c", "k", err), -ENOENT, "\"k\"");
}

static void
a_policy_is_checked_when_made(void **state)
{
	struct ks_env *env = *state;
	static const char *const none[] = { NULL };
	static const char *const unknown[] = { "aes-gcm", "rot13", NULL };
	struct plx_container_policy p = { .size = sizeof(p), .ops = 1u << 30 };

	assert_err(plx_container_create(env->ks, "p", &p, err), -EINVAL, "operations");
	p.ops = 0;
	p.min_key_bits = 257;
	p.max_key_bits = 256;
	assert_err(plx_container_create(env->ks, "p", &p, err), -EINVAL, "257");
	p.max_key_bits = 0;
	p.algs = none;
	assert_err(plx_container_create(env->ks, "p", &p, err), -EINVAL, "empty");
	p.algs = unknown;
	assert_err(plx_container_create(env->ks, "p", &p, err), -EINVAL, "rot13");
	assert_int_equal(plx_container_remove(env->ks, "p", NULL), -ENOENT);
}

static void
key_sizes_are_held_to_the_policy(void **state)
{
	struct ks_env *env = *state;
	struct plx_container_policy p = { .size = sizeof(p),
					  .min_key_bits = 192,
					  .max_key_bits = 256 };
	plx_key_handle h;

	assert_ok(plx_container_create(env->ks, "p", &p, err));
	assert_err(plx_key_import(env->ks, "p", "k", "aes", bytes, 16, &h, err), -EACCES,
		   "min_key_bits");
	assert_err(plx_key_generate(env->ks, "p", "k", "hmac-sha512", &h, err), -EACCES,
		   "max_key_bits");
	assert_ok(plx_key_import(env->ks, "p", "a", "aes", bytes, 24, &h, err));
	assert_ok(plx_key_generate(env->ks, "p", "b", "hmac-sha256", &h, err));
}

static void
algorithms_are_held_to_the_policy(void **state)
{
	struct ks_env *env = *state;
	const char *algs[] = { "aes-gcm", "rsa-pkcs1", NULL };
	struct plx_container_policy p = { .size = sizeof(p), .algs = algs };
	struct plx_session *s = NULL;
	plx_key_handle h;
	struct ks_use u;

	assert_ok(plx_container_create(env->ks, "p", &p, err));
	algs[0] = "aes-cbc"; /* the policy is a copy */

	assert_err(plx_key_import(env->ks, "p", "k", "aes-128-cbc", bytes, 16, &h, err), -EACCES,
		   "rule algs");
	assert_err(plx_key_generate(env->ks, "p", "k", "ecdsa-p256", &h, err), -EACCES,
		   "rule algs");
	/* a key that is good for an allowed algorithm and others comes in, and serves the allowed
	 * one */
	assert_ok(plx_key_import(env->ks, "p", "k", "aes-128", bytes, 16, &h, err));
	assert_err(
		plx_key_session_get(env->ks, h, ks_env_use(&u, "aes-cbc", PLX_OP_ENCRYPT), &s, err),
		-EACCES, "rule algs: aes-cbc");
	assert_ok(plx_key_session_get(env->ks, h, ks_env_use(&u, "aes-gcm", PLX_OP_ENCRYPT), &s,
				      err));
	plx_key_session_put(env->ks, s);
}

static void
operations_are_held_to_the_policy(void **state)
{
	struct ks_env *env = *state;
	struct plx_container_policy p = { .size = sizeof(p), .ops = PLX_OP_DECRYPT };
	struct plx_session *s = NULL;
	plx_key_handle h;
	struct ks_use u;

	assert_ok(plx_container_create(env->ks, "p", &p, err));
	assert_ok(plx_key_import(env->ks, "p", "k", "aes", bytes, 16, &h, err));
	assert_err(
		plx_key_session_get(env->ks, h, ks_env_use(&u, "aes-gcm", PLX_OP_ENCRYPT), &s, err),
		-EACCES, "rule ops: encrypt");
	assert_null(s);
	assert_ok(plx_key_session_get(env->ks, h, ks_env_use(&u, "aes-gcm", PLX_OP_DECRYPT), &s,
				      err));
	plx_key_session_put(env->ks, s);
}

static void
a_full_container_says_so(void **state)
{
	struct ks_env *env = *state;
	struct plx_container_policy p = { .size = sizeof(p), .max_keys = 2 };
	uint32_t pos = 0, nb = 0;
	char name[16];
	int i;

	assert_ok(plx_container_create(env->ks, "p", &p, err));
	assert_ok(plx_key_import(env->ks, "p", "a", "aes", bytes, 16, NULL, err));
	assert_ok(plx_key_import(env->ks, "p", "b", "aes", bytes, 16, NULL, err));
	assert_err(plx_key_import(env->ks, "p", "k", "aes", bytes, 16, NULL, err), -ENOSPC,
		   "max_keys");
	assert_ok(plx_key_delete(env->ks, "p", "a", err));
	assert_ok(plx_key_import(env->ks, "p", "k", "aes", bytes, 16, NULL, err));

	/* without a rule, 1024 */
	for (i = 0; i < 1024; i++) {
		snprintf(name, sizeof(name), "k%d", i);
		assert_ok(plx_key_import(env->ks, "c", name, "aes", bytes, 16, NULL, err));
	}
	assert_err(plx_key_import(env->ks, "c", "more", "aes", bytes, 16, NULL, err), -ENOSPC,
		   "1024");
	assert_string_equal(plx_container_next(env->ks, &pos, NULL, &nb), "c");
	assert_int_equal(nb, 1024);
}

static void
a_zero_policy_allows_everything(void **state)
{
	struct ks_env *env = *state;
	struct plx_container_policy p = { 0 };

	assert_ok(plx_container_create(env->ks, "p", &p, err));
	assert_ok(plx_key_import(env->ks, "p", "a", "aes", bytes, 16, NULL, err));
	assert_ok(plx_key_generate(env->ks, "p", "b", "ed25519", NULL, err));
}

static void
containers_are_listed_with_their_policy(void **state)
{
	struct ks_env *env = *state;
	const char *algs[] = { "AES-GCM", NULL };
	struct plx_container_policy p = {
		.size = sizeof(p), .algs = algs, .ops = PLX_OP_ENCRYPT, .max_key_bits = 256
	};
	struct plx_container_policy got;
	uint32_t pos = 0, nb = 99;

	assert_ok(plx_container_create(env->ks, "p", &p, err));
	assert_ok(plx_container_create(env->ks, "q", NULL, err));
	assert_ok(plx_container_remove(env->ks, "c", err));

	assert_string_equal(plx_container_next(env->ks, &pos, &got, &nb), "p");
	assert_int_equal(nb, 0);
	assert_int_equal(got.ops, PLX_OP_ENCRYPT);
	assert_int_equal(got.max_key_bits, 256);
	assert_int_equal(got.max_keys, 1024);
	assert_string_equal(got.algs[0], "aes-gcm");
	assert_null(got.algs[1]);
	assert_string_equal(plx_container_next(env->ks, &pos, &got, NULL), "q");
	assert_null(got.algs);
	assert_null(plx_container_next(env->ks, &pos, NULL, NULL));
	assert_null(plx_container_next(env->ks, &pos, NULL, NULL));
}

static void
removing_a_container_kills_its_keys(void **state)
{
	struct ks_env *env = *state;
	struct plx_key_info info;
	plx_key_handle h, other;

	assert_ok(plx_container_create(env->ks, "d", NULL, err));
	assert_ok(plx_key_import(env->ks, "c", "k", "aes", bytes, 16, &h, err));
	assert_ok(plx_key_import(env->ks, "d", "k", "aes", bytes, 16, &other, err));
	assert_ok(plx_container_remove(env->ks, "c", err));
	assert_err(plx_key_describe(env->ks, h, &info, err), -ESTALE, "names no key");
	assert_ok(plx_key_describe(env->ks, other, &info, err));
	assert_string_equal(info.container, "d");
}

static void
a_container_with_a_session_in_use_stays(void **state)
{
	struct ks_env *env = *state;
	struct plx_session *s = NULL;
	struct plx_key_info info;
	plx_key_handle h;
	struct ks_use u;

	assert_ok(plx_key_import(env->ks, "c", "k", "aes", bytes, 16, &h, err));
	assert_ok(plx_key_session_get(env->ks, h, ks_env_use(&u, "aes-gcm", PLX_OP_ENCRYPT), &s,
				      err));
	assert_err(plx_container_remove(env->ks, "c", err), -EBUSY, "in use");
	assert_ok(plx_key_describe(env->ks, h, &info, err));
	plx_key_session_put(env->ks, s);
	assert_ok(plx_container_remove(env->ks, "c", err));
}

static void
two_keystores_know_nothing_of_each_other(void **state)
{
	struct ks_env *env = *state;
	struct plx_keystore *other;
	struct plx_key_info a, b;
	plx_key_handle h, h2;

	assert_ok(plx_keystore_create(env->devs, &other, err));
	assert_ok(plx_container_create(other, "c", NULL, err));
	assert_ok(plx_key_import(env->ks, "c", "k", "aes", bytes, 16, &h, err));
	assert_err(plx_key_describe(other, h, &a, err), -ESTALE, "names no key");
	assert_err(plx_key_find(other, "c", "k", &h2, err), -ENOENT, "\"k\"");

	assert_ok(plx_key_import(other, "c", "k", "aes", bytes, 16, &h2, err));
	assert_ok(plx_key_describe(env->ks, h, &a, err));
	assert_ok(plx_key_describe(other, h2, &b, err));
	/* the fingerprint of a secret means something within one keystore only */
	assert_string_not_equal(a.fingerprint, b.fingerprint);

	plx_keystore_destroy(other);
	assert_ok(plx_key_describe(env->ks, h, &a, err));
}

static void
destroy_takes_null(void **state)
{
	(void)state;
	plx_keystore_destroy(NULL);
}

#define T(name) cmocka_unit_test_setup(name, ks_env_fresh)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(names_are_checked),
		T(a_name_is_there_once),
		T(a_missing_container_is_named),
		T(a_policy_is_checked_when_made),
		T(key_sizes_are_held_to_the_policy),
		T(algorithms_are_held_to_the_policy),
		T(operations_are_held_to_the_policy),
		T(a_full_container_says_so),
		T(a_zero_policy_allows_everything),
		T(containers_are_listed_with_their_policy),
		T(removing_a_container_kills_its_keys),
		T(a_container_with_a_session_in_use_stays),
		T(two_keystores_know_nothing_of_each_other),
		T(destroy_takes_null),
	};

	return cmocka_run_group_tests(tests, ks_env_setup, ks_env_teardown);
}
