/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "asym.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_log.h>

#include "bench.h"

/*
 * Asymmetric ops of crypto_plx_mb beside OpenSSL and crypto_openssl, on one core. Ops go in waves:
 * as many as the case says are started at once, and the next wave when all of them are back.
 * OpenSSL does a wave one op after the other. Rates are by the thread's CPU time; the latency of an
 * op is from the start of its wave until it is back.
 */

#define LATENCIES_MAX 65536u
#define WARM_UP       8u

#define QUICK_ROUNDS    5u
#define QUICK_WINDOW_US 6000u
#define FULL_ROUNDS     15u
#define FULL_WINDOW_US  60000u

static const struct asym_work works[] = {
	{ "rsa-2048-sign", "RSA", NULL, 2048, ASYM_SIGN },
	{ "rsa-3072-sign", "RSA", NULL, 3072, ASYM_SIGN },
	{ "rsa-4096-sign", "RSA", NULL, 4096, ASYM_SIGN },
	{ "rsa-2048-verify", "RSA", NULL, 2048, ASYM_VERIFY },
	{ "p256-sign", "EC", "P-256", 0, ASYM_SIGN },
	{ "p256-verify", "EC", "P-256", 0, ASYM_VERIFY },
	{ "p256-ecdh", "EC", "P-256", 0, ASYM_DERIVE },
	{ "p384-sign", "EC", "P-384", 0, ASYM_SIGN },
	{ "p384-ecdh", "EC", "P-384", 0, ASYM_DERIVE },
	{ "x25519", "X25519", NULL, 0, ASYM_DERIVE },
};

static const uint32_t inflights[] = { 1, 2, 4, 8, 32 };

enum { WAY_PLX_MB = 0, WAY_OPENSSL, WAY_CRYPTO_OPENSSL, WAYS };

static const char *const way_names[WAYS] = { "plx_mb", "openssl", "crypto_openssl" };

struct stand {
	uint32_t rounds;
	uint32_t window_us;
	struct asym_job job;
	struct asym_device devices[WAYS]; /* none for WAY_OPENSSL */
	bool has[WAYS];
	double latencies[LATENCIES_MAX]; /* us, of the last window */
	uint32_t nb_latencies;
};

struct samples {
	double rate[WAYS][BENCH_ROUNDS_MAX];
	double p50[WAYS][BENCH_ROUNDS_MAX];
	double p99[WAYS][BENCH_ROUNDS_MAX];
};

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
latency_note(struct stand *s, uint64_t start)
{
	if (s->nb_latencies < LATENCIES_MAX)
		s->latencies[s->nb_latencies++] =
			(double)(rte_rdtsc() - start) * 1e6 / (double)rte_get_tsc_hz();
}

static bool
wave_evp(struct stand *s, uint32_t nb)
{
	uint64_t start = rte_rdtsc();
	uint32_t i;

	for (i = 0; i < nb; i++) {
		if (!asym_evp(&s->job))
			return false;
		latency_note(s, start);
	}
	return true;
}

