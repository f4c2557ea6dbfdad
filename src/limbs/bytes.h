/* SPDX-License-Identifier: MIT */
/*
 * bytes.h - words as bytes, least significant first; most significant first with CC_BIG_ENDIAN.
 */
#ifndef CC_LIMBS_BYTES_H
#define CC_LIMBS_BYTES_H

#include "../platform.h"

#include <carrychain/word.h>

#define CC_WORD_BYTES sizeof(cc_word)

/* Compilers recognize this as one instruction, where there is one. */
static inline cc_word cc_bytes_reversed(cc_word w)
{
#if CC_WORD_BITS == 64
	w = (w >> 32) | (w << 32);
	w = (w >> 16 & 0x0000ffff0000ffff) | (w & 0x0000ffff0000ffff) << 16;
	return (w >> 8 & 0x00ff00ff00ff00ff) | (w & 0x00ff00ff00ff00ff) << 8;
#else
	w = (w >> 16) | (w << 16);
	return (w >> 8 & 0x00ff00ff) | (w & 0x00ff00ff) << 8;
#endif
}

/* Converts between a word and one with its bytes in the given order. */
static inline cc_word cc_bytes_ordered(cc_word w, unsigned int flags)
{
	int big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	return big == ((flags & CC_BIG_ENDIAN) != 0) ? w : cc_bytes_reversed(w);
}

/* The place of @size bytes that follow @before less significant ones. */
static inline size_t cc_bytes_place(size_t length, size_t before, size_t size, unsigned int flags)
{
	return flags & CC_BIG_ENDIAN ? length - before - size : before;
}

/* The word that begins with the byte of weight 256^at; 0 beyond the bytes' end. */
static inline cc_word cc_bytes_load(const unsigned char *bytes, size_t length, size_t at,
				    unsigned int flags)
{
	unsigned int shift;
	cc_word w = 0;

	if (__builtin_expect(at + CC_WORD_BYTES <= length, 1)) {
		memcpy(&w, bytes + cc_bytes_place(length, at, CC_WORD_BYTES, flags), CC_WORD_BYTES);
		return cc_bytes_ordered(w, flags);
	}
	for (shift = 0; at < length; shift += 8, at++)
		w |= (cc_word)bytes[cc_bytes_place(length, at, 1, flags)] << shift;
	return w;
}

/* Stores the word there, as many of its bytes as fit. */
static inline void cc_bytes_store(unsigned char *bytes, size_t length, size_t at, cc_word w,
				  unsigned int flags)
{
	if (__builtin_expect(at + CC_WORD_BYTES <= length, 1)) {
		w = cc_bytes_ordered(w, flags);
		memcpy(bytes + cc_bytes_place(length, at, CC_WORD_BYTES, flags), &w, CC_WORD_BYTES);
		return;
	}
	for (; at < length; at++, w >>= 8)
		bytes[cc_bytes_place(length, at, 1, flags)] = (unsigned char)w;
}

#endif /* CC_LIMBS_BYTES_H */
