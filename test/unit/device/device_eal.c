/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "device_eal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <rte_eal.h>
#include <rte_version.h>

#define RSA_BITS  2048
#define RSA_BYTES (RSA_BITS / 8)

static uint8_t key_bytes[256];
static uint8_t rsa_n[RSA_BYTES];
static uint8_t rsa_d[RSA_BYTES];
static uint8_t rsa_e[3] = { 1, 0, 1 };
static uint8_t odd_modulus[RSA_BYTES];

static int
number_get(const EVP_PKEY *pkey, const char *param, uint8_t *out)
{
	BIGNUM *bn = NULL;
	int ret = -1;

	if (EVP_PKEY_get_bn_param(pkey, param, &bn) == 1)
		ret = BN_bn2binpad(bn, out, RSA_BYTES);
	BN_free(bn);
	return ret == RSA_BYTES ? 0 : -1;
}

static int
rsa_key_make(void)
{
	EVP_PKEY *pkey = EVP_RSA_gen(RSA_BITS);
	int ret = -1;

	if (pkey != NULL && number_get(pkey, OSSL_PKEY_PARAM_RSA_N, rsa_n) == 0 &&
	    number_get(pkey, OSSL_PKEY_PARAM_RSA_D, rsa_d) == 0)
		ret = 0;
	EVP_PKEY_free(pkey);
	return ret;
}

int
eal_setup(void **state)
{
	/* EAL takes writable words and shuffles them */
	static char words[][64] = {
		"test",
		"--no-huge",
		"--no-pci",
		"--no-shconf",
		"--lcores=0",
		"-m256",
		"--log-level=*:error",
		"--vdev=crypto_null0,max_nb_queue_pairs=2",
		"--vdev=crypto_openssl0,max_nb_queue_pairs=4",
		"--vdev=crypto_openssl1,max_nb_queue_pairs=2",
		"--vdev=crypto_aesni_mb0,max_nb_queue_pairs=4",
		"--vdev=crypto_aesni_mb1,max_nb_queue_pairs=2",
		"--file-prefix=plx_device_",
	};
	char *argv[PLX_ARRAY_SIZE(words)];
	size_t i;

	(void)state;
	for (i = 0; i < PLX_ARRAY_SIZE(words); i++)
		argv[i] = words[i];
	i = strlen(argv[PLX_ARRAY_SIZE(words) - 1]);
	snprintf(argv[PLX_ARRAY_SIZE(words) - 1] + i, sizeof(words[0]) - i, "%d", (int)getpid());

	for (i = 0; i < sizeof(key_bytes); i++)
		key_bytes[i] = (uint8_t)(i * 7 + 1);
	memset(odd_modulus, 0xa5, sizeof(odd_modulus));
	if (rsa_key_make() < 0)
		return -1;
	return rte_eal_init((int)PLX_ARRAY_SIZE(argv), argv) < 0 ? -1 : 0;
}

int
eal_teardown(void **state)
{
	(void)state;
	return rte_eal_cleanup();
}

struct plx_devices *
devs_new(uint32_t nb_sessions)
{
	const struct plx_devices_params params = {
		.size = sizeof(params),
		.nb_sessions = nb_sessions,
	};
	struct plx_devices *devs = NULL;
	struct plx_err err = { "" };

	if (plx_devices_create(&params, &devs, &err) < 0)
		fail_msg("%s", err.text);
	return devs;
}

struct rte_crypto_sym_xform
xform_gcm(uint16_t len)
{
	struct rte_crypto_sym_xform x;

	memset(&x, 0, sizeof(x));
	x.type = RTE_CRYPTO_SYM_XFORM_AEAD;
	x.aead.op = RTE_CRYPTO_AEAD_OP_ENCRYPT;
	x.aead.algo = RTE_CRYPTO_AEAD_AES_GCM;
	x.aead.key.data = key_bytes;
	x.aead.key.length = len;
	x.aead.iv.length = 12;
	x.aead.digest_length = 16;
	return x;
}

struct rte_crypto_sym_xform
xform_cbc(uint16_t len)
{
	struct rte_crypto_sym_xform x;

	memset(&x, 0, sizeof(x));
	x.type = RTE_CRYPTO_SYM_XFORM_CIPHER;
	x.cipher.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT;
	x.cipher.algo = RTE_CRYPTO_CIPHER_AES_CBC;
	x.cipher.key.data = key_bytes;
	x.cipher.key.length = len;
	x.cipher.iv.length = 16;
	return x;
}

struct rte_crypto_sym_xform
xform_hmac_sha256(uint16_t len)
{
	struct rte_crypto_sym_xform x;

	memset(&x, 0, sizeof(x));
	x.type = RTE_CRYPTO_SYM_XFORM_AUTH;
	x.auth.op = RTE_CRYPTO_AUTH_OP_GENERATE;
	x.auth.algo = RTE_CRYPTO_AUTH_SHA256_HMAC;
	x.auth.key.data = key_bytes;
	x.auth.key.length = len;
	x.auth.digest_length = 32;
	return x;
}

static rte_crypto_param
param(uint8_t *data, size_t len)
{
	return (rte_crypto_param){ .data = data, .length = len };
}

struct rte_crypto_asym_xform
xform_rsa(void)
{
	struct rte_crypto_asym_xform x;

	memset(&x, 0, sizeof(x));
	x.xform_type = RTE_CRYPTO_ASYM_XFORM_RSA;
	x.rsa.n = param(rsa_n, sizeof(rsa_n));
	x.rsa.e = param(rsa_e, sizeof(rsa_e));
	x.rsa.key_type = RTE_RSA_KEY_TYPE_EXP;
	x.rsa.d = param(rsa_d, sizeof(rsa_d));
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
	x.rsa.padding.type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
#endif
	return x;
}

void
rsa_padding_pkcs1(struct rte_crypto_op *op)
{
#if RTE_VERSION < RTE_VERSION_NUM(24, 11, 0, 0)
	op->asym->rsa.padding.type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
#else
	(void)op;
#endif
}

struct rte_crypto_asym_xform
xform_modex(void)
{
	struct rte_crypto_asym_xform x;

	memset(&x, 0, sizeof(x));
	x.xform_type = RTE_CRYPTO_ASYM_XFORM_MODEX;
	x.modex.modulus = param(odd_modulus, sizeof(odd_modulus));
	x.modex.exponent = param(rsa_e, sizeof(rsa_e));
	return x;
}
