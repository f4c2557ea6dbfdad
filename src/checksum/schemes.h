/* SPDX-License-Identifier: MIT */
/*
 * schemes.h - ways to defer the carries of a one's complement sum, one function each.
 *
 * A scheme takes any length at any alignment and returns the sum of the native 16-bit
 * words, the last byte followed by a zero if their number is odd: any 32-bit number
 * congruent to it modulo 65535, and 0 only if every byte is 0.  2^16, 2^32 and 2^48 are 1
 * modulo 65535; so a word of 32 or 64 bits stands for the sum of its 16-bit words, and a
 * carry out of it counts 1.
 *
 * In the names of the article (Zaks, Naishlos and Citron, TCP/IP checksum vectorization
 * using AltiVec, 2004): checksum16 and checksum32 add words of that size into an
 * accumulator of twice the size; mot keeps 32-bit sums and their carries in two vectors;
 * ibm multiplies 16-bit words by ones and sums the products in 32 bits.  Ours:
 * checksum_word counts the carries out of the machine's own words; deferred is explained
 * in x86_64/deferred.h.
 */
#ifndef CC_CHECKSUM_SCHEMES_H
#define CC_CHECKSUM_SCHEMES_H

#include <carrychain/checksum.h>

#include "../cpu/dispatch.h"

typedef cc_u32 cc_checksum_fn(const unsigned char *data, size_t len);

struct cc_checksum_scheme {
	const char *name;
	const char *tier;
	uint64_t needs;
	/* the accumulators are emptied after this many bytes */
	size_t flush;
	cc_checksum_fn *sum;
};

/* Every scheme of every tier built for this architecture. */
CC_HIDDEN extern const struct cc_checksum_scheme cc_checksum_schemes[];
CC_HIDDEN extern const size_t cc_checksum_schemes_count;

/* < 2^33 */
static inline cc_u64 cc_checksum_fold64(cc_u64 sum)
{
	return (sum >> 32) + (cc_u32)sum;
}

/* As in cc_checksum_sum16(): 0 only for 0 */
static inline cc_u32 cc_checksum_fold32(cc_u64 sum)
{
	sum += (sum >> 32) | (sum << 32);
	return (cc_u32)(sum >> 32);
}

#define CC_WORD ((size_t)sizeof(cc_word))

static inline cc_word cc_load_word(const unsigned char *p)
{
	cc_word w;

	memcpy(&w, p, sizeof(w));
	return w;
}

static inline cc_u32 cc_load_u32(const unsigned char *p)
{
	cc_u32 w;

	memcpy(&w, p, sizeof(w));
	return w;
}

static inline uint16_t cc_load_u16(const unsigned char *p)
{
	uint16_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

/* The last byte, as the first of its word */
static inline cc_u32 cc_load_last(const unsigned char *p)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return *p;
#else
	return (cc_u32)*p << 8;
#endif
}

/* Less than a word */
static inline cc_u32 cc_checksum_tail(const unsigned char *p, size_t len)
{
	cc_u64 sum = 0;

#if CC_WORD_BITS == 64
	if (len & 4) {
		sum += cc_load_u32(p);
		p += 4;
	}
#endif
	if (len & 2) {
		sum += cc_load_u16(p);
		p += 2;
	}
	if (len & 1)
		sum += cc_load_last(p);
	return cc_checksum_fold32(sum);
}

/* The last @len bytes of a word, 1 at least, as the beginning of a word of zeros */
static inline cc_word cc_word_rest(cc_word w, size_t len)
{
	unsigned int others = (unsigned int)(0 - 8 * len) % CC_WORD_BITS;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return w >> others;
#else
	return w << others;
#endif
}

/*
 * The last @len bytes of data, from @p on.  The data are longer than a word, so the whole word
 * that ends with them is readable.
 */
static inline cc_word cc_load_rest(const unsigned char *p, size_t len)
{
	return cc_word_rest(cc_load_word(p + len - CC_WORD), len);
}

#define CC_COUNT(sum, carries, p)                                                                  \
	do {                                                                                       \
		cc_word w_ = cc_load_word(p);                                                      \
                                                                                                   \
		(sum) += w_;                                                                       \
		(carries) += (sum) < w_;                                                           \
	} while (0)

