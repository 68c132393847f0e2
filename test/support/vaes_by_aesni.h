/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_SUPPORT_VAES_BY_AESNI_H
#define TEST_SUPPORT_VAES_BY_AESNI_H

#include <immintrin.h>

/*
 * The 256-bit intrinsics of VAES and VPCLMULQDQ that xts_vec256.h uses, by pairs of 128-bit ones.
 * Put before a source with -include, it makes code that runs where there is AVX2 and AES-NI:
 * valgrind knows these.
 */

#define BY_HALVES(f, a, b, ...)                                                                    \
	_mm256_set_m128i(                                                                          \
		f(_mm256_extracti128_si256(a, 1), _mm256_extracti128_si256(b, 1) __VA_ARGS__),     \
		f(_mm256_castsi256_si128(a), _mm256_castsi256_si128(b) __VA_ARGS__))

#undef _mm256_aesenc_epi128
#undef _mm256_aesenclast_epi128
#undef _mm256_aesdec_epi128
#undef _mm256_aesdeclast_epi128
#undef _mm256_clmulepi64_epi128
#define _mm256_aesenc_epi128(a, k)         BY_HALVES(_mm_aesenc_si128, a, k, )
#define _mm256_aesenclast_epi128(a, k)     BY_HALVES(_mm_aesenclast_si128, a, k, )
#define _mm256_aesdec_epi128(a, k)         BY_HALVES(_mm_aesdec_si128, a, k, )
#define _mm256_aesdeclast_epi128(a, k)     BY_HALVES(_mm_aesdeclast_si128, a, k, )
#define _mm256_clmulepi64_epi128(a, b, im) BY_HALVES(_mm_clmulepi64_si128, a, b, , im)

#endif
