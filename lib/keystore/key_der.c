/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <string.h>

#include <openssl/asn1.h>
#include <openssl/err.h>

#include "keystore_priv.h"

/*
 * DER to numbers, without copies: views into the caller's bytes. Known by their shape are
 *
 *   PrivateKeyInfo        SEQUENCE { INTEGER, SEQUENCE, OCTET STRING ... }   RFC 5958
 *   RSAPrivateKey         SEQUENCE { INTEGER 0, 8 INTEGER }                  RFC 8017 A.1.2
 *   ECPrivateKey          SEQUENCE { INTEGER 1, OCTET STRING ... }           RFC 5915
 *   SubjectPublicKeyInfo  SEQUENCE { SEQUENCE, BIT STRING }                  RFC 5280
 *   RSAPublicKey          SEQUENCE { INTEGER, INTEGER }                      RFC 8017 A.1.1
 *   EncryptedPrivateKeyInfo  SEQUENCE { SEQUENCE, OCTET STRING }, refused
 *
 * Each header is read by OpenSSL's ASN1_get_object(). What a number means is not checked here.
 */

#define TAG_CONTEXT 0x100 /* plus the number of a context-specific tag */
#define TAG_NONE    (-1)

struct cursor {
	const uint8_t *at;
	const uint8_t *end;
};

static const uint8_t oid_rsa[] = { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01 };
static const uint8_t oid_rsa_pss[] = { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a };
static const uint8_t oid_ec[] = { 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01 };

/* The tag at the cursor and where its content lies; TAG_NONE at the end and for broken headers. */
static int
cursor_peek(const struct cursor *c, struct cursor *content)
{
	const unsigned char *p = c->at;
	int tag, class, ret;
	long len;

	if (c->at >= c->end)
		return TAG_NONE;
	ret = ASN1_get_object(&p, &len, &tag, &class, (long)(c->end - c->at));
	if ((ret & 0x80) != 0 || (ret & 1) != 0 || len < 0 || len > c->end - p)
		return TAG_NONE; /* broken, or of indefinite length, which DER has not */
	content->at = p;
	content->end = p + len;
	if (class == V_ASN1_CONTEXT_SPECIFIC)
		return TAG_CONTEXT + tag;
	return class == V_ASN1_UNIVERSAL ? tag : TAG_NONE;
}

static bool
cursor_take(struct cursor *c, int tag, struct cursor *content)
{
	struct cursor found;

	if (cursor_peek(c, &found) != tag)
		return false;
	c->at = found.end;
	*content = found;
	return true;
}

static bool
cursor_is(const struct cursor *c, const uint8_t *bytes, size_t len)
{
	return (size_t)(c->end - c->at) == len && memcmp(c->at, bytes, len) == 0;
}

/* A number above zero, without the zero bytes in front. */
static bool
take_number(struct cursor *c, struct key_view *out)
{
	struct cursor content;

	if (!cursor_take(c, V_ASN1_INTEGER, &content) || content.at == content.end ||
	    (content.at[0] & 0x80) != 0)
		return false;
	while (content.at < content.end && content.at[0] == 0)
		content.at++;
	out->data = content.at;
	out->len = (size_t)(content.end - content.at);
	return out->len > 0 && out->len <= KEY_PART_MAX_BYTES;
}

/* A version: one byte. -1 for anything else. */
static int
take_version(struct cursor *c)
{
	struct cursor content;

	if (!cursor_take(c, V_ASN1_INTEGER, &content) || content.end - content.at != 1)
		return -1;
	return content.at[0];
}

static bool
take_bit_string(struct cursor *c, struct cursor *content)
{
	if (!cursor_take(c, V_ASN1_BIT_STRING, content) || content->at == content->end ||
	    content->at[0] != 0)
		return false;
	content->at++; /* no unused bits */
	return true;
}

static void
view_set(struct key_view *v, const struct cursor *c)
{
	v->data = c->at;
	v->len = (size_t)(c->end - c->at);
}

static int
refuse_broken(const char *what, struct plx_err *err)
{
	return plx_err_set(err, -EINVAL,
			   "the %s is broken: it does not follow its format; write the file anew",
			   what);
}

