// SPDX-License-Identifier: MIT
/*
 * Quotients without the remainder.
 *
 * Of the divisor's n words, digit j of the quotient, j >= 0, needs the top j + 2.  What is left
 * out, the digit's product with the words below, is less than B B^(n - j - 2) B^j = B^(n - 1).  So
 * what remains of the dividend after m digits is too large by less than m B^(n - 1), and if its top
 * word, that of B^(n - 1), is at least m, no digit is.
 */
#include "quotient.h"

#include "../limbs/kernels.h"
#include "unrolled.h"

/* Of a quotient: whether it may be 1 less, or is not what was computed. */
enum known {
	WRONG,
	NEAR,
	EXACT,
};

/* So many last digits stay in registers: the first of them needs CC_UNROLLED words. */
#define LAST (CC_UNROLLED - 1)

/* Half of the rows are left out: recursive division is faster only from so many times its digits
 * on. */
#define QUOTIENT_ROWS 3

/* Whether w[k + 1] / v[k] is a word. */
static inline int fits(const cc_word *w, const cc_word *v, size_t k)
{
	return w[k] != v[k - 1] || w[k - 1] != v[k - 2];
}

/*
 * q[k - 1] = the last digits of w[k + 1] / v[k], by steps that need a word less each, of a quotient
 * of
 * @most digits.  k is a constant.
 */
static inline __attribute__((__always_inline__)) enum known
divide_last(cc_word *q, cc_word *w, const cc_word *v, size_t k, cc_word reciprocal, size_t most)
{
#pragma GCC unroll 8
	for (; k >= 2; k--, v++) {
		if (!fits(w, v, k))
			return WRONG;
		q[k - 2] = cc_divide_step(w, v, k, reciprocal);
	}
	return w[1] >= most ? EXACT : NEAR;
}

#define DIVIDE_LAST(k)                                                                             \
	static __attribute__((__noinline__)) enum known divide_last_##k(                           \
		cc_word *q, const cc_word *a, const cc_word *d, cc_word reciprocal, size_t most)   \
	{                                                                                          \
		cc_word w[k + 1], v[k];                                                            \
                                                                                                   \
		memcpy(w, a, sizeof(w));                                                           \
		memcpy(v, d, sizeof(v));                                                           \
		return divide_last(q, w, v, k, reciprocal, most);                                  \
	}
DIVIDE_LAST(2)
DIVIDE_LAST(3)
DIVIDE_LAST(4)
DIVIDE_LAST(5)
DIVIDE_LAST(6)
DIVIDE_LAST(7)
DIVIDE_LAST(8)

/* q[an - n + 1] = a[an] / d[n], an >= 2n - 2 */
#define QUOTIENT_BY(n)                                                                             \
	static __attribute__((__noinline__)) enum known quotient_by_##n(                           \
		cc_word *q, const cc_word *a, size_t an, const cc_word *d)                         \
	{                                                                                          \
		cc_word v[n], w[n + 1], reciprocal;                                                \
                                                                                                   \
		reciprocal = cc_divide_unrolled(q, a, an, d, n, (n)-2, v, w);                      \
		return divide_last(q, w + 1, v + 1, (n)-1, reciprocal, an - (n) + 1);              \
	}
QUOTIENT_BY(3)
QUOTIENT_BY(4)
QUOTIENT_BY(5)
QUOTIENT_BY(6)
QUOTIENT_BY(7)
QUOTIENT_BY(8)

static enum known quotient_by_few(cc_word *q, const cc_word *a, size_t an, const cc_word *d,
				  size_t dn)
{
	switch (dn) {
	case 3:
		return quotient_by_3(q, a, an, d);
	case 4:
		return quotient_by_4(q, a, an, d);
	case 5:
		return quotient_by_5(q, a, an, d);
	case 6:
		return quotient_by_6(q, a, an, d);
	case 7:
		return quotient_by_7(q, a, an, d);
	default:
		return quotient_by_8(q, a, an, d);
	}
}

/* q[m] = a[m + n] / d[n], where 2 <= n <= m + 1, of a quotient of @most digits. */
static enum known divide_top(cc_word *q, cc_word *a, size_t m, const cc_word *d, size_t n,
			     cc_word reciprocal, size_t most)
{
	if (m > LAST) {
		if (!cc_natural_divide_upper(q, a, m, d, n, reciprocal, LAST))
			return WRONG;
		m = LAST;
	}
	/* the top m + 2 words, and m + 1 */
	a += n - 2;
	d += n - (m + 1);
	switch (m) {
	case 1:
		return divide_last_2(q, a, d, reciprocal, most);
	case 2:
		return divide_last_3(q, a, d, reciprocal, most);
	case 3:
		return divide_last_4(q, a, d, reciprocal, most);
	case 4:
		return divide_last_5(q, a, d, reciprocal, most);
	case 5:
		return divide_last_6(q, a, d, reciprocal, most);
	case 6:
		return divide_last_7(q, a, d, reciprocal, most);
	default:
		return divide_last_8(q, a, d, reciprocal, most);
	}
}

