/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "bed.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <rte_cycles.h>
#include <rte_eal.h>

#define DEADLINE_S  20
#define NB_QPS      1
#define NB_DESC     256
#define NB_SESSIONS 1024
#define BURST_MAX   64

bool
bed_eal(const char *name)
{
	/* EAL takes writable words and shuffles them */
	static char words[][64] = {
		"test",           "--no-huge", "--no-pci", "--no-shconf",
		"--no-telemetry", "-l0",       "-m256",    "--log-level=*:critical",
		"--file-prefix=",
	};
	char *argv[PLX_ARRAY_SIZE(words)];
	char *prefix = words[PLX_ARRAY_SIZE(words) - 1];
	size_t len = strlen(prefix);

	for (size_t i = 0; i < PLX_ARRAY_SIZE(words); i++)
		argv[i] = words[i];
	snprintf(prefix + len, sizeof(words[0]) - len, "plx_%s_%d", name, (int)getpid());
	/* cmocka catches a crash inside a device and goes on, over an engine that is stuck in its
	 * step */
	setenv("CMOCKA_TEST_ABORT", "1", 0);
	if (rte_eal_init((int)PLX_ARRAY_SIZE(argv), argv) >= 0)
		return true;
	fprintf(stderr, "EAL does not start\n");
	return false;
}

static void
path_open(struct bed *bed, struct plx_device *dev)
{
	struct bed_path *path = &bed->paths[bed->nb_paths];
	struct plx_port_params port_params = {
		.size = sizeof(port_params),
		.cls = PLX_CLASS_NORMAL,
		.mode = PLX_MODE_INLINE,
		.socket_id = -1,
	};
	struct plx_engines_params params;
	struct plx_err err = { "" };

	path->dev = dev;
	plx_engines_params_default(&params);
	params.mode = PLX_MODE_INLINE;
	if (plx_engines_create(bed->devs, &params, &path->es, &err) < 0 ||
	    plx_engines_device_add(path->es, dev, &err) < 0 ||
	    plx_port_create(path->es, &port_params, &path->port, &err) < 0)
		fail_msg("%s: %s", dev->name, err.text);
	bed->nb_paths++;
}

void
bed_open(struct bed *bed, const char *const *specs)
{
	const struct plx_devices_params params = {
		.size = sizeof(params),
		.nb_qps = NB_QPS,
		.nb_desc = NB_DESC,
		.nb_sessions = NB_SESSIONS,
	};
	struct plx_err err = { "" };

	memset(bed, 0, sizeof(*bed));
	if (plx_devices_create(&params, &bed->devs, &err) < 0)
		fail_msg("%s", err.text);
	for (; *specs != NULL; specs++) {
		struct plx_device *dev;
		int ret = plx_devices_add(bed->devs, *specs, &dev, &err);

		if (ret == -ENODEV)
			fprintf(stderr, "%s is left out: %s\n", *specs, err.text);
		else if (ret < 0)
			fail_msg("%s: %s", *specs, err.text);
		else
			path_open(bed, dev);
	}
	if (bed->nb_paths == 0)
		fail_msg("none of the software devices is there: run tools/setup");
}

void
bed_close(struct bed *bed)
{
	for (uint32_t i = 0; i < bed->nb_paths; i++) {
		assert_int_equal(plx_port_destroy(bed->paths[i].port), 0);
		plx_engines_destroy(bed->paths[i].es);
	}
	plx_devices_destroy(bed->devs);
}

static bool
is_one_of(const struct rte_crypto_op *op, struct rte_crypto_op **ops, uint16_t nb, bool *seen)
{
	for (uint16_t i = 0; i < nb; i++) {
		if (ops[i] != op)
			continue;
		if (seen[i])
			return false;
		seen[i] = true;
		return true;
	}
	return false;
}

bool
bed_run(struct bed_path *path, struct rte_crypto_op **ops, uint16_t nb)
{
	uint64_t deadline = rte_get_timer_cycles() + DEADLINE_S * rte_get_timer_hz();
	struct rte_crypto_op *back[BURST_MAX];
	bool seen[BURST_MAX] = { false };
	uint16_t nb_sent = 0, nb_back = 0;

	assert_true(nb <= BURST_MAX);
	while (nb_back < nb) {
		uint16_t n;

		nb_sent = (uint16_t)(nb_sent + plx_port_enqueue_burst(path->port, ops + nb_sent,
								      (uint16_t)(nb - nb_sent)));
		n = plx_port_dequeue_burst(path->port, back, BURST_MAX);
		for (uint16_t i = 0; i < n; i++) {
			if (!is_one_of(back[i], ops, nb, seen))
				return false;
		}
		nb_back = (uint16_t)(nb_back + n);
		if (rte_get_timer_cycles() > deadline)
			return false;
	}
	return plx_port_outstanding(path->port) == 0;
}
