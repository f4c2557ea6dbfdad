/* SPDX-License-Identifier: MIT */
/* arrays.h - arrays that grow, and their order, where there may be no libc. */
#ifndef CC_VERIFY_ARRAYS_H
#define CC_VERIFY_ARRAYS_H

#include "../platform.h"

/* Zeros; NULL without memory. */
static inline void *array_zeros(size_t size)
{
	void *memory = CC_ALLOC(size);

	return memory ? memset(memory, 0, size) : NULL;
}

/* Room for @size bytes, the first @kept of them those of @old, which is freed; NULL: @old stays. */
static inline void *array_grown(void *old, size_t kept, size_t size)
{
	void *memory = CC_ALLOC(size);

	if (!memory)
		return NULL;
	if (kept)
		memcpy(memory, old, kept);
	CC_FREE(old);
	return memory;
}

/* Sort @count elements of @size bytes in place, as qsort(); what is in order is only read. */
CC_HIDDEN void array_sort(void *array, size_t count, size_t size,
			  int (*compare)(const void *a, const void *b));

#endif /* CC_VERIFY_ARRAYS_H */
