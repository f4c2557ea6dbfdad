// SPDX-License-Identifier: MIT
/*
 * r = x y / R, x^2 / R mod m, eight at once: by columns, the product and its reduction
 * together, so that neither the product nor a quotient m is ever in memory.
 *
 * Eight columns (or four, once, if d is not a multiple of eight) are collected at a time,
 * the low and the high halves apart: sixteen accumulators, each with one addition a row,
 * hide the latency of four cycles.  A row is one digit of x times eight consecutive ones of
 * y: ten loads for sixteen multiply-adds.  The rows at the edges of the product, which do
 * not reach all eight columns, are written out.
 *
 * Cycles on Zen 5, and how they compare with two multiply-adds each, which is all that it
 * can do; eight moduli of
 *
 *	bits      1024         2048         3072         4096          8192
 *	x^2 / R    672 (1.10)  2637 (1.09)  5910 (1.09)  10361 (1.08)  40301 (1.05)
 *	x y / R    864 (1.08)  3412 (1.07)  7733 (1.07)  13563 (1.06)  53338 (1.04)
 *
 * Bound: a column has at most d products from x y (of x^2, at most d / 2 pairs, doubled, and
 * a square) and d from the reduction.  So lo and hi are below (2 d + 1) 2^52 each, and with
 * the carry a digit's sum is below (4 d + 4) 2^52 <= 2^62: d <= 160, as n <= 128 words.
 */
#include "many_avx512ifma.h"

#if CC_BUILD_AVX512IFMA

#define WIDE   8
#define NARROW 4

/*
 * A loop that is written out before the compiler sees it: else not every one keeps the
 * columns in registers.
 */
#define FOR_EACH(statement)                                                                        \
	statement(0) statement(1) statement(2) statement(3) statement(4) statement(5) statement(6) \
		statement(7)

struct columns {
	__m512i lo[WIDE], hi[WIDE];
};

INLINE struct columns no_columns(void)
{
	struct columns c;

#define CLEAR(k) c.lo[k] = c.hi[k] = _mm512_setzero_si512();
	FOR_EACH(CLEAR)
#undef CLEAR
	return c;
}

/* The columns from @from to @to - 1: column k += x y[at + k] */
INLINE void row(struct columns *c, int from, int to, __m512i x, const __m512i *y, ptrdiff_t at)
{
	__m512i digit;

#define ADD_PRODUCT(k)                                                                             \
	if (from <= (k) && (k) < to) {                                                             \
		digit = y[at + (k)];                                                               \
		c->lo[k] = _mm512_madd52lo_epu64(c->lo[k], x, digit);                              \
		c->hi[k] = _mm512_madd52hi_epu64(c->hi[k], x, digit);                              \
	}
	FOR_EACH(ADD_PRODUCT)
#undef ADD_PRODUCT
}

/* Whole rows, of the digits of x from @first to @end - 1: column k += x[i] y[at - i + k] */
INLINE void rows(struct columns *c, int width, const __m512i *x, size_t first, size_t end,
		 const __m512i *y, size_t at)
{
	size_t i;

	ROLLED
	for (i = first; i < end; i++)
		row(c, 0, width, x[i], y, (ptrdiff_t)(at - i));
}

/* The rows before the whole ones, where y ends: row i has columns 0 to i, y[d - 1] in the last */
INLINE void rising_rows(struct columns *c, int width, const __m512i *x, const __m512i *y, size_t d)
{
#define RISE(i)                                                                                    \
	if ((i) < width - 1)                                                                       \
		row(c, 0, (i) + 1, x[i], y, (ptrdiff_t)d - 1 - (i));
	FOR_EACH(RISE)
#undef RISE
}

/* The rows after the whole ones, where y begins: row i has the columns from i on */
INLINE void falling_rows(struct columns *c, int width, const __m512i *x, const __m512i *y)
{
#define FALL(i)                                                                                    \
	if (0 < (i) && (i) < width)                                                                \
		row(c, i, width, x[i], y, -(i));
	FOR_EACH(FALL)
#undef FALL
}

