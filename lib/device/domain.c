/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <rte_errno.h>

#include "device_priv.h"

/*
 * Session domains. A cryptodev session belongs to a driver and is as large as that driver wants, so
 * devices share a domain when driver, capabilities and session sizes are the same: two generations
 * of one hardware family do not. Wrappers, and drivers whose sessions know the device, have a
 * domain each.
 *
 * A domain's sessions come from mempools that grow by an eighth of nb_sessions at a time, so a
 * small start fits a process without hugepages. Pools are used by the control thread only: no
 * per-lcore cache, and the count of free sessions is exact.
 */

/* A driver that is out of memory while the pool has these left means memory of its own. */
#define SPARE_SESSIONS 16

static bool
caps_equal(const struct rte_cryptodev_capabilities *a, const struct rte_cryptodev_capabilities *b)
{
	for (;; a++, b++) {
		if (a->op == RTE_CRYPTO_OP_TYPE_UNDEFINED || b->op == RTE_CRYPTO_OP_TYPE_UNDEFINED)
			return a->op == b->op;
		/* NOLINTNEXTLINE: compares padding as well, which costs a domain at worst */
		if (memcmp(a, b, sizeof(*a)) != 0)
			return false;
	}
}

static bool
dev_fits(const struct device *d, uint32_t dom_idx, const struct device_domain *want)
{
	struct device_domain *dom = &d->devs->doms[dom_idx];
	struct rte_cryptodev_info mine;
	struct rte_cryptodev_info theirs;
	struct device *other;

	if (dom->nb_devs == 0 || dom->is_private || want->is_private ||
	    dom->driver_id != want->driver_id || dom->socket_id != want->socket_id ||
	    dom->sym_bytes != want->sym_bytes || dom->asym_bytes != want->asym_bytes)
		return false;
	other = device_domain_dev(d->devs, dom_idx);
	if (other == NULL || other->pub.feature_flags != d->pub.feature_flags)
		return false;
	rte_cryptodev_info_get(d->pub.dev_id, &mine);
	rte_cryptodev_info_get(other->pub.dev_id, &theirs);
	return caps_equal(mine.capabilities, theirs.capabilities);
}

/* Sessions to hold: of a driver that wants one for each queue pair, one for each and the one in
 * dom_sess. */
static uint32_t
sessions_a_key(const struct device *d, bool is_asym)
{
	if (is_asym && d->pub.asym_single_qp)
		return d->pub.nb_qps + 1u;
	/* a wrapper takes the sessions of the devices behind it from the same pool */
	return d->pub.is_wrapper ? 2 : 1;
}

static void
pool_init(struct device_sess_pool *pool, const struct device *d, bool is_asym)
{
	pool->nb_left = d->devs->nb_sessions * sessions_a_key(d, is_asym);
	pool->chunk = (pool->nb_left + DEVICE_SESS_POOLS_MAX - 1) / DEVICE_SESS_POOLS_MAX;
}

static int
pool_grow(struct plx_devices *devs, uint32_t dom_idx, bool is_asym)
{
	struct device_domain *dom = &devs->doms[dom_idx];
	struct device_sess_pool *pool = is_asym ? &dom->asym : &dom->sym;
	char name[RTE_MEMPOOL_NAMESIZE];
	uint32_t nb = RTE_MIN(pool->chunk, pool->nb_left);
	struct rte_mempool *mp;

	if (nb == 0)
		return -ENOSPC;
	/* pools have names in one space a process: the registry's address keeps two of them apart
	 */
	snprintf(name, sizeof(name), "plx%" PRIxPTR "%c%x%x", (uintptr_t)devs, is_asym ? 'a' : 's',
		 dom_idx, pool->nb_mp);
	if (is_asym)
		mp = rte_cryptodev_asym_session_pool_create(name, nb, 0, 0, dom->socket_id);
	else
		mp = rte_cryptodev_sym_session_pool_create(name, nb, dom->sym_bytes, 0, 0,
							   dom->socket_id);
	if (mp == NULL)
		return -ENOMEM;
	pool->mp[pool->nb_mp++] = mp;
	pool->nb_left -= nb;
	return 0;
}

static void
pools_free(struct device_domain *dom)
{
	uint32_t i;

	for (i = 0; i < dom->sym.nb_mp; i++)
		rte_mempool_free(dom->sym.mp[i]);
	for (i = 0; i < dom->asym.nb_mp; i++)
		rte_mempool_free(dom->asym.mp[i]);
}

static int
domain_new(struct device *d, uint32_t dom_idx, const struct device_domain *want,
	   struct plx_err *err)
{
	struct device_domain *dom = &d->devs->doms[dom_idx];

	*dom = *want;
	pool_init(&dom->sym, d, false);
	pool_init(&dom->asym, d, true);
	/* the first pool for symmetric sessions is made now: queue pairs are given it */
	if (dom->sym_bytes == 0 || pool_grow(d->devs, dom_idx, false) == 0)
		return 0;
	(void)plx_err_set(
		err, -ENOMEM,
		"%s: no memory for %u sessions of %u bytes; lower the number of sessions or "
		"give EAL more memory",
		d->pub.name, dom->sym.chunk, dom->sym_bytes);
	memset(dom, 0, sizeof(*dom));
	return -ENOMEM;
}

