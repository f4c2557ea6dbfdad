// SPDX-License-Identifier: MIT
/*
 * Digits of any radix beside what they are read back to, by products in words alone: random
 * numbers, and those whose digits are all the last one, all zeros but one, or nearly so.
 */
#include "natural.h"

#include "harness.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include "natural/places.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST 6000

static struct guard operand, text, back, room;
static cc_word *value, *scratch;

/* value[n], in its length, with zeros above it or without */
static void check(size_t n, unsigned int radix)
{
	size_t an = n + random_zeros(LONGEST - n);
	cc_word *a = guard_words(&operand, an, GUARD_END), *r;
	size_t most = cc_natural_digits_max(an, radix), count, length, wrong = 0, i;
	char *digits = guard_place(&text, most, GUARD_END, 0);

	test_sizes(an, radix, 0);
	memset(a, 0, an * sizeof(*a));
	memcpy(a, value, n * sizeof(*a));
	count = cc_natural_to_digits(
		digits, a, an, radix,
		guard_words(&room, cc_natural_to_digits_scratch(an, radix), GUARD_END), NULL);
	CHECK(count && count <= most, "%zu digits, at most %zu", count, most);
	CHECK(guard_intact(&operand) && guard_intact(&text) && guard_intact(&room),
	      "wrote beside its room");
	if (test_case_failed())
		return;
	for (i = 0; i < count; i++) {
		unsigned int d = digits[i] <= '9' ? (unsigned int)(digits[i] - '0')
						  : (unsigned int)(digits[i] - 'a') + 10;

		wrong += d >= radix;
	}
	CHECK(!wrong, "%zu characters that are no digits", wrong);
	CHECK(digits[0] != '0' || !n, "a leading zero");
	r = guard_words(&back, cc_natural_from_digits_max(count, radix), GUARD_END);
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

	test_case(tier, "cc_natural_to_digits");
	guard_init(&operand, LONGEST * sizeof(cc_word));
	guard_init(&text, (size_t)LONGEST * CC_WORD_BITS);
	guard_init(&back, (size_t)2 * LONGEST * sizeof(cc_word));
	value = malloc((LONGEST + 1) * sizeof(*value));
	scratch = malloc(cc_natural_from_digits_scratch((size_t)LONGEST * CC_WORD_BITS, 10) *
			 sizeof(*scratch));
	guard_init(&room, (size_t)64 * LONGEST * sizeof(cc_word));
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
	guard_free(&room);
	free(scratch);
	free(value);
	guard_free(&back);
	guard_free(&text);
	guard_free(&operand);
}
