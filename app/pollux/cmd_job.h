/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef CMD_JOB_H
#define CMD_JOB_H

#include <jansson.h>

#include "plx_alg.h"
#include "plx_ctl.h"
#include "plx_err.h"

struct job;

/* Run the job a call's arguments ask for. */
int job_command(struct plx_ctl_call *call, enum plx_op op, json_t **answer, struct plx_err *err);

/* What a finished job has to say. */
json_t *job_answer(const struct job *job);

#endif
