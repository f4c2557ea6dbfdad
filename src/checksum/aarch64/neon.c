// SPDX-License-Identifier: MIT
/* The schemes in NEON: vectors of 16 bytes, loaded from any address. */
#include "../schemes.h"

#if CC_BUILD_NEON

#include <arm_neon.h>

#define VECTOR 16u

typedef uint32x4_t vector;

static inline uint32x4_t load(const unsigned char *p)
{
	return vreinterpretq_u32_u8(vld1q_u8(p));
}

/* a + b; *@carries counts the lanes with a carry */
static inline uint32x4_t add_count(uint32x4_t *carries, uint32x4_t a, uint32x4_t b)
{
	uint32x4_t s = vaddq_u32(a, b);

	*carries = vsubq_u32(*carries, vcltq_u32(s, a));
	return s;
}

static inline cc_u64 sum_u32(uint32x4_t v)
{
	return vaddlvq_u32(v);
}

static inline cc_u64 sum_counted(uint32x4_t sum, uint32x4_t carries, size_t additions)
{
	(void)additions;
	return sum_u32(sum) + sum_u32(carries);
}

/* UADALP is the article's instruction without the multiplication by ones. */
static inline uint32x4_t accumulate(uint32x4_t sum, const unsigned char *p)
{
	return vpadalq_u16(sum, vreinterpretq_u16_u8(vld1q_u8(p)));
}

#define ATTRIBUTES
#define ZERO	       vdupq_n_u32(0)
#define ADD32(a, b)    vaddq_u32(a, b)
#define BEGIN(vectors) ZERO

#include "../vectors.h"

/* ibm_unrolled(), for any number of vectors */
static inline cc_u64 ibm_whole(const unsigned char *p, size_t take)
{
	uint32x4_t a = ZERO, b = a, c = a, d = a;
	size_t i;

	CC_AS_WRITTEN
	for (i = 0; i + 3 * VECTOR < take; i += 4 * VECTOR) {
		a = accumulate(a, p + i);
		b = accumulate(b, p + i + VECTOR);
		c = accumulate(c, p + i + 2 * VECTOR);
		d = accumulate(d, p + i + 3 * VECTOR);
	}
	CC_AS_WRITTEN
	for (; i < take; i += VECTOR)
		a = accumulate(a, p + i);
	return sum_u32(ADD32(ADD32(a, b), ADD32(c, d)));
}

CC_CHECKSUM_SCHEME(, cc_checksum_mot_neon, mot, 2 * VECTOR, CC_MOT_FLUSH)
CC_CHECKSUM_SCHEME(, cc_checksum_mot_unrolled_neon, mot_unrolled, 4 * VECTOR, CC_MOT_FLUSH)
CC_CHECKSUM_SCHEME(, cc_checksum_ibm_neon, ibm, VECTOR, CC_IBM_VECTORS *VECTOR)
CC_CHECKSUM_SCHEME(, cc_checksum_ibm_unrolled_neon, ibm_whole, VECTOR, CC_IBM_VECTORS *VECTOR)

CC_CHECKSUM_WHOLE(, neon, cc_checksum_ibm_unrolled_neon)

#endif
