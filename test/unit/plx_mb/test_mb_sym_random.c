/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <stdlib.h>

#include "test_mb_sym_rig.h"

/*
 * Every algorithm of the driver's capabilities with every key size, all lengths 0 to 600 and some
 * long ones, whole and in pieces, in place and not, both ways, with sizes of IV, AAD and tag drawn
 * from what the capability says. OpenSSL's library says what is right.
 */

#define LEN_MAX   600u
#define FAR_MAX   40000u
#define NB_FAR    12u
#define AAD_MAX   300u
#define AAD_FRONT 18u
#define BURST     32u

struct sample {
	uint8_t iv[SYM_IV_MAX + 1];
	uint8_t aad[AAD_FRONT + AAD_MAX];
	uint8_t tag[64];
	uint8_t tag_room[64 + 16];
	uint8_t *msg, *cipher, *seen;
	uint32_t len, off;
	struct rte_crypto_op *op;
};

static struct sample samples[BURST];
static uint32_t nb_ops;

static int
up(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < BURST; i++) {
		samples[i].msg = malloc(FAR_MAX + 64);
		samples[i].cipher = malloc(FAR_MAX + 64);
		samples[i].seen = malloc(FAR_MAX + 64);
	}
	sym_up(1);
	return 0;
}

static int
down(void **state)
{
	(void)state;
	sym_down();
	for (uint32_t i = 0; i < BURST; i++) {
		free(samples[i].msg);
		free(samples[i].cipher);
		free(samples[i].seen);
	}
	return 0;
}

static const struct rte_cryptodev_symmetric_capability *
capability(const struct plx_alg *alg)
{
	struct rte_cryptodev_sym_capability_idx idx = {
		.type = (enum rte_crypto_sym_xform_type)alg->rte_type
	};

	if (alg->kind == PLX_ALG_KIND_CIPHER)
		idx.algo.cipher = (enum rte_crypto_cipher_algorithm)alg->rte_algo;
	else if (alg->kind == PLX_ALG_KIND_AEAD)
		idx.algo.aead = (enum rte_crypto_aead_algorithm)alg->rte_algo;
	else
		idx.algo.auth = (enum rte_crypto_auth_algorithm)alg->rte_algo;
	return rte_cryptodev_sym_capability_get(sym_dev(), &idx);
}

/* Any of a range, its ends more often than the rest. */
static uint16_t
drawn(const struct rte_crypto_param_range *r, uint16_t max)
{
	uint32_t top = r->max < max ? r->max : max;
	uint32_t step = r->increment != 0 ? r->increment : 1;
	uint32_t nb_steps = (top - r->min) / step;

	switch (sym_random_below(4)) {
	case 0:
		return r->min;
	case 1:
		return (uint16_t)(r->min + nb_steps * step);
	default:
		return (uint16_t)(r->min + sym_random_below(nb_steps + 1) * step);
	}
}

static void
spec_draw(const struct rte_cryptodev_symmetric_capability *cap, struct sym_spec *spec)
{
	switch (spec->alg->kind) {
	case PLX_ALG_KIND_CIPHER:
		spec->iv_bytes = drawn(&cap->cipher.iv_size, SYM_IV_MAX);
		break;
	case PLX_ALG_KIND_AEAD:
		spec->iv_bytes = sym_random_below(2) == 0 && cap->aead.iv_size.max >= 12
					 ? 12
					 : drawn(&cap->aead.iv_size, SYM_IV_MAX);
		spec->tag_bytes = drawn(&cap->aead.digest_size, 64);
		spec->aad_bytes = drawn(&cap->aead.aad_size, AAD_MAX);
		break;
	case PLX_ALG_KIND_HASH:
	case PLX_ALG_KIND_MAC:
	case PLX_ALG_KIND_ASYM:
	case PLX_ALG_KIND_RANDOM:
	default:
		spec->iv_bytes = drawn(&cap->auth.iv_size, 64);
		spec->tag_bytes = drawn(&cap->auth.digest_size, 64);
		break;
	}
}

static bool
length_fits(const struct sym_spec *spec, uint32_t len)
{
	if (spec->alg->kind != PLX_ALG_KIND_CIPHER)
		return true;
	if (strcmp(spec->alg->name, "aes-xts") == 0)
		return spec->unit_bytes != 0 ? len > 0 && len % spec->unit_bytes == 0 : len >= 16;
	return spec->alg->block_bytes < 16 || (len > 0 && len % 16 == 0);
}

