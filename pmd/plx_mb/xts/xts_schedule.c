/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <immintrin.h>
#include <string.h>

#include "plx_secret.h"

#include "xts_priv.h"

/*
 * FIPS 197 section 5.2, word by word. S-boxes come from AESENCLAST, which takes the same time for
 * all values: in a state of four equal columns ShiftRows changes nothing, so each column comes out
 * as SubBytes of the word.
 */

#define KEY_WORDS_MAX 8
#define ROUND_BYTES   16

static uint32_t
word_sub(uint32_t w)
{
	__m128i x = _mm_aesenclast_si128(_mm_set1_epi32((int)w), _mm_setzero_si128());

	return (uint32_t)_mm_cvtsi128_si32(x);
}

/* Bytes of a word are in memory order, so RotWord goes to the right here. */
static uint32_t
word_rotate(uint32_t w)
{
	return w >> 8 | w << 24;
}

static void
expand(uint8_t rk[][ROUND_BYTES], const uint8_t *bytes, uint32_t nb_rounds)
{
	uint32_t nb_key = nb_rounds - 6, nb = 4 * (nb_rounds + 1);
	uint32_t w[KEY_WORDS_MAX], t, i, rcon = 1;
	uint8_t *out = (uint8_t *)rk;

	memcpy(w, bytes, nb_key * sizeof(w[0]));
	memcpy(out, bytes, nb_key * sizeof(w[0]));
	t = w[nb_key - 1];
	for (i = nb_key; i < nb; i++) {
		if (i % nb_key == 0) {
			t = word_sub(word_rotate(t)) ^ rcon;
			rcon = rcon << 1 ^ (rcon >> 7) * 0x11bu;
		} else if (nb_key > 6 && i % nb_key == 4) {
			t = word_sub(t);
		}
		t ^= w[i % nb_key];
		w[i % nb_key] = t;
		memcpy(out + i * sizeof(t), &t, sizeof(t));
	}
	plx_wipe(w, sizeof(w));
	plx_wipe(&t, sizeof(t));
}

/* The equivalent inverse cipher, FIPS 197 section 5.3.5. */
static void
invert(uint8_t dec[][ROUND_BYTES], const uint8_t enc[][ROUND_BYTES], uint32_t nb_rounds)
{
	__m128i k;
	uint32_t i;

	for (i = 0; i <= nb_rounds; i++) {
		memcpy(&k, enc[nb_rounds - i], sizeof(k));
		if (i != 0 && i != nb_rounds)
			k = _mm_aesimc_si128(k);
		memcpy(dec[i], &k, sizeof(k));
	}
	plx_wipe(&k, sizeof(k));
}

int
xts_schedule_expand(struct plx_xts_key *key, const uint8_t *bytes)
{
	uint32_t half = (key->nb_rounds - 6) * 4;

	expand(key->enc, bytes, key->nb_rounds);
	invert(key->dec, (const uint8_t(*)[ROUND_BYTES])key->enc, key->nb_rounds);
	expand(key->tweak, bytes + half, key->nb_rounds);
	return 0;
}
