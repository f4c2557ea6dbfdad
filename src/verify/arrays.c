// SPDX-License-Identifier: MIT
/* Heapsort (Williams 1964): it needs no memory, and no order makes it slow. */
#include "arrays.h"

struct elements {
	unsigned char *at;
	size_t size;
	int (*compare)(const void *a, const void *b);
};

static void swap(struct elements e, size_t i, size_t j)
{
	unsigned char *a = e.at + i * e.size, *b = e.at + j * e.size, byte;
	size_t n;

	for (n = 0; n < e.size; n++) {
		byte = a[n];
		a[n] = b[n];
		b[n] = byte;
	}
}

static int less(struct elements e, size_t i, size_t j)
{
	return e.compare(e.at + i * e.size, e.at + j * e.size) < 0;
}

/* Lets element @i sink in the heap of @count elements until none below is greater. */
static void sink(struct elements e, size_t i, size_t count)
{
	size_t below;

	while ((below = 2 * i + 1) < count) {
		if (below + 1 < count && less(e, below, below + 1))
			below++;
		if (!less(e, i, below))
			return;
		swap(e, i, below);
		i = below;
	}
}

void array_sort(void *array, size_t count, size_t size,
		int (*compare)(const void *a, const void *b))
{
	const struct elements e = {array, size, compare};
	size_t i;

	for (i = 1; i < count && !less(e, i, i - 1); i++)
		;
	if (i >= count)
		return;
	for (i = count / 2; i--;)
		sink(e, i, count);
	for (i = count; --i;) {
		swap(e, 0, i);
		sink(e, 0, i);
	}
}
