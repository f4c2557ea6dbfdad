// SPDX-License-Identifier: MIT
#include "kernels.h"

const struct cc_candidate cc_fixed_candidates[] = {
	{CC_TIER_GENERIC, &cc_fixed_generic},
#if CC_BUILD_X86_64
	{CC_TIER_X86_64, &cc_fixed_x86_64},
	{CC_TIER_BMI2ADX, &cc_fixed_bmi2adx},
#endif
#if CC_BUILD_VECTORS
	{CC_TIER_AVX2 | CC_TIER_BMI2ADX, &cc_fixed_avx2},
	{CC_TIER_AVX512IFMA, &cc_fixed_avx512ifma},
#endif
};

const size_t cc_fixed_candidates_count =
	sizeof(cc_fixed_candidates) / sizeof(cc_fixed_candidates[0]);

const char *cc_fz_tier(void)
{
	return cc_fixed_kernels()->tier;
}
