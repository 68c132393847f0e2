/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include "keystore_priv.h"

/*
 * Keys on curves: the private scalar is in range, the point is on the curve and belongs to the
 * scalar, and a private key without its point gets one. Points are kept uncompressed.
 * Multiplication is OpenSSL's constant-time ladder.
 */

struct ec_work {
	EC_GROUP *group;
	EC_POINT *own;   /* scalar times generator */
	EC_POINT *given; /* what the file says */
	BIGNUM *scalar;
	BN_CTX *ctx;
};

static void
ec_work_free(struct ec_work *w)
{
	BN_clear_free(w->scalar);
	EC_POINT_clear_free(w->own);
	EC_POINT_free(w->given);
	EC_GROUP_free(w->group);
	BN_CTX_free(w->ctx);
}

static bool
ec_work_make(const struct key_material *m, struct ec_work *w)
{
	const struct key_view *v = &m->part[KEY_PART_SECRET];

	w->ctx = BN_CTX_secure_new();
	w->scalar = BN_secure_new();
	w->group = EC_GROUP_new_by_curve_name(m->curve->nid);
	if (w->ctx == NULL || w->scalar == NULL || w->group == NULL)
		return false;
	w->own = EC_POINT_new(w->group);
	w->given = EC_POINT_new(w->group);
	BN_set_flags(w->scalar, BN_FLG_CONSTTIME);
	return w->own != NULL && w->given != NULL &&
	       (v->len == 0 || BN_bin2bn(v->data, (int)v->len, w->scalar) != NULL);
}

/* Was it memory that failed OpenSSL? Takes all errors off this thread's queue. */
static bool
is_out_of_memory(void)
{
	unsigned long code;
	bool found = false;

	while ((code = ERR_get_error()) != 0)
		found = found || ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE;
	return found;
}

static int
ec_point_read(struct ec_work *w, const struct key_view *v, struct plx_err *err)
{
	if (EC_POINT_oct2point(w->group, w->given, v->data, v->len, w->ctx) == 1 &&
	    !EC_POINT_is_at_infinity(w->group, w->given))
		return 0;
	if (is_out_of_memory())
		return plx_err_set(err, -ENOMEM, "no memory to check an EC key");
	return plx_err_set(err, -EINVAL, "the EC key's public point is not on its curve");
}

static int
ec_scalar_apply(struct ec_work *w, bool has_given, struct plx_err *err)
{
	int ret;

	if (BN_is_zero(w->scalar) || BN_cmp(w->scalar, EC_GROUP_get0_order(w->group)) >= 0)
		return plx_err_set(err, -EINVAL,
				   "the EC private key is 0 or not below the order of its curve");
	if (EC_POINT_mul(w->group, w->own, w->scalar, NULL, NULL, w->ctx) != 1)
		return plx_err_set(err, -ENOMEM, "no memory to check an EC key");
	if (!has_given)
		return 0;
	ret = EC_POINT_cmp(w->group, w->own, w->given, w->ctx);
	if (ret < 0)
		return plx_err_set(err, -ENOMEM, "no memory to check an EC key");
	if (ret > 0)
		return plx_err_set(err, -EINVAL,
				   "the EC key's public point does not belong to its private key");
	return 0;
}

static int
ec_complete(struct key_material *m, uint8_t *point, struct plx_err *err)
{
	const struct key_view *public = &m->part[KEY_PART_PUBLIC];
	struct ec_work w = { 0 };
	size_t len;
	int ret = 0;

	if (m->part[KEY_PART_SECRET].len > (m->curve->bits + 7) / 8)
		return plx_err_set(err, -EINVAL, "the EC private key is longer than its curve");
	if (!ec_work_make(m, &w)) {
		ret = plx_err_set(err, -ENOMEM, "no memory to check an EC key");
		goto out;
	}
	if (public->len != 0)
		ret = ec_point_read(&w, public, err);
	if (ret == 0 && m->is_private)
		ret = ec_scalar_apply(&w, public->len != 0, err);
	if (ret < 0)
		goto out;

	len = EC_POINT_point2oct(w.group, m->is_private ? w.own : w.given,
				 POINT_CONVERSION_UNCOMPRESSED, point, KEY_POINT_MAX_BYTES, w.ctx);
	if (len == 0) {
		ret = plx_err_set(err, -ENOMEM, "no memory to check an EC key");
		goto out;
	}
	m->part[KEY_PART_PUBLIC].data = point;
	m->part[KEY_PART_PUBLIC].len = len;
out:
	ec_work_free(&w);
	return ret;
}

static int
ecx_complete(struct key_material *m, uint8_t *point, struct plx_err *err)
{
	const struct key_view *secret = &m->part[KEY_PART_SECRET];
	const struct key_view *public = &m->part[KEY_PART_PUBLIC];
	size_t bytes = m->curve->bits / 8;
	size_t len = KEY_POINT_MAX_BYTES;
	EVP_PKEY *pkey;
	bool ok;

	if ((m->is_private && secret->len != bytes) || (!m->is_private && public->len != bytes))
		return plx_err_set(err, -EINVAL, "a key of %s has %zu bytes, this one %zu",
				   m->curve->name, bytes,
				   m->is_private ? secret->len : public->len);
	if (!m->is_private)
		return 0;

	pkey = EVP_PKEY_new_raw_private_key_ex(NULL, m->curve->group, NULL, secret->data,
					       secret->len);
	ok = pkey != NULL && EVP_PKEY_get_raw_public_key(pkey, point, &len) == 1;
	EVP_PKEY_free(pkey);
	if (!ok)
		return plx_err_set(err, -ENOMEM, "no memory for the public half of a key");
	m->part[KEY_PART_PUBLIC].data = point;
	m->part[KEY_PART_PUBLIC].len = len;
	return 0;
}

int
keystore_curve_complete(struct key_material *m, uint8_t point[KEY_POINT_MAX_BYTES],
			struct plx_err *err)
{
	return m->type == KEY_TYPE_EC ? ec_complete(m, point, err) : ecx_complete(m, point, err);
}
