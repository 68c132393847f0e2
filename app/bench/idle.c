/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "bench.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_mbuf.h>

#include "plx_device.h"
#include "plx_engine.h"
#include "plx_port.h"

/*
 * What an idle pipeline costs, and what the first op after a pause pays for it. Two engines float
 * over the CPUs with the submitter; nothing is sent for a while and the process's CPU time is
 * taken; then single ops, each after a pause long enough for the engines to sleep. The peer is the
 * same pipeline that never sleeps.
 */

#define FIRST_OPS   40u
#define PAUSE_US    5000u
#define QUIET_US    500000u
#define IDLE_US     1000u
#define DATA_BYTES  64u
#define IV_OFFSET   (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))
#define LOOKS       16u
#define IDLE_ROUNDS 5u

static const char idle_case[] = "2-engines/1ms";

struct idle {
	struct plx_devices *devs;
	struct plx_engines *es;
	struct plx_port *port;
	struct plx_session *session;
	struct rte_mempool *ops;
	struct rte_mempool *bufs;
	struct rte_crypto_op *op;
};

static int
group_open(struct idle *t, struct plx_err *err)
{
	struct plx_port_params pp = { .size = sizeof(pp),
				      .mode = PLX_MODE_PIPELINE,
				      .socket_id = -1 };
	struct plx_engines_params ep;
	struct plx_device *dev;
	uint32_t id, i;
	int ret;

	plx_engines_params_default(&ep);
	ep.idle_us = IDLE_US;
	ret = plx_devices_create(NULL, &t->devs, err);
	if (ret == 0)
		ret = plx_devices_add(t->devs, "crypto_openssl", &dev, err);
	if (ret == 0)
		ret = plx_engines_create(t->devs, &ep, &t->es, err);
	if (ret == 0)
		ret = plx_engines_device_add(t->es, dev, err);
	for (i = 0; i < 2 && ret == 0; i++)
		ret = plx_engines_engine_add(t->es, PLX_ENGINE_ANY_LCORE, &id, err);
	if (ret == 0)
		ret = plx_port_create(t->es, &pp, &t->port, err);
	if (ret == 0)
		ret = plx_engines_start(t->es, err);
	return ret;
}

