/* SPDX-License-Identifier: MIT */
/* memory.h - the memory of arrays. */
#ifndef CARRYCHAIN_RING_MEMORY_H
#define CARRYCHAIN_RING_MEMORY_H

#include <stddef.h>

/* At a multiple of 16, of @size bytes or more, and so many it says then; NULL if memory ran out. */
void *ring_memory_new(size_t *size);
void ring_memory_free(void *block, size_t size);

#endif /* CARRYCHAIN_RING_MEMORY_H */
