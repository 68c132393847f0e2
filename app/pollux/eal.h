/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef EAL_H
#define EAL_H

#include <stdint.h>

#include "args.h"
#include "options.h"
#include "plx_err.h"

/* Start EAL: with the user's options as they stand, or on the embedded default. */
int eal_start(const struct args *args, const struct opt_daemon *daemon, struct plx_err *err);

/* End EAL and take its runtime folder away when it was the embedded default's. */
void eal_stop(void);

/* CPUs this process may run on, at least 1. */
uint32_t eal_nb_cpus(void);

#endif
