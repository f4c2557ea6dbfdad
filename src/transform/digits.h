/* SPDX-License-Identifier: MIT */
/*
 * digits.h - cuts numbers into digits of a multiple of 8 bits, joins digits of several words to
 * a number, and adds places.
 */
#ifndef CC_TRANSFORM_DIGITS_H
#define CC_TRANSFORM_DIGITS_H

#include "kernels.h"

#define CC_PIECE_BITS 48

/* @count <= 48 bits of a[n] from bit @at on, zeros above. */
static inline cc_u64 cc_bits_at(const cc_word *a, size_t n, size_t at, unsigned int count)
{
	size_t word = at / CC_WORD_BITS;
	unsigned int low = at % CC_WORD_BITS, have = CC_WORD_BITS - low;
	cc_u64 bits;

	if (word >= n)
		return 0;
	bits = a[word] >> low;
	while (have < count && ++word < n) {
		bits |= (cc_u64)a[word] << have;
		have += CC_WORD_BITS;
	}
	return bits & (((cc_u64)1 << count) - 1);
}

/* piece[i][k]: the i-th 48 bits of digit first + k, for k < lanes. */
static inline void cc_digits(cc_u64 (*piece)[8], unsigned int lanes, const cc_word *a, size_t n,
			     size_t first, unsigned int bits)
{
	unsigned int i, k, done;
	size_t at = first * bits;

	for (k = 0; k < lanes; k++, at += bits)
		for (i = 0, done = 0; done < bits; i++, done += CC_PIECE_BITS) {
			unsigned int rest = bits - done;

			piece[i][k] = cc_bits_at(a, n, at + done,
						 rest < CC_PIECE_BITS ? rest : CC_PIECE_BITS);
		}
}

/* r[n] += a[m], m <= n, in a radix; there is no carry out */
static inline void cc_add_places(cc_u64 *r, size_t n, const cc_u64 *a, size_t m, cc_u64 radix)
{
	cc_u64 carry = 0;
	size_t i;

	for (i = 0; i < m; i++) {
		/* r + a + carry - radix, plus the radix if that is negative */
		cc_u64 sum = r[i] + a[i] + carry - radix, below = sum >> 63;

		r[i] = sum + (radix & (0 - below));
		carry = 1 - below;
	}
	for (; carry && i < n; i++) {
		carry = r[i] == radix - 1;
		r[i] = carry ? 0 : r[i] + 1;
	}
}

/*
 * r[n] = the sum of 2^(bits j) c_j, where c_j < P / 8 has x[i][j] for (c_j / (P / p_i))
 * modulo p_i: c_j = sum of x[i][j] (P / p_i) - k P, k the integer part of the sum of
 * x[i][j] / p_i.
 */
CC_HIDDEN void cc_join(cc_word *r, size_t n, cc_u64 *const *x, unsigned int primes, size_t length,
		       unsigned int bits, struct cc_watch *w);

#endif /* CC_TRANSFORM_DIGITS_H */
