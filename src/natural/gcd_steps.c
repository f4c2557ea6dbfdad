// SPDX-License-Identifier: MIT
/*
 * Lehmer's steps (Knuth 4.5.2 L): a matrix of words from the two top words of both numbers, and
 * what it makes of them and of their cofactors.
 *
 * One bound justifies all.  Let x and y be the parts of a and b above k bits, a0 and b0 the
 * parts below, and let the matrix U reduce x and y to x', y' >= c.  It reduces a to
 * x' 2^k + (u11 a0 - u01 b0), and b likewise; both are more than (c - u) 2^k, where u is the
 * largest entry, and u <= max(x, y) / c.
 */
#include "gcd_steps.h"

#define HALF (CC_WORD_BITS / 2)

/* Steps of x and y that keep both at least @least, until their difference is less than that. */
static inline __attribute__((always_inline)) struct cc_steps
word_steps(cc_word x, cc_word y, cc_word least, struct cc_jacobi *j)
{
	struct cc_steps s = {1, 0, 0, 1};
	cc_word q;

	do {
		/* the division yields the remainder sooner than a product would */
		q = (x - least) / y;
		x = (x - least) % y + least;
		if (j)
			cc_jacobi_less_a(j, q);
		s.u01 += q * s.u00;
		s.u11 += q * s.u10;
		q = (y - least) / x;
		y = (y - least) % x + least;
		if (j)
			cc_jacobi_less_b(j, q);
		s.u00 += q * s.u01;
		s.u10 += q * s.u11;
	} while (q);
	return s;
}

static struct cc_steps product(struct cc_steps s, struct cc_steps t)
{
	return (struct cc_steps){s.u00 * t.u00 + s.u01 * t.u10, s.u00 * t.u01 + s.u01 * t.u11,
				 s.u10 * t.u00 + s.u11 * t.u10, s.u10 * t.u01 + s.u11 * t.u11};
}

/* *high : returned = the two words below a's bit n CC_WORD_BITS - @shift */
static cc_word top_words(cc_word *high, const cc_word *a, size_t n, unsigned int shift)
{
	unsigned int rest = CC_WORD_BITS - 1 - shift;

	*high = a[n - 1] << shift | a[n - 2] >> 1 >> rest;
	return a[n - 2] << shift | (n > 2 ? a[n - 3] >> 1 >> rest : 0);
}

/* (x1 : x0) = u (x1 : x0) - v (y1 : y0) modulo B^2 */
static void combine(cc_word *r1, cc_word *r0, cc_word u, cc_word x1, cc_word x0, cc_word v,
		    cc_word y1, cc_word y0)
{
	cc_word p1, p0 = cc_word_mul(&p1, u, x0), q1, q0 = cc_word_mul(&q1, v, y0), borrow = 0;

	*r0 = cc_word_sub(p0, q0, &borrow);
	*r1 = p1 + u * x1 - q1 - v * y1 - borrow;
}

/*
 * First by the top word, down to c = 2^(HALF + 1): the entries are at most 2^(HALF - 1), so
 * both numbers stay above (c - u) B >= 2 B.  Then by the top word of the result, above
 * k = CC_WORD_BITS - shift bits, down to c = 2^(HALF + 1) or, if greater, 2^(shift + 2).
 * Either way c - u >= 2^(shift + 1), so they stay above 2^(shift + 1 + k) = 2 B.
 * The entries of the product of both matrices are below B^2 / 2 B.
 */
