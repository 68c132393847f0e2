/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef JOB_H
#define JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "job_file.h"
#include "job_pump.h"
#include "plx_alg.h"
#include "plx_ctl.h"
#include "plx_err.h"
#include "plx_keystore.h"

struct app;

#define JOB_RECORD_PRESET 32768
#define JOB_RECORD_MIN    256
#define JOB_DEPTH_PRESET  64
#define JOB_DIGEST_MAX    64

/* What a job was asked for, and what came of it. */
struct job {
	struct app *app;
	struct plx_ctl_call *call;
	enum plx_op op;
	struct plx_alg_spec spec;
	char alg_name[40];
	const char *in_path;
	const char *out_path;       /* NULL: none */
	const char *signature_path; /* verify */
	const struct plx_alg *hash; /* sign, verify */
	plx_key_handle key;         /* PLX_KEY_HANDLE_NONE for a digest */
	uint8_t iv[16];
	bool has_iv;
	bool sync;
	uint32_t record_bytes;
	uint32_t depth;
	uint32_t repeat; /* sign and verify: the operation this many times, for a figure */
	enum plx_class cls;
	enum plx_mode mode;

	struct job_in in;
	struct job_out out;
	bool is_held; /* a device still has its operation: session and memory stay as they are */

	/* results */
	uint64_t nb_bytes;   /* of the input */
	uint64_t nb_records; /* operations */
	uint64_t cycles;     /* from the first to the last of them */
	struct plx_hist latency;
	char engines[96];
	char device[64];
	uint8_t digest[JOB_DIGEST_MAX]; /* digest, mac */
	uint32_t digest_bytes;
};

/* Run the job as it is filled in. */
int job_run(struct job *job, struct plx_err *err);

/* The kinds of jobs; the files are open. */
int job_raw_run(struct job *job, struct plx_err *err);
int job_seal_run(struct job *job, struct plx_err *err);
int job_whole_run(struct job *job, struct plx_err *err);
int job_sign_run(struct job *job, struct plx_err *err);

/* The session of the job's key for an algorithm and operation; takes the control lock. */
int job_session_get(struct job *job, const struct plx_alg_spec *spec, enum plx_op op,
		    uint16_t aad_bytes, struct plx_session **out, struct plx_err *err);
void job_session_put(struct job *job, struct plx_session *s);

/* A pump with the job's class and mode, that being preset when the user gave none. */
int job_pump_create(struct job *job, enum plx_mode preset, uint32_t depth, uint32_t buf_bytes,
		    struct pump **out, struct plx_err *err);

/* Run it, and take over its figures: cycles, latency, who did it. */
int job_pump_run(struct job *job, struct pump *pump, const struct pump_source *source,
		 const struct plx_session *sess, struct plx_err *err);

/* Progress: "12.3 of 118 MB". */
void job_progress_bytes(const struct job *job, uint64_t done, char *line, size_t len);

/* The digest of the input by a hash or MAC session into job->digest; see job_whole.c. */
int job_whole_digest(struct job *job, struct plx_session *sess, const struct plx_alg *alg,
		     struct plx_err *err);
/* A keyless hash session; takes the control lock. */
int job_hash_session(struct app *app, const struct plx_alg *alg, struct plx_session **out,
		     struct plx_err *err);
void job_hash_session_put(struct app *app, struct plx_session *s);

#endif
