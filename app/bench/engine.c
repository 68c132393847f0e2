/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_launch.h>
#include <rte_lcore.h>

/*
 * Cases, rounds and lines of the engine benchmark. In a round each way has one short window, and
 * each round begins with another way. Time is the CPU time of the lcore that counts, so that what
 * other programs take away from it does not.
 */

enum way_idx {
	WAY_DIRECT,
	WAY_INLINE,
	WAY_PIPELINE,
	WAY_SCHEDULER,
	WAYS,
};

#define QUICK_ROUNDS    11u
#define QUICK_WINDOW_US 14000u
#define QUICK_CASE_NS   1400000000u
#define FULL_ROUNDS     31u
#define FULL_WINDOW_US  15000u
#define FULL_CASE_NS    12000000000u
#define ROUNDS_MIN      3u
#define SLICE_OPS       1024u
#define SLICE_MIN_US    400u
#define SLICE_MAX_US    4000u

static const struct way_kind *const kinds[WAYS] = {
	[WAY_DIRECT] = &way_direct,
	[WAY_INLINE] = &way_inline,
	[WAY_PIPELINE] = &way_pipeline,
	[WAY_SCHEDULER] = &way_scheduler,
};

static const struct bench_device {
	const char *name;
	const char *driver;
	bool is_aead_only;
} devices[] = {
	{ .name = "aesni_mb", .driver = "crypto_aesni_mb" },
	{ .name = "aesni_gcm", .driver = "crypto_aesni_gcm", .is_aead_only = true },
	{ .name = "openssl", .driver = "crypto_openssl" },
};

static const uint32_t sizes[] = { 64, 256, 1024, 4096, 16384 };

struct samples {
	double ops[WAYS][BENCH_ROUNDS_MAX];
	double cycles[WAYS][BENCH_ROUNDS_MAX];
};

/* What is open while one device is measured. */
struct stand {
	const struct bench_opts *opts;
	const struct bench_device *device;
	struct load *load;
	uint32_t rounds;
	struct window_params window;
	cpu_set_t submit_cpu;
	cpu_set_t engine_cpu;
	struct way *ways[WAYS]; /* NULL: this way does not exist here */
	void *sessions[WAYS];
};

static int
clock_get(void *arg)
{
	return pthread_getcpuclockid(pthread_self(), arg);
}

static int
clocks_get(struct stand *s)
{
	uint32_t lcore;
	int ret;

	ret = clock_get(&s->window.clocks[LCORE_SUBMIT]);
	for (lcore = LCORE_SUBMIT + 1; lcore < LCORES && ret == 0; lcore++) {
		ret = rte_eal_remote_launch(clock_get, &s->window.clocks[lcore], lcore);
		if (ret == 0)
			ret = rte_eal_wait_lcore(lcore);
	}
	return ret != 0 ? -EIO : 0;
}

/*
 * The lcore that counts is always on the same CPU: two CPUs are two machines when others share
 * them. So the submitter is there when it drives the device itself, and on the other CPU when an
 * engine does.
 */
static void
place(const struct stand *s, uint32_t idx)
{
	const cpu_set_t *cpu = kinds[idx]->lcore == LCORE_SUBMIT ? &s->engine_cpu : &s->submit_cpu;

	if (pthread_setaffinity_np(pthread_self(), sizeof(*cpu), cpu) != 0)
		bench_say("the submitter stays on its CPU");
}

static int
way_measure(struct stand *s, uint32_t idx, struct window_sample *out)
{
	const struct way_kind *kind = kinds[idx];
	int ret, ret2;

	place(s, idx);
	ret = kind->start(s->ways[idx]);
	if (ret < 0)
		return ret;
	s->load->session = s->sessions[idx];
	ret = window_run(kind, s->ways[idx], s->load, &s->window, out);
	ret2 = window_collect(kind, s->ways[idx], s->load);
	kind->stop(s->ways[idx]);
	if (ret == 0 && ret2 == 0 && s->load->nb_failed > 0) {
		bench_say("%s: %llu ops failed", kind->name,
			  (unsigned long long)s->load->nb_failed);
		ret = -EIO;
	}
	return ret < 0 ? ret : ret2;
}

/* One pass over fresh buffers, compared with OpenSSL's result: what does not encrypt is not
 * measured. */
