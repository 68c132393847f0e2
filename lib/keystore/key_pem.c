/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <string.h>

#include "keystore_priv.h"

/*
 * PEM (RFC 7468) to DER, in place: base64 gets shorter as it is decoded, so the bytes never leave
 * the secret memory they were read into. OpenSSL's decoders would do the work, but they leave the
 * whole DER of a private key in heap memory that they free without wiping.
 *
 * The first block that holds a key counts; parameters and certificates before it are passed over,
 * as in the bundles that proxies read.
 */

struct text {
	const char *at;
	const char *end;
};

struct line {
	const char *at;
	size_t len;
};

#define FORMATS_TAKEN                                                                              \
	"taken are PRIVATE KEY, RSA PRIVATE KEY, EC PRIVATE KEY, PUBLIC KEY and RSA PUBLIC KEY"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool
line_next(struct text *t, struct line *line)
{
	const char *nl;

	if (t->at == t->end)
		return false;
	line->at = t->at;
	nl = memchr(t->at, '\n', (size_t)(t->end - t->at));
	line->len = (size_t)((nl == NULL ? t->end : nl) - t->at);
	t->at = nl == NULL ? t->end : nl + 1;
	while (line->len > 0 && is_blank(line->at[line->len - 1]))
		line->len--;
	return true;
}

/* The label of "-----BEGIN label-----". */
static bool
line_label(const struct line *line, const char *verb, struct line *label)
{
	size_t head = strlen(verb);

	if (line->len < head + 5 || memcmp(line->at, verb, head) != 0 ||
	    memcmp(line->at + line->len - 5, "-----", 5) != 0)
		return false;
	label->at = line->at + head;
	label->len = line->len - head - 5;
	return true;
}

/* Our own copy of the label when it is one of the names; the file's is overwritten by the decoder.
 */
static const char *
label_find(const struct line *label, const char *const *names, size_t nb)
{
	size_t i;

	for (i = 0; i < nb; i++) {
		if (strlen(names[i]) == label->len && memcmp(names[i], label->at, label->len) == 0)
			return names[i];
	}
	return NULL;
}

static int
base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+')
		return 62;
	return c == '/' ? 63 : -1;
}

/* A body being decoded; nb_pad counts '=', behind which nothing but '=' may come. */
struct body {
	uint8_t *out;
	size_t len;
	uint32_t bits;
	uint32_t nb_chars;
	uint32_t nb_pad;
};

static bool
body_add_line(struct body *b, const struct line *line)
{
	size_t i;
	int value;

	for (i = 0; i < line->len; i++) {
		char c = line->at[i];

		b->nb_chars++;
		if (c == '=' && b->nb_pad < 2) {
			b->nb_pad++;
			continue;
		}
		value = base64_value(c);
		if (value < 0 || b->nb_pad != 0)
			return false;
		b->bits = b->bits << 6 | (uint32_t)value;
		if (b->nb_chars % 4 == 2)
			b->out[b->len++] = (uint8_t)(b->bits >> 4);
		else if (b->nb_chars % 4 == 3)
			b->out[b->len++] = (uint8_t)(b->bits >> 2);
		else if (b->nb_chars % 4 == 0)
			b->out[b->len++] = (uint8_t)b->bits;
	}
	return true;
}

static int
refuse_encrypted(struct plx_err *err)
{
	return plx_err_set(
		err, -EINVAL,
		"the key is encrypted and nobody is asked for a passphrase here; decrypt it with "
		"\"openssl pkey -in FILE -out CLEAR\" on a file system that keeps it safe");
}

/* From behind the BEGIN line to the END line; headers (RFC 1421) end with an empty line. */
static int
body_decode(struct text *t, const char *label, struct body *b, struct plx_err *err)
{
	struct line line, end;
	bool in_headers = false;
	bool ok = true;

	while (line_next(t, &line)) {
		if (line_label(&line, "-----END ", &end)) {
			if (label_find(&end, &label, 1) == NULL)
				break;
			if (ok && b->nb_chars != 0 && b->nb_chars % 4 == 0)
				return 0;
			return plx_err_set(
				err, -EINVAL,
				"the PEM block %s holds characters that are not base64, or lacks "
				"some; write the file anew",
				label);
		}
		if (b->nb_chars == 0 && memchr(line.at, ':', line.len) != NULL)
			in_headers = true;
		if (in_headers) {
			if (memmem(line.at, line.len, "ENCRYPTED", 9) != NULL)
				return refuse_encrypted(err);
			in_headers = line.len != 0;
			continue;
		}
		ok = ok && body_add_line(b, &line);
	}
	return plx_err_set(err, -EINVAL, "the PEM block %s does not end; the file is cut short",
			   label);
}

static int
refuse_label(const struct line *label, struct plx_err *err)
{
	char shown[40];
	size_t i;

	for (i = 0; i < label->len && i < sizeof(shown) - 1; i++)
		shown[i] = label->at[i] >= ' ' && label->at[i] <= '~' ? label->at[i] : '?';
	shown[i] = '\0';
	return plx_err_set(
		err, -EINVAL,
		"a PEM block %s is not read; " FORMATS_TAKEN "; \"openssl pkey\" converts", shown);
}

/* Make DER of the first key in a PEM text; *len is the text's length, then the DER's. */
int
keystore_pem_to_der(uint8_t *bytes, size_t *len, struct plx_err *err)
{
	static const char *const taken[] = { "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY",
					     "PUBLIC KEY", "RSA PUBLIC KEY" };
	static const char *const passed[] = { "EC PARAMETERS",    "DH PARAMETERS",
					      "SM2 PARAMETERS",   "CERTIFICATE",
					      "X509 CERTIFICATE", "TRUSTED CERTIFICATE" };
	static const char *const encrypted[] = { "ENCRYPTED PRIVATE KEY" };
	struct text t = { (const char *)bytes, (const char *)bytes + *len };
	struct body b = { 0 };
	struct line line, label;
	bool has_other = false;
	const char *name;
	int ret;

	b.out = bytes;
	while (line_next(&t, &line)) {
		if (!line_label(&line, "-----BEGIN ", &label))
			continue;
		if (label_find(&label, encrypted, PLX_ARRAY_SIZE(encrypted)) != NULL)
			return refuse_encrypted(err);
		if (label_find(&label, passed, PLX_ARRAY_SIZE(passed)) != NULL) {
			has_other = true;
			continue;
		}
		name = label_find(&label, taken, PLX_ARRAY_SIZE(taken));
		if (name == NULL)
			return refuse_label(&label, err);

		ret = body_decode(&t, name, &b, err);
		if (ret == 0)
			*len = b.len;
		return ret;
	}
	if (has_other)
		return plx_err_set(
			err, -EINVAL,
			"the PEM file has certificates or parameters but no key; \"openssl x509 "
			"-pubkey -noout\" writes a certificate's public key");
	return plx_err_set(err, -EINVAL, "the file is neither PEM nor DER; " FORMATS_TAKEN);
}
