/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "alloc_fail.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

/*
 * Link-time wrappers (ld's --wrap): __wrap_X is what callers reach, __real_X is the function. The
 * count is atomic, since the code under test may have threads.
 */

static _Atomic uint64_t turns; /* allocations left till the failing one, itself included; 0: off */
static atomic_bool has_failed;
static atomic_bool is_openssl_spared;

void *__real_malloc(size_t len);
void *__real_calloc(size_t nb, size_t len);
void *__real_realloc(void *p, size_t len);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t len);
int __real_posix_memalign(void **out, size_t align, size_t len);
void *__real_aligned_alloc(size_t align, size_t len);
int __real_plx_secret_alloc(size_t len, void **out);

void *__wrap_malloc(size_t len);
void *__wrap_calloc(size_t nb, size_t len);
void *__wrap_realloc(void *p, size_t len);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t len);
int __wrap_posix_memalign(void **out, size_t align, size_t len);
void *__wrap_aligned_alloc(size_t align, size_t len);
int __wrap_plx_secret_alloc(size_t len, void **out);

void
alloc_fail_at(uint64_t n)
{
	atomic_store(&has_failed, false);
	atomic_store(&turns, n);
}

bool
alloc_fail_stop(void)
{
	atomic_store(&turns, 0);
	return atomic_load(&has_failed);
}

bool
alloc_fail_now(void)
{
	uint64_t left = atomic_load(&turns);

	while (left != 0) {
		if (!atomic_compare_exchange_weak(&turns, &left, left - 1))
			continue;
		if (left != 1)
			return false;
		atomic_store(&has_failed, true);
		errno = ENOMEM;
		return true;
	}
	return false;
}

void *
__wrap_malloc(size_t len)
{
	return alloc_fail_now() ? NULL : __real_malloc(len);
}

void *
__wrap_calloc(size_t nb, size_t len)
{
	return alloc_fail_now() ? NULL : __real_calloc(nb, len);
}

void *
__wrap_realloc(void *p, size_t len)
{
	return alloc_fail_now() ? NULL : __real_realloc(p, len);
}

char *
__wrap_strdup(const char *s)
{
	return alloc_fail_now() ? NULL : __real_strdup(s);
}

char *
__wrap_strndup(const char *s, size_t len)
{
	return alloc_fail_now() ? NULL : __real_strndup(s, len);
}

int
__wrap_posix_memalign(void **out, size_t align, size_t len)
{
	return alloc_fail_now() ? ENOMEM : __real_posix_memalign(out, align, len);
}

void *
__wrap_aligned_alloc(size_t align, size_t len)
{
	return alloc_fail_now() ? NULL : __real_aligned_alloc(align, len);
}

int
__wrap_plx_secret_alloc(size_t len, void **out)
{
	return alloc_fail_now() ? -ENOMEM : __real_plx_secret_alloc(len, out);
}

void
alloc_fail_spare_openssl(bool is_spared)
{
	atomic_store(&is_openssl_spared, is_spared);
}

static bool
openssl_fail_now(void)
{
	return !atomic_load(&is_openssl_spared) && alloc_fail_now();
}

static void *
openssl_malloc(size_t len, const char *file, int line)
{
	(void)file;
	(void)line;
	return openssl_fail_now() ? NULL : __real_malloc(len);
}

static void *
openssl_realloc(void *p, size_t len, const char *file, int line)
{
	(void)file;
	(void)line;
	if (len == 0) {
		free(p);
		return NULL;
	}
	return openssl_fail_now() ? NULL : __real_realloc(p, len);
}

static void
openssl_free(void *p, const char *file, int line)
{
	(void)file;
	(void)line;
	free(p);
}

bool
alloc_fail_openssl(void)
{
	return CRYPTO_set_mem_functions(openssl_malloc, openssl_realloc, openssl_free) == 1;
}
