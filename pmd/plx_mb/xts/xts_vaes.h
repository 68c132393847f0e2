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
 * cycles on two units; a round key is loaded once for all eight. Between the rounds of a group the
 * tweaks of the next one are made: at the same place it is 8 * VEC_LANES blocks further on, so its
 * tweak is the old one times x^(8 * VEC_LANES). The first group's are made from the unit's tweak by
 * shifts of as many bits as the block's number.
 *
 * A group that is not full works on a copy: with all eight chains in flight it takes no longer than
 * a single block would, and nothing behind the buffers is touched.
 *
 * Time and addresses depend on lengths and on nothing else. What is kept in memory is in struct
 * xts_scratch, which is wiped; round keys are loaded anew for each group (KEYS_HERE), so that the
 * compiler has none to put on the stack.
 */

#define XTS_INLINE static inline __attribute__((always_inline))

#define GROUP_VECS   8
#define GROUP_BLOCKS (GROUP_VECS * VEC_LANES)
#define GROUP_BYTES  (GROUP_BLOCKS * 16)
#define VEC_BYTES    (VEC_LANES * 16)
#define BATCH_UNITS  GROUP_BLOCKS /* whose tweaks are made together */

/* x^128 = x^7 + x^2 + x + 1, IEEE 1619 section 5.2 */
#define XTS_POLY 0x87

#define EACH_VEC(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7)

/* The compiler may know nothing about the keys from before this line. */
#define KEYS_HERE(rk) __asm__ volatile("" : "+r"(rk) : : "memory")

typedef const uint8_t (*xts_round_keys)[16];

struct xts_scratch {
	VEC tweak[2][GROUP_VECS]; /* of this group and of the next, in turn */
	VEC part[GROUP_VECS];     /* a group that is not full */
	VEC ivs[GROUP_VECS];      /* of units, then their tweaks */
	uint8_t stolen[2][16];
};

