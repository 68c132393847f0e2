/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_malloc.h>

/*
 * A queue pair. It has a port of the group while the device is started. When the device stops, what
 * is inside is finished and forgotten: after that nothing touches an op or a buffer, and after a
 * start nothing old comes back. All of it under control, and never beside a burst.
 */

#define LANE_SLOTS_MIN 64u
#define LANE_SLOTS_MAX 65536u
#define CLOSE_LOOK_US  50u

int
pollux_qp_create(struct pollux_dev *dev, uint16_t id, uint32_t nb_desc, int socket_id,
		 struct pollux_qp **out, struct plx_err *err)
{
	struct pollux_qp *qp;

	qp = rte_zmalloc_socket("pollux_qp", sizeof(*qp), RTE_CACHE_LINE_SIZE, socket_id);
	if (qp == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for a queue pair");
	qp->dev = dev;
	qp->id = id;
	qp->nb_desc = nb_desc;
	qp->socket_id = socket_id;
	*out = qp;
	return 0;
}

void
pollux_qp_free(struct pollux_qp *qp)
{
	if (qp == NULL)
		return;
	pollux_qp_close(qp);
	pollux_loose_free(qp);
	rte_free(qp);
}

/* A lane holds all the ops the queue pair may have. */
static uint32_t
lane_slots(const struct pollux_qp *qp)
{
	uint32_t slots =
		RTE_MAX(rte_align32pow2(qp->nb_desc), qp->dev->args.opt->params.lane_slots);

	return RTE_MIN(RTE_MAX(slots, LANE_SLOTS_MIN), LANE_SLOTS_MAX);
}

int
pollux_qp_open(struct pollux_qp *qp, struct plx_err *err)
{
	struct plx_port_params p = {
		.size = sizeof(p),
		.cls = (enum plx_class)qp->dev->args.opt->cls,
		.socket_id = qp->socket_id,
		.lane_slots = lane_slots(qp),
	};

	if (qp->port != NULL)
		return 0;
	snprintf(p.name, sizeof(p.name), "pollux%u.qp%u", qp->dev->cryptodev->data->dev_id, qp->id);
	return plx_port_create(qp->dev->es, &p, &qp->port, err);
}

/* The program's ops get their sessions back, then they are the program's to free. */
static uint32_t
fetch(struct pollux_qp *qp)
{
	struct rte_crypto_op *ops[64];

	return pollux_dequeue_burst(qp, ops, RTE_DIM(ops));
}

/* A device that does not give its ops back is given up, so that they come back from elsewhere. */
static void
give_up_busy(struct pollux_dev *dev)
{
	struct plx_engine_info info;
	uint32_t pos = 0;

	while (plx_engines_next(dev->es, &pos, &info)) {
		for (uint32_t i = 0; i < info.nb_devs; i++) {
			struct plx_device *d = plx_devices_find(dev->devs, info.devs[i]);

			if (d == NULL || info.dev_inflight[i] == 0 ||
			    atomic_load(&d->health) == PLX_HEALTH_STOPPED)
				continue;
			POLLUX_LOG(WARNING, "%s: %s keeps %u operations and is given up",
				   dev->cryptodev->data->name, d->name, info.dev_inflight[i]);
			atomic_store(&d->health, PLX_HEALTH_LOST);
		}
	}
}

void
pollux_qp_close(struct pollux_qp *qp)
{
	struct pollux_dev *dev = qp->dev;
	uint64_t start = rte_get_timer_cycles();
	uint64_t wait = POLLUX_WAIT_US * rte_get_timer_hz() / 1000000;
	uint64_t nb_dropped = 0;
	bool is_forced = false;

	if (qp->port == NULL)
		return;
	while (plx_port_outstanding(qp->port) != 0) {
		uint32_t n;

		/* engines whose threads are at an end are stepped here */
		plx_engines_help(dev->es);
		plx_engines_tick(dev->es);
		n = fetch(qp);
		nb_dropped += n;
		if (n != 0)
			continue;
		if (rte_get_timer_cycles() - start > wait && !is_forced) {
			give_up_busy(dev);
			is_forced = true;
		} else if (rte_get_timer_cycles() - start > 2 * wait) {
			break;
		}
		usleep(CLOSE_LOOK_US);
	}
	if (nb_dropped != 0)
		POLLUX_LOG(NOTICE, "%s: %" PRIu64 " operations of queue pair %u were not fetched",
			   dev->cryptodev->data->name, nb_dropped, qp->id);
	dev->gone.nb_dropped += nb_dropped;
	/* fetched by nobody is not given back */
	dev->gone.nb_dequeued -= nb_dropped;
	if (plx_port_destroy(qp->port) < 0) {
		POLLUX_LOG(ERR, "%s: operations of queue pair %u do not end",
			   dev->cryptodev->data->name, qp->id);
		return;
	}
	qp->port = NULL;
	qp->nb_in = 0;
	pollux_loose_free(qp);
}

void
pollux_qp_counts_add(const struct pollux_qp *qp, struct pollux_counts *sum)
{
	/* first those that leave: their sum is never above those that came */
	sum->nb_dequeued += atomic_load_explicit(&qp->nb_dequeued, memory_order_acquire);
	sum->nb_failed += atomic_load_explicit(&qp->nb_failed, memory_order_relaxed);
	sum->nb_enqueued += atomic_load_explicit(&qp->nb_enqueued, memory_order_relaxed);
	sum->nb_short += atomic_load_explicit(&qp->nb_short, memory_order_relaxed);
}
