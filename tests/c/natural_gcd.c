// SPDX-License-Identifier: MIT
/*
 * Greatest common divisors that are known beforehand: Euclid's algorithm backwards, from (g, 0)
 * to (q x + y, x) for quotients of every kind; and small ones by the reference, bit by bit.
 */
#include "natural.h"

#include "harness.h"
#include "reference.h"

#include "limbs/thresholds.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <stdlib.h>
#include <string.h>

#define LONGEST 12000
/* quotients, and divisors in short numbers, of so many words at most */
#define FEW 6

static struct guard first, second, result, room;
static cc_word *x, *y, *t, *work;

static void check(const cc_word *a, size_t an, const cc_word *b, size_t bn, const cc_word *g,
		  size_t gn)
{
	size_t a_most = an + random_zeros(an), b_most = bn + random_zeros(bn), length;
	cc_word *pa = guard_words(&first, a_most, GUARD_END);
	cc_word *pb = guard_words(&second, b_most, GUARD_END);
	cc_word *r = guard_words(&result, a_most > b_most ? a_most : b_most, GUARD_END);

	test_sizes(a_most, b_most, gn);
	memset(pa, 0, a_most * sizeof(*a));
	memset(pb, 0, b_most * sizeof(*b));
	if (an)
		memcpy(pa, a, an * sizeof(*a));
	if (bn)
		memcpy(pb, b, bn * sizeof(*b));
	length = cc_natural_gcd(
		r, pa, a_most, pb, b_most,
		guard_words(&room, cc_natural_gcd_scratch(a_most, b_most), GUARD_END));
	CHECK(length == gn && !memcmp(r, g, gn * sizeof(*g)), "wrong");
	CHECK((!an || !memcmp(pa, a, an * sizeof(*a))) && (!bn || !memcmp(pb, b, bn * sizeof(*b))),
	      "operand modified");
	CHECK(guard_intact(&first) && guard_intact(&second) && guard_intact(&result) &&
		      guard_intact(&room),
	      "wrote beside its room");
}

static void any(cc_word *a, size_t n)
{
	if (random_below(3))
		random_words(a, n);
	else
		edge_words(a, n, random_below(EDGE_VECTORS));
	while (!a[n - 1])
		a[n - 1] = random_edge_word();
}

enum quotients { ONES, TINY, WORDS, LONG, MIXED, KINDS };

static size_t any_quotient(cc_word *q, enum quotients kind)
{
	size_t n = kind == LONG ? 1 + random_below(FEW) : 1;

	if (kind == MIXED)
		return any_quotient(q,
				    random_below(100) ? TINY : (enum quotients)random_below(MIXED));
	if (kind == ONES || kind == TINY)
		q[0] = 1 + (kind == TINY ? random_below(4) : 0);
	else
		any(q, n);
	return n;
}

/* x and y of n words at most, with the divisor g[gn]; returns x's length, and y's in *yn. */
static size_t any_pair(const cc_word *g, size_t gn, size_t n, enum quotients kind, size_t *yn)
{
	size_t xn = gn;

	memcpy(x, g, gn * sizeof(*x));
	*yn = 0;
	for (;;) {
		cc_word q[FEW], *swap = t;
		size_t qn = any_quotient(q, kind), tn;

		if (xn + qn >= n)
			return xn;
		cc_limbs_mul(t, x, xn, q, qn, work);
		t[xn + qn] = 0;
		tn = cc_limbs_add(t, t, y, *yn);
		cc_limbs_add_1(t + *yn, t + *yn, xn + qn + 1 - *yn, (cc_word)tn);
		tn = cc_limbs_normalise(t, xn + qn + 1);
		t = y;
		y = x;
		x = swap;
		*yn = xn;
		xn = tn;
	}
}

static void known(size_t n, size_t gn, enum quotients kind)
{
	cc_word *g = malloc(gn * sizeof(*g));
	size_t xn, yn;

	any(g, gn);
	xn = any_pair(g, gn, n, kind, &yn);
	if (random_below(2))
		check(x, xn, y, yn, g, gn);
	else
		check(y, yn, x, xn, g, gn);
	free(g);
}

/* Both made of known ones: g times what has no divisor in common. */
static void multiples(size_t n, size_t gn, enum quotients kind)
{
	cc_word *g = malloc(gn * sizeof(*g)), *a = malloc((n + gn) * sizeof(*a));
	cc_word *b = malloc((n + gn) * sizeof(*b)), one = 1;
	size_t xn, yn;

	any(g, gn);
	xn = any_pair(&one, 1, n, kind, &yn);
	cc_limbs_mul(a, x, xn, g, gn, work);
	cc_limbs_mul(b, y, yn, g, gn, work);
	check(a, xn + gn, b, yn + gn, g, gn);
	free(b);
	free(a);
	free(g);
}

