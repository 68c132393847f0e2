/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "xts_priv.h"

#include "xts_vec512.h"

#include "xts_vaes.h"

const struct xts_kernel xts_vaes512 = {
	.name = "vaes-avx512",
	.is_usable = xts_cpu_has_vaes512,
	.key_expand = xts_schedule_expand,
	.key_free = NULL,
	.crypt = xts_vaes_crypt,
};
