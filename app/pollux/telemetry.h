/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TELEMETRY_H
#define TELEMETRY_H

struct app;

/* Answer dpdk-telemetry.py under /pollux/, until telemetry_stop(). Failing to register is logged,
 * no more. */
void telemetry_start(struct app *app);
void telemetry_stop(struct app *app);

#endif
