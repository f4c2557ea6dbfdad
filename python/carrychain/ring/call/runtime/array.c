// SPDX-License-Identifier: MIT
/* array.c - arrays of words and of values. */
#include "entries.h"
#include "memory.h"
#include "value.h"

#include <string.h>

/* An array and its capacity in bytes; the elements follow, aligned to 16 bytes. */
struct owned {
	struct ring_array array;
	uint64_t room;
	uint64_t unused;
};

/* The bytes of an array besides its elements: its head, and padding after the last element. */
#define AROUND (sizeof(struct owned) + 16)

struct ring_array *ring_array(ring_value x)
{
	return (struct ring_array *)(uintptr_t)x;
}

/*
 * The slot's array, to be reused: it holds words, has the capacity, and only the slot refers to it.
 * An array whose references are counted was allocated here, so it is a struct owned.
 */
static struct owned *used_again(ring_value x, uint64_t bytes)
{
	struct owned *made = (struct owned *)(uintptr_t)x;

	if (!x || object(x)->kind != RING_WORDS || object(x)->references < 0 || made->room < bytes)
		return NULL;
	return __atomic_load_n(&object(x)->references, __ATOMIC_ACQUIRE) == 1 ? made : NULL;
}

/* Sets all elements to the first, by copies of doubling length. */
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
	struct owned *made;
	size_t all;

	/* the interpreter's limit; also, no product below overflows */
	if (count > BITS_MAX || count > (SIZE_MAX - AROUND) / size)
		return 0;
	made = width ? used_again(*slot, count * size) : NULL;
	if (made) {
		made->array.length = count;
		fill(made->array.data, count, size, low, high);
		return *slot;
	}
	all = AROUND + count * size;
	made = ring_memory_new(&all);
	if (!made)
		return 0;
	made->array.object.references = 1;
	made->array.object.kind = width ? RING_WORDS : RING_VALUES;
	made->array.length = count;
	made->array.data = made + 1;
	made->room = all - AROUND;
	fill(made->array.data, count, size, low, high);
	if (!width && !is_small((ring_value)low))
		for (i = 0; i < count; i++)
			ring_retain((ring_value)low);
	ring_put(slot, (ring_value)(uintptr_t)made);
	return (ring_value)(uintptr_t)made;
}

void ring_array_free(struct ring_array *array)
{
	struct owned *made = (struct owned *)array;

	ring_memory_free(made, AROUND + made->room);
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
