// SPDX-License-Identifier: MIT
/*
 * The symbol of short numbers by its rules, step by step on reference.h; of long ones what
 * reciprocity and products say.
 */
#include "natural.h"

#include "places.h"
#include "reference.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <stdlib.h>
#include <string.h>

#define FEW 6

static int jacobi(const cc_word *a, size_t an, const cc_word *m, size_t mn)
{
	int symbol = cc_natural_jacobi(a, an, m, mn,
				       place(SCRATCH, NULL, cc_natural_jacobi_scratch(an, mn)));

	check_guards();
	return symbol;
}

/* The trailing zeros of a, which is not 0, and its odd part's last two bits. */
static size_t odd_part(const cc_word *a, size_t n, unsigned int *last)
{
	size_t zeros = 0, at = n * CC_WORD_BITS;

	while (!(a[zeros / CC_WORD_BITS] >> zeros % CC_WORD_BITS & 1))
		zeros++;
	*last = 1;
	if (zeros + 1 < at)
		*last |= (unsigned int)(a[(zeros + 1) / CC_WORD_BITS] >>
						((zeros + 1) % CC_WORD_BITS) &
					1)
			 << 1;
	return zeros;
}

void check_jacobi(const cc_word *a, size_t an, const cc_word *b, size_t bn, bool coprime)
{
	unsigned int a_last, b_last;
	int symbol = jacobi(a, an, b, bn), other = jacobi(b, bn, a, an), of_c;
	cc_word *product, c[2];

	CHECK(symbol >= -1 && symbol <= 1 && coprime == (symbol != 0) && coprime == (other != 0),
	      "%d, and the other way %d", symbol, other);
	if (!coprime || !cc_limbs_normalise(a, an) || !cc_limbs_normalise(b, bn))
		return;
	odd_part(a, an, &a_last);
	odd_part(b, bn, &b_last);
	CHECK((a_last & b_last) == 3 ? symbol == -other : symbol == other, "not reciprocal");
	random_words(c, 2);
	product = calloc(an + 2, sizeof(*product));
	cc_limbs_mul(product, a, an, c, 2, NULL);
	of_c = jacobi(c, 2, b, bn);
	CHECK(jacobi(product, an + 2, b, bn) == symbol * of_c, "not the product's");
	free(product);
}

static bool is_zero(const cc_word *a)
{
	return !cc_limbs_normalise(a, FEW);
}

static int by_rules(const cc_word *a, const cc_word *m)
{
	cc_word x[FEW], y[FEW], q[FEW], r[FEW], one[FEW] = {1};
	unsigned int last;
	size_t zeros;
	int symbol = 1;

	if (is_zero(m))
		return ref_equal(a, one, FEW);
	if (!((a[0] | m[0]) & 1))
		return 0;
	zeros = odd_part(m, FEW, &last);
	if (zeros % 2 && (a[0] % 8 == 3 || a[0] % 8 == 5))
		symbol = -symbol;
	ref_shr(y, m, FEW, zeros);
	memcpy(x, a, sizeof(x));
	for (;;) {
		ref_divrem(q, r, x, FEW, y, FEW);
		if (is_zero(r))
			return ref_equal(y, one, FEW) ? symbol : 0;
		zeros = odd_part(r, FEW, &last);
		if (zeros % 2 && (y[0] % 8 == 3 || y[0] % 8 == 5))
			symbol = -symbol;
		if (last == 3 && y[0] % 4 == 3)
			symbol = -symbol;
		memcpy(x, y, sizeof(x));
		ref_shr(y, r, FEW, zeros);
	}
}

void natural_jacobi(const char *tier)
{
	size_t n, m, round;

	begin(tier, "cc_natural_jacobi");
	for (n = 0; n <= FEW; n++)
		for (m = 0; m <= FEW; m++)
			for (round = 0; round < test_scaled(20); round++) {
				cc_word a[FEW] = {0}, b[FEW] = {0};
				size_t zeros = random_below(3) * random_below(70);

				random_words(a, n);
				random_words(b, m);
				if (random_below(2) && zeros)
					ref_shl(a, a, n, zeros % (n * CC_WORD_BITS + 1));
				else if (zeros)
					ref_shl(b, b, m, zeros % (m * CC_WORD_BITS + 1));
				test_sizes(n, m, zeros);
				CHECK(jacobi(place(FIRST, a, n), n, place(SECOND, b, m), m) ==
					      by_rules(a, b),
				      "another symbol");
			}
	/* all small ones */
	for (n = 0; n < 70; n++)
		for (m = 0; m < 70; m++) {
			cc_word a[FEW] = {n}, b[FEW] = {m};

			CHECK(jacobi(a, 1, b, 1) == by_rules(a, b), "(%zu / %zu)", n, m);
		}
}
