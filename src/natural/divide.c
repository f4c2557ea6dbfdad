// SPDX-License-Identifier: MIT
/*
 * Division with remainder: schoolbook, with the reciprocal of the divisor's two top words
 * (Knuth 4.3.1 algorithm D; Moeller and Granlund); and recursive division, which costs as much
 * as a few multiplications (Burnikel and Ziegler 1998; Brent and Zimmermann, Modern Computer
 * Arithmetic, algorithms 1.8 and 1.9), as long as these do not use transforms.
 */
#include "product.h"
#include "quotient.h"
#include "reciprocal.h"
#include "unrolled.h"

#include "../limbs/copy.h"
#include "../limbs/kernels.h"

/* A normalised divisor of n >= 2 words, with the reciprocal of its two top ones. */
struct divisor {
	const struct cc_limbs_kernels *k;
	const cc_word *d;
	size_t n;
	cc_word reciprocal;
	struct cc_watch *watch;
};

/* The same divisor without its lowest @words; at least two must remain. */
static struct divisor without_low(struct divisor by, size_t words)
{
	by.d += words;
	by.n -= words;
	return by;
}

#define DIVIDE_BY(n)                                                                               \
	static __attribute__((__noinline__)) void divide_by_##n(                                   \
		cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d)             \
	{                                                                                          \
		cc_word v[n], w[n + 1];                                                            \
		size_t i;                                                                          \
                                                                                                   \
		cc_divide_unrolled(q, a, an, d, n, 0, v, w);                                       \
		for (i = 0; i < n; i++)                                                            \
			r[i] = cc_shifted_back(w + 1, n, i, cc_word_clz(d[n - 1]));                \
	}
DIVIDE_BY(2)
DIVIDE_BY(3)
DIVIDE_BY(4)
DIVIDE_BY(5)
DIVIDE_BY(6)

/* By 2 to CC_UNROLLED_REMAINDER words. */
static inline void divide_by_short(cc_word *q, cc_word *r, const cc_word *a, size_t an,
				   const cc_word *d, size_t dn)
{
	switch (dn) {
	case 2:
		divide_by_2(q, r, a, an, d);
		break;
	case 3:
		divide_by_3(q, r, a, an, d);
		break;
	case 4:
		divide_by_4(q, r, a, an, d);
		break;
	case 5:
		divide_by_5(q, r, a, an, d);
		break;
	default:
		divide_by_6(q, r, a, an, d);
	}
}

/*
 * q[m] = a[n + m] / d[n]; a[n] = the remainder, for an a whose top n words are below d.
 * The top words of the remainder so far are in u2 and u1.  The words above a[n] are undefined
 * afterwards.
 *
 * With an end, the upper digits of a quotient without a remainder: by.n words are enough for the
 * first, and for the others as quotient.c says, so that there is a low word less of both for each
 * but those of which there are still by.n - 2 or more below.  Returns 0 if a digit does not fit.
 */
static int divide_by_few(cc_word *q, cc_word *a, size_t m, struct divisor by, size_t end)
{
	const cc_word *d = by.d;
	size_t n = by.n;
	cc_word d1 = d[n - 1], d0 = d[n - 2], u2, u1;

	u2 = a[m + n - 1];
	u1 = a[m + n - 2];
	while (m-- > end) {
		cc_word digit, above, borrow;

		if (end && n > m + 2) {
			n--;
			a++;
			d++;
		}
		if (u2 == d1 && u1 == d0) {
			if (end)
				return 0;
			/*
			 * The digit is B - 1: (B - 1) d < (d1 : d0) B^(n-1) + B^(n-1) - d
			 * is below the dividend, because d > B^(n-1).
			 */
			digit = ~(cc_word)0;
			a[m + n - 1] = u1;
			by.k->submul_1(a + m, d, n, digit);
			u2 = a[m + n - 1];
			u1 = a[m + n - 2];
			q[m] = digit;
			continue;
		}
		digit = cc_word_div_3by2(&u2, &u1, u2, u1, a[m + n - 2], d1, d0, by.reciprocal);
		above = by.k->submul_1(a + m, d, n - 2, digit);
		borrow = u1 < above;
		u1 -= above;
		above = u2 < borrow;
		u2 -= borrow;
		if (__builtin_expect(above != 0, 0)) {
			/* one too large: the carry out of this addition cancels the borrow */
			digit--;
			a[m + n - 2] = u1;
			u2 += d1 + by.k->add(a + m, a + m, d, n - 1);
			u1 = a[m + n - 2];
		}
		q[m] = digit;
	}
	a += end;
	a[n - 1] = u2;
	a[n - 2] = u1;
	return 1;
}

