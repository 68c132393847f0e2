/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "cmd.h"

#include <errno.h>
#include <string.h>

#include "app.h"

/* Adding, removing, blocking and reviving devices while traffic runs. */

#define REMOVE_TIMEOUT_US 1000000

static int
find_device(struct app *app, const char *name, struct plx_device **dev, struct plx_err *err)
{
	*dev = plx_devices_find(app->devs, name);
	if (*dev == NULL)
		return plx_err_set(err, -ENOENT,
				   "there is no device '%s'; 'show devices' lists them", name);
	return 0;
}

/* A digest of a large file holds on to the devices its session names. */
static int
check_pinned(struct app *app, struct plx_err *err)
{
	if (atomic_load(&app->nb_pinned) > 0)
		return plx_err_set(
			err, -EBUSY,
			"a job holds on to its devices until it ends: 'device block' works now, "
			"this command later");
	return 0;
}

static int
run_device_add(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;
	struct plx_device *dev;
	struct plx_err ignored;
	int ret;

	ret = plx_devices_add(app->devs, call->argv[0], &dev, err);
	if (ret < 0)
		return ret;
	ret = plx_engines_device_add(app->es, dev, err);
	if (ret < 0) {
		if (plx_devices_remove(app->devs, dev, &ignored) < 0)
			plx_err_prefix(err, "the device stays, unused");
		return ret;
	}
	*answer = cmd_done("device %s added, last in the order", dev->name);
	return 0;
}

static int
run_device_remove(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;
	struct plx_device *dev;
	uint32_t timeout_us;
	int ret;

	ret = find_device(app, call->argv[0], &dev, err);
	if (ret == 0)
		ret = cmd_arg_duration(call, "timeout",
				       (struct cmd_range){ 1000, 600000000, REMOVE_TIMEOUT_US },
				       &timeout_us, err);
	if (ret == 0)
		ret = check_pinned(app, err);
	if (ret < 0)
		return ret;
	ret = plx_engines_device_remove(app->es, dev, timeout_us, err);
	if (ret < 0 && ret != -ENOENT)
		return ret;
	ret = plx_devices_remove(app->devs, dev, err);
	if (ret == 0)
		*answer = cmd_done("device %s removed", call->argv[0]);
	return ret;
}

static int
block(struct plx_ctl_call *call, bool on, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;
	struct plx_device *dev;
	int ret;

	ret = find_device(app, call->argv[0], &dev, err);
	if (ret == 0)
		ret = plx_engines_device_block(app->es, dev, on, err);
	if (ret == 0)
		*answer = cmd_done("device %s %s", dev->name, on ? "blocked" : "unblocked");
	return ret;
}

static int
run_device_block(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	return block(call, true, answer, err);
}

static int
run_device_unblock(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	return block(call, false, answer, err);
}

static int
run_device_revive(struct plx_ctl_call *call, json_t **answer, struct plx_err *err)
{
	struct app *app = call->app;
	struct plx_device *dev;
	uint32_t health;
	int ret;

	ret = find_device(app, call->argv[0], &dev, err);
	if (ret == 0)
		ret = check_pinned(app, err);
	if (ret < 0)
		return ret;
	health = atomic_load(&dev->health);
	if (health != PLX_HEALTH_LOST && health != PLX_HEALTH_STOPPED)
		return plx_err_set(err, -EPERM,
				   "device %s is %s; only a lost or stopped one is revived",
				   dev->name, plx_health_name((enum plx_health)health));

	ret = plx_engines_device_remove(app->es, dev, REMOVE_TIMEOUT_US, err);
	if (ret < 0 && ret != -ENOENT)
		return ret;
	ret = plx_device_revive(dev, err);
	if (ret == 0)
		ret = plx_engines_device_add(app->es, dev, err);
	if (ret == 0)
		*answer = cmd_done("device %s is up again, last in the order", dev->name);
	return ret;
}

static void
complete_device(void *app, int argc, const char *const *argv,
		void (*add)(void *to, const char *word), void *to)
{
	const struct plx_device *dev;
	uint32_t pos = 0;

	(void)argv;
	while (argc == 0 && (dev = plx_devices_next(((struct app *)app)->devs, &pos)) != NULL)
		add(to, dev->name);
}

static const struct plx_ctl_cmd cmds[] = {
	{ .words = "device add",
	  .args = "SPEC",
	  .help = "Add a device while running, at the end of the order.",
	  .manual =
		  "SPEC is a virtual device with its arguments, or the name of one EAL knows, such as a PCI "
		  "address. Keys get their sessions on it.\n\n"
		  "Example: device add crypto_openssl1,max_nb_queue_pairs=16",
	  .min_args = 1,
	  .max_args = 1,
	  .run = run_device_add },
	{ .words = "device remove",
	  .args = "DEVICE [timeout=TIME]",
	  .help = "Take a device out and forget it; its operations end, or run elsewhere.",
	  .manual =
		  "After timeout (1s) a device that has not finished is given up and its operations run on "
		  "the next one.",
	  .keys = "timeout",
	  .min_args = 1,
	  .max_args = 1,
	  .run = run_device_remove,
	  .complete = complete_device },
	{ .words = "device block",
	  .args = "DEVICE",
	  .help = "Give a device no new operations; those it has end.",
	  .min_args = 1,
	  .max_args = 1,
	  .run = run_device_block,
	  .complete = complete_device },
	{ .words = "device unblock",
	  .args = "DEVICE",
	  .help = "Let a blocked device take operations again.",
	  .min_args = 1,
	  .max_args = 1,
	  .run = run_device_unblock,
	  .complete = complete_device },
	{ .words = "device revive",
	  .args = "DEVICE",
	  .help = "Configure and start a device again that was lost or stopped.",
	  .min_args = 1,
	  .max_args = 1,
	  .run = run_device_revive,
	  .complete = complete_device },
};

const struct cmd_table cmd_device_table = { "Changing devices", cmds, PLX_ARRAY_SIZE(cmds) };
