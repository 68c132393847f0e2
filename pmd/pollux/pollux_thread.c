/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_lcore.h>
#include <rte_thread.h>

/*
 * Engines in threads of our own. EAL's worker lcores are the program's: it launches what it wants
 * there and would find them taken. So an engine gets a control thread, which EAL starts on the CPUs
 * that no lcore has, or on the main lcore's when there are none left; cores= pins it. It is made an
 * lcore without a place among EAL's (rte_thread_register()), for drivers that keep something by
 * lcore; where EAL does not give one, in a program with secondary processes, it runs without.
 */

#if RTE_VERSION >= RTE_VERSION_NUM(23, 7, 0, 0)

struct thread_call {
	void *(*fn)(void *);
	void *arg;
};

static uint32_t
thread_call(void *arg)
{
	struct thread_call call = *(struct thread_call *)arg;

	free(arg);
	call.fn(call.arg);
	return 0;
}

int
pollux_thread_create(rte_thread_t *thread, const char *name, void *(*fn)(void *), void *arg)
{
	struct thread_call *call = malloc(sizeof(*call));
	int ret;

	if (call == NULL)
		return -ENOMEM;
	*call = (struct thread_call){ fn, arg };
	ret = rte_thread_create_control(thread, name, thread_call, call);
	if (ret == 0)
		return 0;
	free(call);
	return ret < 0 ? ret : -ret;
}

void
pollux_thread_join(rte_thread_t thread)
{
	(void)rte_thread_join(thread, NULL);
}

#else

int
pollux_thread_create(rte_thread_t *thread, const char *name, void *(*fn)(void *), void *arg)
{
	pthread_t made;
	int ret = rte_ctrl_thread_create(&made, name, NULL, fn, arg);

	if (ret != 0)
		return ret < 0 ? ret : -ret;
	thread->opaque_id = (uintptr_t)made;
	return 0;
}

void
pollux_thread_join(rte_thread_t thread)
{
	(void)pthread_join((pthread_t)thread.opaque_id, NULL);
}

#endif

static int
pin(int cpu)
{
	cpu_set_t set;

	if (cpu < 0)
		return 0;
	CPU_ZERO(&set);
	CPU_SET((unsigned int)cpu, &set);
	return -pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/* Done for a moment by this thread, which tells whether an engine's thread could. */
int
pollux_cpu_check(int cpu, struct plx_err *err)
{
	cpu_set_t old;
	int ret;

	if (pthread_getaffinity_np(pthread_self(), sizeof(old), &old) != 0)
		return 0;
	ret = cpu < CPU_SETSIZE ? pin(cpu) : -EINVAL;
	(void)pthread_setaffinity_np(pthread_self(), sizeof(old), &old);
	if (ret < 0)
		return plx_err_set(err, -EINVAL,
				   "cores: CPU %d is not one this process may run on (%s); see "
				   "taskset -p or the container's limits",
				   cpu, strerror(-ret));
	return 0;
}

static void *
engine_thread(void *arg)
{
	struct pollux_runner *r = arg;
	int result = pin(r->cpu);
	bool is_lcore = result == 0 && rte_thread_register() == 0;

	pthread_mutex_lock(&r->lock);
	r->result = result;
	r->is_ready = true;
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->lock);
	if (result == 0)
		r->work.loop(r->work.engine);
	if (is_lcore)
		rte_thread_unregister();
	return NULL;
}

static int
thread_start(void *ctx, const struct plx_engine_work *work, struct plx_err *err)
{
	struct pollux_runner *r = ctx;
	char name[16];
	int ret;

	r->work = *work;
	r->engine_id = work->engine_id;
	r->is_ready = false;
	snprintf(name, sizeof(name), "plx-engine%u", r->engine_id % 10000);
	ret = pollux_thread_create(&r->thread, name, engine_thread, r);
	if (ret < 0)
		return plx_err_set(err, ret, "no thread for engine %u (%s)", r->engine_id,
				   strerror(-ret));
	pthread_mutex_lock(&r->lock);
	while (!r->is_ready)
		pthread_cond_wait(&r->changed, &r->lock);
	ret = r->result;
	pthread_mutex_unlock(&r->lock);
	if (ret == 0)
		return 0;
	pollux_thread_join(r->thread);
	return plx_err_set(err, ret, "engine %u cannot run on CPU %d (%s)", r->engine_id, r->cpu,
			   strerror(-ret));
}

/* The loop has been told and woken. */
static void
thread_stop(void *ctx)
{
	struct pollux_runner *r = ctx;

	pollux_thread_join(r->thread);
}

const struct plx_engine_runner pollux_runner_thread = {
	.size = sizeof(struct plx_engine_runner),
	.socket_id = -1,
	.start = thread_start,
	.stop = thread_stop,
};