static int
way_check(struct stand *s, uint32_t idx, const char *name)
{
	const struct way_kind *kind = kinds[idx];
	struct load *l = s->load;
	uint32_t last = l->nb_free;
	int ret;

	ret = kind->start(s->ways[idx]);
	if (ret < 0)
		return ret;
	load_plain(l);
	l->session = s->sessions[idx];
	kind->run(s->ways[idx], l, 0);
	ret = window_collect(kind, s->ways[idx], l);
	kind->stop(s->ways[idx]);
	if (ret == 0 &&
	    (l->nb_failed > 0 || !load_is_right(l, &l->free[last - LOAD_BURST], LOAD_BURST))) {
		bench_say("%s: %s does not give what OpenSSL gives", name, kind->name);
		ret = -EBADMSG;
	}
	return ret;
}

/* A slice is as short as it can be and still many bursts long: on a busy machine short ones are the
 * whole ones. */
static int
slice_choose(struct stand *s)
{
	const clockid_t clock = s->window.clocks[LCORE_SUBMIT];
	struct way *w = s->ways[WAY_DIRECT];
	struct load *l = s->load;
	uint64_t nb = l->nb_done, cpu, us;

	l->session = s->sessions[WAY_DIRECT];
	cpu = bench_clock_ns(clock);
	way_direct.run(w, l, rte_rdtsc() + rte_get_tsc_hz() / 1000000u * SLICE_MAX_US);
	cpu = bench_clock_ns(clock) - cpu;
	nb = l->nb_done - nb;
	us = nb > 0 ? cpu * SLICE_OPS / nb / 1000u : SLICE_MAX_US;
	us = us < SLICE_MIN_US ? SLICE_MIN_US : us;
	s->window.slice_us = us > SLICE_MAX_US ? SLICE_MAX_US : (uint32_t)us;
	return window_collect(&way_direct, w, l);
}

static void
case_report(const struct stand *s, const char *name, const struct samples *smp, uint32_t rounds)
{
	struct bench_line line = {
		.bench = "engine",
		.name = name,
		.peer = kinds[WAY_DIRECT]->name,
		.rounds = rounds,
	};
	uint32_t i;

	for (i = WAY_DIRECT + 1; i < WAYS; i++) {
		if (s->sessions[i] == NULL)
			continue;
		line.subject = kinds[i]->name;
		line.metric = "ops_per_s";
		line.unit = "ops/s";
		line.values = smp->ops[i];
		line.peer_values = smp->ops[WAY_DIRECT];
		bench_report(&line);
		line.metric = "cycles_per_op";
		line.unit = "cycles";
		line.values = smp->cycles[i];
		line.peer_values = smp->cycles[WAY_DIRECT];
		bench_report(&line);
	}
	bench_say(
		"%-28s direct %6.0f cycles; inline %.2f, pipeline %.2f, scheduler %.2f of its ops/s",
		name, bench_median(smp->cycles[WAY_DIRECT], rounds),
		bench_median(smp->ops[WAY_INLINE], rounds) /
			bench_median(smp->ops[WAY_DIRECT], rounds),
		bench_median(smp->ops[WAY_PIPELINE], rounds) /
			bench_median(smp->ops[WAY_DIRECT], rounds),
		bench_median(smp->ops[WAY_SCHEDULER], rounds) /
			bench_median(smp->ops[WAY_DIRECT], rounds));
}

static int
case_run(struct stand *s, const char *name)
{
	struct samples smp = { 0 };
	struct window_sample sample = { 0 };
	uint32_t round, i, k;
	uint64_t end;
	int ret = 0;

	for (i = 0; i < WAYS && ret == 0; i++)
		if (s->sessions[i] != NULL)
			ret = way_check(s, i, name);
	if (ret == 0)
		ret = slice_choose(s);
	/* on a busy machine windows grow; then fewer rounds have to do */
	end = bench_wall_ns() + (s->opts->is_quick ? QUICK_CASE_NS : FULL_CASE_NS);
	for (round = 0; round < s->rounds && ret == 0; round++) {
		if (round >= ROUNDS_MIN && bench_wall_ns() > end)
			break;
		for (i = 0; i < WAYS && ret == 0; i++) {
			k = (round + i) % WAYS;
			if (s->sessions[k] == NULL)
				continue;
			ret = way_measure(s, k, &sample);
			smp.ops[k][round] = sample.ops_per_s;
			smp.cycles[k][round] = sample.cycles_per_op;
		}
	}
	if (ret == 0)
		case_report(s, name, &smp, round);
	return ret;
}

static void
case_name(char *buf, size_t len, const struct load_alg *alg, uint32_t bytes,
	  const struct bench_device *device)
{
	snprintf(buf, len, "%s/%u/%s", alg->name, bytes, device->name);
}

