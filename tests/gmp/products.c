// SPDX-License-Identifier: MIT
#include "mpn.h"

/* r[an + bn] at 0; the factors may overlap each other in any way, or be one. */
static size_t any_factors(size_t an, size_t bn, size_t *a, size_t *b)
{
	size_t after = an + bn + random_below(4), end = after + 2 * (an + bn);

	*a = after + random_below(bn + 1);
	*b = random_below(4) ? after + random_below(an + 1) : *a;
	fill(end);
	test_sizes(an, bn, 0);
	return end;
}

static void check_mul(void)
{
	size_t an = a_size(1, 2400), bn = random_below(3) ? 1 + random_below(an) : an, a, b, end;

	end = any_factors(an, bn, &a, &b);
	BOTH("top word", mul, arena, arena + a, (cc_mpn_size)an, arena + b, (cc_mpn_size)bn);
	same("product", end);
}

static void check_mul_n(void)
{
	size_t n = a_size(1, 2400), a, b, end;

	end = any_factors(n, n, &a, &b);
	BOTH_VOID(mul_n, arena, arena + a, arena + b, (cc_mpn_size)n);
	same("product", end);
}

static void check_sqr(void)
{
	size_t n = a_size(1, 2400), a, b, end;

	end = any_factors(n, n, &a, &b);
	BOTH_VOID(sqr, arena, arena + a, (cc_mpn_size)n);
	same("square", end);
}

/* r is a, or apart */
static void check_by_word(void)
{
	size_t n = a_size(1, 400), a = n + random_below(4), r = random_below(2) ? 0 : a;
	cc_word w = random_edge_word();

	fill(a + n + 4);
	test_sizes(n, 0, 0);
	BOTH("mul_1", mul_1, arena + r, arena + a, (cc_mpn_size)n, w);
	same("product", a + n + 4);
	BOTH("addmul_1", addmul_1, arena + r, arena + a, (cc_mpn_size)n, w);
	same("sum with a product", a + n + 4);
	BOTH("submul_1", submul_1, arena + r, arena + a, (cc_mpn_size)n, ~w);
	same("difference from a product", a + n + 4);
}

static const struct check all[] = {
	{"mul_1, addmul_1, submul_1", check_by_word, 5000},
	{"mul", check_mul, 20000},
	{"mul_n", check_mul_n, 10000},
	{"sqr", check_sqr, 10000},
};
const struct checks products = {all, COUNT(all)};
