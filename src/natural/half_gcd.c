// SPDX-License-Identifier: MIT
/*
 * Half of Euclid's algorithm: Lehmer's steps (gcd_steps.h), whose bound holds here, too.  Long
 * numbers are first reduced by the matrix of their upper halves, which is then applied to the lower
 * halves, then by that of the middle (Moeller 2008).
 */
#include "half_gcd.h"

#include "../limbs/kernels.h"

static int is_identity(const struct cc_half_gcd *m)
{
	return m->n == 1 && !(m->u[0][1][0] | m->u[1][0][0]);
}

void cc_half_gcd_place(struct cc_half_gcd *m, cc_word *store, size_t n)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		m->u[i / 2][i % 2] = store + i * (n - n / 2);
	m->j = NULL;
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
	cc_word above[4];
	unsigned int i;

	for (i = 0; i < 2; i++)
		cc_gcd_take_row(m->u[i][0], m->u[i][1], m->n, s, above + 2 * i, t);
	if (!(above[0] | above[1] | above[2] | above[3]))
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
	if (m->j && to)
		cc_jacobi_less_a(m->j, t[0]);
	else if (m->j)
		cc_jacobi_less_b(m->j, t[0]);
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

	if (!cc_gcd_steps(&steps, a, b, n, m->j))
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
	if (cc_watch_step(w, 4 * n))
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
		/* four products, none of them long enough to ask by itself */
		if (cc_watch_step(w, 4 * length))
			return;
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

	if (n < cc_thresholds()->half_gcd) {
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
			middle.j = m->j;
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

	while (n >= cc_thresholds()->half_gcd) {
		n = n / 2 + 4;
		words += cc_half_gcd_store(n);
	}
	return words;
}
