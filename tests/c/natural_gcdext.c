// SPDX-License-Identifier: MIT
/*
 * Cofactors of a known divisor: their sum of products is it, and none is above the bound that
 * natural.h states, so that they are the only ones, but for the cases that it names.  From them
 * follows the inverse.
 */
#include "natural.h"

#include "places.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <stdlib.h>
#include <string.h>

/* r[an + bn + 1] = a b, with two words of zeros above if both have none */
static cc_word *product(const cc_word *a, size_t an, const cc_word *b, size_t bn)
{
	cc_word *r = calloc(an + bn + 2, sizeof(*r));
	cc_word *work = malloc((cc_natural_mul_scratch(an, bn) + 1) * sizeof(*work));

	cc_natural_mul(r, a, an, b, bn, work);
	free(work);
	return r;
}

static int order(const cc_word *a, size_t an, const cc_word *b, size_t bn)
{
	an = cc_limbs_normalise(a, an);
	bn = cc_limbs_normalise(b, bn);
	return an != bn ? (an < bn ? -1 : 1) : cc_limbs_cmp(a, b, an);
}

static bool is_word(const cc_word *a, size_t n, cc_word word)
{
	return order(a, n, &word, 1) == 0;
}

/* How 2 g x compares with b. */
static int twice(const cc_word *g, size_t gn, const cc_word *x, size_t xn, const cc_word *b,
		 size_t bn)
{
	cc_word *p = product(g, gn, x, xn);
	int is;

	cc_limbs_add(p, p, p, gn + xn + 1);
	is = order(p, gn + xn + 1, b, bn);
	free(p);
	return is;
}

static void check_cofactors(const cc_word *a, size_t an, const cc_word *b, size_t bn,
			    const cc_word *g, size_t gn, const cc_word *x, size_t xn,
			    const cc_word *y, size_t yn, int negative)
{
	size_t n = (an > yn ? an : yn) + (bn > xn ? bn : xn) + 1;
	cc_word *xa, *yb;

	if (!cc_limbs_normalise(a, an) || !order(a, an, b, bn)) {
		CHECK(is_word(x, xn, 0) && is_word(y, yn, gn > 0) && negative == (gn > 0),
		      "a is 0 or b");
		return;
	}
	if (!cc_limbs_normalise(b, bn)) {
		CHECK(is_word(x, xn, 1) && is_word(y, yn, 0) && !negative, "b is 0");
		return;
	}
	/* neither number is 0, and their products have as many words */
	xa = product(x, xn, a, an);
	yb = product(y, yn, b, bn);
	n = xn + an + 1;
	CHECK(!cc_limbs_sub(xa, negative ? yb : xa, negative ? xa : yb, n), "the other sign");
	CHECK(!order(xa, n, g, gn), "not the divisor");
	free(xa);
	free(yb);
	if (twice(g, gn, x, xn, b, bn) >= 0)
		CHECK(!twice(g, gn, x, xn, b, bn) && is_word(x, xn, 1) && !negative, "x is large");
	if (twice(g, gn, y, yn, a, an) >= 0)
		CHECK(!twice(g, gn, y, yn, a, an) && is_word(y, yn, 1) && negative, "y is large");
}

/* By the cofactor x of a. */
static void check_invert(const cc_word *a, size_t an, const cc_word *m, size_t mn, bool exists,
			 const cc_word *x, int negative)
{
	cc_word *r = place(RESULT, NULL, mn), *should = calloc(mn, sizeof(*should));

	if (exists && !is_word(m, mn, 1)) {
		memcpy(should, x, mn * sizeof(*x));
		if (negative)
			cc_limbs_sub(should, m, x, mn);
	}
	CHECK(cc_natural_invert(r, a, an, m, mn,
				place(SCRATCH, NULL, cc_natural_invert_scratch(an, mn))) == exists,
	      "an inverse exists, or does not");
	CHECK(!memcmp(r, should, mn * sizeof(*r)), "another inverse");
	check_guards();
	free(should);
}

void check_gcdext(const cc_word *a, size_t an, const cc_word *b, size_t bn, const cc_word *g,
		  size_t gn)
{
	size_t xn = bn ? bn : 1, yn = an ? an : 1, length;
	cc_word *r = place(RESULT, NULL, an > bn ? an : bn), *kept;
	cc_word *x = place(SECOND_RESULT, NULL, xn), *y = place(THIRD, NULL, yn);
	int negative = -1;

	length = cc_natural_gcdext(r, x, y, &negative, a, an, b, bn,
				   place(SCRATCH, NULL, cc_natural_gcdext_scratch(an, bn)));
	CHECK(length == gn && !memcmp(r, g, gn * sizeof(*g)), "gcdext: another divisor");
	check_guards();
	check_cofactors(a, an, b, bn, g, gn, x, xn, y, yn, negative);
	if (!cc_limbs_normalise(b, bn))
		return;
	kept = malloc(xn * sizeof(*x));
	memcpy(kept, x, xn * sizeof(*x));
	check_invert(a, an, b, bn, gn == 1 && g[0] == 1, kept, negative);
	free(kept);
}
