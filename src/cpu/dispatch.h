/* SPDX-License-Identifier: MIT */
/*
 * dispatch.h - how a module chooses its tier, once.
 *
 * A module is a family: a struct of function pointers (whose first member is the tier's name),
 * with one constant instance per tier, listed from slow to fast with the features that each
 * needs.  On first use, the list's last entry that may run is published here atomically; all
 * threads that race choose the same.
 */
#ifndef CC_CPU_DISPATCH_H
#define CC_CPU_DISPATCH_H

#include <carrychain/cpu.h>

#include "../platform.h"

enum cc_family {
	CC_FAMILY_LIMBS,
	CC_FAMILY_TRANSFORM,
	CC_FAMILY_FIXED,
	CC_FAMILY_CHECKSUM,
	CC_FAMILY_CRC32C,
	CC_FAMILIES,
};

/* The features that the tiers need, by their names in cc_cpu_tiers(). */
#define CC_TIER_GENERIC	   0
#define CC_TIER_X86_64	   CC_CPU_X86_64
#define CC_TIER_BMI2ADX	   (CC_TIER_X86_64 | CC_CPU_BMI2 | CC_CPU_ADX)
#define CC_TIER_AVX2	   (CC_TIER_X86_64 | CC_CPU_AVX2)
#define CC_TIER_AVX512	   (CC_TIER_X86_64 | CC_CPU_AVX512)
#define CC_TIER_AVX512IFMA (CC_TIER_AVX512 | CC_TIER_BMI2ADX | CC_CPU_AVX512IFMA)
#define CC_TIER_AVX512VNNI (CC_TIER_AVX512 | CC_CPU_AVX512VNNI)
#define CC_TIER_NEON	   CC_CPU_NEON
#define CC_TIER_ALTIVEC	   CC_CPU_ALTIVEC

/* Whether the assembly tiers are built; with CC_NO_ASM, there is only the portable one. */
#if defined(__x86_64__) && CC_X86_ASM && CC_WORD_BITS == 64
#define CC_BUILD_X86_64 1
#else
#define CC_BUILD_X86_64 0
#endif

/* Whether the vector tiers of fixed/ are built: the kernel builds no vector instructions. */
#if CC_BUILD_X86_64 && !defined(__KERNEL__)
#define CC_BUILD_VECTORS 1
#else
#define CC_BUILD_VECTORS 0
#endif

/* Whether fixed/ is built: the kernel has no stack for it. */
#if defined(__KERNEL__) || defined(CC_NO_ASM)
#define CC_BUILD_FIXED 0
#else
#define CC_BUILD_FIXED 1
#endif

struct cc_candidate {
	uint64_t needs;
	const void *kernels;
};

CC_HIDDEN extern const void *cc_cpu_chosen[CC_FAMILIES];

#if CC_BUILD_X86_64
/* Results of cpuid: its last leaf, registers of leaves 1 and 7; and what the system saves. */
struct cc_cpuid {
	cc_u32 leaves, ecx1, ebx7, ecx7, xcr0;
};

CC_HIDDEN uint64_t cc_cpu_features_of(const struct cc_cpuid *p);
#endif

/* The last tier that needs only @features. */
CC_HIDDEN const void *cc_cpu_best(const struct cc_candidate *candidates, size_t count,
				  uint64_t features);

CC_HIDDEN const void *cc_cpu_choose(enum cc_family family, const struct cc_candidate *candidates,
				    size_t count);

/* The family's kernels, or NULL before the first cc_cpu_choose(). */
static inline const void *cc_cpu_kernels(enum cc_family family)
{
	return __atomic_load_n(&cc_cpu_chosen[family], __ATOMIC_ACQUIRE);
}

#endif /* CC_CPU_DISPATCH_H */
