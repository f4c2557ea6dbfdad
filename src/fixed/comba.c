// SPDX-License-Identifier: MIT
/*
 * Products by columns (Comba): column c is the sum of all x[i] y[c - i], collected before
 * one word of it is stored and the next column begins.
 *
 * The lower and upper halves of the products are summed separately, each in two words, low
 * and high: compilers recognize this form as an add with carry.  With B the base, a column
 * has at most n < B / 4 products, so a sum of halves is below n B, and twice that below
 * B^2 / 2; the carry from the previous column is below that column's sum / B, at most 2 n B.
 * No pair overflows.
 */
#include "kernels.h"

struct pair {
	cc_word low, high;
};

static inline struct pair pair_add(struct pair a, cc_word x)
{
	a.low += x;
	a.high += a.low < x;
	return a;
}

static inline struct pair pair_sum(struct pair a, struct pair b)
{
	a = pair_add(a, b.low);
	a.high += b.high;
	return a;
}

/* (halves of the products) += a b */
static inline void accumulate(struct pair *lows, struct pair *highs, cc_word a, cc_word b)
{
	cc_word high, low = cc_word_mul(&high, a, b);

	*lows = pair_add(*lows, low);
	*highs = pair_add(*highs, high);
}

/* Stores a word of the column; the rest is carried to the next one. */
static inline struct pair finish(cc_word *r, struct pair lows, struct pair highs)
{
	*r = lows.low;
	return pair_add(highs, lows.high);
}

void cc_fixed_mul_comba(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	struct pair lows = {0, 0};
	size_t column, i;

	for (column = 0; column < 2 * n; column++) {
		size_t first = column < n ? 0 : column - n + 1;
		size_t last = column < n ? column + 1 : n;
		struct pair highs = {0, 0};

		for (i = first; i < last; i++)
			accumulate(&lows, &highs, x[i], y[column - i]);
		lows = finish(xy + column, lows, highs);
	}
}

/* The products off the diagonal are summed once and doubled; even columns have a square. */
void cc_fixed_sqr_comba(cc_word *xx, const cc_word *x, size_t n)
{
	struct pair before = {0, 0};
	size_t column, i;

	for (column = 0; column < 2 * n; column++) {
		size_t first = column < n ? 0 : column - n + 1;
		size_t middle = (column + 1) / 2;
		struct pair lows = {0, 0}, highs = {0, 0};

		for (i = first; i < middle; i++)
			accumulate(&lows, &highs, x[i], x[column - i]);
		lows = pair_sum(pair_sum(lows, lows), before);
		highs = pair_sum(highs, highs);
		if (column % 2 == 0)
			accumulate(&lows, &highs, x[middle], x[middle]);
		before = finish(xx + column, lows, highs);
	}
}