static int
alg_run(struct stand *s, const struct load_alg *alg)
{
	char name[BENCH_CASE_MAX];
	uint32_t i;
	int ret = 0;

	for (i = 0; i < WAYS; i++)
		if (s->ways[i] != NULL &&
		    kinds[i]->session_create(s->ways[i], alg, &s->sessions[i]) < 0)
			s->sessions[i] = NULL;
	for (i = 0; i < PLX_ARRAY_SIZE(sizes) && s->sessions[WAY_DIRECT] != NULL && ret == 0; i++) {
		case_name(name, sizeof(name), alg, sizes[i], s->device);
		if (!bench_wants(s->opts, name))
			continue;
		ret = load_set(s->load, alg, sizes[i]);
		if (ret == 0)
			ret = case_run(s, name);
	}
	for (i = 0; i < WAYS && ret != -ETIMEDOUT; i++) {
		if (s->sessions[i] != NULL)
			kinds[i]->session_destroy(s->ways[i], s->sessions[i]);
		s->sessions[i] = NULL;
	}
	return ret;
}

static bool
is_wanted(const struct bench_opts *opts, const struct load_alg *alg,
	  const struct bench_device *device)
{
	char name[BENCH_CASE_MAX];
	uint32_t i;

	if (device->is_aead_only && !alg->is_aead)
		return false;
	for (i = 0; i < PLX_ARRAY_SIZE(sizes); i++) {
		case_name(name, sizeof(name), alg, sizes[i], device);
		if (bench_wants(opts, name))
			return true;
	}
	return false;
}

static int
device_run(struct stand *s, const struct bench_device *device)
{
	bool any = false;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < load_nb_algs; i++)
		any |= is_wanted(s->opts, &load_algs[i], device);
	if (!any)
		return 0;

	s->device = device;
	for (i = 0; i < WAYS; i++)
		if (kinds[i]->open(device->driver, &s->ways[i]) < 0)
			s->ways[i] = NULL;
	if (s->ways[WAY_DIRECT] == NULL)
		bench_say("%s is left out", device->name);
	for (i = 0; i < load_nb_algs && s->ways[WAY_DIRECT] != NULL && ret == 0; i++)
		if (is_wanted(s->opts, &load_algs[i], device))
			ret = alg_run(s, &load_algs[i]);
	for (i = 0; i < WAYS && ret != -ETIMEDOUT; i++) {
		kinds[i]->close(s->ways[i]);
		s->ways[i] = NULL;
	}
	return ret;
}

static int
engine_bench_run(const struct bench_opts *opts)
{
	struct stand s = { .opts = opts,
			   .rounds = opts->rounds,
			   .window.length_us = opts->window_us };
	char lcores[64];
	uint32_t i;
	int ret;

	if (s.rounds == 0)
		s.rounds = opts->is_quick ? QUICK_ROUNDS : FULL_ROUNDS;
	if (s.window.length_us == 0)
		s.window.length_us = opts->is_quick ? QUICK_WINDOW_US : FULL_WINDOW_US;

	CPU_ZERO(&s.submit_cpu);
	CPU_ZERO(&s.engine_cpu);
	CPU_SET(bench_cpu(0), &s.submit_cpu);
	CPU_SET(bench_cpu(1), &s.engine_cpu);
	snprintf(lcores, sizeof(lcores), "%u@%u,%u@%u,%u@%u", LCORE_SUBMIT, bench_cpu(0),
		 LCORE_ENGINE, bench_cpu(1), LCORE_SCHEDULER, bench_cpu(1));
	ret = bench_eal_start(lcores);
	if (ret < 0)
		return ret;
	bench_report_machine("engine", s.rounds, s.window.length_us);
	ret = clocks_get(&s);
	if (ret == 0)
		ret = load_create(&s.load);
	for (i = 0; i < PLX_ARRAY_SIZE(devices) && ret == 0; i++)
		ret = device_run(&s, &devices[i]);
	if (ret != -ETIMEDOUT) {
		load_destroy(s.load);
		bench_eal_stop();
	}
	return ret;
}

static uint32_t
engine_bench_list(const struct bench_opts *opts, bool is_print)
{
	char name[BENCH_CASE_MAX];
	uint32_t d, a, i, nb = 0;

	for (d = 0; d < PLX_ARRAY_SIZE(devices); d++) {
		for (a = 0; a < load_nb_algs; a++) {
			if (devices[d].is_aead_only && !load_algs[a].is_aead)
				continue;
			for (i = 0; i < PLX_ARRAY_SIZE(sizes); i++) {
				case_name(name, sizeof(name), &load_algs[a], sizes[i], &devices[d]);
				if (!bench_wants(opts, name))
					continue;
				nb++;
				if (is_print)
					puts(name);
			}
		}
	}
	return nb;
}

const struct bench bench_engine = {
	.name = "engine",
	.summary = "an engine in front of a device against the device itself",
	.list = engine_bench_list,
	.run = engine_bench_run,
};
