// SPDX-License-Identifier: MIT
/* Eight lanes. */
#include "../kernels.h"

#if CC_BUILD_VECTORS

#include <immintrin.h>

#define TARGET	     __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define LANES	     8
#define DOUBLES(op)  _mm512_##op##_pd
#define INTEGERS(op) _mm512_##op##_epi64
#define BITS(op)     _mm512_##op##_si512

typedef __m512d VECTOR;
typedef __m512i INTS;

#include "vectors.h"

TARGET static inline VECTOR nearest(VECTOR a)
{
	return _mm512_roundscale_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

/* b x^i modulo x^8 - r, given r b. */
#define rotate(b, rb, i)                                                                           \
	_mm512_castsi512_pd(                                                                       \
		_mm512_alignr_epi64(_mm512_castpd_si512(b), _mm512_castpd_si512(rb), LANES - (i)))

TARGET static inline VECTOR from_integers(INTS v)
{
	return _mm512_cvtepi64_pd(v);
}

TARGET static inline INTS integers(VECTOR v)
{
	return _mm512_cvtpd_epi64(v);
}

TARGET static inline INTS every(cc_u64 x)
{
	return _mm512_set1_epi64((long long)x);
}

/* 8 bytes each from @at, @at + stride and so on, in @bytes. */
TARGET static inline INTS gather(const unsigned char *at, size_t stride)
{
	cc_u64 x[LANES];
	unsigned int i;

	for (i = 0; i < LANES; i++)
		memcpy(&x[i], at + i * stride, sizeof(x[i]));
	return _mm512_set_epi64((long long)x[7], (long long)x[6], (long long)x[5], (long long)x[4],
				(long long)x[3], (long long)x[2], (long long)x[1], (long long)x[0]);
}

/* Masks: all ones in lanes where the comparison holds, else 0. */
TARGET static inline INTS negative(INTS v)
{
	return _mm512_srai_epi64(v, 63);
}

TARGET static inline INTS zero(INTS v)
{
	return _mm512_movm_epi64(_mm512_testn_epi64_mask(v, v));
}

/* Converts masks to one bit per lane, and back. */
TARGET static inline unsigned int lanes(INTS v)
{
	return _mm512_movepi64_mask(v);
}

TARGET static inline INTS spread(unsigned int lanes)
{
	return _mm512_movm_epi64((__mmask8)lanes);
}

#include "doubles.h"
#include "join.h"
#include "radix.h"

const struct cc_transform_kernels cc_transform_avx512 = {
	.tier = "avx512",
	.leaf = LEAF,
	.least_mul = 145,
	.least_sqr = 195,
	STEPS,
	.split_radix = split_radix,
	.join_radix = join_radix,
	.to_radix = to_radix,
};

#endif /* CC_BUILD_VECTORS */
