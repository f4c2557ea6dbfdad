// SPDX-License-Identifier: MIT
/*
 * IBM's scheme in AVX-512 VNNI, which multiplies and sums in one instruction, but signed.
 * So 2^15 is subtracted from each word (one more instruction), and 32 * 2^15 = 2^20 per
 * vector is added at the end.
 */
#include "../schemes.h"

#if CC_BUILD_AVX

#include <immintrin.h>

#define VNNI   __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"), aligned(64)))
#define VECTOR 64u

/* Loaded from memory: gcc would build them in general registers, again at each use. */
static const cc_u32 bias_word = 0x80008000, ones_word = 0x00010001;

VNNI static inline __m512i broadcast(const cc_u32 *word)
{
	__m512i v;

	__asm__("vpbroadcastd %1, %0" : "=v"(v) : "m"(*word));
	return v;
}

#define CONSTANTS const __m512i bias = broadcast(&bias_word), ones = broadcast(&ones_word)

/* With the intrinsic, gcc would copy the sum in each iteration of a loop. */
#define DOT(sum, vector)                                                                           \
	do {                                                                                       \
		__m512i v_ = _mm512_xor_si512(vector, bias);                                       \
                                                                                                   \
		__asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(v_), "v"(ones));                   \
	} while (0)

#define MULTIPLY_SUM(sum, p) DOT(sum, _mm512_loadu_si512(p))

/* Each lane begins with the 2^16 per vector that it lacks; then it is exact modulo 2^32. */
VNNI static inline cc_u64 ibm(const unsigned char *p, size_t take)
{
	CONSTANTS;
	__m512i sum = _mm512_set1_epi32((int)(take / VECTOR << 16));
	const __m512i low = _mm512_set1_epi64(0xffffffff);
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += VECTOR)
		MULTIPLY_SUM(sum, p + i);
	sum = _mm512_add_epi64(_mm512_and_si512(sum, low), _mm512_srli_epi64(sum, 32));
	return (cc_u64)_mm512_reduce_add_epi64(sum);
}

CC_CHECKSUM_SCHEME(VNNI, cc_checksum_ibm_avx512vnni, ibm, VECTOR, CC_IBM_VECTORS *VECTOR)

/* The sum of the eight lanes and @before, modulo 2^32 */
VNNI static inline cc_u32 reduce_half(__m256i w, cc_u32 before)
{
	__m128i x = _mm_add_epi32(_mm256_castsi256_si128(w), _mm256_extracti128_si256(w, 1));
	cc_u64 two = (cc_u64)_mm_cvtsi128_si64(_mm_add_epi32(x, _mm_unpackhi_epi64(x, x)));

	return before + (cc_u32)two + (cc_u32)(two >> 32);
}

VNNI static inline cc_u32 reduce(__m512i v, cc_u32 before)
{
	return reduce_half(
		_mm256_add_epi32(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1)),
		before);
}

#define ADD(a, b) _mm512_add_epi32(a, b)

/*
 * Sums up to CC_VNNI_VECTORS vectors, of which the last may be incomplete, including those
 * whose sum is @first, from @before bytes.  Everything is modulo 2^32, which is exact:
 * 2048 * 32 (2^16 - 1) < 2^32.
 *
 * There are four accumulators for short data, for which adding them up matters, and eight for
 * long data, so that two instructions of four cycles' latency can begin in each cycle.
 */
VNNI static inline __attribute__((always_inline)) cc_u32 block(const unsigned char *p, size_t len,
							       __m512i first, size_t before)
{
	CONSTANTS;
	__m512i a = first, b = _mm512_setzero_si512(), c = b, d = b;
	/* 2^20 per vector */
	cc_u32 biases = (cc_u32)((before + len + VECTOR - 1) / VECTOR << 20);

	if (__builtin_expect(len >= 16 * VECTOR, 0)) {
		__m512i e = _mm512_setzero_si512(), f = e, g = e, h = e;

		do {
			MULTIPLY_SUM(a, p);
			MULTIPLY_SUM(b, p + VECTOR);
			MULTIPLY_SUM(c, p + 2 * VECTOR);
			MULTIPLY_SUM(d, p + 3 * VECTOR);
			MULTIPLY_SUM(e, p + 4 * VECTOR);
			MULTIPLY_SUM(f, p + 5 * VECTOR);
			MULTIPLY_SUM(g, p + 6 * VECTOR);
			MULTIPLY_SUM(h, p + 7 * VECTOR);
			p += 8 * VECTOR;
			len -= 8 * VECTOR;
		} while (len >= 8 * VECTOR);
		a = ADD(a, e);
		b = ADD(b, f);
		c = ADD(c, g);
		d = ADD(d, h);
	}
	/* one jump: each taken branch would cost as much as two vectors */
	switch (len / VECTOR) {
#define VECTOR_CASE(n, sum)                                                                        \
	case (n) + 1:                                                                              \
		MULTIPLY_SUM(sum, p + (n)*VECTOR);                                                 \
		__attribute__((fallthrough))
		VECTOR_CASE(14, c);
		VECTOR_CASE(13, b);
		VECTOR_CASE(12, a);
		VECTOR_CASE(11, d);
		VECTOR_CASE(10, c);
		VECTOR_CASE(9, b);
		VECTOR_CASE(8, a);
		VECTOR_CASE(7, d);
		VECTOR_CASE(6, c);
		VECTOR_CASE(5, b);
		VECTOR_CASE(4, a);
		VECTOR_CASE(3, d);
		VECTOR_CASE(2, c);
		VECTOR_CASE(1, b);
		VECTOR_CASE(0, a);
	case 0:
		break;
	}
	p += len / VECTOR * VECTOR;
	if (len % VECTOR)
		DOT(d, _mm512_maskz_loadu_epi8(((__mmask64)1 << len % VECTOR) - 1, p));
	return reduce(ADD(ADD(a, b), ADD(c, d)), biases);
}

