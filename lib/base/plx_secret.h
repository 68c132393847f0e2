/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_SECRET_H
#define PLX_SECRET_H

#include <stdbool.h>
#include <stddef.h>

#include "plx_compiler.h"

/* Memory for keys: locked into RAM, left out of core dumps, zeroed when given, wiped when freed. */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Secret memory of @p len bytes, zeroed, 16-byte aligned.
 *
 * @return 0; -ENOMEM; -EPERM when memory cannot be locked (RLIMIT_MEMLOCK).
 * @par Thread    Any, thread-safe; not for a data path.
 * @par Ownership Freed with plx_secret_free().
 * @par Errors    -EINVAL (0 bytes), -ENOMEM, -EPERM.
 */
int plx_secret_alloc(size_t len, void **out) PLX_MUST_CHECK;

/**
 * Wipe and free; NULL is taken.
 *
 * @par Thread    Any, thread-safe.
 * @par Ownership The memory is gone.
 * @par Errors    None.
 */
void plx_secret_free(void *p);

/* What the secret memory of this process holds. */
struct plx_secret_usage {
	size_t nb_blocks;    /* allocated and not freed */
	size_t locked_bytes; /* counted against RLIMIT_MEMLOCK */
};

/**
 * Tell how much secret memory is in use.
 *
 * @par Thread    Any, thread-safe.
 * @par Ownership @p out is the caller's.
 * @par Errors    None.
 */
void plx_secret_usage(struct plx_secret_usage *out);

/**
 * Set to zero in a way the compiler may not leave out.
 *
 * @par Thread    Any.
 * @par Ownership The caller's memory.
 * @par Errors    None.
 */
void plx_wipe(void *p, size_t len);

/**
 * Compare in time that depends on @p len alone.
 *
 * @par Thread    Any.
 * @par Ownership Nothing is kept.
 * @par Errors    None.
 */
bool plx_ct_equal(const void *a, const void *b, size_t len);

#ifdef __cplusplus
}
#endif

#endif
