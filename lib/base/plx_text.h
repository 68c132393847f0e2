/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_TEXT_H
#define PLX_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "plx_compiler.h"

/*
 * Text that came from a stranger: is it text at all, a form of it that a terminal shows and does
 * not obey, and how near two words are to each other.
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Bytes of the character at the start of @p text: well-formed UTF-8 that a terminal shows. Control
 * characters (C0, DEL, C1), line separators, invisible and direction-changing characters are not
 * shown.
 *
 * @return 1..4; 0 when the first byte is to be escaped, and when @p len is 0.
 * @par Thread    Any.
 * @par Ownership Nothing is kept.
 * @par Errors    None.
 */
size_t plx_text_char(const char *text, size_t len);

/**
 * True when all @p len bytes are shown characters or tabs.
 *
 * @par Thread    Any.
 * @par Ownership Nothing is kept.
 * @par Errors    None.
 */
bool plx_text_is_plain(const char *text, size_t len);

/**
 * Copy @p text so that it is harmless on a terminal: bytes that are not shown become "\xNN"; what
 * does not fit is cut and ends in "...".
 *
 * @return @p buf.
 * @par Thread    Any.
 * @par Ownership @p buf is the caller's, @p size bytes, at least 8.
 * @par Errors    None.
 */
const char *plx_text_show(const char *text, char *buf, size_t size);

/**
 * Number of insertions, removals, replacements and swaps of neighbours that make @p b of @p a;
 * words over 63 bytes are far from everything.
 *
 * @par Thread    Any.
 * @par Ownership Nothing is kept.
 * @par Errors    None.
 */
unsigned int plx_text_distance(const char *a, const char *b);

/**
 * True when @p name may be what somebody who typed @p word meant: it begins with it, or is few
 * typing errors away.
 *
 * @par Thread    Any.
 * @par Ownership Nothing is kept.
 * @par Errors    None.
 */
bool plx_text_is_near(const char *word, const char *name);

#ifdef __cplusplus
}
#endif

#endif
