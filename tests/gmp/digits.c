// SPDX-License-Identifier: MIT
#include "mpn.h"

static int any_base(void)
{
	static const int often[] = {10, 16, 2, 3, 36, 37, 62, 255, 256};

	return random_below(2) ? often[random_below(COUNT(often))] : 2 + (int)random_below(255);
}

/* Digits begin a third into the arena, as bytes. */
static unsigned char *digits_of(cc_word *words)
{
	return (unsigned char *)(words + 1000);
}

static void check_get_str(void)
{
	size_t n = near(150, 900), size, zeros = 0, its_zeros = 0;
	int base = any_base();

	fill(n);
	mine[n - 1] += !mine[n - 1];
	mine[n - 1] >>=
		random_below(2) * random_below(cc_word_clz(1) - cc_word_clz(mine[n - 1]) + 1);
	its[n - 1] = mine[n - 1];
	test_sizes(n, (size_t)base, 0);
	size = ours.sizeinbase(mine, 0, base);
	CHECK(size == 1, "size %zu of no words", size);
	size = ours.sizeinbase(mine, (cc_mpn_size)n, base);
	result = ours.get_str(digits_of(mine), base, mine, (cc_mpn_size)n);
	its_result = theirs.get_str(digits_of(its), base, its, (cc_mpn_size)n);
	CHECK(base & (base - 1) || !memcmp(mine, its, n * sizeof(*its)), "the number is lost");
	/* there may be leading zeros */
	while (!digits_of(mine)[zeros])
		zeros++;
	while (!digits_of(its)[its_zeros])
		its_zeros++;
	CHECK(result - zeros == its_result - its_zeros &&
		      !memcmp(digits_of(mine) + zeros, digits_of(its) + its_zeros, result - zeros),
	      "other digits than GMP's");
	CHECK(size - (result - zeros) <= (base & (base - 1) ? 1 : 0), "size in the base");
}

static void check_set_str(void)
{
	size_t n = near(150, 900), i, count = 1 + random_below(n * 8), zeros, its_zeros, words;
	int base = any_base();

	fill(n);
	memset(mine, 0, n * sizeof(*mine));
	memset(its, 0, n * sizeof(*its));
	for (i = 0; i < count; i++)
		digits_of(mine)[i] = (unsigned char)random_below((size_t)base);
	if (!random_below(8))
		memset(digits_of(mine), base - 1, count);
	/* GMP's accepts no leading zero */
	digits_of(mine)[0] += !digits_of(mine)[0];
	memcpy(digits_of(its), digits_of(mine), count);
	test_sizes(count, (size_t)base, 0);
	/* no word above the one that may be written */
	mine[n + 1] = 7;
	result = (cc_u64)ours.set_str(mine, digits_of(mine), count, base);
	its_result = (cc_u64)theirs.set_str(its, digits_of(its), count, base);
	for (zeros = 0; zeros < result && !mine[result - zeros - 1]; zeros++)
		;
	for (its_zeros = 0; its_zeros < its_result && !its[its_result - its_zeros - 1]; its_zeros++)
		;
	words = result - zeros;
	CHECK(words == its_result - its_zeros && !memcmp(mine, its, words * sizeof(*its)),
	      "another number than GMP's");
	CHECK(mine[n + 1] == 7, "written beyond");
}

static const struct check all[] = {
	{"get_str, sizeinbase", check_get_str, 5000},
	{"set_str", check_set_str, 5000},
};
const struct checks digits = {all, COUNT(all)};
