/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_pmd.h"

#include <stdlib.h>

/* Registration of a driver, which runs in a constructor: EAL and its logs are not there yet. */

uint8_t
plx_pmd_register(struct plx_pmd_registration *reg, const struct rte_vdev_driver *drv,
		 const char *alias_env)
{
	const char *alias = alias_env != NULL ? getenv(alias_env) : NULL;

	if (alias == NULL || alias[0] == '\0')
		return rte_cryptodev_allocate_driver(&reg->crypto_driver, &drv->driver);
	reg->alias.name = alias;
	return rte_cryptodev_allocate_driver(&reg->crypto_driver, &reg->alias);
}

void
plx_pmd_alias(const struct plx_pmd_registration *reg, struct rte_cryptodev *cryptodev,
	      struct rte_device *copy)
{
	if (reg->alias.name == NULL)
		return;
	*copy = *cryptodev->device;
	copy->driver = &reg->alias;
	cryptodev->device = copy;
}
