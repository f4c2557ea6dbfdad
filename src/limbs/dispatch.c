// SPDX-License-Identifier: MIT
#include "kernels.h"

const struct cc_candidate cc_limbs_candidates[] = {
	{ CC_TIER_GENERIC, &cc_limbs_generic },
#if CC_BUILD_X86_64
	{ CC_TIER_X86_64, &cc_limbs_x86_64 },
	{ CC_TIER_BMI2ADX, &cc_limbs_bmi2adx },
#endif
};

const size_t cc_limbs_candidates_count =
	sizeof(cc_limbs_candidates) / sizeof(cc_limbs_candidates[0]);

const char *cc_limbs_tier(void)
{
	return cc_limbs_kernels()->tier;
}

cc_word cc_limbs_add(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	return cc_limbs_kernels()->add(r, a, b, n);
}

cc_word cc_limbs_sub(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	return cc_limbs_kernels()->sub(r, a, b, n);
}

cc_word cc_limbs_mul_1(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	return cc_limbs_kernels()->mul_1(r, a, n, w);
}

cc_word cc_limbs_addmul_1(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	return cc_limbs_kernels()->addmul_1(r, a, n, w);
}

cc_word cc_limbs_submul_1(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	return cc_limbs_kernels()->submul_1(r, a, n, w);
}

cc_word cc_limbs_lshift(cc_word *r, const cc_word *a, size_t n, unsigned int count)
{
	return cc_limbs_kernels()->lshift(r, a, n, count);
}

cc_word cc_limbs_rshift(cc_word *r, const cc_word *a, size_t n, unsigned int count)
{
	return cc_limbs_kernels()->rshift(r, a, n, count);
}
