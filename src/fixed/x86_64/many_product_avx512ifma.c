// SPDX-License-Identifier: MIT
/*
 * r = x y / R, x^2 / R mod m, eight at once: by columns, the product and its reduction
 * together, so that neither the product nor a quotient m is ever in memory.
 *
 * Ten columns are collected at a time, the low and the high halves apart: twenty
 * accumulators, each with one addition a row, hide the latency of four cycles.  A row is one
 * digit of x times ten consecutive ones of y: eleven loads for twenty multiply-adds.  The
 * rows at the edges of the product, which do not reach all ten columns, are written out.
 *
 * Cycles on Zen 5 for all eight, and their ratio to what two multiply-adds a cycle, the most
 * it can do, would take:
 *
 *	bits      1024         2048         3072         4096          8192
 *	x^2 / R    654 (1.07)  2584 (1.07)  5790 (1.07)  10245 (1.06)  40201 (1.05)
 *	x y / R    851 (1.06)  3381 (1.06)  7643 (1.06)  13437 (1.05)  53567 (1.05)
 *
 * Bound: a column has at most d products from x y (of x^2, at most d / 2 pairs, doubled, and
 * a square) and d from the reduction.  So lo and hi are below (2 d + 1) 2^52 each, and with
 * the carry a digit's sum is below (4 d + 4) 2^52 <= 2^62: d <= 160, as n <= 128 words.
 */
#include "many_avx512ifma.h"

#if CC_BUILD_VECTORS

/*
 * A loop that is written out before the compiler sees it: else not every one keeps the
 * columns in registers.
 */
#define FOR_EACH(statement)                                                                        \
	statement(0) statement(1) statement(2) statement(3) statement(4) statement(5) statement(6) \
		statement(7) statement(8) statement(9)

