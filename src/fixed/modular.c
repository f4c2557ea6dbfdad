// SPDX-License-Identifier: MIT
/*
 * Sums modulo m of numbers below m: m is added or subtracted once, under a mask.
 */
#include <carrychain/limbs.h>

#include "kernels.h"
#include "mask.h"

/* a + b < 2m: a + b - m is negative exactly if a + b < m, and then a + b had no carry. */
void cc_fz_addmod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n)
{
	cc_word carry = cc_limbs_add(r, a, b, n);
	cc_word borrow = cc_limbs_sub(r, r, m, n);

	cc_fz_add_if(r, cc_mask(borrow & ~carry), r, m, n);
}

void cc_fz_submod(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n)
{
	cc_word borrow = cc_limbs_sub(r, a, b, n);

	cc_fz_add_if(r, cc_mask(borrow), r, m, n);
}

void cc_fz_negmod(cc_word *r, const cc_word *a, const cc_word *m, size_t n)
{
	cc_word some = ~cc_fz_is_zero(a, n);
	size_t i;

	cc_limbs_sub(r, m, a, n);
	for (i = 0; i < n; i++)
		r[i] &= some;
}

/* Half of a, or of a + m if a is odd: a + m is even, and its half is below m. */
void cc_fz_halfmod(cc_word *r, const cc_word *a, const cc_word *m, size_t n)
{
	cc_word carry = cc_fz_add_if(r, cc_mask(a[0] & 1), a, m, n);

	cc_limbs_rshift(r, r, n, 1);
	r[n - 1] |= carry << (CC_WORD_BITS - 1);
}
