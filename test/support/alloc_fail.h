/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_SUPPORT_ALLOC_FAIL_H
#define TEST_SUPPORT_ALLOC_FAIL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The n-th allocation fails. A program that depends on alloc_fail_dep has malloc, calloc, realloc,
 *strdup, strndup, posix_memalign, aligned_alloc and plx_secret_alloc() of its own objects and of
 *our libraries wrapped at link time; shared libraries keep theirs. OpenSSL's are counted too after
 * alloc_fail_openssl(). alloc_fail_rte_dep adds rte_malloc() and its relatives. One count a
 *process.
 *
 *	for (n = 1; ; n++) {
 *		alloc_fail_at(n);
 *		ret = the_thing();
 *		if (!alloc_fail_stop())
 *			break;          // it has no n-th allocation: done
 *		assert(ret == -ENOMEM); // and that nothing has changed
 *	}
 */

/* Let the n-th allocation from now on fail, once; 1 is the next one. */
void alloc_fail_at(uint64_t n);

/* Back to normal. True when an allocation was failed since alloc_fail_at(). */
bool alloc_fail_stop(void);

/* Count OpenSSL's allocations as well; before anything of OpenSSL is used. False: too late. */
bool alloc_fail_openssl(void);

/* Leave OpenSSL's out of the count, or take them in again: drivers that use OpenSSL may not bear
 * it. */
void alloc_fail_spare_openssl(bool is_spared);

/* For further wrappers: is it this allocation's turn? */
bool alloc_fail_now(void);

#endif