/* The top words of a remainder, and what is still to be taken from the lowest of them. */
struct top {
	cc_word u2, u1, u0, late;
};

/* Takes what is late; if the remainder is negative, or was, adds the divisor, and makes q 1 less.
 */
static void settle(struct top *u, cc_word negative, cc_word *q, cc_word *a, struct divisor by)
{
	size_t n = by.n;
	cc_word borrow = 0, carry = 0;

	u->u0 = cc_word_sub(u->u0, u->late, &borrow);
	u->u1 = cc_word_sub(u->u1, 0, &borrow);
	u->u2 = cc_word_sub(u->u2, 0, &borrow);
	u->late = 0;
	if (!(borrow | negative))
		return;
	--*q;
	a[n - 3] = u->u0;
	carry = by.k->add(a, a, by.d, n - 2);
	u->u0 = a[n - 3];
	u->u1 = cc_word_add(u->u1, by.d[n - 2], &carry);
	u->u2 = cc_word_add(u->u2, by.d[n - 1], &carry);
}

/*
 * The same for more words, n >= 4.  The digit's products with the divisor's four top words give the
 * three top words of what remains, but for at most 2, which is carried from below and taken late.
 * So the next digit is on its way while the digit's products with the lower words are subtracted.
 */
static int divide_by_many(cc_word *q, cc_word *a, size_t m, struct divisor by, size_t end)
{
	const cc_word *top = by.d + by.n;
	cc_word d1 = top[-1], d0 = top[-2], third = top[-3], fourth = top[-4];
	size_t n = by.n;
	struct top u;

	if (m == end)
		return 1;
	u = (struct top){a[m + n - 1], a[m + n - 2], a[m + n - 3], 0};
	while (m-- > end) {
		cc_word r1, r0, digit, p1, p0, h, negative, borrow = 0, *low;

		if (end && n > m + 2) {
			n--;
			a++;
			by = without_low(by, 1);
		}
		low = a + m;

		if (__builtin_expect(u.u2 > d1 || (u.u2 == d1 && u.u1 >= d0), 0)) {
			settle(&u, 0, q, low + 1, by);
			if (u.u2 == d1 && u.u1 == d0) {
				if (end)
					return 0;
				low[n - 1] = u.u1;
				low[n - 2] = u.u0;
				q[m] = ~(cc_word)0;
				by.k->submul_1(low, by.d, n, ~(cc_word)0);
				u = (struct top){low[n - 1], low[n - 2], low[n - 3], 0};
				continue;
			}
		}
		digit = cc_word_div_3by2(&r1, &r0, u.u2, u.u1, u.u0, d1, d0, by.reciprocal);
		r0 = cc_word_sub(r0, u.late, &borrow);
		r1 = cc_word_sub(r1, 0, &borrow);
		if (__builtin_expect(borrow != 0, 0)) {
			digit--;
			borrow = 0;
			r0 = cc_word_add(r0, d0, &borrow);
			r1 += d1 + borrow;
			borrow = 0;
		}
		p0 = cc_word_mul(&p1, digit, third);
		cc_word_mul(&h, digit, fourth);
		u.u0 = cc_word_sub(low[n - 3], p0, &borrow);
		u.u1 = cc_word_sub(r0, p1, &borrow);
		u.u2 = cc_word_sub(r1, 0, &borrow);
		negative = borrow;
		borrow = 0;
		u.u0 = cc_word_sub(u.u0, h, &borrow);
		u.u1 = cc_word_sub(u.u1, 0, &borrow);
		u.u2 = cc_word_sub(u.u2, 0, &borrow);
		q[m] = digit;
		u.late = by.k->submul_1(low, by.d, n - 3, digit) - h;
		/* or if it may be negative with what is late */
		negative |= borrow;
		if (__builtin_expect(negative || !u.u2, 0))
			settle(&u, negative, q + m, low, by);
	}
	a += end;
	settle(&u, 0, q + end, a, by);
	a[n - 1] = u.u2;
	a[n - 2] = u.u1;
	a[n - 3] = u.u0;
	return 1;
}

