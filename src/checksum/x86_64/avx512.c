// SPDX-License-Identifier: MIT
/* The schemes in AVX-512 (F and BW): vectors of 64 bytes, loaded from any address. */
#include "../schemes.h"

#if CC_BUILD_AVX

#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512bw")))
#define VECTOR 64u

AVX512 static inline __m512i load(const unsigned char *p)
{
	return _mm512_loadu_si512(p);
}

/* Eight lanes of 64 bits: the caller knows that they don't overflow */
AVX512 static inline cc_u64 sum_u64(__m512i v)
{
	return (cc_u64)_mm512_reduce_add_epi64(v);
}

/* Sixteen lanes of 32 bits, unsigned */
AVX512 static inline cc_u64 sum_u32(__m512i v)
{
	const __m512i low = _mm512_set1_epi64(0xffffffff);

	return sum_u64(_mm512_add_epi64(_mm512_and_si512(v, low), _mm512_srli_epi64(v, 32)));
}

/* a + b; *@carries counts the lanes that have one */
AVX512 static inline __m512i add_count(__m512i *carries, __m512i a, __m512i b)
{
	__m512i s = _mm512_add_epi32(a, b);
	__mmask16 carry = _mm512_cmplt_epu32_mask(s, a);

	*carries = _mm512_mask_sub_epi32(*carries, carry, *carries, _mm512_set1_epi32(-1));
	return s;
}

AVX512 static inline cc_u64 mot(const unsigned char *p, size_t take)
{
	__m512i sum = _mm512_setzero_si512(), carries = sum;
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += 2 * VECTOR) {
		__m512i t = add_count(&carries, load(p + i), load(p + i + VECTOR));

		sum = add_count(&carries, t, sum);
	}
	return sum_u32(sum) + sum_u32(carries);
}

AVX512 static inline cc_u64 mot_unrolled(const unsigned char *p, size_t take)
{
	__m512i s0 = _mm512_setzero_si512(), s1 = s0, c0 = s0, c1 = s0;
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += 4 * VECTOR) {
		const unsigned char *at = p + i;
		__m512i t0 = add_count(&c0, load(at), load(at + VECTOR));
		__m512i t1 = add_count(&c1, load(at + 2 * VECTOR), load(at + 3 * VECTOR));

		s0 = add_count(&c0, t0, s0);
		s1 = add_count(&c1, t1, s1);
	}
	s0 = add_count(&c0, s0, s1);
	return sum_u32(s0) + sum_u32(_mm512_add_epi32(c0, c1));
}

/* Signed words: less 2^15 each, so 2^16 a lane, where the accumulator begins. */
AVX512 static inline __m512i multiply_sum(__m512i sum, const unsigned char *p)
{
	const __m512i bias = _mm512_set1_epi16(-0x8000), ones = _mm512_set1_epi16(1);

	return _mm512_add_epi32(sum, _mm512_madd_epi16(_mm512_xor_si512(load(p), bias), ones));
}

AVX512 static inline cc_u64 ibm(const unsigned char *p, size_t take)
{
	__m512i sum = _mm512_set1_epi32((int)(take / VECTOR << 16));
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += VECTOR)
		sum = multiply_sum(sum, p + i);
	return sum_u32(sum);
}

AVX512 static inline cc_u64 ibm_unrolled(const unsigned char *p, size_t take)
{
	__m512i a = _mm512_set1_epi32((int)(take / VECTOR << 16));
	__m512i b = _mm512_setzero_si512(), c = b, d = b;
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += 4 * VECTOR) {
		a = multiply_sum(a, p + i);
		b = multiply_sum(b, p + i + VECTOR);
		c = multiply_sum(c, p + i + 2 * VECTOR);
		d = multiply_sum(d, p + i + 3 * VECTOR);
	}
	return sum_u32(_mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d)));
}

/* @len < VECTOR bytes and zeros, of which no more is read */
AVX512 static inline __m512i load_last(const unsigned char *p, size_t len)
{
	return _mm512_maskz_loadu_epi8(((__mmask64)1 << len) - 1, p);
}

typedef __m512i vector;

#define ATTRIBUTES  AVX512
#define SET64(x)    _mm512_set1_epi64(x)
#define ADD64(a, b) _mm512_add_epi64(a, b)
#define SUB64(a, b) _mm512_sub_epi64(a, b)
#define AND(a, b)   _mm512_and_si512(a, b)
#define SRL64(a, n) _mm512_srli_epi64(a, n)
#define SLL64(a, n) _mm512_slli_epi64(a, n)
#define AVG16(a, b) _mm512_avg_epu16(a, b)

#include "deferred.h"

AVX512 cc_u32 cc_checksum_deferred_avx512(const unsigned char *data, size_t len)
{
	return deferred(data, len);
}

CC_CHECKSUM_SCHEME(AVX512, cc_checksum_mot_avx512, mot, 2 * VECTOR, CC_MOT_FLUSH)
CC_CHECKSUM_SCHEME(AVX512, cc_checksum_mot_unrolled_avx512, mot_unrolled, 4 * VECTOR, CC_MOT_FLUSH)
CC_CHECKSUM_SCHEME(AVX512, cc_checksum_ibm_avx512, ibm, VECTOR, CC_IBM_VECTORS *VECTOR)
CC_CHECKSUM_SCHEME(AVX512, cc_checksum_ibm_unrolled_avx512, ibm_unrolled, 4 * VECTOR,
		   CC_IBM_VECTORS *VECTOR)

CC_CHECKSUM_WHOLE(AVX512, avx512, cc_checksum_deferred_avx512)

#endif
