// SPDX-License-Identifier: MIT
/* Quotients that are known to be exact, and how often a number divides another. */
#include "product.h"

#include "../limbs/divide.h"
#include "../limbs/kernels.h"

/* r[n] = the low words of a[an] / 2^shift */
static void low_words(cc_word *r, size_t n, const cc_word *a, size_t an, unsigned int shift)
{
	cc_word above = an > n ? a[n] : 0;

	if (n > an) {
		memset(r + an, 0, (n - an) * sizeof(*r));
		n = an;
	}
	if (!shift) {
		memcpy(r, a, n * sizeof(*r));
		return;
	}
	cc_limbs_rshift(r, a, n, shift);
	r[n - 1] |= above << (CC_WORD_BITS - shift);
}

/* Rows of fewer words are not worth a kernel's call. */
#define ROW_LEAST 3

/* a[n] -= d[n] q; returns what is borrowed */
static inline cc_word subtract_row(cc_word *a, const cc_word *d, size_t n, cc_word q)
{
	cc_word borrow = 0, high, low, x;
	size_t i;

	for (i = 0; i < n; i++) {
		low = cc_word_mul(&high, d[i], q) + borrow;
		high += low < borrow;
		x = a[i];
		a[i] = x - low;
		borrow = high + (x < low);
	}
	return borrow;
}

/* q[n] = a[n] / d[dn] modulo B^n, dn <= n, for odd d; a is destroyed */
static void divide_low(cc_word *q, cc_word *a, size_t n, const cc_word *d, size_t dn)
{
	const struct cc_limbs_kernels *k = cc_limbs_kernels();
	cc_word inverse = cc_limbs_inverse(d[0]), bit = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		size_t length = dn < n - i ? dn : n - i;
		cc_word borrow, x, y;

		q[i] = a[i] * inverse;
		if (length < ROW_LEAST)
			borrow = subtract_row(a + i, d, length, q[i]);
		else
			borrow = k->submul_1(a + i, d, length, q[i]);
		if (i + length == n)
			continue;
		/* what this word borrows is the next row's */
		x = a[i + length];
		y = x - borrow;
		a[i + length] = y - bit;
		bit = (cc_word)(x < borrow) | (cc_word)(y < bit);
	}
}

/* The parts of both operands that a short quotient needs, or a division and its remainder. */
size_t cc_natural_divexact_scratch(size_t an, size_t dn)
{
	return cc_larger(an + 1, dn + cc_natural_divrem_scratch(an, dn));
}

/* The low word of a[an] / d[dn], for d[0] > 0. */
static cc_word word_quotient(const cc_word *a, size_t an, const cc_word *d, size_t dn)
{
	unsigned int shift = cc_word_ctz(d[0]);
	cc_word low = a[0], by = d[0];

	if (shift) {
		low = low >> shift | (an > 1 ? a[1] << (CC_WORD_BITS - shift) : 0);
		by = by >> shift | (dn > 1 ? d[1] << (CC_WORD_BITS - shift) : 0);
	}
	return low * cc_limbs_inverse(by);
}

/* Division by the top words, so that the quotient is wrong by few, and its low word corrects it. */
static void divide_high(cc_word *q, const cc_word *a, size_t an, const cc_word *d, size_t dn,
			cc_word *t, struct cc_watch *w)
{
	size_t n = an - dn + 1, drop = dn > n + 2 ? dn - n - 2 : 0;
	cc_word wrong;

	cc_natural_divrem_watched(q, t, a + drop, an - drop, d + drop, dn - drop, t + dn - drop, w);
	if (!drop)
		return;
	wrong = q[0] - word_quotient(a, an, d, dn);
	if (wrong >> (CC_WORD_BITS - 1))
		cc_limbs_add_1(q, q, n, 0 - wrong);
	else
		cc_limbs_sub_1(q, q, n, wrong);
}

void cc_natural_divexact_watched(cc_word *q, const cc_word *a, size_t an, const cc_word *d,
				 size_t dn, cc_word *scratch, struct cc_watch *w)
{
	size_t n = an - dn + 1, recursive = cc_thresholds()->divide, length;
	unsigned int shift;

	while (!*d)
		a++, an--, d++, dn--;
	if (n == 1) {
		*q = word_quotient(a, an, d, dn);
		return;
	}
	if (dn == 1) {
		cc_limbs_divrem_1(q, a, n, d[0]);
		return;
	}
	shift = cc_word_ctz(d[0]);
	/* row by row, half as much as schoolbook division if the divisor is as long */
	if (2 * n <= 3 * dn ? n >= 4 * recursive : n >= recursive && dn >= 2 * recursive) {
		divide_high(q, a, an, d, dn, scratch, w);
		return;
	}
	length = dn < n ? dn : n;
	low_words(scratch, n, a, an, shift);
	if (shift) {
		low_words(scratch + n, length, d, dn, shift);
		d = scratch + n;
	}
	divide_low(q, scratch, n, d, length);
}

