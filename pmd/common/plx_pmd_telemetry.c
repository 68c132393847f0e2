/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_pmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What the drivers' telemetry commands have in common: errors, lists, the device in parameters. */

int
plx_pmd_tel_error(struct rte_tel_data *data, const struct plx_err *err)
{
	char text[PLX_ERR_TEXT_MAX + 8];

	snprintf(text, sizeof(text), "error: %s", err->text);
	return rte_tel_data_string(data, text);
}

int
plx_pmd_tel_names(struct rte_tel_data *data, const uint8_t *ids, int nb)
{
	rte_tel_data_start_array(data, RTE_TEL_STRING_VAL);
	for (int i = nb - 1; i >= 0; i--) {
		const char *name = rte_cryptodev_name_get(ids[i]);

		if (name != NULL)
			rte_tel_data_add_array_string(data, name);
	}
	return 0;
}

int
plx_pmd_tel_device(const char *params, const char *list, plx_pmd_find_fn find, const char **rest,
		   struct plx_err *err)
{
	char name[RTE_CRYPTODEV_NAME_MAX_LEN];
	size_t len;
	int id;

	if (params == NULL || params[0] == '\0')
		return plx_err_set(err, -EINVAL, "want a device; %s names them", list);
	len = strcspn(params, ",");
	if (len >= sizeof(name))
		return plx_err_set(err, -EINVAL, "the device name is longer than %zu bytes",
				   sizeof(name) - 1);
	memcpy(name, params, len);
	name[len] = '\0';
	*rest = params[len] == ',' ? params + len + 1 : "";
	id = find(name);
	return id >= 0 ? id
		       : plx_err_set(err, -ENODEV, "no device '%s'; %s names them", name, list);
}
