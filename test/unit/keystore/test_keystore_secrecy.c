/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "ks_env.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <rte_log.h>

#include "keystore_priv.h"

/*
 * Nothing gives a key back. Everything the keystore says (listings, descriptions, sentences, log
 * lines, files) goes into one heap of text, which is searched for each secret number of each key:
 * as bytes in both orders, in hexadecimal and in base64. Then the process's memory is searched the
 * same way, and the pages that hold keys must be locked and left out of core dumps.
 *
 * The numbers that are searched for are kept masked, so that a search does not find itself.
 */

#define RUN_BYTES   12 /* this much of a secret in a row counts as giving it away */
#define MASK        0x5a
#define NEEDLES_MAX 64

struct needle {
	char what[48];
	uint8_t masked[512];
	size_t len;
};

static struct needle needles[NEEDLES_MAX];
static size_t nb_needles;
static char *said; /* everything that came out */
static size_t said_len, said_room;

static void
needle_add(const char *what, const uint8_t *bytes, size_t len)
{
	struct needle *n = &needles[nb_needles++];
	size_t i;

	assert_true(nb_needles <= NEEDLES_MAX);
	assert_true(len >= RUN_BYTES && len <= sizeof(n->masked));
	snprintf(n->what, sizeof(n->what), "%s", what);
	n->len = len;
	for (i = 0; i < len; i++)
		n->masked[i] = bytes[i] ^ MASK;
}

static void
say(const void *bytes, size_t len)
{
	if (said_len + len > said_room) {
		said_room = 2 * (said_len + len);
		said = realloc(said, said_room);
		assert_non_null(said);
	}
	memcpy(said + said_len, bytes, len);
	said_len += len;
}

/* Is the run that begins at byte `from` at p? Reversed: least byte first, as OpenSSL keeps numbers.
 */
static bool
run_at(const struct needle *n, size_t from, bool is_reversed, const uint8_t *p)
{
	size_t i;

	for (i = 0; i < RUN_BYTES; i++) {
		if ((n->masked[is_reversed ? from + RUN_BYTES - 1 - i : from + i] ^ MASK) != p[i])
			return false;
	}
	return true;
}

static size_t
count_run(const struct needle *n, size_t from, bool is_reversed, const uint8_t *p, size_t len)
{
	int first = n->masked[is_reversed ? from + RUN_BYTES - 1 : from] ^ MASK;
	const uint8_t *end = p + len;
	size_t nb = 0;

	while (end - p >= RUN_BYTES) {
		p = memchr(p, first, (size_t)(end - p) - (RUN_BYTES - 1));
		if (p == NULL)
			break;
		nb += run_at(n, from, is_reversed, p);
		p++;
	}
	return nb;
}

/* A copy of 2 * RUN_BYTES - 1 bytes of the needle holds one of these runs whole. */
static size_t
count_in(const struct needle *n, const uint8_t *p, size_t len)
{
	size_t from, nb = 0;

	for (from = 0; from + RUN_BYTES <= n->len; from += RUN_BYTES)
		nb += count_run(n, from, false, p, len) + count_run(n, from, true, p, len);
	return nb;
}

/* The same for text forms: the needle is written out and searched as a string. */
static bool
text_has(const struct needle *n, char *(*form)(const uint8_t *bytes, size_t len, char *out))
{
	uint8_t clear[RUN_BYTES];
	char text[64];
	size_t from, i;

	for (from = 0; from + RUN_BYTES <= n->len; from++) {
		for (i = 0; i < RUN_BYTES; i++)
			clear[i] = n->masked[from + i] ^ MASK;
		form(clear, RUN_BYTES, text);
		if (memmem(said, said_len, text, strlen(text)) != NULL)
			return true;
	}
	return false;
}

static char *
form_hex(const uint8_t *bytes, size_t len, char *out)
{
	size_t i;

	for (i = 0; i < len; i++)
		sprintf(out + 2 * i, "%02x", bytes[i]);
	return out;
}

static char *
form_hex_upper(const uint8_t *bytes, size_t len, char *out)
{
	size_t i;

	form_hex(bytes, len, out);
	for (i = 0; out[i] != '\0'; i++)
		out[i] = (char)toupper((unsigned char)out[i]);
	return out;
}

static char *
form_base64(const uint8_t *bytes, size_t len, char *out)
{
	EVP_EncodeBlock((unsigned char *)out, bytes, (int)len);
	return out;
}

