// SPDX-License-Identifier: MIT
/* array.c - arrays of words and of values. */
#include "entries.h"
#include "value.h"

#include <stdlib.h>
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

ring_value ring_new(uint64_t count, uint32_t width, uint64_t low, uint64_t high, ring_value *slot)
{
	uint64_t i, size = width ? width : sizeof(ring_value);
	struct ring_array *array;
	unsigned char *data;

	/* the bound of the interpreter's, and no product below overflows */
	if (count > BITS_MAX || count > (SIZE_MAX - sizeof(*array) - 16) / size)
		return 0;
	array = malloc(sizeof(*array) + 16 + count * size);
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
	ring_put(slot, (ring_value)(uintptr_t)array);
	return (ring_value)(uintptr_t)array;
}
