/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "test_mb_sym_rig.h"

#include "plx_pmd.h"

/*
 * Ops and transforms that are wrong. A wrong op comes back with INVALID_ARGS or INVALID_SESSION,
 * its data as it was, and the op behind it in the same burst is done.
 */

#define LEN 96u

struct bad {
	const char *name;
	const char *alg;
	int status;
	void (*spoil)(struct rte_crypto_op *op);
	enum sym_shape shape;
};

static uint8_t aad[64], tag[64];

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

static void
no_source(struct rte_crypto_op *op)
{
	rte_pktmbuf_free(op->sym->m_src);
	op->sym->m_src = NULL;
}

static void
no_buffer(struct rte_crypto_op *op)
{
	op->sym->m_src->buf_addr = NULL;
}

static void
cipher_too_long(struct rte_crypto_op *op)
{
	op->sym->cipher.data.length = LEN + 16;
}

static void
cipher_off_too_far(struct rte_crypto_op *op)
{
	op->sym->cipher.data.offset = 16;
}

static void
cipher_wraps(struct rte_crypto_op *op)
{
	op->sym->cipher.data.offset = UINT32_MAX - 15;
	op->sym->cipher.data.length = 32;
}

static void
cipher_part_of_block(struct rte_crypto_op *op)
{
	op->sym->cipher.data.length = LEN - 1;
}

static void
cipher_nothing(struct rte_crypto_op *op)
{
	op->sym->cipher.data.length = 0;
}

static void
cipher_15_bytes(struct rte_crypto_op *op)
{
	op->sym->cipher.data.length = 15;
}

static void
short_destination(struct rte_crypto_op *op)
{
	op->sym->m_dst = sym_chain(NULL, LEN - 1, SYM_ONE);
}

static void
chain_says_more(struct rte_crypto_op *op)
{
	op->sym->m_src->nb_segs = 200;
	op->sym->m_src->pkt_len = LEN * 10;
	op->sym->cipher.data.length = LEN + 16;
}

static void
chain_bites_its_tail(struct rte_crypto_op *op)
{
	struct rte_mbuf *m = op->sym->m_src;

	assert_non_null(m->next);
	while (m->next != NULL)
		m = m->next;
	m->next = m; /* undone by repair() */
	op->sym->m_src->nb_segs = UINT16_MAX;
	m->data_len = 0;
	op->sym->cipher.data.length = LEN + 16;
}

static void
aead_too_long(struct rte_crypto_op *op)
{
	op->sym->aead.data.length = LEN + 1;
}

static void
aead_wraps(struct rte_crypto_op *op)
{
	op->sym->aead.data.offset = UINT32_MAX;
	op->sym->aead.data.length = 2;
}

static void
no_aad(struct rte_crypto_op *op)
{
	op->sym->aead.aad.data = NULL;
}

static void
no_tag(struct rte_crypto_op *op)
{
	op->sym->aead.digest.data = NULL;
}

static void
no_digest(struct rte_crypto_op *op)
{
	op->sym->auth.digest.data = NULL;
}

static void
auth_too_long(struct rte_crypto_op *op)
{
	op->sym->auth.data.length = LEN + 1;
}

static void
auth_wraps(struct rte_crypto_op *op)
{
	op->sym->auth.data.offset = 8;
	op->sym->auth.data.length = UINT32_MAX;
}

static void
no_session(struct rte_crypto_op *op)
{
	op->sym->session = NULL;
}

static void
security_session(struct rte_crypto_op *op)
{
	op->sess_type = RTE_CRYPTO_OP_SECURITY_SESSION;
}

static void
foreign_session(struct rte_crypto_op *op)
{
	static uint8_t room[8192] __attribute__((aligned(64)));
	struct rte_cryptodev_sym_session *session = (void *)room;

	memset(room, 0xff, sizeof(room));
	session->driver_id = 200;
	op->sym->session = session;
}

/* Of our driver, and never configured. */
static void
empty_session(struct rte_crypto_op *op)
{
	static uint8_t room[16384] __attribute__((aligned(64)));
	struct rte_cryptodev_sym_session *session = (void *)room;
	struct rte_cryptodev_info info;

	rte_cryptodev_info_get(sym_dev(), &info);
	session->driver_id = info.driver_id;
	op->sym->session = session;
}

static void
no_transform(struct rte_crypto_op *op)
{
	op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	op->sym->xform = NULL;
}

static void
bad_transform(struct rte_crypto_op *op)
{
	static struct rte_crypto_sym_xform x;

	x.type = RTE_CRYPTO_SYM_XFORM_CIPHER;
	x.next = &x;
	op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	op->sym->xform = &x;
}

