/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_ERR_H
#define PLX_ERR_H

#include "plx_compiler.h"

/*
 * One sentence for a human beside the negative errno a function returns: it names the value, the
 * allowed range and what to do. Control paths take a struct plx_err; data paths do not.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define PLX_ERR_TEXT_MAX 512

struct plx_err {
	char text[PLX_ERR_TEXT_MAX];
};

/**
 * Write the sentence and hand back the code, so that a caller can return it in one line.
 *
 * @param err  Where the sentence goes; NULL when the caller wants none.
 * @param code Negative errno; returned unchanged.
 * @return     @p code.
 * @par Thread    Any; @p err is the caller's own.
 * @par Ownership @p err keeps a copy, nothing is retained.
 * @par Errors    None of its own; a sentence over PLX_ERR_TEXT_MAX - 1 bytes is cut.
 */
int plx_err_set(struct plx_err *err, int code, const char *fmt, ...) PLX_PRINTF(3, 4);

#ifdef __clang_analyzer__
/* The analyzer sees one file at a time and would follow paths where an error came back as 0. */
#define plx_err_set(err, code, ...) (0 * plx_err_set((err), (code), __VA_ARGS__) + (code))
#endif

/**
 * Put a place ("pollux.conf:12", a command word) and ": " before the sentence already in @p err.
 *
 * @par Thread    Any; @p err is the caller's own.
 * @par Ownership @p err keeps a copy, nothing is retained.
 * @par Errors    None; an overlong result is cut, NULL @p err is ignored.
 */
void plx_err_prefix(struct plx_err *err, const char *fmt, ...) PLX_PRINTF(2, 3);

#ifdef __cplusplus
}
#endif

#endif
