/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PAGES_H
#define PAGES_H

#include <stdio.h>

#include "plx_conf.h"
#include "plx_err.h"

/*
 * Documents made from the tables: "sample", "manual", "commands", "reference". 0, -EINVAL for
 * another name, or -EIO.
 */
int pages_print(const char *name, struct plx_conf *conf, FILE *f, struct plx_err *err);

#endif