static inline __attribute__((always_inline)) int
steps_of(struct cc_steps *steps, const cc_word *a, const cc_word *b, size_t n, struct cc_jacobi *j)
{
	const cc_word half = (cc_word)2 << HALF;
	unsigned int shift = cc_word_clz(a[n - 1] | b[n - 1]);
	cc_word x1, x0 = top_words(&x1, a, n, shift), y1, y0 = top_words(&y1, b, n, shift);
	cc_word r1, r0, s1, s0, least;

	if (x1 < half || y1 < half)
		return 0;
	*steps = word_steps(x1, y1, half, j);
	if (!(steps->u01 | steps->u10))
		return 0;
	combine(&r1, &r0, steps->u11, x1, x0, steps->u01, y1, y0);
	combine(&s1, &s0, steps->u00, y1, y0, steps->u10, x1, x0);
	shift = cc_word_clz(r1 | s1);
	if (shift + 2 >= CC_WORD_BITS)
		return 1;
	r1 = r1 << shift | r0 >> 1 >> (CC_WORD_BITS - 1 - shift);
	s1 = s1 << shift | s0 >> 1 >> (CC_WORD_BITS - 1 - shift);
	least = (cc_word)1 << (shift > HALF - 1 ? shift + 2 : HALF + 1);
	if (r1 >= least && s1 >= least)
		*steps = product(*steps, word_steps(r1, s1, least, j));
	return 1;
}

int cc_gcd_steps(struct cc_steps *steps, const cc_word *a, const cc_word *b, size_t n,
		 struct cc_jacobi *j)
{
	/* apart, so that gcd's are not slowed down by the symbol's */
	return j ? steps_of(steps, a, b, n, j) : steps_of(steps, a, b, n, NULL);
}

/* From so many words on, four passes of the kernels are faster than one of both rows. */
#define PASSES 8

/* u x + *carry modulo B; the word above stays in *carry */
static inline cc_word times(cc_word u, cc_word x, cc_word *carry)
{
	cc_word high, low = cc_word_mul(&high, u, x) + *carry;

	*carry = high + (low < *carry);
	return low;
}

static void short_rows(cc_word *a, cc_word *b, size_t n, const struct cc_steps *s)
{
	const cc_word u00 = s->u00, u01 = s->u01, u10 = s->u10, u11 = s->u11;
	cc_word ax = 0, ay = 0, bx = 0, by = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		cc_word x = a[i], y = b[i], p = times(u11, x, &ax), q = times(u01, y, &ay);

		a[i] = p - q;
		ay += p < q;
		p = times(u00, y, &by);
		q = times(u10, x, &bx);
		b[i] = p - q;
		bx += p < q;
	}
}

size_t cc_gcd_take_steps(cc_word *a, cc_word *b, size_t n, const struct cc_steps *s, cc_word *t)
{
	const struct cc_limbs_kernels *k;

	if (n < PASSES) {
		short_rows(a, b, n, s);
	} else {
		k = cc_limbs_kernels();
		memcpy(t, a, n * sizeof(*t));
		k->mul_1(a, a, n, s->u11);
		k->submul_1(a, b, n, s->u01);
		k->mul_1(b, b, n, s->u00);
		k->submul_1(b, t, n, s->u10);
	}
	return n - !(a[n - 1] | b[n - 1]);
}

/* The sums are below B^2, as the entries are below B / 2. */
static void short_row(cc_word *u, cc_word *v, size_t n, const struct cc_steps *s, cc_word *above)
{
	const cc_word u00 = s->u00, u01 = s->u01, u10 = s->u10, u11 = s->u11;
	cc_word uc = 0, vc = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		cc_word x = u[i], y = v[i], more = 0, p = times(u00, x, &uc);

		u[i] = p + times(u10, y, &more);
		uc += more + (u[i] < p);
		more = 0;
		p = times(u01, x, &vc);
		v[i] = p + times(u11, y, &more);
		vc += more + (v[i] < p);
	}
	above[0] = uc;
	above[1] = vc;
}

void cc_gcd_take_row(cc_word *u, cc_word *v, size_t n, const struct cc_steps *s, cc_word *above,
		     cc_word *t)
{
	const struct cc_limbs_kernels *k;

	if (n < PASSES) {
		short_row(u, v, n, s, above);
		return;
	}
	k = cc_limbs_kernels();
	memcpy(t, u, n * sizeof(*t));
	above[0] = k->mul_1(u, u, n, s->u00);
	above[0] += k->addmul_1(u, v, n, s->u10);
	above[1] = k->mul_1(v, v, n, s->u11);
	above[1] += k->addmul_1(v, t, n, s->u01);
}
