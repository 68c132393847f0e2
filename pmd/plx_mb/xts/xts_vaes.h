/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_XTS_VAES_H
#define PLX_XTS_VAES_H

#include <string.h>

#include "xts_priv.h"

/*
 * AES-XTS on vectors of VEC_LANES blocks. Included once by the file of each width, which has
 * included its words (xts_vec256.h, xts_vec512.h) before.
 *
 * Work goes in groups of eight vectors, so that eight AES rounds are in flight while one takes four
 * cycles on two units; the round key is loaded once for all eight. Beside the rounds of a group the
 * tweaks of the next are made: its tweak at the same place is 8 * VEC_LANES blocks further on, so
 * it is the old one times x^(8 * VEC_LANES), a shift by whole bytes and one carry-less product. The
 * first group's are made from the unit's tweak by shifts of as many bits as the block's number.
 *
 * Time and addresses depend on lengths and on nothing else. What the kernel keeps in memory is in
 * struct xts_scratch, which is wiped; round keys are loaded anew for each group (KEYS_HERE), so
 * that the compiler has none to keep on the stack.
 */

#define XTS_INLINE static inline __attribute__((always_inline))

#define GROUP_VECS   8
#define GROUP_BLOCKS (GROUP_VECS * VEC_LANES)
#define GROUP_BYTES  (GROUP_BLOCKS * 16)
#define VEC_BYTES    (VEC_LANES * 16)
#define BATCH_UNITS  16 /* whose tweaks are made together */
#define BATCH_VECS   (BATCH_UNITS / VEC_LANES)

/* x^128 = x^7 + x^2 + x + 1, IEEE 1619 5.2 */
#define XTS_POLY 0x87

#define EACH_VEC(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7)

/* The compiler may know nothing about the keys from before this line. */
#define KEYS_HERE(rk) __asm__ volatile("" : "+r"(rk) : : "memory")

typedef const uint8_t (*xts_round_keys)[16];

struct xts_scratch {
	VEC tweak[2][GROUP_VECS];
	uint8_t part[GROUP_BYTES];  /* a group that is not full */
	uint8_t ivs[BATCH_UNITS * 16]; /* of units, then their tweaks */
};

XTS_INLINE __m128i
block_load(const void *p)
{
	return _mm_loadu_si128((const __m128i *)p);
}

XTS_INLINE void
block_store(void *p, __m128i x)
{
	_mm_storeu_si128((__m128i *)p, x);
}

XTS_INLINE VEC
key_load(xts_round_keys rk, uint32_t r)
{
	return VEC_BROADCAST(block_load(rk[r]));
}

XTS_INLINE __m128i
block_crypt(xts_round_keys rk, uint32_t nb_rounds, __m128i x, bool is_enc)
{
	uint32_t r;

	x = _mm_xor_si128(x, block_load(rk[0]));
	for (r = 1; r < nb_rounds; r++)
		x = is_enc ? _mm_aesenc_si128(x, block_load(rk[r])) :
			     _mm_aesdec_si128(x, block_load(rk[r]));
	return is_enc ? _mm_aesenclast_si128(x, block_load(rk[r])) :
			_mm_aesdeclast_si128(x, block_load(rk[r]));
}

/* The tweak of the next block: times x. */
XTS_INLINE __m128i
block_double(__m128i t)
{
	__m128i carry = _mm_srli_epi64(t, 63);
	__m128i poly = _mm_clmulepi64_si128(carry, _mm_set1_epi64x(XTS_POLY), 0x01);

	t = _mm_xor_si128(_mm_slli_epi64(t, 1), _mm_bslli_si128(carry, 8));
	return _mm_xor_si128(t, poly);
}

/* Tweaks of a whole group further on. */
XTS_INLINE VEC
tweak_next(VEC t)
{
	VEC carry = VEC_BYTES_RIGHT(t, 16 - GROUP_BLOCKS / 8);

	return VEC_XOR(VEC_BYTES_LEFT(t, GROUP_BLOCKS / 8),
		       VEC_CLMUL_LOW(carry, VEC_ALL_64(XTS_POLY)));
}

/* In each lane the unit's tweak times x to the number of the block. */
XTS_INLINE VEC
tweak_first(VEC t, VEC numbers)
{
	VEC carry = VEC_BITS_RIGHT(t, VEC_SUB_64(VEC_ALL_64(64), numbers));

	return VEC_XOR3(VEC_BITS_LEFT(t, numbers), VEC_BYTES_LEFT(carry, 8),
			VEC_CLMUL_HIGH(carry, VEC_ALL_64(XTS_POLY)));
}

XTS_INLINE void
tweaks_first(struct xts_scratch *s, __m128i tweak)
{
	VEC t = VEC_BROADCAST(tweak);

#define FIRST(i) s->tweak[0][i] = tweak_first(t, VEC_LANE_NUMBERS(i * VEC_LANES));
	EACH_VEC(FIRST)
#undef FIRST
}

XTS_INLINE VEC
vec_round(VEC x, VEC k, bool is_enc)
{
	return is_enc ? VEC_AESENC(x, k) : VEC_AESDEC(x, k);
}

XTS_INLINE VEC
vec_last(VEC x, VEC k, bool is_enc)
{
	return is_enc ? VEC_AESENCLAST(x, k) : VEC_AESDECLAST(x, k);
}

/*
 * One group with the tweaks now[], which makes those of the next one. nb_rounds and is_enc are
 * constants wherever this is expanded.
 */
XTS_INLINE void
group_crypt(xts_round_keys rk, uint32_t nb_rounds, bool is_enc, const VEC *now, VEC *next,
	    const uint8_t *in, uint8_t *out)
{
	VEC x[GROUP_VECS], k;

	KEYS_HERE(rk);
#define WHITEN(i) x[i] = VEC_XOR3(VEC_LOAD(in + (i) * VEC_BYTES), k, now[i]);
#define ROUND_VEC(i) x[i] = vec_round(x[i], k, is_enc);
#define ROUND(r)                                                                                   \
	k = key_load(rk, r);                                                                       \
	EACH_VEC(ROUND_VEC)
#define ROUND_NEXT(r)                                                                              \
	ROUND(r)                                                                                   \
	next[(r)-1] = tweak_next(now[(r)-1]);
#define FINISH(i)                                                                                  \
	VEC_STORE(out + (i) * VEC_BYTES, vec_last(x[i], VEC_XOR(k, now[i]), is_enc));

	k = key_load(rk, 0);
	EACH_VEC(WHITEN)
	ROUND_NEXT(1) ROUND_NEXT(2) ROUND_NEXT(3) ROUND_NEXT(4) ROUND_NEXT(5) ROUND_NEXT(6) ROUND_NEXT(7) ROUND_NEXT(8) ROUND(9)
	if (nb_rounds > 10) {
		ROUND(10) ROUND(11) ROUND(12) ROUND(13)
	}
	k = key_load(rk, nb_rounds);
	EACH_VEC(FINISH)
}

#endif
