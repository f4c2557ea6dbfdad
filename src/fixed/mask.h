/* SPDX-License-Identifier: MIT */
/*
 * mask.h - truth values as words, all ones or 0.
 *
 * A mask passes through cc_hide() before it selects: a compiler that knew that it has one of
 * two values could branch on it.
 */
#ifndef CC_FIXED_MASK_H
#define CC_FIXED_MASK_H

#include <carrychain/word.h>

#include "../platform.h"

static inline cc_word cc_hide(cc_word x)
{
	__asm__("" : "+r"(x));
	return x;
}

/* All ones if @bit is 1, 0 if it is 0. */
static inline cc_word cc_mask(cc_word bit)
{
	return cc_hide(0 - bit);
}

/* x = 0, x = y, x < y */
static inline cc_word cc_mask_zero(cc_word x)
{
	return cc_mask((~x & (x - 1)) >> (CC_WORD_BITS - 1));
}

static inline cc_word cc_mask_eq(cc_word x, cc_word y)
{
	return cc_mask_zero(x ^ y);
}

static inline cc_word cc_mask_lt(cc_word x, cc_word y)
{
	return cc_mask(((~x & y) | (~(x ^ y) & (x - y))) >> (CC_WORD_BITS - 1));
}

static inline cc_word cc_choose(cc_word mask, cc_word a, cc_word b)
{
	return b ^ (mask & (a ^ b));
}

/* The zeros above the top bit of x, CC_WORD_BITS if x is 0. */
static inline unsigned int cc_mask_clz(cc_word x)
{
	unsigned int zeros = 0, half;

	for (half = CC_WORD_BITS / 2; half; half /= 2) {
		cc_word none = cc_mask_zero(x >> (CC_WORD_BITS - half));

		zeros += half & (unsigned int)none;
		x = cc_choose(none, x << half, x);
	}
	return zeros + (unsigned int)(cc_mask_zero(x) & 1);
}

/*
 * Whether a[n] = 0, as a condition for branches: the only leaked fact that depends on all
 * words.  It does not use a mask, so that memcheck can see that one known set bit decides it.
 */
static inline int cc_shows_zero(const cc_word *a, size_t n)
{
	cc_word any = 0;
	size_t i;

	for (i = 0; i < n; i++)
		any |= a[i];
	return !any;
}

#endif /* CC_FIXED_MASK_H */
