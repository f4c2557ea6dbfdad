/* SPDX-License-Identifier: MIT */
/* word_product.h - Montgomery's product of single words (Montgomery 1985). */
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

#endif /* CC_NATURAL_WORD_PRODUCT_H */