/* From so many words on, the second way is faster. */
#define MANY 13

static void divide_digits(cc_word *q, cc_word *a, size_t m, struct divisor by)
{
	if (by.n < MANY)
		divide_by_few(q, a, m, by, 0);
	else
		divide_by_many(q, a, m, by, 0);
}

/* a[n] / d[n], 0 or 1; a[n] = the remainder */
static inline cc_word digit_above(cc_word *a, struct divisor by)
{
	cc_word digit = cc_limbs_cmp(a, by.d, by.n) >= 0;

	if (digit)
		by.k->sub(a, a, by.d, by.n);
	return digit;
}

int cc_natural_divide_upper(cc_word *q, cc_word *a, size_t m, const cc_word *d, size_t n,
			    cc_word reciprocal, size_t end)
{
	struct divisor by = {cc_limbs_kernels(), d, n, reciprocal, NULL};

	return n < MANY ? divide_by_few(q, a, m, by, end) : divide_by_many(q, a, m, by, end);
}

/*
 * The divisions below do not require that a's top words are below d:
 *   q[m] and a returned top digit 0 or 1 = a[n + m] / d[n]; a[n] = the remainder.
 */
static cc_word divide_schoolbook(cc_word *q, cc_word *a, size_t m, struct divisor by)
{
	cc_word top = digit_above(a + m, by);

	divide_digits(q, a, m, by);
	return top;
}

/*
 * a[n] -= q[m] d0[k], where q is the quotient by the divisor's upper part alone, with @top
 * above it, and d0 is the divisor's lower part, n >= m + k.  q is too large by at most 2,
 * because the divisor is normalised; q and a are corrected.  Returns the top digit.  If it is
 * stopped, it returns at once, because the number of corrections is then unbounded.
 */
static cc_word subtract_low(cc_word *q, size_t m, cc_word top, cc_word *a, struct divisor by,
			    size_t k, cc_word *t)
{
	size_t n = by.n;
	cc_word borrow;

	cc_natural_mul_watched(t, q, m, by.d, k, t + m + k, by.watch);
	if (cc_watch_stopped(by.watch))
		return 0;
	borrow = by.k->sub(a, a, t, m + k);
	borrow = cc_limbs_sub_1(a + m + k, a + m + k, n - m - k, borrow);
	if (top) {
		cc_word low = by.k->sub(a + m, a + m, by.d, k);

		borrow += cc_limbs_sub_1(a + m + k, a + m + k, n - m - k, low);
	}
	while (borrow) {
		top -= cc_limbs_sub_1(q, q, m, 1);
		borrow -= by.k->add(a, a, by.d, n);
	}
	return top;
}

/* 1 <= m <= n; t as divide_scratch() says */
static cc_word divide_recursive(cc_word *q, cc_word *a, size_t m, struct divisor by, cc_word *t)
{
	size_t low = m / 2, high = m - low;
	cc_word top;

	if (m < cc_thresholds()->divide)
		return divide_schoolbook(q, a, m, by);
	/* both halves, and both products, may be a little too short to ask by themselves */
	if (cc_watch_step(by.watch, 2 * m))
		return 0;
	top = divide_recursive(q + low, a + 2 * low, high, without_low(by, low), t);
	top = subtract_low(q + low, high, top, a + low, by, low, t);
	subtract_low(q, low, divide_recursive(q, a + low, low, without_low(by, low), t), a, by, low,
		     t);
	return top;
}

/* Fewer quotient digits than divisor words: only the divisor's top m words matter at first. */
static cc_word divide_short(cc_word *q, cc_word *a, size_t m, struct divisor by, cc_word *t)
{
	size_t k = by.n - m;
	cc_word top;

	if (m < cc_thresholds()->divide)
		return divide_schoolbook(q, a, m, by);
	top = divide_recursive(q, a + k, m, without_low(by, k), t);
	return subtract_low(q, m, top, a, by, k, t);
}

/*
 * A quotient of one or two words, which the upper parts mostly decide; then the remainder, of which
 * only dn words are looked at.  Returns 0 if they don't.
 */
