// SPDX-License-Identifier: MIT
/*
 * Half of Euclid's algorithm: Lehmer's steps on the top words (Knuth 4.5.2 L).  Long numbers
 * are first reduced by the matrix of their upper halves, which is then applied to the lower
 * halves, then by that of the middle (Moeller 2008).
 *
 * One bound justifies everything.  Let x and y be the parts of a and b above k bits, a0 and b0
 * the parts below, and let the matrix U reduce x and y to x', y' >= c.  It reduces a to
 * x' 2^k + (u11 a0 - u01 b0), and b likewise; both are more than (c - u) 2^k, where u is the
 * largest entry, and u <= max(x, y) / c.
 */
#include "half_gcd.h"

#include "../limbs/thresholds.h"

#define HALF (CC_WORD_BITS / 2)

/* Steps of x and y that keep both at least @least, until their difference is less than that. */
static struct cc_steps word_steps(cc_word x, cc_word y, cc_word least)
{
	struct cc_steps s = {1, 0, 0, 1};
	cc_word q;

	do {
		/* the division yields the remainder sooner than a product would */
		q = (x - least) / y;
		x = (x - least) % y + least;
		s.u01 += q * s.u00;
		s.u11 += q * s.u10;
		q = (y - least) / x;
		y = (y - least) % x + least;
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
int cc_gcd_steps(struct cc_steps *steps, const cc_word *a, const cc_word *b, size_t n)
{
	const cc_word half = (cc_word)2 << HALF;
	unsigned int shift = cc_word_clz(a[n - 1] | b[n - 1]);
	cc_word x1, x0 = top_words(&x1, a, n, shift), y1, y0 = top_words(&y1, b, n, shift);
	cc_word r1, r0, s1, s0, least;

	if (x1 < half || y1 < half)
		return 0;
	*steps = word_steps(x1, y1, half);
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
		*steps = product(*steps, word_steps(r1, s1, least));
	return 1;
}

size_t cc_gcd_take_steps(cc_word *a, cc_word *b, size_t n, const struct cc_steps *s, cc_word *t)
{
	const struct cc_limbs_kernels *k = cc_limbs_kernels();

	memcpy(t, a, n * sizeof(*t));
	k->mul_1(a, a, n, s->u11);
	k->submul_1(a, b, n, s->u01);
	k->mul_1(b, b, n, s->u00);
	k->submul_1(b, t, n, s->u10);
	return n - !(a[n - 1] | b[n - 1]);
}

static int is_identity(const struct cc_half_gcd *m)
{
	return m->n == 1 && !(m->u[0][1][0] | m->u[1][0][0]);
}

void cc_half_gcd_place(struct cc_half_gcd *m, cc_word *store, size_t n)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		m->u[i / 2][i % 2] = store + i * (n - n / 2);
}

size_t cc_half_gcd_store(size_t n)
{
	return 4 * (n - n / 2);
}

static void set_identity(struct cc_half_gcd *m)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		m->u[i / 2][i % 2][0] = i % 3 == 0;
	m->n = 1;
}

/* M = M S */
static void multiply_steps(struct cc_half_gcd *m, const struct cc_steps *s, cc_word *t)
{
	const struct cc_limbs_kernels *k = cc_limbs_kernels();
	cc_word above[4], any = 0;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		cc_word *u = m->u[i][0], *v = m->u[i][1];

		memcpy(t, u, m->n * sizeof(*t));
		above[2 * i] = k->mul_1(u, u, m->n, s->u00);
		above[2 * i] += k->addmul_1(u, v, m->n, s->u10);
		above[2 * i + 1] = k->mul_1(v, v, m->n, s->u11);
		above[2 * i + 1] += k->addmul_1(v, t, m->n, s->u01);
		any |= above[2 * i] | above[2 * i + 1];
	}
	if (!any)
		return;
	for (i = 0; i < 4; i++)
		m->u[i / 2][i % 2][m->n] = above[i];
	m->n++;
}

/* Resizes the entries to this many words, or to as few as suffice. */
static void extend(struct cc_half_gcd *m, size_t words)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		memset(m->u[i / 2][i % 2] + m->n, 0, (words - m->n) * sizeof(cc_word));
	m->n = words;
}

