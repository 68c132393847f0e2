/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/obj_mac.h>

#include "keystore_priv.h"

/*
 * What a key is for, as a user names it. A whole name ("aes-256-gcm", "rsa-2048-pss") ties the key
 * to that one algorithm, since one AES key used in two modes is a mistake; a first word alone
 * ("aes", "aes-256", "hmac", "rsa-2048", "ec-p256") leaves it to each algorithm of that name.
 */

static const struct key_curve curves[] = {
	{ "p256",
	  "P-256",
	  "ecdsa-p256 ecdh-p256",
	  KEY_TYPE_EC,
	  NID_X9_62_prime256v1,
	  256,
	  8,
	  { 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07 } },
	{ "p384",
	  "P-384",
	  "ecdsa-p384 ecdh-p384",
	  KEY_TYPE_EC,
	  NID_secp384r1,
	  384,
	  5,
	  { 0x2b, 0x81, 0x04, 0x00, 0x22 } },
	{ "p521",
	  "P-521",
	  "ecdsa-p521 ecdh-p521",
	  KEY_TYPE_EC,
	  NID_secp521r1,
	  521,
	  5,
	  { 0x2b, 0x81, 0x04, 0x00, 0x23 } },
	{ "sm2",
	  "SM2",
	  "sm2",
	  KEY_TYPE_EC,
	  NID_sm2,
	  256,
	  8,
	  { 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x82, 0x2d } },
	{ "x25519", "X25519", "x25519", KEY_TYPE_ECX, NID_X25519, 256, 3, { 0x2b, 0x65, 0x6e } },
	{ "ed25519",
	  "ED25519",
	  "ed25519",
	  KEY_TYPE_ECX,
	  NID_ED25519,
	  256,
	  3,
	  { 0x2b, 0x65, 0x70 } },
};

const struct key_curve *
keystore_curve_by_oid(const uint8_t *oid, size_t len)
{
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(curves); i++) {
		if (curves[i].oid_len == len && memcmp(curves[i].oid, oid, len) == 0)
			return &curves[i];
	}
	return NULL;
}

static const struct key_curve *
curve_by_family(const char *family)
{
	size_t i;

	for (i = 0; i < PLX_ARRAY_SIZE(curves); i++) {
		const char *at = strstr(curves[i].families, family);

		if (at != NULL && (at[strlen(family)] == ' ' || at[strlen(family)] == '\0'))
			return &curves[i];
	}
	return NULL;
}

static bool
is_secret_row(const struct plx_alg *alg)
{
	return alg->kind == PLX_ALG_KIND_CIPHER || alg->kind == PLX_ALG_KIND_AEAD ||
	       alg->kind == PLX_ALG_KIND_MAC;
}

static bool
has_stem(const struct plx_alg *alg, const char *stem)
{
	size_t len = strlen(stem);

	return strncmp(alg->name, stem, len) == 0 && alg->name[len] == '-';
}

static bool
is_rsa_row(const struct plx_alg *alg)
{
	return alg->kind == PLX_ALG_KIND_ASYM && has_stem(alg, "rsa");
}

/* Size in bits at the end of "aes-256"; 0 when there is none. Cuts it off. */
static uint32_t
size_cut(char *text)
{
	char *dash = strrchr(text, '-');
	char *end;
	unsigned long bits;

	if (dash == NULL || dash[1] < '0' || dash[1] > '9')
		return 0;
	bits = strtoul(dash + 1, &end, 10);
	if (*end != '\0' || bits > UINT32_MAX)
		return 0;
	*dash = '\0';
	return (uint32_t)bits;
}

/* A first word: "aes", "hmac-512", "rsa-2048", "ec-p256". False when the text is something else. */
static bool
stem_parse(char *text, struct key_bind *bind)
{
	const struct plx_alg *rows;
	size_t nb, i;

	if (strncmp(text, "ec-", 3) == 0) {
		for (i = 0; i < PLX_ARRAY_SIZE(curves); i++) {
			if (curves[i].type != KEY_TYPE_EC || strcmp(curves[i].name, text + 3) != 0)
				continue;
			bind->type = KEY_TYPE_EC;
			bind->curve = &curves[i];
			return true;
		}
		return false;
	}

	bind->bits = size_cut(text);
	if (strcmp(text, "rsa") == 0) {
		bind->type = KEY_TYPE_RSA;
		return true;
	}
	rows = plx_alg_table(&nb);
	for (i = 0; i < nb; i++) {
		size_t len = strlen(text);

		if (!is_secret_row(&rows[i]) || !has_stem(&rows[i], text) ||
		    len >= sizeof(bind->stem) || strchr(text, '-') != NULL)
			continue;
		bind->type = KEY_TYPE_SECRET;
		memcpy(bind->stem, text, len + 1);
		return true;
	}
	return false;
}

