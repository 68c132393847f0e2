/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_KEY_OP_H
#define PLX_KEY_OP_H

#include <stddef.h>
#include <stdint.h>

#include <rte_crypto.h>

#include "plx_alg.h"
#include "plx_compiler.h"
#include "plx_device.h"
#include "plx_err.h"

/*
 * One RSA operation from message to result, the same on every DPDK release: prepare fills an op,
 * the caller sends it through an engine or a queue pair, finish takes the result out.
 *
 * Signatures are PKCS#1 v1.5 (RFC 8017 8.2). The device computes the bare power; padding,
 * DigestInfo and the comparison of a verification are done here. Drivers disagree about padding,
 * and stock crypto_openssl answers "success" to a PKCS#1 verification of a wrong message.
 * Encryption and decryption use the device's PKCS#1 v1.5 padding (RFC 8017 7.2); who lets strangers
 * ask for decryption must not tell them why it failed.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* What prepare needs; the same struct, unchanged, goes to finish. */
struct plx_key_rsa {
	size_t size;
	const struct plx_alg
		*hash; /* SIGN, VERIFY: a DigestInfo for it is put in front of `in`; NULL: none */
	const uint8_t *in; /* SIGN, VERIFY: the digest; ENCRYPT: message; DECRYPT: ciphertext */
	size_t in_bytes;
	const uint8_t *signature; /* VERIFY only */
	size_t signature_bytes;
	uint8_t *room; /* device memory of plx_key_rsa_room() bytes, the caller's till finish */
	rte_iova_t room_iova;
};

/**
 * Bytes of the modulus of an RSA session's key: the length of its signatures and ciphertexts.
 *
 * @return Bytes; 0 when @p s is no RSA session of a keystore.
 * @par Thread    Any, while the session is held.
 * @par Ownership Nothing is kept.
 * @par Errors    0 only.
 */
size_t plx_key_rsa_bytes(const struct plx_session *s);

/**
 * Bytes of room one operation of an RSA session needs.
 *
 * @return Bytes; 0 when @p s is no RSA session of a keystore.
 * @par Thread    Any, while the session is held.
 * @par Ownership Nothing is kept.
 * @par Errors    0 only.
 */
size_t plx_key_rsa_room(const struct plx_session *s);

/**
 * Fill @p op for the operation its session was made for, and attach the session.
 *
 * @param op Allocated with room for an asymmetric op.
 * @return 0; -EINVAL (not an RSA session, a hash without DigestInfo, a digest or message too long
 * for the key, each with what is allowed); -EBADMSG (VERIFY, DECRYPT: the signature or ciphertext
 * has the wrong length or is not below the modulus, so nothing need be asked of a device).
 * @par Thread    Any, while the session is held; no memory is allocated.
 * @par Ownership @p op and @p rsa stay the caller's; `in` and `signature` are copied into the room.
 * @par Errors    -EINVAL, -EBADMSG.
 */
int plx_key_rsa_prepare(struct plx_session *s, struct rte_crypto_op *op,
			const struct plx_key_rsa *rsa, struct plx_err *err) PLX_MUST_CHECK;

/**
 * Take the result of a completed op.
 *
 * @param out       Signature, ciphertext or message, within the room; NULL for VERIFY. May be NULL.
 * @param out_bytes Its length. May be NULL when @p out is.
 * @return 0; -EBADMSG (VERIFY: the signature is not one of this message by this key); -EIO (the
 * device failed the op, or answered with a length that cannot be).
 * @par Thread    Any, while the session is held.
 * @par Ownership The room stays the caller's, who wipes it after DECRYPT.
 * @par Errors    -EBADMSG, -EIO.
 */
int plx_key_rsa_finish(const struct plx_session *s, const struct rte_crypto_op *op,
		       const struct plx_key_rsa *rsa, const uint8_t **out, size_t *out_bytes)
	PLX_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
