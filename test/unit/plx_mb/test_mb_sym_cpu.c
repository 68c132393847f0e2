/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "test_mb_sym_rig.h"

#include <errno.h>
#include <pthread.h>

/*
 * Synchronous calls: every algorithm, data in lists of pieces, in place and not, several elements a
 * call, wrong ones among them, from threads that EAL does not know.
 */

#define LEN_MAX   1500u
#define NB        4u
#define PIECES    5u
#define AAD_FRONT 18u

struct element {
	struct rte_crypto_vec src[PIECES], dst[PIECES];
	uint8_t in[LEN_MAX], out[LEN_MAX], want[LEN_MAX];
	uint8_t iv[32], aad[AAD_FRONT + 32], tag[64], want_tag[64];
};

struct call {
	struct element e[NB];
	struct rte_crypto_sgl src[NB], dst[NB];
	struct rte_crypto_va_iova_ptr iv[NB], aad[NB], digest[NB];
	int32_t status[NB];
	struct rte_crypto_sym_vec vec;
};

static int
up(void **state)
{
	(void)state;
	sym_up(1);
	return 0;
}

static int
down(void **state)
{
	(void)state;
	sym_down();
	return 0;
}

/* Pieces of any size that make up len bytes, an empty one among them now and then. */
/* NOLINTBEGIN(readability-non-const-parameter): calls write there */
static void
list_make(struct rte_crypto_sgl *sgl, struct rte_crypto_vec *vec, uint8_t *data, uint32_t len,
	  uint32_t (*below)(uint32_t))
{
	uint32_t done = 0;

	for (uint32_t i = 0; i < PIECES; i++) {
		uint32_t n = i + 1 < PIECES ? below(len - done + 1) : len - done;

		vec[i] = (struct rte_crypto_vec){ .base = data + done, .len = n, .tot_len = n };
		done += n;
	}
	sgl->vec = vec;
	sgl->num = PIECES;
}
/* NOLINTEND(readability-non-const-parameter) */

static void
spec_make(const struct plx_alg *alg, struct sym_spec *spec)
{
	memset(spec, 0, sizeof(*spec));
	spec->alg = alg;
	spec->key_bytes = alg->key.step == 1 ? 33 : alg->key.max;
	spec->iv_bytes = alg->iv_default_bytes;
	spec->tag_bytes = (uint16_t)(alg->kind == PLX_ALG_KIND_CIPHER ? 0
				     : alg->kind == PLX_ALG_KIND_HASH ? alg->tag.max
								      : alg->tag_default_bytes);
	spec->aad_bytes = alg->kind == PLX_ALG_KIND_AEAD ? 25 : 0;
	sym_random(spec->key, sizeof(spec->key));
}

/* Element i of a call, with head bytes before and tail bytes behind that stay as they are. */
static void
element_make(struct call *c, uint32_t i, const struct sym_spec *spec, uint32_t head, uint32_t len,
	     uint32_t tail)
{
	bool is_ccm = sym_is_ccm(spec->alg);
	struct element *e = &c->e[i];
	uint32_t all = head + len + tail;
	uint8_t cipher[LEN_MAX];

	sym_random(e->in, all);
	sym_random(e->iv, sizeof(e->iv));
	sym_random(e->aad, sizeof(e->aad));
	memset(e->out, 0xa5, sizeof(e->out));
	memset(e->want, 0xa5, sizeof(e->want));
	sym_reference(spec, e->iv + is_ccm, e->aad + (is_ccm ? AAD_FRONT : 0), e->in + head, len,
		      cipher, e->want_tag);
	if (!sym_is_auth(spec->alg))
		memcpy(e->want + head, spec->is_forward ? cipher : e->in + head, len);
	else
		memcpy(e->want + head, e->in + head, len);
	if (!spec->is_forward) {
		memcpy(e->tag, e->want_tag, sizeof(e->tag));
		if (!sym_is_auth(spec->alg))
			memcpy(e->in + head, cipher, len);
	}
	list_make(&c->src[i], e->src, e->in, all, sym_random_below);
	list_make(&c->dst[i], e->dst, e->out, all, sym_random_below);
	c->iv[i].va = e->iv;
	c->aad[i].va = e->aad;
	c->digest[i].va = e->tag;
}

