/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wycheproof.h"
#include "xval.h"

/*
 * Wycheproof's symmetric files over all devices. A valid case has to work both ways; an invalid one
 * has to be refused when its session is built (sizes nobody has) or to come back with its failure.
 * "test_xval_wycheproof FOLDER": FOLDER is taken when PLX_VECTORS is not set.
 */

#define BLOCK 16

static char folder[4096];

static struct xval_bytes
bytes_of(const struct wycheproof_bytes *b)
{
	return (struct xval_bytes){ b->data, b->len };
}

/* msg with PKCS#7 padding, in place of msg; the room is made here and freed with the case. */
static void
padding_add(struct wycheproof_bytes *msg)
{
	size_t pad = BLOCK - msg->len % BLOCK;
	uint8_t *padded = realloc(msg->data, msg->len + pad);

	assert_non_null(padded);
	memset(padded + msg->len, (int)pad, pad);
	msg->data = padded;
	msg->len += pad;
}

static void
vec_make(const char *file, const struct plx_alg *alg, struct wycheproof_case *c, struct xval_vec *v)
{
	enum xval_want bad = alg->kind == PLX_ALG_KIND_CIPHER ? XVAL_PADDING_BAD : XVAL_AUTH_FAILED;

	assert_int_not_equal(c->result, WYCHEPROOF_ACCEPTABLE);
	if (alg->kind == PLX_ALG_KIND_CIPHER)
		padding_add(&c->msg);
	snprintf(v->name, sizeof(v->name), "%s %d %.40s", file, c->id, c->comment);
	v->alg = alg;
	v->want = c->result == WYCHEPROOF_VALID ? XVAL_SUCCESS : bad;
	v->key = bytes_of(&c->key);
	v->iv = bytes_of(&c->iv);
	v->aad = bytes_of(&c->aad);
	v->plain = bytes_of(&c->msg);
	v->cipher = bytes_of(&c->ct);
	v->tag = bytes_of(&c->tag);
}

static void
file_passes(void **state, const char *name, const char *alg_name)
{
	const struct plx_alg *alg = plx_alg_find(alg_name);
	struct xval_counts counts = { 0 };
	struct wycheproof_file file;
	struct xval *x = *state;
	struct xval_vec *vecs;
	size_t nb = 0;

	x->nb_wrong = 0;
	assert_non_null(alg);
	assert_true(wycheproof_load(folder, name, &file));
	vecs = calloc(file.nb, sizeof(*vecs));
	assert_non_null(vecs);
	for (size_t i = 0; i < file.nb; i++) {
		/* IVs past what an op has room for are past what any device takes, too */
		if (file.cases[i].iv.len < XVAL_IV_MAX)
			vec_make(name, alg, &file.cases[i], &vecs[nb++]);
	}
	xval_run(x, vecs, nb, &counts);
	xval_report(x, name, alg, &counts);
	free(vecs);
	wycheproof_free(&file);
}

#define FILE_TEST(test, name, alg)                                                                 \
	static void test(void **state)                                                             \
	{                                                                                          \
		file_passes(state, name "_test.json", alg);                                        \
	}

FILE_TEST(aes_gcm_cases_pass, "aes_gcm", "aes-gcm")
FILE_TEST(aes_ccm_cases_pass, "aes_ccm", "aes-ccm")
FILE_TEST(chacha20_poly1305_cases_pass, "chacha20_poly1305", "chacha20-poly1305")
FILE_TEST(aes_cbc_pkcs5_cases_pass, "aes_cbc_pkcs5", "aes-cbc")
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
		cmocka_unit_test(aes_cmac_cases_pass),
		cmocka_unit_test(aes_gmac_cases_pass),
		cmocka_unit_test(hmac_sha1_cases_pass),
		cmocka_unit_test(hmac_sha256_cases_pass),
		cmocka_unit_test(hmac_sha512_cases_pass),
	};

	if (!wycheproof_folder(argc > 1 ? argv[1] : ".", folder, sizeof(folder)))
		return 77;
	if (!bed_eal("xval_wp"))
		return 1;
	return cmocka_run_group_tests_name("xval_wycheproof", tests, xval_setup, xval_teardown);
}