/* The cursor stands on what the SEQUENCE of an RSAPrivateKey holds. */
static int
parse_rsa_private(struct cursor c, struct key_material *m, struct plx_err *err)
{
	int version = take_version(&c);
	int i;

	if (version == 1)
		return plx_err_set(
			err, -EINVAL,
			"the RSA key has more than two primes; keys of two primes are taken");
	if (version != 0)
		return refuse_broken("RSA private key", err);

	for (i = KEY_PART_N; i <= KEY_PART_QINV; i++) {
		if (!take_number(&c, &m->part[i]))
			return refuse_broken("RSA private key", err);
	}
	m->type = KEY_TYPE_RSA;
	m->is_private = true;
	return 0;
}

static int
parse_rsa_public(struct cursor c, struct key_material *m, struct plx_err *err)
{
	if (!take_number(&c, &m->part[KEY_PART_N]) || !take_number(&c, &m->part[KEY_PART_E]))
		return refuse_broken("RSA public key", err);
	m->type = KEY_TYPE_RSA;
	return 0;
}

static int
curve_set(struct key_material *m, const struct cursor *oid, struct plx_err *err)
{
	m->curve = keystore_curve_by_oid(oid->at, (size_t)(oid->end - oid->at));
	if (m->curve == NULL)
		return plx_err_set(
			err, -EINVAL,
			"the key's curve or type is not one of P-256, P-384, P-521, SM2, X25519, "
			"Ed25519 and RSA, which are taken");
	m->type = m->curve->type;
	return 0;
}

/* What the SEQUENCE of an ECPrivateKey holds; PKCS#8 has named the curve already. */
static int
parse_ec_private(struct cursor c, struct key_material *m, struct plx_err *err)
{
	struct cursor scalar, outer, inner;
	int ret;

	if (take_version(&c) != 1 || !cursor_take(&c, V_ASN1_OCTET_STRING, &scalar))
		return refuse_broken("EC private key", err);
	view_set(&m->part[KEY_PART_SECRET], &scalar);
	m->is_private = true;

	if (cursor_take(&c, TAG_CONTEXT + 0, &outer) && m->curve == NULL) {
		if (!cursor_take(&outer, V_ASN1_OBJECT, &inner))
			return plx_err_set(
				err, -EINVAL,
				"the EC key spells its curve out; curves are taken by name only");
		ret = curve_set(m, &inner, err);
		if (ret < 0)
			return ret;
	}
	if (cursor_take(&c, TAG_CONTEXT + 1, &outer)) {
		if (!take_bit_string(&outer, &inner))
			return refuse_broken("EC private key", err);
		view_set(&m->part[KEY_PART_PUBLIC], &inner);
	}
	if (m->curve == NULL)
		return plx_err_set(err, -EINVAL, "the EC private key does not say its curve");
	return m->type == KEY_TYPE_EC ? 0 : refuse_broken("EC private key", err);
}

/* AlgorithmIdentifier: type and curve of what follows. */
static int
parse_algorithm(struct cursor c, struct key_material *m, struct plx_err *err)
{
	struct cursor oid, curve;

	if (!cursor_take(&c, V_ASN1_OBJECT, &oid))
		return refuse_broken("key's algorithm", err);
	if (cursor_is(&oid, oid_rsa, sizeof(oid_rsa))) {
		m->type = KEY_TYPE_RSA;
		return 0;
	}
	if (cursor_is(&oid, oid_rsa_pss, sizeof(oid_rsa_pss))) {
		if (c.at != c.end)
			return plx_err_set(
				err, -EINVAL,
				"the RSA-PSS key carries restrictions; keys without are taken");
		m->type = KEY_TYPE_RSA;
		m->is_pss_only = true;
		return 0;
	}
	if (!cursor_is(&oid, oid_ec, sizeof(oid_ec)))
		return curve_set(m, &oid, err);
	if (!cursor_take(&c, V_ASN1_OBJECT, &curve))
		return plx_err_set(
			err, -EINVAL,
			"the EC key spells its curve out; curves are taken by name only");
	return curve_set(m, &curve, err);
}

