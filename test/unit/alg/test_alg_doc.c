/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plx_alg.h"

/*
 * doc/algorithms.md is made from the table by this program. "test_alg_doc PAGE" compares the page
 * with the table; "test_alg_doc --write PAGE" writes it. The page says nothing that depends on the
 * DPDK line.
 */

static const char *page_path;

static const char page_head[] =
	"# Algorithms\n"
	"\n"
	"This page is written by `test_alg_doc --write doc/algorithms.md` from the table in\n"
	"`lib/alg/alg_table.c`. A test compares the two, so change the table, not the page.\n"
	"\n"
	"Names are read without regard to case, `_` is taken for `-`, and the key size in bits may stand\n"
	"in any place: `aes-256-gcm`, `AES256_GCM` and `aes-gcm-256` are one. `sha-256` and `sha2-256`\n"
	"mean `sha256`, `rsa-2048` means PKCS#1 v1.5, `ecdsa-secp256r1` means `ecdsa-p256`. An HMAC\n"
	"without a key size has a key as long as its digest. The key of `aes-256-xts` is two keys of 256\n"
	"bits, 64 bytes.\n"
	"\n"
	"Sizes are the standard's. Which of them a machine can do depends on its devices: ask\n"
	"`show algorithms` and `show capabilities`.\n";

static void
range_write(FILE *f, const struct plx_alg_range *range, uint32_t factor, uint32_t divisor)
{
	uint32_t min = range->min * factor / divisor;
	uint32_t max = range->max * factor / divisor;
	uint32_t step = range->step * factor / divisor;

	if (max == 0)
		fprintf(f, "-");
	else if (step == 0)
		fprintf(f, "%u", min);
	else if ((max - min) / step == 1)
		fprintf(f, "%u, %u", min, max);
	else if ((max - min) / step == 2)
		fprintf(f, "%u, %u, %u", min, min + step, max);
	else if (step == factor / divisor)
		fprintf(f, "%u to %u", min, max);
	else
		fprintf(f, "%u to %u, step %u", min, max, step);
}

static void
key_write(FILE *f, const struct plx_alg *alg)
{
	/* a curve's field is rounded up to bytes in the table; its name says the bits */
	if (strstr(alg->name, "p521") != NULL)
		fprintf(f, "521");
	else if (strstr(alg->name, "25519") != NULL)
		fprintf(f, "255");
	else
		range_write(f, &alg->key, 8, alg->nb_keys == 0 ? 1 : alg->nb_keys);
}

static void
row_write(FILE *f, const struct plx_alg *alg)
{
	const char *between = "";

	fprintf(f, "| `%s` | %s | ", alg->name, alg->summary);
	for (uint32_t op = PLX_OP_ENCRYPT; op <= PLX_OP_RANDOM; op <<= 1) {
		if ((alg->ops & op) == 0)
			continue;
		fprintf(f, "%s%s", between, plx_op_name((enum plx_op)op));
		between = ", ";
	}
	fprintf(f, " | ");
	key_write(f, alg);
	fprintf(f, " | ");
	range_write(f, &alg->iv, 1, 1);
	fprintf(f, " | ");
	range_write(f, &alg->tag, 1, 1);
	fprintf(f, " | ");
	if (alg->block_bytes > 1)
		fprintf(f, "%u", alg->block_bytes);
	else
		fprintf(f, "any");
	fprintf(f, " | %s |\n", alg->source);
}

static char *
page_make(void)
{
	static const char *const titles[] = {
		[PLX_ALG_KIND_CIPHER] = "Ciphers",
		[PLX_ALG_KIND_AEAD] = "Authenticated encryption",
		[PLX_ALG_KIND_HASH] = "Hashes",
		[PLX_ALG_KIND_MAC] = "Message authentication codes",
		[PLX_ALG_KIND_ASYM] = "Asymmetric algorithms",
		[PLX_ALG_KIND_RANDOM] = "Random bytes",
	};
	const struct plx_alg *table;
	char *page = NULL;
	size_t len, nb;
	FILE *f = open_memstream(&page, &len);

	if (f == NULL)
		return NULL;
	fputs(page_head, f);
	table = plx_alg_table(&nb);
	for (uint32_t kind = PLX_ALG_KIND_CIPHER; kind < PLX_ARRAY_SIZE(titles); kind++) {
		fprintf(f, "\n## %s\n\n", titles[kind]);
		fputs("| name | what | operations | key, bits | IV, bytes | digest or tag, bytes "
		      "| data in multiples of | source |\n"
		      "|---|---|---|---|---|---|---|---|\n",
		      f);
		for (size_t i = 0; i < nb; i++) {
			if ((uint32_t)table[i].kind == kind)
				row_write(f, &table[i]);
		}
	}
	if (fclose(f) != 0) {
		free(page);
		return NULL;
	}
	return page;
}

static char *
page_read(void)
{
	FILE *f = fopen(page_path, "r");
	char *page = calloc(1, 65536);

	if (f != NULL && page != NULL && fread(page, 1, 65535, f) == 0)
		page[0] = '\0';
	if (f == NULL)
		print_error("%s: %s\n", page_path, strerror(errno));
	else
		fclose(f);
	return page;
}

static void
the_page_is_the_table(void **state)
{
	char *made = page_make();
	char *committed = page_read();

	(void)state;
	assert_non_null(made);
	assert_non_null(committed);
	if (strcmp(made, committed) != 0)
		fail_msg("%s is not what the table says: run this program with --write %s",
			 page_path, page_path);
	free(made);
	free(committed);
}

static void
the_page_has_each_row(void **state)
{
	char *made = page_make();
	const struct plx_alg *table;
	char cell[64];
	size_t nb;

	(void)state;
	assert_non_null(made);
	table = plx_alg_table(&nb);
	for (size_t i = 0; i < nb; i++) {
		snprintf(cell, sizeof(cell), "\n| `%s` | ", table[i].name);
		assert_non_null(strstr(made, cell));
	}
	free(made);
}

static int
page_write(void)
{
	FILE *f = fopen(page_path, "w");
	char *made = page_make();
	int ret = 1;

	if (f != NULL && made != NULL)
		ret = fputs(made, f) == EOF;
	if (f != NULL)
		ret |= fclose(f) != 0;
	free(made);
	if (ret != 0)
		fprintf(stderr, "%s: cannot write: %s\n", page_path, strerror(errno));
	return ret;
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_is_the_table),
		cmocka_unit_test(the_page_has_each_row),
	};

	if (argc < 2) {
		fprintf(stderr, "usage: %s [--write] PAGE\n", argv[0]);
		return 2;
	}
	page_path = argv[argc - 1];
	if (strcmp(argv[1], "--write") == 0)
		return page_write();
	return cmocka_run_group_tests_name("alg_doc", tests, NULL, NULL);
}
