// SPDX-License-Identifier: MIT
/* Sums, comparisons, selections, shifts, counts: each is a pass over all words. */
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

int cc_fz_cmp(const cc_word *a, const cc_word *b, size_t n)
{
	return (int)(cc_fz_lt(b, a, n) & 1) - (int)(cc_fz_lt(a, b, n) & 1);
}

cc_word cc_fz_add_if(cc_word *r, cc_word mask, const cc_word *a, const cc_word *b, size_t n)
{
	cc_word carry = 0;
	size_t i;

	mask = cc_hide(mask);
	for (i = 0; i < n; i++)
		r[i] = cc_word_add(a[i], b[i] & mask, &carry);
	return carry;
}

cc_word cc_fz_sub_if(cc_word *r, cc_word mask, const cc_word *a, const cc_word *b, size_t n)
{
	cc_word borrow = 0;
	size_t i;

	mask = cc_hide(mask);
	for (i = 0; i < n; i++)
		r[i] = cc_word_sub(a[i], b[i] & mask, &borrow);
	return borrow;
}

void cc_fz_negate(cc_word *r, cc_word mask, const cc_word *a, size_t n)
{
	cc_word carry;
	size_t i;

	mask = cc_hide(mask);
	carry = mask & 1;
	for (i = 0; i < n; i++)
		r[i] = cc_word_add(a[i] ^ mask, 0, &carry);
}

void cc_fz_select(cc_word *r, cc_word mask, const cc_word *a, const cc_word *b, size_t n)
{
	size_t i;

	mask = cc_hide(mask);
	for (i = 0; i < n; i++)
		r[i] = cc_choose(mask, a[i], b[i]);
}

void cc_fz_copy_if(cc_word *r, cc_word mask, const cc_word *a, size_t n)
{
	cc_fz_select(r, mask, a, r, n);
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

#ifdef __x86_64__
/*
 * Reads a few words of every entry: the sum stays in vector registers; where it may be
 * spilled, it is wiped.
 */
static inline void select_some(cc_word *r, const cc_word *table, size_t count, size_t n,
			       size_t which, size_t words)
{
	cc_word sum[8] = {0};
	size_t entry, k;

	for (entry = 0; entry < count; entry++, table += n) {
		cc_word mask = cc_mask_eq(entry, which);

#pragma GCC unroll 8
		for (k = 0; k < words; k++)
			sum[k] |= table[k] & mask;
	}
	memcpy(r, sum, words * sizeof(*r));
	cc_wipe(sum, sizeof(sum));
}

void cc_fz_table_select(cc_word *r, const cc_word *table, size_t count, size_t n, size_t which)
{
	size_t i;

	for (i = 0; i + 8 <= n; i += 8)
		select_some(r + i, table + i, count, n, which, 8);
	if (n & 4) {
		select_some(r + i, table + i, count, n, which, 4);
		i += 4;
	}
	if (n & 2) {
		select_some(r + i, table + i, count, n, which, 2);
		i += 2;
	}
	if (n & 1)
		select_some(r + i, table + i, count, n, which, 1);
}
#else
/* Sums in place: a compiler short of registers could spill the words of a local sum. */
void cc_fz_table_select(cc_word *r, const cc_word *table, size_t count, size_t n, size_t which)
{
	size_t entry, i;

	memset(r, 0, n * sizeof(*r));
	for (entry = 0; entry < count; entry++, table += n) {
		cc_word mask = cc_mask_eq(entry, which);

		for (i = 0; i < n; i++)
			r[i] |= table[i] & mask;
	}
}
#endif

/*
 * First shifts by whole words, a power of two of them at a time, each selected by a mask; then
 * by the remaining bits, with the machine's shift, whose time does not depend on its count.
 * Another mask clears the result if the count is too large.
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
 * Scans from one end: @none says whether all words so far were 0, and @word is the first that
 * is not.
 */
size_t cc_fz_bits(const cc_word *a, size_t n)
{
	cc_word none = ~(cc_word)0, word = 0;
	size_t bits = n * CC_WORD_BITS, i;

	for (i = n; i--;) {
		word = cc_choose(none, a[i], word);
		none &= cc_mask_zero(a[i]);
		bits -= CC_WORD_BITS & none;
	}
	return bits - (cc_mask_clz(word) & ~none);
}

size_t cc_fz_trailing_zeros(const cc_word *a, size_t n)
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

void cc_fz_wipe(cc_word *a, size_t n)
{
	cc_wipe(a, n * sizeof(*a));
}