#define MULTIPLY(vector) _mm512_madd_epi16(_mm512_xor_si512(vector, bias), ones)

/*
 * From more than one vector up to eight.  The first vector and the last, which may be
 * incomplete, always exist, so no accumulator has to begin as 0.
 */
VNNI static inline __attribute__((always_inline)) cc_u32 few(const unsigned char *p, size_t len)
{
	CONSTANTS;
	const size_t between = (len - 1) / VECTOR - 1;
	const __mmask64 last = ~(__mmask64)0 >> (0 - len) % VECTOR;
	__m512i a = MULTIPLY(_mm512_loadu_si512(p));
	__m512i b = MULTIPLY(_mm512_maskz_loadu_epi8(last, p + (between + 1) * VECTOR));

	if (between) {
		p += VECTOR;
		if (between & 4) {
			__m512i c = MULTIPLY(_mm512_loadu_si512(p));
			__m512i d = MULTIPLY(_mm512_loadu_si512(p + VECTOR));

			MULTIPLY_SUM(a, p + 2 * VECTOR);
			MULTIPLY_SUM(b, p + 3 * VECTOR);
			a = ADD(a, c);
			b = ADD(b, d);
			p += 4 * VECTOR;
		}
		if (between & 2) {
			MULTIPLY_SUM(a, p);
			MULTIPLY_SUM(b, p + VECTOR);
			p += 2 * VECTOR;
		}
		if (between & 1)
			MULTIPLY_SUM(a, p);
	}
	return reduce(ADD(a, b), (cc_u32)(between + 2) << 20);
}

#define HALF (VECTOR / 2)
#define MULTIPLY_HALF(vector)                                                                      \
	_mm256_madd_epi16(_mm256_xor_si256(vector, _mm512_castsi512_si256(bias)),                  \
			  _mm512_castsi512_si256(ones))

/* One vector, at least half full: it does not wake the 512-bit units. */
VNNI static inline __attribute__((always_inline)) cc_u32 one(const unsigned char *p, size_t len)
{
	CONSTANTS;
	const __mmask32 last = (__mmask32)(((cc_u64)1 << (len - HALF)) - 1);
	__m256i a = MULTIPLY_HALF(_mm256_loadu_si256((const void *)p));
	__m256i b = MULTIPLY_HALF(_mm256_maskz_loadu_epi8(last, p + HALF));

	return reduce_half(_mm256_add_epi32(a, b), 1 << 20);
}

#define FLUSH ((size_t)CC_VNNI_VECTORS * VECTOR)

/* From this length on, aligned loads pay: otherwise each load touches two cache lines. */
#define ALIGN 1024

/*
 * The first load begins at the aligned address before the data; the bytes before the data are
 * masked.  If the data begin at an odd address, every byte is in the other half of its word,
 * which is corrected at the end.
 */
VNNI static __attribute__((noinline)) cc_u32 blocks(const unsigned char *data, size_t len)
{
	size_t skip = (uintptr_t)data % VECTOR, before = VECTOR;
	__m512i first = _mm512_setzero_si512();
	cc_u64 sum = 0;
	CONSTANTS;

	DOT(first, _mm512_maskz_loadu_epi8(~(__mmask64)0 << skip, data - skip));
	data += VECTOR - skip;
	len -= VECTOR - skip;
	while (len) {
		size_t take = len < FLUSH - before ? len : FLUSH - before;

		sum = cc_checksum_fold64(sum + block(data, take, first, before));
		data += take;
		len -= take;
		first = _mm512_setzero_si512();
		before = 0;
	}
	return cc_checksum_shift(cc_checksum_fold32(sum), skip);
}

VNNI static inline __attribute__((always_inline)) cc_u32 best(const unsigned char *data, size_t len)
{
	if (__builtin_expect(len >= ALIGN, 0) && (len > FLUSH || (uintptr_t)data % VECTOR))
		return blocks(data, len);
	if (len - VECTOR - 1 < 7 * VECTOR)
		return few(data, len);
	if (len <= VECTOR)
		return len < HALF ? cc_checksum_word_unrolled(data, len) : one(data, len);
	return block(data, len, _mm512_setzero_si512(), 0);
}

VNNI cc_u32 cc_checksum_ibm_unrolled_avx512vnni(const unsigned char *data, size_t len)
{
	return best(data, len);
}

CC_CHECKSUM_WHOLE(VNNI, avx512vnni, best)

#endif
