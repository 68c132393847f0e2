/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#ifndef PLX_CPPCHECK_H
#define PLX_CPPCHECK_H

/* cppcheck reads no system header; what their macros hide is spelled out here, as far as it must be
 * to parse. */

#define __x86_64__  1
#define PLX_VERSION "0"

#define RTE_LOG_REGISTER(a, b, c)
#define RTE_LOG_REGISTER_SUFFIX(a, b, c)
#define RTE_LOG_REGISTER_DEFAULT(a, b)
#define RTE_INIT(f)      static void f(void)
#define RTE_FINI(f)      static void f(void)
#define RTE_PER_LCORE(a) a
#define RTE_PMD_REGISTER_VDEV(a, b)
#define RTE_PMD_REGISTER_CRYPTO_DRIVER(a, b, c)
#define RTE_PMD_REGISTER_PARAM_STRING(a, b)

#define LIST_HEAD(name, type)                                                                      \
	struct name {                                                                              \
		struct type *lh_first;                                                             \
	}
#define LIST_ENTRY(type)                                                                           \
	struct {                                                                                   \
		struct type *le_next;                                                              \
		struct type **le_prev;                                                             \
	}
#define TAILQ_HEAD(name, type)                                                                     \
	struct name {                                                                              \
		struct type *tqh_first;                                                            \
		struct type **tqh_last;                                                            \
	}
#define TAILQ_ENTRY(type)                                                                          \
	struct {                                                                                   \
		struct type *tqe_next;                                                             \
		struct type **tqe_prev;                                                            \
	}
#define LIST_FOREACH(var, head, field)        while (next(&var))
#define TAILQ_FOREACH(var, head, field)       while (next(&var))
#define json_object_foreach(object, key, var) while (next(&key, &var))
#define json_array_foreach(array, i, var)     while (next(&i, &var))

#endif
