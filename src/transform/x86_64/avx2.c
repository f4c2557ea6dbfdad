// SPDX-License-Identifier: MIT
/* Four lanes. */
#include "../kernels.h"

#if CC_BUILD_AVX512IFMA

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define LANES  4
#define LEAF   LANES

typedef double ELEMENT __attribute__((may_alias));
typedef __m256d VECTOR;

TARGET static inline VECTOR all(double e)
{
	return _mm256_set1_pd(e);
}

TARGET static inline VECTOR load(const ELEMENT *x)
{
	return _mm256_loadu_pd((const double *)x);
}

TARGET static inline void store(ELEMENT *x, VECTOR v)
{
	_mm256_storeu_pd((double *)x, v);
}

TARGET static inline VECTOR add(VECTOR a, VECTOR b)
{
	return _mm256_add_pd(a, b);
}

TARGET static inline VECTOR sub(VECTOR a, VECTOR b)
{
	return _mm256_sub_pd(a, b);
}

TARGET static inline VECTOR product(VECTOR a, VECTOR b)
{
	return _mm256_mul_pd(a, b);
}

TARGET static inline VECTOR fms(VECTOR a, VECTOR b, VECTOR c)
{
	return _mm256_fmsub_pd(a, b, c);
}

TARGET static inline VECTOR fnma(VECTOR a, VECTOR b, VECTOR c)
{
	return _mm256_fnmadd_pd(a, b, c);
}

TARGET static inline VECTOR divide(VECTOR a, VECTOR b)
{
	return _mm256_div_pd(a, b);
}

TARGET static inline VECTOR nearest(VECTOR a)
{
	return _mm256_round_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

/* b x^i modulo x^4 - r, given r b: i of its lanes before 4 - i of b's. */
#define rotate(b, rb, i)                                                                           \
	_mm256_permute4x64_pd(_mm256_blend_pd(b, rb, 0xf & (0xf << (LANES - (i)))),                \
			      (0x93 >> 0) * ((i) == 1) + 0x4e * ((i) == 2) + 0x39 * ((i) == 3))

/* 2^52 has zeros where an integer below it goes; the compiler's vector of any type */
TARGET static inline VECTOR from_piece(const cc_u64 *piece)
{
	const __m256i magic = _mm256_set1_epi64x(0x4330000000000000);
	__m256i v =
		_mm256_or_si256(_mm256_loadu_si256((const __m256i *)(const void *)piece), magic);

	return _mm256_sub_pd(_mm256_castsi256_pd(v), _mm256_castsi256_pd(magic));
}

/* |v| <= p / 2, about: as integers from 0 to p - 1. */
TARGET static inline void to_integers(cc_u64 *x, VECTOR v, VECTOR p)
{
	const __m256i magic = _mm256_set1_epi64x(0x4330000000000000);

	v = _mm256_add_pd(v, _mm256_blendv_pd(_mm256_setzero_pd(), p, v));
	v = _mm256_add_pd(v, _mm256_castsi256_pd(magic));
	_mm256_storeu_si256((__m256i *)(void *)x, _mm256_xor_si256(_mm256_castpd_si256(v), magic));
}

#include "doubles.h"

const struct cc_transform_kernels cc_transform_avx2 = {
	.tier = "avx2",
	.leaf = LEAF,
	.least_mul = 300,
	.least_sqr = 450,
	.table = table,
	.split = split,
	.forward = forward,
	.multiply = multiply,
	.inverse = inverse,
	.join = join,
};

#endif /* CC_BUILD_AVX512IFMA */
