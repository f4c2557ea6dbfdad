/* SPDX-License-Identifier: MIT */
/*
 * divide.h - division by one word: repeated, prepared once; and its remainder alone.
 */
#ifndef CC_LIMBS_DIVIDE_H
#define CC_LIMBS_DIVIDE_H

#include <carrychain/limbs.h>

#include "../platform.h"

struct cc_divisor {
	cc_word d; /* shifted left until its top bit is set */
	cc_word reciprocal;
	unsigned int shift;
};

static inline struct cc_divisor cc_divisor(cc_word d)
{
	struct cc_divisor by;

	by.shift = cc_word_clz(d);
	by.d = d << by.shift;
	by.reciprocal = cc_word_reciprocal(by.d);
	return by;
}

/* q[n] = a[n] / d, remainder returned; q may be a */
CC_HIDDEN cc_word cc_limbs_divrem_by(cc_word *q, const cc_word *a, size_t n,
				     const struct cc_divisor *by);

/*
 * 1 / d modulo B for odd d: 3 d ^ 2 is right modulo 2^5, so that d x = 1 - e, where e has 5 zeros,
 * and 1 / d = x (1 + e) (1 + e^2) (1 + e^4) ...: no factor waits for the product before it.
 */
static inline cc_word cc_limbs_inverse(cc_word d)
{
	cc_word x = 3 * d ^ 2, e = 1 - d * x;
	unsigned int bits;

	for (bits = 5; bits < CC_WORD_BITS; bits *= 2, e *= e)
		x *= 1 + e;
	return x;
}

/* q[n] = a[n] / d, which leaves no remainder; q may be a */
CC_HIDDEN void cc_limbs_divexact_1(cc_word *q, const cc_word *a, size_t n, cc_word d);

/* A t <= d for which a[n] = -t B^n modulo an odd d: faster than the remainder of few words. */
CC_HIDDEN cc_word cc_limbs_exact_rest(const cc_word *a, size_t n, cc_word d);

/* Whether an odd d divides a[n], by the exact quotient, which leaves nothing then. */
CC_HIDDEN int cc_limbs_divides_1(const cc_word *a, size_t n, cc_word d);

/* a[n] mod d; faster than the quotient */
CC_HIDDEN cc_word cc_limbs_mod_1(const cc_word *a, size_t n, cc_word d);

#endif /* CC_LIMBS_DIVIDE_H */
