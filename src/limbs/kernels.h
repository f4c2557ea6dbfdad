/* SPDX-License-Identifier: MIT */
/*
 * kernels.h - the operations on vectors of words that have a tier for each machine.
 *
 * Shapes and meanings are those of limbs.h; lengths n, an, bn may be 0 unless stated
 * otherwise.  A tier fills in one struct; the portable one is the specification.
 */
#ifndef CC_LIMBS_KERNELS_H
#define CC_LIMBS_KERNELS_H

#include <carrychain/limbs.h>

#include "../cpu/dispatch.h"
#include "thresholds.h"

/*
 * Fewer words are multiplied by rows in every tier, and so is a longer factor by fewer than this;
 * one of so many words by one or two.
 */
#define CC_FEW	    7
#define CC_FEW_LONG 16
#define CC_FEW_ROWS 3

struct cc_limbs_kernels {
	const char *tier;
	cc_word (*add)(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
	cc_word (*sub)(cc_word *r, const cc_word *a, const cc_word *b, size_t n);
	cc_word (*mul_1)(cc_word *r, const cc_word *a, size_t n, cc_word w);
	cc_word (*addmul_1)(cc_word *r, const cc_word *a, size_t n, cc_word w);
	cc_word (*submul_1)(cc_word *r, const cc_word *a, size_t n, cc_word w);
	/* count from 0 to CC_WORD_BITS - 1 */
	cc_word (*lshift)(cc_word *r, const cc_word *a, size_t n, unsigned int count);
	cc_word (*rshift)(cc_word *r, const cc_word *a, size_t n, unsigned int count);
	/* r[an + bn] = a[an] * b[bn], an >= bn >= 1; r overlaps neither */
	void (*mul_basecase)(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn);
	/* r[2n] = a[n]^2, n >= 1; r does not overlap a */
	void (*sqr_basecase)(cc_word *r, const cc_word *a, size_t n);
	/* the same for few words: a product of a few ns has no time for further tests */
	void (*mul_few)(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn);
	void (*sqr_few)(cc_word *r, const cc_word *a, size_t n);
	struct cc_thresholds thresholds;
};

CC_HIDDEN extern const struct cc_limbs_kernels cc_limbs_generic;
#if CC_BUILD_X86_64
CC_HIDDEN extern const struct cc_limbs_kernels cc_limbs_x86_64;
CC_HIDDEN extern const struct cc_limbs_kernels cc_limbs_bmi2adx;
#endif
#if CC_BUILD_VECTORS
CC_HIDDEN extern const struct cc_limbs_kernels cc_limbs_avx512ifma;
#endif

/* Every tier of this family built for this architecture, from slow to fast. */
CC_HIDDEN extern const struct cc_candidate cc_limbs_candidates[];
CC_HIDDEN extern const size_t cc_limbs_candidates_count;

static inline const struct cc_limbs_kernels *cc_limbs_kernels(void)
{
	const struct cc_limbs_kernels *k = cc_cpu_kernels(CC_FAMILY_LIMBS);

	if (__builtin_expect(!k, 0))
		k = cc_cpu_choose(CC_FAMILY_LIMBS, cc_limbs_candidates, cc_limbs_candidates_count);
	return k;
}

/* Whether the words are few, an >= bn */
static inline int cc_limbs_are_few(size_t an, size_t bn)
{
	return bn - 1 < CC_FEW - 1 && (an < CC_FEW_LONG || bn < CC_FEW_ROWS);
}

/* Whether a product is one of mul_few, or of mul_basecase; if not, there may be no kernels yet. */
static inline int cc_limbs_is_few(const struct cc_limbs_kernels *k, size_t an, size_t bn)
{
	return k && bn <= an && cc_limbs_are_few(an, bn);
}

static inline int cc_limbs_is_basecase(const struct cc_limbs_kernels *k, size_t an, size_t bn)
{
	return k && bn <= an && bn && bn < k->thresholds.karatsuba_mul;
}

/* Of the tier that runs here. */
static inline const struct cc_thresholds *cc_thresholds(void)
{
	return &cc_limbs_kernels()->thresholds;
}

#endif /* CC_LIMBS_KERNELS_H */