/* A family's own name, without a size; or a name with the size in it. */
static int
row_parse(const char *text, struct key_bind *bind, struct plx_err *err)
{
	struct plx_alg_spec spec = { .alg = plx_alg_find(text) };
	int ret;

	if (spec.alg == NULL) {
		ret = plx_alg_parse(text, &spec, err);
		if (ret < 0)
			return ret;
	}
	bind->alg = spec.alg;
	bind->bits = plx_alg_key_bits(&spec);
	if (is_secret_row(spec.alg)) {
		bind->type = KEY_TYPE_SECRET;
		return 0;
	}
	if (is_rsa_row(spec.alg)) {
		bind->type = KEY_TYPE_RSA;
		return 0;
	}
	bind->curve = curve_by_family(spec.alg->name);
	if (bind->curve == NULL)
		return plx_err_set(
			err, -EINVAL,
			"%s has no key that a container keeps; symmetric algorithms, rsa, ecdsa, "
			"ecdh, x25519, ed25519 and sm2 have",
			spec.alg->name);
	bind->type = bind->curve->type;
	bind->bits = 0; /* the curve says it */
	return 0;
}

int
keystore_bind_parse(const char *alg, struct key_bind *bind, struct plx_err *err)
{
	struct key_bind fresh = { 0 };
	char text[48];
	size_t i;
	int ret;

	if (strlen(alg) >= sizeof(text))
		return plx_err_set(
			err, -EINVAL,
			"\"%.48s...\" is too long for an algorithm; %zu characters are the most",
			alg, sizeof(text) - 1);
	for (i = 0; alg[i] != '\0'; i++)
		text[i] = alg[i] >= 'A' && alg[i] <= 'Z' ? (char)(alg[i] + 'a' - 'A') : alg[i];
	text[i] = '\0';

	if (!stem_parse(text, &fresh)) {
		memset(&fresh, 0, sizeof(fresh));
		ret = row_parse(alg, &fresh, err);
		if (ret < 0)
			return ret == -ENOENT || ret == -ERANGE ? -EINVAL : ret;
	}
	*bind = fresh;
	return 0;
}

/* Can a key that is bound so, of its size, be used with this row? */
bool
keystore_bind_serves(const struct key_bind *bind, const struct plx_alg *alg)
{
	if (bind->alg != NULL)
		return bind->alg == alg;

	switch (bind->type) {
	case KEY_TYPE_SECRET:
		return is_secret_row(alg) && has_stem(alg, bind->stem) && alg->nb_keys == 1 &&
		       plx_alg_range_has(&alg->key, bind->bits / 8);
	case KEY_TYPE_RSA:
		return is_rsa_row(alg);
	case KEY_TYPE_EC:
	case KEY_TYPE_ECX:
		return alg->kind == PLX_ALG_KIND_ASYM && curve_by_family(alg->name) == bind->curve;
	default:
		return false;
	}
}

uint32_t
keystore_bind_bits(const struct key_bind *bind, size_t bytes)
{
	struct plx_alg_spec spec = { .alg = bind->alg, .key_bytes = (uint16_t)bytes };

	return bind->alg == NULL ? (uint32_t)bytes * 8 : plx_alg_key_bits(&spec);
}

/* "aes-256-gcm", "aes-256", "rsa-2048", "ec-p256"; without the size where it is not known. */
void
keystore_bind_name(const struct key_bind *bind, char *buf, size_t len)
{
	const char *stem = bind->type == KEY_TYPE_RSA ? "rsa" : bind->stem;
	struct plx_alg_spec spec = { .alg = bind->alg };

	if (bind->alg != NULL && (bind->curve != NULL || bind->bits == 0)) {
		snprintf(buf, len, "%s", bind->alg->name);
	} else if (bind->alg != NULL) {
		spec.key_bytes = (uint16_t)((bind->bits + 7) / 8 * bind->alg->nb_keys);
		plx_alg_spec_name(&spec, buf, len);
	} else if (bind->curve != NULL) {
		snprintf(buf, len, "%s%s", bind->type == KEY_TYPE_EC ? "ec-" : "",
			 bind->curve->name);
	} else if (bind->bits != 0) {
		snprintf(buf, len, "%s-%u", stem, bind->bits);
	} else {
		snprintf(buf, len, "%s", stem);
	}
}
