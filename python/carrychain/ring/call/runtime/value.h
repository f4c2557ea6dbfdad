/* SPDX-License-Identifier: MIT */
/*
 * value.h - what the runtime's files share: tags of values, views to read them, and results.
 */
#ifndef CARRYCHAIN_RING_VALUE_H
#define CARRYCHAIN_RING_VALUE_H

#include "runtime.h"

/* The most bits of an integer: a limit, lest a faulty program take all memory. */
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

/* A read-only view of a value as a cc_bigint; a small value's words are in @words. */
#define WORDS_SMALL (64 / CC_WORD_BITS)

struct ring_view {
	cc_bigint value;
	cc_word words[WORDS_SMALL];
};

const cc_bigint *ring_view(struct ring_view *v, ring_value x);

/*
 * The integer for a result: the slot's, if nothing else refers to it, or a new one. The slot's
 * holds an old number. It is no argument of the operation: those are owned by other slots.
 */
struct ring_integer *ring_begin(const ring_value *slot);

/* The result x as a value, owned by the slot; 0 if @status is an error, or x is too long. */
ring_value ring_finish(struct ring_integer *x, ring_value *slot, int status);

/* Frees the memory of an array from ring_new(). */
void ring_array_free(struct ring_array *array);

#endif /* CARRYCHAIN_RING_VALUE_H */
