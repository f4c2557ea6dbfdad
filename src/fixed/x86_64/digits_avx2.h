/* SPDX-License-Identifier: MIT */
/*
 * digits_avx2.h - integers in radix 2^52 without a 52-bit multiply-add, by that of doubles.
 *
 * A digit is a double: an integer from 0 to 2^52 - 1.  A product of two is two halves
 * (N. Emmart, F. Zheng, C. Weems: Faster modular exponentiation using double precision
 * floating point arithmetic on the GPU, ARITH 2018), here by rounding to nearest:
 *
 *	h = 2^104 + x y, rounded: x y < 2^104 - 2^53 + 2, so that h < 2^105, a multiple of 2^52.
 *	s = (2^104 - 3 2^51) - h, exact: a multiple of 2^51, at most 2^53 - 1 times.
 *	l = s + x y = -3 2^51 + e, exact: e is what rounding took away, |e| <= 2^51.
 *
 * Read as integers, h is HIGH_BITS + (the high half), and l is LOW_BITS - (the low half e),
 * as -2^53 <= l <= -2^52: all the bits of each half count the same.  So columns of 64 bits
 * collect halves by integer additions; of how many products is known, and that often
 * HIGH_BITS, less LOW_BITS, is too much.
 *
 * A product is two multiply-adds, a subtraction and two integer additions, for which Zen 2
 * to 5 have four units: 1.25 cycles if they are never idle.
 */
#ifndef CC_FIXED_DIGITS_AVX2_H
#define CC_FIXED_DIGITS_AVX2_H

#include "../kernels.h"

#if CC_BUILD_VECTORS

#include <immintrin.h>

#define AVX2   __attribute__((target("avx2,fma")))
#define INLINE AVX2 static inline __attribute__((always_inline))

/* Loops over rows must not be unrolled, because a row is many instructions. */
#if defined(__clang__)
#define ROLLED _Pragma("clang loop unroll(disable)")
#else
#define ROLLED _Pragma("GCC unroll 1")
#endif

#define DIGIT_BITS 52
#define DIGIT_MASK (((uint64_t)1 << DIGIT_BITS) - 1)

/* The bits of h and l apart from the halves; a digit is the low bits of 2^52 + x */
#define HIGH_BITS 0x4670000000000000u
#define LOW_BITS  0xc338000000000000u
#define ONE_BITS  0x4330000000000000u

/* MXCSR's default: rounds to nearest, and masks all exceptions */
#define CONTROL 0x1f80

/* A double in the caller's scratch of words; four doubles, aligned like one */
typedef double real __attribute__((may_alias));
typedef double vector __attribute__((vector_size(32), aligned(8), may_alias));

INLINE __m256i every(uint64_t x)
{
	return _mm256_set1_epi64x((long long)x);
}

/* The digit that is the low 52 bits of a lane */
INLINE __m256d digit(__m256i bits)
{
	bits = _mm256_and_si256(bits, every(DIGIT_MASK));
	bits = _mm256_or_si256(bits, every(ONE_BITS));
	return _mm256_sub_pd(_mm256_castsi256_pd(bits), _mm256_set1_pd(0x1p52));
}

/* lo += the low half of x y - LOW_BITS, hi += its high half + HIGH_BITS */
INLINE void add_product(__m256i *lo, __m256i *hi, __m256d x, const vector *y)
{
	__m256d h, l;

	/* in assembly: compilers would keep operands in registers, and columns in memory */
	__asm__("vmovupd %[y], %[h]\n\t"
		"vfmadd213pd %[one], %[x], %[h]\n\t"
		"vsubpd %[h], %[less], %[l]\n\t"
		"vpaddq %[h], %[hi], %[hi]\n\t"
		"vfmadd231pd %[y], %[x], %[l]\n\t"
		"vpsubq %[l], %[lo], %[lo]"
		: [h] "=&x"(h), [l] "=&x"(l), [hi] "+x"(*hi), [lo] "+x"(*lo)
		: [x] "x"(x), [y] "m"(*y), [one] "x"(_mm256_set1_pd(0x1p104)),
		  [less] "x"(_mm256_set1_pd(0x1p104 - 0x1.8p52)));
}

/* The same for a y that may cross cache lines: it is loaded once */
INLINE void add_unaligned(__m256i *lo, __m256i *hi, __m256d x, const vector *y)
{
	__m256d h, l, once;

	__asm__("vmovupd %[y], %[once]\n\t"
		"vmovapd %[one], %[h]\n\t"
		"vfmadd231pd %[once], %[x], %[h]\n\t"
		"vsubpd %[h], %[less], %[l]\n\t"
		"vpaddq %[h], %[hi], %[hi]\n\t"
		"vfmadd231pd %[once], %[x], %[l]\n\t"
		"vpsubq %[l], %[lo], %[lo]"
		: [h] "=&x"(h), [l] "=&x"(l), [once] "=&x"(once), [hi] "+x"(*hi), [lo] "+x"(*lo)
		: [x] "x"(x), [y] "m"(*y), [one] "x"(_mm256_set1_pd(0x1p104)),
		  [less] "x"(_mm256_set1_pd(0x1p104 - 0x1.8p52)));
}

/* A digit as an integer */
INLINE __m256i integer(__m256d x)
{
	x = _mm256_add_pd(x, _mm256_set1_pd(0x1p52));
	return _mm256_sub_epi64(_mm256_castpd_si256(x), every(ONE_BITS));
}

#endif /* CC_BUILD_VECTORS */
#endif /* CC_FIXED_DIGITS_AVX2_H */
