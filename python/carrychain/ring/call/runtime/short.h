/* SPDX-License-Identifier: MIT */
/*
 * short.h - arithmetic on integers of a few words: each operation decides by the lengths, and
 * writes into the room of the slot's integer, or into words on the stack.
 */
#ifndef CARRYCHAIN_RING_SHORT_H
#define CARRYCHAIN_RING_SHORT_H

#include "entries.h"
#include "value.h"

/* What cc_natural_divrem() needs for the longest operands. */
#define SHORT_SCRATCH 96

/* The results have at most RING_SHORT words. */
static inline int short_sum(const cc_bigint *x, const cc_bigint *y)
{
	return x->length < RING_SHORT && y->length < RING_SHORT;
}

static inline int short_product(const cc_bigint *x, const cc_bigint *y)
{
	return x->length + y->length <= RING_SHORT;
}

static inline int short_quotient(const cc_bigint *x, const cc_bigint *y)
{
	return x->length < 2 * RING_SHORT && y->length < RING_SHORT &&
	       x->length + 2 <= y->length + RING_SHORT;
}

static inline int short_shift(const cc_bigint *x, int64_t count)
{
	uint64_t words = (count < 0 ? -(uint64_t)count : (uint64_t)count) / CC_WORD_BITS;

	if (count < 0)
		return words < x->length && x->length - words < RING_SHORT;
	return words < RING_SHORT && x->length + words < RING_SHORT;
}

/* x + y, where y's sign is the one given. */
ring_value ring_short_add(const cc_bigint *x, const cc_bigint *y, int y_negative, ring_value *slot);
ring_value ring_short_mul(const cc_bigint *x, const cc_bigint *y, ring_value *slot);
ring_value ring_short_divide(int32_t which, const cc_bigint *x, const cc_bigint *y,
			     ring_value *slot);
/* floor(x 2^count) */
ring_value ring_short_shift(const cc_bigint *x, int64_t count, ring_value *slot);

#endif /* CARRYCHAIN_RING_SHORT_H */