/* The rows after the whole ones in a square: digits i and j > i from @x on, i + j the column */
INLINE void pair_rows(struct columns *c, int width, const __m512i *x)
{
#define PAIR(i)                                                                                    \
	if ((i) < width / 2)                                                                       \
		row(c, 2 * (i) + 1, width, x[i], x, -(i));
	FOR_EACH(PAIR)
#undef PAIR
}

/* Twice the columns, and x[i]^2 in column 2 i */
INLINE void double_and_square(struct columns *c, int width, const __m512i *x)
{
#define DOUBLE_AND_SQUARE(k)                                                                       \
	if ((k) < width) {                                                                         \
		c->lo[k] = _mm512_slli_epi64(c->lo[k], 1);                                         \
		c->hi[k] = _mm512_slli_epi64(c->hi[k], 1);                                         \
		if ((k) % 2 == 0) {                                                                \
			c->lo[k] = _mm512_madd52lo_epu64(c->lo[k], x[(k) / 2], x[(k) / 2]);        \
			c->hi[k] = _mm512_madd52hi_epu64(c->hi[k], x[(k) / 2], x[(k) / 2]);        \
		}                                                                                  \
	}
	FOR_EACH(DOUBLE_AND_SQUARE)
#undef DOUBLE_AND_SQUARE
}

/*
 * Columns @at to @at + width - 1, below d, of the product: each of them gives its digit of q,
 * the highest below d in the last way if @last.  What is carried comes in and out.
 */
INLINE __m512i reduce_low(const struct cc_fixed_moduli *mod, struct columns *c, int width,
			  size_t at, int last, __m512i carry)
{
	__m512i *q = mod->q + at, sum;

	rows(c, width, mod->q, 0, at, mod->n, at - 1);
#define REDUCE(k)                                                                                  \
	if ((k) < width) {                                                                         \
		sum = _mm512_add_epi64(c->lo[k], carry);                                           \
		if (last && (k) == width - 1) {                                                    \
			q[k] = _mm512_madd52lo_epu64(_mm512_setzero_si512(), sum,                  \
						     mod->minus_inverse);                          \
			sum = _mm512_madd52lo_epu64(sum, q[k], mod->m[0]);                         \
			c->hi[k] = _mm512_madd52hi_epu64(c->hi[k], q[k], mod->m[0]);               \
		} else {                                                                           \
			q[k] = sum;                                                                \
			row(c, (k) + 1, width, sum, mod->n, -1 - (k));                             \
		}                                                                                  \
		carry = _mm512_add_epi64(c->hi[k], _mm512_srli_epi64(sum, DIGIT_BITS));            \
	}
	FOR_EACH(REDUCE)
#undef REDUCE
	return carry;
}

/* Columns d + @at to d + @at + width - 1: digits of r */
INLINE __m512i reduce_high(const struct cc_fixed_moduli *mod, struct columns *c, int width,
			   size_t at, __m512i *r, __m512i carry)
{
	size_t d = mod->d;
	__m512i sum;

	rising_rows(c, width, mod->q + at, mod->n, d);
	rows(c, width, mod->q, at + width - 1, d - 1, mod->n, d + at - 1);
	row(c, 0, width, mod->q[d - 1], mod->m, (ptrdiff_t)at + 1);
#define CARRY(k)                                                                                   \
	if ((k) < width) {                                                                         \
		sum = _mm512_add_epi64(c->lo[k], carry);                                           \
		r[at + (k)] = sum;                                                                 \
		carry = _mm512_add_epi64(c->hi[k], _mm512_srli_epi64(sum, DIGIT_BITS));            \
	}
	FOR_EACH(CARRY)
#undef CARRY
	return carry;
}

INLINE __m512i sqr_low(const struct cc_fixed_moduli *mod, int width, size_t at, int last,
		       const __m512i *x, __m512i carry)
{
	struct columns c = no_columns();
	size_t half = at / 2;

	rows(&c, width, x, 0, half, x, at);
	pair_rows(&c, width, x + half);
	double_and_square(&c, width, x + half);
	return reduce_low(mod, &c, width, at, last, carry);
}

