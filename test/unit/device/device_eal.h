/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef DEVICE_EAL_H
#define DEVICE_EAL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <rte_cryptodev.h>

#include "plx_device.h"

/*
 * What the tests of lib/device share: one EAL a program with five vdevs, a registry, transforms
 * with keys of no meaning.
 *
 *   crypto_null0       2 queue pairs
 *   crypto_openssl0    4 queue pairs
 *   crypto_openssl1    2 queue pairs
 *   crypto_aesni_mb0   4 queue pairs
 *   crypto_aesni_mb1   2 queue pairs
 */

/* cmocka group setup and teardown; a program that cannot start EAL fails. */
int eal_setup(void **state);
int eal_teardown(void **state);

/* A registry with default parameters but @p nb_sessions; fails the test when there is none. */
struct plx_devices *devs_new(uint32_t nb_sessions);

/* Transforms with keys of len bytes; they point to static keys and can be changed before use. */
struct rte_crypto_sym_xform xform_gcm(uint16_t len);
struct rte_crypto_sym_xform xform_cbc(uint16_t len);
struct rte_crypto_sym_xform xform_hmac_sha256(uint16_t len);
struct rte_crypto_asym_xform xform_rsa(void); /* 2048 bits, exponent d, a real key */
/* RSA padding is in the op up to 24.07, in the transform (and set there by xform_rsa()) since */
void rsa_padding_pkcs1(struct rte_crypto_op *op);
struct rte_crypto_asym_xform xform_modex(void); /* 256 bytes of odd modulus */

#endif
