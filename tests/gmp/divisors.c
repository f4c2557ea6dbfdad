// SPDX-License-Identifier: MIT
/* Common divisors, roots and powers. */
#include "mpn.h"

static void set_top(size_t at)
{
	mine[at] += !mine[at];
	its[at] = mine[at];
}

/* a[an] at 0 and b[bn] behind it, in most cases with a common factor; one is odd. */
static void any_pair(size_t an, size_t bn)
{
	size_t factor = bn > 1 ? random_below(bn) : 0;
	cc_word *common = mine + an + bn, *other = common + an + 2;

	fill(2 * (an + bn) + 8);
	if (factor) {
		common[factor - 1] += !common[factor - 1];
		if (an - factor >= factor)
			theirs.mul(mine, other, (cc_mpn_size)(an - factor), common,
				   (cc_mpn_size)factor);
		else
			theirs.mul(mine, common, (cc_mpn_size)factor, other,
				   (cc_mpn_size)(an - factor));
		other++;
		if (bn - factor >= factor)
			theirs.mul(mine + an, other, (cc_mpn_size)(bn - factor), common,
				   (cc_mpn_size)factor);
		else
			theirs.mul(mine + an, common, (cc_mpn_size)factor, other,
				   (cc_mpn_size)(bn - factor));
	}
	mine[an + bn - 1] += !mine[an + bn - 1];
	mine[an] |= random_below(2);
	/* GMP's hangs for a = 0 */
	mine[0] |= (~mine[an] & 1) | (cc_word)ours.zero_p(mine, (cc_mpn_size)an);
	memcpy(its, mine, (2 * (an + bn) + 8) * sizeof(*its));
}

/* The divisor may be put where one operand was. */
static void check_gcd(void)
{
	size_t an = near(160, 600), bn = random_below(2) ? an : 1 + random_below(an);
	size_t places[] = {0, an, an + bn}, g = places[random_below(3)];

	test_sizes(an, bn, g);
	any_pair(an, bn);
	BOTH("length", gcd, arena + g, arena, (cc_mpn_size)an, arena + an, (cc_mpn_size)bn);
	CHECK(!memcmp(mine + g, its + g, (size_t)result * sizeof(*its)),
	      "another common divisor than GMP's");
}

static void check_gcd_1(void)
{
	size_t n = a_size(1, 100);
	cc_word w = random_edge_word() << random_below(CC_WORD_BITS);

	fill(n);
	memset(mine, 0, random_below(n) * sizeof(*mine));
	mine[n - 1] += !mine[n - 1];
	w += !w;
	memcpy(its, mine, n * sizeof(*its));
	test_sizes(n, 0, 0);
	BOTH("common divisor", gcd_1, arena, (cc_mpn_size)n, w);
}

static void check_gcdext(void)
{
	size_t an = near(100, 400), bn = random_below(2) ? an : 1 + random_below(an);
	size_t g = an + bn, s = g + bn, length;
	cc_mpn_size sn = 0, its_sn = 0;

	test_sizes(an, bn, 0);
	any_pair(an, bn);
	BOTH("length", gcdext, arena + g, arena + s, arena == mine ? &sn : &its_sn, arena,
	     (cc_mpn_size)an, arena + an, (cc_mpn_size)bn);
	CHECK(!memcmp(mine + g, its + g, (size_t)result * sizeof(*its)),
	      "another common divisor than GMP's");
	length = (size_t)(sn < 0 ? -sn : sn);
	CHECK(sn == its_sn && !memcmp(mine + s, its + s, length * sizeof(*its)),
	      "another cofactor than GMP's: %ld and %ld words", sn, its_sn);
}

/* In half the cases of a square, or the number below. */
static void check_sqrtrem(void)
{
	size_t n = near(100, 1000), half = (n + 1) / 2, a = half, rem = a + n, which;

	fill(rem + n);
	set_top(a + n - 1);
	if (n > 1 && random_below(2)) {
		theirs.sqr(mine + rem, mine, (cc_mpn_size)(n / 2));
		theirs.sub_1(mine + rem, mine + rem, (cc_mpn_size)(n / 2 * 2), random_below(2));
		n = n / 2 * 2;
		memcpy(mine + a, mine + rem, n * sizeof(*mine));
		while (n && !mine[a + n - 1])
			n--;
		if (!n)
			return;
		half = (n + 1) / 2;
	}
	memcpy(its, mine, (rem + n) * sizeof(*its));
	test_sizes(n, 0, 0);
	BOTH("square", perfect_square_p, arena + a, (cc_mpn_size)n);
	which = random_below(3);
	if (which == 2) {
		arena = mine;
		result = (cc_u64)ours.sqrtrem(mine, NULL, mine + a, (cc_mpn_size)n);
		its_result = (cc_u64)theirs.sqrtrem(its, NULL, its + a, (cc_mpn_size)n);
		CHECK(!result == !its_result, "square, or not");
	} else {
		rem = which ? a : rem;
		BOTH("length", sqrtrem, arena, arena + rem, arena + a, (cc_mpn_size)n);
		CHECK(!memcmp(mine + rem, its + rem, (size_t)result * sizeof(*its)),
		      "another remainder than GMP's");
	}
	CHECK(!memcmp(mine, its, half * sizeof(*its)), "another root than GMP's");
}

static void check_power(void)
{
	size_t n = a_size(1, 6), i;
	cc_mpn_size length = (cc_mpn_size)n;

	fill(n);
	set_top(n - 1);
	if (random_below(2))
		for (i = 1 + random_below(5); i; i--) {
			theirs.mul(mine + 200, mine, length, its, (cc_mpn_size)n);
			length += (cc_mpn_size)n;
			length -= !mine[200 + length - 1];
			memcpy(mine, mine + 200, (size_t)length * sizeof(*mine));
		}
	memcpy(its, mine, (size_t)length * sizeof(*its));
	test_sizes((size_t)length, 0, 0);
	BOTH("power", perfect_power_p, arena, length);
}

/* Of any number modulo an odd one. */
static void check_powm(void)
{
	size_t n = near(8, 140), bn = 1 + random_below(n + 3),
	       en = 1 + random_below(n < 20 ? 6 : 2);
	size_t b = n, m = b + bn, e = m + n, end = e + en;

	fill(end);
	set_top(b + bn - 1);
	set_top(m + n - 1);
	mine[m] = its[m] |= 1;
	/* more than 1 */
	mine[e + en - 1] = its[e + en - 1] |= 2;
	test_sizes(bn, en, n);
	BOTH_VOID(powm, arena, arena + b, (cc_mpn_size)bn, arena + e, (cc_mpn_size)en, arena + m,
		  (cc_mpn_size)n, arena + 1000);
	same("power", end);
}

static const struct check all[] = {
	{"gcd", check_gcd, 5000},	{"gcd_1", check_gcd_1, 5000},
	{"gcdext", check_gcdext, 5000}, {"sqrtrem, perfect_square_p", check_sqrtrem, 5000},
	{"powm", check_powm, 1000},	{"perfect_power_p", check_power, 1000},
};
const struct checks divisors = {all, COUNT(all)};
