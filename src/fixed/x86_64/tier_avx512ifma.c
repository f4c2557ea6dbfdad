// SPDX-License-Identifier: MIT
/* The tier of 52-bit multiply-adds. */
#include "tier_avx512ifma.h"

#if CC_BUILD_AVX512IFMA

const struct cc_fixed_kernels cc_fixed_avx512ifma = {
	.tier = "avx512ifma",
	.mul = cc_fixed_mul_avx512ifma,
	.sqr = cc_fixed_sqr_avx512ifma,
	.powmod_odd = cc_fixed_powmod_odd_avx512ifma,
	.powmod_odd_8 = cc_fixed_powmod_odd_8_avx512ifma,
};

#endif /* CC_BUILD_AVX512IFMA */
