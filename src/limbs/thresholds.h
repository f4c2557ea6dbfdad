/* SPDX-License-Identifier: MIT */
/*
 * thresholds.h - the number of words from which the better algorithm is faster.  `make tune`
 * measures them on this machine, and rewrites this file.
 */
#ifndef CC_LIMBS_THRESHOLDS_H
#define CC_LIMBS_THRESHOLDS_H

#define CC_KARATSUBA_MUL	 24
#define CC_KARATSUBA_SQR	 40
#define CC_DIVIDE_RECURSIVE	 35
#define CC_TO_DIGITS_RECURSIVE	 12
#define CC_FROM_DIGITS_RECURSIVE 40
#define CC_HALF_GCD_RECURSIVE	 58
#define CC_GCD_RECURSIVE	 174
#define CC_GCDEXT_RECURSIVE	 140

/* All of them, for tests around each. */
#define CC_THRESHOLDS                                                                              \
	{                                                                                          \
		CC_KARATSUBA_MUL, CC_KARATSUBA_SQR, CC_DIVIDE_RECURSIVE, CC_TO_DIGITS_RECURSIVE,   \
			CC_FROM_DIGITS_RECURSIVE, CC_HALF_GCD_RECURSIVE, CC_GCD_RECURSIVE,         \
			CC_GCDEXT_RECURSIVE                                                        \
	}

#endif /* CC_LIMBS_THRESHOLDS_H */
