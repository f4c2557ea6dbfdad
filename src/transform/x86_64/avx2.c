// SPDX-License-Identifier: MIT
/* Four lanes. */
#include "../kernels.h"

#if CC_BUILD_VECTORS

#include <immintrin.h>

#define TARGET	     __attribute__((target("avx2,fma")))
#define LANES	     4
#define DOUBLES(op)  _mm256_##op##_pd
#define INTEGERS(op) _mm256_##op##_epi64
#define BITS(op)     _mm256_##op##_si256

typedef __m256d VECTOR;
typedef __m256i INTS;

#include "vectors.h"

TARGET static inline VECTOR nearest(VECTOR a)
{
	return _mm256_round_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

/* b x^i modulo x^4 - r, given r b: i lanes of r b, then 4 - i lanes of b. */
#define rotate(b, rb, i)                                                                           \
	_mm256_permute4x64_pd(_mm256_blend_pd(b, rb, 0xf & (0xf << (LANES - (i)))),                \
			      (0x93 >> 0) * ((i) == 1) + 0x4e * ((i) == 2) + 0x39 * ((i) == 3))

/* 2^52 as a double has zeros in the bits of an integer below it. */
TARGET static inline VECTOR from_integers(INTS v)
{
	const INTS magic = _mm256_set1_epi64x(0x4330000000000000);

	return _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(v, magic)),
			     _mm256_castsi256_pd(magic));
}

/* |v| < 2^51, so that 3 2^51 + v is exact, and its low bits are the signed integer v. */
TARGET static inline INTS integers(VECTOR v)
{
	const INTS magic = _mm256_set1_epi64x(0x4338000000000000);

	v = _mm256_add_pd(v, _mm256_castsi256_pd(magic));
	return _mm256_sub_epi64(_mm256_castpd_si256(v), magic);
}

TARGET static inline INTS every(cc_u64 x)
{
	return _mm256_set1_epi64x((long long)x);
}

/* 8 bytes each from @at, @at + stride and so on, in @bytes. */
TARGET static inline INTS gather(const unsigned char *at, size_t stride)
{
	cc_u64 x[LANES];
	unsigned int i;

	for (i = 0; i < LANES; i++)
		memcpy(&x[i], at + i * stride, sizeof(x[i]));
	return _mm256_set_epi64x((long long)x[3], (long long)x[2], (long long)x[1],
				 (long long)x[0]);
}

/* Masks: all ones in lanes where the comparison holds, else 0. */
TARGET static inline INTS negative(INTS v)
{
	return _mm256_cmpgt_epi64(_mm256_setzero_si256(), v);
}

TARGET static inline INTS zero(INTS v)
{
	return _mm256_cmpeq_epi64(_mm256_setzero_si256(), v);
}

/* Converts masks to one bit per lane, and back. */
TARGET static inline unsigned int lanes(INTS v)
{
	return (unsigned int)_mm256_movemask_pd(_mm256_castsi256_pd(v));
}

TARGET static inline INTS spread(unsigned int lanes)
{
	const INTS bit = _mm256_set_epi64x(8, 4, 2, 1);

	return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x((long long)lanes), bit), bit);
}

#include "doubles.h"
#include "join.h"
#include "radix.h"

const struct cc_transform_kernels cc_transform_avx2 = {
	.tier = "avx2",
	.leaf = LEAF,
	.least_mul = 260,
	.least_sqr = 380,
	STEPS,
	.split_radix = split_radix,
	.join_radix = join_radix,
	.to_radix = to_radix,
};

#endif /* CC_BUILD_VECTORS */
