/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "demo_tool.h"
#include "job_file.h"
#include "plx_secret.h"
#include "plx_units.h"
#include "seal_format.h"

/* The "openssl" command reads no AEAD, so the authenticated file is opened with OpenSSL's library.
 */

struct opener {
	struct job_in sealed, plain;
	struct seal_header header;
	EVP_CIPHER_CTX *ctx;
	uint8_t *record, *out, *want;
};

static int
open_record(struct opener *o, uint64_t record, uint32_t len, bool is_last, struct plx_err *err)
{
	uint64_t stride = (uint64_t)o->header.record_bytes + SEAL_TAG_BYTES;
	uint8_t nonce[SEAL_NONCE_BYTES], aad[SEAL_AAD_BYTES];
	int n, ret;

	ret = job_in_read(&o->sealed, SEAL_HEADER_BYTES + record * stride, o->record,
			  len + SEAL_TAG_BYTES, err);
	if (ret == 0)
		ret = job_in_read(&o->plain, record * o->header.record_bytes, o->want, len, err);
	if (ret < 0)
		return ret;
	seal_record_nonce(&o->header, record, nonce);
	seal_record_aad(&o->header, record, is_last, aad);
	if (EVP_DecryptInit_ex(o->ctx, NULL, NULL, NULL, nonce) != 1 ||
	    EVP_DecryptUpdate(o->ctx, NULL, &n, aad, sizeof(aad)) != 1 ||
	    EVP_DecryptUpdate(o->ctx, o->out, &n, o->record, (int)len) != 1 ||
	    EVP_CIPHER_CTX_ctrl(o->ctx, EVP_CTRL_AEAD_SET_TAG, SEAL_TAG_BYTES, o->record + len) !=
		    1 ||
	    EVP_DecryptFinal_ex(o->ctx, o->out + n, &n) != 1)
		return plx_err_set(err, -EBADMSG, "OpenSSL does not open record %llu",
				   (unsigned long long)record);
	if (memcmp(o->out, o->want, len) != 0)
		return plx_err_set(err, -EBADMSG, "record %llu has another content",
				   (unsigned long long)record);
	return 0;
}

static int
open_all(struct opener *o, const uint8_t *key, struct plx_err *err)
{
	uint8_t bytes[SEAL_HEADER_BYTES];
	uint32_t last_bytes = 0;
	uint64_t nb = 0, i;
	int ret;

	ret = job_in_read(&o->sealed, 0, bytes, sizeof(bytes), err);
	if (ret == 0)
		ret = seal_header_parse(&o->header, bytes, err);
	if (ret == 0)
		ret = seal_nb_records_sealed(&o->header, o->sealed.size - SEAL_HEADER_BYTES, &nb,
					     &last_bytes, err);
	if (ret < 0)
		return ret;
	o->ctx = EVP_CIPHER_CTX_new();
	o->record = malloc(o->header.record_bytes + SEAL_TAG_BYTES);
	o->out = malloc(o->header.record_bytes + SEAL_TAG_BYTES);
	o->want = malloc(o->header.record_bytes);
	if (o->ctx == NULL || o->record == NULL || o->out == NULL || o->want == NULL ||
	    EVP_DecryptInit_ex(o->ctx, EVP_aes_256_gcm(), NULL, key, NULL) != 1)
		return plx_err_set(err, -ENOMEM, "no memory");
	if (o->plain.size != (nb - 1) * o->header.record_bytes + last_bytes)
		return plx_err_set(err, -EBADMSG, "the lengths differ");
	for (i = 0; ret == 0 && i < nb; i++)
		ret = open_record(o, i, i + 1 == nb ? last_bytes : o->header.record_bytes,
				  i + 1 == nb, err);
	return ret;
}

int
demo_open_sealed(const char *sealed, const char *plain, const char *key_hex, struct plx_err *err)
{
	struct opener o = { .sealed.fd = -1, .plain.fd = -1 };
	uint8_t key[32];
	int ret;

	if (plx_hex_decode(key_hex, key, sizeof(key)) != (int)sizeof(key))
		return plx_err_set(err, -EINVAL, "the key has a wrong length");
	ret = job_in_open(&o.sealed, sealed, err);
	if (ret == 0)
		ret = job_in_open(&o.plain, plain, err);
	if (ret == 0)
		ret = open_all(&o, key, err);
	EVP_CIPHER_CTX_free(o.ctx);
	free(o.record);
	free(o.out);
	free(o.want);
	job_in_close(&o.sealed);
	job_in_close(&o.plain);
	plx_wipe(key, sizeof(key));
	return ret;
}
