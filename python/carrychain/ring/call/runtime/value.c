// SPDX-License-Identifier: MIT
/* value.c - results, from integers to values. */
#include "value.h"

#include <stdlib.h>

#include "entries.h"

const cc_bigint *ring_integer(ring_value x)
{
	return integer_of(x);
}

/* A new integer that has room for so many words. */
static struct ring_integer *allocated(size_t words)
{
	struct ring_integer *x = malloc(sizeof(struct ring_made) + words * sizeof(cc_word));

	if (!x)
		return NULL;
	x->object.references = 1;
	x->object.kind = RING_INTEGER;
	cc_bigint_init(&x->value);
	return x;
}

struct ring_integer *ring_begin(const ring_value *slot)
{
	struct ring_integer *x = (struct ring_integer *)(uintptr_t)*slot;

	if (!x || is_small(*slot) || x->object.kind != RING_INTEGER ||
	    __atomic_load_n(&x->object.references, __ATOMIC_ACQUIRE) != 1)
		return allocated(0);
	/* these functions would free the room */
	if (x->value.words == ring_room(x))
		cc_bigint_init(&x->value);
	return x;
}

/* More than is needed, because the next number in the slot may be longer. */
struct ring_integer *ring_begin_room(size_t words)
{
	size_t capacity = words + words / 4 + 2;
	struct ring_integer *x = allocated(capacity);

	if (x) {
		x->value.words = ring_room(x);
		x->value.capacity = capacity;
	}
	return x;
}

void ring_integer_free(struct ring_integer *x)
{
	if (x->value.words != ring_room(x))
		cc_bigint_clear(&x->value);
	free(x);
}

static void drop(struct ring_integer *x, const ring_value *slot)
{
	if (x && (uintptr_t)x != (uintptr_t)*slot)
		ring_integer_free(x);
}

/* Whether the magnitude is that of a small integer. */
static int get_small(int64_t *r, const cc_word *words, size_t length, int negative)
{
	uint64_t magnitude = 0;

	if (length > WORDS_SMALL)
		return 0;
	while (length--)
		magnitude = magnitude << (CC_WORD_BITS / 2) << (CC_WORD_BITS / 2) | words[length];
	if (magnitude > (uint64_t)SMALL_MAX + (negative != 0))
		return 0;
	*r = negative ? -(int64_t)magnitude : (int64_t)magnitude;
	return 1;
}

static ring_value own(struct ring_integer *x, ring_value *slot)
{
	if ((uintptr_t)x != (uintptr_t)*slot)
		ring_put(slot, (ring_value)(uintptr_t)x);
	return (ring_value)(uintptr_t)x;
}

ring_value ring_finish(struct ring_integer *x, ring_value *slot, int status)
{
	int64_t word;

	if (status == CC_OK &&
	    get_small(&word, x->value.words, x->value.length, x->value.negative)) {
		drop(x, slot);
		return tagged(word);
	}
	if (status != CC_OK || cc_bigint_bit_length(&x->value) > BITS_MAX) {
		drop(x, slot);
		return 0;
	}
	return own(x, slot);
}

ring_value ring_finish_room(struct ring_integer *x, ring_value *slot, size_t length, int negative)
{
	const cc_word *words = x->value.words;
	int64_t word;

	while (length && !words[length - 1])
		length--;
	if (get_small(&word, words, length, negative)) {
		drop(x, slot);
		return tagged(word);
	}
	x->value.length = length;
	x->value.negative = negative;
	return own(x, slot);
}
