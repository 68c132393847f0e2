/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_alg.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "plx_text.h"

/*
 * Names as people write them. A text is taken apart into words at "-" and "_", and the words are
 * brought to the table's spelling ("sha-256" and "sha2-256" become "sha256", "aes256" becomes "aes"
 * "256"). Together they are a row's name, or a row's name and one word more: the key size in bits.
 */

#define WORDS_MAX      6
#define WORD_BYTES     24
#define NAME_BYTES     144 /* of WORDS_MAX words */
#define NB_OFFERS      3
#define SHOWN_BYTES    48  /* of a text that is quoted in a sentence */
#define RSA_USUAL_STEP 128 /* 2048, 3072, 4096 bits */

static_assert(NAME_BYTES == WORDS_MAX * WORD_BYTES, "a name has room for its words");

struct words {
	uint32_t nb;
	char text[WORDS_MAX][WORD_BYTES];
};

struct spelling {
	const char *from;
	const char *to;
};

/* Words that stand for others. */
static const struct spelling word_aliases[] = {
	{ "sha2", "sha" },       { "secp256r1", "p256" }, { "prime256v1", "p256" },
	{ "secp384r1", "p384" }, { "secp521r1", "p521" }, { "ffdhe", "dh" },
};

/* Words that a number behind a "-" belongs to, and words that a number stuck to them does not. */
static const char *const joining_words[] = { "sha", "p", "x", "ed" };
static const char *const sized_words[] = { "aes", "rsa", "dh", "ffdhe" };

/* Names without the key size that stand for a row's name. */
static const struct spelling name_aliases[] = {
	{ "rsa", "rsa-pkcs1" },    { "cmac", "aes-cmac" },
	{ "gmac", "aes-gmac" },    { "rng", "random" },
	{ "rand", "random" },      { "chacha20poly1305", "chacha20-poly1305" },
	{ "sha3224", "sha3-224" }, { "sha3256", "sha3-256" },
	{ "sha3384", "sha3-384" }, { "sha3512", "sha3-512" },
};

static bool
is_number(const char *word)
{
	return word[0] != '\0' && strspn(word, "0123456789") == strlen(word);
}

static bool
words_add(struct words *words, const char *text, size_t len)
{
	if (words->nb == WORDS_MAX || len == 0 || len >= WORD_BYTES)
		return false;
	memcpy(words->text[words->nb], text, len);
	words->text[words->nb++][len] = '\0';
	return true;
}

/* Take a size off words such as "aes256"; false when there is no room for the words. */
static bool
words_add_sized(struct words *words, const char *text, size_t len)
{
	for (size_t i = 0; i < PLX_ARRAY_SIZE(sized_words); i++) {
		size_t head = strlen(sized_words[i]);

		if (len <= head || strncmp(text, sized_words[i], head) != 0 ||
		    strspn(text + head, "0123456789") < len - head)
			continue;
		return words_add(words, text, head) && words_add(words, text + head, len - head);
	}
	return words_add(words, text, len);
}

static void
words_respell(struct words *words)
{
	for (uint32_t i = 0; i < words->nb; i++) {
		for (size_t k = 0; k < PLX_ARRAY_SIZE(word_aliases); k++) {
			if (strcmp(words->text[i], word_aliases[k].from) == 0)
				snprintf(words->text[i], WORD_BYTES, "%s", word_aliases[k].to);
		}
	}
}

static bool
is_joining(const char *word)
{
	for (size_t i = 0; i < PLX_ARRAY_SIZE(joining_words); i++) {
		if (strcmp(word, joining_words[i]) == 0)
			return true;
	}
	return false;
}

/* Join "sha" and "256". */
static void
words_join(struct words *words)
{
	for (uint32_t i = 0; i + 1 < words->nb; i++) {
		char *word = words->text[i], *next = words->text[i + 1];
		size_t len = strlen(word);

		if (!is_joining(word) || !is_number(next) || len + strlen(next) >= WORD_BYTES)
			continue;
		memcpy(word + len, next, strlen(next) + 1);
		words->nb--;
		memmove(next, next + WORD_BYTES, (size_t)(words->nb - i - 1) * WORD_BYTES);
	}
}

/* Lower case and "-" for "_"; false when the text is too long to be a name. */
static bool
lower_case(const char *text, char *low, size_t size)
{
	size_t len = strnlen(text, size);

	if (len == size)
		return false;
	for (size_t i = 0; i <= len; i++) {
		if (text[i] >= 'A' && text[i] <= 'Z')
			low[i] = (char)(text[i] - 'A' + 'a');
		else
			low[i] = text[i] == '_' ? '-' : text[i];
	}
	return true;
}

