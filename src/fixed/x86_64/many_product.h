/* SPDX-License-Identifier: MIT */
/*
 * many_product.h - x^2 / R and x y / R by columns, once for both tiers.
 *
 * In addition to what many_rows.h needs and defines, a tier must define TARGET; SUMS, the type of
 * the carries between columns; many_sqr and many_mul, the names of the products; and
 *   no_columns()                             columns of 0
 *   double_and_square(c, x)                  twice the columns, and x[i]^2 in column 2 i
 *   reduce_low(mod, c, at, last, carry)      columns @at on, below d, give their digits of q
 *   reduce_high(mod, c, at, r, carry)        columns d + @at on: digits of r
 * The latter two return their carries.
 */

INLINE SUMS sqr_low(const struct cc_fixed_moduli *mod, size_t at, int last, const DIGITS *x,
		    SUMS carry)
{
	struct columns c = no_columns();
	size_t half = at / 2;

	rows(&c, x, 0, half, x, at);
	pair_rows(&c, x + half);
	double_and_square(&c, x + half);
	return reduce_low(mod, &c, at, last, carry);
}

/* Columns other than the last */
INLINE SUMS sqr_high(const struct cc_fixed_moduli *mod, size_t at, DIGITS *r, const DIGITS *x,
		     SUMS carry)
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
INLINE void sqr_top(const struct cc_fixed_moduli *mod, DIGITS *r, const DIGITS *x, SUMS carry)
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

TARGET void many_sqr(const struct cc_fixed_moduli *mod, DIGITS *r, const DIGITS *x)
{
	size_t d = mod->d, at;
	SUMS carry = {0};

	for (at = 0; at < d - COLUMNS; at += COLUMNS)
		carry = sqr_low(mod, at, 0, x, carry);
	carry = sqr_low(mod, at, 1, x, carry);
	for (at = 0; at < d - COLUMNS; at += COLUMNS)
		carry = sqr_high(mod, at, r, x, carry);
	sqr_top(mod, r, x, carry);
}

INLINE SUMS mul_low(const struct cc_fixed_moduli *mod, size_t at, int last, const DIGITS *x,
		    const DIGITS *y, SUMS carry)
{
	struct columns c = no_columns();

	rows(&c, x, 0, at + 1, y, at);
	falling_rows(&c, x + at, y);
	return reduce_low(mod, &c, at, last, carry);
}

INLINE SUMS mul_high(const struct cc_fixed_moduli *mod, size_t at, DIGITS *r, const DIGITS *x,
		     const DIGITS *y, SUMS carry)
{
	struct columns c = no_columns();
	size_t d = mod->d;

	rising_rows(&c, x + at + 1, y, d);
	rows(&c, x, at + COLUMNS, d, y, d + at);
	return reduce_high(mod, &c, at, r, carry);
}

TARGET void many_mul(const struct cc_fixed_moduli *mod, DIGITS *r, const DIGITS *x, const DIGITS *y)
{
	size_t d = mod->d, at;
	SUMS carry = {0};

	for (at = 0; at < d - COLUMNS; at += COLUMNS)
		carry = mul_low(mod, at, 0, x, y, carry);
	carry = mul_low(mod, at, 1, x, y, carry);
	for (at = 0; at < d; at += COLUMNS)
		carry = mul_high(mod, at, r, x, y, carry);
}
