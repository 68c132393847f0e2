/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "seal_format.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

/*
 * Records of a stream, each sealed by itself: the STREAM construction (Hoang, Reyhanitabar,
 * Rogaway, Vizar, "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", CRYPTO
 * 2015), with the number of the record in the nonce. A record moved, left out or doubled has the
 * wrong nonce; the last one says in its associated data that it is the last, so a file cut between
 * two records, or with records behind its end, does not open. The header is associated data of
 * every record.
 *
 * The nonce is a random 96-bit base with the number XORed into its low 64 bits, as in RFC 8446 5.3.
 * Two files of at most 2^k records under one key share a nonce only when the bases' high 96 - k
 * bits are equal.
 */

static const uint8_t magic[8] = { 'P', 'L', 'X', 'S', 'E', 'A', 'L', 1 };

enum { AT_ALG = 8, AT_KEY = 9, AT_RECORD = 12, AT_NONCE = 16, AT_REST = 28 };

static void
put_be(uint8_t *to, uint64_t value, int bytes)
{
	while (bytes-- > 0) {
		to[bytes] = (uint8_t)value;
		value >>= 8;
	}
}

static uint32_t
get_be32(const uint8_t *from)
{
	return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static const struct {
	const char *name;
	uint8_t number;
} algs[] = { { "aes-gcm", 1 }, { "chacha20-poly1305", 2 } };

static uint8_t
alg_number(const struct plx_alg *alg)
{
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(algs); i++)
		if (strcmp(algs[i].name, alg->name) == 0)
			return algs[i].number;
	return 0;
}

int
seal_header_make(struct seal_header *h, const struct plx_alg_spec *spec, uint32_t record_bytes,
		 struct plx_err *err)
{
	memset(h, 0, sizeof(*h));
	h->alg = alg_number(spec->alg);
	if (h->alg == 0)
		return plx_err_set(err, -ENOTSUP,
				   "%s has no file format; aes-gcm and chacha20-poly1305 have",
				   spec->alg->name);
	h->key_bytes = (uint8_t)spec->key_bytes;
	h->record_bytes = record_bytes;
	if (getrandom(h->nonce, sizeof(h->nonce), 0) != (ssize_t)sizeof(h->nonce))
		return plx_err_set(err, -EIO, "the system gives no random bytes: %s",
				   strerror(errno));

	memcpy(h->bytes, magic, sizeof(magic));
	h->bytes[AT_ALG] = h->alg;
	h->bytes[AT_KEY] = h->key_bytes;
	put_be(h->bytes + AT_RECORD, record_bytes, 4);
	memcpy(h->bytes + AT_NONCE, h->nonce, sizeof(h->nonce));
	return 0;
}

int
seal_header_parse(struct seal_header *h, const uint8_t *bytes, struct plx_err *err)
{
	static const uint8_t zeros[4];

	memset(h, 0, sizeof(*h));
	if (memcmp(bytes, magic, sizeof(magic) - 1) != 0)
		return plx_err_set(err, -EBADMSG,
				   "it is no file written by 'job encrypt' with an "
				   "authenticated algorithm");
	if (bytes[7] != magic[7])
		return plx_err_set(err, -ENOTSUP, "it has format version %u; this program reads 1",
				   bytes[7]);
	memcpy(h->bytes, bytes, sizeof(h->bytes));
	h->alg = bytes[AT_ALG];
	h->key_bytes = bytes[AT_KEY];
	h->record_bytes = get_be32(bytes + AT_RECORD);
	memcpy(h->nonce, bytes + AT_NONCE, sizeof(h->nonce));
	if (h->record_bytes == 0 || bytes[10] != 0 || bytes[11] != 0 ||
	    memcmp(bytes + AT_REST, zeros, sizeof(zeros)) != 0)
		return plx_err_set(err, -EBADMSG, "its header is damaged");
	return 0;
}

int
seal_header_match(const struct seal_header *h, const struct plx_alg_spec *spec, struct plx_err *err)
{
	const char *name = "an unknown algorithm";
	size_t i;

	if (h->alg == alg_number(spec->alg) && h->key_bytes == spec->key_bytes)
		return 0;
	for (i = 0; i < PLX_ARRAY_SIZE(algs); i++)
		if (algs[i].number == h->alg)
			name = algs[i].name;
	return plx_err_set(err, -EINVAL,
			   "the file was made with %s and a key of %u bits, alg= says %s of %u",
			   name, h->key_bytes * 8u, spec->alg->name, spec->key_bytes * 8u);
}

void
seal_record_nonce(const struct seal_header *h, uint64_t record, uint8_t *nonce)
{
	int i;

	memcpy(nonce, h->nonce, SEAL_NONCE_BYTES);
	for (i = 0; i < 8; i++)
		nonce[SEAL_NONCE_BYTES - 1 - i] ^= (uint8_t)(record >> (8 * i));
}

void
seal_record_aad(const struct seal_header *h, uint64_t record, bool is_last, uint8_t *aad)
{
	memset(aad, 0, SEAL_AAD_BYTES);
	memcpy(aad, h->bytes, SEAL_HEADER_BYTES);
	put_be(aad + SEAL_HEADER_BYTES, record, 8);
	aad[SEAL_HEADER_BYTES + 8] = is_last ? 1 : 0;
}

/* An empty file has one empty record; otherwise the last one holds at least a byte. */
uint64_t
seal_nb_records(const struct seal_header *h, uint64_t plain_bytes)
{
	if (plain_bytes == 0)
		return 1;
	return (plain_bytes - 1) / h->record_bytes + 1;
}

int
seal_nb_records_sealed(const struct seal_header *h, uint64_t sealed_bytes, uint64_t *nb,
		       uint32_t *last_bytes, struct plx_err *err)
{
	uint64_t stride = (uint64_t)h->record_bytes + SEAL_TAG_BYTES;
	uint64_t full = sealed_bytes / stride, rest = sealed_bytes % stride;

	if ((rest > 0 && rest < SEAL_TAG_BYTES) || (rest == SEAL_TAG_BYTES && full > 0) ||
	    sealed_bytes == 0)
		return plx_err_set(
			err, -EBADMSG,
			"the file was cut: its last record is shorter than a record can be");
	*nb = full + (rest > 0);
	*last_bytes = rest > 0 ? (uint32_t)(rest - SEAL_TAG_BYTES) : h->record_bytes;
	return 0;
}
