/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "ks_env.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint8_t bytes[64] = "0123456789abcdef0123456789ABCDEFfedcba9876543210FEDCBA987654321";

static plx_key_handle
import(struct ks_env *env, const char *name)
{
	plx_key_handle h = PLX_KEY_HANDLE_NONE;

	assert_ok(plx_key_import(env->ks, "c", name, "aes", bytes, 16, &h, err));
	assert_int_not_equal(h, PLX_KEY_HANDLE_NONE);
	return h;
}

static void
find_gives_the_handle_import_gave(void **state)
{
	struct ks_env *env = *state;
	plx_key_handle a = import(env, "a"), b = import(env, "b"), found = 0;

	assert_int_not_equal(a, b);
	assert_ok(plx_key_find(env->ks, "c", "a", &found, err));
	assert_true(found == a);
	assert_ok(plx_key_find(env->ks, "c", "b", &found, err));
	assert_true(found == b);
	assert_err(plx_key_find(env->ks, "c", "c", &found, err), -ENOENT, "\"c\"");
	assert_true(found == b);
}

static void
a_deleted_keys_handle_is_stale(void **state)
{
	struct ks_env *env = *state;
	plx_key_handle h = import(env, "a");
	struct plx_session *s = NULL;
	struct plx_key_info info;
	struct ks_use u;

	assert_ok(plx_key_delete(env->ks, "c", "a", err));
	assert_err(plx_key_describe(env->ks, h, &info, err), -ESTALE, "names no key");
	assert_err(
		plx_key_session_get(env->ks, h, ks_env_use(&u, "aes-gcm", PLX_OP_ENCRYPT), &s, err),
		-ESTALE, "names no key");
	assert_err(plx_key_export_public(env->ks, h, "/nowhere/x", err), -ESTALE, "names no key");
	assert_err(plx_key_delete(env->ks, "c", "a", err), -ENOENT, "\"a\"");
}

static void
a_stale_handle_stays_stale_when_its_slot_is_used_again(void **state)
{
	struct ks_env *env = *state;
	plx_key_handle old[100], h = 0;
	struct plx_key_info info;
	int i, k;

	for (i = 0; i < 100; i++) {
		old[i] = import(env, "a");
		if (i != 0) /* the same slot, another generation */
			assert_true((old[i] & UINT32_MAX) == (old[0] & UINT32_MAX));
		for (k = 0; k < i; k++) {
			assert_true(old[k] != old[i]);
			assert_int_equal(plx_key_describe(env->ks, old[k], &info, NULL), -ESTALE);
		}
		assert_ok(plx_key_describe(env->ks, old[i], &info, err));
		assert_ok(plx_key_delete(env->ks, "c", "a", err));
	}
	assert_int_equal(h, 0);
}

static void
invented_handles_are_refused(void **state)
{
	struct ks_env *env = *state;
	plx_key_handle h = import(env, "a");
	struct plx_key_info info;
	uint32_t bit;

	assert_err(plx_key_describe(env->ks, PLX_KEY_HANDLE_NONE, &info, err), -ESTALE, "0x0000");
	assert_int_equal(plx_key_describe(env->ks, UINT64_MAX, &info, NULL), -ESTALE);
	for (bit = 0; bit < 64; bit++)
		assert_int_equal(plx_key_describe(env->ks, h ^ UINT64_C(1) << bit, &info, NULL),
				 -ESTALE);
}

