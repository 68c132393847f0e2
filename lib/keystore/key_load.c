/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_keystore.h"

#include <errno.h>
#include <string.h>

#include "keystore_priv.h"

/*
 * Keys that come from outside: a file, or bytes of the caller. Whatever comes is checked before it
 * becomes a key, and the place it came from is named in front of the sentence.
 */

/* A file that begins so is text around a key, not the key. */
static bool
looks_like_pem(const uint8_t *bytes, size_t len)
{
	return len > 11 && memcmp(bytes, "-----BEGIN ", 11) == 0;
}

/* The first row a key bound so could serve, were its size right. */
static const struct plx_alg *
row_of_bind(const struct key_bind *bind)
{
	const struct plx_alg *rows;
	struct key_bind sized = *bind;
	size_t nb, i;

	rows = plx_alg_table(&nb);
	for (i = 0; i < nb; i++) {
		sized.bits = rows[i].key.min * 8u;
		if (keystore_bind_serves(&sized, &rows[i]))
			return &rows[i];
	}
	return NULL;
}

static int
refuse_length(const struct key_bind *bind, size_t len, struct plx_err *err)
{
	const struct plx_alg *row = row_of_bind(bind);
	const char *name = bind->alg != NULL ? bind->alg->name : bind->stem;

	if (row == NULL || row->key.step == 0)
		return plx_err_set(err, -EINVAL, "%s takes raw keys of %u bytes, not of %zu", name,
				   row == NULL ? 0u : row->key.min, len);
	return plx_err_set(err, -EINVAL,
			   "%s takes raw keys of %u to %u bytes in steps of %u, not of %zu", name,
			   row->key.min, row->key.max, row->key.step, len);
}

/* Is it a key of what it is said to be? */
int
keystore_secret_check(const struct key_bind *bind, const uint8_t *bytes, size_t len,
		      struct plx_err *err)
{
	struct key_bind sized = *bind;
	const struct plx_alg *rows;
	bool fits = false;
	size_t nb, i;

	if (looks_like_pem(bytes, len))
		return plx_err_set(
			err, -EINVAL,
			"it is PEM, but a symmetric key is its raw bytes; for an asymmetric key "
			"leave the algorithm out");
	sized.bits = keystore_bind_bits(bind, len);
	if (bind->bits != 0 && bind->bits != sized.bits)
		return plx_err_set(
			err, -EINVAL,
			"%zu bytes make no key of %u bits; a symmetric key is its raw bytes, "
			"neither hexadecimal nor base64",
			len, bind->bits);

	rows = plx_alg_table(&nb);
	for (i = 0; i < nb && !fits; i++)
		fits = keystore_bind_serves(&sized, &rows[i]) &&
		       plx_alg_range_has(&rows[i].key, (uint32_t)len);
	if (!fits)
		return refuse_length(bind, len, err);
	if (bind->alg != NULL && bind->alg->nb_keys == 2 &&
	    plx_ct_equal(bytes, bytes + len / 2, len / 2))
		return plx_err_set(err, -EINVAL, "the two halves of the %s key are equal",
				   bind->alg->name);
	return 0;
}

static int
import_secret(struct plx_keystore *ks, const struct key_bind *bind, const uint8_t *bytes,
	      size_t len, struct key **out, struct plx_err *err)
{
	struct key_material m = { .type = KEY_TYPE_SECRET, .is_private = true };
	int ret;

	ret = keystore_secret_check(bind, bytes, len, err);
	if (ret < 0)
		return ret;
	m.part[KEY_PART_SECRET].data = bytes;
	m.part[KEY_PART_SECRET].len = len;
	return keystore_key_make(ks, bind, &m, out, err);
}

/* What the file says against what the caller asked for; NULL asked means anything. */
static int
bind_agree(const struct key_bind *asked, const struct key_material *m, struct key_bind *bind,
	   struct plx_err *err)
{
	char want[32], have[32];

	bind->type = m->type;
	bind->curve = m->curve;
	if (m->is_pss_only)
		bind->alg = plx_alg_find("rsa-pss");
	if (m->type == KEY_TYPE_RSA)
		bind->bits = keystore_view_bits(&m->part[KEY_PART_N]);
	if (asked == NULL)
		return 0;

