/* SPDX-License-Identifier: MIT */
/* tier_avx2.h - the kernels of multiply-adds of doubles, which kernels.h specifies. */
#ifndef CC_FIXED_TIER_AVX2_H
#define CC_FIXED_TIER_AVX2_H

#include "../kernels.h"

CC_HIDDEN cc_fixed_powmod_fn cc_fixed_powmod_odd_avx2;
CC_HIDDEN size_t cc_fixed_radix_avx2(size_t n);
CC_HIDDEN cc_fixed_powmod_8_fn cc_fixed_powmod_odd_8_avx2;
CC_HIDDEN size_t cc_fixed_radix_8_avx2(size_t n);

#endif /* CC_FIXED_TIER_AVX2_H */