int
device_domain_join(struct device *d, struct plx_err *err)
{
	struct plx_devices *devs = d->devs;
	struct device_domain want = {
		.nb_devs = 0,
		.is_private = d->quirk->is_wrapper || d->quirk->is_sess_per_dev,
		.socket_id = d->pub.socket_id,
		.sym_bytes = rte_cryptodev_sym_get_private_session_size(d->pub.dev_id),
		.asym_bytes = rte_cryptodev_asym_get_private_session_size(d->pub.dev_id),
	};
	struct rte_cryptodev_info info;
	uint32_t i;
	int ret;

	rte_cryptodev_info_get(d->pub.dev_id, &info);
	want.driver_id = info.driver_id;
	for (i = 0; i < PLX_SESS_DOMS_MAX; i++) {
		if (dev_fits(d, i, &want))
			goto join;
	}
	for (i = 0; i < PLX_SESS_DOMS_MAX; i++) {
		if (devs->doms[i].nb_devs == 0)
			break;
	}
	if (i == PLX_SESS_DOMS_MAX)
		return plx_err_set(err, -ENOSPC,
				   "%s: all %u kinds of sessions are in use; remove a device of "
				   "another driver first",
				   d->pub.name, PLX_SESS_DOMS_MAX);
	ret = domain_new(d, i, &want, err);
	if (ret < 0)
		return ret;
join:
	devs->doms[i].nb_devs++;
	d->pub.sess_dom = (uint8_t)i;
	return 0;
}

/* The last device's leaving frees the pools; no session of the domain may live then. */
void
device_domain_leave(struct device *d)
{
	struct device_domain *dom = &d->devs->doms[d->pub.sess_dom];

	if (--dom->nb_devs > 0)
		return;
	pools_free(dom);
	memset(dom, 0, sizeof(*dom));
}

/* A device of the domain to talk to the driver with, one that is up if there is one. */
struct device *
device_domain_dev(struct plx_devices *devs, uint32_t dom_idx)
{
	struct device *found = NULL;
	struct device *d;
	uint32_t i;

	if (devs->doms[dom_idx].nb_devs == 0)
		return NULL;
	for (i = 0; i < PLX_DEVICES_MAX; i++) {
		d = devs->devs[i];
		if (d == NULL || d->pub.sess_dom != dom_idx)
			continue;
		if (atomic_load_explicit(&d->pub.health, memory_order_relaxed) == PLX_HEALTH_UP)
			return d;
		if (found == NULL)
			found = d;
	}
	return found;
}

/*
 * rte_cryptodev_asym_session_create() keeps the object when the driver refuses the transform. The
 * count of free ones tells whether the version at hand does.
 */
static int
asym_new(uint8_t dev_id, struct rte_crypto_asym_xform *xform, struct rte_mempool *mp, void **out)
{
	unsigned int nb_before = rte_mempool_avail_count(mp);
	void *sess = NULL;
	int ret;

	ret = rte_cryptodev_asym_session_create(dev_id, xform, mp, &sess);
	if (ret == 0) {
		*out = sess;
		return 0;
	}
	if (sess != NULL && rte_mempool_avail_count(mp) < nb_before)
		rte_mempool_put(mp, sess);
	return ret < 0 ? ret : -ENOTSUP;
}

static int
sym_new(uint8_t dev_id, struct rte_crypto_sym_xform *xform, struct rte_mempool *mp, void **out)
{
	void *sess;

	rte_errno = 0;
	sess = rte_cryptodev_sym_session_create(dev_id, xform, mp);
	if (sess != NULL) {
		*out = sess;
		return 0;
	}
	return rte_errno > 0 ? -rte_errno : -ENOTSUP;
}

static int
sess_new_from(uint8_t dev_id, struct device_sess *s, struct rte_mempool *mp, void **out)
{
	unsigned int nb_free = rte_mempool_avail_count(mp);
	int ret;

	if (nb_free == 0)
		return -ENOSPC;
	if (s->asym != NULL)
		ret = asym_new(dev_id, s->asym, mp, out);
	else
		ret = sym_new(dev_id, s->sym, mp, out);
	/* a wrapper needs several and may find too few */
	return ret == -ENOMEM && nb_free < SPARE_SESSIONS ? -ENOSPC : ret;
}

int
device_domain_sess_new(struct plx_devices *devs, uint32_t dom_idx, struct device_sess *s,
		       void **out)
{
	struct device_domain *dom = &devs->doms[dom_idx];
	struct device_sess_pool *pool = s->asym != NULL ? &dom->asym : &dom->sym;
	struct device *d = device_domain_dev(devs, dom_idx);
	uint32_t i;
	int ret;

	if (d == NULL || (s->asym != NULL ? dom->asym_bytes : dom->sym_bytes) == 0)
		return -ENOTSUP;
	for (i = 0; i < pool->nb_mp; i++) {
		ret = sess_new_from(d->pub.dev_id, s, pool->mp[i], out);
		if (ret != -ENOSPC)
			return ret;
	}
	ret = pool_grow(devs, dom_idx, s->asym != NULL);
	if (ret < 0)
		return ret;
	return sess_new_from(d->pub.dev_id, s, pool->mp[pool->nb_mp - 1], out);
}

void
device_domain_sess_free(struct plx_devices *devs, uint32_t dom_idx, bool is_asym, void *sess)
{
	struct device *d = device_domain_dev(devs, dom_idx);
	int ret;

	if (d == NULL || sess == NULL)
		return;
	if (is_asym)
		ret = rte_cryptodev_asym_session_free(d->pub.dev_id, sess);
	else
		ret = rte_cryptodev_sym_session_free(d->pub.dev_id, sess);
	if (ret < 0)
		DEVICE_LOG(WARNING, "%s: the driver did not free a session: %s", d->pub.name,
			   device_errno_name(ret));
}
