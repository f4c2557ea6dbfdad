// SPDX-License-Identifier: MIT
/* Eight lanes. */
#include "../kernels.h"

#if CC_BUILD_VECTORS

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define LANES  8
#define LEAF   LANES

typedef double ELEMENT __attribute__((may_alias));
typedef __m512d VECTOR;
typedef __m512i INTS;

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

TARGET static inline VECTOR fmadd(VECTOR a, VECTOR b, VECTOR c)
{
	return _mm512_fmadd_pd(a, b, c);
}

TARGET static inline VECTOR fmsub(VECTOR a, VECTOR b, VECTOR c)
{
	return _mm512_fmsub_pd(a, b, c);
}

TARGET static inline VECTOR fnmadd(VECTOR a, VECTOR b, VECTOR c)
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

/* Of @bytes at @at, @at + stride and so on, the first 8. */
TARGET static inline INTS gather(const unsigned char *at, size_t stride)
{
	cc_u64 x[LANES];
	unsigned int i;

	for (i = 0; i < LANES; i++)
		memcpy(&x[i], at + i * stride, sizeof(x[i]));
	return _mm512_set_epi64((long long)x[7], (long long)x[6], (long long)x[5], (long long)x[4],
				(long long)x[3], (long long)x[2], (long long)x[1], (long long)x[0]);
}

TARGET static inline INTS load_integers(const cc_u64 *x)
{
	return _mm512_loadu_si512(x);
}

TARGET static inline void store_integers(cc_u64 *x, INTS v)
{
	_mm512_storeu_si512(x, v);
}

TARGET static inline INTS plus(INTS a, INTS b)
{
	return _mm512_add_epi64(a, b);
}

TARGET static inline INTS both(INTS a, INTS b)
{
	return _mm512_and_si512(a, b);
}

TARGET static inline INTS either(INTS a, INTS b)
{
	return _mm512_or_si512(a, b);
}

TARGET static inline INTS left(INTS v, unsigned int by)
{
	return _mm512_sll_epi64(v, _mm_cvtsi32_si128((int)by));
}

TARGET static inline INTS right(INTS v, unsigned int by)
{
	return _mm512_srl_epi64(v, _mm_cvtsi32_si128((int)by));
}

/* All ones where it is so, 0 elsewhere. */
TARGET static inline INTS negative(INTS v)
{
	return _mm512_srai_epi64(v, 63);
}

TARGET static inline INTS zero(INTS v)
{
	return _mm512_movm_epi64(_mm512_testn_epi64_mask(v, v));
}

/* A bit for each lane, and back. */
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
	.table = table,
	.split = split,
	.forward = forward,
	.multiply = multiply,
	.inverse = inverse,
	.convolve = convolve,
	.fold = fold,
	.unfold = unfold,
	.descend = descend,
	.ascend = ascend,
	.join = join,
	.split_radix = split_radix,
	.join_radix = join_radix,
	.to_radix = to_radix,
};

#endif /* CC_BUILD_VECTORS */
