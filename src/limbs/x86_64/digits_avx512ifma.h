/* SPDX-License-Identifier: MIT */
/*
 * digits_avx512ifma.h - integers in radix 2^52, eight digits to a vector.
 *
 * vpmadd52luq and vpmadd52huq multiply the low 52 bits of two lanes, and add the low or high 52
 * bits of the product to a third lane of 64 bits.  So an integer is a row of digits, least
 * significant first, and a product is a row of columns: sums of halves of products, not yet
 * carried.  A half is below 2^52; a column has room for 2^12 of them.
 *
 * An integer of @blocks vectors is below 2^(416 blocks).  Below, x is 2^52.
 */
#ifndef CC_LIMBS_DIGITS_AVX512IFMA_H
#define CC_LIMBS_DIGITS_AVX512IFMA_H

#include "../kernels.h"

#if CC_BUILD_VECTORS

#include <immintrin.h>

#define IFMA   __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")))
#define INLINE IFMA static inline __attribute__((always_inline))

/* Loops over registers must be unrolled completely, those over rows must not be. */
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#define ROLLED	 _Pragma("clang loop unroll(disable)")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#define ROLLED	 _Pragma("GCC unroll 1")
#endif

#define BLOCK_BITS  416 /* of the 8 digits in a vector */
#define BLOCK_BYTES 52
#define DIGIT_BITS  52
#define DIGIT_MASK  (((uint64_t)1 << DIGIT_BITS) - 1)

/* v x, with the top lane of the block below shifted in */
INLINE __m512i lanes_up(__m512i v, __m512i below)
{
	return _mm512_alignr_epi64(v, below, 7);
}

/* The carry from the top column of one run of blocks to the next. */
struct carry {
	__m512i high; /* in the top lane */
	uint64_t bit;
};

INLINE struct carry no_carry(void)
{
	struct carry c = {_mm512_setzero_si512(), 0};

	return c;
}

/*
 * d[blocks] = the digits of column[blocks], blocks < 8; the carry out.
 *
 * A column is c = h 2^52 + l, h < 2^12.  With the h of the column below, l + h < 2 2^52 - 1,
 * even after a carry of 1: from then on, a column carries 0 or 1.  It generates a carry if
 * l + h >= 2^52, and propagates one if it is 2^52 - 1.  One addition of bit masks yields all
 * carries, because a carry ripples through a run of propagate bits as through ones.
 */
INLINE struct carry carry_columns(__m512i *d, const __m512i *column, int blocks, struct carry in)
{
	const __m512i mask = _mm512_set1_epi64(DIGIT_MASK), one = _mm512_set1_epi64(1);
	uint64_t generate = 0, propagate = 0, into;
	struct carry out;
	__m512i s[7];
	int i;

	out.high = in.high;
	UNROLLED
	for (i = 0; i < blocks; i++) {
		__m512i high = _mm512_srli_epi64(column[i], DIGIT_BITS);

		s[i] = _mm512_add_epi64(_mm512_and_si512(column[i], mask),
					lanes_up(high, out.high));
		out.high = high;
		generate |= (uint64_t)_mm512_cmpgt_epu64_mask(s[i], mask) << (8 * i);
		propagate |= (uint64_t)_mm512_cmpeq_epu64_mask(s[i], mask) << (8 * i);
	}
	into = (generate << 1 | in.bit) + propagate;
	out.bit = into >> (8 * blocks) & 1;
	into ^= propagate;
	UNROLLED
	for (i = 0; i < blocks; i++) {
		__m512i t = _mm512_mask_add_epi64(s[i], (__mmask8)(into >> (8 * i)), s[i], one);

		d[i] = _mm512_and_si512(t, mask);
	}
	return out;
}

/* The bytes from @at on, at most a vector, of @bytes in total */
INLINE __mmask64 bytes_from(size_t at, size_t bytes)
{
	return bytes - at >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << (bytes - at)) - 1;
}

/*
 * Eight digits from 52 bytes: digit i lies within the four half-words from 52 i / 16 on.  Above a
 * digit is some of the next one, which a multiply-add does not read.
 */
INLINE __m512i spread_factor(__m512i bytes)
{
	const __m512i at =
		_mm512_set_epi16(25, 24, 23, 22, 22, 21, 20, 19, 19, 18, 17, 16, 16, 15, 14, 13, 12,
				 11, 10, 9, 9, 8, 7, 6, 6, 5, 4, 3, 3, 2, 1, 0);
	const __m512i shift = _mm512_set_epi64(12, 8, 4, 0, 12, 8, 4, 0);

	return _mm512_srlv_epi64(_mm512_permutexvar_epi16(at, bytes), shift);
}

/* The digits alone */
INLINE __m512i spread(__m512i bytes)
{
	return _mm512_and_si512(spread_factor(bytes), _mm512_set1_epi64(DIGIT_MASK));
}

/* 52 bytes from eight digits, with zeros above: four digits make 13 half-words in half a vector. */
INLINE __m512i pack(__m512i d)
{
	const __m512i at =
		_mm512_set_epi16(15, 15, 15, 15, 15, 15, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,
				 17, 16, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	const __m512i right = _mm512_set_epi64(36, 24, 12, 0, 36, 24, 12, 0);
	const __m512i left = _mm512_set_epi64(64, 28, 40, 52, 64, 28, 40, 52);
	__m512i next = _mm512_permutex_epi64(d, 0x39);

	d = _mm512_or_si512(_mm512_srlv_epi64(d, right), _mm512_sllv_epi64(next, left));
	return _mm512_permutexvar_epi16(at, d);
}

/* Block i of x[n] */
INLINE __m512i load_block(const cc_word *x, size_t n, size_t i)
{
	size_t at = i * BLOCK_BYTES, bytes = n * sizeof(*x);

	if (at >= bytes)
		return _mm512_setzero_si512();
	return spread(
		_mm512_maskz_loadu_epi8(bytes_from(at, bytes), (const unsigned char *)x + at));
}

/* Block i of x[n] = d; also writes zeros above, so blocks must be stored in ascending order */
INLINE void store_block(cc_word *x, size_t n, size_t i, __m512i d)
{
	size_t at = i * BLOCK_BYTES, bytes = n * sizeof(*x);

	if (at < bytes)
		_mm512_mask_storeu_epi8((unsigned char *)x + at, bytes_from(at, bytes), pack(d));
}

#endif /* CC_BUILD_VECTORS */
#endif /* CC_LIMBS_DIGITS_AVX512IFMA_H */