static int by_quotient(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d,
		       size_t dn, cc_word *scratch)
{
	const struct cc_limbs_kernels *k = cc_limbs_kernels();

	if (!cc_natural_quotient_by_top(q, a, an, d, dn, scratch))
		return 0;
	if (r != a)
		cc_copy_words(r, a, dn);
	k->submul_1(r, d, dn, q[0]);
	if (an > dn && q[1])
		k->submul_1(r + 1, d, dn - 1, q[1]);
	return 1;
}

/*
 * Both operands, shifted; and the scratch of a reciprocal, or of the products in
 * subtract_low().  The factors of these have together at most as many words as the divisor, so
 * two halves of it need the most.  All terms grow with either length.
 */
size_t cc_natural_divrem_scratch(size_t an, size_t dn)
{
	size_t products, reciprocal;

	if (dn < 3)
		return 0;
	products = dn + cc_natural_mul_scratch(dn - dn / 2, dn / 2);
	reciprocal = cc_reciprocal_scratch(an, dn);
	return an + 1 + dn + (products > reciprocal ? products : reciprocal);
}

void cc_natural_divrem_watched(cc_word *q, cc_word *r, const cc_word *a, size_t an,
			       const cc_word *d, size_t dn, cc_word *scratch, struct cc_watch *w)
{
	const struct cc_limbs_kernels *k = cc_limbs_kernels();
	cc_word *u = scratch, *v = u + an + 1, *t = v + dn;
	size_t m = an - dn + 1, step;
	struct divisor by = {k, v, dn, 0, w};
	unsigned int shift;

	if (dn == 1) {
		r[0] = cc_limbs_divrem_1(q, a, an, d[0]);
		return;
	}
	if (dn <= CC_UNROLLED_REMAINDER) {
		divide_by_short(q, r, a, an, d, dn);
		return;
	}
	if (m <= 2 && by_quotient(q, r, a, an, d, dn, scratch))
		return;
	shift = cc_word_clz(d[dn - 1]);
	if (shift) {
		k->lshift(v, d, dn, shift);
		u[an] = k->lshift(u, a, an, shift);
	} else {
		by.d = d;
		memcpy(u, a, an * sizeof(*u));
		u[an] = 0;
	}
	by.reciprocal = cc_word_reciprocal_3by2(by.d[dn - 1], by.d[dn - 2]);

	/* u's top dn words are below v, here and from here on */
	if (a[an - 1] < d[dn - 1])
		q[--m] = 0;
	else if (!shift && m--)
		q[m] = digit_above(u + m, by);
	if (m < cc_thresholds()->divide || dn < cc_thresholds()->divide) {
		divide_digits(q, u, m, by);
	} else if (cc_reciprocal_wins(m, dn)) {
		cc_divide_by_reciprocal(q, u, m, by.d, dn, t, w);
	} else {
		step = m % dn;
		if (step) {
			m -= step;
			divide_short(q + m, u + m, step, by, t);
		}
		while (m && !cc_watch_step(w, dn)) {
			m -= dn;
			divide_recursive(q + m, u + m, dn, by, t);
		}
	}
	if (shift)
		k->rshift(r, u, dn, shift);
	else
		memcpy(r, u, dn * sizeof(*r));
}

cc_word cc_natural_divide_watched(cc_word *q, cc_word *a, size_t m, const cc_word *d, size_t n,
				  cc_word reciprocal, cc_word *scratch, struct cc_watch *w)
{
	struct divisor by = {cc_limbs_kernels(), d, n, reciprocal, w};
	cc_word top;

	if (!cc_reciprocal_wins(m, n)) {
		return m < n ? divide_short(q, a, m, by, scratch)
			     : divide_recursive(q, a, m, by, scratch);
	}
	memcpy(scratch, a, (m + n) * sizeof(*a));
	scratch[m + n] = 0;
	top = digit_above(scratch + m, by);
	cc_divide_by_reciprocal(q, scratch, m, d, n, scratch + m + n + 1, w);
	memcpy(a, scratch, n * sizeof(*a));
	return top;
}

void cc_natural_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d,
		       size_t dn, cc_word *scratch)
{
	/* here, so that short divisors need not prepare what longer ones do */
	if (dn == 1)
		r[0] = cc_limbs_divrem_1(q, a, an, d[0]);
	else if (dn <= CC_UNROLLED_REMAINDER)
		divide_by_short(q, r, a, an, d, dn);
	else
		cc_natural_divrem_watched(q, r, a, an, d, dn, scratch, NULL);
}
