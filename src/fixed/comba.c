// SPDX-License-Identifier: MIT
/*
 * Products by columns (Comba): column c is the sum of all x[i] y[c - i], collected in
 * three words before one of them is stored and the next column begins.
 *
 * The three words never overflow: with B the base, a column has at most n products, each
 * at most (B - 1)^2, and what the column before left is below n B; together below
 * n (B - 1)^2 + n B < n B^2, and n < B.  In a square a product counts twice, and there are
 * half as many.
 */
#include "kernels.h"

/* a2 : a1 : a0 += high : low */
#define ACCUMULATE(high, low)                                                                      \
	do {                                                                                       \
		cc_word carry_ = 0;                                                                \
                                                                                                   \
		a0 = cc_word_add(a0, (low), &carry_);                                              \
		a1 = cc_word_add(a1, (high), &carry_);                                             \
		a2 += carry_;                                                                      \
	} while (0)

#define FINISH_COLUMN(r)                                                                           \
	do {                                                                                       \
		*(r) = a0;                                                                         \
		a0 = a1;                                                                           \
		a1 = a2;                                                                           \
		a2 = 0;                                                                            \
	} while (0)

void cc_fixed_mul_comba(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	cc_word a0 = 0, a1 = 0, a2 = 0;
	size_t column, i;

	for (column = 0; column < 2 * n; column++) {
		size_t first = column < n ? 0 : column - n + 1;
		size_t last = column < n ? column + 1 : n;

		for (i = first; i < last; i++) {
			cc_word high, low = cc_word_mul(&high, x[i], y[column - i]);

			ACCUMULATE(high, low);
		}
		FINISH_COLUMN(xy + column);
	}
}

void cc_fixed_sqr_comba(cc_word *xx, const cc_word *x, size_t n)
{
	cc_word a0 = 0, a1 = 0, a2 = 0;
	size_t column, i;

	for (column = 0; column < 2 * n; column++) {
		size_t first = column < n ? 0 : column - n + 1;
		size_t middle = (column + 1) / 2;

		for (i = first; i < middle; i++) {
			cc_word high, low = cc_word_mul(&high, x[i], x[column - i]);

			ACCUMULATE(high, low);
			ACCUMULATE(high, low);
		}
		if (column % 2 == 0 && column < 2 * n - 1) {
			cc_word high, low = cc_word_mul(&high, x[middle], x[middle]);

			ACCUMULATE(high, low);
		}
		FINISH_COLUMN(xx + column);
	}
}
