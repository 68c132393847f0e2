/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_prom.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A page is one growing buffer, of which a name can be told by its "# TYPE" line. Numbers are
 * written so that they mean the same in every locale.
 */

#define PAGE_BYTES_MIN 4096
#define NUMBER_BYTES   32
#define NAME_BYTES_MAX 200

struct plx_prom {
	char *text;
	size_t len;
	size_t room;
	int error;               /* the first one, 0 when none */
	enum plx_prom_type type; /* of the family being written; 0 before the first */
	char family[NAME_BYTES_MAX];
};

static void
fail(struct plx_prom *p, int error)
{
	if (p->error == 0)
		p->error = error;
}

static void
put(struct plx_prom *p, const char *text, size_t len)
{
	size_t room = p->room;
	char *grown;

	if (p->error != 0)
		return;
	while (room - p->len <= len)
		room *= 2;
	if (room != p->room) {
		grown = realloc(p->text, room);
		if (grown == NULL) {
			fail(p, -ENOMEM);
			return;
		}
		p->text = grown;
		p->room = room;
	}
	memcpy(p->text + p->len, text, len);
	p->len += len;
	p->text[p->len] = '\0';
}

static void
put_text(struct plx_prom *p, const char *text)
{
	put(p, text, strlen(text));
}

/* Backslash and newline are escaped everywhere, the quote in label values only. */
static void
put_escaped(struct plx_prom *p, const char *text, bool is_label)
{
	for (; *text != '\0'; text++) {
		if (*text == '\n')
			put_text(p, "\\n");
		else if (*text == '\\')
			put_text(p, "\\\\");
		else if (*text == '"' && is_label)
			put_text(p, "\\\"");
		else
			put(p, text, 1);
	}
}

static void
put_u64(struct plx_prom *p, uint64_t value)
{
	char number[NUMBER_BYTES];

	snprintf(number, sizeof(number), "%" PRIu64, value);
	put_text(p, number);
}

/* The shortest of 15 to 17 digits that reads back as the same value. */
static void
put_double(struct plx_prom *p, double value)
{
	char number[NUMBER_BYTES];
	char *comma;

	if (isnan(value)) {
		put_text(p, "NaN");
		return;
	}
	if (isinf(value)) {
		put_text(p, value > 0 ? "+Inf" : "-Inf");
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(number, sizeof(number), "%.*g", digits, value);
		if (strtod(number, NULL) == value)
			break;
	}
	comma = strchr(number, ',');
	if (comma != NULL)
		*comma = '.';
	put_text(p, number);
}

static bool
is_name(const char *name, bool is_label)
{
	for (size_t i = 0; name[i] != '\0'; i++) {
		char c = name[i];
		bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
		bool is_digit = c >= '0' && c <= '9';

		if (!is_letter && !(is_digit && i > 0) && !(c == ':' && !is_label))
			return false;
	}
	return name[0] != '\0' && strlen(name) < NAME_BYTES_MAX;
}

static const char *
type_name(enum plx_prom_type type)
{
	switch (type) {
	case PLX_PROM_COUNTER:
		return "counter";
	case PLX_PROM_GAUGE:
		return "gauge";
	case PLX_PROM_HISTOGRAM:
		return "histogram";
	default:
		return NULL;
	}
}

static bool
is_on_page(const struct plx_prom *p, const char *name)
{
	char line[NAME_BYTES_MAX + 16];

	/* a page begins with a HELP line, so each TYPE line has a newline before it; label values
	 * have none */
	snprintf(line, sizeof(line), "\n# TYPE %s ", name);
	return strstr(p->text, line) != NULL;
}

/* "{a=\"1\",b=\"2\",le=\"0.5\"}"; nothing when there is no label. bound is NULL for no "le". */
static void
put_labels(struct plx_prom *p, const struct plx_prom_label *labels, size_t nb_labels,
	   const double *bound)
{
	const char *before = "{";

	for (size_t i = 0; i < nb_labels; i++) {
		if (!is_name(labels[i].name, true)) {
			fail(p, -EINVAL);
			return;
		}
		put_text(p, before);
		put_text(p, labels[i].name);
		put_text(p, "=\"");
		put_escaped(p, labels[i].value, true);
		put_text(p, "\"");
		before = ",";
	}
	if (bound != NULL) {
		put_text(p, before);
		put_text(p, "le=\"");
		put_double(p, *bound);
		put_text(p, "\"");
		before = ",";
	}
	if (before[0] == ',')
		put_text(p, "}");
}

static void
put_name(struct plx_prom *p, const char *suffix, const struct plx_prom_label *labels,
	 size_t nb_labels, const double *bound)
{
	put_text(p, p->family);
	put_text(p, suffix);
	put_labels(p, labels, nb_labels, bound);
	put_text(p, " ");
}

