/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <rte_malloc.h>

#include "plx_secret.h"

#include "device_priv.h"

/*
 * Sessions: one driver session a domain, made when the session is made or when the domain's first
 * device comes later, taken away before its last device goes. Devices whose asymmetric sessions
 * serve one queue pair get one more for each queue pair that is held.
 *
 * Control writes the slots with release; lcores load them relaxed and hand the pointer to the
 * driver. A slot is emptied only while no engine holds a queue pair that would use it.
 */

/* Sentences of several devices, joined. */
struct refusals {
	char text[PLX_ERR_TEXT_MAX];
	size_t len;
};

static void
refusal_add(struct refusals *r, const char *device, const char *text)
{
	int n;

	if (r->len >= sizeof(r->text) - 1)
		return;
	n = snprintf(r->text + r->len, sizeof(r->text) - r->len, "%s%s: %s", r->len > 0 ? "; " : "",
		     device, text);
	if (n > 0)
		r->len += (size_t)n;
}

static int
cap_check(const struct device *d, const struct device_sess *s, struct plx_err *err)
{
	if (s->asym != NULL)
		return device_cap_asym(d, s->asym, err);
	return device_cap_sym(d, s->sym, err);
}

static bool
out_of_room(int ret)
{
	return ret == -ENOSPC || ret == -ENOMEM;
}

/*
 * The driver session for one domain. 0 with NULL in the slot when the domain cannot do it: @p why
 * says so. Negative when there is no room.
 */
static int
dom_fill(struct plx_devices *devs, uint32_t dom_idx, struct device_sess *s, struct plx_err *why)
{
	const struct device *d = device_domain_dev(devs, dom_idx);
	void *sess = NULL;
	int ret;

	ret = cap_check(d, s, why);
	if (ret < 0)
		return 0;
	ret = device_domain_sess_new(devs, dom_idx, s, &sess);
	if (ret == -ENOSPC)
		return plx_err_set(why, ret,
				   "all %u sessions are in use; free some or raise the number of "
				   "sessions",
				   devs->nb_sessions);
	if (ret == -ENOMEM)
		return plx_err_set(
			why, ret, "no memory for a session; give EAL more memory or free sessions");
	if (ret < 0) {
		(void)plx_err_set(why, -ENOTSUP, "its driver refuses the transform (%s)",
				  device_errno_name(ret));
		return 0;
	}
	atomic_store_explicit(&s->pub.dom_sess[dom_idx], sess, memory_order_release);
	return 0;
}

static bool
dom_has(const struct device_sess *s, uint32_t dom_idx)
{
	return atomic_load_explicit(&s->pub.dom_sess[dom_idx], memory_order_relaxed) != NULL;
}

static void
slot_drop(struct plx_devices *devs, uint32_t dom_idx, bool is_asym, void *_Atomic *slot)
{
	void *sess = atomic_exchange_explicit(slot, NULL, memory_order_acq_rel);

	device_domain_sess_free(devs, dom_idx, is_asym, sess);
}

/* One queue pair of one device whose asymmetric sessions are not shared. */
static int
qp_slot_fill(struct device *d, uint16_t qp_id, struct device_sess *s)
{
	void *sess = NULL;
	int ret;

	if (!dom_has(s, d->pub.sess_dom))
		return 0;
	ret = device_domain_sess_new(d->devs, d->pub.sess_dom, s, &sess);
	if (ret < 0)
		return ret;
	atomic_store_explicit(&s->pub.slot_sess[d->pub.qp_sess_base + qp_id], sess,
			      memory_order_release);
	return 0;
}

static void
qp_slot_clear(struct device *d, uint16_t qp_id, struct device_sess *s)
{
	slot_drop(d->devs, d->pub.sess_dom, true, &s->pub.slot_sess[d->pub.qp_sess_base + qp_id]);
}

static bool
qp_is_taken(const struct device *d, uint16_t qp_id)
{
	return (d->qps_taken[qp_id / 64] >> (qp_id % 64)) & 1;
}

