// SPDX-License-Identifier: MIT
#include "mpn.h"

/* r[an + bn] at 0; the factors may overlap each other in any way, or be one. */
static void any_factors(size_t an, size_t bn, size_t *a, size_t *b, size_t *end)
{
	size_t after = apart(an + bn);

	*a = after + random_below(bn + 1);
	*b = random_below(4) ? after + random_below(an + 1) : *a;
	*end = after + 2 * (an + bn);
	fill(*end);
}

static void check_mul(void)
{
	size_t an = a_size(1, 2400), bn = random_below(3) ? 1 + random_below(an) : an, a, b, end;
	cc_word top, its_top;

	test_sizes(an, bn, 0);
	any_factors(an, bn, &a, &b, &end);
	top = ours.mul(mine, mine + a, (cc_mpn_size)an, mine + b, (cc_mpn_size)bn);
	its_top = theirs.mul(its, its + a, (cc_mpn_size)an, its + b, (cc_mpn_size)bn);
	CHECK(top == its_top, "another top word");
	same("product", end);
}

static void check_mul_n(void)
{
	size_t n = a_size(1, 2400), a, b, end;

	test_sizes(n, n, 0);
	any_factors(n, n, &a, &b, &end);
	ours.mul_n(mine, mine + a, mine + b, (cc_mpn_size)n);
	theirs.mul_n(its, its + a, its + b, (cc_mpn_size)n);
	same("product", end);
}

static void check_sqr(void)
{
	size_t n = a_size(1, 2400), a, b, end;

	test_sizes(n, n, 0);
	any_factors(n, n, &a, &b, &end);
	ours.sqr(mine, mine + a, (cc_mpn_size)n);
	theirs.sqr(its, its + a, (cc_mpn_size)n);
	same("square", end);
}

const struct check product_checks[] = {
	{"mul", check_mul, 20000},
	{"mul_n", check_mul_n, 20000},
	{"sqr", check_sqr, 20000},
};
const size_t product_checks_count = COUNT(product_checks);
