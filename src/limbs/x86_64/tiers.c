// SPDX-License-Identifier: MIT
/* The x86-64 tiers: which kernel each of them runs. */
#include "tiers.h"

#define DECLARE(tier)                                                                              \
	CC_HIDDEN cc_word cc_limbs_add_##tier(cc_word *r, const cc_word *a, const cc_word *b,      \
					      size_t n);                                           \
	CC_HIDDEN cc_word cc_limbs_sub_##tier(cc_word *r, const cc_word *a, const cc_word *b,      \
					      size_t n);                                           \
	CC_HIDDEN cc_word cc_limbs_mul_1_##tier(cc_word *r, const cc_word *a, size_t n,            \
						cc_word w);                                        \
	CC_HIDDEN cc_word cc_limbs_addmul_1_##tier(cc_word *r, const cc_word *a, size_t n,         \
						   cc_word w);                                     \
	CC_HIDDEN cc_word cc_limbs_submul_1_##tier(cc_word *r, const cc_word *a, size_t n,         \
						   cc_word w);                                     \
	CC_HIDDEN cc_word cc_limbs_lshift_##tier(cc_word *r, const cc_word *a, size_t n,           \
						 unsigned int count);                              \
	CC_HIDDEN cc_word cc_limbs_rshift_##tier(cc_word *r, const cc_word *a, size_t n,           \
						 unsigned int count)

DECLARE(x86_64);
DECLARE(bmi2adx);

const struct cc_limbs_kernels cc_limbs_x86_64 = {
	.tier = "x86_64",
	.add = cc_limbs_add_x86_64,
	.sub = cc_limbs_sub_x86_64,
	.mul_1 = cc_limbs_mul_1_x86_64,
	.addmul_1 = cc_limbs_addmul_1_x86_64,
	.submul_1 = cc_limbs_submul_1_x86_64,
	.lshift = cc_limbs_lshift_x86_64,
	.rshift = cc_limbs_rshift_x86_64,
	.mul_basecase = cc_limbs_mul_basecase_x86_64,
	.sqr_basecase = cc_limbs_sqr_basecase_x86_64,
	.mul_few = cc_limbs_mul_basecase_x86_64,
	.sqr_few = cc_limbs_sqr_basecase_x86_64,
	.thresholds = {CC_THRESHOLDS_WORDS},
};

/* What both tiers that have mulx run, except products. */
#define ROWS_BMI2ADX                                                                               \
	.add = cc_limbs_add_x86_64, .sub = cc_limbs_sub_x86_64, .mul_1 = cc_limbs_mul_1_bmi2adx,   \
	.addmul_1 = cc_limbs_addmul_1_bmi2adx, .submul_1 = cc_limbs_submul_1_bmi2adx,              \
	.lshift = cc_limbs_lshift_bmi2adx, .rshift = cc_limbs_rshift_bmi2adx

const struct cc_limbs_kernels cc_limbs_bmi2adx = {
	.tier = "bmi2+adx",
	ROWS_BMI2ADX,
	.mul_basecase = cc_limbs_mul_basecase_bmi2adx,
	.sqr_basecase = cc_limbs_sqr_basecase_bmi2adx,
	.mul_few = cc_limbs_mul_basecase_bmi2adx,
	.sqr_few = cc_limbs_sqr_basecase_bmi2adx,
	.thresholds = {CC_THRESHOLDS_WORDS},
};

#if CC_BUILD_VECTORS

const struct cc_limbs_kernels cc_limbs_avx512ifma = {
	.tier = "avx512ifma",
	ROWS_BMI2ADX,
	.mul_basecase = cc_limbs_mul_basecase_avx512ifma,
	.sqr_basecase = cc_limbs_sqr_basecase_avx512ifma,
	.mul_few = cc_limbs_mul_basecase_bmi2adx,
	.sqr_few = cc_limbs_sqr_basecase_bmi2adx,
	.thresholds = {CC_THRESHOLDS_DIGITS},
};

#endif
