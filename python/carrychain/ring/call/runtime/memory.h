/* SPDX-License-Identifier: MIT */
/* memory.h - the memory of arrays. */
#ifndef CARRYCHAIN_RING_MEMORY_H
#define CARRYCHAIN_RING_MEMORY_H

#include <stddef.h>

/*
 * A block of at least @size bytes, aligned to 16; sets @size to the bytes it has.  NULL if memory
 * ran out.
 */
void *ring_memory_new(size_t *size);
void ring_memory_free(void *block, size_t size);

#endif /* CARRYCHAIN_RING_MEMORY_H */
