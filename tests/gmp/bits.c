// SPDX-License-Identifier: MIT
#include "mpn.h"

/* Every overlap in which the result is written behind what is still to be read. */
static void check_shifts(void)
{
	size_t n = a_size(1, 400), above = random_below(n + 3);
	unsigned int count = 1 + (unsigned int)random_below(CC_WORD_BITS - 1);

	test_sizes(n, above, count);
	fill(3 * n + 4);
	BOTH("out", lshift, arena + above, arena, (cc_mpn_size)n, count);
	same("number shifted left", 3 * n + 4);
	BOTH("out", rshift, arena, arena + above, (cc_mpn_size)n, count);
	same("number shifted right", 3 * n + 4);
	BOTH_VOID(copyd, arena + above, arena, (cc_mpn_size)n);
	same("copy", 3 * n + 4);
	BOTH_VOID(copyi, arena, arena + above, (cc_mpn_size)n);
	same("copy", 3 * n + 4);
	BOTH_VOID(zero, arena + above, (cc_mpn_size)n);
	same("zero", 3 * n + 4);
}

static void check_logic(void)
{
	size_t n = a_size(1, 400), a = n, b = random_below(4) ? 2 * n : n, end = 3 * n, r;

	test_sizes(n, 0, 0);
	fill(end);
	r = random_below(2) ? 0 : random_below(2) ? a : b;
#define LOGIC(name)                                                                                \
	BOTH_VOID(name, arena + r, arena + a, arena + b, (cc_mpn_size)n);                          \
	same(#name, end)
	LOGIC(and_n);
	LOGIC(nand_n);
	LOGIC(andn_n);
	LOGIC(xor_n);
	LOGIC(ior_n);
	fill(end);
	LOGIC(nior_n);
	LOGIC(iorn_n);
	LOGIC(xnor_n);
#undef LOGIC
	BOTH_VOID(com, arena + r, arena + a, (cc_mpn_size)n);
	same("complement", end);
}

static void check_counts(void)
{
	size_t n = a_size(1, 400), from = random_below(n * CC_WORD_BITS);

	test_sizes(n, from, 0);
	fill(2 * n);
	BOTH("ones", popcount, arena, (cc_mpn_size)n);
	BOTH("other bits", hamdist, arena, arena + n, (cc_mpn_size)n);
	/* there is such a bit */
	mine[n - 1] = its[n - 1] = (cc_word)2 << (CC_WORD_BITS - 2);
	BOTH("next one", scan1, arena, from);
	mine[n - 1] = its[n - 1] = ~mine[n - 1];
	BOTH("next zero", scan0, arena, from);
}

/* Any numbers, but their top words are not 0. */
static void check_random(void)
{
	size_t n = a_size(1, 100);

	memset(mine, 0, sizeof(*mine) * (n + 1));
	ours.random(mine, (cc_mpn_size)n);
	CHECK(mine[n - 1] && !mine[n], "random");
	memset(mine, 0, sizeof(*mine) * (n + 1));
	ours.random2(mine, (cc_mpn_size)n);
	CHECK(mine[n - 1] && !mine[n], "random2");
}

static const struct check all[] = {
	{"lshift, rshift, copyi, copyd, zero", check_shifts, 10000},
	{"and_n and its kind, com", check_logic, 5000},
	{"popcount, hamdist, scan0, scan1", check_counts, 5000},
	{"random, random2", check_random, 1000},
};
const struct checks bits = {all, COUNT(all)};
