/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "xval.h"

/*
 * The same random data over all devices, each symmetric row of the table with each of its key
 * sizes, lengths around every block and lane boundary up to 16 KiB. OpenSSL's library says what is
 * right. The data is the same in every run.
 */

#define AAD_BYTES 20
#define DATA_MAX  (XVAL_DATA_MAX - 64)

static const uint32_t lengths[] = { 0,    1,    2,    7,    8,    15,    16,      17,   31,
				    32,   33,   47,   48,   63,   64,    65,      79,   80,
				    95,   96,   111,  112,  127,  128,   129,     191,  192,
				    255,  256,  257,  511,  512,  513,   1000,    1024, 1500,
				    2047, 2048, 4096, 8191, 8192, 12000, DATA_MAX };

#define NB_LENGTHS PLX_ARRAY_SIZE(lengths)

struct sample {
	uint8_t key[128];
	uint8_t iv[16];
	uint8_t aad[AAD_BYTES];
	uint8_t tag[64];
	uint8_t plain[DATA_MAX];
	uint8_t cipher[DATA_MAX];
};

static void
random_fill(void *to, size_t len, uint64_t *seed)
{
	uint8_t *bytes = to;

	for (size_t i = 0; i < len; i++) {
		*seed ^= *seed << 13;
		*seed ^= *seed >> 7;
		*seed ^= *seed << 17;
		bytes[i] = (uint8_t)(*seed >> 32);
	}
}

static void
vec_make(const struct plx_alg_spec *spec, uint32_t len, struct sample *s, struct xval_vec *v)
{
	const struct plx_alg *alg = spec->alg;
	size_t aad_len = alg->kind == PLX_ALG_KIND_AEAD ? AAD_BYTES : 0;
	const struct reference_in in = {
		.spec = *spec,
		.key = s->key,
		.iv = s->iv,
		.iv_len = alg->iv_default_bytes,
		.aad = s->aad,
		.aad_len = aad_len,
		.msg = s->plain,
		.msg_len = len,
		.tag_len = alg->tag_default_bytes,
	};
	char name[32];

	plx_alg_spec_name(spec, name, sizeof(name));
	snprintf(v->name, sizeof(v->name), "%s %u bytes", name, len);
	if (!reference_run(&in, s->cipher, s->tag))
		fail_msg("%s: OpenSSL has no answer", v->name);
	v->alg = alg;
	v->want = XVAL_SUCCESS;
	v->key = (struct xval_bytes){ s->key, spec->key_bytes };
	v->iv = (struct xval_bytes){ s->iv, in.iv_len };
	v->aad = (struct xval_bytes){ s->aad, aad_len };
	v->plain = (struct xval_bytes){ s->plain, len };
	v->cipher = (struct xval_bytes){ s->cipher, len };
	v->tag = (struct xval_bytes){ s->tag, in.tag_len };
}

static void
spec_run(struct xval *x, const struct plx_alg_spec *spec, struct sample *samples, uint64_t *seed)
{
	struct xval_vec vecs[NB_LENGTHS];
	struct xval_counts counts = { 0 };
	char name[32];
	size_t nb = 0;

	memset(vecs, 0, sizeof(vecs));
	for (size_t i = 0; i < NB_LENGTHS; i++) {
		uint32_t len = lengths[i];

		if (spec->alg->kind == PLX_ALG_KIND_CIPHER &&
		    (len == 0 || len % spec->alg->block_bytes != 0))
			continue;
		if (spec->alg->nb_keys == 2 && len < 16) /* XTS (IEEE 1619 5.1) */
			continue;
		random_fill(&samples[nb], sizeof(samples[nb]), seed);
		vec_make(spec, len, &samples[nb], &vecs[nb]);
		nb++;
	}
	xval_run(x, vecs, nb, &counts);
	plx_alg_spec_name(spec, name, sizeof(name));
	xval_report(x, name, NULL, &counts);
}

static bool
somebody_claims(const struct xval *x, const struct plx_alg *alg)
{
	for (uint32_t p = 0; p < x->bed.nb_paths; p++) {
		if (xval_claims(x->bed.paths[p].dev, alg))
			return true;
	}
	return false;
}

static bool
is_symmetric(const struct plx_alg *alg)
{
	return alg->kind <= PLX_ALG_KIND_MAC;
}

static void
all_devices_agree_with_openssl_on_random_data(void **state)
{
	struct sample *samples = calloc(NB_LENGTHS, sizeof(*samples));
	uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
	struct xval *x = *state;
	const struct plx_alg *table;
	uint32_t nb_rows = 0;
	size_t nb;

	assert_non_null(samples);
	table = plx_alg_table(&nb);
	for (size_t i = 0; i < nb; i++) {
		const struct plx_alg *alg = &table[i];
		uint32_t step = alg->key.step == 1 ? 20 : 1; /* HMAC: a few sizes */
		uint32_t max = alg->key.step == 1 ? 128 : alg->key.max;

		if (!is_symmetric(alg) || !somebody_claims(x, alg))
			continue;
		for (uint32_t bytes = alg->key.min; bytes <= max; bytes += step) {
			struct plx_alg_spec spec = { alg, (uint16_t)bytes };

			if (plx_alg_range_has(&alg->key, bytes))
				spec_run(x, &spec, samples, &seed);
		}
		nb_rows++;
	}
	assert_true(nb_rows >= 10);
	free(samples);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_devices_agree_with_openssl_on_random_data),
	};

	if (!bed_eal("xval_random"))
		return 1;
	return cmocka_run_group_tests_name("xval_random", tests, xval_setup, xval_teardown);
}
