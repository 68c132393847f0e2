/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ctl_fixture.h"
#include "ctl_peer.h"

/* Peers that send too much, nothing, or junk, that do not read, that are too many, or leave in the
 * middle: each one costs itself at most, and the end of the socket waits for nobody. Threads of
 * this file report by return values. */

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

/* A socket whose patience is shorter: set before it listens, as its threads read it. */
static int
setup_impatient(void **state)
{
	struct plx_err err;
	struct fx *fx;

	if (fx_setup(state) != 0)
		return -1;
	fx = *state;
	fx->ctl->send_ms = 200;
	fx->ctl->partial_ms = 200;
	return plx_ctl_listen(fx->ctl, fx_path("s"), &err);
}

static struct peer *
connected(void)
{
	struct peer *p = malloc(sizeof(*p));

	assert_non_null(p);
	assert_true(peer_open(p, fx_path("s")));
	return p;
}

static void
dropped(struct peer *p)
{
	peer_close(p);
	free(p);
}

/* Others are still answered. */
static void
expect_alive(void)
{
	struct peer *p = connected();
	char line[8192];

	assert_true(peer_say(p, "show config"));
	assert_true(peer_answer(p, line, sizeof(line)));
	assert_string_equal(line, "{\"ok\":true,\"answer\":{\"burst\":32}}");
	dropped(p);
}

/* The end comes at once: well below the time a slow reader is given. */
static void
expect_prompt_end(struct fx *fx)
{
	uint64_t before = ctl_now_ms();

	plx_ctl_destroy(fx->ctl);
	fx->ctl = NULL;
	assert_in_range(ctl_now_ms() - before, 0, 2000);
}

/* The answer was made and fills the socket: whoever sends it waits for room. */
static void
no_room(const struct peer *p)
{
	int now = 0, before = -1;

	for (int i = 0; i < 1200 && (now == 0 || now != before); i++) {
		before = now;
		fx_sleep_ms(50);
		assert_int_equal(ioctl(p->fd, FIONREAD, &now), 0);
	}
	assert_true(now > 0 && now == before);
}

static void
an_overlong_line_is_told_and_the_peer_dropped(void **state)
{
	struct peer *p = connected();
	char text[2 * PLX_CTL_LINE_MAX], line[1024];

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_true(peer_send(p, text, sizeof(text)));
	assert_true(peer_hear(p, line, sizeof(line)));
	assert_non_null(strstr(line, "longer than 4096 bytes"));
	assert_true(peer_is_ended(p));
	dropped(p);
	expect_alive();
}

static void
the_longest_line_is_answered(void **state)
{
	struct peer *p = connected();
	char text[PLX_CTL_LINE_MAX + 1], line[1024];

	(void)state;
	memset(text, ' ', sizeof(text));
	fx_put(text, "count");
	text[PLX_CTL_LINE_MAX] = '\n';
	assert_true(peer_send(p, text, sizeof(text)));
	assert_true(peer_hear(p, line, sizeof(line)));
	assert_string_equal(line, "{\"ok\":true,\"answer\":1}");
	dropped(p);
}

static void
junk_is_answered_with_errors(void **state)
{
	struct peer *p = connected();
	uint64_t seed = 42;
	char junk[3000], line[1024];
	size_t nb = 1;

	(void)state;
	for (size_t i = 0; i < sizeof(junk); i++) {
		seed = seed * 6364136223846793005ULL + 1;
		junk[i] = (char)(seed >> 56);
		nb += junk[i] == '\n';
	}
	assert_true(peer_send(p, junk, sizeof(junk)));
	assert_true(peer_send(p, "\ncount\n", 7));
	for (size_t i = 0; i < nb; i++) {
		assert_true(peer_hear(p, line, sizeof(line)));
		assert_memory_equal(line, "{\"ok\":", 6);
	}
	assert_true(peer_hear(p, line, sizeof(line)));
	assert_string_equal(line, "{\"ok\":true,\"answer\":1}");
	dropped(p);
}