static void trim(struct cc_half_gcd *m)
{
	size_t n = m->n;

	while (n > 1 &&
	       !(m->u[0][0][n - 1] | m->u[0][1][n - 1] | m->u[1][0][n - 1] | m->u[1][1][n - 1]))
		n--;
	m->n = n;
}

static size_t longer(const cc_word *a, const cc_word *b, size_t n)
{
	while (n && !(a[n - 1] | b[n - 1]))
		n--;
	return n;
}

/*
 * a = a - q b, or b = b - q a if b is larger, for the largest q that leaves at least B^s.
 * Returns the length of the longer one afterwards, or 0 if q is 0.
 */
static size_t take_quotient(struct cc_half_gcd *m, cc_word *a, cc_word *b, size_t n, size_t s,
			    cc_word *t, struct cc_watch *w)
{
	int to = cc_limbs_cmp(a, b, n) >= 0;
	cc_word *x = to ? a : b, *y = to ? b : a;
	size_t yn = cc_limbs_normalise(y, n), xn, qn, i;

	if (yn <= s)
		return 0;
	/* (x - B^s) / y */
	cc_limbs_sub_1(x + s, x + s, n - s, 1);
	xn = cc_limbs_normalise(x, n);
	if (xn < yn || (xn == yn && cc_limbs_cmp(x, y, yn) < 0)) {
		cc_limbs_add_1(x + s, x + s, n - s, 1);
		return 0;
	}
	qn = xn - yn + 1;
	cc_natural_divrem_watched(t, x, x, xn, y, yn, t + qn, w);
	if (cc_watch_stopped(w))
		return 0;
	memset(x + yn, 0, (n - yn) * sizeof(*x));
	cc_limbs_add_1(x + s, x + s, n - s, 1);

	/* times the other column; all entries are below B^(s - 1) */
	qn = cc_limbs_normalise(t, qn);
	for (i = 0; i < 2; i++) {
		cc_word *u = m->u[i][to], *p = t + qn;
		size_t pn = qn + m->n;

		cc_natural_mul_watched(p, t, qn, m->u[i][!to], m->n, p + pn, w);
		if (cc_watch_stopped(w))
			return 0;
		pn = cc_limbs_normalise(p, pn);
		if (!i)
			extend(m, s - 1);
		cc_limbs_add_1(u + pn, u + pn, m->n - pn, cc_limbs_add(u, u, p, pn));
	}
	trim(m);
	return longer(a, b, n);
}

/* One more step of a[n], b[n], n >= s + 2, that leaves at least B^s. */
static size_t step(struct cc_half_gcd *m, cc_word *a, cc_word *b, size_t n, size_t s, cc_word *t,
		   struct cc_watch *w)
{
	struct cc_steps steps;

	if (!cc_gcd_steps(&steps, a, b, n))
		return take_quotient(m, a, b, n, s, t, w);
	multiply_steps(m, &steps, t);
	return cc_gcd_take_steps(a, b, n, &steps, t);
}

size_t cc_half_gcd_take_along(const struct cc_half_gcd *m, cc_word *a, cc_word *b, size_t p,
			      size_t n, cc_word *t, struct cc_watch *w)
{
	const struct cc_limbs_kernels *k = cc_limbs_kernels();
	size_t length = p + m->n, rest = n - length;
	cc_word *other = t + length, *work = other + length, a_carry, b_carry;

	if (cc_watch_step(w, 4 * n))
		return n;
	cc_natural_mul_watched(t, a, p, m->u[1][1], m->n, work, w);
	cc_natural_mul_watched(other, a, p, m->u[1][0], m->n, work, w);
	if (cc_watch_stopped(w))
		return n;
	memcpy(a, t, p * sizeof(*a));
	a_carry = k->add(a + p, a + p, t + p, m->n);
	a_carry = cc_limbs_add_1(a + length, a + length, rest, a_carry);
	cc_natural_mul_watched(t, b, p, m->u[0][1], m->n, work, w);
	a_carry -= cc_limbs_sub_1(a + length, a + length, rest, k->sub(a, a, t, length));

	cc_natural_mul_watched(t, b, p, m->u[0][0], m->n, work, w);
	memcpy(b, t, p * sizeof(*b));
	b_carry = k->add(b + p, b + p, t + p, m->n);
	b_carry = cc_limbs_add_1(b + length, b + length, rest, b_carry);
	b_carry -= cc_limbs_sub_1(b + length, b + length, rest, k->sub(b, b, other, length));
	if (!(a_carry | b_carry))
		return longer(a, b, n);
	a[n] = a_carry;
	b[n] = b_carry;
	return n + 1;
}