/* a is destroyed, and b: the binary algorithm, bit by bit */
static void ref_gcd(cc_word *a, cc_word *b, size_t n)
{
	cc_word zero[FEW] = {0};
	cc_word half[FEW];
	size_t twos = 0;

	while (!ref_equal(b, zero, n)) {
		if (ref_equal(a, zero, n)) {
			memcpy(a, b, n * sizeof(*a));
			break;
		}
		if (!(a[0] & 1) || !(b[0] & 1)) {
			cc_word *even = a[0] & 1 ? b : a;

			if (!(a[0] & 1) && !(b[0] & 1)) {
				twos++;
				ref_shr(half, b, n, 1);
				memcpy(b, half, n * sizeof(*b));
			}
			ref_shr(half, even, n, 1);
			memcpy(even, half, n * sizeof(*even));
		} else if (ref_cmp(a, b, n) < 0) {
			ref_sub(b, b, a, n, 0);
		} else {
			ref_sub(a, a, b, n, 0);
		}
	}
	memcpy(b, a, n * sizeof(*b));
	ref_shl(a, b, n, twos);
}

static void small(size_t an, size_t bn)
{
	cc_word a[FEW] = {0}, b[FEW] = {0}, g[FEW], rest[FEW];

	random_words(a, an);
	random_words(b, bn);
	memcpy(g, a, sizeof(g));
	memcpy(rest, b, sizeof(rest));
	ref_gcd(g, rest, FEW);
	check(a, an, b, bn, g, cc_limbs_normalise(g, FEW));
}

static void edges(void)
{
	static const size_t about[] = {CC_HALF_GCD_RECURSIVE, CC_GCD_RECURSIVE,
				       3 * CC_HALF_GCD_RECURSIVE, 2 * CC_GCD_RECURSIVE,
				       6 * CC_HALF_GCD_RECURSIVE};
	cc_word zeros[3] = {0};
	size_t i, n;

	check(NULL, 0, NULL, 0, zeros, 0);
	check(zeros, 3, NULL, 0, zeros, 0);
	for (n = 1; n < 400; n += 1 + n / 8) {
		any(x, n);
		check(x, n, zeros, random_below(3), x, n);
		check(zeros, random_below(3), x, n, x, n);
		check(x, n, x, n, x, n);
		/* a multiple; neighbours; powers of two */
		any(y, 5);
		cc_limbs_mul(t, x, n, y, 5, work);
		check(t, n + 5, x, n, x, n);
		memcpy(t, x, n * sizeof(*t));
		zeros[0] = 1;
		if (!cc_limbs_add_1(t, t, n, 1))
			check(t, n, x, n, zeros, 1);
		zeros[0] = 0;
		memset(t, 0, (n + 1) * sizeof(*t));
		t[n] = 1;
		any(x, 3);
		x[0] = (cc_word)1 << random_below(CC_WORD_BITS);
		check(t, n + 1, x, 3, x, 1);
	}
	for (i = 0; i < sizeof(about) / sizeof(about[0]); i++)
		for (n = about[i] - 2; n <= about[i] + 2; n++)
			known(n, 1 + random_below(n / 2), (enum quotients)((i + n) % KINDS));
}

void natural_gcd(const char *tier)
{
	size_t n, m, round;

	guard_init(&first, 2 * LONGEST * sizeof(cc_word));
	guard_init(&second, 2 * LONGEST * sizeof(cc_word));
	guard_init(&result, 2 * LONGEST * sizeof(cc_word));
	guard_init(&room, 96 * (size_t)LONGEST * sizeof(cc_word));
	x = malloc(2 * LONGEST * sizeof(*x));
	y = malloc(2 * LONGEST * sizeof(*y));
	t = malloc(2 * LONGEST * sizeof(*t));
	work = malloc(cc_limbs_mul_scratch(2 * LONGEST, 2 * LONGEST) * sizeof(*work));
	test_case(tier, "cc_natural_gcd");
	for (n = 0; n <= FEW; n++)
		for (m = 0; m <= FEW; m++)
			for (round = 0; round < test_scaled(6); round++)
				small(n, m);
	edges();
	for (n = 2; n <= 300; n++)
		for (round = 0; round < test_scaled(n < 20 ? 60 : 1); round++)
			known(n, 1 + random_below(random_below(4) ? 2 : n - 1),
			      (enum quotients)random_below(KINDS));
	for (round = 0; round < test_scaled(40); round++)
		known(300 + random_below(2000), 1 + random_below(100),
		      random_below(2) ? WORDS : LONG);
	for (round = 0; round < test_scaled(3); round++)
		known(300 + random_below(700), 1 + random_below(100), MIXED);
	for (round = 0; round < test_scaled(6); round++)
		multiples(2 + random_below(4000), 1 + random_below(LONGEST - 4000), WORDS);
	free(work);
	free(t);
	free(y);
	free(x);
	guard_free(&room);
	guard_free(&result);
	guard_free(&second);
	guard_free(&first);
}