static void
describe_says_what_the_key_is(void **state)
{
	static const struct {
		const char *made_as;
		const char *alg;
		uint32_t bits;
	} kinds[] = {
		{ "aes-256", "aes-256", 256 },
		{ "aes-128-gcm", "aes-128-gcm", 128 },
		{ "AES-192-CBC", "aes-192-cbc", 192 },
		{ "aes-256-xts", "aes-256-xts", 256 },
		{ "sm4-cbc", "sm4-cbc", 128 },
		{ "chacha20-poly1305", "chacha20-poly1305", 256 },
		{ "hmac-sha384", "hmac-sha384", 384 },
		{ "hmac-512", "hmac-512", 512 },
		{ "aes-128-cmac", "aes-128-cmac", 128 },
		{ "ec-p256", "ec-p256", 256 },
		{ "ecdsa-p384", "ecdsa-p384", 384 },
		{ "ecdh-p521", "ecdh-p521", 521 },
		{ "sm2", "sm2", 256 },
		{ "ed25519", "ed25519", 256 },
		{ "x25519", "x25519", 256 },
		{ "rsa-2048", "rsa-2048", 2048 },
		{ "rsa-2048-pss", "rsa-2048-pss", 2048 },
	};
	struct ks_env *env = *state;
	struct plx_key_info info;
	plx_key_handle h;
	char name[16];
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(kinds); i++) {
		snprintf(name, sizeof(name), "k%zu", i);
		assert_ok(plx_key_generate(env->ks, "c", name, kinds[i].made_as, &h, err));
		assert_ok(plx_key_describe(env->ks, h, &info, err));
		assert_string_equal(info.alg, kinds[i].alg);
		assert_int_equal(info.bits, kinds[i].bits);
		assert_string_equal(info.container, "c");
		assert_string_equal(info.name, name);
		assert_true(info.handle == h);
		assert_true(info.is_private);
		assert_false(info.was_exposed);
		assert_int_equal(strlen(info.fingerprint), 64);
		assert_int_equal(strspn(info.fingerprint, "0123456789abcdef"), 64);
	}
}

static void
generate_refuses_what_it_cannot_make(void **state)
{
	static const struct {
		const char *alg;
		const char *words;
	} bad[] = {
		{ NULL, "such as" },
		{ "aes", "how large" },
		{ "aes-100", "aes" },
		{ "aes-1024", "16 to 32 bytes in steps of 8, not of 128" },
		{ "aes-gcm", "128, 192 or 256" },
		{ "rsa", "rsa-2048" },
		{ "rsa-1024", "2048 to 8192" },
		{ "rsa-2049", "2048 to 8192" },
		{ "rsa-99999999999999999999", "rsa" },
		{ "ec-p999", "ec-p999" },
		{ "sha256", "has no key" },
		{ "dh-2048", "has no key" },
		{ "random", "has no key" },
		{ "hmac-0", "say how large" },
		{ "hmac-12", "multiple of 8" },
		{ "", "algorithm" },
		{ "a-very-long-name-of-an-algorithm-that-there-is-not-and-never-was", "too long" },
	};
	struct ks_env *env = *state;
	plx_key_handle h = 5;
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(bad); i++)
		assert_err(plx_key_generate(env->ks, "c", "k", bad[i].alg, &h, err), -EINVAL,
			   bad[i].words);
	assert_int_equal(h, 5);
}

static void
generated_keys_differ(void **state)
{
	struct ks_env *env = *state;
	struct plx_key_info a, b;
	plx_key_handle h;

	assert_ok(plx_key_generate(env->ks, "c", "a", "aes-128", &h, err));
	assert_ok(plx_key_describe(env->ks, h, &a, err));
	assert_ok(plx_key_generate(env->ks, "c", "b", "aes-128", &h, err));
	assert_ok(plx_key_describe(env->ks, h, &b, err));
	assert_string_not_equal(a.fingerprint, b.fingerprint);
}

static void
equal_secrets_have_equal_fingerprints(void **state)
{
	struct ks_env *env = *state;
	struct plx_key_info a, b;

	assert_ok(plx_key_describe(env->ks, import(env, "a"), &a, err));
	assert_ok(plx_key_describe(env->ks, import(env, "b"), &b, err));
	assert_string_equal(a.fingerprint, b.fingerprint);
}

static void
all_keys_are_listed_once(void **state)
{
	struct ks_env *env = *state;
	struct plx_key_info info;
	uint32_t pos = 0, nb = 0;
	uint64_t seen = 0;
	char name[16];
	int i;

	for (i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "k%d", i);
		import(env, name);
	}
	for (i = 0; i < 40; i += 3) {
		snprintf(name, sizeof(name), "k%d", i);
		assert_ok(plx_key_delete(env->ks, "c", name, err));
	}
	while (plx_key_next(env->ks, &pos, &info)) {
		sscanf(info.name, "k%d", &i);
		assert_int_not_equal(i % 3, 0);
		assert_false(seen >> i & 1);
		seen |= UINT64_C(1) << i;
		nb++;
	}
	assert_int_equal(nb, 26);
	assert_false(plx_key_next(env->ks, &pos, &info));
}

