/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_sym_priv.h"

/*
 * What symmetric sessions may be. This table is the only place with sizes: sessions are checked
 * against it.
 */

#define RANGE(min_, max_, step_)                                                                   \
	{                                                                                          \
		.min = (min_), .max = (max_), .increment = (step_)                                 \
	}
#define ONE(bytes) RANGE(bytes, bytes, 0)
#define NONE       RANGE(0, 0, 0)
#define AES_KEY    RANGE(16, 32, 8)
#define GCM_IV     RANGE(1, 128, 1)

/* NOLINTBEGIN(bugprone-macro-parentheses): a list in braces cannot stand in parentheses */
#define CIPHER(algo_, key_, iv_, units_)                                                           \
	{                                                                                          \
		.op = RTE_CRYPTO_OP_TYPE_SYMMETRIC,                                                \
		.sym = {                                                                           \
			.xform_type = RTE_CRYPTO_SYM_XFORM_CIPHER,                                 \
			.cipher = { .algo = RTE_CRYPTO_CIPHER_##algo_,                             \
				    .block_size = MB_SYM_BLOCK,                                    \
				    .key_size = key_,                                              \
				    .iv_size = iv_,                                                \
				    .dataunit_set = (units_) },                                    \
		},                                                                                 \
	}

#define AUTH(algo_, block_, key_, digest_, iv_)                                                    \
	{                                                                                          \
		.op = RTE_CRYPTO_OP_TYPE_SYMMETRIC,                                                \
		.sym = {                                                                           \
			.xform_type = RTE_CRYPTO_SYM_XFORM_AUTH,                                   \
			.auth = { .algo = RTE_CRYPTO_AUTH_##algo_,                                 \
				  .block_size = (block_),                                          \
				  .key_size = key_,                                                \
				  .digest_size = digest_,                                          \
				  .aad_size = NONE,                                                \
				  .iv_size = iv_ },                                                \
		},                                                                                 \
	}

#define AEAD(algo_, block_, key_, digest_, iv_)                                                    \
	{                                                                                          \
		.op = RTE_CRYPTO_OP_TYPE_SYMMETRIC,                                                \
		.sym = {                                                                           \
			.xform_type = RTE_CRYPTO_SYM_XFORM_AEAD,                                   \
			.aead = { .algo = RTE_CRYPTO_AEAD_##algo_,                                 \
				  .block_size = (block_),                                          \
				  .key_size = key_,                                                \
				  .digest_size = digest_,                                          \
				  .aad_size = RANGE(0, UINT16_MAX, 1),                             \
				  .iv_size = iv_ },                                                \
		},                                                                                 \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

/* A digest may be cut; a key longer than a block is hashed (RFC 2104 2). */
#define HASH(algo_, block_, bytes_)                                                                \
	AUTH(algo_, block_, RANGE(0, 0, 0), RANGE(1, bytes_, 1), RANGE(0, 0, 0))
#define HMAC(algo_, block_, bytes_)                                                                \
	AUTH(algo_##_HMAC, block_, RANGE(1, UINT16_MAX, 1), RANGE(1, bytes_, 1), RANGE(0, 0, 0))
#define XTS_UNITS                                                                                  \
	(RTE_CRYPTO_CIPHER_DATA_UNIT_LEN_512_BYTES | RTE_CRYPTO_CIPHER_DATA_UNIT_LEN_4096_BYTES)

const struct rte_cryptodev_capabilities mb_sym_caps[] = {
	CIPHER(AES_ECB, AES_KEY, NONE, 0),
	CIPHER(AES_CBC, AES_KEY, ONE(16), 0),
	CIPHER(AES_CTR, AES_KEY, RANGE(12, 16, 4), 0),
	CIPHER(AES_XTS, RANGE(32, 64, 32), ONE(16), XTS_UNITS),
	CIPHER(SM4_ECB, ONE(16), NONE, 0),
	CIPHER(SM4_CBC, ONE(16), ONE(16), 0),
	CIPHER(SM4_CTR, ONE(16), ONE(16), 0),
	AEAD(AES_GCM, 16, AES_KEY, RANGE(4, 16, 1), GCM_IV),
	AEAD(AES_CCM, 16, AES_KEY, RANGE(4, 16, 2), RANGE(7, 13, 1)),
	AEAD(CHACHA20_POLY1305, 64, ONE(32), ONE(16), ONE(12)),
	HASH(SHA1, 64, 20),
	HMAC(SHA1, 64, 20),
	HASH(SHA224, 64, 28),
	HMAC(SHA224, 64, 28),
	HASH(SHA256, 64, 32),
	HMAC(SHA256, 64, 32),
	HASH(SHA384, 128, 48),
	HMAC(SHA384, 128, 48),
	HASH(SHA512, 128, 64),
	HMAC(SHA512, 128, 64),
	HASH(SHA3_224, 144, 28),
	HMAC(SHA3_224, 144, 28),
	HASH(SHA3_256, 136, 32),
	HMAC(SHA3_256, 136, 32),
	HASH(SHA3_384, 104, 48),
	HMAC(SHA3_384, 104, 48),
	HASH(SHA3_512, 72, 64),
	HMAC(SHA3_512, 72, 64),
	HASH(SM3, 64, 32),
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
	HMAC(SM3, 64, 32),
#endif
	AUTH(AES_CMAC, 16, AES_KEY, RANGE(4, 16, 1), NONE),
	AUTH(AES_GMAC, 16, AES_KEY, RANGE(4, 16, 1), GCM_IV),
};

const uint32_t mb_sym_nb_caps = RTE_DIM(mb_sym_caps);
