// SPDX-License-Identifier: MIT
/*
 * r = x y / R, x^2 / R mod m, four at once: by columns, the product and its reduction
 * together, so that neither the product nor a multiple of m is ever in memory.
 *
 * Ten columns are summed at a time, and the high halves of the last of them: eleven of sixteen
 * registers; two constants, a digit of x and two halves take the rest.  A row is one digit of x
 * times ten consecutive ones of y.  The rows at the edges of the product, which do not reach all
 * ten columns, are written out.
 *
 * Zen 5, cycles for all four, and per product of two digits:
 *
 *	bits           1024         2048         3072          4096          8192
 *	x^2 / R    1155 1.90    4050 1.67    8610 1.59    14910 1.55    58250 1.51
 *	x y / R    1435 1.79    5080 1.59   11010 1.53    19330 1.51    77220 1.51
 *
 * Bound: a column has at most d products from x y (for x^2, doubled pairs and a square), d from
 * the reduction, and each half of these is at least -2^51 and below 2^52.  So a column's low
 * halves, the high ones from the column below, and a carry are together within
 * (4 d + 4) 2^52 <= 2^62: d <= 160, because n <= 128 words.  With 2^62 added, the sum is
 * positive, and its carry is too large by 2^10.
 */
#include "many_avx2.h"

#if CC_BUILD_VECTORS

#define POSITIVE ((uint64_t)1 << 62)

struct columns {
	__m256i c[COLUMNS + 1];
};

INLINE struct columns no_columns(void)
{
	struct columns c;

#define CLEAR(k) c.c[k] = _mm256_setzero_si256();
	FOR_EACH(CLEAR)
	CLEAR(COLUMNS)
#undef CLEAR
	return c;
}

/* The columns from @from to @to - 1: column k += x y[at + k] */
INLINE void row(struct columns *c, int from, int to, __m256d x, const __m256d *y, ptrdiff_t at)
{
#define ADD_PRODUCT(k)                                                                             \
	if (from <= (k) && (k) < to)                                                               \
		add_product(&c->c[k], &c->c[(k) + 1], x, (const vector *)&y[at + (k)]);
	FOR_EACH(ADD_PRODUCT)
#undef ADD_PRODUCT
}

#include "many_rows.h"

/* Twice the columns, and x[i]^2 in column 2 i */
INLINE void double_and_square(struct columns *c, const __m256d *x)
{
#define DOUBLE(k) c->c[k] = _mm256_slli_epi64(c->c[k], 1);
	FOR_EACH(DOUBLE)
	DOUBLE(COLUMNS)
#undef DOUBLE
#define SQUARE(k)                                                                                  \
	if ((k) % 2 == 0)                                                                          \
		add_product(&c->c[k], &c->c[(k) + 1], x[(k) / 2], (const vector *)&x[(k) / 2]);
	FOR_EACH(SQUARE)
#undef SQUARE
}

/*
 * The products in column c: for x y (or x^2, doubled), c + 1 below d and 2 d - 1 - c above; for
 * the first d - 2 digits of q, from column 2 on, c - 1 and 2 d - 1 - c (with the 0 before them);
 * for the last two digits, one in column d - 2 and two in each above.  The products by which these
 * clear their own column are counted by clear() and not here; their high halves are.
 */
void cc_fixed_many_bias_avx2(const struct cc_fixed_moduli *mod)
{
	uint64_t d = mod->d, c, products, below = 0;

	for (c = 0; c < 2 * d; c++) {
		products = c >= d ? 2 * (2 * d - c) : 2 * c + (c == 0) + (c == d - 1);
		mod->bias[c] = products * LOW_BITS - below * HIGH_BITS + POSITIVE;
		if (c)
			mod->bias[c] -= POSITIVE >> DIGIT_BITS;
		below = products + (c == d - 2 || c == d - 1);
	}
}

/* The sum of column @at, with the carry */
INLINE __m256i sum_of(const struct cc_fixed_moduli *mod, size_t at, __m256i column, __m256i carry)
{
	return _mm256_add_epi64(column, _mm256_add_epi64(carry, every(mod->bias[at])));
}

/* Montgomery's own digit of q, which clears the low 52 bits of sum */
INLINE __m256d clear(const struct cc_fixed_moduli *mod, __m256i *sum, __m256i *above)
{
	__m256i low = every(LOW_BITS), high = low;
	__m256d q;

	add_product(&low, &high, digit(*sum), (const vector *)&mod->minus_inverse);
	q = digit(low);
	*sum = _mm256_add_epi64(*sum, every(LOW_BITS));
	add_product(sum, above, q, (const vector *)mod->m);
	return q;
}

/*
 * Columns @at to @at + COLUMNS - 1 of the product, below d: each yields a digit of q; if @last,
 * the highest two as in the last two steps.  The carry comes in and out.
 */
INLINE __m256i reduce_low(const struct cc_fixed_moduli *mod, struct columns *c, size_t at, int last,
			  __m256i carry)
{
	__m256d *q = mod->q + at;
	__m256i sum;

	if (at) {
		rows(c, mod->q, 0, at - 1, mod->n, at - 2);
		row(c, 1, COLUMNS, q[-1], mod->n, -1);
	}
#define REDUCE(k)                                                                                  \
	sum = sum_of(mod, at + (k), c->c[k], carry);                                               \
	if (last && (k) >= COLUMNS - 2) {                                                          \
		q[k] = clear(mod, &sum, &c->c[(k) + 1]);                                           \
		row(c, (k) + 1, COLUMNS, q[k], mod->m, -(k));                                      \
	} else {                                                                                   \
		q[k] = digit(sum);                                                                 \
		row(c, (k) + 2, COLUMNS, q[k], mod->n, -2 - (k));                                  \
	}                                                                                          \
	carry = _mm256_srli_epi64(sum, DIGIT_BITS);
	FOR_EACH(REDUCE)
#undef REDUCE
	return _mm256_add_epi64(carry, c->c[COLUMNS]);
}

/* Columns d + @at to d + @at + COLUMNS - 1: digits of r */
INLINE __m256i reduce_high(const struct cc_fixed_moduli *mod, struct columns *c, size_t at,
			   __m256d *r, __m256i carry)
{
	size_t d = mod->d;
	__m256i sum;

	rising_rows(c, mod->q + at - 1, mod->n, d);
	rows(c, mod->q, at + COLUMNS - 2, d - 2, mod->n, d + at - 2);
	row(c, 0, COLUMNS, mod->q[d - 2], mod->m, (ptrdiff_t)at + 2);
	row(c, 0, COLUMNS, mod->q[d - 1], mod->m, (ptrdiff_t)at + 1);
#define CARRY(k)                                                                                   \
	sum = sum_of(mod, d + at + (k), c->c[k], carry);                                           \
	r[at + (k)] = digit(sum);                                                                  \
	carry = _mm256_srli_epi64(sum, DIGIT_BITS);
	FOR_EACH(CARRY)
#undef CARRY
	return _mm256_add_epi64(carry, c->c[COLUMNS]);
}

#include "many_product.h"

#endif /* CC_BUILD_VECTORS */
