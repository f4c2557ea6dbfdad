// SPDX-License-Identifier: MIT
/*
 * The greatest common divisor: by matrices that shorten both numbers (half_gcd.h), with entries
 * of a word or, for long numbers, of a sixth of their words; by a division if these do not help.
 */
#include "half_gcd.h"

#include "../limbs/kernels.h"

/* Binary (Knuth 4.5.2 B): trailing zeros common to both are restored at the end. */
static cc_word gcd_words(cc_word x, cc_word y)
{
	unsigned int zeros;

	if (!x || !y)
		return x | y;
	zeros = cc_word_ctz(x | y);
	x >>= cc_word_ctz(x);
	y >>= cc_word_ctz(y);
	while (x != y) {
		/* the lesser of the two, and the difference, whose trailing zeros do not depend on
		 * its sign */
		cc_word d = y - x, less = 0 - (cc_word)(y < x);

		x += d & less;
		y = ((d ^ less) - less) >> cc_word_ctz(d);
	}
	return x << zeros;
}

/* the words of both that the matrix is for, at most n / 3 + 2; its entries have half as many */
static size_t upper(size_t n)
{
	return n - n / 3 * 2;
}

/*
 * Both numbers, with a word above.  Then a quotient of at most the longer one's words, and its
 * division, whose operands are later shorter; or the matrix, and its scratch.  Numbers with
 * zeros at the top are shortened first, so every term must grow with its length.
 */
size_t cc_natural_gcd_scratch(size_t an, size_t bn)
{
	size_t n = an < bn ? an : bn, longer = an < bn ? bn : an, words, matrix;

	if (!n)
		return 0;
	words = longer + cc_natural_divrem_scratch(longer, n);
	if (n >= cc_thresholds()->gcd) {
		matrix = cc_half_gcd_store(n / 3 + 2) + cc_half_gcd_scratch(n);
		words = words > matrix ? words : matrix;
	}
	return 2 * (n + 1) + words;
}

size_t cc_natural_gcd_watched(cc_word *g, const cc_word *a, size_t an, const cc_word *b, size_t bn,
			      cc_word *scratch, struct cc_watch *w)
{
	size_t n;
	cc_word *x, *y, *t;

	an = cc_limbs_normalise(a, an);
	bn = cc_limbs_normalise(b, bn);
	if (an < bn)
		return cc_natural_gcd_watched(g, b, bn, a, an, scratch, w);
	if (!bn) {
		if (an)
			memcpy(g, a, an * sizeof(*g));
		return an;
	}
	n = bn;
	x = scratch;
	y = x + n + 1;
	t = y + n + 1;
	memcpy(y, b, n * sizeof(*y));
	cc_natural_divrem_watched(t, x, a, an, y, n, t + an - n + 1, w);
	while (n > 1) {
		struct cc_half_gcd m;
		struct cc_steps steps;
		size_t next = 0, p = n - upper(n), yn;

		if (cc_watch_step(w, n))
			return 0;
		if (n >= cc_thresholds()->gcd) {
			cc_half_gcd_place(&m, t, upper(n));
			next = cc_half_gcd(&m, x + p, y + p, upper(n),
					   t + cc_half_gcd_store(upper(n)), w);
			if (next)
				n = cc_half_gcd_take_along(&m, x, y, p, p + next,
							   t + cc_half_gcd_store(upper(n)), w);
		} else if (cc_gcd_steps(&steps, x, y, n, NULL)) {
			next = n = cc_gcd_take_steps(x, y, n, &steps, t);
		}
		if (next || cc_watch_stopped(w))
			continue;
		if (cc_limbs_cmp(x, y, n) < 0) {
			cc_word *swap = x;

			x = y;
			y = swap;
		}
		yn = cc_limbs_normalise(y, n);
		if (!yn)
			break;
		cc_natural_divrem_watched(t, x, x, n, y, yn, t + n - yn + 1, w);
		n = yn;
	}
	if (n == 1)
		x[0] = gcd_words(x[0], y[0]);
	memcpy(g, x, n * sizeof(*g));
	return n;
}

size_t cc_natural_gcd(cc_word *g, const cc_word *a, size_t an, const cc_word *b, size_t bn,
		      cc_word *scratch)
{
	return cc_natural_gcd_watched(g, a, an, b, bn, scratch, NULL);
}
