/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "xts_priv.h"

#include <cpuid.h>

/*
 * A vector instruction may be used when the CPU has it (CPUID) and the system saves the registers
 * it works on (XCR0, bits 1, 2 for ymm; 5, 6, 7 more for zmm). Read each time it is asked for:
 * keys are set rarely, and there is no state to share. The compilers' __builtin_cpu_supports() does
 * not know VAES in all versions that are built with.
 */

#define XCR0_YMM UINT64_C(0x06)
#define XCR0_ZMM UINT64_C(0xe6)

/* Intel SDM volume 2, CPUID leaf 1 ecx */
#define LEAF1_PCLMUL  (1u << 1)
#define LEAF1_SSE41   (1u << 19)
#define LEAF1_AES     (1u << 25)
#define LEAF1_OSXSAVE (1u << 27)
/* leaf 7 ebx, ecx */
#define LEAF7_AVX2       (1u << 5)
#define LEAF7_AVX512F    (1u << 16)
#define LEAF7_AVX512BW   (1u << 30)
#define LEAF7_AVX512VL   (1u << 31)
#define LEAF7_VAES       (1u << 9)
#define LEAF7_VPCLMULQDQ (1u << 10)

struct cpu {
	uint32_t leaf1_ecx;
	uint32_t leaf7_ebx;
	uint32_t leaf7_ecx;
	uint64_t xcr0;
};

static uint64_t
xcr0_read(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

static void
cpu_read(struct cpu *cpu)
{
	uint32_t eax, ebx, ecx = 0, edx;

	*cpu = (struct cpu){ 0 };
	if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0)
		cpu->leaf1_ecx = ecx;
	if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0) {
		cpu->leaf7_ebx = ebx;
		cpu->leaf7_ecx = ecx;
	}
	if ((cpu->leaf1_ecx & LEAF1_OSXSAVE) != 0)
		cpu->xcr0 = xcr0_read();
}

static bool
has_all(uint64_t have, uint64_t wanted)
{
	return (have & wanted) == wanted;
}

static bool
has_aesni(const struct cpu *cpu)
{
	return has_all(cpu->leaf1_ecx, LEAF1_AES | LEAF1_PCLMUL | LEAF1_SSE41);
}

static bool
has_vaes256(const struct cpu *cpu)
{
	return has_aesni(cpu) && has_all(cpu->xcr0, XCR0_YMM) &&
	       has_all(cpu->leaf7_ebx, LEAF7_AVX2) &&
	       has_all(cpu->leaf7_ecx, LEAF7_VAES | LEAF7_VPCLMULQDQ);
}

bool
xts_cpu_has_aesni(void)
{
	struct cpu cpu;

	cpu_read(&cpu);
	return has_aesni(&cpu);
}

bool
xts_cpu_has_vaes256(void)
{
	struct cpu cpu;

	cpu_read(&cpu);
	return has_vaes256(&cpu);
}

bool
xts_cpu_has_vaes512(void)
{
	struct cpu cpu;

	cpu_read(&cpu);
	return has_vaes256(&cpu) && has_all(cpu.xcr0, XCR0_ZMM) &&
	       has_all(cpu.leaf7_ebx, LEAF7_AVX512F | LEAF7_AVX512BW | LEAF7_AVX512VL);
}
