/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <rte_cycles.h>

#include "plx_xts.h"

/*
 * AES-256-XTS of plx_mb against OpenSSL's EVP, on one core: sectors of one size encrypted from one
 * area to another, each with its number as the tweak. OpenSSL's context and key are kept, and a
 * sector costs an init with its IV and an update. Both areas stay in the first-level cache (32 KiB
 * on most CPUs; but for sectors of 16 KiB): what is measured is the cipher. Windows are cut into
 * slices, and a slice in which the thread did not have its CPU is thrown away.
 */

#define AREA_MAX    16384u
#define KEY_BYTES   PLX_XTS_KEY_256
#define SLICE_US    400u
#define WARM_UP_US  600u
#define SHARE_MIN   0.985
#define STRETCH_MAX 8u

#define QUICK_ROUNDS    15u
#define QUICK_WINDOW_US 20000u
#define FULL_ROUNDS     31u
#define FULL_WINDOW_US  50000u

struct xts_case {
	const char *name;
	uint32_t sector_bytes;
	uint32_t nb_sectors; /* a call of plx_mb; OpenSSL takes them one by one */
	uint32_t area_bytes;
};

static const struct xts_case cases[] = {
	{ "512", 512, 1, 8192 },
	{ "512x8", 512, 8, 8192 },
	{ "4096", 4096, 1, 8192 },
	{ "16384", 16384, 1, AREA_MAX },
};

struct xts_bench {
	struct plx_xts_key key;
	EVP_CIPHER_CTX *ctx;
	uint8_t *in;
	uint8_t *out;
	uint64_t sector; /* number of the next one */
	bool has_failed;
};

/* Encrypt the whole area once, sector after sector. */
typedef void (*way_fn)(struct xts_bench *b, const struct xts_case *c);

struct way {
	const char *name;
	way_fn area;
};

struct sample {
	double gb_per_s;
	double cycles_per_byte;
};

static void
area_plx_mb(struct xts_bench *b, const struct xts_case *c)
{
	struct plx_xts_sectors s = {
		.first = b->sector, .step = 1, .sector_bytes = c->sector_bytes, .nb = c->nb_sectors
	};
	uint32_t at, bytes = c->sector_bytes * c->nb_sectors;
	int ret = 0;

	if (c->nb_sectors > 1) {
		for (at = 0; at < c->area_bytes; at += bytes, s.first += s.nb)
			ret |= plx_xts_encrypt_sectors(&b->key, &s, b->in + at, b->out + at);
	} else {
		uint64_t iv[2] = { b->sector, 0 };

		for (at = 0; at < c->area_bytes; at += bytes, iv[0]++)
			ret |= plx_xts_encrypt(&b->key, (const uint8_t *)iv, b->in + at,
					       b->out + at, bytes);
	}
	b->has_failed |= ret != 0;
}

static void
area_openssl(struct xts_bench *b, const struct xts_case *c)
{
	uint64_t iv[2] = { b->sector, 0 };
	uint32_t at;
	int n, ok = 1;

	for (at = 0; at < c->area_bytes; at += c->sector_bytes, iv[0]++) {
		ok &= EVP_EncryptInit_ex2(b->ctx, NULL, NULL, (const uint8_t *)iv, NULL);
		ok &= EVP_EncryptUpdate(b->ctx, b->out + at, &n, b->in + at, (int)c->sector_bytes);
	}
	b->has_failed |= ok != 1;
}

enum { WAY_PLX_MB = 0, WAY_OPENSSL, WAYS };

static const struct way ways[WAYS] = {
	[WAY_PLX_MB] = { "plx_mb", area_plx_mb },
	[WAY_OPENSSL] = { "openssl", area_openssl },
};

static int
bench_open(struct xts_bench *b)
{
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-256-XTS", NULL);
	struct plx_err err = { "no memory" };
	uint8_t bytes[KEY_BYTES];
	uint32_t i;
	int ret;

	for (i = 0; i < KEY_BYTES; i++)
		bytes[i] = (uint8_t)(i * 7 + 1);
	b->in = aligned_alloc(PLX_CACHE_LINE, AREA_MAX);
	b->out = aligned_alloc(PLX_CACHE_LINE, AREA_MAX);
	b->ctx = EVP_CIPHER_CTX_new();
	ret = plx_xts_key_init(&b->key, bytes, sizeof(bytes), &err);
	if (ret == 0 && (b->in == NULL || b->out == NULL || b->ctx == NULL || cipher == NULL ||
			 EVP_EncryptInit_ex2(b->ctx, cipher, bytes, NULL, NULL) != 1))
		ret = -ENOMEM;
	EVP_CIPHER_free(cipher);
	if (ret < 0) {
		bench_say("AES-XTS cannot be set up: %s", err.text);
		return ret;
	}
	for (i = 0; i < AREA_MAX; i++)
		b->in[i] = (uint8_t)(i * 31 + (i >> 8));
	return 0;
}

static void
bench_close(struct xts_bench *b)
{
	plx_xts_key_wipe(&b->key);
	EVP_CIPHER_CTX_free(b->ctx);
	free(b->in);
	free(b->out);
}

/* Do both give the same bytes? */
static int
case_check(struct xts_bench *b, const struct xts_case *c)
{
	uint8_t *want = malloc(c->area_bytes);
	int ret = 0;

	if (want == NULL)
		return -ENOMEM;
	ways[WAY_OPENSSL].area(b, c);
	memcpy(want, b->out, c->area_bytes);
	memset(b->out, 0, c->area_bytes);
	ways[WAY_PLX_MB].area(b, c);
	if (b->has_failed || memcmp(want, b->out, c->area_bytes) != 0) {
		bench_say("%s: plx_mb and openssl do not give the same", c->name);
		ret = -EIO;
	}
	free(want);
	return ret;
}