/* M = M N, whose entries are all below B^words */
static void multiply(struct cc_half_gcd *m, const struct cc_half_gcd *by, size_t words, cc_word *t,
		     struct cc_watch *w)
{
	size_t length = m->n + by->n, i, j;
	cc_word *p = t + 2 * (length + 1), *work = p + length;

	words = words < length + 1 ? words : length + 1;
	for (i = 0; i < 2; i++) {
		for (j = 0; j < 2; j++) {
			cc_word *sum = t + j * (length + 1);

			cc_natural_mul_watched(sum, m->u[i][0], m->n, by->u[0][j], by->n, work, w);
			cc_natural_mul_watched(p, m->u[i][1], m->n, by->u[1][j], by->n, work, w);
			if (cc_watch_stopped(w))
				return;
			sum[length] = cc_limbs_add(sum, sum, p, length);
		}
		memcpy(m->u[i][0], t, words * sizeof(*t));
		memcpy(m->u[i][1], t + length + 1, words * sizeof(*t));
	}
	m->n = words;
	trim(m);
}

/*
 * The matrix of the upper n - p words leaves both at least B^c (1 - 1 / B), with
 * c = p + (n - p) / 2 + 1: its entries are below B^((n - p) / 2), which is rounded down also
 * for odd n - p.  For the upper half, c > s; for the middle, c = s + 1.
 */
size_t cc_half_gcd(struct cc_half_gcd *m, cc_word *a, cc_word *b, size_t n, cc_word *t,
		   struct cc_watch *w)
{
	size_t s = n / 2 + 1, most = n - n / 4 + 2, p = n / 2, next;
	struct cc_half_gcd middle;

	if (n < CC_HALF_GCD_RECURSIVE) {
		set_identity(m);
	} else {
		/* one step per word, each of which passes over all words several times */
		if (cc_watch_step(w, 4 * n))
			return 0;
		next = cc_half_gcd(m, a + p, b + p, n - p, t, w);
		if (next)
			n = cc_half_gcd_take_along(m, a, b, p, p + next, t, w);
		while (n > most && !cc_watch_stopped(w)) {
			next = step(m, a, b, n, s, t, w);
			if (!next)
				return is_identity(m) ? 0 : n;
			n = next;
		}
		if (n > s + 2 && !cc_watch_stopped(w)) {
			p = 2 * s - n + 1;
			cc_half_gcd_place(&middle, t, n - p);
			t += cc_half_gcd_store(n - p);
			next = cc_half_gcd(&middle, a + p, b + p, n - p, t, w);
			if (next) {
				n = cc_half_gcd_take_along(&middle, a, b, p, p + next, t, w);
				multiply(m, &middle, s - 1, t, w);
			}
		}
	}
	while (n >= s + 2 && !cc_watch_stopped(w)) {
		next = step(m, a, b, n, s, t, w);
		if (!next)
			break;
		n = next;
	}
	return cc_watch_stopped(w) || is_identity(m) ? 0 : n;
}

/*
 * A level's scratch: three products of n words in all, and the scratch of a multiplication; or
 * a quotient, its division and a product.  The division is of n words by more than n / 2, so
 * 5n + 8 words and the transforms of 2n words suffice for cc_natural_divrem_scratch().  Also the
 * matrices for the middles, each of at most half of the words plus four.  Neither the levels nor
 * the scratch of any decrease with a longer n.
 */
size_t cc_half_gcd_scratch(size_t n)
{
	size_t words = 5 * n + 8 + cc_natural_mul_scratch(n, n);

	while (n >= CC_HALF_GCD_RECURSIVE) {
		n = n / 2 + 4;
		words += cc_half_gcd_store(n);
	}
	return words;
}
