// SPDX-License-Identifier: MIT
/* convert.c - values from words and bytes, and words from values. */
#include "entries.h"
#include "value.h"

struct ring_halves ring_words(ring_value a)
{
	struct ring_view v;
	const cc_bigint *x = ring_view(&v, a);
	uint64_t half[2] = {0, 0};
	struct ring_halves result;
	size_t i;

	for (i = 0; i < x->length && i * CC_WORD_BITS < 128; i++)
		half[i * CC_WORD_BITS / 64] |= (uint64_t)x->words[i] << (i * CC_WORD_BITS % 64);
	if (x->negative) {
		half[0] = -half[0];
		half[1] = ~half[1] + !half[0];
	}
	result.low = half[0];
	result.high = half[1];
	return result;
}

uint64_t ring_word(ring_value a)
{
	if (is_small(a))
		return (uint64_t)small(a);
	return ring_words(a).low;
}

static ring_value from_halves(uint64_t low, uint64_t high, int negative, ring_value *slot)
{
	struct ring_integer *r = ring_begin_short(slot, 128 / CC_WORD_BITS);
	size_t i;

	if (!r)
		return 0;
	if (negative) {
		low = -low;
		high = ~high + !low;
	}
	for (i = 0; i < 64 / CC_WORD_BITS; i++) {
		r->value.words[i] = (cc_word)(low >> (i * CC_WORD_BITS));
		r->value.words[64 / CC_WORD_BITS + i] = (cc_word)(high >> (i * CC_WORD_BITS));
	}
	return ring_finish_short(r, slot, 128 / CC_WORD_BITS, negative);
}

ring_value ring_unsigned(uint64_t low, uint64_t high, ring_value *slot)
{
	return from_halves(low, high, 0, slot);
}

ring_value ring_signed(uint64_t low, uint64_t high, ring_value *slot)
{
	return from_halves(low, high, (int64_t)high < 0, slot);
}

int64_t ring_count(ring_value a)
{
	if (is_small(a))
		return small(a);
	return ring_integer(a)->negative ? SMALL_MIN : SMALL_MAX;
}

ring_value ring_from_bytes(const void *bytes, size_t length)
{
	ring_value slot = 0;
	struct ring_integer *r = length <= RING_SHORT * sizeof(cc_word)
					 ? ring_begin_room(length / sizeof(cc_word) + 1)
					 : ring_begin(&slot);

	if (!r)
		return 0;
	return ring_finish(r, &slot, cc_bigint_from_bytes(&r->value, bytes, length, CC_SIGNED));
}
