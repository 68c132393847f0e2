/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

/*
 * The library is opened once a process and stays open: its code may be on any lcore's stack. A
 * library that lacks one of the functions is none.
 */

#define LIBRARY "libcrypto_mb.so.11"
#ifndef PLX_CRYPTO_MB_FILE
#define PLX_CRYPTO_MB_FILE ""
#endif

struct symbol {
	const char *name;
	size_t offset;
};

#define CALL(field, name)                                                                          \
	{                                                                                          \
		name, offsetof(struct mb_calls, field)                                             \
	}
#define CURVE(which, prefix)                                                                       \
	CALL(curves[which].public_key, "mbx_" prefix "_ecpublic_key_mb8"),                         \
		CALL(curves[which].ecdh, "mbx_" prefix "_ecdh_mb8"),                               \
		CALL(curves[which].sign, "mbx_" prefix "_ecdsa_sign_mb8"),                         \
		CALL(curves[which].verify, "mbx_" prefix "_ecdsa_verify_mb8")

static const struct symbol symbols[] = {
	CALL(rsa_public_method, "mbx_RSA_pub65537_Method"),
	CALL(rsa_private_method, "mbx_RSA_private_crt_Method"),
	CALL(rsa_method_size, "mbx_RSA_Method_BufSize"),
	CALL(rsa_public, "mbx_rsa_public_mb8"),
	CALL(rsa_private_crt, "mbx_rsa_private_crt_mb8"),
	CURVE(MB_P256, "nistp256"),
	CURVE(MB_P384, "nistp384"),
	CURVE(MB_P521, "nistp521"),
	CALL(power_scratch, "mbx_exp_BufferSize"),
	CALL(power[0], "mbx_exp1024_mb8"),
	CALL(power[1], "mbx_exp2048_mb8"),
	CALL(power[2], "mbx_exp3072_mb8"),
	CALL(power[3], "mbx_exp4096_mb8"),
	CALL(sm2_sign, "mbx_sm2_ecdsa_sign_mb8"),
	CALL(sm2_verify, "mbx_sm2_ecdsa_verify_mb8"),
	CALL(x25519_public, "mbx_x25519_public_key_mb8"),
	CALL(x25519, "mbx_x25519_mb8"),
};

static struct mb_calls found;
static bool is_found;
static pthread_mutex_t find_lock = PTHREAD_MUTEX_INITIALIZER;

/* 1 when this CPU runs the library's code. */
static int
is_applicable(void *library)
{
	int (*fn)(uint64_t) = NULL;
	void *symbol = dlsym(library, "mbx_is_crypto_mb_applicable");

	memcpy(&fn, &symbol, sizeof(fn));
	return fn != NULL && fn(0) == 1;
}

static int
library_use(const char *file, struct plx_err *err)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	struct mb_calls calls;
	size_t i;
	int ret;

	if (library == NULL)
		return plx_err_set(err, -ENOENT, "crypto_mb=%s: %s", file, dlerror());
	for (i = 0; i < RTE_DIM(symbols); i++) {
		void *symbol = dlsym(library, symbols[i].name);

		if (symbol == NULL) {
			ret = plx_err_set(err, -ENOTSUP, "crypto_mb=%s: it has no %s", file,
					  symbols[i].name);
			goto err_close;
		}
		memcpy((uint8_t *)&calls + symbols[i].offset, &symbol, sizeof(symbol));
	}
	if (!is_applicable(library)) {
		ret = plx_err_set(err, -ENOTSUP,
				  "crypto_mb=%s: this CPU has no AVX512-IFMA, which it needs",
				  file);
		goto err_close;
	}
	found = calls;
	is_found = true;
	return 0;

err_close:
	dlclose(library);
	return ret;
}

/* The system's, the one an environment variable names, the one the build was told of. */
static void
look_around(void)
{
	const char *const files[] = { LIBRARY, secure_getenv("PLX_CRYPTO_MB"), PLX_CRYPTO_MB_FILE };
	struct plx_err why;
	size_t i;

	if (strcmp(PLX_CRYPTO_MB_FILE, "off") == 0)
		return;
	for (i = 0; i < RTE_DIM(files); i++)
		if (files[i] != NULL && files[i][0] != '\0' && library_use(files[i], &why) == 0)
			return;
}

int
mb_calls_find(const char *which, const struct mb_calls **out, struct plx_err *err)
{
	int ret = 0;

	*out = NULL;
	if (strcmp(which, "off") == 0)
		return 0;
	pthread_mutex_lock(&find_lock);
	if (!is_found && strcmp(which, "auto") == 0)
		look_around(); /* to find none is no error */
	else if (!is_found)
		ret = library_use(which, err);
	if (is_found)
		*out = &found;
	pthread_mutex_unlock(&find_lock);
	return ret;
}

const char *
mb_calls_name(const struct mb_calls *calls)
{
	return calls != NULL ? "crypto_mb, eight at a time" : "OpenSSL, one at a time";
}