static void
call_make(struct call *c)
{
	c->vec = (struct rte_crypto_sym_vec){ .num = NB,
					      .src_sgl = c->src,
					      .dest_sgl = c->dst,
					      .iv = c->iv,
					      .digest = c->digest,
					      .aad = c->aad,
					      .status = c->status };
	memset(c->status, 0x55, sizeof(c->status));
}

/* NOLINTBEGIN(readability-function-size): one story over all algorithms */
static void
every_algorithm_agrees_with_openssl(void **state)
{
	static struct call c;
	uint32_t nb = 0;

	(void)state;
	for (size_t i = 0; sym_alg(i) != NULL; i++) {
		for (int round = 0; round < 40; round++) {
			union rte_crypto_sym_ofs ofs = { .raw = 0 };
			uint32_t head = sym_random_below(20), tail = sym_random_below(20);
			struct rte_crypto_sym_xform x;
			struct sym_spec spec;
			void *session;

			spec_make(sym_alg(i), &spec);
			spec.is_forward = round % 2 == 0;
			for (uint32_t k = 0; k < NB; k++)
				element_make(&c, k, &spec, head, 16 * (1 + sym_random_below(80)),
					     tail);
			call_make(&c);
			ofs.ofs.cipher.head = ofs.ofs.auth.head = (uint16_t)head;
			ofs.ofs.cipher.tail = ofs.ofs.auth.tail = (uint16_t)tail;
			sym_xform(&spec, &x);
			session = sym_session(&x);
			assert_int_equal(rte_cryptodev_sym_cpu_crypto_process(sym_dev(), session,
									      ofs, &c.vec),
					 NB);
			for (uint32_t k = 0; k < NB; k++) {
				assert_int_equal(c.status[k], 0);
				if (memcmp(c.e[k].out, c.e[k].want, LEN_MAX) != 0 ||
				    memcmp(c.e[k].tag, c.e[k].want_tag, spec.tag_bytes) != 0)
					fail_msg("%s, %s: wrong", spec.alg->name,
						 spec.is_forward ? "forward" : "backward");
			}
			sym_session_free(session);
			nb++;
		}
	}
	assert_true(nb > 1000);
}
/* NOLINTEND(readability-function-size) */

static void
each_element_has_its_own_status(void **state)
{
	union rte_crypto_sym_ofs ofs = { .raw = 0 };
	static struct call c;
	struct rte_crypto_sym_xform x;
	struct sym_spec spec;
	void *session;

	(void)state;
	spec_make(sym_alg_named("aes-gcm"), &spec);
	for (uint32_t k = 0; k < NB; k++)
		element_make(&c, k, &spec, 0, 100 * (k + 1), 0);
	call_make(&c);
	c.e[1].tag[3] ^= 1;                        /* forged */
	c.src[2].vec[PIECES - 1].len = UINT32_MAX; /* more than four gigabytes, or out of reach */
	c.iv[3].va = NULL;
	sym_xform(&spec, &x);
	session = sym_session(&x);
	assert_int_equal(rte_cryptodev_sym_cpu_crypto_process(sym_dev(), session, ofs, &c.vec), 1);
	assert_int_equal(c.status[0], 0);
	assert_int_equal(c.status[1], EBADMSG);
	assert_int_equal(c.status[2], EINVAL);
	assert_int_equal(c.status[3], EINVAL);
	assert_memory_equal(c.e[0].out, c.e[0].want, LEN_MAX);
	for (uint32_t i = 0; i < 200; i++) /* nothing of the forged one */
		assert_int_equal(c.e[1].out[i], 0);
	for (uint32_t i = 0; i < LEN_MAX; i++)
		assert_true(c.e[2].out[i] == 0xa5 && c.e[3].out[i] == 0xa5);
	sym_session_free(session);
}