/* Two sums of words with counts of their carries; there are fewer carries than words. */
static inline __attribute__((__always_inline__)) cc_u32 cc_checksum_short(const unsigned char *p,
									  size_t len)
{
	cc_word a = 0, b = 0, m = 0, n = 0, rest;

	if (len < CC_WORD)
		return cc_checksum_tail(p, len);
	for (; len >= 8 * CC_WORD; p += 8 * CC_WORD, len -= 8 * CC_WORD) {
		CC_COUNT(a, m, p);
		CC_COUNT(b, n, p + CC_WORD);
		CC_COUNT(a, m, p + 2 * CC_WORD);
		CC_COUNT(b, n, p + 3 * CC_WORD);
		CC_COUNT(a, m, p + 4 * CC_WORD);
		CC_COUNT(b, n, p + 5 * CC_WORD);
		CC_COUNT(a, m, p + 6 * CC_WORD);
		CC_COUNT(b, n, p + 7 * CC_WORD);
	}
	if (len & 4 * CC_WORD) {
		CC_COUNT(a, m, p);
		CC_COUNT(b, n, p + CC_WORD);
		CC_COUNT(a, m, p + 2 * CC_WORD);
		CC_COUNT(b, n, p + 3 * CC_WORD);
		p += 4 * CC_WORD;
	}
	if (len % (4 * CC_WORD)) {
		if (len & 2 * CC_WORD) {
			CC_COUNT(a, m, p);
			CC_COUNT(b, n, p + CC_WORD);
			p += 2 * CC_WORD;
		}
		if (len & CC_WORD) {
			CC_COUNT(a, m, p);
			p += CC_WORD;
		}
		if (len % CC_WORD) {
			rest = cc_load_rest(p, len % CC_WORD);
			b += rest;
			n += b < rest;
		}
	}
	a += b;
	n += a < b;
	return cc_checksum_fold32(cc_checksum_fold64(a) + m + n);
}

/* scalar.c */
#define CC_CHECKSUM16_FLUSH 0x20000u
#define CC_CHECKSUM32_FLUSH 0x100000u
CC_HIDDEN cc_checksum_fn cc_checksum16;
CC_HIDDEN cc_checksum_fn cc_checksum16_unrolled;
CC_HIDDEN cc_checksum_fn cc_checksum32;
CC_HIDDEN cc_checksum_fn cc_checksum32_unrolled;
CC_HIDDEN cc_checksum_fn cc_checksum_word;
CC_HIDDEN cc_checksum_fn cc_checksum_word_unrolled;

/* Before a loop that the compiler should not unroll: it is unrolled by hand, or not at all. */
#ifdef __clang__
#define CC_AS_WRITTEN _Pragma("clang loop vectorize(disable) interleave(disable) unroll(disable)")
#else
#define CC_AS_WRITTEN _Pragma("GCC unroll 1")
#endif

/*
 * Makes a scheme of a function that sums @take bytes, a multiple of @granule and at most
 * @flush, to a number below 2^63.
 */
#define CC_CHECKSUM_SCHEME(attributes, name, body, granule, flush)                                 \
	attributes cc_u32 name(const unsigned char *data, size_t len)                              \
	{                                                                                          \
		cc_u64 sum = 0;                                                                    \
                                                                                                   \
		while (len >= (granule)) {                                                         \
			size_t take = len < (flush) ? len - len % (granule) : (flush);             \
                                                                                                   \
			sum = cc_checksum_fold64(sum + body(data, take));                          \
			data += take;                                                              \
			len -= take;                                                               \
		}                                                                                  \
		return cc_checksum_fold32(sum + cc_checksum_word_unrolled(data, len));             \
	}

/* Vector instructions are only for user space, and not if portable C is requested. */
#if defined(__KERNEL__) || defined(CC_NO_ASM)
#define CC_BUILD_AVX	 0
#define CC_BUILD_NEON	 0
#define CC_BUILD_ALTIVEC 0
#else
#define CC_BUILD_AVX CC_BUILD_X86_64
#if defined(__aarch64__) && defined(__ARM_NEON)
#define CC_BUILD_NEON 1
#else
#define CC_BUILD_NEON 0
#endif
/* gcc enables AltiVec by a pragma; other compilers have it only if it is in the baseline */
#if defined(__powerpc64__) && (defined(__ALTIVEC__) || !defined(__clang__))
#define CC_BUILD_ALTIVEC 1
#else
#define CC_BUILD_ALTIVEC 0
#endif
#endif

