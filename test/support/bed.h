/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_SUPPORT_BED_H
#define TEST_SUPPORT_BED_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto.h>

#include "plx_device.h"
#include "plx_engine.h"
#include "plx_port.h"

/*
 * A test bed for data that has to come out the same everywhere: all the software devices this
 * machine has, each behind an engine group and an inline port of its own. A path is one of them.
 */

#define BED_PATHS_MAX 8

struct bed_path {
	struct plx_device *dev;
	struct plx_engines *es;
	struct plx_port *port;
};

struct bed {
	struct plx_devices *devs;
	struct bed_path paths[BED_PATHS_MAX];
	uint32_t nb_paths;
};

/* Start EAL, once a process: one lcore, no hugepages, no PCI, no vdev. False, and said, when it
 * fails. */
bool bed_eal(const char *name);

/* Add each device of specs ("crypto_openssl0"; NULL-ended) whose driver is installed; the missing
 * ones are named on standard error. The running cmocka test fails when something else goes wrong,
 * and when there is no device at all. */
void bed_open(struct bed *bed, const char *const *specs);
void bed_close(struct bed *bed);

/* Send nb ops through a path and wait for them all; true when exactly these came back. They may
 * come back in another order; the caller looks at them through its own list. */
bool bed_run(struct bed_path *path, struct rte_crypto_op **ops, uint16_t nb);

#endif