void cc_natural_divexact(cc_word *q, const cc_word *a, size_t an, const cc_word *d, size_t dn,
			 cc_word *scratch)
{
	cc_natural_divexact_watched(q, a, an, d, dn, scratch, NULL);
}

/* f = 2^bits; r[n] */
static size_t remove_twos(cc_word *r, const cc_word *a, size_t n, size_t bits)
{
	size_t count = cc_natural_zeros(a) / bits, words = count * bits / CC_WORD_BITS;

	cc_limbs_rshift(r, a + words, n - words, count * bits % CC_WORD_BITS);
	memset(r + n - words, 0, words * sizeof(*r));
	return count;
}

struct factor {
	const cc_word *words;
	size_t n;
};

/* Of longer numbers, the remainder alone is found first: that takes less time than the quotient. */
#define QUOTIENT_MOST 64

/* Whether r[*n] is divisible by f; then it is divided.  t has room for both results. */
static int divides(cc_word *r, size_t *n, struct factor f, cc_word *t, struct cc_watch *w)
{
	cc_word *rest;

	if (f.n > *n || cc_watch_step(w, *n))
		return 0;
	if (f.n == 1) {
		if (*n > QUOTIENT_MOST && cc_limbs_mod_1(r, *n, f.words[0]))
			return 0;
		if (cc_limbs_divrem_1(t, r, *n, f.words[0]))
			return 0;
		*n = cc_limbs_normalise(t, *n);
		memcpy(r, t, *n * sizeof(*r));
		return 1;
	}
	rest = t + *n + 1 - f.n;
	cc_natural_divrem_watched(t, rest, r, *n, f.words, f.n, rest + f.n, w);
	if (cc_watch_stopped(w) || cc_limbs_normalise(rest, f.n))
		return 0;
	*n = cc_limbs_normalise(t, *n + 1 - f.n);
	memcpy(r, t, *n * sizeof(*r));
	return 1;
}

/*
 * The powers f^(2^i), together no more than twice the longest, and a word for each; one that is
 * longer than r is not made.  A quotient and its remainder.
 */
size_t cc_natural_remove_scratch(size_t an, size_t fn)
{
	/* log2 of a's bits */
	size_t levels = 8 + CC_WORD_BITS - cc_word_clz(an | 1);

	(void)fn;
	return 2 * (an + 1) + levels + an + 1 +
	       cc_larger(cc_natural_divrem_scratch(an, an), cc_natural_sqr_scratch(an / 2 + 1));
}

size_t cc_natural_remove_watched(cc_word *r, const cc_word *a, size_t an, const cc_word *f,
				 size_t fn, cc_word *scratch, struct cc_watch *w)
{
	size_t n = cc_limbs_normalise(a, an), i = 0, count = 0;
	struct factor power[CC_WORD_BITS] = {{f, cc_limbs_normalise(f, fn)}};
	size_t twos = cc_natural_zeros(f);

	fn = power[0].n;
	memset(r + n, 0, (an - n) * sizeof(*r));
	if (twos == fn * CC_WORD_BITS - 1 - cc_word_clz(f[fn - 1]))
		return remove_twos(r, a, n, twos);
	memcpy(r, a, n * sizeof(*r));
	if (twos > cc_natural_zeros(a))
		return 0;
	/* what is left is never divisible by f^(2^i) when i falls */
	while (divides(r, &n, power[i], scratch, w)) {
		size_t length = power[i].n;

		count += (size_t)1 << i;
		if (2 * length - 1 > n) {
			i++;
			break;
		}
		cc_natural_sqr_watched(scratch, power[i].words, length, scratch + 2 * length, w);
		if (cc_watch_stopped(w))
			break;
		length = cc_limbs_normalise(scratch, 2 * length);
		power[++i] = (struct factor){scratch, length};
		scratch += length;
	}
	while (i-- && !cc_watch_stopped(w))
		if (divides(r, &n, power[i], scratch, w))
			count += (size_t)1 << i;
	memset(r + n, 0, (an - n) * sizeof(*r));
	return count;
}

size_t cc_natural_remove(cc_word *r, const cc_word *a, size_t an, const cc_word *f, size_t fn,
			 cc_word *scratch)
{
	return cc_natural_remove_watched(r, a, an, f, fn, scratch, NULL);
}