static void
no_type(struct rte_crypto_op *op)
{
	op->type = 77;
}

#define ARGS    RTE_CRYPTO_OP_STATUS_INVALID_ARGS
#define SESSION RTE_CRYPTO_OP_STATUS_INVALID_SESSION

static const struct bad bads[] = {
	{ "no source", "aes-cbc", ARGS, no_source, SYM_ONE },
	{ "no buffer", "aes-ctr", ARGS, no_buffer, SYM_ONE },
	{ "no source, AEAD", "aes-gcm", ARGS, no_source, SYM_ONE },
	{ "no source, hash", "sha256", ARGS, no_source, SYM_ONE },
	{ "cipher too long", "aes-cbc", ARGS, cipher_too_long, SYM_ONE },
	{ "cipher too long, pieces", "aes-ctr", ARGS, cipher_too_long, SYM_CRUMBS },
	{ "offset too far", "aes-cbc", ARGS, cipher_off_too_far, SYM_ONE },
	{ "offset too far, pieces", "aes-cbc", ARGS, cipher_off_too_far, SYM_HALVES },
	{ "sum wraps", "aes-cbc", ARGS, cipher_wraps, SYM_ONE },
	{ "sum wraps, pieces", "aes-ctr", ARGS, cipher_wraps, SYM_CRUMBS },
	{ "part of a block", "aes-cbc", ARGS, cipher_part_of_block, SYM_ONE },
	{ "part of a block", "sm4-ecb", ARGS, cipher_part_of_block, SYM_HALVES },
	{ "no block", "aes-cbc", ARGS, cipher_nothing, SYM_ONE },
	{ "no data unit", "aes-xts", ARGS, cipher_nothing, SYM_ONE },
	{ "data unit of 15 bytes", "aes-xts", ARGS, cipher_15_bytes, SYM_ONE },
	{ "destination too short", "aes-cbc", ARGS, short_destination, SYM_ONE },
	{ "destination too short", "aes-gcm", ARGS, short_destination, SYM_HALVES },
	{ "destination too short", "hmac-sha1", ARGS, short_destination, SYM_ONE },
	{ "fewer pieces than it says", "aes-ctr", ARGS, chain_says_more, SYM_HALVES },
	{ "AEAD too long", "aes-gcm", ARGS, aead_too_long, SYM_ONE },
	{ "AEAD too long", "aes-ccm", ARGS, aead_too_long, SYM_HALVES },
	{ "AEAD wraps", "chacha20-poly1305", ARGS, aead_wraps, SYM_ONE },
	{ "no AAD", "aes-gcm", ARGS, no_aad, SYM_ONE },
	{ "no AAD", "aes-ccm", ARGS, no_aad, SYM_ONE },
	{ "no tag", "aes-gcm", ARGS, no_tag, SYM_ONE },
	{ "no digest", "hmac-sha256", ARGS, no_digest, SYM_ONE },
	{ "no digest", "sha3-256", ARGS, no_digest, SYM_ONE },
	{ "hash too long", "sha1", ARGS, auth_too_long, SYM_ONE },
	{ "hash too long, pieces", "aes-cmac", ARGS, auth_too_long, SYM_CRUMBS },
	{ "hash wraps", "aes-gmac", ARGS, auth_wraps, SYM_ONE },
	{ "no session", "aes-cbc", SESSION, no_session, SYM_ONE },
	{ "security session", "aes-cbc", SESSION, security_session, SYM_ONE },
	{ "another driver's session", "aes-gcm", SESSION, foreign_session, SYM_ONE },
	{ "a session that is none", "aes-gcm", SESSION, empty_session, SYM_ONE },
	{ "no transform", "aes-gcm", SESSION, no_transform, SYM_ONE },
	{ "a transform that is none", "aes-gcm", ARGS, bad_transform, SYM_ONE },
	{ "no such type of op", "aes-gcm", ARGS, no_type, SYM_ONE },
};

static void
spec_make(const char *name, struct sym_spec *spec)
{
	const struct plx_alg *alg = sym_alg_named(name);

	memset(spec, 0, sizeof(*spec));
	spec->alg = alg;
	spec->key_bytes = alg->key.step == 1 ? 20 : alg->key.max;
	spec->iv_bytes = alg->iv_default_bytes;
	spec->tag_bytes = (uint16_t)(alg->kind == PLX_ALG_KIND_CIPHER ? 0
				     : alg->kind == PLX_ALG_KIND_HASH ? alg->tag.max
								      : alg->tag_default_bytes);
	spec->aad_bytes = alg->kind == PLX_ALG_KIND_AEAD ? 20 : 0;
	spec->is_forward = true;
	sym_random(spec->key, sizeof(spec->key));
}

