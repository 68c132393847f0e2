/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "test_mb_sym_rig.h"

/*
 * A cipher and an authentication in one session, in both orders, over regions that lie in, over and
 * beside each other, with the digest elsewhere or encrypted with the data; whole and in pieces, in
 * place and not. A model works on flat arrays with OpenSSL's library.
 */

#define DATA_MAX   512u
#define NB_SAMPLES 3000u

static const char *const ciphers[] = { "aes-cbc", "aes-ctr", "sm4-cbc", "aes-xts", "aes-ecb" };
static const char *const auths[] = { "hmac-sha1", "hmac-sha256", "hmac-sha3-256", "hmac-sha512",
				     "sha256",    "sm3",         "aes-cmac",      "aes-gmac" };

struct sample {
	struct sym_spec cipher, auth;
	bool is_auth_first; /* on the way forward */
	bool is_digest_encrypted;
	bool is_in_place;
	uint32_t len;
	uint32_t cipher_off, cipher_len;
	uint32_t auth_off, auth_len;
	uint8_t iv[16], auth_iv[16];
	uint8_t plain[DATA_MAX];
	uint8_t sealed[DATA_MAX]; /* plain after the op in place */
	uint8_t digest[64];
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

static uint32_t
auth_end(const struct sample *s)
{
	return s->auth_off + s->auth_len;
}

/* The digest is encrypted: behind the authenticated bytes, within the encrypted ones. */
static void
regions_draw(struct sample *s)
{
	uint32_t tag = s->auth.tag_bytes;

	s->cipher_off = sym_random_below(30);
	s->cipher_len = 16 * (1 + sym_random_below(15));
	if (strcmp(s->cipher.alg->name, "aes-ctr") == 0)
		s->cipher_len -= sym_random_below(16);
	s->len = s->cipher_off + s->cipher_len + sym_random_below(40);
	s->is_digest_encrypted = s->is_auth_first && s->cipher_len > tag && sym_random_below(2);
	if (s->is_digest_encrypted) {
		uint32_t end = s->cipher_off + sym_random_below(s->cipher_len - tag + 1);

		s->auth_off = sym_random_below(end + 1);
		s->auth_len = end - s->auth_off;
		return;
	}
	s->auth_off = sym_random_below(s->len + 1);
	s->auth_len = sym_random_below(s->len - s->auth_off + 1);
	if (sym_random_below(3) == 0) { /* as IPsec has it */
		s->auth_off = sym_random_below(s->cipher_off + 1);
		s->auth_len = s->cipher_off + s->cipher_len - s->auth_off;
	}
}

static void
model_run(struct sample *s)
{
	uint8_t region[DATA_MAX];

	memcpy(s->sealed, s->plain, s->len);
	if (s->is_auth_first) {
		sym_reference(&s->auth, s->auth_iv, NULL, s->plain + s->auth_off, s->auth_len, NULL,
			      s->digest);
		if (s->is_digest_encrypted)
			memcpy(s->sealed + auth_end(s), s->digest, s->auth.tag_bytes);
	}
	memcpy(region, s->sealed + s->cipher_off, s->cipher_len);
	sym_reference(&s->cipher, s->iv, NULL, region, s->cipher_len, s->sealed + s->cipher_off,
		      NULL);
	if (!s->is_auth_first)
		sym_reference(&s->auth, s->auth_iv, NULL, s->sealed + s->auth_off, s->auth_len,
			      NULL, s->digest);
}

static void
sample_draw(struct sample *s)
{
	struct sym_spec *c = &s->cipher, *a = &s->auth;

	memset(s, 0, sizeof(*s));
	c->alg = sym_alg_named(ciphers[sym_random_below(RTE_DIM(ciphers))]);
	c->key_bytes = (uint16_t)(sym_random_below(2) ? c->alg->key.min : c->alg->key.max);
	c->iv_bytes = (uint16_t)c->alg->iv_default_bytes;
	a->alg = sym_alg_named(auths[sym_random_below(RTE_DIM(auths))]);
	a->key_bytes = (uint16_t)(a->alg->kind == PLX_ALG_KIND_HASH ? 0
				  : a->alg->key.step == 1           ? 1 + sym_random_below(100)
								    : a->alg->key.max);
	a->iv_bytes = (uint16_t)a->alg->iv_default_bytes;
	a->tag_bytes = (uint16_t)(a->alg->tag_default_bytes - sym_random_below(4));
	sym_random(c->key, sizeof(c->key));
	sym_random(a->key, sizeof(a->key));
	sym_random(s->iv, sizeof(s->iv));
	sym_random(s->auth_iv, sizeof(s->auth_iv));
	sym_random(s->plain, sizeof(s->plain));
	s->is_auth_first = sym_random_below(2) == 0;
	s->is_in_place = sym_random_below(2) == 0;
	regions_draw(s);
	model_run(s);
}

static void *
session_make(struct sample *s, bool is_forward)
{
	struct rte_crypto_sym_xform cipher, auth, *first;

	s->cipher.is_forward = s->auth.is_forward = is_forward;
	sym_xform(&s->cipher, &cipher);
	sym_xform(&s->auth, &auth);
	if (s->is_auth_first == is_forward) {
		first = &auth;
		auth.next = &cipher;
	} else {
		first = &cipher;
		cipher.next = &auth;
	}
	return sym_session(first);
}

/* Where byte off of a chain is. */
static uint8_t *
chain_at(struct rte_mbuf *m, uint32_t off)
{
	while (off >= m->data_len) {
		off -= m->data_len;
		m = m->next;
		assert_non_null(m);
	}
	return rte_pktmbuf_mtod_offset(m, uint8_t *, off);
}

static struct rte_crypto_op *
op_make(const struct sample *s, void *session, const uint8_t *from, uint8_t *digest)
{
	struct rte_crypto_op *op = sym_op(session);
	struct rte_crypto_sym_op *sym = op->sym;

	sym->m_src = sym_chain(from, s->len, (enum sym_shape)sym_random_below(SYM_SHAPES));
	if (!s->is_in_place)
		sym->m_dst = sym_chain(NULL, s->len, (enum sym_shape)sym_random_below(SYM_SHAPES));
	memcpy(sym_op_iv(op), s->iv, sizeof(s->iv));
	memcpy(rte_crypto_op_ctod_offset(op, uint8_t *, SYM_IV2), s->auth_iv, sizeof(s->auth_iv));
	sym->cipher.data.offset = s->cipher_off;
	sym->cipher.data.length = s->cipher_len;
	sym->auth.data.offset = s->auth_off;
	sym->auth.data.length = s->auth_len;
	sym->auth.digest.data = digest;
	if (s->is_digest_encrypted)
		sym->auth.digest.data = chain_at(
			s->is_in_place || (!s->auth.is_forward && sym_random_below(2)) ? sym->m_src
										       : sym->m_dst,
			auth_end(s));
	return op;
}

/* What an op writes: the cipher's region and, not in place, the authenticated one. */
static void
regions_copy(const struct sample *s, uint8_t *to, const uint8_t *from)
{
	memcpy(to + s->cipher_off, from + s->cipher_off, s->cipher_len);
	memcpy(to + s->auth_off, from + s->auth_off, s->auth_len);
}

static void
result_check(const struct sample *s, struct rte_crypto_op *op, const uint8_t *from,
	     const uint8_t *want)
{
	struct rte_crypto_sym_op *sym = op->sym;
	uint8_t seen[DATA_MAX];

	assert_true(sym_chain_read(s->is_in_place ? sym->m_src : sym->m_dst, seen));
	if (memcmp(seen, want, s->len) != 0)
		fail_msg("%s, %s, %s first, %s, %s, %s, cipher %u+%u, auth %u+%u: wrong data",
			 s->cipher.alg->name, s->auth.alg->name,
			 s->is_auth_first ? "auth" : "cipher",
			 s->auth.is_forward ? "forward" : "backward",
			 s->is_in_place ? "in place" : "out of place",
			 s->is_digest_encrypted ? "digest encrypted" : "digest elsewhere",
			 s->cipher_off, s->cipher_len, s->auth_off, s->auth_len);
	if (!s->is_in_place) {
		assert_true(sym_chain_read(sym->m_src, seen));
		assert_memory_equal(seen, from, s->len);
	}
}

static void
forward_is_right(struct sample *s)
{
	uint8_t digest[64 + 16], want[DATA_MAX];
	void *session = session_make(s, true);
	struct rte_crypto_op *op;

	memset(digest, 0x5a, sizeof(digest));
	op = op_make(s, session, s->plain, digest);
	assert_int_equal(sym_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	memset(want, 0xa5, sizeof(want));
	if (s->is_in_place)
		memcpy(want, s->sealed, s->len);
	else
		regions_copy(s, want, s->sealed);
	result_check(s, op, s->plain, want);
	if (!s->is_digest_encrypted)
		assert_memory_equal(digest, s->digest, s->auth.tag_bytes);
	for (size_t i = s->is_digest_encrypted ? 0 : s->auth.tag_bytes; i < sizeof(digest); i++)
		assert_int_equal(digest[i], 0x5a);
	sym_op_free(op);
	sym_session_free(session);
}

static void
backward_is_right(struct sample *s)
{
	void *session = session_make(s, false);
	struct rte_crypto_op *op = op_make(s, session, s->sealed, s->digest);
	uint8_t want[DATA_MAX];

	assert_int_equal(sym_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	memset(want, 0xa5, sizeof(want));
	if (s->is_in_place)
		memcpy(want, s->plain, s->len);
	else
		regions_copy(s, want, s->plain);
	if (s->is_digest_encrypted) /* not left in clear */
		memset(want + auth_end(s), 0, s->auth.tag_bytes);
	result_check(s, op, s->sealed, want);
	sym_op_free(op);
	sym_session_free(session);
}

/* One bit of digest or data is wrong. Nothing that was decrypted stays; what was checked before it
 * would have been decrypted is as it was. */
static void
forgery_is_seen(struct sample *s)
{
	void *session = session_make(s, false);
	uint8_t forged[DATA_MAX], want[DATA_MAX], digest[64];
	struct rte_crypto_op *op;

	memcpy(forged, s->sealed, s->len);
	memcpy(digest, s->digest, sizeof(digest));
	if (s->is_digest_encrypted)
		forged[auth_end(s) + sym_random_below(s->auth.tag_bytes)] ^= 0x10;
	else
		digest[sym_random_below(s->auth.tag_bytes)] ^= 1;
	op = op_make(s, session, forged, digest);
	assert_int_equal(sym_do(op), RTE_CRYPTO_OP_STATUS_AUTH_FAILED);
	memset(want, 0xa5, sizeof(want));
	if (s->is_in_place)
		memcpy(want, forged, s->len);
	else if (s->is_auth_first)
		regions_copy(s, want, forged);
	if (s->is_auth_first)
		memset(want + s->cipher_off, 0, s->cipher_len);
	result_check(s, op, forged, want);
	sym_op_free(op);
	sym_session_free(session);
}

static void
chains_agree_with_openssl(void **state)
{
	uint32_t nb_encrypted_digests = 0;
	struct sample s;

	(void)state;
	for (uint32_t i = 0; i < NB_SAMPLES; i++) {
		sample_draw(&s);
		forward_is_right(&s);
		backward_is_right(&s);
		forgery_is_seen(&s);
		nb_encrypted_digests += s.is_digest_encrypted;
	}
	assert_true(nb_encrypted_digests > NB_SAMPLES / 10);
}

/* A check first, then an encryption: both are done as the transforms say. */
static void
a_chain_does_what_its_transforms_say(void **state)
{
	uint8_t digest[32], digest_room[32], want[64], plain[64], seen[64];
	struct rte_crypto_sym_xform cipher, auth;
	struct sym_spec c = { .alg = sym_alg_named("aes-ctr"), .key_bytes = 16, .iv_bytes = 16 };
	struct sym_spec a = { .alg = sym_alg_named("hmac-sha256"),
			      .key_bytes = 20,
			      .tag_bytes = 32 };
	struct rte_crypto_op *op;
	uint8_t iv[16] = { 3 };
	void *session;

	(void)state;
	sym_random(plain, sizeof(plain));
	sym_reference(&c, iv, NULL, plain, sizeof(plain), want, NULL);
	sym_reference(&a, NULL, NULL, plain, sizeof(plain), NULL, digest);
	c.is_forward = true;
	sym_xform(&c, &cipher);
	sym_xform(&a, &auth);
	auth.next = &cipher;
	session = sym_session(&auth);
	op = sym_op(session);
	op->sym->m_src = sym_chain(plain, sizeof(plain), SYM_ONE);
	memcpy(sym_op_iv(op), iv, sizeof(iv));
	memcpy(digest_room, digest, sizeof(digest));
	op->sym->cipher.data.length = sizeof(plain);
	op->sym->auth.data.length = sizeof(plain);
	op->sym->auth.digest.data = digest_room;
	assert_int_equal(sym_do(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_true(sym_chain_read(op->sym->m_src, seen));
	assert_memory_equal(seen, want, sizeof(want));
	assert_int_equal(sym_do(op), RTE_CRYPTO_OP_STATUS_AUTH_FAILED); /* it is encrypted now */
	assert_true(sym_chain_read(op->sym->m_src, seen));
	assert_memory_equal(seen, want, sizeof(want));
	sym_op_free(op);
	sym_session_free(session);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_agree_with_openssl),
		cmocka_unit_test(a_chain_does_what_its_transforms_say),
	};

	sym_eal("mb_sym_chain");
	return cmocka_run_group_tests_name("mb_sym_chain", tests, up, down);
}
