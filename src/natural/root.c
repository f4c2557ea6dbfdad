// SPDX-License-Identifier: MIT
/*
 * Square root with remainder: the upper half of the root is that of the operand's upper half;
 * one division gives its lower half (P. Zimmermann, Karatsuba Square Root, 1999; Brent and
 * Zimmermann, Modern Computer Arithmetic, algorithm 1.12).
 */
#include "product.h"

#include "../limbs/kernels.h"

#define HALF (CC_WORD_BITS / 2)

/* 2^16 sqrt(128 / (i + 1/2)), rounded, for i from 128 to 511 */
static const uint16_t inverse_roots[384] = {
	65408, 65155, 64905, 64658, 64414, 64172, 63933, 63696, 63463, 63232, 63003, 62777, 62553,
	62331, 62112, 61895, 61681, 61469, 61258, 61050, 60845, 60641, 60439, 60239, 60041, 59845,
	59651, 59459, 59269, 59081, 58894, 58709, 58526, 58344, 58165, 57986, 57810, 57635, 57462,
	57290, 57120, 56951, 56784, 56618, 56453, 56291, 56129, 55969, 55810, 55653, 55497, 55342,
	55188, 55036, 54885, 54735, 54587, 54439, 54293, 54148, 54004, 53862, 53720, 53580, 53440,
	53302, 53165, 53029, 52894, 52760, 52627, 52494, 52363, 52233, 52104, 51976, 51849, 51722,
	51597, 51473, 51349, 51226, 51104, 50984, 50863, 50744, 50626, 50508, 50391, 50275, 50160,
	50046, 49932, 49819, 49707, 49596, 49485, 49376, 49266, 49158, 49050, 48943, 48837, 48731,
	48627, 48522, 48419, 48316, 48214, 48112, 48011, 47911, 47811, 47712, 47613, 47516, 47418,
	47322, 47225, 47130, 47035, 46941, 46847, 46754, 46661, 46569, 46477, 46386, 46296, 46206,
	46116, 46027, 45939, 45851, 45764, 45677, 45590, 45504, 45419, 45334, 45249, 45165, 45082,
	44999, 44916, 44834, 44752, 44671, 44590, 44510, 44430, 44350, 44271, 44192, 44114, 44036,
	43959, 43882, 43805, 43729, 43653, 43577, 43502, 43428, 43353, 43279, 43206, 43133, 43060,
	42987, 42915, 42844, 42772, 42701, 42631, 42560, 42490, 42421, 42352, 42283, 42214, 42146,
	42078, 42010, 41943, 41876, 41809, 41743, 41677, 41611, 41546, 41481, 41416, 41352, 41288,
	41224, 41160, 41097, 41034, 40971, 40909, 40847, 40785, 40723, 40662, 40601, 40540, 40480,
	40420, 40360, 40300, 40241, 40182, 40123, 40064, 40006, 39948, 39890, 39832, 39775, 39718,
	39661, 39604, 39548, 39492, 39436, 39380, 39325, 39269, 39215, 39160, 39105, 39051, 38997,
	38943, 38890, 38836, 38783, 38730, 38677, 38625, 38572, 38520, 38469, 38417, 38365, 38314,
	38263, 38212, 38162, 38111, 38061, 38011, 37961, 37911, 37862, 37813, 37764, 37715, 37666,
	37617, 37569, 37521, 37473, 37425, 37378, 37330, 37283, 37236, 37189, 37142, 37096, 37050,
	37003, 36957, 36912, 36866, 36820, 36775, 36730, 36685, 36640, 36596, 36551, 36507, 36463,
	36419, 36375, 36331, 36287, 36244, 36201, 36158, 36115, 36072, 36029, 35987, 35945, 35903,
	35861, 35819, 35777, 35735, 35694, 35653, 35612, 35571, 35530, 35489, 35448, 35408, 35368,
	35327, 35287, 35247, 35208, 35168, 35129, 35089, 35050, 35011, 34972, 34933, 34894, 34856,
	34817, 34779, 34741, 34703, 34665, 34627, 34589, 34552, 34514, 34477, 34440, 34403, 34366,
	34329, 34292, 34255, 34219, 34183, 34146, 34110, 34074, 34038, 34002, 33967, 33931, 33896,
	33860, 33825, 33790, 33755, 33720, 33685, 33650, 33616, 33581, 33547, 33513, 33478, 33444,
	33410, 33377, 33343, 33309, 33276, 33242, 33209, 33175, 33142, 33109, 33076, 33043, 33011,
	32978, 32945, 32913, 32881, 32848, 32816, 32784,
};

