// SPDX-License-Identifier: MIT
/* The schemes in portable C. */
#include "schemes.h"

/*
 * 2^16 words into 32 bits: 2^16 (2^16 - 1) < 2^32, for all accumulators of the unrolled
 * loop together.
 */
static inline cc_u64 sum_16(const unsigned char *p, size_t take)
{
	const unsigned char *end = p + take;
	cc_u32 sum = 0;

	CC_AS_WRITTEN
	for (; p < end; p += 2)
		sum += cc_load_u16(p);
	return sum;
}

static inline cc_u64 sum_16_unrolled(const unsigned char *p, size_t take)
{
	const unsigned char *end = p + take;
	cc_u32 a = 0, b = 0, c = 0, d = 0;

	CC_AS_WRITTEN
	for (; p < end; p += 8) {
		a += cc_load_u16(p);
		b += cc_load_u16(p + 2);
		c += cc_load_u16(p + 4);
		d += cc_load_u16(p + 6);
	}
	return a + b + c + d;
}

/* 2^18 words into 64 bits, where 2^32 would still be exact */
static inline cc_u64 sum_32(const unsigned char *p, size_t take)
{
	const unsigned char *end = p + take;
	cc_u64 sum = 0;

	CC_AS_WRITTEN
	for (; p < end; p += 4)
		sum += cc_load_u32(p);
	return sum;
}

static inline cc_u64 sum_32_unrolled(const unsigned char *p, size_t take)
{
	const unsigned char *end = p + take;
	cc_u64 a = 0, b = 0, c = 0, d = 0;

	CC_AS_WRITTEN
	for (; p < end; p += 16) {
		a += cc_load_u32(p);
		b += cc_load_u32(p + 4);
		c += cc_load_u32(p + 8);
		d += cc_load_u32(p + 12);
	}
	return a + b + c + d;
}

CC_CHECKSUM_SCHEME(, cc_checksum16, sum_16, 2, CC_CHECKSUM16_FLUSH)
CC_CHECKSUM_SCHEME(, cc_checksum16_unrolled, sum_16_unrolled, 8, CC_CHECKSUM16_FLUSH)
CC_CHECKSUM_SCHEME(, cc_checksum32, sum_32, 4, CC_CHECKSUM32_FLUSH)
CC_CHECKSUM_SCHEME(, cc_checksum32_unrolled, sum_32_unrolled, 16, CC_CHECKSUM32_FLUSH)

/* There are fewer carries than words: neither of these ever has to be emptied. */

static inline cc_u64 sum_word(const unsigned char *p, size_t take)
{
	const unsigned char *end = p + take;
	cc_word sum = 0, carries = 0;

	CC_AS_WRITTEN
	for (; p < end; p += CC_WORD)
		CC_COUNT(sum, carries, p);
	return cc_checksum_fold64(sum) + carries;
}

CC_CHECKSUM_SCHEME(, cc_checksum_word, sum_word, CC_WORD, ~(size_t)0 / CC_WORD * CC_WORD)

cc_u32 cc_checksum_word_unrolled(const unsigned char *data, size_t len)
{
	return cc_checksum_short(data, len);
}

CC_CHECKSUM_WHOLE(__attribute__((__aligned__(64))), generic, cc_checksum_short)
