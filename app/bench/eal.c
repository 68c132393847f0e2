/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "bench.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_errno.h>

/*
 * The benchmarks' EAL: no PCI, nothing shared with other processes, hugepages when enough are free.
 * Without them all memory is in 4 KiB pages, for the subjects and their peers alike.
 */

#define HUGE_NEEDED_KB (256ul * 1024ul)
#define EAL_ARGS_MAX   12
#define EAL_WORD_MAX   288

static bool
has_hugepages(void)
{
	unsigned long nb_free = 0, size_kb = 0;
	char line[128];
	FILE *f;

	f = fopen("/proc/meminfo", "r");
	if (f == NULL)
		return false;
	while (fgets(line, sizeof(line), f) != NULL) {
		if (strncmp(line, "HugePages_Free:", 15) == 0)
			nb_free = strtoul(line + 15, NULL, 10);
		else if (strncmp(line, "Hugepagesize:", 13) == 0)
			size_kb = strtoul(line + 13, NULL, 10);
	}
	fclose(f);
	return nb_free * size_kb >= HUGE_NEEDED_KB;
}

static void
cpus_allowed(cpu_set_t *set)
{
	if (sched_getaffinity(0, sizeof(*set), set) == 0 && CPU_COUNT(set) > 0)
		return;
	CPU_ZERO(set);
	CPU_SET(0, set);
}

uint32_t
bench_nb_cpus(void)
{
	cpu_set_t set;

	cpus_allowed(&set);
	return (uint32_t)CPU_COUNT(&set);
}

uint32_t
bench_cpu(uint32_t nth)
{
	cpu_set_t set;
	uint32_t cpu;

	cpus_allowed(&set);
	nth %= (uint32_t)CPU_COUNT(&set);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && nth-- == 0)
			return cpu;
	return 0;
}

void
bench_cpus(char *buf, size_t len)
{
	uint32_t i, nb = bench_nb_cpus();
	size_t used = 0;
	int n;

	buf[0] = '\0';
	for (i = 0; i < nb && used < len; i++) {
		n = snprintf(buf + used, len - used, "%s%u", i > 0 ? "," : "", bench_cpu(i));
		if (n < 0)
			return;
		used += (size_t)n;
	}
}

/*
 * Ahead of other programs where that is allowed, subjects and peers alike; threads made later
 * inherit it. Linux shares the CPU among sessions first and among their threads then, so a session
 * of our own (tools/bench makes one) goes ahead as a whole; somebody else's is left as it is.
 */
static void
priority_raise(void)
{
	FILE *f;

	if (setpriority(PRIO_PROCESS, 0, PRIO_MIN) != 0 || getsid(0) != getpid())
		return;
	f = fopen("/proc/self/autogroup", "w");
	if (f == NULL)
		return; /* a kernel without */
	fprintf(f, "%d", PRIO_MIN);
	fclose(f);
}

int
bench_eal_start(const char *lcores)
{
	static char words[EAL_ARGS_MAX][EAL_WORD_MAX]; /* EAL keeps pointers into its arguments */
	const char *pages = has_hugepages() ? "--in-memory" : "--no-huge";
	char *argv[EAL_ARGS_MAX], prefix[32];
	int i;

	snprintf(prefix, sizeof(prefix), "pollux-bench-%d", (int)getpid());
	const char *const args[] = {
		"pollux-bench",
		"--lcores",
		lcores,
		"--file-prefix",
		prefix,
		"--no-pci",
		"--no-telemetry",
		"--log-level=4",
		"--no-shconf",
		"-m",
		"256",
		pages,
	};

	priority_raise();
	for (i = 0; i < (int)PLX_ARRAY_SIZE(args); i++) {
		snprintf(words[i], sizeof(words[i]), "%s", args[i]);
		argv[i] = words[i];
	}
	if (rte_eal_init(i, argv) < 0) {
		bench_say("EAL does not start with --lcores %s: %s", lcores,
			  rte_strerror(rte_errno));
		return -rte_errno;
	}
	return 0;
}

void
bench_eal_stop(void)
{
	rte_eal_cleanup();
}
