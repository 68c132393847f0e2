/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctl_fixture.h"
#include "ctl_peer.h"

/*
 * Many at once: connections, a script, housekeeping that takes the lock, and an end in the middle
 * of it all. Meant for the thread sanitizer; without it the sums alone are looked at. Threads
 * report by return values.
 */

#define NB_PEERS 8
#define NB_LINES 100

struct job {
	struct fx *fx;
	char path[128];
	atomic_bool is_ending;
	pthread_t thread;
};

static int
setup_listening(void **state)
{
	struct plx_err err;
	struct fx *fx;

	if (fx_setup(state) != 0)
		return -1;
	fx = *state;
	return plx_ctl_listen(fx->ctl, fx_path("s"), &err);
}

static void
job_init(struct job *job, struct fx *fx, const char *name)
{
	job->fx = fx;
	snprintf(job->path, sizeof(job->path), "%s", fx_path(name));
	atomic_init(&job->is_ending, false);
}

static void *
count_over_the_socket(void *arg)
{
	struct job *job = arg;
	struct peer *p = malloc(sizeof(*p));
	char line[1024];
	intptr_t nb = 0;

	if (p == NULL || !peer_open(p, job->path)) {
		free(p);
		return NULL;
	}
	for (int i = 0; i < NB_LINES; i++) {
		bool is_slow = i % 25 == 3;

		if (!peer_say(p, is_slow      ? "slow 3"
				 : i % 7 == 0 ? "help"
					      : "count") ||
		    !peer_answer(p, line, sizeof(line)) || strstr(line, "\"ok\":true") == NULL)
			break;
		nb++;
	}
	peer_close(p);
	free(p);
	return (void *)nb;
}

/* What an app's own thread does. */
static void *
housekeep(void *arg)
{
	struct job *job = arg;

	while (!atomic_load(&job->is_ending)) {
		plx_ctl_lock(job->fx->ctl);
		job->fx->app.value += 0;
		plx_ctl_unlock(job->fx->ctl);
		fx_sleep_ms(1);
	}
	return NULL;
}

static void *
run_scripts(void *arg)
{
	struct job *job = arg;
	char *out = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&out, &len);
	intptr_t nb = 0;

	if (f == NULL)
		return NULL;
	while (nb < 20 && plx_ctl_script(job->fx->ctl, job->path, f, false, NULL) == 0)
		nb++;
	fclose(f);
	free(out);
	return (void *)nb;
}

static void *
interrupt_often(void *arg)
{
	struct job *job = arg;

	while (!atomic_load(&job->is_ending)) {
		/* a script runs the whole time, so that none of these ends a prompt */
		if (plx_ctl_prompt_interrupt(job->fx->ctl))
			return (void *)1;
		fx_sleep_ms(3);
	}
	return NULL;
}

static void
connections_scripts_and_housekeeping_share_the_lock(void **state)
{
	struct job peers[NB_PEERS], script, keeper;
	void *nb;

	fx_file("a", "count\nslow 2\nshow engines\ncount\n", 32);
	job_init(&keeper, *state, "s");
	job_init(&script, *state, "a");
	assert_int_equal(pthread_create(&keeper.thread, NULL, housekeep, &keeper), 0);
	assert_int_equal(pthread_create(&script.thread, NULL, run_scripts, &script), 0);
	for (size_t i = 0; i < NB_PEERS; i++) {
		job_init(&peers[i], *state, "s");
		assert_int_equal(
			pthread_create(&peers[i].thread, NULL, count_over_the_socket, &peers[i]),
			0);
	}
	for (size_t i = 0; i < NB_PEERS; i++) {
		pthread_join(peers[i].thread, &nb);
		assert_int_equal((intptr_t)nb, NB_LINES);
	}
	pthread_join(script.thread, &nb);
	assert_int_equal((intptr_t)nb, 20);
	atomic_store(&keeper.is_ending, true);
	pthread_join(keeper.thread, NULL);
	assert_int_equal(atomic_load(&((struct fx *)*state)->app.nb_crossed), 0);
}

static void
interrupts_reach_the_script_and_no_connection(void **state)
{
	struct fx *fx = *state;
	struct job breaker, peer;
	struct plx_err err = { { 0 } };
	void *ret;
	int nb;

	fx_file("a", "slow 100000\n", 12);
	job_init(&breaker, fx, "a");
	job_init(&peer, fx, "s");
	assert_int_equal(pthread_create(&peer.thread, NULL, count_over_the_socket, &peer), 0);
	atomic_fetch_add(&fx->ctl->nb_running, 1); /* as if a script were around all of this */
	assert_int_equal(pthread_create(&breaker.thread, NULL, interrupt_often, &breaker), 0);
	for (nb = 0; nb < 20; nb++) {
		int code = plx_ctl_script(fx->ctl, breaker.path, stdout, false, &err);

		assert_true(code == -ECANCELED || code == -EINTR);
	}
	pthread_join(peer.thread, &ret);
	assert_int_equal((intptr_t)ret, NB_LINES);
	atomic_store(&breaker.is_ending, true);
	pthread_join(breaker.thread, &ret);
	assert_null(ret);
	atomic_fetch_sub(&fx->ctl->nb_running, 1);
}

static void
the_end_may_come_at_any_moment(void **state)
{
	(void)state;
	for (int round = 0; round < 20; round++) {
		struct job peers[NB_PEERS];
		struct plx_err err;
		void *own = NULL;
		struct fx *fx;

		assert_int_equal(fx_setup(&own), 0);
		fx = own;
		assert_int_equal(plx_ctl_listen(fx->ctl, fx_path("b"), &err), 0);
		for (size_t i = 0; i < NB_PEERS; i++) {
			job_init(&peers[i], fx, "b");
			assert_int_equal(pthread_create(&peers[i].thread, NULL,
							count_over_the_socket, &peers[i]),
					 0);
		}
		fx_sleep_ms(round);
		plx_ctl_destroy(fx->ctl);
		for (size_t i = 0; i < NB_PEERS; i++)
			pthread_join(peers[i].thread, NULL);
		free(fx);
	}
}

static void *
stop_later(void *arg)
{
	struct job *job = arg;

	fx_wait(&job->fx->app.nb_calls, 1);
	plx_ctl_prompt_stop(job->fx->ctl);
	return NULL;
}

static void
stop_reaches_a_script_from_another_thread(void **state)
{
	struct fx *fx = *state;
	struct plx_err err = { { 0 } };
	struct job job;

	fx_file("a", "slow 100000\ncount\n", 18);
	job_init(&job, fx, "a");
	assert_int_equal(pthread_create(&job.thread, NULL, stop_later, &job), 0);
	assert_int_equal(plx_ctl_script(fx->ctl, job.path, stdout, false, &err), -ECANCELED);
	pthread_join(job.thread, NULL);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup_listening, fx_teardown)
	const struct CMUnitTest tests[] = {
		T(connections_scripts_and_housekeeping_share_the_lock),
		T(interrupts_reach_the_script_and_no_connection),
		T(the_end_may_come_at_any_moment),
		T(stop_reaches_a_script_from_another_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
