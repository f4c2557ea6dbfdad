// SPDX-License-Identifier: MIT
/*
 * What Montgomery's form begins with, R = B^n and R^2 modulo m, and other powers of two.
 *
 * As in divide.c, d = m 2^s has its top bit set, and a remainder r of m is kept as r 2^s, below d.
 * Few words: a step of the division for each word of zeros.  Many: by products with
 * V = B^2n / d, from Newton's iteration (Knuth 4.3.3, algorithm R) and a little too small.
 *
 *	B^n 2^s - floor(V 2^s / B^n) d  and  a b - floor(floor(a b / B^n) V / B^n) d, a b < d B^n
 *
 * are what remains modulo d, and at most 13 d more: the quotient's error is 1 by its own floor, 2
 *by the lower half of a b, and that of V.  One step of the division takes them off.
 */
#include <carrychain/limbs.h>

#include "divide.h"
#include "mask.h"

/* From so many words on products are faster (Zen 5). */
#define PRODUCTS_LEAST 8
/* V begins with so many words, by the division. */
#define FIRST_MOST 5

struct reciprocal {
	cc_word v[CC_FZ_MAX + 1];
	cc_word *t, *p; /* 2n words each */
};

/* k->w = k->w B mod d */
static void times_word(struct cc_fixed_divisor *k)
{
	memmove(k->w + 1, k->w, k->n * sizeof(*k->w));
	k->w[0] = 0;
	cc_fixed_take_multiple(k, k->w, k->d, k->n);
}

/* k->w = k->w 2^bits mod d */
static void times_power_of_two(struct cc_fixed_divisor *k, size_t bits)
{
	for (; bits >= CC_WORD_BITS; bits -= CC_WORD_BITS)
		times_word(k);
	if (bits) {
		k->w[k->n] = cc_limbs_lshift(k->w, k->w, k->n, (unsigned int)bits);
		cc_fixed_take_multiple(k, k->w, k->d, k->n);
	}
}

/*
 * v = floor((B^2p - 1) / D) - 8 for the top p words D of d.  With u = B^-p, v u is below B^n / d by
 * more than 3 u and by less than 10 u: D u^-1 is d B^-n less at most u, and d >= B^n / 2.
 */
static void first(struct cc_fixed_divisor *k, cc_word *v, size_t p)
{
	const cc_word *d = k->d + k->n - p;
	size_t i;

	/* the quotient of the dividend's upper half */
	v[p] = 1;
	for (i = 0; i < p; i++)
		k->w[i] = ~d[i];
	for (i = p; i--;) {
		memmove(k->w + 1, k->w, p * sizeof(*k->w));
		k->w[0] = ~(cc_word)0;
		v[i] = cc_fixed_take_multiple(k, k->w, d, p);
	}
	cc_fz_sub_word(v, v, p + 1, 8);
}

/*
 * v[more + 1] from v[p + 1], p < more < 2p: x = v B^-p becomes x + x h for h = 1 - x d / B^n, which
 * is below 11 B^-p.  Let u = B^-more.  Newton's own error, h^2, and what 2p words of d omit are far
 * below u.  The floor of h in units of u subtracts up to 1 u, and so from x h up to 2 u; the floor
 * of x h up to 1 u; and 4 u are subtracted here: again more than 3 u, less than 10 u, are missing.
 */