struct slice {
	double bytes;
	double wall_ns;
	double share; /* of the CPU */
};

static void
slice_run(struct xts_bench *b, const struct way *w, const struct xts_case *c, uint32_t us,
	  struct slice *out)
{
	uint64_t wall = bench_wall_ns(), cpu = bench_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t until = rte_rdtsc() + rte_get_tsc_hz() / 1000000u * us;
	uint64_t nb = 0;

	do {
		w->area(b, c);
		b->sector += c->area_bytes / c->sector_bytes;
		nb++;
	} while (rte_rdtsc() < until);
	cpu = bench_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
	wall = bench_wall_ns() - wall;
	out->bytes = (double)(nb * c->area_bytes);
	out->wall_ns = (double)wall;
	out->share = (double)cpu / (double)wall;
}

static void
window_run(struct xts_bench *b, const struct way *w, const struct xts_case *c, uint32_t window_us,
	   struct sample *out)
{
	struct slice sum = { 0 }, best = { 0 }, s;
	double length_ns = (double)window_us * 1e3, ns_per_byte;
	uint64_t end = bench_wall_ns() + (uint64_t)window_us * 1000u * STRETCH_MAX;

	slice_run(b, w, c, WARM_UP_US, &s);
	do {
		slice_run(b, w, c, SLICE_US, &s);
		if (s.share > best.share)
			best = s;
		if (s.share >= SHARE_MIN) {
			sum.bytes += s.bytes;
			sum.wall_ns += s.wall_ns;
		}
	} while (sum.wall_ns < length_ns && bench_wall_ns() < end);

	if (sum.bytes <= 0.0) {
		sum.bytes = best.bytes;
		sum.wall_ns = best.wall_ns * best.share;
	}
	ns_per_byte = sum.wall_ns / sum.bytes;
	out->gb_per_s = 1.0 / ns_per_byte;
	out->cycles_per_byte = ns_per_byte * 1e-9 * (double)rte_get_tsc_hz();
}

struct samples {
	double gb_per_s[WAYS][BENCH_ROUNDS_MAX];
	double cycles[WAYS][BENCH_ROUNDS_MAX];
};

static void
case_report(const struct xts_case *c, const struct samples *smp, uint32_t rounds)
{
	struct bench_line line = { .bench = "xts",
				   .name = c->name,
				   .subject = ways[WAY_PLX_MB].name,
				   .peer = ways[WAY_OPENSSL].name,
				   .metric = "gb_per_s",
				   .unit = "GB/s",
				   .values = smp->gb_per_s[WAY_PLX_MB],
				   .peer_values = smp->gb_per_s[WAY_OPENSSL],
				   .rounds = rounds };
	double value = bench_median(line.values, rounds);
	double peer = bench_median(line.peer_values, rounds);

	bench_report(&line);
	line.metric = "cycles_per_byte";
	line.unit = "cycles";
	line.values = smp->cycles[WAY_PLX_MB];
	line.peer_values = smp->cycles[WAY_OPENSSL];
	bench_report(&line);
	bench_say("%-6s plx_mb %5.2f GB/s, openssl %5.2f GB/s: %.2f", c->name, value, peer,
		  value / peer);
}

static int
case_run(struct xts_bench *b, const struct xts_case *c, uint32_t rounds, uint32_t window_us)
{
	static struct samples smp;
	struct sample s;
	uint32_t round, i, k;
	int ret = case_check(b, c);

	if (ret < 0)
		return ret;
	for (round = 0; round < rounds; round++) {
		for (i = 0; i < WAYS; i++) {
			k = (round + i) % WAYS;
			window_run(b, &ways[k], c, window_us, &s);
			smp.gb_per_s[k][round] = s.gb_per_s;
			smp.cycles[k][round] = s.cycles_per_byte;
		}
	}
	if (b->has_failed) {
		bench_say("%s: a call failed", c->name);
		return -EIO;
	}
	case_report(c, &smp, rounds);
	return 0;
}

static int
xts_run(const struct bench_opts *opts)
{
	uint32_t rounds = opts->rounds, window_us = opts->window_us, i;
	static struct xts_bench b;
	char lcores[32];
	int ret;

	if (rounds == 0)
		rounds = opts->is_quick ? QUICK_ROUNDS : FULL_ROUNDS;
	if (window_us == 0)
		window_us = opts->is_quick ? QUICK_WINDOW_US : FULL_WINDOW_US;
	snprintf(lcores, sizeof(lcores), "0@%u", bench_cpu(0));
	ret = bench_eal_start(lcores);
	if (ret < 0)
		return ret;
	bench_report_machine("xts", rounds, window_us);
	bench_say("plx_mb runs %s", plx_xts_kernel_name());
	ret = bench_open(&b);
	for (i = 0; i < PLX_ARRAY_SIZE(cases) && ret == 0; i++)
		if (bench_wants(opts, cases[i].name))
			ret = case_run(&b, &cases[i], rounds, window_us);
	bench_close(&b);
	bench_eal_stop();
	return ret;
}

static uint32_t
xts_list(const struct bench_opts *opts, bool is_print)
{
	uint32_t i, nb = 0;

	for (i = 0; i < PLX_ARRAY_SIZE(cases); i++) {
		if (!bench_wants(opts, cases[i].name))
			continue;
		nb++;
		if (is_print)
			puts(cases[i].name);
	}
	return nb;
}

const struct bench bench_xts = {
	.name = "xts",
	.summary = "AES-256-XTS of plx_mb against OpenSSL",
	.list = xts_list,
	.run = xts_run,
};
