/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_MB_H
#define PLX_MB_H

/*
 * crypto_plx_mb: what an application may use of this driver beyond the cryptodev API. The values
 * are the driver's own; other drivers do not know them. doc/plx_mb.md has the rest.
 */

#define PLX_MB_DRIVER "crypto_plx_mb"

/*
 * rte_crypto_ec_xform::curve_id of an ECPM or ECDH session for X25519 (RFC 7748), by its number in
 * the IANA registry of TLS supported groups. Scalars and u-coordinates are 32 bytes, little-endian
 * as in the RFC, in scalar or priv_key and in the x of points; y is not looked at.
 */
#define PLX_MB_CURVE_X25519 29

/*
 * Bit of rte_crypto_asym_op::flags for RSA decryption with PKCS#1 v1.5 padding: the message is a
 * TLS premaster secret (RFC 5246 7.4.7.1). message.data holds two bytes before the op, the
 * protocol version the client offered, and 48 bytes after it: the secret, or random bytes when
 * padding, length or version were wrong. The op always succeeds then.
 */
#define PLX_MB_ASYM_FLAG_TLS_PREMASTER (1u << 15)

#endif