/* 20 times the groups of eight are 65520: see deferred.h */
#define CC_DEFERRED_VECTORS (8 * 3276u)
/* avx512vnni.c */
#define CC_VNNI_VECTORS 2048u
/*
 * Carries are counted in 32-bit lanes, two per step, so 2^31 steps would be exact.  This lower
 * bound is small enough for tests to reach it.
 */
#define CC_MOT_FLUSH 0x80000u
/*
 * Two words a vector go into each 32-bit lane: n vectors are exact while
 * n (2^16 - 1) 2 < 2^32, which is up to n = 2^15.  That holds for all accumulators of an
 * unrolled loop together, which are added in 32 bits.
 */
#define CC_IBM_VECTORS 0x8000u

/*
 * The whole checksum by a tier's best scheme; a function of its own, so that cc_checksum()
 * ends in a jump to it.
 */
typedef uint16_t cc_checksum_whole_fn(const unsigned char *data, size_t len);

#define CC_CHECKSUM_WHOLE(attributes, tier, sum)                                                   \
	attributes uint16_t cc_checksum_whole_##tier(const unsigned char *data, size_t len)        \
	{                                                                                          \
		return cc_checksum_fold(sum(data, len));                                           \
	}

CC_HIDDEN cc_checksum_whole_fn cc_checksum_whole_generic;

/*
 * memcpy(to, from, len), and the sum of the stored bytes: each byte is loaded once, or else
 * the value that was summed is stored last.
 */
typedef cc_u32 cc_checksum_copy_fn(unsigned char *to, const unsigned char *from, size_t len);

CC_HIDDEN cc_checksum_copy_fn cc_checksum_copy_words;

#if CC_BUILD_AVX
/* The least length for their whole checksums */
#define CC_AVX_FROM 33u
CC_HIDDEN cc_checksum_whole_fn cc_checksum_whole_avx2;
CC_HIDDEN cc_checksum_copy_fn cc_checksum_copy_avx2;
CC_HIDDEN cc_checksum_copy_fn cc_checksum_copy_avx512;
CC_HIDDEN cc_checksum_whole_fn cc_checksum_whole_avx512;
CC_HIDDEN cc_checksum_whole_fn cc_checksum_whole_avx512vnni;
CC_HIDDEN cc_checksum_fn cc_checksum_mot_avx2;
CC_HIDDEN cc_checksum_fn cc_checksum_mot_unrolled_avx2;
CC_HIDDEN cc_checksum_fn cc_checksum_ibm_avx2;
CC_HIDDEN cc_checksum_fn cc_checksum_ibm_unrolled_avx2;
CC_HIDDEN cc_checksum_fn cc_checksum_deferred_avx2;
CC_HIDDEN cc_checksum_fn cc_checksum_mot_avx512;
CC_HIDDEN cc_checksum_fn cc_checksum_mot_unrolled_avx512;
CC_HIDDEN cc_checksum_fn cc_checksum_ibm_avx512;
CC_HIDDEN cc_checksum_fn cc_checksum_ibm_unrolled_avx512;
CC_HIDDEN cc_checksum_fn cc_checksum_deferred_avx512;
CC_HIDDEN cc_checksum_fn cc_checksum_ibm_avx512vnni;
CC_HIDDEN cc_checksum_fn cc_checksum_ibm_unrolled_avx512vnni;
#endif

#if CC_BUILD_NEON
CC_HIDDEN cc_checksum_whole_fn cc_checksum_whole_neon;
CC_HIDDEN cc_checksum_fn cc_checksum_mot_neon;
CC_HIDDEN cc_checksum_fn cc_checksum_mot_unrolled_neon;
CC_HIDDEN cc_checksum_fn cc_checksum_ibm_neon;
CC_HIDDEN cc_checksum_fn cc_checksum_ibm_unrolled_neon;
#endif

#if CC_BUILD_ALTIVEC
CC_HIDDEN cc_checksum_whole_fn cc_checksum_whole_altivec;
CC_HIDDEN cc_checksum_fn cc_checksum_mot_altivec;
CC_HIDDEN cc_checksum_fn cc_checksum_mot_unrolled_altivec;
CC_HIDDEN cc_checksum_fn cc_checksum_ibm_altivec;
CC_HIDDEN cc_checksum_fn cc_checksum_ibm_unrolled_altivec;
#endif

#endif /* CC_CHECKSUM_SCHEMES_H */
