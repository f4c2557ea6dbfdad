// SPDX-License-Identifier: MIT
/* The schemes in NEON: vectors of 16 bytes, loaded from any address. */
#include "../schemes.h"

#if CC_BUILD_NEON

#include <arm_neon.h>

#define VECTOR 16u

static inline uint32x4_t load(const unsigned char *p)
{
	return vreinterpretq_u32_u8(vld1q_u8(p));
}

/* a + b; *@carries counts the lanes that have one */
static inline uint32x4_t add_count(uint32x4_t *carries, uint32x4_t a, uint32x4_t b)
{
	uint32x4_t s = vaddq_u32(a, b);

	*carries = vsubq_u32(*carries, vcltq_u32(s, a));
	return s;
}

static inline cc_u64 mot(const unsigned char *p, size_t take)
{
	uint32x4_t sum = vdupq_n_u32(0), carries = sum;
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += 2 * VECTOR) {
		uint32x4_t t = add_count(&carries, load(p + i), load(p + i + VECTOR));

		sum = add_count(&carries, t, sum);
	}
	return vaddlvq_u32(sum) + vaddlvq_u32(carries);
}

static inline cc_u64 mot_unrolled(const unsigned char *p, size_t take)
{
	uint32x4_t s0 = vdupq_n_u32(0), s1 = s0, c0 = s0, c1 = s0;
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += 4 * VECTOR) {
		const unsigned char *at = p + i;
		uint32x4_t t0 = add_count(&c0, load(at), load(at + VECTOR));
		uint32x4_t t1 = add_count(&c1, load(at + 2 * VECTOR), load(at + 3 * VECTOR));

		s0 = add_count(&c0, t0, s0);
		s1 = add_count(&c1, t1, s1);
	}
	s0 = add_count(&c0, s0, s1);
	return vaddlvq_u32(s0) + vaddlvq_u32(vaddq_u32(c0, c1));
}

/* UADALP is the article's instruction without the multiplication by ones. */
static inline uint32x4_t pair_sum(uint32x4_t sum, const unsigned char *p)
{
	return vpadalq_u16(sum, vreinterpretq_u16_u8(vld1q_u8(p)));
}

static inline cc_u64 ibm(const unsigned char *p, size_t take)
{
	uint32x4_t sum = vdupq_n_u32(0);
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i < take; i += VECTOR)
		sum = pair_sum(sum, p + i);
	return vaddlvq_u32(sum);
}

static inline cc_u64 ibm_unrolled(const unsigned char *p, size_t take)
{
	uint32x4_t a = vdupq_n_u32(0), b = a, c = a, d = a;
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i + 3 * VECTOR < take; i += 4 * VECTOR) {
		a = pair_sum(a, p + i);
		b = pair_sum(b, p + i + VECTOR);
		c = pair_sum(c, p + i + 2 * VECTOR);
		d = pair_sum(d, p + i + 3 * VECTOR);
	}
	CC_AS_WRITTEN
	for (; i < take; i += VECTOR)
		a = pair_sum(a, p + i);
	return vaddlvq_u32(vaddq_u32(vaddq_u32(a, b), vaddq_u32(c, d)));
}

CC_CHECKSUM_SCHEME(, cc_checksum_mot_neon, mot, 2 * VECTOR, CC_MOT_FLUSH)
CC_CHECKSUM_SCHEME(, cc_checksum_mot_unrolled_neon, mot_unrolled, 4 * VECTOR, CC_MOT_FLUSH)
CC_CHECKSUM_SCHEME(, cc_checksum_ibm_neon, ibm, VECTOR, CC_IBM_VECTORS *VECTOR)
CC_CHECKSUM_SCHEME(, cc_checksum_ibm_unrolled_neon, ibm_unrolled, VECTOR, CC_IBM_VECTORS *VECTOR)

CC_CHECKSUM_WHOLE(, neon, cc_checksum_ibm_unrolled_neon)

#endif
