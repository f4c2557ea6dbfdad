/* SPDX-License-Identifier: MIT */
/*
 * tier_avx512ifma.h - the kernels of 52-bit multiply-adds; what they mean is in kernels.h,
 * but that all but the eight at once want more than 6 words.
 */
#ifndef CC_FIXED_TIER_AVX512IFMA_H
#define CC_FIXED_TIER_AVX512IFMA_H

#include "../kernels.h"

CC_HIDDEN cc_fixed_mul_fn cc_fixed_mul_avx512ifma;
CC_HIDDEN cc_fixed_sqr_fn cc_fixed_sqr_avx512ifma;
CC_HIDDEN void cc_fixed_powmod_odd_avx512ifma(cc_word *r, const cc_word *b, const cc_word *e,
					      const cc_word *m, size_t n, cc_word *scratch);
CC_HIDDEN void cc_fixed_powmod_odd_8_avx512ifma(cc_word *const r[8], const cc_word *const b[8],
						const cc_word *const e[8],
						const cc_word *const m[8], size_t n,
						cc_word *scratch);

#endif /* CC_FIXED_TIER_AVX512IFMA_H */
