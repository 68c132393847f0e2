/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "pollux_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <rte_bus_vdev.h>

/* What the device says it can do: everything its devices say, and nothing that none of them does.
 */

static void
info_of(const char *args, struct rte_cryptodev_info *info)
{
	int id;

	assert_int_equal(rte_vdev_init(RIG_NAME, args), 0);
	id = rte_cryptodev_get_dev_id(RIG_NAME);
	assert_true(id >= 0);
	rte_cryptodev_info_get((uint8_t)id, info);
}

static struct rte_crypto_param_range
range_at(const struct rte_cryptodev_symmetric_capability *c, int dim)
{
	if (c->xform_type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		return dim == 0 ? c->cipher.key_size : c->cipher.iv_size;
	if (c->xform_type == RTE_CRYPTO_SYM_XFORM_AUTH)
		return dim == 0   ? c->auth.key_size
		       : dim == 1 ? c->auth.iv_size
		       : dim == 2 ? c->auth.digest_size
				  : c->auth.aad_size;
	return dim == 0   ? c->aead.key_size
	       : dim == 1 ? c->aead.iv_size
	       : dim == 2 ? c->aead.digest_size
			  : c->aead.aad_size;
}

static int
nb_dims(const struct rte_cryptodev_symmetric_capability *c)
{
	return c->xform_type == RTE_CRYPTO_SYM_XFORM_CIPHER ? 2 : 4;
}

static bool
has_size(const struct rte_crypto_param_range *r, uint32_t v)
{
	return v >= r->min && v <= r->max &&
	       (r->increment == 0 || (v - r->min) % r->increment == 0);
}

static bool
same_algorithm(const struct rte_cryptodev_symmetric_capability *a,
	       const struct rte_cryptodev_symmetric_capability *b)
{
	/* cipher, auth and aead alike begin with the algorithm */
	return a->xform_type == b->xform_type && a->cipher.algo == b->cipher.algo;
}

/* Does a table hold this point of sizes? */
static bool
table_has(const struct rte_cryptodev_capabilities *cap,
	  const struct rte_cryptodev_symmetric_capability *what, const uint32_t *point)
{
	for (; cap->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; cap++) {
		bool all =
			cap->op == RTE_CRYPTO_OP_TYPE_SYMMETRIC && same_algorithm(&cap->sym, what);

		for (int d = 0; all && d < nb_dims(what); d++) {
			struct rte_crypto_param_range r = range_at(&cap->sym, d);

			all = has_size(&r, point[d]);
		}
		if (all)
			return true;
	}
	return false;
}

/* Each corner of each row, and a step inside, is in one of the tables. Returns points looked at. */
static uint32_t
rows_are_within(const struct rte_cryptodev_capabilities *rows,
		const struct rte_cryptodev_capabilities *const *tables, size_t nb_tables)
{
	uint32_t nb = 0;

	for (; rows->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; rows++) {
		int dims = rows->op == RTE_CRYPTO_OP_TYPE_SYMMETRIC ? nb_dims(&rows->sym) : 0;

		for (uint32_t corner = 0; dims > 0 && corner < 81; corner++) {
			uint32_t point[4], c = corner;
			bool found = false;

			for (int d = 0; d < dims; d++, c /= 3) {
				struct rte_crypto_param_range r = range_at(&rows->sym, d);

				point[d] = c % 3 == 0 ? r.min : r.max;
				if (c % 3 == 2 && r.min + r.increment <= r.max)
					point[d] = (uint32_t)r.min + r.increment;
			}
			for (size_t t = 0; t < nb_tables && !found; t++)
				found = table_has(tables[t], &rows->sym, point);
			if (!found)
				fail_msg("type %d algorithm %d: sizes %u %u %u %u are in none",
					 (int)rows->sym.xform_type, (int)rows->sym.cipher.algo,
					 point[0], point[1], dims > 2 ? point[2] : 0,
					 dims > 2 ? point[3] : 0);
			nb++;
		}
	}
	return nb;
}

static const struct rte_cryptodev_capabilities *
behind(const char *name)
{
	struct rte_cryptodev_info info;
	int id = rte_cryptodev_get_dev_id(name);

	assert_true(id >= 0);
	rte_cryptodev_info_get((uint8_t)id, &info);
	return info.capabilities;
}

static void
the_table_is_the_union_and_no_more(void **state)
{
	static const char *const pairs[] = {
		"device=crypto_aesni_mb,device=crypto_openssl",
		"device=crypto_openssl,device=crypto_aesni_mb",
		"device=crypto_aesni_gcm,device=crypto_openssl",
		"device=crypto_null,device=crypto_aesni_gcm",
	};

	(void)state;
	for (size_t i = 0; i < RTE_DIM(pairs); i++) {
		const struct rte_cryptodev_capabilities *tables[2], *mine;
		struct rte_cryptodev_info info;

		info_of(pairs[i], &info);
		mine = info.capabilities;
		tables[0] = behind(RIG_NAME ".0.inner");
		tables[1] = behind(RIG_NAME ".1.inner");
		assert_true(rows_are_within(mine, tables, 2) > 81);
		assert_true(rows_are_within(tables[0], &mine, 1) > 0);
		assert_true(rows_are_within(tables[1], &mine, 1) > 0);
		assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
	}
}

static void
one_device_is_shown_as_it_is(void **state)
{
	static const char *const drivers[] = { "crypto_openssl", "crypto_aesni_mb",
					       "crypto_aesni_gcm" };
	char args[64];

	(void)state;
	for (size_t i = 0; i < RTE_DIM(drivers); i++) {
		const struct rte_cryptodev_capabilities *mine, *theirs;
		struct rte_cryptodev_info info;

		snprintf(args, sizeof(args), "device=%s", drivers[i]);
		info_of(args, &info);
		theirs = behind(RIG_NAME ".0.inner");
		for (mine = info.capabilities; mine->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; mine++)
			assert_memory_equal(mine, theirs++, sizeof(*mine));
		assert_int_equal(theirs->op, RTE_CRYPTO_OP_TYPE_UNDEFINED);
		assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
	}
}

static void
feature_flags_hold_for_every_operation(void **state)
{
	const uint64_t never = RTE_CRYPTODEV_FF_SECURITY | RTE_CRYPTODEV_FF_SYM_CPU_CRYPTO |
			       RTE_CRYPTODEV_FF_SYM_RAW_DP;
	struct rte_cryptodev_info info;

	(void)state;
	info_of("device=crypto_openssl", &info);
	assert_true((info.feature_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) != 0);
	assert_true((info.feature_flags & RTE_CRYPTODEV_FF_IN_PLACE_SGL) != 0);
	assert_true((info.feature_flags & RTE_CRYPTODEV_FF_SYM_SESSIONLESS) != 0);
	assert_true((info.feature_flags & RTE_CRYPTODEV_FF_OOP_LB_IN_LB_OUT) != 0);
	assert_int_equal(info.feature_flags & never, 0);
	assert_int_equal(info.max_nb_queue_pairs, 8);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);

	/* chains would break on it, and nobody else has its algorithms */
	info_of("device=crypto_aesni_mb,device=crypto_openssl,max_nb_queue_pairs=3", &info);
	assert_true((info.feature_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) != 0);
	assert_true((info.feature_flags & RTE_CRYPTODEV_FF_SYM_OPERATION_CHAINING) != 0);
	assert_int_equal(info.feature_flags & RTE_CRYPTODEV_FF_IN_PLACE_SGL, 0);
	assert_int_equal(info.feature_flags & never, 0);
	assert_int_equal(info.max_nb_queue_pairs, 3);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);

	info_of("device=crypto_null", &info);
	assert_int_equal(info.feature_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO, 0);
	assert_int_equal(rte_vdev_uninit(RIG_NAME), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_the_union_and_no_more),
		cmocka_unit_test(one_device_is_shown_as_it_is),
		cmocka_unit_test(feature_flags_hold_for_every_operation),
	};

	return cmocka_run_group_tests_name("pollux_caps", tests, rig_eal, NULL);
}
