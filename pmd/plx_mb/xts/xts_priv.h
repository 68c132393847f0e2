/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_XTS_PRIV_H
#define PLX_XTS_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plx_xts.h"

/* One way to do it. Lengths and key halves are checked before; units are 1 or more. */
struct xts_kernel {
	const char *name;
	bool (*is_usable)(void);
	/* nb_rounds is set; fills in what the kernel needs of the rest */
	int (*key_expand)(struct plx_xts_key *key, const uint8_t *bytes);
	void (*key_free)(struct plx_xts_key *key);
	int (*crypt)(const struct plx_xts_key *key, const struct plx_xts_unit *units, size_t nb,
		     bool is_enc);
};

extern const struct xts_kernel xts_vaes512; /* xts_vaes512.c */
extern const struct xts_kernel xts_vaes256; /* xts_vaes256.c */
extern const struct xts_kernel xts_openssl; /* xts_openssl.c */

/* All of them, best first, NULL behind the last; which of these this CPU can run is their
 * is_usable(). */
extern const struct xts_kernel *const xts_kernels[];

/* plx_xts_key_init() on a kernel that the caller chooses; -ENOTSUP when this CPU cannot run it. */
int xts_key_init_on(struct plx_xts_key *key, const struct xts_kernel *kernel, const uint8_t *bytes,
		    size_t len_bytes, struct plx_err *err) PLX_MUST_CHECK;

/* xts_cpu.c: instructions that this CPU has and the kernel saves the registers of. */
bool xts_cpu_has_aesni(void);
bool xts_cpu_has_vaes256(void);
bool xts_cpu_has_vaes512(void);

/* xts_schedule.c: the round keys of AES-NI kernels. */
int xts_schedule_expand(struct plx_xts_key *key, const uint8_t *bytes);

#endif
