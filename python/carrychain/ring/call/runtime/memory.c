// SPDX-License-Identifier: MIT
/*
 * memory.c - the memory of arrays.
 *
 * What malloc() is given back of large blocks it gives back to the kernel, and each page of the
 * next one is a fault.  So a thread keeps the last few that it gave back, until it ends.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Bytes: smaller blocks malloc() keeps itself. */
#define LARGE ((size_t)32 << 10)
/* Of a thread, bytes and blocks at most. */
#define KEPT  ((size_t)32 << 20)
#define COUNT 8

/* The oldest first. */
struct kept {
	struct block {
		void *memory;
		size_t size;
	} blocks[COUNT];
	size_t count, size;
};

static __thread struct kept kept;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int keyed;

static struct block taken(struct kept *from, size_t at)
{
	struct block block = from->blocks[at];

	from->size -= block.size;
	from->count--;
	memmove(from->blocks + at, from->blocks + at + 1,
		(from->count - at) * sizeof(from->blocks[0]));
	return block;
}

/* When a thread ends. */
static void drop(void *of)
{
	struct kept *from = of;

	while (from->count)
		free(taken(from, 0).memory);
}

static void begin(void)
{
	keyed = !pthread_key_create(&key, drop);
}

void *ring_memory_new(size_t *size)
{
	size_t at, best = COUNT;
	struct block block;

	for (at = 0; *size >= LARGE && at < kept.count; at++)
		if (kept.blocks[at].size >= *size && kept.blocks[at].size / 2 <= *size &&
		    (best == COUNT || kept.blocks[at].size <= kept.blocks[best].size))
			best = at;
	if (best == COUNT)
		return malloc(*size);
	block = taken(&kept, best);
	*size = block.size;
	return block.memory;
}

void ring_memory_free(void *block, size_t size)
{
	if (size < LARGE || size > KEPT || pthread_once(&once, begin) || !keyed ||
	    pthread_setspecific(key, &kept)) {
		free(block);
		return;
	}
	while (kept.count == COUNT || kept.size > KEPT - size)
		free(taken(&kept, 0).memory);
	kept.blocks[kept.count].memory = block;
	kept.blocks[kept.count++].size = size;
	kept.size += size;
}
