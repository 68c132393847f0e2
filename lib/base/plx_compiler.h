/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_COMPILER_H
#define PLX_COMPILER_H

/* Words the compiler understands, spelled once. */

#define PLX_API           __attribute__((visibility("default")))
#define PLX_MUST_CHECK    __attribute__((warn_unused_result))
#define PLX_PRINTF(f, a)  __attribute__((format(printf, f, a)))
#define PLX_CACHE_LINE    64
#define PLX_CACHE_ALIGNED __attribute__((aligned(PLX_CACHE_LINE)))
#define PLX_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
