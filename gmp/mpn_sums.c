// SPDX-License-Identifier: MIT
/* Sums and comparisons. */
#include "mpn.h"

#include <carrychain/limbs.h>

#include "../src/limbs/sums.h"

#include <string.h>

cc_word cc_mpn_add_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n)
{
	return cc_sum(r, a, b, (size_t)n);
}

cc_word cc_mpn_add_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b)
{
	return cc_limbs_add_1(r, a, (size_t)n, b);
}

cc_word cc_mpn_add(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn)
{
	return cc_limbs_add_1(r + bn, a + bn, (size_t)(an - bn), cc_sum(r, a, b, (size_t)bn));
}

cc_word cc_mpn_sub_n(cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n)
{
	return cc_difference(r, a, b, (size_t)n);
}

cc_word cc_mpn_sub_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b)
{
	return cc_limbs_sub_1(r, a, (size_t)n, b);
}

cc_word cc_mpn_sub(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn)
{
	return cc_limbs_sub_1(r + bn, a + bn, (size_t)(an - bn),
			      cc_difference(r, a, b, (size_t)bn));
}

cc_word cc_mpn_neg(cc_word *r, const cc_word *a, cc_mpn_size n)
{
	cc_mpn_size i;

	/* zeros stay, the lowest other word is negated, those above are inverted */
	for (i = 0; i < n && !a[i]; i++)
		r[i] = 0;
	if (i == n)
		return 0;
	r[i] = 0 - a[i];
	i++;
	cc_mpn_com(r + i, a + i, n - i);
	return 1;
}

int cc_mpn_cmp(const cc_word *a, const cc_word *b, cc_mpn_size n)
{
	return cc_limbs_cmp(a, b, (size_t)n);
}

int cc_mpn_zero_p(const cc_word *a, cc_mpn_size n)
{
	/* mostly the top word says no */
	if (n && a[n - 1])
		return 0;
	while (n--)
		if (a[n])
			return 0;
	return 1;
}
