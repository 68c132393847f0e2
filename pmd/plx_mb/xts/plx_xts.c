/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_xts.h"

#include <errno.h>
#include <string.h>

#include "plx_secret.h"

#include "xts_priv.h"

/*
 * What is the same for all kernels: the choice of one, checks of lengths and keys, and sectors as
 * units. A kernel sees nothing that was not checked here.
 */

#define CHUNK_UNITS 32 /* as many tweaks as the widest kernel makes at once */

const struct xts_kernel *const xts_kernels[] = { &xts_vaes512, &xts_vaes256, &xts_openssl, NULL };

static const struct xts_kernel *
kernel_choose(void)
{
	size_t i;

	for (i = 0; xts_kernels[i] != NULL; i++)
		if (xts_kernels[i]->is_usable())
			return xts_kernels[i];
	return &xts_openssl;
}

const char *
plx_xts_kernel_name(void)
{
	return kernel_choose()->name;
}

int
xts_key_init_on(struct plx_xts_key *key, const struct xts_kernel *kernel, const uint8_t *bytes,
		size_t len_bytes, struct plx_err *err)
{
	struct plx_xts_key made = { .kernel = kernel };
	int ret;

	if (len_bytes != PLX_XTS_KEY_128 && len_bytes != PLX_XTS_KEY_256)
		return plx_err_set(err, -EINVAL, "an AES-XTS key has %d or %d bytes, not %zu",
				   PLX_XTS_KEY_128, PLX_XTS_KEY_256, len_bytes);
	if (plx_ct_equal(bytes, bytes + len_bytes / 2, len_bytes / 2))
		return plx_err_set(err, -EKEYREJECTED,
				   "both halves of the AES-XTS key are the same, which makes it "
				   "weak; they have to be chosen apart");
	if (!kernel->is_usable())
		return plx_err_set(err, -ENOTSUP, "this CPU cannot run AES-XTS as %s",
				   kernel->name);
	made.nb_rounds = len_bytes == PLX_XTS_KEY_256 ? 14 : 10;
	ret = kernel->key_expand(&made, bytes);
	if (ret == 0)
		*key = made;
	else
		plx_err_set(err, ret, "OpenSSL did not take an AES-XTS key of %zu bytes",
			    len_bytes);
	plx_wipe(&made, sizeof(made));
	return ret;
}

int
plx_xts_key_init(struct plx_xts_key *key, const uint8_t *bytes, size_t len_bytes,
		 struct plx_err *err)
{
	return xts_key_init_on(key, kernel_choose(), bytes, len_bytes, err);
}

void
plx_xts_key_wipe(struct plx_xts_key *key)
{
	if (key->kernel != NULL && key->kernel->key_free != NULL)
		key->kernel->key_free(key);
	plx_wipe(key, sizeof(*key));
}

static int
units_crypt(const struct plx_xts_key *key, const struct plx_xts_unit *units, size_t nb, bool is_enc)
{
	size_t i;

	for (i = 0; i < nb; i++)
		if (units[i].len_bytes < PLX_XTS_BYTES_MIN ||
		    units[i].len_bytes > PLX_XTS_BYTES_MAX)
			return -EINVAL;
	return nb == 0 ? 0 : key->kernel->crypt(key, units, nb, is_enc);
}

static void
unit_set(struct plx_xts_unit *unit, const uint8_t *iv, const uint8_t *in, uint8_t *out,
	 size_t len_bytes)
{
	unit->iv = iv;
	unit->in = in;
	unit->out = out;
	unit->len_bytes = len_bytes;
}

static int
sectors_crypt(const struct plx_xts_key *key, const struct plx_xts_sectors *sectors,
	      const uint8_t *in, uint8_t *out, bool is_enc)
{
	size_t bytes = sectors->sector_bytes, at, n, i, total;
	struct plx_xts_unit units[CHUNK_UNITS];
	uint64_t ivs[CHUNK_UNITS][2] = { 0 };
	uint64_t number = sectors->first;
	int ret = 0;

	if (bytes < PLX_XTS_BYTES_MIN || bytes > PLX_XTS_BYTES_MAX ||
	    __builtin_mul_overflow(bytes, sectors->nb, &total))
		return -EINVAL;
	for (at = 0; at < sectors->nb && ret == 0; at += n) {
		n = sectors->nb - at < CHUNK_UNITS ? sectors->nb - at : CHUNK_UNITS;
		for (i = 0; i < n; i++, number += sectors->step) {
			ivs[i][0] = number;
			unit_set(&units[i], (const uint8_t *)ivs[i], in + (at + i) * bytes,
				 out + (at + i) * bytes, bytes);
		}
		ret = key->kernel->crypt(key, units, n, is_enc);
	}
	return ret;
}

int
plx_xts_encrypt(const struct plx_xts_key *key, const uint8_t iv[PLX_XTS_IV_BYTES],
		const uint8_t *in, uint8_t *out, size_t len_bytes)
{
	struct plx_xts_unit unit;

	unit_set(&unit, iv, in, out, len_bytes);
	return units_crypt(key, &unit, 1, true);
}

int
plx_xts_decrypt(const struct plx_xts_key *key, const uint8_t iv[PLX_XTS_IV_BYTES],
		const uint8_t *in, uint8_t *out, size_t len_bytes)
{
	struct plx_xts_unit unit;

	unit_set(&unit, iv, in, out, len_bytes);
	return units_crypt(key, &unit, 1, false);
}

int
plx_xts_encrypt_units(const struct plx_xts_key *key, const struct plx_xts_unit *units, size_t nb)
{
	return units_crypt(key, units, nb, true);
}

int
plx_xts_decrypt_units(const struct plx_xts_key *key, const struct plx_xts_unit *units, size_t nb)
{
	return units_crypt(key, units, nb, false);
}

int
plx_xts_encrypt_sectors(const struct plx_xts_key *key, const struct plx_xts_sectors *sectors,
			const uint8_t *in, uint8_t *out)
{
	return sectors_crypt(key, sectors, in, out, true);
}

int
plx_xts_decrypt_sectors(const struct plx_xts_key *key, const struct plx_xts_sectors *sectors,
			const uint8_t *in, uint8_t *out)
{
	return sectors_crypt(key, sectors, in, out, false);
}
