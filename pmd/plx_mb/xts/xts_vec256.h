/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_XTS_VEC256_H
#define PLX_XTS_VEC256_H

#include <immintrin.h>

/* The words of xts_vaes.h on 256-bit vectors: AVX2, VAES, VPCLMULQDQ. */

#define VEC       __m256i
#define VEC_LANES 2

#define VEC_ZERO()                _mm256_setzero_si256()
#define VEC_LOAD(p)               _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define VEC_STORE(p, v)           _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define VEC_BROADCAST(x)          _mm256_broadcastsi128_si256(x)
#define VEC_XOR(a, b)             _mm256_xor_si256(a, b)
#define VEC_XOR3(a, b, c)         _mm256_xor_si256(_mm256_xor_si256(a, b), c)
#define VEC_AESENC(x, k)          _mm256_aesenc_epi128(x, k)
#define VEC_AESENCLAST(x, k)      _mm256_aesenclast_epi128(x, k)
#define VEC_AESDEC(x, k)          _mm256_aesdec_epi128(x, k)
#define VEC_AESDECLAST(x, k)      _mm256_aesdeclast_epi128(x, k)
#define VEC_BYTES_LEFT(x, n)      _mm256_bslli_epi128(x, n)
#define VEC_BYTES_RIGHT(x, n)     _mm256_bsrli_epi128(x, n)
#define VEC_BITS_LEFT(x, counts)  _mm256_sllv_epi64(x, counts)
#define VEC_BITS_RIGHT(x, counts) _mm256_srlv_epi64(x, counts)
#define VEC_ALL_64(n)             _mm256_set1_epi64x(n)
#define VEC_SUB_64(a, b)          _mm256_sub_epi64(a, b)
/* both halves of each lane: the lane's number, plus n */
#define VEC_LANE_NUMBERS(n) _mm256_set_epi64x((n) + 1, (n) + 1, n, n)
/* carry-less product with the low half of b: of the low half of a, and of its high half */
#define VEC_CLMUL_LOW(a, b)  _mm256_clmulepi64_epi128(a, b, 0x00)
#define VEC_CLMUL_HIGH(a, b) _mm256_clmulepi64_epi128(a, b, 0x01)
/* the vector registers hold plaintext and round keys: all to zero */
#define VEC_REGISTERS_WIPE() _mm256_zeroall()

#endif
