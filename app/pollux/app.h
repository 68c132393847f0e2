/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef APP_H
#define APP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "args.h"
#include "options.h"
#include "plx_conf.h"
#include "plx_ctl.h"
#include "plx_device.h"
#include "plx_engine.h"
#include "plx_err.h"
#include "plx_keystore.h"

/*
 * Everything a running Pollux has. All fields but the atomics belong to whoever holds the control
 * lock (plx_ctl_lock(app->ctl)); commands hold it while they run, long ones (job, bench) around
 * their control calls.
 */
struct app {
	const struct args *args;
	struct plx_conf *conf;
	struct opt_engine *opt_engine; /* the configuration's */
	struct opt_daemon *opt_daemon;
	struct plx_devices *devs;
	struct plx_keystore *ks;
	struct plx_engines *es;
	struct plx_ctl *ctl;
	char socket_path[108]; /* empty: none */
	_Atomic uint32_t
		next_pump; /* numbers in the names of ports, pools and containers of jobs */

	pthread_t housekeeper;
	bool has_housekeeper;
	bool has_telemetry;

	/* any thread */
	_Atomic bool at_prompt;        /* SIGINT interrupts a command first */
	_Atomic bool is_stopping;      /* long commands end soon, the program too */
	_Atomic bool housekeeper_ends; /* after the last long command: they need its ticks */
	_Atomic uint32_t nb_long;      /* jobs and benches under way */
	_Atomic uint32_t
		nb_pinned; /* of them, those that hold on to devices: none is removed meanwhile */
};

/* Build all of it and start the engines; nothing is left behind on failure. */
int app_create(const struct args *args, struct plx_conf *conf, struct app **out,
	       struct plx_err *err);

/* End long commands, drain, take everything down in the reverse order. The configuration stays. */
void app_destroy(struct app *app);

/* Open the control socket as daemon.socket says. With is_lenient a socket in use is told and left.
 */
int app_listen(struct app *app, bool is_lenient, struct plx_err *err);

/* Ask for the end, from any thread or a signal handler. */
void app_stop(struct app *app);

/* Put the engine options of the configuration in force. */
int app_apply_engine_options(struct app *app, struct plx_err *err);
void app_apply_log_level(const struct app *app);

/* The place of a device in the default order, low first. */
uint32_t app_device_rank(const struct plx_device *dev);

#endif
