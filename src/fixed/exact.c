// SPDX-License-Identifier: MIT
/*
 * Exact division (Jebelean 1993): from the lowest on, each word of the quotient is the lowest
 * word of the rest times the divisor's inverse modulo B.  Higher words do not matter, so a
 * quotient of n words needs the dividend and the divisor only modulo B^n.
 */
#include <carrychain/limbs.h>

#include "kernels.h"
#include "mask.h"

/* The rest is kept in the places of the quotient's remaining words. */
void cc_fixed_divexact_odd(cc_word *q, size_t qn, const cc_word *d, size_t dn)
{
	cc_word inverse = 0 - cc_fixed_minus_inverse(d[0]), borrow = 0;
	size_t i;

	for (i = 0; i < qn; i++) {
		cc_word word = q[i] * inverse;
		size_t row = dn < qn - i ? dn : qn - i;
		cc_word above = cc_limbs_submul_1(q + i, d, row, word);

		/* the borrow belongs to the next row's word */
		if (i + row < qn)
			q[i + row] = cc_word_sub(q[i + row], above, &borrow);
		q[i] = word;
	}
}

void cc_fixed_divexact(cc_word *q, const cc_word *a, size_t an, const cc_word *d, size_t dn)
{
	cc_word odd[CC_FZ_MAX];
	size_t twos = cc_fz_trailing_zeros(d, dn);

	cc_fz_shr(odd, d, dn, twos);
	cc_fz_shr(q, a, an, twos);
	cc_fixed_divexact_odd(q, an, odd, dn);
	cc_wipe(odd, dn * sizeof(*odd));
}

int cc_fz_divexact(cc_word *q, const cc_word *a, size_t an, const cc_word *d, size_t dn)
{
	if (dn > CC_FZ_MAX || cc_shows_zero(d, dn))
		return CC_EINVAL;
	cc_fixed_divexact(q, a, an, d, dn);
	return CC_OK;
}