/*
 * floor(sqrt x) for x >= B / 4, without a division or a branch.  With X = x / B 2^64 and
 * S = sqrt X:
 *
 * r = 2^16 (1 + c) / sqrt(X / 2^62) with |c| < 2^-8.9, from the top 9 bits.  A step of Newton's
 * iteration, r + r (1 - X r^2) / 2, has c' with |c'| < 3/2 c^2 + 2^-28 < 2^-17.2 (in units of
 * 2^-32).  s = X r is S (1 + c''), |c''| < 2^-17.1, so that |S - s| < 2^14.9 and |X - s^2| < 2^48.
 * Last, s + (X - s^2) r / 2 is S less (S - s)^2 / 2S < 1/4, and less or more by |S - s| |c'| < 1/4;
 * 1 + 2^-14 at most is dropped.  So the result is between S - 2 and S + 1/4: the root, or 1 beside
 * it.  All shifts of signed numbers round down.
 */
static inline cc_word root_of_word(cc_word word)
{
	const uint64_t x = (uint64_t)word << (64 - CC_WORD_BITS);
	const int64_t one = (int64_t)1 << 61;
	const int64_t r = inverse_roots[(x >> 55) - 128], y = (int64_t)(x >> 33);
	int64_t fine = (r << 16) + (r * ((one - y * (r * r)) >> 29) >> 17), s = y * fine >> 30,
		rest;

	rest = (int64_t)(x - (uint64_t)s * (uint64_t)s);
	s += (rest >> 17) * fine >> 47;
	/* of 2^32, which is too large, the square is 0, but x >= 2^63, and that is negative */
	rest = (int64_t)(x - (uint64_t)s * (uint64_t)s);
	s += (rest >> 63) + (rest > 2 * s);
	return (cc_word)((uint64_t)s >> (32 - HALF));
}

/* floor(sqrt(a1 : a0)) or 1 more, but below B, for a1 >= B / 4 */
static inline cc_word about_root_of_two(cc_word a1, cc_word a0)
{
	cc_word high = root_of_word(a1), rest = a1 - high * high, q;

	/* rest <= 2 high; q <= 2^HALF is the lower half, or too large by 1 */
	q = (rest << (HALF - 1) | a0 >> (HALF + 1)) / high;
	q -= q >> HALF;
	return high << HALF | q;
}

/* *a1 : *a0 -= s^2 for the root s, or 1 more; returns the root */
static inline cc_word take_square(cc_word s, cc_word *a1, cc_word *a0)
{
	cc_word p1, p0 = cc_word_mul(&p1, s, s), borrow = 0;

	*a0 = cc_word_sub(*a0, p0, &borrow);
	*a1 -= p1 + borrow;
	if (*a1 >> (CC_WORD_BITS - 1)) {
		/* r + s^2 - (s - 1)^2 = r + 2 (s - 1) + 1 */
		s--;
		p0 = 2 * s + 1;
		*a0 += p0;
		*a1 += (s >> (CC_WORD_BITS - 1)) + (*a0 < p0);
	}
	return s;
}

/*
 * Every root below has this shape:
 *   s[k] = floor(sqrt(a[2k])) for a[2k - 1] >= B / 4;
 *   a[k] and a returned top digit 0 or 1 = the remainder.
 */
static inline cc_word root_of_two(cc_word *s, cc_word *a)
{
	cc_word a1 = a[1];

	s[0] = take_square(about_root_of_two(a1, a[0]), &a1, a);
	return a1;
}

/* (u1 : u0) / d for d >= B / 2 and d > u1: the quotient, and *rem */
static inline cc_word divide_once(cc_word *rem, cc_word u1, cc_word u0, cc_word d)
{
#if CC_WORD_BITS == 64
	return cc_div_once_u64(rem, u1, u0, d);
#else
	return cc_div_once_u32(rem, u1, u0, d, cc_reciprocal_once_u32(d));
#endif
}

