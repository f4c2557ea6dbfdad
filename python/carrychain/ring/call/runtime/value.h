/* SPDX-License-Identifier: MIT */
/*
 * value.h - what the runtime's files share: a value's parts, values to read, and results.
 */
#ifndef CARRYCHAIN_RING_VALUE_H
#define CARRYCHAIN_RING_VALUE_H

#include "runtime.h"

/* No integer has more bits: a wrong program would take all memory to make one. */
#define BITS_MAX ((uint64_t)1 << 33)

#define SMALL_MAX (INT64_MAX >> 1)
#define SMALL_MIN (INT64_MIN >> 1)

static inline int is_small(ring_value x)
{
	return x & 1;
}

static inline int64_t small(ring_value x)
{
	return x >> 1;
}

static inline ring_value tagged(int64_t x)
{
	return (ring_value)((uint64_t)x << 1 | 1);
}

static inline struct ring_object *object(ring_value x)
{
	return (struct ring_object *)(uintptr_t)x;
}

/* A value as a cc_bigint to read; a small one's words are in @words. */
#define WORDS_SMALL (64 / CC_WORD_BITS)

struct ring_view {
	cc_bigint value;
	cc_word words[WORDS_SMALL];
};

const cc_bigint *ring_view(struct ring_view *v, ring_value x);

/*
 * The integer that a result goes to: the one that the slot alone owns, or a new one. That one
 * may hold any number; no argument is it, as each argument is owned by another slot.
 */
struct ring_integer *ring_begin(const ring_value *slot);

/* What x came to, as a value, owned by the slot; 0 if @status is an error or x too long. */
ring_value ring_finish(struct ring_integer *x, ring_value *slot, int status);

/* The memory of one that ring_new() made. */
void ring_array_free(struct ring_array *array);

#endif /* CARRYCHAIN_RING_VALUE_H */
