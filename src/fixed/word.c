// SPDX-License-Identifier: MIT
/* A vector and one word; the division is in divide.c. */
#include <carrychain/fixed.h>
#include <carrychain/limbs.h>

/* The carry always passes through all words, whereas the sums of limbs.h stop early. */
cc_word cc_fz_add_word(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	size_t i;

	for (i = 0; i < n; i++) {
		r[i] = a[i] + w;
		w = r[i] < w;
	}
	return w;
}

cc_word cc_fz_sub_word(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	size_t i;

	for (i = 0; i < n; i++) {
		cc_word from = a[i];

		r[i] = from - w;
		w = from < w;
	}
	return w;
}

cc_word cc_fz_mul_word(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	return cc_limbs_mul_1(r, a, n, w);
}

cc_word cc_fz_addmul_word(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	return cc_limbs_addmul_1(r, a, n, w);
}

cc_word cc_fz_submul_word(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	return cc_limbs_submul_1(r, a, n, w);
}
