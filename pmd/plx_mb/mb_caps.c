/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mb_asym.h"
#include "mb_sym.h"

/* One table of capabilities a device: the symmetric ones, the asymmetric ones, the mark of the end.
 */

int
mb_caps_create(struct mb_dev *dev)
{
	dev->caps = calloc(mb_sym_nb_caps + mb_asym_nb_caps + 1, sizeof(dev->caps[0]));
	if (dev->caps == NULL)
		return -ENOMEM;
	memcpy(dev->caps, mb_sym_caps, mb_sym_nb_caps * sizeof(dev->caps[0]));
	memcpy(&dev->caps[mb_sym_nb_caps], mb_asym_caps, mb_asym_nb_caps * sizeof(dev->caps[0]));
	dev->caps[mb_sym_nb_caps + mb_asym_nb_caps].op = RTE_CRYPTO_OP_TYPE_UNDEFINED;
	return 0;
}

void
mb_caps_free(struct mb_dev *dev)
{
	free(dev->caps);
	dev->caps = NULL;
}
