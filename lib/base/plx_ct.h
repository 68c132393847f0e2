/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_CT_H
#define PLX_CT_H

#include <stddef.h>

/*
 * Code on secrets has no branch and no address that is made of them. Where it comes to a result
 * that anybody may know (a signature is wrong; how long a message is), it says so with
 * plx_ct_public(), and may branch from there on. A program that is built with PLX_CT_MEMCHECK has
 * this checked by valgrind, with its secrets marked as undefined; in any other it costs nothing.
 */

#ifdef PLX_CT_MEMCHECK
#include <valgrind/memcheck.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What is in these @p len bytes is no secret any more, though it was made of some.
 *
 * @par Thread    Any.
 * @par Ownership The caller's memory; it is not changed.
 * @par Errors    None.
 */
static inline void
plx_ct_public(const void *p, size_t len)
{
#ifdef PLX_CT_MEMCHECK
	VALGRIND_MAKE_MEM_DEFINED(p, len);
#else
	(void)p;
	(void)len;
#endif
}

#ifdef __cplusplus
}
#endif

#endif
