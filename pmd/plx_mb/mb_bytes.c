/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "mb_asym_priv.h"

#include <string.h>

/* Numbers of ops: big-endian byte strings with a length the application wrote. */

bool
mb_param_ok(const rte_crypto_param *p, size_t max)
{
	return p->data != NULL && p->length > 0 && p->length <= max;
}

/* Zeros on the left are no part of a number. That a secret number begins with them is not kept
 * secret, and never was: its length is the application's. */
bool
mb_param_put(const rte_crypto_param *p, uint8_t *to, size_t len)
{
	const uint8_t *from = p->data;
	size_t nb = p->length;

	while (nb > len && *from == 0) {
		from++;
		nb--;
	}
	if (nb > len)
		return false;
	memset(to, 0, len - nb);
	memcpy(to + len - nb, from, nb);
	return true;
}

void
mb_words_from_bytes(uint64_t *words, size_t nb_words, const uint8_t *bytes, size_t len)
{
	memset(words, 0, nb_words * sizeof(*words));
	for (size_t i = 0; i < len && i / 8 < nb_words; i++)
		words[i / 8] |= (uint64_t)bytes[len - 1 - i] << (i % 8 * 8);
}
