/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <valgrind/memcheck.h>

#include <cmocka.h>

#include "xts_paths.h"

/*
 * Nothing depends on a secret but the bytes that come out. The program runs itself under valgrind's
 * memcheck with key, tweaks and data marked as undefined: memcheck speaks up where a branch or an
 * address is made of them. Valgrind does not know VAES, so what runs is the kernels' source with
 * its instructions made of AES-NI ones; the key schedule is the very one.
 *
 * "test_xts_memcheck careful" and "... leaky" are what runs under valgrind.
 */

#define FOUND_SOMETHING 99
#define EXIT_SKIP       77
#define UNIT_BYTES      4200
#define NB_UNITS        20

struct secrets {
	uint8_t bytes[PLX_XTS_KEY_256];
	uint8_t iv[NB_UNITS][PLX_XTS_IV_BYTES];
	uint8_t data[NB_UNITS][UNIT_BYTES];
	struct plx_xts_key key;
	struct plx_xts_unit units[NB_UNITS];
};

static const char *self;
static volatile unsigned int sink; /* so that the leak is not left out */

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

/* What a cipher with tables does. */
static void
leak(const struct secrets *s)
{
	static const uint8_t table[256] = { 1, 2, 3 };

	sink = table[s->data[0][0]];
}

/* Is what came out still made of secrets? If not, nothing was checked. */
static int
is_undefined(const struct secrets *s)
{
	uint8_t bits[16] = { 0 };
	size_t i;

	if (VALGRIND_GET_VBITS(s->data[NB_UNITS - 1], bits, sizeof(bits)) != 1)
		return 0;
	for (i = 0; i < sizeof(bits); i++)
		if (bits[i] != 0xff)
			return 0;
	return 1;
}

static int
run_under_valgrind(const char *how)
{
	struct secrets *s = aligned_alloc(64, (sizeof(*s) + 63) / 64 * 64);

	_Static_assert(PLX_ARRAY_SIZE(lengths) == NB_UNITS, "a length for each unit");
	if (s == NULL || RUNNING_ON_VALGRIND == 0)
		return 1;
	memset(s, 0, sizeof(*s));
	kernel_run(s, &xts_emulated256, 10);
	kernel_run(s, &xts_emulated256, 14);
	kernel_run(s, &xts_emulated512, 10);
	kernel_run(s, &xts_emulated512, 14);
	if (!is_undefined(s))
		return 2;
	if (strcmp(how, "leaky") == 0)
		leak(s);
	free(s);
	return 0;
}

/* The status it ends with; EXIT_SKIP when there is no valgrind, -1 when it does not end by itself.
 */
static int
valgrind_status(const char *program, const char *how)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		return -1;
	if (child == 0) {
		execlp("valgrind", "valgrind", "--tool=memcheck", "--error-exitcode=99", "--quiet",
		       "--leak-check=no", program, how, (char *)NULL);
		_exit(EXIT_SKIP);
	}
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static void
no_branch_and_no_address_is_made_of_secrets(void **state)
{
	(void)state;
	assert_int_equal(valgrind_status(self, "careful"), 0);
}

static void
leak_is_found(void **state)
{
	(void)state;
	assert_int_equal(valgrind_status(self, "leaky"), FOUND_SOMETHING);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_branch_and_no_address_is_made_of_secrets),
		cmocka_unit_test(leak_is_found),
	};

	if (argc > 1)
		return run_under_valgrind(argv[1]);
	self = argv[0];
	if (!xts_emulated_is_usable()) {
		printf("skipped: this CPU has no AVX2 and AES-NI\n");
		return EXIT_SKIP;
	}
	if (valgrind_status("true", NULL) == EXIT_SKIP) {
		printf("skipped: valgrind is not installed\n");
		return EXIT_SKIP;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
