/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "alloc_fail.h"

#include <stddef.h>

/* rte_malloc() and its relatives, for programs that link DPDK. */

#define WRAP(name, params, args)                                                                   \
	void *__real_##name params;                                                                \
	void *__wrap_##name params;                                                                \
	void *__wrap_##name params                                                                 \
	{                                                                                          \
		return alloc_fail_now() ? NULL : __real_##name args;                               \
	}

WRAP(rte_malloc, (const char *type, size_t len, unsigned int align), (type, len, align))
WRAP(rte_zmalloc, (const char *type, size_t len, unsigned int align), (type, len, align))
WRAP(rte_calloc, (const char *type, size_t nb, size_t len, unsigned int align),
     (type, nb, len, align))
WRAP(rte_malloc_socket, (const char *type, size_t len, unsigned int align, int socket),
     (type, len, align, socket))
WRAP(rte_zmalloc_socket, (const char *type, size_t len, unsigned int align, int socket),
     (type, len, align, socket))
WRAP(rte_calloc_socket, (const char *type, size_t nb, size_t len, unsigned int align, int socket),
     (type, nb, len, align, socket))
