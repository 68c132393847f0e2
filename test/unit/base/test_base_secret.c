/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "plx_secret.h"

/*
 * Secret memory is seen from outside: through /proc/self/smaps, through what a freed block's
 * neighbour still maps, and from children that run with a small RLIMIT_MEMLOCK.
 */

#define NB_THREADS 4
#define NB_ROUNDS  2000

static void *
take(size_t len)
{
	void *p = NULL;

	assert_int_equal(plx_secret_alloc(len, &p), 0);
	assert_non_null(p);
	return p;
}

static bool
is_zero(const void *p, size_t len)
{
	const uint8_t *bytes = p;

	for (size_t i = 0; i < len; i++) {
		if (bytes[i] != 0)
			return false;
	}
	return true;
}

/* The VmFlags line of the mapping that p lies in. */
static void
vm_flags(const void *p, char *out, size_t len)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	bool is_inside = false;
	char line[512];

	assert_non_null(f);
	out[0] = '\0';
	while (fgets(line, sizeof(line), f) != NULL) {
		unsigned long from, to;

		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			is_inside = (unsigned long)p >= from && (unsigned long)p < to;
		else if (is_inside && strncmp(line, "VmFlags:", 8) == 0)
			snprintf(out, len, "%s", line);
	}
	fclose(f);
}

static void
blocks_of_every_size_are_zero_aligned_and_apart(void **state)
{
	static const size_t sizes[] = { 1,    15,   16,   32,   33,   64,    255,   256,   1024,
					2047, 4000, 4096, 4097, 8192, 16384, 16385, 65536, 100000 };
	uint8_t *p[sizeof(sizes) / sizeof(sizes[0])];
	size_t nb = sizeof(sizes) / sizeof(sizes[0]);

	(void)state;
	for (size_t i = 0; i < nb; i++) {
		p[i] = take(sizes[i]);
		assert_int_equal((uintptr_t)p[i] % 16, 0);
		assert_true(is_zero(p[i], sizes[i]));
		memset(p[i], (int)(i + 1), sizes[i]);
	}
	for (size_t i = 0; i < nb; i++) {
		for (size_t k = 0; k < sizes[i]; k++)
			assert_int_equal(p[i][k], i + 1);
		plx_secret_free(p[i]);
	}
}

static void
no_bytes_and_too_many_are_refused(void **state)
{
	void *p = state;

	assert_int_equal(plx_secret_alloc(0, &p), -EINVAL);
	assert_int_equal(plx_secret_alloc(SIZE_MAX, &p), -ENOMEM);
	assert_int_equal(plx_secret_alloc(SIZE_MAX / 4, &p), -ENOMEM);
	assert_ptr_equal(p, state);
	plx_secret_free(NULL);
}

static void
pages_are_locked_and_left_out_of_dumps(void **state)
{
	static const size_t sizes[] = { 32, 1200, 50000 };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint8_t *p = take(sizes[i]);
		char flags[512];

		vm_flags(p, flags, sizeof(flags));
		assert_non_null(strstr(flags, " lo "));
		assert_non_null(strstr(flags, " dd "));
		vm_flags(p + sizes[i] - 1, flags, sizeof(flags));
		assert_non_null(strstr(flags, " lo "));
		assert_non_null(strstr(flags, " dd "));
		plx_secret_free(p);
	}
}

static void
freed_blocks_are_wiped(void **state)
{
	uint8_t *keeper = take(100); /* keeps the chunk mapped */
	uint8_t *p = take(100);

	(void)state;
	memset(p, 0xa5, 100);
	plx_secret_free(p);
	assert_true(is_zero(p, 100));
	plx_secret_free(keeper);
}

static void
memory_returns_when_the_last_block_goes(void **state)
{
	struct plx_secret_usage before, during, after;
	void *p[1000];

	(void)state;
	plx_secret_usage(&before);
	for (size_t i = 0; i < 1000; i++)
		p[i] = take(100);
	plx_secret_usage(&during);
	assert_int_equal(during.nb_blocks, before.nb_blocks + 1000);
	assert_true(during.locked_bytes >= before.locked_bytes + 1000 * 100);
	assert_true(during.locked_bytes <= before.locked_bytes + 1000 * 128 + 2 * 16384);
	/* every other block first, so that chunks leave and enter the lists in every state */
	for (size_t i = 0; i < 1000; i += 2)
		plx_secret_free(p[i]);
	for (size_t i = 0; i < 1000; i += 2)
		p[i] = take(100);
	plx_secret_usage(&after);
	assert_int_equal(after.locked_bytes, during.locked_bytes);
	for (size_t i = 0; i < 1000; i++)
		plx_secret_free(p[i]);
	plx_secret_usage(&after);
	assert_memory_equal(&after, &before, sizeof(before));
}

struct hammer {
	pthread_t thread;
	uint8_t fill;
	bool is_broken;
};

static void *
hammer_run(void *arg)
{
	struct hammer *h = arg;
	unsigned int seed = h->fill;
	uint8_t *p[16] = { 0 };
	size_t len[16] = { 0 };

	for (int i = 0; i < NB_ROUNDS; i++) {
		size_t k = (size_t)rand_r(&seed) % 16;

		for (size_t n = 0; p[k] != NULL && n < len[k]; n++)
			h->is_broken |= p[k][n] != h->fill;
		plx_secret_free(p[k]);
		p[k] = NULL;
		len[k] = 1 + (size_t)rand_r(&seed) % 5000;
		h->is_broken |= plx_secret_alloc(len[k], (void **)&p[k]) != 0;
		h->is_broken |= p[k] == NULL || !is_zero(p[k], len[k]);
		if (p[k] != NULL)
			memset(p[k], h->fill, len[k]);
	}
	for (size_t k = 0; k < 16; k++)
		plx_secret_free(p[k]);
	return NULL;
}

