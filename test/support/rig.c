/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "rig.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <openssl/evp.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_mbuf.h>

#define POOL_OPS 16383u

static const uint8_t key[16] = "rig's very own k";

/* After the IV in each op. */
struct tag {
	uint64_t number;
	uint32_t len;
	uint32_t is_out;
};

#define TAG_OFFSET (RIG_IV_OFFSET + RIG_IV_BYTES)

static struct tag *
tag_of(struct rte_crypto_op *op)
{
	return rte_crypto_op_ctod_offset(op, struct tag *, TAG_OFFSET);
}

void
rig_eal(uint32_t nb_lcores, const char *const *vdevs)
{
	char prefix[64], lcores[64];
	char *argv[48], *words[48]; /* EAL reorders what it is given */
	int argc = 0;

	snprintf(prefix, sizeof(prefix), "plxtest-%d", (int)getpid());
	snprintf(lcores, sizeof(lcores), "(0-%u)@(0,1)", nb_lcores - 1);
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		snprintf(lcores, sizeof(lcores), "(0-%u)@0", nb_lcores - 1);
	const char *fixed[] = { "rig",           "--no-huge", "-m",
				"768",           "--no-pci",  "--no-shconf",
				"--lcores",      lcores,      "--no-telemetry",
				"--file-prefix", prefix,      "--log-level",
				"lib.eal:error" };

	for (size_t i = 0; i < RTE_DIM(fixed); i++)
		argv[argc++] = strdup(fixed[i]);
	for (; vdevs != NULL && *vdevs != NULL; vdevs++) {
		argv[argc++] = strdup("--vdev");
		argv[argc++] = strdup(*vdevs);
	}
	for (int i = 0; i < argc; i++)
		words[i] = argv[i];
	if (rte_eal_init(argc, argv) < 0) {
		fprintf(stderr, "EAL does not start\n");
		exit(1);
	}
	while (argc > 0)
		free(words[--argc]);
}

/* Pools are the user's alone: with more threads than cores a shared one would stand still half of
 * the time. */
static void
pools_open(struct rig *r, unsigned int nb)
{
	char name[32];

	snprintf(name, sizeof(name), "rig_ops_%p", (void *)r);
	r->ops = rte_crypto_op_pool_create(name, RTE_CRYPTO_OP_TYPE_SYMMETRIC, nb, 0,
					   RIG_IV_BYTES + sizeof(struct tag), SOCKET_ID_ANY);
	snprintf(name, sizeof(name), "rig_bufs_%p", (void *)r);
	r->mbufs = rte_pktmbuf_pool_create(name, nb, 0, 0, RIG_DATA_MAX + RTE_PKTMBUF_HEADROOM,
					   SOCKET_ID_ANY);
	assert_non_null(r->ops);
	assert_non_null(r->mbufs);
}

static void
pools_close(struct rig *r)
{
	assert_int_equal(rte_mempool_in_use_count(r->ops), 0);
	assert_int_equal(rte_mempool_in_use_count(r->mbufs), 0);
	rte_mempool_free(r->ops);
	rte_mempool_free(r->mbufs);
}

static void *
answers_open(void)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

	assert_int_equal(EVP_EncryptInit_ex(ctx, EVP_aes_128_ctr(), NULL, key, NULL), 1);
	return ctx;
}

void
rig_open(struct rig *r, const struct plx_engines_params *params, const char *const *devices)
{
	struct rte_crypto_sym_xform x = { .type = RTE_CRYPTO_SYM_XFORM_CIPHER };
	struct plx_err err = { "" };

	memset(r, 0, sizeof(*r));
	if (plx_devices_create(NULL, &r->devs, &err) < 0 ||
	    plx_engines_create(r->devs, params, &r->es, &err) < 0)
		fail_msg("%s", err.text);
	for (; *devices != NULL; devices++) {
		struct plx_device *dev = plx_devices_find(r->devs, *devices);

		if (dev == NULL)
			fail_msg("no device %s", *devices);
		if (plx_engines_device_add(r->es, dev, &err) < 0)
			fail_msg("%s", err.text);
	}

	x.cipher.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT;
	x.cipher.algo = RTE_CRYPTO_CIPHER_AES_CTR;
	x.cipher.key.data = key;
	x.cipher.key.length = sizeof(key);
	x.cipher.iv.offset = RIG_IV_OFFSET;
	x.cipher.iv.length = RIG_IV_BYTES;
	if (plx_session_create_sym(r->devs, &x, &r->sess, &err) < 0)
		fail_msg("%s", err.text);

	pools_open(r, POOL_OPS);
	r->evp = answers_open();
}

