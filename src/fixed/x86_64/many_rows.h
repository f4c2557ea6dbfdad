/* SPDX-License-Identifier: MIT */
/*
 * many_rows.h - rows of products, once for both tiers.
 *
 * A tier must define INLINE and ROLLED, DIGITS, a vector with a digit of each integer, and
 *   struct columns  COLUMNS sums of products
 *   row(c, from, to, x, y, at)  to the columns from @from to @to - 1: column k += x y[at + k]
 */

/* Whole rows, for the digits of x from @first to @end - 1: column k += x[i] y[at - i + k] */
INLINE void rows(struct columns *c, const DIGITS *x, size_t first, size_t end, const DIGITS *y,
		 size_t at)
{
	size_t i;

	ROLLED
	for (i = first; i < end; i++)
		row(c, 0, COLUMNS, x[i], y, (ptrdiff_t)(at - i));
}

/* The rows before the whole ones, at the end of y: row i has columns 0 to i, the last with y[d - 1]
 */
INLINE void rising_rows(struct columns *c, const DIGITS *x, const DIGITS *y, size_t d)
{
#define RISE(i)                                                                                    \
	if ((i) < COLUMNS - 1)                                                                     \
		row(c, 0, (i) + 1, x[i], y, (ptrdiff_t)d - 1 - (i));
	FOR_EACH(RISE)
#undef RISE
}

/* The rows after the whole ones, at the beginning of y: row i has the columns from i on */
INLINE void falling_rows(struct columns *c, const DIGITS *x, const DIGITS *y)
{
#define FALL(i)                                                                                    \
	if (0 < (i) && (i) < COLUMNS)                                                              \
		row(c, i, COLUMNS, x[i], y, -(i));
	FOR_EACH(FALL)
#undef FALL
}

/* The rows after the whole ones of a square: digits i and j > i from @x on, for column i + j */
INLINE void pair_rows(struct columns *c, const DIGITS *x)
{
#define PAIR(i)                                                                                    \
	if ((i) < COLUMNS / 2)                                                                     \
		row(c, 2 * (i) + 1, COLUMNS, x[i], x, -(i));
	FOR_EACH(PAIR)
#undef PAIR
}
