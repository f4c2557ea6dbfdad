// SPDX-License-Identifier: MIT
/* value.c - views of values as integers, and results from integers to values. */
#include "value.h"

#include <stdlib.h>

#include "entries.h"

const cc_bigint *ring_integer(ring_value x)
{
	return &((struct ring_integer *)(uintptr_t)x)->value;
}

const cc_bigint *ring_view(struct ring_view *v, ring_value x)
{
	uint64_t magnitude;
	size_t i;

	if (!is_small(x))
		return ring_integer(x);
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

struct ring_integer *ring_begin(const ring_value *slot)
{
	struct ring_integer *x;

	if (*slot && object(*slot)->kind == RING_INTEGER && object(*slot)->references >= 0 &&
	    __atomic_load_n(&object(*slot)->references, __ATOMIC_ACQUIRE) == 1)
		return (struct ring_integer *)(uintptr_t)*slot;
	x = malloc(sizeof(*x));
	if (!x)
		return NULL;
	x->object.references = 1;
	x->object.kind = RING_INTEGER;
	cc_bigint_init(&x->value);
	return x;
}

static void drop(struct ring_integer *x, const ring_value *slot)
{
	if (!x || (uintptr_t)x == (uintptr_t)*slot)
		return;
	cc_bigint_clear(&x->value);
	free(x);
}

ring_value ring_finish(struct ring_integer *x, ring_value *slot, int status)
{
	int64_t word;

	if (status == CC_OK && !cc_bigint_get_i64(&word, &x->value) && word >= SMALL_MIN &&
	    word <= SMALL_MAX) {
		drop(x, slot);
		return tagged(word);
	}
	if (status != CC_OK || cc_bigint_bit_length(&x->value) > BITS_MAX) {
		drop(x, slot);
		return 0;
	}
	if ((uintptr_t)x != (uintptr_t)*slot)
		ring_put(slot, (ring_value)(uintptr_t)x);
	return (ring_value)(uintptr_t)x;
}
