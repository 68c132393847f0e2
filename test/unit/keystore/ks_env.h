/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_KS_ENV_H
#define TEST_KS_ENV_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/evp.h>
#include <rte_crypto.h>

#include "plx_alg.h"
#include "plx_keystore.h"

/*
 * What the tests of the keystore stand on: EAL with software devices, a registry, a keystore with a
 * container "c", a folder for files, and keys that OpenSSL made. One of it a process.
 */

struct ks_env {
	struct plx_devices *devs;
	struct plx_keystore *ks;
	char dir[64];
};

/* Built with the address sanitizer? */
#if defined(__SANITIZE_ADDRESS__)
#define KS_ENV_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KS_ENV_ASAN 1
#endif
#endif

#define IV_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))

/* Group setup and teardown; *state is the struct ks_env. ks_env_setup has crypto_openssl0 and
 * crypto_null0, ks_env_setup_bare no device and no EAL. */
int ks_env_setup(void **state);
int ks_env_setup_bare(void **state);
int ks_env_teardown(void **state);

/* Between tests: a fresh keystore with container "c". */
int ks_env_fresh(void **state);

/* A path in the folder; four of them may be in use at once. */
const char *ks_env_path(const struct ks_env *env, const char *name);
void ks_env_write(const char *path, const void *bytes, size_t len);
size_t ks_env_read(const char *path, void *bytes, size_t room);

/* Keys from OpenSSL. form: "pkcs8", "traditional", "spki", "rsapub"; PEM or DER. */
EVP_PKEY *ks_env_rsa(void); /* of 2048 bits, made once a process */
EVP_PKEY *ks_env_ec(const char *group);
void ks_env_save(EVP_PKEY *pkey, const char *path, const char *form, int is_pem);

/* The use of a key for an algorithm, all sizes by default, IV at IV_OFFSET. */
struct ks_use {
	struct plx_alg_spec spec;
	struct plx_key_use use;
};
const struct plx_key_use *ks_env_use(struct ks_use *u, const char *alg, enum plx_op op);

/* Send an op to a device and wait; the session is the one attached. Returns the op's status. */
enum rte_crypto_op_status ks_env_run(const struct ks_env *env, const char *device,
				     struct rte_crypto_op *op);

#define assert_err(call, code, words)                                                              \
	do {                                                                                       \
		struct plx_err err_ = { { 0 } };                                                   \
		struct plx_err *err = &err_;                                                       \
		int ret_ = (call);                                                                 \
		if (ret_ != (code) || strstr(err_.text, words) == NULL)                            \
			print_error("%d: %s\n", ret_, err_.text);                                  \
		assert_int_equal(ret_, code);                                                      \
		assert_non_null(strstr(err_.text, words));                                         \
	} while (0)

#define assert_ok(call)                                                                            \
	do {                                                                                       \
		struct plx_err err_ = { { 0 } };                                                   \
		struct plx_err *err = &err_;                                                       \
		int ret_ = (call);                                                                 \
		if (ret_ != 0)                                                                     \
			print_error("%d: %s\n", ret_, err_.text);                                  \
		assert_int_equal(ret_, 0);                                                         \
	} while (0)

#endif