static int
op_open(struct idle *t, struct plx_err *err)
{
	static const uint8_t key[16] = "key of idle ops";
	struct rte_crypto_sym_xform x = { .type = RTE_CRYPTO_SYM_XFORM_CIPHER };
	struct rte_mbuf *m;

	x.cipher.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT;
	x.cipher.algo = RTE_CRYPTO_CIPHER_AES_CTR;
	x.cipher.key.data = key;
	x.cipher.key.length = sizeof(key);
	x.cipher.iv.offset = IV_OFFSET;
	x.cipher.iv.length = 16;
	t->ops = rte_crypto_op_pool_create("idle_ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, 63, 0, 16,
					   SOCKET_ID_ANY);
	t->bufs = rte_pktmbuf_pool_create("idle_bufs", 63, 0, 0, RTE_PKTMBUF_HEADROOM + DATA_BYTES,
					  SOCKET_ID_ANY);
	if (t->ops == NULL || t->bufs == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for an op");
	t->op = rte_crypto_op_alloc(t->ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	m = rte_pktmbuf_alloc(t->bufs);
	if (t->op == NULL || m == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for an op");
	memset(rte_crypto_op_ctod_offset(t->op, uint8_t *, IV_OFFSET), 0, 16);
	t->op->sym->m_src = m;
	t->op->sym->cipher.data.offset = 0;
	t->op->sym->cipher.data.length = DATA_BYTES;
	if (rte_pktmbuf_append(m, DATA_BYTES) == NULL)
		return plx_err_set(err, -ENOMEM, "no room for %u bytes", DATA_BYTES);
	return plx_session_create_sym(t->devs, &x, &t->session, err);
}

static void
idle_close(struct idle *t)
{
	if (t->es != NULL)
		plx_engines_stop(t->es);
	if (t->port != NULL && plx_port_destroy(t->port) < 0)
		return; /* what it stands on has to stay */
	if (t->session != NULL)
		plx_session_destroy(t->devs, t->session);
	plx_engines_destroy(t->es);
	plx_devices_destroy(t->devs);
	rte_mempool_free(t->ops);
	rte_mempool_free(t->bufs);
}

static int
sleep_set(struct idle *t, uint32_t idle_us, struct plx_err *err)
{
	struct plx_engines_params p;

	plx_engines_get(t->es, &p);
	p.idle_us = idle_us;
	return plx_engines_set(t->es, &p, err);
}

/* Percent of one CPU that the whole process takes while nothing is sent. */
static double
quiet_percent(void)
{
	uint64_t cpu, wall;

	usleep(PAUSE_US); /* idle_us has to pass first */
	wall = bench_wall_ns();
	cpu = bench_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	usleep(QUIET_US);
	cpu = bench_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	wall = bench_wall_ns() - wall;
	return (double)cpu * 100.0 / (double)wall;
}

/* One op after a pause: from before the enqueue until it is back, in microseconds. */
static int
first_op_us(struct idle *t, double *out)
{
	struct rte_crypto_op *op = t->op;
	uint64_t start, limit = rte_get_timer_hz() * 10;
	uint32_t looks = 0;

	usleep(PAUSE_US);
	plx_session_attach(op, t->session);
	start = rte_rdtsc();
	while (plx_port_enqueue_burst(t->port, &op, 1) == 0)
		if (rte_rdtsc() - start > limit)
			return -ETIMEDOUT;
	while (plx_port_dequeue_burst(t->port, &op, 1) == 0) {
		if (rte_rdtsc() - start > limit)
			return -ETIMEDOUT;
		if (++looks % LOOKS == 0)
			sched_yield();
	}
	*out = (double)(rte_rdtsc() - start) * 1e6 / (double)rte_get_tsc_hz();
	return op->status == RTE_CRYPTO_OP_STATUS_SUCCESS ? 0 : -EIO;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct idle_samples {
	double percent[BENCH_ROUNDS_MAX];
	double p50[BENCH_ROUNDS_MAX];
	double p90[BENCH_ROUNDS_MAX];
};

static int
round_run(struct idle *t, uint32_t idle_us, struct idle_samples *s, uint32_t round,
	  struct plx_err *err)
{
	double us[FIRST_OPS];
	uint32_t i;
	int ret = sleep_set(t, idle_us, err);

	if (ret < 0)
		return ret;
	s->percent[round] = quiet_percent();
	for (i = 0; i < FIRST_OPS; i++) {
		ret = first_op_us(t, &us[i]);
		if (ret < 0)
			return plx_err_set(err, ret, "an op did not come back as it should");
	}
	qsort(us, FIRST_OPS, sizeof(us[0]), by_value);
	s->p50[round] = us[FIRST_OPS / 2];
	s->p90[round] = us[FIRST_OPS * 9 / 10];
	return 0;
}

static void
report(const char *metric, const char *unit, const double *sleeping, const double *spinning,
       uint32_t rounds)
{
	const struct bench_line line = { .bench = "idle",
					 .name = idle_case,
					 .subject = "sleep",
					 .peer = "spin",
					 .metric = metric,
					 .unit = unit,
					 .values = sleeping,
					 .peer_values = spinning,
					 .rounds = rounds };

	bench_report(&line);
}

static int
rounds_run(struct idle *t, uint32_t rounds, struct plx_err *err)
{
	static struct idle_samples sleeping, spinning;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < rounds && ret == 0; i++) {
		ret = round_run(t, IDLE_US, &sleeping, i, err);
		if (ret == 0)
			ret = round_run(t, 0, &spinning, i, err);
	}
	if (ret < 0)
		return ret;
	report("cpu_percent", "percent of one CPU", sleeping.percent, spinning.percent, rounds);
	report("first_op_p50_us", "us", sleeping.p50, spinning.p50, rounds);
	report("first_op_p90_us", "us", sleeping.p90, spinning.p90, rounds);
	return 0;
}

static int
idle_run(const struct bench_opts *opts)
{
	uint32_t rounds = opts->rounds != 0 ? opts->rounds : IDLE_ROUNDS;
	struct plx_err err = { "" };
	char lcores[64], cpus[48];
	struct idle t = { 0 };
	int ret;

	bench_cpus(cpus, sizeof(cpus));
	snprintf(lcores, sizeof(lcores), "(0-2)@(%s)", cpus);
	ret = bench_eal_start(lcores);
	if (ret < 0)
		return ret;
	bench_report_machine("idle", rounds, QUIET_US);
	ret = group_open(&t, &err);
	if (ret == 0)
		ret = op_open(&t, &err);
	if (ret == 0)
		ret = rounds_run(&t, rounds, &err);
	if (ret < 0)
		bench_say("%s", err.text);
	idle_close(&t);
	bench_eal_stop();
	return ret;
}

static uint32_t
idle_list(const struct bench_opts *opts, bool is_print)
{
	if (!bench_wants(opts, idle_case))
		return 0;
	if (is_print)
		puts(idle_case);
	return 1;
}

const struct bench bench_idle = {
	.name = "idle",
	.summary = "an idle pipeline that sleeps against one that spins",
	.list = idle_list,
	.run = idle_run,
};
