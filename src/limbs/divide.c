// SPDX-License-Identifier: MIT
/* Division by a word, by its reciprocal (Moeller and Granlund, 2011). */
#include "divide.h"

cc_word cc_limbs_divrem_by(cc_word *q, const cc_word *a, size_t n, const struct cc_divisor *by)
{
	unsigned int shift = by->shift;
	cc_word d = by->d, v = by->reciprocal, rem, next;

	if (!n)
		return 0;
	if (!shift) {
		rem = 0;
		while (n--)
			q[n] = cc_word_div_2by1(&rem, rem, a[n], d, v);
		return rem;
	}
	next = a[--n];
	rem = next >> (CC_WORD_BITS - shift);
	while (n) {
		cc_word word = next << shift;

		next = a[n - 1];
		word |= next >> (CC_WORD_BITS - shift);
		q[n--] = cc_word_div_2by1(&rem, rem, word, d, v);
	}
	q[0] = cc_word_div_2by1(&rem, rem, next << shift, d, v);
	return rem >> shift;
}

cc_word cc_limbs_divrem_1(cc_word *q, const cc_word *a, size_t n, cc_word d)
{
	struct cc_divisor by = cc_divisor(d);

	return cc_limbs_divrem_by(q, a, n, &by);
}
