// SPDX-License-Identifier: MIT
/* Roots by their definition, with products that the other parts prove; squares and powers. */
#include "natural.h"

#include "places.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <stdlib.h>
#include <string.h>

#define LONGEST 600

/* power[LONGEST + 1] = b[bn]^k, if it has no more than n words; whether it has */
static bool raise(cc_word *power, const cc_word *b, size_t bn, cc_word k, size_t n)
{
	static cc_word product[2 * LONGEST + 2];
	cc_word *work = malloc((cc_natural_mul_scratch(n, n) + 1) * sizeof(*work));
	size_t length = 1;
	bool fits = n || !cc_limbs_normalise(b, bn);

	memset(power, 0, (LONGEST + 1) * sizeof(*power));
	power[0] = 1;
	bn = cc_limbs_normalise(b, bn);
	while (k-- && fits && (bn > 1 || (bn && b[0] > 1))) {
		cc_natural_mul(product, power, length, b, bn, work);
		length = cc_limbs_normalise(product, length + bn);
		fits = length <= n;
		if (fits)
			memcpy(power, product, length * sizeof(*power));
	}
	if (!bn)
		power[0] = 0;
	free(work);
	return fits;
}

/* Of value[n], zeros above it included. */
static void check(const cc_word *value, size_t n, cc_word k)
{
	static cc_word power[LONGEST + 1], sum[LONGEST + 1], next[LONGEST + 1];
	size_t rn = n / k + (n % k != 0), length, words = cc_natural_root_scratch(n);
	cc_word *a = place(FIRST, value, n), *root = place(RESULT, NULL, rn);
	cc_word *rem = place(SECOND_RESULT, NULL, n), *alone;
	bool exact;

	test_sizes(n, (size_t)k, 0);
	length = cc_natural_root(root, rem, a, n, k, place(SCRATCH, NULL, words));
	CHECK(!memcmp(a, value, n * sizeof(*a)), "operand modified");
	CHECK(length == cc_limbs_normalise(rem, n), "length %zu", length);
	CHECK(raise(power, root, rn, k, n), "too large");
	CHECK(!cc_limbs_add(sum, power, rem, n) && !memcmp(sum, value, n * sizeof(*sum)),
	      "root^k + rem is another number");
	memcpy(next, root, rn * sizeof(*next));
	next[rn] = cc_limbs_add_1(next, next, rn, 1);
	CHECK(!raise(power, next, rn + 1, k, n) || cc_limbs_cmp(power, value, n) > 0, "too small");
	exact = !length;
	memcpy(next, root, rn * sizeof(*next));
	check_guards();
	alone = place(RESULT, NULL, rn);
	length = cc_natural_root(alone, NULL, a, n, k, place(SCRATCH, NULL, words));
	CHECK(!memcmp(alone, next, rn * sizeof(*alone)), "another root without the remainder");
	CHECK(!length == exact, "exact: %d", exact);
	if (k == 2)
		CHECK(cc_natural_is_square(
			      a, n, place(SCRATCH, NULL, cc_natural_is_square_scratch(n))) == exact,
		      "a square: %d", exact);
	if (k > 1 && exact)
		CHECK(cc_natural_is_power(a, n,
					  place(SCRATCH, NULL, cc_natural_is_power_scratch(n))),
		      "not found to be a power");
	check_guards();
}

/* A power, and its neighbours. */
static void check_powers(size_t bn, cc_word k)
{
	static cc_word b[LONGEST], power[LONGEST + 1];
	size_t n;

	any_number(b, bn);
	if (!random_below(4))
		memset(b, 0xff, bn * sizeof(*b));
	if (!raise(power, b, bn, k, LONGEST - 1))
		return;
	n = cc_limbs_normalise(power, LONGEST);
	check(power, n + random_below(2), k);
	cc_limbs_sub_1(power, power, n, 1);
	check(power, n, k);
	cc_limbs_add_1(power, power, n + 1, 2);
	check(power, n + 1, k);
}

static cc_word any_exponent(void)
{
	return 1 + (cc_word)random_below((size_t)1 << random_below(12));
}

/* Every number below a bound is a power only if it is b^k. */
static void check_small_powers(void)
{
	static bool powers[5000];
	cc_word *work = malloc(cc_natural_is_power_scratch(1) * sizeof(*work)), b, power;

	powers[0] = powers[1] = true;
	for (b = 2; b * b < COUNT(powers); b++)
		for (power = b * b; power < COUNT(powers); power *= b)
			powers[power] = true;
	for (b = 0; b < COUNT(powers); b++) {
		test_sizes((size_t)b, 0, 0);
		CHECK(cc_natural_is_power(&b, 1, work) == powers[b], "a power: %d", powers[b]);
	}
	free(work);
}

/* A power times a prime, or times a word, is none, if the factors are prime to each other. */
static void check_no_power(size_t bn, cc_word k)
{
	static cc_word b[LONGEST], power[LONGEST + 1];
	size_t n;

	any_number(b, bn);
	if (!raise(power, b, bn, k, LONGEST - 1))
		return;
	n = cc_limbs_normalise(power, LONGEST);
	if (n == 1 && power[0] == 1)
		return;
	power[n] = cc_limbs_mul_1(power, power, n, 65537);
	if (cc_limbs_divrem_1(b, b, bn, 65537))
		CHECK(!cc_natural_is_power(
			      power, n + 1,
			      place(SCRATCH, NULL, cc_natural_is_power_scratch(n + 1))),
		      "found to be a power");
	check_guards();
}

void natural_kth_root(const char *tier)
{
	static cc_word a[LONGEST];
	size_t n, round;
	cc_word k;

	begin(tier, "cc_natural_root");
	for (n = 0; n <= 8; n++)
		for (k = 1; k <= 20 + n * CC_WORD_BITS; k += 1 + random_below(4)) {
			any_words(a, n);
			check(a, n, k);
		}
	for (round = 0; round < test_scaled(300); round++) {
		n = 1 + random_below(LONGEST >> random_below(7));
		any_words(a, n);
		check(a, n, any_exponent());
	}
	for (round = 0; round < test_scaled(200); round++)
		check_powers(1 + random_below(100 >> random_below(7)), any_exponent());
	for (k = 1; k < 40; k++)
		check_powers(1 + random_below(LONGEST / k), k);
	for (round = 0; round < test_scaled(100); round++)
		check_no_power(1 + random_below(100 >> random_below(7)), any_exponent());
	check_small_powers();
}
