/* SPDX-License-Identifier: MIT */
/*
 * many_avx2.h - four integers at once, one in each lane: arithmetic modulo four odd numbers
 * by the doubles of digits_avx2.h.
 *
 * Vector i holds digit i of all four.
 *
 * Montgomery form with R = 2^(52 d).  A product T is divided by 2^52, d times.  With q its
 * lowest digit and n = 2^-104 mod m, the quotient is (T - q) / 2^52 + q n 2^52: q needs no
 * multiplication, and the next digit does not depend on its product.  But a step with n leaves
 * two digits more than m has.  So in the last two steps, q = -T / m mod 2^52, and T becomes
 * (T + q m) / 2^52.
 *
 * Bounds.  n <= m, because n = (1 + k m) / 2^104 for a k < 2^104.  The first d - 2 steps reduce
 * T = x y below x y / 2^(52 (d - 2)) + 2^104 m, because their q together form a number below
 * 2^(52 (d - 2)), which is multiplied by 2^104 n.  After the last two, T < x y / R + 2 m.
 * R > 9 m: for x, y < 3 m, T < 3 m again, and nothing ever has to be subtracted.  For x < 3 m
 * and y = 1, T <= 2 m.
 */
#ifndef CC_FIXED_MANY_AVX2_H
#define CC_FIXED_MANY_AVX2_H

#include "columns.h"
#include "digits_avx2.h"

#if CC_BUILD_VECTORS

#define TARGET	 AVX2
#define LANES	 4
#define many_sqr cc_fixed_many_sqr_avx2
#define many_mul cc_fixed_many_mul_avx2

typedef real DIGIT;
typedef __m256d DIGITS;
typedef __m256i SUMS;

struct cc_fixed_moduli {
	size_t d;	/* digits: a multiple of COLUMNS */
	uint64_t *bias; /* 2 d words: what to add to each column, as set by ..._bias_avx2() */
	__m256d *m;	/* d + 2 digits, the top two 0 */
	__m256d *n;	/* 2^-104 mod m */
	__m256d *q;	/* room for d digits, and before them one that is 0 */
	__m256d minus_inverse; /* -1 / m mod 2^52 */
};

/* Depends only on the modulus's size */
CC_HIDDEN void cc_fixed_many_bias_avx2(const struct cc_fixed_moduli *mod);

/* r = x^2 / R, x y / R modulo the moduli, below x y / R + 2 m; r may be x or y */
CC_HIDDEN void cc_fixed_many_sqr_avx2(const struct cc_fixed_moduli *mod, __m256d *r,
				      const __m256d *x);
CC_HIDDEN void cc_fixed_many_mul_avx2(const struct cc_fixed_moduli *mod, __m256d *r,
				      const __m256d *x, const __m256d *y);

#endif /* CC_BUILD_VECTORS */
#endif /* CC_FIXED_MANY_AVX2_H */
