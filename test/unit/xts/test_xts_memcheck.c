/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <valgrind/memcheck.h>

#include "under_memcheck.h"
#include "xts_paths.h"

/*
 * Nothing depends on a secret but the bytes that come out. Key, tweaks and data are the secrets.
 * Valgrind does not know VAES, so what runs is the kernels' source with its instructions made of
 * AES-NI ones; the key schedule is the very one.
 */

#define UNIT_BYTES 4200
#define NB_UNITS   20

struct secrets {
	uint8_t bytes[PLX_XTS_KEY_256];
	uint8_t iv[NB_UNITS][PLX_XTS_IV_BYTES];
	uint8_t data[NB_UNITS][UNIT_BYTES];
	struct plx_xts_key key;
	struct plx_xts_unit units[NB_UNITS];
};

/* Lengths that take every way through the kernels: groups, parts, stealing from both. */
static const size_t lengths[] = { 16,  17,  31,  32,  255, 256,  257,  271,  272,  496,
				  511, 512, 513, 527, 528, 1024, 1039, 4096, 4111, 4112 };

/* A key and all units, both ways, one by one and together. */
static void
kernel_run(struct secrets *s, const struct xts_kernel *kernel, uint32_t nb_rounds)
{
	size_t i;

	memset(&s->key, 0, sizeof(s->key));
	s->key.kernel = kernel;
	s->key.nb_rounds = nb_rounds;
	VALGRIND_MAKE_MEM_UNDEFINED(s->bytes, sizeof(s->bytes));
	VALGRIND_MAKE_MEM_UNDEFINED(s->iv, sizeof(s->iv));
	VALGRIND_MAKE_MEM_UNDEFINED(s->data, sizeof(s->data));
	if (kernel->key_expand(&s->key, s->bytes) != 0)
		exit(1);
	for (i = 0; i < NB_UNITS; i++)
		s->units[i] = (struct plx_xts_unit){ s->iv[i], s->data[i], s->data[i], lengths[i] };
	for (i = 0; i < NB_UNITS; i++)
		if (plx_xts_encrypt_units(&s->key, &s->units[i], 1) != 0)
			exit(1);
	if (plx_xts_decrypt_units(&s->key, s->units, NB_UNITS) != 0 ||
	    plx_xts_encrypt_units(&s->key, s->units, NB_UNITS) != 0)
		exit(1);
	for (i = 0; i < NB_UNITS; i++)
		if (plx_xts_decrypt_units(&s->key, &s->units[i], 1) != 0)
			exit(1);
}

static int
run(bool leaks)
{
	struct secrets *s = aligned_alloc(64, (sizeof(*s) + 63) / 64 * 64);

	_Static_assert(PLX_ARRAY_SIZE(lengths) == NB_UNITS, "a length for each unit");
	if (s == NULL)
		return 1;
	memset(s, 0, sizeof(*s));
	kernel_run(s, &xts_emulated256, 10);
	kernel_run(s, &xts_emulated256, 14);
	kernel_run(s, &xts_emulated512, 10);
	kernel_run(s, &xts_emulated512, 14);
	if (!memcheck_is_secret(s->data[NB_UNITS - 1], 16))
		return 2;
	if (leaks)
		memcheck_leak(s->data[0]);
	free(s);
	return 0;
}

int
main(int argc, char **argv)
{
	if (!xts_emulated_is_usable()) {
		printf("skipped: this CPU has no AVX2 and AES-NI\n");
		return 77;
	}
	return memcheck_main(argc, argv, run);
}