static void
import_refuses_what_is_no_key(void **state)
{
	static const char pem[] = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEI\n";
	struct ks_env *env = *state;
	uint8_t same[64] = { 0 };

	assert_err(plx_key_import(env->ks, "c", "k", NULL, bytes, 16, NULL, err), -EINVAL,
		   "such as");
	assert_err(plx_key_import(env->ks, "c", "k", "rsa", bytes, 16, NULL, err), -EINVAL,
		   "loaded from a file");
	assert_err(plx_key_import(env->ks, "c", "k", "aes", bytes, 0, NULL, err), -EINVAL, "0");
	assert_err(plx_key_import(env->ks, "c", "k", "aes", bytes, 17, NULL, err), -EINVAL,
		   "not of 17");
	assert_err(plx_key_import(env->ks, "c", "k", "aes-256-gcm", bytes, 16, NULL, err), -EINVAL,
		   "256 bits");
	assert_err(plx_key_import(env->ks, "c", "k", "aes-256", bytes, 24, NULL, err), -EINVAL,
		   "256 bits");
	assert_err(plx_key_import(env->ks, "c", "k", "hmac-sha256", bytes, 65537, NULL, err),
		   -EINVAL, "65536");
	assert_err(plx_key_import(env->ks, "c", "k", "hmac-sha256", pem, sizeof(pem), NULL, err),
		   -EINVAL, "PEM");
	assert_err(plx_key_import(env->ks, "c", "k", "aes-256-xts", same, 64, NULL, err), -EINVAL,
		   "halves");
	assert_err(plx_key_import(env->ks, "c", "k", "nothing", bytes, 16, NULL, err), -EINVAL,
		   "nothing");
	assert_ok(plx_key_import(env->ks, "c", "k", "aes-256-xts", bytes, 64, NULL, err));
	assert_ok(plx_key_import(env->ks, "c", "k2", "aes-gcm", bytes, 24, NULL, err));
	assert_ok(plx_key_import(env->ks, "c", "k3", "hmac-sha256", bytes, 1, NULL, err));
}

/* In a process of its own that may lock nothing: 0 when it is told so. */
static int
create_without_locked_memory(void)
{
	const struct rlimit none = { 0, 0 };
	struct plx_keystore *ks = NULL;
	struct plx_err why = { { 0 } };

	if (setrlimit(RLIMIT_MEMLOCK, &none) < 0 || (geteuid() == 0 && setuid(65534) < 0))
		return 2;
	if (plx_keystore_create(NULL, &ks, &why) != -EPERM || ks != NULL)
		return 1;
	return strstr(why.text, "may lock 0 KiB") != NULL && strstr(why.text, "ulimit -l") != NULL
		       ? 0
		       : 1;
}

static void
memory_that_cannot_be_locked_is_refused_with_the_limit(void **state)
{
	struct ks_env *env = *state;
	int status = 1;
	pid_t pid;

	plx_keystore_destroy(env->ks); /* or its pages, locked already, would do */
	env->ks = NULL;
	pid = fork();
	if (pid == 0)
		_exit(create_without_locked_memory());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

#define T(name) cmocka_unit_test_setup(name, ks_env_fresh)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(find_gives_the_handle_import_gave),
		T(a_deleted_keys_handle_is_stale),
		T(a_stale_handle_stays_stale_when_its_slot_is_used_again),
		T(invented_handles_are_refused),
		T(describe_says_what_the_key_is),
		T(generate_refuses_what_it_cannot_make),
		T(generated_keys_differ),
		T(equal_secrets_have_equal_fingerprints),
		T(all_keys_are_listed_once),
		T(import_refuses_what_is_no_key),
		T(memory_that_cannot_be_locked_is_refused_with_the_limit),
	};

	return cmocka_run_group_tests(tests, ks_env_setup_bare, ks_env_teardown);
}