static void
nothing_said_gives_a_key(void)
{
	size_t i;

	for (i = 0; i < nb_needles; i++) {
		if (count_in(&needles[i], (const uint8_t *)said, said_len) != 0 ||
		    text_has(&needles[i], form_hex) || text_has(&needles[i], form_hex_upper) ||
		    text_has(&needles[i], form_base64))
			fail_msg("%s has been given away", needles[i].what);
	}
}

struct mapping {
	uint8_t *from;
	uint8_t *to;
	bool is_locked;
	bool is_dumped;
};

/* Readable and writable mappings with their flags. */
static size_t
mappings_read(struct mapping *maps, size_t max)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	char line[512], perms[8];
	unsigned long from, to;
	size_t nb = 0;
	bool counts = false;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "%lx-%lx %7s", &from, &to, perms) == 3) {
			counts = strncmp(perms, "rw", 2) == 0 && nb < max;
			if (counts)
				maps[nb++] = (struct mapping){ .from = (uint8_t *)from,
							       .to = (uint8_t *)to,
							       .is_dumped = true };
		} else if (counts && strncmp(line, "VmFlags:", 8) == 0) {
			maps[nb - 1].is_locked = strstr(line, " lo") != NULL;
			maps[nb - 1].is_dumped = strstr(line, " dd") == NULL;
		}
	}
	fclose(f);
	return nb;
}

struct sighting {
	size_t nb_guarded; /* in memory that is locked and not dumped */
	size_t nb_open;
};

/* The address sanitizer owns the memory that would be searched, and keeps what is freed. */
static void
need_plain_memory(void)
{
#ifdef KS_ENV_ASAN
	skip();
#endif
}

/* Where in the process's memory is any of the secrets? */
static struct sighting
memory_search(void)
{
	static struct mapping maps[512];
	size_t nb = mappings_read(maps, PLX_ARRAY_SIZE(maps)), i, k, found;
	struct sighting s = { 0 };

	for (i = 0; i < nb; i++) {
		for (k = 0; k < nb_needles; k++) {
			found = count_in(&needles[k], maps[i].from,
					 (size_t)(maps[i].to - maps[i].from));
			if (maps[i].is_locked && !maps[i].is_dumped) {
				s.nb_guarded += found;
			} else if (found != 0) {
				print_message("%s is in memory that is %s and %s\n",
					      needles[k].what,
					      maps[i].is_locked ? "locked" : "not locked",
					      maps[i].is_dumped ? "dumped" : "not dumped");
				s.nb_open += found;
			}
		}
	}
	return s;
}

