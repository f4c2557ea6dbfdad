// SPDX-License-Identifier: MIT
/*
 * The greatest common divisor: by matrices that shorten both numbers (half_gcd.h), with entries
 * of a word or, for long numbers, of a sixth of their words; by a division if these do not help;
 * and that of two words bit by bit.
 */
#include "half_gcd.h"

#include "../limbs/kernels.h"

/* Binary (Knuth 4.5.2 B), of odd numbers: their difference, without its zeros, and the lesser. */
static cc_word gcd_of_odd(cc_word x, cc_word y)
{
	for (;;) {
		cc_word d = y - x, negated = x - y;
		int less = y < x;
		unsigned int zeros;

		if (!d)
			return x;
		/* the sign does not matter to the zeros, so neither waits for the other */
		zeros = cc_word_ctz(d);
		d = less ? negated : d;
		x = less ? y : x;
		y = d >> zeros;
	}
}

/* Trailing zeros common to both are restored at the end. */
static cc_word gcd_words(cc_word x, cc_word y)
{
	unsigned int zeros;

	if (!x || !y)
		return x | y;
	zeros = cc_word_ctz(x | y);
	return gcd_of_odd(x >> cc_word_ctz(x), y >> cc_word_ctz(y)) << zeros;
}

/* x[2] without its trailing zeros, whose number is returned; x is not 0. */
static unsigned int make_odd(cc_word x[2])
{
	unsigned int zeros = 0;

	if (!x[0]) {
		x[0] = x[1];
		x[1] = 0;
		zeros = CC_WORD_BITS;
	}
	if (!(x[0] & 1)) {
		unsigned int shift = cc_word_ctz(x[0]);

		x[0] = x[0] >> shift | x[1] << (CC_WORD_BITS - shift);
		x[1] >>= shift;
		zeros += shift;
	}
	return zeros;
}

/* g[2] = gcd of x[2] and y[2], which are not both 0; returns its length */
static size_t gcd_two(cc_word *g, const cc_word *x, const cc_word *y)
{
	cc_word a[2] = {x[0], x[1]}, b[2] = {y[0], y[1]}, x1, x0, y1, y0, back;
	unsigned int zeros, other;

	if (!(b[0] | b[1])) {
		memcpy(g, a, sizeof(a));
		return 2 - !a[1];
	}
	if (!(a[0] | a[1])) {
		memcpy(g, b, sizeof(b));
		return 2 - !b[1];
	}
	zeros = make_odd(a);
	other = make_odd(b);
	zeros = zeros < other ? zeros : other;
	x1 = a[1];
	x0 = a[0];
	y1 = b[1];
	y0 = b[0];
	while (x1 | y1) {
		cc_word d1, less, d0 = cc_gcd_subtract(&d1, &less, y1, y0, x1, x0);
		unsigned int shift;

		if (__builtin_expect(!d0, 0)) {
			if (!d1)
				break;
			x1 = less ? y1 : x1;
			y0 = (d1 ^ less) - less;
			y0 >>= cc_word_ctz(y0);
			y1 = 0;
			continue;
		}
		/* not 0, so that the upper word's complement is that of the negated number */
		shift = cc_word_ctz(d0);
		x0 ^= (x0 ^ y0) & less;
		x1 ^= (x1 ^ y1) & less;
		d0 = (d0 ^ less) - less;
		d1 ^= less;
		y0 = d0 >> shift | d1 << (CC_WORD_BITS - shift);
		y1 = d1 >> shift;
	}
	if (!x1)
		x0 = gcd_of_odd(x0, y0);
	if (zeros >= CC_WORD_BITS) {
		x1 = x0;
		x0 = 0;
		zeros -= CC_WORD_BITS;
	}
	back = x0 >> 1 >> (CC_WORD_BITS - 1 - zeros);
	g[0] = x0 << zeros;
	x1 = x1 << zeros | back;
	if (!x1)
		return 1;
	g[1] = x1;
	return 2;
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
	if (an == 1) {
		g[0] = gcd_words(a[0], b[0]);
		return 1;
	}
	if (an == 2 && bn == 2)
		return gcd_two(g, a, b);
	n = bn;
	x = scratch;
	y = x + n + 1;
	t = y + n + 1;
	memcpy(y, b, n * sizeof(*y));
	if (an == n)
		memcpy(x, a, n * sizeof(*x));
	else
		cc_natural_divrem_watched(t, x, a, an, y, n, t + an - n + 1, w);
	while (n > 2) {
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
	if (n == 2)
		return gcd_two(g, x, y);
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
