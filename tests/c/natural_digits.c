// SPDX-License-Identifier: MIT
/*
 * Digits of any radix beside what they are read back to, by products in words alone: random
 * numbers, and those whose digits are all the last one, all zeros but one, or nearly so.
 */
#include "natural.h"

#include "places.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include "natural/places.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST 6000

static cc_word *value, *scratch;

/* value[n], in its length, with zeros above it or without */
static void check(size_t n, unsigned int radix)
{
	size_t an = n + random_zeros(LONGEST - n);
	cc_word *a = place(FIRST, NULL, an), *r;
	size_t most = cc_natural_digits_max(an, radix), count, length, wrong = 0, i;
	char *digits = (char *)place_bytes(RESULT, NULL, most);

	test_sizes(an, radix, 0);
	memset(a, 0, an * sizeof(*a));
	memcpy(a, value, n * sizeof(*a));
	count = cc_natural_to_digits(digits, a, an, radix,
				     place(SCRATCH, NULL, cc_natural_to_digits_scratch(an, radix)),
				     NULL);
	CHECK(count && count <= most, "%zu digits, at most %zu", count, most);
	check_guards();
	if (test_case_failed())
		return;
	for (i = 0; i < count; i++) {
		unsigned int d = digits[i] <= '9' ? (unsigned int)(digits[i] - '0')
						  : (unsigned int)(digits[i] - 'a') + 10;

		wrong += d >= radix;
	}
	CHECK(!wrong, "%zu characters that are no digits", wrong);
	CHECK(digits[0] != '0' || !n, "a leading zero");
	r = place(SECOND_RESULT, NULL, cc_natural_from_digits_max(count, radix));
	length = cc_natural_from_digits(r, digits, count, radix, scratch);
	CHECK(length == n && !memcmp(r, value, n * sizeof(*r)), "not what was written");
}

/* value = a power of the radix, or 1 less; returns its length */
static size_t power(unsigned int radix, size_t most, int less)
{
	size_t n = 1, some = random_below(20);
	cc_word big = radix;

	while (big <= ~(cc_word)0 / radix && some--)
		big *= radix;
	value[0] = 1;
	while (n < most) {
		cc_word above = cc_limbs_mul_1(value, value, n, big);

		if (above)
			value[n++] = above;
	}
	if (less)
		cc_limbs_sub_1(value, value, n, 1);
	return cc_limbs_normalise(value, n);
}

static unsigned int any_radix(void)
{
	unsigned int radix = 3 + (unsigned int)random_below(34);

	return random_below(2) ? 10 : radix;
}

void natural_digits(const char *tier)
{
	unsigned int radix;
	size_t i, n;

	begin(tier, "cc_natural_to_digits");
	value = malloc((LONGEST + 1) * sizeof(*value));
	scratch = malloc(cc_natural_from_digits_scratch((size_t)LONGEST * CC_WORD_BITS, 10) *
			 sizeof(*scratch));
	for (n = 1; n < 400; n += n < 100 ? 1 : 1 + random_below(8)) {
		random_words(value, n);
		value[n - 1] |= 1;
		check(n, any_radix());
	}
	for (radix = 3; radix <= 36; radix++) {
		/* the first numbers that are converted by places */
		for (n = 100; n < 1000 && !cc_places_worth(n); n++)
			;
		n += random_below(5) - 2;
		memset(value, 0xff, n * sizeof(*value));
		check(n, radix);
		for (i = 0; i < 4; i++)
			check(power(radix, 140 + random_below(test_scaled(300)), i & 1), radix);
	}
	for (i = 0; i < test_scaled(30); i++) {
		n = 1 + random_below(LONGEST / (1 + random_below(20)));
		random_words(value, n);
		if (random_below(2))
			memset(value, 0, random_below(n) * sizeof(*value));
		if (random_below(2))
			memset(value + n / 2, 0, random_below(n - n / 2) * sizeof(*value));
		value[n - 1] |= 1;
		check(n, any_radix());
	}
	/* nines, and none */
	for (i = 0; i < 4; i++)
		check(power(10, LONGEST / 2 + random_below(LONGEST / 2 - 1), i & 1), 10);
	free(scratch);
	free(value);
}