/* The queue pairs that are held now, of all such devices. */
static int
held_slots_fill(struct plx_devices *devs, struct device_sess *s)
{
	struct device *d;
	uint32_t i;
	uint16_t qp;
	int ret;

	if (s->asym == NULL)
		return 0;
	for (i = 0; i < PLX_DEVICES_MAX; i++) {
		d = devs->devs[i];
		if (d == NULL || !d->pub.asym_single_qp)
			continue;
		for (qp = 0; qp < d->pub.nb_qps; qp++) {
			if (!qp_is_taken(d, qp))
				continue;
			ret = qp_slot_fill(d, qp, s);
			if (ret < 0)
				return ret;
		}
	}
	return 0;
}

int
device_sessions_slot_fill(struct device *d, uint16_t qp_id, struct plx_err *err)
{
	struct device_sess *s;
	int ret;

	if (!d->pub.asym_single_qp)
		return 0;
	TAILQ_FOREACH(s, &d->devs->sessions, link) {
		if (s->asym == NULL)
			continue;
		ret = qp_slot_fill(d, qp_id, s);
		if (ret < 0) {
			device_sessions_slot_clear(d, qp_id);
			return plx_err_set(err, out_of_room(ret) ? ret : -ENOMEM,
					   "%s: queue pair %u needs asymmetric sessions of its own "
					   "and there is no room (%s); free some or raise the "
					   "number of sessions",
					   d->pub.name, qp_id, device_errno_name(ret));
		}
	}
	return 0;
}

void
device_sessions_slot_clear(struct device *d, uint16_t qp_id)
{
	struct device_sess *s;

	if (!d->pub.asym_single_qp)
		return;
	TAILQ_FOREACH(s, &d->devs->sessions, link) {
		if (s->asym != NULL)
			qp_slot_clear(d, qp_id, s);
	}
}

/* A domain has its first device: give the sessions that live their counterpart. */
int
device_sessions_extend(struct plx_devices *devs, uint32_t dom_idx, struct plx_err *err)
{
	struct device_sess *s;
	struct plx_err why;
	int ret;

	TAILQ_FOREACH(s, &devs->sessions, link) {
		if (dom_has(s, dom_idx))
			continue;
		ret = dom_fill(devs, dom_idx, s, &why);
		if (ret < 0) {
			device_sessions_withdraw(devs, dom_idx);
			return plx_err_set(err, ret, "%s: %s",
					   device_domain_dev(devs, dom_idx)->pub.name, why.text);
		}
	}
	return 0;
}

/* The domain's last device is about to go. */
void
device_sessions_withdraw(struct plx_devices *devs, uint32_t dom_idx)
{
	struct device_sess *s;

	TAILQ_FOREACH(s, &devs->sessions, link)
		slot_drop(devs, dom_idx, s->asym != NULL, &s->pub.dom_sess[dom_idx]);
}

static void
sess_drop_all(struct plx_devices *devs, struct device_sess *s)
{
	struct device *d;
	uint32_t i;
	uint16_t qp;

	for (i = 0; s->asym != NULL && i < PLX_DEVICES_MAX; i++) {
		d = devs->devs[i];
		if (d == NULL || !d->pub.asym_single_qp)
			continue;
		for (qp = 0; qp < d->pub.nb_qps; qp++)
			qp_slot_clear(d, qp, s);
	}
	for (i = 0; i < PLX_SESS_DOMS_MAX; i++)
		slot_drop(devs, i, s->asym != NULL, &s->pub.dom_sess[i]);
}

static struct device_sess *
sess_alloc(bool is_asym)
{
	size_t head = RTE_ALIGN_CEIL(sizeof(struct device_sess), PLX_CACHE_LINE);
	size_t slots = is_asym ? PLX_SESS_SLOTS_MAX * sizeof(void *) : 0;
	struct device_sess *s;

	s = rte_zmalloc("plx_session", head + slots, PLX_CACHE_LINE);
	if (s != NULL && is_asym)
		s->pub.slot_sess = (void *_Atomic *)((uint8_t *)s + head);
	return s;
}

