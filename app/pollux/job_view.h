/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef JOB_VIEW_H
#define JOB_VIEW_H

#include <stdint.h>

#include "plx_device.h"
#include "plx_err.h"

struct app;

/* The longest data a single operation may have: crypto_openssl counts in an int. */
#define JOB_VIEW_BYTES_MAX 0x7fffffffULL

/*
 * A second session that stands for the first one on those devices only that take a chain of buffers
 * of any length in one operation. Until it is put back no device may be removed; the first session
 * must live as long.
 */
int job_view_get(struct app *app, const struct plx_session *sess, struct plx_session **out,
		 struct plx_err *err);
void job_view_put(struct app *app, struct plx_session *view);

#endif
