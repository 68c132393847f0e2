/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef MB_FAKE_CALLS_H
#define MB_FAKE_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "mb_calls.h"

/*
 * The calls of eight, by OpenSSL's big numbers: for machines whose CPU cannot run crypto_mb. What a
 * call got is counted, and a lane can be made to answer wrong.
 */

struct fake_log {
	unsigned int nb_calls;
	unsigned int nb_lanes;   /* filled, of all calls */
	unsigned int most_lanes; /* of one call */
	uint64_t nonces[256];    /* low words of the nonces of signatures */
	unsigned int nb_nonces;
	unsigned int nb_shared;     /* messages of the last SM2 call that were different ones */
	unsigned int exponent_bits; /* of the last call of powers */
	int corrupt_lane;           /* its result has a bit wrong; -1: none */
	int refuse_lane;            /* its status says it failed; -1: none */
	bool is_slow;               /* as slow as eight single ops, and a half */
};

extern struct fake_log fake_log;
extern const struct mb_calls fake_calls;

void fake_reset(void);

#endif