static void
sess_free(struct device_sess *s)
{
	plx_secret_free(s->secret);
	rte_free(s);
}

/* Fill all domains and the held slots; -ENOTSUP with all devices' reasons when none can do it. */
static int
sess_fill(struct plx_devices *devs, struct device_sess *s, struct plx_err *err)
{
	struct refusals refused = { .len = 0 };
	struct plx_err why;
	uint32_t nb_able = 0;
	uint32_t i;
	int ret;

	for (i = 0; i < PLX_SESS_DOMS_MAX; i++) {
		const struct device *d = device_domain_dev(devs, i);

		if (d == NULL)
			continue;
		ret = dom_fill(devs, i, s, &why);
		if (ret < 0)
			return plx_err_set(err, ret, "%s: %s", d->pub.name, why.text);
		if (dom_has(s, i))
			nb_able++;
		else
			refusal_add(&refused, d->pub.name, why.text);
	}
	if (nb_able == 0)
		return plx_err_set(err, -ENOTSUP, "no device can do it: %s",
				   refused.len > 0 ? refused.text : "there is no device");
	ret = held_slots_fill(devs, s);
	if (ret < 0)
		return plx_err_set(err, out_of_room(ret) ? ret : -ENOMEM,
				   "no room for a session for each queue pair (%s); free some or "
				   "raise the number of sessions",
				   device_errno_name(ret));
	return 0;
}

static int
sess_finish(struct plx_devices *devs, struct device_sess *s, struct plx_session **out,
	    struct plx_err *err)
{
	int ret = sess_fill(devs, s, err);

	if (ret < 0) {
		sess_drop_all(devs, s);
		sess_free(s);
		return ret;
	}
	s->pub.id = ++devs->last_sess_id;
	TAILQ_INSERT_TAIL(&devs->sessions, s, link);
	*out = &s->pub;
	return 0;
}

int
plx_session_create_sym(struct plx_devices *devs, const struct rte_crypto_sym_xform *xform,
		       struct plx_session **out, struct plx_err *err)
{
	struct device_sess *s = sess_alloc(false);
	int ret;

	if (s == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for a session; give EAL more memory");
	ret = device_xform_copy_sym(xform, &s->secret, &s->sym, err);
	if (ret < 0) {
		rte_free(s);
		return ret;
	}
	s->pub.op_type = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
	s->pub.block_bytes = device_xform_block(xform);
	s->pub.keeps_source = device_xform_keeps_source(xform);
	s->pub.has_hmac = device_xform_has_hmac(xform);
	s->pub.is_simple = !s->pub.has_hmac;
	return sess_finish(devs, s, out, err);
}

int
plx_session_create_asym(struct plx_devices *devs, const struct rte_crypto_asym_xform *xform,
			struct plx_session **out, struct plx_err *err)
{
	struct device_sess *s = sess_alloc(true);
	int ret;

	if (s == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for a session; give EAL more memory");
	ret = device_xform_copy_asym(xform, &s->secret, &s->asym, err);
	if (ret < 0) {
		rte_free(s);
		return ret;
	}
	s->pub.op_type = RTE_CRYPTO_OP_TYPE_ASYMMETRIC;
	s->pub.block_bytes = 1;
	s->pub.keeps_source = 1;
	return sess_finish(devs, s, out, err);
}

void
plx_session_destroy(struct plx_devices *devs, struct plx_session *s)
{
	struct device_sess *sess = (struct device_sess *)s; /* first member */

	if (sess == NULL)
		return;
	TAILQ_REMOVE(&devs->sessions, sess, link);
	sess_drop_all(devs, sess);
	sess_free(sess);
}

bool
plx_session_runs_on(const struct plx_session *s, const struct plx_device *dev)
{
	return atomic_load_explicit(&s->dom_sess[dev->sess_dom], memory_order_relaxed) != NULL;
}
