/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <openssl/evp.h>

#include <rte_malloc.h>

#include "bed.h"
#include "plx_key_op.h"
#include "plx_keystore.h"
#include "wycheproof.h"

/*
 * Wycheproof's PKCS#1 v1.5 signatures: public keys through the keystore, verification through an
 * engine, over each device that can do RSA. "acceptable" cases may be taken or not, by all alike.
 */

static const char *const devices[] = { "crypto_openssl0", NULL };

static char folder[4096];

struct rsa {
	struct bed bed;
	struct plx_keystore *ks;
	struct rte_mempool *ops;
	uint8_t *room;
	size_t room_bytes;
	struct plx_session *session; /* of the group that runs */
	const char *pem;             /* its key */
	uint32_t nb_keys;
};

struct counts {
	uint32_t nb_cases;
	uint32_t nb_on_device;
	uint32_t nb_good;
	uint32_t nb_bad;
};

static int
rsa_setup(void **state)
{
	struct rsa *r = calloc(1, sizeof(*r));
	struct plx_err err = { "" };

	assert_non_null(r);
	*state = r;
	bed_open(&r->bed, devices);
	if (plx_keystore_create(r->bed.devs, &r->ks, &err) < 0 ||
	    plx_container_create(r->ks, "vectors", NULL, &err) < 0)
		fail_msg("%s", err.text);
	r->ops = rte_crypto_op_pool_create("rsa_ops", RTE_CRYPTO_OP_TYPE_ASYMMETRIC, 63, 0, 0,
					   SOCKET_ID_ANY);
	r->room_bytes = 4096;
	r->room = rte_zmalloc("rsa_room", r->room_bytes, RTE_CACHE_LINE_SIZE);
	assert_non_null(r->ops);
	assert_non_null(r->room);
	return 0;
}

static int
rsa_teardown(void **state)
{
	struct rsa *r = *state;
	bool is_all_back = rte_mempool_in_use_count(r->ops) == 0;

	plx_keystore_destroy(r->ks);
	bed_close(&r->bed);
	rte_mempool_free(r->ops);
	rte_free(r->room);
	free(r);
	return is_all_back ? 0 : -1;
}

/* Put a PEM text into a file, as keys come. */
static void
file_write(const char *text, char *path)
{
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(close(fd), 0);
}

/* The session that verifies with the key of a case; built anew when the key is another. */
static void
session_for(struct rsa *r, const char *pem)
{
	const struct plx_alg_spec spec = { .alg = plx_alg_find("rsa-pkcs1") };
	const struct plx_key_use use = { .size = sizeof(use), .spec = &spec, .op = PLX_OP_VERIFY };
	char path[] = "/tmp/plx_xval_rsa_XXXXXX", name[32];
	struct plx_err err = { "" };
	plx_key_handle handle;
	int ret;

	if (pem == r->pem)
		return;
	if (r->session != NULL)
		plx_key_session_put(r->ks, r->session);
	r->session = NULL;
	snprintf(name, sizeof(name), "key%u", r->nb_keys++);
	file_write(pem, path);
	ret = plx_key_load(r->ks, "vectors", name, NULL, path, &handle, &err);
	unlink(path);
	if (ret < 0 || plx_key_session_get(r->ks, handle, &use, &r->session, &err) < 0)
		fail_msg("%s: %s", name, err.text);
	r->pem = pem;
}

static void
digest_make(const char *sha, const struct wycheproof_bytes *msg, uint8_t *out, size_t *len)
{
	unsigned int n;

	assert_int_equal(EVP_Digest(msg->data, msg->len, out, &n, EVP_get_digestbyname(sha), NULL),
			 1);
	*len = n;
}

