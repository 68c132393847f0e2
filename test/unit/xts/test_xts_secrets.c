/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <immintrin.h>

#include <cmocka.h>

#include "alloc_fail.h"
#include "xts_paths.h"

/*
 * What is left behind: calls run on a stack of their own, which is searched for the key, the round
 * keys, the first tweaks and the plaintext afterwards; so are the vector registers. And a key that
 * is wiped is all zeros.
 */

#define STACK_BYTES  (256u * 1024u)
#define UNIT_BYTES   4111u
#define NB_UNITS     3
#define NB_TWEAKS    (UNIT_BYTES / 16 + 2)
#define NEEDLE_BYTES 8

#if defined(__SANITIZE_ADDRESS__)
#define HAS_STACK_OF_ITS_OWN false /* locals are in memory of the sanitizer's */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_STACK_OF_ITS_OWN false
#endif
#endif
#ifndef HAS_STACK_OF_ITS_OWN
#define HAS_STACK_OF_ITS_OWN true
#endif

struct job {
	const struct xts_kernel *kernel;
	uint8_t bytes[PLX_XTS_KEY_256];
	uint8_t iv[NB_UNITS][PLX_XTS_IV_BYTES];
	uint8_t plain[UNIT_BYTES];
	uint8_t cipher[NB_UNITS][UNIT_BYTES];
	uint8_t back[UNIT_BYTES];
	uint8_t registers[16][32];
	struct plx_xts_key key;
	int ret;
	bool is_careless;
};

static struct xts_paths paths;
static struct job *job; /* of the context that runs */
static ucontext_t main_context, job_context;

static __attribute__((target("avx"))) void
registers_save(uint8_t (*out)[32])
{
	__asm__ volatile("vmovdqu %%ymm0, 0(%0)\n\tvmovdqu %%ymm1, 32(%0)\n\t"
			 "vmovdqu %%ymm2, 64(%0)\n\tvmovdqu %%ymm3, 96(%0)\n\t"
			 "vmovdqu %%ymm4, 128(%0)\n\tvmovdqu %%ymm5, 160(%0)\n\t"
			 "vmovdqu %%ymm6, 192(%0)\n\tvmovdqu %%ymm7, 224(%0)\n\t"
			 "vmovdqu %%ymm8, 256(%0)\n\tvmovdqu %%ymm9, 288(%0)\n\t"
			 "vmovdqu %%ymm10, 320(%0)\n\tvmovdqu %%ymm11, 352(%0)\n\t"
			 "vmovdqu %%ymm12, 384(%0)\n\tvmovdqu %%ymm13, 416(%0)\n\t"
			 "vmovdqu %%ymm14, 448(%0)\n\tvmovdqu %%ymm15, 480(%0)\n\tvzeroupper"
			 :
			 : "r"(out)
			 : "memory");
}

/* What a kernel without care would leave: copies on the stack. */
static __attribute__((noinline)) void
careless(const struct job *j)
{
	uint8_t copy[4][NEEDLE_BYTES];

	memcpy(copy[0], j->key.enc[5], NEEDLE_BYTES);
	memcpy(copy[1], j->bytes + 3, NEEDLE_BYTES);
	memcpy(copy[2], j->plain + 1024, NEEDLE_BYTES);
	memset(copy[3], 0, NEEDLE_BYTES);
	__asm__ volatile("" : : "r"(copy) : "memory");
}

static void
job_run(void)
{
	struct plx_xts_unit units[NB_UNITS];
	struct job *j = job;
	size_t i;

	j->ret = xts_key_init_on(&j->key, j->kernel, j->bytes, sizeof(j->bytes), NULL);
	for (i = 0; i < NB_UNITS; i++)
		units[i] = (struct plx_xts_unit){ j->iv[i], j->plain, j->cipher[i], UNIT_BYTES };
	if (j->ret == 0)
		j->ret = plx_xts_encrypt_units(&j->key, units, NB_UNITS);
	if (j->ret == 0)
		j->ret = plx_xts_decrypt(&j->key, j->iv[1], j->cipher[1], j->back, UNIT_BYTES);
	registers_save(j->registers);
	if (j->is_careless)
		careless(j);
}

static const uint8_t *
find(const void *hay, size_t len, const uint8_t *needle)
{
	return memmem(hay, len, needle, NEEDLE_BYTES);
}

/* How many of the needles, each NEEDLE_BYTES, are in the hay. */
static size_t
nb_found(const void *hay, size_t len, const uint8_t *needles, size_t len_needles, size_t step)
{
	size_t at, nb = 0;

	for (at = 0; at + NEEDLE_BYTES <= len_needles; at += step)
		if (find(hay, len, needles + at) != NULL)
			nb++;
	return nb;
}

/* The tweaks of the first blocks of a unit, of OpenSSL: with the data key as the tweak key, the
 * encryption of the IV is ECB's. */
static void
tweaks_make(const struct job *j, const uint8_t *iv, uint8_t (*out)[16])
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n, carry, next;
	size_t i, k;

	assert_non_null(ctx);
	assert_int_equal(EVP_EncryptInit_ex(ctx, EVP_aes_256_ecb(), NULL, j->bytes + 32, NULL), 1);
	assert_int_equal(EVP_CIPHER_CTX_set_padding(ctx, 0), 1);
	assert_int_equal(EVP_EncryptUpdate(ctx, out[0], &n, iv, 16), 1);
	EVP_CIPHER_CTX_free(ctx);
	for (i = 1; i < NB_TWEAKS; i++) {
		carry = 0;
		for (k = 0; k < 16; k++) {
			next = out[i - 1][k] >> 7;
			out[i][k] = (uint8_t)(out[i - 1][k] << 1 | carry);
			carry = next;
		}
		out[i][0] ^= (uint8_t)(carry * 0x87);
	}
}