static bool
words_read(const char *text, struct words *words)
{
	char low[NAME_BYTES] = "";
	const char *p = low;

	if (!lower_case(text, low, sizeof(low)))
		return false;
	words->nb = 0;
	for (;;) {
		size_t word_len = strcspn(p, "-");

		if (!words_add_sized(words, p, word_len))
			return false;
		if (p[word_len] == '\0')
			break;
		p += word_len + 1;
	}
	words_respell(words);
	words_join(words);
	return true;
}

/* The row of the words without number left_out (none when it is words->nb). */
static const struct plx_alg *
words_find(const struct words *words, uint32_t left_out)
{
	char name[NAME_BYTES] = "";
	const struct plx_alg *table;
	size_t nb, len = 0;

	for (uint32_t i = 0; i < words->nb; i++) {
		if (i != left_out)
			len += (size_t)snprintf(name + len, sizeof(name) - len, "%s%s",
						len == 0 ? "" : "-", words->text[i]);
	}
	for (size_t i = 0; i < PLX_ARRAY_SIZE(name_aliases); i++) {
		if (strcmp(name, name_aliases[i].from) == 0)
			snprintf(name, sizeof(name), "%s", name_aliases[i].to);
	}
	table = plx_alg_table(&nb);
	for (size_t i = 0; i < nb; i++) {
		if (strcmp(name, table[i].name) == 0)
			return &table[i];
	}
	return NULL;
}

static uint32_t
bits_of(const struct plx_alg *alg, uint32_t bytes)
{
	return alg->nb_keys == 0 ? 0 : bytes * 8 / alg->nb_keys;
}

/* The key size of a name that says none; 0 when the name has to say it. */
static uint16_t
key_default(const struct plx_alg *alg)
{
	if (alg->key.step == 0)
		return alg->key.min;
	return alg->kind == PLX_ALG_KIND_MAC && alg->key.step == 1 ? alg->tag_default_bytes : 0;
}

/* "128, 192 or 256", or "2048 to 8192 in steps of 64" when they are many. */
static void
sizes_write(const struct plx_alg *alg, char *buf, size_t len)
{
	const struct plx_alg_range *key = &alg->key;
	uint32_t nb = key->step == 0 ? 1 : (uint32_t)(key->max - key->min) / key->step + 1;
	size_t at = 0;

	buf[0] = '\0';
	if (nb > 4) {
		snprintf(buf, len, "%u to %u in steps of %u", bits_of(alg, key->min),
			 bits_of(alg, key->max), bits_of(alg, key->step));
		return;
	}
	for (uint32_t i = 0; i < nb && at < len; i++)
		at += (size_t)snprintf(buf + at, len - at, "%s%u",
				       i == 0        ? ""
				       : i == nb - 1 ? " or "
						     : ", ",
				       bits_of(alg, key->min + i * key->step));
}

static int
spec_set(const struct plx_alg *alg, uint32_t bytes, struct plx_alg_spec *spec)
{
	spec->alg = alg;
	spec->key_bytes = (uint16_t)bytes;
	return 0;
}

static int
spec_sized(const struct plx_alg *alg, const char *number, struct plx_alg_spec *spec,
	   struct plx_err *err)
{
	char sizes[64];
	uint32_t bits = 0;

	if (alg->nb_keys == 0)
		return plx_err_set(err, -ERANGE, "%s has no key, so no key size: write %s",
				   alg->name, alg->name);
	for (const char *p = number; *p != '\0' && bits < 1000000; p++)
		bits = bits * 10 + (uint32_t)(*p - '0');
	if (bits % 8 == 0 && plx_alg_range_has(&alg->key, bits / 8 * alg->nb_keys))
		return spec_set(alg, bits / 8 * alg->nb_keys, spec);
	sizes_write(alg, sizes, sizeof(sizes));
	return plx_err_set(err, -ERANGE, "%s has no key of %s bits: use %s", alg->name, number,
			   sizes);
}

/* The names nearest to a text, nearest first. */
struct offers {
	char name[NB_OFFERS][NAME_BYTES];
	uint32_t away[NB_OFFERS];
};

static void
offers_take(struct offers *offers, const char *name, uint32_t away)
{
	uint32_t at = NB_OFFERS;

	while (at > 0 && away < offers->away[at - 1])
		at--;
	if (at == NB_OFFERS)
		return;
	for (uint32_t i = NB_OFFERS - 1; i > at; i--) {
		memcpy(offers->name[i], offers->name[i - 1], NAME_BYTES);
		offers->away[i] = offers->away[i - 1];
	}
	snprintf(offers->name[at], NAME_BYTES, "%s", name);
	offers->away[at] = away;
}