static struct rte_crypto_op *
op_make(const struct sym_spec *spec, void *session, const uint8_t *data, enum sym_shape shape)
{
	struct rte_crypto_op *op = sym_op(session);

	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	op->sym->m_src = sym_chain(data, LEN, shape);
	memset(sym_op_iv(op), 7, 32);
	if (spec->alg->kind == PLX_ALG_KIND_AEAD) {
		op->sym->aead.data.length = LEN;
		op->sym->aead.aad.data = aad;
		op->sym->aead.digest.data = tag;
	} else if (sym_is_auth(spec->alg)) {
		op->sym->auth.data.length = LEN;
		op->sym->auth.digest.data = tag;
	} else {
		op->sym->cipher.data.length = LEN;
	}
	return op;
}

/* Data, the end of a chain and a buffer's address as they were. */
static void
untouched_check(struct rte_crypto_op *op, const uint8_t *data, void *buf_addr)
{
	struct rte_crypto_sym_op *sym = op->sym;
	uint8_t seen[LEN];

	for (size_t i = 0; i < sizeof(tag); i++)
		assert_int_equal(tag[i], 0x5a);
	if (sym->m_src == NULL)
		return;
	sym->m_src->buf_addr = buf_addr;
	assert_true(sym_chain_read(sym->m_src, seen));
	assert_memory_equal(seen, data, LEN);
	if (sym->m_dst != NULL) {
		assert_true(sym_chain_read(sym->m_dst, seen));
		for (size_t i = 0; i < LEN - 1; i++)
			assert_int_equal(seen[i], 0xa5);
	}
}