/* Message, IV and AAD, and what OpenSSL says. */
static void
sample_draw(const struct sym_spec *spec, uint32_t len, struct sample *s)
{
	uint32_t iv_skip = sym_is_ccm(spec->alg) ? 1 : 0;
	uint32_t aad_skip = sym_is_ccm(spec->alg) ? AAD_FRONT : 0;

	s->len = len;
	s->off = sym_random_below(3) == 0 ? sym_random_below(20) : 0;
	sym_random(s->msg, s->off + len + 7);
	sym_random(s->iv, sizeof(s->iv));
	sym_random(s->aad, sizeof(s->aad));
	memcpy(s->cipher, s->msg, s->off + len + 7);
	sym_reference(spec, s->iv + iv_skip, s->aad + aad_skip, s->msg + s->off, len,
		      s->cipher + s->off, s->tag);
}

static struct rte_crypto_op *
op_make(const struct sym_spec *spec, void *session, struct sample *s)
{
	bool is_auth = sym_is_auth(spec->alg);
	const uint8_t *in = spec->is_forward || is_auth ? s->msg : s->cipher;
	size_t all = s->off + s->len + 7;
	struct rte_crypto_op *op = sym_op(session);
	struct rte_crypto_sym_op *sym = op->sym;

	sym->m_src = sym_chain(in, all, (enum sym_shape)sym_random_below(SYM_SHAPES));
	if (sym_random_below(2) == 0)
		sym->m_dst = sym_chain(NULL, all, (enum sym_shape)sym_random_below(SYM_SHAPES));
	memset(s->tag_room, 0x5a, sizeof(s->tag_room));
	if (!spec->is_forward)
		memcpy(s->tag_room, s->tag, spec->tag_bytes);
	memcpy(rte_crypto_op_ctod_offset(op, uint8_t *, is_auth ? SYM_IV2 : SYM_IV_OFFSET), s->iv,
	       sizeof(s->iv));
	if (spec->alg->kind == PLX_ALG_KIND_AEAD) {
		sym->aead.data.offset = s->off;
		sym->aead.data.length = s->len;
		sym->aead.aad.data = s->aad;
		sym->aead.digest.data = s->tag_room;
	} else if (is_auth) {
		sym->auth.data.offset = s->off;
		sym->auth.data.length = s->len;
		sym->auth.digest.data = s->tag_room;
	} else {
		sym->cipher.data.offset = s->off;
		sym->cipher.data.length = s->len;
	}
	return op;
}

/* The bytes that have to be in the destination, all of it. */
static void
want_fill(const struct sym_spec *spec, const struct sample *s, bool is_in_place, uint8_t *want)
{
	const uint8_t *out = spec->is_forward ? s->cipher : s->msg;
	size_t all = s->off + s->len + 7;

	if (is_in_place)
		memcpy(want, spec->is_forward ? s->msg : s->cipher, all);
	else
		memset(want, 0xa5, all);
	if (sym_is_auth(spec->alg))
		out = s->msg;
	memcpy(want + s->off, out + s->off, s->len);
}

