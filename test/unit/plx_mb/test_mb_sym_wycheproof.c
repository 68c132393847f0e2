/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "test_mb_sym_rig.h"

#include <stdlib.h>

#include "wycheproof.h"

/*
 * Wycheproof's symmetric files on the driver itself. A valid case has to work both ways; an invalid
 * one is refused with its session or its op. "test_mb_sym_wycheproof FOLDER": FOLDER is taken when
 * PLX_VECTORS is not set.
 */

#define BLOCK     16u
#define DATA_MAX  8192u
#define AAD_FRONT 18u

struct counts {
	uint32_t nb, nb_right, nb_refused, nb_no_size;
};

static char folder[4096];

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
spec_make(const struct plx_alg *alg, const struct wycheproof_case *c, struct sym_spec *spec)
{
	memset(spec, 0, sizeof(*spec));
	assert_true(c->key.len <= sizeof(spec->key));
	spec->alg = alg;
	memcpy(spec->key, c->key.data, c->key.len);
	spec->key_bytes = (uint16_t)c->key.len;
	spec->iv_bytes = (uint16_t)c->iv.len;
	if (strcmp(alg->name, "aes-xts") == 0) /* a number of fewer bytes: zeros behind */
		spec->iv_bytes = 16;
	spec->aad_bytes = (uint16_t)c->aad.len;
	spec->tag_bytes = (uint16_t)c->tag.len;
}

/* Message of a way: padded for CBC. */
static size_t
input_make(const struct sym_spec *spec, const struct wycheproof_case *c, uint8_t *in)
{
	bool is_plain = spec->is_forward || sym_is_auth(spec->alg);
	const struct wycheproof_bytes *from = is_plain ? &c->msg : &c->ct;
	size_t len = from->len;

	assert_true(len + BLOCK <= DATA_MAX);
	memcpy(in, from->data, len);
	if (is_plain && spec->alg->kind == PLX_ALG_KIND_CIPHER && spec->alg->block_bytes == BLOCK) {
		size_t pad = BLOCK - len % BLOCK;

		memset(in + len, (int)pad, pad);
		len += pad;
	}
	return len;
}

/* NOLINTBEGIN(readability-function-size): all the parts of a case */
static struct rte_crypto_op *
op_make(const struct sym_spec *spec, void *session, const struct wycheproof_case *c,
	const uint8_t *in, size_t len, uint8_t *aad, uint8_t *tag)
{
	bool is_ccm = sym_is_ccm(spec->alg);
	struct rte_crypto_op *op = sym_op(session);
	uint8_t *iv = sym_is_auth(spec->alg) ? rte_crypto_op_ctod_offset(op, uint8_t *, SYM_IV2)
					     : sym_op_iv(op);

	memset(iv, 0, 16);
	memcpy(iv + is_ccm, c->iv.data, c->iv.len);
	memcpy(aad + (is_ccm ? AAD_FRONT : 0), c->aad.data, c->aad.len);
	memset(tag, 0, 64);
	if (!spec->is_forward)
		memcpy(tag, c->tag.data, c->tag.len);
	op->sym->m_src = sym_chain(in, len, SYM_ONE);
	if (spec->alg->kind == PLX_ALG_KIND_AEAD) {
		op->sym->aead.data.length = (uint32_t)len;
		op->sym->aead.aad.data = aad;
		op->sym->aead.digest.data = tag;
	} else if (sym_is_auth(spec->alg)) {
		op->sym->auth.data.length = (uint32_t)len;
		op->sym->auth.digest.data = tag;
	} else {
		op->sym->cipher.data.length = (uint32_t)len;
	}
	return op;
}
/* NOLINTEND(readability-function-size) */

static bool
padding_is_good(const uint8_t *plain, size_t len)
{
	uint8_t pad = len > 0 ? plain[len - 1] : 0;

	if (pad == 0 || pad > BLOCK || pad > len)
		return false;
	for (size_t i = 1; i <= pad; i++) {
		if (plain[len - i] != pad)
			return false;
	}
	return true;
}

static bool
output_is_right(const struct sym_spec *spec, const struct wycheproof_case *c, const uint8_t *out,
		const uint8_t *tag)
{
	const struct wycheproof_bytes *want = spec->is_forward ? &c->ct : &c->msg;

	if (!sym_is_auth(spec->alg) && memcmp(out, want->data, want->len) != 0)
		return false;
	return !spec->is_forward || memcmp(tag, c->tag.data, c->tag.len) == 0;
}