static void refine(const struct cc_fixed_divisor *k, struct reciprocal *s, size_t p, size_t more)
{
	const struct cc_fixed_kernels *kernels = cc_fixed_kernels();
	const cc_word *d = k->d + k->n - p;
	cc_word *v = s->v, *h = s->p, *t = s->t, above = cc_mask(v[p]), carry;
	size_t below = k->n - p < p ? k->n - p : p, grown = more - p, i;

	/* x d in units of B^-2p: t = the lower p words of d, p = v t, t = v d */
	memset(t, 0, (p - below) * sizeof(*t));
	memcpy(t + p - below, d - below, below * sizeof(*t));
	kernels->mul(s->p, v, t, p);
	carry = cc_fz_add_if(s->p + p, above, s->p + p, t, p);
	kernels->mul(t, v, d, p);
	t[p] += carry + (above & d[0]);
	t[p] += cc_limbs_add(t, t, s->p + p, p);

	for (i = 0; i <= grown; i++)
		h[i] = ~t[p - grown + i];
	memset(h + grown + 1, 0, (p - grown - 1) * sizeof(*h));
	kernels->mul(t, v, h, p);
	cc_fz_add_if(t + p, above, t + p, h, p);

	memmove(v + grown, v, (p + 1) * sizeof(*v));
	memset(v, 0, grown * sizeof(*v));
	carry = cc_limbs_add(v, v, t + p, grown + 1);
	cc_fz_add_word(v + grown + 1, v + grown + 1, p, carry);
	cc_fz_sub_word(v, v, more + 1, 4);
}

/* s->v */
static void invert(struct cc_fixed_divisor *k, struct reciprocal *s)
{
	size_t words[CC_WORD_BITS], count = 0, p;

	for (p = k->n; p > FIRST_MOST; p = p / 2 + 1)
		words[count++] = p;
	for (first(k, s->v, p); count; p = words[count])
		refine(k, s, p, words[--count]);
}

/* k->w = B^n 2^s mod d */
static void radix(struct cc_fixed_divisor *k, struct reciprocal *s)
{
	size_t n = k->n;
	cc_word bit = cc_mask_lt(k->shift, CC_WORD_BITS) & 1;

	cc_fz_shr(s->t, s->v, n + 1, n * CC_WORD_BITS - k->shift);
	cc_fixed_kernels()->mul(s->p, s->t, k->d, n);
	memset(k->w, 0, n * sizeof(*k->w));
	k->w[n] = bit << k->shift % CC_WORD_BITS;
	k->w[n] -= s->p[n] + cc_limbs_sub(k->w, k->w, s->p, n);
	cc_fixed_take_multiple(k, k->w, k->d, n);
}

/* k->w = a k->w mod d, for a < m */
static void multiply(struct cc_fixed_divisor *k, struct reciprocal *s, const cc_word *a)
{
	const struct cc_fixed_kernels *kernels = cc_fixed_kernels();
	size_t n = k->n;
	cc_word *t = s->t;

	kernels->mul(t, a, k->w, n);
	kernels->mul(s->p, t + n, s->v, n);
	memcpy(k->w, t, (n + 1) * sizeof(*t));
	cc_fz_add_if(t, cc_mask(s->v[n]), s->p + n, t + n, n);
	kernels->mul(s->p, t, k->d, n);
	k->w[n] -= s->p[n] + cc_limbs_sub(k->w, k->w, s->p, n);
	cc_fixed_take_multiple(k, k->w, k->d, n);
}

/* r = the remainder in k->w, and back */
static void take(cc_word *r, const struct cc_fixed_divisor *k)
{
	cc_fz_shr(r, k->w, k->n, k->shift);
}

static void put(struct cc_fixed_divisor *k, const cc_word *r)
{
	cc_fz_shl(k->w, r, k->n, k->shift);
}

/* one = R mod m; k->w = (R or, if @squared, R^2) 2^s mod d */
static __attribute__((__noinline__)) void by_products(struct cc_fixed_divisor *k, cc_word *one,
						      bool squared, cc_word *scratch)
{
	struct reciprocal s = {.t = scratch, .p = scratch + 2 * k->n};

	invert(k, &s);
	radix(k, &s);
	take(one, k);
	if (squared)
		multiply(k, &s, one);
	cc_wipe(&s, sizeof(s));
}

/*
 * k->w = R^2 2^s mod d, from one = R mod m: Montgomery's squares of 2^e R are 2^2e R, 2^4e R, ...,
 * where a word of zeros takes longer.
 */