static void
a_peer_that_says_nothing_holds_up_nobody(void **state)
{
	struct peer *silent = connected(), *half = connected();

	(void)state;
	assert_true(peer_send(half, "cou", 3));
	expect_alive();
	expect_prompt_end(*state);
	assert_true(peer_is_ended(silent));
	assert_true(peer_is_ended(half));
	dropped(silent);
	dropped(half);
}

static void
a_peer_that_does_not_read_holds_up_neither_others_nor_the_end(void **state)
{
	struct peer *slow = connected();

	for (int i = 0; i < 50; i++)
		assert_true(peer_say(slow, "big 20000"));
	no_room(slow);
	expect_alive();
	expect_prompt_end(*state);
	dropped(slow);
}

static void
a_peer_that_does_not_read_loses_progress_and_not_the_command(void **state)
{
	struct fx *fx = *state;
	struct peer *slow = connected();
	char line[64];

	/* an answer that fills more than a quarter of the socket: it counts as having no room */
	assert_true(peer_say(slow, "big 3000"));
	assert_true(peer_say(slow, "slow 500"));
	fx_wait(&fx->app.nb_ended, 1);
	assert_true(peer_hear(slow, line, sizeof(line)));
	assert_memory_equal(line, "{\"ok\":true,\"answer\":[", 21);
	assert_true(peer_hear(slow, line, sizeof(line)));
	assert_string_equal(line, "{\"ok\":true,\"answer\":\"done\"}");
	dropped(slow);
}

static void
a_peer_that_takes_nothing_for_long_is_dropped(void **state)
{
	struct fx *fx = *state;
	struct peer *slow = connected();
	struct pollfd gone = { .fd = slow->fd };
	char bytes[65536];
	ssize_t got;

	assert_true(peer_say(slow, "big 20000"));
	assert_true(peer_say(slow, "count"));
	fx_sleep_ms(100);
	for (int i = 0; i < 100; i++) /* the answer is made, sent in part, and given up */
		expect_alive();
	assert_int_equal(poll(&gone, 1, 60000), 1);
	assert_true((gone.revents & POLLHUP) != 0);
	do {
		got = recv(slow->fd, bytes, sizeof(bytes), 0);
	} while (got > 0 && memchr(bytes, '\n', (size_t)got) == NULL);
	assert_true(got <= 0);
	dropped(slow);
	assert_int_equal(atomic_load(&fx->app.nb_calls), 0);
	expect_alive();
}

static void
a_line_that_is_not_ended_in_time_is_told_and_the_peer_dropped(void **state)
{
	struct peer *p = connected();
	char line[1024];

	(void)state;
	assert_true(peer_say(p, "count"));
	assert_true(peer_hear(p, line, sizeof(line)));
	fx_sleep_ms(400); /* between two lines there is no limit */
	assert_true(peer_send(p, "cou", 3));
	assert_true(peer_hear(p, line, sizeof(line)));
	assert_non_null(strstr(line, "not ended in time"));
	assert_true(peer_is_ended(p));
	dropped(p);
	expect_alive();
}

/* A byte now and then does not stretch the time. */
static void
a_line_in_drops_is_not_ended_in_time(void **state)
{
	struct peer *p = connected();
	uint64_t before = ctl_now_ms();

	(void)state;
	while (ctl_now_ms() - before < 5000 && peer_send(p, "x", 1))
		fx_sleep_ms(20);
	assert_in_range(ctl_now_ms() - before, 150, 3000);
	dropped(p);
}

static void
a_peer_that_reads_slowly_gets_everything(void **state)
{
	struct peer *p = connected();
	char bytes[65536];
	size_t nb = 0;
	ssize_t got;

	(void)state;
	assert_true(peer_say(p, "big 50000"));
	do {
		fx_sleep_ms(10);
		got = recv(p->fd, bytes, sizeof(bytes), 0);
		nb += got > 0 ? (size_t)got : 0;
	} while (got > 0 && bytes[got - 1] != '\n');
	assert_true(got > 0);
	assert_true(nb > 1500000);
	dropped(p);
}

