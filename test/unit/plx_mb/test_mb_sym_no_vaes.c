/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_xts.h"

/* Linked in with ld's --wrap, this makes the driver believe that the CPU has no VAES: AES-XTS is
 * the provider's then. */

const char *__wrap_plx_xts_kernel_name(void);

const char *
__wrap_plx_xts_kernel_name(void)
{
	return "openssl";
}
