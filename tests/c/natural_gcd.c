// SPDX-License-Identifier: MIT
/*
 * Greatest common divisors that are known beforehand: Euclid's algorithm backwards, from (g, 0)
 * to (q x + y, x) for quotients of every kind; and small ones by the reference, bit by bit.
 */
#include "natural.h"

#include "places.h"
#include "reference.h"

#include "limbs/kernels.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <stdlib.h>
#include <string.h>

#define LONGEST 12000
/* quotients, and divisors in short numbers, of so many words at most */
#define FEW 6

static cc_word *x, *y, *t, *work;

static void check(const cc_word *a, size_t an, const cc_word *b, size_t bn, const cc_word *g,
		  size_t gn)
{
	size_t a_most = an + random_zeros(an), b_most = bn + random_zeros(bn), length;
	cc_word *pa = place(FIRST, NULL, a_most);
	cc_word *pb = place(SECOND, NULL, b_most);
	cc_word *r = place(RESULT, NULL, a_most > b_most ? a_most : b_most);

	test_sizes(a_most, b_most, gn);
	memset(pa, 0, a_most * sizeof(*a));
	memset(pb, 0, b_most * sizeof(*b));
	if (an)
		memcpy(pa, a, an * sizeof(*a));
	if (bn)
		memcpy(pb, b, bn * sizeof(*b));
	length = cc_natural_gcd(r, pa, a_most, pb, b_most,
				place(SCRATCH, NULL, cc_natural_gcd_scratch(a_most, b_most)));
	CHECK(length == gn && !memcmp(r, g, gn * sizeof(*g)), "wrong");
	check_guards();
	check_gcdext(pa, a_most, pb, b_most, g, gn);
	check_jacobi(pa, a_most, pb, b_most, gn == 1 && g[0] == 1);
	CHECK((!an || !memcmp(pa, a, an * sizeof(*a))) && (!bn || !memcmp(pb, b, bn * sizeof(*b))),
	      "operand modified");
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
		any_number(q, n);
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

	any_number(g, gn);
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

	any_number(g, gn);
	xn = any_pair(&one, 1, n, kind, &yn);
	cc_limbs_mul(a, x, xn, g, gn, work);
	cc_limbs_mul(b, y, yn, g, gn, work);
	check(a, xn + gn, b, yn + gn, g, gn);
	free(b);
	free(a);
	free(g);
}

static void small(size_t an, size_t bn)
{
	cc_word a[FEW] = {0}, b[FEW] = {0}, g[FEW];

	random_words(a, an);
	random_words(b, bn);
	ref_gcd(g, a, b, FEW);
	check(a, an, b, bn, g, cc_limbs_normalise(g, FEW));
}

static void edges(void)
{
	const struct cc_thresholds *k = cc_thresholds();
	const size_t about[] = {k->half_gcd,	 k->gcd,    3 * k->half_gcd,   2 * k->gcd,
				6 * k->half_gcd, k->gcdext, 3 * k->gcdext / 2, 2 * k->gcdext};
	cc_word zeros[3] = {0};
	size_t i, n;

	check(NULL, 0, NULL, 0, zeros, 0);
	check(zeros, 3, NULL, 0, zeros, 0);
	for (n = 1; n < 400; n += 1 + n / 8) {
		any_number(x, n);
		check(x, n, zeros, random_below(3), x, n);
		check(zeros, random_below(3), x, n, x, n);
		check(x, n, x, n, x, n);
		/* a multiple; neighbours; powers of two */
		any_number(y, 5);
		cc_limbs_mul(t, x, n, y, 5, work);
		check(t, n + 5, x, n, x, n);
		memcpy(t, x, n * sizeof(*t));
		zeros[0] = 1;
		if (!cc_limbs_add_1(t, t, n, 1))
			check(t, n, x, n, zeros, 1);
		zeros[0] = 0;
		memset(t, 0, (n + 1) * sizeof(*t));
		t[n] = 1;
		any_number(x, 3);
		x[0] = (cc_word)1 << random_below(CC_WORD_BITS);
		check(t, n + 1, x, 3, x, 1);
	}
	for (i = 0; i < COUNT(about); i++)
		for (n = about[i] - 2; n <= about[i] + 2; n++)
			known(n, 1 + random_below(n / 2), (enum quotients)((i + n) % KINDS));
}

void natural_gcd(const char *tier)
{
	size_t n, m, round;

	x = malloc(2 * LONGEST * sizeof(*x));
	y = malloc(2 * LONGEST * sizeof(*y));
	t = malloc(2 * LONGEST * sizeof(*t));
	work = malloc(cc_limbs_mul_scratch(2 * LONGEST, 2 * LONGEST) * sizeof(*work));
	begin(tier, "cc_natural_gcd, cc_natural_gcdext, cc_natural_invert");
	for (n = 0; n <= FEW; n++)
		for (m = 0; m <= FEW; m++)
			for (round = 0; round < test_scaled(n < 3 && m < 3 ? 600 : 6); round++)
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
}