static int
parse_pkcs8(struct cursor c, struct key_material *m, struct plx_err *err)
{
	struct cursor algorithm, key, inner;
	int version = take_version(&c);
	int ret;

	if ((version != 0 && version != 1) || !cursor_take(&c, V_ASN1_SEQUENCE, &algorithm) ||
	    !cursor_take(&c, V_ASN1_OCTET_STRING, &key))
		return refuse_broken("PKCS#8 private key", err);
	ret = parse_algorithm(algorithm, m, err);
	if (ret < 0)
		return ret;

	if (m->type == KEY_TYPE_ECX) {
		/* RFC 8410 7: an OCTET STRING within the OCTET STRING */
		if (!cursor_take(&key, V_ASN1_OCTET_STRING, &inner))
			return refuse_broken("PKCS#8 private key", err);
		view_set(&m->part[KEY_PART_SECRET], &inner);
		m->is_private = true;
		return 0;
	}
	if (!cursor_take(&key, V_ASN1_SEQUENCE, &inner))
		return refuse_broken("PKCS#8 private key", err);
	return m->type == KEY_TYPE_RSA ? parse_rsa_private(inner, m, err)
				       : parse_ec_private(inner, m, err);
}

static int
parse_spki(struct cursor c, struct key_material *m, struct plx_err *err)
{
	struct cursor algorithm, key, inner;
	int ret;

	if (!cursor_take(&c, V_ASN1_SEQUENCE, &algorithm) || !take_bit_string(&c, &key))
		return refuse_broken("public key", err);
	ret = parse_algorithm(algorithm, m, err);
	if (ret < 0)
		return ret;
	if (m->type == KEY_TYPE_RSA) {
		if (!cursor_take(&key, V_ASN1_SEQUENCE, &inner))
			return refuse_broken("public key", err);
		return parse_rsa_public(inner, m, err);
	}
	view_set(&m->part[KEY_PART_PUBLIC], &key);
	return 0;
}

static int
parse_by_shape(struct cursor c, struct key_material *m, struct plx_err *err)
{
	struct cursor rest = c;
	struct cursor skipped;
	int first = cursor_peek(&rest, &skipped);
	int second, third;

	rest.at = first == TAG_NONE ? rest.end : skipped.end;
	second = cursor_peek(&rest, &skipped);
	rest.at = second == TAG_NONE ? rest.end : skipped.end;
	third = cursor_peek(&rest, &skipped);

	if (first == V_ASN1_SEQUENCE && second == V_ASN1_BIT_STRING)
		return parse_spki(c, m, err);
	if (first == V_ASN1_SEQUENCE && second == V_ASN1_OCTET_STRING)
		return plx_err_set(
			err, -EINVAL,
			"the key is encrypted and nobody is asked for a passphrase here; decrypt "
			"it with \"openssl pkey -in FILE -out CLEAR\"");
	if (first == V_ASN1_INTEGER && second == V_ASN1_SEQUENCE)
		return parse_pkcs8(c, m, err);
	if (first == V_ASN1_INTEGER && second == V_ASN1_OCTET_STRING)
		return parse_ec_private(c, m, err);
	if (first == V_ASN1_INTEGER && second == V_ASN1_INTEGER)
		return third == TAG_NONE ? parse_rsa_public(c, m, err)
					 : parse_rsa_private(c, m, err);
	return plx_err_set(err, -EINVAL,
			   "the file holds DER, but no PKCS#8, RSA, EC or public key");
}

/* The views of m point into der. */
int
keystore_der_parse(const uint8_t *der, size_t len, struct key_material *m, struct plx_err *err)
{
	struct key_material fresh = { 0 };
	struct cursor c = { der, der + len };
	struct cursor content;
	int ret;

	ERR_set_mark();
	if (!cursor_take(&c, V_ASN1_SEQUENCE, &content))
		ret = plx_err_set(err, -EINVAL,
				  "the file is cut short or no key; PEM and DER keys are taken");
	else if (c.at != c.end)
		ret = plx_err_set(err, -EINVAL, "%zu bytes follow the key; a file holds one key",
				  (size_t)(c.end - c.at));
	else
		ret = parse_by_shape(content, &fresh, err);
	ERR_pop_to_mark();

	if (ret == 0)
		*m = fresh;
	return ret;
}
