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

ring_value ring_new(uint64_t count, uint32_t width, uint64_t low, uint64_t high, ring_value *slot)
{
	uint64_t fill[2] = {low, high}, i, size = width ? width : sizeof(ring_value);
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
	if (width == 1)
		memset(data, (int)(low & 0xff), count);
	else
		for (i = 0; i < count; i++)
			memcpy(data + i * size, fill, size);
	if (!width)
		for (i = 0; i < count; i++)
			ring_retain((ring_value)low);
	ring_put(slot, (ring_value)(uintptr_t)array);
	return (ring_value)(uintptr_t)array;
}