static void
a_wrong_op_hurts_nobody(void **state)
{
	(void)state;
	for (size_t i = 0; i < RTE_DIM(bads); i++) {
		const struct bad *bad = &bads[i];
		struct rte_crypto_sym_xform x;
		struct rte_crypto_op *ops[2];
		uint8_t data[LEN], good_tag[64];
		struct sym_spec spec;
		void *session, *buf_addr;
		uint16_t nb_segs;

		spec_make(bad->alg, &spec);
		sym_xform(&spec, &x);
		session = sym_session(&x);
		sym_random(data, sizeof(data));
		memset(tag, 0x5a, sizeof(tag));
		ops[0] = op_make(&spec, session, data, bad->shape);
		ops[1] = op_make(&spec, session, data, SYM_ONE);
		if (spec.alg->kind == PLX_ALG_KIND_AEAD)
			ops[1]->sym->aead.digest.data = good_tag;
		else if (sym_is_auth(spec.alg))
			ops[1]->sym->auth.digest.data = good_tag;
		buf_addr = ops[0]->sym->m_src->buf_addr;
		nb_segs = ops[0]->sym->m_src->nb_segs;
		bad->spoil(ops[0]);
		sym_run(0, ops, 2);
		if (ops[0]->status != bad->status)
			fail_msg("%s, %s: status %u", bad->alg, bad->name, ops[0]->status);
		assert_int_equal(ops[1]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		untouched_check(ops[0], data, buf_addr);
		if (ops[0]->sym->m_src != NULL)
			ops[0]->sym->m_src->nb_segs = nb_segs;
		ops[0]->type = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
		sym_op_free(ops[0]);
		sym_op_free(ops[1]);
		sym_session_free(session);
	}
	print_message("%zu wrong ops\n", RTE_DIM(bads));
}

static void
a_chain_without_end_is_walked_once(void **state)
{
	struct rte_crypto_sym_xform x;
	uint8_t data[LEN] = { 0 };
	struct rte_crypto_op *op;
	struct rte_mbuf *last;
	struct sym_spec spec;
	uint16_t nb_segs;
	void *session;

	(void)state;
	spec_make("aes-ctr", &spec);
	sym_xform(&spec, &x);
	session = sym_session(&x);
	op = op_make(&spec, session, data, SYM_BLOCKS);
	last = rte_pktmbuf_lastseg(op->sym->m_src);
	nb_segs = op->sym->m_src->nb_segs;
	chain_bites_its_tail(op);
	assert_int_equal(sym_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	last->next = NULL;
	op->sym->m_src->nb_segs = nb_segs;
	sym_op_free(op);
	sym_session_free(session);
}

/* GCM, ChaCha20-Poly1305 and CCM of a length that has both ways of GCM. */
static void
a_forged_message_is_not_given_out(void **state)
{
	static const char *const names[] = { "aes-gcm", "aes-ccm", "chacha20-poly1305" };
	static const uint32_t lens[] = { 0, 1, 64, 96, 1024, 1025, 5000 };
	static uint8_t plain[5000], cipher[5000], seen[5000], want[5000];
	uint8_t iv[16] = { 1 }, room[64];

	(void)state;
	sym_random(plain, sizeof(plain));
	for (size_t i = 0; i < RTE_DIM(names) * RTE_DIM(lens) * 4; i++) {
		uint32_t len = lens[i / 4 % RTE_DIM(lens)];
		struct rte_crypto_sym_xform x;
		struct rte_crypto_op *op;
		struct sym_spec spec;
		void *session;

		spec_make(names[i / 4 / RTE_DIM(lens)], &spec);
		memset(room, 0, sizeof(room));
		sym_reference(&spec, iv + sym_is_ccm(spec.alg),
			      aad + (sym_is_ccm(spec.alg) ? 18 : 0), plain, len, cipher, room);
		spec.is_forward = false;
		sym_xform(&spec, &x);
		session = sym_session(&x);
		op = sym_op(session);
		op->sym->m_src = sym_chain(cipher, len, i % 2 != 0 ? SYM_CRUMBS : SYM_ONE);
		if (i % 4 >= 2)
			op->sym->m_dst = sym_chain(NULL, len, i % 2 == 0 ? SYM_CRUMBS : SYM_ONE);
		memcpy(sym_op_iv(op), iv, sizeof(iv));
		room[i % spec.tag_bytes] ^= (uint8_t)(1u << (i % 8));
		op->sym->aead.data.length = len;
		op->sym->aead.aad.data = aad;
		op->sym->aead.digest.data = room;
		assert_int_equal(sym_do(op), RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
		memset(want, 0, sizeof(want));
		assert_true(sym_chain_read(op->sym->m_dst != NULL ? op->sym->m_dst : op->sym->m_src,
					   seen));
		assert_memory_equal(seen, want, len);
		room[i % spec.tag_bytes] ^= (uint8_t)(1u << (i % 8));
		sym_op_free(op);
		op = sym_op(session); /* the context is fit for the next op */
		op->sym->m_src = sym_chain(cipher, len, SYM_ONE);
		memcpy(sym_op_iv(op), iv, sizeof(iv));
		op->sym->aead.data.length = len;
		op->sym->aead.aad.data = aad;
		op->sym->aead.digest.data = room;
		assert_int_equal(sym_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_true(sym_chain_read(op->sym->m_src, seen));
		assert_memory_equal(seen, plain, len);
		sym_op_free(op);
		sym_session_free(session);
	}
}

/* A nonce of 13 bytes leaves two for the length; 12 bytes leave three. */
static void
a_ccm_message_has_its_limit(void **state)
{
	static uint8_t data[66000], seen[66000];
	struct rte_crypto_sym_xform x;
	struct sym_spec spec;

	(void)state;
	for (uint16_t nonce = 12; nonce <= 13; nonce++) {
		struct rte_crypto_op *op;
		void *session;

		spec_make("aes-ccm", &spec);
		spec.iv_bytes = nonce;
		sym_xform(&spec, &x);
		session = sym_session(&x);
		op = sym_op(session);
		op->sym->m_src = sym_chain(data, sizeof(data), SYM_HALVES);
		op->sym->aead.aad.data = aad;
		op->sym->aead.digest.data = tag;
		op->sym->aead.data.length = 65536;
		assert_int_equal(sym_do(op), nonce == 13 ? RTE_CRYPTO_OP_STATUS_INVALID_ARGS
							 : RTE_CRYPTO_OP_STATUS_SUCCESS);
		op->sym->aead.data.length = 65537; /* in pieces */
		assert_int_equal(sym_do(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		assert_true(sym_chain_read(op->sym->m_src, seen));
		assert_memory_equal(seen + 65536, data + 65536, sizeof(data) - 65536);
		sym_op_free(op);
		sym_session_free(session);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wrong_op_hurts_nobody),
		cmocka_unit_test(a_chain_without_end_is_walked_once),
		cmocka_unit_test(a_forged_message_is_not_given_out),
		cmocka_unit_test(a_ccm_message_has_its_limit),
	};

	sym_eal("mb_sym_hostile");
	return cmocka_run_group_tests_name("mb_sym_hostile", tests, up, down);
}