	if (asked->type != m->type || asked->curve != m->curve ||
	    (asked->bits != 0 && asked->bits != bind->bits) ||
	    (bind->alg != NULL && asked->alg != NULL && asked->alg != bind->alg)) {
		keystore_bind_name(asked, want, sizeof(want));
		keystore_bind_name(bind, have, sizeof(have));
		return plx_err_set(err, -EINVAL, "the file holds a key of %s, asked for is %s",
				   have, want);
	}
	if (asked->alg != NULL)
		bind->alg = asked->alg;
	return 0;
}

/* The file's bytes are decoded in place. */
static int
import_asym(struct plx_keystore *ks, const struct key_bind *asked, struct key_file *file,
	    struct key **out, struct plx_err *err)
{
	uint8_t point[KEY_POINT_MAX_BYTES];
	struct key_bind bind = { 0 };
	struct key_material m;
	int ret = 0;

	if (file->bytes[0] != 0x30) /* DER: a SEQUENCE */
		ret = keystore_pem_to_der(file->bytes, &file->len, err);
	if (ret == 0)
		ret = keystore_der_parse(file->bytes, file->len, &m, err);
	if (ret == 0)
		ret = bind_agree(asked, &m, &bind, err);
	if (ret == 0)
		ret = keystore_asym_check(&m, point, err);
	return ret < 0 ? ret : keystore_key_make(ks, &bind, &m, out, err);
}

/* A key that is in neither slot nor container yet. */
static int
load_file(struct plx_keystore *ks, const struct key_bind *asked, const char *path, struct key **out,
	  struct plx_err *err)
{
	struct key_file file;
	int ret;

	ret = keystore_file_read(path, &file, err);
	if (ret < 0)
		return ret;
	if (asked != NULL && asked->type == KEY_TYPE_SECRET)
		ret = import_secret(ks, asked, file.bytes, file.len, out, err);
	else
		ret = import_asym(ks, asked, &file, out, err);
	if (ret < 0)
		plx_err_prefix(err, "key file %s", path);
	else
		(*out)->was_exposed = file.is_exposed && (*out)->is_private;
	plx_secret_free(file.bytes);
	return ret;
}

/* NOLINTBEGIN(readability-function-size): where, what, from what and two answers are seven */
int
plx_key_load(struct plx_keystore *ks, const char *container, const char *name, const char *alg,
	     const char *path, plx_key_handle *handle, struct plx_err *err)
{
	struct key_bind asked;
	struct container *c;
	struct key *key = NULL;
	int ret;

	ret = keystore_key_place(ks, container, name, &c, err);
	if (ret == 0 && alg != NULL)
		ret = keystore_bind_parse(alg, &asked, err);
	if (ret == 0)
		ret = load_file(ks, alg == NULL ? NULL : &asked, path, &key, err);
	if (ret < 0 || key == NULL)
		return ret;

	ret = keystore_key_insert(ks, c, name, key, handle, err);
	if (ret < 0) {
		keystore_key_free(key);
		return ret;
	}
	if (key->was_exposed)
		KEYSTORE_LOG(
			WARNING,
			"key %s/%s: every user of this machine can read %s; take the right away with "
			"\"chmod o-r\"\n",
			c->name, key->name, path);
	return 0;
}

int
plx_key_import(struct plx_keystore *ks, const char *container, const char *name, const char *alg,
	       const void *bytes, size_t len, plx_key_handle *handle, struct plx_err *err)
{
	struct key_bind bind;
	struct container *c;
	struct key *key = NULL;
	int ret;

	ret = keystore_key_place(ks, container, name, &c, err);
	if (ret < 0)
		return ret;
	if (alg == NULL)
		return plx_err_set(
			err, -EINVAL,
			"say what the bytes are a key of, such as aes-256-gcm or hmac-sha256");
	ret = keystore_bind_parse(alg, &bind, err);
	if (ret < 0)
		return ret;
	if (bind.type != KEY_TYPE_SECRET)
		return plx_err_set(
			err, -EINVAL,
			"a key of %s is loaded from a file or generated; bytes are taken for "
			"symmetric algorithms",
			alg);
	if (len == 0 || len > KEY_FILE_MAX_BYTES)
		return plx_err_set(err, -EINVAL, "a key has 1 to %d bytes, not %zu",
				   KEY_FILE_MAX_BYTES, len);

	ret = import_secret(ks, &bind, bytes, len, &key, err);
	if (ret < 0)
		return ret;
	ret = keystore_key_insert(ks, c, name, key, handle, err);
	if (ret < 0)
		keystore_key_free(key);
	return ret;
}
/* NOLINTEND(readability-function-size) */