/* As root_recursive() below does, for k = 2. */
static cc_word root_of_four(cc_word *s, cc_word *a)
{
	cc_word r1 = a[3], r0 = a[2], s1 = take_square(about_root_of_two(r1, r0), &r1, &r0);
	cc_word half1 = r1 << (CC_WORD_BITS - 1) | r0 >> 1;
	cc_word half0 = r0 << (CC_WORD_BITS - 1) | a[1] >> 1;
	cc_word q = 0, u = half0, top = half1 == s1, p1, p0, carry, borrow = 0;

	if (!top)
		q = divide_once(&u, half1, half0, s1);
	carry = u >> (CC_WORD_BITS - 1);
	u = u << 1 | (a[1] & 1);
	p0 = cc_word_mul(&p1, q, q);
	a[0] = cc_word_sub(a[0], p0, &borrow);
	a[1] = cc_word_sub(u, p1, &borrow);
	carry -= top + borrow;
	if (carry >> (CC_WORD_BITS - 1)) {
		s1 -= !q - top;
		q--;
		p1 = s1 << 1 | q >> (CC_WORD_BITS - 1);
		p0 = q << 1 | 1;
		borrow = 0;
		a[0] = cc_word_add(a[0], p0, &borrow);
		a[1] = cc_word_add(a[1], p1, &borrow);
		carry += (s1 >> (CC_WORD_BITS - 1)) + borrow;
	}
	s[0] = q;
	s[1] = s1;
	return carry;
}

/* The remainder a[k], with @carry above it, of a root that is 1 too large: s[l + h] with @top. */
static cc_word one_less(cc_word *s, cc_word *a, size_t l, size_t h, cc_word top, cc_word carry)
{
	/* r + s^2 - (s - 1)^2 = r + 2 (s - 1) + 1 */
	cc_limbs_sub_1(s + l, s + l, h, cc_limbs_sub_1(s, s, l, 1) - top);
	carry += cc_limbs_addmul_1(a, s, l + h, 2);
	return carry + cc_limbs_add_1(a, a, l + h, 1);
}

/* As root_recursive() below does, for l = 1 or 2 and h = 2; *reciprocal is by the upper words. */
static inline __attribute__((always_inline)) cc_word root_by_two(cc_word *s, cc_word *a, size_t l,
								 cc_word *reciprocal)
{
	cc_word top = root_of_four(s + l, a + 2 * l), d1 = s[l + 1], d0 = s[l];
	cc_word u1 = top << (CC_WORD_BITS - 1) | a[2 * l + 1] >> 1;
	cc_word u0 = a[2 * l + 1] << (CC_WORD_BITS - 1) | a[2 * l] >> 1;
	cc_word v = cc_word_reciprocal_3by2(d1, d0), square[4], p1, p0, borrow = 0, carry;
	size_t i;

	*reciprocal = v;
	/* then they are equal, as the remainder is twice the root at most */
	top = u1 == d1 && u0 == d0;
	if (top)
		u1 = u0 = 0;
	for (i = l; i--;) {
		cc_word next = a[l + i + 1] << (CC_WORD_BITS - 1) | a[l + i] >> 1;

		s[i] = cc_word_div_3by2(&u1, &u0, u1, u0, next, d1, d0, v);
	}
	carry = u1 >> (CC_WORD_BITS - 1);
	u1 = u1 << 1 | u0 >> (CC_WORD_BITS - 1);
	u0 = u0 << 1 | (a[l] & 1);

	square[0] = cc_word_mul(&square[1], s[0], s[0]);
	if (l == 1) {
		a[0] = cc_word_sub(a[0], square[0], &borrow);
		a[1] = cc_word_sub(u0, square[1], &borrow);
		borrow += top;
		a[2] = u1 - borrow;
		carry -= u1 < borrow;
	} else {
		square[2] = cc_word_mul(&square[3], s[1], s[1]);
		p0 = cc_word_mul(&p1, s[0], s[1]);
		square[3] += p1 >> (CC_WORD_BITS - 1);
		p1 = p1 << 1 | p0 >> (CC_WORD_BITS - 1);
		square[1] = cc_word_add(square[1], p0 << 1, &borrow);
		square[2] = cc_word_add(square[2], p1, &borrow);
		square[3] += borrow;
		borrow = 0;
		a[0] = cc_word_sub(a[0], square[0], &borrow);
		a[1] = cc_word_sub(a[1], square[1], &borrow);
		a[2] = cc_word_sub(u0, square[2], &borrow);
		a[3] = cc_word_sub(u1, square[3], &borrow);
		carry -= top + borrow;
	}
	if (!(carry >> (CC_WORD_BITS - 1)))
		return carry;
	carry = one_less(s, a, l, 2, top, carry);
	if (s[l] != d0)
		*reciprocal = cc_word_reciprocal_3by2(s[l + 1], s[l]);
	return carry;
}

