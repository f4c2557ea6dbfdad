// SPDX-License-Identifier: MIT
/*
 * r = x y / R, x^2 / R mod m, eight at once: by columns, the product and its reduction
 * together, so that neither the product nor a multiple of m is ever in memory.
 *
 * Ten columns are summed at a time, with separate low and high halves: twenty accumulators,
 * each with one addition per row, hide the latency of four cycles.  A row is one digit of x
 * times ten consecutive ones of y: eleven loads for twenty multiply-adds.  The rows at the
 * edges of the product, which do not reach all ten columns, are written out.
 *
 * Cycles on Zen 5 for all eight, and in parentheses their ratio to the least time possible, at
 * two multiply-adds per cycle:
 *
 *	bits      1024         2048         3072         4096          8192
 *	x^2 / R    654 (1.07)  2584 (1.07)  5790 (1.07)  10245 (1.06)  40201 (1.05)
 *	x y / R    851 (1.06)  3381 (1.06)  7643 (1.06)  13437 (1.05)  53567 (1.05)
 *
 * Bound: a column has at most d products from x y (for x^2, at most d / 2 doubled pairs and a
 * square) and d from the reduction.  So lo and hi are below (2 d + 1) 2^52 each, and with the
 * carry, a digit's sum is below (4 d + 4) 2^52 <= 2^62: d <= 160, because n <= 128 words.
 */
#include "many_avx512ifma.h"

#if CC_BUILD_VECTORS

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

#include "many_rows.h"

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
 * Columns @at to @at + COLUMNS - 1 of the product, below d: each yields a digit of q; if @last,
 * the highest as in the last step.  The carry comes in and out.
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

#include "many_product.h"

#endif /* CC_BUILD_VECTORS */
