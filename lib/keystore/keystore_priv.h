/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_KEYSTORE_PRIV_H
#define PLX_KEYSTORE_PRIV_H

#include <sys/queue.h>

#include <rte_log.h>

#include "plx_keystore.h"
#include "plx_secret.h"

/* What the files of the keystore share. Owner of everything here: the control thread. */

#define KEY_FILE_MAX_BYTES 65536
#define KEY_PART_MAX_BYTES                                                                         \
	4096                    /* one number of a key; the algorithm table sets narrower limits   \
				 */
#define KEY_POINT_MAX_BYTES 133 /* P-521: 04 and two numbers of 66 bytes */
#define KEY_FINGER_BYTES    32
#define KEY_MAX_KEYS_UNSAID 1024 /* keys in a container whose policy does not say */

extern int keystore_logtype;
#define KEYSTORE_LOG(level, ...)                                                                   \
	rte_log(RTE_LOG_##level, (uint32_t)keystore_logtype, "keystore: " __VA_ARGS__)

#define KEYSTORE_NAME_RULE                                                                            \
	"%s name \"%.80s\": 1 to %d letters, digits, '.', '_' and '-' are taken, the first a letter " \
	"or digit"

enum key_type {
	KEY_TYPE_SECRET = 1, /* symmetric: bytes and nothing else */
	KEY_TYPE_RSA,
	KEY_TYPE_EC,  /* a curve with points x, y: P-256, P-384, P-521, SM2 */
	KEY_TYPE_ECX, /* a curve with one coordinate: Ed25519, X25519 */
};

/* The numbers a key is made of, big-endian without leading zeros unless the format has a fixed
 * length. */
enum key_part {
	KEY_PART_SECRET = 0, /* symmetric key; private scalar of a curve */
	KEY_PART_PUBLIC,     /* point (04 x y) or coordinate */
	KEY_PART_N,
	KEY_PART_E,
	KEY_PART_D,
	KEY_PART_P,
	KEY_PART_Q,
	KEY_PART_DP,
	KEY_PART_DQ,
	KEY_PART_QINV,
	KEY_NB_PARTS,
};

struct key_view {
	const uint8_t *data;
	size_t len;
};

struct key_curve {
	const char *name;     /* as a user writes it: "p256" */
	const char *group;    /* OpenSSL's group or key type name */
	const char *families; /* of the algorithm table, space between */
	enum key_type type;
	int nid;
	uint32_t bits;
	uint8_t oid_len;
	uint8_t oid[12]; /* content of the OBJECT IDENTIFIER */
};

/* What a key may serve, read from the name a user gave or from what a file says. */
struct key_bind {
	enum key_type type;
	const struct plx_alg *alg;     /* this family only; NULL: each one that fits */
	char stem[16];                 /* secrets: first word of the families, "aes" */
	const struct key_curve *curve; /* curves: which */
	uint32_t bits;                 /* size asked for; 0: not said */
};

/* A key's numbers on their way in. Views point into bytes that somebody else owns and wipes. */
struct key_material {
	enum key_type type;
	const struct key_curve *curve;
	bool is_private;
	bool is_pss_only; /* an id-RSASSA-PSS key */
	struct key_view part[KEY_NB_PARTS];
};

struct container;
LIST_HEAD(key_sessions, key_session);

struct key {
	LIST_ENTRY(key) by_name;
	struct container *container;
	char name[PLX_KEY_NAME_MAX];
	plx_key_handle handle;
	struct key_bind bind; /* bits is the key's size */
	bool is_private;
	bool was_exposed;
	uint64_t nb_uses;
	struct key_sessions sessions;
	uint8_t finger[KEY_FINGER_BYTES];
	uint8_t *spki; /* DER of the public half; NULL for a secret */
	size_t spki_bytes;
	uint8_t *blob; /* secret memory: all parts, one behind the other */
	size_t blob_bytes;
	struct key_view part[KEY_NB_PARTS]; /* into blob */
};

struct container {
	char name[PLX_KEY_NAME_MAX];
	struct plx_container_policy policy; /* algs is our copy, its names are the table's */
	uint32_t nb_keys;
};

struct key_slot {
	struct key *key; /* NULL: free */
	uint32_t generation;
	uint32_t last_generation; /* reached: the slot is worn out and stays empty */
};

/* What makes two uses of one key share a session. */
struct key_shape {
	const struct plx_alg *alg;
	enum plx_op op;
	uint16_t key_bytes;
	uint16_t iv_offset;
	uint16_t iv_bytes;
	uint16_t tag_bytes;
	uint16_t aad_bytes;
};

struct key_session {
	TAILQ_ENTRY(key_session) link;  /* of all */
	LIST_ENTRY(key_session) by_key; /* of the key, or of those without one; not when orphaned */
	struct plx_session *s;
	struct key *key; /* NULL: keyless, or the key is deleted */
	bool is_orphan;  /* the key is deleted */
	uint32_t nb_users;
	struct key_shape shape;
	size_t n_bytes; /* RSA: the modulus, public, for the op helpers */
	uint8_t n[];
};

#define KEY_NAME_BUCKETS 1024

struct plx_keystore {
	struct plx_devices *devs;
	uint8_t *finger_key; /* secret memory, KEY_FINGER_BYTES */
	struct container **containers;
	uint32_t nb_containers; /* entries, some of them NULL */
	struct key_slot *slots;
	uint32_t nb_slots;
	uint32_t free_hint; /* no slot before it is free */
	TAILQ_HEAD(key_session_list, key_session) sessions;
	struct key_sessions keyless;
	LIST_HEAD(key_names, key) by_name[KEY_NAME_BUCKETS];
};

/* container.c */
int keystore_secret_alloc(size_t len, void **out, struct plx_err *err);
bool keystore_name_ok(const char *name);
struct container *keystore_container_get(struct plx_keystore *ks, const char *name,
					 struct plx_err *err);
int keystore_container_admits(const struct container *c, const struct key *key,
			      struct plx_err *err);
int keystore_container_allows(const struct container *c, const struct plx_alg *alg, enum plx_op op,
			      struct plx_err *err);

/* key.c */
int keystore_key_place(struct plx_keystore *ks, const char *container, const char *name,
		       struct container **out, struct plx_err *err);
int keystore_key_insert(struct plx_keystore *ks, struct container *c, const char *name,
			struct key *key, plx_key_handle *handle, struct plx_err *err);
struct key *keystore_key_by_handle(struct plx_keystore *ks, plx_key_handle handle,
				   struct plx_err *err);
void keystore_key_remove(struct plx_keystore *ks, struct key *key);

/* key_make.c */
uint32_t keystore_view_bits(const struct key_view *v);
int keystore_key_make(struct plx_keystore *ks, const struct key_bind *bind,
		      const struct key_material *m, struct key **out, struct plx_err *err);
void keystore_key_free(struct key *key);

/* key_name.c */
int keystore_bind_parse(const char *alg, struct key_bind *bind, struct plx_err *err);
bool keystore_bind_serves(const struct key_bind *bind, const struct plx_alg *alg);
uint32_t keystore_bind_bits(const struct key_bind *bind, size_t bytes);
void keystore_bind_name(const struct key_bind *bind, char *buf, size_t len);
const struct key_curve *keystore_curve_by_oid(const uint8_t *oid, size_t len);

/* key_pem.c, key_der.c: the bytes are decoded in place and must outlive the views */
int keystore_pem_to_der(uint8_t *bytes, size_t *len, struct plx_err *err);
int keystore_der_parse(const uint8_t *der, size_t len, struct key_material *m, struct plx_err *err);

/* key_asym.c */
int keystore_asym_check(struct key_material *m, uint8_t point[KEY_POINT_MAX_BYTES],
			struct plx_err *err);
int keystore_asym_spki(const struct key_material *m, uint8_t **der, size_t *len,
		       struct plx_err *err);

/* key_curve.c */
int keystore_curve_complete(struct key_material *m, uint8_t point[KEY_POINT_MAX_BYTES],
			    struct plx_err *err);

/* key_file.c */
struct key_file {
	uint8_t *bytes; /* secret memory */
	size_t len;
	bool is_exposed; /* others than its owner can read it */
};
int keystore_file_read(const char *path, struct key_file *file, struct plx_err *err);

/* key_load.c */
int keystore_secret_check(const struct key_bind *bind, const uint8_t *bytes, size_t len,
			  struct plx_err *err);

/* key_xform.c */
int keystore_session_build(struct plx_keystore *ks, const struct key *key,
			   const struct key_shape *shape, struct plx_session **out,
			   struct plx_err *err);

/* key_session.c */
void keystore_sessions_orphan(struct plx_keystore *ks, struct key *key);
bool keystore_sessions_busy(const struct plx_keystore *ks, const struct container *c);
void keystore_sessions_destroy(struct plx_keystore *ks);

#endif
