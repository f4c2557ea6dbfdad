/* SPDX-License-Identifier: MIT */
/*
 * many_avx512ifma.h - eight integers at once, one in each lane: arithmetic modulo eight odd
 * numbers.
 *
 * Vector i holds digit i, in radix 2^52, of all eight.  The multiply-adds read the low 52
 * bits of a lane, so the bits above may still contain what was already carried.
 *
 * Montgomery form with R = 2^(52 d).  A product T is divided by 2^52, d times.  With q its
 * lowest digit and n = 2^-52 mod m, the quotient is (T - q) / 2^52 + q n: q needs no
 * multiplication.  But a step with n leaves a digit more than m has.  So in the last step,
 * q = -T / m mod 2^52, and T becomes (T + q m) / 2^52.
 *
 * Bounds.  n = (1 + k m) / 2^52 for a k < 2^52, so n <= m.  The first d - 1 steps reduce T = x y
 * below x y / 2^(52 (d - 1)) + 2^52 m, because their q together form a number below
 * 2^(52 (d - 1)), which is multiplied by 2^52 n.  After the last one, T < x y / R + 2 m.
 * R > 9 m: for x, y < 3 m, T < 3 m again, and nothing ever has to be subtracted.  For x < 3 m
 * and y = 1, T <= 2 m.
 */
#ifndef CC_FIXED_MANY_AVX512IFMA_H
#define CC_FIXED_MANY_AVX512IFMA_H

#include "../../limbs/x86_64/digits_avx512ifma.h"
#include "columns.h"

#if CC_BUILD_VECTORS

#define TARGET	 IFMA
#define LANES	 8
#define many_sqr cc_fixed_many_sqr_avx512ifma
#define many_mul cc_fixed_many_mul_avx512ifma

typedef cc_word DIGIT;
typedef __m512i DIGITS;
typedef __m512i SUMS;

struct cc_fixed_moduli {
	size_t d;	       /* digits: a multiple of COLUMNS */
	__m512i *m;	       /* d + 1 digits, the top one 0 */
	__m512i *n;	       /* 2^-52 mod m, from (1 + k m) / 2^52 */
	__m512i *q;	       /* room for d digits */
	__m512i minus_inverse; /* k = -1 / m mod 2^52 */
};

/* r = x^2 / R, x y / R modulo the moduli, below x y / R + 2 m; r may be x or y */
CC_HIDDEN void cc_fixed_many_sqr_avx512ifma(const struct cc_fixed_moduli *mod, __m512i *r,
					    const __m512i *x);
CC_HIDDEN void cc_fixed_many_mul_avx512ifma(const struct cc_fixed_moduli *mod, __m512i *r,
					    const __m512i *x, const __m512i *y);

#endif /* CC_BUILD_VECTORS */
#endif /* CC_FIXED_MANY_AVX512IFMA_H */