/* 0 or -EBADMSG; anything else fails the test. */
static int
verify(struct rsa *r, struct bed_path *path, const struct plx_key_rsa *rsa, struct counts *counts)
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(r->ops, RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
	struct plx_err err = { "" };
	int ret;

	assert_non_null(op);
	ret = plx_key_rsa_prepare(r->session, op, rsa, &err);
	if (ret == 0) {
		if (!bed_run(path, &op, 1))
			fail_msg("%s: the op did not come back", path->dev->name);
		counts->nb_on_device++;
		ret = plx_key_rsa_finish(r->session, op, rsa, NULL, NULL);
	}
	rte_crypto_op_free(op);
	if (ret != 0 && ret != -EBADMSG)
		fail_msg("%s: %d %s", path->dev->name, ret, err.text);
	return ret;
}

static void
case_passes(struct rsa *r, const char *file, const struct wycheproof_case *c, const char *hash,
	    struct counts *counts)
{
	int first = 1;

	session_for(r, c->pem);
	assert_true(plx_key_rsa_room(r->session) <= r->room_bytes);
	for (uint32_t p = 0; p < r->bed.nb_paths; p++) {
		struct bed_path *path = &r->bed.paths[p];
		struct plx_key_rsa rsa = {
			.size = sizeof(rsa),
			.hash = plx_alg_find(hash),
			.signature = c->sig.data,
			.signature_bytes = c->sig.len,
			.room = r->room,
			.room_iova = rte_mem_virt2iova(r->room),
		};
		uint8_t digest[EVP_MAX_MD_SIZE];
		int ret;

		if (!plx_session_runs_on(r->session, path->dev))
			continue;
		digest_make(c->sha, &c->msg, digest, &rsa.in_bytes);
		rsa.in = digest;
		ret = verify(r, path, &rsa, counts);
		if (c->result == WYCHEPROOF_VALID && ret != 0)
			fail_msg("%s %d, %s: a valid signature is refused", file, c->id,
				 path->dev->name);
		if (c->result == WYCHEPROOF_INVALID && ret == 0)
			fail_msg("%s %d (%s), %s: a forged signature is taken", file, c->id,
				 c->comment, path->dev->name);
		if (first != 1 && ret != first)
			fail_msg("%s %d: devices disagree", file, c->id);
		first = ret;
		*(ret == 0 ? &counts->nb_good : &counts->nb_bad) += 1;
	}
}

static void
file_passes(void **state, const char *name, const char *hash)
{
	struct counts counts = { 0 };
	struct wycheproof_file file;
	struct rsa *r = *state;

	assert_true(wycheproof_load(folder, name, &file));
	for (size_t i = 0; i < file.nb; i++)
		case_passes(r, name, &file.cases[i], hash, &counts);
	counts.nb_cases = (uint32_t)file.nb;
	print_message("%s: %u cases, %u reached a device, %u signatures good, %u refused\n", name,
		      counts.nb_cases, counts.nb_on_device, counts.nb_good, counts.nb_bad);
	assert_true(counts.nb_cases > 0);
	assert_true(counts.nb_on_device > 0);
	assert_true(counts.nb_good > 0);
	assert_true(counts.nb_bad > 0);
	plx_key_session_put(r->ks, r->session);
	r->session = NULL;
	r->pem = NULL;
	wycheproof_free(&file);
}

static void
rsa_2048_sha256_signatures_pass(void **state)
{
	file_passes(state, "rsa_signature_2048_sha256_test.json", "sha256");
}

static void
rsa_3072_sha384_signatures_pass(void **state)
{
	file_passes(state, "rsa_signature_3072_sha384_test.json", "sha384");
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rsa_2048_sha256_signatures_pass),
		cmocka_unit_test(rsa_3072_sha384_signatures_pass),
	};

	if (!wycheproof_folder(argc > 1 ? argv[1] : ".", folder, sizeof(folder)))
		return 77;
	if (!bed_eal("xval_rsa"))
		return 1;
	return cmocka_run_group_tests_name("xval_rsa", tests, rsa_setup, rsa_teardown);
}
