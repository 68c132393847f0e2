/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_alg.h"

#include <strings.h>

#include "alg_rte.h"

/*
 * The table. Sizes are the standard's, not a device's: what a device takes of them is in its
 * capabilities. Macros stand for families whose rows differ in a size and a number only.
 */

#define RANGE(min_, max_, step_)                                                                   \
	{                                                                                          \
		.min = (min_), .max = (max_), .step = (step_)                                      \
	}
#define ONE(bytes) RANGE(bytes, bytes, 0)
#define NONE       RANGE(0, 0, 0)
#define AES_KEY    RANGE(16, 32, 8)
#define AAD_ANY    UINT16_MAX

#define OPS_CRYPT    (PLX_OP_ENCRYPT | PLX_OP_DECRYPT)
#define OPS_SIGN     (PLX_OP_SIGN | PLX_OP_VERIFY)
#define RSA_MODULUS  RANGE(256, 1024, 8)
#define SOURCE_SHA2  "FIPS 180-4"
#define SOURCE_SHA3  "FIPS 202"
#define SOURCE_HMAC  "FIPS 198-1, RFC 2104"
#define SOURCE_ECDSA "FIPS 186-5"
#define SOURCE_ECDH  "NIST SP 800-56A"

#define CIPHER(algo_)                                                                              \
	.kind = PLX_ALG_KIND_CIPHER, .ops = OPS_CRYPT, .rte_type = RTE_CRYPTO_SYM_XFORM_CIPHER,    \
	.rte_algo = RTE_CRYPTO_CIPHER_##algo_, .tag = NONE

#define AEAD(algo_)                                                                                \
	.kind = PLX_ALG_KIND_AEAD, .ops = OPS_CRYPT, .rte_type = RTE_CRYPTO_SYM_XFORM_AEAD,        \
	.rte_algo = RTE_CRYPTO_AEAD_##algo_, .aad_max_bytes = AAD_ANY, .block_bytes = 1,           \
	.nb_keys = 1, .iv_default_bytes = 12, .tag_default_bytes = 16

#define MAC(algo_)                                                                                 \
	.kind = PLX_ALG_KIND_MAC, .ops = PLX_OP_MAC, .rte_type = RTE_CRYPTO_SYM_XFORM_AUTH,        \
	.rte_algo = RTE_CRYPTO_AUTH_##algo_, .block_bytes = 1, .nb_keys = 1

#define HASH(name_, summary_, source_, algo_, bytes_, openssl_)                                    \
	{                                                                                          \
		.name = (name_), .summary = (summary_), .source = (source_),                       \
		.kind = PLX_ALG_KIND_HASH, .ops = PLX_OP_DIGEST,                                   \
		.rte_type = RTE_CRYPTO_SYM_XFORM_AUTH, .rte_algo = RTE_CRYPTO_AUTH_##algo_,        \
		.key = NONE, .iv = NONE, .tag = ONE(bytes_), .block_bytes = 1,                     \
		.tag_default_bytes = (bytes_), .openssl_name = (openssl_),                         \
	}

