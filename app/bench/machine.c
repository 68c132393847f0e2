/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "bench.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <jansson.h>
#include <openssl/crypto.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_version.h>

/* The first line of a run: whoever compares two files sees whether they come from the same kind of
 * machine. */

/* The value behind the first "key : value" or "KEY=value" line of a file that starts with key. */
static void
file_value(const char *path, const char *key, char sep, char *buf, size_t len)
{
	char line[4096], *p;
	FILE *f;

	snprintf(buf, len, "unknown");
	f = fopen(path, "r");
	if (f == NULL)
		return;
	while (fgets(line, sizeof(line), f) != NULL) {
		if (strncmp(line, key, strlen(key)) != 0)
			continue;
		p = strchr(line, sep);
		if (p == NULL)
			continue;
		p += 1 + strspn(p + 1, " \t\"");
		p[strcspn(p, "\"\n")] = '\0';
		snprintf(buf, len, "%s", p);
		break;
	}
	fclose(f);
}

/* The driver library has loaded ipsec-mb if it is there; it is not one of ours to link. */
static const char *
ipsec_mb_version(void)
{
	const char *(*version)(void);
	void *lib, *sym;

	lib = dlopen("libIPSec_MB.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (lib == NULL)
		return "none";
	sym = dlsym(lib, "imb_get_version_str");
	if (sym == NULL)
		return "unknown";
	memcpy(&version, &sym, sizeof(version));
	return version();
}

/* The ones that decide which code the crypto libraries take. */
static json_t *
cpu_features(void)
{
	static const char *const wanted[] = { "aes",        "avx2",       "avx512f",
					      "avx512ifma", "vaes",       "sha_ni",
					      "pclmulqdq",  "vpclmulqdq", "hypervisor" };
	char flags[4096], *word, *save = NULL;
	json_t *list = json_array();
	size_t i;

	file_value("/proc/cpuinfo", "flags", ':', flags, sizeof(flags));
	for (word = strtok_r(flags, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save))
		for (i = 0; i < PLX_ARRAY_SIZE(wanted); i++)
			if (strcmp(word, wanted[i]) == 0)
				json_array_append_new(list, json_string(word));
	return list;
}

static json_t *
machine_object(void)
{
	char cpu[256], os[256];
	struct utsname u;

	memset(&u, 0, sizeof(u));
	uname(&u);
	file_value("/proc/cpuinfo", "model name", ':', cpu, sizeof(cpu));
	file_value("/etc/os-release", "PRETTY_NAME", '=', os, sizeof(os));
	return json_pack("{s:s, s:i, s:f, s:o, s:b, s:i, s:s, s:s, s:s}", "cpu", cpu, "cpus",
			 (int)sysconf(_SC_NPROCESSORS_ONLN), "tsc_mhz",
			 (double)rte_get_tsc_hz() / 1e6, "features", cpu_features(), "hugepages",
			 rte_eal_has_hugepages(), "nice", getpriority(PRIO_PROCESS, 0), "arch",
			 u.machine, "kernel", u.release, "os", os);
}

static json_t *
versions_object(void)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s}", "pollux", PLX_VERSION, "dpdk", rte_version(),
			 "openssl", OpenSSL_version(OPENSSL_VERSION), "ipsec_mb",
			 ipsec_mb_version(), "compiler", __VERSION__);
}

void
bench_report_machine(const char *bench, uint32_t rounds, uint32_t window_us)
{
	json_t *obj;

	obj = json_pack("{s:s, s:o, s:o, s:i, s:i}", "bench", bench, "machine", machine_object(),
			"versions", versions_object(), "rounds", (int)rounds, "window_us",
			(int)window_us);
	if (obj == NULL) {
		bench_say("no memory for the machine line");
		return;
	}
	json_dumpf(obj, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9));
	fputc('\n', stdout);
	fflush(stdout);
	json_decref(obj);
}