/* One way of one case; false when the session is refused. */
static bool
way_run(struct sym_spec *spec, const struct wycheproof_case *c, bool is_forward)
{
	static uint8_t in[DATA_MAX], out[DATA_MAX], aad[AAD_FRONT + DATA_MAX], tag[64];
	struct rte_crypto_sym_xform x;
	struct rte_crypto_op *op;
	void *session;
	bool is_good;
	size_t len;

	spec->is_forward = is_forward;
	sym_xform(spec, &x);
	session = sym_session_try(&x);
	if (session == NULL)
		return false;
	len = input_make(spec, c, in);
	op = op_make(spec, session, c, in, len, aad, tag);
	is_good = sym_do(op) == RTE_CRYPTO_OP_STATUS_SUCCESS;
	assert_true(sym_chain_read(op->sym->m_src, out));
	if (spec->alg->kind == PLX_ALG_KIND_CIPHER && !is_forward && is_good &&
	    spec->alg->block_bytes == BLOCK)
		is_good = padding_is_good(out, len);
	if (is_good != (c->result == WYCHEPROOF_VALID))
		fail_msg("%s, case %d, %s: status %u; %s", spec->alg->name, c->id,
			 is_forward ? "forward" : "backward", op->status, c->comment);
	if (is_good && !output_is_right(spec, c, out, tag))
		fail_msg("%s, case %d, %s: wrong", spec->alg->name, c->id,
			 is_forward ? "forward" : "backward");
	sym_op_free(op);
	sym_session_free(session);
	return true;
}

/* A size that the driver does not say it has. */
static bool
has_odd_size(const struct sym_spec *spec)
{
	const char *name = spec->alg->name;

	return (strcmp(name, "aes-xts") == 0 && spec->key_bytes == 48) || spec->iv_bytes > 128 ||
	       (strcmp(name, "aes-gcm") == 0 && spec->iv_bytes == 0);
}

static void
case_run(const struct plx_alg *alg, const struct wycheproof_case *c, struct counts *n)
{
	struct sym_spec spec;

	assert_int_not_equal(c->result, WYCHEPROOF_ACCEPTABLE);
	spec_make(alg, c, &spec);
	n->nb++;
	if (!way_run(&spec, c, false)) {
		if (c->result == WYCHEPROOF_VALID && !has_odd_size(&spec))
			fail_msg("%s, case %d: no session", alg->name, c->id);
		n->nb_no_size++;
		return;
	}
	if (c->result != WYCHEPROOF_VALID) {
		n->nb_refused++;
		return;
	}
	assert_true(way_run(&spec, c, true));
	n->nb_right++;
}

static void
file_passes(const char *name, const char *alg_name)
{
	const struct plx_alg *alg = sym_alg_named(alg_name);
	struct wycheproof_file file;
	struct counts n = { 0 };

	assert_true(wycheproof_load(folder, name, &file));
	for (size_t i = 0; i < file.nb; i++)
		case_run(alg, &file.cases[i], &n);
	wycheproof_free(&file);
	print_message("%-28s %4u cases: %u right both ways, %u invalid refused, %u of sizes that "
		      "no session has\n",
		      name, n.nb, n.nb_right, n.nb_refused, n.nb_no_size);
	assert_true(n.nb > 0 && n.nb_right > 0);
	assert_int_equal(n.nb_right + n.nb_refused + n.nb_no_size, n.nb);
}

#define FILE_TEST(test, name, alg)                                                                 \
	static void test(void **state)                                                             \
	{                                                                                          \
		(void)state;                                                                       \
		file_passes(name "_test.json", alg);                                               \
	}

FILE_TEST(aes_gcm_cases_pass, "aes_gcm", "aes-gcm")
FILE_TEST(aes_ccm_cases_pass, "aes_ccm", "aes-ccm")
FILE_TEST(chacha20_poly1305_cases_pass, "chacha20_poly1305", "chacha20-poly1305")
FILE_TEST(aes_cbc_pkcs5_cases_pass, "aes_cbc_pkcs5", "aes-cbc")
FILE_TEST(aes_xts_cases_pass, "aes_xts", "aes-xts")
FILE_TEST(aes_cmac_cases_pass, "aes_cmac", "aes-cmac")
FILE_TEST(aes_gmac_cases_pass, "aes_gmac", "aes-gmac")
FILE_TEST(hmac_sha1_cases_pass, "hmac_sha1", "hmac-sha1")
FILE_TEST(hmac_sha256_cases_pass, "hmac_sha256", "hmac-sha256")
FILE_TEST(hmac_sha512_cases_pass, "hmac_sha512", "hmac-sha512")

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aes_gcm_cases_pass),
		cmocka_unit_test(aes_ccm_cases_pass),
		cmocka_unit_test(chacha20_poly1305_cases_pass),
		cmocka_unit_test(aes_cbc_pkcs5_cases_pass),
		cmocka_unit_test(aes_xts_cases_pass),
		cmocka_unit_test(aes_cmac_cases_pass),
		cmocka_unit_test(aes_gmac_cases_pass),
		cmocka_unit_test(hmac_sha1_cases_pass),
		cmocka_unit_test(hmac_sha256_cases_pass),
		cmocka_unit_test(hmac_sha512_cases_pass),
	};

	if (!wycheproof_folder(argc > 1 ? argv[1] : ".", folder, sizeof(folder)))
		return 77;
	sym_eal("mb_sym_wycheproof");
	return cmocka_run_group_tests_name("mb_sym_wycheproof", tests, up, down);
}