static bool
wave_device(struct stand *s, struct asym_device *d, uint32_t nb)
{
	struct rte_crypto_op *back[ASYM_INFLIGHT_MAX];
	uint64_t start = rte_rdtsc(), limit = start + rte_get_tsc_hz() * 30;
	uint32_t sent = 0, got = 0, n, i;

	while (got < nb) {
		if (sent < nb)
			sent += rte_cryptodev_enqueue_burst(d->id, 0, &d->ops[sent],
							    (uint16_t)(nb - sent));
		n = rte_cryptodev_dequeue_burst(d->id, 0, back, ASYM_INFLIGHT_MAX);
		for (i = 0; i < n; i++) {
			if (back[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
				return false;
			latency_note(s, start);
		}
		got += n;
		if (n == 0 && rte_rdtsc() > limit)
			return false;
	}
	return true;
}

static bool
wave(struct stand *s, int way, uint32_t nb)
{
	return way == WAY_OPENSSL ? wave_evp(s, nb) : wave_device(s, &s->devices[way], nb);
}

static double
percentile(const struct stand *s, uint32_t percent)
{
	return s->latencies[(uint64_t)(s->nb_latencies - 1) * percent / 100];
}

/* One window of one way. */
static int
window_run(struct stand *s, int way, uint32_t nb, struct samples *smp, uint32_t round)
{
	uint64_t end, cpu, done = 0;

	if (!wave(s, way, RTE_MIN(nb, WARM_UP)))
		return -EIO;
	s->nb_latencies = 0;
	end = bench_wall_ns() + (uint64_t)s->window_us * 1000u;
	cpu = bench_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	do {
		if (!wave(s, way, nb))
			return -EIO;
		done += nb;
	} while (bench_wall_ns() < end);
	cpu = bench_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
	qsort(s->latencies, s->nb_latencies, sizeof(s->latencies[0]), by_value);
	smp->rate[way][round] = (double)done * 1e9 / (double)cpu;
	smp->p50[way][round] = percentile(s, 50);
	smp->p99[way][round] = percentile(s, 99);
	return 0;
}

/* All ops of a wave are right, before anything is measured. */
static int
check(struct stand *s, int way)
{
	struct asym_device *d = &s->devices[way];
	uint32_t i;

	if (way == WAY_OPENSSL)
		return 0;
	if (!wave_device(s, d, ASYM_INFLIGHT_MAX))
		return -EIO;
	for (i = 0; i < ASYM_INFLIGHT_MAX; i++)
		if (!asym_device_check(d, &s->job, i))
			return -EIO;
	return 0;
}

static void
report(const struct stand *s, const char *name, const struct samples *smp)
{
	struct bench_line line = {
		.bench = "asym", .name = name, .subject = way_names[WAY_PLX_MB], .rounds = s->rounds
	};
	int peer;

	for (peer = WAY_OPENSSL; peer < WAYS; peer++) {
		if (!s->has[peer])
			continue;
		line.peer = way_names[peer];
		line.metric = "ops_per_cpu_s";
		line.unit = "ops/s";
		line.values = smp->rate[WAY_PLX_MB];
		line.peer_values = smp->rate[peer];
		bench_report(&line);
		line.metric = "p50_us";
		line.unit = "us";
		line.values = smp->p50[WAY_PLX_MB];
		line.peer_values = smp->p50[peer];
		bench_report(&line);
		line.metric = "p99_us";
		line.values = smp->p99[WAY_PLX_MB];
		line.peer_values = smp->p99[peer];
		bench_report(&line);
	}
	bench_say("%-19s %8.0f a CPU second, %.2f of openssl; p50 %.1f us, %.2f of openssl", name,
		  bench_median(smp->rate[WAY_PLX_MB], s->rounds),
		  bench_median(smp->rate[WAY_PLX_MB], s->rounds) /
			  bench_median(smp->rate[WAY_OPENSSL], s->rounds),
		  bench_median(smp->p50[WAY_PLX_MB], s->rounds),
		  bench_median(smp->p50[WAY_PLX_MB], s->rounds) /
			  bench_median(smp->p50[WAY_OPENSSL], s->rounds));
}

static int
case_run(struct stand *s, const char *name, uint32_t nb)
{
	static struct samples smp;
	uint32_t round;
	int i, way, ret = 0;

	for (round = 0; round < s->rounds; round++)
		for (i = 0; i < WAYS && ret == 0; i++) {
			way = (int)((round + (uint32_t)i) % WAYS);
			if (s->has[way])
				ret = window_run(s, way, nb, &smp, round);
		}
	if (ret < 0) {
		bench_say("%s: an op failed or did not come back", name);
		return ret;
	}
	report(s, name, &smp);
	return 0;
}

static void
case_name(char *buf, size_t len, const struct asym_work *w, uint32_t nb)
{
	snprintf(buf, len, "%s/%u", w->name, nb);
}

static bool
is_wanted(const struct bench_opts *opts, const struct asym_work *w)
{
	char name[BENCH_CASE_MAX];
	uint32_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(inflights); i++) {
		case_name(name, sizeof(name), w, inflights[i]);
		if (bench_wants(opts, name))
			return true;
	}
	return false;
}

static int
devices_open(struct stand *s)
{
	static const char *const drivers[WAYS] = { "crypto_plx_mb", NULL, "crypto_openssl" };
	int way, ret;

	for (way = 0; way < WAYS; way++) {
		s->has[way] = drivers[way] == NULL;
		if (drivers[way] == NULL)
			continue;
		ret = asym_device_open(&s->devices[way], drivers[way], &s->job);
		if (ret == 0)
			ret = check(s, way);
		s->has[way] = ret == 0;
		if (ret < 0 && (ret != -ENOTSUP || way == WAY_PLX_MB)) {
			bench_say("%s on %s: %s", s->job.work->name, drivers[way],
				  ret == -ENOTSUP ? "there is no such driver, or it refuses the key"
						  : "what it gives is wrong");
			return ret;
		}
	}
	return 0;
}

static int
work_run(struct stand *s, const struct bench_opts *opts, const struct asym_work *w)
{
	char name[BENCH_CASE_MAX];
	uint32_t i;
	int way, ret;

	ret = asym_job_open(&s->job, w);
	if (ret < 0)
		return ret;
	ret = devices_open(s);
	for (i = 0; i < PLX_ARRAY_SIZE(inflights) && ret == 0; i++) {
		case_name(name, sizeof(name), w, inflights[i]);
		if (bench_wants(opts, name))
			ret = case_run(s, name, inflights[i]);
	}
	for (way = 0; way < WAYS; way++)
		asym_device_close(&s->devices[way], false);
	asym_job_close(&s->job);
	return ret;
}

static int
asym_run(const struct bench_opts *opts)
{
	static struct stand s;
	char lcores[32];
	uint32_t i;
	int way, ret;

	s.rounds = opts->rounds;
	if (s.rounds == 0)
		s.rounds = opts->is_quick ? QUICK_ROUNDS : FULL_ROUNDS;
	s.window_us = opts->window_us;
	if (s.window_us == 0)
		s.window_us = opts->is_quick ? QUICK_WINDOW_US : FULL_WINDOW_US;
	snprintf(lcores, sizeof(lcores), "0@%u", bench_cpu(0));
	ret = bench_eal_start(lcores);
	if (ret < 0)
		return ret;
	bench_report_machine("asym", s.rounds, s.window_us);
	/* the driver says what does its asymmetric ops; the others stay as silent as they were */
	rte_log_set_level_pattern("*", RTE_LOG_ERR);
	rte_log_set_level_pattern("pmd.crypto.plx_mb", RTE_LOG_INFO);
	rte_log_set_global_level(RTE_LOG_INFO);
	for (i = 0; i < PLX_ARRAY_SIZE(works) && ret == 0; i++)
		if (is_wanted(opts, &works[i]))
			ret = work_run(&s, opts, &works[i]);
	for (way = 0; way < WAYS; way++)
		asym_device_close(&s.devices[way], true);
	bench_eal_stop();
	return ret;
}

static uint32_t
asym_list(const struct bench_opts *opts, bool is_print)
{
	char name[BENCH_CASE_MAX];
	uint32_t i, j, nb = 0;

	for (i = 0; i < PLX_ARRAY_SIZE(works); i++)
		for (j = 0; j < PLX_ARRAY_SIZE(inflights); j++) {
			case_name(name, sizeof(name), &works[i], inflights[j]);
			if (!bench_wants(opts, name))
				continue;
			nb++;
			if (is_print)
				puts(name);
		}
	return nb;
}

const struct bench bench_asym = {
	.name = "asym",
	.summary = "asymmetric ops of plx_mb against OpenSSL",
	.list = asym_list,
	.run = asym_run,
};
