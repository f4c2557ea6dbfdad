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

static inline const cc_bigint *integer_of(ring_value x)
{
	return &((const struct ring_integer *)(uintptr_t)x)->value;
}

/* A read-only view of a value as a cc_bigint; a small value's words are in @words. */
#define WORDS_SMALL (64 / CC_WORD_BITS)

struct ring_view {
	cc_bigint value;
	cc_word words[WORDS_SMALL];
};

static inline const cc_bigint *ring_view(struct ring_view *v, ring_value x)
{
	uint64_t magnitude;
	size_t i;

	if (!is_small(x))
		return integer_of(x);
	magnitude = small(x) < 0 ? -(uint64_t)small(x) : (uint64_t)small(x);
	v->value.words = v->words;
	v->value.capacity = WORDS_SMALL;
	v->value.length = 0;
	v->value.negative = small(x) < 0;
	for (i = 0; i < WORDS_SMALL && magnitude; i++) {
		v->words[i] = (cc_word)magnitude;
		v->value.length++;
		/* in two steps, as a shift by 64 bits is undefined */
		magnitude = magnitude >> (CC_WORD_BITS / 2) >> (CC_WORD_BITS / 2);
	}
	return &v->value;
}

/*
 * The words of an integer of at most so many follow it in the same block, so that making one is one
 * call of malloc(). They are left unused once it has had a longer value, whose words are its own.
 */
#define RING_SHORT 17

struct ring_made {
	struct ring_integer integer;
	cc_word room[];
};

static inline cc_word *ring_room(struct ring_integer *x)
{
	return ((struct ring_made *)x)->room;
}

/* Frees an integer from ring_begin(). */
void ring_integer_free(struct ring_integer *x);

/*
 * The integer for a result: the slot's, if nothing else refers to it, or a new one; NULL if memory
 * ran out. The slot's holds an old number. It is no argument of the operation: those are owned by
 * other slots. It is for the functions of bigint.h, which allocate its words.
 */
struct ring_integer *ring_begin(const ring_value *slot);

/* The result x as a value, owned by the slot; 0 if @status is an error, or x is too long. */
ring_value ring_finish(struct ring_integer *x, ring_value *slot, int status);

/* The same with room for @words words. */
struct ring_integer *ring_begin_room(size_t words);

static inline struct ring_integer *ring_begin_short(const ring_value *slot, size_t words)
{
	struct ring_integer *x = (struct ring_integer *)(uintptr_t)*slot;

	if (x && !is_small(*slot) && x->object.kind == RING_INTEGER && x->value.capacity >= words &&
	    __atomic_load_n(&x->object.references, __ATOMIC_ACQUIRE) == 1)
		return x;
	return ring_begin_room(words);
}

/* The first @length words of such an integer's room, of which the top ones may be 0, as a value. */
ring_value ring_finish_room(struct ring_integer *x, ring_value *slot, size_t length, int negative);

static inline ring_value ring_finish_short(struct ring_integer *x, ring_value *slot, size_t length,
					   int negative)
{
	const cc_word *words = x->value.words;

	length -= length && !words[length - 1];
	if (length <= WORDS_SMALL || !words[length - 1] || (ring_value)(uintptr_t)x != *slot)
		return ring_finish_room(x, slot, length, negative);
	x->value.length = length;
	x->value.negative = negative;
	return *slot;
}

/* Frees the memory of an array from ring_new(). */
void ring_array_free(struct ring_array *array);

#endif /* CARRYCHAIN_RING_VALUE_H */
