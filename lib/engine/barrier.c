/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "barrier.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

bool
barrier_is_asymmetric(void)
{
	return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) == 0 &&
	       syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) == 0;
}

void
barrier_heavy(bool is_asymmetric)
{
	rte_smp_mb();
	/* it has worked once, so it does not fail now */
	if (is_asymmetric)
		(void)syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
}