static void
sample_check(const struct sym_spec *spec, struct sample *s)
{
	struct rte_crypto_sym_op *sym = s->op->sym;
	size_t all = s->off + s->len + 7;
	bool is_in_place = sym->m_dst == NULL;
	static uint8_t want[FAR_MAX + 64];

	if (sym_is_auth(spec->alg))
		memcpy(s->cipher, s->msg, all);
	want_fill(spec, s, is_in_place, want);
	if (s->op->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
		fail_msg("%s, key %u, iv %u, aad %u, tag %u, %u bytes, %s: status %u",
			 spec->alg->name, spec->key_bytes, spec->iv_bytes, spec->aad_bytes,
			 spec->tag_bytes, s->len, spec->is_forward ? "forward" : "backward",
			 s->op->status);
	assert_true(sym_chain_read(is_in_place ? sym->m_src : sym->m_dst, s->seen));
	if (memcmp(s->seen, want, all) != 0)
		fail_msg("%s, key %u, %u bytes at %u, %s: wrong data", spec->alg->name,
			 spec->key_bytes, s->len, s->off,
			 is_in_place ? "in place" : "out of place");
	if (memcmp(s->tag_room, s->tag, spec->tag_bytes) != 0)
		fail_msg("%s, key %u, iv %u, aad %u, %u bytes: wrong tag", spec->alg->name,
			 spec->key_bytes, spec->iv_bytes, spec->aad_bytes, s->len);
	for (size_t i = spec->tag_bytes; i < sizeof(s->tag_room); i++)
		assert_int_equal(s->tag_room[i], 0x5a);
	if (!is_in_place) {
		assert_true(sym_chain_read(sym->m_src, s->seen));
		assert_memory_equal(s->seen,
				    spec->is_forward || sym_is_auth(spec->alg) ? s->msg : s->cipher,
				    all);
	}
}

static void
burst_run(const struct sym_spec *spec, void *session, const uint32_t *lens, uint16_t nb)
{
	struct rte_crypto_op *ops[BURST];

	for (uint16_t i = 0; i < nb; i++) {
		sample_draw(spec, lens[i], &samples[i]);
		ops[i] = samples[i].op = op_make(spec, session, &samples[i]);
	}
	sym_run(0, ops, nb);
	for (uint16_t i = 0; i < nb; i++) {
		sample_check(spec, &samples[i]);
		sym_op_free(ops[i]);
	}
	nb_ops += nb;
}

/* Lengths first..last of the series: 0..LEN_MAX, then long ones. */
static void
session_run(const struct sym_spec *spec, uint32_t first, uint32_t last)
{
	struct rte_crypto_sym_xform x;
	uint32_t lens[BURST];
	void *session;
	uint16_t nb = 0;

	sym_xform(spec, &x);
	session = sym_session(&x);
	for (uint32_t i = first; i <= last; i++) {
		uint32_t len = i <= LEN_MAX ? i : LEN_MAX + sym_random_below(FAR_MAX - LEN_MAX);

		if (spec->alg->block_bytes == 16)
			len = i <= LEN_MAX ? len : len & ~15u;
		if (spec->unit_bytes != 0)
			len = spec->unit_bytes * (1 + sym_random_below(FAR_MAX / 4096));
		if (spec->unit_bytes == 512 && i % 2 == 0)
			len = 512 * (1 + sym_random_below(40));
		if (length_fits(spec, len))
			lens[nb++] = len;
		if (nb == BURST || (i == last && nb > 0)) {
			burst_run(spec, session, lens, nb);
			nb = 0;
		}
	}
	sym_session_free(session);
}

static void
key_size_run(const struct rte_cryptodev_symmetric_capability *cap, const struct plx_alg *alg,
	     uint16_t key_bytes)
{
	struct sym_spec spec = { .alg = alg, .key_bytes = key_bytes };
	uint32_t last = LEN_MAX + NB_FAR;

	/* a session for a hundred lengths, so that sizes vary */
	for (uint32_t first = 0; first <= last; first += 100) {
		uint32_t end = first + 99 < last ? first + 99 : last;

		sym_random(spec.key, sizeof(spec.key));
		spec_draw(cap, &spec);
		for (int direction = 0; direction < 2; direction++) {
			spec.is_forward = direction == 0;
			session_run(&spec, first, end);
		}
	}
}

static void
every_algorithm_agrees_with_openssl(void **state)
{
	uint32_t nb_algs = 0;

	(void)state;
	nb_ops = 0;
	for (size_t i = 0; sym_alg(i) != NULL; i++) {
		const struct plx_alg *alg = sym_alg(i);
		const struct rte_cryptodev_symmetric_capability *cap = capability(alg);
		uint32_t max = alg->key.step == 1 ? 128 : alg->key.max;
		uint32_t step = alg->key.step == 1 ? 41 : alg->key.step;

		if (cap == NULL)
			fail_msg("the driver has no %s", alg->name);
		for (uint32_t bytes = alg->key.min; bytes <= max; bytes += step) {
			key_size_run(cap, alg, (uint16_t)bytes);
			if (step == 0)
				break;
		}
		nb_algs++;
	}
	print_message("%u algorithms, %u ops\n", nb_algs, nb_ops);
	assert_true(nb_algs >= 31);
	assert_true(nb_ops >= 60000);
}

static void
xts_data_units_count_their_iv_up(void **state)
{
	struct sym_spec spec = { .alg = sym_alg_named("aes-xts"), .key_bytes = 64, .iv_bytes = 16 };

	(void)state;
	for (uint32_t unit = 512; unit <= 4096; unit *= 8) {
		for (int direction = 0; direction < 4; direction++) {
			sym_random(spec.key, sizeof(spec.key));
			spec.key_bytes = direction < 2 ? 64 : 32;
			spec.unit_bytes = unit;
			spec.is_forward = direction % 2 == 0;
			session_run(&spec, 0, 60);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_algorithm_agrees_with_openssl),
		cmocka_unit_test(xts_data_units_count_their_iv_up),
	};

	sym_eal("mb_sym_random");
	return cmocka_run_group_tests_name("mb_sym_random", tests, up, down);
}
