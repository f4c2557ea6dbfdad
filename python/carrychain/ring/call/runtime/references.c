// SPDX-License-Identifier: MIT
/* references.c - reference counts, and slots that own values. */
#include "entries.h"
#include "value.h"

#include <stdlib.h>
#include <string.h>

void ring_retain(ring_value x)
{
	if (is_small(x) || !x || object(x)->references < 0)
		return;
	__atomic_fetch_add(&object(x)->references, 1, __ATOMIC_RELAXED);
}

/* Releases what an array holds: mostly small integers, of which eight are passed over at once. */
static void release_all(const ring_value *values, uint64_t count)
{
	ring_value all;
	uint64_t i, k;

	for (i = 0; i < count; i++) {
		for (; count - i > 8; i += 8) {
			for (all = 1, k = 0; k < 8; k++)
				all &= values[i + k];
			if (!all)
				break;
		}
		ring_release(values[i]);
	}
}

void ring_release(ring_value x)
{
	int64_t references;

	if (is_small(x) || !x)
		return;
	/* nobody else can take a reference to an object that has one: it is the caller's */
	references = __atomic_load_n(&object(x)->references, __ATOMIC_ACQUIRE);
	if (references < 0 ||
	    (references > 1 && __atomic_sub_fetch(&object(x)->references, 1, __ATOMIC_ACQ_REL)))
		return;
	switch (object(x)->kind) {
	case RING_INTEGER:
		ring_integer_free((struct ring_integer *)(uintptr_t)x);
		return;
	case RING_VALUES:
		release_all(ring_array(x)->data, ring_array(x)->length);
		break;
	}
	ring_array_free(ring_array(x));
}

void ring_put(ring_value *slot, ring_value x)
{
	ring_value old = *slot;

	*slot = x;
	ring_release(old);
}

void ring_set(ring_value *slot, ring_value x)
{
	ring_retain(x);
	ring_put(slot, x);
}

void ring_leave(ring_value *slots, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++)
		ring_release(slots[i]);
}

struct ring_slots *ring_slots_new(uint64_t count, uint64_t words)
{
	size_t size =
		sizeof(struct ring_slots) + (count + (count & 1) + words) * sizeof(ring_value);
	struct ring_slots *slots = malloc(size);

	if (slots) {
		memset(slots, 0, size);
		slots->count = count;
	}
	return slots;
}

void ring_slots_free(struct ring_slots *slots)
{
	ring_leave(slots->values, slots->count);
	free(slots);
}
