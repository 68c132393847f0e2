/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "ks_env.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/ec.h>
#include <openssl/encoder.h>
#include <openssl/rsa.h>

#include <rte_cryptodev.h>
#include <rte_eal.h>

static void
eal_start(void)
{
	/* EAL may keep and write to its arguments */
	static char args[][32] = {
		"test",
		"--no-huge",
		"-m",
		"256",
		"--no-pci",
		"--no-shconf",
		"-l",
		"0",
		"--log-level",
		"lib.eal:error",
		"--no-telemetry",
		"--vdev",
		"crypto_openssl0",
		"--vdev",
		"crypto_null0",
		"--file-prefix",
		"",
	};
	char *argv[PLX_ARRAY_SIZE(args) + 1] = { NULL };
	size_t i;

	snprintf(args[PLX_ARRAY_SIZE(args) - 1], sizeof(args[0]), "plxks-%d", (int)getpid());
	for (i = 0; i < PLX_ARRAY_SIZE(args); i++)
		argv[i] = args[i];
	if (rte_eal_init((int)PLX_ARRAY_SIZE(args), argv) < 0) {
		print_error("EAL does not start\n");
		exit(1);
	}
}

static struct ks_env *
env_make(void)
{
	struct ks_env *env = calloc(1, sizeof(*env));

	assert_non_null(env);
	strcpy(env->dir, "/tmp/plxks.XXXXXX");
	assert_non_null(mkdtemp(env->dir));
	return env;
}

int
ks_env_setup_bare(void **state)
{
	*state = env_make();
	return 0;
}

int
ks_env_setup(void **state)
{
	struct plx_devices_params params = { .size = sizeof(params), .nb_qps = 1 };
	struct ks_env *env = env_make();

	eal_start();
	assert_ok(plx_devices_create(&params, &env->devs, err));
	*state = env;
	return 0;
}

int
ks_env_fresh(void **state)
{
	struct ks_env *env = *state;

	plx_keystore_destroy(env->ks);
	env->ks = NULL;
	assert_ok(plx_keystore_create(env->devs, &env->ks, err));
	assert_ok(plx_container_create(env->ks, "c", NULL, err));
	return 0;
}

int
ks_env_teardown(void **state)
{
	struct ks_env *env = *state;
	struct dirent *entry;
	DIR *dir = opendir(env->dir);

	plx_keystore_destroy(env->ks);
	plx_devices_destroy(env->devs);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] != '.')
			unlink(ks_env_path(env, entry->d_name));
	}
	closedir(dir);
	rmdir(env->dir);
	free(env);
	return 0;
}

const char *
ks_env_path(const struct ks_env *env, const char *name)
{
	static char paths[4][400];
	static uint32_t next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", env->dir, name);
	return path;
}

void
ks_env_write(const char *path, const void *bytes, size_t len)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	fchmod(fileno(f), S_IRUSR | S_IWUSR);
	assert_int_equal(fclose(f), 0);
}

size_t
ks_env_read(const char *path, void *bytes, size_t room)
{
	FILE *f = fopen(path, "r");
	size_t len;

	assert_non_null(f);
	len = fread(bytes, 1, room, f);
	fclose(f);
	return len;
}

EVP_PKEY *
ks_env_rsa(void)
{
	static EVP_PKEY *rsa;

	if (rsa == NULL)
		rsa = EVP_RSA_gen(2048);
	assert_non_null(rsa);
	return rsa;
}

EVP_PKEY *
ks_env_ec(const char *group)
{
	EVP_PKEY *pkey = EVP_EC_gen(group);

	assert_non_null(pkey);
	return pkey;
}

void
ks_env_save(EVP_PKEY *pkey, const char *path, const char *form, int is_pem)
{
	const char *structure = NULL;
	int selection = EVP_PKEY_KEYPAIR;
	OSSL_ENCODER_CTX *ctx;
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	if (strcmp(form, "pkcs8") == 0)
		structure = "PrivateKeyInfo";
	else if (strcmp(form, "traditional") == 0)
		structure = "type-specific";
	else if (strcmp(form, "spki") == 0)
		structure = "SubjectPublicKeyInfo";
	else if (strcmp(form, "rsapub") == 0)
		structure = "pkcs1";
	if (strcmp(form, "spki") == 0 || strcmp(form, "rsapub") == 0)
		selection = EVP_PKEY_PUBLIC_KEY;
	ctx = OSSL_ENCODER_CTX_new_for_pkey(pkey, selection, is_pem ? "PEM" : "DER", structure,
					    NULL);
	assert_non_null(ctx);
	assert_int_equal(OSSL_ENCODER_to_fp(ctx, f), 1);
	OSSL_ENCODER_CTX_free(ctx);
	fchmod(fileno(f), S_IRUSR | S_IWUSR);
	fclose(f);
}

const struct plx_key_use *
ks_env_use(struct ks_use *u, const char *alg, enum plx_op op)
{
	memset(u, 0, sizeof(*u));
	u->spec.alg = plx_alg_find(alg);
	if (u->spec.alg == NULL)
		assert_ok(plx_alg_parse(alg, &u->spec, err));
	u->use.size = sizeof(u->use);
	u->use.spec = &u->spec;
	u->use.op = op;
	u->use.iv_offset = IV_OFFSET;
	return &u->use;
}

enum rte_crypto_op_status
ks_env_run(const struct ks_env *env, const char *device, struct rte_crypto_op *op)
{
	struct plx_device *dev = plx_devices_find(env->devs, device);
	struct rte_crypto_op *back = NULL;
	struct plx_session *s;
	void *ours;
	uint16_t qp;
	int i;

	assert_non_null(dev);
	assert_ok(plx_device_qp_get(dev, &qp, err));
	if (op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC) {
		s = (struct plx_session *)op->sym->session;
		ours = plx_session_on(s, dev->sess_dom, dev->qp_sess_base + qp);
		op->sym->session = ours;
	} else {
		s = (struct plx_session *)op->asym->session;
		ours = plx_session_on(s, dev->sess_dom, dev->qp_sess_base + qp);
		op->asym->session = ours;
	}
	assert_non_null(ours);

	/* a failing op is refused by some drivers and comes back from others */
	if (rte_cryptodev_enqueue_burst(dev->dev_id, qp, &op, 1) == 1) {
		for (i = 0; i < 1000 && back == NULL; i++)
			rte_cryptodev_dequeue_burst(dev->dev_id, qp, &back, 1);
		assert_ptr_equal(back, op);
	}
	plx_session_attach(op, s);
	plx_device_qp_put(dev, qp);
	return op->status;
}
