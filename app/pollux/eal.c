/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "eal.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_lcore.h>
#include <rte_log.h>

/*
 * The embedded default needs nothing of the machine: no huge pages, no PCI, no file shared with
 * another process, a prefix of its own. Its lcores float over the CPUs the process may use: one for
 * the main thread, and more workers than CPUs, so that "engine add" has room. Engines sleep when
 * idle, so spare lcores and floating ones cost nothing. Who wants engines pinned gives EAL options.
 */

#define LCORES_MIN 8

/* File state: there is one EAL a process, and its folder is removed at the end. */
static char runtime_dir[256];

uint32_t
eal_nb_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return 1;
	return (uint32_t)CPU_COUNT(&set);
}

/* "(0,2-3)": ranges keep it short on big machines. */
static void
cpu_list(char *buf, size_t len)
{
	cpu_set_t set;
	size_t at = 0, cpu, last;

	if (sched_getaffinity(0, sizeof(set), &set) < 0) {
		CPU_ZERO(&set);
		CPU_SET(0, &set);
	}
	buf[0] = '\0';
	for (cpu = 0; cpu < CPU_SETSIZE && at + 16 < len; cpu++) {
		if (!CPU_ISSET(cpu, &set))
			continue;
		for (last = cpu; last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set); last++)
			;
		at += (size_t)snprintf(buf + at, len - at, last > cpu ? "%s%zu-%zu" : "%s%zu",
				       at > 0 ? "," : "", cpu, last);
		cpu = last;
	}
}

static int
start_embedded(const struct args *args, const struct opt_daemon *daemon)
{
	char lcores[1024], cpus[900], mem[16], prefix[32], all_level[] = "--log-level=error";
	char name[] = "pollux", no_huge[] = "--no-huge", m[] = "-m", no_shconf[] = "--no-shconf";
	char no_pci[] = "--no-pci", prefix_opt[] = "--file-prefix", lcores_opt[] = "--lcores";
	uint32_t nb = eal_nb_cpus();
	char *argv[12];
	int argc = 0;

	nb = nb < LCORES_MIN ? LCORES_MIN : nb;
	if (nb > RTE_MAX_LCORE - 1)
		nb = RTE_MAX_LCORE - 1;
	cpu_list(cpus, sizeof(cpus));
	snprintf(lcores, sizeof(lcores), "(0-%u)@(%s)", nb, cpus);
	snprintf(mem, sizeof(mem), "%u", daemon->memory_mb);
	snprintf(prefix, sizeof(prefix), "pollux-%d", (int)getpid());

	argv[argc++] = name;
	argv[argc++] = no_huge;
	argv[argc++] = m;
	argv[argc++] = mem;
	argv[argc++] = no_shconf;
	argv[argc++] = no_pci;
	argv[argc++] = prefix_opt;
	argv[argc++] = prefix;
	argv[argc++] = lcores_opt;
	argv[argc++] = lcores;
	if (!args->is_verbose)
		argv[argc++] = all_level;
	argv[argc] = NULL;
	return rte_eal_init(argc, argv);
}

int
eal_start(const struct args *args, const struct opt_daemon *daemon, struct plx_err *err)
{
	char **argv;
	int i, ret;

	if (args->eal_argc == 0) {
		ret = start_embedded(args, daemon);
		if (ret >= 0)
			snprintf(runtime_dir, sizeof(runtime_dir), "%s", rte_eal_get_runtime_dir());
	} else {
		/* EAL moves its argv's words about: it gets a copy */
		argv = calloc((size_t)args->eal_argc + 1, sizeof(*argv));
		if (argv == NULL)
			return plx_err_set(err, -ENOMEM, "no memory for EAL's options");
		for (i = 0; i < args->eal_argc; i++)
			argv[i] = args->eal_argv[i];
		ret = rte_eal_init(args->eal_argc, argv);
		free(argv);
	}
	if (ret >= 0)
		return 0;
	if (args->eal_argc > 0)
		return plx_err_set(
			err, -rte_errno,
			"EAL did not start with the options in front of '--' (%s): its own message "
			"stands above; without any it starts on the embedded default",
			rte_strerror(rte_errno));
	return plx_err_set(
		err, -rte_errno,
		"EAL did not start on the embedded default (%s): daemon.memory = %u megabytes may be "
		"more than this process may have; --verbose shows EAL's own log",
		rte_strerror(rte_errno), daemon->memory_mb);
}

void
eal_stop(void)
{
	struct dirent *entry;
	char path[600];
	DIR *dir;

	rte_eal_cleanup();
	if (runtime_dir[0] == '\0')
		return;

	/* the folder is named by our process id: nobody else's files are in it */
	dir = opendir(runtime_dir);
	if (dir != NULL) {
		while ((entry = readdir(dir)) != NULL) {
			if (entry->d_name[0] == '.')
				continue;
			snprintf(path, sizeof(path), "%s/%s", runtime_dir, entry->d_name);
			unlink(path);
		}
		closedir(dir);
	}
	rmdir(runtime_dir);
	runtime_dir[0] = '\0';
}
