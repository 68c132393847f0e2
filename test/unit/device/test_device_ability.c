/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "device_eal.h"

#include <errno.h>
#include <string.h>

/* What a device says it can do, and the field that is named when it cannot. */

static struct plx_devices *devs;

static int
group_setup(void **state)
{
	if (eal_setup(state) < 0)
		return -1;
	devs = devs_new(0);
	return 0;
}

static int
group_teardown(void **state)
{
	plx_devices_destroy(devs);
	return eal_teardown(state);
}

static const struct plx_device *
dev_get(const char *name)
{
	const struct plx_device *dev = plx_devices_find(devs, name);

	if (dev == NULL)
		fail_msg("%s is not in the registry", name);
	return dev;
}

static void
sym_cannot(const char *name, const struct rte_crypto_sym_xform *x, const char *sentence)
{
	struct plx_err err = { "" };

	assert_int_equal(plx_device_can_sym(dev_get(name), x, &err), -ENOTSUP);
	assert_string_equal(err.text, sentence);
}

static void
asym_cannot(const char *name, const struct rte_crypto_asym_xform *x, const char *sentence)
{
	struct plx_err err = { "" };

	assert_int_equal(plx_device_can_asym(dev_get(name), x, &err), -ENOTSUP);
	assert_string_equal(err.text, sentence);
}

static void
symmetric_transforms_that_fit_are_taken(void **state)
{
	const struct rte_crypto_sym_xform gcm = xform_gcm(32);
	const struct rte_crypto_sym_xform cbc = xform_cbc(24);
	const struct rte_crypto_sym_xform hmac = xform_hmac_sha256(64);
	struct plx_err err = { "" };

	(void)state;
	assert_int_equal(plx_device_can_sym(dev_get("crypto_aesni_mb0"), &gcm, &err), 0);
	assert_int_equal(plx_device_can_sym(dev_get("crypto_aesni_mb0"), &cbc, &err), 0);
	assert_int_equal(plx_device_can_sym(dev_get("crypto_openssl0"), &hmac, &err), 0);
	assert_string_equal(err.text, "");
}

static void
the_field_that_does_not_match_is_named(void **state)
{
	struct rte_crypto_sym_xform x;

	(void)state;
	x = xform_gcm(16);
	x.aead.iv.length = 8;
	sym_cannot("crypto_aesni_mb0", &x, "crypto_aesni_mb0: aes-gcm: IV of 8 bytes; it takes 12");
	x = xform_gcm(20);
	sym_cannot("crypto_aesni_mb0", &x,
		   "crypto_aesni_mb0: aes-gcm: key of 20 bytes; it takes 16, 24 or 32");
	x = xform_gcm(16);
	x.aead.digest_length = 17;
	sym_cannot("crypto_aesni_mb0", &x,
		   "crypto_aesni_mb0: aes-gcm: digest of 17 bytes; it takes 1 to 16");
	x = xform_gcm(16);
	x.aead.algo = RTE_CRYPTO_AEAD_AES_CCM;
	x.aead.iv.length = 13;
	x.aead.aad_length = 47;
	sym_cannot("crypto_aesni_mb0", &x,
		   "crypto_aesni_mb0: aes-ccm: AAD of 47 bytes; it takes 0 to 46");
	x = xform_gcm(16);
	x.aead.algo = RTE_CRYPTO_AEAD_CHACHA20_POLY1305;
	sym_cannot("crypto_openssl0", &x,
		   "crypto_openssl0: chacha20-poly1305: not among its algorithms");
	x = xform_hmac_sha256(200);
	sym_cannot("crypto_openssl0", &x,
		   "crypto_openssl0: sha2-256-hmac: key of 200 bytes; it takes 1 to 64");
	x = xform_cbc(16);
	x.cipher.iv.length = 12;
	sym_cannot("crypto_openssl0", &x, "crypto_openssl0: aes-cbc: IV of 12 bytes; it takes 16");
	x = xform_cbc(16);
	x.cipher.dataunit_len = 512;
	sym_cannot("crypto_openssl0", &x,
		   "crypto_openssl0: aes-cbc: data units of 512 bytes; it cuts no such units, give "
		   "one in each op");
	x = xform_cbc(16);
	x.cipher.algo = RTE_CRYPTO_CIPHER_NULL;
	sym_cannot("crypto_null0", &x, "crypto_null0: null: key of 16 bytes; it takes none");
}

static void
each_transform_of_a_chain_is_checked(void **state)
{
	struct rte_crypto_sym_xform cbc = xform_cbc(16);
	struct rte_crypto_sym_xform hmac = xform_hmac_sha256(32);
	struct plx_err err;

	(void)state;
	cbc.next = &hmac;
	assert_int_equal(plx_device_can_sym(dev_get("crypto_aesni_mb0"), &cbc, &err), 0);
	hmac.auth.digest_length = 33;
	sym_cannot("crypto_aesni_mb0", &cbc,
		   "crypto_aesni_mb0: sha2-256-hmac: digest of 33 bytes; it takes 1 to 32");
}

/* Two ciphers in a row: each is in the capabilities, the chain is not. */
static void
what_the_driver_refuses_is_refused_with_its_errno(void **state)
{
	struct rte_crypto_sym_xform a = xform_cbc(16);
	struct rte_crypto_sym_xform b = xform_cbc(16);
	struct plx_err err;

	(void)state;
	a.next = &b;
	assert_int_equal(plx_device_can_sym(dev_get("crypto_aesni_mb0"), &a, &err), -ENOTSUP);
	assert_non_null(strstr(err.text, "crypto_aesni_mb0: its driver refuses the transform (E"));
}

