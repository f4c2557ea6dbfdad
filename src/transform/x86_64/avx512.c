// SPDX-License-Identifier: MIT
/* Eight lanes. */
#include "../kernels.h"

#if CC_BUILD_AVX512IFMA

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define LANES  8
#define LEAF   LANES

typedef double ELEMENT __attribute__((may_alias));
typedef __m512d VECTOR;

TARGET static inline VECTOR all(double e)
{
	return _mm512_set1_pd(e);
}

TARGET static inline VECTOR load(const ELEMENT *x)
{
	return _mm512_loadu_pd((const double *)x);
}

TARGET static inline void store(ELEMENT *x, VECTOR v)
{
	_mm512_storeu_pd((double *)x, v);
}

TARGET static inline VECTOR add(VECTOR a, VECTOR b)
{
	return _mm512_add_pd(a, b);
}

TARGET static inline VECTOR sub(VECTOR a, VECTOR b)
{
	return _mm512_sub_pd(a, b);
}

TARGET static inline VECTOR product(VECTOR a, VECTOR b)
{
	return _mm512_mul_pd(a, b);
}

TARGET static inline VECTOR fms(VECTOR a, VECTOR b, VECTOR c)
{
	return _mm512_fmsub_pd(a, b, c);
}

TARGET static inline VECTOR fnma(VECTOR a, VECTOR b, VECTOR c)
{
	return _mm512_fnmadd_pd(a, b, c);
}

TARGET static inline VECTOR divide(VECTOR a, VECTOR b)
{
	return _mm512_div_pd(a, b);
}

TARGET static inline VECTOR nearest(VECTOR a)
{
	return _mm512_roundscale_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

/* b x^i modulo x^8 - r, given r b. */
#define rotate(b, rb, i)                                                                           \
	_mm512_castsi512_pd(                                                                       \
		_mm512_alignr_epi64(_mm512_castpd_si512(b), _mm512_castpd_si512(rb), LANES - (i)))

TARGET static inline VECTOR from_piece(const cc_u64 *piece)
{
	return _mm512_cvtepi64_pd(_mm512_loadu_si512(piece));
}

/* |v| <= p / 2, about: as integers from 0 to p - 1. */
TARGET static inline void to_integers(cc_u64 *x, VECTOR v, VECTOR p)
{
	v = _mm512_mask_add_pd(v, _mm512_movepi64_mask(_mm512_castpd_si512(v)), v, p);
	_mm512_storeu_si512(x, _mm512_cvtpd_epi64(v));
}

#include "doubles.h"

const struct cc_transform_kernels cc_transform_avx512 = {
	.tier = "avx512",
	.leaf = LEAF,
	.least_mul = 250,
	.least_sqr = 350,
	.table = table,
	.split = split,
	.forward = forward,
	.multiply = multiply,
	.inverse = inverse,
	.join = join,
};

#endif /* CC_BUILD_AVX512IFMA */
