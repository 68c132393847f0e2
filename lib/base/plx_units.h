/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_UNITS_H
#define PLX_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "plx_compiler.h"

/* Numbers as people write them: "50us", "64k", "0x1f"; and hexadecimal strings. */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A whole number, decimal or 0x hexadecimal, nothing before or behind it.
 *
 * @return 0; -EINVAL (not a number), -ERANGE (does not fit).
 * @par Thread    Any.
 * @par Ownership @p out is untouched on failure.
 * @par Errors    As above.
 */
int plx_parse_u64(const char *text, uint64_t *out) PLX_MUST_CHECK;

/**
 * A size in bytes: a number with an optional k, m or g (1024 each; "64k", "64KiB" and "64kB"
 * alike).
 *
 * @par Thread    Any.
 * @par Ownership @p out is untouched on failure.
 * @par Errors    -EINVAL, -ERANGE.
 */
int plx_parse_size(const char *text, uint64_t *out) PLX_MUST_CHECK;

/**
 * A duration in microseconds: a number with us, ms, s or m; a bare number is microseconds.
 *
 * @par Thread    Any.
 * @par Ownership @p out is untouched on failure.
 * @par Errors    -EINVAL, -ERANGE.
 */
int plx_parse_duration_us(const char *text, uint64_t *out) PLX_MUST_CHECK;

/**
 * Write a size ("64k", "1500") or a duration ("50us", "1s") the way the parsers read it, exactly.
 *
 * @return @p buf.
 * @par Thread    Any.
 * @par Ownership @p buf is the caller's, at least 24 bytes.
 * @par Errors    None.
 */
const char *plx_format_size(uint64_t bytes, char *buf, size_t len);
const char *plx_format_duration_us(uint64_t us, char *buf, size_t len);

/**
 * Hexadecimal: bytes to lower case text (2 * len + 1 bytes at @p text), and text to bytes.
 *
 * @return plx_hex_decode(): number of bytes, -EINVAL (odd, or no hex digit), -ERANGE (more than @p
 * max).
 * @par Thread    Any.
 * @par Ownership The buffers are the caller's.
 * @par Errors    As above.
 */
void plx_hex_encode(const void *bytes, size_t len, char *text);
int plx_hex_decode(const char *text, void *bytes, size_t max) PLX_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
