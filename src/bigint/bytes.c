// SPDX-License-Identifier: MIT
/* Bytes, as Python's int.to_bytes and int.from_bytes define them; negation as in bits.c. */
#include "room.h"

#define WORD_BYTES sizeof(cc_word)

/* Compilers know this for the one instruction that it mostly is. */
static inline cc_word reversed(cc_word w)
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

/* A word of this machine as a word whose bytes lie in the order asked for, and back. */
static inline cc_word ordered(cc_word w, unsigned int flags)
{
	int big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	return big == ((flags & CC_BIG_ENDIAN) != 0) ? w : reversed(w);
}

/* Where @size bytes lie of which @before less significant ones are before them. */
static inline size_t place(size_t length, size_t before, size_t size, unsigned int flags)
{
	return flags & CC_BIG_ENDIAN ? length - before - size : before;
}

static int is_power_of_two(const cc_bigint *x)
{
	cc_word top = x->words[x->length - 1];

	return !(top & (top - 1)) && !cc_limbs_normalise(x->words, x->length - 1);
}

/* The sign takes a bit, but for the least number of all, -2^(8 length - 1). */
static int fits(size_t length, const cc_bigint *x, unsigned int flags)
{
	uint64_t bits = cc_bigint_bit_length(x);

	if (!bits)
		return 1;
	if (!(flags & CC_SIGNED))
		return !x->negative && (bits + 7) / 8 <= length;
	if (bits / 8 < length)
		return 1;
	return x->negative && bits == (uint64_t)length * 8 && is_power_of_two(x);
}

int cc_bigint_to_bytes(void *bytes, size_t length, const cc_bigint *x, unsigned int flags)
{
	cc_word ones = 0 - (cc_word)x->negative, carry = ones & 1;
	unsigned char *to = bytes;
	size_t i, at = 0;

	if (!fits(length, x, flags))
		return CC_ERANGE;
	for (i = 0; i < x->length; i++) {
		cc_word w = (x->words[i] ^ ones) + carry;

		carry &= !w;
		if (length - at >= WORD_BYTES) {
			w = ordered(w, flags);
			memcpy(to + place(length, at, WORD_BYTES, flags), &w, WORD_BYTES);
			at += WORD_BYTES;
			continue;
		}
		for (; at < length; at++, w >>= 8)
			to[place(length, at, 1, flags)] = (unsigned char)w;
	}
	if (at < length)
		memset(flags & CC_BIG_ENDIAN ? to : to + at, (unsigned char)ones, length - at);
	return CC_OK;
}

int cc_bigint_from_bytes(cc_bigint *r, const void *bytes, size_t length, unsigned int flags)
{
	const unsigned char *from = bytes;
	size_t words = length / WORD_BYTES + (length % WORD_BYTES > 0), i, at = 0;
	cc_word ones = 0, carry;
	struct cc_room room;
	int err = cc_room_open(&room, r, words);

	if (err)
		return err;
	if (length && (flags & CC_SIGNED))
		ones = 0 - (cc_word)(from[place(length, length - 1, 1, flags)] >> 7);
	carry = ones & 1;
	for (i = 0; i < words; i++) {
		cc_word w = ones;
		unsigned int shift;

		if (length - at >= WORD_BYTES) {
			memcpy(&w, from + place(length, at, WORD_BYTES, flags), WORD_BYTES);
			w = ordered(w, flags);
			at += WORD_BYTES;
		} else {
			/* above the top byte, the sign */
			for (shift = 0; at < length; shift += 8, at++)
				w ^= (cc_word)(from[place(length, at, 1, flags)] ^ (ones & 0xff))
				     << shift;
		}
		w = (w ^ ones) + carry;
		carry &= !w;
		room.words[i] = w;
	}
	cc_room_close(&room, r, words, ones & 1);
	return CC_OK;
}
