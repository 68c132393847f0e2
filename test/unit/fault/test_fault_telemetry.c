/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "fault_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>
#include <rte_eal.h>

/* The same by EAL's telemetry socket, as an operator uses it. */

struct talk {
	struct rig r;
	int fd;
	char answer[16384];
};

static void
ask(struct talk *t, const char *command)
{
	ssize_t len;

	assert_int_equal(send(t->fd, command, strlen(command), 0), (ssize_t)strlen(command));
	len = recv(t->fd, t->answer, sizeof(t->answer) - 1, 0);
	assert_true(len > 0);
	t->answer[len] = '\0';
}

static void
expect(const struct talk *t, const char *words)
{
	if (strstr(t->answer, words) == NULL)
		fail_msg("'%s' is not in %s", words, t->answer);
}

static int
open_talk(void **state)
{
	struct sockaddr_un where = { .sun_family = AF_UNIX };
	static struct talk t;

	rig_open(&t.r, "crypto_openssl", "refuse=1/4:limit=3", 1, 64);
	snprintf(where.sun_path, sizeof(where.sun_path), "%.80s/dpdk_telemetry.v2",
		 rte_eal_get_runtime_dir());
	t.fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	if (t.fd < 0 || connect(t.fd, (struct sockaddr *)&where, sizeof(where)) < 0)
		return -1;
	/* the greeting */
	if (recv(t.fd, t.answer, sizeof(t.answer), 0) <= 0)
		return -1;
	*state = &t;
	return 0;
}

static int
close_talk(void **state)
{
	struct talk *t = *state;

	close(t->fd);
	rig_close(&t->r);
	return 0;
}

static void
list_names_the_devices(void **state)
{
	struct talk *t = *state;

	ask(t, "/plx_fault/list");
	expect(t, "[\"crypto_plx_fault0\"]");
}

static void
set_shows_and_changes_faults(void **state)
{
	struct talk *t = *state;
	char text[256];

	ask(t, "/plx_fault/set,crypto_plx_fault0");
	expect(t, "\"refuse=1/4:limit=3\"");
	ask(t, "/plx_fault/set,crypto_plx_fault0,refuse=off,fail=1%:auth,stall=1/100000:20ms");
	expect(t, "\"fail=1%:auth,stall=1/100000:20ms\"");
	assert_int_equal(plx_fault_get(t->r.dev_id, text, sizeof(text)), 0);
	assert_string_equal(text, "fail=1%:auth,stall=1/100000:20ms");
	ask(t, "/plx_fault/set,crypto_plx_fault0,off");
	expect(t, "\"off\"");
}

static void
wrong_words_are_answered(void **state)
{
	struct talk *t = *state;

	ask(t, "/plx_fault/set");
	expect(t, "error: want a device");
	ask(t, "/plx_fault/set,crypto_none,refuse=1%");
	expect(t, "error: no device 'crypto_none'");
	ask(t, "/plx_fault/set,crypto_plx_fault0,refuse=1000%");
	expect(t, "error: refuse=1000%: want off");
	ask(t,
	    "/plx_fault/stats,a_device_name_that_is_longer_than_any_device_of_dpdk_could_ever_have_been");
	expect(t, "error: the device name is longer");
}

static void
stats_are_counted(void **state)
{
	struct talk *t = *state;

	rig_set(&t->r, "refuse=1/4,fail=1/10");
	assert_true(rig_run(&t->r, 0, 0, 100));
	ask(t, "/plx_fault/stats,crypto_plx_fault0");
	expect(t, "\"fail\":10,");
	expect(t, "\"enqueued\":100,");
	expect(t, "\"dequeued\":100,");
	expect(t, "\"vanish\":0,");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(list_names_the_devices, open_talk, close_talk),
		cmocka_unit_test_setup_teardown(set_shows_and_changes_faults, open_talk,
						close_talk),
		cmocka_unit_test_setup_teardown(wrong_words_are_answered, open_talk, close_talk),
		cmocka_unit_test_setup_teardown(stats_are_counted, open_talk, close_talk),
	};

	return cmocka_run_group_tests_name("fault_telemetry", tests, rig_eal, NULL);
}