void
rig_share(struct rig *r, const struct rig *of)
{
	memset(r, 0, sizeof(*r));
	r->devs = of->devs;
	r->es = of->es;
	r->sess = of->sess;
	pools_open(r, 2047);
	r->evp = answers_open();
}

void
rig_unshare(struct rig *r)
{
	pools_close(r);
	EVP_CIPHER_CTX_free(r->evp);
}

void
rig_close(struct rig *r)
{
	plx_session_destroy(r->devs, r->sess);
	plx_engines_destroy(r->es);
	plx_devices_destroy(r->devs);
	pools_close(r);
	EVP_CIPHER_CTX_free(r->evp);
}

/* The text of op number n: cheap, and different from op to op. */
static void
plain_fill(uint8_t *to, uint64_t number, uint32_t len)
{
	uint64_t x = number * UINT64_C(0x9e3779b97f4a7c15) + 1;

	for (uint32_t i = 0; i < len; i += 8) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		memcpy(to + i, &x, RTE_MIN(8u, len - i));
	}
}

static struct rte_mbuf *
buffer(struct rig *r, uint32_t len)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(r->mbufs);

	if (m != NULL)
		rte_pktmbuf_append(m, (uint16_t)len);
	return m;
}

struct rte_crypto_op *
rig_op(struct rig *r, uint32_t len, bool out_of_place)
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(r->ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	uint8_t *iv;

	if (op == NULL)
		return NULL;
	op->sym->m_src = buffer(r, len);
	op->sym->m_dst = out_of_place ? buffer(r, len) : NULL;
	if (op->sym->m_src == NULL || (out_of_place && op->sym->m_dst == NULL)) {
		rte_pktmbuf_free(op->sym->m_src);
		rte_crypto_op_free(op);
		return NULL;
	}
	*tag_of(op) = (struct tag){ .number = r->nb_made++, .len = len, .is_out = out_of_place };
	plain_fill(rte_pktmbuf_mtod(op->sym->m_src, uint8_t *), tag_of(op)->number, len);
	iv = rte_crypto_op_ctod_offset(op, uint8_t *, RIG_IV_OFFSET);
	memset(iv, 0, RIG_IV_BYTES);
	memcpy(iv, &tag_of(op)->number, 8);
	op->sym->cipher.data.offset = 0;
	op->sym->cipher.data.length = len;
	plx_session_attach(op, r->sess);
	return op;
}

static bool
has_right_bytes(struct rig *r, struct rte_crypto_op *op)
{
	const struct tag *t = tag_of(op);
	uint8_t want[RIG_DATA_MAX + 16], iv[16] = { 0 };
	struct rte_mbuf *m = t->is_out ? op->sym->m_dst : op->sym->m_src;
	int n = 0;

	plain_fill(want, t->number, t->len);
	memcpy(iv, &t->number, 8);
	EVP_EncryptInit_ex(r->evp, NULL, NULL, NULL, iv);
	EVP_EncryptUpdate(r->evp, want, &n, want, (int)t->len);
	return (uint32_t)n == t->len && memcmp(want, rte_pktmbuf_mtod(m, uint8_t *), t->len) == 0;
}

static bool
is_untouched(struct rte_crypto_op *op)
{
	const struct tag *t = tag_of(op);
	uint8_t want[RIG_DATA_MAX + 16];

	plain_fill(want, t->number, t->len);
	return memcmp(want, rte_pktmbuf_mtod(op->sym->m_src, uint8_t *), t->len) == 0;
}

void
rig_take(struct rig *r, struct rte_crypto_op *op)
{
	struct tag *t = tag_of(op);

	r->nb_back++;
	r->nb_status[op->status & 15]++;
	if (op->sym->session != r->sess || t->number == UINT64_MAX)
		r->nb_wrong++;
	else if (op->status == RTE_CRYPTO_OP_STATUS_SUCCESS) {
		if (has_right_bytes(r, op))
			r->nb_right++;
		else
			r->nb_wrong++;
	} else if (op->status == RTE_CRYPTO_OP_STATUS_NOT_PROCESSED) {
		if (is_untouched(op))
			r->nb_untouched++;
		else
			r->nb_wrong++;
	}
	/* an op that comes back twice is a wrong one, as long as nobody has taken it anew */
	t->number = UINT64_MAX;
	rte_pktmbuf_free(op->sym->m_src);
	if (t->is_out)
		rte_pktmbuf_free(op->sym->m_dst);
	rte_crypto_op_free(op);
}