/* nb_rounds and is_enc are constants in each of the four functions that this is expanded in. */
struct xts_way {
	xts_round_keys data;
	uint32_t nb_rounds;
	bool is_enc;
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

XTS_INLINE __m128i
block_crypt(xts_round_keys rk, uint32_t nb_rounds, bool is_enc, __m128i x)
{
	uint32_t r;

	KEYS_HERE(rk);
	x = _mm_xor_si128(x, block_load(rk[0]));
	for (r = 1; r < nb_rounds; r++)
		x = is_enc ? _mm_aesenc_si128(x, block_load(rk[r]))
			   : _mm_aesdec_si128(x, block_load(rk[r]));
	return is_enc ? _mm_aesenclast_si128(x, block_load(rk[r]))
		      : _mm_aesdeclast_si128(x, block_load(rk[r]));
}

XTS_INLINE void
blocks_copy(void *to, const void *from, size_t nb)
{
	size_t i;

	for (i = 0; i < nb; i++)
		block_store((uint8_t *)to + i * 16, block_load((const uint8_t *)from + i * 16));
}

/* Fewer than 16. In line: across a call the compiler would put tweaks on the stack. */
XTS_INLINE void
bytes_copy(uint8_t *to, const uint8_t *from, size_t nb)
{
#define COPY(n)                                                                                    \
	if ((nb & (n)) != 0) {                                                                     \
		memcpy(to, from, n);                                                               \
		to += (n);                                                                         \
		from += (n);                                                                       \
	}
	COPY(8)
	COPY(4)
	COPY(2)
#undef COPY
	if ((nb & 1) != 0)
		*to = *from;
}

/* Eight of them to zero, and the compiler may not leave it out. */
XTS_INLINE void
vecs_wipe(VEC *v)
{
#define ZERO(i) v[i] = VEC_ZERO();
	EACH_VEC(ZERO)
#undef ZERO
	__asm__ volatile("" : : "r"(v) : "memory");
}

/* The tweak of the next block: times x. */
XTS_INLINE __m128i
block_double(__m128i t)
{
	__m128i carry = _mm_srli_epi64(t, 63);
	__m128i low = _mm_clmulepi64_si128(carry, _mm_set1_epi64x(XTS_POLY), 0x01);
	__m128i high = _mm_bslli_si128(carry, 8);

	return _mm_xor_si128(_mm_slli_epi64(t, 1), _mm_xor_si128(low, high));
}

XTS_INLINE VEC
key_load(xts_round_keys rk, uint32_t r)
{
	return VEC_BROADCAST(block_load(rk[r]));
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

/* In each lane the unit's tweak times x to the number, below 64, of the block. */
XTS_INLINE VEC
tweak_first(VEC t, VEC numbers)
{
	VEC carry = VEC_BITS_RIGHT(t, VEC_SUB_64(VEC_ALL_64(64), numbers));

	return VEC_XOR3(VEC_BITS_LEFT(t, numbers), VEC_BYTES_LEFT(carry, 8),
			VEC_CLMUL_HIGH(carry, VEC_ALL_64(XTS_POLY)));
}

XTS_INLINE void
tweaks_first(VEC *now, __m128i tweak)
{
	VEC t = VEC_BROADCAST(tweak);

#define FIRST(i) now[i] = tweak_first(t, VEC_LANE_NUMBERS((i)*VEC_LANES));
	EACH_VEC(FIRST)
#undef FIRST
}

/* One group with the tweaks now[]; makes those of the group behind it, unless next is NULL. */
XTS_INLINE void
group_crypt(const struct xts_way *w, const VEC *now, VEC *next, const uint8_t *in, uint8_t *out)
{
	xts_round_keys rk = w->data;
	VEC x[GROUP_VECS], k;

#define WHITEN(i) x[i] = VEC_XOR3(VEC_LOAD(in + (i)*VEC_BYTES), k, now[i]);
#define STEP(i)   x[i] = vec_round(x[i], k, w->is_enc);
#define ROUND(r)                                                                                   \
	k = key_load(rk, r);                                                                       \
	EACH_VEC(STEP)
#define ROUND_NEXT(i)                                                                              \
	ROUND((i) + 1)                                                                             \
	if (next != NULL)                                                                          \
		next[i] = xts_tweak_next(now[i]);
#define FINISH(i) VEC_STORE(out + (i)*VEC_BYTES, vec_last(x[i], VEC_XOR(k, now[i]), w->is_enc));

	KEYS_HERE(rk);
	k = key_load(rk, 0);
	EACH_VEC(WHITEN)
	ROUND_NEXT(0)
	ROUND_NEXT(1)
	ROUND_NEXT(2)
	ROUND_NEXT(3)
	ROUND_NEXT(4)
	ROUND_NEXT(5)
	ROUND_NEXT(6)
	ROUND_NEXT(7)
	ROUND(9)
	if (w->nb_rounds > 10) {
		ROUND(10)
		ROUND(11)
		ROUND(12)
		ROUND(13)
	}
	k = key_load(rk, w->nb_rounds);
	EACH_VEC(FINISH)

#undef WHITEN
#undef STEP
#undef ROUND
#undef ROUND_NEXT
#undef FINISH
}

XTS_INLINE __m128i
stolen_crypt(const struct xts_way *w, __m128i x, __m128i tweak)
{
	x = block_crypt(w->data, w->nb_rounds, w->is_enc, _mm_xor_si128(x, tweak));
	return _mm_xor_si128(x, tweak);
}

/*
 * Ciphertext stealing, IEEE 1619 sections 5.3.2 and 5.4.2, for the last nb bytes, 1..15, of a unit.
 * Encrypting, in and out stand behind the last whole block, which is done; decrypting, before it.
 * tweak is that of the block where they stand.
 */
XTS_INLINE void
steal(const struct xts_way *w, struct xts_scratch *s, __m128i tweak, const uint8_t *in,
      uint8_t *out, size_t nb)
{
	uint8_t *whole = w->is_enc ? out - 16 : out;
	uint8_t *rest = w->is_enc ? out : out + 16;
	const uint8_t *in_rest = w->is_enc ? in : in + 16;
	__m128i x;

	if (w->is_enc)
		x = block_load(whole);
	else
		x = stolen_crypt(w, block_load(in), block_double(tweak));
	block_store(s->stolen[0], x);
	block_store(s->stolen[1], x);
	bytes_copy(s->stolen[1], in_rest, nb);
	bytes_copy(rest, s->stolen[0], nb);
	block_store(whole, stolen_crypt(w, block_load(s->stolen[1]), tweak));
	block_store(s->stolen[0], _mm_setzero_si128());
	block_store(s->stolen[1], _mm_setzero_si128());
	__asm__ volatile("" : : "r"(s) : "memory");
}

/* The tweak of block nb, 0..GROUP_BLOCKS, of a group. */
XTS_INLINE __m128i
tweak_at(const VEC *now, size_t nb)
{
	const uint8_t *bytes = (const uint8_t *)now;

	if (nb < GROUP_BLOCKS)
		return block_load(bytes + nb * 16);
	return block_double(block_load(bytes + (GROUP_BLOCKS - 1) * 16));
}

/* nb blocks, 1..GROUP_BLOCKS, the last ones of a unit. */
XTS_INLINE void
last_crypt(const struct xts_way *w, struct xts_scratch *s, const VEC *now, const uint8_t *in,
	   uint8_t *out, size_t nb)
{
	bool is_part = nb < GROUP_BLOCKS;

	if (is_part) {
		vecs_wipe(s->part);
		blocks_copy(s->part, in, nb);
		in = (const uint8_t *)s->part;
	}
	group_crypt(w, now, NULL, in, is_part ? (uint8_t *)s->part : out);
	if (is_part) {
		blocks_copy(out, s->part, nb);
		vecs_wipe(s->part);
	}
}

XTS_INLINE void
unit_crypt(const struct xts_way *w, struct xts_scratch *s, __m128i tweak,
	   const struct plx_xts_unit *u)
{
	size_t nb_rest = u->len_bytes % 16;
	size_t nb = u->len_bytes / 16 - (!w->is_enc && nb_rest != 0 ? 1 : 0);
	const uint8_t *in = u->in;
	uint8_t *out = u->out;
	VEC *now = s->tweak[0], *next = s->tweak[1], *t;

	tweaks_first(now, tweak);
	for (; nb > GROUP_BLOCKS; nb -= GROUP_BLOCKS) {
		group_crypt(w, now, next, in, out);
		in += GROUP_BYTES;
		out += GROUP_BYTES;
		t = now;
		now = next;
		next = t;
	}
	if (nb > 0)
		last_crypt(w, s, now, in, out, nb);
	if (nb_rest != 0)
		steal(w, s, tweak_at(now, nb), in + nb * 16, out + nb * 16, nb_rest);
}

/* Encrypt ivs[]: the tweaks of BATCH_UNITS units at once. */
XTS_INLINE void
batch_tweaks(xts_round_keys rk, uint32_t nb_rounds, VEC *ivs)
{
	VEC x[GROUP_VECS], k;
	uint32_t r;

#define WHITEN(i) x[i] = VEC_XOR(ivs[i], k);
#define STEP(i)   x[i] = VEC_AESENC(x[i], k);
#define FINISH(i) ivs[i] = VEC_AESENCLAST(x[i], k);

	KEYS_HERE(rk);
	k = key_load(rk, 0);
	EACH_VEC(WHITEN)
	for (r = 1; r < nb_rounds; r++) {
		k = key_load(rk, r);
		EACH_VEC(STEP)
	}
	k = key_load(rk, r);
	EACH_VEC(FINISH)

#undef WHITEN
#undef STEP
#undef FINISH
}

/*
 * The four functions of a kernel. The one for a unit is expanded once and called; the tweak goes
 * there in a register.
 */
#define XTS_FUNCTION(name, rounds, keys, enc)                                                      \
	static __attribute__((noinline)) void name##_unit(const struct plx_xts_key *key,           \
							  struct xts_scratch *s, __m128i tweak,    \
							  const struct plx_xts_unit *u)            \
	{                                                                                          \
		const struct xts_way w = { key->keys, rounds, enc };                               \
                                                                                                   \
		unit_crypt(&w, s, tweak, u);                                                       \
	}                                                                                          \
                                                                                                   \
	static void name(const struct plx_xts_key *key, struct xts_scratch *s,                     \
			 const struct plx_xts_unit *units, size_t nb)                              \
	{                                                                                          \
		uint8_t *ivs = (uint8_t *)s->ivs;                                                  \
		size_t i;                                                                          \
                                                                                                   \
		if (nb == 1) {                                                                     \
			name##_unit(key, s,                                                        \
				    block_crypt(key->tweak, rounds, true, block_load(units->iv)),  \
				    units);                                                        \
			return;                                                                    \
		}                                                                                  \
		vecs_wipe(s->ivs);                                                                 \
		for (i = 0; i < nb; i++)                                                           \
			block_store(ivs + i * 16, block_load(units[i].iv));                        \
		batch_tweaks(key->tweak, rounds, s->ivs);                                          \
		for (i = 0; i < nb; i++)                                                           \
			name##_unit(key, s, block_load(ivs + i * 16), &units[i]);                  \
	}