/* RFC 2104 5: a truncated HMAC has at least half of the hash's bytes. */
#define HMAC(name_, summary_, algo_, bytes_, openssl_)                                             \
	{                                                                                          \
		.name = (name_), .summary = (summary_), .source = SOURCE_HMAC, MAC(algo_##_HMAC),  \
		.key = RANGE(1, UINT16_MAX, 1), .iv = NONE, .tag = RANGE((bytes_) / 2, bytes_, 1), \
		.tag_default_bytes = (bytes_), .openssl_name = (openssl_),                         \
	}

#define ASYM(xform_, algo_)                                                                        \
	.kind = PLX_ALG_KIND_ASYM, .rte_type = (xform_), .rte_algo = (algo_), .iv = NONE,          \
	.tag = NONE, .block_bytes = 1, .nb_keys = 1

#define RSA(padding_) ASYM(RTE_CRYPTO_ASYM_XFORM_RSA, RTE_CRYPTO_RSA_PADDING_##padding_)

#define CURVE(name_, summary_, source_, ops_, xform_, group_, bytes_, openssl_)                    \
	{                                                                                          \
		.name = (name_), .summary = (summary_), .source = (source_), ASYM(xform_, group_), \
		.ops = (ops_), .key = ONE(bytes_), .openssl_name = (openssl_),                     \
	}

#define ECDSA(name_, summary_, group_, bytes_, openssl_)                                           \
	CURVE(name_, summary_, SOURCE_ECDSA, OPS_SIGN, RTE_CRYPTO_ASYM_XFORM_ECDSA,                \
	      RTE_CRYPTO_EC_GROUP_##group_, bytes_, openssl_)

#define ECDH(name_, summary_, group_, bytes_, openssl_)                                            \
	CURVE(name_, summary_, SOURCE_ECDH, PLX_OP_DERIVE, RTE_CRYPTO_ASYM_XFORM_ECDH,             \
	      RTE_CRYPTO_EC_GROUP_##group_, bytes_, openssl_)

static const struct plx_alg table[] = {
	{
		.name = "aes-cbc",
		.summary = "AES, cipher block chaining",
		.source = "NIST SP 800-38A",
		CIPHER(AES_CBC),
		.nb_keys = 1,
		.key = AES_KEY,
		.iv = ONE(16),
		.block_bytes = 16,
		.iv_default_bytes = 16,
		.openssl_name = "AES-%u-CBC",
	},
	{
		/* 12 bytes: a nonce behind which the counter starts at 1 (RFC 3686) */
		.name = "aes-ctr",
		.summary = "AES, counter",
		.source = "NIST SP 800-38A",
		CIPHER(AES_CTR),
		.nb_keys = 1,
		.key = AES_KEY,
		.iv = RANGE(12, 16, 4),
		.block_bytes = 1,
		.iv_default_bytes = 16,
		.openssl_name = "AES-%u-CTR",
	},
	{
		.name = "aes-xts",
		.summary = "AES for storage, two keys in one",
		.source = "IEEE 1619, NIST SP 800-38E",
		CIPHER(AES_XTS),
		.key = RANGE(32, 64, 32),
		.iv = ONE(16),
		.block_bytes = 1,
		.iv_default_bytes = 16,
		.nb_keys = 2,
		.openssl_name = "AES-%u-XTS",
	},
	{
		.name = "aes-gcm",
		.summary = "AES, Galois/counter, authenticated",
		.source = "NIST SP 800-38D",
		AEAD(AES_GCM),
		.key = AES_KEY,
		.iv = RANGE(1, 256, 1),
		.tag = RANGE(4, 16, 1),
		.openssl_name = "AES-%u-GCM",
	},
	{
		.name = "aes-ccm",
		.summary = "AES, counter with CBC-MAC, authenticated",
		.source = "NIST SP 800-38C",
		AEAD(AES_CCM),
		.key = AES_KEY,
		.iv = RANGE(7, 13, 1),
		.tag = RANGE(4, 16, 2),
		.openssl_name = "AES-%u-CCM",
	},
	{
		.name = "chacha20-poly1305",
		.summary = "ChaCha20 with Poly1305, authenticated",
		.source = "RFC 8439",
		AEAD(CHACHA20_POLY1305),
		.key = ONE(32),
		.iv = ONE(12),
		.tag = ONE(16),
		.openssl_name = "ChaCha20-Poly1305",
	},
	{
		.name = "sm4-ecb",
		.summary = "SM4, single blocks",
		.source = "GB/T 32907-2016",
		CIPHER(SM4_ECB),
		.nb_keys = 1,
		.key = ONE(16),
		.iv = NONE,
		.block_bytes = 16,
		.openssl_name = "SM4-ECB",
	},
	{
		.name = "sm4-cbc",
		.summary = "SM4, cipher block chaining",
		.source = "GB/T 32907-2016",
		CIPHER(SM4_CBC),
		.nb_keys = 1,
		.key = ONE(16),
		.iv = ONE(16),
		.block_bytes = 16,
		.iv_default_bytes = 16,
		.openssl_name = "SM4-CBC",
	},
	{
		.name = "sm4-ctr",
		.summary = "SM4, counter",
		.source = "GB/T 32907-2016",
		CIPHER(SM4_CTR),
		.nb_keys = 1,
		.key = ONE(16),
		.iv = ONE(16),
		.block_bytes = 1,
		.iv_default_bytes = 16,
		.openssl_name = "SM4-CTR",
	},
	HASH("sha1", "SHA-1, for old protocols", SOURCE_SHA2, SHA1, 20, "SHA1"),
	HASH("sha224", "SHA-2, 224 bits", SOURCE_SHA2, SHA224, 28, "SHA2-224"),
	HASH("sha256", "SHA-2, 256 bits", SOURCE_SHA2, SHA256, 32, "SHA2-256"),
	HASH("sha384", "SHA-2, 384 bits", SOURCE_SHA2, SHA384, 48, "SHA2-384"),
	HASH("sha512", "SHA-2, 512 bits", SOURCE_SHA2, SHA512, 64, "SHA2-512"),
	HASH("sha3-224", "SHA-3, 224 bits", SOURCE_SHA3, SHA3_224, 28, "SHA3-224"),
	HASH("sha3-256", "SHA-3, 256 bits", SOURCE_SHA3, SHA3_256, 32, "SHA3-256"),
	HASH("sha3-384", "SHA-3, 384 bits", SOURCE_SHA3, SHA3_384, 48, "SHA3-384"),
	HASH("sha3-512", "SHA-3, 512 bits", SOURCE_SHA3, SHA3_512, 64, "SHA3-512"),
	HASH("sm3", "SM3, 256 bits", "GB/T 32905-2016", SM3, 32, "SM3"),
	HMAC("hmac-sha1", "HMAC with SHA-1", SHA1, 20, "SHA1"),
	HMAC("hmac-sha224", "HMAC with SHA-224", SHA224, 28, "SHA2-224"),
	HMAC("hmac-sha256", "HMAC with SHA-256", SHA256, 32, "SHA2-256"),
	HMAC("hmac-sha384", "HMAC with SHA-384", SHA384, 48, "SHA2-384"),
	HMAC("hmac-sha512", "HMAC with SHA-512", SHA512, 64, "SHA2-512"),
	HMAC("hmac-sha3-224", "HMAC with SHA3-224", SHA3_224, 28, "SHA3-224"),
	HMAC("hmac-sha3-256", "HMAC with SHA3-256", SHA3_256, 32, "SHA3-256"),
	HMAC("hmac-sha3-384", "HMAC with SHA3-384", SHA3_384, 48, "SHA3-384"),
	HMAC("hmac-sha3-512", "HMAC with SHA3-512", SHA3_512, 64, "SHA3-512"),
	{
		.name = "aes-cmac",
		.summary = "MAC from AES in CBC mode",
		.source = "NIST SP 800-38B",
		MAC(AES_CMAC),
		.key = AES_KEY,
		.iv = NONE,
		.tag = RANGE(4, 16, 1),
		.tag_default_bytes = 16,
		.openssl_name = "AES-%u-CBC",
	},
	{
		.name = "aes-gmac",
		.summary = "MAC from AES-GCM without data",
		.source = "NIST SP 800-38D",
		MAC(AES_GMAC),
		.key = AES_KEY,
		.iv = RANGE(1, 256, 1),
		.tag = RANGE(4, 16, 1),
		.iv_default_bytes = 12,
		.tag_default_bytes = 16,
		.openssl_name = "AES-%u-GCM",
	},
	{
		.name = "rsa-pkcs1",
		.summary = "RSA, PKCS#1 v1.5 padding",
		.source = "RFC 8017 7.2, 8.2",
		RSA(PKCS1_5),
		.ops = OPS_SIGN | OPS_CRYPT,
		.key = RSA_MODULUS,
		.openssl_name = "RSA",
	},
	{
		.name = "rsa-pss",
		.summary = "RSA signatures, PSS padding",
		.source = "RFC 8017 8.1",
		RSA(PSS),
		.ops = OPS_SIGN,
		.key = RSA_MODULUS,
		.openssl_name = "RSA",
	},
	{
		.name = "rsa-oaep",
		.summary = "RSA encryption, OAEP padding",
		.source = "RFC 8017 7.1",
		RSA(OAEP),
		.ops = OPS_CRYPT,
		.key = RSA_MODULUS,
		.openssl_name = "RSA",
	},
	ECDSA("ecdsa-p256", "ECDSA on NIST P-256", SECP256R1, 32, "P-256"),
	ECDSA("ecdsa-p384", "ECDSA on NIST P-384", SECP384R1, 48, "P-384"),
	ECDSA("ecdsa-p521", "ECDSA on NIST P-521", SECP521R1, 66, "P-521"),
	ECDH("ecdh-p256", "ECDH on NIST P-256", SECP256R1, 32, "P-256"),
	ECDH("ecdh-p384", "ECDH on NIST P-384", SECP384R1, 48, "P-384"),
	ECDH("ecdh-p521", "ECDH on NIST P-521", SECP521R1, 66, "P-521"),
	CURVE("x25519", "key agreement on Curve25519", "RFC 7748", PLX_OP_DERIVE, PLX_ALG_RTE_NONE,
	      PLX_ALG_RTE_NONE, 32, "X25519"),
	CURVE("ed25519", "EdDSA on edwards25519", "RFC 8032", OPS_SIGN, ALG_RTE_EDDSA,
	      ALG_RTE_CURVE_ED25519, 32, "ED25519"),
	CURVE("sm2", "SM2 signatures and encryption", "GB/T 32918-2016", OPS_SIGN | OPS_CRYPT,
	      ALG_RTE_SM2, ALG_RTE_CURVE_SM2, 32, "SM2"),
	{
		.name = "dh",
		.summary = "Diffie-Hellman in the ffdhe groups",
		.source = "RFC 7919",
		ASYM(RTE_CRYPTO_ASYM_XFORM_DH, 0),
		.ops = PLX_OP_DERIVE,
		.key = RANGE(256, 1024, 128),
		.openssl_name = "DH",
	},
	{
		.name = "random",
		.summary = "random bytes",
		.source = "NIST SP 800-90A",
		.kind = PLX_ALG_KIND_RANDOM,
		.ops = PLX_OP_RANDOM,
		.rte_type = PLX_ALG_RTE_NONE,
		.rte_algo = PLX_ALG_RTE_NONE,
		.block_bytes = 1,
		.openssl_name = "CTR-DRBG",
	},
};

const struct plx_alg *
plx_alg_table(size_t *nb)
{
	*nb = PLX_ARRAY_SIZE(table);
	return table;
}

bool
plx_alg_range_has(const struct plx_alg_range *range, uint32_t bytes)
{
	if (bytes < range->min || bytes > range->max)
		return false;
	return bytes == range->min || (range->step != 0 && (bytes - range->min) % range->step == 0);
}

static const char *const op_names[] = { "encrypt", "decrypt", "digest", "mac",
					"sign",    "verify",  "derive", "random" };

const char *
plx_op_name(enum plx_op op)
{
	for (uint32_t i = 0; i < PLX_ARRAY_SIZE(op_names); i++) {
		if ((uint32_t)op == 1u << i)
			return op_names[i];
	}
	return "?";
}

uint32_t
plx_op_find(const char *name)
{
	for (uint32_t i = 0; i < PLX_ARRAY_SIZE(op_names); i++) {
		if (strcasecmp(name, op_names[i]) == 0)
			return 1u << i;
	}
	return 0;
}

const char *
plx_alg_kind_name(enum plx_alg_kind kind)
{
	static const char *const names[] = {
		[PLX_ALG_KIND_CIPHER] = "cipher",   [PLX_ALG_KIND_AEAD] = "aead",
		[PLX_ALG_KIND_HASH] = "hash",       [PLX_ALG_KIND_MAC] = "mac",
		[PLX_ALG_KIND_ASYM] = "asymmetric", [PLX_ALG_KIND_RANDOM] = "random",
	};

	if ((size_t)kind >= PLX_ARRAY_SIZE(names) || names[kind] == NULL)
		return "?";
	return names[kind];
}
