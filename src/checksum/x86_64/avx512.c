// SPDX-License-Identifier: MIT
/* The schemes in AVX-512 (F and BW): vectors of 64 bytes, loaded from any address. */
#include "../schemes.h"

#if CC_BUILD_AVX

#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512bw"), aligned(64)))
#define VECTOR 64u

typedef __m512i vector;

AVX512 static inline __m512i load(const unsigned char *p)
{
	return _mm512_loadu_si512(p);
}

/* The sum of eight lanes of 64 bits, which must not overflow */
AVX512 static inline cc_u64 sum_u64(__m512i v)
{
	return (cc_u64)_mm512_reduce_add_epi64(v);
}

/* The sum of sixteen lanes of 32 bits, which must fit 32 bits */
AVX512 static inline cc_u32 sum_small(__m512i v)
{
	__m256i w = _mm256_add_epi32(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
	__m128i x = _mm_add_epi32(_mm256_castsi256_si128(w), _mm256_extracti128_si256(w, 1));
	cc_u64 two = (cc_u64)_mm_cvtsi128_si64(_mm_add_epi32(x, _mm_unpackhi_epi64(x, x)));

	return (cc_u32)two + (cc_u32)(two >> 32);
}

/* The sum of sixteen unsigned lanes of 32 bits */
AVX512 static inline cc_u64 sum_u32(__m512i v)
{
	const __m512i low = _mm512_set1_epi64(0xffffffff);

	return sum_u64(_mm512_add_epi64(_mm512_and_si512(v, low), _mm512_srli_epi64(v, 32)));
}

/* a + b; *@carries counts the lanes with a carry */
AVX512 static inline __m512i add_count(__m512i *carries, __m512i a, __m512i b)
{
	__m512i s = _mm512_add_epi32(a, b);
	__mmask16 carry = _mm512_cmplt_epu32_mask(s, a);

	*carries = _mm512_mask_sub_epi32(*carries, carry, *carries, _mm512_set1_epi32(-1));
	return s;
}

AVX512 static inline cc_u64 sum_counted(__m512i sum, __m512i carries, size_t additions)
{
	(void)additions;
	return sum_u32(sum) + sum_u32(carries);
}

/* Words are signed: each lacks 2^15, so a lane lacks 2^16; the accumulator begins with that. */
AVX512 static inline __m512i accumulate(__m512i sum, const unsigned char *p)
{
	const __m512i bias = _mm512_set1_epi16(-0x8000), ones = _mm512_set1_epi16(1);

	return _mm512_add_epi32(sum, _mm512_madd_epi16(_mm512_xor_si512(load(p), bias), ones));
}

#define ATTRIBUTES     AVX512
#define ZERO	       _mm512_setzero_si512()
#define ADD32(a, b)    _mm512_add_epi32(a, b)
#define BEGIN(vectors) _mm512_set1_epi32((int)((vectors) << 16))

#include "../vectors.h"

/* Loads @len < VECTOR bytes, and zeros above; reads nothing more */
AVX512 static inline __m512i load_last(const unsigned char *p, size_t len)
{
	return _mm512_maskz_loadu_epi8(((__mmask64)1 << len) - 1, p);
}

#define SET64(x)    _mm512_set1_epi64(x)
#define ADD64(a, b) _mm512_add_epi64(a, b)
#define SUB64(a, b) _mm512_sub_epi64(a, b)
#define AND(a, b)   _mm512_and_si512(a, b)
#define SRL64(a, n) _mm512_srli_epi64(a, n)
#define SLL64(a, n) _mm512_slli_epi64(a, n)
#define SUB32(a, b) _mm512_sub_epi32(a, b)
#define SRL32(a, n) _mm512_srli_epi32(a, n)
#define SLL32(a, n) _mm512_slli_epi32(a, n)
#define AVG16(a, b) _mm512_avg_epu16(a, b)

/* Measured: from this length on, whole groups are faster than separate vectors. */
#define GROUPED 2048

#include "deferred.h"

AVX512 cc_u32 cc_checksum_deferred_avx512(const unsigned char *data, size_t len)
{
	return deferred(data, len);
}

/* Keeps the last @len bytes, fewer than VECTOR; the others become 0. */
AVX512 static inline __m512i keep_last(__m512i v, size_t len)
{
	return _mm512_maskz_mov_epi8(~(~(__mmask64)0 >> len), v);
}

#define STORE(p, v) _mm512_storeu_si512(p, v)

#include "copy.h"

/* Every processor with AVX-512 has AVX2. */
AVX512 cc_u32 cc_checksum_copy_avx512(unsigned char *to, const unsigned char *from, size_t len)
{
	return len < VECTOR ? cc_checksum_copy_avx2(to, from, len) : copy(to, from, len);
}

CC_CHECKSUM_SCHEME(AVX512, cc_checksum_mot_avx512, mot, 2 * VECTOR, CC_MOT_FLUSH)
CC_CHECKSUM_SCHEME(AVX512, cc_checksum_mot_unrolled_avx512, mot_unrolled, 4 * VECTOR, CC_MOT_FLUSH)
CC_CHECKSUM_SCHEME(AVX512, cc_checksum_ibm_avx512, ibm, VECTOR, CC_IBM_VECTORS *VECTOR)
CC_CHECKSUM_SCHEME(AVX512, cc_checksum_ibm_unrolled_avx512, ibm_unrolled, 4 * VECTOR,
		   CC_IBM_VECTORS *VECTOR)

AVX512 uint16_t cc_checksum_whole_avx512(const unsigned char *data, size_t len)
{
	return whole(data, len);
}

#endif
