/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef TEST_SUPPORT_AVX512_BY_AVX2_H
#define TEST_SUPPORT_AVX512_BY_AVX2_H

#include <immintrin.h>

/*
 * The 512-bit intrinsics that xts_vec512.h uses, by pairs of 256-bit ones. Put before a source with
 * -include, the same source makes code that runs where there is no AVX-512. What it does not know
 * does not compile.
 */

struct m512i_by_avx2 {
	__m256i low;
	__m256i high;
};

#define __m512i struct m512i_by_avx2

static inline struct m512i_by_avx2
m512i_of(__m256i low, __m256i high)
{
	return (struct m512i_by_avx2){ low, high };
}

#define BY_PAIR_1(f, a, ...) m512i_of(f((a).low __VA_ARGS__), f((a).high __VA_ARGS__))
#define BY_PAIR_2(f, a, b, ...)                                                                    \
	m512i_of(f((a).low, (b).low __VA_ARGS__), f((a).high, (b).high __VA_ARGS__))

static inline struct m512i_by_avx2
m512i_load(const void *p)
{
	const __m256i *v = (const __m256i *)p;

	return m512i_of(_mm256_loadu_si256(v), _mm256_loadu_si256(v + 1));
}

static inline void
m512i_store(void *p, struct m512i_by_avx2 v)
{
	_mm256_storeu_si256((__m256i *)p, v.low);
	_mm256_storeu_si256((__m256i *)p + 1, v.high);
}

static inline struct m512i_by_avx2
m512i_both(__m256i v)
{
	return m512i_of(v, v);
}

static inline struct m512i_by_avx2
m512i_xor(struct m512i_by_avx2 a, struct m512i_by_avx2 b)
{
	return BY_PAIR_2(_mm256_xor_si256, a, b, );
}

static inline struct m512i_by_avx2
m512i_xor3(struct m512i_by_avx2 a, struct m512i_by_avx2 b, struct m512i_by_avx2 c, int table)
{
	/* the one truth table there is: all three with XOR */
	if (table != 0x96)
		__builtin_trap();
	return m512i_xor(m512i_xor(a, b), c);
}

static inline struct m512i_by_avx2
m512i_enc(struct m512i_by_avx2 a, struct m512i_by_avx2 k)
{
	return BY_PAIR_2(_mm256_aesenc_epi128, a, k, );
}

static inline struct m512i_by_avx2
m512i_enclast(struct m512i_by_avx2 a, struct m512i_by_avx2 k)
{
	return BY_PAIR_2(_mm256_aesenclast_epi128, a, k, );
}

static inline struct m512i_by_avx2
m512i_dec(struct m512i_by_avx2 a, struct m512i_by_avx2 k)
{
	return BY_PAIR_2(_mm256_aesdec_epi128, a, k, );
}

static inline struct m512i_by_avx2
m512i_declast(struct m512i_by_avx2 a, struct m512i_by_avx2 k)
{
	return BY_PAIR_2(_mm256_aesdeclast_epi128, a, k, );
}

static inline struct m512i_by_avx2
m512i_sllv(struct m512i_by_avx2 a, struct m512i_by_avx2 n)
{
	return BY_PAIR_2(_mm256_sllv_epi64, a, n, );
}

static inline struct m512i_by_avx2
m512i_srlv(struct m512i_by_avx2 a, struct m512i_by_avx2 n)
{
	return BY_PAIR_2(_mm256_srlv_epi64, a, n, );
}

static inline struct m512i_by_avx2
m512i_sub(struct m512i_by_avx2 a, struct m512i_by_avx2 b)
{
	return BY_PAIR_2(_mm256_sub_epi64, a, b, );
}

/* Some of these are macros already; those whose count is an immediate have to be macros here. */
#undef _mm512_bslli_epi128
#undef _mm512_bsrli_epi128
#undef _mm512_clmulepi64_epi128
#undef _mm512_ternarylogic_epi64
#define _mm512_setzero_si512()                m512i_both(_mm256_setzero_si256())
#define _mm512_set1_epi64(n)                  m512i_both(_mm256_set1_epi64x(n))
#define _mm512_loadu_si512(p)                 m512i_load(p)
#define _mm512_storeu_si512(p, v)             m512i_store(p, v)
#define _mm512_broadcast_i32x4(x)             m512i_both(_mm256_broadcastsi128_si256(x))
#define _mm512_xor_si512(a, b)                m512i_xor(a, b)
#define _mm512_ternarylogic_epi64(a, b, c, t) m512i_xor3(a, b, c, t)
#define _mm512_aesenc_epi128(a, k)            m512i_enc(a, k)
#define _mm512_aesenclast_epi128(a, k)        m512i_enclast(a, k)
#define _mm512_aesdec_epi128(a, k)            m512i_dec(a, k)
#define _mm512_aesdeclast_epi128(a, k)        m512i_declast(a, k)
#define _mm512_sllv_epi64(a, n)               m512i_sllv(a, n)
#define _mm512_srlv_epi64(a, n)               m512i_srlv(a, n)
#define _mm512_sub_epi64(a, b)                m512i_sub(a, b)
#define _mm512_bslli_epi128(a, n)             BY_PAIR_1(_mm256_bslli_epi128, a, , n)
#define _mm512_bsrli_epi128(a, n)             BY_PAIR_1(_mm256_bsrli_epi128, a, , n)
#define _mm512_clmulepi64_epi128(a, b, n)     BY_PAIR_2(_mm256_clmulepi64_epi128, a, b, , n)
#define _mm512_set_epi64(h, g, f, e, d, c, b, a)                                                   \
	m512i_of(_mm256_set_epi64x(d, c, b, a), _mm256_set_epi64x(h, g, f, e))

#endif