/* Both operands' upper parts, shifted; or the product. */
size_t cc_natural_quotient_scratch(size_t an, size_t dn)
{
	size_t divide, multiply;

	if (dn <= CC_UNROLLED_REMAINDER && an >= 2 * dn)
		return dn;
	divide = dn + cc_natural_divrem_scratch(an, dn);
	multiply = an + 1 + cc_natural_mul_scratch(an - dn + 1, dn);

	return divide > multiply ? divide : multiply;
}

/* q[1] = a[an] / d[dn], an <= dn + 1 */
static inline enum known one_digit(cc_word *q, const cc_word *a, size_t an, const cc_word *d,
				   size_t dn)
{
	const unsigned int shift = cc_word_clz(d[dn - 1]);
	cc_word w[3], v[2];
	size_t i;

	for (i = 0; i < 3; i++)
		w[i] = cc_shifted_word(a, an, dn - 2 + i, shift);
	for (i = 0; i < 2; i++)
		v[i] = cc_shifted_word(d, dn, dn - 2 + i, shift);
	return divide_last(q, w, v, 2, cc_word_reciprocal_3by2(v[1], v[0]), 1);
}

static enum known by_top(cc_word *q, const cc_word *a, size_t an, const cc_word *d, size_t dn,
			 cc_word *scratch)
{
	const struct cc_limbs_kernels *k = cc_limbs_kernels();
	const unsigned int shift = cc_word_clz(d[dn - 1]);
	size_t m = an - dn + 1, n, cut;
	cc_word *u, *v = scratch;
	int one = 0;

	if (a[an - 1] < d[dn - 1])
		q[--m] = 0;
	else if (!shift)
		one = m-- > 0;
	if (!m) {
		q[0] = one && cc_limbs_cmp(a, d, dn) >= 0;
		return EXACT;
	}
	if (m == 1 && !one)
		return one_digit(q, a, an, d, dn);
	n = dn < m + 1 ? dn : m + 1;
	cut = dn - n;
	u = v + n;
	if (shift) {
		k->lshift(v, d + cut, n, shift);
		if (cut)
			v[0] |= d[cut - 1] >> (CC_WORD_BITS - shift);
		u[an - cut] = k->lshift(u, a + cut, an - cut, shift);
	} else {
		memcpy(v, d + cut, n * sizeof(*v));
		memcpy(u, a + cut, (an - cut) * sizeof(*u));
	}
	if (one) {
		q[m] = cc_limbs_cmp(u + m, v, n) >= 0;
		if (q[m])
			k->sub(u + m, u + m, v, n);
	}
	return divide_top(q, u, m, v, n, cc_word_reciprocal_3by2(v[n - 1], v[n - 2]), an - dn + 1);
}

int cc_natural_quotient_by_top(cc_word *q, const cc_word *a, size_t an, const cc_word *d, size_t dn,
			       cc_word *scratch)
{
	return by_top(q, a, an, d, dn, scratch) == EXACT;
}

/*
 * A long quotient q' of the upper parts, which leave r': a = a' B^c + ..., d = d' B^c + ..., so
 * that a - q' d >= (r' - q') B^c, where q' is shorter than d'.
 */
static enum known by_upper(cc_word *q, const cc_word *a, size_t an, const cc_word *d, size_t dn,
			   cc_word *scratch)
{
	size_t m = an - dn + 1, n = m + 2, cut = dn - n;

	cc_natural_divrem(q, scratch, a + cut, an - cut, d + cut, n, scratch + n);
	return cc_limbs_normalise(scratch + m, 2) || cc_limbs_cmp(scratch, q, m) > 0 ? EXACT : NEAR;
}

/* q[an - dn + 1] is the quotient, or 1 more. */
static void settle(cc_word *q, const cc_word *a, size_t an, const cc_word *d, size_t dn,
		   cc_word *scratch)
{
	size_t m = an - dn + 1;

	cc_natural_mul(scratch, q, m, d, dn, scratch + an + 1);
	if (scratch[an] || cc_limbs_cmp(scratch, a, an) > 0)
		cc_limbs_sub_1(q, q, m, 1);
}

void cc_natural_quotient(cc_word *q, const cc_word *a, size_t an, const cc_word *d, size_t dn,
			 cc_word *scratch)
{
	size_t m = an - dn + 1;
	enum known known;

	if (dn <= 2)
		known = WRONG;
	else if (m >= QUOTIENT_ROWS * cc_thresholds()->divide)
		known = dn > m + 2 ? by_upper(q, a, an, d, dn, scratch) : WRONG;
	else if (dn <= CC_UNROLLED && m >= dn)
		known = quotient_by_few(q, a, an, d, dn);
	else
		known = by_top(q, a, an, d, dn, scratch);
	if (known == NEAR && dn > CC_UNROLLED_REMAINDER)
		settle(q, a, an, d, dn, scratch);
	else if (known != EXACT)
		cc_natural_divrem(q, scratch, a, an, d, dn, scratch + dn);
}
