// SPDX-License-Identifier: MIT
/* Bytes, as Python's int.to_bytes and int.from_bytes define them; negation as in bits.c. */
#include "../limbs/bytes.h"
#include "room.h"

static int is_power_of_two(const cc_bigint *x)
{
	cc_word top = x->words[x->length - 1];

	return !(top & (top - 1)) && !cc_limbs_normalise(x->words, x->length - 1);
}

/* The sign takes a bit, except for the least number, -2^(8 length - 1). */
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
	for (i = 0; i < x->length; i++, at += CC_WORD_BYTES) {
		cc_word w = (x->words[i] ^ ones) + carry;

		carry &= !w;
		cc_bytes_store(to, length, at, w, flags);
	}
	if (at < length)
		memset(flags & CC_BIG_ENDIAN ? to : to + at, (unsigned char)ones, length - at);
	return CC_OK;
}

int cc_bigint_from_bytes(cc_bigint *r, const void *bytes, size_t length, unsigned int flags)
{
	const unsigned char *from = bytes;
	size_t words = length / CC_WORD_BYTES + (length % CC_WORD_BYTES > 0), i, at;
	cc_word ones = 0, carry;
	struct cc_room room;
	int err = cc_room_open(&room, r, words);

	if (err)
		return err;
	if (length && (flags & CC_SIGNED))
		ones = 0 - (cc_word)(from[cc_bytes_place(length, length - 1, 1, flags)] >> 7);
	carry = ones & 1;
	for (i = 0, at = 0; i < words; i++, at += CC_WORD_BYTES) {
		cc_word w = cc_bytes_load(from, length, at, flags);

		/* above the top byte, the sign */
		if (length - at < CC_WORD_BYTES)
			w |= ones << 8 * (length - at);
		w = (w ^ ones) + carry;
		carry &= !w;
		room.words[i] = w;
	}
	cc_room_close(&room, r, words, ones & 1);
	return CC_OK;
}
