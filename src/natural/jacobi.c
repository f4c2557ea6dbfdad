// SPDX-License-Identifier: MIT
/*
 * The Jacobi and Kronecker symbols: the steps of gcd.c, each of which changes the sign by what
 * the numbers and its quotient are modulo 4 (gcd_steps.h).
 */
#include "jacobi.h"
#include "half_gcd.h"

#include "../limbs/kernels.h"

/* In bit 0: (2 / b) is -1 for b = 3 or 5 modulo 8. */
static inline unsigned int twos(cc_word b)
{
	return (unsigned int)(b >> 1 ^ b >> 2);
}

/*
 * (a / b) for odd b: binary, as Shallit and Sorenson's, 1993; 0 unless they are coprime.  Odd
 * numbers are kept without their last bit, so that the top one of a difference is its sign; its
 * zeros do not depend on that.
 */
int cc_jacobi_of_words(cc_word a, cc_word b, unsigned int sign)
{
	unsigned int zeros;
	cc_word less, d, half;

	if (!a)
		return b == 1 ? 1 - (int)(2 * (sign & 1)) : 0;
	zeros = cc_word_ctz(a);
	sign ^= zeros & twos(b);
	b >>= 1;
	a = a >> zeros >> 1;
	while ((d = a - b)) {
		/* the greater one less the other, by reciprocity */
		half = (b - a) >> 1;
		less = 0 - (d >> (CC_WORD_BITS - 1));
		sign ^= (unsigned int)(less & a & b);
		b += d & less;
		zeros = cc_word_ctz(d);
		a = (d >> (CC_WORD_BITS - 1) ? half : d >> 1) >> zeros;
		sign ^= (zeros + 1) & (unsigned int)(b ^ b >> 1);
	}
	return b ? 0 : 1 - (int)(2 * (sign & 1));
}

/* The same for two words each. */
static int of_two(const cc_word a[2], const cc_word b[2], unsigned int sign)
{
	cc_word a0 = a[0], a1 = a[1], b0 = b[0], b1 = b[1];
	unsigned int zeros;

	/* the zeros of a word are even in number */
	if (!a0) {
		a0 = a1;
		a1 = 0;
	}
	if (!a0)
		return b0 == 1 && !b1 ? 1 - (int)(2 * (sign & 1)) : 0;
	if (!(a0 & 1)) {
		zeros = cc_word_ctz(a0);
		sign ^= zeros & twos(b0);
		a0 = a0 >> zeros | a1 << (CC_WORD_BITS - zeros);
		a1 >>= zeros;
	}
	while (a1 | b1) {
		cc_word d1, less, d0 = cc_gcd_subtract(&d1, &less, a1, a0, b1, b0);

		sign ^= (unsigned int)(a0 & b0 & less) >> 1;
		b0 ^= (b0 ^ a0) & less;
		b1 ^= (b1 ^ a1) & less;
		if (__builtin_expect(!d0, 0)) {
			if (!d1)
				return 0;
			a0 = (d1 ^ less) - less;
			a1 = 0;
			zeros = cc_word_ctz(a0);
			sign ^= zeros & twos(b0);
			a0 >>= zeros;
			continue;
		}
		zeros = cc_word_ctz(d0);
		sign ^= zeros & twos(b0);
		/* d0 is not 0, so that the upper word's complement is that of the negated number */
		d0 = (d0 ^ less) - less;
		d1 ^= less;
		a0 = d0 >> zeros | d1 << (CC_WORD_BITS - zeros);
		a1 = d1 >> zeros;
	}
	return cc_jacobi_of_words(a0, b0, sign);
}

static int of_last(const struct cc_jacobi *j, const cc_word a[2], const cc_word b[2])
{
	return b[0] & 1 ? of_two(a, b, j->sign) : of_two(b, a, j->sign);
}

/* The words of both that the matrix is for, as in gcd.c. */
static size_t upper(size_t n)
{
	return n - n / 3 * 2;
}

static size_t shorten(struct cc_jacobi *j, cc_word *x, cc_word *y, size_t n, cc_word *t,
		      struct cc_watch *w)
{
	size_t p = n - upper(n), next;
	struct cc_half_gcd m;

	cc_half_gcd_place(&m, t, upper(n));
	m.j = j;
	t += cc_half_gcd_store(upper(n));
	next = cc_half_gcd(&m, x + p, y + p, upper(n), t, w);
	return next ? cc_half_gcd_take_along(&m, x, y, p, p + next, t, w) : 0;
}