/* Not the last columns */
INLINE __m512i sqr_high(const struct cc_fixed_moduli *mod, int width, size_t at, __m512i *r,
			const __m512i *x, __m512i carry)
{
	struct columns c = no_columns();
	size_t d = mod->d, half = (d + at) / 2;

	rising_rows(&c, width, x + at + 1, x, d);
	rows(&c, width, x, at + width, half, x, d + at);
	pair_rows(&c, width, x + half);
	double_and_square(&c, width, x + half);
	return reduce_high(mod, &c, width, at, r, carry);
}

/* The last columns: the pairs of the top seven digits that reach column d - 8 of theirs */
INLINE void sqr_top(const struct cc_fixed_moduli *mod, __m512i *r, const __m512i *x, __m512i carry)
{
	struct columns c = no_columns();
	size_t top = mod->d - WIDE;
#define TOP(i)                                                                                     \
	row(&c, (i) >= WIDE / 2 ? 2 * (i)-WIDE + 1 : 0, i, x[top + (i)], x + top, WIDE - (i));
	FOR_EACH(TOP)
#undef TOP
	double_and_square(&c, WIDE, x + top + WIDE / 2);
	reduce_high(mod, &c, WIDE, top, r, carry);
}

IFMA void cc_fixed_many_sqr_avx512ifma(const struct cc_fixed_moduli *mod, __m512i *r,
				       const __m512i *x)
{
	size_t d = mod->d, at, start = d % WIDE;
	__m512i carry = _mm512_setzero_si512();

	if (start)
		carry = sqr_low(mod, NARROW, 0, 0, x, carry);
	for (at = start; at < d - WIDE; at += WIDE)
		carry = sqr_low(mod, WIDE, at, 0, x, carry);
	carry = sqr_low(mod, WIDE, at, 1, x, carry);
	if (start)
		carry = sqr_high(mod, NARROW, 0, r, x, carry);
	for (at = start; at < d - WIDE; at += WIDE)
		carry = sqr_high(mod, WIDE, at, r, x, carry);
	sqr_top(mod, r, x, carry);
}

INLINE __m512i mul_low(const struct cc_fixed_moduli *mod, int width, size_t at, int last,
		       const __m512i *x, const __m512i *y, __m512i carry)
{
	struct columns c = no_columns();

	rows(&c, width, x, 0, at + 1, y, at);
	falling_rows(&c, width, x + at, y);
	return reduce_low(mod, &c, width, at, last, carry);
}

INLINE __m512i mul_high(const struct cc_fixed_moduli *mod, int width, size_t at, __m512i *r,
			const __m512i *x, const __m512i *y, __m512i carry)
{
	struct columns c = no_columns();
	size_t d = mod->d;

	rising_rows(&c, width, x + at + 1, y, d);
	rows(&c, width, x, at + width, d, y, d + at);
	return reduce_high(mod, &c, width, at, r, carry);
}

IFMA void cc_fixed_many_mul_avx512ifma(const struct cc_fixed_moduli *mod, __m512i *r,
				       const __m512i *x, const __m512i *y)
{
	size_t d = mod->d, at, start = d % WIDE;
	__m512i carry = _mm512_setzero_si512();

	if (start)
		carry = mul_low(mod, NARROW, 0, 0, x, y, carry);
	for (at = start; at < d - WIDE; at += WIDE)
		carry = mul_low(mod, WIDE, at, 0, x, y, carry);
	carry = mul_low(mod, WIDE, at, 1, x, y, carry);
	if (start)
		carry = mul_high(mod, NARROW, 0, r, x, y, carry);
	for (at = start; at < d; at += WIDE)
		carry = mul_high(mod, WIDE, at, r, x, y, carry);
}

#endif /* CC_BUILD_AVX512IFMA */
