// SPDX-License-Identifier: MIT
/*
 * Square root with remainder: the upper half of the root is that of the operand's upper half;
 * one division gives its lower half (P. Zimmermann, Karatsuba Square Root, 1999; Brent and
 * Zimmermann, Modern Computer Arithmetic, algorithm 1.12).
 */
#include "product.h"

#include "../limbs/kernels.h"

#define HALF (CC_WORD_BITS / 2)

/*
 * floor(sqrt x) for x >= B / 4.  Let v = sqrt(x / 2^(CC_WORD_BITS - 2 bits)), with @bits bits
 * before the point: |u - v| < 1 always holds.  It holds for the first u = 6 + v^2 / 24: with
 * y = v^2, sqrt y is between 8 and 16, and (y + 144) / 24 exceeds it by
 * (sqrt y - 12)^2 / 24 <= 2 / 3; each quotient drops less than 1.  A step of Newton's iteration
 * doubles the bits: 2^bits (u + v^2 / u) / 2 exceeds 2^bits v by 2^bits (u - v)^2 / 2u, which is
 * below 1 because u >= 2^(bits - 1).
 */
static cc_word root_of_word(cc_word x)
{
	cc_word u = 6 + (x >> (CC_WORD_BITS - 8)) / 24;
	unsigned int bits;

	for (bits = 4; bits < HALF; bits *= 2)
		u = (u << (bits - 1)) + (x >> (CC_WORD_BITS - 3 * bits + 1)) / u;
	/* u may be 2^HALF, whose square is 0 */
	return u - (u * u - 1 >= x);
}

/*
 * Every root below has this shape:
 *   s[k] = floor(sqrt(a[2k])) for a[2k - 1] >= B / 4;
 *   a[k] and a returned top digit 0 or 1 = the remainder.
 */
static cc_word root_of_two(cc_word *s, cc_word *a)
{
	cc_word high = root_of_word(a[1]), rest = a[1] - high * high, q, p1, p0, borrow = 0;

	/* rest <= 2 high; q <= 2^HALF is the lower half, or too large by 1 */
	q = (rest << (HALF - 1) | a[0] >> (HALF + 1)) / high;
	q -= q >> HALF;
	s[0] = high << HALF | q;
	p0 = cc_word_mul(&p1, s[0], s[0]);
	a[0] = cc_word_sub(a[0], p0, &borrow);
	a[1] -= p1 + borrow;
	if (a[1] >> (CC_WORD_BITS - 1)) {
		/* r + s^2 - (s - 1)^2 = r + 2 (s - 1) + 1 */
		s[0]--;
		p0 = a[0] + 2 * s[0] + 1;
		a[1] += (s[0] >> (CC_WORD_BITS - 1)) + (p0 < a[0]);
		a[0] = p0;
	}
	return a[1];
}

/*
 * With a = a1 B^2l + (a01 B^l + a00) and l = k / 2: s1, r1 = root(a1), then q, u =
 * divide(r1 B^l + a01, 2 s1), so that a - (s1 B^l + q)^2 = u B^l + a00 - q^2.  If that is
 * negative, the root is exactly 1 less, because s1 >= B^(k - l) / 2.
 */
static cc_word root_recursive(cc_word *s, cc_word *a, size_t k, cc_word *t, struct cc_watch *w)
{
	const struct cc_limbs_kernels *limbs = cc_limbs_kernels();
	size_t l = k / 2, h = k - l;
	cc_word *s1 = s + l, top, one, carry;

	if (k == 1)
		return root_of_two(s, a);
	top = root_recursive(s1, a + 2 * l, h, t, w);
	if (cc_watch_step(w, k))
		return 0;
	/* first divide by s1; r1 <= 2 s1, so subtracting s1 once is enough */
	if (top)
		limbs->sub(a + 2 * l, a + 2 * l, s1, h);
	cc_natural_divrem_watched(t, a + l, a + l, k, s1, h, t + l + 1, w);
	if (cc_watch_stopped(w))
		return 0;
	top += t[l];
	one = t[0] & 1;
	limbs->rshift(s, t, l, 1);
	s[l - 1] |= top << (CC_WORD_BITS - 1);
	top >>= 1;
	carry = one ? limbs->add(a + l, a + l, s1, h) : 0;

	/* q = B^l, if its @top is set, and then s[l] = 0: it is too large, as (s1 + 1) B^l is */
	cc_natural_sqr_watched(t, s, l, t + 2 * l, w);
	if (cc_watch_stopped(w))
		return 0;
	carry -= cc_limbs_sub_1(a + 2 * l, a + 2 * l, k - 2 * l, top + limbs->sub(a, a, t, 2 * l));
	if (carry >> (CC_WORD_BITS - 1)) {
		/* r + s^2 - (s - 1)^2 = r + 2 (s - 1) + 1 */
		cc_limbs_sub_1(s1, s1, h, cc_limbs_sub_1(s, s, l, 1) - top);
		carry += limbs->addmul_1(a, s, k, 2);
		carry += cc_limbs_add_1(a, a, k, 1);
	}
	return carry;
}

/*
 * The operand in 2k words, and the scratch of a root of k words.  Recursive roots are shorter, and
 * need no more, because k / 2 and k - k / 2 grow with k, and divrem_scratch() and sqr_scratch()
 * with these.
 */
size_t cc_natural_isqrt_scratch(size_t n)
{
	size_t k = (n + 1) / 2, l = k / 2, divide, square;

	if (k < 2)
		return n + 1;
	divide = l + 1 + cc_natural_divrem_scratch(k, k - l);
	square = 2 * l + cc_natural_sqr_scratch(l);
	return n + 1 + (divide > square ? divide : square);
}

size_t cc_natural_isqrt_watched(cc_word *root, cc_word *rem, const cc_word *a, size_t n,
				cc_word *scratch, struct cc_watch *w)
{
	const struct cc_limbs_kernels *limbs = cc_limbs_kernels();
	size_t k = (n + 1) / 2, low = n % 2, length = k + 1 - low;
	unsigned int even = cc_word_clz(a[n - 1]) & ~1u, e = even / 2 + (unsigned int)low * HALF;
	cc_word *u = scratch, extra, high, product, top;

	/* root(a 2^2e): a word of zeros below an odd number of them, and the top one's shift */
	u[0] = 0;
	limbs->lshift(u + low, a, n, even);
	top = root_recursive(root, u, k, u + 2 * k, w);
	if (cc_watch_stopped(w))
		return 0;
	if (e) {
		/*
		 * root = s 2^e + x: a 2^2e - (s 2^e)^2 = r + 2 root x - x^2.  As x < 2^e and
		 * e < CC_WORD_BITS that has k + 1 words.
		 */
		extra = root[0] & (((cc_word)1 << e) - 1);
		top += limbs->addmul_1(u, root, k, 2 * extra);
		product = cc_word_mul(&high, extra, extra);
		u[k] = top;
		high += cc_limbs_sub_1(u, u, 1, product);
		cc_limbs_sub_1(u + 1, u + 1, k, high);
		limbs->rshift(root, root, k, e);
		/* by 2e bits, of which a whole word goes with the one that was put below */
		limbs->rshift(u + low, u + low, length, even);
	} else {
		u[k] = top;
	}
	memcpy(rem, u + low, length * sizeof(*rem));
	return cc_limbs_normalise(rem, length);
}

size_t cc_natural_isqrt(cc_word *root, cc_word *rem, const cc_word *a, size_t n, cc_word *scratch)
{
	return cc_natural_isqrt_watched(root, rem, a, n, scratch, NULL);
}
