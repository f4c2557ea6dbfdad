/* SPDX-License-Identifier: MIT */
/*
 * thresholds.h - the number of words from which the better algorithm is faster.  `make tune`
 * measures them on this machine, and rewrites this file.
 */
#ifndef CC_LIMBS_THRESHOLDS_H
#define CC_LIMBS_THRESHOLDS_H

#include <stddef.h>

struct cc_thresholds {
	/* of the shorter factor, or of the number */
	size_t karatsuba_mul, karatsuba_sqr;
	/* transforms: no tier of transform/ is faster before; 0: each says itself where it is */
	size_t transform_mul, transform_sqr;
	/* recursive ways of natural/ */
	size_t divide, to_digits, from_digits, half_gcd, gcd, gcdext;
};

/* With products by rows of words; by 52-bit multiply-adds */
#define CC_THRESHOLDS_WORDS  24, 40, 0, 0, 35, 12, 40, 58, 174, 140
#define CC_THRESHOLDS_DIGITS 130, 230, 450, 580, 34, 11, 40, 38, 71, 71

#endif /* CC_LIMBS_THRESHOLDS_H */
