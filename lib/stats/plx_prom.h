/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_PROM_H
#define PLX_PROM_H

#include <stddef.h>
#include <stdint.h>

#include "plx_compiler.h"
#include "plx_hist.h"

/*
 * Writer of the Prometheus text format 0.0.4. A page is begun, families and their samples are
 * written one after the other, and the page is finished. The first failure sticks: calls after it
 * do nothing and plx_prom_finish() returns it, so a caller looks once, at the end.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define PLX_PROM_CONTENT_TYPE "text/plain; version=0.0.4; charset=utf-8"

struct plx_prom; /* a page being written */

enum plx_prom_type {
	PLX_PROM_COUNTER = 1,
	PLX_PROM_GAUGE,
	PLX_PROM_HISTOGRAM,
};

struct plx_prom_label {
	const char *name;
	const char *value; /* any UTF-8 text, escaped by the writer */
};

/**
 * Begin a page.
 *
 * @return 0; -ENOMEM.
 * @par Thread    The page belongs to one thread at a time.
 * @par Ownership Ends with plx_prom_finish() or plx_prom_destroy().
 * @par Errors    -ENOMEM; @p out is untouched on failure.
 */
int plx_prom_create(struct plx_prom **out) PLX_MUST_CHECK;

/**
 * Begin a family: its help and type lines. Samples that follow belong to it.
 *
 * @param name [a-zA-Z_:][a-zA-Z0-9_:]*, not used on this page before; counters end in "_total".
 * @par Thread    The page's.
 * @par Ownership Texts are copied.
 * @par Errors    Kept for plx_prom_finish(): -EINVAL (name), -EEXIST (name used before), -ENOMEM.
 */
void plx_prom_family(struct plx_prom *p, const char *name, enum plx_prom_type type,
		     const char *help);

/**
 * Write one sample of the current family, a counter's or a gauge's.
 *
 * @par Thread    The page's.
 * @par Ownership Texts are copied.
 * @par Errors    Kept for plx_prom_finish(): -EINVAL (no family of that kind, label name), -ENOMEM.
 */
void plx_prom_counter(struct plx_prom *p, const struct plx_prom_label *labels, size_t nb_labels,
		      uint64_t value);
void plx_prom_gauge(struct plx_prom *p, const struct plx_prom_label *labels, size_t nb_labels,
		    double value);

/* Into which buckets a histogram is put. */
struct plx_prom_buckets {
	uint64_t hz;            /* units of the histogram in a second (TSC frequency) */
	const double *bounds_s; /* upper bounds in seconds, ascending; "+Inf" is added */
	size_t nb_bounds;
};

/**
 * Write a histogram of the current family: cumulative buckets, sum and count. Bounds are in
 * seconds, ascending, "+Inf" is added. A record is counted under a bound when its whole slot lies
 * under it, so a bound acts up to 1/32 lower than it says. The sum is estimated from the middle of
 * each slot, at most 1/32 off.
 *
 * @par Thread    The page's; @p h may be written meanwhile, buckets and count agree all the same.
 * @par Ownership Nothing is kept.
 * @par Errors    Kept for plx_prom_finish(): -EINVAL (no histogram family, bounds not ascending, hz
 * 0, a label "le"), -ENOMEM.
 */
void plx_prom_histogram(struct plx_prom *p, const struct plx_prom_label *labels, size_t nb_labels,
			const struct plx_hist *h, const struct plx_prom_buckets *buckets);

/**
 * End the page and hand over its text.
 *
 * @param text Zero-terminated; freed by the caller with free(). Untouched on failure.
 * @param len  Bytes without the zero; NULL when not wanted.
 * @return 0, or the first failure since plx_prom_create().
 * @par Thread    The page's.
 * @par Ownership @p p is gone in any case, @p text is the caller's.
 * @par Errors    -EINVAL, -EEXIST, -ENOMEM.
 */
int plx_prom_finish(struct plx_prom *p, char **text, size_t *len) PLX_MUST_CHECK;

/**
 * Throw a page away; NULL is taken.
 *
 * @par Thread    The page's.
 * @par Ownership @p p is gone.
 * @par Errors    None.
 */
void plx_prom_destroy(struct plx_prom *p);

#ifdef __cplusplus
}
#endif

#endif
