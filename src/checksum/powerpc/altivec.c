// SPDX-License-Identifier: MIT
/*
 * The schemes in AltiVec, as in the article: vectors of 16 bytes from aligned addresses.
 * Vectors are never realigned: bytes before the first aligned address are summed as words,
 * and if their number is odd, the vectors' sum is multiplied by 256.
 */
#include "../schemes.h"

#if CC_BUILD_ALTIVEC

#ifndef __ALTIVEC__
#pragma GCC target("altivec")
#endif
#include <altivec.h>

#define VECTOR 16u

typedef __vector unsigned int words;
typedef __vector unsigned short halves;

/*
 * The load instruction adds two registers.  An offset should be one of them throughout the
 * loop: if gcc knew its value, it would add it in each iteration instead.
 */
static inline long offset(long bytes)
{
	__asm__("" : "+r"(bytes));
	return bytes;
}

static inline words load(const unsigned char *p, long from)
{
	return vec_ld(from, (const unsigned int *)(const void *)p);
}

static inline cc_u64 sum_u32(words v)
{
	union {
		words v;
		cc_u32 lane[4];
	} u = {.v = v};

	return (cc_u64)u.lane[0] + u.lane[1] + u.lane[2] + u.lane[3];
}

static inline words add_count(words *carries, words a, words b)
{
	*carries = vec_add(*carries, vec_addc(a, b));
	return vec_add(a, b);
}

static inline cc_u64 mot(const unsigned char *p, size_t take)
{
	const long second = offset(VECTOR);
	words sum = vec_splat_u32(0), carries = sum;
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += 2 * VECTOR) {
		words t = add_count(&carries, load(p + i, 0), load(p + i, second));

		sum = add_count(&carries, t, sum);
	}
	return sum_u32(sum) + sum_u32(carries);
}

static inline cc_u64 mot_unrolled(const unsigned char *p, size_t take)
{
	const long second = offset(VECTOR), third = offset(2 * VECTOR), fourth = offset(3 * VECTOR);
	words s0 = vec_splat_u32(0), s1 = s0, c0 = s0, c1 = s0;
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += 4 * VECTOR) {
		const unsigned char *at = p + i;
		words t0 = add_count(&c0, load(at, 0), load(at, second));
		words t1 = add_count(&c1, load(at, third), load(at, fourth));

		s0 = add_count(&c0, t0, s0);
		s1 = add_count(&c1, t1, s1);
	}
	s0 = add_count(&c0, s0, s1);
	return sum_u32(s0) + sum_u32(vec_add(c0, c1));
}

static inline words multiply_sum(words sum, const unsigned char *p, long from)
{
	return vec_msum((halves)load(p, from), vec_splat_u16(1), sum);
}

static inline cc_u64 ibm(const unsigned char *p, size_t take)
{
	words sum = vec_splat_u32(0);
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += VECTOR)
		sum = multiply_sum(sum, p + i, 0);
	return sum_u32(sum);
}

static inline cc_u64 ibm_unrolled(const unsigned char *p, size_t take)
{
	const long second = offset(VECTOR), third = offset(2 * VECTOR), fourth = offset(3 * VECTOR);
	words a = vec_splat_u32(0), b = a, c = a, d = a;
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i + 3 * VECTOR < take; i += 4 * VECTOR) {
		a = multiply_sum(a, p + i, 0);
		b = multiply_sum(b, p + i, second);
		c = multiply_sum(c, p + i, third);
		d = multiply_sum(d, p + i, fourth);
	}
	CC_AS_WRITTEN
	for (; i < take; i += VECTOR)
		a = multiply_sum(a, p + i, 0);
	return sum_u32(vec_add(vec_add(a, b), vec_add(c, d)));
}

CC_CHECKSUM_SCHEME(static inline, aligned_mot, mot, 2 * VECTOR, CC_MOT_FLUSH)
CC_CHECKSUM_SCHEME(static inline, aligned_mot_unrolled, mot_unrolled, 4 * VECTOR, CC_MOT_FLUSH)
CC_CHECKSUM_SCHEME(static inline, aligned_ibm, ibm, VECTOR, CC_IBM_VECTORS *VECTOR)
CC_CHECKSUM_SCHEME(static inline, aligned_ibm_unrolled, ibm_unrolled, VECTOR,
		   CC_IBM_VECTORS *VECTOR)

static inline cc_u32 any(cc_checksum_fn *aligned, const unsigned char *data, size_t len)
{
	size_t head = (0 - (uintptr_t)data) % VECTOR;
	cc_u32 sum;

	if (head > len)
		head = len;
	sum = cc_checksum_shift(aligned(data + head, len - head), head);
	return cc_checksum_add(cc_checksum_word_unrolled(data, head), sum);
}

cc_u32 cc_checksum_mot_altivec(const unsigned char *data, size_t len)
{
	return any(aligned_mot, data, len);
}

cc_u32 cc_checksum_mot_unrolled_altivec(const unsigned char *data, size_t len)
{
	return any(aligned_mot_unrolled, data, len);
}

cc_u32 cc_checksum_ibm_altivec(const unsigned char *data, size_t len)
{
	return any(aligned_ibm, data, len);
}

cc_u32 cc_checksum_ibm_unrolled_altivec(const unsigned char *data, size_t len)
{
	return any(aligned_ibm_unrolled, data, len);
}

CC_CHECKSUM_WHOLE(, altivec, cc_checksum_ibm_unrolled_altivec)

#endif
