/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
/*
 * Removing the last crypto_openssl device unloads OpenSSL's default provider, for the whole
 * process. A program of its own, since any other device of that driver would hide it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include <openssl/evp.h>

#include <rte_eal.h>

#include "plx_device.h"

static void
removing_crypto_openssl_leaves_openssl_working(void **state)
{
	struct plx_devices *devs = NULL;
	struct plx_device *dev = NULL;
	struct plx_err err = { "" };
	EVP_MD *md;

	(void)state;
	if (plx_devices_create(NULL, &devs, &err) < 0 ||
	    plx_devices_add(devs, "crypto_openssl0", &dev, &err) < 0 ||
	    plx_devices_remove(devs, dev, &err) < 0)
		fail_msg("%s", err.text);
	md = EVP_MD_fetch(NULL, "SHA2-256", NULL);
	assert_non_null(md);
	EVP_MD_free(md);
	plx_devices_destroy(devs);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(removing_crypto_openssl_leaves_openssl_working),
	};
	char prefix[32], words[11][32];
	const char *const args[] = { "test",           "--no-huge",     "-m",  "64",
				     "--no-pci",       "--no-shconf",   "-l",  "0",
				     "--no-telemetry", "--file-prefix", prefix };
	char *argv[RTE_DIM(args)];

	snprintf(prefix, sizeof(prefix), "plxtest-%d", (int)getpid());
	for (size_t i = 0; i < RTE_DIM(args); i++) {
		snprintf(words[i], sizeof(words[i]), "%s", args[i]);
		argv[i] = words[i];
	}
	if (rte_eal_init((int)RTE_DIM(args), argv) < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