static void square_by_squares(struct cc_fixed_divisor *k, const cc_word *m,
			      cc_fixed_mont_mul_fn *mont_mul)
{
	cc_word x[CC_FIXED_MONT_MOST], m0 = cc_fixed_minus_inverse(m[0]);
	size_t n = k->n, bits = n * CC_WORD_BITS, times = 0;

	for (; bits > CC_WORD_BITS; bits /= 2)
		times++;
	times_power_of_two(k, bits);
	take(x, k);
	while (times--)
		mont_mul(x, x, x, m, n, m0);
	put(k, x);
	cc_wipe(x, n * sizeof(*x));
}

static void by_steps(struct cc_fixed_divisor *k, cc_word *one, bool squared, const cc_word *m)
{
	cc_fixed_mont_mul_fn *mont_mul = cc_fixed_mont_mul(cc_fixed_kernels(), k->n);
	size_t n = k->n;

	/* 2^s is not below d if m is 1 */
	memset(one, 0, n * sizeof(*one));
	one[0] = 1;
	put(k, one);
	k->w[n] = 0;
	cc_fixed_take_multiple(k, k->w, k->d, n);
	times_power_of_two(k, n * CC_WORD_BITS);
	take(one, k);
	if (squared && mont_mul && n > 2)
		square_by_squares(k, m, mont_mul);
	else if (squared)
		times_power_of_two(k, n * CC_WORD_BITS);
}

/* r = 2^2b mod m, from square = R^2 mod m */
static void raise(cc_word *r, size_t b, const cc_word *square, const cc_word *m, size_t n,
		  cc_fixed_mont_mul_fn *mont_mul)
{
	cc_word x[CC_FIXED_MONT_MOST] = {0}, y[CC_FIXED_MONT_MOST];
	cc_word m0 = cc_fixed_minus_inverse(m[0]);
	size_t radix = n * CC_WORD_BITS, low = b % radix;

	x[low / CC_WORD_BITS] = (cc_word)1 << low % CC_WORD_BITS;
	for (; b >= radix; b -= radix)
		mont_mul(x, x, square, m, n, m0);
	mont_mul(y, x, square, m, n, m0);
	mont_mul(r, x, y, m, n, m0);
	cc_wipe(x, n * sizeof(*x));
	cc_wipe(y, n * sizeof(*y));
}

void cc_fixed_powers_of_two_mod(cc_word *const *r, const size_t *bits, size_t count,
				const cc_word *m, size_t n, cc_word *scratch)
{
	cc_fixed_mont_mul_fn *mont_mul = cc_fixed_mont_mul(cc_fixed_kernels(), n);
	struct cc_fixed_divisor k;
	cc_word one[CC_FZ_MAX];
	size_t radix = n * CC_WORD_BITS, at = bits[0] < 2 * radix ? radix : 2 * radix, i, j;

	cc_fixed_divisor_start(&k, m, n);
	if (n < PRODUCTS_LEAST)
		by_steps(&k, one, at > radix, m);
	else
		by_products(&k, one, at > radix, scratch);
	for (i = 0; i < count; i++) {
		const cc_word *before = bits[i] < at ? one : NULL;
		size_t from = before ? radix : at;

		if (bits[i] == radix) {
			memcpy(r[i], one, n * sizeof(*one));
			continue;
		}
		if (i && mont_mul && n < PRODUCTS_LEAST && bits[0] == 2 * radix &&
		    bits[i] > bits[0] && bits[i] % 2 == 0) {
			raise(r[i], bits[i] / 2, r[0], m, n, mont_mul);
			continue;
		}
		for (j = 0; j < i; j++) {
			if (bits[j] > from && bits[j] <= bits[i]) {
				from = bits[j];
				before = r[j];
			}
		}
		if (before)
			put(&k, before);
		times_power_of_two(&k, bits[i] - from);
		take(r[i], &k);
		at = bits[i];
	}
	cc_wipe(one, n * sizeof(*one));
	cc_wipe(&k, sizeof(k));
}

void cc_fixed_power_of_two_mod(cc_word *r, size_t bits, const cc_word *m, size_t n)
{
	cc_word scratch[4 * CC_FZ_MAX];

	cc_fixed_powers_of_two_mod(&r, &bits, 1, m, n, scratch);
	cc_wipe(scratch, 4 * n * sizeof(*scratch));
}
