/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_rig.h"

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
	struct stream s;
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

	rig_open(&t.r, "device=crypto_openssl,engines=1,cores=0", 1, 256);
	stream_open(&t.s, &t.r, 0, RIG_IN_PLACE);
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
	stream_close(&t->s);
	rig_close(&t->r);
	return 0;
}

static void
devices_and_their_parts_are_shown(void **state)
{
	struct talk *t = *state;

	ask(t, "/pollux_pmd/list");
	expect(t, "[\"crypto_pollux0\"]");
	ask(t, "/pollux_pmd/info,crypto_pollux0");
	expect(t, "\"started\":1");
	expect(t, "\"mode\":\"pipeline\"");
	expect(t, "\"policy\":\"session\"");
	expect(t,
	       "\"devices\":{\"0\":{\"name\":\"crypto_pollux0.0.inner\",\"driver\":\"crypto_openssl\","
	       "\"health\":\"up\"");
	expect(t, "\"batch_wait\":\"0us\"");
	expect(t, "\"engines\":{\"0\":{\"runs_by\":\"thread\",\"cpu\":0,\"running\":1");
}

static void
everything_can_be_changed(void **state)
{
	struct talk *t = *state;

	assert_true(stream_run(&t->s, 500, 50));
	ask(t, "/pollux_pmd/set,crypto_pollux0,burst=17,mode=auto");
	expect(t, "mode=auto,policy=session");
	expect(t, "burst=17");
	ask(t, "/pollux_pmd/engine_add,crypto_pollux0");
	expect(t, "\"engine ");
	ask(t, "/pollux_pmd/engine_add,crypto_pollux0,0");
	expect(t, "\"engine ");
	ask(t, "/pollux_pmd/engine_remove,crypto_pollux0,0");
	expect(t, "\"ok\"");
	ask(t, "/pollux_pmd/device_add,crypto_pollux0,crypto_aesni_mb,max_nb_queue_pairs=20");
	expect(t, "\"ok\"");
	ask(t, "/pollux_pmd/device_remove,crypto_pollux0,crypto_openssl");
	expect(t, "\"ok\"");
	ask(t, "/pollux_pmd/device_revive,crypto_pollux0,crypto_aesni_mb");
	expect(t, "\"ok\"");
	assert_true(stream_run(&t->s, 500, 50));
	stream_assert_right(&t->s);
	ask(t, "/pollux_pmd/stats,crypto_pollux0");
	expect(t, "\"enqueued\":1000,\"dequeued\":1000,\"failed\":0");
	ask(t, "/cryptodev/stats,0");
	expect(t, "\"enqueued_count\":1000");
}

static void
wrong_words_are_answered(void **state)
{
	struct talk *t = *state;

	ask(t, "/pollux_pmd/info");
	expect(t, "error: want a device");
	ask(t, "/pollux_pmd/set,crypto_none,burst=3");
	expect(t, "error: no device 'crypto_none'");
	ask(t, "/pollux_pmd/set,crypto_pollux0,burst=0");
	expect(t, "error: burst: ");
	ask(t, "/pollux_pmd/set,crypto_pollux0,cores=1");
	expect(t, "error: cores is read when the device is made and cannot change later");
	ask(t, "/pollux_pmd/engine_remove,crypto_pollux0,x");
	expect(t, "error: engine=x: want a whole number");
	ask(t, "/pollux_pmd/engine_add,crypto_pollux0,5000");
	expect(t, "error: cpu=5000: want a whole number 0..1023");
	ask(t, "/pollux_pmd/device_add,crypto_pollux0,");
	expect(t, "error: device ''");
	ask(t, "/pollux_pmd/stats,crypto_pollux0.0.inner");
	expect(t, "error: not a crypto_pollux device");
	ask(t, "/pollux_pmd/info,crypto_pollux0.0.inner");
	expect(t, "is not a crypto_pollux device");
	ask(t,
	    "/pollux_pmd/info,a_device_name_that_is_longer_than_any_device_of_dpdk_could_ever_have_been");
	expect(t, "error: the device name is longer");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(devices_and_their_parts_are_shown, open_talk,
						close_talk),
		cmocka_unit_test_setup_teardown(everything_can_be_changed, open_talk, close_talk),
		cmocka_unit_test_setup_teardown(wrong_words_are_answered, open_talk, close_talk),
	};

	return cmocka_run_group_tests_name("pollux_telemetry", tests, rig_eal, NULL);
}
