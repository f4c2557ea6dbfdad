/* SPDX-License-Identifier: MIT */
/*
 * tier_avx512ifma.h - the kernels of 52-bit multiply-adds, which kernels.h specifies; all except
 * the batch of eight need more than 6 words.
 */
#ifndef CC_FIXED_TIER_AVX512IFMA_H
#define CC_FIXED_TIER_AVX512IFMA_H

#include "../kernels.h"

CC_HIDDEN cc_fixed_powmod_fn cc_fixed_powmod_odd_avx512ifma;
CC_HIDDEN size_t cc_fixed_radix_avx512ifma(size_t n);
CC_HIDDEN cc_fixed_powmod_8_fn cc_fixed_powmod_odd_8_avx512ifma;
CC_HIDDEN size_t cc_fixed_radix_8_avx512ifma(size_t n);

#endif /* CC_FIXED_TIER_AVX512IFMA_H */
