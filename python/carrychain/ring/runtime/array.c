// SPDX-License-Identifier: MIT
/* array.c - arrays of words and of values. */
#include "entries.h"
#include "memory.h"
#include "value.h"

#include <string.h>

struct ring_array *ring_array(ring_value x)
{
	return (struct ring_array *)(uintptr_t)x;
}

/* All elements are the first: twice as many are copied each time. */
static void fill(unsigned char *data, uint64_t count, uint64_t size, uint64_t low, uint64_t high)
{
	const uint64_t first[2] = {low, high};
	uint64_t all = count * size, done = size;

	if (!low && !high) {
		memset(data, 0, all);
		return;
	}
	if (!all)
		return;
	memcpy(data, first, size);
	for (; done < all - done; done *= 2)
		memcpy(data + done, data, done);
	memcpy(data + done, data, all - done);
}

/* The array that the slot gives up, where nothing else refers to it and it has just the room. */
static struct ring_array *used_again(ring_value x, size_t size)
{
	struct ring_array *array = ring_array(x);

	if (is_small(x) || !x || array->object.kind != RING_WORDS ||
	    __atomic_load_n(&array->object.references, __ATOMIC_ACQUIRE) != 1 ||
	    !ring_memory_serves(array, size))
		return NULL;
	return array;
}

ring_value ring_new(uint64_t count, uint32_t width, uint64_t low, uint64_t high, ring_value *slot)
{
	uint64_t i, size = width ? width : sizeof(ring_value);
	struct ring_array *array, *again;
	unsigned char *data;
	size_t all;

	/* the bound of the interpreter's, and no product below overflows */
	if (count > BITS_MAX || count > (SIZE_MAX - sizeof(*array) - 16) / size)
		return 0;
	all = sizeof(*array) + 16 + count * size;
	again = width ? used_again(*slot, all) : NULL;
	array = again ? again : ring_memory_new(all);
	if (!array)
		return 0;
	data = (unsigned char *)(array + 1);
	array->object.references = 1;
	array->object.kind = width ? RING_WORDS : RING_VALUES;
	array->length = count;
	array->data = data;
	fill(data, count, size, low, high);
	if (!width)
		for (i = 0; i < count; i++)
			ring_retain((ring_value)low);
	if (!again)
		ring_put(slot, (ring_value)(uintptr_t)array);
	return (ring_value)(uintptr_t)array;
}

ring_value ring_columns(const struct ring_array *from, uint32_t width, uint32_t lanes,
			uint32_t rows, ring_value *slot)
{
	uint64_t i, count = from->length, all = count * lanes;
	const unsigned char *row;
	struct ring_array *array;
	unsigned char *to;
	ring_value made;
	uint32_t lane;

	made = ring_new(count > BITS_MAX / lanes ? BITS_MAX + 1 : all, width, 0, 0, slot);
	if (!made)
		return 0;
	array = ring_array(made);
	array->length = count;
	for (lane = 0; lane < lanes; lane++) {
		row = rows ? ((unsigned char **)from->data)[lane] : from->data;
		to = (unsigned char *)array->data + lane * width;
		for (i = 0; i < count; i++)
			memcpy(to + i * lanes * width, row + i * width, width);
	}
	return made;
}