static uint16_t
take_some(struct rig *r, struct plx_port *port)
{
	struct rte_crypto_op *ops[64];
	uint16_t n = plx_port_dequeue_burst(port, ops, RTE_DIM(ops)), i;

	for (i = 0; i < n; i++)
		rig_take(r, ops[i]);
	/* more threads than cores: let the engine have this one */
	if (n == 0)
		sched_yield();
	return n;
}

/* Offers the rest of a burst until it is taken; false when nothing moves for 20 s. */
static bool
offer(struct rig *r, struct plx_port *port, struct rte_crypto_op **ops, uint16_t nb)
{
	uint64_t since = rte_get_timer_cycles();
	uint16_t done = 0;

	while (done < nb) {
		uint16_t n = plx_port_enqueue_burst(port, &ops[done], (uint16_t)(nb - done));

		done = (uint16_t)(done + n);
		if (n != 0 || take_some(r, port) != 0)
			since = rte_get_timer_cycles();
		else if (rte_get_timer_cycles() - since > 20 * rte_get_timer_hz())
			return false;
	}
	return true;
}

bool
rig_drain(struct rig *r, struct plx_port *port)
{
	uint64_t since = rte_get_timer_cycles();

	while (plx_port_outstanding(port) != 0) {
		if (take_some(r, port) != 0)
			since = rte_get_timer_cycles();
		else if (rte_get_timer_cycles() - since > 20 * rte_get_timer_hz())
			return false;
	}
	return true;
}

bool
rig_run(struct rig *r, struct plx_port *port, uint64_t nb, uint32_t len, uint32_t depth)
{
	uint64_t since = rte_get_timer_cycles(), left = nb;
	struct rte_crypto_op *ops[32];

	while (left != 0) {
		uint16_t n = 0;

		while (n < RTE_DIM(ops) && n < left && plx_port_outstanding(port) + n < depth) {
			ops[n] = rig_op(r, len, (left + n) % 4 == 0);
			if (ops[n] == NULL)
				break;
			n++;
		}
		left -= n;
		if (n != 0 && !offer(r, port, ops, n))
			return false;
		if (take_some(r, port) != 0 || n != 0)
			since = rte_get_timer_cycles();
		else if (rte_get_timer_cycles() - since > 20 * rte_get_timer_hz())
			return false;
	}
	return rig_drain(r, port);
}

struct plx_port *
rig_port(struct rig *r, enum plx_mode mode)
{
	struct plx_port_params p = {
		.size = sizeof(p), .cls = PLX_CLASS_NORMAL, .mode = mode, .socket_id = -1
	};
	struct plx_port *port = NULL;
	struct plx_err err = { "" };

	if (plx_port_create(r->es, &p, &port, &err) < 0)
		fail_msg("%s", err.text);
	return port;
}

void
rig_stats(struct rig *r, struct plx_engine_stats *sum)
{
	struct plx_engine_info info;
	uint32_t pos = 0;

	memset(sum, 0, sizeof(*sum));
	while (plx_engines_next(r->es, &pos, &info)) {
		const uint64_t *from = (const uint64_t *)&info.stats;
		uint64_t *to = (uint64_t *)sum;

		for (size_t i = 0; i < sizeof(*sum) / sizeof(*to); i++)
			to[i] += from[i];
	}
}

static void *
tick_run(void *arg)
{
	struct rig *r = arg;

	while (!r->tick_stop) {
		pthread_mutex_lock(&r->control);
		plx_engines_tick(r->es);
		pthread_mutex_unlock(&r->control);
		rte_delay_us_sleep(1000);
	}
	return NULL;
}

void
rig_tick_start(struct rig *r)
{
	r->tick_stop = false;
	pthread_mutex_init(&r->control, NULL);
	assert_int_equal(pthread_create(&r->ticker, NULL, tick_run, r), 0);
}

void
rig_tick_stop(struct rig *r)
{
	r->tick_stop = true;
	pthread_join(r->ticker, NULL);
	pthread_mutex_destroy(&r->control);
}

void
rig_pause(struct rig *r)
{
	pthread_mutex_lock(&r->control);
}

void
rig_resume(struct rig *r)
{
	pthread_mutex_unlock(&r->control);
}