/*
 * With a = a1 B^2l + (a01 B^l + a00) and l = k / 2: s1, r1 = root(a1), then q, u =
 * divide(r1 B^l + a01, 2 s1), so that a - (s1 B^l + q)^2 = u B^l + a00 - q^2.  If that is
 * negative, the root is exactly 1 less, because s1 >= B^(k - l) / 2.  *reciprocal is by the two
 * top words of the root, for k >= 3; they are those of s1, unless the root became 1 less.
 */
static cc_word root_recursive(cc_word *s, cc_word *a, size_t k, cc_word *reciprocal, cc_word *t,
			      struct cc_watch *w)
{
	const struct cc_limbs_kernels *limbs;
	size_t l = k / 2, h = k - l;
	cc_word *s1 = s + l, top, odd, carry, d0;

	switch (k) {
	case 1:
		return root_of_two(s, a);
	case 2:
		return root_of_four(s, a);
	case 3:
		return root_by_two(s, a, 1, reciprocal);
	case 4:
		return root_by_two(s, a, 2, reciprocal);
	}
	top = root_recursive(s1, a + 2 * l, h, reciprocal, t, w);
	if (cc_watch_step(w, k))
		return 0;
	/* half of the dividend by s1, then twice the remainder and what was cut off */
	limbs = cc_limbs_kernels();
	odd = a[l] & 1;
	limbs->rshift(a + l, a + l, k, 1);
	a[l + k - 1] |= top << (CC_WORD_BITS - 1);
	top = cc_natural_divide_watched(s, a + l, l, s1, h, *reciprocal, t, w);
	if (cc_watch_stopped(w))
		return 0;
	carry = limbs->lshift(a + l, a + l, h, 1);
	a[l] |= odd;

	/* q = B^l, if its @top is set, and then s[l] = 0: it is too large, as (s1 + 1) B^l is */
	cc_natural_sqr_watched(t, s, l, t + 2 * l, w);
	if (cc_watch_stopped(w))
		return 0;
	carry -= cc_limbs_sub_1(a + 2 * l, a + 2 * l, k - 2 * l, top + limbs->sub(a, a, t, 2 * l));
	if (carry >> (CC_WORD_BITS - 1)) {
		d0 = s[k - 2];
		carry = one_less(s, a, l, h, top, carry);
		if (s[k - 2] != d0)
			*reciprocal = cc_word_reciprocal_3by2(s[k - 1], s[k - 2]);
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
	divide = cc_natural_divrem_scratch(k, k - l);
	square = 2 * l + cc_natural_sqr_scratch(l);
	return n + 1 + (divide > square ? divide : square);
}

static size_t isqrt_1(cc_word *root, cc_word *rem, cc_word a)
{
	unsigned int even = cc_word_clz(a) & ~1u;
	cc_word s = root_of_word(a << even) >> even / 2;

	root[0] = s;
	rem[0] = a - s * s;
	return rem[0] != 0;
}

static size_t isqrt_2(cc_word *root, cc_word *rem, const cc_word *a)
{
	unsigned int even = cc_word_clz(a[1]) & ~1u, back = CC_WORD_BITS - 1 - even;
	cc_word high = a[1], low = a[0];
	cc_word s = about_root_of_two(high << even | low >> 1 >> back, low << even) >> even / 2;

	root[0] = take_square(s, &high, &low);
	rem[0] = low;
	rem[1] = high;
	return high ? 2 : low != 0;
}

size_t cc_natural_isqrt_watched(cc_word *root, cc_word *rem, const cc_word *a, size_t n,
				cc_word *scratch, struct cc_watch *w)
{
	const struct cc_limbs_kernels *limbs = cc_limbs_kernels();
	size_t k = (n + 1) / 2, low = n % 2, length = k + 1 - low;
	unsigned int even = cc_word_clz(a[n - 1]) & ~1u, e = even / 2 + (unsigned int)low * HALF;
	cc_word *u = scratch, extra, high, product, top, reciprocal;

	/* root(a 2^2e): a word of zeros below an odd number of them, and the top one's shift */
	u[0] = 0;
	limbs->lshift(u + low, a, n, even);
	top = root_recursive(root, u, k, &reciprocal, u + 2 * k, w);
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
	length -= !rem[length - 1];
	return cc_limbs_normalise(rem, length);
}

size_t cc_natural_isqrt(cc_word *root, cc_word *rem, const cc_word *a, size_t n, cc_word *scratch)
{
	if (n == 1)
		return isqrt_1(root, rem, a[0]);
	if (n == 2)
		return isqrt_2(root, rem, a);
	return cc_natural_isqrt_watched(root, rem, a, n, scratch, NULL);
}
