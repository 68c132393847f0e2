/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <x86intrin.h>

#include <cmocka.h>

#include "xts_paths.h"

/*
 * The kernels take the same time for one key and one text as for any others, measured: each turn
 * takes, at random, the fixed secrets or random ones, copies them to the same place, and times the
 * call. Welch's t over both kinds tells whether their means differ (Reparaz, Balasch, Verbauwhede:
 * "Dude, is my code constant time?", 2017). The slowest tenth is left out: other programs made it.
 * Only a difference that comes back, in the same direction, in each of several tries is a leak, so
 * that a loud machine does not fail the test; the control leaks, and is found.
 */

#define EXIT_SKIP   77
#define TURNS       20000u
#define TRIES       5
#define POOL        64u
#define T_MAX       10.0
#define KEEP        0.9
#define DATA_BYTES  527u /* two groups of 256 bits, one of 512, and a part to steal from */
#define KIND_FIXED  0
#define KIND_RANDOM 1

struct secrets {
	uint8_t bytes[PLX_XTS_KEY_256];
	uint8_t iv[PLX_XTS_IV_BYTES];
	uint8_t data[DATA_BYTES];
	struct plx_xts_key key;
};

typedef void (*call_fn)(struct secrets *s);

struct sample {
	uint64_t cycles;
	int kind;
};

struct pool {
	struct secrets entries[2][POOL]; /* index: kind */
	struct secrets work;
	struct sample samples[TURNS];
};

static struct xts_paths paths;
static volatile unsigned int sink;

static void
call_expand(struct secrets *s)
{
	sink = (unsigned int)s->key.kernel->key_expand(&s->key, s->bytes);
}

static void
call_encrypt(struct secrets *s)
{
	sink = (unsigned int)plx_xts_encrypt(&s->key, s->iv, s->data, s->data, DATA_BYTES);
}

static void
call_decrypt(struct secrets *s)
{
	sink = (unsigned int)plx_xts_decrypt(&s->key, s->iv, s->data, s->data, DATA_BYTES);
}

/* Stops at the first byte that is not zero, as a comparison of tags must not. */
static void
call_leaky(struct secrets *s)
{
	unsigned int i;

	for (i = 0; i < DATA_BYTES && s->data[i] == 0; i++)
		__asm__ volatile("" : "+r"(i));
	sink = i;
}

static void
pool_fill(struct pool *p, const struct xts_path *path)
{
	uint64_t seed = 51;
	struct secrets *s;
	size_t i;
	int kind;

	for (kind = KIND_FIXED; kind <= KIND_RANDOM; kind++) {
		for (i = 0; i < POOL; i++) {
			s = &p->entries[kind][i];
			memset(s, 0, sizeof(*s));
			if (kind == KIND_RANDOM) {
				xts_fill(s->iv, sizeof(s->iv), xts_random(&seed));
				xts_fill(s->data, sizeof(s->data), xts_random(&seed));
			}
			xts_path_key(path, &s->key, s->bytes, sizeof(s->bytes),
				     kind == KIND_RANDOM ? xts_random(&seed) : 0);
		}
	}
}

static void
samples_take(struct pool *p, call_fn call, uint64_t *seed)
{
	unsigned int aux;
	uint64_t start, r;
	size_t i;

	for (i = 0; i < TURNS; i++) {
		r = xts_random(seed);
		p->samples[i].kind = (int)(r & 1);
		p->work = p->entries[r & 1][(r >> 1) % POOL];
		_mm_mfence();
		start = __rdtscp(&aux);
		_mm_lfence();
		call(&p->work);
		_mm_lfence();
		p->samples[i].cycles = __rdtscp(&aux) - start;
	}
}

static int
by_cycles(const void *a, const void *b)
{
	uint64_t x = ((const struct sample *)a)->cycles, y = ((const struct sample *)b)->cycles;

	return (x > y) - (x < y);
}

struct moments {
	double nb;
	double mean;
	double squares; /* of the distances to the mean */
};

static void
moments_add(struct moments *m, double x)
{
	double d = x - m->mean;

	m->nb += 1.0;
	m->mean += d / m->nb;
	m->squares += d * (x - m->mean);
}

/* Welch's t of the faster 90 %. */
static double
samples_t(struct pool *p)
{
	struct moments m[2] = { { 0 } };
	double variance;
	size_t i;

	qsort(p->samples, TURNS, sizeof(p->samples[0]), by_cycles);
	for (i = 0; i < (size_t)(TURNS * KEEP); i++)
		moments_add(&m[p->samples[i].kind], (double)p->samples[i].cycles);
	variance =
		m[0].squares / (m[0].nb - 1.0) / m[0].nb + m[1].squares / (m[1].nb - 1.0) / m[1].nb;
	return variance > 0.0 ? (m[0].mean - m[1].mean) / sqrt(variance) : 0.0;
}

/* Does it leak in each try, always the same way? */
static bool
is_leak(struct pool *p, call_fn call, const char *name)
{
	uint64_t seed = 61;
	double t, first = 0.0;
	int try;

	samples_take(p, call, &seed); /* warm */
	for (try = 0; try < TRIES; try++) {
		samples_take(p, call, &seed);
		t = samples_t(p);
		printf("%-40s t = %7.2f\n", name, t);
		if (try == 0)
			first = t;
		if (fabs(t) < T_MAX || t * first < 0.0)
			return false;
	}
	return true;
}

static void
path_passes(struct pool *p, const struct xts_path *path)
{
	static const struct {
		const char *name;
		call_fn call;
	} calls[] = {
		{ "key expansion", call_expand },
		{ "encryption", call_encrypt },
		{ "decryption", call_decrypt },
	};
	char name[80];
	size_t i;

	pool_fill(p, path);
	for (i = 0; i < PLX_ARRAY_SIZE(calls); i++) {
		snprintf(name, sizeof(name), "%s, %s", path->name, calls[i].name);
		if (is_leak(p, calls[i].call, name))
			fail_msg("%s takes another time for other secrets", name);
	}
}

static struct pool *
pool_make(void)
{
	struct pool *p = aligned_alloc(64, (sizeof(*p) + 63) / 64 * 64);

	assert_non_null(p);
	return p;
}

static void
time_does_not_depend_on_secrets(void **state)
{
	struct pool *p = pool_make();
	size_t i;

	(void)state;
	for (i = 0; i < paths.nb; i++)
		if (paths.path[i].kernel != &xts_openssl)
			path_passes(p, &paths.path[i]);
	free(p);
}

static void
time_that_depends_is_found(void **state)
{
	struct pool *p = pool_make();

	(void)state;
	pool_fill(p, &paths.path[paths.nb - 1]);
	assert_true(is_leak(p, call_leaky, "control"));
	free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_does_not_depend_on_secrets),
		cmocka_unit_test(time_that_depends_is_found),
	};

	xts_paths_find(&paths);
	if (!xts_emulated_is_usable()) {
		printf("skipped: this CPU has no AVX2 and AES-NI\n");
		return EXIT_SKIP;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
