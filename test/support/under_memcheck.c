/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "under_memcheck.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <valgrind/memcheck.h>

#include <cmocka.h>

#define FOUND     99 /* memcheck spoke up */
#define EXIT_SKIP 77

static const char *self;
static volatile unsigned int sink; /* so that the leak is not left out */

bool
memcheck_is_secret(const void *p, size_t len)
{
	const unsigned char *bytes = p;
	unsigned char bits;

	for (size_t i = 0; i < len; i++)
		if (VALGRIND_GET_VBITS(&bytes[i], &bits, 1) != 1 || bits != 0xff)
			return false;
	return true;
}

void
memcheck_leak(const unsigned char *byte)
{
	static const unsigned char table[256] = { 1, 2, 3 };

	sink = table[*byte];
}

/* The status it ends with under valgrind; EXIT_SKIP when there is no valgrind, -1 when it does not
 * end by itself. */
static int
status_of(const char *program, const char *how)
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
	assert_int_equal(status_of(self, "careful"), 0);
}

static void
leak_is_found(void **state)
{
	(void)state;
	assert_int_equal(status_of(self, "leaky"), FOUND);
}

int
memcheck_main(int argc, char **argv, int (*run)(bool leaks))
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_branch_and_no_address_is_made_of_secrets),
		cmocka_unit_test(leak_is_found),
	};

	if (argc > 1)
		return RUNNING_ON_VALGRIND == 0 ? 1 : run(strcmp(argv[1], "leaky") == 0);
	self = argv[0];
	if (status_of("true", NULL) == EXIT_SKIP) {
		printf("skipped: valgrind is not installed\n");
		return EXIT_SKIP;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
