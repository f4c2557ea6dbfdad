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
	struct ring_integer *r = ring_begin(slot);
	cc_bigint word = CC_BIGINT_INIT;
	int status;

	if (!r)
		return 0;
	if (negative) {
		low = -low;
		high = ~high + !low;
	}
	status = cc_bigint_set_u64(&r->value, high);
	if (!status)
		status = cc_bigint_shl(&r->value, &r->value, 64);
	if (!status)
		status = cc_bigint_set_u64(&word, low);
	if (!status)
		status = cc_bigint_add(&r->value, &r->value, &word);
	if (!status && negative)
		status = cc_bigint_neg(&r->value, &r->value);
	cc_bigint_clear(&word);
	return ring_finish(r, slot, status);
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
	struct ring_integer *r = ring_begin(&slot);

	if (!r)
		return 0;
	return ring_finish(r, &slot, cc_bigint_from_bytes(&r->value, bytes, length, CC_SIGNED));
}
