// SPDX-License-Identifier: MIT
/* Sums, comparisons, choices, shifts: each a pass over all words. */
#include <carrychain/limbs.h>

#include "kernels.h"
#include "mask.h"

cc_word cc_fz_add(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	return cc_limbs_add(r, a, b, n);
}

cc_word cc_fz_sub(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	return cc_limbs_sub(r, a, b, n);
}

cc_word cc_fz_is_zero(const cc_word *a, size_t n)
{
	cc_word any = 0;
	size_t i;

	for (i = 0; i < n; i++)
		any |= a[i];
	return cc_mask_zero(any);
}

cc_word cc_fixed_is_one(const cc_word *a, size_t n)
{
	cc_word differ = 0;
	size_t i;

	for (i = 0; i < n; i++)
		differ |= a[i] ^ !i;
	return cc_mask_zero(differ);
}

cc_word cc_fz_eq(const cc_word *a, const cc_word *b, size_t n)
{
	cc_word differ = 0;
	size_t i;

	for (i = 0; i < n; i++)
		differ |= a[i] ^ b[i];
	return cc_mask_zero(differ);
}

cc_word cc_fz_lt(const cc_word *a, const cc_word *b, size_t n)
{
	cc_word borrow = 0;
	size_t i;

	for (i = 0; i < n; i++)
		cc_word_sub(a[i], b[i], &borrow);
	return cc_mask(borrow);
}

void cc_fz_select(cc_word *r, cc_word mask, const cc_word *a, const cc_word *b, size_t n)
{
	size_t i;

	mask = cc_hide(mask);
	for (i = 0; i < n; i++)
		r[i] = cc_choose(mask, a[i], b[i]);
}

void cc_fz_cswap(cc_word mask, cc_word *a, cc_word *b, size_t n)
{
	size_t i;

	mask = cc_hide(mask);
	for (i = 0; i < n; i++) {
		cc_word differ = (a[i] ^ b[i]) & mask;

		a[i] ^= differ;
		b[i] ^= differ;
	}
}

/*
 * A shift by whole words, a power of two of them at a time, each made or not by a mask;
 * then by the bits left over, with the machine's shift, whose time does not depend on
 * its count.  A count too large leaves nothing, by a mask as well.
 */
void cc_fz_shl(cc_word *r, const cc_word *a, size_t n, size_t count)
{
	size_t words = count / CC_WORD_BITS, distance, i;
	unsigned int s = count % CC_WORD_BITS;
	cc_word inside = cc_mask_lt(words, n);

	for (i = 0; i < n; i++)
		r[i] = a[i] & inside;
	for (distance = 1; distance < n; distance *= 2) {
		cc_word mask = ~cc_mask_zero(words & distance);

		for (i = n; i-- > distance;)
			r[i] = cc_choose(mask, r[i - distance], r[i]);
		for (i = 0; i < distance; i++)
			r[i] &= ~mask;
	}
	for (i = n; i--;)
		r[i] = r[i] << s | (i ? r[i - 1] >> 1 >> (CC_WORD_BITS - 1 - s) : 0);
}

void cc_fz_shr(cc_word *r, const cc_word *a, size_t n, size_t count)
{
	size_t words = count / CC_WORD_BITS, distance, i;
	unsigned int s = count % CC_WORD_BITS;
	cc_word inside = cc_mask_lt(words, n);

	for (i = 0; i < n; i++)
		r[i] = a[i] & inside;
	for (distance = 1; distance < n; distance *= 2) {
		cc_word mask = ~cc_mask_zero(words & distance);

		for (i = 0; i + distance < n; i++)
			r[i] = cc_choose(mask, r[i + distance], r[i]);
		for (; i < n; i++)
			r[i] &= ~mask;
	}
	for (i = 0; i < n; i++)
		r[i] = r[i] >> s | (i + 1 < n ? r[i + 1] << 1 << (CC_WORD_BITS - 1 - s) : 0);
}

/*
 * From one end on: @none says that all words so far were 0, and @word is the first that
 * is not.
 */
size_t cc_fixed_leading_zeros(const cc_word *a, size_t n)
{
	cc_word none = ~(cc_word)0, word = 0;
	size_t zeros = 0, i;

	for (i = n; i--;) {
		word = cc_choose(none, a[i], word);
		none &= cc_mask_zero(a[i]);
		zeros += CC_WORD_BITS & none;
	}
	return zeros + (cc_mask_clz(word) & ~none);
}

size_t cc_fixed_trailing_zeros(const cc_word *a, size_t n)
{
	cc_word none = ~(cc_word)0, word = 0;
	size_t zeros = 0, i;

	for (i = 0; i < n; i++) {
		word = cc_choose(none, a[i], word);
		none &= cc_mask_zero(a[i]);
		zeros += CC_WORD_BITS & none;
	}
	return zeros + ((CC_WORD_BITS - 1 - cc_mask_clz(word & (0 - word))) & ~none);
}

void cc_fixed_negate(cc_word *r, cc_word mask, size_t n)
{
	cc_word carry = mask & 1;
	size_t i;

	for (i = 0; i < n; i++)
		r[i] = cc_word_add(r[i] ^ mask, 0, &carry);
}
