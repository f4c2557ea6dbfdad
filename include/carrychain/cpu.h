/* SPDX-License-Identifier: MIT */
/*
 * cpu.h - what this processor supports, and which tiers of the library may run on it.
 *
 * Every function of the library has a portable implementation, and may have tiers that
 * compute the same result faster.  A tier runs only if the processor has every feature
 * that it needs and the operating system saves its registers (CPUID and XCR0).
 *
 * The environment variable CC_CPU, read once, restricts the choice: a comma-separated
 * list of tier names ("generic", "x86_64", "bmi2+adx", ...).  A name that is not in
 * cc_cpu_tiers() allows nothing, and a warning on stderr says so when the list is read.
 * Empty names are ignored, and an empty list restricts nothing.
 */
#ifndef CARRYCHAIN_CPU_H
#define CARRYCHAIN_CPU_H

#include <carrychain/word.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CC_CPU_X86_64	  ((uint64_t)1 << 0) /* the architecture's baseline */
#define CC_CPU_BMI2	  ((uint64_t)1 << 1)
#define CC_CPU_ADX	  ((uint64_t)1 << 2)
#define CC_CPU_AVX2	  ((uint64_t)1 << 3) /* and FMA */
#define CC_CPU_AVX512	  ((uint64_t)1 << 4) /* F, BW, DQ and VL together */
#define CC_CPU_AVX512IFMA ((uint64_t)1 << 5)
#define CC_CPU_AVX512VNNI ((uint64_t)1 << 6)
#define CC_CPU_NEON	  ((uint64_t)1 << 7) /* the baseline of aarch64 */
#define CC_CPU_ALTIVEC	  ((uint64_t)1 << 8)

/* A tier's name and the features it needs; "generic" needs none. */
struct cc_cpu_tier {
	const char *name;
	uint64_t needs;
};

/* Every tier of the library for this architecture, slowest first.  Sets *@count. */
const struct cc_cpu_tier *cc_cpu_tiers(size_t *count);

/* The features in use: those detected and not forbidden by CC_CPU or the mask. */
uint64_t cc_cpu_features(void);

/* The features detected, including forbidden ones. */
uint64_t cc_cpu_detected(void);

/*
 * Use only the features in @mask from the next call on.  ~0 restores all that were detected,
 * whatever CC_CPU says.  Meant for tests.  Do not call it while another thread is inside
 * the library.
 */
void cc_cpu_set_mask(uint64_t mask);

/* The processor's own name, or ""; at most 48 bytes and a NUL. */
void cc_cpu_brand(char name[49]);

#ifdef __cplusplus
}
#endif

#endif /* CARRYCHAIN_CPU_H */
