/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "engine_priv.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_pause.h>

/*
 * The lcore loop and its idle ladder: spin for a while, then pause between looks and now and then
 * let another thread have the CPU, and after idle_us without work sleep on an eventfd. The kernel
 * likes to wake an engine on the CPU of the thread that sent the op: without the yield that thread
 * would see its op's end only when the engine goes to sleep again. The loop keeps its token over
 * many steps and lets go when control wants it or before it sleeps. Sleeping: the loop says
 * "asleep", makes a heavy barrier and looks at its lanes once more; a producer pushes, then looks
 * at "asleep": one of the two sees the other. The sleep is bounded all the same, so that a lost
 * wake-up costs a tenth of a second and not for ever.
 */

#define SPIN_STEPS   256u
#define SLEEP_MAX_MS 100

static void
sleep_till_work(struct engine *e)
{
	struct pollfd pfd = { .fd = e->wake_fd, .events = POLLIN };
	uint64_t count;

	atomic_store_explicit(&e->is_asleep, 1, memory_order_relaxed);
	barrier_heavy(e->token.is_asymmetric);
	if (engine_is_empty(e) && !atomic_load_explicit(&e->stop_wanted, memory_order_relaxed)) {
		e->stats.nb_sleeps++;
		token_put(&e->token);
		if (poll(&pfd, 1, SLEEP_MAX_MS) > 0 && read(e->wake_fd, &count, sizeof(count)) < 0)
			rte_pause(); /* somebody else emptied it: nothing lost */
		token_wait(&e->token);
	}
	atomic_store_explicit(&e->is_asleep, 0, memory_order_relaxed);
}

static void
idle(struct engine *e, uint32_t nb_idle)
{
	uint64_t now;

	if (nb_idle < SPIN_STEPS)
		return;
	rte_pause();
	if (e->limits.idle_cycles == 0 || e->idle_since == 0)
		return;
	if (nb_idle % SPIN_STEPS == 0)
		sched_yield();
	now = rte_rdtsc();
	if (now - e->idle_since < e->limits.idle_cycles || !engine_is_empty(e))
		return;
	sleep_till_work(e);
	/* asleep is idle time; the ladder stays at its top until there is work */
	now = rte_rdtsc();
	e->stats.idle_cycles += now - e->last_tsc;
	e->last_tsc = now;
}

static int
engine_run(void *arg)
{
	struct engine *e = arg;
	uint32_t nb_idle = 0;

	token_wait(&e->token);
	e->last_tsc = rte_rdtsc();
	e->idle_since = 0;
	while (!atomic_load_explicit(&e->stop_wanted, memory_order_relaxed)) {
		if (unlikely(token_is_wanted(&e->token))) {
			token_put(&e->token);
			token_wait(&e->token);
		}
		if (engine_step(e) != 0) {
			nb_idle = 0;
			continue;
		}
		idle(e, ++nb_idle);
	}
	token_put(&e->token);
	return 0;
}

void
engine_wake(struct engine *e)
{
	const uint64_t one = 1;

	/* EAGAIN means it is readable already, which is all that is wanted */
	if (write(e->wake_fd, &one, sizeof(one)) < 0)
		return;
}

/* For something that comes by now and then: between two calls the time is not this engine's. */
static bool
engine_step_once(void *arg)
{
	struct engine *e = arg;
	bool moved;

	if (!token_try(&e->token))
		return false;
	e->last_tsc = rte_rdtsc();
	moved = engine_step(e) != 0;
	token_put(&e->token);
	return moved;
}

static int
launch(struct engine *e, struct plx_err *err)
{
	const struct plx_engine_work work = {
		.engine = e,
		.engine_id = e->id,
		.loop = engine_run,
		.step = engine_step_once,
	};

	if (e->runner.start != NULL)
		return e->runner.start(e->runner.ctx, &work, err);
	if (rte_eal_remote_launch(engine_run, e, e->lcore_id) != 0)
		return plx_err_set(err, -EBUSY, "lcore %u of engine %u runs something else",
				   e->lcore_id, e->id);
	return 0;
}

int
engine_launch(struct engine *e, struct plx_err *err)
{
	int ret;

	if (e->is_launched)
		return 0;
	atomic_store_explicit(&e->stop_wanted, false, memory_order_relaxed);
	ret = launch(e, err);
	if (ret == 0)
		e->is_launched = true;
	return ret;
}

void
engine_halt(struct engine *e)
{
	if (!e->is_launched)
		return;
	atomic_store_explicit(&e->stop_wanted, true, memory_order_relaxed);
	engine_wake(e);
	if (e->runner.stop != NULL)
		e->runner.stop(e->runner.ctx);
	else
		rte_eal_wait_lcore(e->lcore_id);
	/* the loop let go of its token last: what it wrote is seen from here on */
	token_take(&e->token);
	token_return(&e->token);
	e->is_launched = false;
}