int
plx_prom_create(struct plx_prom **out)
{
	struct plx_prom *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return -ENOMEM;
	p->text = calloc(1, PAGE_BYTES_MIN);
	if (p->text == NULL) {
		free(p);
		return -ENOMEM;
	}
	p->room = PAGE_BYTES_MIN;
	*out = p;
	return 0;
}

void
plx_prom_destroy(struct plx_prom *p)
{
	if (p == NULL)
		return;
	free(p->text);
	free(p);
}

int
plx_prom_finish(struct plx_prom *p, char **text, size_t *len)
{
	int error = p->error;

	if (error == 0) {
		*text = p->text;
		p->text = NULL;
		if (len != NULL)
			*len = p->len;
	}
	plx_prom_destroy(p);
	return error;
}

void
plx_prom_family(struct plx_prom *p, const char *name, enum plx_prom_type type, const char *help)
{
	if (!is_name(name, false) || type_name(type) == NULL)
		fail(p, -EINVAL);
	else if (is_on_page(p, name))
		fail(p, -EEXIST);
	if (p->error != 0)
		return;

	put_text(p, "# HELP ");
	put_text(p, name);
	put_text(p, " ");
	put_escaped(p, help, false);
	put_text(p, "\n# TYPE ");
	put_text(p, name);
	put_text(p, " ");
	put_text(p, type_name(type));
	put_text(p, "\n");
	snprintf(p->family, sizeof(p->family), "%s", name);
	p->type = type;
}

void
plx_prom_counter(struct plx_prom *p, const struct plx_prom_label *labels, size_t nb_labels,
		 uint64_t value)
{
	if (p->type != PLX_PROM_COUNTER)
		fail(p, -EINVAL);
	put_name(p, "", labels, nb_labels, NULL);
	put_u64(p, value);
	put_text(p, "\n");
}

void
plx_prom_gauge(struct plx_prom *p, const struct plx_prom_label *labels, size_t nb_labels,
	       double value)
{
	if (p->type != PLX_PROM_GAUGE)
		fail(p, -EINVAL);
	put_name(p, "", labels, nb_labels, NULL);
	put_double(p, value);
	put_text(p, "\n");
}

static bool
hist_args_ok(const struct plx_prom_label *labels, size_t nb_labels,
	     const struct plx_prom_buckets *buckets)
{
	const double *bounds_s = buckets->bounds_s;

	for (size_t i = 0; i < nb_labels; i++) {
		if (strcmp(labels[i].name, "le") == 0)
			return false;
	}
	for (size_t i = 0; i < buckets->nb_bounds; i++) {
		/* written so that NaN fails as well */
		if (!(bounds_s[i] > (i == 0 ? 0.0 : bounds_s[i - 1])) || isinf(bounds_s[i]))
			return false;
	}
	return buckets->hz != 0;
}

/* What one walk over the slots adds up to. */
struct hist_walk {
	uint32_t slot; /* the next one to add */
	uint64_t nb;
	double sum;
};

/* Add the slots that lie under limit as a whole. */
static void
hist_walk_to(struct hist_walk *walk, const struct plx_hist *h, double limit)
{
	for (; walk->slot < PLX_HIST_SLOTS; walk->slot++) {
		double lower = (double)plx_hist_slot_lower(walk->slot);
		double upper = walk->slot == PLX_HIST_SLOTS - 1
				       ? (double)atomic_load_explicit(&h->max, memory_order_relaxed)
				       : (double)plx_hist_slot_upper(walk->slot);
		uint64_t nb;

		if ((double)plx_hist_slot_upper(walk->slot) > limit)
			break;
		nb = atomic_load_explicit(&h->nb[walk->slot], memory_order_relaxed);
		walk->nb += nb;
		walk->sum += (double)nb * (lower + upper) / 2;
	}
}

void
plx_prom_histogram(struct plx_prom *p, const struct plx_prom_label *labels, size_t nb_labels,
		   const struct plx_hist *h, const struct plx_prom_buckets *buckets)
{
	const double infinite = INFINITY;
	double hz = (double)buckets->hz;
	struct hist_walk walk = { 0 };

	if (p->type != PLX_PROM_HISTOGRAM || !hist_args_ok(labels, nb_labels, buckets)) {
		fail(p, -EINVAL);
		return;
	}
	for (size_t i = 0; i <= buckets->nb_bounds; i++) {
		const double *bound = i == buckets->nb_bounds ? &infinite : &buckets->bounds_s[i];

		hist_walk_to(&walk, h, *bound * hz);
		put_name(p, "_bucket", labels, nb_labels, bound);
		put_u64(p, walk.nb);
		put_text(p, "\n");
	}
	put_name(p, "_sum", labels, nb_labels, NULL);
	put_double(p, walk.sum / hz);
	put_text(p, "\n");
	put_name(p, "_count", labels, nb_labels, NULL);
	put_u64(p, walk.nb);
	put_text(p, "\n");
}