XTS_FUNCTION(encrypt_128, 10, enc, true)
XTS_FUNCTION(decrypt_128, 10, dec, false)
XTS_FUNCTION(encrypt_256, 14, enc, true)
XTS_FUNCTION(decrypt_256, 14, dec, false)

static void
batch_crypt(const struct plx_xts_key *key, struct xts_scratch *s, const struct plx_xts_unit *units,
	    size_t nb, bool is_enc)
{
	if (key->nb_rounds == 14)
		(is_enc ? encrypt_256 : decrypt_256)(key, s, units, nb);
	else
		(is_enc ? encrypt_128 : decrypt_128)(key, s, units, nb);
}

/* What a call leaves in memory and registers; ivs are of those with more than one unit. */
XTS_INLINE void
scratch_wipe(struct xts_scratch *s, bool has_ivs)
{
	vecs_wipe(&s->tweak[0][0]);
	vecs_wipe(&s->tweak[1][0]);
	if (has_ivs)
		vecs_wipe(s->ivs);
	VEC_REGISTERS_WIPE();
}

static int
xts_vaes_crypt(const struct plx_xts_key *key, const struct plx_xts_unit *units, size_t nb,
	       bool is_enc)
{
	struct xts_scratch s;
	size_t i, n;

	for (i = 0; i < nb; i += n) {
		n = nb - i < BATCH_UNITS ? nb - i : BATCH_UNITS;
		batch_crypt(key, &s, units + i, n, is_enc);
	}
	scratch_wipe(&s, nb > 1);
	return 0;
}

#endif