/* Key files, made by a process of its own, so that the keys are in no memory of ours. */
static void
files_make(const struct ks_env *env)
{
	EVP_PKEY *pkey;
	int status = 1;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		ks_env_save(ks_env_rsa(), ks_env_path(env, "rsa.pem"), "pkcs8", 1);
		pkey = EVP_RSA_gen(2048);
		ks_env_save(pkey, ks_env_path(env, "rsa.der"), "traditional", 0);
		ks_env_save(ks_env_ec("P-384"), ks_env_path(env, "ec.pem"), "traditional", 1);
		pkey = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
		ks_env_save(pkey, ks_env_path(env, "ed.pem"), "pkcs8", 1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* The secret numbers of a key, looked up where the keystore has them. */
static void
needles_from_key(struct ks_env *env, plx_key_handle h)
{
	const struct key *key = keystore_key_by_handle(env->ks, h, NULL);
	char what[48];
	int i;

	assert_non_null(key);
	for (i = 0; i < KEY_NB_PARTS; i++) {
		if (i == KEY_PART_PUBLIC || i == KEY_PART_N || i == KEY_PART_E ||
		    key->part[i].len < RUN_BYTES)
			continue;
		snprintf(what, sizeof(what), "part %d of %.20s", i, key->name);
		needle_add(what, key->part[i].data, key->part[i].len);
	}
}

struct source {
	const char *name;
	const char *alg;
	const char *file; /* NULL: generated */
};

static const struct source sources[] = {
	{ "rsa-file", NULL, "rsa.pem" },     { "rsa-der", "rsa", "rsa.der" },
	{ "ec-file", "ec-p384", "ec.pem" },  { "ed-file", NULL, "ed.pem" },
	{ "rsa-made", "rsa-2048", NULL },    { "ec-made", "ec-p256", NULL },
	{ "sm2-made", "sm2", NULL },         { "x-made", "x25519", NULL },
	{ "aes-made", "aes-256-gcm", NULL }, { "hmac-made", "hmac-sha512", NULL },
	{ "xts-made", "aes-256-xts", NULL },
};

static void
keys_make(struct ks_env *env, plx_key_handle handles[PLX_ARRAY_SIZE(sources)])
{
	size_t i;

	files_make(env);
	for (i = 0; i < PLX_ARRAY_SIZE(sources); i++) {
		if (sources[i].file == NULL)
			assert_ok(plx_key_generate(env->ks, "c", sources[i].name, sources[i].alg,
						   &handles[i], err));
		else
			assert_ok(plx_key_load(env->ks, "c", sources[i].name, sources[i].alg,
					       ks_env_path(env, sources[i].file), &handles[i],
					       err));
	}
}

static void
say_everything_there_is_to_say(struct ks_env *env, const plx_key_handle *handles)
{
	struct plx_key_info info;
	struct plx_err why;
	uint32_t pos = 0;
	char pem[4096];
	const char *path;
	size_t i;

	while (plx_key_next(env->ks, &pos, &info))
		say(&info, sizeof(info));
	for (i = 0; i < PLX_ARRAY_SIZE(sources); i++) {
		memset(&why, 0, sizeof(why));
		assert_ok(plx_key_describe(env->ks, handles[i], &info, err));
		say(&info, sizeof(info));
		path = ks_env_path(env, "public");
		if (plx_key_export_public(env->ks, handles[i], path, &why) == 0)
			say(pem, ks_env_read(path, pem, sizeof(pem)));
		say(&why, sizeof(why));
	}
}

/* Each private file, damaged in many places, and what is said of it. */
static void
say_what_is_wrong_with_damaged_files(struct ks_env *env)
{
	static uint8_t bytes[4096];
	struct plx_err why;
	size_t i, at, len;

	for (i = 0; i < 4; i++) {
		len = ks_env_read(ks_env_path(env, sources[i].file), bytes, sizeof(bytes));
		for (at = 0; at < len; at += 5) {
			bytes[at] ^= 0x11;
			ks_env_write(ks_env_path(env, "bad"), bytes, len);
			bytes[at] ^= 0x11;
			memset(&why, 0, sizeof(why));
			if (plx_key_load(env->ks, "c", "bad", at % 2 ? NULL : "hmac-sha256",
					 ks_env_path(env, "bad"), NULL, &why) == 0)
				assert_ok(plx_key_delete(env->ks, "c", "bad", err));
			say(&why, sizeof(why));
		}
	}
	memset(bytes, 0, sizeof(bytes));
}

static void
no_listing_sentence_log_or_file_gives_a_key(void **state)
{
	plx_key_handle handles[PLX_ARRAY_SIZE(sources)];
	struct ks_env *env = *state;
	char *log = NULL;
	size_t log_len = 0, i;
	FILE *f = open_memstream(&log, &log_len);

	assert_int_equal(rte_openlog_stream(f), 0);
	rte_log_set_global_level(RTE_LOG_DEBUG);
	rte_log_set_level_pattern("*", RTE_LOG_DEBUG);
	keys_make(env, handles);
	for (i = 0; i < PLX_ARRAY_SIZE(sources); i++)
		needles_from_key(env, handles[i]);
	say_everything_there_is_to_say(env, handles);
	say_what_is_wrong_with_damaged_files(env);
	assert_true(chmod(ks_env_path(env, "rsa.pem"), 0644) == 0);
	assert_ok(plx_key_load(env->ks, "c", "open", NULL, ks_env_path(env, "rsa.pem"), NULL, err));

	rte_openlog_stream(NULL);
	fclose(f);
	assert_true(log_len > 0);
	say(log, log_len);
	free(log);
	assert_true(said_len > 10000);
	nothing_said_gives_a_key();
}

/* The search finds what is there: without this, finding nothing would mean nothing. */
static void
the_search_finds_a_key_that_is_given_away(void **state)
{
	static uint8_t leak[64];
	struct ks_env *env = *state;
	const struct key *key;
	plx_key_handle h;
	size_t i;

	need_plain_memory();
	assert_ok(plx_key_generate(env->ks, "c", "k", "aes-256", &h, err));
	needles_from_key(env, h);
	assert_int_equal(memory_search().nb_open, 0);
	assert_true(memory_search().nb_guarded > 0);

	key = keystore_key_by_handle(env->ks, h, NULL);
	memcpy(leak + 3, key->part[KEY_PART_SECRET].data, 32);
	assert_true(memory_search().nb_open > 0);
	for (i = 0; i < 32; i++)
		leak[40 - i] = key->part[KEY_PART_SECRET].data[i];
	assert_true(memory_search().nb_open > 0);

	say(leak, sizeof(leak));
	assert_true(count_in(&needles[0], (const uint8_t *)said, said_len) > 0);
	memset(said, 0, said_len);
	for (i = 0; i < 32; i++) {
		sprintf(said + 2 * i, "%02x", leak[40 - i]);
	}
	assert_true(text_has(&needles[0], form_hex));
	memset(said, 0, said_len);
	memset(leak, 0, sizeof(leak));
}

static void
keys_are_in_locked_memory_that_is_not_dumped_and_nowhere_else(void **state)
{
	plx_key_handle handles[PLX_ARRAY_SIZE(sources)];
	struct ks_env *env = *state;
	struct sighting seen;
	size_t i;

	need_plain_memory();
	keys_make(env, handles);
	for (i = 0; i < PLX_ARRAY_SIZE(sources); i++)
		needles_from_key(env, handles[i]);
	seen = memory_search();
	assert_true(seen.nb_guarded >= nb_needles);
	assert_int_equal(seen.nb_open, 0);
}

static void
a_deleted_key_is_nowhere_in_memory(void **state)
{
	plx_key_handle handles[PLX_ARRAY_SIZE(sources)];
	struct ks_env *env = *state;
	struct sighting seen;
	size_t i;

	need_plain_memory();
	keys_make(env, handles);
	for (i = 0; i < PLX_ARRAY_SIZE(sources); i++) {
		needles_from_key(env, handles[i]);
		assert_ok(plx_key_delete(env->ks, "c", sources[i].name, err));
	}
	seen = memory_search();
	assert_int_equal(seen.nb_open, 0);
	assert_int_equal(seen.nb_guarded, 0);
}

static void
a_destroyed_keystore_leaves_no_key(void **state)
{
	plx_key_handle handles[PLX_ARRAY_SIZE(sources)];
	struct ks_env *env = *state;
	struct sighting seen;
	size_t i;

	need_plain_memory();
	keys_make(env, handles);
	for (i = 0; i < PLX_ARRAY_SIZE(sources); i++)
		needles_from_key(env, handles[i]);
	plx_keystore_destroy(env->ks);
	env->ks = NULL;
	seen = memory_search();
	assert_int_equal(seen.nb_open, 0);
	assert_int_equal(seen.nb_guarded, 0);
}

/* Numbers of a damaged key are on their way through the checks when it is refused. */
static void
a_refused_key_is_nowhere_in_memory(void **state)
{
	plx_key_handle handles[PLX_ARRAY_SIZE(sources)];
	struct ks_env *env = *state;
	struct sighting seen;
	size_t i;

	need_plain_memory();
	keys_make(env, handles);
	for (i = 0; i < PLX_ARRAY_SIZE(sources); i++) {
		needles_from_key(env, handles[i]);
		assert_ok(plx_key_delete(env->ks, "c", sources[i].name, err));
	}
	for (i = 0; i < 4; i++)
		assert_int_equal(plx_key_load(env->ks, "c", "k", "sm2",
					      ks_env_path(env, sources[i].file), NULL, NULL),
				 -EINVAL);
	seen = memory_search();
	assert_int_equal(seen.nb_open, 0);
	assert_int_equal(seen.nb_guarded, 0);
}

static int
fresh(void **state)
{
	nb_needles = 0;
	said_len = 0;
	return ks_env_fresh(state);
}

#define T(name) cmocka_unit_test_setup(name, fresh)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_search_finds_a_key_that_is_given_away),
		T(keys_are_in_locked_memory_that_is_not_dumped_and_nowhere_else),
		T(a_deleted_key_is_nowhere_in_memory),
		T(a_refused_key_is_nowhere_in_memory),
		T(a_destroyed_keystore_leaves_no_key),
		T(no_listing_sentence_log_or_file_gives_a_key),
	};

	return cmocka_run_group_tests(tests, ks_env_setup_bare, ks_env_teardown);
}
