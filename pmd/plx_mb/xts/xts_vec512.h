/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_XTS_VEC512_H
#define PLX_XTS_VEC512_H

#include <immintrin.h>

/* The words of xts_vaes.h on 512-bit vectors: AVX-512 F and BW, VAES, VPCLMULQDQ. */

#define VEC       __m512i
#define VEC_LANES 4

#define VEC_ZERO()                _mm512_setzero_si512()
#define VEC_LOAD(p)               _mm512_loadu_si512(p)
#define VEC_STORE(p, v)           _mm512_storeu_si512(p, v)
#define VEC_BROADCAST(x)          _mm512_broadcast_i32x4(x)
#define VEC_XOR(a, b)             _mm512_xor_si512(a, b)
#define VEC_XOR3(a, b, c)         _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define VEC_AESENC(x, k)          _mm512_aesenc_epi128(x, k)
#define VEC_AESENCLAST(x, k)      _mm512_aesenclast_epi128(x, k)
#define VEC_AESDEC(x, k)          _mm512_aesdec_epi128(x, k)
#define VEC_AESDECLAST(x, k)      _mm512_aesdeclast_epi128(x, k)
#define VEC_BYTES_LEFT(x, n)      _mm512_bslli_epi128(x, n)
#define VEC_BITS_LEFT(x, counts)  _mm512_sllv_epi64(x, counts)
#define VEC_BITS_RIGHT(x, counts) _mm512_srlv_epi64(x, counts)
#define VEC_ALL_64(n)             _mm512_set1_epi64(n)
#define VEC_SUB_64(a, b)          _mm512_sub_epi64(a, b)
/* both halves of each lane: the lane's number, plus n */
#define VEC_LANE_NUMBERS(n)                                                                        \
	_mm512_set_epi64((n) + 3, (n) + 3, (n) + 2, (n) + 2, (n) + 1, (n) + 1, n, n)
/* carry-less product of the high half of a and the low half of b */
#define VEC_CLMUL_HIGH(a, b) _mm512_clmulepi64_epi128(a, b, 0x01)
/* the vector registers hold plaintext and round keys: all to zero */
#define VEC_REGISTERS_WIPE() xts_registers_wipe()

/* VZEROALL knows of the first sixteen only. */
static inline void
xts_registers_wipe(void)
{
#ifdef __AVX512F__
	__asm__ volatile("vpxord %%zmm16, %%zmm16, %%zmm16\n\t"
			 "vmovdqa64 %%zmm16, %%zmm17\n\t"
			 "vmovdqa64 %%zmm16, %%zmm18\n\t"
			 "vmovdqa64 %%zmm16, %%zmm19\n\t"
			 "vmovdqa64 %%zmm16, %%zmm20\n\t"
			 "vmovdqa64 %%zmm16, %%zmm21\n\t"
			 "vmovdqa64 %%zmm16, %%zmm22\n\t"
			 "vmovdqa64 %%zmm16, %%zmm23\n\t"
			 "vmovdqa64 %%zmm16, %%zmm24\n\t"
			 "vmovdqa64 %%zmm16, %%zmm25\n\t"
			 "vmovdqa64 %%zmm16, %%zmm26\n\t"
			 "vmovdqa64 %%zmm16, %%zmm27\n\t"
			 "vmovdqa64 %%zmm16, %%zmm28\n\t"
			 "vmovdqa64 %%zmm16, %%zmm29\n\t"
			 "vmovdqa64 %%zmm16, %%zmm30\n\t"
			 "vmovdqa64 %%zmm16, %%zmm31"
			 :
			 :
			 : "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",
			   "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31");
#endif
	_mm256_zeroall();
}

/*
 * Times x^32, a group of 32 blocks: by whole bytes to the left, and the 32 bits that leave at the
 * top times x^128, which is 0x87. Here the product and the shuffles are on another pipe than AES.
 */
static inline __attribute__((always_inline)) __m512i
xts_tweak_next(__m512i t)
{
	__m512i carry = _mm512_bsrli_epi128(t, 12);

	return _mm512_xor_si512(_mm512_bslli_epi128(t, 4),
				_mm512_clmulepi64_epi128(carry, _mm512_set1_epi64(0x87), 0x00));
}

#endif
