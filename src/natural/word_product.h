/* SPDX-License-Identifier: MIT */
/* word_product.h - Montgomery's product of single words and of pairs (Montgomery 1985). */
#ifndef CC_NATURAL_WORD_PRODUCT_H
#define CC_NATURAL_WORD_PRODUCT_H

#include <carrychain/word.h>

/* a b / B modulo m, below m, for an odd m, one of a and b below it, and inverse = 1 / m modulo B */
static inline cc_word cc_word_product(cc_word a, cc_word b, cc_word m, cc_word inverse)
{
	cc_word high, above, low = cc_word_mul(&high, a, b);

	/* low is that of the multiple of m, too, so the difference of the high words is exact */
	cc_word_mul(&above, low * inverse, m);
	return high < above ? high - above + m : high - above;
}

/* Two words as one integer, where the compiler has it and needs no function for its products. */
#if CC_WORD_BITS == 32
typedef cc_u64 cc_pair;
#define CC_HAS_PAIR 1
#elif CC_U128_IMPL == 128
typedef cc_native_u128 cc_pair;
#define CC_HAS_PAIR 1
#else
#define CC_HAS_PAIR 0
#endif

#if CC_HAS_PAIR
static inline cc_pair cc_pair_of(const cc_word *words)
{
	return (cc_pair)words[1] << CC_WORD_BITS | words[0];
}

static inline cc_word cc_pair_high(cc_pair x)
{
	return (cc_word)(x >> CC_WORD_BITS);
}

/* 1 / m modulo B^2, from the inverse modulo B */
static inline cc_pair cc_pair_inverse(cc_pair m, cc_word inverse)
{
	return inverse * (2 - m * inverse);
}

/* a b / B^2 modulo m, as for one word */
static inline cc_pair cc_pair_product(cc_pair a, cc_pair b, cc_pair m, cc_pair inverse)
{
	cc_word a0 = (cc_word)a, a1 = cc_pair_high(a), b0 = (cc_word)b, b1 = cc_pair_high(b);
	cc_word m0 = (cc_word)m, m1 = cc_pair_high(m), i0 = (cc_word)inverse;
	cc_pair p00 = (cc_pair)a0 * b0, p01 = (cc_pair)a0 * b1, p10 = (cc_pair)a1 * b0;
	cc_pair middle = (cc_pair)cc_pair_high(p00) + (cc_word)p01 + (cc_word)p10;
	cc_pair high =
		(cc_pair)a1 * b1 + cc_pair_high(p01) + cc_pair_high(p10) + cc_pair_high(middle);
	cc_pair q = (cc_pair)(cc_word)p00 * i0;
	cc_word q0 = (cc_word)q, p1 = (cc_word)middle;
	cc_word q1 = cc_pair_high(q) + (cc_word)p00 * cc_pair_high(inverse) + p1 * i0;
	cc_pair q01 = (cc_pair)q0 * m1, q10 = (cc_pair)q1 * m0, above;

	/* the second word of q m is p1, so it has carried if it is less than a part of it */
	middle = (cc_pair)cc_pair_high((cc_pair)q0 * m0) + (cc_word)q01;
	above = (cc_pair)q1 * m1 + cc_pair_high(q01) + cc_pair_high(q10) + cc_pair_high(middle) +
		(p1 < (cc_word)middle);
	return high < above ? high - above + m : high - above;
}
#endif

#endif /* CC_NATURAL_WORD_PRODUCT_H */