static size_t
nb_left_behind(const struct job *j, const void *hay, size_t len)
{
	uint8_t tweaks[NB_TWEAKS][16];
	size_t nb, i;

	nb = nb_found(hay, len, j->bytes, sizeof(j->bytes), 1);
	nb += nb_found(hay, len, j->key.enc[0], sizeof(j->key.enc), NEEDLE_BYTES);
	nb += nb_found(hay, len, j->key.dec[0], sizeof(j->key.dec), NEEDLE_BYTES);
	nb += nb_found(hay, len, j->key.tweak[0], sizeof(j->key.tweak), NEEDLE_BYTES);
	nb += nb_found(hay, len, j->plain, sizeof(j->plain), 1);
	for (i = 0; i < NB_UNITS; i++) {
		tweaks_make(j, j->iv[i], tweaks);
		nb += nb_found(hay, len, tweaks[0], sizeof(tweaks), NEEDLE_BYTES);
	}
	return nb;
}

static void
context_run(struct job *j, uint8_t *stack)
{
	job = j;
	assert_int_equal(getcontext(&job_context), 0);
	job_context.uc_stack.ss_sp = stack;
	job_context.uc_stack.ss_size = STACK_BYTES;
	job_context.uc_link = &main_context;
	makecontext(&job_context, job_run, 0);
	assert_int_equal(swapcontext(&main_context, &job_context), 0);
	assert_int_equal(j->ret, 0);
	assert_memory_equal(j->back, j->plain, UNIT_BYTES);
}

static struct job *
job_make(const struct xts_path *path)
{
	struct job *j = aligned_alloc(64, (sizeof(*j) + 63) / 64 * 64);

	assert_non_null(j);
	memset(j, 0, sizeof(*j));
	j->kernel = path->kernel;
	xts_fill(j->bytes, sizeof(j->bytes), 31);
	xts_fill(j->iv[0], sizeof(j->iv), 32);
	xts_fill(j->plain, sizeof(j->plain), 33);
	return j;
}

static void
nothing_secret_stays_on_the_stack_or_in_registers(void **state)
{
	uint8_t *stack;
	struct job *j;
	size_t p, nb;

	(void)state;
	if (!HAS_STACK_OF_ITS_OWN) {
		printf("skipped: the address sanitizer keeps locals elsewhere\n");
		skip();
	}
	stack = malloc(STACK_BYTES);
	assert_non_null(stack);
	for (p = 0; p < paths.nb; p++) {
		if (paths.path[p].kernel == &xts_openssl)
			continue; /* what OpenSSL leaves is OpenSSL's */
		j = job_make(&paths.path[p]);
		memset(stack, 0, STACK_BYTES);
		context_run(j, stack);
		nb = nb_left_behind(j, stack, STACK_BYTES);
		if (nb != 0 && !paths.path[p].is_emulated)
			fail_msg("%s leaves %zu secrets on the stack", paths.path[p].name, nb);
		nb = nb_left_behind(j, j->registers, sizeof(j->registers));
		if (nb != 0)
			fail_msg("%s leaves %zu secrets in registers", paths.path[p].name, nb);
		plx_xts_key_wipe(&j->key);
		free(j);
	}
	free(stack);
}

static void
search_finds_what_is_left(void **state)
{
	uint8_t *stack;
	struct job *j;

	(void)state;
	if (!HAS_STACK_OF_ITS_OWN || paths.path[paths.nb - 1].kernel == &xts_openssl)
		skip();
	stack = calloc(1, STACK_BYTES);
	assert_non_null(stack);
	j = job_make(&paths.path[paths.nb - 1]);
	j->is_careless = true;
	context_run(j, stack);
	assert_true(nb_left_behind(j, stack, STACK_BYTES) >= 3);
	plx_xts_key_wipe(&j->key);
	free(j);
	free(stack);
}

static void
wiped_key_is_all_zeros(void **state)
{
	static const struct plx_xts_key zero;
	struct plx_xts_key key;
	uint8_t bytes[64];
	size_t p;

	(void)state;
	for (p = 0; p < paths.nb; p++) {
		xts_path_key(&paths.path[p], &key, bytes, sizeof(bytes), 41);
		plx_xts_key_wipe(&key);
		assert_memory_equal(&key, &zero, sizeof(key));
		plx_xts_key_wipe(&key); /* once more, and nothing is freed twice */
	}
}

static void
key_that_finds_no_memory_changes_nothing(void **state)
{
	struct plx_xts_key key, before;
	struct plx_err err;
	uint8_t bytes[64];
	int ret;

	(void)state;
	xts_fill(bytes, sizeof(bytes), 42);
	memset(&key, 0x5a, sizeof(key));
	before = key;
	alloc_fail_at(1);
	ret = xts_key_init_on(&key, &xts_openssl, bytes, sizeof(bytes), &err);
	assert_true(alloc_fail_stop());
	assert_int_equal(ret, -ENOMEM);
	assert_non_null(strstr(err.text, "64 bytes"));
	assert_memory_equal(&key, &before, sizeof(key));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_secret_stays_on_the_stack_or_in_registers),
		cmocka_unit_test(search_finds_what_is_left),
		cmocka_unit_test(wiped_key_is_all_zeros),
		cmocka_unit_test(key_that_finds_no_memory_changes_nothing),
	};

	xts_paths_find(&paths);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
