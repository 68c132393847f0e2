/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "job_view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cryptodev.h>

#include "app.h"

/*
 * Cryptodev has no flag for how long one operation may be. ipsec-mb's hashes stop at 65534 bytes,
 * and a card needs the data in memory it can reach: left are software drivers known to walk a
 * chain. The engines route by the session, so a session that names those alone keeps long data off
 * all others.
 */

static const char *const drivers[] = { "crypto_openssl", "crypto_plx_mb" };

static bool
takes_chains(const struct plx_device *dev)
{
	size_t i;

	if (!dev->is_software || dev->is_wrapper ||
	    (dev->feature_flags & RTE_CRYPTODEV_FF_IN_PLACE_SGL) == 0)
		return false;
	for (i = 0; i < PLX_ARRAY_SIZE(drivers); i++)
		if (strcmp(dev->driver, drivers[i]) == 0)
			return true;
	return false;
}

/* The control lock is held. */
static uint32_t
take_over(struct app *app, const struct plx_session *sess, struct plx_session *view)
{
	const struct plx_device *dev;
	uint32_t pos = 0, nb = 0;

	memcpy(view, sess, sizeof(*view)); /* control alone writes it, and that is us */
	memset(view->dom_sess, 0, sizeof(view->dom_sess));
	while ((dev = plx_devices_next(app->devs, &pos)) != NULL) {
		if (!takes_chains(dev) || !plx_session_runs_on(sess, dev))
			continue;
		atomic_store(&view->dom_sess[dev->sess_dom],
			     atomic_load(&sess->dom_sess[dev->sess_dom]));
		nb++;
	}
	return nb;
}

int
job_view_get(struct app *app, const struct plx_session *sess, struct plx_session **out,
	     struct plx_err *err)
{
	struct plx_session *view = aligned_alloc(_Alignof(struct plx_session), sizeof(*view));
	uint32_t nb;

	if (view == NULL)
		return plx_err_set(err, -ENOMEM, "no memory");
	plx_ctl_lock(app->ctl);
	nb = take_over(app, sess, view);
	if (nb > 0)
		atomic_fetch_add(&app->nb_pinned, 1);
	plx_ctl_unlock(app->ctl);
	if (nb == 0) {
		free(view);
		return plx_err_set(
			err, -ENOTSUP,
			"no device here takes so long a piece of data for this algorithm in one "
			"operation; crypto_openssl would");
	}
	*out = view;
	return 0;
}

void
job_view_put(struct app *app, struct plx_session *view)
{
	if (view == NULL)
		return;
	atomic_fetch_sub(&app->nb_pinned, 1);
	free(view);
}
