// SPDX-License-Identifier: MIT
/* The schemes in AVX2: vectors of 32 bytes, loaded from any address. */
#include "../schemes.h"

#if CC_BUILD_AVX

#include <immintrin.h>

#define AVX2   __attribute__((target("avx2"), aligned(64)))
#define VECTOR 32u

typedef __m256i vector;

AVX2 static inline __m256i load(const unsigned char *p)
{
	return _mm256_loadu_si256((const __m256i *)p);
}

/* The sum of four lanes of 64 bits, which must not overflow */
AVX2 static inline cc_u64 sum_u64(__m256i v)
{
	__m128i s = _mm_add_epi64(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));

	return (cc_u64)_mm_cvtsi128_si64(s) + (cc_u64)_mm_extract_epi64(s, 1);
}

/* The sum of eight lanes of 32 bits, which must fit 32 bits */
AVX2 static inline cc_u32 sum_small(__m256i v)
{
	__m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
	cc_u64 two = (cc_u64)_mm_cvtsi128_si64(_mm_add_epi32(s, _mm_unpackhi_epi64(s, s)));

	return (cc_u32)two + (cc_u32)(two >> 32);
}

/* The sum of eight unsigned lanes of 32 bits */
AVX2 static inline cc_u64 sum_u32(__m256i v)
{
	const __m256i low = _mm256_set1_epi64x(0xffffffff);

	return sum_u64(_mm256_add_epi64(_mm256_and_si256(v, low), _mm256_srli_epi64(v, 32)));
}

/*
 * There is no unsigned comparison: *@quiet counts, downwards, the lanes of a + b *without* a
 * carry, in which max(a + b, a) is a + b.
 */
AVX2 static inline __m256i add_count(__m256i *quiet, __m256i a, __m256i b)
{
	__m256i s = _mm256_add_epi32(a, b);

	*quiet = _mm256_add_epi32(*quiet, _mm256_cmpeq_epi32(_mm256_max_epu32(s, a), s));
	return s;
}

/* The sum of both, after @additions whose carries were counted. */
AVX2 static inline cc_u64 sum_counted(__m256i sum, __m256i quiet, size_t additions)
{
	__m256i carries = _mm256_add_epi32(_mm256_set1_epi32((int)additions), quiet);

	return sum_u32(sum) + sum_u32(carries);
}

/* Words are signed: each lacks 2^15, so a lane lacks 2^16; the accumulator begins with that. */
AVX2 static inline __m256i accumulate(__m256i sum, const unsigned char *p)
{
	const __m256i bias = _mm256_set1_epi16(-0x8000), ones = _mm256_set1_epi16(1);

	return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_xor_si256(load(p), bias), ones));
}

#define ATTRIBUTES     AVX2
#define ZERO	       _mm256_setzero_si256()
#define ADD32(a, b)    _mm256_add_epi32(a, b)
#define BEGIN(vectors) _mm256_set1_epi32((int)((vectors) << 16))

#include "../vectors.h"

/* Keeps the last @len bytes, an even number below VECTOR; the others become 0. */
AVX2 static inline __m256i keep_last(__m256i v, size_t len)
{
	static const unsigned char mask[2 * VECTOR] = {
#define ONES 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
		[VECTOR] = ONES,
		ONES,
		ONES,
		ONES,
	};

	return _mm256_and_si256(v, load(mask + len));
}

/* The bytes up to @p + @len; at least VECTOR bytes before @p are readable. */
AVX2 static inline __m256i load_last(const unsigned char *p, size_t len)
{
	return keep_last(load(p + len - VECTOR), len);
}

#define SET64(x)    _mm256_set1_epi64x(x)
#define ADD64(a, b) _mm256_add_epi64(a, b)
#define SUB64(a, b) _mm256_sub_epi64(a, b)
#define AND(a, b)   _mm256_and_si256(a, b)
#define SRL64(a, n) _mm256_srli_epi64(a, n)
#define SLL64(a, n) _mm256_slli_epi64(a, n)
#define SUB32(a, b) _mm256_sub_epi32(a, b)
#define SRL32(a, n) _mm256_srli_epi32(a, n)
#define SLL32(a, n) _mm256_slli_epi32(a, n)
#define AVG16(a, b) _mm256_avg_epu16(a, b)

/* Measured: from this length on, whole groups are faster than separate vectors. */
#define GROUPED 1024

#include "deferred.h"

AVX2 cc_u32 cc_checksum_deferred_avx2(const unsigned char *data, size_t len)
{
	return deferred(data, len);
}

#define STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)

#include "copy.h"

AVX2 cc_u32 cc_checksum_copy_avx2(unsigned char *to, const unsigned char *from, size_t len)
{
	return len < VECTOR ? cc_checksum_copy_words(to, from, len) : copy(to, from, len);
}

CC_CHECKSUM_SCHEME(AVX2, cc_checksum_mot_avx2, mot, 2 * VECTOR, CC_MOT_FLUSH)
CC_CHECKSUM_SCHEME(AVX2, cc_checksum_mot_unrolled_avx2, mot_unrolled, 4 * VECTOR, CC_MOT_FLUSH)
CC_CHECKSUM_SCHEME(AVX2, cc_checksum_ibm_avx2, ibm, VECTOR, CC_IBM_VECTORS *VECTOR)
CC_CHECKSUM_SCHEME(AVX2, cc_checksum_ibm_unrolled_avx2, ibm_unrolled, 4 * VECTOR,
		   CC_IBM_VECTORS *VECTOR)

AVX2 uint16_t cc_checksum_whole_avx2(const unsigned char *data, size_t len)
{
	return whole(data, len);
}

#endif