static void
asymmetric_transforms_are_checked_by_field(void **state)
{
	struct rte_crypto_asym_xform x = xform_rsa();
	uint8_t small[300] = { 0 };
	struct plx_err err;

	(void)state;
	assert_int_equal(plx_device_can_asym(dev_get("crypto_openssl0"), &x, &err), 0);
	asym_cannot("crypto_aesni_mb0", &x, "crypto_aesni_mb0: it does no asymmetric operations");
	memset(&x, 0, sizeof(x));
	x.xform_type = RTE_CRYPTO_ASYM_XFORM_ECDSA;
	asym_cannot("crypto_openssl0", &x, "crypto_openssl0: ecdsa: not among its algorithms");

	/* zeros in front do not make a modulus longer */
	x = xform_rsa();
	memset(small + 280, 0x5a, 20);
	x.rsa.n.data = small;
	x.rsa.n.length = sizeof(small);
	asym_cannot("crypto_openssl0", &x,
		    "crypto_openssl0: rsa: modulus of 20 bytes; it takes 30 bytes or more");
}

static void
spec_can(const char *dev, const char *text, enum plx_op op, const char *sentence)
{
	struct plx_err err = { "" };
	struct plx_alg_spec spec;
	int ret;

	assert_int_equal(plx_alg_parse(text, &spec, &err), 0);
	ret = plx_device_can(dev_get(dev), &spec, op, &err);
	if (sentence == NULL) {
		if (ret != 0)
			fail_msg("%s", err.text);
		return;
	}
	assert_int_equal(ret, -ENOTSUP);
	assert_string_equal(err.text, sentence);
}

static void
algorithms_of_the_table_are_matched(void **state)
{
	(void)state;
	spec_can("crypto_aesni_mb0", "aes-256-gcm", PLX_OP_ENCRYPT, NULL);
	spec_can("crypto_aesni_mb0", "aes-128-cbc", PLX_OP_DECRYPT, NULL);
	spec_can("crypto_aesni_mb0", "chacha20-poly1305", PLX_OP_ENCRYPT, NULL);
	spec_can("crypto_aesni_mb0", "sha-256", PLX_OP_DIGEST, NULL);
	spec_can("crypto_aesni_mb0", "hmac-sha512", PLX_OP_MAC, NULL);
	spec_can("crypto_openssl0", "aes-128-gmac", PLX_OP_MAC, NULL);
	spec_can("crypto_openssl0", "rsa-2048", PLX_OP_SIGN, NULL);
	spec_can("crypto_openssl0", "rsa-2048", PLX_OP_DECRYPT, NULL);
	spec_can("crypto_openssl0", "dh-2048", PLX_OP_DERIVE, NULL);

	spec_can("crypto_openssl0", "rsa-2048-pss", PLX_OP_SIGN,
		 "crypto_openssl0: rsa: padding PSS; it takes none and PKCS#1 v1.5");
	spec_can("crypto_openssl0", "ecdsa-p256", PLX_OP_SIGN,
		 "crypto_openssl0: ecdsa-p256: not among its algorithms");
	spec_can("crypto_aesni_mb0", "rsa-2048", PLX_OP_SIGN,
		 "crypto_aesni_mb0: it does no asymmetric operations");
	spec_can("crypto_aesni_mb0", "sha3-256", PLX_OP_DIGEST,
		 "crypto_aesni_mb0: sha3-256: not among its algorithms");
	spec_can("crypto_openssl0", "sha-256", PLX_OP_SIGN,
		 "crypto_openssl0: sha256 has no operation sign");
	spec_can("crypto_openssl0", "random", PLX_OP_RANDOM,
		 "crypto_openssl0: random comes from no device; the system gives it");
	spec_can(
		"crypto_openssl0", "x25519", PLX_OP_DERIVE,
		"crypto_openssl0: x25519: this DPDK version has no number for it, so no device can");
}

static void
asking_uses_up_no_session(void **state)
{
	const struct rte_crypto_sym_xform gcm = xform_gcm(32);
	const struct rte_crypto_asym_xform rsa = xform_rsa();
	struct plx_session *s[3];
	struct plx_err err;
	int i;

	(void)state;
	plx_devices_destroy(devs);
	devs = devs_new(2);
	for (i = 0; i < 100; i++) {
		assert_int_equal(plx_device_can_sym(dev_get("crypto_openssl0"), &gcm, &err), 0);
		assert_int_equal(plx_device_can_asym(dev_get("crypto_openssl0"), &rsa, &err), 0);
	}
	assert_int_equal(plx_session_create_sym(devs, &gcm, &s[0], &err), 0);
	assert_int_equal(plx_session_create_sym(devs, &gcm, &s[1], &err), 0);
	/* no room for a trial: the capabilities decide */
	assert_int_equal(plx_device_can_sym(dev_get("crypto_openssl0"), &gcm, &err), 0);
	plx_session_destroy(devs, s[0]);
	plx_session_destroy(devs, s[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symmetric_transforms_that_fit_are_taken),
		cmocka_unit_test(the_field_that_does_not_match_is_named),
		cmocka_unit_test(each_transform_of_a_chain_is_checked),
		cmocka_unit_test(what_the_driver_refuses_is_refused_with_its_errno),
		cmocka_unit_test(asymmetric_transforms_are_checked_by_field),
		cmocka_unit_test(algorithms_of_the_table_are_matched),
		cmocka_unit_test(asking_uses_up_no_session),
	};

	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