/* The greater one of x[n] and y[n] modulo the other, whose length is returned. */
static size_t divide(struct cc_jacobi *j, cc_word *x, cc_word *y, size_t n, cc_word *t,
		     struct cc_watch *w)
{
	int by_y = cc_limbs_cmp(x, y, n) >= 0;
	cc_word *a = by_y ? x : y, *b = by_y ? y : x;
	size_t an = cc_limbs_normalise(a, n), bn = cc_limbs_normalise(b, n);

	cc_natural_divrem_watched(t, a, a, an, b, bn, t + an - bn + 1, w);
	if (by_y)
		cc_jacobi_less_a(j, t[0]);
	else
		cc_jacobi_less_b(j, t[0]);
	return bn;
}

/* The symbol S of gcd_steps.h times j's sign, for x[n + 1] and y[n + 1] below B^n. */
static int symbol(struct cc_jacobi *j, cc_word *x, cc_word *y, size_t n, cc_word *t,
		  struct cc_watch *w)
{
	while (n > 2) {
		struct cc_steps steps;
		size_t next = 0;

		/* the divisor, of more than two words, is common */
		if (!cc_limbs_normalise(x, n) || !cc_limbs_normalise(y, n) || cc_watch_step(w, n))
			return 0;
		if (n >= cc_thresholds()->gcd) {
			next = shorten(j, x, y, n, t, w);
			n = next ? next : n;
		} else if (cc_gcd_steps(&steps, x, y, n, j)) {
			next = n = cc_gcd_take_steps(x, y, n, &steps, t);
		}
		if (next || cc_watch_stopped(w))
			continue;
		n = divide(j, x, y, n, t, w);
	}
	if (n == 1)
		x[1] = y[1] = 0;
	return of_last(j, x, y);
}

/* As gcd's, but both numbers in as many words as the longer one has. */
size_t cc_natural_jacobi_scratch(size_t an, size_t mn)
{
	size_t words = cc_natural_gcd_scratch(an, mn);

	return words ? words + 2 * (an < mn ? mn - an : an - mn) : 0;
}

int cc_natural_jacobi_watched(const cc_word *a, size_t an, const cc_word *m, size_t mn,
			      cc_word *scratch, struct cc_watch *w)
{
	struct cc_jacobi j = {0, 0, 0};
	size_t n, whole = 0;
	unsigned int bits;
	cc_word *x, *y;

	an = cc_limbs_normalise(a, an);
	mn = cc_limbs_normalise(m, mn);
	if (!mn)
		return an == 1 && a[0] == 1;
	if (!an)
		return mn == 1 && m[0] == 1;
	if (!((a[0] | m[0]) & 1))
		return 0;
	/* (a / 2) for every zero of m */
	while (!m[whole])
		whole++;
	bits = cc_word_ctz(m[whole]);
	if (bits & 1)
		j.sign = (unsigned int)(a[0] >> 1 ^ a[0] >> 2) & 1;
	m += whole;
	mn -= whole;
	if (an == 1 && mn == 1)
		return cc_jacobi_of_words(a[0], m[0] >> bits, j.sign);
	if (an <= 2 && mn <= 2) {
		cc_word a2[2] = {a[0], an > 1 ? a[1] : 0}, m2[2] = {m[0] >> bits, 0};

		if (mn > 1) {
			m2[0] |= m[1] << 1 << (CC_WORD_BITS - 1 - bits);
			m2[1] = m[1] >> bits;
		}
		return of_two(a2, m2, j.sign);
	}
	n = an > mn ? an : mn;
	x = scratch;
	y = x + n + 1;
	scratch = y + n + 1;
	memcpy(x, a, an * sizeof(*x));
	memset(x + an, 0, (n - an) * sizeof(*x));
	cc_limbs_rshift(y, m, mn, bits);
	memset(y + mn, 0, (n - mn) * sizeof(*y));
	mn = cc_limbs_normalise(y, mn);
	j.a = x[0] & 3;
	j.b = y[0] & 3;
	if (an != mn) {
		n = divide(&j, x, y, n, scratch, w);
		if (cc_watch_stopped(w))
			return 0;
	} else {
		n = an;
	}
	return symbol(&j, x, y, n, scratch, w);
}

int cc_natural_jacobi(const cc_word *a, size_t an, const cc_word *m, size_t mn, cc_word *scratch)
{
	return cc_natural_jacobi_watched(a, an, m, mn, scratch, NULL);
}
