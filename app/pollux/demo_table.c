/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "demo_table.h"

#include <stdio.h>

#include <rte_cycles.h>

#include "cmd.h"
#include "job.h"

#define ROW_FORMAT "%-21s %10s %14s %9s %9s  %-7s %-17s %-22s %s\n"

void
demo_table_begin(struct demo_table *table, bool is_json)
{
	table->is_json = is_json;
	table->rows = json_array();
	if (!is_json)
		printf(ROW_FORMAT, "operation", "bytes", "speed", "p50 us", "p99 us", "engines",
		       "device", "checked by", "result");
}

static void
print_row(const struct job *job, const char *name, double rate, const char *checked_by,
	  const char *wrong)
{
	double us = (double)rte_get_tsc_hz() / 1e6;
	bool is_sign = job->op == PLX_OP_SIGN || job->op == PLX_OP_VERIFY;
	char bytes[24], speed[32], p50[24], p99[24];

	snprintf(bytes, sizeof(bytes), "%llu", (unsigned long long)job->nb_bytes);
	snprintf(speed, sizeof(speed), is_sign ? "%.0f ops/s" : "%.1f MB/s", rate);
	snprintf(p50, sizeof(p50), "%.1f", (double)plx_hist_quantile(&job->latency, 500) / us);
	snprintf(p99, sizeof(p99), "%.1f", (double)plx_hist_quantile(&job->latency, 990) / us);
	printf(ROW_FORMAT, name, bytes, speed, p50, p99, job->engines, job->device, checked_by,
	       wrong == NULL ? "good" : wrong);
	fflush(stdout);
}

void
demo_table_row(struct demo_table *table, const struct job *job, const char *checked_by,
	       const char *wrong)
{
	double seconds = (double)job->cycles / (double)rte_get_tsc_hz();
	bool is_sign = job->op == PLX_OP_SIGN || job->op == PLX_OP_VERIFY;
	double rate = 0;
	char name[64];
	json_t *row;

	if (seconds > 0)
		rate = is_sign ? (double)job->nb_records / seconds
			       : (double)job->nb_bytes / seconds / 1e6;
	snprintf(name, sizeof(name), "%s %s", plx_op_name(job->op), job->alg_name);
	if (!table->is_json) {
		print_row(job, name, rate, checked_by, wrong);
		return;
	}
	row = json_object();
	cmd_put_text(row, "operation", name);
	cmd_put_u64(row, "bytes", job->nb_bytes);
	cmd_put_u64(row, "operations", job->nb_records);
	cmd_put_real(row, is_sign ? "ops-per-second" : "mb-per-second", rate, 1);
	cmd_put_latency(row, &job->latency);
	cmd_put_text(row, "engines", job->engines);
	cmd_put_text(row, "device", job->device);
	cmd_put_text(row, "checked-by", checked_by);
	cmd_put_text(row, "result", wrong == NULL ? "good" : wrong);
	json_array_append_new(table->rows, row);
}

void
demo_table_end(struct demo_table *table)
{
	if (table->is_json && plx_ctl_print(stdout, table->rows, true) < 0)
		fprintf(stderr, "pollux: the table cannot be written\n");
	json_decref(table->rows);
	table->rows = NULL;
}
