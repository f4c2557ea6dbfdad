/* SPDX-License-Identifier: MIT */
/*
 * narrow_avx512ifma.h - products by 3 to 8 words, a vector of columns at a time.
 *
 * Each digit of y, at most ten, is in all lanes of a register of its own.  Column c is the sum of
 * the low halves of x[c - r] y[r] and the high halves of x[c - 1 - r] y[r].  So the digits of x,
 * moved up by r lanes, serve both y[r] and the high halves of y[r - 1]: a block of columns takes
 * two multiply-adds a digit of y, and a move of lanes.  A column is below 20 * 2^52.
 *
 * Nothing is on the stack.
 */
#ifndef CC_LIMBS_NARROW_AVX512IFMA_H
#define CC_LIMBS_NARROW_AVX512IFMA_H

#include "digits_avx512ifma.h"

#if CC_BUILD_VECTORS

#define NARROW_MOST 8 /* words */

#define DIGITS_OF(words) (((words)*CC_WORD_BITS + DIGIT_BITS - 1) / DIGIT_BITS)

/* Three blocks of x: the one of the columns, and the two below. */
struct window {
	__m512i at, below, lowest;
};

/* The digits of a block moved up by so many lanes, 1 to 7 */
#define MOVED(block, below, lanes) _mm512_alignr_epi64(block, below, 8 - (lanes))

/*
 * The products by y[r], where x is moved up by r lanes; then by one more, as @next is.  Two sums of
 * either half halve the wait for the last multiply-add.
 */
#define TIMES_DIGIT(r, next)                                                                       \
	if ((r) < digits) {                                                                        \
		low[(r)&1] = _mm512_madd52lo_epu64(low[(r)&1], moved, y[r]);                       \
		moved = (next);                                                                    \
		high[(r)&1] = _mm512_madd52hi_epu64(high[(r)&1], moved, y[r]);                     \
	}

/* The window moves up to the next block of x; the columns of this block. */
INLINE __m512i next_columns(struct window *x, __m512i block, const __m512i *y, int digits)
{
	const __m512i zero = _mm512_setzero_si512();
	__m512i low[2] = {zero, zero}, high[2] = {zero, zero}, moved = block;

	x->lowest = x->below;
	x->below = x->at;
	x->at = block;
	TIMES_DIGIT(0, MOVED(x->at, x->below, 1))
	TIMES_DIGIT(1, MOVED(x->at, x->below, 2))
	TIMES_DIGIT(2, MOVED(x->at, x->below, 3))
	TIMES_DIGIT(3, MOVED(x->at, x->below, 4))
	TIMES_DIGIT(4, MOVED(x->at, x->below, 5))
	TIMES_DIGIT(5, MOVED(x->at, x->below, 6))
	TIMES_DIGIT(6, MOVED(x->at, x->below, 7))
	TIMES_DIGIT(7, x->below)
	TIMES_DIGIT(8, MOVED(x->below, x->lowest, 1))
	TIMES_DIGIT(9, MOVED(x->below, x->lowest, 2))
	return _mm512_add_epi64(_mm512_add_epi64(low[0], high[0]),
				_mm512_add_epi64(low[1], high[1]));
}

/* z[xn + yn] = x y; yn is known when this is compiled */
INLINE void mul_narrow(cc_word *z, const cc_word *x, size_t xn, const cc_word *y, size_t yn)
{
	const int digits = (int)DIGITS_OF(yn);
	const __m512i zero = _mm512_setzero_si512();
	const size_t bytes = xn * sizeof(*x), end = bytes + yn * sizeof(*z);
	const unsigned char *from = (const unsigned char *)x;
	unsigned char *to = (unsigned char *)z;
	struct window w = {zero, zero, zero};
	struct carry carry = no_carry();
	const __m512i lower = load_block(y, yn, 0), upper = load_block(y, yn, 1);
	__m512i b[DIGITS_OF(NARROW_MOST)], c[2];
	size_t at;
	int r;

	UNROLLED
	for (r = 0; r < digits; r++)
		b[r] = _mm512_permutexvar_epi64(_mm512_set1_epi64(r & 7), r < 8 ? lower : upper);
	ROLLED
	for (at = 0; at + BLOCK_BYTES + 64 <= bytes; at += 2 * BLOCK_BYTES) {
		c[0] = next_columns(&w, spread_factor(_mm512_loadu_si512(from + at)), b, digits);
		c[1] = next_columns(&w, spread_factor(_mm512_loadu_si512(from + at + BLOCK_BYTES)),
				    b, digits);
		carry = carry_columns(c, c, 2, carry);
		_mm512_storeu_si512(to + at, pack(c[0]));
		_mm512_storeu_si512(to + at + BLOCK_BYTES, pack(c[1]));
	}
	ROLLED
	for (; at < end; at += BLOCK_BYTES) {
		__m512i next = zero;

		if (at < bytes)
			next = spread(_mm512_maskz_loadu_epi8(bytes_from(at, bytes), from + at));
		c[0] = next_columns(&w, next, b, digits);
		carry = carry_columns(c, c, 1, carry);
		_mm512_mask_storeu_epi8(to + at, bytes_from(at, end), pack(c[0]));
	}
}

#endif /* CC_BUILD_VECTORS */
#endif /* CC_LIMBS_NARROW_AVX512IFMA_H */
