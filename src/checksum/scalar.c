// SPDX-License-Identifier: MIT
/* The schemes in portable C. */
#include "schemes.h"

/* In the generic tier no vector register is touched; clang is told before each loop. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-tree-vectorize", "no-tree-slp-vectorize")
#endif

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

/* There are fewer carries than words, so these accumulators never have to be emptied. */

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

/* Hides a loaded word from the compiler, which must neither load it again nor vectorize. */
#define ONCE(w) __asm__ volatile("" : "+r"(w))

static inline cc_word copy_word(unsigned char *to, const unsigned char *from)
{
	cc_word w = cc_load_word(from);

	ONCE(w);
	memcpy(to, &w, sizeof(w));
	return w;
}

#define COPY_COUNT(sum, carries, at)                                                               \
	do {                                                                                       \
		cc_word w_ = copy_word(to + (at), from + (at));                                    \
                                                                                                   \
		(sum) += w_;                                                                       \
		(carries) += (sum) < w_;                                                           \
	} while (0)

cc_u32 cc_checksum_copy_words(unsigned char *to, const unsigned char *from, size_t len)
{
	cc_word a = 0, b = 0, m = 0, n = 0;
	cc_u32 bytes = 0;
	size_t i;

	if (len < CC_WORD) {
		for (i = 0; i < len; i++) {
			unsigned char byte = from[i];

			ONCE(byte);
			to[i] = byte;
			bytes += cc_checksum_shift(cc_load_last(&byte), i);
		}
		return bytes;
	}
	/* first: the bytes that overlap another word are stored again with that word */
	if (len % CC_WORD)
		b = cc_word_rest(copy_word(to + len - CC_WORD, from + len - CC_WORD),
				 len % CC_WORD);
	for (; len >= 4 * CC_WORD; len -= 4 * CC_WORD, to += 4 * CC_WORD, from += 4 * CC_WORD) {
		COPY_COUNT(a, m, 0);
		COPY_COUNT(b, n, CC_WORD);
		COPY_COUNT(a, m, 2 * CC_WORD);
		COPY_COUNT(b, n, 3 * CC_WORD);
	}
	if (len & 2 * CC_WORD) {
		COPY_COUNT(a, m, 0);
		COPY_COUNT(b, n, CC_WORD);
		to += 2 * CC_WORD;
		from += 2 * CC_WORD;
	}
	if (len & CC_WORD)
		COPY_COUNT(a, m, 0);
	a += b;
	n += a < b;
	return cc_checksum_fold32(cc_checksum_fold64(a) + m + n);
}

CC_CHECKSUM_WHOLE(__attribute__((__aligned__(64))), generic, cc_checksum_short)

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