struct columns {
	__m512i lo[COLUMNS], hi[COLUMNS];
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
INLINE void rows(struct columns *c, const __m512i *x, size_t first, size_t end, const __m512i *y,
		 size_t at)
{
	size_t i;

	ROLLED
	for (i = first; i < end; i++)
		row(c, 0, COLUMNS, x[i], y, (ptrdiff_t)(at - i));
}

/* The rows before the whole ones, where y ends: row i has columns 0 to i, y[d - 1] in the last */
INLINE void rising_rows(struct columns *c, const __m512i *x, const __m512i *y, size_t d)
{
#define RISE(i)                                                                                    \
	if ((i) < COLUMNS - 1)                                                                     \
		row(c, 0, (i) + 1, x[i], y, (ptrdiff_t)d - 1 - (i));
	FOR_EACH(RISE)
#undef RISE
}

/* The rows after the whole ones, where y begins: row i has the columns from i on */
INLINE void falling_rows(struct columns *c, const __m512i *x, const __m512i *y)
{
#define FALL(i)                                                                                    \
	if (0 < (i) && (i) < COLUMNS)                                                              \
		row(c, i, COLUMNS, x[i], y, -(i));
	FOR_EACH(FALL)
#undef FALL
}

/* The rows after the whole ones in a square: digits i and j > i from @x on, i + j the column */
INLINE void pair_rows(struct columns *c, const __m512i *x)
{
#define PAIR(i)                                                                                    \
	if ((i) < COLUMNS / 2)                                                                     \
		row(c, 2 * (i) + 1, COLUMNS, x[i], x, -(i));
	FOR_EACH(PAIR)
#undef PAIR
}

/* Twice the columns, and x[i]^2 in column 2 i */
INLINE void double_and_square(struct columns *c, const __m512i *x)
{
#define DOUBLE_AND_SQUARE(k)                                                                       \
	c->lo[k] = _mm512_slli_epi64(c->lo[k], 1);                                                 \
	c->hi[k] = _mm512_slli_epi64(c->hi[k], 1);                                                 \
	if ((k) % 2 == 0) {                                                                        \
		c->lo[k] = _mm512_madd52lo_epu64(c->lo[k], x[(k) / 2], x[(k) / 2]);                \
		c->hi[k] = _mm512_madd52hi_epu64(c->hi[k], x[(k) / 2], x[(k) / 2]);                \
	}
	FOR_EACH(DOUBLE_AND_SQUARE)
#undef DOUBLE_AND_SQUARE
}

/*
 * Columns @at to @at + COLUMNS - 1, below d, of the product: each of them gives its digit of q,
 * the highest below d in the last way if @last.  What is carried comes in and out.
 */
INLINE __m512i reduce_low(const struct cc_fixed_moduli *mod, struct columns *c, size_t at, int last,
			  __m512i carry)
{
	__m512i *q = mod->q + at, sum;

	rows(c, mod->q, 0, at, mod->n, at - 1);
#define REDUCE(k)                                                                                  \
	sum = _mm512_add_epi64(c->lo[k], carry);                                                   \
	if (last && (k) == COLUMNS - 1) {                                                          \
		q[k] = _mm512_madd52lo_epu64(_mm512_setzero_si512(), sum, mod->minus_inverse);     \
		sum = _mm512_madd52lo_epu64(sum, q[k], mod->m[0]);                                 \
		c->hi[k] = _mm512_madd52hi_epu64(c->hi[k], q[k], mod->m[0]);                       \
	} else {                                                                                   \
		q[k] = sum;                                                                        \
		row(c, (k) + 1, COLUMNS, sum, mod->n, -1 - (k));                                   \
	}                                                                                          \
	carry = _mm512_add_epi64(c->hi[k], _mm512_srli_epi64(sum, DIGIT_BITS));
	FOR_EACH(REDUCE)
#undef REDUCE
	return carry;
}

/* Columns d + @at to d + @at + COLUMNS - 1: digits of r */
INLINE __m512i reduce_high(const struct cc_fixed_moduli *mod, struct columns *c, size_t at,
			   __m512i *r, __m512i carry)
{
	size_t d = mod->d;
	__m512i sum;

	rising_rows(c, mod->q + at, mod->n, d);
	rows(c, mod->q, at + COLUMNS - 1, d - 1, mod->n, d + at - 1);
	row(c, 0, COLUMNS, mod->q[d - 1], mod->m, (ptrdiff_t)at + 1);
#define CARRY(k)                                                                                   \
	sum = _mm512_add_epi64(c->lo[k], carry);                                                   \
	r[at + (k)] = sum;                                                                         \
	carry = _mm512_add_epi64(c->hi[k], _mm512_srli_epi64(sum, DIGIT_BITS));
	FOR_EACH(CARRY)
#undef CARRY
	return carry;
}

INLINE __m512i sqr_low(const struct cc_fixed_moduli *mod, size_t at, int last, const __m512i *x,
		       __m512i carry)
{
	struct columns c = no_columns();
	size_t half = at / 2;

	rows(&c, x, 0, half, x, at);
	pair_rows(&c, x + half);
	double_and_square(&c, x + half);
	return reduce_low(mod, &c, at, last, carry);
}

/* Not the last columns */
INLINE __m512i sqr_high(const struct cc_fixed_moduli *mod, size_t at, __m512i *r, const __m512i *x,
			__m512i carry)
{
	struct columns c = no_columns();
	size_t d = mod->d, half = (d + at) / 2;

	rising_rows(&c, x + at + 1, x, d);
	rows(&c, x, at + COLUMNS, half, x, d + at);
	pair_rows(&c, x + half);
	double_and_square(&c, x + half);
	return reduce_high(mod, &c, at, r, carry);
}

/* The last columns: the pairs of the top digits that reach them */
INLINE void sqr_top(const struct cc_fixed_moduli *mod, __m512i *r, const __m512i *x, __m512i carry)
{
	struct columns c = no_columns();
	size_t top = mod->d - COLUMNS;
#define TOP(i)                                                                                     \
	row(&c, (i) >= COLUMNS / 2 ? 2 * (i)-COLUMNS + 1 : 0, i, x[top + (i)], x + top,            \
	    COLUMNS - (i));
	FOR_EACH(TOP)
#undef TOP
	double_and_square(&c, x + top + COLUMNS / 2);
	reduce_high(mod, &c, top, r, carry);
}

IFMA void cc_fixed_many_sqr_avx512ifma(const struct cc_fixed_moduli *mod, __m512i *r,
				       const __m512i *x)
{
	size_t d = mod->d, at;
	__m512i carry = _mm512_setzero_si512();

	for (at = 0; at < d - COLUMNS; at += COLUMNS)
		carry = sqr_low(mod, at, 0, x, carry);
	carry = sqr_low(mod, at, 1, x, carry);
	for (at = 0; at < d - COLUMNS; at += COLUMNS)
		carry = sqr_high(mod, at, r, x, carry);
	sqr_top(mod, r, x, carry);
}

INLINE __m512i mul_low(const struct cc_fixed_moduli *mod, size_t at, int last, const __m512i *x,
		       const __m512i *y, __m512i carry)
{
	struct columns c = no_columns();

	rows(&c, x, 0, at + 1, y, at);
	falling_rows(&c, x + at, y);
	return reduce_low(mod, &c, at, last, carry);
}

INLINE __m512i mul_high(const struct cc_fixed_moduli *mod, size_t at, __m512i *r, const __m512i *x,
			const __m512i *y, __m512i carry)
{
	struct columns c = no_columns();
	size_t d = mod->d;

	rising_rows(&c, x + at + 1, y, d);
	rows(&c, x, at + COLUMNS, d, y, d + at);
	return reduce_high(mod, &c, at, r, carry);
}

IFMA void cc_fixed_many_mul_avx512ifma(const struct cc_fixed_moduli *mod, __m512i *r,
				       const __m512i *x, const __m512i *y)
{
	size_t d = mod->d, at;
	__m512i carry = _mm512_setzero_si512();

	for (at = 0; at < d - COLUMNS; at += COLUMNS)
		carry = mul_low(mod, at, 0, x, y, carry);
	carry = mul_low(mod, at, 1, x, y, carry);
	for (at = 0; at < d; at += COLUMNS)
		carry = mul_high(mod, at, r, x, y, carry);
}

#endif /* CC_BUILD_VECTORS */
