/* SPDX-License-Identifier: MIT */
/*
 * unrolled.h - quotients by few words, which stay in registers: for short operands, calls would
 * cost too much.  Lengths n and k are constants where these are called.
 */
#ifndef CC_NATURAL_UNROLLED_H
#define CC_NATURAL_UNROLLED_H

#include "../limbs/chain.h"

/* The most words of a divisor, and of one that leaves a remainder. */
#define CC_UNROLLED	      8
#define CC_UNROLLED_REMAINDER 6

/* Word i of a[an] 2^shift. */
static inline cc_word cc_shifted_word(const cc_word *a, size_t an, size_t i, unsigned int shift)
{
	return (i < an ? a[i] << shift : 0) | (i ? a[i - 1] >> 1 >> (CC_WORD_BITS - 1 - shift) : 0);
}

/*
 * One digit of w[k + 1] / v[k], k >= 2, for a normalised v whose two top words are above those of
 * w: w[k] becomes the remainder.
 */
static inline __attribute__((__always_inline__)) cc_word
cc_divide_step(cc_word *w, const cc_word *v, size_t k, cc_word reciprocal)
{
	cc_word p[CC_UNROLLED], high = 0, digit;
	cc_carry borrow = 0, carry = 0;
	size_t i;

	digit = cc_word_div_3by2(&w[k - 1], &w[k - 2], w[k], w[k - 1], w[k - 2], v[k - 1], v[k - 2],
				 reciprocal);
	if (k == 2)
		return digit;
#pragma GCC unroll 8
	for (i = 0; i + 2 < k; i++) {
		cc_word above, low = cc_word_mul(&above, digit, v[i]);

		p[i] = low + high;
		high = above + (p[i] < low);
	}
	p[i] = high;
#pragma GCC unroll 8
	for (i = 0; i + 1 < k; i++)
		w[i] = cc_chain_sub(w[i], p[i], &borrow);
	w[i] = cc_chain_sub(w[i], 0, &borrow);
	if (__builtin_expect(borrow, 0)) {
		/* one too large: the carry out of this addition cancels the borrow */
		digit--;
#pragma GCC unroll 8
		for (i = 0; i < k; i++)
			w[i] = cc_chain_add(w[i], v[i], &carry);
	}
	return digit;
}

/* a[n] / d[n] for a normalised d, 0 or 1; a[n] = the remainder, if a's top word is not below d's.
 */
static inline __attribute__((__always_inline__)) cc_word cc_divide_top(cc_word *a, const cc_word *d,
								       size_t n)
{
	cc_word less[CC_UNROLLED], digit;
	cc_carry borrow = 0;
	size_t i;

#pragma GCC unroll 8
	for (i = 0; i < n; i++)
		less[i] = cc_chain_sub(a[i], d[i], &borrow);
	digit = !borrow;
#pragma GCC unroll 8
	for (i = 0; i < n; i++)
		a[i] = digit ? less[i] : a[i];
	return digit;
}

/*
 * q[an - n + 1] = a[an] / d[n], from digit @end on, for a constant n >= 2.  Operands are shifted as
 * they are read: v[n] becomes the divisor's words, and w + 1 has n words of the remainder.
 */
static inline __attribute__((__always_inline__)) cc_word
cc_divide_unrolled(cc_word *q, const cc_word *a, size_t an, const cc_word *d, size_t n, size_t end,
		   cc_word *v, cc_word *w)
{
	const unsigned int shift = cc_word_clz(d[n - 1]);
	size_t m = an - n + 1, i;
	cc_word reciprocal;

	if (a[an - 1] < d[n - 1] || !shift)
		m--;
#pragma GCC unroll 8
	for (i = 0; i < n; i++) {
		v[i] = cc_shifted_word(d, n, i, shift);
		w[i + 1] = cc_shifted_word(a, an, m + i, shift);
	}
	if (a[an - 1] < d[n - 1])
		q[m] = 0;
	else if (!shift)
		q[m] = cc_divide_top(w + 1, v, n);
	reciprocal = cc_word_reciprocal_3by2(v[n - 1], v[n - 2]);
	while (m-- > end) {
		cc_carry borrow = 0, carry = 0;

		w[0] = cc_shifted_word(a, an, m, shift);
		if (__builtin_expect(w[n] == v[n - 1] && w[n - 1] == v[n - 2], 0)) {
			/* the digit is B - 1: w - (B - 1) v = w - B v + v, below B^n */
			q[m] = ~(cc_word)0;
#pragma GCC unroll 8
			for (i = 1; i < n; i++)
				w[i] = cc_chain_sub(w[i], v[i - 1], &borrow);
#pragma GCC unroll 8
			for (i = 0; i < n; i++)
				w[i] = cc_chain_add(w[i], v[i], &carry);
		} else {
			q[m] = cc_divide_step(w, v, n, reciprocal);
		}
#pragma GCC unroll 8
		for (i = n; i; i--)
			w[i] = w[i - 1];
	}
	return reciprocal;
}

/* Word i of w[n] / 2^shift. */
static inline cc_word cc_shifted_back(const cc_word *w, size_t n, size_t i, unsigned int shift)
{
	return w[i] >> shift | (i + 1 < n ? w[i + 1] << 1 << (CC_WORD_BITS - 1 - shift) : 0);
}

#endif /* CC_NATURAL_UNROLLED_H */
