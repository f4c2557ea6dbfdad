// SPDX-License-Identifier: MIT
/* Square roots by what they mean: root^2 + rem = a, rem <= 2 root; squares and their neighbours. */
#include "natural.h"

#include "places.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <stdlib.h>
#include <string.h>

#define LONGEST 12000

static cc_word *value, *square, *work;

/* value[n], its top word not 0 */
static size_t check(size_t n)
{
	size_t k = (n + 1) / 2, length, got;
	cc_word *a = place(FIRST, value, n), *s = place(RESULT, NULL, k);
	cc_word *r = place(SECOND_RESULT, NULL, n / 2 + 1), carry;

	test_sizes(n, 0, 0);
	got = cc_natural_isqrt(s, r, a, n, place(SCRATCH, NULL, cc_natural_isqrt_scratch(n)));
	length = cc_limbs_normalise(r, n / 2 + 1);
	CHECK(got == length, "a remainder of %zu words, not %zu", got, length);
	CHECK(!memcmp(a, value, n * sizeof(*a)), "operand modified");
	cc_limbs_sqr(square, s, k, work);
	square[2 * k] = 0;
	carry = cc_limbs_add(square, square, r, length);
	cc_limbs_add_1(square + length, square + length, 2 * k + 1 - length, carry);
	CHECK(cc_limbs_normalise(square, 2 * k + 1) == n && !memcmp(square, a, n * sizeof(*a)),
	      "root^2 + rem is not a");
	/* rem <= 2 root, in as many words as either may have */
	square[k] = cc_limbs_lshift(square, s, k, 1);
	memset(work, 0, (k + 1) * sizeof(*work));
	memcpy(work, r, length * sizeof(*work));
	CHECK(cc_limbs_cmp(work, square, k + 1) <= 0, "rem > 2 root");
	check_guards();
	return got;
}

/* s^2, and what is next to it on both sides: s^2 - 1 has the root s - 1. */
static void check_squares(size_t k)
{
	size_t n;

	any_number(square, k);
	/* below a square whose root has no lower half, the upper half's remainder is the greatest
	 */
	if (!random_below(4))
		memset(square, 0, k / 2 * sizeof(*square));
	cc_limbs_sqr(value, square, k, work);
	n = cc_limbs_normalise(value, 2 * k);
	CHECK(!check(n), "a square leaves something");
	cc_limbs_sub_1(value, value, n, 1);
	n = cc_limbs_normalise(value, n);
	if (n)
		check(n);
	if (n && !cc_limbs_add_1(value, value, n, 2))
		CHECK(check(n) == 1, "a square and 1 does not leave 1");
}

/* 2^e and its neighbours */
static void check_powers_of_two(size_t n)
{
	memset(value, 0, n * sizeof(*value));
	value[n - 1] = (cc_word)1 << random_below(CC_WORD_BITS);
	check(n);
	value[0] |= 1;
	check(n);
	cc_limbs_sub_1(value, value, n, 2 - (n == 1));
	n = cc_limbs_normalise(value, n);
	if (n)
		check(n);
}

void natural_root(const char *tier)
{
	size_t n, round;

	value = malloc((LONGEST + 2) * sizeof(*value));
	square = malloc((LONGEST + 2) * sizeof(*square));
	work = malloc(cc_limbs_mul_scratch(LONGEST, LONGEST) * sizeof(*work));
	begin(tier, "cc_natural_isqrt");
	for (round = 0; round < test_scaled(20000); round++) {
		any_number(value, 1);
		check(1);
		check_squares(1);
	}
	for (n = 1; n <= 300; n++) {
		for (round = 0; round < test_scaled(n < 20 ? 400 : 6); round++) {
			any_number(value, n);
			check(n);
			check_squares((n + 1) / 2);
			check_powers_of_two(n);
		}
		memset(value, 0xff, n * sizeof(*value));
		check(n);
	}
	for (round = 0; round < test_scaled(20); round++) {
		n = 1 + random_below(LONGEST);
		any_number(value, n);
		check(n);
		check_squares(1 + random_below(LONGEST / 2));
	}
	free(work);
	free(square);
	free(value);
}