/* Both ends of a thousand connections; a login's soft limit is 1024. */
static void
allow_descriptors(rlim_t nb)
{
	struct rlimit lim;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &lim), 0);
	if (lim.rlim_cur < nb) {
		lim.rlim_cur = lim.rlim_max < nb ? lim.rlim_max : nb;
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &lim), 0);
	}
}

static void
a_thousand_peers_are_served_or_refused(void **state)
{
	struct peer *p = malloc(sizeof(*p));
	int fds[1000];
	int nb_refused = 0;
	char line[1024];

	(void)state;
	assert_non_null(p);
	allow_descriptors(4096);
	for (int i = 0; i < 1000; i++) {
		assert_true(peer_open(p, fx_path("s")));
		fds[i] = p->fd;
	}
	for (int i = 0; i < 1000; i++) {
		p->fd = fds[i];
		p->len = 0;
		peer_say(p, "show config"); /* one that was refused may not take it */
		assert_true(peer_hear(p, line, sizeof(line)));
		if (strstr(line, "\"burst\":32") == NULL) {
			nb_refused++;
			assert_non_null(strstr(line, "all 32 control connections are in use"));
		}
	}
	assert_int_equal(nb_refused, 1000 - CTL_CONNS_MAX);
	for (int i = 0; i < 1000; i++)
		close(fds[i]);
	free(p);
	/* the slots come back */
	for (int i = 0; i < 200; i++) {
		fx_sleep_ms(1);
		p = connected();
		if (peer_say(p, "show config") && peer_hear(p, line, sizeof(line)) &&
		    strstr(line, "\"ok\":true") != NULL)
			i = 1000;
		dropped(p);
	}
	expect_alive();
}

static void
peers_that_come_and_go_use_up_nothing(void **state)
{
	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct peer p;

		assert_true(peer_open(&p, fx_path("s")));
		if (i % 3 == 0)
			peer_send(&p, "cou", 3);
		if (i % 3 == 1)
			peer_say(&p, "count");
		peer_close(&p);
	}
	for (int i = 0; i < 100; i++)
		fx_sleep_ms(1);
	expect_alive();
}

static void
the_end_cancels_commands_and_ends_connections(void **state)
{
	struct fx *fx = *state;
	struct peer *busy[8];

	for (size_t i = 0; i < PLX_ARRAY_SIZE(busy); i++) {
		busy[i] = connected();
		assert_true(peer_say(busy[i], i % 2 == 0 ? "slow 1000000" : "wait"));
	}
	fx_wait(&fx->app.nb_calls, PLX_ARRAY_SIZE(busy));
	expect_prompt_end(fx);
	assert_int_equal(atomic_load(&fx->app.nb_ended), PLX_ARRAY_SIZE(busy));
	for (size_t i = 0; i < PLX_ARRAY_SIZE(busy); i++) {
		assert_true(peer_is_ended(busy[i]));
		dropped(busy[i]);
	}
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup_listening, fx_teardown)
#define I(f) cmocka_unit_test_setup_teardown(f, setup_impatient, fx_teardown)
	const struct CMUnitTest tests[] = {
		T(an_overlong_line_is_told_and_the_peer_dropped),
		T(the_longest_line_is_answered),
		T(junk_is_answered_with_errors),
		T(a_peer_that_says_nothing_holds_up_nobody),
		T(a_peer_that_does_not_read_holds_up_neither_others_nor_the_end),
		T(a_peer_that_does_not_read_loses_progress_and_not_the_command),
		I(a_peer_that_takes_nothing_for_long_is_dropped),
		I(a_line_that_is_not_ended_in_time_is_told_and_the_peer_dropped),
		I(a_line_in_drops_is_not_ended_in_time),
		T(a_peer_that_reads_slowly_gets_everything),
		T(a_thousand_peers_are_served_or_refused),
		T(peers_that_come_and_go_use_up_nothing),
		T(the_end_cancels_commands_and_ends_connections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
