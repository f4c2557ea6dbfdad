// SPDX-License-Identifier: MIT
/*
 * Sums modulo m of what is below m: one addition or subtraction of m, made or not by a mask.
 */
#include <carrychain/limbs.h>

#include "kernels.h"
#include "mask.h"

/* a + b < 2m: less m it is negative just where a + b < m, and then it had no carry. */
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

/* a, or where that is odd a + m, which is even: half of it is below m. */
void cc_fz_halfmod(cc_word *r, const cc_word *a, const cc_word *m, size_t n)
{
	cc_word carry = cc_fz_add_if(r, cc_mask(a[0] & 1), a, m, n);

	cc_limbs_rshift(r, r, n, 1);
	r[n - 1] |= carry << (CC_WORD_BITS - 1);
}
