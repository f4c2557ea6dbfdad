/* SPDX-License-Identifier: MIT */
/* tiers.h - the products of the x86-64 tiers, which pass some lengths on to one another. */
#ifndef CC_LIMBS_X86_64_TIERS_H
#define CC_LIMBS_X86_64_TIERS_H

#include "../kernels.h"

#define CC_LIMBS_BASECASES(tier)                                                                   \
	CC_HIDDEN void cc_limbs_mul_basecase_##tier(cc_word *r, const cc_word *a, size_t an,       \
						    const cc_word *b, size_t bn);                  \
	CC_HIDDEN void cc_limbs_sqr_basecase_##tier(cc_word *r, const cc_word *a, size_t n)

CC_LIMBS_BASECASES(x86_64);
CC_LIMBS_BASECASES(bmi2adx);
CC_LIMBS_BASECASES(avx512ifma);

#endif /* CC_LIMBS_X86_64_TIERS_H */
