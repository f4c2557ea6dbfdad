/* SPDX-License-Identifier: MIT */
/* memory.h - the memory of arrays. */
#ifndef CARRYCHAIN_RING_MEMORY_H
#define CARRYCHAIN_RING_MEMORY_H

#include <stddef.h>

/* At a multiple of 16, what is in it not known; NULL if memory ran out. */
void *ring_memory_new(size_t size);
void ring_memory_free(void *block);
/* Whether the block might be what ring_memory_new() gives. */
int ring_memory_serves(const void *block, size_t size);

#endif /* CARRYCHAIN_RING_MEMORY_H */