static void
offsets_beyond_the_data_are_refused(void **state)
{
	union rte_crypto_sym_ofs ofs = { .raw = 0 };
	static struct call c;
	struct rte_crypto_sym_xform x;
	struct sym_spec spec;
	void *session;

	(void)state;
	spec_make(sym_alg_named("hmac-sha1"), &spec);
	spec.is_forward = true;
	for (uint32_t k = 0; k < NB; k++)
		element_make(&c, k, &spec, 0, 64, 0);
	call_make(&c);
	ofs.ofs.auth.head = 40;
	ofs.ofs.auth.tail = 25;
	sym_xform(&spec, &x);
	session = sym_session(&x);
	assert_int_equal(rte_cryptodev_sym_cpu_crypto_process(sym_dev(), session, ofs, &c.vec), 0);
	for (uint32_t k = 0; k < NB; k++)
		assert_int_equal(c.status[k], EINVAL);
	ofs.ofs.auth.tail = 24; /* nothing left, which is a message too */
	assert_int_equal(rte_cryptodev_sym_cpu_crypto_process(sym_dev(), session, ofs, &c.vec), NB);
	c.vec.src_sgl = NULL;
	assert_int_equal(rte_cryptodev_sym_cpu_crypto_process(sym_dev(), session, ofs, &c.vec), 0);
	assert_int_equal(c.status[NB - 1], EINVAL);
	sym_session_free(session);
}

#define NB_THREADS 5u
#define NB_ROUNDS  3000u

struct worker {
	pthread_t thread;
	void *session;
	struct call c;
	uint32_t nb_wrong;
};

static void *
work(void *arg)
{
	union rte_crypto_sym_ofs ofs = { .raw = 0 };
	struct worker *w = arg;

	for (uint32_t i = 0; i < NB_ROUNDS; i++) {
		w->nb_wrong += rte_cryptodev_sym_cpu_crypto_process(sym_dev(), w->session, ofs,
								    &w->c.vec) != NB;
		for (uint32_t k = 0; k < NB; k++)
			w->nb_wrong += memcmp(w->c.e[k].out, w->c.e[k].want, LEN_MAX) != 0 ||
				       memcmp(w->c.e[k].tag, w->c.e[k].want_tag, 16) != 0;
	}
	return NULL;
}

static void
any_threads_share_a_session(void **state)
{
	static struct worker workers[NB_THREADS];
	struct rte_crypto_sym_xform x;
	struct sym_spec spec;
	void *session;

	(void)state;
	spec_make(sym_alg_named("aes-gcm"), &spec);
	spec.is_forward = true;
	sym_xform(&spec, &x);
	session = sym_session(&x);
	for (uint32_t t = 0; t < NB_THREADS; t++) {
		workers[t].session = session;
		for (uint32_t k = 0; k < NB; k++)
			element_make(&workers[t].c, k, &spec, 0, 40 + 30 * t + k, 0);
		call_make(&workers[t].c);
	}
	for (uint32_t t = 0; t < NB_THREADS; t++)
		assert_int_equal(pthread_create(&workers[t].thread, NULL, work, &workers[t]), 0);
	for (uint32_t t = 0; t < NB_THREADS; t++) {
		assert_int_equal(pthread_join(workers[t].thread, NULL), 0);
		assert_int_equal(workers[t].nb_wrong, 0);
	}
	sym_session_free(session);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_algorithm_agrees_with_openssl),
		cmocka_unit_test(each_element_has_its_own_status),
		cmocka_unit_test(offsets_beyond_the_data_are_refused),
		cmocka_unit_test(any_threads_share_a_session),
	};

	sym_eal("mb_sym_cpu");
	return cmocka_run_group_tests_name("mb_sym_cpu", tests, up, down);
}
