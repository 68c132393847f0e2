/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <string.h>

#include "device_priv.h"

/*
 * What was found out about drivers by trying them and cannot be asked for.
 *
 * crypto_openssl: a symmetric session holds one copy of its contexts for each queue pair id, so
 * queue pair 0 of two devices would work in the same copy: sessions are for one device. An
 * asymmetric session holds a single EVP_PKEY_CTX or BN_CTX: two queue pairs that use it at once
 * crash.
 *
 * crypto_openssl, crypto_null: removing a device leaves its completion rings behind, and the next
 * device with the same id is handed them by name, with the ops of the old one inside.
 *
 * crypto_aesni_mb computes a CBC op of 33 bytes and reports success. One of no bytes ends the
 * process. An HMAC op of no bytes gets a wrong answer, and so does every HMAC op of that hash that
 * its queue pair works on later in the same lane. Data in chained mbufs: beside ops of other
 * algorithms in one burst the process dies, and digests and MACs land behind the data with success.
 */

#define PAD(type)  (1u << RTE_CRYPTO_RSA_PADDING_##type)
#define PADS_BASIC (PAD(NONE) | PAD(PKCS1_5))
#define PADS_ALL   (PADS_BASIC | PAD(OAEP) | PAD(PSS))

static const struct device_quirk quirks[] = {
	{
		.driver = "crypto_openssl",
		.is_sess_per_dev = true,
		.asym_single_qp = true,
		.checks_length = true,
		.rsa_paddings = PADS_BASIC,
		.ring_names = "openssl_pmd_%u_qp_%u",
	},
	{
		.driver = "crypto_null",
		.rsa_paddings = PADS_BASIC,
		.ring_names = "null_crypto_pmd_%u_qp_%u",
	},
	{
		.driver = "crypto_aesni_mb",
		.hmac_needs_data = true,
		.chains_broken = true,
		.rsa_paddings = PADS_BASIC,
	},
	/* Any device may be behind it, so it inherits the narrowest rules. */
	{
		.driver = "crypto_plx_fault",
		.is_wrapper = true,
		.hmac_needs_data = true,
		.chains_broken = true,
		.asym_single_qp = true,
		.rsa_paddings = PADS_BASIC,
	},
	{
		.driver = "crypto_scheduler",
		.is_wrapper = true,
		.hmac_needs_data = true,
		.chains_broken = true,
		.rsa_paddings = PADS_BASIC,
	},
	{
		.driver = "crypto_pollux",
		.is_wrapper = true,
		.rsa_paddings = PADS_ALL,
	},
	{
		.driver = "crypto_plx_mb",
		.checks_length = true,
		.rsa_paddings = PADS_ALL,
	},
};

static const struct device_quirk no_quirk = {
	.rsa_paddings = PADS_BASIC,
};

const struct device_quirk *
device_quirk_find(const char *driver)
{
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(quirks); i++) {
		if (strcmp(quirks[i].driver, driver) == 0)
			return &quirks[i];
	}
	return &no_quirk;
}
