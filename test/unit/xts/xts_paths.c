/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "xts_paths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

bool
xts_emulated_is_usable(void)
{
	return __builtin_cpu_supports("avx2") && xts_cpu_has_aesni();
}

static void
path_add(struct xts_paths *paths, const char *name, const struct xts_kernel *kernel,
	 bool is_emulated)
{
	if (!kernel->is_usable()) {
		printf("path %s: not here, this CPU lacks its instructions\n", name);
		return;
	}
	printf("path %s: runs\n", name);
	paths->path[paths->nb++] = (struct xts_path){ name, kernel, is_emulated };
}

void
xts_paths_find(struct xts_paths *paths)
{
	size_t i;

	memset(paths, 0, sizeof(*paths));
	for (i = 0; xts_kernels[i] != NULL; i++)
		path_add(paths, xts_kernels[i]->name, xts_kernels[i], false);
	path_add(paths, "vaes-avx512 (by AVX2 and AES-NI)", &xts_emulated512, true);
	path_add(paths, "vaes-avx2 (by AES-NI)", &xts_emulated256, true);
	printf("taken when nobody chooses: %s\n", plx_xts_kernel_name());
}

/* splitmix64 */
uint64_t
xts_random(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void
xts_fill(uint8_t *out, size_t len_bytes, uint64_t seed)
{
	uint64_t word;
	size_t i;

	for (i = 0; i < len_bytes; i += sizeof(word)) {
		word = xts_random(&seed);
		memcpy(out + i, &word, len_bytes - i < sizeof(word) ? len_bytes - i : sizeof(word));
	}
}

void
xts_path_key(const struct xts_path *path, struct plx_xts_key *key, uint8_t *bytes, size_t len_bytes,
	     uint64_t seed)
{
	struct plx_err err = { "" };
	int ret;

	xts_fill(bytes, len_bytes, seed);
	ret = xts_key_init_on(key, path->kernel, bytes, len_bytes, &err);
	if (ret != 0)
		fail_msg("%s: %s", path->name, err.text);
}

void
xts_oracle_open(struct xts_oracle *o, const uint8_t *bytes, size_t len_bytes)
{
	const EVP_CIPHER *cipher = len_bytes == 64 ? EVP_aes_256_xts() : EVP_aes_128_xts();

	o->enc = EVP_CIPHER_CTX_new();
	o->dec = EVP_CIPHER_CTX_new();
	assert_non_null(o->enc);
	assert_non_null(o->dec);
	assert_int_equal(EVP_EncryptInit_ex(o->enc, cipher, NULL, bytes, NULL), 1);
	assert_int_equal(EVP_DecryptInit_ex(o->dec, cipher, NULL, bytes, NULL), 1);
}

void
xts_oracle_close(struct xts_oracle *o)
{
	EVP_CIPHER_CTX_free(o->enc);
	EVP_CIPHER_CTX_free(o->dec);
}

void
xts_oracle_run(const struct xts_oracle *o, bool is_enc, const uint8_t *iv, const uint8_t *in,
	       uint8_t *out, size_t len_bytes)
{
	EVP_CIPHER_CTX *ctx = is_enc ? o->enc : o->dec;
	int n = 0;

	assert_int_equal(EVP_CipherInit_ex(ctx, NULL, NULL, NULL, iv, is_enc), 1);
	assert_int_equal(EVP_CipherUpdate(ctx, out, &n, in, (int)len_bytes), 1);
	assert_int_equal(n, len_bytes);
}
