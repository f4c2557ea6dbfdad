// SPDX-License-Identifier: MIT
#include "mpn.h"

/* r[n] at 0, or where a or b is */
static size_t three(size_t n, size_t *r, size_t *a, size_t *b)
{
	size_t end;

	*a = n + random_below(3);
	*b = random_below(8) ? *a + n + random_below(3) : *a;
	*r = random_below(2) ? 0 : random_below(2) ? *a : *b;
	end = *b + n + 2;
	fill(end);
	test_sizes(n, 0, 0);
	return end;
}

static void check_sums(void)
{
	size_t n = a_size(1, 1000), r, a, b, end = three(n, &r, &a, &b);

	BOTH("carry", add_n, arena + r, arena + a, arena + b, (cc_mpn_size)n);
	same("sum", end);
	BOTH("borrow", sub_n, arena + r, arena + b, arena + a, (cc_mpn_size)n);
	same("difference", end);
	BOTH("borrow", neg, arena + r, arena + a, (cc_mpn_size)n);
	same("negative", end);
	BOTH("order", cmp, arena + a, arena + b, (cc_mpn_size)n);
	BOTH("zero", zero_p, arena + r, (cc_mpn_size)n);
}

static void check_unequal_sums(void)
{
	size_t n = a_size(1, 1000), bn = 1 + random_below(n), r, a, b, end = three(n, &r, &a, &b);
	cc_word w = random_edge_word();

	BOTH("carry", add, arena + r, arena + a, (cc_mpn_size)n, arena + b, (cc_mpn_size)bn);
	same("sum", end);
	BOTH("borrow", sub, arena + r, arena + a, (cc_mpn_size)n, arena + b, (cc_mpn_size)bn);
	same("difference", end);
	BOTH("carry", add_1, arena + r, arena + a, (cc_mpn_size)n, w);
	same("sum with a word", end);
	BOTH("borrow", sub_1, arena + r, arena + a, (cc_mpn_size)n, w);
	same("difference from a word", end);
}

/* zeros, or a number with zeros below */
static void check_zeros(void)
{
	size_t n = a_size(1, 100), zeros = random_below(n + 1);

	fill(2 * n);
	memset(mine + n, 0, zeros * sizeof(*mine));
	memset(its + n, 0, zeros * sizeof(*its));
	test_sizes(n, zeros, 0);
	BOTH("zero", zero_p, arena + n, (cc_mpn_size)n);
	BOTH("borrow", neg, arena, arena + n, (cc_mpn_size)n);
	same("negative", 2 * n);
	memcpy(mine, mine + n, n * sizeof(*mine));
	mine[random_below(n)] ^= random_word();
	memcpy(its, mine, n * sizeof(*its));
	BOTH("order", cmp, arena, arena + n, (cc_mpn_size)n);
}

static const struct check all[] = {
	{"add_n, sub_n, neg, cmp, zero_p", check_sums, 10000},
	{"add, sub, add_1, sub_1", check_unequal_sums, 10000},
	{"neg, cmp, zero_p of zeros", check_zeros, 5000},
};
const struct checks sums = {all, COUNT(all)};