/* Compare with each row's name, with the usual key sizes in it where a name needs one. */
static void
offers_find(const char *text, struct offers *offers)
{
	uint32_t limit = (uint32_t)strnlen(text, NAME_BYTES) / 3 + 1;
	const struct plx_alg *table;
	char low[NAME_BYTES];
	size_t nb;

	for (uint32_t i = 0; i < NB_OFFERS; i++)
		offers->away[i] = limit + 1;
	if (!lower_case(text, low, sizeof(low)))
		return;
	table = plx_alg_table(&nb);
	for (size_t i = 0; i < nb; i++) {
		const struct plx_alg *alg = &table[i];
		uint32_t step = alg->kind == PLX_ALG_KIND_ASYM ? RSA_USUAL_STEP : alg->key.step;

		if (alg->nb_keys == 0 || key_default(alg) != 0) {
			offers_take(offers, alg->name, plx_text_distance(low, alg->name));
			continue;
		}
		for (uint32_t k = 0; k < NB_OFFERS; k++) {
			uint32_t bytes = alg->key.min + k * step;
			struct plx_alg_spec spec = { alg, (uint16_t)bytes };
			char name[NAME_BYTES];

			if (!plx_alg_range_has(&alg->key, bytes))
				continue;
			plx_alg_spec_name(&spec, name, sizeof(name));
			offers_take(offers, name, plx_text_distance(low, name));
		}
	}
}

static int
unknown(const char *text, struct plx_err *err)
{
	struct offers offers = { 0 };
	char list[NB_OFFERS * NAME_BYTES] = "";
	char shown[SHOWN_BYTES];
	size_t len = 0;

	if (err == NULL)
		return -ENOENT;
	plx_text_show(text, shown, sizeof(shown));
	offers_find(text, &offers);
	for (uint32_t i = 0; i < NB_OFFERS && offers.name[i][0] != '\0'; i++)
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", i == 0 ? "" : ", ",
					offers.name[i]);
	if (len == 0)
		return plx_err_set(err, -ENOENT,
				   "there is no algorithm '%s'; 'show algorithms' lists them",
				   shown);
	return plx_err_set(err, -ENOENT, "there is no algorithm '%s'; near it: %s", shown, list);
}

const struct plx_alg *
plx_alg_find(const char *name)
{
	struct words words;

	return words_read(name, &words) ? words_find(&words, words.nb) : NULL;
}

int
plx_alg_parse(const char *text, struct plx_alg_spec *spec, struct plx_err *err)
{
	const struct plx_alg *alg;
	struct words words;
	char sizes[64];

	if (!words_read(text, &words))
		return unknown(text, err);

	alg = words_find(&words, words.nb);
	if (alg != NULL && (alg->nb_keys == 0 || key_default(alg) != 0))
		return spec_set(alg, key_default(alg), spec);
	if (alg != NULL) {
		sizes_write(alg, sizes, sizeof(sizes));
		return plx_err_set(err, -ERANGE, "%s needs a key size in bits: %s", alg->name,
				   sizes);
	}
	for (uint32_t i = words.nb; i-- > 0;) {
		if (!is_number(words.text[i]))
			continue;
		alg = words_find(&words, i);
		if (alg != NULL)
			return spec_sized(alg, words.text[i], spec, err);
	}
	return unknown(text, err);
}

uint32_t
plx_alg_key_bits(const struct plx_alg_spec *spec)
{
	return bits_of(spec->alg, spec->key_bytes);
}

const char *
plx_alg_spec_name(const struct plx_alg_spec *spec, char *buf, size_t len)
{
	const struct plx_alg *alg = spec->alg;
	const char *rest = strchr(alg->name, '-');
	uint32_t bits = plx_alg_key_bits(spec);

	if (spec->key_bytes == key_default(alg)) {
		snprintf(buf, len, "%s", alg->name);
	} else if (rest == NULL || alg->key.step == 1) {
		/* "dh-2048", "hmac-sha256-512" */
		snprintf(buf, len, "%s-%u", alg->name, bits);
	} else if (strcmp(alg->name, "rsa-pkcs1") == 0) {
		snprintf(buf, len, "rsa-%u", bits);
	} else {
		/* behind the first word: "aes-256-gcm", "rsa-2048-pss" */
		snprintf(buf, len, "%.*s-%u%s", (int)(rest - alg->name), alg->name, bits, rest);
	}
	return buf;
}

const char *
plx_alg_openssl_name(const struct plx_alg_spec *spec, char *buf, size_t len)
{
	const char *pattern = spec->alg->openssl_name;
	const char *hole = strstr(pattern, "%u");

	if (hole == NULL)
		snprintf(buf, len, "%s", pattern);
	else
		snprintf(buf, len, "%.*s%u%s", (int)(hole - pattern), pattern,
			 plx_alg_key_bits(spec), hole + 2);
	return buf;
}
