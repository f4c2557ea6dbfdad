/* SPDX-License-Identifier: MIT */
/*
 * variables.h - the thresholds as variables.  Included before the files that use them, it
 * takes the place of src/limbs/thresholds.h.
 */
#ifndef CC_LIMBS_THRESHOLDS_H
#define CC_LIMBS_THRESHOLDS_H

#include <stddef.h>

enum {
	KARATSUBA_MUL,
	KARATSUBA_SQR,
	DIVIDE_RECURSIVE,
	TO_DIGITS_RECURSIVE,
	FROM_DIGITS_RECURSIVE,
	HALF_GCD_RECURSIVE,
	GCD_RECURSIVE,
	GCDEXT_RECURSIVE,
	THRESHOLDS,
};

extern size_t thresholds[THRESHOLDS];

#define CC_KARATSUBA_MUL	 thresholds[KARATSUBA_MUL]
#define CC_KARATSUBA_SQR	 thresholds[KARATSUBA_SQR]
#define CC_DIVIDE_RECURSIVE	 thresholds[DIVIDE_RECURSIVE]
#define CC_TO_DIGITS_RECURSIVE	 thresholds[TO_DIGITS_RECURSIVE]
#define CC_FROM_DIGITS_RECURSIVE thresholds[FROM_DIGITS_RECURSIVE]
#define CC_HALF_GCD_RECURSIVE	 thresholds[HALF_GCD_RECURSIVE]
#define CC_GCD_RECURSIVE	 thresholds[GCD_RECURSIVE]
#define CC_GCDEXT_RECURSIVE	 thresholds[GCDEXT_RECURSIVE]

#endif