static void
threads_share_it_without_harm(void **state)
{
	struct plx_secret_usage before, after;
	struct hammer h[NB_THREADS] = { 0 };

	(void)state;
	plx_secret_usage(&before);
	for (size_t i = 0; i < NB_THREADS; i++) {
		h[i].fill = (uint8_t)(i + 1);
		assert_int_equal(pthread_create(&h[i].thread, NULL, hammer_run, &h[i]), 0);
	}
	for (size_t i = 0; i < NB_THREADS; i++) {
		pthread_join(h[i].thread, NULL);
		assert_false(h[i].is_broken);
	}
	plx_secret_usage(&after);
	assert_memory_equal(&after, &before, sizeof(before));
}

/* Run fn in a child without CAP_IPC_LOCK under a limit; its answer is the exit code. */
static int
in_child(int (*fn)(void), rlim_t limit_bytes)
{
	struct rlimit limit = { limit_bytes, limit_bytes };
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (setrlimit(RLIMIT_MEMLOCK, &limit) < 0 ||
		    (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0))
			_exit(99);
		_exit(fn());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WEXITSTATUS(status);
}

static int
allocate_till_refused(void)
{
	void *p[4096];
	size_t nb = 0;
	int ret = 0;

	while (nb < 4096) {
		ret = plx_secret_alloc(1000, &p[nb]);
		if (ret < 0)
			break;
		nb++;
	}
	if (ret != -EPERM || nb < 15)
		return 1;
	/* one block freed makes room for one, and all freed for as many again */
	plx_secret_free(p[nb - 1]);
	if (plx_secret_alloc(1000, &p[nb - 1]) != 0)
		return 2;
	for (size_t i = 0; i < nb; i++)
		plx_secret_free(p[i]);
	for (size_t i = 0; i < nb; i++) {
		if (plx_secret_alloc(1000, &p[i]) != 0)
			return 3;
	}
	return 0;
}

static int
allocate_one(void)
{
	void *p;

	return plx_secret_alloc(16, &p) == -EPERM ? 0 : 1;
}

static void
a_small_lock_limit_is_told_and_recovered_from(void **state)
{
	(void)state;
	assert_int_equal(in_child(allocate_till_refused, 64 * 1024), 0);
}

static void
no_lock_limit_at_all_is_told(void **state)
{
	(void)state;
	assert_int_equal(in_child(allocate_one, 0), 0);
}

static void *misused;

static int
free_twice(void)
{
	plx_secret_free(misused);
	plx_secret_free(misused);
	return 0;
}

static int
free_the_middle(void)
{
	plx_secret_free((uint8_t *)misused + 8);
	return 0;
}

static void
freeing_twice_or_the_middle_aborts(void **state)
{
	void *keeper = take(40);

	(void)state;
	misused = take(40);
	/* the sentence that assert() prints is expected */
	assert_int_equal(in_child(free_twice, 1 << 20), 128 + SIGABRT);
	assert_int_equal(in_child(free_the_middle, 1 << 20), 128 + SIGABRT);
	plx_secret_free(misused);
	plx_secret_free(keeper);
}

static void
wipe_clears_exactly_what_it_is_told(void **state)
{
	uint8_t bytes[8];

	(void)state;
	memset(bytes, 0xff, sizeof(bytes));
	plx_wipe(bytes + 1, 6);
	assert_int_equal(bytes[0], 0xff);
	assert_true(is_zero(bytes + 1, 6));
	assert_int_equal(bytes[7], 0xff);
}

static void
ct_equal_sees_each_byte(void **state)
{
	uint8_t a[33], b[33];

	(void)state;
	memset(a, 7, sizeof(a));
	memset(b, 7, sizeof(b));
	assert_true(plx_ct_equal(a, b, sizeof(a)));
	for (size_t i = 0; i < sizeof(a); i++) {
		b[i] ^= 0x80;
		assert_false(plx_ct_equal(a, b, sizeof(a)));
		assert_true(plx_ct_equal(a, b, i));
		b[i] ^= 0x80;
	}
	assert_true(plx_ct_equal(a, b, 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_of_every_size_are_zero_aligned_and_apart),
		cmocka_unit_test(no_bytes_and_too_many_are_refused),
		cmocka_unit_test(pages_are_locked_and_left_out_of_dumps),
		cmocka_unit_test(freed_blocks_are_wiped),
		cmocka_unit_test(memory_returns_when_the_last_block_goes),
		cmocka_unit_test(threads_share_it_without_harm),
		cmocka_unit_test(a_small_lock_limit_is_told_and_recovered_from),
		cmocka_unit_test(no_lock_limit_at_all_is_told),
		cmocka_unit_test(freeing_twice_or_the_middle_aborts),
		cmocka_unit_test(wipe_clears_exactly_what_it_is_told),
		cmocka_unit_test(ct_equal_sees_each_byte),
	};

	return cmocka_run_group_tests_name("base_secret", tests, NULL, NULL);
}
